//! Tic-tac-toe on a PC.

use std::sync::Arc;

use dojo_core::game::Game;
use dojo_core::games::TicTacToe;
use dojo_core::games::tictactoe::{AllHints, Marks};
use dojo_core::players::{Agent, Perfect};
use dojo_core::search::{Engine, Limits, Plan, Results, Settings};

use crate::games::{DeviceCase, LabGame};
use crate::players::{ArenaGame, PlayerFn, Spec};
use crate::search_lab::{OwnSearch, SearchLabGame};

impl ArenaGame for TicTacToe {
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        match *spec {
            Spec::Perfect => Some(Arc::new(|game, rng| Perfect.choose(game, rng))),
            Spec::Marks { depth } => Some(Arc::new(move |game, _| {
                let limits = Limits {
                    depth,
                    ..Limits::NONE
                };
                let plan = Plan {
                    knowledge: Marks,
                    settings: Settings::PLAIN,
                    limits,
                };
                Engine::new(&mut [], &mut []).think(game, &plan, &mut ()).mv
            })),
            _ => None,
        }
    }
}

impl SearchLabGame for TicTacToe {
    type Ends = Results;
    type Hints = AllHints;
    const HINTS: bool = true;

    fn own_searches() -> Vec<OwnSearch<Self>> {
        vec![OwnSearch {
            name: "evaluation: marks",
            base: Some("evaluation"),
            about: "the same with the evaluation of a lecture, +1 for each own mark and −1 for each other: all moves look alike",
            think: Box::new(|engine, game, limits| {
                let plan = Plan {
                    knowledge: Marks,
                    settings: Settings::PLAIN,
                    limits,
                };
                engine.think(game, &plan, &mut ())
            }),
        }]
    }
}

impl LabGame for TicTacToe {
    const TOO_LARGE: Option<&'static str> = None;

    fn device_cases() -> Vec<DeviceCase<TicTacToe>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 1],
            most_ms: 1000.0,
        }]
    }
}

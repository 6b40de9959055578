//! Tic-tac-toe on a PC.

use std::sync::Arc;

use dojo_core::game::Game;
use dojo_core::games::TicTacToe;
use dojo_core::games::tictactoe::AllHints;
use dojo_core::players::{Agent, Perfect};
use dojo_core::search::Results;

use crate::games::{DeviceCase, LabGame};
use crate::players::{ArenaGame, PlayerFn, Spec};
use crate::search_lab::SearchLabGame;

impl ArenaGame for TicTacToe {
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        (*spec == Spec::Perfect)
            .then(|| -> PlayerFn<Self> { Arc::new(|game, rng| Perfect.choose(game, rng)) })
    }
}

impl SearchLabGame for TicTacToe {
    type Ends = Results;
    type Hints = AllHints;
    const HINTS: bool = true;
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

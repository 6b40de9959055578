//! Iwoki on a PC: how its networks learn, and the table of the published work.

use std::sync::Arc;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::iwoki::players::{Greedy, GreedyPlayouts, WEIGHT_SCALE, look_ahead};
use dojo_core::games::iwoki::{self, FEATURES, FinalCounts, Form};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::memory::Heap;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, MonteCarlo};
use dojo_core::search::mcts::{Mcts, Node, Playouts, Veiled};
use dojo_core::search::{Limits, Look};

use crate::bank::manifest::ModelKind;
use crate::certify::CertifiedModel;
use crate::experiment::Experiment;
use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{ArenaGame, POOL, PlayerFn, Spec};
use crate::search_lab::SearchLabGame;
use crate::train::Preset;

pub mod certify;
pub mod experiment;
pub mod learner;
pub mod table;
pub mod train;

/// The greedy player, and players that sample the hidden information; a search counts turns, so
/// that it looks past a draw.
impl ArenaGame for Iwoki {
    fn game_player(spec: &Spec, _: Self::Rules) -> Option<PlayerFn<Self>> {
        match *spec {
            Spec::Greedy => Some(Arc::new(|game, rng| Greedy.choose(game, rng))),
            Spec::Det { depth, samples } => Some(Arc::new(move |game, rng| {
                let mut resources = Resources {
                    memory: &mut Heap::default(),
                    control: &mut (),
                    helper: None,
                };
                look_ahead(
                    game,
                    FinalCounts,
                    &[Look::at_all(depth, samples)],
                    rng,
                    &mut resources,
                )
            })),
            Spec::Ismcts { playouts } => Some(Arc::new(move |game, rng| {
                let mut pool = vec![Node::default(); POOL];
                let settings = Playouts {
                    exploration: 128,
                    expand_at: 8,
                    ..Playouts::new(GreedyPlayouts)
                };
                let (mcts, limits) = (Mcts::new(&mut pool, settings), Limits::nodes(playouts));
                MonteCarlo {
                    mcts,
                    worlds: Veiled,
                    limits,
                }
                .choose(game, rng)
            })),
            _ => None,
        }
    }

    fn hides(rules: IwokiRules) -> bool {
        rules.form == Form::Normal
    }
}

impl SearchLabGame for Iwoki {
    type Ends = FinalCounts;
    type Hints = FinalCounts;
    const HINTS: bool = true;
    /// Minimax cannot reach the end of a game.
    const DEPTH: u8 = 3;
}

impl LabGame for Iwoki {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const PRESETS: &'static [Preset] = train::PRESETS;
    const TOO_LARGE: Option<&'static str> = Some("iwoki is too large to be solved");
    const BELTS: BeltMatches = BeltMatches {
        table: 400,
        every_run: false,
        order: (200, 1),
        rival: Some(("greedy", Spec::Greedy)),
        ..BeltMatches::QUICK
    };

    /// Records have their own format.
    fn replay(text: &str) -> Result<(Iwoki, usize), (usize, String)> {
        let replayed =
            iwoki::record::replay(text).map_err(|error| (error.line, error.fault.to_string()))?;
        Ok((replayed.end, replayed.moves))
    }

    fn certify(
        kind: ModelKind,
        values: &[f64],
        belt: Option<Belt>,
    ) -> Result<CertifiedModel, String> {
        let (inputs, hidden) = match kind {
            ModelKind::Network { inputs, hidden } if usize::from(inputs) == FEATURES => {
                (inputs, hidden)
            }
            _ => {
                return Err(format!(
                    "iwoki has networks of {FEATURES} inputs, not {kind}"
                ));
            }
        };
        let (payload, proof) = certify::certify_iwoki(values, hidden.into(), belt)?;
        let kind = ModelKind::network(inputs, hidden);
        Ok(CertifiedModel::network(kind, WEIGHT_SCALE, payload, proof))
    }

    fn device_cases() -> Vec<DeviceCase<Iwoki>> {
        vec![DeviceCase {
            name: Self::NAME,
            rules: Default::default(),
            plies: &[0, 6, 12, 18, 24],
            most_ms: 3000.0,
        }]
    }
}

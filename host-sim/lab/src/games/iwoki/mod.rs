//! What iwoki has on a PC alone: how its networks learn, and the table of the published work.

use std::sync::Arc;

use dojo_core::game::{Game, Player};
use dojo_core::games::iwoki::players::{Greedy, look_ahead};
use dojo_core::games::iwoki::{self, Action, FinalCounts, Form};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::memory::Heap;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use dojo_core::search::{Limits, Look};

use crate::experiment::Experiment;
use crate::games::{BeltMatches, DeviceCase, LabGame};
use crate::players::{Contender, Own, POOL, Spec};
use crate::search::mcts::{Mcts, Node, Playouts, Policy, Reward, Veiled};
use crate::search_lab::Studied;

pub mod certify;
pub mod experiment;
pub mod learner;
pub mod table;
pub mod train;

/// Playouts by [`Greedy`] with every eighth action at random. The reward is the result plus a share of the
/// margin.
#[derive(Clone, Copy, Debug, Default)]
struct GreedyPlayouts;

impl Policy<Iwoki> for GreedyPlayouts {
    fn choose(&self, game: &Iwoki, rng: &mut Rng) -> Option<Action> {
        if rng.below(8) == 0 {
            Random.choose(game, rng)
        } else {
            Greedy.choose(game, rng)
        }
    }

    fn reward(&self, end: &Iwoki, player: Player) -> Reward {
        let lead = end.lead(player);
        (128 + 64 * lead.signum() + 2 * lead.clamp(-32, 32)) as Reward
    }

    fn prior(&self, game: &Iwoki, action: Action) -> (u16, Reward) {
        (4, (100 + 6 * Reward::from(game.points_of(action))).min(256))
    }
}

/// The greedy player, and those that guess what is hidden; a search counts turns, so that a draw is looked through.
impl Contender for Iwoki {
    fn own(spec: &Spec, _: Self::Rules) -> Option<Own<Self>> {
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
                Mcts::new(&mut pool, settings)
                    .think(game, &Veiled, &Limits::nodes(playouts), rng, &mut ())
                    .mv
            })),
            _ => None,
        }
    }

    fn hides(rules: IwokiRules) -> bool {
        rules.form == Form::Normal
    }
}

impl Studied for Iwoki {
    type Ends = FinalCounts;
    type Hints = FinalCounts;
    const HINTS: bool = true;
    /// Its end is out of reach.
    const DEPTH: u8 = 3;
}

impl LabGame for Iwoki {
    const EXPERIMENTS: &'static [Experiment] = experiment::ALL;
    const TOO_LARGE: Option<&'static str> = Some("iwoki is too large to be solved");
    const BELTS: BeltMatches = BeltMatches {
        table: 400,
        every_run: false,
        order: (200, 1),
        rival: Some(("greedy", Spec::Greedy)),
        ..BeltMatches::QUICK
    };

    /// Its records have a form of their own.
    fn replay(text: &str) -> Result<(Iwoki, usize), (usize, String)> {
        let replayed =
            iwoki::record::replay(text).map_err(|error| (error.line, error.fault.to_string()))?;
        Ok((replayed.end, replayed.moves))
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

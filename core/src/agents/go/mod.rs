//! Players of Go: quick ones, the published one, and five belts of the strong one; and who owns what in the end.

use crate::agents::belt::{Belt, Belted, Means, Thought, Thoughts};
use crate::bank::Meta;
use crate::game::{Game, GameMove, Player};
use crate::games::Go;
use crate::games::go::{GoMove, Style};
use crate::memory::Workspace;
use crate::rng::Rng;
use crate::search::Control;

pub mod annilgos;
mod judge;
mod priors;
mod taker;
mod tree;

pub use judge::{ALIVE, Ownership, dead_stones, survival};
pub use priors::Weights;
pub use taker::{Taker, sensible_points};
pub use tree::{Choice, Helper, Job, Node, Plan, Tree};

/// Nodes of the tree: 120 KB.
const NODES: usize = 10_000;
/// Playouts of black: what the second core of the device manages in ten seconds, at 215,000 cycles of 5 ns each and
/// up to a fifth more for the tree.
pub const BLACK_PLAYOUTS: u32 = 7_500;
/// Playouts that show what a belt thinks.
const THOUGHTS: u32 = 1_000;

/// How a belt searches: from a handful of random games to all that the device can do.
pub const fn plan(belt: Belt) -> Plan {
    match belt {
        Belt::White => simple_plan(40),
        Belt::Yellow => simple_plan(200),
        Belt::Green => Plan::best(200),
        Belt::Brown => Plan::best(1_500),
        Belt::Black => Plan::best(BLACK_PLAYOUTS),
    }
}

/// Playouts at random, without an opinion about any move.
const fn simple_plan(playouts: u32) -> Plan {
    Plan { style: Style::LIGHT, weights: Weights::NONE, ..Plan::best(playouts) }
}

/// Below how many thousandths of wins a belt gives a game up; the lower belts never do.
pub const fn resigns_below(belt: Belt) -> u16 {
    match belt {
        Belt::White | Belt::Yellow | Belt::Green => 0,
        Belt::Brown | Belt::Black => 50,
    }
}

/// The move of a plan, with how it did; `None` if the game is over.
pub fn choose(
    game: &Go,
    plan: &Plan,
    rng: &mut Rng,
    means: &mut Means<'_, impl Workspace, impl Control>,
) -> Option<Choice> {
    let mut tree = Tree::new(means.memory.lend::<Node>(NODES), *plan);
    let best = tree.think(game, rng, means.control, &mut means.helper)?;
    let pass = Choice { mv: GoMove::Pass, ..best };
    Some(if may_pass(game, rng) { pass } else { best })
}

/// Whether to pass: the board as it stands is won, and either the opponent has passed or nothing is left to play for.
fn may_pass(game: &Go, rng: &mut Rng) -> bool {
    let score = if game.turn() == Player::First { game.score() } else { -game.score() };
    // Before half of the board is full, nothing is settled.
    let full = 2 * game.stones().all().len() > game.board().len();
    let passed = game.last_move() == Some(GoMove::Pass);
    score > 0 && (passed || full && Ownership::new(game, 60, rng).is_settled(game))
}

/// No models: five strengths of one search.
impl Belted for Go {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model<W, C>(&self, _: Belt, _: &[u8], _: &mut Rng, _: &mut Means<'_, W, C>) -> Option<GoMove> {
        None
    }

    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<GoMove> {
        let slips = belt.slips();
        let plan = if slips > 0 && rng.chance(slips) { simple_plan(1) } else { plan(belt) };
        choose(self, &plan, rng, means).map(|choice| choice.mv)
    }

    /// Once both have passed: for each stone, by its point, how sure it lives.
    fn thoughts<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        _: Option<&[u8]>,
        means: &mut Means<'_, W, C>,
    ) -> Thoughts {
        // Once both have passed: for each stone, by its point, how likely it lives.
        if self.is_over() {
            let stones = survival(self).flat_map(|(block, value)| block.map(move |point| (point, value)));
            return stones.map(|(point, value)| Thought { index: GoMove::Stone(point).index(), value }).collect();
        }
        let belt = plan(belt);
        let mut tree =
            Tree::new(means.memory.lend::<Node>(NODES), Plan { playouts: belt.playouts.min(THOUGHTS), ..belt });
        if tree.think(self, &mut Rng::new(self.key()), means.control, &mut means.helper).is_none() {
            return Thoughts::new();
        }
        tree.choices().map(|choice| Thought { index: choice.mv.index(), value: choice.value }).collect()
    }
}

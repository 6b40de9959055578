//! Monte Carlo tree search for any game: playouts instead of an evaluation.
//!
//! Each round selects a path down the tree by UCT, expands the position at its end, plays a random
//! playout and backpropagates the result along the path. The tree lives in a pool of nodes that the
//! caller provides; when the pool is full the tree stops growing but keeps learning.
//!
//! Three variants share one tree. With full information every round starts from the position
//! itself. Information-set search (ISMCTS) starts every round from another determinization, a
//! sample of the hidden information, and one tree joins them all: its nodes are what the player to
//! move knows. With [`Playouts::separate`] each determinization gets its own tree and the moves are
//! compared over all of them.

mod fixed;
mod playouts;
mod tree;

pub use fixed::{ln, sqrt};
pub use playouts::{ONE, Policy, Reward, Uniform};
pub use tree::{Mcts, Node, Playouts, RootMove};

use dojo_core::game::{Game, Hidden};
use dojo_core::rng::Rng;

/// Samples the position from which a round starts.
pub trait Worlds<G: Game> {
    /// A position consistent with everything the player to move at the root knows.
    fn sample(&self, root: &G, rng: &mut Rng) -> G;
}

/// Full information: every round starts from the position itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;

impl<G: Game> Worlds<G> for Open {
    fn sample(&self, root: &G, _: &mut Rng) -> G {
        root.clone()
    }
}

/// Determinization: everything that the player to move cannot see is dealt anew each round.
#[derive(Clone, Copy, Debug, Default)]
pub struct Veiled;

impl<G: Hidden> Worlds<G> for Veiled {
    fn sample(&self, root: &G, rng: &mut Rng) -> G {
        root.determinized(root.turn(), rng)
    }
}

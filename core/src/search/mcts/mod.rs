//! Monte Carlo tree search: no evaluation, games played to their end instead.
//!
//! Each round walks down the tree by the best mixture of "has done well" and "was hardly tried" (UCT), adds the moves
//! of the position it ends in, plays on at random to the end and writes the result to every move of the walk. The tree
//! lives in a pool of nodes that the caller gives; when it is full the tree grows no more, but learns on.
//!
//! One tree serves three kinds of game. With full information every round starts from the position itself. With hidden
//! information every round starts from a guess of what is hidden, and the tree joins all guesses: the nodes are what
//! the player knows, not what is (information-set search). Or the guesses are kept apart, one tree each, and the moves
//! are compared over all trees (determinised search).

mod fixed;
mod playouts;
mod tree;

pub use fixed::{ln, sqrt};
pub use playouts::{ONE, Policy, Reward, Uniform};
pub use tree::{Choice, Mcts, Node, Playouts};

use crate::game::{Game, Hidden};
use crate::rng::Rng;

/// Where each round starts.
pub trait Worlds<G: Game> {
    /// A position that fits all that the player to move at the root knows.
    fn sample(&self, root: &G, rng: &mut Rng) -> G;
}

/// Nothing is hidden.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open;

impl<G: Game> Worlds<G> for Open {
    fn sample(&self, root: &G, _: &mut Rng) -> G {
        root.clone()
    }
}

/// What the player to move cannot see is dealt anew each time.
#[derive(Clone, Copy, Debug, Default)]
pub struct Veiled;

impl<G: Hidden> Worlds<G> for Veiled {
    fn sample(&self, root: &G, rng: &mut Rng) -> G {
        root.determinized(root.turn(), rng)
    }
}

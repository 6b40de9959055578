//! Search algorithms that no device runs: references to compare the engine of `dojo_core::search`
//! with, and the players `mcts` and `ismcts` of the command line.
//!
//! Start with [`minimax`], which visits every line. [`mtdf`] and [`sss`] drive the engine's
//! alpha-beta with null windows. [`mcts`] needs no evaluation: it plays games to their end.
//! [`paths`] has searches for one player. [`tree`] is a synthetic game for tests and lessons. [`search_lab`](crate::search_lab) runs all
//! of them side by side.

pub mod mcts;
mod minimax;
mod mtd;
pub mod paths;
pub mod tree;

pub use minimax::{minimax, negamax};
pub use mtd::{mtdf, sss};

//! Players of Go: quick ones, the published one, and the strong one.

pub mod annilgos;
mod priors;
mod taker;
mod tree;

pub use priors::Weights;
pub use taker::{Taker, sensible_points};
pub use tree::{Choice, Helper, Job, Node, Plan, Tree};

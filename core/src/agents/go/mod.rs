//! Players of Go that need no training.

mod priors;
mod tree;

pub use priors::Weights;
pub use tree::{Choice, Helper, Job, Node, Plan, Tree};

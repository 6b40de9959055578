//! Players of Go.

pub mod annilgos;
mod taker;

pub use taker::{Taker, sensible_points};

//! One module for each command: its arguments, its work, its two ways of printing the result.

pub mod arena;
pub mod bank;
pub mod perft;
pub mod replay;
pub mod solve;
pub mod train;

//! Go beside the board: game records, the protocol of Go programs, the opponents of published figures.

pub mod gtp;
pub mod network;
pub mod sgf;

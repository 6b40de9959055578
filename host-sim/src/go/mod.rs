//! Go beside the board: game records, the protocol of Go programs, the opponents of published figures.

pub mod gtp;
pub mod learner;
pub mod network;
pub mod record;
pub mod sgf;
pub mod turn;

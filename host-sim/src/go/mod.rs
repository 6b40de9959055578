//! Go beside the board: game records, the protocol of Go programs, the opponents of published figures.

pub mod clock;
pub mod gtp;
pub mod judge;
pub mod learner;
pub mod network;
pub mod outside;
pub mod published;
pub mod record;
pub mod referee;
pub mod sgf;
pub mod turn;
pub mod watcher;

//! Go beside the board: game records, the protocol of Go programs, the opponents of published figures.

pub mod certify;
pub mod clock;
pub mod experiment;
pub mod gtp;
pub mod learner;
pub mod network;
pub mod outside;
pub mod published;
pub mod record;
pub mod referee;
pub mod sgf;
pub mod train;
pub mod turn;
pub mod watcher;

use dojo_core::agents::go::dead_stones;
use dojo_core::games::Go;

/// The score in half points once dead stones are off the board: above 0 if black is ahead. People and engines do not
/// take dead stones off one by one.
pub fn final_score(game: &Go) -> i16 {
    game.score_without(dead_stones(game))
}

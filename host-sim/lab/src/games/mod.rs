//! What each game has on a PC alone: training, certificates, experiments, and players too large for the device.

use dojo_core::record::{self, Recorded};

use crate::experiment::Experiment;
use crate::players::Contender;
use crate::search_lab::Studied;

pub mod dots;
pub mod go;
pub mod iwoki;
pub mod sticks;
pub mod tictactoe;

/// A game in the lab. Every game of the list has to be one.
pub trait LabGame: Contender + Studied + Recorded
where
    Self::Rules: Send + Sync,
{
    /// Published tables and curves that are made again.
    const EXPERIMENTS: &'static [Experiment] = &[];
    /// Why `dojo solve` cannot look at every position of the game; `None` if it can.
    const TOO_LARGE: Option<&'static str>;

    /// Replays a record: the last position and the number of moves, or the line and what is wrong there.
    fn replay(text: &str) -> Result<(Self, usize), (usize, String)> {
        record::replay::<Self>(text, |_, _| {})
            .map(|replayed| (replayed.end, replayed.moves))
            .map_err(|error| (error.line, error.fault.to_string()))
    }
}

//! The values of all moves of a position, as a player or a search sees them.

use serde::{Deserialize, Serialize};

/// A move and its value in the eyes of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// The index of the move.
    pub index: u16,
    /// Expected result in thousandths: 1000 for a certain win, 0 for a certain loss.
    pub value: u16,
    /// Visits of the search, 255 for the most visited move; 0 from players that do not count any.
    pub visits: u8,
}

/// Most moves in the mind view: all of Go; the best ones in games with more moves.
pub const MAX_THOUGHTS: usize = 96;

/// The moves of a position, or the best of them, with their values.
pub type Thoughts = heapless::Vec<Thought, MAX_THOUGHTS>;

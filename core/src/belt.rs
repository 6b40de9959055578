//! Belts: the five levels of strength of every game.
//!
//! Where a trained model exists, a lower belt is an earlier checkpoint of the same training run.
//! Elsewhere a belt is a search budget. Black plays perfectly wherever the game is solved.

use serde::{Deserialize, Serialize};

/// A level of strength, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
#[allow(missing_docs, reason = "colours speak for themselves")]
pub enum Belt {
    /// A child can beat it.
    White = 0,
    Yellow = 1,
    Green = 2,
    Brown = 3,
    /// As strong as the machine gets.
    Black = 4,
}

impl Belt {
    /// All belts, weakest first.
    pub const ALL: [Belt; 5] = [
        Belt::White,
        Belt::Yellow,
        Belt::Green,
        Belt::Brown,
        Belt::Black,
    ];

    /// The name used in commands and banks.
    pub const fn name(self) -> &'static str {
        match self {
            Belt::White => "white",
            Belt::Yellow => "yellow",
            Belt::Green => "green",
            Belt::Brown => "brown",
            Belt::Black => "black",
        }
    }

    /// The name on the screen.
    pub const fn title(self) -> &'static str {
        match self {
            Belt::White => "White",
            Belt::Yellow => "Yellow",
            Belt::Green => "Green",
            Belt::Brown => "Brown",
            Belt::Black => "Black",
        }
    }

    /// The belt of this name.
    pub fn from_name(name: &str) -> Option<Belt> {
        Belt::ALL.into_iter().find(|belt| belt.name() == name)
    }

    /// The belt with this number.
    pub fn from_code(code: u8) -> Option<Belt> {
        Belt::ALL.get(usize::from(code)).copied()
    }

    /// Chance of a random move instead of the model's, in 1/2³²: one in eight for white, so that a
    /// child can beat it.
    pub const fn slips(self) -> u32 {
        match self {
            Belt::White => 1 << 29,
            _ => 0,
        }
    }

    /// Search depth of a belt that looks ahead, in plies; black searches to the end of the game.
    pub(crate) fn plies(self) -> usize {
        self as usize + 1
    }
}

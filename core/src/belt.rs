//! The five levels of strength that people meet in every game.
//!
//! Where a trained model exists, a belt is its training age: the same learner, stopped earlier. Elsewhere a belt is a
//! search budget. Black is perfect wherever the game is solved.

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

    /// The name that a player reads.
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

    /// How often a trained belt plays at random instead, in 1/2³²: white does with every eighth move, so that a child
    /// finds openings in it.
    pub const fn slips(self) -> u32 {
        match self {
            Belt::White => 1 << 29,
            _ => 0,
        }
    }

    /// How many moves ahead a belt without a table looks; black looks to the end.
    pub(crate) fn plies(self) -> usize {
        self as usize + 1
    }
}

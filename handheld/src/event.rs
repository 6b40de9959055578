//! What goes into the console and what comes out of it, besides the picture.

use dojo_core::agents::belt::{Answer, Question};
use dojo_core::bank::{Bank, BankError};
use dojo_core::search::speed::Speed;

use crate::input::Press;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A button.
    Press(Press),
    /// The time: milliseconds since the start, to be told every 50 ms or so. It may wrap around.
    Tick(u32),
    /// The thinking side answers the question of this number.
    Answer {
        /// The number that the question carried.
        id: u32,
        /// The move; `None` if it was stopped.
        answer: Option<Answer>,
    },
    /// How fast the thinking side searches and plays games to their end.
    Measured {
        /// Nodes searched.
        search: Speed,
        /// Games played.
        playouts: Speed,
    },
    /// What was kept under this slot, told at the start.
    Restore(Slot, &'a [u8]),
    /// What is in the bank, told at the start and when it changes.
    Bank(Result<BankCard, BankError>),
    /// Something went wrong that the player should read once, such as the reason for a restart.
    Trouble(&'a str),
    /// All that was kept has been told: a running game goes on.
    Ready,
}

/// What the console tells about a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BankCard {
    /// How many models it holds.
    pub entries: u16,
    /// The checksum that stands for all of it.
    pub crc: u32,
}

impl From<&Bank<'_>> for BankCard {
    fn from(bank: &Bank<'_>) -> BankCard {
        BankCard { entries: bank.entries().count() as u16, crc: bank.crc() }
    }
}

/// Something that the runner is asked to do.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "a position has no other place to be, and few commands wait at a time")]
pub enum Command {
    /// Think, and answer with [`Event::Answer`] and this number.
    Think {
        /// Goes back with the answer.
        id: u32,
        /// What to think about.
        question: Question,
    },
    /// Measure how fast the thinking side is, and answer with [`Event::Measured`].
    Measure,
    /// Stop thinking: nobody waits for the answer.
    StopThinking,
    /// Keep the bytes that [`crate::Console::kept`] gives for this slot.
    Save(Slot),
    /// A tone, only sent while sound is on.
    Beep {
        /// Its pitch.
        hertz: u16,
        /// Its length.
        millis: u16,
    },
    /// The light of the display in percent; 0 is off.
    Light(u8),
    /// Whether the picture has to be moved by two columns (SH1106 sold as SSD1306).
    Shifted(bool),
}

/// What the console keeps over a restart. The numbers stand in saves and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Slot {
    /// Sound, light, and the last set-up of each game.
    Settings = 1,
    /// Games won and lost.
    Statistics = 2,
    /// The running game.
    Game = 3,
}

impl Slot {
    /// All slots.
    pub const ALL: [Slot; 3] = [Slot::Settings, Slot::Statistics, Slot::Game];

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Slot::Settings => "settings",
            Slot::Statistics => "statistics",
            Slot::Game => "game",
        }
    }
}

//! What goes into the console and what comes out of it, besides the picture.

use dojo_core::bank::kept::Kept;
use dojo_core::bank::{Bank, BankError, Entry, Meta, NAME, name_text};
use dojo_core::belt::Belt;
use dojo_core::games::pupil::{Figures, LESSONS};
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking;
use dojo_core::games::{AnyRules, GameId};
use dojo_core::players::belts::{Answer, Thought};
use serde::{Deserialize, Serialize};

use crate::input::Press;
use crate::store::Shift;

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event<'a> {
    /// A button.
    Press(Press),
    /// The time: milliseconds since the start, to be told every 50 ms or so. It may wrap around.
    Tick(u32),
    /// From now on all chance comes from this number: for the moment of the first press, which nobody can repeat.
    Seed(u64),
    /// The thinking side answers the question of this number.
    Answer {
        /// The number that the question carried.
        id: u32,
        /// The move; `None` if it was stopped.
        answer: Option<Answer>,
    },
    /// What the thinking side thinks of the moves of the question of this number; it may be told again and again while
    /// it looks further.
    Mind {
        /// The number that the question carried.
        id: u32,
        /// A value for each move; none where it does not think in numbers. [`crate::wire`] writes them behind the event.
        #[serde(skip)]
        thoughts: &'a [Thought],
        /// Whether this is its last word.
        done: bool,
    },
    /// How far a pupil is that learns by [`Order::Begin`].
    Learned {
        /// The number that the order carried.
        id: u32,
        /// Its figures.
        figures: Figures,
        /// Whether it has played all the games that were planned.
        done: bool,
    },
    /// The brains that are kept, told at the start and after [`Order::Keep`] and [`Order::Discard`].
    Brains(Brains),
    /// How fast the thinking side searches and plays games to their end.
    Measured {
        /// Nodes searched.
        search: Speed,
        /// Random games played to their end.
        playouts: Speed,
    },
    /// What was kept under this slot, told at the start.
    Restore(Slot, &'a [u8]),
    /// What is known about the model that [`Command::Look`] asked for; `None` if there is none.
    Card(Option<BrainCard>),
    /// What is in the bank, told at the start and when it changes.
    Bank(Result<BankCard, BankError>),
    /// Something went wrong that the player should read once, such as the reason for a restart.
    Trouble(&'a str),
    /// What the runner can do, told at the start; until then nothing.
    Abilities(Abilities),
    /// What came of [`Command::TestFlash`].
    FlashTested(FlashTest),
    /// How full the battery is; told at the start and then now and again, where there is a gauge.
    Battery(Battery),
    /// All that was kept has been told: a running game goes on.
    Ready,
}

impl Event<'_> {
    /// The name of its kind, for logs.
    pub const fn name(&self) -> &'static str {
        match self {
            Event::Press(_) => "Press",
            Event::Tick(_) => "Tick",
            Event::Seed(_) => "Seed",
            Event::Answer { .. } => "Answer",
            Event::Mind { .. } => "Mind",
            Event::Learned { .. } => "Learned",
            Event::Brains(_) => "Brains",
            Event::Measured { .. } => "Measured",
            Event::Restore(..) => "Restore",
            Event::Card(_) => "Card",
            Event::Bank(_) => "Bank",
            Event::Trouble(_) => "Trouble",
            Event::Abilities(_) => "Abilities",
            Event::FlashTested(_) => "FlashTested",
            Event::Battery(_) => "Battery",
            Event::Ready => "Ready",
        }
    }
}

/// A lithium battery, as the gauge of a board has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battery {
    /// Its voltage.
    pub millivolts: u16,
    /// Whether a charger is connected and at work.
    pub charging: bool,
}

impl Battery {
    /// How full it is. A rough estimate from its voltage alone: a load lowers it, a charger raises it.
    pub fn percent(self) -> u8 {
        let above = CHARGE.partition_point(|&(millivolts, _)| millivolts <= self.millivolts);
        match (CHARGE[..above].last(), CHARGE.get(above)) {
            (Some(&(low, from)), Some(&(high, to))) => {
                let share = u32::from(to - from) * u32::from(self.millivolts - low);
                from + (share / u32::from(high - low)) as u8
            }
            (Some(_), None) => 100,
            (None, _) => 0,
        }
    }
}

/// Millivolts of a lithium-polymer cell at rest, and percent of its charge: between two points the line is straight.
const CHARGE: [(u16, u8); 9] = [
    (3300, 0),
    (3600, 5),
    (3700, 12),
    (3750, 25),
    (3800, 40),
    (3850, 55),
    (3950, 70),
    (4050, 85),
    (4200, 100),
];

/// What a runner can do beyond playing. All of it is optional: a terminal can do nothing of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// [`Command::Beep`] is heard.
    pub sound: bool,
    /// [`Command::TestFlash`] and [`Command::FactoryReset`].
    pub flash: bool,
    /// [`Command::BootLoader`].
    pub boot_loader: bool,
}

/// How the flash was read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashTest {
    /// The bank.
    pub bank: BankTest,
    /// Whether an item of the save store was written and read back.
    pub saves: bool,
}

/// How the bank was read back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankTest {
    /// There is none, or [`Event::Bank`] has told why it is refused.
    Refused,
    /// The checksums of all its models, this many, are right.
    Whole(u16),
    /// The first entry whose checksum is wrong.
    Damaged(u16),
}

/// What the console tells about a bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankCard {
    /// How many models it holds.
    pub entries: u16,
    /// The checksum that stands for all of it.
    pub crc: u32,
}

impl From<&Bank<'_>> for BankCard {
    fn from(bank: &Bank<'_>) -> BankCard {
        BankCard {
            entries: bank.entries().count() as u16,
            crc: bank.crc(),
        }
    }
}

/// What the console tells about a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrainCard {
    /// Its name, filled with zeros.
    pub name: [u8; NAME],
    /// The seed that makes it again.
    pub seed: u64,
    /// Games it has trained.
    pub games: u64,
    /// Checksum of its values.
    pub crc: u32,
    /// Day it was made, as yyyymmdd; 0 if nobody knows.
    pub date: u32,
    /// Certified score against a random player, in thousandths.
    pub strength: u16,
}

impl BrainCard {
    /// Its name without the filling.
    pub fn name(&self) -> &str {
        name_text(&self.name)
    }

    /// The card of the model that plays for a belt.
    pub fn find(rules: AnyRules, belt: Belt, bank: &Bank<'_>) -> Option<BrainCard> {
        thinking::entry(rules, belt, bank).map(|entry| BrainCard::from(&entry))
    }
}

impl From<&Entry<'_>> for BrainCard {
    fn from(entry: &Entry<'_>) -> BrainCard {
        let Meta {
            name,
            seed,
            games,
            date,
            strength,
            ..
        } = entry.meta;
        BrainCard {
            name,
            seed,
            games,
            crc: entry.crc,
            date,
            strength,
        }
    }
}

/// Something that the runner is asked to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Think about what [`crate::Console::question`] asks under this number, and answer with [`Event::Answer`],
    /// [`Event::Mind`] or both, and the number.
    Think {
        /// Goes back with the answer.
        id: u32,
        /// What is wanted.
        purpose: Purpose,
        /// Whether the brain that the player kept is asked, instead of a belt of the bank.
        pupil: bool,
    },
    /// Teach a pupil, or keep what it has learned.
    Learn(Order),
    /// Look up the model that plays for a belt under these rules, and answer with [`Event::Card`].
    Look {
        /// The rules in question.
        rules: AnyRules,
        /// Whose model.
        belt: Belt,
    },
    /// Measure how fast the thinking side is, and answer with [`Event::Measured`].
    Measure,
    /// Stop thinking: nobody waits for the answer.
    StopThinking,
    /// Keep the bytes that [`crate::Console::kept`] gives for this slot.
    Save(Slot),
    /// Read the bank back, write and read back an item of the save store without touching the others, and answer with
    /// [`Event::FlashTested`].
    TestFlash,
    /// Leave the program for the boot loader.
    BootLoader,
    /// Erase everything that was kept and start anew.
    FactoryReset,
    /// A tone, only sent while sound is on or tested.
    Beep {
        /// Its pitch.
        hertz: u16,
        /// Its length.
        millis: u16,
    },
    /// The light of the display in percent; 0 is off.
    Light(u8),
    /// Nobody has been there for as long as the settings say: switch off until a button is pressed, whose press then
    /// follows. A runner that cannot does nothing: the display is dark already, and the next press wakes it.
    PowerOff,
    /// Whether an OLED's picture has to be moved by two columns.
    Shift(Shift),
}

/// What the thinking side is told about learning. It has one pupil at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// A new pupil learns from nothing, and tells how far it is with [`Event::Learned`].
    Begin {
        /// Goes back with the figures.
        id: u32,
        /// What to learn.
        game: GameId,
        /// All chance comes from this number.
        seed: u64,
    },
    /// It stops, and remembers.
    Stop,
    /// It goes on.
    GoOn,
    /// It stops, what it knows is kept over restarts in the place of the last brain for its game, and
    /// [`Event::Brains`] follows.
    Keep,
    /// The last keeping is taken back, and [`Event::Brains`] follows.
    Discard,
    /// Nobody needs the pupil any more.
    End,
}

/// The brains that the player has kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Brains {
    /// One for each of [`LESSONS`].
    pub cards: [Option<BrainCard>; LESSONS.len()],
    /// The game whose brain was kept last.
    pub last: Option<GameId>,
}

impl Brains {
    /// The brain for a game.
    pub fn card(&self, game: GameId) -> Option<BrainCard> {
        LESSONS
            .iter()
            .zip(self.cards)
            .find(|(lesson, _)| **lesson == game)
            .and_then(|(_, card)| card)
    }
}

impl From<Option<&Kept<'_>>> for Brains {
    fn from(kept: Option<&Kept<'_>>) -> Brains {
        let entry = |game| kept?.bank.entries().find(|entry| entry.meta.game == game);
        Brains {
            cards: LESSONS.map(|game| entry(game).map(|entry| BrainCard::from(&entry))),
            last: kept.map(|kept| kept.last),
        }
    }
}

/// What a question is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// A move.
    Move,
    /// The values of all moves or, in the scoring phase, of all pieces.
    Mind,
    /// The values of all moves, then the move.
    Both,
}

impl Purpose {
    /// Whether a move is wanted.
    pub const fn wants_move(self) -> bool {
        matches!(self, Purpose::Move | Purpose::Both)
    }

    /// Whether the values of all moves are wanted.
    pub const fn wants_mind(self) -> bool {
        matches!(self, Purpose::Mind | Purpose::Both)
    }
}

/// What the console keeps over a restart. The numbers stand in saves and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

//! Events, which go into the console, and commands, which come out of it.

use dojo_core::bank::kept::Kept;
use dojo_core::bank::{Bank, BankError, Entry, Meta, NAME, name_text};
use dojo_core::belt::Belt;
use dojo_core::games::pupil::{Figures, LESSONS};
use dojo_core::games::speed::Speed;
use dojo_core::games::thinking;
use dojo_core::games::{AnyRules, GameId};
use dojo_core::players::belts::{Answer, Thought};
use serde::{Deserialize, Serialize};

use crate::apprentice::PARTS;
use crate::exercise::{ExerciseKind, Games};
use crate::input::Press;
use crate::sound::Note;
use crate::store::Shift;
use crate::touch::Target;

/// An input of the console.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event<'a> {
    /// A button.
    Press(Press),
    /// The time: milliseconds since the start, to be told every 50 ms or so. It may wrap around.
    Tick(u32),
    /// A new seed of the random generator: the runner takes it from the moment of the first press.
    Seed(u64),
    /// The thinking side answers the question of this number.
    Answer {
        /// The number that the question carried.
        id: u32,
        /// The move; `None` if it was stopped.
        answer: Option<Answer>,
    },
    /// The values of the moves in the question of this number.
    Mind {
        /// The number that the question carried.
        id: u32,
        /// A value for each move; none where it does not think in numbers. [`crate::wire`] writes
        /// them behind the event.
        #[serde(skip)]
        thoughts: &'a [Thought],
        /// Whether these values are final: nothing else was asked for.
        done: bool,
    },
    /// Progress of the thinking side with the question of this number.
    Progress {
        /// The number that the question carried.
        id: u32,
        /// The share of its budget that is used up, in thousandths.
        share: u16,
        /// The values of the moves so far, if it has any; as in [`Event::Mind`].
        #[serde(skip)]
        thoughts: &'a [Thought],
    },
    /// Progress of the pupil that [`Order::Begin`] began with.
    Learned {
        /// The number that the order carried.
        id: u32,
        /// Its figures.
        figures: Figures,
        /// Whether it has played all the games that were planned.
        done: bool,
    },
    /// The brains that are kept, told at the start and after [`Order::Keep`] and
    /// [`Order::Discard`].
    Brains(Brains),
    /// Measured speed of the thinking side.
    Measured {
        /// Nodes searched.
        search: Speed,
        /// Random games played to their end.
        playouts: Speed,
    },
    /// The stored bytes of a slot: told at the start for each of [`Slot::at_start`] that has any, and in reply to [`Command::Load`], then also if there are none.
    Restore(Slot, &'a [u8]),
    /// The card that [`Command::FindCard`] asked for; `None` if there is no such model.
    Card(Option<BrainCard>),
    /// The exercise that [`Command::FindExercise`] asked for.
    Exercise {
        /// How many exercises of this kind the game has; 0 if the bank has none.
        count: u16,
        /// The bytes of its record ([`dojo_core::bank::exercises::Exercise`]); empty if there is
        /// no such number.
        record: &'a [u8],
    },
    /// The bank, or why it is refused; told at the start and when it changes.
    Bank(Result<BankCard, BankError>),
    /// Something went wrong that the player should read once, such as the reason for a restart.
    Trouble(&'a str),
    /// The runner's abilities, told at the start; until then none.
    Abilities(Abilities),
    /// The result of [`Command::TestFlash`].
    FlashTested(FlashTest),
    /// State of the battery, on boards with a gauge: told at the start and after changes.
    Battery(Battery),
    /// The start is complete, all slots are restored: a running game goes on.
    Ready,
    /// A finger is on this thing ([`crate::Console::find`]): the cursor of a board goes there.
    Point(Target),
    /// A finger was lifted from this thing, or it was clicked: the cursor goes there and confirms.
    Tap(Target),
    /// A game to look at, as the bytes of [`Slot::Game`]: it opens in review. It is a guest: the
    /// running game of its kind stays stored as it is.
    Show(&'a [u8]),
}

impl<'a> Event<'a> {
    /// The answer to [`Command::FindExercise`].
    pub fn exercise(
        game: GameId,
        kind: ExerciseKind,
        number: u16,
        bank: Option<&Bank<'a>>,
    ) -> Event<'a> {
        let exercises = bank.and_then(|bank| kind.find(game, bank));
        let found = exercises.and_then(|exercises| exercises.get(number.into()));
        Event::Exercise {
            count: exercises.map_or(0, |exercises| exercises.len() as u16),
            record: found.map_or(&[], |exercise| exercise.bytes()),
        }
    }
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
            Event::Progress { .. } => "Progress",
            Event::Learned { .. } => "Learned",
            Event::Brains(_) => "Brains",
            Event::Measured { .. } => "Measured",
            Event::Restore(..) => "Restore",
            Event::Card(_) => "Card",
            Event::Exercise { .. } => "Exercise",
            Event::Bank(_) => "Bank",
            Event::Trouble(_) => "Trouble",
            Event::Abilities(_) => "Abilities",
            Event::FlashTested(_) => "FlashTested",
            Event::Battery(_) => "Battery",
            Event::Ready => "Ready",
            Event::Point(_) => "Point",
            Event::Tap(_) => "Tap",
            Event::Show(_) => "Show",
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
    /// How full it is. A rough estimate from its voltage alone: a load lowers it, a charger raises
    /// it.
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

/// Millivolts of a lithium-polymer cell at rest, and percent of its charge: between two points the
/// line is straight.
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

/// Optional abilities of a runner. A terminal has none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Abilities {
    /// [`Command::Play`] is heard.
    pub sound: bool,
    /// It tells the time every [`crate::Console::step`] milliseconds and shows what has changed: then
    /// screens slide and pieces move, unless the settings say otherwise.
    pub motion: bool,
    /// [`Command::TestFlash`] and [`Command::FactoryReset`].
    pub flash: bool,
    /// [`Command::BootLoader`].
    pub boot_loader: bool,
}

/// Result of the flash test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlashTest {
    /// The bank.
    pub bank: BankTest,
    /// Whether an item of the save store was written and read back.
    pub saves: bool,
}

/// Result of the bank's part of the flash test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankTest {
    /// There is no bank to test: [`Event::Bank`] has told why it is refused.
    Refused,
    /// The checksums of all its models are right; their number.
    Whole(u16),
    /// The first entry whose checksum is wrong.
    Damaged(u16),
}

/// A bank in short, for the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankCard {
    /// How many models it holds.
    pub entries: u16,
    /// Checksum of header and table, which covers the checksums of all payloads.
    pub crc: u32,
    /// The games that it has puzzles of.
    pub puzzles: Games,
    /// The games that it has lessons of.
    pub lessons: Games,
}

impl From<&Bank<'_>> for BankCard {
    fn from(bank: &Bank<'_>) -> BankCard {
        BankCard {
            entries: bank.entries().count() as u16,
            crc: bank.crc(),
            puzzles: Games::with(ExerciseKind::Puzzle, bank),
            lessons: Games::with(ExerciseKind::Lesson, bank),
        }
    }
}

/// A model in short, for the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrainCard {
    /// Its name, padded with zeros.
    pub name: [u8; NAME],
    /// The seed that makes it again.
    pub seed: u64,
    /// Games it has trained.
    pub games: u64,
    /// Checksum of its values.
    pub crc: u32,
    /// Day it was made, as yyyymmdd; 0 if unknown.
    pub date: u32,
    /// Certified score against a random player, in thousandths.
    pub strength: u16,
}

impl BrainCard {
    /// Its name without the padding.
    pub fn name(&self) -> &str {
        name_text(&self.name)
    }

    /// The card with its strength in range: the thinking side is not trusted.
    pub(crate) fn checked(self) -> BrainCard {
        BrainCard {
            strength: self.strength.min(1000),
            ..self
        }
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

/// An output of the console: work for the runner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Serve the question that [`crate::Console::question`] has under this number, and reply with
    /// [`Event::Answer`], [`Event::Mind`] or both.
    Think {
        /// Goes back with the answer.
        id: u32,
        /// What is wanted.
        purpose: Purpose,
        /// Whether the brain that the player kept is asked, instead of a belt of the bank.
        pupil: bool,
    },
    /// Train a pupil, or keep its brain.
    Learn(Order),
    /// Look up the model that plays for a belt under these rules, and answer with [`Event::Card`].
    FindCard {
        /// The rules in question.
        rules: AnyRules,
        /// Whose model.
        belt: Belt,
    },
    /// Look up an exercise, and answer with [`Event::exercise`].
    FindExercise {
        /// Its game.
        game: GameId,
        /// Puzzle or lesson.
        kind: ExerciseKind,
        /// Its number, from 0.
        number: u16,
    },
    /// Measure how fast the thinking side is, and answer with [`Event::Measured`].
    Measure,
    /// Stop thinking: nobody waits for the answer.
    StopThinking,
    /// Keep the bytes that [`crate::Console::kept`] gives for this slot. Where that fails the
    /// player is told, and play goes on.
    Save(Slot),
    /// Read this slot and tell its bytes with [`Event::Restore`]: a game of another kind is
    /// continued.
    Load(Slot),
    /// Read the bank back, write and read back an item of the save store without touching the
    /// others, and answer with [`Event::FlashTested`].
    TestFlash,
    /// Leave the program for the boot loader.
    BootLoader,
    /// Erase everything that was kept and start anew.
    FactoryReset,
    /// Notes, only sent while sound is on or tested; those before them end.
    Play {
        /// One after the other.
        notes: &'static [Note],
        /// From 1 to [`crate::VOLUMES`].
        volume: u8,
    },
    /// The light of the display in percent; 0 is off.
    Light(u8),
    /// Switch off until a button is pressed; its press follows. Sent after the idle time of the
    /// settings. A runner that cannot switch off ignores it: the display is dark already, and the
    /// next press wakes it.
    PowerOff,
    /// Whether an OLED's picture has to be moved by two columns.
    Shift(Shift),
}

/// An order to the training side, which has one pupil at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Train a new pupil from nothing, and report its progress with [`Event::Learned`].
    Begin {
        /// Goes back with the figures.
        id: u32,
        /// What to learn.
        game: GameId,
        /// Seed of the pupil's random generator.
        seed: u64,
    },
    /// Stop; the pupil keeps its knowledge.
    Stop,
    /// Resume after a stop.
    GoOn,
    /// Train at this tempo from now on; a new pupil begins with [`Tempo::FULL`].
    Tempo(Tempo),
    /// Stop, and store the pupil's brain in the place of the last one for its game;
    /// [`Event::Brains`] follows.
    Keep,
    /// Undo the last [`Order::Keep`]; [`Event::Brains`] follows.
    Discard,
    /// Drop the pupil.
    End,
}

/// How fast a pupil trains, so that it can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tempo(u8);

impl Tempo {
    /// As fast as possible.
    pub const FULL: Tempo = Tempo(Self::GAMES.len() as u8);
    /// Milliseconds between two turns of a slower tempo.
    pub const MILLIS: u32 = 50;
    /// Games in a turn of each slower tempo: 20, 200 and 2,000 a second.
    const GAMES: [u32; 3] = [1, 10, 100];

    /// The games in a turn; `None` at full speed.
    pub fn games(self) -> Option<u32> {
        Self::GAMES.get(usize::from(self.0)).copied()
    }

    /// The next faster or slower tempo, if there is one.
    pub(crate) fn step(self, faster: bool) -> Tempo {
        match faster {
            true => Tempo((self.0 + 1).min(Self::FULL.0)),
            false => Tempo(self.0.saturating_sub(1)),
        }
    }
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
    /// The brains with every card in its range; the last one is one of them.
    pub(crate) fn checked(self) -> Brains {
        let brains = Brains {
            cards: self.cards.map(|card| card.map(BrainCard::checked)),
            last: self.last,
        };
        let last = brains.last.filter(|&game| brains.card(game).is_some());
        Brains { last, ..brains }
    }

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

/// A value that is stored over restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Slot {
    /// Sound, light, and the last set-up of each game.
    Settings,
    /// Games won and lost.
    Statistics,
    /// The running game of a kind.
    Game(GameId),
    /// The stars of the puzzles.
    Puzzles,
    /// The rivalries of the person and the apprentice.
    Rivalry,
    /// The only running game of earlier versions: it is moved to the slot of its kind.
    OldGame,
    /// The game that was finished last, for review.
    Finished,
    /// A part of the apprentice's tables.
    Part(u8),
}

/// Slots that are told at the start.
const AT_START: usize = 5 + GameId::ALL.len();

impl Slot {
    /// All slots, first those that are told at the start, in their order.
    pub const ALL: [Slot; AT_START + 1 + PARTS] = {
        let mut all = [Slot::OldGame; AT_START + 1 + PARTS];
        all[AT_START] = Slot::Finished;
        (all[0], all[1], all[2]) = (Slot::Settings, Slot::Statistics, Slot::Puzzles);
        all[3] = Slot::Rivalry;
        let mut game = 0;
        while game < GameId::ALL.len() {
            all[4 + game] = Slot::Game(GameId::ALL[game]);
            game += 1;
        }
        let mut part = 0;
        while part < PARTS {
            all[AT_START + 1 + part] = Slot::Part(part as u8);
            part += 1;
        }
        all
    };

    /// The slots that are told at the start, in their order; the others only on demand.
    pub fn at_start() -> impl Iterator<Item = Slot> {
        Slot::ALL.into_iter().take(AT_START)
    }

    /// Its number in saves, which never changes.
    pub const fn key(self) -> u8 {
        match self {
            Slot::Settings => 1,
            Slot::Statistics => 2,
            Slot::OldGame => 3,
            Slot::Puzzles => 4,
            Slot::Rivalry => 5,
            Slot::Finished => 6,
            Slot::Game(id) => 16 + id as u8,
            Slot::Part(number) => 64 + number,
        }
    }

    /// Its place in [`Slot::ALL`].
    pub fn index(self) -> usize {
        let found = Slot::ALL.iter().position(|&slot| slot == self);
        // Every slot is among all slots.
        found.unwrap_or(0)
    }

    /// The slot of this number in saves.
    pub fn from_key(key: u8) -> Option<Slot> {
        Slot::ALL.into_iter().find(|slot| slot.key() == key)
    }

    /// The name used in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Slot::Settings => "settings",
            Slot::Statistics => "statistics",
            Slot::Game(_) | Slot::OldGame | Slot::Finished => "game",
            Slot::Puzzles => "puzzles",
            Slot::Rivalry | Slot::Part(_) => "apprentice",
        }
    }
}

//! The PC side of each game: training, certificates, experiments, and players too large for the
//! device.

use dojo_core::bank::Meta;
use dojo_core::bank::exercises::Goal;
use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::record::{self, Recorded};
use dojo_core::rng::Rng;

use crate::bank::manifest::ModelKind;
use crate::certify::CertifiedModel;
use crate::experiment::Experiment;
use crate::players::{ArenaGame, Spec};
use crate::puzzles::{Search, search};
use crate::search_lab::SearchLabGame;
use crate::train::{Preset, trained_games};

pub mod connect4;
pub mod dots;
pub mod go;
pub mod iwoki;
pub mod sticks;
pub mod tictactoe;

/// Matches that measure the belts of a game and check their order.
pub struct BeltMatches {
    /// Games in each cell of the manual's table.
    pub table: u32,
    /// Whether every test run measures the table again.
    pub every_run: bool,
    /// Games and seeds of the matches between neighbouring belts, which the higher belt must
    /// clearly win.
    pub order: (u32, u64),
    /// Belts, from white on, whose order every test run checks; the others belong to the long
    /// tests.
    pub always: usize,
    /// The rule-based player in the last column of the table.
    pub rival: Option<(&'static str, Spec)>,
}

impl BeltMatches {
    /// For games that take milliseconds.
    pub const QUICK: BeltMatches = BeltMatches {
        table: 1000,
        every_run: true,
        order: (1000, 3),
        always: Belt::ALL.len(),
        rival: None,
    };
}

/// Answers of black that are timed on the device.
pub struct DeviceCase<G: Game> {
    /// Game and board, in words.
    pub name: &'static str,
    /// Its rules.
    pub rules: G::Rules,
    /// Random moves before the question, for each question.
    pub plies: &'static [usize],
    /// Milliseconds that an answer may take.
    pub most_ms: f64,
}

/// A game in the lab. Every game of the list has to be one.
pub trait LabGame: ArenaGame + SearchLabGame + Recorded
where
    Self::Rules: Send + Sync,
{
    /// Published tables and curves that are reproduced.
    const EXPERIMENTS: &'static [Experiment] = &[];
    /// Ways to train it with `dojo train`; the first one is `shipped`. Empty if nothing learns.
    const PRESETS: &'static [Preset] = &[];
    /// Why `dojo solve` cannot visit every position of the game; `None` if it can.
    const TOO_LARGE: Option<&'static str>;
    /// How its belts are measured.
    const BELTS: BeltMatches = BeltMatches::QUICK;

    /// Rounds trained values to what a bank stores and certifies them, or says why they must not be
    /// shipped.
    fn certify(_: ModelKind, _: &[f64], _: Option<Belt>) -> Result<CertifiedModel, String> {
        Err(format!("only {} have models", trained_games()))
    }

    /// Whether a table for the black belt gives no win away, and else the first position in which
    /// it does; `None` if the model promises nothing of the kind.
    fn lost_win(_: &Meta, _: &[u8]) -> Option<Result<(), String>> {
        None
    }

    /// Of this many moves in the games that puzzles are taken from, one is random.
    const PUZZLE_SENSE: u32 = 2;
    /// Moves of these games.
    const PUZZLE_PLIES: usize = Self::MAX_PLIES;
    /// The player of the other moves.
    const PUZZLE_PLAYER: Spec = Spec::Belt(Belt::Yellow);
    /// Candidates for each puzzle that is asked for, so that all grades are found.
    const PUZZLE_CANDIDATES: usize = 4;

    /// Rules of a game that puzzles are taken from; `None` if there are no puzzles.
    fn puzzle_rules(_: &mut Rng) -> Option<Self::Rules> {
        Some(Default::default())
    }

    /// Whether this position is a puzzle.
    fn search_puzzle(&self) -> Search<Self::Move> {
        search(self)
    }

    /// Proves that a move leads to the most points, and by how much, apart from the search that
    /// found it.
    fn check_points(&self, _: (Self::Move, i16, i16)) -> Result<(), String> {
        Err(format!("{} has no points", Self::NAME))
    }

    /// Proves that a single move takes or saves the block on a place, apart from the search that
    /// found it.
    fn check_block(&self, _: Goal, _: Self::Move, _: Self::Move) -> Result<(), String> {
        Err(format!("{} has no blocks", Self::NAME))
    }

    /// The result for the player to move by the theory of the game, apart from any search; `None`
    /// where there is no theory.
    fn second_opinion(&self) -> Option<i8> {
        None
    }

    /// Why the device would refuse a payload whose checksum is right; `None` if it would not.
    fn refusal(_: &Meta, _: &[u8]) -> Option<String> {
        None
    }

    /// The answers that are timed on the device.
    fn device_cases() -> Vec<DeviceCase<Self>>;

    /// Whether a random move leaves the game undecided: such moves are preferred before a question
    /// is asked.
    fn is_quiet(&self, _: Self::Move) -> bool {
        true
    }

    /// Replays a record: the last position and the number of moves, or the line and what is wrong
    /// there.
    fn replay(text: &str) -> Result<(Self, usize), (usize, String)> {
        record::replay::<Self>(text, |_, _| {})
            .map(|replayed| (replayed.end, replayed.moves))
            .map_err(|error| (error.line, error.fault.to_string()))
    }
}

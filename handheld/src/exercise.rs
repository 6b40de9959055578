//! An exercise as the screen shows it: a puzzle, or a step of a lesson.
//!
//! The bank is outside of the console: [`crate::Command::FindExercise`] asks for a record and
//! [`crate::Event::Exercise`] brings it. The console keeps the bytes and plays the position again
//! whenever it is needed.

use dojo_core::bank::Bank;
use dojo_core::bank::exercises::{Exercise, Exercises, KEYS, MAX_RECORD};
use dojo_core::bank::{Entry, Kind};
use dojo_core::game::Player;
use dojo_core::games::{AnyGame, AnyRules, GameId};
use heapless::Vec;
use serde::{Deserialize, Serialize};

use crate::boards::AnyBoard;
use crate::input::Button;

/// The two kinds of exercises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ExerciseKind {
    /// A position with a single best move.
    Puzzle,
    /// A step of a lesson.
    Lesson,
}

impl ExerciseKind {
    const fn kind(self) -> Kind {
        match self {
            ExerciseKind::Puzzle => Kind::Puzzles,
            ExerciseKind::Lesson => Kind::Lesson,
        }
    }

    /// The exercises of a game in a bank; `None` if it has none, or damaged ones.
    pub fn find<'a>(self, game: GameId, bank: &Bank<'a>) -> Option<Exercises<'a>> {
        let is_wanted =
            |entry: &Entry<'_>| entry.meta.game == game && entry.meta.kind == self.kind();
        let entry = bank.entries().find(is_wanted)?;
        Exercises::new(entry.payload().ok()?).ok()
    }
}

/// Games, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Games(u8);

// All bits fit.
const _: () = assert!(GameId::ALL.len() <= 8);

impl Games {
    /// The games that have such entries in a bank.
    pub fn with(kind: ExerciseKind, bank: &Bank<'_>) -> Games {
        let entries = bank.entries();
        let found = entries.filter(|entry| entry.meta.kind == kind.kind());
        found.fold(Games::default(), |games, entry| {
            Games(games.0 | Games::bit(entry.meta.game))
        })
    }

    fn bit(game: GameId) -> u8 {
        1 << place(game)
    }

    /// Whether it is one of them.
    pub fn contains(self, game: GameId) -> bool {
        self.0 & Games::bit(game) != 0
    }

    /// All of them.
    pub fn iter(self) -> impl Iterator<Item = GameId> {
        let all = GameId::ALL.into_iter();
        all.filter(move |&game| self.contains(game))
    }
}

/// The place of a game in the list.
fn place(game: GameId) -> usize {
    let place = GameId::ALL.iter().position(|&known| known == game);
    place.unwrap_or(0)
}

/// Most puzzles of a game whose stars are kept.
pub const PUZZLES: usize = 64;
/// Stars for a puzzle that is solved at once and without a hint.
pub const STARS: u8 = 3;
/// Puzzles whose stars share a byte.
const PER_BYTE: usize = 4;

/// The stars of all puzzles: two bits each, 0 for a puzzle that is not solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PuzzleStars([[u8; PUZZLES / PER_BYTE]; GameId::ALL.len()]);

impl Default for PuzzleStars {
    fn default() -> PuzzleStars {
        PuzzleStars([[0; PUZZLES / PER_BYTE]; GameId::ALL.len()])
    }
}

impl PuzzleStars {
    /// Bytes in storage: a version, then the stars of each game.
    pub(crate) const BYTES: usize = 1 + GameId::ALL.len() * PUZZLES / PER_BYTE;
    const VERSION: u8 = 1;

    /// The stars of a puzzle.
    pub fn get(&self, game: GameId, number: u16) -> u8 {
        let number = usize::from(number);
        let byte = self.0[place(game)].get(number / PER_BYTE);
        byte.map_or(0, |byte| byte >> (number % PER_BYTE * 2) & 3)
    }

    /// Raises the stars of a puzzle. Returns whether they were fewer.
    pub(crate) fn raise(&mut self, game: GameId, number: u16, stars: u8) -> bool {
        if self.get(game, number) >= stars.min(STARS) {
            return false;
        }
        let number = usize::from(number);
        let shift = number % PER_BYTE * 2;
        let Some(byte) = self.0[place(game)].get_mut(number / PER_BYTE) else {
            return false;
        };
        *byte = *byte & !(3 << shift) | stars.min(STARS) << shift;
        true
    }

    /// How many puzzles of a game are solved.
    pub fn solved(&self, game: GameId) -> u16 {
        let solved = (0..PUZZLES as u16).filter(|&number| self.get(game, number) > 0);
        solved.count() as u16
    }

    /// The bytes for storage.
    pub(crate) fn encode<'b>(&self, buffer: &'b mut [u8]) -> Option<&'b [u8]> {
        let bytes = buffer.get_mut(..Self::BYTES)?;
        let (version, rest) = bytes.split_first_mut()?;
        *version = Self::VERSION;
        for (place, byte) in rest.iter_mut().zip(self.0.as_flattened()) {
            *place = *byte;
        }
        Some(bytes)
    }

    /// Reads what [`PuzzleStars::encode`] has written. Games that were added since have no stars.
    pub(crate) fn decode(bytes: &[u8]) -> Option<PuzzleStars> {
        let (&version, rest) = bytes.split_first()?;
        let whole = rest.len() < Self::BYTES && rest.len() % (PUZZLES / PER_BYTE) == 0;
        let mut stars = PuzzleStars::default();
        for (byte, found) in stars.0.as_flattened_mut().iter_mut().zip(rest) {
            *byte = *found;
        }
        (version == Self::VERSION && whole).then_some(stars)
    }
}

/// Where a person is in an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The record was asked for.
    Asked,
    /// There is no such exercise, or it is damaged.
    Missing,
    /// The task is to be read.
    Task,
    /// A move is expected.
    Move,
    /// A move or key was answered.
    Answered {
        /// Whether it was right.
        is_right: bool,
        /// The move or key.
        number: u16,
    },
}

/// The exercise on the screen.
pub(crate) struct ExerciseState {
    pub(crate) game: GameId,
    pub(crate) kind: ExerciseKind,
    /// Its number, from 0.
    pub(crate) number: u16,
    /// How many there are.
    pub(crate) count: u16,
    pub(crate) phase: Phase,
    /// What is lost of the stars: hints and wrong moves.
    lost: u8,
    /// The move that a hint shows.
    pub(crate) hint: Option<u16>,
    record: Vec<u8, MAX_RECORD>,
    board: Option<AnyBoard>,
}

impl ExerciseState {
    pub(crate) fn new(game: GameId, kind: ExerciseKind, number: u16) -> ExerciseState {
        ExerciseState {
            game,
            kind,
            number,
            count: 0,
            phase: Phase::Asked,
            lost: 0,
            hint: None,
            record: Vec::new(),
            board: None,
        }
    }

    /// Takes in the record; refused if it is damaged or its position cannot be reached.
    pub(crate) fn take_in(&mut self, count: u16, record: &[u8]) {
        self.count = count;
        self.record.clear();
        let fits = self.record.extend_from_slice(record).is_ok();
        let position = self
            .exercise()
            .and_then(|exercise| position(self.game, exercise));
        self.phase = match position.filter(|game| fits && game.outcome().is_none()) {
            None => Phase::Missing,
            Some(game) => {
                self.board = Some(AnyBoard::new(&game));
                match self.kind {
                    ExerciseKind::Puzzle => Phase::Move,
                    ExerciseKind::Lesson => Phase::Task,
                }
            }
        };
    }

    pub(crate) fn exercise(&self) -> Option<Exercise<'_>> {
        Exercise::new(&self.record).ok()
    }

    /// The position of the task.
    pub(crate) fn position(&self) -> Option<AnyGame> {
        position(self.game, self.exercise()?)
    }

    pub(crate) fn board(&self) -> Option<&AnyBoard> {
        self.board.as_ref()
    }

    pub(crate) fn board_mut(&mut self) -> Option<&mut AnyBoard> {
        self.board.as_mut()
    }

    /// The position on the screen, and the last move in it: after an answer those of the move and of
    /// the reply.
    pub(crate) fn shown(&self) -> Option<(AnyGame, Option<u16>)> {
        let exercise = self.exercise()?;
        let mut game = self.position()?;
        let mut last = exercise.moves().last();
        if let Phase::Answered { number, .. } = self.phase
            && number < KEYS
        {
            let reply = exercise.answer(number).and_then(|(_, reply)| reply);
            for mv in [Some(number), reply].into_iter().flatten() {
                if game.play(mv).is_ok() {
                    last = Some(mv);
                }
            }
        }
        Some((game, last))
    }

    /// Judges a move. Returns whether it is right; `None` if it is not expected now.
    pub(crate) fn answer(&mut self, number: u16) -> Option<bool> {
        if self.phase != Phase::Move {
            return None;
        }
        let (case, reply) = self.exercise()?.answer(number)?;
        let is_right = case.is_right;
        // The reply to a key is the move that it shows.
        let shown = reply.filter(|_| number >= KEYS);
        self.phase = Phase::Answered { is_right, number };
        self.hint = shown;
        if !is_right {
            self.lost = self.lost.saturating_add(1);
        }
        Some(is_right)
    }

    /// Judges a button, if the task is about it.
    pub(crate) fn answer_key(&mut self, button: Button) -> Option<bool> {
        self.answer(KEYS + button as u16)
    }

    /// The same for a button that is held: pressing it has led back to the task before.
    pub(crate) fn answer_held(&mut self, button: Button) -> Option<bool> {
        let asks = |number| self.exercise()?.answer(number).map(|_| ());
        if self.phase == Phase::Task && asks(KEYS + button as u16).is_some() {
            self.retry();
        }
        self.answer_key(button)
    }

    /// Shows the solution. Returns whether there is one.
    pub(crate) fn show_hint(&mut self) -> bool {
        let solution = self.exercise().and_then(|exercise| exercise.solution());
        if self.phase != Phase::Move || solution.is_none() {
            return false;
        }
        if self.hint.is_none() {
            self.lost = self.lost.saturating_add(1);
        }
        self.hint = solution;
        let position = self.position();
        if let (Some(board), Some(game)) = (&mut self.board, position) {
            board.point_to(&game, solution);
        }
        true
    }

    /// Back to the task, for another try.
    pub(crate) fn retry(&mut self) {
        self.phase = Phase::Move;
        self.hint = None;
        self.board = self.position().map(|game| AnyBoard::new(&game));
    }

    /// The stars that a solution is worth now.
    pub(crate) fn stars(&self) -> u8 {
        STARS.saturating_sub(self.lost).max(1)
    }

    /// Whether another exercise follows.
    pub(crate) fn has_next(&self) -> bool {
        self.number + 1 < self.count
    }

    /// Who is to move.
    pub(crate) fn mover(&self) -> Option<Player> {
        Some(self.position()?.turn())
    }
}

/// The position of an exercise; `None` if a move is not legal or the rules cannot be read.
fn position(id: GameId, exercise: Exercise<'_>) -> Option<AnyGame> {
    let mut game = AnyRules::parse(id, exercise.rules())?.start();
    for mv in exercise.moves() {
        game.play(mv).ok()?;
    }
    Some(game)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_are_kept_for_each_puzzle() {
        let mut stars = PuzzleStars::default();
        let last = PUZZLES as u16 - 1;
        for (number, count) in [(0, 3), (1, 1), (last, 2)] {
            assert!(stars.raise(GameId::Go, number, count));
            assert!(!stars.raise(GameId::Go, number, count), "never lowered");
        }
        assert!(!stars.raise(GameId::Go, 0, 1) && !stars.raise(GameId::Go, last + 1, 3));
        assert_eq!(
            [0, 1, 2, last].map(|at| stars.get(GameId::Go, at)),
            [3, 1, 0, 2]
        );
        assert_eq!(
            (stars.solved(GameId::Go), stars.solved(GameId::Dots)),
            (3, 0)
        );
        let mut buffer = [0; 128];
        let bytes = stars.encode(&mut buffer).unwrap();
        assert_eq!(PuzzleStars::decode(bytes), Some(stars));
        assert_eq!(PuzzleStars::decode(&bytes[..9]), None);
        assert_eq!(PuzzleStars::decode(&[2]), None);
        assert_eq!(PuzzleStars::decode(&[]), None);
    }
}

//! Puzzles and lessons: which one is on the screen, and what is kept of them.

use dojo_core::belt::Belt;
use dojo_core::games::GameId;

use super::AppState;
use crate::event::{Command, Slot};
use crate::exercise::{ExerciseKind, ExerciseState, Games};
use crate::sound::Cue;

impl AppState {
    /// The games that the bank has puzzles of, or lessons.
    pub(crate) fn games_with(&self, kind: ExerciseKind) -> Games {
        let card = self.bank.and_then(Result::ok);
        card.map_or(Games::default(), |card| match kind {
            ExerciseKind::Puzzle => card.puzzles,
            ExerciseKind::Lesson => card.lessons,
        })
    }

    /// Asks for an exercise and puts it on the screen once it comes.
    pub(crate) fn open_exercise(&mut self, game: GameId, kind: ExerciseKind, number: u16) {
        let count = self.exercise.as_ref().map_or(0, |now| now.count);
        let mut opened = ExerciseState::new(game, kind, number);
        opened.count = count;
        self.exercise = Some(opened);
        self.command(Command::FindExercise { game, kind, number });
    }

    /// The first puzzle of a game that is not solved, or the first.
    pub(crate) fn next_puzzle(&self, game: GameId) -> u16 {
        let all = 0..crate::exercise::PUZZLES as u16;
        let mut open = all.filter(|&number| self.puzzle_stars.get(game, number) == 0);
        open.next().unwrap_or(0)
    }

    /// Takes in the record that was asked for.
    pub(crate) fn take_exercise(&mut self, count: u16, record: &[u8]) {
        if let Some(exercise) = &mut self.exercise {
            exercise.take_in(count, record);
        }
    }

    /// Judges a move of the person, and keeps the stars of a solved puzzle.
    pub(crate) fn answer_exercise(&mut self, number: u16) {
        let Some(exercise) = &mut self.exercise else {
            return;
        };
        match exercise.answer(number) {
            None => self.sound(Cue::Refused),
            Some(false) => self.sound(Cue::NearMiss),
            Some(true) => {
                let (game, at, stars) = (exercise.game, exercise.number, exercise.stars());
                if exercise.kind == ExerciseKind::Puzzle && self.puzzle_stars.raise(game, at, stars)
                {
                    self.command(Command::Save(Slot::Puzzles));
                }
                self.sound(Cue::Won(Belt::White));
            }
        }
    }
}

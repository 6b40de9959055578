//! Pupils: orders to the training side, and the brains that it keeps.

use dojo_core::games::GameId;
use dojo_core::games::pupil::Figures;

use super::AppState;
use crate::event::{Brains, Command, Order};
use crate::lesson::{Lesson, LessonState};
use crate::store::{Seat, Setup};

impl AppState {
    /// Begins to train a new pupil.
    pub(crate) fn begin_lesson(&mut self, game: GameId) {
        self.stop_thinking();
        self.next_id = self.next_id.wrapping_add(1);
        self.lesson = Some(Lesson::new(self.next_id, game, self.now));
        // 32 bits: the brain card shows the seed, and people write it down.
        let seed = u64::from(self.rng.next_u32());
        self.command(Command::Learn(Order::Begin {
            id: self.next_id,
            game,
            seed,
        }));
    }

    /// Sends an order and sets the state of the lesson that follows from it.
    pub(crate) fn order_lesson(&mut self, order: Order, state: LessonState) {
        if let Some(lesson) = &mut self.lesson {
            lesson.set_state(state, self.now);
            self.command(Command::Learn(order));
        }
    }

    /// Trains faster or slower.
    pub(crate) fn change_tempo(&mut self, faster: bool) {
        if let Some(lesson) = &mut self.lesson {
            lesson.set_tempo(lesson.tempo.step(faster), self.now);
            let tempo = lesson.tempo;
            self.command(Command::Learn(Order::Tempo(tempo)));
        }
    }

    pub(crate) fn end_lesson(&mut self) {
        if self.lesson.take().is_some() {
            self.command(Command::Learn(Order::End));
        }
    }

    /// Takes in the figures of the pupil; those of an older lesson are ignored.
    pub(crate) fn learned(&mut self, id: u32, figures: Figures, done: bool) {
        if let Some(lesson) = self.lesson.as_mut().filter(|lesson| lesson.id == id) {
            lesson.take_in(figures, done, self.now);
        }
    }

    /// Takes in which brains are kept: at the start and after every change.
    pub(crate) fn take_brains(&mut self, brains: Brains) {
        let brains = brains.checked();
        self.brains = brains;
        if let Some(lesson) = &mut self.lesson
            && let LessonState::Keeping { play } = lesson.state
        {
            lesson.set_state(LessonState::Stopped, self.now);
            lesson.kept = brains.last == Some(lesson.game);
            if play && lesson.kept {
                self.play_pupil();
            }
        }
    }

    /// Asks for a game against the kept pupil; [`AppState::takes_pupil_on`] starts it.
    pub(crate) fn play_pupil(&mut self) {
        self.plays_pupil = self.lesson.as_ref().map(|lesson| lesson.game);
    }

    /// The game against the pupil to start, if one was asked for.
    pub(crate) fn takes_pupil_on(&mut self) -> Option<Setup> {
        let game = self.plays_pupil.take()?;
        self.end_lesson();
        Some(Setup {
            seats: [Seat::Person, Seat::Pupil],
            ..Setup::new(game)
        })
    }
}

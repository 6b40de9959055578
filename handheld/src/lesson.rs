//! Watching a pupil learn: how far it is, and how it got there.

use dojo_core::games::GameId;
use dojo_core::games::pupil::Figures;
use heapless::Vec;

/// Points of the curve; when they are all taken, every other one is dropped.
const POINTS: usize = 48;

/// What is going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Learning,
    Stopped,
    /// What it has learned is being written; whether a game is to follow.
    Keeping {
        play: bool,
    },
}

/// A point of the learning curve: games, and the two shares that are shown, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Point {
    pub(crate) games: u32,
    pub(crate) shares: [u16; 2],
}

/// A pupil that is being watched.
pub(crate) struct Lesson {
    pub(crate) id: u32,
    pub(crate) game: GameId,
    pub(crate) state: State,
    pub(crate) done: bool,
    /// Whether what it knows now is kept.
    pub(crate) kept: bool,
    pub(crate) figures: Figures,
    curve: Vec<Point, POINTS>,
    /// Games between two points of the curve.
    every: u32,
    /// Milliseconds of learning before the current stretch, and when that began.
    spent: u32,
    since: u32,
}

impl Lesson {
    pub(crate) fn new(id: u32, game: GameId, now: u32) -> Lesson {
        Lesson {
            id,
            game,
            state: State::Learning,
            done: false,
            kept: false,
            figures: Figures::default(),
            curve: Vec::new(),
            every: 1,
            spent: 0,
            since: now,
        }
    }

    /// Learns from now on, or stops to.
    pub(crate) fn set_state(&mut self, state: State, now: u32) {
        if self.state == State::Learning {
            self.spent = self.spent.wrapping_add(now.wrapping_sub(self.since));
        }
        // What it learns from now on is not kept yet.
        self.kept &= state != State::Learning;
        self.since = now;
        self.state = state;
    }

    /// Takes in how far it is.
    pub(crate) fn take_in(&mut self, figures: Figures, done: bool, now: u32) {
        self.figures = figures;
        if done && self.state == State::Learning {
            self.set_state(State::Stopped, now);
        }
        self.done = done;
        if self
            .curve
            .last()
            .is_none_or(|last| figures.games >= last.games.saturating_add(self.every))
        {
            if self.curve.is_full() {
                let mut number = 0;
                self.curve.retain(|_| {
                    number += 1;
                    number % 2 == 1
                });
                self.every = figures.games / (POINTS as u32 / 2);
            }
            let _ = self.curve.push(Point {
                games: figures.games,
                shares: self.shares(),
            });
        }
    }

    /// What the curve shows: how sure it is and how right its moves are, or how it does against two opponents.
    pub(crate) fn shares(&self) -> [u16; 2] {
        match self.game {
            GameId::Sticks => [self.figures.sure, self.figures.strength],
            _ => [self.figures.strength, self.figures.against_random],
        }
    }

    /// What these two are called.
    pub(crate) fn names(&self) -> [&'static str; 2] {
        match self.game {
            GameId::Sticks => ["sure", "right"],
            _ => ["smart", "random"],
        }
    }

    /// The curve up to now.
    pub(crate) fn curve(&self) -> impl Iterator<Item = Point> {
        let now = Point {
            games: self.figures.games,
            shares: self.shares(),
        };
        self.curve.iter().copied().chain([now])
    }

    /// Games a second, once that can be told.
    pub(crate) fn speed(&self, now: u32) -> Option<u32> {
        let running = if self.state == State::Learning {
            now.wrapping_sub(self.since)
        } else {
            0
        };
        let millis = self.spent.wrapping_add(running);
        (millis >= 200).then(|| (u64::from(self.figures.games) * 1000 / u64::from(millis)) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_curve_of_any_length_keeps_its_ends_and_its_order() {
        let mut lesson = Lesson::new(1, GameId::Dots, 0);
        for games in 0..10_000 {
            let strength = (games / 10) as u16;
            lesson.take_in(
                Figures {
                    games,
                    strength,
                    ..Figures::default()
                },
                false,
                games,
            );
        }
        let games: Vec<u32, 64> = lesson.curve().map(|point| point.games).collect();
        assert_eq!((games[0], games[games.len() - 1]), (0, 9_999));
        assert!(games.len() > POINTS / 2 && games.is_sorted());
        assert_eq!(lesson.speed(10_000), Some(999));
    }

    #[test]
    fn time_counts_only_while_it_learns() {
        let mut lesson = Lesson::new(1, GameId::Sticks, 1000);
        lesson.take_in(
            Figures {
                games: 500,
                ..Figures::default()
            },
            false,
            2000,
        );
        lesson.set_state(State::Stopped, 2000);
        assert_eq!(lesson.speed(99_000), Some(500));
        lesson.set_state(State::Learning, 99_000);
        lesson.take_in(
            Figures {
                games: 1000,
                ..Figures::default()
            },
            true,
            100_000,
        );
        assert_eq!(
            (lesson.speed(200_000), lesson.state),
            (Some(500), State::Stopped)
        );
    }
}

//! A lesson: a pupil in training, its figures and its learning curve.

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use dojo_core::games::pupil::{Duel, Figures};
use heapless::Vec;

use crate::event::Tempo;

/// Capacity of the curve; when it is full, every other point is dropped.
const POINTS: usize = 48;

/// What the pupil does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LessonState {
    Learning,
    Stopped,
    /// Its brain is being written to storage; `play`: a game against it follows.
    Keeping {
        play: bool,
    },
}

/// A point of the learning curve: games, and the two shares that are shown, in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CurvePoint {
    pub(crate) games: u32,
    pub(crate) shares: [u16; 2],
}

/// A pupil that is being watched.
pub(crate) struct Lesson {
    pub(crate) id: u32,
    pub(crate) game: GameId,
    pub(crate) state: LessonState,
    pub(crate) done: bool,
    /// Whether its present knowledge is in storage.
    pub(crate) kept: bool,
    pub(crate) figures: Figures,
    pub(crate) tempo: Tempo,
    /// How many belts it has passed.
    pub(crate) passed: usize,
    curve: Vec<CurvePoint, POINTS>,
    /// Games between two points of the curve.
    every: u32,
    /// Milliseconds of learning before the current stretch, and the time at which the stretch
    /// began.
    spent: u32,
    since: u32,
    /// Games before the tempo was last changed, from which on its speed is measured.
    before: u32,
}

impl Lesson {
    pub(crate) fn new(id: u32, game: GameId, now: u32) -> Lesson {
        Lesson {
            id,
            game,
            state: LessonState::Learning,
            done: false,
            kept: false,
            figures: Figures::default(),
            tempo: Tempo::FULL,
            passed: 0,
            curve: Vec::new(),
            every: 1,
            spent: 0,
            since: now,
            before: 0,
        }
    }

    /// Changes the tempo; its speed is measured anew.
    pub(crate) fn set_tempo(&mut self, tempo: Tempo, now: u32) {
        self.tempo = tempo;
        (self.spent, self.since, self.before) = (0, now, self.figures.games);
    }

    /// Changes the state and adds up the time spent learning.
    pub(crate) fn set_state(&mut self, state: LessonState, now: u32) {
        if self.state == LessonState::Learning {
            self.spent = self.spent.wrapping_add(now.wrapping_sub(self.since));
        }
        // From here on it knows more than storage has.
        self.kept &= state != LessonState::Learning;
        self.since = now;
        self.state = state;
    }

    /// Takes in new figures. Shares end at 1000 thousandths and the number of games never goes
    /// back, whatever the training side sent.
    pub(crate) fn take_in(&mut self, figures: Figures, done: bool, now: u32) {
        let figures = Figures {
            games: figures.games.max(self.figures.games),
            sure: figures.sure.min(1000),
            wrong: figures.wrong,
            strength: figures.strength.min(1000),
            against_random: figures.against_random.min(1000),
            boards: figures.boards,
            // The last match stays in sight when no new one was played.
            duel: figures.duel.or(self.figures.duel).map(|duel| Duel {
                won: duel.won.min(Duel::GAMES),
                ..duel
            }),
        };
        if let Some(Duel { belt, passed, .. }) = figures.duel {
            self.passed = self.passed.max(belt as usize + usize::from(passed));
        }
        self.figures = figures;
        if done && self.state == LessonState::Learning {
            self.set_state(LessonState::Stopped, now);
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
            let _ = self.curve.push(CurvePoint {
                games: figures.games,
                shares: self.shares(),
            });
        }
    }

    /// The two values of the curve, in thousandths: of sticks, certainty and right moves; of other
    /// games, the scores against two opponents.
    pub(crate) fn shares(&self) -> [u16; 2] {
        match self.game {
            GameId::Sticks => [self.figures.sure, self.figures.strength],
            _ => [self.figures.strength, self.figures.against_random],
        }
    }

    /// Whether it has passed this belt.
    pub(crate) fn has_passed(&self, belt: Belt) -> bool {
        (belt as usize) < self.passed
    }

    /// The curve up to now.
    pub(crate) fn curve(&self) -> impl Iterator<Item = CurvePoint> {
        let now = CurvePoint {
            games: self.figures.games,
            shares: self.shares(),
        };
        self.curve.iter().copied().chain([now])
    }

    /// Games a second, after a fifth of a second of learning.
    pub(crate) fn speed(&self, now: u32) -> Option<u32> {
        let running = if self.state == LessonState::Learning {
            now.wrapping_sub(self.since)
        } else {
            0
        };
        let millis = self.spent.wrapping_add(running);
        let games = self.figures.games.saturating_sub(self.before);
        let rate = || u64::from(games) * 1000 / u64::from(millis);
        (millis >= 200).then(|| u32::try_from(rate()).unwrap_or(u32::MAX))
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
    fn belts_are_passed_one_after_the_other() {
        let mut lesson = Lesson::new(1, GameId::Sticks, 0);
        let mut tell = |belt: Option<Belt>, won, passed| {
            let duel = belt.map(|belt| Duel { belt, won, passed });
            let figures = Figures {
                duel,
                ..Figures::default()
            };
            lesson.take_in(figures, false, 0);
            (lesson.passed, lesson.figures.duel.map(|duel| duel.won))
        };
        assert_eq!(tell(None, 0, false), (0, None));
        assert_eq!(tell(Some(Belt::White), 11, false), (0, Some(11)));
        assert_eq!(tell(Some(Belt::White), 12, true), (1, Some(12)));
        assert_eq!(tell(None, 0, false), (1, Some(12)), "the last match stays");
        assert_eq!(tell(Some(Belt::Black), 255, true), (5, Some(Duel::GAMES)));
        assert_eq!(tell(Some(Belt::Yellow), 3, false), (5, Some(3)));
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
        lesson.set_state(LessonState::Stopped, 2000);
        assert_eq!(lesson.speed(99_000), Some(500));
        lesson.set_state(LessonState::Learning, 99_000);
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
            (Some(500), LessonState::Stopped)
        );
    }
}

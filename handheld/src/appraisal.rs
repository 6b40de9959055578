//! The story of a finished game: the expected result after each move, and the costliest moves with
//! what would have been better.

use dojo_core::game::{Outcome, Player};
use dojo_core::games::MAX_PLIES;
use dojo_core::players::belts::Thought;
use heapless::Vec;

/// Most moves that are flagged.
pub(crate) const FLAGS: usize = 3;
/// A move that costs less than this, in percent of a win, is none.
const LEAST: u8 = 5;
/// Values of a position are taken as they are after this long, if there are any,
const ENOUGH_MS: u32 = 1000;
/// and given up after this long.
const TOO_LONG_MS: u32 = 4000;

/// A move that cost something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Flag {
    /// Moves before it.
    pub(crate) ply: u16,
    /// What it cost, in percent of a win.
    pub(crate) cost: u8,
    /// The move that would have been best.
    pub(crate) better: u16,
}

/// What is found about one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Finding {
    /// Percent of a win for the first player; `None` if it is not known.
    value: Option<u8>,
    flag: Option<Flag>,
}

/// A question that is being answered.
#[derive(Clone, Copy, Debug)]
struct Open {
    id: u32,
    since: u32,
    finding: Finding,
}

/// The appraisal of a game, position by position from the start.
#[derive(Debug, Default)]
pub(crate) struct Appraisal {
    /// Percent of a win for the first player before each move; 255 where it is not known.
    values: Vec<u8, { MAX_PLIES + 1 }>,
    flags: Vec<Flag, FLAGS>,
    open: Option<Open>,
}

const UNKNOWN: u8 = u8::MAX;

impl Appraisal {
    /// Another game, or another end of it.
    pub(crate) fn forget(&mut self) {
        *self = Appraisal::default();
    }

    /// The number of the position that is appraised now or next.
    pub(crate) fn ply(&self) -> usize {
        self.values.len()
    }

    /// Whether a question is open.
    pub(crate) fn is_open(&self) -> bool {
        self.open.is_some()
    }

    pub(crate) fn asked(&mut self, id: u32, now: u32) {
        let finding = Finding {
            value: None,
            flag: None,
        };
        self.open = Some(Open {
            id,
            since: now,
            finding,
        });
    }

    /// Drops the open question. Returns whether there was one.
    pub(crate) fn interrupt(&mut self) -> bool {
        self.open.take().is_some()
    }

    /// Takes in the values of the moves in the position of this question, of which `played` was
    /// chosen. Returns whether they were wanted.
    pub(crate) fn take_in(
        &mut self,
        id: u32,
        thoughts: &[Thought],
        turn: Player,
        played: u16,
        done: bool,
    ) -> bool {
        let ply = self.values.len() as u16;
        let Some(open) = self.open.as_mut().filter(|open| open.id == id) else {
            return false;
        };
        let best = thoughts.iter().max_by_key(|thought| thought.value);
        if let Some(best) = best {
            let percent = |value: u16| (value.min(1000) / 10) as u8;
            let for_mover = percent(best.value);
            let value = match turn {
                Player::First => for_mover,
                Player::Second => 100 - for_mover,
            };
            let chosen = thoughts.iter().find(|thought| thought.index == played);
            let cost = chosen.map(|chosen| for_mover - percent(chosen.value));
            let flag = cost.filter(|&cost| cost >= LEAST).map(|cost| Flag {
                ply,
                cost,
                better: best.index,
            });
            open.finding = Finding {
                value: Some(value),
                flag,
            };
        }
        if done {
            self.close();
        }
        true
    }

    /// Ends a question that has taken long enough. Returns whether it did.
    pub(crate) fn tick(&mut self, now: u32) -> bool {
        let is_enough = self.open.is_some_and(|open| {
            let spent = now.wrapping_sub(open.since);
            spent >= TOO_LONG_MS || spent >= ENOUGH_MS && open.finding.value.is_some()
        });
        if is_enough {
            self.close();
        }
        is_enough
    }

    /// Notes what was found, and goes on to the next position.
    fn close(&mut self) {
        let Some(Open { finding, .. }) = self.open.take() else {
            return;
        };
        // One for each move: it cannot be full.
        let _ = self.values.push(finding.value.unwrap_or(UNKNOWN));
        let Some(flag) = finding.flag else { return };
        let lowest = { self.flags.iter().enumerate() }.min_by_key(|(_, flag)| flag.cost);
        if !self.flags.is_full() {
            let _ = self.flags.push(flag);
        } else if let Some((at, lowest)) = lowest
            && flag.cost > lowest.cost
        {
            self.flags.remove(at);
            let _ = self.flags.push(flag);
        }
    }

    /// The costliest moves so far, in the order of the game.
    pub(crate) fn flags(&self) -> &[Flag] {
        &self.flags
    }

    /// Percent of a win for the first player in a position; `None` if it is not known.
    pub(crate) fn value(&self, ply: usize) -> Option<u8> {
        let known = self.values.get(ply).copied();
        known.filter(|&value| value != UNKNOWN)
    }
}

/// Percent of a win for the first player at the end.
pub(crate) fn end_value(outcome: Outcome) -> u8 {
    (50 + 50 * outcome.value_for(Player::First)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thoughts(values: &[u16]) -> Vec<Thought, 8> {
        let indices = 0..;
        { indices.zip(values) }
            .map(|(index, &value)| Thought {
                index,
                value,
                visits: 0,
            })
            .collect()
    }

    #[test]
    fn the_three_costliest_moves_are_flagged_in_order() {
        let mut appraisal = Appraisal::default();
        // What the move played, number 1, cost at each ply.
        for (ply, cost) in [0, 300, 40, 900, 100, 500].into_iter().enumerate() {
            appraisal.asked(ply as u32, 0);
            let values = thoughts(&[900, 900 - cost]);
            let turn = [Player::First, Player::Second][ply % 2];
            assert!(appraisal.take_in(ply as u32, &values, turn, 1, true));
        }
        let flags: Vec<_, 4> = appraisal.flags().iter().map(|f| (f.ply, f.cost)).collect();
        assert_eq!(flags, [(1, 30), (3, 90), (5, 50)]);
        assert!(appraisal.flags().iter().all(|flag| flag.better == 0));
        assert_eq!(appraisal.value(0), Some(90));
        assert_eq!(appraisal.value(1), Some(10), "as the first player sees it");
    }

    #[test]
    fn a_position_is_left_after_a_second_or_given_up() {
        let mut appraisal = Appraisal::default();
        appraisal.asked(1, 0);
        assert!(!appraisal.tick(1000), "nothing is known yet");
        appraisal.take_in(1, &thoughts(&[700, 300]), Player::First, 0, false);
        assert!(appraisal.tick(1050));
        assert_eq!(appraisal.value(0), Some(70));
        appraisal.asked(2, 2000);
        assert!(!appraisal.tick(2999));
        assert!(appraisal.tick(6000));
        assert_eq!((appraisal.ply(), appraisal.value(1)), (2, None));
        assert!(!appraisal.take_in(2, &[], Player::First, 0, true), "late");
        assert_eq!(appraisal.ply(), 2);
    }
}

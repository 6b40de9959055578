//! 15 sticks: misère Nim with rows of 3, 5 and 7 sticks. A move takes one or more sticks from one
//! row; whoever takes the last stick loses.
//!
//! The rules also allow any one to three rows of up to seven sticks, and normal play, in which the
//! last stick wins.
//!
//! ```
//! use dojo_core::{game::Game, games::Sticks};
//! let mut game = Sticks::new(Default::default());
//! game.play(game.parse_move("3:7").unwrap()).unwrap();
//! assert_eq!(game.to_string(), "3-5-0 second");
//! ```
//!
//! # Reading directions
//! This file has the rules and, at its end, the exact solution by retrograde analysis
//! ([`Solution`]: 64 bytes for all 512 triples of row counts). `belts.rs` has the players. A
//! position takes 8 bytes; the classic rules have 4 · 6 · 8 = 192 states.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, GameMove, NotationError, Outcome, Player, Rules};
use crate::game_id::GameId;
use crate::record::Recorded;

mod belts;

/// Capacity in rows: as many as the classic game has.
pub const ROWS: usize = 3;
/// Capacity of a row: the longest classic row, and the largest count that fits three bits of
/// [`Sticks::triple`].
pub const ROW_MAX: u8 = 7;
/// Number of triples of row counts, each from 0 to 7.
pub const TRIPLES: usize = 8 * 8 * 8;

/// The rows at the start, and whether the last stick wins or loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SticksRules {
    rows: [u8; ROWS],
    /// Misère play: whoever takes the last stick loses.
    pub misere: bool,
}

impl SticksRules {
    /// Rows of at most seven sticks, 0 for a missing row. `None` if a row is longer or all are
    /// missing.
    pub fn new(rows: [u8; ROWS], misere: bool) -> Option<SticksRules> {
        let fits = rows.iter().all(|&row| row <= ROW_MAX) && rows.iter().any(|&row| row > 0);
        fits.then_some(SticksRules { rows, misere })
    }

    /// Sticks in each row at the start.
    pub fn rows(&self) -> [u8; ROWS] {
        self.rows
    }
}

impl Default for SticksRules {
    fn default() -> SticksRules {
        SticksRules {
            rows: [3, 5, 7],
            misere: true,
        }
    }
}

impl fmt::Display for SticksRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.rows;
        write!(
            f,
            "rows={a},{b},{c} misere={}",
            if self.misere { "yes" } else { "no" }
        )
    }
}

impl Rules for SticksRules {
    fn checked(self) -> Option<Self> {
        SticksRules::new(self.rows, self.misere)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), NotationError> {
        match (key, value) {
            ("misere", "yes") => self.misere = true,
            ("misere", "no") => self.misere = false,
            ("misere", _) => {
                return Err(NotationError {
                    expected: "misere=yes or misere=no",
                });
            }
            ("rows", _) => {
                let shape = NotationError {
                    expected: "rows= one to three counts of at most 7, such as rows=3,5,7",
                };
                let mut rows = [0; ROWS];
                for (i, count) in value.split(',').enumerate() {
                    *rows.get_mut(i).ok_or(shape)? = count.parse().map_err(|_| shape)?;
                }
                *self = SticksRules::new(rows, self.misere).ok_or(shape)?;
            }
            _ => {
                return Err(NotationError {
                    expected: "rows= or misere=",
                });
            }
        }
        Ok(())
    }
}

/// A move: takes one or more sticks from one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Take {
    row: u8,
    count: u8,
}

impl Take {
    /// `count` sticks (1 to 7) from `row` (0 to 2); `None` outside these ranges.
    #[inline]
    pub fn new(row: u8, count: u8) -> Option<Take> {
        (usize::from(row) < ROWS && (1..=ROW_MAX).contains(&count)).then_some(Take { row, count })
    }

    /// The row, counted from 0.
    pub fn row(self) -> u8 {
        self.row
    }

    /// Number of sticks taken.
    pub fn count(self) -> u8 {
        self.count
    }
}

impl GameMove for Take {
    fn index(self) -> u16 {
        u16::from(self.row * ROW_MAX + self.count - 1)
    }

    fn from_index(index: u16) -> Option<Take> {
        let index = u8::try_from(index).ok()?;
        Take::new(index / ROW_MAX, index % ROW_MAX + 1)
    }
}

impl fmt::Display for Take {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.row + 1, self.count)
    }
}

/// The moves in index order: row by row, from one stick to the whole row.
#[derive(Clone, Debug)]
pub struct Takes {
    sticks: [u8; ROWS],
    row: u8,
    count: u8,
}

impl Iterator for Takes {
    type Item = Take;

    fn next(&mut self) -> Option<Take> {
        while usize::from(self.row) < ROWS {
            if self.count < self.sticks[usize::from(self.row)] {
                self.count += 1;
                return Some(Take {
                    row: self.row,
                    count: self.count,
                });
            }
            self.row += 1;
            self.count = 0;
        }
        None
    }
}

/// A position: the sticks left in each row, and who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sticks {
    sticks: [u8; ROWS],
    rules: SticksRules,
    turn: Player,
}

/// The six permutations of three rows: symmetry `s` puts row `ORDERS[s][row]` at `row`.
const ORDERS: [[u8; ROWS]; 6] = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
];

fn reordered(rows: [u8; ROWS], symmetry: usize) -> [u8; ROWS] {
    ORDERS[symmetry].map(|row| rows[usize::from(row)])
}

impl Sticks {
    /// Sticks left in each row.
    pub fn sticks(&self) -> [u8; ROWS] {
        self.sticks
    }

    /// This position with other counts, for enumerating states; each count is limited to its row at
    /// the start.
    pub fn with_sticks(&self, sticks: [u8; ROWS]) -> Sticks {
        let sticks = core::array::from_fn(|row| sticks[row].min(self.rules.rows[row]));
        Sticks { sticks, ..*self }
    }

    /// Index of the counts among all triples of 0 to 7: three bits per row, the last row lowest.
    pub fn triple(&self) -> usize {
        triple(self.sticks)
    }

    /// Index among the states of these rules: a mixed-radix number with one digit per row, the last
    /// row least significant.
    #[inline]
    pub fn state(&self) -> usize {
        (0..ROWS).fold(0, |state, row| {
            state * (usize::from(self.rules.rows[row]) + 1) + usize::from(self.sticks[row])
        })
    }
}

fn triple(sticks: [u8; ROWS]) -> usize {
    sticks
        .iter()
        .fold(0, |all, &row| all << 3 | usize::from(row & ROW_MAX))
}

impl Recorded for Sticks {}

impl Game for Sticks {
    type Rules = SticksRules;
    type Move = Take;
    type Moves = Takes;

    const NAME: &'static str = GameId::Sticks.name();
    const RULES_VERSION: u16 = GameId::Sticks.rules_version();
    const MAX_MOVES: usize = 21; // three full rows of seven
    const MAX_PLIES: usize = 21; // three full rows, taken stick by stick
    const ALTERNATES: bool = true;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = ORDERS.len();

    fn new(rules: SticksRules) -> Sticks {
        Sticks {
            sticks: rules.rows,
            rules,
            turn: Player::First,
        }
    }

    fn rules(&self) -> SticksRules {
        self.rules
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn legal_moves(&self) -> Takes {
        Takes {
            sticks: self.sticks,
            row: 0,
            count: 0,
        }
    }

    fn is_legal(&self, take: Take) -> bool {
        take.count <= self.sticks[usize::from(take.row)]
    }

    #[inline]
    fn play_unchecked(&mut self, take: Take) {
        let row = &mut self.sticks[usize::from(take.row)];
        *row = row.saturating_sub(take.count);
        self.turn = !self.turn;
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        // The player to move is the one who did not take the last stick.
        let winner = if self.rules.misere {
            self.turn
        } else {
            !self.turn
        };
        (self.sticks == [0; ROWS]).then_some(Outcome::Win(winner))
    }

    fn key(&self) -> u64 {
        (usize::from(self.rules.misere) << 9 | self.triple()) as u64
    }

    fn parse_move(&self, text: &str) -> Result<Take, NotationError> {
        let shape = NotationError {
            expected: "row:count with rows 1 to 3 and at most 7 sticks, such as 3:4",
        };
        let (row, count) = text.split_once(':').ok_or(shape)?;
        let digit = |text: &str| match text.as_bytes() {
            &[digit @ b'1'..=b'7'] => Ok(digit - b'0'),
            _ => Err(shape),
        };
        Take::new(digit(row)? - 1, digit(count)?).ok_or(shape)
    }

    fn parse_position(rules: SticksRules, text: &str) -> Result<Sticks, NotationError> {
        let shape = NotationError {
            expected: "the rows and who is to move, such as 3-5-7 first",
        };
        let (rows, turn) = text.split_once(' ').ok_or(shape)?;
        let turn = Player::BOTH
            .into_iter()
            .find(|player| player.name() == turn)
            .ok_or(shape)?;
        let mut sticks = [0; ROWS];
        let mut counts = rows.split('-');
        for (row, count) in sticks.iter_mut().enumerate() {
            *count = counts
                .next()
                .and_then(|text| text.parse().ok())
                .ok_or(shape)?;
            if *count > rules.rows[row] {
                return Err(NotationError {
                    expected: "no more sticks in a row than at the start",
                });
            }
        }
        if counts.next().is_some() {
            return Err(shape);
        }
        // Every number of moves from one per touched row to one per taken stick can have led here.
        // Only where both are equal does it determine who is to move.
        let taken: [u8; ROWS] = core::array::from_fn(|row| rules.rows[row] - sticks[row]);
        let fewest = taken.iter().filter(|&&taken| taken > 0).count();
        let most: usize = taken.iter().map(|&taken| usize::from(taken)).sum();
        if fewest == most && turn.index() != fewest % 2 {
            return Err(NotationError {
                expected: "a position that a game can reach",
            });
        }
        Ok(Sticks {
            sticks,
            rules,
            turn,
        })
    }

    fn transformed(&self, symmetry: usize) -> Sticks {
        let rules = SticksRules {
            rows: reordered(self.rules.rows, symmetry),
            ..self.rules
        };
        Sticks {
            sticks: reordered(self.sticks, symmetry),
            rules,
            ..*self
        }
    }

    fn transformed_move(&self, take: Take, symmetry: usize) -> Take {
        // Every permutation contains every row, so `position` always finds one.
        let row = ORDERS[symmetry]
            .iter()
            .position(|&from| from == take.row)
            .unwrap_or_default();
        Take {
            row: row as u8,
            count: take.count,
        }
    }
}

impl fmt::Display for Sticks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.sticks;
        write!(f, "{a}-{b}-{c} {}", self.turn.name())
    }
}

/// Won and lost positions of all triples of row counts, by retrograde analysis from the empty
/// board: one bit per triple.
///
/// The rows at the start do not matter: a position's value depends only on the sticks left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    won: [u32; TRIPLES / 32],
}

impl Solution {
    /// Solves misère or normal play.
    pub fn new(misere: bool) -> Solution {
        let mut solution = Solution {
            won: [0; TRIPLES / 32],
        };
        // Moves only lower the counts, so every successor has a smaller index and is solved
        // already.
        for number in 0..TRIPLES {
            let sticks = [number >> 6, number >> 3 & 7, number & 7].map(|row| row as u8);
            let won = if number == 0 {
                misere // the opponent took the last stick
            } else {
                Takes {
                    sticks,
                    row: 0,
                    count: 0,
                }
                .any(|take| {
                    let mut left = sticks;
                    left[usize::from(take.row)] -= take.count;
                    !solution.is_won(triple(left))
                })
            };
            solution.won[number / 32] |= u32::from(won) << (number % 32);
        }
        solution
    }

    /// Whether the player to move wins from the counts with this index ([`Sticks::triple`]).
    pub fn is_won(&self, triple: usize) -> bool {
        self.won[triple / 32] >> (triple % 32) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_stick_loses_in_misere_and_wins_in_normal_play() {
        for (misere, winner) in [(true, Player::Second), (false, Player::First)] {
            let mut game = Sticks::new(SticksRules::new([1, 0, 0], misere).unwrap());
            game.play(Take::new(0, 1).unwrap()).unwrap();
            assert_eq!(game.outcome(), Some(Outcome::Win(winner)));
        }
    }

    /// Bouton's rule: leave nim-sum 0; in misère play, once no row has two sticks, leave an odd
    /// number of rows.
    fn mover_wins_by_rule(sticks: [u8; ROWS], misere: bool) -> bool {
        let nim_sum = sticks[0] ^ sticks[1] ^ sticks[2];
        if misere && sticks.iter().all(|&row| row <= 1) {
            nim_sum == 0
        } else {
            nim_sum != 0
        }
    }

    #[test]
    fn the_solution_equals_the_closed_rule_on_all_triples() {
        for misere in [true, false] {
            let solution = Solution::new(misere);
            for number in 0..TRIPLES {
                let sticks = [number >> 6, number >> 3 & 7, number & 7].map(|row| row as u8);
                assert_eq!(
                    solution.is_won(number),
                    mover_wins_by_rule(sticks, misere),
                    "{sticks:?} {misere}"
                );
            }
        }
    }

    #[test]
    fn states_number_the_positions_without_gaps() {
        let game = Sticks::new(SticksRules::default());
        let mut seen = [false; 192];
        for a in 0..=3 {
            for b in 0..=5 {
                for c in 0..=7 {
                    let state = game.with_sticks([a, b, c]).state();
                    assert!(!core::mem::replace(&mut seen[state], true));
                }
            }
        }
        assert!(seen.iter().all(|&s| s));
        assert_eq!(game.state(), 191);
    }

    #[test]
    fn odd_options_are_refused() {
        let mut rules = SticksRules::default();
        for (key, value) in [
            ("rows", "8"),
            ("rows", "1,2,3,4"),
            ("rows", ""),
            ("rows", "0,0,0"),
            ("rows", "a"),
            ("misere", "1"),
            ("x", "1"),
        ] {
            assert!(rules.set(key, value).is_err(), "{key}={value}");
            assert_eq!(rules, SticksRules::default());
        }
        rules.set("rows", "4,4").unwrap();
        assert_eq!(rules.rows(), [4, 4, 0]);
    }
}

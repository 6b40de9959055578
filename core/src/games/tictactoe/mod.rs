//! Tic-tac-toe: three in a row on a 3×3 board, on two 9-bit bitboards.
//!
//! Squares are `a1` (bottom left) to `c3` (top right); bit `3·row + column`, rows counted from the
//! bottom.
//!
//! ```
//! use dojo_core::{game::Game, games::TicTacToe};
//! let mut game = TicTacToe::new(Default::default());
//! for square in ["b2", "a1", "c3"] {
//!     game.play(game.parse_move(square).unwrap()).unwrap();
//! }
//! assert_eq!(game.to_string(), "..x/.x./o..");
//! ```
//!
//! # Reading directions
//! This file has the rules, `values.rs` the evaluations for search, `belts.rs` the players. A
//! position takes 4 bytes; a game can reach 5,478 positions, 765 up to symmetry.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, GameMove, NotationError, Outcome, Player, Rules};
use crate::game_id::GameId;
use crate::record::Recorded;

mod belts;
mod values;

pub use values::{AllHints, Marks, OpenLines};

const FULL: u16 = 0x1FF;

/// Bitboards of the rows, columns and diagonals.
pub const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Whether a bitboard holds a line: one look-up in 512 bytes instead of eight comparisons.
const HAS_LINE: [bool; 512] = {
    let mut table = [false; 512];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < LINES.len() {
            table[set] |= set as u16 & LINES[line] == LINES[line];
            line += 1;
        }
        set += 1;
    }
    table
};

#[inline]
fn has_line(set: u16) -> bool {
    HAS_LINE[usize::from(set & FULL)]
}

/// `IMAGES[s][square]` is the square that symmetry `s` moves `square` to: bit 0 mirrors columns,
/// bit 1 flips rows, bit 2 then transposes.
const IMAGES: [[u8; 9]; 8] = {
    let mut images = [[0; 9]; 8];
    let mut symmetry = 0;
    while symmetry < 8 {
        let mut square = 0;
        while square < 9 {
            let (mut row, mut column) = (square / 3, square % 3);
            if symmetry & 1 != 0 {
                column = 2 - column;
            }
            if symmetry & 2 != 0 {
                row = 2 - row;
            }
            if symmetry & 4 != 0 {
                (row, column) = (column, row);
            }
            images[symmetry][square] = (3 * row + column) as u8;
            square += 1;
        }
        symmetry += 1;
    }
    images
};

/// Tic-tac-toe has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicTacToeRules;

impl fmt::Display for TicTacToeRules {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Rules for TicTacToeRules {
    fn set(&mut self, _: &str, _: &str) -> Result<(), NotationError> {
        Err(NotationError {
            expected: "no options: tic-tac-toe has none",
        })
    }
}

/// A square, 0 (`a1`) to 8 (`c3`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square in this row (0 at the bottom) and column, if both are below 3.
    pub const fn new(row: u8, column: u8) -> Option<Square> {
        if row < 3 && column < 3 {
            Some(Square(3 * row + column))
        } else {
            None
        }
    }

    /// Row, counted from 0 at the bottom.
    pub const fn row(self) -> u8 {
        self.0 / 3
    }

    /// Column, counted from 0 at the left.
    pub const fn column(self) -> u8 {
        self.0 % 3
    }

    const fn bit(self) -> u16 {
        1 << self.0
    }
}

impl GameMove for Square {
    fn index(self) -> u16 {
        self.0.into()
    }

    fn from_index(index: u16) -> Option<Square> {
        (index < 9).then_some(Square(index as u8))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}",
            ['a', 'b', 'c'][usize::from(self.column())],
            self.row() + 1
        )
    }
}

/// The squares of a bitboard, lowest bit first.
#[derive(Clone, Debug)]
pub struct Squares(u16);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        if self.0 == 0 {
            return None;
        }
        let square = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Square(square))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

/// A position: the bitboards of the player to move and of the opponent. The first player draws
/// crosses.
///
/// Only the player who has just moved can have completed a line, so the outcome needs one look-up,
/// and a move swaps the two bitboards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TicTacToe {
    mover: u16,
    other: u16,
}

/// Bit 9, above the nine squares, marks the bitboard of the first player. It is swapped with the
/// bitboard and so tells whose turn it is.
const CROSSES: u16 = 1 << 9;

impl TicTacToe {
    /// The player who has marked this square.
    pub fn mark(&self, square: Square) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| self.marks(player) & square.bit() != 0)
    }

    /// Bitboard of a player's nine squares.
    pub fn marks(&self, player: Player) -> u16 {
        FULL & if player == self.turn() {
            self.mover
        } else {
            self.other
        }
    }

    /// The same marks with the other player to move: a null move for search. No game reaches such a
    /// position.
    pub fn passed(&self) -> TicTacToe {
        TicTacToe {
            mover: self.other,
            other: self.mover,
        }
    }

    /// The squares of all complete lines, empty while nobody has won.
    pub fn winning_squares(&self) -> Squares {
        let lines = LINES.into_iter().filter(|line| self.other & line == *line);
        Squares(lines.fold(0, |all, line| all | line))
    }
}

impl Recorded for TicTacToe {}

impl Game for TicTacToe {
    type Rules = TicTacToeRules;
    type Move = Square;
    type Moves = Squares;

    const NAME: &'static str = GameId::TicTacToe.name();
    const RULES_VERSION: u16 = GameId::TicTacToe.rules_version();
    const MAX_MOVES: usize = 9;
    const MAX_PLIES: usize = 9;
    const ALTERNATES: bool = true;
    const MOVER_CAN_LOSE: bool = false;
    const SYMMETRIES: usize = 8;

    fn new(_: TicTacToeRules) -> TicTacToe {
        TicTacToe {
            mover: CROSSES,
            other: 0,
        }
    }

    fn rules(&self) -> TicTacToeRules {
        TicTacToeRules
    }

    #[inline]
    fn turn(&self) -> Player {
        if self.mover & CROSSES != 0 {
            Player::First
        } else {
            Player::Second
        }
    }

    #[inline]
    fn legal_moves(&self) -> Squares {
        if has_line(self.other) {
            Squares(0)
        } else {
            Squares(FULL & !(self.mover | self.other))
        }
    }

    #[inline]
    fn play_unchecked(&mut self, square: Square) {
        *self = TicTacToe {
            mover: self.other,
            other: self.mover | square.bit(),
        };
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_line(self.other) {
            return Some(Outcome::Win(!self.turn()));
        }
        ((self.mover | self.other) & FULL == FULL).then_some(Outcome::Draw)
    }

    fn key(&self) -> u64 {
        let [x, o] = Player::BOTH.map(|player| u64::from(self.marks(player)));
        (self.turn().index() as u64) << 18 | x << 9 | o
    }

    fn parse_move(&self, text: &str) -> Result<Square, NotationError> {
        let &[column @ b'a'..=b'c', row @ b'1'..=b'3'] = text.as_bytes() else {
            return Err(NotationError {
                expected: "a square from a1 to c3",
            });
        };
        Ok(Square(3 * (row - b'1') + column - b'a'))
    }

    fn parse_position(_: TicTacToeRules, text: &str) -> Result<TicTacToe, NotationError> {
        let shape = NotationError {
            expected: "three rows of x, o and . from the top, such as x.o/.x./..o",
        };
        let mut marks = [0u16; 2];
        let mut rows = text.split('/');
        for row in (0..3).rev() {
            let &[a, b, c] = rows.next().ok_or(shape)?.as_bytes() else {
                return Err(shape);
            };
            for (column, mark) in [a, b, c].into_iter().enumerate() {
                let bit = 1 << (3 * row + column);
                match mark {
                    b'x' => marks[0] |= bit,
                    b'o' => marks[1] |= bit,
                    b'.' => {}
                    _ => return Err(shape),
                }
            }
        }
        if rows.next().is_some() {
            return Err(shape);
        }
        let [x, o] = marks.map(u16::count_ones);
        // Only the player who moved last can have completed a line.
        let fits = (x == o && !has_line(marks[0])) || (x == o + 1 && !has_line(marks[1]));
        if !fits {
            return Err(NotationError {
                expected: "a position that a game can reach",
            });
        }
        let [crosses, noughts] = [marks[0] | CROSSES, marks[1]];
        Ok(if x == o {
            TicTacToe {
                mover: crosses,
                other: noughts,
            }
        } else {
            TicTacToe {
                mover: noughts,
                other: crosses,
            }
        })
    }

    fn transformed(&self, symmetry: usize) -> TicTacToe {
        let image = |set: u16| {
            Squares(set & FULL).fold(set & CROSSES, |all, s| {
                all | 1 << IMAGES[symmetry][usize::from(s.0)]
            })
        };
        TicTacToe {
            mover: image(self.mover),
            other: image(self.other),
        }
    }

    fn transformed_move(&self, square: Square, symmetry: usize) -> Square {
        Square(IMAGES[symmetry][usize::from(square.0)])
    }
}

impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..3).rev() {
            for column in 0..3 {
                f.write_str(match self.mark(Square(3 * row + column)) {
                    Some(Player::First) => "x",
                    Some(Player::Second) => "o",
                    None => ".",
                })?;
            }
            if row > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(text: &str) -> Result<TicTacToe, NotationError> {
        TicTacToe::parse_position(TicTacToeRules, text)
    }

    #[test]
    fn a_line_wins_and_ends_the_game() {
        let game = position("xxx/oo./...").unwrap();
        assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(game.legal_moves().count(), 0);
        assert_eq!(
            game.winning_squares()
                .map(|s| s.0)
                .collect::<heapless::Vec<_, 9>>(),
            [6, 7, 8]
        );
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
        assert_eq!(
            position("xox/oxx/oxo").unwrap().outcome(),
            Some(Outcome::Draw)
        );
    }

    #[test]
    fn unreachable_positions_are_refused() {
        for text in [
            "xx./.../...",
            "ooo/xx./xx.",
            "xxx/ooo/...",
            "xxx/oo./o..",
            "o../.../...",
        ] {
            assert_eq!(
                position(text).unwrap_err().expected,
                "a position that a game can reach",
                "{text}"
            );
        }
        for text in ["", "x.o", "x.o/.x./..o/...", "x.o/.x./..q", "x.oo/.x./..o"] {
            assert!(
                position(text)
                    .unwrap_err()
                    .expected
                    .starts_with("three rows"),
                "{text}"
            );
        }
    }
}

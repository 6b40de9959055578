//! Connect Four: stones drop into seven columns of six cells; four in a row, column or diagonal
//! win.
//!
//! A position is two bitboards. Column `c` takes the bits `7·c` to `7·c + 5` from the bottom up;
//! the bit above them is a sentinel that stays empty, so that shifted lines never run from one
//! column into the next.
//!
//! ```
//! use dojo_core::{game::Game, games::Connect4};
//! let mut game = Connect4::new(Default::default());
//! for column in ["4", "4", "3"] {
//!     game.play(game.parse_move(column).unwrap()).unwrap();
//! }
//! assert_eq!(game.to_string(), "......./......./......./......./...o.../..xx...");
//! ```
//!
//! # Reading directions
//! This file has the rules, `threats.rs` the evaluation, `belts.rs` the players. A position takes
//! 16 bytes; a game can reach about 4.5 · 10¹² positions, so all players search and none looks
//! positions up.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, GameMove, NotationError, Outcome, Player, Rules};
use crate::game_id::GameId;
use crate::record::Recorded;

mod belts;
mod threats;

pub use belts::BLACK_NODES;
pub use threats::Threats;

/// Columns of the board.
pub const COLUMNS: u8 = 7;
/// Rows of the board.
pub const ROWS: u8 = 6;
/// Bits from a cell to its right neighbour: six cells and the sentinel.
const STEP: u32 = ROWS as u32 + 1;
/// Bitboard of the bottom row.
const FLOOR: u64 = {
    let mut floor = 0;
    let mut column = 0;
    while column < COLUMNS as u32 {
        floor |= 1 << (column * STEP);
        column += 1;
    }
    floor
};
/// Bitboard of all 42 cells.
const CELLS: u64 = FLOOR * ((1 << ROWS) - 1);
/// Bit 63, above the cells, marks the bitboard of the first player. It is swapped with the bitboard
/// and so tells whose turn it is.
const FIRST: u64 = 1 << 63;

/// Whether a bitboard holds four in a line: for each direction, pairs of neighbours, then pairs of
/// pairs. The sentinels end lines at the rim.
#[inline]
fn has_four(set: u64) -> bool {
    let set = set & CELLS;
    [1, STEP - 1, STEP, STEP + 1].into_iter().any(|step| {
        let pairs = set & set >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The cells of all fours in a bitboard.
fn fours(set: u64) -> u64 {
    let set = set & CELLS;
    [1, STEP - 1, STEP, STEP + 1]
        .into_iter()
        .map(|step| {
            let starts = set & set >> step & set >> (2 * step) & set >> (3 * step);
            starts | starts << step | starts << (2 * step) | starts << (3 * step)
        })
        .fold(0, |all, line| all | line)
}

/// Connect Four has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connect4Rules;

impl fmt::Display for Connect4Rules {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        Ok(())
    }
}

impl Rules for Connect4Rules {
    fn set(&mut self, _: &str, _: &str) -> Result<(), NotationError> {
        Err(NotationError {
            expected: "no options: Connect Four has none",
        })
    }
}

/// A move: drops a stone into this column, 0 to 6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Column(u8);

impl Column {
    /// The column with this number, counted from 0 at the left; `None` from 7 on.
    pub const fn new(number: u8) -> Option<Column> {
        if number < COLUMNS {
            Some(Column(number))
        } else {
            None
        }
    }

    /// The number of the column, counted from 0 at the left.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// All cells of the column and its sentinel.
    const fn mask(self) -> u64 {
        ((1 << STEP) - 1) << (self.0 as u32 * STEP)
    }
}

impl GameMove for Column {
    fn index(self) -> u16 {
        self.0.into()
    }

    fn from_index(index: u16) -> Option<Column> {
        u8::try_from(index).ok().and_then(Column::new)
    }
}

impl fmt::Display for Column {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// The columns of a set, left to right.
#[derive(Clone, Debug)]
pub struct Columns(u8);

impl Iterator for Columns {
    type Item = Column;

    #[inline]
    fn next(&mut self) -> Option<Column> {
        if self.0 == 0 {
            return None;
        }
        let column = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(Column(column))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

/// A position: the bitboards of the player to move and of the opponent.
///
/// Only the player who has just moved can have completed a four, so the outcome needs one bitboard,
/// and a move swaps the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Connect4 {
    mover: u64,
    other: u64,
}

impl Connect4 {
    /// Owner of the stone in this column and row, both counted from 0, rows from the bottom.
    pub fn stone(&self, column: Column, row: u8) -> Option<Player> {
        let bit = cell(column.0, row);
        Player::BOTH
            .into_iter()
            .find(|&player| self.stones(player) & bit != 0)
    }

    /// Number of stones in a column.
    pub fn height(&self, column: Column) -> u8 {
        (self.all() & column.mask()).count_ones() as u8
    }

    /// Whether this cell belongs to a complete four.
    pub fn wins(&self, column: Column, row: u8) -> bool {
        fours(self.other) & cell(column.0, row) != 0
    }

    fn stones(&self, player: Player) -> u64 {
        CELLS
            & if player == self.turn() {
                self.mover
            } else {
                self.other
            }
    }

    #[inline]
    fn all(&self) -> u64 {
        (self.mover | self.other) & CELLS
    }

    /// The lowest free cell of each column; of a full column its sentinel.
    #[inline]
    fn landings(&self) -> u64 {
        self.all() + FLOOR
    }
}

const fn cell(column: u8, row: u8) -> u64 {
    1 << (column as u32 * STEP + row as u32)
}

impl Recorded for Connect4 {}

impl Game for Connect4 {
    type Rules = Connect4Rules;
    type Move = Column;
    type Moves = Columns;

    const NAME: &'static str = GameId::Connect4.name();
    const RULES_VERSION: u16 = GameId::Connect4.rules_version();
    const MAX_MOVES: usize = COLUMNS as usize;
    const MAX_PLIES: usize = COLUMNS as usize * ROWS as usize;
    const ALTERNATES: bool = true;
    const MOVER_CAN_LOSE: bool = false;
    const SYMMETRIES: usize = 2;

    fn new(_: Connect4Rules) -> Connect4 {
        Connect4 {
            mover: FIRST,
            other: 0,
        }
    }

    fn rules(&self) -> Connect4Rules {
        Connect4Rules
    }

    #[inline]
    fn turn(&self) -> Player {
        if self.mover & FIRST != 0 {
            Player::First
        } else {
            Player::Second
        }
    }

    #[inline]
    fn legal_moves(&self) -> Columns {
        if has_four(self.other) {
            return Columns(0);
        }
        let all = self.all();
        let free = |column: &u8| all & cell(*column, ROWS - 1) == 0;
        Columns(
            (0..COLUMNS)
                .filter(free)
                .fold(0, |set, column| set | 1 << column),
        )
    }

    #[inline]
    fn play_unchecked(&mut self, column: Column) {
        let stone = self.landings() & column.mask();
        *self = Connect4 {
            mover: self.other,
            other: self.mover | stone,
        };
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if has_four(self.other) {
            return Some(Outcome::Win(!self.turn()));
        }
        (self.all() == CELLS).then_some(Outcome::Draw)
    }

    /// Unique for each position: in each column, the landing bit gives the height and the bits
    /// below it the mover's stones. The number of stones tells who is to move.
    #[inline]
    fn key(&self) -> u64 {
        (self.mover & CELLS) + self.landings()
    }

    fn parse_move(&self, text: &str) -> Result<Column, NotationError> {
        match text.as_bytes() {
            &[column @ b'1'..=b'7'] => Ok(Column(column - b'1')),
            _ => Err(NotationError {
                expected: "a column from 1 to 7",
            }),
        }
    }

    fn parse_position(_: Connect4Rules, text: &str) -> Result<Connect4, NotationError> {
        let shape = NotationError {
            expected: "six rows of seven x, o and . from the top, separated by /",
        };
        let mut stones = [0u64; 2];
        let mut rows = text.split('/');
        for row in (0..ROWS).rev() {
            let line = rows.next().ok_or(shape)?.as_bytes();
            if line.len() != usize::from(COLUMNS) {
                return Err(shape);
            }
            for (column, mark) in (0..COLUMNS).zip(line) {
                match mark {
                    b'x' => stones[0] |= cell(column, row),
                    b'o' => stones[1] |= cell(column, row),
                    b'.' => {}
                    _ => return Err(shape),
                }
            }
        }
        if rows.next().is_some() {
            return Err(shape);
        }
        let [first, second] = [stones[0] | FIRST, stones[1]];
        let game = match stones[0].count_ones().checked_sub(stones[1].count_ones()) {
            Some(0) => Connect4 {
                mover: first,
                other: second,
            },
            Some(1) => Connect4 {
                mover: second,
                other: first,
            },
            _ => return Err(UNREACHABLE),
        };
        if game.can_be_reached() {
            Ok(game)
        } else {
            Err(UNREACHABLE)
        }
    }

    fn transformed(&self, symmetry: usize) -> Connect4 {
        let image = |set: u64| {
            (0..COLUMNS).fold(set & FIRST, |all, column| {
                let stones = set >> (u32::from(column) * STEP) & ((1 << ROWS) - 1);
                all | stones << (u32::from(COLUMNS - 1 - column) * STEP)
            })
        };
        if symmetry == 0 {
            return *self;
        }
        Connect4 {
            mover: image(self.mover),
            other: image(self.other),
        }
    }

    fn transformed_move(&self, column: Column, symmetry: usize) -> Column {
        if symmetry == 0 {
            column
        } else {
            Column(COLUMNS - 1 - column.0)
        }
    }
}

const UNREACHABLE: NotationError = NotationError {
    expected: "a position that a game can reach",
};

/// Number of height vectors: heights 0 to 6 in each of seven columns.
const BELOW: usize = STEP.pow(COLUMNS as u32) as usize;

impl Connect4 {
    /// Whether a game can reach this position: no stone floats, only the last stone completed a
    /// four, and the stones can be taken back in turn, from the tops of the columns, down to the
    /// empty board.
    fn can_be_reached(&self) -> bool {
        let all = self.all();
        let hangs = (0..COLUMNS).any(|column| {
            let stones = all >> (u32::from(column) * STEP) & ((1 << ROWS) - 1);
            stones & (stones + 1) != 0
        });
        if hangs || has_four(self.mover) {
            return false;
        }
        // The height vectors visited already, one bit each: 103 KB of stack. Only hosts parse
        // positions.
        let mut seen = [0u32; BELOW.div_ceil(32)];
        self.can_be_taken_back(&mut seen)
    }

    fn can_be_taken_back(&self, seen: &mut [u32; BELOW.div_ceil(32)]) -> bool {
        if self.all() == 0 {
            return true;
        }
        let number = (0..COLUMNS).fold(0, |number, column| {
            number * STEP as usize + usize::from(self.height(Column(column)))
        });
        let bit = 1 << (number % 32);
        if seen[number / 32] & bit != 0 {
            return false;
        }
        seen[number / 32] |= bit;
        (0..COLUMNS).any(|column| {
            let top = self.landings() & Column(column).mask();
            let stone = top >> 1 & self.other & CELLS & Column(column).mask();
            let before = Connect4 {
                mover: self.other & !stone,
                other: self.mover,
            };
            stone != 0 && !has_four(before.mover) && before.can_be_taken_back(seen)
        })
    }
}

impl fmt::Display for Connect4 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in (0..ROWS).rev() {
            for column in (0..COLUMNS).map(Column) {
                f.write_str(match self.stone(column, row) {
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

    fn position(text: &str) -> Result<Connect4, NotationError> {
        Connect4::parse_position(Connect4Rules, text)
    }

    fn after(columns: &str) -> Connect4 {
        let mut game = Connect4::new(Connect4Rules);
        for column in columns.split(' ') {
            game.play(game.parse_move(column).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn four_in_every_direction_win() {
        for columns in [
            "1 2 1 2 1 2 1",
            "1 1 2 2 3 3 4",
            "1 2 2 3 3 4 3 4 4 6 4",
            "7 6 6 5 5 4 5 4 4 2 4",
        ] {
            let game = after(columns);
            assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)), "{game}");
            assert_eq!(game.legal_moves().count(), 0);
            let cells = (0..COLUMNS).flat_map(|column| (0..ROWS).map(move |row| (column, row)));
            let winning = cells.filter(|&(column, row)| game.wins(Column(column), row));
            assert_eq!(winning.count(), 4, "{game}");
        }
    }

    /// Bits of the top of one column and the bottom of the next lie close together, but their cells
    /// are not neighbours.
    #[test]
    fn lines_do_not_run_over_the_edge() {
        let game = position("x....../x....../o....../x....../x.o..../oxooo..");
        assert!(game.is_err(), "counts differ");
        let game =
            position("..x..../..x..../o.o..../o.o..../x.xo.../x.xxo..").map(|game| game.outcome());
        assert_eq!(game, Ok(None));
    }

    #[test]
    fn a_full_board_is_a_draw_and_full_columns_are_closed() {
        let mut game = after("1 1 1 1 1 1");
        assert_eq!(game.legal_moves().count(), 6);
        assert!(game.play(Column(0)).is_err());
        // Fills the other columns one after the other until the game is over.
        for columns in [
            "2 2 2 2 2 2",
            "3 3 3 3 3 3",
            "5 4 4 4 4 4 4",
            "5 5 5 5 5",
            "6 6 6 6 6 6",
            "7 7 7 7 7 7",
        ] {
            for column in columns.split(' ') {
                let mv = game.parse_move(column).unwrap();
                if game.play(mv).is_err() {
                    return assert!(game.is_over(), "{game}");
                }
            }
        }
        assert!(game.is_over(), "{game}");
    }

    #[test]
    fn positions_that_no_game_reaches_are_refused() {
        for text in [
            // A floating stone.
            "......./......./......./......./...x.../.......",
            // Too many stones of one side.
            "......./......./......./......./......./..xx...",
            // Both have four.
            "......./......./x.....o/x.....o/x.....o/x.....o",
            // The first player has won, yet the second has moved once more.
            "......./......./......./o....../ooo..../xxxx...",
            // The first stone of the game would have to be the second player's.
            "......./......./......./......./x....../o......",
        ] {
            assert_eq!(position(text), Err(UNREACHABLE), "{text}");
        }
        for text in ["", "xo", "......./......./......./......./......./......q"] {
            assert!(
                position(text).unwrap_err().expected.starts_with("six rows"),
                "{text}"
            );
        }
    }
}

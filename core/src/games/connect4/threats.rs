//! Evaluation of Connect Four by threats: empty cells that would complete a four.

use super::{CELLS, Column, Connect4, FLOOR, STEP};
use crate::game::{Game, Player};
use crate::search::{Knowledge, Value};

/// Weight of a stone: the number of fours through its cell, 3 in the corners to 13 in the middle.
/// Stored as four bit planes, so that one population count per plane sums a bitboard.
const WEIGHTS: [u64; 4] = {
    // Fours through each cell: columns from the rim to the middle, rows from the bottom.
    const LINES: [[u64; 6]; 4] = [
        [3, 4, 5, 5, 4, 3],
        [4, 6, 8, 8, 6, 4],
        [5, 8, 11, 11, 8, 5],
        [7, 10, 13, 13, 10, 7],
    ];
    let mut planes = [0; 4];
    let mut column = 0;
    while column < 7 {
        let from_edge = if column < 4 { column } else { 6 - column };
        let mut row = 0;
        while row < 6 {
            let mut plane = 0;
            while plane < 4 {
                let bit = LINES[from_edge][row] >> plane & 1;
                planes[plane] |= bit << (column * STEP as usize + row);
                plane += 1;
            }
            row += 1;
        }
        column += 1;
    }
    planes
};

/// The odd rows, counted from 1 at the bottom. Once all other cells are filled, zugzwang lets the
/// first player move in odd rows and the second in even ones, so a threat there decides the game.
const ODD_ROWS: u64 = FLOOR | FLOOR << 2 | FLOOR << 4;

/// Value of a threat, and the bonus for a threat in a row of its owner's parity.
const THREAT: Value = 12;
const SUITABLE_PARITY: Value = 24;

/// The empty cells that would complete a four of `set`.
#[inline]
fn threats(set: u64, all: u64) -> u64 {
    let upright = set << 1 & set << 2 & set << 3;
    let others = [STEP - 1, STEP, STEP + 1].into_iter().map(|step| {
        let (right, left) = (set << step, set >> step);
        let (two_right, two_left) = (right & right << step, left & left >> step);
        two_right & (set << (3 * step) | left) | two_left & (set >> (3 * step) | right)
    });
    others.fold(upright, |all, cells| all | cells) & CELLS & !all
}

/// Evaluates stones by the fours through their cells, and threats by the parity of their row.
#[derive(Clone, Copy, Debug, Default)]
pub struct Threats;

impl Threats {
    fn count(set: u64, all: u64, rows: u64) -> Value {
        let stones: u32 = (0..WEIGHTS.len())
            .map(|plane| (set & WEIGHTS[plane]).count_ones() << plane)
            .sum();
        let threats = threats(set, all);
        stones as Value
            + THREAT * threats.count_ones() as Value
            + SUITABLE_PARITY * (threats & rows).count_ones() as Value
    }
}

impl Knowledge<Connect4> for Threats {
    const ORDERS: bool = true;

    fn horizon(&self, game: &Connect4) -> Value {
        let all = game.all();
        let (own, opposing) = match game.turn() {
            Player::First => (ODD_ROWS, CELLS & !ODD_ROWS),
            Player::Second => (CELLS & !ODD_ROWS, ODD_ROWS),
        };
        Threats::count(game.mover & CELLS, all, own)
            - Threats::count(game.other & CELLS, all, opposing)
    }

    /// Wins, then blocks, then central cells; a stone that lets the opponent win above it comes
    /// last.
    fn promise(&self, game: &Connect4, column: Column) -> i16 {
        let (all, cell) = (game.all(), game.landings() & column.mask());
        let [own, opposing] = [game.mover, game.other].map(|set| threats(set & CELLS, all));
        if own & cell != 0 {
            return 900;
        }
        if opposing & cell != 0 {
            return 800;
        }
        let stones: u32 = (0..WEIGHTS.len())
            .map(|plane| u32::from(cell & WEIGHTS[plane] != 0) << plane)
            .sum();
        let gives = if opposing & cell << 1 != 0 { -500 } else { 0 };
        gives + stones as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_are_the_cells_that_win() {
        use crate::game::Game;
        use crate::rng::Rng;
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let mut game = Connect4::new(Default::default());
            while !game.is_over() {
                for column in game.legal_moves() {
                    let cell = game.landings() & column.mask();
                    let wins = game
                        .after(column)
                        .outcome()
                        .is_some_and(|outcome| outcome.value_for(game.turn()) == 1);
                    assert_eq!(
                        threats(game.mover & CELLS, game.all()) & cell != 0,
                        wins,
                        "{game} {column}"
                    );
                }
                let moves = game.legal_moves().count() as u32;
                let mv = game.legal_moves().nth(rng.below(moves) as usize).unwrap();
                game.play_unchecked(mv);
            }
        }
    }

    /// 69 fours of four cells each.
    #[test]
    fn stones_are_worth_the_lines_through_them() {
        let all: u32 = (0..4)
            .map(|plane| WEIGHTS[plane].count_ones() << plane)
            .sum();
        assert_eq!(all, 69 * 4);
    }
}

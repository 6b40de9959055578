//! Evaluations of unfinished games for search: [`OpenLines`], [`Marks`], which is weak on purpose,
//! and [`AllHints`] with every hint a search can use.

use crate::game::Game;
use crate::games::TicTacToe;
use crate::games::tictactoe::{LINES, Square, has_line};
use crate::search::{Knowledge, Value};

/// Open lines of the mover minus those of the opponent. A line is open to a side while the other
/// side has no mark in it, and counts three times as much with every own mark.
#[derive(Clone, Copy, Debug, Default)]
pub struct OpenLines;

impl OpenLines {
    fn count(own: u16, opposing: u16) -> Value {
        let open = LINES.iter().filter(|&line| line & opposing == 0);
        open.map(|line| [1, 3, 9, 27][(line & own).count_ones() as usize])
            .sum()
    }
}

impl Knowledge<TicTacToe> for OpenLines {
    fn horizon(&self, game: &TicTacToe) -> Value {
        OpenLines::count(game.mover, game.other) - OpenLines::count(game.other, game.mover)
    }
}

/// The evaluation of a lecture: +1 for each mark of the mover, −1 for each of the opponent. All
/// positions of one ply get the same value, so a search knows only the games that end before its
/// horizon.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks;

impl Knowledge<TicTacToe> for Marks {
    fn horizon(&self, game: &TicTacToe) -> Value {
        game.mover.count_ones() as Value - game.other.count_ones() as Value
    }
}

/// [`OpenLines`] with every hint of [`Knowledge`], the unsound ones included, so that the lab can
/// show the effect of each search technique.
#[derive(Clone, Copy, Debug, Default)]
pub struct AllHints;

impl AllHints {
    /// Whether a mark on this square completes a line of one side or blocks one of the other.
    fn is_hot(game: &TicTacToe, square: Square) -> bool {
        has_line(game.mover | square.bit()) || has_line(game.other | square.bit())
    }
}

impl Knowledge<TicTacToe> for AllHints {
    const ORDERS: bool = true;
    const QUIESCENCE: bool = true;
    const EXTENSIONS: bool = true;
    const FUTILITY: bool = true;
    const NULL_MOVE: bool = true;
    const NARROWING: bool = true;

    fn horizon(&self, game: &TicTacToe) -> Value {
        OpenLines.horizon(game)
    }

    /// The number of lines through the square; wins and blocks come first.
    fn promise(&self, game: &TicTacToe, square: Square) -> i16 {
        let lines = LINES
            .iter()
            .filter(|&line| line & square.bit() != 0)
            .count() as i16;
        if AllHints::is_hot(game, square) {
            100 + lines
        } else {
            lines
        }
    }

    fn is_noisy(&self, game: &TicTacToe, square: Square) -> bool {
        AllHints::is_hot(game, square)
    }

    /// A threat leaves one sensible reply, so searching it a move deeper costs little.
    fn extends(&self, next: &TicTacToe) -> bool {
        next.legal_moves()
            .any(|square| has_line(next.other | square.bit()))
    }

    fn hope(&self, depth: u8) -> Value {
        10 * Value::from(depth)
    }

    /// An extra mark never hurts, so a pass is never better than the best move: here null-move
    /// pruning is sound.
    fn pass(&self, game: &TicTacToe) -> Option<TicTacToe> {
        Some(game.passed())
    }

    fn book(&self, game: &TicTacToe) -> Option<Square> {
        (*game == TicTacToe::new(game.rules())).then_some(Square(4))
    }
}

//! Evaluations of unfinished games: a weak one, a sensible one, and one that shows everything a search can be told.

use crate::game::Game;
use crate::games::TicTacToe;
use crate::games::tictactoe::{LINES, Square, has_line};
use crate::search::{Knowledge, Value};

/// Own marks minus opposing marks. Weak on purpose: it is the same for all positions with the same number of marks,
/// and so shows why the evaluation matters.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks;

impl Knowledge<TicTacToe> for Marks {
    fn horizon(&self, game: &TicTacToe) -> Value {
        let [own, opposing] =
            [game.turn(), !game.turn()].map(|player| game.marks(player).count_ones() as Value);
        own - opposing
    }
}

/// Lines that the mover can still fill minus those that the opponent can, each counting more with every mark in it.
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

/// Open lines, with all hints and all risky shortcuts: for the lab, where a class can see what each of them does.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lively;

impl Lively {
    /// Whether a mark on this square completes a line of one side or stops one of the other.
    fn is_hot(game: &TicTacToe, square: Square) -> bool {
        has_line(game.mover | square.bit()) || has_line(game.other | square.bit())
    }
}

impl Knowledge<TicTacToe> for Lively {
    const ORDERS: bool = true;
    const QUIESCENCE: bool = true;
    const EXTENSIONS: bool = true;
    const FUTILITY: bool = true;
    const NULL_MOVE: bool = true;
    const NARROWING: bool = true;

    fn horizon(&self, game: &TicTacToe) -> Value {
        OpenLines.horizon(game)
    }

    /// Lines through the square; winning and stopping moves above all.
    fn promise(&self, game: &TicTacToe, square: Square) -> i16 {
        let lines = LINES
            .iter()
            .filter(|&line| line & square.bit() != 0)
            .count() as i16;
        if Lively::is_hot(game, square) {
            100 + lines
        } else {
            lines
        }
    }

    fn is_noisy(&self, game: &TicTacToe, square: Square) -> bool {
        Lively::is_hot(game, square)
    }

    /// A threat leaves one sensible answer: looking at it costs little.
    fn extends(&self, next: &TicTacToe) -> bool {
        next.legal_moves()
            .any(|square| has_line(next.other | square.bit()))
    }

    fn hope(&self, depth: u8) -> Value {
        10 * Value::from(depth)
    }

    /// An extra mark never hurts, so a pass is never better than the best move: here the null move is sound.
    fn pass(&self, game: &TicTacToe) -> Option<TicTacToe> {
        Some(game.passed())
    }

    fn book(&self, game: &TicTacToe) -> Option<Square> {
        (*game == TicTacToe::new(game.rules())).then_some(Square(4))
    }
}

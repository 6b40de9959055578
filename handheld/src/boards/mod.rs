//! The boards: each game's own cursor, drawing and words. A board knows only its game.

use dojo_core::agents::belt::Thought;
use dojo_core::game::Outcome;
use dojo_core::game::Player;
use dojo_core::games::{AnyGame, AnyRules, GameId};
use embedded_graphics::prelude::Point;
use embedded_graphics::primitives::Rectangle;

use crate::input::Button;
use crate::pen::Pen;

mod dots;
mod go;
mod heat;
mod iwoki;
mod sticks;
mod tictactoe;

/// A short text made on the spot.
pub(crate) type Words = heapless::String<48>;

/// What came of a button on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// Nothing that this board knows.
    Ignored,
    /// The cursor moved.
    Moved,
    /// Not possible here.
    Refused,
    /// Play the move with this index.
    Play(u16),
}

/// What is marked on a board besides the position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks<'a> {
    /// The move that led here.
    pub(crate) last: Option<u16>,
    /// The move that the machine advises.
    pub(crate) hint: Option<u16>,
    /// Whether a person is to move.
    pub(crate) cursor: bool,
    /// What the machine thinks of the moves, if that is to be seen.
    pub(crate) thoughts: &'a [Thought],
}

/// One game's board.
pub(crate) trait Board: Sized {
    /// A position of the game.
    type Game;

    /// The cursor where a new game starts.
    fn new(game: &Self::Game) -> Self;

    /// A button while a person is to move.
    fn press(&mut self, game: &Self::Game, button: Button) -> Reply;

    /// Brings the cursor to a move, or back onto the board after the position changed.
    fn point_to(&mut self, game: &Self::Game, mv: Option<u16>);

    /// Draws the position into the area.
    fn draw(&self, game: &Self::Game, marks: Marks<'_>, area: Rectangle, pen: &mut Pen<'_>);

    /// What the person is about to do, if it needs words.
    fn prompt(&self, game: &Self::Game) -> Option<Words>;
}

/// The board of any game.
#[derive(Clone, Copy)]
pub(crate) enum AnyBoard {
    Sticks(sticks::SticksBoard),
    TicTacToe(tictactoe::TicTacToeBoard),
    Dots(dots::DotsBoard),
    Iwoki(iwoki::IwokiBoard),
    Go(go::GoBoard),
}

/// Runs an expression with a board and the position of the same game; `$other` if they differ, which they never do.
macro_rules! both {
    ($board:expr, $any:expr, $b:ident, $g:ident => $body:expr, else $other:expr) => {
        match ($board, $any) {
            (AnyBoard::Sticks($b), AnyGame::Sticks($g)) => $body,
            (AnyBoard::TicTacToe($b), AnyGame::TicTacToe($g)) => $body,
            (AnyBoard::Dots($b), AnyGame::Dots($g)) => $body,
            (AnyBoard::Iwoki($b), AnyGame::Iwoki($g)) => $body,
            (AnyBoard::Go($b), AnyGame::Go($g)) => $body,
            _ => $other,
        }
    };
}

impl AnyBoard {
    pub(crate) fn new(game: &AnyGame) -> AnyBoard {
        match game {
            AnyGame::Sticks(game) => AnyBoard::Sticks(Board::new(game)),
            AnyGame::TicTacToe(game) => AnyBoard::TicTacToe(Board::new(game)),
            AnyGame::Dots(game) => AnyBoard::Dots(Board::new(game)),
            AnyGame::Iwoki(game) => AnyBoard::Iwoki(Board::new(game)),
            AnyGame::Go(game) => AnyBoard::Go(Board::new(game)),
        }
    }

    pub(crate) fn press(&mut self, game: &AnyGame, button: Button) -> Reply {
        both!(self, game, b, g => b.press(g, button), else Reply::Ignored)
    }

    pub(crate) fn point_to(&mut self, game: &AnyGame, mv: Option<u16>) {
        both!(self, game, b, g => b.point_to(g, mv), else ())
    }

    pub(crate) fn draw(&self, game: &AnyGame, marks: Marks<'_>, area: Rectangle, pen: &mut Pen<'_>) {
        both!(self, game, b, g => b.draw(g, marks, area, pen), else ())
    }

    pub(crate) fn prompt(&self, game: &AnyGame) -> Option<Words> {
        both!(self, game, b, g => b.prompt(g), else None)
    }
}

/// The rules of a game and how to play it here, in short pages of at most five lines of 24 letters.
pub(crate) fn rules_pages(id: GameId) -> &'static [&'static str] {
    match id {
        GameId::Sticks => sticks::RULES,
        GameId::TicTacToe => tictactoe::RULES,
        GameId::Dots => dots::RULES,
        GameId::Iwoki => iwoki::RULES,
        GameId::Go => go::RULES,
    }
}

/// Why a finished game ended as it did, in at most 24 letters.
pub(crate) fn why(game: &AnyGame, outcome: Outcome) -> &'static str {
    match game {
        AnyGame::Sticks(game) => sticks::why(game),
        AnyGame::TicTacToe(_) => tictactoe::why(outcome),
        AnyGame::Dots(game) => dots::why(game),
        AnyGame::Iwoki(game) => iwoki::why(game),
        AnyGame::Go(game) => go::why(game),
    }
}

/// Draws the sign of a player of this game, about as large as a letter.
pub(crate) fn badge(id: GameId, player: Player, centre: Point, pen: &mut Pen<'_>) {
    match id {
        GameId::Sticks => sticks::badge(player, centre, pen),
        GameId::TicTacToe => tictactoe::badge(player, centre, pen),
        GameId::Dots => dots::badge(player, centre, pen),
        GameId::Iwoki => iwoki::badge(player, centre, pen),
        GameId::Go => go::badge(player, centre, pen),
    }
}

/// An option of a game in the set-up: its name and its value.
pub(crate) struct Choice {
    pub(crate) label: &'static str,
    pub(crate) value: &'static str,
}

/// The option with this number, if the game has that many.
pub(crate) fn option(rules: &AnyRules, number: usize) -> Option<Choice> {
    match rules {
        AnyRules::Sticks(rules) => sticks::option(rules, number),
        AnyRules::Dots(rules) => dots::option(rules, number),
        AnyRules::Iwoki(rules) => iwoki::option(rules, number),
        AnyRules::Go(rules) => go::option(rules, number),
        AnyRules::TicTacToe(_) => None,
    }
}

/// Changes the option with this number.
pub(crate) fn step_option(rules: &mut AnyRules, number: usize, forward: bool) {
    match rules {
        AnyRules::Sticks(rules) => sticks::step_option(rules, number, forward),
        AnyRules::Dots(rules) => dots::step_option(rules, number, forward),
        AnyRules::Iwoki(rules) => iwoki::step_option(rules, number, forward),
        AnyRules::Go(rules) => go::step_option(rules, number, forward),
        AnyRules::TicTacToe(_) => {}
    }
}

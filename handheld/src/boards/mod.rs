//! The boards: each game's own cursor, drawing and words. A board knows only its game.

use dojo_core::agents::belt::Thought;
use dojo_core::game::{GameMove, Outcome, Player};
use dojo_core::games::go::{GoMove, Points};
use dojo_core::games::{AnyGame, AnyRules, GameId};
use embedded_graphics::prelude::Point;
use embedded_graphics::primitives::Rectangle;

use crate::bout::Bout;
use crate::input::Button;
use crate::pen::{Pen, area};

mod dots;
pub(crate) mod go;
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
    /// Whether the board shows what its game can show besides, named by [`overlay`].
    pub(crate) overlay: bool,
    /// Stones of Go that are taken for dead while they are counted.
    pub(crate) dead: Option<Points>,
    /// What the machine thinks of the moves, if that is to be seen.
    pub(crate) thoughts: &'a [Thought],
    /// Who looks at the board: the opponent's secrets are not shown. Nobody has secrets from nobody in particular.
    pub(crate) viewer: Option<Player>,
    /// The board is to be seen whole, however small.
    pub(crate) overview: bool,
}

/// Where things stand around a board: beside it on a wide display, above and below it on a square one.
pub(crate) struct Places {
    pub(crate) board: Rectangle,
    pub(crate) players: [Rectangle; 2],
    pub(crate) status: Rectangle,
    /// What a player holds or can do beside the board; empty in games where that is nothing.
    pub(crate) hand: Rectangle,
}

impl Places {
    pub(crate) fn of(pen: &Pen<'_>) -> Places {
        let (width, height) = (pen.width(), pen.height());
        if pen.look.roomy {
            let (top, bottom) = (40, 30);
            let half = width / 2;
            Places {
                board: area(8, top + 4, width - 16, height - top - bottom - 8),
                players: [
                    area(4, 4, half - 6, top - 6),
                    area(half + 2, 4, half - 6, top - 6),
                ],
                status: area(0, height - bottom, width, bottom),
                hand: Rectangle::zero(),
            }
        } else {
            let left = height + 2;
            Places {
                board: area(0, 0, height, height),
                players: [
                    area(left, 1, width - left, 11),
                    area(left, 14, width - left, 11),
                ],
                status: area(left, 30, width - left, height - 30),
                hand: Rectangle::zero(),
            }
        }
    }
}

/// What was drawn into a player's place besides the name.
#[derive(Clone, Copy, Default)]
pub(crate) struct Tally {
    /// How wide it is, at the right end.
    pub(crate) width: i32,
    /// Whether it is more than a number: the name makes room above it, or is cut short where there is no room.
    pub(crate) is_more: bool,
}

/// A line of the final count.
pub(crate) struct Count {
    pub(crate) label: Words,
    /// Of the player who started, and of the other.
    pub(crate) values: [i16; 2],
    pub(crate) is_total: bool,
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

    /// Where things stand on this display.
    fn places(&self, pen: &Pen<'_>) -> Places {
        Places::of(pen)
    }

    /// Draws what the players hold or can do beside the board, in games where there is such a thing.
    fn draw_hand(&self, _: &Self::Game, _: Marks<'_>, _: Rectangle, _: &mut Pen<'_>) {}

    /// Draws what a player has won so far at the right end of its place.
    fn draw_tally(_: &Self::Game, _: Player, _: Rectangle, _: &mut Pen<'_>) -> Tally {
        Tally::default()
    }

    /// A move in the words of the game, where its notation is not for players.
    fn describe(&self, _: &Self::Game, _: u16) -> Option<Words> {
        None
    }

    /// Whether the player has done something since the position changed or a hint came: then what it is about to do is
    /// more worth saying.
    fn is_touched(&self) -> bool {
        false
    }

    /// What to say about the move just made, if it cannot be seen.
    fn remark(&self, _: &Self::Game, _: u16) -> Option<Words> {
        None
    }
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

    pub(crate) fn draw(
        &self,
        game: &AnyGame,
        marks: Marks<'_>,
        area: Rectangle,
        pen: &mut Pen<'_>,
    ) {
        both!(self, game, b, g => b.draw(g, marks, area, pen), else ())
    }

    pub(crate) fn prompt(&self, game: &AnyGame) -> Option<Words> {
        both!(self, game, b, g => b.prompt(g), else None)
    }

    pub(crate) fn places(&self, game: &AnyGame, pen: &Pen<'_>) -> Places {
        both!(self, game, b, _g => b.places(pen), else Places::of(pen))
    }

    pub(crate) fn draw_hand(
        &self,
        game: &AnyGame,
        marks: Marks<'_>,
        area: Rectangle,
        pen: &mut Pen<'_>,
    ) {
        both!(self, game, b, g => b.draw_hand(g, marks, area, pen), else ())
    }

    pub(crate) fn draw_tally(
        &self,
        game: &AnyGame,
        player: Player,
        area: Rectangle,
        pen: &mut Pen<'_>,
    ) -> Tally {
        fn of<B: Board>(
            _: &B,
            game: &B::Game,
            player: Player,
            area: Rectangle,
            pen: &mut Pen<'_>,
        ) -> Tally {
            B::draw_tally(game, player, area, pen)
        }
        both!(self, game, b, g => of(b, g, player, area, pen), else Tally::default())
    }

    pub(crate) fn describe(&self, game: &AnyGame, mv: u16) -> Option<Words> {
        both!(self, game, b, g => b.describe(g, mv), else None)
    }

    pub(crate) fn is_touched(&self, game: &AnyGame) -> bool {
        both!(self, game, b, _g => b.is_touched(), else false)
    }

    pub(crate) fn remark(&self, game: &AnyGame, last: u16) -> Option<Words> {
        both!(self, game, b, g => b.remark(g, last), else None)
    }
}

/// Whether the players of this game have something to hide from each other.
pub(crate) fn has_secrets(game: &AnyGame) -> bool {
    matches!(game, AnyGame::Iwoki(game) if iwoki::has_secrets(game))
}

/// A line of the final count, in games that are counted.
pub(crate) fn count(game: &AnyGame, line: usize) -> Option<Count> {
    match game {
        AnyGame::Iwoki(game) => iwoki::count(game, line),
        _ => None,
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
pub(crate) fn why(bout: &Bout, outcome: Outcome) -> Words {
    let words = match bout.game() {
        _ if bout.settlement.resigned.is_some() => "By resignation",
        AnyGame::Sticks(game) => sticks::why(game),
        AnyGame::TicTacToe(_) => tictactoe::why(outcome),
        AnyGame::Dots(game) => dots::why(game),
        AnyGame::Iwoki(game) => return iwoki::why(game),
        AnyGame::Go(game) => return go::why(game, bout.settlement.dead),
    };
    Words::try_from(words).unwrap_or_default()
}

/// The index of the move that does nothing, in games where it may be made at any time.
pub(crate) fn pass(id: GameId) -> Option<u16> {
    (id == GameId::Go).then_some(GoMove::Pass.index())
}

/// Whether a game is long enough for people to give up before its end.
pub(crate) fn can_resign(id: GameId) -> bool {
    id == GameId::Go
}

/// What a board can show besides its position, if anything.
pub(crate) fn overlay(id: GameId) -> Option<&'static str> {
    (id == GameId::Go).then_some("Territory")
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

//! The boards: each game's cursor, drawing and texts. A board knows only its own game.
//!
//! Start with the trait [`Board`], then `sticks/mod.rs`, a short implementation. `AnyBoard`
//! dispatches over all games; the free functions at the end do so for what needs no cursor.
//! `heat.rs` draws the values of the mind view. The `strength.rs` of each game is generated.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

use core::fmt::Write;

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::{self, AnyGame, AnyRules, GameId};
use dojo_core::players::belts::{Grounds, Thought};
use dojo_core::{for_each_game, inside, with_game};
use embedded_graphics::prelude::Point;
use embedded_graphics::primitives::Rectangle;

use crate::input::Button;
use crate::pen::{Pen, area};
use crate::scoring::Marked;
use crate::session::Session;
use crate::touch::Touch;
use crate::words;

mod connect4;
mod dots;
mod go;
mod heat;
mod iwoki;
mod sticks;
mod tictactoe;

/// A short text. Capacity: two lines of 24 letters.
pub(crate) type Words = heapless::String<48>;

/// A board's answer to a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// The board has no use for this button.
    Ignored,
    /// The cursor moved.
    Moved,
    /// The move or step is not possible here.
    Refused,
    /// Plays the move with this index.
    Play(u16),
}

/// What is drawn on a board besides the position.
#[derive(Clone, Copy, Default)]
pub(crate) struct Marks<'a> {
    /// The last move.
    pub(crate) last: Option<u16>,
    /// The move that a hint suggests.
    pub(crate) hint: Option<u16>,
    /// Whether to draw the cursor: a person is to move.
    pub(crate) cursor: bool,
    /// Whether to draw the [`Board::OVERLAY`].
    pub(crate) overlay: bool,
    /// Places whose pieces do not count, in the scoring phase and after it.
    pub(crate) marked: Option<Marked>,
    /// The machine's values of moves, if the mind view is on.
    pub(crate) thoughts: &'a [Thought],
    /// How much of its search is left, in thousandths.
    pub(crate) left: u16,
    /// How far the cursor still is from its place, in pixels.
    pub(crate) drift: Point,
    /// How much of its way the last move's piece still has to go, in thousandths.
    pub(crate) landing: i32,
    /// Pieces that the last move took, while it lands.
    pub(crate) taken: Marked,
    /// The player whose view is drawn: the opponent's hidden tiles are not shown. `None`: both
    /// hands are shown.
    pub(crate) viewer: Option<Player>,
    /// Whether lines have letters and numbers, on boards that can have them.
    pub(crate) coordinates: bool,
    /// Whether to show the whole board, however small it gets.
    pub(crate) overview: bool,
    /// A place whose pieces a task is about.
    pub(crate) target: Option<u16>,
}

/// Layout of the areas on a board's screen: beside the board on a wide display, above and below it
/// on a square one.
pub(crate) struct Places {
    pub(crate) board: Rectangle,
    pub(crate) players: [Rectangle; 2],
    pub(crate) status: Rectangle,
    /// For tiles and buttons beside the board; empty in games without any.
    pub(crate) hand: Rectangle,
}

impl Places {
    pub(crate) fn of(pen: &Pen<'_>) -> Places {
        let (width, height) = (pen.width(), pen.height());
        if pen.look.roomy {
            // From the top: the players, the board, the status, the key help.
            let (players, status) = (28, 20);
            let (half, bottom) = (width / 2, height - pen.look.footer);
            let top = players + 4;
            Places {
                board: area(8, top, width - 16, bottom - status - top),
                players: [
                    area(4, 2, half - 6, players),
                    area(half + 2, 2, half - 6, players),
                ],
                status: area(0, bottom - status, width, status),
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

/// Extent of what [`Board::draw_tally`] has drawn.
#[derive(Clone, Copy, Default)]
pub(crate) struct TallyExtent {
    /// Width, from the right end of the player's area.
    pub(crate) width: i32,
    /// Whether it takes more than a line: the name is then drawn above it, or cut where there is no
    /// room.
    pub(crate) is_more: bool,
}

/// A position that explains the rules.
#[derive(Clone, Copy)]
pub(crate) struct Example {
    /// Options as in a record; empty for the usual ones.
    pub(crate) rules: &'static str,
    /// The moves that lead to it, in notation.
    pub(crate) moves: &'static str,
    /// The move that the text is about; empty if it is the last one.
    pub(crate) hint: &'static str,
    /// At most five lines of ten letters.
    pub(crate) text: &'static str,
}

/// A line of the final count.
pub(crate) struct Count {
    pub(crate) label: Words,
    /// Values of the player who started and of the other.
    pub(crate) values: [i16; 2],
    pub(crate) is_total: bool,
}

/// A game that can be played on the handheld.
pub(crate) trait HasBoard: Game + Sized {
    type Board: Board<Game = Self>;
}

/// A game's board: everything the handheld has to know of a game besides its rules. The value is
/// the cursor.
pub(crate) trait Board: Sized {
    /// The game.
    type Game: Game;

    /// What the game is about, in a few words.
    const GOAL: &'static str;
    /// Rules and controls, in pages of at most five lines of 24 letters.
    const RULES: &'static [&'static str];
    /// The drawn page of the rules.
    const EXAMPLE: Example;
    /// Index of the pass, in games where passing is always legal.
    const PASS: Option<u16> = None;
    /// Whether a game is long enough for people to resign.
    const CAN_RESIGN: bool = false;
    /// Menu name of an optional overlay on the board.
    const OVERLAY: Option<&'static str> = None;

    /// Measured score of each belt under the default rules, in thousandths: against a random
    /// player, the belt below and the [`Board::RIVAL`]; 0 where there is no such match.
    const STRENGTH: [[u16; 3]; 5];
    /// Name of the rule-based player that the belts were measured against.
    const RIVAL: &'static str = "smart";

    /// What A does now, in a word for the key help.
    fn verb(&self, _: &Self::Game) -> &'static str {
        words::VERB
    }

    /// The reason of a game's result, in at most 24 letters.
    fn why(game: &Self::Game, outcome: Outcome, marked: Marked) -> Words;

    /// Draws a player's badge, about as large as a letter.
    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>);

    /// By how much the game was won, in games that are won by points.
    fn margin(game: &Self::Game, _: Marked) -> Option<Words> {
        let mut count = (0..).map_while(|line| Self::count(game, line));
        let [first, second] = count.find(|line| line.is_total)?.values;
        let mut words = Words::new();
        write!(words, "{}", first.abs_diff(second)).ok()?;
        Some(words).filter(|_| first != second)
    }

    /// Draws the game's icon: a small board that nobody takes for another.
    fn icon(place: Rectangle, pen: &mut Pen<'_>);

    /// The option of the rules with this number; `None` after the last.
    fn option(_: &RulesOf<Self>, _number: usize) -> Option<RuleOption> {
        None
    }

    /// Changes the option with this number to its next or previous value.
    fn step_option(_: &mut RulesOf<Self>, _number: usize, _forward: bool) {}

    /// Whether players have hidden information.
    fn has_secrets(_: &Self::Game) -> bool {
        false
    }

    /// A line of the final count; `None` after the last, and in games without a count.
    fn count(_: &Self::Game, _line: usize) -> Option<Count> {
        None
    }

    /// The cursor at the start of a game.
    fn new(game: &Self::Game) -> Self;

    /// Handles a button while a person is to move.
    fn press(&mut self, game: &Self::Game, button: Button) -> Reply;

    /// Handles a touch of a place that was drawn with [`Pen::touchable`]; by default places have
    /// the numbers of moves.
    fn touch(&mut self, game: &Self::Game, touch: Touch, place: u16) -> Reply {
        let mv = <Self::Game as Game>::Move::from_index(place);
        if !mv.is_some_and(|mv| game.is_legal(mv)) {
            return Reply::Refused;
        }
        self.point_to(game, Some(place));
        match touch {
            Touch::Point => Reply::Moved,
            Touch::Tap => self.press(game, Button::A),
        }
    }

    /// Moves the cursor to a move; with `None`, back to a valid place after the position changed.
    fn point_to(&mut self, game: &Self::Game, mv: Option<u16>);

    /// The pixel that the cursor is drawn around; `None` where it does not glide.
    fn spot(&self, _: &Self::Game, _area: Rectangle, _roomy: bool) -> Option<Point> {
        None
    }

    /// The places whose pieces a move takes off the board or into possession.
    fn taken(_: &Self::Game, _mv: u16) -> Marked {
        Marked::default()
    }

    /// Draws the position into the area.
    fn draw(&self, game: &Self::Game, marks: Marks<'_>, area: Rectangle, pen: &mut Pen<'_>);

    /// Text for what A would do now, where the picture does not show it.
    fn prompt(&self, game: &Self::Game) -> Option<Words>;

    /// The layout on this display.
    fn places(&self, pen: &Pen<'_>) -> Places {
        Places::of(pen)
    }

    /// Draws the tiles or buttons beside the board.
    fn draw_hand(&self, _: &Self::Game, _: Marks<'_>, _: Rectangle, _: &mut Pen<'_>) {}

    /// Draws what a player has won so far, right-aligned in the player's area.
    fn draw_tally(_: &Self::Game, _: Player, _: Rectangle, _: &mut Pen<'_>) -> TallyExtent {
        TallyExtent::default()
    }

    /// A move in the words of players, where its notation is not meant for them.
    fn describe(&self, _: &Self::Game, _: u16) -> Option<Words> {
        None
    }

    /// The same with the reason that the grounds of a hint give.
    fn explain(&self, game: &Self::Game, mv: u16, _: &Grounds) -> Option<Words> {
        self.describe(game, mv)
    }

    /// Draws the learned rule behind a hint beside the board where there is room, and tells it.
    fn draw_grounds(_: &Self::Game, _: &Grounds, _: &mut Pen<'_>) {}

    /// Whether the player has pressed a button since the position changed or a hint came. The
    /// prompt then replaces the hint or remark.
    fn is_touched(&self) -> bool {
        false
    }

    /// Whether the words of a move have its reason.
    const HAS_REASONS: bool = false;

    /// Whether a player who moves twice has earned it and is told so.
    const MOVES_AGAIN: bool = false;

    /// Text about the last move, where the picture does not show it; it follows the player's name.
    fn remark(&self, _: &Self::Game, _: u16) -> Option<Words> {
        None
    }

    /// Rules and moves of a game in the file format that other programs use for this game; `None`
    /// if the text is not in that format.
    #[cfg(feature = "alloc")]
    fn read_foreign(_text: &str) -> Option<Foreign<RulesOf<Self>>> {
        None
    }

    // The scoring phase, in games that have one: see [`crate::scoring`].

    /// The words of the scoring phase. `None`: the final position decides the result.
    const SCORING: Option<ScoringWords> = None;

    /// The result without the marked pieces.
    fn scored(game: &Self::Game, _: Marked) -> Option<Outcome> {
        game.outcome()
    }

    /// The places to mark by the machine's values of the pieces: how sure each counts, in thousandths.
    fn proposed_marks(_: &Self::Game, _values: &[Thought]) -> Marked {
        Marked::default()
    }

    /// The places that are marked together with this one; empty where there is no piece.
    fn marked_together(_: &Self::Game, _place: u16) -> Marked {
        Marked::default()
    }

    /// A line of the score without the marked pieces, the total last.
    fn score_line(_: &Self::Game, _: Marked, _number: usize) -> Option<ScoreLine> {
        None
    }

    /// The cursor when the scoring phase begins: beside the board.
    fn beside(game: &Self::Game) -> Self {
        Self::new(game)
    }

    /// The place under the cursor; `None` beside the board.
    fn place(&self) -> Option<u16> {
        None
    }

    /// Moves the cursor from place to place. Returns whether the button does that here.
    fn walk(&mut self, _: &Self::Game, _: Button) -> bool {
        false
    }
}

/// The words of a game's scoring phase.
#[derive(Clone, Copy)]
pub(crate) struct ScoringWords {
    pub(crate) title: &'static str,
    /// What a marked piece is called in records.
    pub(crate) marked: &'static str,
    /// What the buttons do, on the board and beside it.
    pub(crate) on_board: &'static str,
    pub(crate) beside: &'static str,
}

/// A line of the score: a player's sign or a label, and a number.
pub(crate) struct ScoreLine {
    pub(crate) sign: Option<Player>,
    pub(crate) label: &'static str,
    pub(crate) number: Words,
    /// The line in words, for a screen reader.
    pub(crate) said: Words,
    pub(crate) is_total: bool,
}

/// A game of another program: rules and moves, or what is wrong with the file.
#[cfg(feature = "alloc")]
pub(crate) type Foreign<R> = Result<(R, Vec<u16>), String>;

/// The rules of a board's game.
type RulesOf<B> = <<B as Board>::Game as Game>::Rules;

macro_rules! any_board {
    ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        /// The board of any game.
        #[derive(Clone, Copy)]
        pub(crate) enum AnyBoard {
            $($Game(<games::$Game as HasBoard>::Board),)*
        }

        impl AnyBoard {
            pub(crate) fn new(game: &AnyGame) -> AnyBoard {
                match game {
                    $(AnyGame::$Game(game) => AnyBoard::$Game(Board::new(game)),)*
                }
            }

            /// The board with its cursor beside it, as the scoring phase begins.
            pub(crate) fn beside(game: &AnyGame) -> AnyBoard {
                match game {
                    $(AnyGame::$Game(game) => AnyBoard::$Game(Board::beside(game)),)*
                }
            }
        }
    };
}
for_each_game!({ any_board });

/// Runs an expression with a board and the position of the same game; `$other` if the games differ,
/// which does not happen.
macro_rules! both {
    ([($board:expr) ($any:expr) $b:ident $g:ident ($body:expr) ($other:expr)] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        match ($board, $any) {
            $((AnyBoard::$Game($b), AnyGame::$Game($g)) => $body,)*
            _ => $other,
        }
    };
    ($board:expr, $any:expr, $b:ident, $g:ident => $body:expr, else $other:expr) => {
        for_each_game!({ both } ($board) ($any) $b $g ($body) ($other))
    };
}

impl AnyBoard {
    pub(crate) fn place(&self) -> Option<u16> {
        inside!(AnyBoard, self, board => board.place())
    }

    pub(crate) fn walk(&mut self, game: &AnyGame, button: Button) -> bool {
        both!(self, game, b, g => b.walk(g, button), else false)
    }

    pub(crate) fn press(&mut self, game: &AnyGame, button: Button) -> Reply {
        both!(self, game, b, g => b.press(g, button), else Reply::Ignored)
    }

    pub(crate) fn touch(&mut self, game: &AnyGame, touch: Touch, place: u16) -> Reply {
        both!(self, game, b, g => b.touch(g, touch, place), else Reply::Ignored)
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

    pub(crate) fn spot(&self, game: &AnyGame, area: Rectangle, roomy: bool) -> Option<Point> {
        both!(self, game, b, g => b.spot(g, area, roomy), else None)
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
    ) -> TallyExtent {
        fn of<B: Board>(
            _: &B,
            game: &B::Game,
            player: Player,
            area: Rectangle,
            pen: &mut Pen<'_>,
        ) -> TallyExtent {
            B::draw_tally(game, player, area, pen)
        }
        both!(self, game, b, g => of(b, g, player, area, pen), else TallyExtent::default())
    }

    pub(crate) fn describe(&self, game: &AnyGame, mv: u16) -> Option<Words> {
        both!(self, game, b, g => b.describe(g, mv), else None)
    }

    pub(crate) fn explain(&self, game: &AnyGame, mv: u16, grounds: &Grounds) -> Option<Words> {
        both!(self, game, b, g => b.explain(g, mv, grounds), else None)
    }

    pub(crate) fn draw_grounds(&self, game: &AnyGame, grounds: &Grounds, pen: &mut Pen<'_>) {
        fn of<B: Board>(_: &B, game: &B::Game, grounds: &Grounds, pen: &mut Pen<'_>) {
            B::draw_grounds(game, grounds, pen);
        }
        both!(self, game, b, g => of(b, g, grounds, pen), else ());
    }

    pub(crate) fn verb(&self, game: &AnyGame) -> &'static str {
        both!(self, game, b, g => b.verb(g), else "")
    }

    pub(crate) fn moves_again(&self) -> bool {
        fn of<B: Board>(_: &B) -> bool {
            B::MOVES_AGAIN
        }
        inside!(AnyBoard, self, board => of(board))
    }

    pub(crate) fn has_reasons(&self) -> bool {
        fn of<B: Board>(_: &B) -> bool {
            B::HAS_REASONS
        }
        inside!(AnyBoard, self, board => of(board))
    }

    pub(crate) fn is_touched(&self, game: &AnyGame) -> bool {
        both!(self, game, b, _g => b.is_touched(), else false)
    }

    pub(crate) fn remark(&self, game: &AnyGame, last: u16) -> Option<Words> {
        both!(self, game, b, g => b.remark(g, last), else None)
    }
}

/// The board type of a game.
type BoardOf<G> = <G as HasBoard>::Board;

/// A line of the final count; `None` after the last, and in games without a count.
pub(crate) fn count(game: &AnyGame, line: usize) -> Option<Count> {
    fn of<G: HasBoard>(game: &G, line: usize) -> Option<Count> {
        BoardOf::<G>::count(game, line)
    }
    inside!(AnyGame, game, game => of(game, line))
}

/// The game in a file of another program; `None` if no board knows the format.
#[cfg(feature = "alloc")]
pub(crate) fn read_foreign(text: &str) -> Option<Foreign<AnyRules>> {
    macro_rules! first {
        ([] $($Game:ident: $Rules:ident = $row:tt;)*) => {
            None$(.or_else(|| {
                let read = BoardOf::<games::$Game>::read_foreign(text)?;
                Some(read.map(|(rules, moves)| (AnyRules::$Game(rules), moves)))
            }))*
        };
    }
    for_each_game!({ first })
}

/// The places whose pieces a move takes off the board or into possession.
pub(crate) fn taken(game: &AnyGame, mv: u16) -> Marked {
    fn of<G: HasBoard>(game: &G, mv: u16) -> Marked {
        BoardOf::<G>::taken(game, mv)
    }
    inside!(AnyGame, game, game => of(game, mv))
}

/// Whether the players of this game have hidden information.
pub(crate) fn has_secrets(game: &AnyGame) -> bool {
    fn of<G: HasBoard>(game: &G) -> bool {
        BoardOf::<G>::has_secrets(game)
    }
    inside!(AnyGame, game, game => of(game))
}

/// The measured scores of a game's belts, and the name of its rule-based player.
pub(crate) fn strengths(id: GameId) -> ([[u16; 3]; 5], &'static str) {
    with_game!(id, G => (BoardOf::<G>::STRENGTH, BoardOf::<G>::RIVAL))
}

/// What a game is about, in a few words.
pub(crate) fn goal(id: GameId) -> &'static str {
    with_game!(id, G => BoardOf::<G>::GOAL)
}

/// Rules and controls of a game, in pages.
pub(crate) fn rules_pages(id: GameId) -> &'static [&'static str] {
    with_game!(id, G => BoardOf::<G>::RULES)
}

/// The drawn page of a game's rules: its position, last move, hint and text. `None` if a constant is
/// wrong, which a test excludes.
pub(crate) fn example(id: GameId) -> Option<(AnyGame, Marks<'static>, &'static str)> {
    let example = with_game!(id, G => BoardOf::<G>::EXAMPLE);
    let mut game = AnyRules::parse(id, example.rules)?.start();
    let mut marks = Marks {
        overview: true,
        ..Marks::default()
    };
    for word in example.moves.split(' ') {
        let mv = game.parse_move(word)?;
        game.play(mv).ok()?;
        marks.last = Some(mv);
    }
    if !example.hint.is_empty() {
        marks.hint = Some(game.parse_move(example.hint)?);
    }
    Some((game, marks, example.text))
}

/// The reason of a game's result, in at most 24 letters.
pub(crate) fn why(session: &Session, outcome: Outcome) -> Words {
    fn of<G: HasBoard>(game: &G, outcome: Outcome, marked: Marked) -> Words {
        BoardOf::<G>::why(game, outcome, marked)
    }
    if session.resigned.is_some() {
        return words(words::RESIGNED);
    }
    inside!(AnyGame, session.game(), game => of(game, outcome, session.scoring.marked))
}

/// By how much the game was won, in games that are won by points.
pub(crate) fn margin(session: &Session) -> Option<Words> {
    fn of<G: HasBoard>(game: &G, marked: Marked) -> Option<Words> {
        BoardOf::<G>::margin(game, marked)
    }
    if session.resigned.is_some() {
        return None;
    }
    inside!(AnyGame, session.game(), game => of(game, session.scoring.marked))
}

/// Whether a game has a scoring phase after its last move.
pub(crate) fn has_scoring(id: GameId) -> bool {
    scoring_words(id).is_some()
}

/// The words of a game's scoring phase, if it has one.
pub(crate) fn scoring_words(id: GameId) -> Option<ScoringWords> {
    with_game!(id, G => BoardOf::<G>::SCORING)
}

/// The result of a finished game without the marked pieces.
pub(crate) fn scored(game: &AnyGame, marked: Marked) -> Option<Outcome> {
    fn of<G: HasBoard>(game: &G, marked: Marked) -> Option<Outcome> {
        BoardOf::<G>::scored(game, marked)
    }
    inside!(AnyGame, game, game => of(game, marked))
}

/// The places to mark by the machine's values of the pieces.
pub(crate) fn proposed_marks(game: &AnyGame, values: &[Thought]) -> Marked {
    fn of<G: HasBoard>(game: &G, values: &[Thought]) -> Marked {
        BoardOf::<G>::proposed_marks(game, values)
    }
    inside!(AnyGame, game, game => of(game, values))
}

/// The places that are marked together with this one; empty where there is no piece.
pub(crate) fn marked_together(game: &AnyGame, place: u16) -> Marked {
    fn of<G: HasBoard>(game: &G, place: u16) -> Marked {
        BoardOf::<G>::marked_together(game, place)
    }
    inside!(AnyGame, game, game => of(game, place))
}

/// A line of the score without the marked pieces, the total last.
pub(crate) fn score_line(game: &AnyGame, marked: Marked, number: usize) -> Option<ScoreLine> {
    fn of<G: HasBoard>(game: &G, marked: Marked, number: usize) -> Option<ScoreLine> {
        BoardOf::<G>::score_line(game, marked, number)
    }
    inside!(AnyGame, game, game => of(game, marked, number))
}

/// Index of the pass, in games where passing is always legal.
pub(crate) fn pass(id: GameId) -> Option<u16> {
    with_game!(id, G => BoardOf::<G>::PASS)
}

/// Whether a game is long enough for people to resign.
pub(crate) fn can_resign(id: GameId) -> bool {
    with_game!(id, G => BoardOf::<G>::CAN_RESIGN)
}

/// Menu name of a game's optional overlay.
pub(crate) fn overlay(id: GameId) -> Option<&'static str> {
    with_game!(id, G => BoardOf::<G>::OVERLAY)
}

/// Draws the badge of a player of this game, about as large as a letter.
pub(crate) fn badge(id: GameId, player: Player, centre: Point, pen: &mut Pen<'_>) {
    with_game!(id, G => BoardOf::<G>::badge(player, centre, pen))
}

/// Draws a game's icon into a square of about 20 pixels or more.
pub(crate) fn icon(id: GameId, place: Rectangle, pen: &mut Pen<'_>) {
    with_game!(id, G => BoardOf::<G>::icon(place, pen))
}

/// An option of a game's rules in the set-up: its name and its value.
pub(crate) struct RuleOption {
    pub(crate) label: &'static str,
    pub(crate) value: &'static str,
}

macro_rules! with_rules {
    ([($any:expr) $rules:ident $B:ident ($body:expr)] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        match $any {
            $(AnyRules::$Game($rules) => {
                type $B = BoardOf<games::$Game>;
                $body
            })*
        }
    };
}

/// The option with this number; `None` after the last.
pub(crate) fn option(rules: &AnyRules, number: usize) -> Option<RuleOption> {
    for_each_game!({ with_rules } (rules) rules B (B::option(rules, number)))
}

/// Changes the option with this number to its next or previous value.
pub(crate) fn step_option(rules: &mut AnyRules, number: usize, forward: bool) {
    for_each_game!({ with_rules } (rules) rules B (B::step_option(rules, number, forward)))
}

/// A short text; empty if it is too long, which constants are not.
fn words(text: &str) -> Words {
    Words::try_from(text).unwrap_or_default()
}

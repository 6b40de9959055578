//! Go on 5×5, 7×7 and 9×9 under area scoring.
//!
//! Black is the first player and starts, except in handicap games: there white does. Suicide is
//! forbidden. The ko rule is positional superko or, by option, simple ko.
//!
//! ```
//! use dojo_core::{game::{Game, Player}, games::{Go, GoRules}};
//! let mut game = Go::new(GoRules::new(5).unwrap());
//! for mv in ["B1", "A1", "A2", "pass"] {
//!     game.play(game.parse_move(mv).unwrap()).unwrap();
//! }
//! assert_eq!(game.prisoners(Player::First), 1);
//! assert_eq!(game.to_string(), "...../...../...../X..../.X... black after B1 A1 A2 pass");
//! ```
//!
//! # Reading directions
//! Rules: `points.rs` (points and bit sets of them), `stones.rs` (blocks, captures, area),
//! `rules.rs` (options), and this file. [`Go`] is the position with its history, [`Stones`] the
//! bare position, and [`Board`] the fast incremental board of playouts. Monte Carlo: `board.rs`,
//! `playout.rs`, `patterns.rs`, then `players/tree.rs`, which the belts use. Learned evaluation:
//! `features.rs`, `network.rs` and `vision.rs`, with `territory.rs` and `reader.rs` below them;
//! `players/annilgos.rs` plays by them. `policy.rs` is learned, too: which moves are likely.
//! `reason.rs` says why a move may be good.
//!
//! # Superko
//! A position stores the moves of its game and a 16-bit hash of each earlier position. Where a move
//! leads to one of these hashes, the game is replayed up to there and the stones are compared.

use core::fmt;

use crate::game::{Game, GameMove, NotationError, Outcome, Player};
use crate::game_id::GameId;
use crate::record::Recorded;

pub(crate) mod board;
pub mod clauses;
mod features;
mod network;
pub(crate) mod patterns;
pub mod players;
mod playout;
mod points;
pub mod policy;
mod reader;
pub mod reason;
mod rules;
mod stones;
mod territory;
mod values;
pub mod vision;

pub use board::Board;
pub use features::{FEATURE_MOST, FEATURE_NAMES, FEATURES, RICH, euler, features, rich_features};
pub use network::{Evaluation, GoNetwork, Published, UNIT};
pub use playout::{Played, Style};
pub use points::{LETTERS, Point, Points, SIDE};
pub use reader::Fate;
pub use rules::{GoRules, Ko, half_points};
pub use stones::Stones;
pub use territory::territory;
pub use values::Area;

/// A game of this length ends and is scored as it stands.
const MAX_PLIES: usize = 320;
/// The index of a pass.
const PASS: u8 = points::NUMBERS as u8;

/// A move: a stone on a point, or a pass.
///
/// Its index is the number of the point (ten times the row plus the column), or 90 for a pass, on
/// boards of every size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GoMove {
    /// A stone on this point.
    Stone(Point),
    /// A pass.
    Pass,
}

impl GoMove {
    /// The index of a pass.
    pub const PASS_INDEX: u16 = PASS as u16;

    /// The point of the stone; `None` for a pass.
    pub fn point(self) -> Option<Point> {
        match self {
            GoMove::Stone(point) => Some(point),
            GoMove::Pass => None,
        }
    }

    /// The index as a byte.
    fn code(self) -> u8 {
        self.point().map_or(PASS, |point| point.0)
    }

    fn from_code(code: u8) -> Option<GoMove> {
        if code == PASS {
            Some(GoMove::Pass)
        } else {
            Point::from_number(code).map(GoMove::Stone)
        }
    }
}

impl GameMove for GoMove {
    fn index(self) -> u16 {
        self.code().into()
    }

    fn from_index(index: u16) -> Option<GoMove> {
        u8::try_from(index).ok().and_then(GoMove::from_code)
    }
}

impl fmt::Display for GoMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GoMove::Stone(point) => point.fmt(f),
            GoMove::Pass => f.write_str("pass"),
        }
    }
}

/// Iterator over legal moves: stones by the number of their point, then the pass.
#[derive(Clone, Copy, Debug)]
pub struct GoMoves {
    points: Points,
    pass: bool,
}

impl Iterator for GoMoves {
    type Item = GoMove;

    #[inline]
    fn next(&mut self) -> Option<GoMove> {
        let pass = |pass: &mut bool| core::mem::take(pass).then_some(GoMove::Pass);
        self.points
            .next()
            .map(GoMove::Stone)
            .or_else(|| pass(&mut self.pass))
    }
}

/// A position with the history of its game.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Go {
    rules: GoRules,
    stones: Stones,
    turn: Player,
    /// The point on which retaking is forbidden now.
    ko: Option<Point>,
    /// Stones that each player has taken.
    prisoners: [u16; 2],
    /// Stones and player to move at the start of the game.
    base: Stones,
    base_turn: Player,
    plies: u16,
    passes: u16,
    /// The moves, as [`GoMove::code`].
    moves: [u8; MAX_PLIES],
    /// The hash of the position before each move.
    hashes: [u16; MAX_PLIES],
}

impl Go {
    /// A game that starts with these stones. `None` if one is off the board, two share a point, or
    /// a block has no liberty.
    pub fn with_stones(rules: GoRules, black: Points, white: Points, turn: Player) -> Option<Go> {
        let (stones, board) = (Stones::new(black, white), rules.board());
        let fits = (black | white).without(board).is_empty()
            && !black.meets(white)
            && stones.all_breathe(board);
        fits.then(|| Go::from_base(rules, stones, turn))
    }

    fn from_base(rules: GoRules, base: Stones, base_turn: Player) -> Go {
        Go {
            rules,
            stones: base,
            turn: base_turn,
            ko: None,
            prisoners: [0; 2],
            base,
            base_turn,
            plies: 0,
            passes: 0,
            moves: [0; MAX_PLIES],
            hashes: [0; MAX_PLIES],
        }
    }

    /// The same game with another komi in half points; `None` if there is no such komi.
    pub fn with_komi(&self, half_points: i16) -> Option<Go> {
        Some(Go {
            rules: self.rules.with_komi(half_points)?,
            ..*self
        })
    }

    /// The stones.
    #[inline]
    pub fn stones(&self) -> &Stones {
        &self.stones
    }

    /// All points of the board.
    #[inline]
    pub fn board(&self) -> Points {
        self.rules.board()
    }

    /// The points without a stone.
    pub fn empty(&self) -> Points {
        self.board().without(self.stones.all())
    }

    /// Number of stones that a player has taken.
    pub fn prisoners(&self, player: Player) -> u16 {
        self.prisoners[player.index()]
    }

    /// The point on which simple ko forbids a stone now.
    pub fn ko(&self) -> Option<Point> {
        self.ko
    }

    /// Number of moves so far.
    pub fn plies(&self) -> usize {
        usize::from(self.plies)
    }

    /// The moves so far.
    pub fn moves(&self) -> impl DoubleEndedIterator<Item = GoMove> + '_ {
        self.moves
            .iter()
            .take(self.plies())
            .filter_map(|&code| GoMove::from_code(code))
    }

    /// The last move.
    pub fn last_move(&self) -> Option<GoMove> {
        self.moves().next_back()
    }

    /// The stones and the player to move at the start of the game.
    pub fn start(&self) -> (&Stones, Player) {
        (&self.base, self.base_turn)
    }

    /// The area score in half points, after komi, with all stones alive: above 0 if black is ahead.
    pub fn score(&self) -> i16 {
        self.score_without(Points::EMPTY)
    }

    /// The area score after removing dead stones.
    pub fn score_without(&self, dead: Points) -> i16 {
        let [black, white] = self.areas_without(dead).map(|area| area.len() as i16);
        2 * (black - white) - self.rules.komi()
    }

    /// The area of each player, by [`Player::index`], after removing dead stones.
    pub fn areas_without(&self, dead: Points) -> [Points; 2] {
        let stones = self.stones.without(dead);
        Player::BOTH.map(|player| stones.area(player, self.board()))
    }

    /// The outcome after removing dead stones.
    pub fn outcome_without(&self, dead: Points) -> Outcome {
        match self.score_without(dead) {
            0 => Outcome::Draw,
            1.. => Outcome::Win(Player::First),
            _ => Outcome::Win(Player::Second),
        }
    }

    /// The points on which the player to move may place a stone.
    pub fn legal_points(&self) -> Points {
        let [breathing, repeating] = self.breathing_and_repeating();
        breathing.without(repeating)
    }

    /// The points on which only the ko rule forbids a stone.
    pub fn ko_points(&self) -> Points {
        let [_, repeating] = self.breathing_and_repeating();
        repeating
    }

    /// The points on which a stone would have a liberty, and the subset on which it would repeat a
    /// position.
    fn breathing_and_repeating(&self) -> [Points; 2] {
        let capturing = self.stones.capturing(self.turn, self.board());
        let breathing = self.stones.breathing(self.turn, capturing, self.board());
        let ko = self.ko.map_or(Points::EMPTY, Points::of) & breathing;
        let allowed = breathing.without(ko);
        // Without any capture the number of stones grows, so no position can repeat.
        let suspicious = match (self.rules.ko, self.prisoners) {
            (Ko::Simple, _) => Points::EMPTY,
            (Ko::Positional, [0, 0]) => allowed & capturing,
            (Ko::Positional, _) => allowed,
        };
        let repeating = suspicious
            .filter(|&point| self.repeats(point))
            .fold(ko, |set, point| set | Points::of(point));
        [breathing, repeating]
    }

    /// Whether a stone here repeats an earlier position.
    fn repeats(&self, point: Point) -> bool {
        let mut next = self.stones;
        let taken = next.place(self.turn, point, self.board()).len() as u16;
        // Between two equal positions as many stones were captured as placed: that bounds the
        // search.
        let back = usize::from(taken + self.prisoners[0] + self.prisoners[1] + self.passes);
        let hash = next.short_hash();
        let (to, from) = (self.plies(), (self.plies() + 1).saturating_sub(back));
        let earlier = self.hashes.get(from..to).unwrap_or_default();
        (from..)
            .zip(earlier)
            .any(|(ply, &known)| known == hash && self.stones_at(ply) == next)
    }

    /// The stones after the first `plies` moves.
    fn stones_at(&self, plies: usize) -> Stones {
        let (mut stones, mut turn) = (self.base, self.base_turn);
        for mv in self.moves().take(plies) {
            if let GoMove::Stone(point) = mv {
                stones.place(turn, point, self.board());
            }
            turn = !turn;
        }
        stones
    }

    /// The position after the first `plies` moves.
    pub fn at(&self, plies: usize) -> Go {
        let mut game = Go::from_base(self.rules, self.base, self.base_turn);
        self.moves()
            .take(plies)
            .for_each(|mv| game.play_unchecked(mv));
        game
    }
}

impl Recorded for Go {}

impl Game for Go {
    type Rules = GoRules;
    type Move = GoMove;
    type Moves = GoMoves;

    const NAME: &'static str = GameId::Go.name();
    const RULES_VERSION: u16 = GameId::Go.rules_version();
    const MAX_MOVES: usize = 82;
    const MAX_PLIES: usize = MAX_PLIES;
    const ALTERNATES: bool = true;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = 8;

    fn new(rules: GoRules) -> Go {
        let turn = if rules.handicap() == 0 {
            Player::First
        } else {
            Player::Second
        };
        Go::from_base(
            rules,
            Stones::new(rules.handicap_stones(), Points::EMPTY),
            turn,
        )
    }

    fn rules(&self) -> GoRules {
        self.rules
    }

    fn turn(&self) -> Player {
        self.turn
    }

    fn legal_moves(&self) -> GoMoves {
        let on = !self.is_over();
        GoMoves {
            points: if on {
                self.legal_points()
            } else {
                Points::EMPTY
            },
            pass: on,
        }
    }

    fn is_legal(&self, mv: GoMove) -> bool {
        !self.is_over()
            && mv
                .point()
                .is_none_or(|point| self.legal_points().contains(point))
    }

    fn play_unchecked(&mut self, mv: GoMove) {
        let ply = self.plies();
        if let (Some(code), Some(hash)) = (self.moves.get_mut(ply), self.hashes.get_mut(ply)) {
            (*code, *hash) = (mv.code(), self.stones.short_hash());
            self.plies += 1;
        }
        self.ko = None;
        match mv {
            GoMove::Stone(point) => {
                let taken = self.stones.place(self.turn, point, self.board());
                self.prisoners[self.turn.index()] += taken.len() as u16;
                let alone = !Points::of(point).around().meets(self.stones.of(self.turn));
                let caught = self.stones.liberties(Points::of(point), self.board());
                self.ko = taken.only().filter(|_| alone && caught == taken);
            }
            GoMove::Pass => self.passes = self.passes.saturating_add(1),
        }
        self.turn = !self.turn;
    }

    fn outcome(&self) -> Option<Outcome> {
        let last = |back: usize| {
            self.plies()
                .checked_sub(back)
                .and_then(|ply| self.moves.get(ply))
                .copied()
        };
        let passed = last(1) == Some(PASS) && last(2) == Some(PASS);
        if !passed && self.plies() < MAX_PLIES {
            return None;
        }
        Some(self.outcome_without(Points::EMPTY))
    }

    /// In half points.
    fn margin(&self, player: Player) -> i16 {
        match (self.is_over(), player) {
            (false, _) => 0,
            (true, Player::First) => self.score(),
            (true, Player::Second) => -self.score(),
        }
    }

    /// Hashes the stones, the player to move, ko, whether the last move was a pass, and the rules.
    /// The history, on which superko depends, is left out.
    fn key(&self) -> u64 {
        let passed = self.last_move() == Some(GoMove::Pass);
        let rules = u64::from(self.rules.komi() as u16) << 8
            | u64::from(self.rules.size()) << 4
            | self.rules.ko as u64;
        let rest = rules << 16
            | u64::from(self.ko.map_or(PASS, |point| point.0)) << 2
            | u64::from(passed) << 1
            | self.turn.index() as u64;
        self.stones.hash() ^ rest.wrapping_mul(0xD6E8_FEB8_6659_FD93).rotate_left(32)
    }

    fn parse_move(&self, text: &str) -> Result<GoMove, NotationError> {
        if text.eq_ignore_ascii_case("pass") {
            return Ok(GoMove::Pass);
        }
        let shape = NotationError {
            expected: "a letter A to J without I and a row from 1, such as E5, or pass",
        };
        Point::parse(text).map(GoMove::Stone).ok_or(shape)
    }

    /// A diagram, top row first, with X for black and O for white, and the player to move; then,
    /// unless the game has just started, `after` and the moves, and `from` and the diagram of an
    /// unusual start.
    fn parse_position(rules: GoRules, text: &str) -> Result<Go, NotationError> {
        let (shown, history) = text
            .split_once(" after ")
            .map_or((text, None), |(shown, moves)| (shown, Some(moves)));
        let (stones, turn) = read_diagram(rules, shown)?;
        let Some(history) = history else {
            return checked_start(rules, stones, turn);
        };
        let (moves, start) = history
            .split_once(" from ")
            .map_or((history, None), |(moves, start)| (moves, Some(start)));
        let mut game = match start {
            None => Go::new(rules),
            Some(start) => {
                let (stones, turn) = read_diagram(rules, start)?;
                checked_start(rules, stones, turn)?
            }
        };
        for word in moves.split(' ') {
            let mv = game.parse_move(word)?;
            game.play(mv).map_err(|_| NotationError {
                expected: "legal moves after `after`",
            })?;
        }
        if (game.stones, game.turn) != (stones, turn) {
            return Err(NotationError {
                expected: "moves that lead to the diagram",
            });
        }
        Ok(game)
    }

    fn transformed(&self, symmetry: usize) -> Go {
        let base = self.base.transformed(self.rules.size(), symmetry);
        let mut game = Go::from_base(self.rules, base, self.base_turn);
        self.moves()
            .for_each(|mv| game.play_unchecked(self.transformed_move(mv, symmetry)));
        game
    }

    /// Bit 0 turns the board upside down, bit 1 mirrors it, bit 2 then swaps rows and columns.
    fn transformed_move(&self, mv: GoMove, symmetry: usize) -> GoMove {
        match mv {
            GoMove::Stone(point) => GoMove::Stone(point.transformed(self.rules.size(), symmetry)),
            GoMove::Pass => GoMove::Pass,
        }
    }
}

fn checked_start(rules: GoRules, stones: Stones, turn: Player) -> Result<Go, NotationError> {
    Go::with_stones(
        rules,
        stones.of(Player::First),
        stones.of(Player::Second),
        turn,
    )
    .ok_or(NotationError {
        expected: "stones that all have liberties",
    })
}

/// The words for who is to move.
const COLOURS: [&str; 2] = ["black", "white"];

fn read_diagram(rules: GoRules, text: &str) -> Result<(Stones, Player), NotationError> {
    let shape = NotationError {
        expected: "as many rows of ., X and O with / between them as the board has, and black or white to move",
    };
    let (rows, turn) = text.split_once(' ').ok_or(shape)?;
    let turn = Player::BOTH
        .into_iter()
        .find(|player| COLOURS[player.index()] == turn)
        .ok_or(shape)?;
    let mut rows = rows.split('/');
    let mut sets = [Points::EMPTY; 2];
    for row in (0..rules.size()).rev() {
        let marks = rows
            .next()
            .filter(|marks| marks.len() == usize::from(rules.size()))
            .ok_or(shape)?;
        for (col, mark) in (0..).zip(marks.bytes()) {
            let point = Point::new(col, row).ok_or(shape)?;
            match mark {
                b'X' => sets[0].insert(point),
                b'O' => sets[1].insert(point),
                b'.' => {}
                _ => return Err(shape),
            }
        }
    }
    match rows.next() {
        None => Ok((Stones::new(sets[0], sets[1]), turn)),
        Some(_) => Err(shape),
    }
}

fn write_diagram(
    f: &mut fmt::Formatter<'_>,
    rules: GoRules,
    stones: &Stones,
    turn: Player,
) -> fmt::Result {
    use fmt::Write;
    for row in (0..rules.size()).rev() {
        for point in (0..rules.size()).filter_map(|col| Point::new(col, row)) {
            f.write_char(
                stones
                    .at(point)
                    .map_or('.', |player| ['X', 'O'][player.index()]),
            )?;
        }
        f.write_char(if row > 0 { '/' } else { ' ' })?;
    }
    f.write_str(COLOURS[turn.index()])
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_diagram(f, self.rules, &self.stones, self.turn)?;
        if self.plies == 0 {
            return Ok(());
        }
        f.write_str(" after")?;
        for mv in self.moves() {
            write!(f, " {mv}")?;
        }
        let usual = Go::new(self.rules);
        if (usual.base, usual.base_turn) != (self.base, self.base_turn) {
            f.write_str(" from ")?;
            write_diagram(f, self.rules, &self.base, self.base_turn)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

// It stands in the console, in questions to the other core and in every node of a search.
const _: () = assert!(size_of::<Go>() <= 1064);

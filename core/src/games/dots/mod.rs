//! Dots and boxes: players draw edges in turn; who draws the fourth side of a box owns it and moves
//! again; more boxes win.
//!
//! Boards have one to five rows and columns of boxes. With equal boxes the player who started
//! loses, or it is a draw if the rules say so; in misère fewer boxes win.
//!
//! ```
//! use dojo_core::{game::{Game, Player}, games::{Dots, DotsRules}};
//! let mut game = Dots::new(DotsRules::new(1, 1).unwrap());
//! for edge in ["h00", "h10", "v00", "v01"] {
//!     game.play(game.parse_move(edge).unwrap()).unwrap();
//! }
//! assert_eq!(game.to_string(), "-/|2|/- second");
//! assert_eq!(game.score(Player::Second), 1);
//! ```
//!
//! # Reading directions
//! 1. This file has the rules, `geometry.rs` the tables behind them. A position takes 24 bytes, an
//!    edge set is a `u64`.
//! 2. `chains.rs` has chains, loops and double-dealing, with an endgame search over them;
//!    `endgame.rs` exact values by retrograde analysis (2ⁿ bytes for n free edges); `opening.rs`
//!    the opening book of 3×3 (262 KB in the bank).
//! 3. `players.rs` builds players from these; `features.rs` and `learned.rs` are the network for
//!    larger boards, `values.rs` is a plain evaluation. `belts.rs` chooses among them.
//! 4. `two.rs` is the 2×2 board as 12 bits, `learner.rs` its two table learners, which also run on
//!    the device.
//!
//! # Numbering
//! Edges and boxes are numbered in shells from the top left corner: those of the 1×1 board first,
//! then what 2×2 adds, and so on. An edge set is therefore the same number on every board that has
//! its edges, and on square boards the sets are numbered without gaps: a 2×2 edge set is a number
//! below 4,096.

use core::fmt;

use serde::{Deserialize, Serialize};

use crate::game::{Game, GameMove, NotationError, Outcome, Player, Rules};
use crate::game_id::GameId;
use crate::record::Recorded;

mod belts;
pub mod chains;
mod endgame;
mod features;
mod geometry;
pub mod learned;
pub mod learner;
mod opening;
pub mod players;
pub mod symmetric;
pub mod two_by_two;
mod values;

pub use belts::Model;
pub use endgame::Endgame;
pub use features::{FEATURES, Features, features};
pub(crate) use geometry::NO_BOX;
use geometry::{ALL, BOX_AT, BOX_EDGES, BOXES_OF, EDGES, HORIZONTAL, VERTICAL};
pub use opening::Opening;
pub use values::Lead;

/// Capacity in rows and in columns of boxes: the 60 edges of 5×5 fit a 64-bit edge set, the 84 of
/// 6×6 do not.
pub const SIDE: usize = 5;
/// Edges of the 5×5 board.
pub const MAX_EDGES: usize = 2 * SIDE * (SIDE + 1);

/// How equal boxes are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ties {
    /// The player who started loses.
    StarterLoses,
    /// The game is a draw.
    Draw,
}

/// The size of the board and how the boxes are judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DotsRules {
    rows: u8,
    cols: u8,
    /// How equal boxes are judged.
    pub ties: Ties,
    /// Misère: fewer boxes win.
    pub misere: bool,
}

impl DotsRules {
    /// The default rules on a board of one to five rows and columns of boxes; `None` for other
    /// sizes.
    pub fn new(rows: u8, cols: u8) -> Option<DotsRules> {
        let fits = |side| (1..=SIDE as u8).contains(&side);
        (fits(rows) && fits(cols)).then_some(DotsRules {
            rows,
            cols,
            ties: Ties::StarterLoses,
            misere: false,
        })
    }

    /// The same board with other judging.
    pub fn judged(self, ties: Ties, misere: bool) -> DotsRules {
        DotsRules {
            ties,
            misere,
            ..self
        }
    }

    /// Rows of boxes.
    pub fn rows(&self) -> u8 {
        self.rows
    }

    /// Columns of boxes.
    pub fn cols(&self) -> u8 {
        self.cols
    }

    /// Number of boxes.
    pub fn boxes(&self) -> u8 {
        self.rows * self.cols
    }

    /// Edge set of the whole board; bit `i` is the edge with index `i`.
    #[inline]
    pub fn all_edges(&self) -> u64 {
        ALL[usize::from(self.rows) - 1][usize::from(self.cols) - 1]
    }

    /// All edges of the board, as an iterator.
    pub fn edges(&self) -> EdgeSet {
        EdgeSet(self.all_edges())
    }

    /// Whether equal boxes are possible and are judged by who started.
    fn starter_matters(&self) -> bool {
        self.ties == Ties::StarterLoses && self.boxes().is_multiple_of(2)
    }
}

impl Default for DotsRules {
    /// 2×2, as in the published work.
    fn default() -> DotsRules {
        DotsRules {
            rows: 2,
            cols: 2,
            ties: Ties::StarterLoses,
            misere: false,
        }
    }
}

impl fmt::Display for DotsRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ties = match self.ties {
            Ties::StarterLoses => "starter-loses",
            Ties::Draw => "draw",
        };
        write!(
            f,
            "size={}x{} ties={ties} misere={}",
            self.rows,
            self.cols,
            if self.misere { "yes" } else { "no" }
        )
    }
}

impl Rules for DotsRules {
    fn checked(self) -> Option<Self> {
        Some(DotsRules::new(self.rows(), self.cols())?.judged(self.ties, self.misere))
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
            ("ties", "starter-loses") => self.ties = Ties::StarterLoses,
            ("ties", "draw") => self.ties = Ties::Draw,
            ("ties", _) => {
                return Err(NotationError {
                    expected: "ties=starter-loses or ties=draw",
                });
            }
            ("size", _) => {
                let shape = NotationError {
                    expected: "size= rows x columns of boxes, 1x1 to 5x5",
                };
                let (rows, cols) = value.split_once('x').ok_or(shape)?;
                let side = |text: &str| match text.as_bytes() {
                    &[digit @ b'1'..=b'5'] => Ok(digit - b'0'),
                    _ => Err(shape),
                };
                (self.rows, self.cols) = (side(rows)?, side(cols)?);
            }
            _ => {
                return Err(NotationError {
                    expected: "size=, ties= or misere=",
                });
            }
        }
        Ok(())
    }
}

/// A move: draws this edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge(u8);

impl Edge {
    /// The edge above the box at `row` and `col`; the row below the last box has the bottom edges.
    pub fn horizontal(row: u8, col: u8) -> Option<Edge> {
        HORIZONTAL
            .get(usize::from(row))?
            .get(usize::from(col))
            .copied()
            .map(Edge)
    }

    /// The edge left of the box at `row` and `col`; the column after the last box has the right
    /// edges.
    pub fn vertical(row: u8, col: u8) -> Option<Edge> {
        VERTICAL
            .get(usize::from(row))?
            .get(usize::from(col))
            .copied()
            .map(Edge)
    }

    /// Whether it lies left or right of a box, not above or below.
    pub fn is_vertical(self) -> bool {
        EDGES[usize::from(self.0)].vertical
    }

    /// Its row, as in [`Edge::horizontal`] and [`Edge::vertical`].
    pub fn row(self) -> u8 {
        EDGES[usize::from(self.0)].row
    }

    /// Its column, as in [`Edge::horizontal`] and [`Edge::vertical`].
    pub fn col(self) -> u8 {
        EDGES[usize::from(self.0)].col
    }

    /// The edge set with only this edge.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << self.0
    }
}

impl GameMove for Edge {
    #[inline]
    fn index(self) -> u16 {
        self.0.into()
    }

    fn from_index(index: u16) -> Option<Edge> {
        u8::try_from(index)
            .ok()
            .filter(|&index| usize::from(index) < MAX_EDGES)
            .map(Edge)
    }
}

impl fmt::Display for Edge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}{}{}",
            if self.is_vertical() { 'v' } else { 'h' },
            self.row(),
            self.col()
        )
    }
}

/// An edge set: bit `i` is the edge with index `i`. Iterates from the lowest index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EdgeSet(pub u64);

impl Iterator for EdgeSet {
    type Item = Edge;

    #[inline]
    fn next(&mut self) -> Option<Edge> {
        let edge = Edge(self.0.trailing_zeros() as u8);
        let rest = self.0.checked_sub(1)?;
        self.0 &= rest;
        Some(edge)
    }
}

/// Edge sets of the two boxes that an edge borders; [`NO_BOX`] at the rim.
#[inline]
pub(crate) fn neighbours(edge: Edge) -> [u64; 2] {
    BOXES_OF[usize::from(edge.0)].map(|number| BOX_EDGES[usize::from(number)])
}

/// Edge set of a box, by its number.
pub(crate) const fn box_edges(number: usize) -> u64 {
    BOX_EDGES[number]
}

/// A position: the edges drawn, and the owners of the boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dots {
    edges: u64,
    /// The complete boxes, one bit each.
    taken: u32,
    /// The complete boxes of the player who started.
    firsts: u32,
    rules: DotsRules,
    turn: Player,
}

impl Dots {
    /// Edge set of the edges drawn.
    #[inline]
    pub fn edges(&self) -> u64 {
        self.edges
    }

    /// The edges not drawn yet.
    #[inline]
    pub fn free(&self) -> EdgeSet {
        EdgeSet(self.rules.all_edges() & !self.edges)
    }

    /// Whether this edge is drawn.
    pub fn has(&self, edge: Edge) -> bool {
        self.edges & edge.bit() != 0
    }

    /// Number of boxes that a player owns.
    #[inline]
    pub fn score(&self, player: Player) -> u8 {
        match player {
            Player::First => self.firsts.count_ones() as u8,
            Player::Second => (self.taken & !self.firsts).count_ones() as u8,
        }
    }

    /// Owner of the box at this row and column; `None` while it is incomplete, or if the board has
    /// no such box.
    pub fn owner(&self, row: u8, col: u8) -> Option<Player> {
        let number = BOX_AT.get(usize::from(row))?.get(usize::from(col))?;
        let bit = 1 << number;
        match (self.taken & bit != 0, self.firsts & bit != 0) {
            (false, _) => None,
            (true, true) => Some(Player::First),
            (true, false) => Some(Player::Second),
        }
    }

    /// Number of boxes that this edge would complete.
    #[inline]
    pub fn completes(&self, edge: Edge) -> u8 {
        let after = self.edges | edge.bit();
        neighbours(edge)
            .into_iter()
            .filter(|edges| after & edges == *edges)
            .count() as u8
    }

    /// Whether this edge puts the third side on a box, so that the opponent can complete it.
    #[inline]
    pub fn gives_away(&self, edge: Edge) -> bool {
        let after = self.edges | edge.bit();
        neighbours(edge)
            .into_iter()
            .any(|edges| (after & edges).count_ones() == 3 && edges != NO_BOX)
    }

    /// A position for enumerating states: these edges are drawn, all complete boxes belong to
    /// `owner`, and `turn` is to move.
    pub fn with_edges(rules: DotsRules, edges: u64, owner: Player, turn: Player) -> Dots {
        let edges = edges & rules.all_edges();
        let complete =
            (0..SIDE * SIDE).filter(|&number| edges & BOX_EDGES[number] == BOX_EDGES[number]);
        let taken = complete.fold(0, |taken, number| taken | 1 << number);
        let firsts = if owner == Player::First { taken } else { 0 };
        Dots {
            edges,
            taken,
            firsts,
            rules,
            turn,
        }
    }

    /// This position with the complete boxes redistributed so that `player` owns `boxes` of them,
    /// or all if there are fewer.
    pub fn with_score(&self, player: Player, boxes: u8) -> Dots {
        let mut theirs = self.taken;
        for _ in 0..boxes {
            theirs &= theirs.wrapping_sub(1);
        }
        let firsts = if player == Player::First {
            self.taken & !theirs
        } else {
            theirs
        };
        Dots { firsts, ..*self }
    }

    /// Boxes of `player` minus the opponent's, negated in misère: what `player` maximizes.
    pub fn lead(&self, player: Player) -> i16 {
        let lead = i16::from(self.score(player)) - i16::from(self.score(!player));
        if self.rules.misere { -lead } else { lead }
    }

    /// The result for the mover, 1, 0 or −1, if its [`Dots::lead`] grows by `more` until the end.
    pub fn result_with(&self, more: i16) -> i8 {
        match (self.lead(self.turn) + more, self.rules.ties) {
            (0, Ties::Draw) => 0,
            (0, Ties::StarterLoses) if self.turn == Player::First => -1,
            (0, Ties::StarterLoses) => 1,
            (lead, _) => lead.signum() as i8,
        }
    }
}

impl Recorded for Dots {}

impl Game for Dots {
    type Rules = DotsRules;
    type Move = Edge;
    type Moves = EdgeSet;

    const NAME: &'static str = GameId::Dots.name();
    const RULES_VERSION: u16 = GameId::Dots.rules_version();
    const MAX_MOVES: usize = MAX_EDGES; // the first move on 5×5
    const MAX_PLIES: usize = MAX_EDGES; // every game draws every edge
    const ALTERNATES: bool = false;
    const MOVER_CAN_LOSE: bool = true;
    const SYMMETRIES: usize = 8;

    fn new(rules: DotsRules) -> Dots {
        Dots {
            edges: 0,
            taken: 0,
            firsts: 0,
            rules,
            turn: Player::First,
        }
    }

    fn rules(&self) -> DotsRules {
        self.rules
    }

    #[inline]
    fn turn(&self) -> Player {
        self.turn
    }

    #[inline]
    fn legal_moves(&self) -> EdgeSet {
        self.free()
    }

    fn is_legal(&self, edge: Edge) -> bool {
        self.free().0 & edge.bit() != 0
    }

    #[inline]
    fn play_unchecked(&mut self, edge: Edge) {
        self.edges |= edge.bit();
        let mut gained = 0;
        for number in BOXES_OF[usize::from(edge.0)] {
            let edges = BOX_EDGES[usize::from(number)];
            gained |= u32::from(self.edges & edges == edges) << number;
        }
        self.taken |= gained;
        match (gained, self.turn) {
            (0, turn) => self.turn = !turn,
            (_, Player::First) => self.firsts |= gained,
            (_, Player::Second) => {}
        }
    }

    #[inline]
    fn outcome(&self) -> Option<Outcome> {
        if self.edges != self.rules.all_edges() {
            return None;
        }
        Some(match (self.lead(Player::First), self.rules.ties) {
            (0, Ties::Draw) => Outcome::Draw,
            (0, Ties::StarterLoses) | (..0, _) => Outcome::Win(Player::Second),
            _ => Outcome::Win(Player::First),
        })
    }

    fn key(&self) -> u64 {
        let DotsRules {
            rows,
            cols,
            ties,
            misere,
        } = self.rules;
        let starts = self.rules.starter_matters() && self.turn == Player::First;
        let rest = [
            rows,
            cols,
            ties as u8,
            misere.into(),
            self.score(self.turn),
            starts.into(),
        ];
        let rest = rest
            .into_iter()
            .fold(0, |all, part| all << 5 | u64::from(part));
        // A multiplicative hash of everything but the edges. Up to 4×4 the edges take 40 bits, and
        // the bits above them tell all values of `rest` apart: keys are unique.
        self.edges ^ rest.wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }

    fn parse_move(&self, text: &str) -> Result<Edge, NotationError> {
        let shape = NotationError {
            expected: "h or v, row and column from 0, such as h00",
        };
        let &[kind, row @ b'0'..=b'5', col @ b'0'..=b'5'] = text.as_bytes() else {
            return Err(shape);
        };
        match kind {
            b'h' => Edge::horizontal(row - b'0', col - b'0'),
            b'v' => Edge::vertical(row - b'0', col - b'0'),
            _ => None,
        }
        .ok_or(shape)
    }

    /// Refuses complete boxes without an owner, incomplete boxes with one, and a turn that the
    /// numbers of edges and boxes rule out.
    fn parse_position(rules: DotsRules, text: &str) -> Result<Dots, NotationError> {
        let shape = NotationError {
            expected: "lines of edges and boxes and who is to move, such as -/|2|/- second",
        };
        let (lines, turn) = text.split_once(' ').ok_or(shape)?;
        let turn = Player::BOTH
            .into_iter()
            .find(|player| player.name() == turn)
            .ok_or(shape)?;
        let mut game = Dots {
            turn,
            ..Dots::new(rules)
        };
        let mut lines = lines.split('/');
        for line in 0..=2 * rules.rows {
            let marks = lines.next().ok_or(shape)?.as_bytes();
            let (row, across) = (line / 2, line % 2 == 0);
            let length = if across {
                rules.cols
            } else {
                2 * rules.cols + 1
            };
            if marks.len() != usize::from(length) {
                return Err(shape);
            }
            for (place, &mark) in (0..).zip(marks) {
                let edge = match across {
                    true => Edge::horizontal(row, place),
                    false if place % 2 == 0 => Edge::vertical(row, place / 2),
                    false => None,
                };
                match (edge, mark) {
                    (_, b'.') => {}
                    (Some(edge), b'-') if across => game.edges |= edge.bit(),
                    (Some(edge), b'|') if !across => game.edges |= edge.bit(),
                    (None, b'1' | b'2') => {
                        let bit = 1 << BOX_AT[usize::from(row)][usize::from(place / 2)];
                        game.taken |= bit;
                        game.firsts |= if mark == b'1' { bit } else { 0 };
                    }
                    _ => return Err(shape),
                }
            }
        }
        if lines.next().is_some() {
            return Err(shape);
        }
        let reachable = NotationError {
            expected: "a position that a game can reach",
        };
        if game.taken != Dots::with_edges(rules, game.edges, turn, turn).taken
            || !game.turn_is_possible()
        {
            return Err(reachable);
        }
        Ok(game)
    }

    fn transformed(&self, symmetry: usize) -> Dots {
        let DotsRules { rows, cols, .. } = self.rules;
        let (rows, cols) = if symmetry & 4 != 0 {
            (cols, rows)
        } else {
            (rows, cols)
        };
        let edges = EdgeSet(self.edges).fold(0, |edges, edge| {
            edges | self.transformed_move(edge, symmetry).bit()
        });
        let boxes = |set: u32| {
            let numbers = (0..SIDE * SIDE).filter(|number| set >> number & 1 == 1);
            numbers.fold(0, |image, number| {
                image | 1 << self.transformed_box(number, symmetry)
            })
        };
        Dots {
            edges,
            taken: boxes(self.taken),
            firsts: boxes(self.firsts),
            rules: DotsRules {
                rows,
                cols,
                ..self.rules
            },
            turn: self.turn,
        }
    }

    /// Bit 0 flips the rows, bit 1 mirrors the columns, bit 2 then transposes the board.
    fn transformed_move(&self, edge: Edge, symmetry: usize) -> Edge {
        let DotsRules { rows, cols, .. } = self.rules;
        let geometry::EdgePlace {
            vertical,
            mut row,
            mut col,
        } = EDGES[usize::from(edge.0)];
        if symmetry & 1 != 0 {
            row = (rows - u8::from(vertical)).wrapping_sub(row);
        }
        if symmetry & 2 != 0 {
            col = (cols - u8::from(!vertical)).wrapping_sub(col);
        }
        let image = match (vertical, symmetry & 4 != 0) {
            (false, false) => Edge::horizontal(row, col),
            (false, true) => Edge::vertical(col, row),
            (true, false) => Edge::vertical(row, col),
            (true, true) => Edge::horizontal(col, row),
        };
        // Only an edge outside the board has no image.
        image.unwrap_or(edge)
    }

    fn margin(&self, player: Player) -> i16 {
        if self.is_over() { self.lead(player) } else { 0 }
    }
}

impl Dots {
    fn transformed_box(&self, number: usize, symmetry: usize) -> u8 {
        let (mut row, mut col) = geometry::place_of_box(number);
        if symmetry & 1 != 0 {
            row = (self.rules.rows - 1).wrapping_sub(row);
        }
        if symmetry & 2 != 0 {
            col = (self.rules.cols - 1).wrapping_sub(col);
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        BOX_AT[usize::from(row) % SIDE][usize::from(col) % SIDE]
    }

    /// Whether the player to move agrees with edges and boxes; a necessary condition.
    ///
    /// The turn changes with every edge that completes no box. Each box was completed by an edge of
    /// its own, except that the edge between two boxes of one owner may have completed both; then
    /// the parity is open. If every edge borders a complete box, the last edge completed one, and
    /// its owner is to move.
    fn turn_is_possible(&self) -> bool {
        let owner =
            |number: u8| (self.taken >> number & 1 == 1).then_some(self.firsts >> number & 1);
        let (mut pair, mut loose) = (false, self.edges == 0);
        for edge in EdgeSet(self.edges) {
            let [a, b] = BOXES_OF[usize::from(edge.0)].map(owner);
            pair |= a.is_some() && a == b;
            loose |= a.is_none() && b.is_none();
        }
        let changes = self.edges.count_ones() - self.taken.count_ones();
        (loose || self.score(self.turn) > 0) && (pair || changes % 2 == self.turn.index() as u32)
    }
}

impl fmt::Display for Dots {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let mark = |edge: Option<Edge>, drawn| {
            if edge.is_some_and(|edge| self.has(edge)) {
                drawn
            } else {
                '.'
            }
        };
        let DotsRules { rows, cols, .. } = self.rules;
        for row in 0..=rows {
            for col in 0..cols {
                f.write_char(mark(Edge::horizontal(row, col), '-'))?;
            }
            if row == rows {
                break;
            }
            f.write_char('/')?;
            for col in 0..=cols {
                f.write_char(mark(Edge::vertical(row, col), '|'))?;
                if col < cols {
                    f.write_char(
                        self.owner(row, col)
                            .map_or('.', |player| ['1', '2'][player.index()]),
                    )?;
                }
            }
            f.write_char('/')?;
        }
        write!(f, " {}", self.turn.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    fn play(rules: DotsRules, moves: &str) -> Dots {
        let mut game = Dots::new(rules);
        for word in moves.split_whitespace() {
            game.play(game.parse_move(word).unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn one_edge_can_complete_two_boxes() {
        let rules = DotsRules::new(1, 2).unwrap();
        let game = play(rules, "h00 h01 h10 h11 v00 v02");
        assert_eq!(
            (game.turn(), game.completes(Edge::vertical(0, 1).unwrap())),
            (Player::First, 2)
        );
        let game = play(rules, "h00 h01 h10 h11 v00 v02 v01");
        assert_eq!(
            (
                game.score(Player::First),
                game.score(Player::Second),
                game.turn()
            ),
            (2, 0, Player::First)
        );
        assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(game.margin(Player::Second), -2);
    }

    #[test]
    fn equal_boxes_are_judged_as_the_rules_say() {
        let usual = DotsRules::new(1, 2).unwrap();
        let moves = "h00 h10 h01 v00 v01 h11 v02";
        for (ties, misere, outcome) in [
            (Ties::StarterLoses, false, Outcome::Win(Player::Second)),
            (Ties::StarterLoses, true, Outcome::Win(Player::Second)),
            (Ties::Draw, false, Outcome::Draw),
            (Ties::Draw, true, Outcome::Draw),
        ] {
            let game = play(
                DotsRules {
                    ties,
                    misere,
                    ..usual
                },
                moves,
            );
            assert_eq!(
                (game.score(Player::First), game.score(Player::Second)),
                (1, 1),
                "{game}"
            );
            assert_eq!(
                (game.outcome(), game.margin(Player::First)),
                (Some(outcome), 0)
            );
        }
    }

    #[test]
    fn fewer_boxes_win_in_misere() {
        let rules = DotsRules {
            misere: true,
            ..DotsRules::new(1, 1).unwrap()
        };
        let game = play(rules, "h00 h10 v00 v01");
        assert_eq!(game.outcome(), Some(Outcome::Win(Player::First)));
        assert_eq!(game.margin(Player::First), 1);
    }

    #[test]
    fn keys_tell_all_small_positions_apart_and_forget_who_owns_which_box() {
        let rules = DotsRules::default();
        let a = play(rules, "h00 h10 v00 v01 v02 h01 v11 h11 h20 v10");
        assert_eq!(a.score(Player::First) + a.score(Player::Second), 3);
        let same_score = Dots {
            firsts: a.taken & !(1 << a.taken.trailing_zeros()),
            ..a
        };
        let other = Dots {
            firsts: a.taken & !(1 << (31 - a.taken.leading_zeros())),
            ..a
        };
        assert_ne!(same_score, other);
        assert_eq!(same_score.key(), other.key());
        // Up to 4×4 the edges take 40 bits: the hash of the rest has to differ above them.
        for (rows, cols) in [(2, 2), (3, 3), (4, 4), (3, 4)] {
            let rules = DotsRules::new(rows, cols).unwrap();
            let mut tops = heapless::Vec::<u64, 64>::new();
            for score in 0..=rules.boxes() {
                for turn in Player::BOTH {
                    let firsts = if turn == Player::First {
                        (1 << score) - 1
                    } else {
                        0
                    };
                    let game = Dots {
                        taken: (1 << score) - 1,
                        firsts,
                        turn,
                        ..Dots::new(rules)
                    };
                    tops.push(game.key() >> 40).unwrap();
                }
            }
            tops.sort_unstable();
            let distinct = tops.iter().zip(&tops[1..]).filter(|(a, b)| a != b).count() + 1;
            let expected = if rules.starter_matters() {
                tops.len()
            } else {
                tops.len() / 2
            };
            assert_eq!(distinct, expected, "{rules}");
        }
    }

    #[test]
    fn impossible_positions_are_refused() {
        let rules = DotsRules::default();
        for text in [
            "../...../../...../.. second",
            "-./...../../...../.. first",
            "--/|.|.|/--/...../.. first",
            "../.1.../../...../.. first",
            "-./|1|../-./...../.. first x",
            "-./|1|../-./...../.. second",
            "../...../../.....",
            "../...../../...../../... first",
            "|./...../../...../.. first",
        ] {
            assert!(Dots::parse_position(rules, text).is_err(), "{text}");
        }
        assert!(Dots::parse_position(rules, "-./|2|../-./...../.. second").is_ok());
    }

    #[test]
    fn square_boards_number_their_edges_without_gaps() {
        for side in 1..=5 {
            let edges = 2 * u32::from(side) * (u32::from(side) + 1);
            assert_eq!(
                DotsRules::new(side, side).unwrap().all_edges(),
                (1u64 << edges) - 1
            );
        }
        assert_eq!(DotsRules::new(2, 3).unwrap().all_edges().count_ones(), 17);
    }

    #[test]
    fn giving_away_means_that_the_next_player_can_complete() {
        let mut rng = Rng::new(4);
        for _ in 0..200 {
            let mut game = Dots::new(DotsRules::new(3, 4).unwrap());
            while let Some(edge) = rng.pick(game.legal_moves()) {
                let mut next = game;
                next.play_unchecked(edge);
                if game.legal_moves().all(|edge| game.completes(edge) == 0) {
                    assert_eq!(
                        game.gives_away(edge),
                        next.legal_moves().any(|edge| next.completes(edge) > 0)
                    );
                }
                game = next;
            }
        }
    }
}

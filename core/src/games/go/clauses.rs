//! Move patterns as logic: a clause names conditions on a candidate move and on the blocks around it.
//!
//! Clauses are induced on a PC from recorded games and negative examples (inductive logic programming); the device only
//! matches them. [`ClauseView`] collects the blocks of a position once, [`Clause::points`] gives every empty point that a clause
//! covers, by shifts and intersections of whole-board sets, and [`scores`] adds the weights of all clauses that cover a
//! point. [`ClauseSet`] is the checked view of a bank entry.
//!
//! All positional conditions of one clause share one of the eight symmetries; [`Reading`] says what a symmetry moves.

use core::fmt;

use super::Go;
use super::points::{NUMBERS, Point, Points, SIDE, UP};
use crate::bank::{Bank, Kind, Meta, Number};
use crate::game::Game;
use crate::games::GameId;

/// Largest displacement of a block from the candidate point, along each axis.
pub const REACH: i8 = 4;
/// Most block variables of a clause: fifteen literals, the published limit, have no use for more.
pub const MAX_BLOCKS: usize = 3;
/// Most places of one block variable.
pub const MAX_PLACES: usize = 3;
/// Symmetries of the square.
pub const SYMMETRIES: usize = 8;

/// What a symmetry of the published predicates moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// The symmetry turns displacements and edges about the candidate point.
    #[default]
    AboutThePoint,
    /// As the published listing has it: the symmetry also moves the candidate point, so that a displacement is looked up at
    /// the mirror image of its place, and distances to the edge do not vary.
    AsListed,
}

impl Reading {
    /// Both.
    pub const ALL: [Reading; 2] = [Reading::AboutThePoint, Reading::AsListed];

    /// Its name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Reading::AboutThePoint => "about-the-point",
            Reading::AsListed => "as-listed",
        }
    }
}

/// Phase of the game, by the number of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Move 1.
    Open = 1,
    /// Moves 2 to 20.
    Start = 2,
    /// Moves 21 to 40.
    Mid = 3,
    /// Move 41 and later.
    End = 4,
}

impl Stage {
    /// All stages, in order.
    pub const ALL: [Stage; 4] = [Stage::Open, Stage::Start, Stage::Mid, Stage::End];

    /// The stage of the move after `plies` moves.
    pub fn after(plies: usize) -> Stage {
        match plies {
            0 => Stage::Open,
            1..=19 => Stage::Start,
            20..=39 => Stage::Mid,
            _ => Stage::End,
        }
    }

    /// Its name in rule files.
    pub const fn name(self) -> &'static str {
        match self {
            Stage::Open => "open",
            Stage::Start => "start",
            Stage::Mid => "mid",
            Stage::End => "end",
        }
    }
}

/// How a block is related to the candidate point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockPlace {
    /// One of its stones stands at this displacement (columns, rows), under the clause's symmetry.
    At(i8, i8),
    /// The candidate point is one of its liberties.
    Adjacent,
    /// An enemy block whose only liberty is the candidate point.
    Captures,
    /// An enemy block with two liberties, one of them the candidate point.
    Atari,
    /// An own block with the candidate point as a liberty.
    Direct,
    /// An own block two of whose liberties lie next to the candidate point.
    Indirect,
}

impl BlockPlace {
    /// All places that need no symmetry.
    pub const RELATIONS: [BlockPlace; 5] = [
        BlockPlace::Adjacent,
        BlockPlace::Captures,
        BlockPlace::Atari,
        BlockPlace::Direct,
        BlockPlace::Indirect,
    ];

    /// Whether the clause's symmetry moves it.
    pub fn is_positional(self) -> bool {
        matches!(self, BlockPlace::At(..))
    }

    const WIDTH: i8 = 2 * REACH + 1;

    fn code(self) -> u8 {
        const FIRST: u8 = (BlockPlace::WIDTH * BlockPlace::WIDTH) as u8;
        match self {
            BlockPlace::At(dx, dy) => ((dy + REACH) * BlockPlace::WIDTH + dx + REACH) as u8,
            BlockPlace::Adjacent => FIRST,
            BlockPlace::Captures => FIRST + 1,
            BlockPlace::Atari => FIRST + 2,
            BlockPlace::Direct => FIRST + 3,
            BlockPlace::Indirect => FIRST + 4,
        }
    }

    fn from_code(code: u8) -> Option<BlockPlace> {
        let code = code as i8;
        let squares = BlockPlace::WIDTH * BlockPlace::WIDTH;
        match code {
            0.. if code < squares => {
                let (dx, dy) = (
                    code % BlockPlace::WIDTH - REACH,
                    code / BlockPlace::WIDTH - REACH,
                );
                (dx != 0 || dy != 0).then_some(BlockPlace::At(dx, dy))
            }
            0.. => BlockPlace::RELATIONS
                .get((code - squares) as usize)
                .copied(),
            _ => None,
        }
    }
}

/// The colour of a block, relative to the player who moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// The player who moves.
    Me,
    /// The opponent.
    Foe,
    /// Either, but the same for all blocks of the clause that say so.
    Shared,
}

/// Inclusive bounds of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CountRange {
    /// At least.
    pub low: u8,
    /// At most.
    pub high: u8,
}

impl CountRange {
    /// Any count.
    pub const ANY: CountRange = CountRange {
        low: 0,
        high: u8::MAX,
    };

    /// Exactly this count.
    pub const fn exactly(count: u8) -> CountRange {
        CountRange {
            low: count,
            high: count,
        }
    }

    /// Whether a count lies within.
    pub fn contains(self, count: u8) -> bool {
        (self.low..=self.high).contains(&count)
    }
}

/// A block variable with everything that a clause asks of it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockTest {
    /// Where it stands: all of these at once. At least one.
    pub places: heapless::Vec<BlockPlace, MAX_PLACES>,
    /// Whose it is.
    pub colour: Colour,
    /// How many liberties it has.
    pub liberties: CountRange,
    /// How many stones it has.
    pub stones: CountRange,
}

impl BlockTest {
    /// A block at one place, of any size.
    pub fn new(place: BlockPlace, colour: Colour) -> BlockTest {
        BlockTest {
            places: core::iter::once(place).collect(),
            colour,
            liberties: CountRange::ANY,
            stones: CountRange::ANY,
        }
    }

    /// Whether a symmetry changes where it is seen.
    fn is_positional(&self) -> bool {
        self.places.iter().any(|place| place.is_positional())
    }

    /// Whether a block satisfies everything but the places; `shared` is the value of [`Colour::Shared`].
    pub fn admits(&self, block: &BlockFacts, shared: Colour) -> bool {
        let colour = match self.colour {
            Colour::Shared => shared,
            colour => colour,
        };
        block.mine == (colour == Colour::Me)
            && self.liberties.contains(block.liberty_count)
            && self.stones.contains(block.stone_count)
    }
}

/// A conjunction of conditions on a candidate move.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clause {
    /// Conditions on blocks.
    pub blocks: heapless::Vec<BlockTest, MAX_BLOCKS>,
    /// Signed distance to the nearer vertical edge, see [`edge_distance`].
    pub vertical: Option<i8>,
    /// Signed distance to the nearer horizontal edge.
    pub horizontal: Option<i8>,
    /// Phase of the game.
    pub stage: Option<Stage>,
}

/// Signed distance of a line (from 0) to the nearer edge: −1 to −4 on the near half of a 9×9 board, 5 to 1 on the far
/// half, to which the middle belongs.
pub fn edge_distance(size: u8, line: u8) -> i8 {
    let (size, line) = (size as i8, line as i8 + 1);
    if 2 * line < size + 1 {
        -line
    } else {
        size + 1 - line
    }
}

/// The line (from 0) at a signed distance: the inverse of [`edge_distance`].
fn line_at(size: u8, distance: i8) -> Option<u8> {
    let line = if distance < 0 {
        -1 - distance
    } else {
        size as i8 - distance
    };
    let line = u8::try_from(line).ok().filter(|&line| line < size)?;
    (edge_distance(size, line) == distance).then_some(line)
}

/// The points of each column and of each row of the largest board.
const COLUMNS: [Points; SIDE as usize] = lines(UP, 1);
const ROWS: [Points; SIDE as usize] = lines(1, UP);

/// Lines whose points are `step` numbers apart, each `next` numbers after the one before.
const fn lines(step: u8, next: u8) -> [Points; SIDE as usize] {
    let mut table = [Points::EMPTY; SIDE as usize];
    let mut line = 0;
    while line < SIDE {
        let mut words = [0u32; 3];
        let mut place = 0;
        while place < SIDE {
            let number = line * next + place * step;
            words[(number >> 5) as usize] |= 1 << (number & 31);
            place += 1;
        }
        table[line as usize] = Points::from_words(words);
        line += 1;
    }
    table
}

/// The points whose image under a symmetry lies in this column (or row, if `of_rows`).
fn line_under(size: u8, line: u8, of_rows: bool, symmetry: usize) -> Points {
    // Rows and columns are flipped first and then swapped.
    let on_rows = of_rows != (symmetry & 4 != 0);
    let flip = if on_rows { 1 } else { 2 };
    let line = if symmetry & flip != 0 {
        (size - 1).saturating_sub(line)
    } else {
        line
    };
    let table = if on_rows { &ROWS } else { &COLUMNS };
    table
        .get(usize::from(line))
        .copied()
        .unwrap_or(Points::EMPTY)
}

/// The symmetry that undoes another one.
const fn inverse(symmetry: usize) -> usize {
    match symmetry {
        // A quarter turn is undone by the other one.
        5 => 6,
        6 => 5,
        own => own,
    }
}

/// The displacement on the board that a symmetry shows as `(dx, dy)`: the inverse of [`super::Point`]'s transformation,
/// which turns rows round (bit 0), columns (bit 1), and then swaps rows and columns (bit 2).
pub fn turned(symmetry: usize, (mut dx, mut dy): (i8, i8)) -> (i8, i8) {
    if symmetry & 4 != 0 {
        (dx, dy) = (dy, dx);
    }
    if symmetry & 1 != 0 {
        dy = -dy;
    }
    if symmetry & 2 != 0 {
        dx = -dx;
    }
    (dx, dy)
}

/// A block as clauses see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockFacts {
    /// Its stones.
    pub stones: Points,
    /// Its liberties.
    pub liberties: Points,
    /// Whether it belongs to the player who moves.
    pub mine: bool,
    /// Number of stones.
    pub stone_count: u8,
    /// Number of liberties.
    pub liberty_count: u8,
}

impl BlockFacts {
    /// The points for which this block stands at a place, under a symmetry; points off the board and stones among them.
    fn seen_from(&self, place: BlockPlace, view: &ClauseView, turn: Turn) -> Points {
        match place {
            BlockPlace::At(dx, dy) => turn.seen(self.stones, view.size, (dx, dy)),
            BlockPlace::Adjacent => self.liberties,
            BlockPlace::Captures if !self.mine && self.liberty_count == 1 => self.liberties,
            BlockPlace::Atari if !self.mine && self.liberty_count == 2 => self.liberties,
            BlockPlace::Direct if self.mine => self.liberties,
            BlockPlace::Indirect if self.mine => next_to_two(self.liberties),
            _ => Points::EMPTY,
        }
    }
}

/// A symmetry and what it moves.
#[derive(Clone, Copy, Debug)]
struct Turn {
    symmetry: usize,
    reading: Reading,
}

impl Turn {
    /// The points that see one of these stones at a displacement; points off the board among them.
    fn seen(self, stones: Points, size: u8, displacement: (i8, i8)) -> Points {
        match self.reading {
            Reading::AboutThePoint => displaced(stones, turned(self.symmetry, displacement)),
            Reading::AsListed => displaced(
                stones.transformed(size, inverse(self.symmetry)),
                displacement,
            ),
        }
    }

    /// The points on the lines at these distances; points off smaller boards among them.
    fn lines(self, size: u8, vertical: Option<i8>, horizontal: Option<i8>) -> Points {
        let symmetry = match self.reading {
            Reading::AboutThePoint => self.symmetry,
            Reading::AsListed => 0,
        };
        let lines = |distance: Option<i8>, of_rows| {
            distance.map_or(!Points::EMPTY, |distance| {
                line_at(size, distance).map_or(Points::EMPTY, |line| {
                    line_under(size, line, of_rows, symmetry)
                })
            })
        };
        lines(vertical, false) & lines(horizontal, true)
    }
}

/// The points that see a point of `set` at this displacement.
fn displaced(set: Points, (dx, dy): (i8, i8)) -> Points {
    let shift = i32::from(dy) * i32::from(UP) + i32::from(dx);
    let [a, b, c] = set.words();
    // Word by word: the M0+ has no wider shifts, and a displacement is less than two words.
    let bits = shift.unsigned_abs() % 32;
    let moved = if shift >= 0 {
        let (a, b, c) = if shift < 32 { (a, b, c) } else { (b, c, 0) };
        let join = |low: u32, high: u32| low >> bits | (high << 1) << (31 - bits);
        [join(a, b), join(b, c), c >> bits]
    } else {
        let (a, b, c) = if shift > -32 { (a, b, c) } else { (0, a, b) };
        let join = |low: u32, high: u32| high << bits | (low >> 1) >> (31 - bits);
        [a << bits, join(a, b), join(b, c)]
    };
    Points::from_words(moved) & columns_within(dx)
}

/// The points of the largest board from which `dx` columns farther is still a column.
const fn columns_within(dx: i8) -> Points {
    const TABLE: [Points; (2 * REACH + 1) as usize] = {
        let mut table = [Points::EMPTY; (2 * REACH + 1) as usize];
        let mut index = 0;
        while index < table.len() {
            let dx = index as i8 - REACH;
            let mut words = [0u32; 3];
            let mut number = 0u8;
            while number < UP * SIDE {
                let col = (number % UP) as i8 + dx;
                if number % UP < SIDE && col >= 0 && col < SIDE as i8 {
                    words[(number >> 5) as usize] |= 1 << (number & 31);
                }
                number += 1;
            }
            table[index] = Points::from_words(words);
            index += 1;
        }
        table
    };
    let index = dx + REACH;
    if index >= 0 && (index as usize) < TABLE.len() {
        TABLE[index as usize]
    } else {
        Points::EMPTY
    }
}

/// The points with at least two neighbours in `set`.
fn next_to_two(set: Points) -> Points {
    let bits = set.bits();
    let (left, right, down, up) = (bits << 1, bits >> 1, bits << UP, bits >> UP);
    Points::from_bits(left & right | down & up | (left | right) & (down | up))
}

/// A position prepared for clauses.
#[derive(Clone, Debug)]
pub struct ClauseView {
    /// The points that may be candidates.
    pub empty: Points,
    /// Phase of the next move.
    pub stage: Stage,
    /// Side of the board.
    pub size: u8,
    blocks: heapless::Vec<BlockFacts, MAX_BLOCK_COUNT>,
}

/// Every block has a liberty, and no two blocks share a stone: fewer than all points.
const MAX_BLOCK_COUNT: usize = SIDE as usize * SIDE as usize;

impl ClauseView {
    /// Collects the blocks of a position.
    pub fn new(game: &Go) -> ClauseView {
        let (stones, board) = (game.stones(), game.board());
        let facts = |(player, block): (_, Points)| {
            let liberties = stones.liberties(block, board);
            BlockFacts {
                stones: block,
                liberties,
                mine: player == game.turn(),
                stone_count: block.len() as u8,
                liberty_count: liberties.len() as u8,
            }
        };
        ClauseView {
            empty: game.empty(),
            stage: Stage::after(game.plies()),
            size: game.rules().size(),
            blocks: stones.blocks().map(facts).take(MAX_BLOCK_COUNT).collect(),
        }
    }

    /// All blocks.
    pub fn blocks(&self) -> &[BlockFacts] {
        &self.blocks
    }
}

impl Clause {
    /// Whether a symmetry changes it.
    pub fn is_positional(&self) -> bool {
        self.vertical.is_some()
            || self.horizontal.is_some()
            || self.blocks.iter().any(BlockTest::is_positional)
    }

    /// The empty points that it covers, in any symmetry.
    pub fn points(&self, view: &ClauseView, reading: Reading) -> Points {
        if self.stage.is_some_and(|stage| stage != view.stage) {
            return Points::EMPTY;
        }
        let is_shared = self.blocks.iter().any(|test| test.colour == Colour::Shared);
        let colours = [Colour::Me, Colour::Foe];
        let colours = colours.into_iter().take(if is_shared { 2 } else { 1 });
        colours.fold(Points::EMPTY, |all, shared| {
            all | self.points_with(view, reading, shared)
        })
    }

    /// The empty points that it covers if `shared` is the value of [`Colour::Shared`].
    fn points_with(&self, view: &ClauseView, reading: Reading, shared: Colour) -> Points {
        let Some(start) = Start::new(self, view, shared) else {
            return Points::EMPTY;
        };
        let symmetries = if self.is_positional() { SYMMETRIES } else { 1 };
        (0..symmetries).fold(Points::EMPTY, |all, symmetry| {
            all | self.points_under(view, Turn { symmetry, reading }, &start)
        })
    }

    /// The same under one symmetry.
    #[inline(never)] // flash is short, and a call is little of it
    fn points_under(&self, view: &ClauseView, turn: Turn, start: &Start) -> Points {
        let mut points = start.points & turn.lines(view.size, self.vertical, self.horizontal);
        for (test, &stones) in self.blocks.iter().zip(&start.admitted) {
            if points.is_empty() {
                break;
            }
            points &= match test.places[..] {
                // One displacement: all blocks at once.
                [BlockPlace::At(dx, dy)] => turn.seen(stones, view.size, (dx, dy)),
                // Among the points to start with.
                _ if !test.is_positional() => continue,
                _ => seen_everywhere(test, view, turn, start.shared, points),
            };
        }
        points
    }

    /// The clause as it covers a point, turned as the board lies there and with the colour that its
    /// blocks share; `None` if it does not cover the point. As listed, it is not turned.
    pub fn at(&self, view: &ClauseView, reading: Reading, point: Point) -> Option<Clause> {
        let symmetries = if self.is_positional() { SYMMETRIES } else { 1 };
        if self.stage.is_some_and(|stage| stage != view.stage) {
            return None;
        }
        for shared in [Colour::Me, Colour::Foe] {
            let Some(start) = Start::new(self, view, shared) else {
                continue;
            };
            for symmetry in 0..symmetries {
                let turn = Turn { symmetry, reading };
                if self.points_under(view, turn, &start).contains(point) {
                    return Some(self.as_it_lies(view.size, turn, shared));
                }
            }
        }
        None
    }

    fn as_it_lies(&self, size: u8, turn: Turn, shared: Colour) -> Clause {
        let mut clause = self.clone();
        for test in &mut clause.blocks {
            if test.colour == Colour::Shared {
                test.colour = shared;
            }
        }
        if turn.reading == Reading::AsListed {
            return clause;
        }
        for place in clause.blocks.iter_mut().flat_map(|test| &mut test.places) {
            if let BlockPlace::At(dx, dy) = *place {
                let (dx, dy) = turned(turn.symmetry, (dx, dy));
                *place = BlockPlace::At(dx, dy);
            }
        }
        (clause.vertical, clause.horizontal) = (None, None);
        for (distance, of_rows) in [(self.vertical, false), (self.horizontal, true)] {
            let Some(line) = distance.and_then(|distance| line_at(size, distance)) else {
                continue;
            };
            // As in `line_under`.
            let on_rows = of_rows != (turn.symmetry & 4 != 0);
            let is_flipped = turn.symmetry & if on_rows { 1 } else { 2 } != 0;
            let line = if is_flipped {
                (size - 1).saturating_sub(line)
            } else {
                line
            };
            let distance = Some(edge_distance(size, line));
            if on_rows {
                clause.horizontal = distance;
            } else {
                clause.vertical = distance;
            }
        }
        clause
    }

    /// The name that players give to the move of a clause with one block and nothing else about it.
    pub fn name(&self) -> Option<&'static str> {
        let [test] = &self.blocks[..] else {
            return None;
        };
        let [place] = test.places[..] else {
            return None;
        };
        if (test.liberties, test.stones) != (CountRange::ANY, CountRange::ANY) {
            return None;
        }
        let shape = match place {
            BlockPlace::At(dx, dy) => {
                let (a, b) = (dx.unsigned_abs(), dy.unsigned_abs());
                (a.min(b), a.max(b))
            }
            BlockPlace::Captures => return Some("capture"),
            BlockPlace::Atari => return Some("atari"),
            BlockPlace::Direct => return Some("extension from a block"),
            BlockPlace::Indirect => return Some("can connect twice"),
            BlockPlace::Adjacent => (0, 1),
        };
        Some(match (test.colour, shape) {
            (Colour::Me, (0, 1)) => "extension",
            (Colour::Me, (1, 1)) => "diagonal move",
            (Colour::Me, (0, 2)) => "one-point jump",
            (Colour::Me, (1, 2)) => "knight's move",
            (Colour::Me, (0, 3)) => "two-point jump",
            (Colour::Me, (1, 3)) => "large knight's move",
            (Colour::Me, (2, 2)) => "diagonal jump",
            (Colour::Foe, (0, 1)) => "contact play",
            (Colour::Foe, (1, 1)) => "shoulder hit",
            (Colour::Foe, (0, 2)) => "cap",
            (Colour::Foe, (1, 2)) => "knight's approach",
            _ => return None,
        })
    }
}

/// What no symmetry changes about a clause in a position.
struct Start {
    /// The value of [`Colour::Shared`].
    shared: Colour,
    /// The stones of the blocks that each test admits.
    admitted: [Points; MAX_BLOCKS],
    /// The empty points that pass the tests without a displacement.
    points: Points,
}

impl Start {
    /// `None` if the clause covers no point.
    fn new(clause: &Clause, view: &ClauseView, shared: Colour) -> Option<Start> {
        let mut start = Start {
            shared,
            admitted: [Points::EMPTY; MAX_BLOCKS],
            points: view.empty,
        };
        for (stones, test) in start.admitted.iter_mut().zip(&clause.blocks) {
            let admitted = view.blocks.iter();
            *stones = admitted
                .filter(|block| test.admits(block, shared))
                .fold(Points::EMPTY, |set, block| set | block.stones);
            if stones.is_empty() {
                return None;
            }
            if !test.is_positional() {
                let turn = Turn {
                    symmetry: 0,
                    reading: Reading::AboutThePoint,
                };
                start.points = seen_everywhere(test, view, turn, shared, start.points);
            }
        }
        Some(start).filter(|start| !start.points.is_empty())
    }
}

/// Those of some points that see one block with these properties at all its places.
#[inline(never)] // flash is short
fn seen_everywhere(
    test: &BlockTest,
    view: &ClauseView,
    turn: Turn,
    shared: Colour,
    within: Points,
) -> Points {
    let mut seen = Points::EMPTY;
    for block in &view.blocks {
        if test.admits(block, shared) {
            let mut points = within;
            for &place in &test.places {
                points &= block.seen_from(place, view, turn);
                if points.is_empty() {
                    break;
                }
            }
            seen |= points;
        }
    }
    seen
}

/// Bytes of a clause in the bank.
pub const CLAUSE_BYTES: usize = 6 + MAX_BLOCKS * TEST_BYTES;
const TEST_BYTES: usize = MAX_PLACES + 5;
const NO_PLACE: u8 = u8::MAX;
/// Added to the stage of a clause whose symmetries are read as listed.
const AS_LISTED: u8 = 0x80;

/// A clause and the weight of the moves that it covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighted {
    /// The conditions.
    pub clause: Clause,
    /// What its symmetries move.
    pub reading: Reading,
    /// What a covered move gains.
    pub weight: i16,
}

/// A byte of a record that no clause has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordFault {
    /// What the byte says.
    pub field: &'static str,
    /// The byte.
    pub found: u8,
}

/// Why patterns are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "`found` says what it is")]
pub enum ClauseError {
    /// Another game, kind, number type or length of a record.
    Entry,
    /// The payload is empty or no whole number of records.
    Length { found: usize },
    /// A record stands for no clause.
    Record { number: usize, fault: RecordFault },
}

impl fmt::Display for ClauseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ClauseError::Entry => write!(
                f,
                "no patterns of Go: expected bytes in records of {CLAUSE_BYTES}"
            ),
            ClauseError::Length { found } => {
                write!(f, "{found} bytes, expected records of {CLAUSE_BYTES}")
            }
            ClauseError::Record { number, fault } => {
                write!(f, "rule {}: {} {}", number + 1, fault.field, fault.found)
            }
        }
    }
}

impl core::error::Error for ClauseError {}

impl Weighted {
    /// The clause as it is stored; `docs/bank-format.md` describes the record.
    pub fn to_bytes(&self) -> [u8; CLAUSE_BYTES] {
        let mut bytes = [0; CLAUSE_BYTES];
        bytes[..2].copy_from_slice(&self.weight.to_le_bytes());
        bytes[2] = self.clause.vertical.unwrap_or(0) as u8;
        bytes[3] = self.clause.horizontal.unwrap_or(0) as u8;
        bytes[4] = self.clause.stage.map_or(0, |stage| stage as u8)
            | match self.reading {
                Reading::AboutThePoint => 0,
                Reading::AsListed => AS_LISTED,
            };
        bytes[5] = self.clause.blocks.len() as u8;
        let fields = bytes[6..].chunks_exact_mut(TEST_BYTES);
        for (field, test) in fields.zip(&self.clause.blocks) {
            field[..MAX_PLACES].fill(NO_PLACE);
            for (code, place) in field.iter_mut().zip(&test.places) {
                *code = place.code();
            }
            let rest = [
                test.colour as u8,
                test.liberties.low,
                test.liberties.high,
                test.stones.low,
                test.stones.high,
            ];
            field[MAX_PLACES..].copy_from_slice(&rest);
        }
        bytes
    }

    /// The clause of a record, or the first byte that no clause has.
    pub fn from_bytes(bytes: &[u8; CLAUSE_BYTES]) -> Result<Weighted, RecordFault> {
        let &[
            low,
            high,
            vertical,
            horizontal,
            stage,
            count,
            ref fields @ ..,
        ] = bytes;
        let fault = |field, found| RecordFault { field, found };
        let distance = |byte: u8| match byte as i8 {
            0 => Ok(None),
            d @ -4..=5 => Ok(Some(d)),
            _ => Err(fault("unknown distance", byte)),
        };
        let reading = if stage & AS_LISTED == 0 {
            Reading::AboutThePoint
        } else {
            Reading::AsListed
        };
        let mut clause = Clause {
            blocks: heapless::Vec::new(),
            vertical: distance(vertical)?,
            horizontal: distance(horizontal)?,
            stage: match stage & !AS_LISTED {
                0 => None,
                code => Some(
                    *Stage::ALL
                        .get(usize::from(code) - 1)
                        .ok_or(fault("unknown stage", stage))?,
                ),
            },
        };
        if usize::from(count) > MAX_BLOCKS {
            return Err(fault("too many blocks:", count));
        }
        for field in fields.chunks_exact(TEST_BYTES).take(count.into()) {
            let test = block_test(field)?;
            clause
                .blocks
                .push(test)
                .map_err(|_| fault("too many blocks:", count))?;
        }
        Ok(Weighted {
            clause,
            reading,
            weight: i16::from_le_bytes([low, high]),
        })
    }
}

/// The conditions on a block of a record.
fn block_test(field: &[u8]) -> Result<BlockTest, RecordFault> {
    let fault = |field, found| RecordFault { field, found };
    let &[
        ref codes @ ..,
        colour,
        least_liberties,
        most_liberties,
        least_stones,
        most_stones,
    ] = field
    else {
        return Err(fault("short block:", field.len() as u8));
    };
    let mut places = heapless::Vec::new();
    for &code in codes.iter().take_while(|&&code| code != NO_PLACE) {
        let place = BlockPlace::from_code(code).ok_or(fault("unknown place", code))?;
        places
            .push(place)
            .map_err(|_| fault("unknown place", code))?;
    }
    if places.is_empty() {
        return Err(fault("a block without a place:", NO_PLACE));
    }
    let colours = [Colour::Me, Colour::Foe, Colour::Shared];
    Ok(BlockTest {
        places,
        colour: *colours
            .get(usize::from(colour))
            .ok_or(fault("unknown colour", colour))?,
        liberties: CountRange {
            low: least_liberties,
            high: most_liberties,
        },
        stones: CountRange {
            low: least_stones,
            high: most_stones,
        },
    })
}

/// Clauses of a bank entry, read in place: [`ClauseSet::new`] checks every record once, and nothing fails after that.
#[derive(Clone, Copy, Debug)]
pub struct ClauseSet<'b> {
    records: &'b [[u8; CLAUSE_BYTES]],
}

impl<'b> ClauseSet<'b> {
    /// Whether a bank entry has patterns of Go.
    pub fn fits(meta: &Meta) -> bool {
        let [rules, bytes, rest @ ..] = meta.dims;
        meta.game == GameId::Go
            && meta.kind == Kind::Patterns
            && meta.number == Number::U8
            && rules > 0
            && usize::from(bytes) == CLAUSE_BYTES
            && rest == [0, 0]
    }

    /// The clauses of a bank entry.
    pub fn open(meta: &Meta, payload: &'b [u8]) -> Result<ClauseSet<'b>, ClauseError> {
        if !ClauseSet::fits(meta) {
            return Err(ClauseError::Entry);
        }
        ClauseSet::new(payload)
    }

    /// The patterns of a bank; `None` if it has none or they are damaged.
    #[inline(never)] // flash is short
    pub fn find(bank: &Bank<'b>) -> Option<ClauseSet<'b>> {
        let entry = bank.entries().find(|entry| ClauseSet::fits(&entry.meta))?;
        ClauseSet::open(&entry.meta, entry.payload().ok()?).ok()
    }

    /// The clauses of a payload.
    pub fn new(payload: &'b [u8]) -> Result<ClauseSet<'b>, ClauseError> {
        let (records, rest) = payload.as_chunks::<CLAUSE_BYTES>();
        if records.is_empty() || !rest.is_empty() {
            return Err(ClauseError::Length {
                found: payload.len(),
            });
        }
        for (number, record) in records.iter().enumerate() {
            Weighted::from_bytes(record).map_err(|fault| ClauseError::Record { number, fault })?;
        }
        Ok(ClauseSet { records })
    }

    /// The number of clauses.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// The clauses, in order.
    pub fn iter(&self) -> impl Iterator<Item = Weighted> + use<'b> {
        self.records
            .iter()
            .filter_map(|record| Weighted::from_bytes(record).ok())
    }

    /// The clause with the largest positive weight of those that cover a point, [as it
    /// lies](Clause::at).
    pub fn strongest(&self, view: &ClauseView, point: Point) -> Option<Weighted> {
        let mut best: Option<Weighted> = None;
        for weighted in self.iter() {
            let least = best.as_ref().map_or(0, |best| best.weight);
            if weighted.weight > least
                && let Some(clause) = weighted.clause.at(view, weighted.reading, point)
            {
                best = Some(Weighted { clause, ..weighted });
            }
        }
        best
    }

    /// The sum of the weights of the clauses that cover each empty point, by [`super::Point::number`].
    pub fn scores(&self, view: &ClauseView) -> Scores {
        let mut scores = [0; NUMBERS];
        // Most clauses have a stage: those of other stages need not be read.
        let stages = [0, view.stage as u8];
        let of_stage = self
            .records
            .iter()
            .filter(|record| stages.contains(&(record[4] & !AS_LISTED)));
        for record in of_stage {
            if let Ok(weighted) = Weighted::from_bytes(record) {
                add(
                    &mut scores,
                    weighted.clause.points(view, weighted.reading),
                    weighted.weight,
                );
            }
        }
        scores
    }
}

/// A score for each point, by [`super::Point::number`].
pub type Scores = [i16; NUMBERS];

fn add(scores: &mut Scores, points: Points, weight: i16) {
    for point in points {
        if let Some(score) = scores.get_mut(point.number()) {
            *score = score.saturating_add(weight);
        }
    }
}

/// The sum of the weights of the clauses that cover each empty point, by [`super::Point::number`].
pub fn scores<'c>(
    view: &ClauseView,
    reading: Reading,
    clauses: impl Iterator<Item = (&'c Clause, i16)>,
) -> Scores {
    let mut scores = [0; NUMBERS];
    for (clause, weight) in clauses {
        add(&mut scores, clause.points(view, reading), weight);
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;

    fn points(names: &[&str]) -> Points {
        names.iter().fold(Points::EMPTY, |set, name| {
            set | Points::of(Point::parse(name).unwrap())
        })
    }

    fn clause(tests: &[BlockTest]) -> Clause {
        Clause {
            blocks: tests.iter().cloned().collect(),
            ..Clause::default()
        }
    }

    fn view(text: &str) -> ClauseView {
        ClauseView::new(&Go::parse_position(GoRules::new(5).unwrap(), text).unwrap())
    }

    #[test]
    fn places_are_seen_in_every_direction_and_not_across_the_edge() {
        let view = view("...../...../..X../...../O.... black");
        let at = |dx, dy, colour| clause(&[BlockTest::new(BlockPlace::At(dx, dy), colour)]);
        assert_eq!(
            at(1, 0, Colour::Me).points(&view, Reading::AboutThePoint),
            points(&["B3", "D3", "C2", "C4"])
        );
        assert_eq!(
            at(1, 2, Colour::Me).points(&view, Reading::AboutThePoint),
            points(&["A2", "A4", "B1", "B5", "D1", "D5", "E2", "E4"])
        );
        // The corner has two neighbours; the other two directions would wrap round.
        assert_eq!(
            at(1, 0, Colour::Foe).points(&view, Reading::AboutThePoint),
            points(&["A2", "B1"])
        );
        assert_eq!(
            at(4, 0, Colour::Foe).points(&view, Reading::AboutThePoint),
            points(&["A5", "E1"])
        );
    }

    #[test]
    fn relations_count_liberties() {
        let view = view("...../..X../.XOX./...../O.... black");
        let of = |place, colour| {
            clause(&[BlockTest::new(place, colour)]).points(&view, Reading::AboutThePoint)
        };
        assert_eq!(of(BlockPlace::Captures, Colour::Foe), points(&["C2"]));
        assert_eq!(of(BlockPlace::Atari, Colour::Foe), points(&["A2", "B1"]));
        let mut single = BlockTest::new(BlockPlace::Adjacent, Colour::Me);
        single.liberties = CountRange::exactly(3);
        assert_eq!(
            clause(&[single]).points(&view, Reading::AboutThePoint),
            points(&["A3", "B2", "B4", "C5", "D2", "D4", "E3"])
        );
    }

    #[test]
    fn both_blocks_of_a_shared_colour_have_the_same_one() {
        let view = view("...../..X../...../.O.O./..... black");
        let shared = |dx, dy| BlockTest::new(BlockPlace::At(dx, dy), Colour::Shared);
        assert_eq!(
            clause(&[shared(1, 0), shared(-1, 0)]).points(&view, Reading::AboutThePoint),
            points(&["C2"])
        );
        // Above and below C3 stand nothing and a black stone.
        assert_eq!(
            clause(&[shared(0, 1), shared(0, -1)]).points(&view, Reading::AboutThePoint),
            points(&["C2"])
        );
    }

    #[test]
    fn distances_to_the_edge_have_signs() {
        let lines = |size| (0..size).map(move |line| edge_distance(size, line));
        assert!(lines(9).eq([-1, -2, -3, -4, 5, 4, 3, 2, 1]));
        assert!(lines(5).eq([-1, -2, 3, 2, 1]));
        let middle = Clause {
            vertical: Some(3),
            horizontal: Some(3),
            ..Clause::default()
        };
        let empty = view("...../...../...../...../..... black");
        assert_eq!(
            middle.points(&empty, Reading::AboutThePoint),
            points(&["C3"])
        );
        for size in [5, 7, 9] {
            for distance in -5..=6 {
                let line = (0..size).find(|&line| edge_distance(size, line) == distance);
                assert_eq!(line_at(size, distance), line, "{distance} of {size}");
            }
        }
    }

    #[test]
    fn clauses_are_stored_and_odd_bytes_refused() {
        let mut test = BlockTest::new(BlockPlace::At(-4, 3), Colour::Foe);
        test.places.push(BlockPlace::Indirect).unwrap();
        test.stones = CountRange { low: 2, high: 5 };
        let weighted = Weighted {
            clause: Clause {
                blocks: [test, BlockTest::new(BlockPlace::Captures, Colour::Shared)]
                    .into_iter()
                    .collect(),
                vertical: Some(-4),
                horizontal: Some(5),
                stage: Some(Stage::End),
            },
            reading: Reading::AsListed,
            weight: -300,
        };
        let bytes = weighted.to_bytes();
        assert_eq!(Weighted::from_bytes(&bytes).as_ref(), Ok(&weighted));
        assert_eq!(
            ClauseSet::new(&bytes).unwrap().iter().next(),
            Some(weighted)
        );
        for length in [0, 29] {
            let refused = ClauseSet::new(&bytes[..length]).unwrap_err();
            assert_eq!(refused, ClauseError::Length { found: length });
        }
        for (place, byte, message) in [
            (2, 9, "rule 1: unknown distance 9"),
            (4, 5, "rule 1: unknown stage 5"),
            (5, 4, "rule 1: too many blocks: 4"),
            (6, 86, "rule 1: unknown place 86"),
            (6, 40, "rule 1: unknown place 40"),
            (6, 255, "rule 1: a block without a place: 255"),
            (9, 3, "rule 1: unknown colour 3"),
        ] {
            let mut odd = bytes;
            odd[place] = byte;
            let mut text = heapless::String::<64>::new();
            let refused = ClauseSet::new(&odd).unwrap_err();
            fmt::Write::write_fmt(&mut text, format_args!("{refused}")).unwrap();
            assert_eq!(text, message);
        }
    }

    #[test]
    fn every_symmetry_is_undone_by_its_inverse() {
        let board = Points::board(7);
        for symmetry in 0..SYMMETRIES {
            for point in board {
                let image = point.transformed(7, symmetry);
                assert_eq!(image.transformed(7, inverse(symmetry)), point);
            }
        }
    }

    /// Turned as it lies, a clause covers its point without any further turn.
    #[test]
    fn the_clause_at_a_point_lies_as_the_board_does() {
        let text = "...../.XO../..X../...O./O.... black";
        let view = view(text);
        let identity = |clause: &Clause, point| -> bool {
            let reading = Reading::AboutThePoint;
            let turn = Turn {
                symmetry: 0,
                reading,
            };
            let Some(start) = Start::new(clause, &view, Colour::Me) else {
                return false;
            };
            let points = clause.points_under(&view, turn, &start);
            points.contains(point)
        };
        let mut seen = 0;
        for vertical in [None, Some(-1), Some(2), Some(3)] {
            for horizontal in [None, Some(1), Some(-2)] {
                for (dx, dy, colour) in [
                    (1, 0, Colour::Me),
                    (-1, 2, Colour::Foe),
                    (2, 1, Colour::Shared),
                ] {
                    let rule = Clause {
                        vertical,
                        horizontal,
                        ..clause(&[BlockTest::new(BlockPlace::At(dx, dy), colour)])
                    };
                    let covered = rule.points(&view, Reading::AboutThePoint);
                    for point in view.empty {
                        let found = rule.at(&view, Reading::AboutThePoint, point);
                        assert_eq!(found.is_some(), covered.contains(point));
                        let Some(found) = found else { continue };
                        assert!(identity(&found, point), "{rule:?} as {found:?} at {point}");
                        assert!(
                            found
                                .blocks
                                .iter()
                                .all(|test| test.colour != Colour::Shared)
                        );
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 10, "{seen}");
    }

    #[test]
    fn the_strongest_clause_speaks() {
        let view = view("...../...../..X../...../..... black");
        let weighted = |dx, dy, weight| Weighted {
            clause: clause(&[BlockTest::new(BlockPlace::At(dx, dy), Colour::Me)]),
            weight,
            ..Weighted::default()
        };
        let bytes =
            [weighted(1, 0, 5), weighted(-1, 2, 9), weighted(2, 0, -30)].map(|w| w.to_bytes());
        let set = ClauseSet::new(bytes.as_flattened()).unwrap();
        let found = |name: &str| set.strongest(&view, Point::parse(name).unwrap());
        assert_eq!(found("E2").unwrap().clause.name(), Some("knight's move"));
        let places = |name| found(name).unwrap().clause.blocks[0].places.clone();
        assert_eq!(places("E2")[..], [BlockPlace::At(-2, 1)]);
        assert_eq!(places("C4")[..], [BlockPlace::At(0, -1)]);
        assert_eq!(found("C5"), None, "only a negative weight");
    }

    /// As listed, the place is mirrored on the board and not about the candidate.
    #[test]
    fn symmetries_as_listed_look_at_mirror_images() {
        let view = view("...../...../...../...../O.... black");
        let at = |dx, dy| clause(&[BlockTest::new(BlockPlace::At(dx, dy), Colour::Foe)]);
        // Left of B1, and of the points beside the other corners.
        assert_eq!(
            at(-1, 0).points(&view, Reading::AsListed),
            points(&["B1", "B5"]),
        );
        assert_eq!(
            at(-4, 0).points(&view, Reading::AsListed),
            points(&["E1", "E5"]),
        );
        let lines = Clause {
            vertical: Some(-1),
            ..Clause::default()
        };
        let left = points(&["A2", "A3", "A4", "A5"]);
        assert_eq!(lines.points(&view, Reading::AsListed), left);
    }
}

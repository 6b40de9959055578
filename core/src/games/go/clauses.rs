//! Move patterns as logic: a clause names conditions on a candidate move and on the blocks around it.
//!
//! Clauses are induced on a PC from recorded games and negative examples (inductive logic programming); the device only
//! matches them. [`ClauseView`] collects the blocks of a position once, [`Clause::points`] gives every empty point that a clause
//! covers, by shifts and intersections of whole-board sets, and [`scores`] adds the weights of all clauses that cover a
//! point.
//!
//! All positional conditions of one clause share one of the eight symmetries, taken about the candidate point: a
//! displacement is rotated or mirrored, and so are the edges of the board.

use super::Go;
use super::points::{Points, SIDE, UP};
use crate::game::Game;

/// Largest displacement of a block from the candidate point, along each axis.
pub const REACH: i8 = 4;
/// Most block variables of a clause: fifteen literals, the published limit, have no use for more.
pub const MAX_BLOCKS: usize = 3;
/// Most places of one block variable.
pub const MAX_PLACES: usize = 3;
/// Symmetries of the square.
pub const SYMMETRIES: usize = 8;

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
    fn seen_from(&self, place: BlockPlace, symmetry: usize) -> Points {
        match place {
            BlockPlace::At(dx, dy) => displaced(self.stones, turned(symmetry, (dx, dy))),
            BlockPlace::Adjacent => self.liberties,
            BlockPlace::Captures if !self.mine && self.liberty_count == 1 => self.liberties,
            BlockPlace::Atari if !self.mine && self.liberty_count == 2 => self.liberties,
            BlockPlace::Direct if self.mine => self.liberties,
            BlockPlace::Indirect if self.mine => next_to_two(self.liberties),
            _ => Points::EMPTY,
        }
    }
}

/// The points that see a point of `set` at this displacement.
fn displaced(set: Points, (dx, dy): (i8, i8)) -> Points {
    let bits = set.bits();
    let shift = i32::from(dy) * i32::from(UP) + i32::from(dx);
    let moved = if shift >= 0 {
        bits >> shift
    } else {
        bits << -shift
    };
    Points::from_bits(moved) & columns_within(dx)
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
            || self
                .blocks
                .iter()
                .any(|test| test.places.iter().any(|place| place.is_positional()))
    }

    /// The empty points that it covers, in any symmetry.
    pub fn points(&self, view: &ClauseView) -> Points {
        if self.stage.is_some_and(|stage| stage != view.stage) {
            return Points::EMPTY;
        }
        let symmetries = if self.is_positional() { SYMMETRIES } else { 1 };
        (0..symmetries).fold(Points::EMPTY, |all, symmetry| {
            all | self.points_under(view, symmetry)
        })
    }

    fn points_under(&self, view: &ClauseView, symmetry: usize) -> Points {
        let candidates = self.lines_under(view, symmetry);
        let with = |shared: Colour| {
            self.blocks.iter().fold(candidates, |points, test| {
                if points.is_empty() {
                    return points;
                }
                points & seen(test, view, symmetry, shared)
            })
        };
        if self.blocks.iter().any(|test| test.colour == Colour::Shared) {
            with(Colour::Me) | with(Colour::Foe)
        } else {
            with(Colour::Me)
        }
    }

    /// The empty points on the lines that the clause asks for.
    fn lines_under(&self, view: &ClauseView, symmetry: usize) -> Points {
        if self.vertical.is_none() && self.horizontal.is_none() {
            return view.empty;
        }
        { view.empty }
            .filter(|point| {
                let image = point.transformed(view.size, symmetry);
                self.vertical
                    .is_none_or(|d| edge_distance(view.size, image.col()) == d)
                    && self
                        .horizontal
                        .is_none_or(|d| edge_distance(view.size, image.row()) == d)
            })
            .fold(Points::EMPTY, |set, point| set | Points::of(point))
    }
}

/// The points that see a block with these properties at all its places.
fn seen(test: &BlockTest, view: &ClauseView, symmetry: usize, shared: Colour) -> Points {
    let admitted = view
        .blocks
        .iter()
        .filter(|block| test.admits(block, shared));
    if let [BlockPlace::At(dx, dy)] = test.places[..] {
        // One displacement: all blocks at once.
        let all = admitted.fold(Points::EMPTY, |set, block| set | block.stones);
        return displaced(all, turned(symmetry, (dx, dy)));
    }
    admitted.fold(Points::EMPTY, |set, block| {
        let places = test.places.iter();
        let mut points = view.empty;
        places.for_each(|&place| points &= block.seen_from(place, symmetry));
        set | points
    })
}

/// Bytes of a clause in the bank.
pub const CLAUSE_BYTES: usize = 6 + MAX_BLOCKS * TEST_BYTES;
const TEST_BYTES: usize = MAX_PLACES + 5;
const NO_PLACE: u8 = u8::MAX;

/// A clause and the weight of the moves that it covers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighted {
    /// The conditions.
    pub clause: Clause,
    /// What a covered move gains.
    pub weight: i16,
}

impl Weighted {
    /// The clause as the bank keeps it: weight (2), vertical, horizontal, stage, number of blocks, then for each block three
    /// places, colour, bounds of liberties and of stones.
    pub fn to_bytes(&self) -> [u8; CLAUSE_BYTES] {
        let mut bytes = [0; CLAUSE_BYTES];
        bytes[..2].copy_from_slice(&self.weight.to_le_bytes());
        bytes[2] = self.clause.vertical.unwrap_or(0) as u8;
        bytes[3] = self.clause.horizontal.unwrap_or(0) as u8;
        bytes[4] = self.clause.stage.map_or(0, |stage| stage as u8);
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

    /// The clause that these bytes stand for; `None` if they stand for none.
    pub fn from_bytes(bytes: &[u8; CLAUSE_BYTES]) -> Option<Weighted> {
        let &[
            low,
            high,
            vertical,
            horizontal,
            stage,
            count,
            ref fields @ ..,
        ] = bytes;
        let distance = |byte: u8| match byte as i8 {
            0 => Some(None),
            d @ -4..=5 => Some(Some(d)),
            _ => None,
        };
        let stage = match stage {
            0 => None,
            code => Some(*Stage::ALL.get(usize::from(code) - 1)?),
        };
        let mut clause = Clause {
            blocks: heapless::Vec::new(),
            vertical: distance(vertical)?,
            horizontal: distance(horizontal)?,
            stage,
        };
        if usize::from(count) > MAX_BLOCKS {
            return None;
        }
        for field in fields.chunks_exact(TEST_BYTES).take(count.into()) {
            let (places, rest) = field.split_at_checked(MAX_PLACES)?;
            let used = places.iter().take_while(|&&code| code != NO_PLACE);
            let places = used
                .map(|&code| BlockPlace::from_code(code))
                .collect::<Option<heapless::Vec<_, MAX_PLACES>>>()?;
            let &[colour, l, h, s, t] = rest else {
                return None;
            };
            let test = BlockTest {
                places,
                colour: *[Colour::Me, Colour::Foe, Colour::Shared].get(usize::from(colour))?,
                liberties: CountRange { low: l, high: h },
                stones: CountRange { low: s, high: t },
            };
            if test.places.is_empty() {
                return None;
            }
            clause.blocks.push(test).ok()?;
        }
        Some(Weighted {
            clause,
            weight: i16::from_le_bytes([low, high]),
        })
    }
}

/// Clauses of a bank entry, read in place.
#[derive(Clone, Copy, Debug)]
pub struct ClauseSet<'b> {
    records: &'b [[u8; CLAUSE_BYTES]],
}

impl<'b> ClauseSet<'b> {
    /// The clauses of a payload; `None` if its length is wrong or a record stands for no clause.
    pub fn new(payload: &'b [u8]) -> Option<ClauseSet<'b>> {
        let (records, rest) = payload.as_chunks::<CLAUSE_BYTES>();
        let all_good = records
            .iter()
            .all(|record| Weighted::from_bytes(record).is_some());
        (rest.is_empty() && all_good).then_some(ClauseSet { records })
    }

    /// The clauses, in order.
    pub fn iter(&self) -> impl Iterator<Item = Weighted> + use<'b> {
        self.records.iter().filter_map(Weighted::from_bytes)
    }
}

/// The sum of the weights of the clauses that cover each empty point, by [`super::Point::number`].
pub fn scores<'c>(
    view: &ClauseView,
    clauses: impl Iterator<Item = (&'c Clause, i16)>,
) -> [i16; super::points::NUMBERS] {
    let mut scores = [0i16; super::points::NUMBERS];
    for (clause, weight) in clauses {
        for point in clause.points(view) {
            let score = &mut scores[point.number()];
            *score = score.saturating_add(weight);
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;
    use crate::games::go::Point;

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
            at(1, 0, Colour::Me).points(&view),
            points(&["B3", "D3", "C2", "C4"])
        );
        assert_eq!(
            at(1, 2, Colour::Me).points(&view),
            points(&["A2", "A4", "B1", "B5", "D1", "D5", "E2", "E4"])
        );
        // The corner has two neighbours; the other two directions would wrap round.
        assert_eq!(at(1, 0, Colour::Foe).points(&view), points(&["A2", "B1"]));
        assert_eq!(at(4, 0, Colour::Foe).points(&view), points(&["A5", "E1"]));
    }

    #[test]
    fn relations_count_liberties() {
        let view = view("...../..X../.XOX./...../O.... black");
        let of = |place, colour| clause(&[BlockTest::new(place, colour)]).points(&view);
        assert_eq!(of(BlockPlace::Captures, Colour::Foe), points(&["C2"]));
        assert_eq!(of(BlockPlace::Atari, Colour::Foe), points(&["A2", "B1"]));
        let mut single = BlockTest::new(BlockPlace::Adjacent, Colour::Me);
        single.liberties = CountRange::exactly(3);
        assert_eq!(
            clause(&[single]).points(&view),
            points(&["A3", "B2", "B4", "C5", "D2", "D4", "E3"])
        );
    }

    #[test]
    fn both_blocks_of_a_shared_colour_have_the_same_one() {
        let view = view("...../..X../...../.O.O./..... black");
        let shared = |dx, dy| BlockTest::new(BlockPlace::At(dx, dy), Colour::Shared);
        assert_eq!(
            clause(&[shared(1, 0), shared(-1, 0)]).points(&view),
            points(&["C2"])
        );
        // Above and below C3 stand nothing and a black stone.
        assert_eq!(
            clause(&[shared(0, 1), shared(0, -1)]).points(&view),
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
        assert_eq!(middle.points(&empty), points(&["C3"]));
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
            weight: -300,
        };
        let bytes = weighted.to_bytes();
        assert_eq!(Weighted::from_bytes(&bytes).as_ref(), Some(&weighted));
        assert_eq!(
            ClauseSet::new(&bytes).unwrap().iter().next(),
            Some(weighted)
        );
        assert!(ClauseSet::new(&bytes[1..]).is_none());
        // Distance, stage, number of blocks, place, colour.
        for (place, byte) in [(2, 9), (4, 5), (5, 4), (6, 86), (6, 40), (9, 3)] {
            let mut odd = bytes;
            odd[place] = byte;
            assert!(ClauseSet::new(&odd).is_none(), "byte {place} as {byte}");
        }
    }
}

//! The board of playouts: blocks, pseudo-liberties and 3×3 neighbourhoods, updated incrementally.
//!
//! It knows simple ko only and keeps no history. Points are cells of an array with a border: the
//! neighbours of a cell are found by adding a constant, without tests for the edge.

use core::fmt;

use super::points::{Point, Points, UP};
use super::{Go, GoMove, Stones};
use crate::game::{Game, Player};

/// Contents of a cell; a player's stones have the value [`colour`].
pub(crate) const EMPTY: u8 = 0;
/// Off the board.
pub(crate) const EDGE: u8 = 3;

/// An index of the arrays.
pub(crate) type Cell = u8;

/// The cell of the point with number 0: one row and one cell of border come before it.
pub(crate) const FIRST: u8 = UP + 1;
/// A power of two, so that a masked index needs no check.
pub(crate) const CELLS: usize = 128;
/// Length of arrays that are read three rows at a time from any cell.
const ROWS: usize = CELLS + 22;
/// Sentinel: no cell.
pub(crate) const NOWHERE: Cell = 0;

/// Steps to the four neighbours of a cell, then to the four diagonal ones.
pub(crate) const AROUND: [i8; 8] = [-10, 10, -1, 1, -11, 11, -9, 9];

/// Flags of the four neighbours: one is empty.
const HAS_SPACE: u8 = 1;
/// All are of one colour or off the board; shifted left by the colour.
const SURROUNDED: u8 = 1;
/// One is of a colour; shifted left by the colour.
const HAS_STONE: u8 = 4;
/// Two are empty.
const HAS_ROOM: u8 = 32;

/// The flags, indexed by the colours of the four neighbours, two bits each.
static SIDES: [u8; 256] = {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut count = [0; 4];
        let mut i = 0;
        while i < 4 {
            count[code >> (2 * i) & 3] += 1;
            i += 1;
        }
        let [spaces, black, white, _] = count;
        table[code] = (if spaces > 0 { HAS_SPACE } else { 0 })
            | (if spaces > 1 { HAS_ROOM } else { 0 })
            | (if spaces + white == 0 {
                SURROUNDED << 1
            } else {
                0
            })
            | (if spaces + black == 0 {
                SURROUNDED << 2
            } else {
                0
            })
            | (if black > 0 { HAS_STONE << 1 } else { 0 })
            | (if white > 0 { HAS_STONE << 2 } else { 0 });
        code += 1;
    }
    table
};

/// Sums over the empty cells among the four neighbours.
#[derive(Clone, Copy)]
#[repr(align(4))]
struct Spaces {
    count: u8,
    squares: u8,
    steps: i8,
}

/// Indexed by the colours of the four neighbours, two bits each: the number of empty ones, the sum
/// of the squared steps to them, and the sum of the steps.
static SPACES: [Spaces; 256] = {
    let mut table = [Spaces {
        count: 0,
        squares: 0,
        steps: 0,
    }; 256];
    let mut code = 0;
    while code < 256 {
        let mut i = 0;
        while i < 4 {
            if (code >> (2 * i)) as u8 & 3 == EMPTY {
                table[code].count += 1;
                table[code].squares += (AROUND[i] as i16 * AROUND[i] as i16) as u8;
                table[code].steps += AROUND[i];
            }
            i += 1;
        }
        code += 1;
    }
    table
};

/// Indexed by the colours of the four diagonal neighbours, two bits each: whether an eye between
/// them is real, shifted left by the colour. At most one may be the opponent's, none at the edge.
static CORNERS: [u8; 256] = {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let mut count = [0; 4];
        let mut i = 0;
        while i < 4 {
            count[code >> (2 * i) & 3] += 1;
            i += 1;
        }
        let most = if count[EDGE as usize] > 0 { 0 } else { 1 };
        table[code] = (if count[2] <= most { SURROUNDED << 1 } else { 0 })
            | (if count[1] <= most { SURROUNDED << 2 } else { 0 });
        code += 1;
    }
    table
};

/// The value of a player's stones in the arrays.
#[inline]
pub(crate) const fn colour(player: Player) -> u8 {
    player as u8 + 1
}

#[inline]
pub(crate) fn at(cell: Cell) -> usize {
    usize::from(cell) & (CELLS - 1)
}

#[inline]
pub(crate) fn step(cell: Cell, by: i8) -> Cell {
    cell.wrapping_add_signed(by)
}

/// The four neighbours of a cell.
#[inline(always)]
pub(crate) fn sides(cell: Cell) -> [Cell; 4] {
    let [a, b, c, d, ..] = AROUND;
    [step(cell, a), step(cell, b), step(cell, c), step(cell, d)]
}

#[inline]
pub(crate) fn cell_of(point: Point) -> Cell {
    point.0 + FIRST
}

#[inline]
pub(crate) fn point_of(cell: Cell) -> Point {
    Point(cell.wrapping_sub(FIRST))
}

/// Start of the three rows around a cell in an array of [`ROWS`] cells, so that the rest are
/// constant offsets.
#[inline]
fn rows_at(cell: Cell) -> usize {
    at(cell.wrapping_sub(FIRST))
}

/// The colour of the neighbour with this number in [`AROUND`].
#[inline(always)]
pub(crate) fn colour_in(code: u16, neighbour: usize) -> u8 {
    (code >> (2 * neighbour)) as u8 & 3
}

/// The pseudo-liberties of a block in one word. For every stone and every empty cell next to it, 1
/// is added to the count in bits 25 and up, the number of the cell's point to the sum in bits 16 to
/// 24, and its square to the bits below.
///
/// A cell next to several stones of a block counts several times. So two blocks are joined by one
/// addition, and a new stone costs each neighbouring block one subtraction, where a set of points
/// would take three words. Playouts need two facts. A block has no liberty if the count is 0. It
/// has exactly one if the count c is at most four and c times the sum of squares equals the square
/// of the sum, which by the Cauchy–Schwarz inequality holds only if all numbers are equal.
///
/// Up to a count of four no field overflows: 4 · 88 is below 512 and 4 · 88² below 65,536. Above
/// four only that fact matters: overflow makes the count larger, and up to 109 fits the word. A
/// block of n stones has at most 2n + 2 pseudo-liberties, and e empty cells count at most 4e times:
/// at most 108 on 81 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Liberties(u32);

impl Liberties {
    pub(crate) const NONE: Liberties = Liberties(0);
    /// Nine counts or more: without one cell, which counts at most four times, two other cells
    /// remain.
    const MANY: Liberties = Liberties(9 << 25);

    /// More counts than one cell can have.
    const FEW: Liberties = Liberties(5 << 25);

    /// One count of one cell.
    #[inline]
    pub(crate) fn of(cell: Cell) -> Liberties {
        let number = u32::from(point_of(cell).0);
        Liberties((1 << 25) + (number << 16) + number * number)
    }

    /// The counts of all empty neighbours of a cell with this code.
    #[inline]
    fn around(cell: Cell, code: u16) -> Liberties {
        // With d as a step to an empty neighbour of the point p: the sum of all (p + d)² is count ·
        // p² + 2p · Σd + Σd².
        let Spaces {
            count,
            steps,
            squares,
        } = SPACES[usize::from(code as u8)];
        let step = (1 << 16) + 2 * u32::from(point_of(cell).0);
        let sum = u32::from(count)
            .wrapping_mul(Liberties::of(cell).0)
            .wrapping_add(squares.into());
        Liberties(sum.wrapping_add((steps as i32 as u32).wrapping_mul(step)))
    }

    /// The sum of two blocks' liberties.
    #[inline]
    #[must_use]
    pub(crate) fn and(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_add(other.0))
    }

    /// Without liberties that were added before.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_sub(other.0))
    }

    /// Whether there is no liberty.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether two liberties certainly remain after one is filled.
    #[inline]
    pub(crate) fn are_many(self) -> bool {
        self.0 >= Liberties::MANY.0
    }

    /// Whether there are so few counts that all may be of one cell.
    #[inline]
    fn are_few(self) -> bool {
        self.0 < Liberties::FEW.0
    }

    /// Whether there is exactly one liberty, however often it was counted.
    #[inline]
    pub(crate) fn has_one(self) -> bool {
        let (count, sum, squares) = self.parts();
        count.wrapping_sub(1) < 4 && count * squares == sum * sum
    }

    /// The only liberty; `None` if there is none or more than one.
    #[inline]
    pub(crate) fn only(self) -> Option<Cell> {
        if !self.has_one() {
            return None;
        }
        let (count, sum, _) = self.parts();
        // Division by 1 to 4 by multiplication, exact up to 4 · 88: the M0+ has no divide
        // instruction.
        let number = match count {
            1 => sum,
            2 => sum / 2,
            3 => (sum * 171) >> 9,
            _ => sum / 4,
        };
        Some(number as u8 + FIRST)
    }

    #[inline]
    fn parts(self) -> (u32, u32, u32) {
        (self.0 >> 25, self.0 >> 16 & 0x1FF, self.0 & 0xFFFF)
    }
}

/// Arrays by cell, or by the representative cell of a block. They lie together so that the M0+
/// reaches them from one address.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct Spot {
    /// Of a block, by its representative. The entry of [`NOWHERE`] is scratch space that saves
    /// tests.
    liberties: Liberties,
    /// The next stone of the same block, in a circular list.
    next: Cell,
    /// Number of stones of a block, by its representative.
    size: u8,
    /// Position of an empty cell in the list of empty cells.
    place: u8,
}

/// A position for playouts.
#[derive(Clone, Copy)]
pub struct Board {
    spots: [Spot; CELLS],
    /// The colours of the eight cells around a cell, two bits each in the order of [`AROUND`].
    codes: [u16; ROWS],
    /// The representative of a stone's block, one of its stones; [`NOWHERE`] if there is no stone.
    blocks: [Cell; ROWS],
    /// The empty cells, in any order.
    empty: [Cell; CELLS],
    spaces: u8,
    /// Stones on the board, by [`Player::index`].
    stones: [u8; 2],
    pub(crate) ko: Cell,
    /// The player to move.
    pub(crate) turn: Player,
    /// The last move; [`NOWHERE`] for a pass.
    pub(crate) last: Cell,
    /// The move before the last one; [`NOWHERE`] for a pass.
    pub(crate) before: Cell,
    pub(crate) passes: u8,
    /// Moves made on this board.
    moves: u16,
    /// Half points of white.
    komi: i16,
    side: u8,
}

/// A board of size 0.
impl Default for Board {
    fn default() -> Board {
        Board {
            spots: [Spot {
                liberties: Liberties::NONE,
                next: NOWHERE,
                size: 0,
                place: 0,
            }; CELLS],
            codes: [u16::MAX; ROWS],
            blocks: [NOWHERE; ROWS],
            empty: [NOWHERE; CELLS],
            spaces: 0,
            stones: [0; 2],
            ko: NOWHERE,
            turn: Player::First,
            last: NOWHERE,
            before: NOWHERE,
            passes: 0,
            moves: 0,
            komi: 0,
            side: 0,
        }
    }
}

impl Board {
    /// The board of a game's current position.
    pub fn new(game: &Go) -> Board {
        let mut board = Board {
            turn: game.turn(),
            komi: game.rules().komi(),
            side: game.rules().size(),
            ..Board::default()
        };
        for point in game.board() {
            board.add_space(cell_of(point));
            board.paint(cell_of(point), EDGE, EMPTY);
        }
        for player in Player::BOTH {
            for point in game.stones().of(player) {
                board.put(cell_of(point), colour(player));
            }
        }
        board.ko = game.ko().map_or(NOWHERE, cell_of);
        let cell = |mv: Option<GoMove>| mv.and_then(GoMove::point).map_or(NOWHERE, cell_of);
        let mut moves = game.moves().rev();
        (board.last, board.before) = (cell(moves.next()), cell(moves.next()));
        board.passes = game
            .moves()
            .rev()
            .take(2)
            .take_while(|&mv| mv == GoMove::Pass)
            .count() as u8;
        board
    }

    #[inline]
    fn add_space(&mut self, cell: Cell) {
        self.empty[at(self.spaces)] = cell;
        self.spots[at(cell)].place = self.spaces;
        self.spaces += 1;
    }

    #[inline]
    fn take_space(&mut self, cell: Cell) {
        self.spaces -= 1;
        let place = self.spots[at(cell)].place;
        let moved = self.empty[at(self.spaces)];
        self.empty[at(place)] = moved;
        self.spots[at(moved)].place = place;
    }

    /// Updates the neighbourhood codes around a cell that changes its colour.
    #[inline]
    fn paint(&mut self, cell: Cell, from: u8, to: u8) {
        let rows = &mut self.codes[rows_at(cell)..][..23];
        let change = u16::from(from ^ to);
        // A cell sees its neighbour in the opposite direction, whose number in `AROUND` differs in
        // the lowest bit.
        rows[0] ^= change << 10;
        rows[1] ^= change << 2;
        rows[2] ^= change << 14;
        rows[10] ^= change << 6;
        rows[12] ^= change << 4;
        rows[20] ^= change << 12;
        rows[21] ^= change;
        rows[22] ^= change << 8;
    }

    /// The blocks on the four neighbours of a cell; [`NOWHERE`] for those without a stone.
    #[inline(always)]
    pub(crate) fn blocks_around(&self, cell: Cell) -> [Cell; 4] {
        let rows = &self.blocks[rows_at(cell)..][..23];
        [rows[1], rows[21], rows[10], rows[12]]
    }

    /// Places a stone on an empty cell and removes captured stones. Returns their number.
    #[inline(never)]
    fn put(&mut self, cell: Cell, colour: u8) -> u8 {
        self.take_space(cell);
        self.paint(cell, EMPTY, colour);
        self.stones[usize::from(colour - 1) & 1] += 1;
        // All blocks around lose a liberty; so does the scratch entry, which is cheaper than a
        // test.
        let lost = Liberties::of(cell);
        let rows = rows_at(cell);
        let mut fewest = lost;
        for side in [1, 21, 10, 12] {
            let spot = &mut self.spots[at(self.blocks[rows + side])];
            spot.liberties = spot.liberties.without(lost);
            fewest = fewest.min(spot.liberties);
        }
        let code = self.code_at(cell);
        self.blocks[at(cell)] = cell;
        let spot = &mut self.spots[at(cell)];
        (spot.liberties, spot.next, spot.size) = (Liberties::around(cell, code), cell, 1);
        if self.has_stone(cell, colour) {
            self.join(cell, colour);
        }
        if fewest.is_empty() {
            self.take_around(cell, 3 - colour)
        } else {
            0
        }
    }

    /// Joins a new stone with the neighbouring blocks of its colour.
    #[inline(never)]
    fn join(&mut self, cell: Cell, colour: u8) {
        let code = self.code_at(cell);
        let mut name = cell;
        for (i, neighbour) in sides(cell).into_iter().enumerate() {
            if colour_in(code, i) == colour {
                let block = self.block_of(neighbour);
                if block != name {
                    name = self.merge(name, block);
                }
            }
        }
    }

    /// Merges two blocks and returns the representative: the larger one's.
    #[inline(never)]
    fn merge(&mut self, a: Cell, b: Cell) -> Cell {
        let (large, small) = if self.spots[at(a)].size < self.spots[at(b)].size {
            (b, a)
        } else {
            (a, b)
        };
        let mut stone = small;
        loop {
            self.blocks[at(stone)] = large;
            stone = self.spots[at(stone)].next;
            if stone == small {
                break;
            }
        }
        let joined = self.spots[at(small)];
        let spot = &mut self.spots[at(large)];
        spot.size += joined.size;
        spot.liberties = spot.liberties.and(joined.liberties);
        let next = spot.next;
        spot.next = joined.next;
        self.spots[at(small)].next = next;
        large
    }

    /// Removes the neighbouring blocks of this colour without liberties. Returns the number of
    /// stones.
    #[inline(never)]
    fn take_around(&mut self, cell: Cell, colour: u8) -> u8 {
        let mut taken = 0;
        for (i, neighbour) in sides(cell).into_iter().enumerate() {
            if colour_in(self.code_at(cell), i) == colour && self.liberties_of(neighbour).is_empty()
            {
                taken += self.take(self.block_of(neighbour), colour);
            }
        }
        taken
    }

    /// Removes a block.
    #[inline(never)]
    fn take(&mut self, block: Cell, colour: u8) -> u8 {
        let size = self.spots[at(block)].size;
        self.stones[usize::from(colour - 1) & 1] -= size;
        let mut stone = block;
        for _ in 0..size {
            self.paint(stone, colour, EMPTY);
            self.add_space(stone);
            self.blocks[at(stone)] = NOWHERE;
            let liberty = Liberties::of(stone);
            let rows = rows_at(stone);
            // The block itself may be among them; its liberties are not used any more.
            for side in [1, 21, 10, 12] {
                let spot = &mut self.spots[at(self.blocks[rows + side])];
                spot.liberties = spot.liberties.and(liberty);
            }
            stone = self.next_stone(stone);
        }
        size
    }

    /// Plays a move that is legal apart from ko.
    #[inline]
    pub(crate) fn play(&mut self, cell: Cell) {
        self.ko = NOWHERE;
        if cell == NOWHERE {
            self.passes += 1;
        } else {
            self.passes = 0;
            if self.put(cell, colour(self.turn)) == 1 && self.size_of(cell) == 1 {
                // A single stone captured a single stone: without another liberty it is a ko.
                self.ko = self.liberties_of(cell).only().unwrap_or(NOWHERE);
            }
        }
        self.before = self.last;
        self.last = cell;
        self.moves += 1;
        self.turn = !self.turn;
    }

    /// Plays a move of the game that is legal apart from ko.
    pub fn play_move(&mut self, mv: GoMove) {
        self.play(mv.point().map_or(NOWHERE, cell_of));
    }

    /// Who is to move.
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// Resets the passes, so that a playout can continue after the end of the game.
    pub(crate) fn reopen(&mut self) {
        self.passes = 0;
    }

    /// The owner of a cell at the end of a playout, when only eyes are empty.
    pub(crate) fn owner(&self, cell: Cell) -> Option<Player> {
        let sides = SIDES[usize::from(self.code_at(cell) as u8)];
        match (
            self.colour_at(cell),
            sides & (SURROUNDED << 1),
            sides & (SURROUNDED << 2),
        ) {
            (1, ..) | (EMPTY, 1.., 0) => Some(Player::First),
            (2, ..) | (EMPTY, 0, 1..) => Some(Player::Second),
            _ => None,
        }
    }

    /// Number of rows and of columns.
    #[inline]
    pub(crate) fn side(&self) -> u8 {
        self.side
    }

    /// The area score in half points after komi: above 0 if black is ahead.
    pub(crate) fn area_score(&self) -> i16 {
        let all = Points::board(self.side);
        let of = |colour| {
            { all }
                .filter(|&point| self.colour_at(cell_of(point)) == colour)
                .fold(Points::EMPTY, |set, point| set | Points::of(point))
        };
        let stones = Stones::new(of(1), of(2));
        let [black, white] = Player::BOTH.map(|player| stones.area(player, all).len() as i16);
        2 * (black - white) - self.komi
    }

    /// By how many stones one player is ahead.
    #[inline]
    pub(crate) fn lead(&self) -> u8 {
        self.stones[0].abs_diff(self.stones[1])
    }

    /// Number of moves since the board was made.
    pub fn moves(&self) -> u16 {
        self.moves
    }

    /// Whether both players have just passed.
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// The empty cell at this position of the list.
    #[inline]
    pub(crate) fn space_at(&self, place: u8) -> Cell {
        self.empty[at(place)]
    }

    /// Number of empty cells.
    #[inline]
    pub(crate) fn space_count(&self) -> u8 {
        self.spaces
    }

    /// Whether a neighbour of a cell has this colour.
    #[inline]
    pub(crate) fn has_stone(&self, cell: Cell, colour: u8) -> bool {
        SIDES[usize::from(self.code_at(cell) as u8)] & HAS_STONE << colour != 0
    }

    /// The empty cells.
    #[inline]
    pub(crate) fn spaces(&self) -> &[Cell] {
        self.empty
            .get(..usize::from(self.spaces))
            .unwrap_or_default()
    }

    /// The liberties of the block that a stone belongs to.
    #[inline]
    pub(crate) fn liberties_of(&self, stone: Cell) -> Liberties {
        self.liberties_by_name(self.block_of(stone))
    }

    /// The liberties of the block with this representative.
    #[inline]
    pub(crate) fn liberties_by_name(&self, block: Cell) -> Liberties {
        self.spots[at(block)].liberties
    }

    /// The liberties of the block that a stone belongs to as a set of points; walks along the
    /// block.
    pub(crate) fn liberty_points(&self, stone: Cell) -> Points {
        let mut points = Points::EMPTY;
        let mut at = stone;
        loop {
            for neighbour in sides(at) {
                if self.colour_at(neighbour) == EMPTY {
                    points.insert(point_of(neighbour));
                }
            }
            at = self.next_stone(at);
            if at == stone {
                return points;
            }
        }
    }

    /// The representative of the block that a stone belongs to.
    #[inline]
    pub(crate) fn block_of(&self, stone: Cell) -> Cell {
        self.blocks[at(stone)]
    }

    /// Number of stones of a block.
    #[inline]
    pub(crate) fn size_of(&self, stone: Cell) -> u8 {
        self.spots[at(self.block_of(stone))].size
    }

    /// The next stone of the same block, in a circular list.
    #[inline]
    pub(crate) fn next_stone(&self, stone: Cell) -> Cell {
        self.spots[at(stone)].next
    }

    /// The contents of a cell.
    #[inline]
    pub(crate) fn colour_at(&self, cell: Cell) -> u8 {
        // Read from the code of the cell to its left.
        colour_in(self.code_at(step(cell, -1)), 3)
    }

    /// The colours around a cell, two bits each.
    #[inline]
    pub(crate) fn code_at(&self, cell: Cell) -> u16 {
        self.codes[at(cell)]
    }

    /// Whether a cell next to this one is empty.
    #[inline]
    pub(crate) fn has_space(&self, cell: Cell) -> bool {
        SIDES[usize::from(self.code_at(cell) as u8)] & HAS_SPACE != 0
    }

    /// Whether an empty cell is a real eye of this colour, by its neighbours and diagonals.
    #[inline]
    pub(crate) fn is_eye(&self, cell: Cell, colour: u8) -> bool {
        let code = self.code_at(cell);
        let surrounded = SURROUNDED << colour;
        SIDES[usize::from(code as u8)] & surrounded != 0
            && CORNERS[usize::from((code >> 8) as u8)] & surrounded != 0
    }

    /// Whether two cells next to this one are empty.
    #[inline]
    pub(crate) fn has_room(&self, cell: Cell) -> bool {
        SIDES[usize::from(self.code_at(cell) as u8)] & HAS_ROOM != 0
    }

    /// Number of empty cells next to this one.
    #[inline]
    pub(crate) fn room(&self, cell: Cell) -> u8 {
        SPACES[usize::from(self.code_at(cell) as u8)].count
    }

    /// Whether a stone of this colour on an empty cell is legal and fills no eye of its own.
    #[inline]
    pub(crate) fn is_sensible(&self, cell: Cell, colour: u8) -> bool {
        self.has_space(cell) || !self.is_eye(cell, colour) && self.is_legal_inside(cell, colour)
    }

    /// Whether a stone of this colour on an empty cell is legal: it has a liberty and is no ko.
    #[inline]
    pub(crate) fn is_legal(&self, cell: Cell, colour: u8) -> bool {
        self.has_space(cell) || self.is_legal_inside(cell, colour)
    }

    /// Legality of a stone without an empty neighbour.
    #[inline]
    fn is_legal_inside(&self, cell: Cell, colour: u8) -> bool {
        if self.has_stone(cell, colour) {
            self.takes_or_joins(cell, colour)
        } else {
            self.takes(cell)
        }
    }

    /// Whether a stone without a neighbour of its own colour captures.
    #[inline(never)]
    fn takes(&self, cell: Cell) -> bool {
        let rows = rows_at(cell);
        for side in [1, 21, 10, 12] {
            let block = self.blocks[rows + side];
            let liberties = self.liberties_by_name(block);
            if liberties.are_few() && liberties.has_one() && block != NOWHERE {
                return cell != self.ko;
            }
        }
        false
    }

    /// Whether a stone captures or joins a block with another liberty.
    #[inline(never)]
    fn takes_or_joins(&self, cell: Cell, colour: u8) -> bool {
        let mut colours = self.code_at(cell);
        let rows = rows_at(cell);
        for side in [1, 21, 10, 12] {
            let found = colours as u8 & 3;
            let liberties = self.liberties_by_name(self.blocks[rows + side]);
            // Most blocks have too many liberties for the exact test. The scratch entry means
            // nothing.
            let breathes = if liberties.are_few() {
                found != EDGE && (found == colour) != liberties.has_one()
            } else {
                found == colour
            };
            if breathes {
                return cell != self.ko;
            }
            colours >>= 2;
        }
        false
    }

    /// The score in half points after komi at the end of a playout, when only eyes are empty: above
    /// 0 if black is ahead.
    pub fn score(&self) -> i16 {
        let mut lead = i16::from(self.stones[0]) - i16::from(self.stones[1]);
        for &cell in self.spaces() {
            let sides = SIDES[usize::from(self.code_at(cell) as u8)];
            lead += i16::from(sides >> 1 & 1) - i16::from(sides >> 2 & 1);
        }
        2 * lead - self.komi
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Board")
            .field("turn", &self.turn)
            .field("stones", &self.stones)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;
    use crate::rng::Rng;

    /// All incremental data agree with a computation from the bare stones.
    #[test]
    fn it_agrees_with_the_game_in_random_games() {
        let mut rng = Rng::new(8);
        for size in [5, 7, 9] {
            for _ in 0..30 {
                let mut game = Go::new(GoRules::new(size).unwrap());
                let mut board = Board::new(&game);
                while let Some(mv) = rng.pick(game.legal_moves()) {
                    game.play_unchecked(mv);
                    board.play_move(mv);
                    check(&game, &board);
                }
                assert!(board.is_over() || game.plies() == Go::MAX_PLIES);
            }
        }
    }

    /// Self-atari agrees with the liberties after the move, unless it captures more than one stone.
    fn check_self_atari(game: &Go, board: &Board, point: Point) {
        let after = game.after(GoMove::Stone(point));
        if after.prisoners(game.turn()) <= game.prisoners(game.turn()) + 1 {
            let left = after
                .stones()
                .liberties(after.stones().block(point), game.board())
                .len();
            assert_eq!(
                board.is_self_atari(cell_of(point), colour(game.turn())),
                left < 2,
                "{point} in {game}"
            );
        }
    }

    fn check(game: &Go, board: &Board) {
        let stones = game.stones();
        let mut spaces = Points::EMPTY;
        board
            .spaces()
            .iter()
            .for_each(|&cell| spaces.insert(point_of(cell)));
        assert_eq!(spaces, game.empty());
        assert_eq!(board.turn(), game.turn());
        let allowed = stones.breathing(
            game.turn(),
            stones.capturing(game.turn(), game.board()),
            game.board(),
        );
        for point in game.board() {
            let cell = cell_of(point);
            assert_eq!(
                board.colour_at(cell),
                stones.at(point).map_or(EMPTY, colour)
            );
            for (i, by) in AROUND.into_iter().enumerate() {
                assert_eq!(
                    board.code_at(cell) >> (2 * i) & 3,
                    board.colour_at(step(cell, by)).into()
                );
            }
            let around = Points::of(point).around() & game.board();
            let surrounds = |player: &Player| around.without(stones.of(*player)).is_empty();
            let owner = stones.at(point);
            assert_eq!(
                board.owner(cell),
                owner.or(Player::BOTH.into_iter().find(surrounds)),
                "{point} in {game}"
            );
            if stones.at(point).is_some() {
                let block = stones.block(point);
                let liberties = stones.liberties(block, game.board());
                assert_eq!(board.liberty_points(cell), liberties, "{point} in {game}");
                let found = board.liberties_of(cell);
                assert_eq!(found.has_one(), liberties.has_one(), "{point} in {game}");
                assert_eq!(
                    found.only(),
                    liberties.only().map(cell_of),
                    "{point} in {game}"
                );
                assert_eq!(u32::from(board.size_of(cell)), block.len());
                let mut walked = Points::of(point);
                let mut stone = board.next_stone(cell);
                while stone != cell {
                    walked.insert(point_of(stone));
                    stone = board.next_stone(stone);
                }
                assert_eq!(walked, block);
            } else {
                let legal = allowed.contains(point) && game.ko() != Some(point);
                assert_eq!(
                    board.is_legal(cell, colour(game.turn())),
                    legal,
                    "{point} in {game}"
                );
                assert_eq!(
                    board.is_sensible(cell, colour(game.turn())),
                    legal && !board.is_eye(cell, colour(game.turn()))
                );
                if game.is_legal(GoMove::Stone(point)) {
                    check_self_atari(game, board, point);
                }
            }
        }
        let same = Board::new(game);
        let codes = |board: &Board| board.codes;
        assert_eq!(
            (same.ko, codes(&same), same.stones, same.passes),
            (board.ko, codes(board), board.stones, board.passes)
        );
    }
}

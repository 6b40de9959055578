//! The board that playouts run on: blocks with their liberties, and the surroundings of every point, kept up to date
//! stone by stone.
//!
//! It knows simple ko only, and nothing of the past. Points are cells of an array with a border: the neighbours of a
//! cell are found by adding a constant, and no edge needs a question.

use core::fmt;

use super::points::{Point, Points, UP};
use super::{Go, GoMove, Stones};
use crate::game::{Game, Player};

/// What is on a cell; a player's colour is [`colour`].
pub(crate) const EMPTY: u8 = 0;
/// Off the board.
pub(crate) const EDGE: u8 = 3;

/// A place in the arrays.
pub(crate) type Cell = u8;

/// The cell of the point with number 0: one row and one cell of border come before it.
pub(crate) const FIRST: u8 = UP + 1;
/// A power of two, so that a masked index needs no check.
pub(crate) const CELLS: usize = 128;
/// Cells of arrays that are read three rows at a time, from any cell of the others on.
const ROWS: usize = CELLS + 22;
/// No cell of the board.
pub(crate) const NOWHERE: Cell = 0;

/// The four neighbours of a cell, then the four diagonal ones.
pub(crate) const AROUND: [i8; 8] = [-10, 10, -1, 1, -11, 11, -9, 9];

/// Of the four neighbours: whether one is empty.
const HAS_SPACE: u8 = 1;
/// Whether all are of one colour or edges; shifted left by the colour.
const SURROUNDED: u8 = 1;
/// Whether one is of a colour; shifted left by the colour.
const HAS_STONE: u8 = 4;
/// Whether two are empty.
const HAS_ROOM: u8 = 32;

/// By the two bits of each of the four neighbours.
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

/// The empty ones among the four neighbours.
#[derive(Clone, Copy)]
#[repr(align(4))]
struct Spaces {
    count: u8,
    squares: u8,
    steps: i8,
}

/// By the two bits of each of the four neighbours: how many are empty, the squares of the steps to them, and the steps.
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

/// By the two bits of each of the four diagonal neighbours: whether an eye between them stands, shifted left by the
/// colour. One of them may be the enemy's, at the edge none.
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

/// A player's stones in the arrays.
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

/// Where the three rows around a cell begin in an array of [`ROWS`] cells: one index, and then constant places.
#[inline]
fn rows_at(cell: Cell) -> usize {
    at(cell.wrapping_sub(FIRST))
}

/// The colour of the neighbour with this number in [`AROUND`].
#[inline(always)]
pub(crate) fn colour_in(code: u16, neighbour: usize) -> u8 {
    (code >> (2 * neighbour)) as u8 & 3
}

/// The liberties of blocks in one word: for every stone and every empty cell next to it, one is added to bits 25 and up,
/// the number of the cell's point to bits 16 and up, and its square to the bits below.
///
/// A cell next to several stones of a block is counted several times (pseudo-liberties). So blocks are joined by an
/// addition and a stone costs each neighbour one subtraction, where a set of points would take three words. What playouts
/// ask for is there: no liberty is no count, and one liberty is a count c of at most four with c times the squares equal
/// to the square of the sum, which by the inequality of Cauchy and Schwarz is true for equal numbers only.
///
/// With a count of up to four no part runs over: 4 · 88 is below 512 and 4 · 88² below 65,536. Of more than four only the
/// fact is of interest: what runs over makes the count larger, and 109 still fit into the word. n stones of a block have at
/// most 2n + 2, and e empty cells are counted at most 4e times: at most 108 on 81 points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Liberties(u32);

impl Liberties {
    pub(crate) const NONE: Liberties = Liberties(0);
    /// Nine counts or more: without one cell, which has at most four of them, two other cells stay.
    const MANY: Liberties = Liberties(9 << 25);

    /// More counts than one cell can have.
    const FEW: Liberties = Liberties(5 << 25);

    /// One count of one cell.
    #[inline]
    pub(crate) fn of(cell: Cell) -> Liberties {
        let number = u32::from(point_of(cell).0);
        Liberties((1 << 25) + (number << 16) + number * number)
    }

    /// One count of each empty neighbour of a cell with this code.
    #[inline]
    fn around(cell: Cell, code: u16) -> Liberties {
        // With d as a step to an empty neighbour of the point p: the sum of all (p + d)² is count · p² + 2p · Σd + Σd².
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

    /// Both together.
    #[inline]
    #[must_use]
    pub(crate) fn and(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_add(other.0))
    }

    /// Without what was put in before.
    #[inline]
    #[must_use]
    pub(crate) fn without(self, other: Liberties) -> Liberties {
        Liberties(self.0.wrapping_sub(other.0))
    }

    /// Whether there is no cell.
    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there are so many that two cells certainly stay once one is filled.
    #[inline]
    pub(crate) fn are_many(self) -> bool {
        self.0 >= Liberties::MANY.0
    }

    /// Whether there are so few counts that they may all be of one cell.
    #[inline]
    fn are_few(self) -> bool {
        self.0 < Liberties::FEW.0
    }

    /// Whether there is exactly one cell, however often it was counted.
    #[inline]
    pub(crate) fn has_one(self) -> bool {
        let (count, sum, squares) = self.parts();
        count.wrapping_sub(1) < 4 && count * squares == sum * sum
    }

    /// The only cell; `None` if there is none or more than one.
    #[inline]
    pub(crate) fn only(self) -> Option<Cell> {
        if !self.has_one() {
            return None;
        }
        let (count, sum, _) = self.parts();
        // A division by 1 to 4, exact up to 4 · 88: the M0+ has no instruction for it.
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

/// What is known about a cell with a stone, an empty cell, or a block by its name. All of it lies together: the M0+ reaches
/// it from one address.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
struct Spot {
    /// Of a block, by its name. Those of [`NOWHERE`] mean nothing: writing to them saves questions.
    liberties: Liberties,
    /// The next stone of the same block, round and round.
    next: Cell,
    /// Stones of a block, by its name.
    size: u8,
    /// Where an empty cell stands in the list of them.
    place: u8,
}

/// A position for playouts.
#[derive(Clone, Copy)]
pub struct Board {
    spots: [Spot; CELLS],
    /// The colours of the eight cells around a cell, two bits each in the order of [`AROUND`].
    codes: [u16; ROWS],
    /// The block of a stone, named after one of its stones; [`NOWHERE`] if there is no stone.
    blocks: [Cell; ROWS],
    /// The empty cells, in any order.
    empty: [Cell; CELLS],
    spaces: u8,
    /// Stones on the board, by [`Player::index`].
    stones: [u8; 2],
    pub(crate) ko: Cell,
    /// Whose turn it is.
    pub(crate) turn: Player,
    /// The last move; [`NOWHERE`] for a pass.
    pub(crate) last: Cell,
    pub(crate) passes: u8,
    /// Moves made on this board.
    moves: u16,
    /// Half points of white.
    komi: i16,
    side: u8,
}

/// No points at all.
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
            passes: 0,
            moves: 0,
            komi: 0,
            side: 0,
        }
    }
}

impl Board {
    /// The board of a game as it stands.
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
        let last = game.moves().next_back();
        board.last = last.and_then(GoMove::point).map_or(NOWHERE, cell_of);
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

    /// Changes the colour of a cell in the codes around it.
    #[inline]
    fn paint(&mut self, cell: Cell, from: u8, to: u8) {
        let rows = &mut self.codes[rows_at(cell)..][..23];
        let change = u16::from(from ^ to);
        // A cell sees its neighbour in the opposite direction, whose number in `AROUND` differs in the lowest bit.
        rows[0] ^= change << 10;
        rows[1] ^= change << 2;
        rows[2] ^= change << 14;
        rows[10] ^= change << 6;
        rows[12] ^= change << 4;
        rows[20] ^= change << 12;
        rows[21] ^= change;
        rows[22] ^= change << 8;
    }

    /// The names of the blocks on the four neighbours of a cell; [`NOWHERE`] for those without a stone.
    #[inline(always)]
    pub(crate) fn blocks_around(&self, cell: Cell) -> [Cell; 4] {
        let rows = &self.blocks[rows_at(cell)..][..23];
        [rows[1], rows[21], rows[10], rows[12]]
    }

    /// Puts a stone on an empty cell and takes off what it captures. Returns how many stones that are.
    #[inline(never)]
    fn put(&mut self, cell: Cell, colour: u8) -> u8 {
        self.take_space(cell);
        self.paint(cell, EMPTY, colour);
        self.stones[usize::from(colour - 1) & 1] += 1;
        // All blocks around lose a liberty, and nowhere does, which is cheaper than to ask.
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

    /// Makes one block of a new stone and those of its colour around it.
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

    /// Makes one block of two and returns its name: the larger one's.
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

    /// Takes the neighbours of this colour that have no liberties off the board. Returns how many stones that are.
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

    /// Takes a block off the board.
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
            // The block itself may be among them: nobody asks for its liberties any more.
            for side in [1, 21, 10, 12] {
                let spot = &mut self.spots[at(self.blocks[rows + side])];
                spot.liberties = spot.liberties.and(liberty);
            }
            stone = self.next_stone(stone);
        }
        size
    }

    /// Plays a move that is legal, ko aside.
    #[inline]
    pub(crate) fn play(&mut self, cell: Cell) {
        self.ko = NOWHERE;
        if cell == NOWHERE {
            self.passes += 1;
        } else {
            self.passes = 0;
            if self.put(cell, colour(self.turn)) == 1 && self.size_of(cell) == 1 {
                // One stone took one stone: if it has no other liberty, it must not be taken back at once.
                self.ko = self.liberties_of(cell).only().unwrap_or(NOWHERE);
            }
        }
        self.last = cell;
        self.moves += 1;
        self.turn = !self.turn;
    }

    /// Plays a move of the game that is legal, ko aside.
    pub fn play_move(&mut self, mv: GoMove) {
        self.play(mv.point().map_or(NOWHERE, cell_of));
    }

    /// Who is to move.
    pub fn turn(&self) -> Player {
        self.turn
    }

    /// Forgets passes: a playout goes on from here even if the game has ended.
    pub(crate) fn reopen(&mut self) {
        self.passes = 0;
    }

    /// Whose a cell is once only eyes are empty.
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

    /// Rows, which are as many as columns.
    #[inline]
    pub(crate) fn side(&self) -> u8 {
        self.side
    }

    /// The score in half points as the game counts it, komi taken off: above 0 if black is ahead.
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

    /// How many moves were made since the board was made.
    pub fn moves(&self) -> u16 {
        self.moves
    }

    /// Whether both players have just passed.
    pub fn is_over(&self) -> bool {
        self.passes >= 2
    }

    /// The empty cell at this place of the list of them.
    #[inline]
    pub(crate) fn space_at(&self, place: u8) -> Cell {
        self.empty[at(place)]
    }

    /// How many cells are empty.
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

    /// The liberties of the block with this name.
    #[inline]
    pub(crate) fn liberties_by_name(&self, block: Cell) -> Liberties {
        self.spots[at(block)].liberties
    }

    /// The liberties of the block that a stone belongs to, as points; looked for stone by stone.
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

    /// The name of the block that a stone belongs to.
    #[inline]
    pub(crate) fn block_of(&self, stone: Cell) -> Cell {
        self.blocks[at(stone)]
    }

    /// How many stones a block has.
    #[inline]
    pub(crate) fn size_of(&self, stone: Cell) -> u8 {
        self.spots[at(self.block_of(stone))].size
    }

    /// The next stone of the same block; going on leads back to the first.
    #[inline]
    pub(crate) fn next_stone(&self, stone: Cell) -> Cell {
        self.spots[at(stone)].next
    }

    /// What is on a cell.
    #[inline]
    pub(crate) fn colour_at(&self, cell: Cell) -> u8 {
        // The cell to its left sees it on the right.
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

    /// Whether an empty cell is an eye of this colour: all its neighbours are of the colour, and the corners keep it.
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

    /// Whether a stone of this colour may be put on an empty cell and fills no eye.
    #[inline]
    pub(crate) fn is_sensible(&self, cell: Cell, colour: u8) -> bool {
        self.has_space(cell) || !self.is_eye(cell, colour) && self.is_legal_inside(cell, colour)
    }

    /// Whether a stone of this colour may be put on an empty cell: it would breathe, and it is no ko.
    #[inline]
    pub(crate) fn is_legal(&self, cell: Cell, colour: u8) -> bool {
        self.has_space(cell) || self.is_legal_inside(cell, colour)
    }

    /// Whether a stone may be put where no neighbour is empty.
    #[inline]
    fn is_legal_inside(&self, cell: Cell, colour: u8) -> bool {
        if self.has_stone(cell, colour) {
            self.takes_or_joins(cell, colour)
        } else {
            self.takes(cell)
        }
    }

    /// Whether a stone with no neighbour of its own colour takes some.
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

    /// Whether a stone takes some or joins a block with another liberty.
    #[inline(never)]
    fn takes_or_joins(&self, cell: Cell, colour: u8) -> bool {
        let mut colours = self.code_at(cell);
        let rows = rows_at(cell);
        for side in [1, 21, 10, 12] {
            let found = colours as u8 & 3;
            let liberties = self.liberties_by_name(self.blocks[rows + side]);
            // Most blocks have too many liberties to look closer. Those of the edge mean nothing.
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

    /// The score in half points once only eyes are empty, komi taken off: above 0 if black is ahead.
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

    /// Everything that is kept up to date is what the bare stones say.
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

    /// Self-atari is what the stones say after the move, unless it takes more than one stone.
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

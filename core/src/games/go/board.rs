//! The board that playouts run on: blocks with their liberties, and the surroundings of every point, kept up to date
//! stone by stone.
//!
//! It knows simple ko only, and nothing of the past. Points are cells of an array with a border: the neighbours of a
//! cell are found by adding a constant, and no edge needs a question.

use core::fmt;

use super::points::{NUMBERS, Point, Points, UP};
use super::{Go, GoMove, Stones};
use crate::game::{Game, Player};

/// What is on a cell; a player's colour is [`colour`].
pub(crate) const EMPTY: u8 = 0;
/// Off the board.
pub(crate) const EDGE: u8 = 3;

/// A place in the arrays.
pub(crate) type Cell = u8;

/// The cell of the point with number 0: one row and one cell of border come before it.
const FIRST: u8 = UP + 1;
/// A power of two, so that a masked index needs no check.
const CELLS: usize = 128;
/// No cell of the board.
pub(crate) const NOWHERE: Cell = 0;

/// The four neighbours of a cell, then the four diagonal ones.
pub(crate) const AROUND: [i8; 8] = [-10, 10, -1, 1, -11, 11, -9, 9];

/// Of the four neighbours: whether one is empty.
const HAS_SPACE: u8 = 1;
/// Whether all are of one colour or edges; shifted left by the colour.
const SURROUNDED: u8 = 1;

/// By the two bits of each of the four neighbours.
static SIDES: [u8; 256] = {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let (mut space, mut own) = (false, [true; 2]);
        let mut i = 0;
        while i < 4 {
            match (code >> (2 * i)) as u8 & 3 {
                EMPTY => {
                    space = true;
                    own = [false; 2];
                }
                1 => own[1] = false,
                2 => own[0] = false,
                _ => {}
            }
            i += 1;
        }
        table[code] = (if space { HAS_SPACE } else { 0 })
            | (if own[0] { SURROUNDED << 1 } else { 0 })
            | (if own[1] { SURROUNDED << 2 } else { 0 });
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
        table[code] =
            (if count[2] <= most { SURROUNDED << 1 } else { 0 }) | (if count[1] <= most { SURROUNDED << 2 } else { 0 });
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
fn at(cell: Cell) -> usize {
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

/// What is known about a cell. All of it lies together: the M0+ reaches it from one address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(8))]
struct Spot {
    /// The colours of the eight cells around, two bits each in the order of [`AROUND`].
    code: u16,
    /// [`EMPTY`], a colour or [`EDGE`].
    colour: u8,
    /// Where an empty cell stands in the list of them.
    place: u8,
    /// The first stone of the block that a stone belongs to: the block's name.
    block: Cell,
    /// The next stone of the same block, round and round.
    next: Cell,
    /// Stones of a block, by its name.
    size: u8,
}

/// A position for playouts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Board {
    spots: [Spot; CELLS],
    /// Liberties of a block, by its name.
    liberties: [Points; CELLS],
    /// The empty cells, in any order.
    empty: [Cell; NUMBERS],
    spaces: u8,
    /// Stones on the board, by [`Player::index`].
    stones: [u8; 2],
    pub(crate) ko: Cell,
    /// Whose turn it is.
    pub(crate) turn: Player,
    /// The last two moves, the latest first; [`NOWHERE`] for a pass.
    pub(crate) last: [Cell; 2],
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
            spots: [Spot { colour: EDGE, code: 0, block: 0, next: 0, size: 0, place: 0 }; CELLS],
            liberties: [Points::EMPTY; CELLS],
            empty: [0; NUMBERS],
            spaces: 0,
            stones: [0; 2],
            ko: NOWHERE,
            turn: Player::First,
            last: [NOWHERE; 2],
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
        let mut board =
            Board { turn: game.turn(), komi: game.rules().komi(), side: game.rules().size(), ..Board::default() };
        for point in game.board() {
            board.spots[at(cell_of(point))].colour = EMPTY;
            board.add_space(cell_of(point));
        }
        for cell in game.board().map(cell_of) {
            let code = |i: usize| u16::from(board.spots[at(step(cell, AROUND[i]))].colour) << (2 * i);
            board.spots[at(cell)].code = (0..8).map(code).sum();
        }
        for player in Player::BOTH {
            for point in game.stones().of(player) {
                board.put(cell_of(point), colour(player));
            }
        }
        board.ko = game.ko().map_or(NOWHERE, cell_of);
        let mut moves = game.moves().rev();
        board.last = [(); 2].map(|()| moves.next().and_then(GoMove::point).map_or(NOWHERE, cell_of));
        board.passes = game.moves().rev().take(2).take_while(|&mv| mv == GoMove::Pass).count() as u8;
        board
    }

    #[inline]
    fn add_space(&mut self, cell: Cell) {
        if let Some(place) = self.empty.get_mut(usize::from(self.spaces)) {
            *place = cell;
        }
        self.spots[at(cell)].place = self.spaces;
        self.spaces += 1;
    }

    #[inline]
    fn take_space(&mut self, cell: Cell) {
        self.spaces -= 1;
        let place = self.spots[at(cell)].place;
        let moved = self.empty.get(usize::from(self.spaces)).copied().unwrap_or(NOWHERE);
        if let Some(hole) = self.empty.get_mut(usize::from(place)) {
            *hole = moved;
        }
        self.spots[at(moved)].place = place;
    }

    /// Changes the colour of a cell from or to empty, for itself and in the codes around it.
    #[inline]
    fn paint(&mut self, cell: Cell, from: u8, to: u8) {
        self.spots[at(cell)].colour = to;
        // The three rows around the cell in one piece: one check, and then constant places.
        let below = usize::from(cell.wrapping_sub(FIRST));
        let Some(rows) = self.spots.get_mut(below..).and_then(|spots| spots.first_chunk_mut::<23>()) else { return };
        let change = u16::from(from ^ to);
        // A cell sees its neighbour in the opposite direction, whose number in `AROUND` differs in the lowest bit.
        rows[0].code ^= change << 10;
        rows[1].code ^= change << 2;
        rows[2].code ^= change << 14;
        rows[10].code ^= change << 6;
        rows[12].code ^= change << 4;
        rows[20].code ^= change << 12;
        rows[21].code ^= change;
        rows[22].code ^= change << 8;
    }

    /// Puts a stone on an empty cell and takes off what it captures. Returns how many stones that are.
    #[inline]
    fn put(&mut self, cell: Cell, colour: u8) -> u8 {
        self.take_space(cell);
        self.paint(cell, EMPTY, colour);
        self.stones[usize::from(colour - 1) & 1] += 1;
        let point = point_of(cell);
        let mut name = cell;
        self.spots[at(cell)].block = cell;
        self.spots[at(cell)].next = cell;
        self.spots[at(cell)].size = 1;
        let mut liberties = Points::EMPTY;
        let mut hostile = false;
        for neighbour in sides(cell) {
            let found = self.spots[at(neighbour)].colour;
            if found == EMPTY {
                liberties.insert(point_of(neighbour));
            } else if found == colour {
                let block = self.spots[at(neighbour)].block;
                if block != name {
                    self.liberties[at(block)].remove(point);
                    liberties |= self.liberties[at(block)];
                    name = self.merge(name, block);
                }
            } else {
                hostile |= found != EDGE;
            }
        }
        self.liberties[at(name)] = liberties;
        let mut taken = 0;
        if hostile {
            for neighbour in sides(cell) {
                if self.spots[at(neighbour)].colour == 3 - colour {
                    let block = self.spots[at(neighbour)].block;
                    self.liberties[at(block)].remove(point);
                    if self.liberties[at(block)].is_empty() {
                        taken += self.take(block, 3 - colour);
                    }
                }
            }
        }
        taken
    }

    /// Makes one block of two and returns its name: the larger one's.
    fn merge(&mut self, a: Cell, b: Cell) -> Cell {
        let (large, small) = if self.spots[at(a)].size < self.spots[at(b)].size { (b, a) } else { (a, b) };
        self.spots[at(large)].size += self.spots[at(small)].size;
        let mut stone = small;
        loop {
            self.spots[at(stone)].block = large;
            stone = self.spots[at(stone)].next;
            if stone == small {
                break;
            }
        }
        (self.spots[at(large)].next, self.spots[at(small)].next) =
            (self.spots[at(small)].next, self.spots[at(large)].next);
        large
    }

    /// Takes a block off the board.
    fn take(&mut self, block: Cell, colour: u8) -> u8 {
        let size = self.spots[at(block)].size;
        self.stones[usize::from(colour - 1) & 1] -= size;
        let mut stone = block;
        for _ in 0..size {
            self.paint(stone, colour, EMPTY);
            self.add_space(stone);
            let point = point_of(stone);
            for neighbour in sides(stone) {
                if self.spots[at(neighbour)].colour == 3 - colour {
                    self.liberties[at(self.spots[at(neighbour)].block)].insert(point);
                }
            }
            stone = self.spots[at(stone)].next;
        }
        size
    }

    /// Plays a move that is legal, ko aside.
    #[inline]
    pub(crate) fn play(&mut self, cell: Cell) {
        let colour = colour(self.turn);
        self.ko = NOWHERE;
        if cell == NOWHERE {
            self.passes += 1;
        } else {
            self.passes = 0;
            if self.put(cell, colour) == 1 && self.spots[at(self.spots[at(cell)].block)].size == 1 {
                // One stone took one stone: if it has no other liberty, it must not be taken back at once.
                self.ko = self.liberties[at(cell)].only().map_or(NOWHERE, cell_of);
            }
        }
        self.last = [cell, self.last[0]];
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
        match (self.colour_at(cell), sides & (SURROUNDED << 1), sides & (SURROUNDED << 2)) {
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

    /// The empty cells.
    #[inline]
    pub(crate) fn spaces(&self) -> &[Cell] {
        self.empty.get(..usize::from(self.spaces)).unwrap_or_default()
    }

    /// The liberties of the block that a stone belongs to.
    #[inline]
    pub(crate) fn liberties_of(&self, stone: Cell) -> &Points {
        &self.liberties[at(self.block_of(stone))]
    }

    /// The name of the block that a stone belongs to.
    #[inline]
    pub(crate) fn block_of(&self, stone: Cell) -> Cell {
        self.spots[at(stone)].block
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
        self.spots[at(cell)].colour
    }

    /// The colours around a cell, two bits each.
    #[inline]
    pub(crate) fn code_at(&self, cell: Cell) -> u16 {
        self.spots[at(cell)].code
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
        let (sides, corners) = (SIDES[usize::from(code as u8)], CORNERS[usize::from((code >> 8) as u8)]);
        sides & corners & SURROUNDED << colour != 0
    }

    /// Whether a stone of this colour may be put on an empty cell: it would breathe, and it is no ko.
    #[inline]
    pub(crate) fn is_legal(&self, cell: Cell, colour: u8) -> bool {
        self.has_space(cell) || cell != self.ko && self.finds_liberty(cell, colour)
    }

    /// Whether a stone among stones takes some or joins a block with another liberty.
    fn finds_liberty(&self, cell: Cell, colour: u8) -> bool {
        sides(cell).into_iter().any(|neighbour| {
            let found = self.colour_at(neighbour);
            let last = || self.liberties_of(neighbour).has_one();
            found == colour && !last() || found == 3 - colour && last()
        })
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
        f.debug_struct("Board").field("turn", &self.turn).field("stones", &self.stones).finish_non_exhaustive()
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

    fn check(game: &Go, board: &Board) {
        let stones = game.stones();
        let mut spaces = Points::EMPTY;
        board.spaces().iter().for_each(|&cell| spaces.insert(point_of(cell)));
        assert_eq!(spaces, game.empty());
        assert_eq!(board.turn(), game.turn());
        let allowed = stones.breathing(game.turn(), stones.capturing(game.turn(), game.board()), game.board());
        for point in game.board() {
            let cell = cell_of(point);
            assert_eq!(board.colour_at(cell), stones.at(point).map_or(EMPTY, colour));
            for (i, by) in AROUND.into_iter().enumerate() {
                assert_eq!(board.code_at(cell) >> (2 * i) & 3, board.colour_at(step(cell, by)).into());
            }
            if stones.at(point).is_some() {
                let block = stones.block(point);
                assert_eq!(*board.liberties_of(cell), stones.liberties(block, game.board()), "{point} in {game}");
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
                assert_eq!(board.is_legal(cell, colour(game.turn())), legal, "{point} in {game}");
            }
        }
        let same = Board::new(game);
        let codes = |board: &Board| board.spots.map(|spot| spot.code);
        assert_eq!(
            (same.ko, codes(&same), same.stones, same.passes),
            (board.ko, codes(board), board.stones, board.passes)
        );
    }
}

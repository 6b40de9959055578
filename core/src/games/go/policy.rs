//! A learned policy: how likely a strong player is to choose each move of a position.
//!
//! The logit of a move is a sum of weights in bytes: one for the eight points around it, one for the
//! four points two steps away, and one for each of a few facts (captures, rescues, ataris, distances
//! to the last two moves and to the edge). `relative` compares the moves of a position.
//! All of it is integers; the weights lie in the bank.

use super::board::{
    AROUND, Board, Cell, EDGE, EMPTY, NOWHERE, cell_of, colour, colour_in, point_of, sides, step,
};
use super::points::Point;
use crate::bank::{Kind, Meta, Number};
use crate::game_id::GameId;

/// Arrangements of stones on the eight points around a move: 81 × 81 away from the edge, 27 × 9 at
/// each of four edges, 9 × 3 in each of four corners.
pub const SHAPES: usize = 81 * 81 + 4 * 27 * 9 + 4 * 9 * 3;
/// Arrangements of the four points two steps away, off the board included.
const FAR: usize = 256;
/// Sizes of blocks that are told apart: one stone, two, more.
const SIZES: usize = 3;
/// Distances to an earlier move that are told apart, the last for all larger ones and for none.
const DISTANCES: usize = 17;
/// Lines from the edge to the middle.
const LINES: usize = 5;
/// Phases of the game by the stones on the board.
const PHASES: usize = 3;

/// The first weight of each group.
const AT_FAR: usize = SHAPES;
const AT_CAPTURE: usize = AT_FAR + FAR;
/// Captures a block that threatens a block of the mover's own.
const AT_RELIEF: usize = AT_CAPTURE + SIZES;
const AT_SAVE: usize = AT_RELIEF + 1;
const AT_SELF_ATARI: usize = AT_SAVE + SIZES;
const AT_ATARI: usize = AT_SELF_ATARI + SIZES;
/// Leaves a block of the opponent two liberties.
const AT_SQUEEZE: usize = AT_ATARI + SIZES;
/// Extends a block of two liberties.
const AT_EXTEND: usize = AT_SQUEEZE + SIZES;
const AT_LAST: usize = AT_EXTEND + SIZES;
const AT_BEFORE: usize = AT_LAST + DISTANCES;
const AT_LINE: usize = AT_BEFORE + DISTANCES;
/// No stone within two lines, by line.
const AT_OPEN: usize = AT_LINE + LINES * PHASES;

/// Weights of a policy.
pub const WEIGHTS: usize = AT_OPEN + LINES;

/// A weight of this much multiplies the likelihood by e.
pub const NAT: i16 = 16;

/// The part of a shape's number that the four neighbours give, by their two bits each: edges first,
/// and within them in base 3. Impossible arrangements have number 0.
static SIDE_NUMBER: [u16; 256] = {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        // Up, down, left and right are off the board.
        let (mut edges, mut rank, mut free) = (0, 0, 1);
        let mut i = 0;
        while i < 4 {
            let found = code >> (2 * i) & 3;
            if found == EDGE as usize {
                edges |= 1 << i;
            } else {
                rank += found as u16 * free;
                free *= 3;
            }
            i += 1;
        }
        // AROUND has down, up, left, right: 1, 2, 4, 8.
        let (base, corners) = match edges {
            0 => (0, 81),
            1 => (6561, 9),
            2 => (6561 + 243, 9),
            4 => (6561 + 486, 9),
            8 => (6561 + 729, 9),
            5 => (7533, 3),
            9 => (7533 + 27, 3),
            6 => (7533 + 54, 3),
            10 => (7533 + 81, 3),
            _ => (0, 0),
        };
        table[code] = base + rank * corners;
        code += 1;
    }
    table
};

/// The part that the four diagonal neighbours give: in base 3 without those off the board.
static CORNER_NUMBER: [u8; 256] = {
    let mut table = [0; 256];
    let mut code = 0;
    while code < 256 {
        let (mut rank, mut free) = (0, 1);
        let mut i = 0;
        while i < 4 {
            let found = code >> (2 * i) & 3;
            if found != EDGE as usize {
                rank += found as u8 * free;
                free = free.wrapping_mul(3);
            }
            i += 1;
        }
        table[code] = rank;
        code += 1;
    }
    table
};

/// e to the power of −n/16, in 1/4,096.
static EXP: [u16; 144] = [
    4096, 3848, 3615, 3396, 3190, 2997, 2815, 2645, 2484, 2334, 2192, 2060, 1935, 1818, 1707, 1604,
    1507, 1416, 1330, 1249, 1174, 1102, 1036, 973, 914, 859, 807, 758, 712, 669, 628, 590, 554,
    521, 489, 460, 432, 406, 381, 358, 336, 316, 297, 279, 262, 246, 231, 217, 204, 192, 180, 169,
    159, 149, 140, 132, 124, 116, 109, 103, 96, 90, 85, 80, 75, 70, 66, 62, 58, 55, 52, 48, 46, 43,
    40, 38, 35, 33, 31, 29, 28, 26, 24, 23, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 12, 11, 10, 10,
    9, 8, 8, 7, 7, 7, 6, 6, 5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1,
    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
];

/// The colours of a code as the player to move sees them: 1 own, 2 the opponent's.
#[inline]
pub(super) const fn seen_by(code: u16, own: u8) -> u16 {
    if own == 1 {
        code
    } else {
        (code & 0x5555) << 1 | code >> 1 & 0x5555
    }
}

/// The number of a shape, below [`SHAPES`], by the colours around a move as its player sees them.
#[inline]
pub fn shape_number(code: u16) -> usize {
    usize::from(SIDE_NUMBER[usize::from(code as u8)])
        + usize::from(CORNER_NUMBER[usize::from(code >> 8)])
}

/// The weights that apply to a move, by their numbers.
pub type Active = heapless::Vec<u16, 24>;

fn size_class(stones: u8) -> usize {
    usize::from(stones.clamp(1, 3)) - 1
}

/// dx + dy + max(dx, dy), from 2 on; the last class if there is no other cell.
fn distance_class(a: Cell, b: Cell) -> usize {
    if b == NOWHERE {
        return DISTANCES - 1;
    }
    let (a, b) = (point_of(a), point_of(b));
    let (across, up) = (a.col().abs_diff(b.col()), a.row().abs_diff(b.row()));
    usize::from(across + up + across.max(up))
        .saturating_sub(2)
        .min(DISTANCES - 2)
}

/// The weights that apply to a legal move.
fn active(board: &Board, cell: Cell) -> Active {
    let own = colour(board.turn());
    let mut list = Active::new();
    let mut add = |number: usize| {
        // The capacity exceeds the number of groups.
        let _ = list.push(number as u16);
    };
    let code = board.code_at(cell);
    add(shape_number(seen_by(code, own)));
    add(AT_FAR + usize::from(far_code(board, cell, own)));

    let is_self_atari = board.is_self_atari(cell, own);
    let (mut taken, mut relief, mut joined, mut in_atari) = (0, false, 1_u8, 0);
    let (mut ataris, mut squeezed, mut extended) = (0, 0, 0);
    let mut known = [NOWHERE; 4];
    for (i, neighbour) in sides(cell).into_iter().enumerate() {
        let found = colour_in(code, i);
        if found == EMPTY || found == EDGE {
            continue;
        }
        let block = board.block_of(neighbour);
        if known.contains(&block) {
            continue;
        }
        known[i] = block;
        let size = board.size_of(neighbour);
        let liberties = match board.liberties_by_name(block) {
            many if many.are_many() => 9,
            few if few.has_one() => 1,
            _ => board.liberty_points(neighbour).len(),
        };
        match (found == own, liberties) {
            (true, 1) => {
                joined = joined.saturating_add(size);
                in_atari += size;
            }
            (true, 2) => {
                joined = joined.saturating_add(size);
                extended = extended.max(size);
            }
            (true, _) => joined = joined.saturating_add(size),
            (false, 1) => {
                taken += size;
                relief |= touches_atari(board, neighbour, own);
            }
            (false, 2) => ataris = ataris.max(size),
            (false, 3) => squeezed = squeezed.max(size),
            (false, _) => {}
        }
    }
    if taken > 0 {
        add(AT_CAPTURE + size_class(taken));
    }
    if relief {
        add(AT_RELIEF);
    }
    if is_self_atari {
        add(AT_SELF_ATARI + size_class(joined));
    } else {
        for (group, size) in [
            (AT_SAVE, in_atari),
            (AT_ATARI, ataris),
            (AT_SQUEEZE, squeezed),
            (AT_EXTEND, extended),
        ] {
            if size > 0 {
                add(group + size_class(size));
            }
        }
    }
    add(AT_LAST + distance_class(cell, board.last));
    add(AT_BEFORE + distance_class(cell, board.before));
    let point = point_of(cell);
    let high = board.side().saturating_sub(1);
    let height = |line: u8| line.min(high.saturating_sub(line));
    let line = usize::from(height(point.col()).min(height(point.row()))).min(LINES - 1);
    let area = u16::from(board.side()) * u16::from(board.side());
    let stones = area.saturating_sub(board.space_count().into());
    let phase = usize::from(8 * stones >= area) + usize::from(3 * stones >= area);
    add(AT_LINE + LINES * phase + line);
    if is_open(board, cell) {
        add(AT_OPEN + line);
    }
    list
}

/// The weights that apply to a stone on this point.
pub fn candidate(board: &Board, point: Point) -> Active {
    active(board, cell_of(point))
}

/// The colours two steps away, off the board included, as the player to move sees them.
fn far_code(board: &Board, cell: Cell, own: u8) -> u8 {
    let code = board.code_at(cell);
    let mut far = 0;
    for (i, &by) in AROUND[..4].iter().enumerate() {
        let found = if colour_in(code, i) == EDGE {
            EDGE
        } else {
            // The same direction again, from the neighbour.
            colour_in(board.code_at(step(cell, by)), i)
        };
        far |= u16::from(found) << (2 * i);
    }
    seen_by(far, own) as u8
}

/// Whether the block of a stone touches a block of this colour that is in atari.
fn touches_atari(board: &Board, stone: Cell, own: u8) -> bool {
    let mut at = stone;
    loop {
        for neighbour in sides(at) {
            if board.colour_at(neighbour) == own && board.liberties_of(neighbour).has_one() {
                return true;
            }
        }
        at = board.next_stone(at);
        if at == stone {
            return false;
        }
    }
}

/// Whether there is no stone within two lines of a cell.
pub(super) fn is_open(board: &Board, cell: Cell) -> bool {
    let point = point_of(cell);
    (-2..=2).all(|up| {
        (-2..=2).all(|right| {
            let (col, row) = (
                point.col().wrapping_add_signed(right),
                point.row().wrapping_add_signed(up),
            );
            col >= board.side()
                || row >= board.side()
                || board.colour_at(step(cell, 10 * up + right)) == EMPTY
        })
    })
}

/// The weights of a policy, as a bank has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Policy<'b>(&'b [u8]);

impl<'b> Policy<'b> {
    /// Whether this is the metadata of a policy.
    pub fn fits(meta: &Meta) -> bool {
        meta.game == GameId::Go
            && meta.kind == Kind::Policy
            && meta.number == Number::I8
            && meta.scale == NAT as u32
            && meta.dims == [WEIGHTS as u16, 0, 0, 0]
    }

    /// The policy in a payload; `None` if it is something else.
    pub fn new(meta: &Meta, payload: &'b [u8]) -> Option<Policy<'b>> {
        Policy::from_bytes(payload).filter(|_| Policy::fits(meta))
    }

    /// The policy with these weights; `None` if there are not [`WEIGHTS`].
    pub fn from_bytes(bytes: &'b [u8]) -> Option<Policy<'b>> {
        (bytes.len() == WEIGHTS).then_some(Policy(bytes))
    }

    /// The logit of a legal move: the sum of its weights, [`NAT`] to the unit.
    pub(super) fn logit(&self, board: &Board, cell: Cell) -> i16 {
        let weight = |&number: &u16| {
            self.0
                .get(usize::from(number))
                .map_or(0, |&byte| byte as i8)
        };
        active(board, cell).iter().map(weight).map(i16::from).sum()
    }

    /// The logit of a stone on this point.
    pub fn score(&self, board: &Board, point: Point) -> i16 {
        self.logit(board, cell_of(point))
    }
}

/// What a group of weights is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as the weights' groups above")]
pub enum Voice {
    Shape,
    Far,
    Capture,
    Relief,
    Save,
    SelfAtari,
    Atari,
    Squeeze,
    Extend,
    Last,
    Before,
    Line,
    Open,
}

impl Voice {
    /// All of them, with the first weight of each.
    const ALL: [(usize, Voice); 13] = [
        (0, Voice::Shape),
        (AT_FAR, Voice::Far),
        (AT_CAPTURE, Voice::Capture),
        (AT_RELIEF, Voice::Relief),
        (AT_SAVE, Voice::Save),
        (AT_SELF_ATARI, Voice::SelfAtari),
        (AT_ATARI, Voice::Atari),
        (AT_SQUEEZE, Voice::Squeeze),
        (AT_EXTEND, Voice::Extend),
        (AT_LAST, Voice::Last),
        (AT_BEFORE, Voice::Before),
        (AT_LINE, Voice::Line),
        (AT_OPEN, Voice::Open),
    ];

    /// The group with this number, from 0.
    pub(super) fn from_code(code: u8) -> Option<Voice> {
        Voice::ALL.get(usize::from(code)).map(|&(_, voice)| voice)
    }
}

impl Policy<'_> {
    /// The group of weights that speaks most for a stone on `point`, compared with the mean of all
    /// these points, and how much more, [`NAT`] to the unit. `None` if none speaks for it.
    pub fn voice(
        &self,
        board: &Board,
        point: Point,
        points: super::Points,
    ) -> Option<(Voice, i16)> {
        let sums = |cell| {
            let mut sums = [0_i32; Voice::ALL.len()];
            for number in active(board, cell) {
                let number = usize::from(number);
                let group = Voice::ALL.partition_point(|&(first, _)| first <= number);
                let weight = self.0.get(number).map_or(0, |&byte| byte as i8);
                if let Some(sum) = sums.get_mut(group.saturating_sub(1)) {
                    *sum += i32::from(weight);
                }
            }
            sums
        };
        let mut all = [0_i32; Voice::ALL.len()];
        for other in points {
            for (all, sum) in all.iter_mut().zip(sums(cell_of(other))) {
                *all += sum;
            }
        }
        let count = points.len().max(1) as i32;
        let own = sums(cell_of(point));
        let more = own.iter().zip(all).map(|(own, all)| own - all / count);
        let voices = Voice::ALL.iter().zip(more);
        let (&(_, voice), more) = voices.max_by_key(|&(_, more)| more)?;
        (more > 0).then_some((voice, more as i16))
    }
}

/// Turns logits into logarithms of likelihoods, relative to those of a uniformly random move:
/// ln(p · n), [`NAT`] to the unit.
pub(super) fn relative(logits: &mut [i16]) {
    let Some(&most) = logits.iter().max() else {
        return;
    };
    let power = |logit: i16| {
        let below = usize::from(most.abs_diff(logit));
        EXP.get(below).copied().map_or(0, u32::from)
    };
    let sum: u32 = logits.iter().map(|&logit| power(logit)).sum();
    let mean = sum / logits.len() as u32;
    // The logarithm of the mean: the place of the first power that is not above it.
    let log = EXP.partition_point(|&power| u32::from(power) > mean) as i16;
    for logit in logits {
        *logit = *logit - most + log;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::go::{Go, GoMove, GoRules};
    use crate::rng::Rng;

    /// The weights of a move at a point of a 5×5 board.
    fn weights(text: &str, name: &str) -> Active {
        let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        candidate(&Board::new(&game), Point::parse(name).unwrap())
    }

    fn has(text: &str, name: &str, group: usize, class: usize) -> bool {
        weights(text, name).contains(&((group + class) as u16))
    }

    #[test]
    fn facts_are_found() {
        let one = "...../.X.../XOX../...../..... black";
        assert!(has(one, "B2", AT_CAPTURE, 0));
        let two = "...../.XX../XOO../.XX../..... black";
        assert!(has(two, "D3", AT_CAPTURE, 1) && !has(two, "D3", AT_RELIEF, 0));
        // The captured stone had black in atari.
        let relief = ".X.../XOX../O..../...../..... black";
        assert!(has(relief, "B3", AT_CAPTURE, 0) && has(relief, "B3", AT_RELIEF, 0));
        let atari = "...../.O.../OX.../.O.../..... black";
        assert!(has(atari, "C3", AT_SAVE, 0));
        let liberties = "...../.X.../XO.../O.O../..... black";
        assert!(has(liberties, "C3", AT_ATARI, 0));
        assert!(has(liberties, "A1", AT_SELF_ATARI, 0));
        assert!(!has(
            "...../...../..O../...../..... black",
            "C2",
            AT_SQUEEZE,
            0
        ));
        assert!(has(
            "...../...../..OX./...../..... black",
            "C2",
            AT_SQUEEZE,
            0
        ));
        let empty = "...../...../...../...../..... black";
        assert!(has(empty, "C3", AT_OPEN, 2) && has(empty, "A1", AT_LINE, 0));
        assert!(has(empty, "C3", AT_LAST, DISTANCES - 1));
    }

    /// With a single weight above zero, its group speaks.
    #[test]
    fn the_group_that_is_above_the_mean_speaks() {
        let text = "...../.X.../XOX../...../..... black";
        let game = Go::parse_position(GoRules::new(5).unwrap(), text).unwrap();
        let board = Board::new(&game);
        let [b2, e5] = ["B2", "E5"].map(|name| Point::parse(name).unwrap());
        for (number, voice) in [
            (AT_CAPTURE, Voice::Capture),
            (AT_LAST + DISTANCES - 1, Voice::Last),
        ] {
            let mut bytes = [0; WEIGHTS];
            bytes[number] = 40;
            let policy = Policy::from_bytes(&bytes).unwrap();
            let found = policy.voice(&board, b2, game.legal_points());
            if voice == Voice::Capture {
                assert!(found.is_some_and(|(found, more)| found == voice && more > 30));
                assert_eq!(policy.voice(&board, e5, game.legal_points()), None);
            } else {
                assert_eq!(found, None, "the same for all moves");
            }
        }
    }

    #[test]
    fn distances_are_those_to_the_last_two_moves() {
        let mut game = Go::new(GoRules::new(9).unwrap());
        for name in ["E5", "C3"] {
            game.play(game.parse_move(name).unwrap()).unwrap();
        }
        let mut board = Board::new(&game);
        let d3 = Point::parse("D3").unwrap();
        // One to the side of C3; one across and two up from E5.
        let expected = [AT_LAST, AT_BEFORE + 3].map(|n| n as u16);
        assert!(expected.iter().all(|n| candidate(&board, d3).contains(n)));
        board.play_move(GoMove::Pass);
        let passed = [AT_LAST + DISTANCES - 1, AT_BEFORE].map(|n| n as u16);
        assert!(passed.iter().all(|n| candidate(&board, d3).contains(n)));
    }

    /// Every arrangement that occurs has a number of its own, and both players see the same.
    #[test]
    fn shapes_are_numbered_once_and_colours_are_relative() {
        let mut code_of = [None; SHAPES];
        let mut rng = Rng::new(5);
        for size in [5, 7, 9] {
            for _ in 0..60 {
                let mut game = Go::new(GoRules::new(size).unwrap());
                while let Some(mv) = rng.pick(game.legal_moves()) {
                    game.play_unchecked(mv);
                    let board = Board::new(&game);
                    for &cell in board.spaces() {
                        let code = board.code_at(cell);
                        let known = &mut code_of[shape_number(code)];
                        assert!(known.is_none_or(|known| known == code), "{code:04x}");
                        *known = Some(code);
                        assert_eq!(seen_by(seen_by(code, 2), 2), code);
                    }
                }
            }
        }
        let black = weights("...../.XO../...../...../..... black", "C3");
        let white = weights("...../.OX../...../...../..... white", "C3");
        assert_eq!(black, white);
    }

    #[test]
    fn likelihoods_are_relative_to_a_random_move() {
        let mut equal = [7; 5];
        relative(&mut equal);
        assert_eq!(equal, [0; 5]);
        // One of four moves is e³ times as likely as each other: p·n = 4 · 20.1 / 23.1.
        let mut one = [3 * NAT, 0, 0, 0];
        relative(&mut one);
        assert!((20..=21).contains(&one[0]), "{one:?}");
        assert_eq!(one[0] - one[1], 3 * NAT);
        relative(&mut []);
    }

    #[test]
    fn a_payload_of_another_length_is_no_policy() {
        assert!(Policy::from_bytes(&[0; WEIGHTS - 1]).is_none());
        let mut bytes = [0; WEIGHTS];
        bytes[AT_LINE] = (-5_i8) as u8;
        let board = Board::new(&Go::new(GoRules::new(5).unwrap()));
        let policy = Policy::from_bytes(&bytes).unwrap();
        assert_eq!(policy.score(&board, Point::parse("A1").unwrap()), -5);
        assert_eq!(policy.score(&board, Point::parse("B2").unwrap()), 0);
    }
}

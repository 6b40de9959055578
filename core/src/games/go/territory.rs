//! Territory at a glance: Bouzy's map with five dilations and twenty-one erosions.
//!
//! Dilations spread the influence of stones over the board; erosions take it away again where it is
//! not backed from all sides. Every point has a number, positive for white and negative for black;
//! stones start far from 0 and never lose their sign. The numbers of all points are updated at once
//! (bit-sliced): bit *n* of every number stands in the *n*-th of five planes.

use super::points::Points;
use super::stones::Stones;
use crate::game::Player;

const DILATIONS: usize = 5;
const EROSIONS: usize = 21;
/// An empty point gains at most 4 in each dilation: 20 needs five bits.
const PLANES: usize = 5;

/// The points that each player (by [`Player::index`]) surrounds or holds.
pub fn territory(stones: &Stones, board: Points) -> [Points; 2] {
    let mut map = Map::new(stones, board);
    (0..DILATIONS).for_each(|_| map.dilate());
    // A fixed point: later erosions change nothing either.
    let _ = (0..EROSIONS).try_for_each(|_| map.erode().then_some(()));
    map.owned.map(Points::from_bits)
}

struct Map {
    board: u128,
    stones: [u128; 2],
    /// The points whose number has each player's sign.
    owned: [u128; 2],
    /// The absolute value of the number, on points without a stone.
    planes: [u128; PLANES],
}

impl Map {
    fn new(stones: &Stones, board: Points) -> Map {
        let stones = Player::BOTH.map(|player| stones.of(player).bits());
        Map {
            board: board.bits(),
            stones,
            owned: stones,
            planes: [0; PLANES],
        }
    }

    /// Every point that no enemy touches gains one for each friendly neighbour.
    fn dilate(&mut self) {
        let [black, white] = self.owned;
        let grown = [(black, white), (white, black)].map(|(own, other)| {
            let free = self.board & !other & !around(other);
            neighbours(own).map(|plane| plane & free)
        });
        // No point gains from both sides.
        self.add(core::array::from_fn(|plane| {
            grown[0][plane] | grown[1][plane]
        }));
        for (owned, gain) in self.owned.iter_mut().zip(grown) {
            *owned |= gain[0] | gain[1] | gain[2];
        }
    }

    /// Every point loses one for each neighbour that is not friendly, down to 0. Says whether
    /// anything changed.
    fn erode(&mut self) -> bool {
        let loss = self
            .owned
            .map(|own| neighbours(self.board & !own).map(|plane| plane & own));
        let before = self.planes;
        self.subtract(core::array::from_fn(|plane| {
            loss[0][plane] | loss[1][plane]
        }));
        let left = self.planes.iter().fold(0, |left, plane| left | plane);
        for (owned, stones) in self.owned.iter_mut().zip(self.stones) {
            *owned &= left | stones;
        }
        before != self.planes
    }

    fn add(&mut self, gain: [u128; 3]) {
        let empty = !(self.stones[0] | self.stones[1]);
        let mut carry = 0;
        for (place, plane) in self.planes.iter_mut().enumerate() {
            let gain = gain.get(place).map_or(0, |gain| gain & empty);
            let sum = *plane ^ gain ^ carry;
            carry = *plane & gain | carry & (*plane ^ gain);
            *plane = sum;
        }
    }

    fn subtract(&mut self, loss: [u128; 3]) {
        let empty = !(self.stones[0] | self.stones[1]);
        let mut borrow = 0;
        for (place, plane) in self.planes.iter_mut().enumerate() {
            let loss = loss.get(place).map_or(0, |loss| loss & empty);
            let difference = *plane ^ loss ^ borrow;
            borrow = !*plane & (loss | borrow) | loss & borrow;
            *plane = difference;
        }
        self.planes.iter_mut().for_each(|plane| *plane &= !borrow);
    }
}

/// The four shifted copies of a set.
fn shifts(set: u128) -> [u128; 4] {
    const UP: u32 = super::points::UP as u32;
    [set << 1, set >> 1, set << UP, set >> UP]
}

fn around(set: u128) -> u128 {
    let [a, b, c, d] = shifts(set);
    a | b | c | d
}

/// How many neighbours of each point are in the set, as three planes of bits.
fn neighbours(set: u128) -> [u128; 3] {
    let [a, b, c, d] = shifts(set);
    let (first, second) = (a ^ b, c ^ d);
    let (twice, twice_more) = (a & b, c & d);
    [
        first ^ second,
        twice ^ twice_more | first & second,
        twice & twice_more,
    ]
}

#[cfg(test)]
#[allow(
    clippy::needless_range_loop,
    reason = "rows and columns are looked at with their neighbours"
)]
mod tests {
    use super::*;
    use crate::games::go::{GoRules, Point};
    use crate::rng::Rng;

    type Numbers = [[i16; 9]; 9];

    /// The map computed point by point, as defined.
    fn slowly(size: usize, stones: &Stones) -> Numbers {
        let mut map: Numbers = [[0; 9]; 9];
        for point in stones.of(Player::Second) {
            map[usize::from(point.row())][usize::from(point.col())] = 128;
        }
        for point in stones.of(Player::First) {
            map[usize::from(point.row())][usize::from(point.col())] = -128;
        }
        for step in 0..DILATIONS + EROSIONS {
            let old = map;
            for row in 0..size {
                for col in 0..size {
                    let next = [
                        (row.wrapping_sub(1), col),
                        (row + 1, col),
                        (row, col.wrapping_sub(1)),
                        (row, col + 1),
                    ];
                    let next = next
                        .into_iter()
                        .filter(|&(row, col)| row < size && col < size);
                    let count = |test: fn(i16) -> bool| {
                        next.clone().filter(|&(r, c)| test(old[r][c])).count() as i16
                    };
                    let number = &mut map[row][col];
                    let was = *number;
                    if step < DILATIONS {
                        if was >= 0 && count(|n| n < 0) == 0 {
                            *number += count(|n| n > 0);
                        }
                        if was <= 0 && count(|n| n > 0) == 0 {
                            *number -= count(|n| n < 0);
                        }
                    } else if was > 0 {
                        *number = (was - count(|n| n <= 0)).max(0);
                    } else if was < 0 {
                        *number = (was + count(|n| n >= 0)).min(0);
                    }
                }
            }
        }
        map
    }

    fn signs(numbers: &Numbers) -> [Points; 2] {
        let mut owned = [Points::EMPTY; 2];
        for point in Points::board(9) {
            match numbers[usize::from(point.row())][usize::from(point.col())] {
                1.. => owned[1].insert(point),
                ..0 => owned[0].insert(point),
                0 => {}
            }
        }
        owned
    }

    fn set(points: &[(u8, u8)]) -> Points {
        points
            .iter()
            .filter_map(|&(row, col)| Point::new(col, row))
            .fold(Points::EMPTY, |set, p| set | Points::of(p))
    }

    #[test]
    fn the_published_position_has_its_numbers() {
        let stones = Stones::new(set(&[(4, 2), (5, 2)]), set(&[(2, 6), (6, 6)]));
        let numbers = slowly(9, &stones);
        assert_eq!(numbers[2], [0, 0, 0, 0, 0, 0, 127, 14, 8]);
        assert_eq!(numbers[4], [-1, -9, -126, 0, 0, 0, 0, 0, 5]);
        assert_eq!(numbers[5], [-9, -14, -125, 0, 0, 0, 0, 3, 7]);
        assert_eq!(numbers[6], [-1, 0, 0, 0, 0, 0, 123, 14, 8]);
        let [black, white] = territory(&stones, Points::board(9));
        assert_eq!((black.len(), white.len()), (7, 20));
        assert_eq!(signs(&numbers), [black, white]);
    }

    #[test]
    fn planes_and_numbers_agree() {
        let mut rng = Rng::new(1);
        for round in 0..600 {
            let size = [5, 7, 9][round % 3];
            let board = GoRules::new(size).unwrap().board();
            let density = 2 + rng.below(12);
            let (mut black, mut white) = (Points::EMPTY, Points::EMPTY);
            for point in board {
                match rng.below(density) {
                    0 => black.insert(point),
                    1 => white.insert(point),
                    _ => {}
                }
            }
            let stones = Stones::new(black, white);
            assert_eq!(
                territory(&stones, board),
                signs(&slowly(size.into(), &stones)),
                "{stones:?}"
            );
        }
    }
}

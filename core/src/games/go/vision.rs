//! A small convolutional network in fixed point.
//!
//! The input planes are bits of each point, from liberties to whether its block can be caught.
//! Three convolutions of 3×3 points make twelve channels each. The channels are summed over the
//! board (pooled) and go through one hidden layer to the value of the position.
//!
//! The certifier refuses weights whose accumulators could leave 32 bits; with other weights they
//! wrap around, without a panic.

use super::territory::territory;
use super::{Go, Points};
use crate::game::{Game, Player};
use crate::nn::{Weights, stored};

/// Input planes, a bit of each point: see [`View`].
pub const PLANES: usize = 20;
/// Channels of every convolution.
pub const CHANNELS: usize = 12;
/// Convolutions.
pub const LAYERS: usize = 3;
/// Hidden units behind the pooled sums.
pub const HIDDEN: usize = 16;
/// Inputs of a hidden unit: the pooled sums, komi, and a 1 for the bias.
pub const POOLED: usize = CHANNELS + 2;
/// Weights of the first convolution: one for each neighbour, plane and channel; then the bias of
/// each channel.
pub const FIRST: usize = 9 * PLANES * CHANNELS + CHANNELS;
/// Weights of each later convolution.
pub const LATER: usize = 9 * CHANNELS * CHANNELS + CHANNELS;
/// All weights: convolutions, input weights of the hidden units, output weights.
pub const WEIGHTS: usize = FIRST + (LAYERS - 1) * LATER + HIDDEN * POOLED + HIDDEN;

/// Cells in a row, with a border on both sides.
pub const WIDE: usize = 11;
/// Cells of a board with its border.
pub const CELLS: usize = WIDE * WIDE;
/// The point and its neighbours, counted from the cell at its upper left.
const NEAR: [usize; 9] = [
    0,
    1,
    2,
    WIDE,
    WIDE + 1,
    WIDE + 2,
    2 * WIDE,
    2 * WIDE + 1,
    2 * WIDE + 2,
];

/// The fixed-point 1 of a channel.
pub const ONE: i32 = 1 << ONE_BITS;
const ONE_BITS: u32 = 7;
/// The largest number of a channel.
pub const MOST: i32 = 32 * ONE - 1;
/// The largest output of a hidden unit.
pub const MOST_HIDDEN: i32 = i16::MAX as i32;
/// Pooled sums, and komi in points, are divided by 2 to this power.
pub const POOL_BITS: u32 = 4;

/// The input planes of a position, from the side of the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    /// Bits of each cell: 0 on the board; 1 to 5 an own stone with one, two, three, four, and more
    /// liberties; 6 an own stone in danger, 7 lost, as far as ladders tell; 8 own area without
    /// stones; 9 to 16 the same for the opponent; 17 and 18 own and the opponent's by Bouzy's map;
    /// 19 empty.
    pub planes: [u32; CELLS],
    /// Komi in half points, positive if the player to move gets it.
    pub komi: i16,
}

/// The cell and its neighbours.
pub fn near(cell: usize) -> [usize; 9] {
    NEAR.map(|step| cell + step - WIDE - 1)
}

/// The cells of the largest board, lowest first.
pub fn cells() -> impl Iterator<Item = usize> {
    (1..WIDE - 1).flat_map(|row| (1..WIDE - 1).map(move |col| row * WIDE + col))
}

/// The cell of a point, by its number.
pub const fn cell_of(number: usize) -> usize {
    number + number / 10 + WIDE + 1
}

impl View {
    /// The planes of a position.
    pub fn new(game: &Go) -> View {
        let (stones, board, me) = (game.stones(), game.board(), game.turn());
        let mut planes = [0; CELLS];
        let mut mark = |points: Points, bit: u32| {
            for point in points {
                planes[cell_of(point.number())] |= 1 << bit;
            }
        };
        mark(board, 0);
        for (owner, block) in stones.blocks() {
            let side = if owner == me { 0 } else { 8 };
            mark(
                block,
                side + stones.liberties(block, board).len().clamp(1, 5),
            );
            let fate = stones.fate(owner, block, board);
            for (is, bit) in [(fate.in_danger, 6), (fate.lost, 7)] {
                mark(if is { block } else { Points::EMPTY }, side + bit);
            }
        }
        let owned = territory(stones, board);
        for (player, room, land) in [(me, 8, 17), (!me, 16, 18)] {
            mark(stones.area(player, board).without(stones.of(player)), room);
            mark(owned[player.index()], land);
        }
        mark(game.empty(), 19);
        let komi = game.rules().komi();
        View {
            planes,
            komi: if me == Player::First { -komi } else { komi },
        }
    }
}

/// The network, read in place from flash.
#[derive(Clone, Copy, Debug)]
pub struct Vision<'a> {
    weights: &'a [u8],
    /// Fractional bits of the weights, at least 8.
    shift: u32,
}

type Numbers = [i16; CHANNELS];

impl<'a> Vision<'a> {
    /// A network of [`WEIGHTS`] weights of two bytes; `None` for any other number.
    pub fn new(weights: &'a [u8], shift: u32) -> Option<Vision<'a>> {
        (weights.len() == 2 * WEIGHTS && (8..=15).contains(&shift))
            .then_some(Vision { weights, shift })
    }

    /// The forward pass without the last activation: the logit for the player to move, scaled so
    /// that 1.0 is `unit` (at most 1,000).
    pub fn value(&self, view: &View, unit: i32) -> i32 {
        let mut numbers = [[0; CHANNELS]; CELLS];
        let (first, mut rest) = self.weights.split_at(2 * FIRST);
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let (kernel, start) = first.split_at(2 * (FIRST - CHANNELS));
            let mut sums = [0; CHANNELS];
            add(&mut sums, start, 1);
            for (step, neighbour) in near(cell).into_iter().enumerate() {
                let mut bits = view.planes[neighbour];
                while bits != 0 {
                    add(
                        &mut sums,
                        row(kernel, step * PLANES + bits.trailing_zeros() as usize),
                        1,
                    );
                    bits &= bits - 1;
                }
            }
            numbers[cell] = sums.map(|sum| number(sum, self.shift - ONE_BITS));
        }
        for _ in 1..LAYERS {
            let (layer, after) = rest.split_at(2 * LATER);
            numbers = self.layer(layer, view, &numbers);
            rest = after;
        }
        let mut sums = [0i32; CHANNELS];
        for cell in cells() {
            sums.iter_mut()
                .zip(numbers[cell])
                .for_each(|(sum, number)| *sum += i32::from(number));
        }
        // 81 times the largest number, divided by 16, fits 16 bits.
        let mut inputs = [0; POOLED];
        for (input, sum) in inputs.iter_mut().zip(sums) {
            *input = ((sum + (1 << (POOL_BITS - 1))) >> POOL_BITS) as i16;
        }
        inputs[CHANNELS] = ((i32::from(view.komi) << ONE_BITS) >> (POOL_BITS + 1)) as i16;
        inputs[CHANNELS + 1] = ONE as i16;
        let (units, own) = rest.split_at(2 * HIDDEN * POOLED);
        let mut sum = 0_i32;
        for unit in 0..HIDDEN {
            let number = units.dot(unit * POOLED, &inputs) >> self.shift;
            let output = i32::from(own.weight(unit));
            sum = sum.wrapping_add(output * number.clamp(0, MOST_HIDDEN));
        }
        // Clamped and coarsened so that the product with `unit` fits 32 bits.
        let coarse = (sum >> ONE_BITS).clamp(-(20 << self.shift), 20 << self.shift);
        ((coarse >> 5) * unit) >> (self.shift - 5)
    }

    fn layer(&self, weights: &[u8], view: &View, before: &[Numbers; CELLS]) -> [Numbers; CELLS] {
        let (kernel, start) = weights.split_at(2 * (LATER - CHANNELS));
        let mut numbers = [[0; CHANNELS]; CELLS];
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let mut sums = [0; CHANNELS];
            add(&mut sums, start, ONE);
            for (step, neighbour) in near(cell).into_iter().enumerate() {
                for (channel, &number) in before[neighbour].iter().enumerate() {
                    // About half of the numbers are 0.
                    if number != 0 {
                        add(
                            &mut sums,
                            row(kernel, step * CHANNELS + channel),
                            number.into(),
                        );
                    }
                }
            }
            numbers[cell] = sums.map(|sum| number(sum, self.shift));
        }
        numbers
    }
}

/// A row of a kernel: one weight for each channel.
#[inline]
fn row(kernel: &[u8], number: usize) -> &[u8] {
    kernel
        .get(2 * CHANNELS * number..2 * CHANNELS * (number + 1))
        .unwrap_or_default()
}

#[inline]
fn add(sums: &mut [i32; CHANNELS], weights: &[u8], times: i32) {
    for (sum, weight) in sums.iter_mut().zip(stored(weights)) {
        *sum = sum.wrapping_add(i32::from(weight) * times);
    }
}

/// An accumulator as the number of a channel: rescaled, rounded, and cut off below 0 (ReLU) and
/// above the largest.
#[inline]
fn number(sum: i32, shift: u32) -> i16 {
    ((sum + (1 << (shift - 1))) >> shift).clamp(0, MOST) as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::GoRules;

    fn game(text: &str) -> Go {
        Go::parse_position(GoRules::new(5).unwrap(), text).unwrap()
    }

    /// A network whose other weights are 0.
    fn stored(weights: &[(usize, i16)]) -> [u8; 2 * WEIGHTS] {
        let mut bytes = [0; 2 * WEIGHTS];
        for &(place, weight) in weights {
            bytes[2 * place..2 * place + 2].copy_from_slice(&weight.to_le_bytes());
        }
        bytes
    }

    #[test]
    fn a_view_says_what_is_known_of_each_point() {
        // Black’s stone has two liberties and cannot get away; white’s two have five.
        let corner = game("...../...../...../.OO../X.... black");
        let at = |view: &View, name: &str| {
            view.planes[cell_of(super::super::Point::parse(name).unwrap().number())]
        };
        let bits = |numbers: &[u32]| numbers.iter().fold(0, |bits, number| bits | 1 << number);
        let view = View::new(&corner);
        assert_eq!(at(&view, "A1") & !bits(&[17, 18]), bits(&[0, 2, 6, 7]));
        assert_eq!(at(&view, "B2") & !bits(&[17, 18]), bits(&[0, 13]));
        assert_eq!(at(&view, "E5") & !bits(&[17, 18]), bits(&[0, 19]));
        assert_eq!(view.planes[0], 0, "the border");
        assert_eq!(view.planes.iter().filter(|bits| **bits != 0).count(), 25);
        assert_eq!(view.komi, -corner.rules().komi());
        // White to move sees the same from the other side.
        let other = View::new(&corner.after(crate::games::go::GoMove::Pass));
        assert_eq!(other.komi, corner.rules().komi());
        assert_eq!(at(&other, "B2") & !bits(&[17, 18]), bits(&[0, 5]));
        assert_eq!(at(&other, "A1") & !bits(&[17, 18]), bits(&[0, 10, 14, 15]));
        // All land is black's, by Bouzy's map and as a room.
        assert_eq!(
            at(
                &View::new(&game("..X../..X../..X../..X../..X.. black")),
                "B3"
            ),
            bits(&[0, 8, 17, 19])
        );
        assert_eq!(
            at(
                &View::new(&game("..X../..X../..X../..X../..X.. white")),
                "B3"
            ),
            bits(&[0, 16, 18, 19])
        );
    }

    #[test]
    fn sums_are_what_the_weights_say() {
        let shift = 10;
        // The first channel is 1 on each own stone, and passed on by each point to itself: stones /
        // 16.
        let middle = 4;
        let own = (1..=5).map(|bit| ((middle * PLANES + bit) * CHANNELS, 1 << shift));
        let pass_on = (0..LAYERS - 1).map(|layer| {
            (
                FIRST + layer * LATER + middle * CHANNELS * CHANNELS,
                1 << shift,
            )
        });
        let units = FIRST + (LAYERS - 1) * LATER;
        let head = [(units, 1 << shift), (units + HIDDEN * POOLED, 2 << shift)];
        let mut list = heapless::Vec::<(usize, i16), 16>::new();
        list.extend(own.chain(pass_on).chain(head));
        let weights = stored(&list);
        let vision = Vision::new(&weights, shift).unwrap();
        let view = View::new(&game("...../.X..X/...../.OO../XX..X black"));
        assert_eq!(vision.value(&view, 640), 2 * 640 * 5 / 16);
        // To the right of each own stone instead: those at the edge have no such point.
        let moved = list.iter().map(|&(place, weight)| match place {
            place if place < FIRST => (place - CHANNELS * PLANES, weight),
            place => (place, weight),
        });
        let mut list = heapless::Vec::<(usize, i16), 16>::new();
        list.extend(moved);
        let weights = stored(&list);
        assert_eq!(
            Vision::new(&weights, shift).unwrap().value(&view, 640),
            2 * 640 * 3 / 16
        );
        // Komi in sixteenths of a point.
        let weights = stored(&[
            (units + CHANNELS, -(1 << shift)),
            (units + HIDDEN * POOLED, 1 << shift),
        ]);
        let komi = i32::from(game("...../...../...../...../..... black").rules().komi());
        assert_eq!(
            Vision::new(&weights, shift).unwrap().value(&view, 640),
            640 * komi / 32
        );
    }

    #[test]
    fn other_sizes_are_refused_and_the_largest_weights_do_no_harm() {
        let weights = [0x7F; 2 * WEIGHTS];
        assert!(Vision::new(&weights[2..], 10).is_none());
        assert!(Vision::new(&weights, 7).is_none());
        assert!(Vision::new(&weights, 16).is_none());
        let view = View::new(&game("...../.XX../...../.OO../XX..X black"));
        for shift in 8..=15 {
            Vision::new(&weights, shift).unwrap().value(&view, 640);
        }
    }
}

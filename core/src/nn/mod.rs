//! Learned evaluations in fixed point: a perceptron, or a multilayer perceptron (MLP) with one
//! hidden layer.
//!
//! Inputs are whole numbers (a game's features), weights are 16-bit numbers over a common scale,
//! accumulators are 32-bit. The activation is a tanh from a table. The forward pass uses only
//! additions, multiplications and shifts, so it gives the same value on every machine.
//!
//! ```
//! use dojo_core::nn::{Copied, ONE, Shape, tanh};
//! // Two inputs with weights 1.5 and −0.5, stored at 256 to the unit.
//! let bytes: [u8; 4] = [384i16.to_le_bytes(), (-128i16).to_le_bytes()].concat().try_into().unwrap();
//! let network = Copied::<2>::new(Shape::new(2, 0, 256), &bytes).unwrap();
//! assert_eq!(network.value(&[1, 3]), 0);
//! assert!(network.value(&[9, 0]) > ONE - ONE / 256);
//! assert_eq!(tanh(-40), -tanh(40));
//! ```
//!
//! # Layout
//! A perceptron has one weight for each input (bank dimensions `[inputs]`). An MLP (`[inputs + 1,
//! hidden]`) has the weights of its hidden units and one output weight for each unit, in one of two
//! orders: see [`Layout`]. There is no bias: a game that needs one has a feature that is always 1.

use crate::bank::{Kind, Meta, Number};

/// The value of a certain win.
pub const ONE: i16 = 1 << 14;
/// Fractional bits of the argument of [`tanh`].
pub const BITS: u32 = 12;
/// Fractional bits of a hidden unit's output: 32 units with the largest weights stay within 32
/// bits.
const HIDDEN_BITS: u32 = 10;
/// Most hidden units.
pub const MOST_HIDDEN: usize = 32;

/// tanh at multiples of 1/32, from 0 to 4, at [`ONE`] to the unit.
#[rustfmt::skip]
const TANH: [i16; 129] = [
    0, 512, 1023, 1532, 2037, 2539, 3036, 3528, 4013, 4490, 4960, 5420, 5871, 6312, 6743, 7163,
    7571, 7968, 8353, 8726, 9087, 9435, 9771, 10095, 10406, 10706, 10993, 11269, 11533, 11785, 12027, 12258,
    12478, 12688, 12888, 13078, 13260, 13432, 13595, 13751, 13898, 14038, 14171, 14296, 14415, 14528, 14634, 14735,
    14830, 14920, 15005, 15085, 15161, 15232, 15300, 15363, 15423, 15480, 15533, 15584, 15631, 15676, 15718, 15757,
    15795, 15830, 15863, 15894, 15923, 15951, 15977, 16001, 16024, 16046, 16066, 16085, 16103, 16120, 16136, 16151,
    16165, 16178, 16190, 16202, 16213, 16223, 16233, 16242, 16251, 16259, 16266, 16273, 16280, 16286, 16292, 16298,
    16303, 16308, 16312, 16317, 16321, 16325, 16328, 16332, 16335, 16338, 16341, 16343, 16346, 16348, 16350, 16352,
    16354, 16356, 16358, 16359, 16361, 16362, 16363, 16365, 16366, 16367, 16368, 16369, 16370, 16371, 16372, 16372,
    16373,
];
/// Bits of `x` between two entries of the table.
const STEP: u32 = BITS - 5;

/// The hyperbolic tangent: `x` has [`BITS`] fractional bits, the result is [`ONE`] to the unit.
/// Monotone, and within 1/1,000 of the exact function.
pub fn tanh(x: i32) -> i16 {
    let size = x.unsigned_abs();
    let place = (size >> STEP) as usize;
    let value = match TANH.get(place..place + 2) {
        Some(&[low, high]) => {
            let between = (size & ((1 << STEP) - 1)) as i32;
            low + ((i32::from(high - low) * between) >> STEP) as i16
        }
        _ => TANH[TANH.len() - 1],
    };
    if x < 0 { -value } else { value }
}

/// What a network is made of, besides its weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units; 0 for a perceptron.
    pub hidden: usize,
    /// A weight of 1 is stored as this, a power of two.
    pub scale: u32,
    /// Hidden units are tanh(x / divisor).
    pub divisor: u8,
    /// No input is farther from 0: the accumulators are checked against this bound.
    pub bound: i16,
    /// The order of the weights.
    pub layout: Layout,
}

/// The order of the weights of a network with a hidden layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The input weights of all hidden units, then all output weights.
    ByLayer,
    /// For each hidden unit its input weights, followed by its output weight.
    ByUnit,
}

impl Shape {
    /// Plain tanh, layer by layer, inputs within [`INPUT`].
    pub const fn new(inputs: usize, hidden: usize, scale: u32) -> Shape {
        Shape {
            inputs,
            hidden,
            scale,
            divisor: 1,
            bound: INPUT,
            layout: Layout::ByLayer,
        }
    }

    /// Whether a network of this shape can be asked: the scale is a power of two up to 2²⁰, there
    /// are inputs and not too many hidden units.
    fn is_sound(&self) -> bool {
        self.inputs > 0
            && self.hidden <= MOST_HIDDEN
            && self.divisor > 0
            && self.scale.is_power_of_two()
            && self.scale <= 1 << 20
    }

    /// The places of a hidden unit's first input weight and of its output weight.
    fn unit(&self, number: usize) -> (usize, usize) {
        match self.layout {
            Layout::ByLayer => (number * self.inputs, self.inputs * self.hidden + number),
            Layout::ByUnit => {
                let first = number * (self.inputs + 1);
                (first, first + self.inputs)
            }
        }
    }
}

/// Where the weights are: copied to RAM as numbers, which is quicker, or read in place as bytes,
/// which needs no RAM.
pub trait Weights {
    /// How many weights there are.
    fn count(&self) -> usize;
    /// A weight by its place, 0 beyond the last one.
    fn weight(&self, place: usize) -> i16;
    /// The dot product of the inputs and the weights from a place on.
    fn dot(&self, from: usize, inputs: &[i16]) -> i32;
}

impl<const N: usize> Weights for heapless::Vec<i16, N> {
    fn count(&self) -> usize {
        self.len()
    }

    fn weight(&self, place: usize) -> i16 {
        self[..].get(place).copied().unwrap_or(0)
    }

    #[inline]
    fn dot(&self, from: usize, inputs: &[i16]) -> i32 {
        let weights = self[..].get(from..).unwrap_or_default();
        dot(weights.iter().copied(), inputs)
    }
}

impl Weights for &[u8] {
    fn count(&self) -> usize {
        self.len() / 2
    }

    #[inline]
    fn weight(&self, place: usize) -> i16 {
        match self[..].get(2 * place..2 * place + 2) {
            Some(&[low, high]) => i16::from_le_bytes([low, high]),
            _ => 0,
        }
    }

    #[inline]
    fn dot(&self, from: usize, inputs: &[i16]) -> i32 {
        dot(stored(self[..].get(2 * from..).unwrap_or_default()), inputs)
    }
}

/// The weights of some bytes, two bytes each.
#[inline]
pub(crate) fn stored(bytes: &[u8]) -> impl Iterator<Item = i16> {
    bytes
        .chunks_exact(2)
        .map(|pair| i16::from_le_bytes([pair[0], pair[1]]))
}

/// Inputs beyond their bound may wrap around: the value is wrong then, but nothing panics.
#[inline]
fn dot(weights: impl Iterator<Item = i16>, inputs: &[i16]) -> i32 {
    weights.zip(inputs).fold(0i32, |sum, (weight, &input)| {
        sum.wrapping_add(i32::from(weight) * i32::from(input))
    })
}

/// A network that can be asked: its accumulators are known to fit 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Network<W> {
    weights: W,
    shape: Shape,
}

/// A network whose at most `N` weights were copied to RAM.
pub type Copied<const N: usize> = Network<heapless::Vec<i16, N>>;

/// How many weights a network has: without hidden units it is a perceptron.
pub const fn weights(inputs: usize, hidden: usize) -> usize {
    if hidden == 0 {
        inputs
    } else {
        (inputs + 1) * hidden
    }
}

impl<const N: usize> Copied<N> {
    /// A network from its weights, two bytes each. `None` if they do not fit the shape, or if an
    /// accumulator could leave 32 bits.
    pub fn new(shape: Shape, bytes: &[u8]) -> Option<Copied<N>> {
        let mut weights = heapless::Vec::new();
        stored(bytes)
            .try_for_each(|weight| weights.push(weight))
            .ok()?;
        Network { weights, shape }.checked(bytes.len())
    }
}

impl<'a> Network<&'a [u8]> {
    /// A network that is read in place from its weights, two bytes each; `None` as for
    /// [`Copied::new`].
    pub fn in_place(shape: Shape, weights: &'a [u8]) -> Option<Network<&'a [u8]>> {
        Network { weights, shape }.checked(weights.len())
    }
}

impl<W: Weights> Network<W> {
    fn checked(self, bytes: usize) -> Option<Network<W>> {
        let fits = self.shape.is_sound()
            && bytes == 2 * weights(self.shape.inputs, self.shape.hidden)
            && self.largest_sum() <= i32::MAX.into();
        fits.then_some(self)
    }

    /// The value of some inputs, between −[`ONE`] and [`ONE`].
    pub fn value(&self, inputs: &[i16]) -> i16 {
        tanh(self.sum(inputs))
    }

    /// The forward pass without the last tanh: [`BITS`] fractional bits.
    pub fn sum(&self, inputs: &[i16]) -> i32 {
        let inputs = inputs.get(..self.shape.inputs).unwrap_or(inputs);
        if self.shape.hidden == 0 {
            return self.rescale(self.weights.dot(0, inputs), 0);
        }
        let mut sum = 0;
        for unit in 0..self.shape.hidden {
            let (first, output) = self.shape.unit(unit);
            let x = self.rescale(self.weights.dot(first, inputs), 0);
            let value = match self.shape.divisor {
                1 => tanh(x),
                divisor => tanh(x / i32::from(divisor)),
            };
            sum += i32::from(value >> (14 - HIDDEN_BITS)) * i32::from(self.weights.weight(output));
        }
        self.rescale(sum, HIDDEN_BITS)
    }

    /// Rescales an accumulator, which has the fractional bits of the weights and `more`, to
    /// [`BITS`] fractional bits.
    fn rescale(&self, sum: i32, more: u32) -> i32 {
        let bits = self.shape.scale.trailing_zeros() + more;
        if bits >= BITS {
            sum >> (bits - BITS)
        } else {
            sum.saturating_mul(1 << (BITS - bits))
        }
    }

    /// The largest accumulator that inputs within their bound can lead to, over all units.
    pub fn largest_sum(&self) -> i64 {
        let size = |place: usize| i64::from(self.weights.weight(place)).abs();
        let layer = |first: usize| {
            let weights = (first..first + self.shape.inputs).map(size);
            weights.sum::<i64>() * i64::from(self.shape.bound)
        };
        if self.shape.hidden == 0 {
            return layer(0);
        }
        let units = || (0..self.shape.hidden).map(|unit| self.shape.unit(unit));
        let output = units().map(|(_, output)| size(output)).sum::<i64>() << HIDDEN_BITS;
        units()
            .map(|(first, _)| layer(first))
            .max()
            .map_or(output, |unit| unit.max(output))
    }
}

/// The usual bound of inputs: the features of iwoki and of dots and boxes are smaller.
pub const INPUT: i16 = 512;

/// The hidden units that a bank's entry with so many inputs has, 0 for a perceptron; `None` if it
/// is no such network.
pub fn hidden(inputs: usize, meta: &Meta) -> Option<usize> {
    let wide = inputs as u16;
    let hidden = match (meta.number, meta.kind, meta.dims) {
        (Number::I16, Kind::Perceptron, [n, 0, 0, 0]) if n == wide => 0,
        (Number::I16, Kind::Mlp, [n, hidden, 0, 0]) if n == wide + 1 && hidden > 0 => hidden.into(),
        _ => return None,
    };
    (hidden <= MOST_HIDDEN).then_some(hidden)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// tanh by its series, good to 1e-9 in the range of the table.
    fn real(x: f64) -> f64 {
        let small = -2.0 * x.abs() / 1024.0;
        let power = (1..=12)
            .rev()
            .fold(1.0, |sum, n| 1.0 + sum * small / f64::from(n));
        let power = (0..10).fold(power, |power, _| power * power);
        let value = (1.0 - power) / (1.0 + power);
        if x < 0.0 { -value } else { value }
    }

    #[test]
    fn the_table_is_monotone_and_close() {
        let mut last = -ONE;
        let mut worst = 0.0f64;
        for x in -6 << BITS..=6 << BITS {
            let value = tanh(x);
            assert!(value >= last, "{x}");
            last = value;
            let off = f64::from(value) / f64::from(ONE) - real(f64::from(x) / 4096.0);
            worst = worst.max(if off < 0.0 { -off } else { off });
        }
        assert!(worst < 1.0 / 1000.0, "{worst}");
        assert_eq!(
            (tanh(0), tanh(i32::MAX), tanh(i32::MIN)),
            (0, TANH[128], -TANH[128])
        );
    }

    fn bytes(weights: &[i16]) -> heapless::Vec<u8, 64> {
        weights
            .iter()
            .flat_map(|weight| weight.to_le_bytes())
            .collect()
    }

    #[test]
    fn a_network_is_the_sum_of_its_parts() {
        // Two units of two inputs at 1024 to the unit, then their weights.
        let network = Copied::<6>::new(
            Shape::new(2, 2, 1024),
            &bytes(&[1024, 0, 0, 512, 2048, -1024]),
        )
        .unwrap();
        let expected = 2.0 * real(1.0) - real(0.5 * 2.0);
        let found = f64::from(network.sum(&[1, 2])) / 4096.0;
        assert!(
            (found - expected) * (found - expected) < 1e-5,
            "{found} {expected}"
        );
        assert_eq!(network.value(&[0, 0]), 0);
        // The same network unit by unit, read in place.
        let layout = Layout::ByUnit;
        let (stored, shape) = (
            bytes(&[1024, 0, 2048, 0, 512, -1024]),
            Shape::new(2, 2, 1024),
        );
        let other = Network::in_place(Shape { layout, ..shape }, &stored).unwrap();
        for inputs in [[1, 2], [-3, 5], [0, -1]] {
            assert_eq!(other.sum(&inputs), network.sum(&inputs));
        }
        assert_eq!(other.largest_sum(), network.largest_sum());
        // Activations that are ten times as flat.
        let flat = Shape {
            divisor: 10,
            ..shape
        };
        let flat = Copied::<6>::new(flat, &bytes(&[1024, 0, 0, 512, 2048, -1024])).unwrap();
        let found = f64::from(flat.sum(&[10, 20])) / 4096.0;
        assert!((found - expected).abs() < 5e-3, "{found} {expected}");
    }

    #[test]
    fn odd_networks_are_refused() {
        let good = bytes(&[1; 6]);
        assert!(Copied::<6>::new(Shape::new(2, 2, 1024), &good).is_some());
        assert!(
            Copied::<5>::new(Shape::new(2, 2, 1024), &good).is_none(),
            "no room"
        );
        assert!(
            Copied::<6>::new(Shape::new(2, 2, 1000), &good).is_none(),
            "no power of two"
        );
        assert!(Copied::<6>::new(Shape::new(2, 2, 1 << 21), &good).is_none());
        assert!(Copied::<6>::new(Shape::new(3, 2, 1024), &good).is_none());
        assert!(Copied::<6>::new(Shape::new(0, 0, 1024), &[]).is_none());
        // 256 weights of the largest kind could leave 32 bits.
        let large = [0x7F; 512];
        assert!(Copied::<256>::new(Shape::new(256, 0, 1024), &large).is_none());
        assert!(Copied::<256>::new(Shape::new(128, 0, 1024), &large[..256]).is_some());
    }
}

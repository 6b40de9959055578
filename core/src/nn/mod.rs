//! Learned evaluations in whole numbers: a perceptron, or a network with one hidden layer.
//!
//! Inputs are whole numbers (a game's features), weights are 16-bit numbers over a common scale, sums are 32-bit. Behind
//! each unit stands a tanh made from a table. Only additions, multiplications and shifts: the same value on every machine.
//!
//! ```
//! use dojo_core::nn::{Network, ONE, tanh};
//! // Two inputs with weights 1.5 and −0.5, at 256 to the unit.
//! let bytes: [u8; 4] = [384i16.to_le_bytes(), (-128i16).to_le_bytes()].concat().try_into().unwrap();
//! let network = Network::<2>::new(2, 0, 256, &bytes).unwrap();
//! assert_eq!(network.value(&[1, 3]), 0);
//! assert!(network.value(&[9, 0]) > ONE - ONE / 256);
//! assert_eq!(tanh(-40), -tanh(40));
//! ```
//!
//! # Layout
//! A perceptron has a weight for each input (bank dimensions `[inputs]`). A network has the weights of each hidden unit,
//! one unit after the other, then one weight for each hidden unit (`[inputs + 1, hidden]`). There is no bias: a game that
//! needs one has a feature that is always 1.

use crate::bank::{Kind, Meta, Number};

/// The value of a certain win.
pub const ONE: i16 = 1 << 14;
/// Bits behind the point of what [`tanh`] takes.
pub const BITS: u32 = 12;
/// Bits behind the point of what a hidden unit passes on: 32 of them with the largest weights stay within 32 bits.
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
/// Bits between two entries of the table.
const STEP: u32 = BITS - 5;

/// The hyperbolic tangent, with [`BITS`] bits behind the point of `x` and [`ONE`] to the unit of the result. It never
/// falls where `x` grows, and is within 1/1,000 of the real one.
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

/// A network of at most `WEIGHTS` weights, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network<const WEIGHTS: usize> {
    weights: heapless::Vec<i16, WEIGHTS>,
    inputs: usize,
    hidden: usize,
    /// Weights have so many bits behind the point.
    bits: u32,
}

/// How many weights a network has: without hidden units it is a perceptron.
pub const fn weights(inputs: usize, hidden: usize) -> usize {
    if hidden == 0 {
        inputs
    } else {
        (inputs + 1) * hidden
    }
}

impl<const WEIGHTS: usize> Network<WEIGHTS> {
    /// A network from its weights, two bytes each, `scale` to the unit. `None` if the numbers do not fit each other, the
    /// scale is no power of two up to 2²⁰, or a sum could leave 32 bits within [`INPUT`].
    pub fn new(inputs: usize, hidden: usize, scale: u32, bytes: &[u8]) -> Option<Network<WEIGHTS>> {
        let fits =
            bytes.len() == 2 * weights(inputs, hidden) && inputs > 0 && hidden <= MOST_HIDDEN;
        if !fits || !scale.is_power_of_two() || scale > 1 << 20 {
            return None;
        }
        let pairs = bytes
            .chunks_exact(2)
            .map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        let mut all = heapless::Vec::new();
        { pairs }.try_for_each(|weight| all.push(weight)).ok()?;
        let network = Network {
            weights: all,
            inputs,
            hidden,
            bits: scale.trailing_zeros(),
        };
        network.is_bounded().then_some(network)
    }

    /// The network of a bank's entry with so many inputs.
    pub fn from_bank(inputs: usize, meta: &Meta, payload: &[u8]) -> Option<Network<WEIGHTS>> {
        Network::<WEIGHTS>::new(inputs, hidden(inputs, meta)?, meta.scale, payload)
    }

    /// The value of some inputs, between −[`ONE`] and [`ONE`].
    pub fn value(&self, inputs: &[i16]) -> i16 {
        tanh(self.sum(inputs))
    }

    /// What the last tanh takes: [`BITS`] bits behind the point.
    pub fn sum(&self, inputs: &[i16]) -> i32 {
        if self.hidden == 0 {
            return self.point(dot(&self.weights, inputs), 0);
        }
        let (first, last) = self.weights.split_at(self.inputs * self.hidden);
        let mut sum = 0;
        for (unit, &weight) in first.chunks_exact(self.inputs).zip(last) {
            let value = tanh(self.point(dot(unit, inputs), 0));
            sum += i32::from(value >> (14 - HIDDEN_BITS)) * i32::from(weight);
        }
        self.point(sum, HIDDEN_BITS)
    }

    /// Puts the point where [`tanh`] has it: a sum has those of its weights and `more` bits behind the point.
    fn point(&self, sum: i32, more: u32) -> i32 {
        let bits = self.bits + more;
        if bits >= BITS {
            sum >> (bits - BITS)
        } else {
            sum.saturating_mul(1 << (BITS - bits))
        }
    }

    /// The largest sum that inputs within [`INPUT`] can lead to, over all units.
    pub fn largest_sum(&self) -> i64 {
        let most = |weights: &[i16], input: i64| {
            weights
                .iter()
                .map(|&weight| i64::from(weight).abs() * input)
                .sum()
        };
        if self.hidden == 0 {
            return most(&self.weights, INPUT.into());
        }
        let (first, last) = self.weights.split_at(self.inputs * self.hidden);
        let units = first
            .chunks_exact(self.inputs)
            .map(|unit| most(unit, INPUT.into()));
        units
            .chain([most(last, 1 << HIDDEN_BITS)])
            .max()
            .unwrap_or(0)
    }

    fn is_bounded(&self) -> bool {
        self.largest_sum() <= i32::MAX.into()
    }
}

/// Inputs are within this on both sides: no game here has a larger feature.
pub const INPUT: i16 = 512;

/// The hidden units that a bank's entry with so many inputs has, 0 for a perceptron; `None` if it is no such network.
pub fn hidden(inputs: usize, meta: &Meta) -> Option<usize> {
    let wide = inputs as u16;
    match (meta.number, meta.kind, meta.dims) {
        (Number::I16, Kind::Perceptron, [n, 0, 0, 0]) if n == wide => Some(0),
        (Number::I16, Kind::Mlp, [n, hidden, 0, 0]) if n == wide + 1 && hidden > 0 => {
            Some(hidden.into())
        }
        _ => None,
    }
}

#[inline]
fn dot(weights: &[i16], inputs: &[i16]) -> i32 {
    // Missing inputs count as 0. Inputs outside their bounds may wrap, but nothing breaks.
    weights
        .iter()
        .zip(inputs)
        .fold(0i32, |sum, (&weight, &input)| {
            sum.wrapping_add(i32::from(weight).wrapping_mul(i32::from(input)))
        })
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
        let network =
            Network::<6>::new(2, 2, 1024, &bytes(&[1024, 0, 0, 512, 2048, -1024])).unwrap();
        let expected = 2.0 * real(1.0) - real(0.5 * 2.0);
        let found = f64::from(network.sum(&[1, 2])) / 4096.0;
        assert!(
            (found - expected) * (found - expected) < 1e-5,
            "{found} {expected}"
        );
        assert_eq!(network.value(&[0, 0]), 0);
    }

    #[test]
    fn odd_networks_are_refused() {
        let good = bytes(&[1; 6]);
        assert!(Network::<6>::new(2, 2, 1024, &good).is_some());
        assert!(Network::<5>::new(2, 2, 1024, &good).is_none(), "no room");
        assert!(
            Network::<6>::new(2, 2, 1000, &good).is_none(),
            "no power of two"
        );
        assert!(Network::<6>::new(2, 2, 1 << 21, &good).is_none());
        assert!(Network::<6>::new(3, 2, 1024, &good).is_none());
        assert!(Network::<6>::new(0, 0, 1024, &[]).is_none());
        // 256 weights of the largest kind could leave 32 bits.
        let large = [0x7F; 512];
        assert!(Network::<256>::new(256, 0, 1024, &large).is_none());
        assert!(Network::<256>::new(128, 0, 1024, &large[..256]).is_some());
    }
}

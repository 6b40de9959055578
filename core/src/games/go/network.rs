//! The learned evaluation in whole numbers: a perceptron or a network with one hidden layer over the eight features, a
//! larger one over the richer view, or one that [looks at the board](super::vision).
//!
//! The published activation is tanh(x/10) behind each layer. The last one only squeezes the value into ±1 and changes no
//! choice, so it is left out: the value is the sum before it.

use super::features::{FEATURES, RICH, features, rich_features};
use super::vision::{View, Vision, WEIGHTS, weight};
use crate::bank::{Kind, Meta, Number};
use crate::game::{Game, Player};
use crate::games::{GameId, Go};
use crate::search::Value;

/// A sum of 1 is worth this much.
pub const UNIT: Value = 64;
/// Values stop here, well below those of finished games.
const MOST: i32 = 9_000;

/// tanh(n/64) for n from 0 to 256, in 1/2¹⁵; from there on it is 1 but for 0.07 %.
const TANH: [i16; 257] = {
    let mut table = [0; 257];
    let mut n = 0;
    while n < 257 {
        // e^(−2x) as a power of e^(−1/32), which a short series gives exactly.
        let step: f64 = -1.0 / 32.0;
        let small = 1.0
            + step
                * (1.0
                    + step / 2.0
                        * (1.0
                            + step / 3.0
                                * (1.0 + step / 4.0 * (1.0 + step / 5.0 * (1.0 + step / 6.0)))));
        let (mut power, mut i) = (1.0, 0);
        while i < n {
            power *= small;
            i += 1;
        }
        table[n] = ((1.0 - power) / (1.0 + power) * 32_767.0 + 0.5) as i16;
        n += 1;
    }
    table
};

/// A network read in place from a bank's payload.
#[derive(Clone, Copy, Debug)]
pub struct GoNetwork<'a> {
    /// Of a perceptron its weights; of a larger network each hidden unit's weights and then the unit's own.
    weights: &'a [u8],
    form: Form,
    /// A weight of 1 is 1 shifted by so much.
    shift: u32,
}

/// What a network looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The eight features, without a hidden layer.
    Perceptron,
    /// So many features, with one.
    Mlp(usize),
    /// The board.
    Vision,
}

impl<'a> GoNetwork<'a> {
    /// Most hidden units: with more, sums might not fit.
    pub const MOST_HIDDEN: u16 = 32;
    /// The least and the most that a weight of 1 may be stored as.
    pub const SCALES: [u32; 2] = [1 << 6, 1 << 15];

    /// Whether a model is such a network.
    pub fn fits(meta: &Meta) -> bool {
        let [least, most] = Self::SCALES;
        let scale = meta.scale.is_power_of_two() && (least..=most).contains(&meta.scale);
        Form::of(meta).is_some() && scale && (meta.game, meta.number) == (GameId::Go, Number::I16)
    }

    /// The network of a model and its payload; `None` if they do not fit.
    pub fn new(meta: &Meta, payload: &'a [u8]) -> Option<GoNetwork<'a>> {
        let fits = GoNetwork::fits(meta) && payload.len() == 2 * meta.numbers();
        let form = Form::of(meta).filter(|_| fits)?;
        Some(GoNetwork {
            weights: payload,
            form,
            shift: meta.scale.trailing_zeros(),
        })
    }

    /// The value of some inputs for the player who has just moved, a sum of 1 being [`UNIT`].
    fn value(&self, inputs: &[i16]) -> Value {
        let sum = match self.form {
            Form::Perceptron => dot(self.weights, inputs) >> (self.shift - UNIT.trailing_zeros()),
            _ => {
                let units = self
                    .weights
                    .chunks_exact(2 * (inputs.len() + 1))
                    .map(|unit| {
                        let (weights, output) = unit.split_at(2 * inputs.len());
                        (weight(output) * i32::from(tanh(dot(weights, inputs), self.shift))) >> 8
                    });
                // 7 bits more than the weights have.
                units.sum::<i32>() >> (self.shift + 1)
            }
        };
        sum.clamp(-MOST, MOST) as Value
    }

    /// What a position is worth to the player who has just moved. The networks have no bias of their own, so the eight
    /// features seen from the other side give the value with the other sign.
    pub fn judge(&self, game: &Go) -> Value {
        if let Form::Vision = self.form {
            // The activation of the others divides by 10.
            let value = |vision: Vision<'_>| -vision.value(&View::new(game), 10 * i32::from(UNIT));
            return Vision::new(self.weights, self.shift)
                .map_or(0, value)
                .clamp(-MOST, MOST) as Value;
        }
        if self.form == Form::Mlp(RICH) {
            return self.value(&rich_features(game));
        }
        let value = self.value(&features(game));
        if game.turn() == Player::First {
            value
        } else {
            -value
        }
    }
}

impl Form {
    /// What a model looks at; `None` if it is none of these.
    fn of(meta: &Meta) -> Option<Form> {
        let sees = |features: usize| meta.dims[0] == features as u16 + 1;
        match (meta.kind, meta.dims) {
            (Kind::Perceptron, dims) => {
                (dims == [FEATURES as u16, 0, 0, 0]).then_some(Form::Perceptron)
            }
            (Kind::Mlp, [_, 1..=GoNetwork::MOST_HIDDEN, 0, 0]) => [FEATURES, RICH]
                .into_iter()
                .find(|&features| sees(features))
                .map(Form::Mlp),
            (Kind::Convolution, dims) => {
                (dims == [WEIGHTS as u16, 0, 0, 0] && meta.scale >= 1 << 8).then_some(Form::Vision)
            }
            _ => None,
        }
    }
}

/// At most 19 × 1,640 × 32,768: it fits.
fn dot(weights: &[u8], features: &[i16]) -> i32 {
    weights
        .chunks_exact(2)
        .zip(features)
        .map(|(bytes, &input)| weight(bytes) * i32::from(input))
        .sum()
}

/// tanh(sum/10) in 1/2¹⁵, where a sum of 1 is 1 shifted by `shift`.
fn tanh(sum: i32, shift: u32) -> i16 {
    // From 40 on the table has no more to say.
    let clamped = sum.unsigned_abs().min(40 << shift);
    // 64/10 places of the table for each 1, in 1/256 of a place: 1638.4.
    let place = ((clamped >> 1) * 3277) >> shift;
    let (index, rest) = ((place >> 8) as usize, (place & 255) as i32);
    let [low, high] = [index, index + 1].map(|index| i32::from(TANH[index.min(TANH.len() - 1)]));
    let value = (low + (((high - low) * rest) >> 8)) as i16;
    if sum < 0 { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bank::NAME;

    fn meta(kind: Kind, dims: [u16; 4], scale: u32) -> Meta {
        Meta {
            game: GameId::Go,
            kind,
            belt: None,
            number: Number::I16,
            rules_version: 1,
            dims,
            scale,
            seed: 0,
            games: 0,
            settings: 0,
            date: 0,
            strength: 0,
            name: [0; NAME],
        }
    }

    #[test]
    fn the_table_is_a_tanh() {
        // Values of tanh that can be looked up anywhere.
        for (n, expected) in [
            (0, 0.0),
            (32, 0.462_117_157),
            (64, 0.761_594_156),
            (128, 0.964_027_580),
            (256, 0.999_329_300),
        ] {
            assert!(
                (f64::from(TANH[n]) / 32_767.0 - expected).abs() < 3e-5,
                "{n}"
            );
        }
        for shift in [6, 10, 15] {
            assert_eq!(
                (tanh(0, shift), tanh(i32::MAX, shift), tanh(i32::MIN, shift)),
                (0, TANH[256], -TANH[256])
            );
            assert!((tanh(10 << shift, shift) - TANH[64]).abs() <= 8);
            assert_eq!(tanh(-(10 << shift), shift), -tanh(10 << shift, shift));
        }
    }

    #[test]
    fn sums_are_what_the_weights_say() {
        let bytes = |weights: &[i16]| {
            weights
                .iter()
                .flat_map(|weight| weight.to_le_bytes())
                .collect::<heapless::Vec<u8, 64>>()
        };
        let features = [3, -2, 0, 0, 0, 0, 0, 1];
        // 0.5 × 3 + 1 × −2 − 2 × 1 = −2.5
        let weights = bytes(&[512, 1024, 7, 7, 7, 7, 7, -2048]);
        let network =
            GoNetwork::new(&meta(Kind::Perceptron, [8, 0, 0, 0], 1024), &weights).unwrap();
        assert_eq!(network.value(&features), -160);
        // One unit with the same sum, and a weight of 4: 4 × tanh(−0.25) = −0.9797.
        let weights = bytes(&[512, 1024, 7, 7, 7, 7, 7, -2048, 4096]);
        let network = GoNetwork::new(&meta(Kind::Mlp, [9, 1, 0, 0], 1024), &weights).unwrap();
        assert!(
            (network.value(&features) + 63).abs() <= 1,
            "{}",
            network.value(&features)
        );
    }

    #[test]
    fn the_largest_weights_and_features_fit() {
        let weights = [0x7F; 2 * 9 * 32];
        let network = GoNetwork::new(&meta(Kind::Mlp, [9, 32, 0, 0], 64), &weights).unwrap();
        assert_eq!(
            network.value(&[super::super::FEATURE_MOST; FEATURES]),
            9_000
        );
        assert_eq!(
            network.value(&[-super::super::FEATURE_MOST; FEATURES]),
            -9_000
        );
    }

    #[test]
    fn other_models_are_refused() {
        let good = meta(Kind::Mlp, [9, 4, 0, 0], 1024);
        assert!(GoNetwork::new(&good, &[0; 72]).is_some());
        assert!(GoNetwork::new(&good, &[0; 70]).is_none());
        let large = meta(Kind::Convolution, [WEIGHTS as u16, 0, 0, 0], 1024);
        assert!(GoNetwork::new(&large, &[0; 2 * WEIGHTS]).is_some());
        for odd in [
            meta(Kind::Mlp, [8, 4, 0, 0], 1024),
            meta(Kind::Mlp, [9, 33, 0, 0], 1024),
            meta(Kind::Mlp, [9, 4, 1, 0], 1024),
            meta(Kind::Perceptron, [9, 0, 0, 0], 1024),
            meta(Kind::Mlp, [9, 4, 0, 0], 1000),
            meta(Kind::Mlp, [9, 4, 0, 0], 1 << 16),
            Meta {
                game: GameId::Dots,
                ..good
            },
            Meta {
                number: Number::I8,
                ..good
            },
            meta(Kind::Convolution, [WEIGHTS as u16 - 1, 0, 0, 0], 1024),
            meta(Kind::Convolution, [WEIGHTS as u16, 0, 0, 0], 128),
        ] {
            assert!(!GoNetwork::fits(&odd), "{odd:?}");
        }
    }
}

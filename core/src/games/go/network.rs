//! The learned evaluations of Go in fixed point: a perceptron or an MLP over the eight features, an
//! MLP over the richer ones, or the [convolutional network](super::vision).
//!
//! The published activation is tanh(x/10) behind each layer. The last one only squeezes the value
//! into ±1 and changes no choice, so it is left out: the value is the sum before it.

use super::features::{FEATURE_MOST, FEATURES, RICH, features, rich_features};
use super::vision::{View, Vision, WEIGHTS};
use crate::bank::{Kind, Meta, Number};
use crate::game::{Game, Player};
use crate::games::{GameId, Go};
use crate::nn::{self, Layout, Network, Shape};
use crate::search::Value;

/// A sum of 1 is worth this much.
pub const UNIT: Value = 64;
/// Values stop here, well below those of finished games.
const MOST: i32 = 9_000;

/// A network read in place from a bank's payload.
#[derive(Clone, Copy, Debug)]
pub enum GoNetwork<'a> {
    /// Over the eight features.
    Features(Network<&'a [u8]>),
    /// Over the richer features.
    Rich(Network<&'a [u8]>),
    /// Over the board.
    Vision(Vision<'a>),
}

impl<'a> GoNetwork<'a> {
    /// The smallest and the largest scale: a weight of 1 is stored as this.
    pub const SCALES: [u32; 2] = [1 << 6, 1 << 15];

    /// The shape of an evaluation over so many features.
    pub const fn shape(inputs: usize, hidden: usize, scale: u32) -> Shape {
        Shape {
            inputs,
            hidden,
            scale,
            divisor: 10,
            bound: FEATURE_MOST,
            layout: Layout::ByUnit,
        }
    }

    /// Whether a model is such a network.
    pub fn fits(meta: &Meta) -> bool {
        let [least, most] = Self::SCALES;
        let looks = match meta.kind {
            Kind::Convolution => meta.dims == [WEIGHTS as u16, 0, 0, 0] && meta.scale >= 1 << 8,
            _ => sees(FEATURES, meta).or(sees(RICH, meta)).is_some(),
        };
        looks
            && meta.scale.is_power_of_two()
            && (least..=most).contains(&meta.scale)
            && (meta.game, meta.number) == (GameId::Go, Number::I16)
    }

    /// The network of a model and its payload; `None` if they do not fit.
    pub fn new(meta: &Meta, payload: &'a [u8]) -> Option<GoNetwork<'a>> {
        if !GoNetwork::fits(meta) {
            return None;
        }
        if meta.kind == Kind::Convolution {
            return Vision::new(payload, meta.scale.trailing_zeros()).map(GoNetwork::Vision);
        }
        match sees(FEATURES, meta) {
            Some(shape) => Network::in_place(shape, payload).map(GoNetwork::Features),
            None => Network::in_place(sees(RICH, meta)?, payload).map(GoNetwork::Rich),
        }
    }

    /// What a position is worth to the player who has just moved.
    pub fn judge(&self, game: &Go) -> Value {
        let value = match self {
            GoNetwork::Features(network) => by_features(network, game),
            GoNetwork::Rich(network) => in_units(network.sum(&rich_features(game))),
            // The activation of the others divides by 10.
            GoNetwork::Vision(vision) => -vision.value(&View::new(game), 10 * i32::from(UNIT)),
        };
        value.clamp(-MOST, MOST) as Value
    }
}

/// An evaluation of positions.
pub trait Evaluation: Copy {
    /// What a position is worth to the player who has just moved.
    fn judge(&self, game: &Go) -> Value;
}

impl Evaluation for GoNetwork<'_> {
    fn judge(&self, game: &Go) -> Value {
        GoNetwork::judge(self, game)
    }
}

/// A network over the eight published features. The device has no code for the others.
#[derive(Clone, Copy, Debug)]
pub struct Published<'a>(Network<&'a [u8]>);

impl<'a> Published<'a> {
    /// The network of a model and its payload; `None` if they do not fit.
    pub fn new(meta: &Meta, payload: &'a [u8]) -> Option<Published<'a>> {
        let shape = sees(FEATURES, meta).filter(|_| GoNetwork::fits(meta))?;
        Network::in_place(shape, payload).map(Published)
    }
}

impl Evaluation for Published<'_> {
    fn judge(&self, game: &Go) -> Value {
        by_features(&self.0, game).clamp(-MOST, MOST) as Value
    }
}

/// The value of a network over the eight features. It has no bias of its own, so the features seen
/// from the other side give the value with the other sign.
fn by_features(network: &Network<&[u8]>, game: &Go) -> i32 {
    let value = in_units(network.sum(&features(game)));
    if game.turn() == Player::First {
        value
    } else {
        -value
    }
}

/// The shape of a model over so many features; `None` if it is another one.
fn sees(features: usize, meta: &Meta) -> Option<Shape> {
    nn::hidden(features, meta).map(|hidden| GoNetwork::shape(features, hidden, meta.scale))
}

/// A network's sum at [`UNIT`] to 1, rounded down.
fn in_units(sum: i32) -> i32 {
    sum >> (nn::BITS - UNIT.trailing_zeros())
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

    /// The value of eight features.
    fn value(network: GoNetwork<'_>, features: [i16; FEATURES]) -> i32 {
        let GoNetwork::Features(network) = network else {
            unreachable!("a network over the eight features")
        };
        in_units(network.sum(&features))
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
        assert_eq!(value(network, features), -160);
        // One unit with the same sum, and a weight of 4: 4 × tanh(−0.25) = −0.9797.
        let weights = bytes(&[512, 1024, 7, 7, 7, 7, 7, -2048, 4096]);
        let network = GoNetwork::new(&meta(Kind::Mlp, [9, 1, 0, 0], 1024), &weights).unwrap();
        let found = value(network, features);
        assert!((found + 63).abs() <= 1, "{found}");
    }

    #[test]
    fn the_largest_weights_and_features_fit() {
        let weights = [0x7F; 2 * 9 * 32];
        let network = GoNetwork::new(&meta(Kind::Mlp, [9, 32, 0, 0], 64), &weights).unwrap();
        assert!(value(network, [FEATURE_MOST; FEATURES]) > MOST);
        assert!(value(network, [-FEATURE_MOST; FEATURES]) < -MOST);
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

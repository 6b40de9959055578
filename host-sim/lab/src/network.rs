//! Networks while they learn: 64-bit weights, laid out as `dojo_core::nn` has them. Only the four basic operations are
//! used, which give the same bits on every machine.

use dojo_core::game::Player;
use dojo_core::learn::Progress;
use dojo_core::nn::{MOST_HIDDEN, weights};
use dojo_core::rng::Rng;

/// A perceptron (no hidden units) or a network with one hidden layer. Its value is a tanh: 1 won, −1 lost.
#[derive(Clone, Debug, PartialEq)]
pub struct Float {
    inputs: usize,
    hidden: usize,
    weights: Vec<f64>,
}

type Layer = [f64; MOST_HIDDEN];

impl Float {
    /// Hidden units; none in a perceptron.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// A network with these weights; `None` if their number does not fit.
    pub fn new(inputs: usize, hidden: usize, values: Vec<f64>) -> Option<Float> {
        let fits = values.len() == weights(inputs, hidden) && hidden <= MOST_HIDDEN;
        fits.then_some(Float {
            inputs,
            hidden,
            weights: values,
        })
    }

    /// A network that knows nothing: zeros for a perceptron, small random weights where zeros could not learn.
    pub fn begin(inputs: usize, hidden: usize, rng: &mut Rng) -> Option<Float> {
        let mut weight = || match hidden {
            0 => 0.0,
            _ => (f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5) * 0.1,
        };
        Float::new(
            inputs,
            hidden,
            (0..weights(inputs, hidden)).map(|_| weight()).collect(),
        )
    }

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The value of some inputs.
    pub fn value(&self, inputs: &[f64]) -> f64 {
        self.layers(inputs).1
    }

    fn layers(&self, inputs: &[f64]) -> (Layer, f64) {
        let mut layer = [0.0; MOST_HIDDEN];
        if self.hidden == 0 {
            return (layer, tanh(dot(&self.weights, inputs)));
        }
        let (first, last) = self.weights.split_at(self.inputs * self.hidden);
        for (unit, weights) in layer.iter_mut().zip(first.chunks_exact(self.inputs)) {
            *unit = tanh(dot(weights, inputs));
        }
        (layer, tanh(dot(last, &layer[..self.hidden])))
    }

    /// Moves the value of some inputs towards a target, `rate` times the gradient; what it was before comes back. The slope
    /// of the last tanh counts at least a twentieth, so that what is surely wrong is still learned.
    pub fn learn(&mut self, inputs: &[f64], target: f64, rate: f64) -> f64 {
        let (layer, value) = self.layers(inputs);
        let step = rate * (target - value) * (1.0 - value * value).max(0.05);
        if self.hidden == 0 {
            self.weights
                .iter_mut()
                .zip(inputs)
                .for_each(|(weight, input)| *weight += step * input);
            return value;
        }
        let (first, last) = self.weights.split_at_mut(self.inputs * self.hidden);
        for ((unit, out), weights) in layer
            .iter()
            .zip(last)
            .zip(first.chunks_exact_mut(self.inputs))
        {
            let back = step * *out * (1.0 - unit * unit);
            weights
                .iter_mut()
                .zip(inputs)
                .for_each(|(weight, input)| *weight += back * input);
            *out += step * unit;
        }
        value
    }

    /// The same network for inputs that are not divided by their scales.
    pub fn unscaled(&self, scales: &[f64]) -> Float {
        let mut unscaled = self.clone();
        let first = if self.hidden == 0 {
            self.weights.len()
        } else {
            self.inputs * self.hidden
        };
        for weights in unscaled.weights[..first].chunks_exact_mut(self.inputs) {
            weights
                .iter_mut()
                .zip(scales)
                .for_each(|(weight, scale)| *weight /= scale);
        }
        unscaled
    }
}

/// How a network learns by temporal differences.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units; 0 for a perceptron.
    pub hidden: usize,
    /// Learning rate at the start; it falls evenly to a tenth.
    pub rate: f64,
    /// How much of the target is what came later in the game: 0 is TD(0), 1 the result alone.
    pub lambda: f64,
    /// The share of moves at random.
    pub explore: f64,
    /// Games of the whole run.
    pub games: u32,
}

/// A network that learns from games, and how far it is. How they are played, each game knows itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    settings: Settings,
    network: Float,
    progress: Progress,
}

impl Learner {
    /// A learner at its beginning; `None` if the network would be too large.
    pub fn new(inputs: usize, settings: Settings, seed: u64) -> Option<Learner> {
        let mut rng = Rng::new(seed);
        let network = Float::begin(inputs, settings.hidden, &mut rng)?;
        Some(Learner {
            settings,
            network,
            progress: Progress {
                games: 0,
                explore: 0,
                rng,
            },
        })
    }

    /// A learner that goes on.
    pub fn resume(
        inputs: usize,
        settings: Settings,
        weights: &[f64],
        progress: Progress,
    ) -> Option<Learner> {
        let network = Float::new(inputs, settings.hidden, weights.to_vec())?;
        Some(Learner {
            settings,
            network,
            progress,
        })
    }

    /// What it has learned.
    pub fn network(&self) -> &Float {
        &self.network
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// All chance of its games.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.progress.rng
    }

    /// Whether the next move is one at random.
    pub fn explores(&mut self) -> bool {
        self.progress
            .rng
            .chance((self.settings.explore * f64::from(u32::MAX)) as u32)
    }

    /// Learns from a game, backwards: its positions with who was to move, and its result for the player who started, 1, 0
    /// or −1. Each position moves towards a mixture of the next one's value and the result.
    pub fn learn<I: AsRef<[f64]>>(&mut self, positions: &[(I, Player)], result: f64) {
        let Learner {
            settings,
            network,
            progress,
        } = self;
        let done = f64::from(progress.games) / f64::from(settings.games.max(1));
        let rate = settings.rate * (1.0 - 0.9 * done.min(1.0));
        // Targets are those of the player who started.
        let mut target = result;
        for (inputs, mover) in positions.iter().rev() {
            let (inputs, sign) = (
                inputs.as_ref(),
                if *mover == Player::First { 1.0 } else { -1.0 },
            );
            network.learn(inputs, sign * target, rate);
            target =
                settings.lambda * target + (1.0 - settings.lambda) * sign * network.value(inputs);
        }
        progress.games += 1;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    let power = exp(-2.0 * x.abs());
    let value = (1.0 - power) / (1.0 + power);
    if x < 0.0 { -value } else { value }
}

/// eˣ for x up to 0, without the library's, which differs from machine to machine: halved until a short series is exact,
/// then squared back.
pub fn exp(x: f64) -> f64 {
    const HALVINGS: u32 = 8;
    if x < -40.0 {
        return 0.0;
    }
    // 1/n, for the series: dividing each time takes longer than all the rest.
    const PARTS: [f64; 8] = [
        1.0,
        1.0 / 2.0,
        1.0 / 3.0,
        1.0 / 4.0,
        1.0 / 5.0,
        1.0 / 6.0,
        1.0 / 7.0,
        1.0 / 8.0,
    ];
    let small = x / f64::from(1 << HALVINGS);
    let sum = PARTS
        .iter()
        .rev()
        .fold(1.0, |sum, part| 1.0 + sum * (small * part));
    (0..HALVINGS).fold(sum, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_activation_is_a_tanh() {
        for step in -400..=400 {
            let x = f64::from(step) / 37.0;
            assert!((tanh(x) - x.tanh()).abs() < 1e-12, "{x}");
        }
        assert_eq!((tanh(1e9), tanh(-1e9), tanh(0.0)), (1.0, -1.0, 0.0));
    }

    #[test]
    fn learning_follows_the_gradient() {
        let inputs = [0.5, -1.0, 0.25];
        for hidden in [0, 4] {
            let values = (0..weights(3, hidden))
                .map(|n| 0.1 * (n as f64 - 5.0))
                .collect();
            let network = Float::new(3, hidden, values).unwrap();
            let mut moved = network.clone();
            let before = moved.learn(&inputs, network.value(&inputs) + 1.0, 1e-6);
            assert_eq!(before, network.value(&inputs));
            for place in 0..network.weights.len() {
                let nudged = |by: f64| {
                    let mut nudged = network.clone();
                    nudged.weights[place] += by;
                    nudged.value(&inputs)
                };
                let slope = (nudged(1e-5) - nudged(-1e-5)) / 2e-5;
                let change = (moved.weights[place] - network.weights[place]) / 1e-6;
                assert!(
                    (slope - change).abs() < 1e-4,
                    "{hidden} {place}: {slope} {change}"
                );
            }
            let unscaled = network.unscaled(&[2.0, 2.0, 2.0]);
            assert!(
                (unscaled.value(&inputs.map(|input| 2.0 * input)) - network.value(&inputs)).abs()
                    < 1e-12
            );
        }
        assert_eq!(Float::new(3, 4, vec![0.0; 3]), None);
    }
}

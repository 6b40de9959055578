//! Networks while they learn, and the temporal-difference learner: 64-bit weights, laid out layer
//! by layer.
//!
//! Only the four basic operations are used, in a fixed order: every machine computes the same bits,
//! and the kept runs of `models/` can be repeated.

use dojo_core::game::Player;
use dojo_core::learn::Progress;
use dojo_core::nn::{MOST_HIDDEN, weights};
use dojo_core::rng::Rng;

/// The function behind each layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// tanh(x), learned by its gradient; the slope of the last tanh counts at least 1/20, so that a
    /// value that is surely wrong is still corrected.
    Tanh,
    /// tanh(x/10), as published for Go. As printed there, the gradient leaves out the factor 1/10
    /// of each layer.
    TenthTanh,
    /// tanh(x/10), learned by its whole gradient.
    TenthTanhTrue,
}

impl Activation {
    fn of(self, sum: f64) -> f64 {
        match self {
            Activation::Tanh => tanh(sum),
            Activation::TenthTanh | Activation::TenthTanhTrue => tenth_tanh(sum),
        }
    }

    /// The factor of each layer's gradient besides 1 − value².
    fn inner(self) -> f64 {
        match self {
            Activation::Tanh | Activation::TenthTanh => 1.0,
            Activation::TenthTanhTrue => 0.1,
        }
    }
}

/// A perceptron (no hidden units) or a network with one hidden layer, without biases. Its value is
/// 1 for a certain win, −1 for a certain loss.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    inputs: usize,
    hidden: usize,
    activation: Activation,
    /// The input weights of all hidden units, then the output weights.
    weights: Vec<f64>,
}

type HiddenLayer = [f64; MOST_HIDDEN];

impl FloatNetwork {
    /// A network with these weights; `None` if their number does not fit.
    pub fn new(
        inputs: usize,
        hidden: usize,
        activation: Activation,
        values: Vec<f64>,
    ) -> Option<FloatNetwork> {
        let fits = values.len() == weights(inputs, hidden) && hidden <= MOST_HIDDEN;
        fits.then_some(FloatNetwork {
            inputs,
            hidden,
            activation,
            weights: values,
        })
    }

    /// Inputs.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// Hidden units; 0 for a perceptron.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The weights.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The value of some inputs; inputs beyond those of the network are left out.
    pub fn value(&self, inputs: &[f64]) -> f64 {
        self.forward(inputs).1
    }

    /// The forward pass: the hidden layer and the value.
    fn forward(&self, inputs: &[f64]) -> (HiddenLayer, f64) {
        let mut layer = [0.0; MOST_HIDDEN];
        if self.hidden == 0 {
            return (layer, self.activation.of(dot(&self.weights, inputs)));
        }
        let (first, last) = self.weights.split_at(self.inputs * self.hidden);
        for (unit, weights) in layer.iter_mut().zip(first.chunks_exact(self.inputs)) {
            *unit = self.activation.of(dot(weights, inputs));
        }
        let value = self.activation.of(dot(last, &layer[..self.hidden]));
        (layer, value)
    }

    /// Moves the value of some inputs towards a target by backpropagation, `rate` times the
    /// gradient; the value before the step comes back.
    pub fn learn(&mut self, inputs: &[f64], target: f64, rate: f64) -> f64 {
        let (layer, value) = self.forward(inputs);
        let (slope, step) = (1.0 - value * value, rate * (target - value));
        // Both products are `step * slope`; the kept runs fix the order in which the factors are
        // multiplied.
        let (slope, step) = match self.activation {
            Activation::Tanh => (step * slope.max(0.05), 1.0),
            Activation::TenthTanh | Activation::TenthTanhTrue => {
                (slope * self.activation.inner(), step)
            }
        };
        if self.hidden == 0 {
            let pairs = self.weights.iter_mut().zip(inputs);
            pairs.for_each(|(weight, input)| *weight += step * (slope * input));
            return value;
        }
        let inner = self.activation.inner();
        let (first, last) = self.weights.split_at_mut(self.inputs * self.hidden);
        let units = first.chunks_exact_mut(self.inputs).zip(last).zip(layer);
        for ((weights, output), unit) in units {
            let back = slope * *output * (1.0 - unit * unit) * inner;
            let pairs = weights.iter_mut().zip(inputs);
            pairs.for_each(|(weight, input)| *weight += step * (back * input));
            *output += step * (slope * unit);
        }
        value
    }

    /// The same function of inputs that are not divided by their scales.
    pub fn unscaled(&self, scales: &[f64]) -> FloatNetwork {
        let mut unscaled = self.clone();
        let first = self.inputs * self.hidden.max(1);
        for weights in unscaled.weights[..first].chunks_exact_mut(self.inputs) {
            let pairs = weights.iter_mut().zip(scales);
            pairs.for_each(|(weight, scale)| *weight /= scale);
        }
        unscaled
    }
}

/// How the learning rate changes over a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Rates {
    /// From this rate evenly down to a tenth over so many games.
    Falling(f64, u32),
    /// Each rate from a number of games on.
    Steps(Vec<(u32, f64)>),
}

impl Rates {
    fn after(&self, played: u32) -> f64 {
        match self {
            Rates::Falling(rate, games) => {
                let done = f64::from(played) / f64::from((*games).max(1));
                rate * (1.0 - 0.9 * done.min(1.0))
            }
            Rates::Steps(steps) => {
                let step = steps.iter().rev().find(|(from, _)| *from <= played);
                step.map_or(0.0, |&(_, rate)| rate)
            }
        }
    }
}

/// How a network learns by temporal differences.
#[derive(Clone, Debug, PartialEq)]
pub struct TdSettings {
    /// Inputs.
    pub inputs: usize,
    /// Hidden units; 0 for a perceptron.
    pub hidden: usize,
    /// The function behind each layer.
    pub activation: Activation,
    /// Weights of a network with a hidden layer start within half of this around 0; those of a
    /// perceptron are 0.
    pub spread: f64,
    /// The learning rates.
    pub rates: Rates,
    /// λ, the share of the later target in the target of a position: 0 is TD(0), 1 learns from the
    /// result alone.
    pub lambda: f64,
    /// The share of moves that are drawn at random.
    pub explore: f64,
}

/// A network that learns from games by TD(λ), and its progress. Playing the games is up to each
/// game.
#[derive(Clone, Debug, PartialEq)]
pub struct TdLearner {
    settings: TdSettings,
    network: FloatNetwork,
    progress: Progress,
}

impl TdLearner {
    /// An untrained learner; `None` if the network would be too large.
    pub fn new(settings: TdSettings, seed: u64) -> Option<TdLearner> {
        let mut rng = Rng::new(seed);
        let mut weight = || match settings.hidden {
            0 => 0.0,
            _ => (f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5) * settings.spread,
        };
        let count = weights(settings.inputs, settings.hidden);
        let values: Vec<_> = (0..count).map(|_| weight()).collect();
        let progress = Progress {
            games: 0,
            explore: 0,
            rng,
        };
        TdLearner::resume(settings, &values, progress)
    }

    /// A learner that goes on with these weights; `None` if their number does not fit.
    pub fn resume(settings: TdSettings, weights: &[f64], progress: Progress) -> Option<TdLearner> {
        let network = FloatNetwork::new(
            settings.inputs,
            settings.hidden,
            settings.activation,
            weights.to_vec(),
        )?;
        Some(TdLearner {
            settings,
            network,
            progress,
        })
    }

    /// The network as it is now.
    pub fn network(&self) -> &FloatNetwork {
        &self.network
    }

    /// Games played, and the state of the generator.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The generator of all chance in the games.
    pub fn rng(&mut self) -> &mut Rng {
        &mut self.progress.rng
    }

    /// Draws whether the next move is one at random.
    pub fn explores(&mut self) -> bool {
        self.progress
            .rng
            .chance((self.settings.explore * f64::from(u32::MAX)) as u32)
    }

    /// Learns from a game, last position first. Each position comes with the player whose value it
    /// has; the result is that of the player who started. A position moves towards a mixture of the
    /// later target and the later value.
    pub fn learn<I: AsRef<[f64]>>(&mut self, positions: &[(I, Player)], result: f64) {
        self.learn_corrected(positions, result, |_, _| 0.0);
    }

    /// Learns from a game like [`TdLearner::learn`]. `correction` is added to the target that a
    /// position, by its number, passes to the position before it; it is seen from the side of the
    /// position's player.
    pub fn learn_corrected<I: AsRef<[f64]>>(
        &mut self,
        positions: &[(I, Player)],
        result: f64,
        correction: impl Fn(usize, &FloatNetwork) -> f64,
    ) {
        let rate = self.settings.rates.after(self.progress.games);
        let lambda = self.settings.lambda;
        // From the side of the player who started.
        let mut target = result;
        for (number, (inputs, player)) in positions.iter().enumerate().rev() {
            let sign = if *player == Player::First { 1.0 } else { -1.0 };
            self.network.learn(inputs.as_ref(), sign * target, rate);
            let value = sign * self.network.value(inputs.as_ref());
            target =
                lambda * target + (1.0 - lambda) * value + sign * correction(number, &self.network);
        }
        self.progress.games += 1;
    }
}

/// The dot product over as many places as both have.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The hyperbolic tangent.
pub fn tanh(x: f64) -> f64 {
    odd(x, quick_exp(-2.0 * x.abs()))
}

/// tanh(x/10).
pub fn tenth_tanh(x: f64) -> f64 {
    odd(x, exp(-2.0 * (x / 10.0).abs()))
}

/// A tanh from the sign of its argument and e^(−2|x|).
fn odd(x: f64, power: f64) -> f64 {
    let value = (1.0 - power) / (1.0 + power);
    if x < 0.0 { -value } else { value }
}

/// eˣ for x up to 0. The standard library's differs from machine to machine; here x is halved until
/// a short series is exact to the last bits, and the result is squared back. The kept runs of Go
/// were learned with this series.
pub fn exp(x: f64) -> f64 {
    const HALVINGS: i32 = 10;
    if !(-700.0..=0.0).contains(&x) {
        return if x < 0.0 { 0.0 } else { 1.0 };
    }
    let small = x / f64::from(1 << HALVINGS);
    let series = (1..=10)
        .rev()
        .fold(1.0, |sum, n| 1.0 + sum * small / f64::from(n));
    (0..HALVINGS).fold(series, |power, _| power * power)
}

/// The same without divisions, which take most of the time. The kept runs of iwoki and of dots and
/// boxes were learned with this one; its last bits are others.
fn quick_exp(x: f64) -> f64 {
    const HALVINGS: u32 = 8;
    const RECIPROCALS: [f64; 8] = [
        1.0,
        1.0 / 2.0,
        1.0 / 3.0,
        1.0 / 4.0,
        1.0 / 5.0,
        1.0 / 6.0,
        1.0 / 7.0,
        1.0 / 8.0,
    ];
    if x < -40.0 {
        return 0.0;
    }
    let small = x / f64::from(1 << HALVINGS);
    let series = RECIPROCALS
        .iter()
        .rev()
        .fold(1.0, |sum, part| 1.0 + sum * (small * part));
    (0..HALVINGS).fold(series, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_activations_are_what_they_say() {
        for step in -400..=400 {
            let x = f64::from(step) / 7.0;
            assert!((tanh(x) - x.tanh()).abs() < 1e-12, "{x}");
            assert!((tenth_tanh(x) - (x / 10.0).tanh()).abs() < 1e-12, "{x}");
            assert!((exp(-x.abs()) - (-x.abs()).exp()).abs() < 1e-12);
        }
        for activation in [tanh, tenth_tanh] {
            assert_eq!(
                [1e9, -1e9, 0.0].map(activation),
                [1.0, -1.0, 0.0],
                "far from 0"
            );
        }
        assert_eq!((exp(-1e9), exp(0.0), exp(f64::NAN)), (0.0, 1.0, 1.0));
    }

    #[test]
    fn learning_follows_the_gradient() {
        let inputs = [0.5, -1.0, 0.25];
        for (activation, factor) in [
            (Activation::Tanh, 1.0),
            (Activation::TenthTanh, 10.0),
            (Activation::TenthTanhTrue, 1.0),
        ] {
            for hidden in [0, 4] {
                let values = (0..weights(3, hidden))
                    .map(|n| 0.1 * (n as f64 - 5.0))
                    .collect();
                let network = FloatNetwork::new(3, hidden, activation, values).unwrap();
                let mut moved = network.clone();
                let before = moved.learn(&inputs, network.value(&inputs) + 1.0, 1e-6);
                assert_eq!(before, network.value(&inputs));
                for place in 0..network.weights.len() {
                    let nudged = |by: f64| {
                        let mut nudged = network.clone();
                        nudged.weights[place] += by;
                        nudged.value(&inputs)
                    };
                    // One factor for each activation between the weight and the value.
                    let layers = if place < 3 * hidden { 2 } else { 1 };
                    let slope = (nudged(1e-5) - nudged(-1e-5)) / 2e-5 * f64::powi(factor, layers);
                    let change = (moved.weights[place] - network.weights[place]) / 1e-6;
                    assert!(
                        (slope - change).abs() < 1e-4,
                        "{activation:?} {hidden} {place}: {slope} {change}"
                    );
                }
                let unscaled = network.unscaled(&[2.0, 2.0, 2.0]);
                let doubled = inputs.map(|input| 2.0 * input);
                assert!((unscaled.value(&doubled) - network.value(&inputs)).abs() < 1e-12);
            }
            assert_eq!(FloatNetwork::new(3, 4, activation, vec![0.0; 3]), None);
        }
    }

    #[test]
    fn rates_fall_evenly_or_in_steps() {
        let falling = Rates::Falling(0.1, 10);
        assert_eq!([0, 10, 20].map(|games| falling.after(games)), {
            let last = 0.1 * (1.0 - 0.9);
            [0.1, last, last]
        });
        let steps = Rates::Steps(vec![(0, 0.3), (5, 0.2)]);
        assert_eq!(
            [0, 4, 5, 9].map(|games| steps.after(games)),
            [0.3, 0.3, 0.2, 0.2]
        );
    }

    #[test]
    fn a_correction_changes_the_target_of_the_position_before() {
        let settings = TdSettings {
            inputs: 2,
            hidden: 0,
            activation: Activation::TenthTanhTrue,
            spread: 0.0,
            rates: Rates::Steps(vec![(0, 0.01)]),
            lambda: 0.0,
            explore: 0.0,
        };
        let mut learner = TdLearner::new(settings, 1).unwrap();
        let positions = [([0.0, 1.0], Player::First), ([1.0, 0.0], Player::Second)];
        learner.learn_corrected(&positions, -1.0, |number, _| f64::from(number == 1) / 2.0);
        // The second player's position is worth 0.5 more to it: as much less to the first player.
        let after = tenth_tanh(0.001);
        assert_eq!(learner.network.weights(), [0.001, -0.001 * (after + 0.5)]);
    }

    #[test]
    fn a_game_moves_its_last_position_towards_the_result_first() {
        let settings = TdSettings {
            inputs: 2,
            hidden: 0,
            activation: Activation::TenthTanh,
            spread: 0.0,
            rates: Rates::Steps(vec![(0, 0.001)]),
            lambda: 0.0,
            explore: 0.0,
        };
        let mut learner = TdLearner::new(settings, 1).unwrap();
        let positions = [([0.0, 1.0], Player::First), ([1.0, 0.0], Player::Second)];
        learner.learn(&positions, -1.0);
        // The last one by the rate times 1; the one before, the opponent's, by the rate times the
        // last one's new value.
        let after = tenth_tanh(0.001);
        assert_eq!(learner.network.weights(), [0.001, -0.001 * after]);
    }
}

//! The networks while they learn: one or two layers of 64-bit weights, `tanh(x/10)` behind each, no bias.
//!
//! Only the four basic operations are used, which give the same bits on every machine.

/// The published activation divides its sum by this.
const SLOPE: f64 = 10.0;

/// A perceptron (no hidden units) or a network with one hidden layer. Its value is 1 for a won position, −1 for a lost one.
#[derive(Clone, Debug, PartialEq)]
pub struct Network {
    inputs: usize,
    hidden: usize,
    /// Each hidden unit's weights, one after the other; then the output's.
    weights: Vec<f64>,
}

/// What a hidden layer came to, kept for learning.
type Layer = [f64; Network::MOST_HIDDEN];

impl Network {
    /// Most hidden units.
    pub const MOST_HIDDEN: usize = 32;

    /// How many weights a network has.
    pub const fn size(inputs: usize, hidden: usize) -> usize {
        if hidden == 0 {
            inputs
        } else {
            (inputs + 1) * hidden
        }
    }

    /// A network with these weights; `None` if their number does not fit.
    pub fn new(inputs: usize, hidden: usize, weights: Vec<f64>) -> Option<Network> {
        let fits = weights.len() == Network::size(inputs, hidden) && hidden <= Network::MOST_HIDDEN;
        fits.then_some(Network {
            inputs,
            hidden,
            weights,
        })
    }

    /// A network whose weights come one by one; too many hidden units become as many as there may be.
    pub fn from_fn(inputs: usize, hidden: usize, weight: impl FnMut() -> f64) -> Network {
        let hidden = hidden.min(Network::MOST_HIDDEN);
        let weights = std::iter::repeat_with(weight)
            .take(Network::size(inputs, hidden))
            .collect();
        Network {
            inputs,
            hidden,
            weights,
        }
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
        let mut layer = [0.0; Network::MOST_HIDDEN];
        if self.hidden == 0 {
            return (layer, activation(dot(&self.weights, inputs)));
        }
        let (first, last) = self.weights.split_at(self.inputs * self.hidden);
        for (unit, weights) in layer.iter_mut().zip(first.chunks_exact(self.inputs)) {
            *unit = activation(dot(weights, inputs));
        }
        (layer, activation(dot(last, &layer[..self.hidden])))
    }

    /// The value and, in `gradient`, how it changes with each weight. As printed in the published work the slope 1/10 of
    /// `tanh(x/10)` is left out, at both layers: it only rescales the rates.
    pub fn gradient(&self, inputs: &[f64], gradient: &mut [f64]) -> f64 {
        let (layer, value) = self.layers(inputs);
        let slope = 1.0 - value * value;
        if self.hidden == 0 {
            gradient
                .iter_mut()
                .zip(inputs)
                .for_each(|(change, input)| *change = slope * input);
            return value;
        }
        let (first, last) = gradient.split_at_mut(self.inputs * self.hidden);
        let out = &self.weights[self.inputs * self.hidden..];
        for (unit, changes) in first.chunks_exact_mut(self.inputs).enumerate() {
            let back = slope * out[unit] * (1.0 - layer[unit] * layer[unit]);
            changes
                .iter_mut()
                .zip(inputs)
                .for_each(|(change, input)| *change = back * input);
            last[unit] = slope * layer[unit];
        }
        value
    }

    /// Moves the weights along a gradient.
    pub fn step(&mut self, gradient: &[f64], by: f64) {
        self.weights
            .iter_mut()
            .zip(gradient)
            .for_each(|(weight, change)| *weight += by * change);
    }
}

/// Inputs that no weight is for do not count.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// tanh(x/10).
pub fn activation(sum: f64) -> f64 {
    let power = exp(-2.0 * (sum / SLOPE).abs());
    let value = (1.0 - power) / (1.0 + power);
    if sum < 0.0 { -value } else { value }
}

/// eˣ for x up to 0, without the library's: that one differs from machine to machine.
pub fn exp(x: f64) -> f64 {
    // eˣ = (e^(x/2ⁿ))^(2ⁿ): halved until a short series is exact, then squared back.
    const HALVINGS: i32 = 10;
    if !(-700.0..=0.0).contains(&x) {
        return if x < 0.0 { 0.0 } else { 1.0 };
    }
    let small = x / f64::from(1 << HALVINGS);
    let mut sum = 1.0;
    for n in (1..=10).rev() {
        sum = 1.0 + sum * small / f64::from(n);
    }
    (0..HALVINGS).fold(sum, |power, _| power * power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_activation_is_a_tanh() {
        for step in -400..=400 {
            let x = f64::from(step) / 7.0;
            assert!((activation(x) - (x / 10.0).tanh()).abs() < 1e-12, "{x}");
            assert!((exp(-x.abs()) - (-x.abs()).exp()).abs() < 1e-12);
        }
        assert_eq!(
            (activation(1e9), activation(-1e9), activation(0.0)),
            (1.0, -1.0, 0.0)
        );
        assert_eq!((exp(-1e9), exp(0.0), exp(f64::NAN)), (0.0, 1.0, 1.0));
    }

    #[test]
    fn the_gradient_is_the_slope_up_to_the_factor_that_is_left_out() {
        let inputs = [3.0, -2.0, 0.5];
        for hidden in [0, 4] {
            let weights = (0..Network::size(3, hidden))
                .map(|n| 0.3 * (n as f64 - 5.0))
                .collect();
            let network = Network::new(3, hidden, weights).unwrap();
            let mut gradient = vec![0.0; network.weights().len()];
            assert_eq!(
                network.gradient(&inputs, &mut gradient),
                network.value(&inputs)
            );
            for (place, &found) in gradient.iter().enumerate() {
                let moved = |by: f64| {
                    let mut moved = network.clone();
                    moved.weights[place] += by;
                    moved.value(&inputs)
                };
                let slope = (moved(1e-4) - moved(-1e-4)) / 2e-4;
                // One factor 1/10 for each activation between the weight and the value.
                let factor = if hidden > 0 && place < 3 * hidden {
                    SLOPE * SLOPE
                } else {
                    SLOPE
                };
                assert!((slope * factor - found).abs() < 1e-6, "{hidden} {place}");
            }
        }
        assert_eq!(Network::new(3, 4, vec![0.0; 3]), None);
    }
}

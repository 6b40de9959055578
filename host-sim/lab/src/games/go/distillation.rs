//! Distillation: the [convolutional network](dojo_core::games::go::vision) learns from the strong
//! player's judgements.
//!
//! The strong player plays quick games, with odd moves tried in them. The network learns how likely
//! each position is won and who will own each point. A search meets positions that no good player
//! would bring about, so the examples are not the positions of the games themselves: up to three
//! moves that look promising at first sight are played from there, and the strong player judges the
//! result.

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::annilgos::move_score;
use dojo_core::games::go::players::{
    Node, Ownership, PlayoutJob, Tree, TreeSettings, UNDER_WAY, sensible_points,
};
use dojo_core::games::go::vision::{
    CELLS, CHANNELS, FIRST, HIDDEN, LATER, LAYERS, MOST, MOST_HIDDEN, ONE, PLANES, POOL_BITS,
    POOLED, View, WEIGHTS, WIDE, cell_of, cells, near,
};
use dojo_core::games::go::{GoMove, Point};
use dojo_core::rng::Rng;
use rayon::prelude::*;

use crate::network::tenth_tanh;

/// How examples are made and learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DistillationSettings {
    /// Games that examples are taken from.
    pub games: u32,
    /// Playouts for each move of these games.
    pub playouts: u32,
    /// Playouts for the value of an example, and for the owners of its points.
    pub judged: [u32; 2],
    /// A game starts with fewer random moves than this.
    pub opening: u32,
    /// Percent of odd moves later on; each game draws one of these.
    pub slips: [u32; 4],
    /// Epochs: passes over all examples.
    pub rounds: u32,
    /// The learning rate of the first step; it falls evenly to a fiftieth.
    pub rate: f32,
}

/// Nodes of the strong player's tree.
const NODES: usize = 10_000;
/// No examples are taken after this many moves.
const LATEST: usize = 110;
/// An odd move is drawn from this many promising ones.
const WIDTHS: [usize; 3] = [3, 8, 20];
/// Examples of each step (mini-batch).
const BATCH: usize = 32;
/// Weights of the auxiliary head that predicts the owner of each point. It helps the learning and
/// is not stored.
const OWNERS: usize = CHANNELS + 1;

/// A position with the strong player's judgement.
#[derive(Clone, Debug, PartialEq)]
struct Example {
    view: View,
    /// From −1 to 1, for the player to move.
    value: f32,
    /// The expected owner of each cell, from −127 to 127, on the same side.
    owners: [i8; CELLS],
}

/// The examples so far and, after the last game, the trained network.
#[derive(Clone, Debug, PartialEq)]
pub struct Distillation {
    settings: DistillationSettings,
    seed: u64,
    games: u32,
    examples: Vec<Example>,
    network: FloatVision,
}

impl Distillation {
    /// Without examples.
    pub fn new(settings: DistillationSettings, seed: u64) -> Distillation {
        Distillation {
            settings,
            seed,
            games: 0,
            examples: vec![],
            network: FloatVision::new(&mut Rng::new(seed)),
        }
    }

    /// Goes on after so many games: they are played again, since each has its own seed.
    pub fn resume(
        settings: DistillationSettings,
        seed: u64,
        values: &[f64],
        games: u32,
    ) -> Option<Distillation> {
        let mut distillation = Distillation::new(settings, seed);
        if games < settings.games {
            distillation.play(games);
            return values.is_empty().then_some(distillation);
        }
        distillation.games = games;
        distillation.network = FloatVision::with(values)?;
        Some(distillation)
    }

    /// The weights; empty before the last game.
    pub fn values(&self) -> Vec<f64> {
        let learned = if self.games < self.settings.games {
            &[]
        } else {
            &self.network.weights[..WEIGHTS]
        };
        learned.iter().map(|&weight| weight.into()).collect()
    }

    /// Games so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Takes examples from more games; after the last one the network learns.
    pub fn play(&mut self, games: u32) {
        let (settings, seed) = (self.settings, self.seed);
        let numbers = self.games..self.games + games;
        let watched: Vec<_> = numbers
            .into_par_iter()
            .map(|number| settings.examples(seed, number))
            .collect();
        self.examples.extend(watched.into_iter().flatten());
        self.games += games;
        if self.games == settings.games {
            self.network
                .learn(&mut self.examples, &settings, &mut Rng::new(seed));
        }
    }

    /// The network as a player one move ahead; it passes if there is no sensible move.
    pub fn mover(&self) -> impl Fn(&Go) -> GoMove + use<'_> {
        |game| {
            let mut activations = Activations::new();
            let mut best = (GoMove::Pass, f32::INFINITY);
            for mv in sensible_points(game).map(GoMove::Stone) {
                let value = self
                    .network
                    .forward(&View::new(&game.after(mv)), &mut activations);
                if value < best.1 {
                    best = (mv, value);
                }
            }
            best.0
        }
    }
}

impl DistillationSettings {
    /// The examples of a game.
    fn examples(&self, seed: u64, number: u32) -> Vec<Example> {
        let mut rng = Rng::new(seed.wrapping_add(number.into()));
        let mut pool = vec![Node::default(); NODES];
        let mut jobs = [PlayoutJob::default(); UNDER_WAY];
        let mut think = |game: &Go, playouts, rng: &mut Rng| {
            let mut tree = Tree::new(&mut pool, &mut jobs, TreeSettings::best(playouts));
            let choice = tree.think(game, rng, &mut (), &mut None);
            (
                choice.map_or(GoMove::Pass, |choice| choice.mv),
                f32::from(tree.value()) / 1000.0,
            )
        };
        let mut examples = vec![];
        let mut game = Go::new(Default::default());
        let opening = rng.below(self.opening) as usize;
        let slips = self.slips[rng.below(4) as usize];
        while game.plies() <= LATEST {
            let mv = if game.plies() < opening {
                rng.pick(sensible_points(&game))
                    .map_or(GoMove::Pass, GoMove::Stone)
            } else if rng.below(100) < slips {
                odd_move(&game, WIDTHS[2], &mut rng)
            } else {
                think(&game, self.playouts, &mut rng).0
            };
            game.play_unchecked(mv);
            if game.is_over() {
                break;
            }
            // About two of five positions.
            if rng.below(5) >= 2 {
                continue;
            }
            let mut position = game;
            for _ in 0..rng.below(4) {
                let width = WIDTHS[rng.below(3) as usize];
                position.play_unchecked(odd_move(&position, width, &mut rng));
                if position.is_over() {
                    break;
                }
            }
            if position.is_over() || sensible_points(&position).is_empty() {
                continue;
            }
            let (_, value) = think(&position, self.judged[0], &mut rng);
            let ownership = Ownership::new(&position, self.judged[1] as u16, &mut rng);
            let sign = if position.turn() == Player::First {
                1.0
            } else {
                -1.0
            };
            let mut owners = [0; CELLS];
            for point in position.board() {
                let share = f32::from(ownership.of_black(point)) / 500.0 - 1.0;
                owners[cell_of(point.number())] = (sign * share * 127.0) as i8;
            }
            examples.push(Example {
                view: View::new(&position),
                value,
                owners,
            });
        }
        examples
    }
}

/// One of the most promising moves at first sight; a pass if there is no sensible move.
fn odd_move(game: &Go, width: usize, rng: &mut Rng) -> GoMove {
    let mut points: Vec<Point> = sensible_points(game).collect();
    points.sort_by_key(|&point| (-move_score(game, point), point.number()));
    points.truncate(width);
    rng.pick(points.into_iter())
        .map_or(GoMove::Pass, GoMove::Stone)
}

type Channels = [[f32; CHANNELS]; CELLS];

/// The network in fractions, cut off at the same bounds as in fixed point.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatVision {
    /// The weights of the device, followed by those of the auxiliary head.
    weights: Vec<f32>,
}

/// The activations of a forward pass, layer by layer.
#[derive(Clone, Debug)]
pub struct Activations {
    layers: Box<[Channels; LAYERS]>,
    owners: [f32; CELLS],
    inputs: [f32; POOLED],
    units: [f32; HIDDEN],
    value: f32,
}

impl Activations {
    /// Room for a forward pass.
    pub fn new() -> Activations {
        Activations {
            layers: Box::new([[[0.0; CHANNELS]; CELLS]; LAYERS]),
            owners: [0.0; CELLS],
            inputs: [0.0; POOLED],
            units: [0.0; HIDDEN],
            value: 0.0,
        }
    }
}

impl Default for Activations {
    fn default() -> Activations {
        Activations::new()
    }
}

/// Where the weights of the hidden units begin.
const UNITS: usize = FIRST + (LAYERS - 1) * LATER;
/// The divisor of the pooled sums.
const POOL: f32 = (1 << POOL_BITS) as f32;
/// The largest number of a channel.
const TOP: f32 = MOST as f32 / ONE as f32;
const UNIT_TOP: f32 = MOST_HIDDEN as f32 / ONE as f32;

fn tanh(sum: f32) -> f32 {
    tenth_tanh(10.0 * f64::from(sum)) as f32
}

fn add(sums: &mut [f32; CHANNELS], weights: &[f32], times: f32) {
    sums.iter_mut()
        .zip(weights)
        .for_each(|(sum, weight)| *sum += weight * times);
}

/// The bits of a cell.
fn bits(mut planes: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (planes != 0).then(|| planes.trailing_zeros() as usize)?;
        planes &= planes - 1;
        Some(bit)
    })
}

impl FloatVision {
    /// Small random weights.
    fn new(rng: &mut Rng) -> FloatVision {
        let mut weights = vec![0.0; WEIGHTS + OWNERS];
        let mut fill = |part: &mut [f32], most: f32| {
            part.iter_mut().for_each(|weight| {
                *weight = (rng.next_u32() as f32 / u32::MAX as f32 - 0.5) * 2.0 * most
            });
        };
        fill(&mut weights[..FIRST - CHANNELS], 0.25);
        for layer in 1..LAYERS {
            fill(
                &mut weights[FIRST + (layer - 1) * LATER..][..LATER - CHANNELS],
                0.2,
            );
        }
        fill(&mut weights[UNITS..WEIGHTS + CHANNELS], 0.3);
        FloatVision { weights }
    }

    /// With the weights of the device; `None` for any other number of weights.
    pub fn with(values: &[f64]) -> Option<FloatVision> {
        let mut weights: Vec<_> = values.iter().map(|&value| value as f32).collect();
        weights.resize(WEIGHTS + OWNERS, 0.0);
        (values.len() == WEIGHTS).then_some(FloatVision { weights })
    }

    /// The forward pass: the value for the player to move, from −1 to 1.
    pub fn forward(&self, view: &View, activations: &mut Activations) -> f32 {
        let weights = &self.weights;
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let mut sums = [0.0; CHANNELS];
            add(&mut sums, &weights[FIRST - CHANNELS..FIRST], 1.0);
            for (step, neighbour) in near(cell).into_iter().enumerate() {
                for bit in bits(view.planes[neighbour]) {
                    add(
                        &mut sums,
                        &weights[(step * PLANES + bit) * CHANNELS..][..CHANNELS],
                        1.0,
                    );
                }
            }
            activations.layers[0][cell] = sums.map(|sum| sum.clamp(0.0, TOP));
        }
        for layer in 1..LAYERS {
            let (before, after) = activations.layers.split_at_mut(layer);
            let (before, after) = (&before[layer - 1], &mut after[0]);
            let kernel = &weights[FIRST + (layer - 1) * LATER..][..LATER];
            for cell in cells().filter(|&cell| view.planes[cell] != 0) {
                let mut sums = [0.0; CHANNELS];
                add(&mut sums, &kernel[LATER - CHANNELS..], 1.0);
                for (step, neighbour) in near(cell).into_iter().enumerate() {
                    for (channel, &number) in before[neighbour].iter().enumerate() {
                        add(
                            &mut sums,
                            &kernel[(step * CHANNELS + channel) * CHANNELS..][..CHANNELS],
                            number,
                        );
                    }
                }
                after[cell] = sums.map(|sum| sum.clamp(0.0, TOP));
            }
        }
        let last = &activations.layers[LAYERS - 1];
        activations.inputs = [0.0; POOLED];
        for cell in cells() {
            activations
                .inputs
                .iter_mut()
                .zip(last[cell])
                .for_each(|(sum, number)| *sum += number / POOL);
        }
        activations.inputs[CHANNELS] = f32::from(view.komi) / (2.0 * POOL);
        activations.inputs[CHANNELS + 1] = 1.0;
        let mut sum = 0.0;
        for unit in 0..HIDDEN {
            let weighed = weights[UNITS + unit * POOLED..][..POOLED]
                .iter()
                .zip(activations.inputs);
            let unit_sum: f32 = weighed.map(|(weight, input)| weight * input).sum();
            activations.units[unit] = unit_sum.clamp(0.0, UNIT_TOP);
            sum += weights[UNITS + HIDDEN * POOLED + unit] * activations.units[unit];
        }
        activations.value = tanh(sum);
        activations.value
    }

    /// The auxiliary head, after a forward pass: the expected owner of each point.
    fn forward_owners(&self, view: &View, activations: &mut Activations) {
        let (weights, start) = self.weights[WEIGHTS..].split_at(CHANNELS);
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let products = activations.layers[LAYERS - 1][cell]
                .iter()
                .zip(weights)
                .map(|(number, weight)| number * weight);
            activations.owners[cell] = tanh(start[0] + products.sum::<f32>());
        }
    }

    /// Backpropagation: adds the gradient of an example's error, over its points and its value, to
    /// `slopes`.
    fn backpropagate(&self, example: &Example, activations: &Activations, slopes: &mut [f32]) {
        // A little slope is left where tanh is flat, so that a certain but wrong value is
        // unlearned.
        let slope = |value: f32| 1.05 - value * value;
        let (view, weights) = (&example.view, &self.weights);
        let open = |number: f32, top: f32| number > 0.0 && number < top;
        // The value counts as much as all points.
        let off = (activations.value - example.value) * slope(activations.value) * 81.0;
        let mut inputs = [0.0; POOLED];
        for unit in 0..HIDDEN {
            let own = UNITS + HIDDEN * POOLED + unit;
            slopes[own] += off * activations.units[unit];
            if open(activations.units[unit], UNIT_TOP) {
                let off = off * weights[own];
                for input in 0..POOLED {
                    slopes[UNITS + unit * POOLED + input] += off * activations.inputs[input];
                    inputs[input] += off * weights[UNITS + unit * POOLED + input];
                }
            }
        }
        let mut offs: Channels = [[0.0; CHANNELS]; CELLS];
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let off = (activations.owners[cell] - f32::from(example.owners[cell]) / 127.0)
                * slope(activations.owners[cell]);
            slopes[WEIGHTS + CHANNELS] += off;
            for channel in 0..CHANNELS {
                let number = activations.layers[LAYERS - 1][cell][channel];
                slopes[WEIGHTS + channel] += off * number;
                if open(number, TOP) {
                    offs[cell][channel] = off * weights[WEIGHTS + channel] + inputs[channel] / POOL;
                }
            }
        }
        for layer in (1..LAYERS).rev() {
            let from = FIRST + (layer - 1) * LATER;
            let before = &activations.layers[layer - 1];
            let mut earlier: Channels = [[0.0; CHANNELS]; CELLS];
            for cell in cells().filter(|&cell| view.planes[cell] != 0) {
                let off = offs[cell];
                slopes[from + LATER - CHANNELS..]
                    .iter_mut()
                    .zip(off)
                    .for_each(|(slope, off)| *slope += off);
                for (step, neighbour) in near(cell).into_iter().enumerate() {
                    for channel in 0..CHANNELS {
                        let number = before[neighbour][channel];
                        if open(number, TOP) {
                            let place = from + (step * CHANNELS + channel) * CHANNELS;
                            let row = weights[place..place + CHANNELS].iter().zip(off);
                            earlier[neighbour][channel] +=
                                row.map(|(weight, off)| weight * off).sum::<f32>();
                            let slopes = slopes[place..place + CHANNELS].iter_mut().zip(off);
                            slopes.for_each(|(slope, off)| *slope += number * off);
                        }
                    }
                }
            }
            offs = earlier;
        }
        for cell in cells().filter(|&cell| view.planes[cell] != 0) {
            let off = offs[cell];
            slopes[FIRST - CHANNELS..FIRST]
                .iter_mut()
                .zip(off)
                .for_each(|(slope, off)| *slope += off);
            for (step, neighbour) in near(cell).into_iter().enumerate() {
                for bit in bits(view.planes[neighbour]) {
                    let slopes = slopes[(step * PLANES + bit) * CHANNELS..]
                        .iter_mut()
                        .zip(off);
                    slopes.for_each(|(slope, off)| *slope += off);
                }
            }
        }
    }

    /// Learns all examples for several epochs, shuffled and turned at random, with Adam (Kingma and
    /// Ba, 2014).
    fn learn(&mut self, examples: &mut [Example], settings: &DistillationSettings, rng: &mut Rng) {
        let size = self.weights.len();
        let (mut mean, mut square) = (vec![0.0f32; size], vec![0.0f32; size]);
        let (mut mean_left, mut square_left) = (1.0f32, 1.0f32);
        let steps = settings.rounds as usize * (examples.len() / BATCH);
        let mut step = 0;
        let mut activations = Activations::new();
        for _ in 0..settings.rounds {
            (1..examples.len())
                .rev()
                .for_each(|last| examples.swap(last, rng.below(last as u32 + 1) as usize));
            for batch in examples.chunks_exact(BATCH) {
                let mut slopes = vec![0.0; size];
                for example in batch {
                    let example = example.turned(rng.below(8));
                    self.forward(&example.view, &mut activations);
                    self.forward_owners(&example.view, &mut activations);
                    self.backpropagate(&example, &activations, &mut slopes);
                }
                let rate = settings.rate * (1.0 - step as f32 / steps as f32).max(0.02);
                (mean_left, square_left) = (mean_left * 0.9, square_left * 0.999);
                for place in 0..size {
                    let slope = slopes[place] / (BATCH * 81) as f32;
                    mean[place] = 0.9 * mean[place] + 0.1 * slope;
                    square[place] = 0.999 * square[place] + 0.001 * slope * slope;
                    let (mean, square) = (
                        mean[place] / (1.0 - mean_left),
                        square[place] / (1.0 - square_left),
                    );
                    self.weights[place] -= rate * mean / (square.sqrt() + 1e-8);
                }
                step += 1;
            }
        }
    }
}

impl Example {
    /// The example under one of the eight symmetries of the board.
    fn turned(&self, way: u32) -> Example {
        let mut turned = self.clone();
        for cell in cells() {
            let (mut row, mut col) = (cell / WIDE, cell % WIDE);
            if way & 1 != 0 {
                row = WIDE - 1 - row;
            }
            if way & 2 != 0 {
                col = WIDE - 1 - col;
            }
            if way & 4 != 0 {
                (row, col) = (col, row);
            }
            turned.view.planes[row * WIDE + col] = self.view.planes[cell];
            turned.owners[row * WIDE + col] = self.owners[cell];
        }
        turned
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: DistillationSettings = DistillationSettings {
        games: 4,
        playouts: 10,
        judged: [100, 20],
        opening: 5,
        slips: [0, 5, 10, 20],
        rounds: 6,
        rate: 0.003,
    };

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let settings = DistillationSettings {
            games: 3,
            rounds: 1,
            ..SETTINGS
        };
        let mut whole = Distillation::new(settings, 3);
        whole.play(1);
        assert!(whole.values().is_empty());
        let mut stored = Distillation::resume(settings, 3, &whole.values(), 1).unwrap();
        assert_eq!(stored, whole);
        // One by one or together.
        whole.play(1);
        whole.play(1);
        stored.play(2);
        assert_eq!(stored.values(), whole.values());
        assert_eq!(whole.values().len(), WEIGHTS);
        assert_eq!(FloatVision::with(&whole.values()[1..]), None);
        let finished = Distillation::resume(settings, 3, &whole.values(), 3).unwrap();
        assert_eq!(finished.values(), whole.values());
    }

    #[test]
    fn the_slopes_are_those_of_the_error() {
        let examples = SETTINGS.examples(1, 2);
        let example = &examples[examples.len() / 2];
        let mut network = FloatVision::new(&mut Rng::new(5));
        let mut activations = Activations::new();
        let mut slopes = vec![0.0; network.weights.len()];
        network.forward(&example.view, &mut activations);
        network.forward_owners(&example.view, &mut activations);
        network.backpropagate(example, &activations, &mut slopes);
        let mut error = |network: &FloatVision| {
            network.forward(&example.view, &mut activations);
            network.forward_owners(&example.view, &mut activations);
            // With the slope that is left where tanh is flat: the integral of (v − t)(1.05 − v²) /
            // (1 − v²).
            let part = |value: f32, target: f32| {
                let (v, t) = (f64::from(value), f64::from(target));
                let rest = -0.5 * (1.0 - v * v).ln() - t * v.atanh();
                (v - t) * (v - t) / 2.0 + 0.05 * rest
            };
            let points = cells().filter(|&cell| example.view.planes[cell] != 0);
            let points: f64 = points
                .map(|cell| {
                    part(
                        activations.owners[cell],
                        f32::from(example.owners[cell]) / 127.0,
                    )
                })
                .sum();
            points + 81.0 * part(activations.value, example.value)
        };
        let mut compared = 0;
        for place in (0..network.weights.len()).step_by(37) {
            let before = network.weights[place];
            let by = 1e-3;
            let mut at = |weight: f32| {
                network.weights[place] = weight;
                error(&network)
            };
            let (above, below) = (at(before + by), at(before - by));
            at(before);
            let measured = (above - below) / (2.0 * f64::from(by));
            let found = f64::from(slopes[place]);
            assert!(
                (measured - found).abs() < 0.05 + 0.05 * found.abs(),
                "{place}: {found} {measured}"
            );
            compared += usize::from(found.abs() > 0.1);
        }
        assert!(compared > 40, "{compared}");
    }

    #[test]
    fn a_turned_example_is_the_same_board() {
        let example = &SETTINGS.examples(1, 1)[3];
        for way in 0..8 {
            let turned = example.turned(way);
            let back = if way & 4 != 0 && (way & 3 == 1 || way & 3 == 2) {
                way ^ 3
            } else {
                way
            };
            assert_eq!(turned.turned(back), *example, "{way}");
            assert_eq!(way == 0, turned == *example);
        }
    }

    #[test]
    fn learning_brings_the_network_closer_to_the_judgements() {
        let mut distillation = Distillation::new(
            DistillationSettings {
                rounds: 20,
                games: 6,
                ..SETTINGS
            },
            1,
        );
        let before = distillation.network.clone();
        distillation.play(6);
        let error = |network: &FloatVision| -> f32 {
            let mut activations = Activations::new();
            let offs = distillation
                .examples
                .iter()
                .map(|example| network.forward(&example.view, &mut activations) - example.value);
            offs.map(|off| off * off).sum()
        };
        let (untrained, trained) = (error(&before), error(&distillation.network));
        assert!(trained < 0.5 * untrained, "{trained} {untrained}");
    }
}

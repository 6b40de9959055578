//! The networks of Go: whole numbers on the device against 64-bit fractions on a PC.

use dojo_core::bank::{Kind, Meta};
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::{CapturePlayer, sensible_points};
use dojo_core::games::go::{FEATURE_MOST, FEATURES, GoMove, GoNetwork, RICH, UNIT, vision};
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use serde::Serialize;

use crate::games::go::learner::{greedy, inputs};
use crate::games::go::network::{Network, activation};
use crate::games::go::watcher::{Eyes, Seen};

const MOST_HIDDEN: usize = GoNetwork::MOST_HIDDEN as usize;
/// Positions on which both are compared.
const POSITIONS: usize = 10_000;
/// The most by which a value between −1 and 1 may differ.
const TOLERANCE: f64 = 0.02;
/// Games against a random player, half of them with each colour.
const GAMES: u32 = 100;

/// A network as a bank stores it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quantised {
    /// Which network.
    pub kind: Kind,
    /// As in [`Meta::dims`].
    pub dims: [u16; 4],
    /// A weight of 1.
    pub scale: u32,
    /// The weights.
    pub payload: Vec<u8>,
}

/// What is known about a network in whole numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct GoCertificate {
    /// Positions that were looked at.
    pub positions: usize,
    /// Largest difference of the values, which are between −1 and 1.
    pub largest_error: f64,
    /// Positions among them in which moves were compared.
    pub compared: usize,
    /// Those in which another move is chosen, one move ahead.
    pub changed_moves: usize,
    /// The most that such a move is worse, in fractions.
    pub largest_loss: f64,
    /// The largest sum that any features could give, of 2³¹.
    pub largest_sum: f64,
    /// Score against a random player, one move ahead, sampled.
    pub score_random: f64,
}

impl GoCertificate {
    /// The score as the bank stores it.
    pub fn strength(&self) -> u16 {
        (self.score_random * 1000.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "largest error",
                format!(
                    "{:.6} of values between -1 and 1, on {} positions",
                    self.largest_error, self.positions
                ),
            ),
            (
                "changed moves",
                format!(
                    "{} of {}, one move ahead; none worse by more than {:.6}",
                    self.changed_moves,
                    if self.compared == self.positions {
                        "them".into()
                    } else {
                        format!("{} of them", self.compared)
                    },
                    self.largest_loss
                ),
            ),
            (
                "largest sum",
                format!(
                    "{:.3} of what 32 bits hold, whatever the position",
                    self.largest_sum
                ),
            ),
            (
                "against random",
                format!("{:.3} of {GAMES} games, one move ahead", self.score_random),
            ),
        ]
    }
}

/// What the weights are, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Perceptron,
    /// So many inputs and hidden units.
    Mlp(usize, usize),
    /// One that looks at the board.
    Eyes,
}

fn shape(weights: usize) -> Result<Shape, String> {
    let units = |size: usize| {
        Some(weights / size)
            .filter(|&units| (1..=MOST_HIDDEN).contains(&units) && weights.is_multiple_of(size))
    };
    let mlp = [FEATURES, RICH]
        .into_iter()
        .find_map(|inputs| Some(Shape::Mlp(inputs, units(inputs + 1)?)));
    let eyes = (weights == vision::WEIGHTS).then_some(Shape::Eyes);
    let perceptron = (weights == FEATURES).then_some(Shape::Perceptron);
    eyes.or(perceptron).or(mlp).ok_or_else(|| {
        format!(
            "{weights} weights, expected {FEATURES}, {}, or {} or {} for each hidden unit, of which there are at most {MOST_HIDDEN}",
            vision::WEIGHTS,
            FEATURES + 1,
            RICH + 1,
        )
    })
}

/// Rounds the weights to 16 bits at the finest scale that holds them all and their sums. The order of a hidden layer changes
/// from layer by layer to unit by unit.
pub fn quantise_network(weights: &[f64]) -> Result<Quantised, String> {
    let shape = shape(weights.len())?;
    let (kind, dims, order) = match shape {
        Shape::Perceptron => (
            Kind::Perceptron,
            [FEATURES as u16, 0, 0, 0],
            weights.to_vec(),
        ),
        Shape::Mlp(inputs, hidden) => (
            Kind::Mlp,
            [inputs as u16 + 1, hidden as u16, 0, 0],
            unit_by_unit(weights, inputs),
        ),
        Shape::Eyes => (
            Kind::Convolution,
            [vision::WEIGHTS as u16, 0, 0, 0],
            weights.to_vec(),
        ),
    };
    let largest = order
        .iter()
        .fold(0.0f64, |most, weight| most.max(weight.abs()));
    let [least, most] = GoNetwork::SCALES;
    let stored = |scale: u32| -> Vec<u8> {
        let stored = order
            .iter()
            .map(|weight| (weight * f64::from(scale)).round() as i16);
        stored.flat_map(i16::to_le_bytes).collect()
    };
    let fits = |scale: u32| {
        largest * f64::from(scale) <= f64::from(i16::MAX)
            // The other shapes are certified with what they have.
            && (shape != Shape::Eyes || largest_sum(&stored(scale), shape) < 1 << 31)
    };
    let mut scale = most;
    while scale >= least && !fits(scale) {
        scale /= 2;
    }
    if scale < least || order.iter().any(|weight| !weight.is_finite()) {
        return Err(format!("a weight of {largest} is too large to be stored"));
    }
    Ok(Quantised {
        kind,
        dims,
        scale,
        payload: stored(scale),
    })
}

/// The weights of a hidden layer and its output, each unit's own behind those that lead to it.
fn unit_by_unit(weights: &[f64], inputs: usize) -> Vec<f64> {
    let hidden = weights.len() / (inputs + 1);
    let (first, last) = weights.split_at(inputs * hidden);
    first
        .chunks_exact(inputs)
        .zip(last)
        .flat_map(|(unit, own)| unit.iter().chain([own]))
        .copied()
        .collect()
}

/// A network in fractions.
enum Exact {
    Features(Network),
    Eyes(Eyes),
}

impl Exact {
    fn new(weights: &[f64]) -> Result<Exact, String> {
        let exact = match shape(weights.len())? {
            Shape::Perceptron => Network::new(FEATURES, 0, weights.to_vec()).map(Exact::Features),
            Shape::Mlp(inputs, hidden) => {
                Network::new(inputs, hidden, weights.to_vec()).map(Exact::Features)
            }
            Shape::Eyes => Eyes::with(weights).map(Exact::Eyes),
        };
        exact.ok_or_else(|| "the weights are no network".into())
    }

    /// What the player who has just moved thinks, from −1 to 1.
    fn value(&self, game: &Go) -> f64 {
        match self {
            Exact::Eyes(eyes) => -f64::from(eyes.look(&vision::View::new(game), &mut Seen::new())),
            Exact::Features(network) => network.value(&inputs(game, &[1.0; RICH])),
        }
    }
}

/// Compares a stored network with its fractions, or says why it must not be shipped.
pub fn certify_network(
    weights: &[f64],
    meta: &Meta,
    payload: &[u8],
) -> Result<GoCertificate, String> {
    certify_in(&positions(POSITIONS), weights, meta, payload)
}

fn certify_in(
    games: &[Go],
    weights: &[f64],
    meta: &Meta,
    payload: &[u8],
) -> Result<GoCertificate, String> {
    let exact = Exact::new(weights)?;
    let fixed = GoNetwork::new(meta, payload).ok_or("the model is no network of Go")?;
    let (mut largest_error, mut changed_moves, mut largest_loss) = (0.0f64, 0, 0.0f64);
    for game in games {
        let rounded = activation(f64::from(fixed.judge(game)) / f64::from(UNIT));
        largest_error = largest_error.max((exact.value(game) - rounded).abs());
    }
    // Looking at the board takes its time.
    let every = if let Exact::Eyes(_) = exact { 20 } else { 1 };
    for game in games.iter().step_by(every) {
        let moves = sensible_points(game).map(GoMove::Stone);
        let judged: Vec<_> = moves.map(|mv| (mv, exact.value(&game.after(mv)))).collect();
        let (wanted, chosen) = (greedy(&judged), one_ahead(&fixed, game));
        if wanted != chosen {
            changed_moves += 1;
            let value = |mv| {
                judged
                    .iter()
                    .find(|(known, _)| *known == mv)
                    .map_or(0.0, |(_, value)| *value)
            };
            largest_loss = largest_loss.max(value(wanted) - value(chosen));
        }
    }
    let certificate = GoCertificate {
        positions: games.len(),
        compared: games.len().div_ceil(every),
        largest_error,
        changed_moves,
        largest_loss,
        largest_sum: largest_sum(payload, shape(weights.len())?) as f64 / 2f64.powi(31),
        score_random: score_against_random(&fixed),
    };
    match certificate {
        proof if proof.largest_sum >= 1.0 => Err("sums of the weights do not fit 32 bits".into()),
        proof if proof.largest_error > TOLERANCE => Err(format!(
            "whole numbers differ by {largest_error:.4}, at most {TOLERANCE} is allowed"
        )),
        proof => Ok(proof),
    }
}

/// The best move one move ahead, as the device judges.
fn one_ahead(network: &GoNetwork<'_>, game: &Go) -> GoMove {
    let mut best = (GoMove::Pass, i16::MIN);
    for mv in sensible_points(game).map(GoMove::Stone) {
        let value = network.judge(&game.after(mv));
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// Positions of games between quick players, some of them all at random.
fn positions(count: usize) -> Vec<Go> {
    let mut positions = Vec::with_capacity(count);
    for seed in 0.. {
        let mut rng = Rng::new(seed);
        let mut game = Go::new(Default::default());
        while !game.is_over() {
            if positions.len() == count {
                return positions;
            }
            positions.push(game);
            let mv = if seed % 4 == 0 {
                rng.pick(sensible_points(&game))
                    .map_or(GoMove::Pass, GoMove::Stone)
            } else {
                CapturePlayer
                    .choose(&game, &mut rng)
                    .unwrap_or(GoMove::Pass)
            };
            game.play_unchecked(mv);
        }
    }
    positions
}

/// The largest sum of any step, for features as large as they can be.
fn largest_sum(payload: &[u8], shape: Shape) -> i64 {
    let weights: Vec<i64> = payload
        .chunks_exact(2)
        .map(|bytes| i64::from(i16::from_le_bytes([bytes[0], bytes[1]])).abs())
        .collect();
    let (inputs, size) = match shape {
        Shape::Perceptron => (FEATURES, FEATURES),
        Shape::Mlp(inputs, _) => (inputs, inputs + 1),
        Shape::Eyes => return largest_sum_of_eyes(&weights),
    };
    let units = || weights.chunks(size);
    let first = units()
        .map(|unit| unit[..inputs].iter().sum::<i64>() * i64::from(FEATURE_MOST))
        .max();
    let products = units()
        .filter_map(|unit| unit.get(inputs))
        .map(|output| output << 15);
    let second: i64 = products.clone().map(|product| product >> 8).sum();
    first.max(products.max()).unwrap_or(0).max(second)
}

fn largest_sum_of_eyes(weights: &[i64]) -> i64 {
    use vision::{
        CHANNELS, FIRST, HIDDEN, LATER, LAYERS, MOST, MOST_HIDDEN, ONE, POOL_BITS, POOLED,
    };
    // Each channel's share of a layer, whose numbers are as large as they can be.
    let layer = |weights: &[i64], most: i64| {
        let (kernel, start) = weights.split_at(weights.len() - CHANNELS);
        let of = |channel: usize| {
            kernel[channel..].iter().step_by(CHANNELS).sum::<i64>() * most
                + start[channel] * i64::from(ONE)
        };
        (0..CHANNELS).map(of).max().unwrap_or(0)
    };
    let (layers, rest) = weights.split_at(FIRST + (LAYERS - 1) * LATER);
    let first = layer(&layers[..FIRST], 1);
    let later = layers[FIRST..]
        .chunks(LATER)
        .map(|weights| layer(weights, MOST.into()));
    let pooled = (81 * i64::from(MOST)) >> POOL_BITS;
    let (units, own) = rest.split_at(HIDDEN * POOLED);
    let units = units
        .chunks(POOLED)
        .map(|unit| unit.iter().sum::<i64>() * pooled);
    let value = own.iter().sum::<i64>() * i64::from(MOST_HIDDEN);
    later.chain(units).chain([first, value]).max().unwrap_or(0)
}

fn score_against_random(network: &GoNetwork<'_>) -> f64 {
    let mut won = 0;
    for number in 0..GAMES {
        let mut rng = Rng::new(number.into());
        let me = Player::BOTH[number as usize % 2];
        let mut game = Go::new(Default::default());
        while !game.is_over() {
            // Until both have nothing sensible left: a random player alone would pass too early.
            let mv = match game.turn() == me {
                true => one_ahead(network, &game),
                false if sensible_points(&game).is_empty() => GoMove::Pass,
                false => Random.choose(&game, &mut rng).unwrap_or(GoMove::Pass),
            };
            game.play_unchecked(mv);
        }
        won += u32::from(game.margin(me) > 0);
    }
    f64::from(won) / f64::from(GAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::bank::{NAME, Number};
    use dojo_core::games::GameId;

    fn meta(quantised: &Quantised) -> Meta {
        Meta {
            game: GameId::Go,
            kind: quantised.kind,
            belt: None,
            number: Number::I16,
            rules_version: 1,
            dims: quantised.dims,
            scale: quantised.scale,
            seed: 0,
            games: 0,
            settings: 0,
            date: 0,
            strength: 0,
            name: [0; NAME],
        }
    }

    #[test]
    fn sound_networks_are_certified_and_damaged_ones_are_not() {
        let weights: Vec<f64> = (0..vision::WEIGHTS as u32)
            .map(|n| (f64::from(n) * 0.37).sin() * 0.3)
            .collect();
        let small: Vec<f64> = weights.iter().map(|weight| weight / 3.0).collect();
        // Fewer than for a certificate: packing the shipped bank looks at all of them.
        let (many, few) = (positions(1_000), positions(200));
        for (games, weights) in [
            (&many, &weights[..8]),
            (&many, &weights[..36]),
            (&many, &weights[..240]),
            (&few, &small[..]),
        ] {
            let quantised = quantise_network(weights).unwrap();
            let proof = certify_in(games, weights, &meta(&quantised), &quantised.payload).unwrap();
            assert!(
                proof.positions == games.len()
                    && proof.largest_error < TOLERANCE
                    && proof.largest_sum < 1.0,
                "{proof:?}"
            );
            let mut damaged = quantised.payload.clone();
            damaged
                .iter_mut()
                .skip(1)
                .step_by(2)
                .for_each(|byte| *byte ^= 0x40);
            assert!(certify_in(games, weights, &meta(&quantised), &damaged).is_err());
        }
    }

    #[test]
    fn weights_that_cannot_be_stored_are_refused() {
        assert!(quantise_network(&[1e6; 8]).is_err());
        assert!(quantise_network(&[f64::NAN; 8]).is_err());
        assert!(quantise_network(&[0.0; 7]).is_err());
        assert_eq!(quantise_network(&[0.0; 8]).unwrap().scale, 1 << 15);
        assert_eq!(quantise_network(&[3.0; 8]).unwrap().scale, 1 << 13);
    }
}

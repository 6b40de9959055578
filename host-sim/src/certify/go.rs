//! The networks of Go: whole numbers on the device against 64-bit fractions on a PC.

use dojo_core::agents::go::{Taker, sensible_points};
use dojo_core::agents::{Agent, Random};
use dojo_core::bank::{Kind, Meta};
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{
    FEATURE_MOST, FEATURES, GoMove, GoNetwork, OUTLOOK, OUTLOOK_MOST, RICH, STAGES, SURE, UNIT, outlook,
};
use dojo_core::rng::Rng;
use serde::Serialize;

use crate::go::learner::{greedy, inputs};
use crate::go::network::{Network, activation};
use crate::go::owners::{networks, unit_by_unit};

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
    /// Perceptron or network with a hidden layer.
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
    /// Positions in which another move is chosen, one move ahead.
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

    pub(super) fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "largest error",
                format!("{:.6} of values between -1 and 1, on {} positions", self.largest_error, self.positions),
            ),
            (
                "changed moves",
                format!(
                    "{} of them, one move ahead; none worse by more than {:.6}",
                    self.changed_moves, self.largest_loss
                ),
            ),
            ("largest sum", format!("{:.3} of what 32 bits hold, whatever the position", self.largest_sum)),
            ("against random", format!("{:.3} of {GAMES} games, one move ahead", self.score_random)),
        ]
    }
}

/// What the weights are, by their number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    Perceptron,
    /// So many inputs and hidden units.
    Mlp(usize, usize),
    /// Three networks with so many hidden units.
    Outlook(usize),
}

fn shape(weights: usize) -> Result<Shape, String> {
    let units = |size: usize| {
        Some(weights / size).filter(|&units| (1..=MOST_HIDDEN).contains(&units) && weights.is_multiple_of(size))
    };
    let mlp = [FEATURES, RICH].into_iter().find_map(|inputs| Some(Shape::Mlp(inputs, units(inputs + 1)?)));
    let outlook = || units(STAGES * (OUTLOOK + 1)).map(Shape::Outlook);
    let perceptron = (weights == FEATURES).then_some(Shape::Perceptron);
    perceptron.or(mlp).or_else(outlook).ok_or_else(|| {
        format!(
            "{weights} weights, expected {FEATURES}, or {}, {} or {} for each hidden unit, of which there are at most {MOST_HIDDEN}",
            FEATURES + 1,
            RICH + 1,
            STAGES * (OUTLOOK + 1)
        )
    })
}

/// Rounds the weights to 16 bits at the finest scale that holds them all. The order changes from layer by layer to unit by
/// unit.
pub fn quantise_network(weights: &[f64]) -> Result<Quantised, String> {
    let (kind, dims, order) = match shape(weights.len())? {
        Shape::Perceptron => (Kind::Perceptron, [FEATURES as u16, 0, 0, 0], weights.to_vec()),
        Shape::Mlp(inputs, hidden) => {
            (Kind::Mlp, [inputs as u16 + 1, hidden as u16, 0, 0], unit_by_unit(weights, inputs))
        }
        Shape::Outlook(hidden) => {
            let stages = weights.chunks_exact(weights.len() / STAGES);
            let order = stages.flat_map(|stage| unit_by_unit(stage, OUTLOOK)).collect();
            (Kind::Mlp, [OUTLOOK as u16 + 1, hidden as u16, STAGES as u16, 0], order)
        }
    };
    let largest = order.iter().fold(0.0f64, |most, weight| most.max(weight.abs()));
    let [least, most] = GoNetwork::SCALES;
    let mut scale = most;
    while scale >= least && largest * f64::from(scale) > f64::from(i16::MAX) {
        scale /= 2;
    }
    if scale < least || order.iter().any(|weight| !weight.is_finite()) {
        return Err(format!("a weight of {largest} is too large to be stored"));
    }
    let stored = order.iter().map(|weight| (weight * f64::from(scale)).round() as i16);
    Ok(Quantised { kind, dims, scale, payload: stored.flat_map(i16::to_le_bytes).collect() })
}

/// A network in fractions.
enum Exact {
    Features(Network),
    Outlook([Network; STAGES]),
}

impl Exact {
    fn new(weights: &[f64]) -> Result<Exact, String> {
        let exact = match shape(weights.len())? {
            Shape::Perceptron => Network::new(FEATURES, 0, weights.to_vec()).map(Exact::Features),
            Shape::Mlp(inputs, hidden) => Network::new(inputs, hidden, weights.to_vec()).map(Exact::Features),
            Shape::Outlook(hidden) => networks(hidden, weights).map(Exact::Outlook),
        };
        exact.ok_or_else(|| "the weights are no network".into())
    }

    /// Between −1 and 1, and the largest difference to the device's value. Of the three networks each judgement is compared:
    /// they see the same, whole numbers.
    fn compare(&self, game: &Go, fixed: &GoNetwork<'_>) -> (f64, f64) {
        match (self, fixed.layers()) {
            (Exact::Outlook(networks), Some(layers)) => {
                let (mut sum, mut largest) = (0.0, 0.0f64);
                outlook(game, &layers, |judged| {
                    let exact = networks[judged.stage].value(&judged.inputs.map(f64::from));
                    largest = largest.max((exact - f64::from(judged.value) / f64::from(SURE)).abs());
                    if judged.stage > 0 {
                        let value = exact * f64::from(judged.points.len());
                        // The player who has just moved is asked.
                        sum += if judged.owner == game.turn() { -value } else { value };
                    }
                });
                (sum / f64::from(game.board().len()), largest)
            }
            (Exact::Features(network), _) => {
                let exact = network.value(&inputs(game, &[1.0; RICH]));
                (exact, (exact - activation(f64::from(fixed.judge(game)) / f64::from(UNIT))).abs())
            }
            (Exact::Outlook(_), None) => (0.0, f64::INFINITY),
        }
    }
}

/// Compares a stored network with its fractions, or says why it must not be shipped.
pub fn certify_network(weights: &[f64], meta: &Meta, payload: &[u8]) -> Result<GoCertificate, String> {
    certify_in(&positions(POSITIONS), weights, meta, payload)
}

fn certify_in(games: &[Go], weights: &[f64], meta: &Meta, payload: &[u8]) -> Result<GoCertificate, String> {
    let exact = Exact::new(weights)?;
    let fixed = GoNetwork::new(meta, payload).ok_or("the model is no network of Go")?;
    let (mut largest_error, mut changed_moves, mut largest_loss) = (0.0f64, 0, 0.0f64);
    for game in games {
        largest_error = largest_error.max(exact.compare(game, &fixed).1);
        let moves = sensible_points(game).map(GoMove::Stone);
        let judged: Vec<_> = moves.map(|mv| (mv, exact.compare(&game.after(mv), &fixed).0)).collect();
        let (wanted, chosen) = (greedy(&judged), one_ahead(&fixed, game));
        if wanted != chosen {
            changed_moves += 1;
            let value = |mv| judged.iter().find(|(known, _)| *known == mv).map_or(0.0, |(_, value)| *value);
            largest_loss = largest_loss.max(value(wanted) - value(chosen));
        }
    }
    let certificate = GoCertificate {
        positions: games.len(),
        largest_error,
        changed_moves,
        largest_loss,
        largest_sum: largest_sum(payload, shape(weights.len())?) as f64 / 2f64.powi(31),
        score_random: score_against_random(&fixed),
    };
    match certificate {
        proof if proof.largest_sum >= 1.0 => Err("sums of the weights do not fit 32 bits".into()),
        proof if proof.largest_error > TOLERANCE => {
            Err(format!("whole numbers differ by {largest_error:.4}, at most {TOLERANCE} is allowed"))
        }
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
                rng.pick(sensible_points(&game)).map_or(GoMove::Pass, GoMove::Stone)
            } else {
                Taker.choose(&game, &mut rng).unwrap_or(GoMove::Pass)
            };
            game.play_unchecked(mv);
        }
    }
    positions
}

/// The largest sum of any step, for features as large as they can be.
fn largest_sum(payload: &[u8], shape: Shape) -> i64 {
    let weights: Vec<i64> =
        payload.chunks_exact(2).map(|bytes| i64::from(i16::from_le_bytes([bytes[0], bytes[1]])).abs()).collect();
    let (inputs, size, most) = match shape {
        Shape::Perceptron => (FEATURES, FEATURES, FEATURE_MOST),
        Shape::Mlp(inputs, _) => (inputs, inputs + 1, FEATURE_MOST),
        Shape::Outlook(_) => (OUTLOOK, OUTLOOK + 1, OUTLOOK_MOST),
    };
    let units = || weights.chunks(size);
    let first = units().map(|unit| unit[..inputs].iter().sum::<i64>() * i64::from(most)).max();
    let products = units().filter_map(|unit| unit.get(inputs)).map(|output| output << 15);
    let second: i64 = products.clone().map(|product| product >> 8).sum();
    first.max(products.max()).unwrap_or(0).max(second)
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
        let weights: Vec<f64> = (0..702).map(|n| (f64::from(n) * 0.37).sin() * 0.3).collect();
        // Reading ladders takes its time: few positions for the last one.
        let (all, few) = (positions(POSITIONS), positions(40));
        for (games, weights) in
            [(&all, &weights[..8]), (&all, &weights[..36]), (&all, &weights[..240]), (&few, &weights[..])]
        {
            let quantised = quantise_network(weights).unwrap();
            let proof = certify_in(games, weights, &meta(&quantised), &quantised.payload).unwrap();
            assert!(
                proof.positions == games.len() && proof.largest_error < TOLERANCE && proof.largest_sum < 1.0,
                "{proof:?}"
            );
            let mut damaged = quantised.payload.clone();
            damaged.iter_mut().skip(1).step_by(2).for_each(|byte| *byte ^= 0x40);
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

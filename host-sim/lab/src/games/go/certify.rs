//! Networks of Go: certificates.

use std::cell::Cell;

use dojo_core::bank::{Kind, Meta, NAME, Number};
use dojo_core::game::{Game, Player};
use dojo_core::games::go::players::{CapturePlayer, sensible_points};
use dojo_core::games::go::policy::{self, NAT, Policy};
use dojo_core::games::go::{Board, FEATURES, GoMove, GoNetwork, Point, RICH, UNIT, vision};
use dojo_core::games::{GameId, Go};
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;

use super::distillation::{Activations, FloatVision};
use super::policy::quantise;
use super::self_play::inputs;
use crate::bank::manifest::ModelKind;
use crate::certify::network::{Compared, POSITIONS, check_finite, compare, positions};
use crate::certify::{Certified, CertifiedModel, NetworkCertificate, quantise_weights};
use crate::network::{Activation, FloatNetwork, exp, tenth_tanh};

/// Games against a random player, half of them with each colour.
const GAMES: u32 = 100;

/// A network in fractions.
enum FloatGoNetwork {
    Features(FloatNetwork),
    Vision(FloatVision),
}

impl FloatGoNetwork {
    fn new(kind: ModelKind, weights: &[f64]) -> Option<FloatGoNetwork> {
        match kind {
            ModelKind::Convolution => FloatVision::with(weights).map(FloatGoNetwork::Vision),
            ModelKind::Network { inputs, hidden } => {
                let activation = Activation::TenthTanh;
                let sees = [FEATURES, RICH].contains(&inputs.into());
                FloatNetwork::new(inputs.into(), hidden.into(), activation, weights.to_vec())
                    .filter(|_| sees)
                    .map(FloatGoNetwork::Features)
            }
            _ => None,
        }
    }

    /// The value for the player who has just moved, from −1 to 1.
    fn value(&self, game: &Go) -> f64 {
        match self {
            FloatGoNetwork::Vision(network) => {
                -f64::from(network.forward(&vision::View::new(game), &mut Activations::new()))
            }
            FloatGoNetwork::Features(network) => network.value(&inputs(game, &[1.0; RICH])),
        }
    }
}

struct GoNetworks<'a> {
    float: FloatGoNetwork,
    fixed: GoNetwork<'a>,
    payload: &'a [u8],
}

impl Compared<Go> for GoNetworks<'_> {
    fn float(&self, game: &Go) -> f64 {
        self.float.value(game)
    }

    fn fixed(&self, game: &Go) -> f64 {
        tenth_tanh(f64::from(self.fixed.judge(game)) / f64::from(UNIT))
    }

    fn moves(&self, game: &Go, value: &dyn Fn(&Go) -> f64) -> Vec<(GoMove, f64)> {
        let stones = sensible_points(game).map(GoMove::Stone);
        stones.map(|mv| (mv, value(&game.after(mv)))).collect()
    }

    fn largest_sum(&self) -> i64 {
        match &self.fixed {
            GoNetwork::Features(network) | GoNetwork::Rich(network) => network.largest_sum(),
            GoNetwork::Vision(_) => largest_sum_of_vision(self.payload),
        }
    }
}

/// Rounds the weights to 16 bits at the finest scale that holds them all, and the sums of the
/// convolutional network. Returns the scale and the bytes.
fn quantise_network(kind: ModelKind, weights: &[f64]) -> Result<(u32, Vec<u8>), String> {
    check_finite(weights)?;
    let order = match kind {
        ModelKind::Network {
            inputs,
            hidden: 1..,
        } => by_unit(weights, inputs.into()),
        _ => weights.to_vec(),
    };
    let largest = order
        .iter()
        .fold(0.0f64, |most, weight| most.max(weight.abs()));
    let fits = |scale: u32| {
        largest * f64::from(scale) <= f64::from(i16::MAX)
            // The sums of networks over features always fit.
            && (kind != ModelKind::Convolution
                || largest_sum_of_vision(&quantise_weights(&order, scale)) < 1 << 31)
    };
    let [least, mut scale] = GoNetwork::SCALES;
    while scale >= least && !fits(scale) {
        scale /= 2;
    }
    if scale < least {
        return Err(format!("a weight of {largest} is too large to be stored"));
    }
    Ok((scale, quantise_weights(&order, scale)))
}

/// Layer by layer to unit by unit: each unit's input weights, followed by its output weight.
fn by_unit(weights: &[f64], inputs: usize) -> Vec<f64> {
    let hidden = weights.len() / (inputs + 1);
    let (first, last) = weights.split_at(inputs * hidden);
    let units = first.chunks_exact(inputs).zip(last);
    units
        .flat_map(|(unit, output)| unit.iter().chain([output]))
        .copied()
        .collect()
}

/// Certifies trained weights as they will be stored, or says why they must not be shipped.
pub fn certify_go(kind: ModelKind, weights: &[f64]) -> Result<CertifiedModel, String> {
    if kind == ModelKind::Policy {
        return certify_policy(weights);
    }
    let float = FloatGoNetwork::new(kind, weights)
        .ok_or_else(|| format!("{} weights do not fit the kind {kind}", weights.len()))?;
    let (meta, payload) = stored_network(kind, weights)?;
    let fixed = GoNetwork::new(&meta, &payload).ok_or("the model is no network of Go")?;
    let networks = GoNetworks {
        float,
        fixed,
        payload: &payload,
    };
    let proof = certify_in(&networks, POSITIONS)?;
    let bank_kind = (meta.kind, meta.dims);
    Ok(CertifiedModel::network(
        bank_kind, meta.scale, payload, proof,
    ))
}

/// A network as a bank stores it, before it has a name.
pub(super) fn stored_network(kind: ModelKind, weights: &[f64]) -> Result<(Meta, Vec<u8>), String> {
    let (scale, payload) = quantise_network(kind, weights)?;
    let bank_kind = match kind {
        ModelKind::Network { inputs, hidden } => ModelKind::network(inputs, hidden),
        _ => (Kind::Convolution, [vision::WEIGHTS as u16, 0, 0, 0]),
    };
    Ok((meta(bank_kind, scale), payload))
}

fn certify_in(networks: &GoNetworks<'_>, count: usize) -> Result<NetworkCertificate, String> {
    // A forward pass of the convolutional network takes its time.
    let every = match networks.fixed {
        GoNetwork::Vision(_) => 20,
        _ => 1,
    };
    let proof = compare(networks, test_positions().take(count), every)?;
    let scores = [("score_random", score_against_random(&networks.fixed))];
    Ok(proof.scored("100 games, one move ahead", scores))
}

/// The most that a move's chance may be off.
const MOST_CHANCE_ERROR: f64 = 0.1;

/// Certifies the weights of a policy: the chances of all moves by rounded weights against those by
/// fractions.
fn certify_policy(weights: &[f64]) -> Result<CertifiedModel, String> {
    check_finite(weights)?;
    let limit = 127.0 / f64::from(NAT);
    if let Some(large) = weights.iter().find(|weight| weight.abs() > limit) {
        return Err(format!("a weight of {large} is too large to be stored"));
    }
    let payload = quantise(weights);
    let policy = Policy::from_bytes(&payload).ok_or_else(|| {
        let found = weights.len();
        format!("{found} weights, a policy has {}", policy::WEIGHTS)
    })?;
    let mut found = NetworkCertificate {
        positions: 0,
        largest_error: 0.0,
        choices: 0,
        changed_moves: 0,
        largest_loss: 0.0,
        largest_sum: 0,
        scores: [("score_random", policy_against_random(policy))].into(),
        matches: "100 games, the likeliest move",
    };
    for game in test_positions().take(POSITIONS / 10) {
        let board = Board::new(&game);
        let points: Vec<Point> = sensible_points(&game).collect();
        let float = |point: &Point| {
            let active = policy::candidate(&board, *point);
            active.iter().map(|&n| weights[usize::from(n)]).sum::<f64>()
        };
        let fixed = |point: &Point| f64::from(policy.score(&board, *point)) / f64::from(NAT);
        let floats = chances(points.iter().map(float).collect());
        let fixed = chances(points.iter().map(fixed).collect());
        for (float, fixed) in floats.iter().zip(&fixed) {
            found.largest_error = found.largest_error.max((float - fixed).abs());
        }
        let best = |list: &[f64]| (0..list.len()).max_by(|&a, &b| list[a].total_cmp(&list[b]));
        if let (Some(wanted), Some(chosen)) = (best(&floats), best(&fixed)) {
            found.choices += 1;
            found.changed_moves += usize::from(wanted != chosen);
            found.largest_loss = found.largest_loss.max(floats[wanted] - floats[chosen]);
        }
        let sums = points.iter().map(|&point| policy.score(&board, point));
        let most = sums.map(|sum| i64::from(sum.unsigned_abs())).max();
        found.largest_sum = found.largest_sum.max(most.unwrap_or(0));
        found.positions += 1;
    }
    if found.largest_error > MOST_CHANCE_ERROR {
        return Err(format!(
            "chances of moves are off by up to {:.4}, at most {MOST_CHANCE_ERROR} is allowed",
            found.largest_error
        ));
    }
    Ok(CertifiedModel {
        kind: Kind::Policy,
        dims: [policy::WEIGHTS as u16, 0, 0, 0],
        number: Number::I8,
        scale: NAT as u32,
        payload,
        certificate: Certified::Network(found),
    })
}

/// The softmax of these logits.
fn chances(logits: Vec<f64>) -> Vec<f64> {
    let most = logits.iter().fold(f64::NEG_INFINITY, |a, &b| a.max(b));
    let powers: Vec<f64> = logits.iter().map(|logit| exp(logit - most)).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// The score of the likeliest move.
fn policy_against_random(policy: Policy<'_>) -> f64 {
    against_random(|game| {
        let board = Board::new(game);
        let likeliest = sensible_points(game).max_by_key(|&point| policy.score(&board, point));
        likeliest.map_or(GoMove::Pass, GoMove::Stone)
    })
}

/// What a bank says about a network before it has a name.
fn meta((kind, dims): (Kind, [u16; 4]), scale: u32) -> Meta {
    Meta {
        game: GameId::Go,
        kind,
        belt: None,
        number: Number::I16,
        rules_version: GameId::Go.rules_version(),
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

/// The best move one move ahead in fixed point.
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

/// Positions of games between quick players; every fourth game is all at random. Each game has a
/// seed of its own.
fn test_positions() -> impl Iterator<Item = Go> {
    let games = std::rc::Rc::new(Cell::new(0));
    let number = games.clone();
    positions(
        0,
        move |rng| {
            *rng = Rng::new(number.get());
            number.set(number.get() + 1);
            Go::new(Default::default())
        },
        move |game, rng| {
            let mv = if games.get() % 4 == 1 {
                rng.pick(sensible_points(game)).map(GoMove::Stone)
            } else {
                CapturePlayer.choose(game, rng)
            };
            Some(mv.unwrap_or(GoMove::Pass))
        },
    )
}

/// The largest sum of any step of the convolutional network, for any position.
fn largest_sum_of_vision(payload: &[u8]) -> i64 {
    use vision::{
        CHANNELS, FIRST, HIDDEN, LATER, LAYERS, MOST, MOST_HIDDEN, ONE, POOL_BITS, POOLED,
    };
    let weights: Vec<i64> = payload
        .chunks_exact(2)
        .map(|bytes| i64::from(i16::from_le_bytes([bytes[0], bytes[1]])).abs())
        .collect();
    // The largest sum of a layer over its channels, if every number is as large as it can be.
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

/// The share of games won one move ahead against a random player.
fn score_against_random(network: &GoNetwork<'_>) -> f64 {
    against_random(|game| one_ahead(network, game))
}

fn against_random(choose: impl Fn(&Go) -> GoMove) -> f64 {
    let mut won = 0;
    for number in 0..GAMES {
        let mut rng = Rng::new(number.into());
        let me = Player::BOTH[number as usize % 2];
        let mut game = Go::new(Default::default());
        while !game.is_over() {
            // Until both have nothing sensible left: a random player alone would pass too early.
            let mv = match game.turn() == me {
                true => choose(&game),
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

    #[test]
    fn sound_policies_are_certified_and_odd_ones_are_not() {
        let weights: Vec<f64> = (0..policy::WEIGHTS as u32)
            .map(|n| f64::from(n * 37 % 101) / 200.0)
            .collect();
        let whole = certify_go(ModelKind::Policy, &weights).unwrap();
        assert_eq!(whole.payload.len(), policy::WEIGHTS);
        let refusal = |weights: &[f64]| certify_go(ModelKind::Policy, weights).unwrap_err();
        assert!(refusal(&weights[1..]).contains("a policy has"));
        let mut odd = weights.clone();
        odd[3] = 9.0;
        assert!(refusal(&odd).contains("too large"));
        odd[3] = f64::NAN;
        assert!(refusal(&odd).contains("no number"));
    }

    #[test]
    fn sound_networks_are_certified_and_damaged_ones_are_not() {
        let weights: Vec<f64> = (0..vision::WEIGHTS as u32)
            .map(|n| (f64::from(n) * 0.37).sin() * 0.3)
            .collect();
        let small: Vec<f64> = weights.iter().map(|weight| weight / 3.0).collect();
        // Fewer positions than for a certificate: packing the shipped bank compares all of them.
        for (count, kind, weights) in [
            (1_000, "perceptron 8", &weights[..8]),
            (1_000, "mlp 8 4", &weights[..36]),
            (1_000, "mlp 19 12", &weights[..240]),
            (200, "convolution", &small[..]),
        ] {
            let kind = ModelKind::parse(kind).unwrap();
            let (scale, payload) = quantise_network(kind, weights).unwrap();
            let bank_kind = match kind {
                ModelKind::Network { inputs, hidden } => ModelKind::network(inputs, hidden),
                _ => (Kind::Convolution, [vision::WEIGHTS as u16, 0, 0, 0]),
            };
            let certify = |payload: &[u8]| {
                let networks = GoNetworks {
                    float: FloatGoNetwork::new(kind, weights).unwrap(),
                    fixed: GoNetwork::new(&meta(bank_kind, scale), payload).unwrap(),
                    payload,
                };
                certify_in(&networks, count)
            };
            let proof = certify(&payload).unwrap();
            assert_eq!(proof.positions, count);
            let mut damaged = payload.clone();
            damaged
                .iter_mut()
                .skip(1)
                .step_by(2)
                .for_each(|byte| *byte ^= 0x40);
            assert!(certify(&damaged).is_err());
        }
    }

    #[test]
    fn weights_that_cannot_be_stored_are_refused() {
        let kind = ModelKind::parse("perceptron 8").unwrap();
        let scale = |weight: f64| quantise_network(kind, &[weight; 8]).map(|(scale, _)| scale);
        assert!(scale(1e6).is_err() && scale(f64::NAN).is_err());
        assert_eq!((scale(0.0), scale(3.0)), (Ok(1 << 15), Ok(1 << 13)));
        assert!(certify_go(kind, &[0.0; 7]).is_err());
        assert!(certify_go(ModelKind::QTable, &[0.0; 8]).is_err());
        assert!(certify_go(ModelKind::parse("mlp 7 1").unwrap(), &[0.0; 8]).is_err());
    }
}

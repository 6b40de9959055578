//! Networks of dots and boxes on boards too large for proofs: certificates, and matches against the
//! rule-based players.

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::chains::{can_capture, sensible};
use dojo_core::games::dots::learned::{Evaluation, HIDDEN, Learned, WEIGHT_SCALE, evaluation};
use dojo_core::games::dots::players::Smart;
use dojo_core::games::dots::{Edge, FEATURES, features};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::memory::Heap;
use dojo_core::nn::ONE;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use dojo_core::search::Limits;

use super::learner::SCALES;
use super::train_network::BOARDS;
use crate::certify::network::{Compared, EVERY, POSITIONS, check_finite, compare, positions};
use crate::certify::{NetworkCertificate, quantise_weights};
use crate::network::{Activation, FloatNetwork};

/// Games against each opponent on each board.
const GAMES: u32 = 100;
/// All chance comes from here.
const SEED: u64 = 0xD075;

struct DotsNetwork<'a> {
    float: &'a FloatNetwork,
    fixed: Evaluation,
}

impl Compared<Dots> for DotsNetwork<'_> {
    fn float(&self, game: &Dots) -> f64 {
        self.float.value(&features(game).map(f64::from))
    }

    fn fixed(&self, game: &Dots) -> f64 {
        f64::from(self.fixed.value(&features(game))) / f64::from(ONE)
    }

    /// Edges after which nothing can be captured.
    fn moves(&self, game: &Dots, value: &dyn Fn(&Dots) -> f64) -> Vec<(Edge, f64)> {
        let worth = |edge| {
            let next = game.after(edge);
            let sign = if next.turn() == game.turn() {
                1.0
            } else {
                -1.0
            };
            let quiet = !next.is_over() && !can_capture(&next);
            quiet.then(|| (edge, sign * value(&next)))
        };
        sensible(game).filter_map(worth).collect()
    }

    fn largest_sum(&self) -> i64 {
        self.fixed.largest_sum()
    }
}

/// The network of trained weights for features that are not divided by their scales, and the bytes
/// that a bank stores.
pub fn stored(values: &[f64]) -> Option<(FloatNetwork, Vec<u8>)> {
    let network = FloatNetwork::new(FEATURES, HIDDEN, Activation::Tanh, values.to_vec())?;
    let network = network.unscaled(&SCALES);
    let payload = quantise_weights(network.weights(), WEIGHT_SCALE);
    Some((network, payload))
}

/// Certifies trained weights as they will be stored.
pub fn certify_dots_network(values: &[f64]) -> Result<(Vec<u8>, NetworkCertificate), String> {
    let (network, payload) =
        stored(values).ok_or_else(|| format!("{} weights do not fit the network", values.len()))?;
    let proof = certify_stored(&network, &payload)?;
    Ok((payload, proof))
}

fn certify_stored(network: &FloatNetwork, bytes: &[u8]) -> Result<NetworkCertificate, String> {
    let fixed = evaluation(bytes)
        .ok_or("the weights do not fit the device, or sums could leave 32 bits")?;
    check_finite(network.weights())?;
    let boards: Vec<_> = BOARDS
        .into_iter()
        .flat_map(|side| DotsRules::new(side, side))
        .collect();
    let mut turn = boards.iter().cycle();
    let games = positions(
        SEED,
        |_| Dots::new(turn.next().copied().unwrap_or_default()),
        |game, rng| {
            if rng.chance(1 << 30) {
                Random.choose(game, rng)
            } else {
                Smart.choose(game, rng)
            }
        },
    );
    let network = DotsNetwork {
        float: network,
        fixed,
    };
    let proof = compare(&network, games.take(POSITIONS), EVERY)?;
    let mean = |opponent: &mut dyn Agent<Dots>| {
        let scores = boards
            .iter()
            .map(|&board| against(&network.fixed, opponent, board, GAMES));
        scores.sum::<f64>() / boards.len() as f64
    };
    let scores = [
        ("score_random", mean(&mut Random)),
        ("score_smart", mean(&mut Smart)),
    ];
    Ok(proof.scored("200 games on 4x4 and 5x5, one edge ahead", scores))
}

/// The score of stored weights, one edge ahead and without search or chain rules, against the
/// rule-based player.
pub fn against_smart(bytes: &[u8], board: DotsRules, games: u32) -> f64 {
    evaluation(bytes).map_or(0.0, |fixed| against(&fixed, &mut Smart, board, games))
}

fn against(
    fixed: &Evaluation,
    opponent: &mut dyn Agent<Dots>,
    board: DotsRules,
    games: u32,
) -> f64 {
    let mut rng = Rng::new(SEED);
    let mut heap = Heap::default();
    let mut points = 0.0;
    for number in 0..games {
        let me = Player::BOTH[number as usize % 2];
        let mut game = Dots::new(board);
        while !game.is_over() {
            let mut resources = Resources {
                memory: &mut heap,
                control: &mut (),
                helper: None,
            };
            let edge = match game.turn() == me {
                true => {
                    Learned::new(fixed)
                        .think(&game, Limits::depth(1), &mut resources)
                        .mv
                }
                false => opponent.choose(&game, &mut rng),
            };
            let Some(edge) = edge else { break };
            game.play_unchecked(edge);
        }
        points += game
            .outcome()
            .map_or(0.5, |outcome| f64::from(outcome.value_for(me) + 1) / 2.0);
    }
    points / f64::from(games.max(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::dots::learned::PAYLOAD;

    #[test]
    fn bytes_that_are_not_those_of_the_network_are_refused() {
        let values = |weight: f64| -> Vec<f64> {
            let count = dojo_core::nn::weights(FEATURES, HIDDEN);
            (0..count)
                .map(|n| weight * (n as f64 % 5.0 - 2.0))
                .collect()
        };
        let network = |weight: f64| {
            FloatNetwork::new(FEATURES, HIDDEN, Activation::Tanh, values(weight)).unwrap()
        };
        let certify = |network: &FloatNetwork| {
            certify_stored(network, &quantise_weights(network.weights(), WEIGHT_SCALE))
        };
        assert!(
            certify(&network(0.05))
                .is_ok_and(|proof| proof.positions == POSITIONS && proof.choices == 1_000)
        );
        let other = certify_stored(&network(0.05), &[0; PAYLOAD]);
        assert!(other.is_err_and(|why| why.contains("off by")));
        assert!(certify(&network(f64::NAN)).is_err_and(|why| why.contains("no number")));
        assert!(
            certify_stored(&network(0.05), &[0; 3]).is_err_and(|why| why.contains("do not fit"))
        );
        assert!(certify_dots_network(&values(0.05)[1..]).is_err());
    }
}

//! What is measured about a network for dots and boxes: the whole numbers of the device against the fractions they were
//! made from, on boards too large to prove anything.

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::chains::{can_capture, sensible};
use dojo_core::games::dots::learned::{Evaluation, Learned, evaluation};
use dojo_core::games::dots::players::Smart;
use dojo_core::games::dots::{Edge, features};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::memory::Heap;
use dojo_core::nn::ONE;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use dojo_core::search::Limits;
use serde::Serialize;

use crate::games::dots::train_network::BOARDS;
use crate::network::Float;

/// What is known about a network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct NetworkCertificate {
    /// Positions compared, from games between smart and random players on 4×4 and 5×5.
    pub positions: usize,
    /// Largest difference between the device's value and the fraction, of 1.
    pub largest_error: f64,
    /// Positions in which the device's numbers choose another edge, one edge ahead.
    pub changed_moves: usize,
    /// Positions in which an edge was chosen.
    pub choices: usize,
    /// Largest sum that any inputs can lead to; 32 bits hold 2,147,483,647.
    pub largest_sum: i64,
    /// Score against a random player, one edge ahead, measured.
    pub score_random: f64,
    /// Score against the rule-based player, one edge ahead, measured.
    pub score_smart: f64,
}

impl NetworkCertificate {
    /// The score against a random player as the bank stores it.
    pub fn strength(&self) -> u16 {
        (self.score_random * 1000.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let NetworkCertificate {
            positions,
            largest_error,
            changed_moves,
            choices,
            largest_sum,
            ..
        } = self;
        let games = |score: f64| {
            format!(
                "{score:.3} in {} games on 4x4 and 5x5, one edge ahead",
                2 * GAMES
            )
        };
        vec![
            (
                "largest error",
                format!("{largest_error:.6} of 1 over {positions} positions"),
            ),
            (
                "changed moves",
                format!("{changed_moves} of {choices} choices, whole numbers against fractions"),
            ),
            (
                "largest sum",
                format!("{largest_sum}, 32 bits hold {}", i32::MAX),
            ),
            ("against random", games(self.score_random)),
            ("against smart", games(self.score_smart)),
        ]
    }
}

/// Most that a value may be off, of 1: as much as for the other networks.
const MOST_ERROR: f64 = 0.02;
/// Positions that are compared.
const POSITIONS: usize = 10_000;
/// Every so manieth of them is also decided.
const DECIDED: usize = 10;
/// Games against each opponent on each board.
const GAMES: u32 = 100;
/// All chance comes from here.
const SEED: u64 = 0xD075;

/// Compares, measures, and refuses what is too far off.
pub fn certify_dots_network(network: &Float, bytes: &[u8]) -> Result<NetworkCertificate, String> {
    let fixed = evaluation(bytes)
        .ok_or("the weights do not fit the device, or sums could leave 32 bits")?;
    if !network.weights().iter().all(|weight| weight.is_finite()) {
        return Err("a weight is no number".into());
    }
    let boards: Vec<_> = BOARDS
        .into_iter()
        .flat_map(|side| DotsRules::new(side, side))
        .collect();
    let mut rng = Rng::new(SEED);
    let (mut largest_error, mut positions, mut changed_moves, mut choices) = (0.0f64, 0, 0, 0);
    'games: for &board in boards.iter().cycle() {
        let mut game = Dots::new(board);
        while !game.is_over() {
            let inputs = features(&game);
            let exact = network.value(&inputs.map(f64::from));
            largest_error =
                largest_error.max((exact - f64::from(fixed.value(&inputs)) / f64::from(ONE)).abs());
            if positions % DECIDED == 0 {
                choices += 1;
                let float = |game: &Dots| network.value(&features(game).map(f64::from));
                let whole = |game: &Dots| f64::from(fixed.value(&features(game)));
                changed_moves += usize::from(choice(&game, float) != choice(&game, whole));
            }
            positions += 1;
            if positions == POSITIONS {
                break 'games;
            }
            let edge = if rng.chance(1 << 30) {
                Random.choose(&game, &mut rng)
            } else {
                Smart.choose(&game, &mut rng)
            };
            edge.into_iter().for_each(|edge| game.play_unchecked(edge));
        }
    }
    if largest_error > MOST_ERROR {
        return Err(format!(
            "the device's values are off by up to {largest_error:.4}, at most {MOST_ERROR} is allowed"
        ));
    }
    let mean = |opponent: &mut dyn Agent<Dots>| {
        boards
            .iter()
            .map(|&board| against(&fixed, opponent, board, GAMES))
            .sum::<f64>()
            / boards.len() as f64
    };
    Ok(NetworkCertificate {
        positions,
        largest_error,
        changed_moves,
        choices,
        largest_sum: fixed.largest_sum(),
        score_random: mean(&mut Random),
        score_smart: mean(&mut Smart),
    })
}

/// The edge that leaves the opponent the lowest value, among those after which nothing can be taken.
fn choice(game: &Dots, value: impl Fn(&Dots) -> f64) -> Option<Edge> {
    let mut best = None;
    for edge in sensible(game) {
        let next = game.after(edge);
        if next.is_over() || can_capture(&next) {
            continue;
        }
        let worth = if next.turn() == game.turn() {
            value(&next)
        } else {
            -value(&next)
        };
        if best.is_none_or(|(top, _)| worth > top) {
            best = Some((worth, edge));
        }
    }
    best.map(|(_, edge)| edge)
}

/// The score of stored weights, one edge ahead and without any other help, against the rule-based player.
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
    use crate::certify::quantise_weights;
    use dojo_core::games::dots::FEATURES;
    use dojo_core::games::dots::learned::{HIDDEN, PAYLOAD, WEIGHT_SCALE};

    #[test]
    fn weights_that_are_not_those_of_the_network_are_refused() {
        let network = |weight: f64| {
            let count = dojo_core::nn::weights(FEATURES, HIDDEN);
            Float::new(
                FEATURES,
                HIDDEN,
                (0..count)
                    .map(|n| weight * (n as f64 % 5.0 - 2.0))
                    .collect(),
            )
            .unwrap()
        };
        let certify = |network: &Float| {
            certify_dots_network(network, &quantise_weights(network.weights(), WEIGHT_SCALE))
        };
        assert!(
            certify(&network(0.05))
                .is_ok_and(|proof| proof.positions == POSITIONS && proof.choices == 1_000)
        );
        // Bytes that are not those of the network.
        let other = certify_dots_network(&network(0.05), &[0; PAYLOAD]);
        assert!(other.is_err_and(|why| why.contains("off by")));
        assert!(certify(&network(f64::NAN)).is_err_and(|why| why.contains("no number")));
        assert!(
            certify_dots_network(&network(0.05), &[0; 3])
                .is_err_and(|why| why.contains("do not fit"))
        );
    }
}

//! What is measured about a network for iwoki: the whole numbers of the device against the fractions they were made from.

use dojo_core::belt::Belt;
use dojo_core::game::{Game, Player, Rules};
use dojo_core::games::iwoki::features;
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::games::iwoki::players::{Evaluation, Learned, evaluation, look_ahead, looks};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::memory::Heap;
use dojo_core::nn::ONE;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use serde::Serialize;

use crate::network::Float;

/// What is known about a network.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct IwokiCertificate {
    /// Positions compared, from games between greedy and random players.
    pub positions: usize,
    /// Largest difference between the device's value and the fraction, of 1.
    pub largest_error: f64,
    /// Positions in which the device's numbers choose another action, one turn ahead.
    pub changed_moves: usize,
    /// Positions in which an action was chosen.
    pub choices: usize,
    /// Largest sum that any inputs can lead to; 32 bits hold 2,147,483,647.
    pub largest_sum: i64,
    /// Score against a random player, measured.
    pub score_random: f64,
    /// Score against the greedy player, measured.
    pub score_greedy: f64,
}

impl IwokiCertificate {
    /// The score against a random player as the bank stores it.
    pub fn strength(&self) -> u16 {
        (self.score_random * 1000.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let IwokiCertificate {
            positions,
            largest_error,
            changed_moves,
            choices,
            largest_sum,
            ..
        } = self;
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
            (
                "against random",
                format!(
                    "{:.3} in {GAMES} games, both sides alike",
                    self.score_random
                ),
            ),
            (
                "against greedy",
                format!(
                    "{:.3} in {GAMES} games, both sides alike",
                    self.score_greedy
                ),
            ),
        ]
    }
}

/// Most that a value may be off, of 1: as much as for Go.
const MOST_ERROR: f64 = 0.02;
/// Positions that are compared.
const POSITIONS: usize = 10_000;
/// Every so manieth of them is also decided.
const DECIDED: usize = 10;
/// Games against each opponent.
const GAMES: u32 = 100;
/// All chance comes from here.
const SEED: u64 = 0x1DEA;

/// Compares, measures, and refuses what is too far off.
pub fn certify_iwoki(
    network: &Float,
    bytes: &[u8],
    belt: Option<Belt>,
) -> Result<IwokiCertificate, String> {
    let fixed = evaluation(network.hidden(), bytes)
        .ok_or("the weights do not fit the device, or sums could leave 32 bits")?;
    let mut rng = Rng::new(SEED);
    let (mut largest_error, mut positions, mut changed_moves, mut choices) = (0.0f64, 0, 0, 0);
    'games: loop {
        let mut game = Iwoki::new(IwokiRules::default().dealt(rng.next_u64()));
        while !game.is_over() {
            let inputs = features(&game);
            let exact = network.value(&inputs.map(f64::from));
            largest_error =
                largest_error.max((exact - f64::from(fixed.value(&inputs)) / f64::from(ONE)).abs());
            if positions % DECIDED == 0 {
                choices += 1;
                changed_moves += usize::from(
                    choice(&game, |game| network.value(&features(game).map(f64::from)))
                        != choice(&game, |game| f64::from(fixed.value(&features(game)))),
                );
            }
            positions += 1;
            if positions == POSITIONS {
                break 'games;
            }
            let action = if rng.chance(1 << 30) {
                Random.choose(&game, &mut rng)
            } else {
                Greedy.choose(&game, &mut rng)
            };
            action
                .into_iter()
                .for_each(|action| game.play_unchecked(action));
        }
    }
    if largest_error > MOST_ERROR {
        return Err(format!(
            "the device's values are off by up to {largest_error:.4}, at most {MOST_ERROR} is allowed"
        ));
    }
    let score = |opponent| against(&fixed, belt, opponent, GAMES).0;
    Ok(IwokiCertificate {
        positions,
        largest_error,
        changed_moves,
        choices,
        largest_sum: fixed.largest_sum(),
        score_random: score(Opponent::Random),
        score_greedy: score(Opponent::Greedy),
    })
}

/// The action that leaves the opponent the lowest value.
fn choice(game: &Iwoki, value: impl Fn(&Iwoki) -> f64) -> Option<dojo_core::games::iwoki::Action> {
    let mut best = None;
    for action in game.legal_moves() {
        let next = game.after(action);
        let worth = match next.is_over() {
            true => 100_000.0 * f64::from(next.lead(game.turn())),
            false if next.turn() == game.turn() => value(&next),
            false => -value(&next),
        };
        if best.is_none_or(|(top, _)| worth > top) {
            best = Some((worth, action));
        }
    }
    best.map(|(_, action)| action)
}

#[derive(Clone, Copy)]
enum Opponent {
    Random,
    Greedy,
}

/// Score and mean margin of a network with so many hidden units against the greedy player, as the brown belt plays.
pub fn against_greedy(hidden: usize, bytes: &[u8], games: u32) -> (f64, f64) {
    evaluation(hidden, bytes).map_or((0.0, 0.0), |fixed| {
        against(&fixed, Some(Belt::Brown), Opponent::Greedy, games)
    })
}

fn against(fixed: &Evaluation, belt: Option<Belt>, opponent: Opponent, games: u32) -> (f64, f64) {
    let belt = belt.unwrap_or(Belt::Black);
    let mut rng = Rng::new(SEED);
    let (mut points, mut margin) = (0.0, 0.0);
    for number in 0..games {
        // Both sides play each deal.
        let me = Player::BOTH[number as usize % 2];
        let mut game = Iwoki::new(IwokiRules::default().dealt(SEED + u64::from(number / 2)));
        let mut heap = Heap::default();
        while !game.is_over() {
            let mut resources = Resources {
                memory: &mut heap,
                control: &mut (),
                helper: None,
            };
            let action = match opponent {
                _ if game.turn() == me && belt.slips() > 0 && rng.chance(belt.slips()) => {
                    Random.choose(&game, &mut rng)
                }
                _ if game.turn() == me => {
                    look_ahead(&game, Learned(fixed), looks(belt), &mut rng, &mut resources)
                }
                Opponent::Random => Random.choose(&game, &mut rng),
                Opponent::Greedy => Greedy.choose(&game, &mut rng),
            };
            let Some(action) = action else { break };
            game.play_unchecked(action);
        }
        points += f64::from(game.margin(me).signum() + 1) / 2.0;
        margin += f64::from(game.margin(me));
    }
    (points / f64::from(games), margin / f64::from(games))
}

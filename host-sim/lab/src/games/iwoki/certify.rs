//! Networks of iwoki: certificates, and matches against the rule-based players.

use dojo_core::belt::Belt;
use dojo_core::game::{Game, Player, Rules};
use dojo_core::games::iwoki::players::{
    Evaluation, Greedy, Learned, WEIGHT_SCALE, evaluation, look_ahead, looks,
};
use dojo_core::games::iwoki::{Action, FEATURES, features};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::memory::Heap;
use dojo_core::nn::ONE;
use dojo_core::players::belts::Resources;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;

use super::learner::SCALES;
use crate::certify::network::{Compared, EVERY, POSITIONS, check_finite, compare, positions};
use crate::certify::{NetworkCertificate, quantise_weights};
use crate::network::{Activation, FloatNetwork};

/// Games against each opponent.
const GAMES: u32 = 100;
/// All chance comes from here.
const SEED: u64 = 0x1DEA;

struct IwokiNetwork<'a> {
    float: &'a FloatNetwork,
    fixed: Evaluation,
}

impl Compared<Iwoki> for IwokiNetwork<'_> {
    fn float(&self, game: &Iwoki) -> f64 {
        self.float.value(&features(game).map(f64::from))
    }

    fn fixed(&self, game: &Iwoki) -> f64 {
        f64::from(self.fixed.value(&features(game))) / f64::from(ONE)
    }

    fn moves(&self, game: &Iwoki, value: &dyn Fn(&Iwoki) -> f64) -> Vec<(Action, f64)> {
        let worth = |action| {
            let next = game.after(action);
            let worth = match next.is_over() {
                true => 100_000.0 * f64::from(next.lead(game.turn())),
                false if next.turn() == game.turn() => value(&next),
                false => -value(&next),
            };
            (action, worth)
        };
        game.legal_moves().map(worth).collect()
    }

    fn largest_sum(&self) -> i64 {
        self.fixed.largest_sum()
    }
}

/// The network of trained weights for features that are not divided by their scales, and the bytes
/// that a bank stores.
pub fn stored(values: &[f64], hidden: usize) -> Option<(FloatNetwork, Vec<u8>)> {
    let network = FloatNetwork::new(FEATURES, hidden, Activation::Tanh, values.to_vec())?;
    let network = network.unscaled(&SCALES);
    let payload = quantise_weights(network.weights(), WEIGHT_SCALE);
    Some((network, payload))
}

/// Certifies trained weights as they will be stored.
pub fn certify_iwoki(
    values: &[f64],
    hidden: usize,
    belt: Option<Belt>,
) -> Result<(Vec<u8>, NetworkCertificate), String> {
    let (network, payload) = stored(values, hidden)
        .ok_or_else(|| format!("{} weights do not fit the network", values.len()))?;
    check_finite(values)?;
    let fixed = evaluation(hidden, &payload)
        .ok_or("the weights do not fit the device, or sums could leave 32 bits")?;
    let games = positions(
        SEED,
        |rng| Iwoki::new(IwokiRules::default().dealt(rng.next_u64())),
        |game, rng| {
            if rng.chance(1 << 30) {
                Random.choose(game, rng)
            } else {
                Greedy.choose(game, rng)
            }
        },
    );
    let network = IwokiNetwork {
        float: &network,
        fixed,
    };
    let proof = compare(&network, games.take(POSITIONS), EVERY)?;
    let score = |opponent| against(&network.fixed, belt, opponent, GAMES).0;
    let scores = [
        ("score_random", score(Opponent::Random)),
        ("score_greedy", score(Opponent::Greedy)),
    ];
    Ok((payload, proof.scored("100 games, both sides alike", scores)))
}

#[derive(Clone, Copy)]
enum Opponent {
    Random,
    Greedy,
}

/// Score and mean margin of a stored network against the greedy player, with the brown belt's
/// look-ahead.
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

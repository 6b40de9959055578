//! Temporal differences for Go: a network plays against its younger self and learns from every position, backwards.
//!
//! The value of a position is that of the player who has just moved: +1 won, −1 lost. After a game the last position moves
//! towards the result, every earlier one towards the one after it, which is the opponent's. The published values are
//! white's; networks without a bias are the same from both sides but for the sign.

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::{GoMove, RICH, rich_features};
use dojo_core::learn::Progress;
use dojo_core::rng::Rng;

use super::network::{Network, activation, exp};

/// What the end of a game is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
    /// 1 or −1, as published.
    Result,
    /// tanh of the margin over this many points: a small win is worth less than a large one.
    Margin(f64),
}

/// How it learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Hidden units; 0 for a perceptron.
    pub hidden: usize,
    /// Learning rates, each from a number of games on.
    pub rates: Vec<(u32, f64)>,
    /// Inputs: the eight features, or all of the richer view.
    pub inputs: usize,
    /// Each input is divided by its scale.
    pub scales: [f64; RICH],
    /// What the end is worth.
    pub reward: Reward,
    /// How much of the target is what really came later: 0 is TD(0).
    pub lambda: f64,
    /// TD-leaf, one move deep: learns the position after the best move instead of the one after the move that was played. They
    /// differ where a move was drawn.
    pub leaf: bool,
    /// The share of moves that are drawn by Gibbs sampling; the others are greedy.
    pub sampled: f64,
    /// The temperature of the drawing.
    pub temperature: f64,
    /// Games after which the opponent becomes what the learner is now.
    pub refresh: u32,
}

/// The inputs of a network, as many as it has.
pub type Inputs = [f64; RICH];

/// What a network sees of a position, from the side of the player who has just moved.
pub fn inputs(game: &Go, scales: &[f64; RICH]) -> Inputs {
    let features = rich_features(game);
    std::array::from_fn(|n| f64::from(features[n]) / scales[n])
}

/// Looks one move ahead with a network: all moves that make sense, and what the mover thinks of them.
pub fn judged(network: &Network, game: &Go, scales: &[f64; RICH]) -> Vec<(GoMove, f64)> {
    let judge = |point| {
        let mv = GoMove::Stone(point);
        (mv, network.value(&inputs(&game.after(mv), scales)))
    };
    sensible_points(game).map(judge).collect()
}

/// The best move, the lowest index among equals; a pass if nothing makes sense.
pub fn greedy(judged: &[(GoMove, f64)]) -> GoMove {
    let mut best = (GoMove::Pass, f64::NEG_INFINITY);
    for &(mv, value) in judged {
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// A learner, its younger self and how far they are.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    settings: Settings,
    network: Network,
    younger: Network,
    progress: Progress,
}

impl Learner {
    /// A learner at its beginning: zeros for a perceptron, small random weights where zeros could not learn.
    pub fn new(settings: Settings, seed: u64) -> Learner {
        let mut rng = Rng::new(seed);
        let network =
            Network::from_fn(settings.inputs, settings.hidden, || match settings.hidden {
                0 => 0.0,
                _ => (f64::from(rng.next_u32()) / f64::from(u32::MAX) - 0.5) * 0.2,
            });
        let progress = Progress {
            games: 0,
            explore: 0,
            rng,
        };
        Learner {
            settings,
            younger: network.clone(),
            network,
            progress,
        }
    }

    /// A learner that goes on: the weights of both networks, one after the other.
    pub fn resume(settings: Settings, weights: &[f64], progress: Progress) -> Option<Learner> {
        let size = Network::size(settings.inputs, settings.hidden);
        let (now, younger) = weights.split_at_checked(size)?;
        let network =
            |weights: &[f64]| Network::new(settings.inputs, settings.hidden, weights.to_vec());
        let (network, younger) = (network(now)?, network(younger)?);
        Some(Learner {
            settings,
            network,
            younger,
            progress,
        })
    }

    /// What it has learned.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The weights of both networks.
    pub fn weights(&self) -> Vec<f64> {
        [self.network.weights(), self.younger.weights()].concat()
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Plays a game from an empty board and learns from it.
    pub fn play_game(&mut self) {
        let Learner {
            settings,
            network,
            younger,
            progress,
        } = self;
        // The sides change with every game: as many of each between two refreshments.
        let me = Player::BOTH[progress.games as usize % 2];
        let mut game = Go::new(Default::default());
        let mut positions = vec![];
        while !game.is_over() {
            let mover: &Network = if game.turn() == me { network } else { younger };
            let judged = judged(mover, &game, &settings.scales);
            let sampled = progress
                .rng
                .chance((settings.sampled * f64::from(u32::MAX)) as u32);
            let best = greedy(&judged);
            let mv = if sampled {
                gibbs(&judged, settings.temperature, &mut progress.rng)
            } else {
                best
            };
            let learned = game.after(if settings.leaf { best } else { mv });
            positions.push(inputs(&learned, &settings.scales));
            game.play_unchecked(mv);
        }
        // The last mover's: both passed, so that is who passed second.
        let points = f64::from(game.margin(!game.turn())) / 2.0;
        let end = match settings.reward {
            Reward::Result => points.signum(),
            Reward::Margin(scale) => activation(10.0 * points / scale),
        };
        self.learn(&positions, end);
        self.progress.games += 1;
        if self.progress.games.is_multiple_of(self.settings.refresh) {
            self.younger = self.network.clone();
        }
    }

    /// Learns a game backwards. The value of the next position is that of the network as it is by then.
    fn learn(&mut self, positions: &[Inputs], end: f64) {
        let rates = self.settings.rates.iter().rev();
        let rate = rates
            .clone()
            .find(|(from, _)| *from <= self.progress.games)
            .map_or(0.0, |&(_, rate)| rate);
        let mut gradient = vec![0.0; self.network.weights().len()];
        let mut target = end;
        for position in positions.iter().rev() {
            let value = self.network.gradient(position, &mut gradient);
            self.network.step(&gradient, rate * (target - value));
            let now = self.network.value(position);
            // The opponent's, seen from the position before.
            target = -(self.settings.lambda * target + (1.0 - self.settings.lambda) * now);
        }
    }
}

/// Draws a move with a chance that grows with its value: e^(value / temperature).
fn gibbs(judged: &[(GoMove, f64)], temperature: f64, rng: &mut Rng) -> GoMove {
    let top = judged
        .iter()
        .fold(f64::NEG_INFINITY, |top, &(_, value)| top.max(value));
    let weight = |value: f64| exp((value - top) / temperature);
    let sum: f64 = judged.iter().map(|&(_, value)| weight(value)).sum();
    let mut left = f64::from(rng.next_u32()) / 4_294_967_296.0 * sum;
    for &(mv, value) in judged {
        left -= weight(value);
        if left < 0.0 {
            return mv;
        }
    }
    greedy(judged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(hidden: usize) -> Settings {
        Settings {
            hidden,
            rates: vec![(0, 0.001)],
            inputs: 8,
            scales: [1.0; RICH],
            reward: Reward::Result,
            lambda: 0.0,
            leaf: false,
            sampled: 0.5,
            temperature: 0.5,
            refresh: 4,
        }
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = Learner::new(settings(4), 3);
        (0..3).for_each(|_| whole.play_game());
        let mut stored =
            Learner::resume(settings(4), &whole.weights(), whole.progress().clone()).unwrap();
        assert_eq!(stored, whole);
        for learner in [&mut whole, &mut stored] {
            (0..3).for_each(|_| learner.play_game());
        }
        assert_eq!(stored, whole);
        assert_eq!(
            Learner::resume(settings(4), &whole.weights()[1..], whole.progress().clone()),
            None
        );
    }

    #[test]
    fn a_game_moves_its_last_position_towards_the_result_first() {
        let mut learner = Learner::new(settings(0), 1);
        let (mut early, mut late) = ([0.0; RICH], [0.0; RICH]);
        (late[0], early[1]) = (1.0, 1.0);
        learner.learn(&[early, late], 1.0);
        // The last one by the rate times 1; the one before, the opponent's, by the rate times what the last one then is.
        let after = activation(0.001);
        assert_eq!(learner.network.weights()[..3], [0.001, -0.001 * after, 0.0]);
    }

    #[test]
    fn a_leaf_is_learned_only_where_a_move_was_drawn() {
        let weights_after = |leaf, sampled| {
            let mut learner = Learner::new(
                Settings {
                    leaf,
                    sampled,
                    temperature: 100.0,
                    ..settings(4)
                },
                1,
            );
            learner.play_game();
            (learner.progress().rng.clone(), learner.weights())
        };
        assert_eq!(weights_after(true, 0.0), weights_after(false, 0.0));
        let (leaf, played) = (weights_after(true, 1.0), weights_after(false, 1.0));
        assert_eq!(leaf.0, played.0, "the same game");
        assert_ne!(leaf.1, played.1, "other positions of it");
    }

    #[test]
    fn drawing_prefers_better_moves_and_reaches_all() {
        let moves: Vec<_> = sensible_points(&Go::new(Default::default()))
            .take(2)
            .map(GoMove::Stone)
            .collect();
        let judged = [(moves[0], 0.0), (moves[1], 0.5)];
        let mut rng = Rng::new(1);
        let second = (0..10_000)
            .filter(|_| gibbs(&judged, 0.5, &mut rng) == moves[1])
            .count();
        // e to 1: 73.1 %.
        assert!((7_100..7_500).contains(&second), "{second}");
        assert_eq!(gibbs(&[], 0.5, &mut rng), GoMove::Pass);
    }
}

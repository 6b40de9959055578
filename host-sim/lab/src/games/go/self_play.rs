//! Temporal differences for Go: a network plays against its younger self and learns from every
//! position.
//!
//! The value of a position is that of the player who has just moved: +1 won, −1 lost. The published
//! values are white's; networks without a bias give the same value from both sides but for the
//! sign.

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::{GoMove, RICH, rich_features};
use dojo_core::learn::Progress;
use dojo_core::nn::weights;
use dojo_core::rng::Rng;

use crate::network::{FloatNetwork, TdLearner, TdSettings, exp, tenth_tanh};

/// What the end of a game is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
    /// 1 or −1, as published.
    Result,
    /// tanh of the margin over this many points: a small win is worth less than a large one.
    Margin(f64),
}

/// How games are played and learned from.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlaySettings {
    /// How the network learns: from the eight features or from all of the richer view.
    /// [`TdSettings::explore`] is the share of moves that are drawn by Gibbs sampling; the others
    /// are greedy.
    pub td: TdSettings,
    /// Each input is divided by its scale.
    pub scales: [f64; RICH],
    /// What the end of a game is worth.
    pub reward: Reward,
    /// TD-leaf, one move deep: learns the position after the best move instead of the one after the
    /// move that was played. They differ where a move was drawn.
    pub leaf: bool,
    /// The temperature of the Gibbs sampling.
    pub temperature: f64,
    /// Games after which the opponent becomes a copy of the learner.
    pub refresh: u32,
}

/// The inputs of a network over the richer view; one over the eight features takes the first eight.
pub type GoInputs = [f64; RICH];

/// The inputs for a position, from the side of the player who has just moved.
pub fn inputs(game: &Go, scales: &[f64; RICH]) -> GoInputs {
    let features = rich_features(game);
    std::array::from_fn(|n| f64::from(features[n]) / scales[n])
}

/// Looks one move ahead: all sensible moves with their values for the mover.
pub fn judged(network: &FloatNetwork, game: &Go, scales: &[f64; RICH]) -> Vec<(GoMove, f64)> {
    let judge = |point| {
        let mv = GoMove::Stone(point);
        (mv, network.value(&inputs(&game.after(mv), scales)))
    };
    sensible_points(game).map(judge).collect()
}

/// The best move, the lowest index among equals; a pass if there is no sensible move.
pub fn greedy(judged: &[(GoMove, f64)]) -> GoMove {
    let mut best = (GoMove::Pass, f64::NEG_INFINITY);
    for &(mv, value) in judged {
        if value > best.1 {
            best = (mv, value);
        }
    }
    best.0
}

/// A learner and the younger copy of itself that it plays against.
#[derive(Clone, Debug, PartialEq)]
pub struct SelfPlay {
    settings: SelfPlaySettings,
    learner: TdLearner,
    younger: FloatNetwork,
}

impl SelfPlay {
    /// An untrained learner; `None` if the network would be too large.
    pub fn new(settings: SelfPlaySettings, seed: u64) -> Option<SelfPlay> {
        let learner = TdLearner::new(settings.td.clone(), seed)?;
        Some(SelfPlay {
            settings,
            younger: learner.network().clone(),
            learner,
        })
    }

    /// A learner that goes on: the weights of both networks, one after the other.
    pub fn resume(
        settings: SelfPlaySettings,
        values: &[f64],
        progress: Progress,
    ) -> Option<SelfPlay> {
        let size = weights(settings.td.inputs, settings.td.hidden);
        let (now, younger) = values.split_at_checked(size)?;
        let younger = TdLearner::resume(settings.td.clone(), younger, progress.clone())?;
        let learner = TdLearner::resume(settings.td.clone(), now, progress)?;
        Some(SelfPlay {
            settings,
            learner,
            younger: younger.network().clone(),
        })
    }

    /// The learner's network as it is now.
    pub fn network(&self) -> &FloatNetwork {
        self.learner.network()
    }

    /// The weights of both networks.
    pub fn weights(&self) -> Vec<f64> {
        [self.network().weights(), self.younger.weights()].concat()
    }

    /// Games played, and the state of the generator.
    pub fn progress(&self) -> &Progress {
        self.learner.progress()
    }

    /// The settings.
    pub fn settings(&self) -> &SelfPlaySettings {
        &self.settings
    }

    /// Plays a game from an empty board and learns from it.
    pub fn play_game(&mut self) {
        let SelfPlay {
            settings,
            learner,
            younger,
        } = self;
        // The sides change with every game: as many of each between two refreshes.
        let me = Player::BOTH[learner.progress().games as usize % 2];
        let mut game = Go::new(Default::default());
        let mut positions = vec![];
        while !game.is_over() {
            let is_mine = game.turn() == me;
            let mover = if is_mine {
                learner.network()
            } else {
                &*younger
            };
            let judged = judged(mover, &game, &settings.scales);
            let best = greedy(&judged);
            let mv = if learner.explores() {
                gibbs(&judged, settings.temperature, learner.rng())
            } else {
                best
            };
            let learned = game.after(if settings.leaf { best } else { mv });
            positions.push((inputs(&learned, &settings.scales), game.turn()));
            game.play_unchecked(mv);
        }
        // From the side of the player who moved last: both passed, so that is who passed second.
        let last = !game.turn();
        let points = f64::from(game.margin(last)) / 2.0;
        let end = match settings.reward {
            Reward::Result => points.signum(),
            Reward::Margin(scale) => tenth_tanh(10.0 * points / scale),
        };
        learner.learn(&positions, if last == Player::First { end } else { -end });
        if learner.progress().games.is_multiple_of(settings.refresh) {
            *younger = learner.network().clone();
        }
    }
}

/// Gibbs (softmax) sampling: draws a move with a chance in proportion to e^(value / temperature).
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
    use crate::network::{Activation, Rates};

    fn settings(hidden: usize) -> SelfPlaySettings {
        SelfPlaySettings {
            td: TdSettings {
                inputs: 8,
                hidden,
                activation: Activation::TenthTanh,
                spread: 0.2,
                rates: Rates::Steps(vec![(0, 0.001)]),
                lambda: 0.0,
                explore: 0.5,
            },
            scales: [1.0; RICH],
            reward: Reward::Result,
            leaf: false,
            temperature: 0.5,
            refresh: 4,
        }
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = SelfPlay::new(settings(4), 3).unwrap();
        (0..3).for_each(|_| whole.play_game());
        let mut stored =
            SelfPlay::resume(settings(4), &whole.weights(), whole.progress().clone()).unwrap();
        assert_eq!(stored, whole);
        for learner in [&mut whole, &mut stored] {
            (0..3).for_each(|_| learner.play_game());
        }
        assert_eq!(stored, whole);
        assert_eq!(
            SelfPlay::resume(settings(4), &whole.weights()[1..], whole.progress().clone()),
            None
        );
    }

    #[test]
    fn a_leaf_is_learned_only_where_a_move_was_drawn() {
        let weights_after = |leaf, sampled| {
            let mut settings = SelfPlaySettings {
                leaf,
                temperature: 100.0,
                ..settings(4)
            };
            settings.td.explore = sampled;
            let mut learner = SelfPlay::new(settings, 1).unwrap();
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

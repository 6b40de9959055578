//! Temporal differences for Go: a network plays against its younger self and learns from every
//! position.
//!
//! The value of a position is that of the player who has just moved: +1 won, −1 lost. The published
//! values are white's; networks without a bias give the same value from both sides but for the
//! sign.

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::annilgos::move_score;
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::{FEATURES, GoMove, RICH, features, rich_features};
use dojo_core::learn::Progress;
use dojo_core::nn::weights;
use dojo_core::rng::Rng;

use super::final_score;
use crate::network::{FloatNetwork, TdLearner, TdSettings, exp, tenth_tanh};

/// What the end of a game is worth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reward {
    /// 1 or −1, as published.
    Result,
    /// tanh of the margin over this many points: a small win is worth less than a large one.
    Margin(f64),
}

/// Which positions are learned, and from what.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Credit {
    /// The positions of the game, each from the next one: TD(λ). With a search of two moves or more
    /// this is TD-directed.
    Played,
    /// TD-leaf: the positions that the search judged, at the end of its best line, in place of the
    /// positions of the game.
    Leaf,
    /// TD(µ): the positions of the game. Where the next move was not the best one, this share of
    /// the value that it lost is learned: 0 ignores bad moves, 1 is TD(λ).
    Mu(f64),
}

/// Candidates in each position of a search of two moves or more.
const WIDTH: usize = 8;

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
    /// Which positions are learned.
    pub credit: Credit,
    /// Moves that the greedy choice looks ahead; 1 as published.
    pub depth: u8,
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

/// The inputs of a network; those that it does not have are 0.
fn inputs_of(network: &FloatNetwork, game: &Go, scales: &[f64; RICH]) -> GoInputs {
    if network.inputs() > FEATURES {
        return inputs(game, scales);
    }
    // Half of the time of the richer view.
    let sign = if game.turn() == Player::First { 1 } else { -1 };
    let mut few = [0.0; RICH];
    for ((input, feature), scale) in few.iter_mut().zip(features(game)).zip(scales) {
        *input = f64::from(sign * feature) / scale;
    }
    few
}

/// Looks one move ahead: all sensible moves with their values for the mover.
pub fn judged(network: &FloatNetwork, game: &Go, scales: &[f64; RICH]) -> Vec<(GoMove, f64)> {
    let judge = |point| {
        let mv = GoMove::Stone(point);
        let inputs = inputs_of(network, &game.after(mv), scales);
        (mv, network.value(&inputs))
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

/// The end of a search's best line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leaf {
    /// The first move of the line.
    pub mv: GoMove,
    /// The value for the player to move at the root.
    pub value: f64,
    /// The inputs of the last position.
    pub inputs: GoInputs,
    /// The player who moved last: the inputs are from this player's side.
    pub player: Player,
}

/// Alpha-beta over the most promising moves, with the network at the end of each line; a finished
/// game is worth its result.
pub fn best_line(network: &FloatNetwork, game: &Go, scales: &[f64; RICH], depth: u8) -> Leaf {
    line(
        network,
        game,
        scales,
        depth,
        [f64::NEG_INFINITY, f64::INFINITY],
    )
}

fn line(
    network: &FloatNetwork,
    game: &Go,
    scales: &[f64; RICH],
    depth: u8,
    [mut alpha, beta]: [f64; 2],
) -> Leaf {
    let over = game.is_over();
    if depth == 0 || over {
        let inputs = inputs_of(network, game, scales);
        let value = if over {
            f64::from(game.margin(game.turn()).signum())
        } else {
            -network.value(&inputs)
        };
        let (mv, player) = (GoMove::Pass, !game.turn());
        return Leaf {
            mv,
            value,
            inputs,
            player,
        };
    }
    let mut points: Vec<_> = sensible_points(game)
        .map(|point| (move_score(game, point), point))
        .collect();
    points.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    points.truncate(WIDTH);
    let stones = points.into_iter().map(|(_, point)| GoMove::Stone(point));
    let mut moves: Vec<_> = stones.collect();
    if moves.is_empty() {
        moves.push(GoMove::Pass);
    }
    let mut best: Option<Leaf> = None;
    for mv in moves {
        let leaf = line(network, &game.after(mv), scales, depth - 1, [-beta, -alpha]);
        let value = -leaf.value;
        if best.is_none_or(|best| value > best.value) {
            best = Some(Leaf { mv, value, ..leaf });
        }
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    // There is always a move.
    best.unwrap_or_else(|| line(network, game, scales, 0, [alpha, beta]))
}

/// Another player to learn from; `None` if it resigns.
pub type Opponent<'a> = &'a dyn Fn(&Go, &mut Rng) -> Option<GoMove>;

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

    /// Plays a game against the younger self from an empty board and learns from it.
    pub fn play_game(&mut self) {
        self.play_game_against(None);
    }

    /// Plays a game against another player, or the younger self, and learns from all of its
    /// positions.
    pub fn play_game_against(&mut self, opponent: Option<Opponent<'_>>) {
        let SelfPlay {
            settings,
            learner,
            younger,
        } = self;
        let (scales, credit) = (&settings.scales, settings.credit);
        // The sides change with every game: as many of each between two refreshes.
        let me = Player::BOTH[learner.progress().games as usize % 2];
        let mut game = Go::new(Default::default());
        let mut positions = vec![];
        // Position after the best move, where another one was played.
        let mut missed = vec![];
        while !game.is_over() {
            let is_mine = game.turn() == me;
            if let (Some(opponent), false) = (opponent, is_mine) {
                let Some(mv) = opponent(&game, learner.rng()) else {
                    break;
                };
                if matches!(credit, Credit::Mu(_)) {
                    let best = greedy(&judged(learner.network(), &game, scales));
                    missed.push(
                        (best != mv)
                            .then(|| inputs_of(learner.network(), &game.after(best), scales)),
                    );
                }
                game.play_unchecked(mv);
                positions.push((inputs_of(learner.network(), &game, scales), !me));
                continue;
            }
            let mover = if is_mine {
                learner.network()
            } else {
                &*younger
            };
            let judged = judged(mover, &game, scales);
            let deep =
                (settings.depth > 1).then(|| best_line(mover, &game, scales, settings.depth));
            let best = deep.map_or_else(|| greedy(&judged), |leaf| leaf.mv);
            let mv = if learner.explores() {
                gibbs(&judged, settings.temperature, learner.rng())
            } else {
                best
            };
            let after = |mv| {
                (
                    inputs_of(learner.network(), &game.after(mv), scales),
                    game.turn(),
                )
            };
            positions.push(match (credit, deep) {
                (Credit::Leaf, Some(leaf)) => (leaf.inputs, leaf.player),
                (Credit::Leaf, None) => after(best),
                _ => after(mv),
            });
            missed.push((best != mv).then(|| after(best).0));
            game.play_unchecked(mv);
        }
        // From the side of the player who moved last: both passed, so that is who passed second.
        let last = !game.turn();
        let points = match opponent {
            None => f64::from(game.margin(last)) / 2.0,
            // Other players pass while dead stones are on the board.
            Some(_) if last == Player::First => f64::from(final_score(&game)) / 2.0,
            Some(_) => f64::from(-final_score(&game)) / 2.0,
        };
        let end = match settings.reward {
            Reward::Result => points.signum(),
            Reward::Margin(scale) => tenth_tanh(10.0 * points / scale),
        };
        let result = if last == Player::First { end } else { -end };
        match credit {
            Credit::Mu(share) => {
                learner.learn_corrected(&positions, result, |number, network| {
                    missed[number].map_or(0.0, |best: GoInputs| {
                        let lost = network.value(&best) - network.value(&positions[number].0);
                        (1.0 - share) * lost.max(0.0)
                    })
                });
            }
            Credit::Played | Credit::Leaf => learner.learn(&positions, result),
        }
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
            credit: Credit::Played,
            depth: 1,
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
        let weights_after = |credit, sampled| {
            let mut settings = SelfPlaySettings {
                credit,
                temperature: 100.0,
                ..settings(4)
            };
            settings.td.explore = sampled;
            let mut learner = SelfPlay::new(settings, 1).unwrap();
            learner.play_game();
            (learner.progress().rng.clone(), learner.weights())
        };
        let [leaf, ignoring, half] = [Credit::Leaf, Credit::Mu(0.0), Credit::Mu(1.0)];
        for credit in [leaf, ignoring] {
            let greedy = weights_after(credit, 0.0);
            assert_eq!(greedy, weights_after(Credit::Played, 0.0));
            let (other, played) = (
                weights_after(credit, 1.0),
                weights_after(Credit::Played, 1.0),
            );
            assert_eq!(other.0, played.0, "the same game");
            assert_ne!(other.1, played.1, "learned differently");
        }
        assert_eq!(weights_after(half, 1.0), weights_after(Credit::Played, 1.0));
    }

    #[test]
    fn the_best_line_is_that_of_plain_minimax() {
        fn minimax(network: &FloatNetwork, game: &Go, scales: &[f64; RICH], depth: u8) -> f64 {
            if depth == 0 || game.is_over() {
                return line(network, game, scales, 0, [-2.0, 2.0]).value;
            }
            let mut points: Vec<_> = sensible_points(game).collect();
            points.sort_by_key(|&point| std::cmp::Reverse(move_score(game, point)));
            let moves = points.into_iter().take(WIDTH).map(GoMove::Stone);
            moves
                .map(|mv| -minimax(network, &game.after(mv), scales, depth - 1))
                .fold(f64::NEG_INFINITY, f64::max)
        }
        let (learner, scales) = (SelfPlay::new(settings(4), 3).unwrap(), [1.0; RICH]);
        let mut game = Go::new(Default::default());
        for depth in 1..=3 {
            let leaf = best_line(learner.network(), &game, &scales, depth);
            assert_eq!(
                leaf.value,
                minimax(learner.network(), &game, &scales, depth)
            );
            let of_leaf = learner.network().value(&leaf.inputs);
            assert_eq!(if depth % 2 == 1 { of_leaf } else { -of_leaf }, leaf.value);
            game.play_unchecked(leaf.mv);
        }
    }

    #[test]
    fn another_player_is_learned_from_on_both_sides() {
        let passing: Opponent<'_> = &|_, _| Some(GoMove::Pass);
        let mut learner = SelfPlay::new(settings(0), 1).unwrap();
        let mut stones = 0.0;
        // The learner fills the board and wins, with either colour: stones are good.
        for games in 1..=2 {
            learner.play_game_against(Some(passing));
            assert_eq!(learner.progress().games, games);
            assert!(learner.network().weights()[6] > stones);
            stones = learner.network().weights()[6];
        }
    }

    #[test]
    fn few_inputs_are_those_of_the_richer_view() {
        let mut learner = SelfPlay::new(settings(4), 5).unwrap();
        let scales = [3.0; RICH];
        let mut game = Go::new(Default::default());
        for _ in 0..30 {
            let few = inputs_of(learner.network(), &game, &scales);
            assert_eq!(few[..FEATURES], inputs(&game, &scales)[..FEATURES]);
            let mv = learner.learner.rng().pick(sensible_points(&game));
            game.play_unchecked(mv.map_or(GoMove::Pass, GoMove::Stone));
        }
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

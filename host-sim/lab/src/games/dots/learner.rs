//! Temporal differences for dots and boxes on large boards: a network plays against itself.
//!
//! Each player looks one edge ahead, and further while boxes can be captured. A game ends as soon
//! as a search by the rules of chains solves it: its result is exact, and the network has to learn
//! only the positions before.

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::chains::{ChainSearch, ValueBounds, can_capture, sensible};
use dojo_core::games::dots::{Edge, FEATURES, features};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::search::Limits;

use crate::network::{Activation, FloatNetwork, Rates, TdLearner, TdSettings};

/// The inputs of a network: features divided by about their largest values.
pub type DotsInputs = [f64; FEATURES];

/// The scales of the features, as `features.rs` lists them.
pub const SCALES: DotsInputs = [
    1.0, 8.0, 25.0, 1.0, 32.0, 1.0, 16.0, 16.0, 16.0, 4.0, 4.0, 4.0, 16.0, 4.0, 16.0, 16.0, 1.0,
    8.0, 64.0, 16.0, 16.0, 8.0,
];

/// The inputs of an unfinished position.
pub fn inputs(game: &Dots) -> DotsInputs {
    let features = features(game);
    std::array::from_fn(|n| f64::from(features[n]) / SCALES[n])
}

/// The value of a position for the player to move; captures are followed to their end first
/// (quiescence).
pub fn value(network: &FloatNetwork, game: &Dots) -> f64 {
    match game.outcome() {
        Some(outcome) => outcome.value_for(game.turn()).into(),
        None if can_capture(game) => best(network, game).map_or(0.0, |(_, value)| value),
        None => network.value(&inputs(game)),
    }
}

/// The best edge and its value.
pub fn best(network: &FloatNetwork, game: &Dots) -> Option<(Edge, f64)> {
    let mut best: Option<(Edge, f64)> = None;
    for edge in sensible(game) {
        let next = game.after(edge);
        let value = value(network, &next);
        let value = if next.turn() == game.turn() {
            value
        } else {
            -value
        };
        if best.is_none_or(|(_, top)| value > top) {
            best = Some((edge, value));
        }
    }
    best
}

/// Nodes within which a position has to be solved.
const NODES: u32 = 4_000;
/// Positions with more sensible edges than this are not tried.
const MOST_CHOICES: u32 = 12;
/// Slots of the search's transposition table.
const SLOTS: usize = 4_096;

/// The result for the mover with best play, 1, 0 or −1; `None` if the position cannot be solved within the limits.
fn seen(game: &Dots, known: &mut [ValueBounds]) -> Option<i8> {
    if sensible(game).0.count_ones() > MOST_CHOICES {
        return None;
    }
    let all = game.rules().boxes() as i8;
    let value = ChainSearch::new(known, Limits::nodes(NODES), &mut ())
        .value(game, -all, all)
        .ok()?;
    Some(game.result_with(value.into()))
}

/// λ of the temporal differences.
pub const LAMBDA: f64 = 0.8;

/// How a network learns, with this rate at the start and this share of random moves.
pub fn td_settings(hidden: usize, rate: f64, explore: f64, games: u32) -> TdSettings {
    TdSettings {
        inputs: FEATURES,
        hidden,
        activation: Activation::Tanh,
        spread: 0.1,
        rates: Rates::Falling(rate, games),
        lambda: LAMBDA,
        explore,
    }
}

/// Plays a game on a board and learns from it.
pub fn play_game(learner: &mut TdLearner, board: DotsRules) {
    let mut game = Dots::new(board);
    let mut known = vec![ValueBounds::default(); SLOTS];
    let mut positions: Vec<(DotsInputs, Player)> = vec![];
    let result = loop {
        if let Some(outcome) = game.outcome() {
            break outcome.value_for(game.turn());
        }
        if let Some(result) = seen(&game, &mut known) {
            break result;
        }
        let edge = if learner.explores() {
            learner.rng().pick(sensible(&game))
        } else {
            best(learner.network(), &game).map(|(edge, _)| edge)
        };
        let Some(edge) = edge else { break 0 };
        game.play_unchecked(edge);
        if !game.is_over() && !can_capture(&game) {
            positions.push((inputs(&game), game.turn()));
        }
    };
    // So far it is the result of the player to move.
    let result = if game.turn() == Player::First {
        result
    } else {
        -result
    };
    learner.learn(&positions, result.into());
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::players::{Agent, Random};
    use dojo_core::rng::Rng;

    fn settings() -> TdSettings {
        td_settings(4, 0.003, 0.1, 40)
    }

    fn board() -> DotsRules {
        DotsRules::new(3, 4).unwrap()
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = TdLearner::new(settings(), 3).unwrap();
        (0..3).for_each(|_| play_game(&mut whole, board()));
        let mut stored = TdLearner::resume(
            settings(),
            whole.network().weights(),
            whole.progress().clone(),
        )
        .unwrap();
        assert_eq!(stored, whole);
        for learner in [&mut whole, &mut stored] {
            (0..3).for_each(|_| play_game(learner, board()));
        }
        assert_eq!(stored, whole);
        assert_eq!(
            TdLearner::resume(settings(), &[0.0], whole.progress().clone()),
            None
        );
    }

    #[test]
    fn a_few_games_make_it_better_than_chance() {
        let mut learner = TdLearner::new(settings(), 1).unwrap();
        (0..40).for_each(|_| play_game(&mut learner, board()));
        let mut rng = Rng::new(2);
        let won = (0..40).filter(|number| {
            let me = Player::BOTH[number % 2];
            let mut game = Dots::new(board());
            while !game.is_over() {
                let edge = match game.turn() == me {
                    true => best(learner.network(), &game).map(|(edge, _)| edge),
                    false => Random.choose(&game, &mut rng),
                };
                game.play(edge.unwrap()).unwrap();
            }
            game.outcome().unwrap().value_for(me) == 1
        });
        assert!(won.count() >= 36);
    }

    #[test]
    fn what_is_seen_is_the_result_of_best_play() {
        let (mut known, mut rng) = (vec![ValueBounds::default(); SLOTS], Rng::new(4));
        let mut seen_some = 0;
        for _ in 0..40 {
            let mut game = Dots::new(DotsRules::new(4, 4).unwrap());
            while game.free().count() > 14 {
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
            let mut memory = vec![0; 1 << 14];
            let exact = dojo_core::games::dots::Endgame::new(&game, &mut memory)
                .unwrap()
                .result(&game);
            if let Some(result) = seen(&game, &mut known) {
                assert_eq!(result, exact, "{game}");
                seen_some += 1;
            }
        }
        assert!(seen_some > 30, "{seen_some}");
    }
}

//! Temporal differences for iwoki: a network plays against itself.
//!
//! Each player looks one turn ahead in a determinized position (hidden tiles are dealt anew), so
//! that the network learns the normal form of the game.

use dojo_core::game::{Game, Hidden, Player, Rules};
use dojo_core::games::iwoki::{Action, FEATURES, features};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::players::{Agent, Random};

use crate::network::{Activation, FloatNetwork, Rates, TdLearner, TdSettings};

/// The inputs of a network: features divided by about their largest values.
pub type IwokiInputs = [f64; FEATURES];

/// The scales of the features: 1, points, then for each player as `features.rs` lists them, then
/// the last turn.
pub const SCALES: IwokiInputs = {
    let side = [
        20.0, 8.0, 1.0, 1.0, 4.0, 2.0, 4.0, 8.0, 12.0, 12.0, 12.0, 12.0, 12.0,
    ];
    let mut scales = [1.0; FEATURES];
    scales[1] = 20.0;
    let mut place = 0;
    while place < side.len() {
        scales[2 + place] = side[place];
        scales[2 + side.len() + place] = side[place];
        place += 1;
    }
    scales
};

/// The inputs of an unfinished position.
pub fn inputs(game: &Iwoki) -> IwokiInputs {
    let features = features(game);
    std::array::from_fn(|n| f64::from(features[n]) / SCALES[n])
}

/// The value of a position for the player to move.
pub fn value(network: &FloatNetwork, game: &Iwoki) -> f64 {
    match game.is_over() {
        true => f64::from(game.lead(game.turn()).signum()),
        false => network.value(&inputs(game)),
    }
}

/// The best action and its value: a draw is worth the best tile that can be laid after it.
pub fn best(network: &FloatNetwork, game: &Iwoki) -> Option<(Action, f64)> {
    let mut best: Option<(Action, f64)> = None;
    for action in game.legal_moves() {
        let next = game.after(action);
        let value = match next.has_drawn() && !next.is_over() {
            true => self::best(network, &next).map_or(0.0, |(_, value)| value),
            false => -value(network, &next),
        };
        if best.is_none_or(|(_, top)| value > top) {
            best = Some((action, value));
        }
    }
    best
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

/// Plays a game and learns from it.
pub fn play_game(learner: &mut TdLearner) {
    let mut game = Iwoki::new(IwokiRules::default().dealt(learner.rng().next_u64()));
    let mut positions: Vec<(IwokiInputs, Player)> = vec![];
    while !game.is_over() {
        let action = if learner.explores() {
            Random.choose(&game, learner.rng())
        } else {
            let world = game.determinized(game.turn(), learner.rng());
            best(learner.network(), &world).map(|(action, _)| action)
        };
        let Some(action) = action else { break };
        game.play_unchecked(action);
        if !game.is_over() && !game.has_drawn() {
            positions.push((inputs(&game), game.turn()));
        }
    }
    learner.learn(&positions, game.lead(Player::First).signum().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> TdSettings {
        td_settings(3, 0.02, 0.1, 100)
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = TdLearner::new(settings(), 3).unwrap();
        (0..3).for_each(|_| play_game(&mut whole));
        let mut stored = TdLearner::resume(
            settings(),
            whole.network().weights(),
            whole.progress().clone(),
        )
        .unwrap();
        assert_eq!(stored, whole);
        for learner in [&mut whole, &mut stored] {
            (0..3).for_each(|_| play_game(learner));
        }
        assert_eq!(stored, whole);
        assert_eq!(
            TdLearner::resume(settings(), &[0.0], whole.progress().clone()),
            None
        );
    }

    #[test]
    fn a_draw_is_worth_what_comes_after_it() {
        let network = FloatNetwork::new(FEATURES, 0, Activation::Tanh, {
            // Only the difference of points has a weight.
            let mut weights = vec![0.0; FEATURES];
            weights[1] = 1.0;
            weights
        })
        .unwrap();
        let mut game = Iwoki::new(IwokiRules::default());
        for _ in 0..6 {
            let (action, value) = best(&network, &game).unwrap();
            let most = game
                .legal_moves()
                .map(|action| game.points_of(action))
                .max()
                .unwrap();
            assert!(value.abs() <= 1.0);
            assert!(
                action == Action::DRAW || game.points_of(action) == most,
                "{action} in {game}"
            );
            game.play(action).unwrap();
        }
    }
}

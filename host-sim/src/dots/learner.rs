//! Temporal differences for dots and boxes on large boards: a network plays against itself and learns from every
//! position, backwards.
//!
//! Each player looks one edge ahead, and as far as boxes can be taken. A game ends as soon as a search by the rules of
//! chains sees its end: that result is exact, and the positions before it are what the network is for. Every position
//! moves towards a mixture of the next one's value and the result.

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::chains::{ChainSearch, Known, can_capture, sensible};
use dojo_core::games::dots::{Edge, FEATURES, features};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::learn::Progress;
use dojo_core::rng::Rng;
use dojo_core::search::Limits;

use crate::network::Float;

/// How it learns.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Boards, one after the other.
    pub boards: Vec<DotsRules>,
    /// Hidden units; 0 for a perceptron.
    pub hidden: usize,
    /// Learning rate at the start; it falls evenly to a tenth.
    pub rate: f64,
    /// How much of the target is what came later in the game: 0 is TD(0), 1 the result alone.
    pub lambda: f64,
    /// The share of edges at random, among those that make sense.
    pub explore: f64,
    /// Games of the whole run.
    pub games: u32,
}

/// What a network sees: features divided by about their largest values.
pub type Inputs = [f64; FEATURES];

/// The scales of the features, as `features.rs` lists them.
pub const SCALES: Inputs = [
    1.0, 8.0, 25.0, 1.0, 32.0, 1.0, 16.0, 16.0, 16.0, 4.0, 4.0, 4.0, 16.0, 4.0, 16.0, 16.0, 1.0, 8.0, 64.0, 16.0, 16.0,
    8.0,
];

/// The inputs of an unfinished position.
pub fn inputs(game: &Dots) -> Inputs {
    let features = features(game);
    std::array::from_fn(|n| f64::from(features[n]) / SCALES[n])
}

/// The value of a position for the player who would be to move: what can be taken is followed to its end first.
pub fn value(network: &Float, game: &Dots) -> f64 {
    match game.outcome() {
        Some(outcome) => outcome.value_for(game.turn()).into(),
        None if can_capture(game) => best(network, game).map_or(0.0, |(_, value)| value),
        None => network.value(&inputs(game)),
    }
}

/// The best edge and its value.
pub fn best(network: &Float, game: &Dots) -> Option<(Edge, f64)> {
    let mut best: Option<(Edge, f64)> = None;
    for edge in sensible(game) {
        let next = game.after(edge);
        let value = value(network, &next);
        let value = if next.turn() == game.turn() { value } else { -value };
        if best.is_none_or(|(_, top)| value > top) {
            best = Some((edge, value));
        }
    }
    best
}

/// Nodes within which the end has to be seen.
const NODES: u32 = 4_000;
/// With more edges to choose from than this it never is.
const MOST_CHOICES: u32 = 12;
/// Positions that the search remembers.
const SLOTS: usize = 4_096;

/// The result for the mover, 1, 0 or −1, if both play their best; `None` if the end cannot be seen.
fn seen(game: &Dots, known: &mut [Known]) -> Option<i8> {
    if sensible(game).0.count_ones() > MOST_CHOICES {
        return None;
    }
    let all = game.rules().boxes() as i8;
    let value = ChainSearch::new(known, Limits::nodes(NODES), &mut ()).value(game, -all, all).ok()?;
    Some(game.result_with(value.into()))
}

/// A network and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Learner {
    settings: Settings,
    network: Float,
    progress: Progress,
}

impl Learner {
    /// A learner at its beginning; `None` if the network would be too large or there is no board.
    pub fn new(settings: Settings, seed: u64) -> Option<Learner> {
        let mut rng = Rng::new(seed);
        let network = Float::begin(FEATURES, settings.hidden, &mut rng)?;
        let progress = Progress { games: 0, explore: 0, rng };
        (!settings.boards.is_empty()).then_some(Learner { settings, network, progress })
    }

    /// A learner that goes on.
    pub fn resume(settings: Settings, weights: &[f64], progress: Progress) -> Option<Learner> {
        let network = Float::new(FEATURES, settings.hidden, weights.to_vec())?;
        (!settings.boards.is_empty()).then_some(Learner { settings, network, progress })
    }

    /// What it has learned.
    pub fn network(&self) -> &Float {
        &self.network
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// Plays a game and learns from it.
    pub fn play_game(&mut self) {
        let Learner { settings, network, progress } = self;
        let explore = (settings.explore * f64::from(u32::MAX)) as u32;
        let mut game = Dots::new(settings.boards[progress.games as usize % settings.boards.len()]);
        let mut known = vec![Known::default(); SLOTS];
        let mut positions: Vec<(Inputs, Player)> = vec![];
        let (result, mover) = loop {
            if let Some(outcome) = game.outcome() {
                break (outcome.value_for(game.turn()), game.turn());
            }
            if let Some(result) = seen(&game, &mut known) {
                break (result, game.turn());
            }
            let edge = if progress.rng.chance(explore) {
                progress.rng.pick(sensible(&game))
            } else {
                best(network, &game).map(|(edge, _)| edge)
            };
            let Some(edge) = edge else { break (0, game.turn()) };
            game.play_unchecked(edge);
            if !game.is_over() && !can_capture(&game) {
                positions.push((inputs(&game), game.turn()));
            }
        };
        let done = f64::from(progress.games) / f64::from(settings.games.max(1));
        let rate = settings.rate * (1.0 - 0.9 * done.min(1.0));
        let sign = |player| if player == Player::First { 1.0 } else { -1.0 };
        // Targets are those of the player who started.
        let mut target = sign(mover) * f64::from(result);
        for (inputs, mover) in positions.iter().rev() {
            network.learn(inputs, sign(*mover) * target, rate);
            target = settings.lambda * target + (1.0 - settings.lambda) * sign(*mover) * network.value(inputs);
        }
        progress.games += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::agents::{Agent, Random};

    fn settings() -> Settings {
        let boards = vec![DotsRules::new(3, 4).unwrap()];
        Settings { boards, hidden: 4, rate: 0.003, lambda: 0.8, explore: 0.1, games: 40 }
    }

    #[test]
    fn a_stored_learner_goes_on_to_the_same_bits() {
        let mut whole = Learner::new(settings(), 3).unwrap();
        (0..3).for_each(|_| whole.play_game());
        let mut stored = Learner::resume(settings(), whole.network().weights(), whole.progress().clone()).unwrap();
        assert_eq!(stored, whole);
        for learner in [&mut whole, &mut stored] {
            (0..3).for_each(|_| learner.play_game());
        }
        assert_eq!(stored, whole);
        assert_eq!(Learner::resume(settings(), &[0.0], whole.progress().clone()), None);
        assert_eq!(Learner::new(Settings { boards: vec![], ..settings() }, 1), None);
    }

    #[test]
    fn a_few_games_make_it_better_than_chance() {
        let mut learner = Learner::new(settings(), 1).unwrap();
        (0..40).for_each(|_| learner.play_game());
        let mut rng = Rng::new(2);
        let won = (0..40).filter(|number| {
            let me = Player::BOTH[number % 2];
            let mut game = Dots::new(settings().boards[0]);
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
        let (mut known, mut rng) = (vec![Known::default(); SLOTS], Rng::new(4));
        let mut seen_some = 0;
        for _ in 0..40 {
            let mut game = Dots::new(DotsRules::new(4, 4).unwrap());
            while game.free().count() > 14 {
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
            let mut memory = vec![0; 1 << 14];
            let exact = dojo_core::games::dots::Endgame::new(&game, &mut memory).unwrap().result(&game);
            if let Some(result) = seen(&game, &mut known) {
                assert_eq!(result, exact, "{game}");
                seen_some += 1;
            }
        }
        assert!(seen_some > 30, "{seen_some}");
    }
}

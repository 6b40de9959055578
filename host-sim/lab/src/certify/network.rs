//! The certificate of a network: the fixed-point numbers of the device against the fractions they
//! were made from.

use std::collections::BTreeMap;

use dojo_core::game::Game;
use dojo_core::rng::Rng;
use serde::Serialize;

/// Positions on which both networks are compared.
pub(crate) const POSITIONS: usize = 10_000;
/// The largest allowed difference between two values, which are from −1 to 1.
pub(crate) const MOST_ERROR: f64 = 0.02;
/// Every tenth position also compares the chosen move.
pub(crate) const EVERY: usize = 10;

/// What is known about a network in fixed point.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NetworkCertificate {
    /// Positions compared.
    pub positions: usize,
    /// Largest difference between the device's value and the fraction, of 1.
    pub largest_error: f64,
    /// Positions in which the best moves one move ahead were compared.
    pub choices: usize,
    /// Positions among them in which the device chooses another move.
    pub changed_moves: usize,
    /// The most that such a move is worse, in fractions.
    pub largest_loss: f64,
    /// Largest accumulator that any inputs can lead to; 32 bits hold 2,147,483,647.
    pub largest_sum: i64,
    /// Measured scores of the network, by `score_` and the opponent's name.
    #[serde(flatten)]
    pub scores: BTreeMap<&'static str, f64>,
    /// How the scores were measured, in words.
    #[serde(skip)]
    pub matches: &'static str,
}

impl NetworkCertificate {
    /// The score against an opponent, 0 if it was not measured.
    pub fn score(&self, opponent: &str) -> f64 {
        let found = self
            .scores
            .iter()
            .find(|(key, _)| key.strip_prefix("score_") == Some(opponent));
        found.map_or(0.0, |(_, &score)| score)
    }

    /// The certificate with these scores, each by its key.
    pub(crate) fn scored(
        self,
        matches: &'static str,
        scores: impl IntoIterator<Item = (&'static str, f64)>,
    ) -> NetworkCertificate {
        NetworkCertificate {
            scores: scores.into_iter().collect(),
            matches,
            ..self
        }
    }

    pub(crate) fn strength(&self) -> u16 {
        (self.score("random") * 1000.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(String, String)> {
        let NetworkCertificate {
            positions,
            largest_error,
            choices,
            changed_moves,
            largest_loss,
            largest_sum,
            ..
        } = self;
        let mut lines = vec![
            (
                "largest error".into(),
                format!("{largest_error:.6} of 1 over {positions} positions"),
            ),
            (
                "changed moves".into(),
                format!(
                    "{changed_moves} of {choices} choices by rounding, none worse by more than {largest_loss:.6}"
                ),
            ),
            (
                "largest sum".into(),
                format!("{largest_sum}, 32 bits hold {}", i32::MAX),
            ),
        ];
        let scores = self.scores.iter();
        lines.extend(scores.map(|(key, score)| {
            let key = key.replace("score_", "against ");
            (key, format!("{score:.3} in {}", self.matches))
        }));
        lines
    }
}

/// Every position of games that begin with `start` and are played by `choose`.
pub(crate) fn positions<G: Game>(
    seed: u64,
    mut start: impl FnMut(&mut Rng) -> G,
    choose: impl Fn(&G, &mut Rng) -> Option<G::Move>,
) -> impl Iterator<Item = G> {
    let mut rng = Rng::new(seed);
    let mut last: Option<G> = None;
    std::iter::from_fn(move || {
        if let Some(game) = &mut last {
            let mv = choose(game, &mut rng);
            mv.into_iter().for_each(|mv| game.play_unchecked(mv));
        }
        let game = last.take().filter(|game| !game.is_over());
        last = Some(game.unwrap_or_else(|| start(&mut rng)));
        last.clone()
    })
}

/// A game's network in both forms.
pub(crate) trait Compared<G: Game> {
    /// The value by fractions, from −1 to 1.
    fn float(&self, game: &G) -> f64;
    /// The value in fixed point, on the same scale.
    fn fixed(&self, game: &G) -> f64;
    /// The moves to choose from, with their values for the mover if positions are worth `value`.
    fn moves(&self, game: &G, value: &dyn Fn(&G) -> f64) -> Vec<(G::Move, f64)>;
    /// The largest accumulator that any inputs can lead to.
    fn largest_sum(&self) -> i64;
}

/// Compares both forms on these positions and, on each `every`th, the moves they choose; refuses a
/// network in fixed point that is too far off.
pub(crate) fn compare<G: Game>(
    network: &impl Compared<G>,
    games: impl Iterator<Item = G>,
    every: usize,
) -> Result<NetworkCertificate, String> {
    let mut found = NetworkCertificate {
        positions: 0,
        largest_error: 0.0,
        choices: 0,
        changed_moves: 0,
        largest_loss: 0.0,
        largest_sum: network.largest_sum(),
        scores: BTreeMap::new(),
        matches: "",
    };
    for game in games {
        let error = (network.float(&game) - network.fixed(&game)).abs();
        found.largest_error = found.largest_error.max(error);
        if found.positions.is_multiple_of(every) {
            found.choices += 1;
            let floats = network.moves(&game, &|game| network.float(game));
            let fixed = network.moves(&game, &|game| network.fixed(game));
            if let (Some(wanted), Some(chosen)) = (best(&floats), best(&fixed))
                && wanted != chosen
            {
                found.changed_moves += 1;
                found.largest_loss = found.largest_loss.max(floats[wanted].1 - floats[chosen].1);
            }
        }
        found.positions += 1;
    }
    if found.largest_sum > i32::MAX.into() {
        return Err("sums of the weights do not fit 32 bits".into());
    }
    if found.largest_error > MOST_ERROR {
        return Err(format!(
            "the device's values are off by up to {:.4}, at most {MOST_ERROR} is allowed",
            found.largest_error
        ));
    }
    Ok(found)
}

/// The place of the first of the best moves.
fn best<M>(moves: &[(M, f64)]) -> Option<usize> {
    let mut best: Option<(usize, f64)> = None;
    for (place, &(_, value)) in moves.iter().enumerate() {
        if best.is_none_or(|(_, top)| value > top) {
            best = Some((place, value));
        }
    }
    best.map(|(place, _)| place)
}

/// Refuses weights that are no numbers: a comparison would not notice them.
pub(crate) fn check_finite(weights: &[f64]) -> Result<(), String> {
    match weights.iter().all(|weight| weight.is_finite()) {
        true => Ok(()),
        false => Err("a weight is no number".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::TicTacToe;

    /// Values of positions that are off by a fixed error in every position in which the second
    /// player is to move.
    struct Off(f64);

    impl Compared<TicTacToe> for Off {
        fn float(&self, game: &TicTacToe) -> f64 {
            f64::from((game.key() % 100) as u8) / 100.0
        }

        fn fixed(&self, game: &TicTacToe) -> f64 {
            let is_off = game.turn() == dojo_core::game::Player::Second;
            self.float(game) + if is_off { self.0 } else { 0.0 }
        }

        fn moves(
            &self,
            game: &TicTacToe,
            value: &dyn Fn(&TicTacToe) -> f64,
        ) -> Vec<(<TicTacToe as Game>::Move, f64)> {
            game.legal_moves()
                .map(|mv| (mv, -value(&game.after(mv))))
                .collect()
        }

        fn largest_sum(&self) -> i64 {
            if self.0 < 0.0 { 1 << 31 } else { 1 }
        }
    }

    #[test]
    fn errors_are_measured_and_bounded() {
        let games = || {
            let start = |_: &mut Rng| TicTacToe::new(Default::default());
            positions(3, start, |game, rng| rng.pick(game.legal_moves())).take(200)
        };
        let exact = compare(&Off(0.0), games(), 10).unwrap();
        assert_eq!((exact.positions, exact.choices), (200, 20));
        assert_eq!((exact.largest_error, exact.changed_moves), (0.0, 0));
        let near = compare(&Off(0.01), games(), 1).unwrap();
        assert!((near.largest_error - 0.01).abs() < 1e-12 && near.choices == 200);
        assert!(compare(&Off(0.03), games(), 1).is_err_and(|why| why.contains("off by")));
        assert!(compare(&Off(-0.01), games(), 1).is_err_and(|why| why.contains("32 bits")));
    }
}

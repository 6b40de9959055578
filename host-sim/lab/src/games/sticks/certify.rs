//! The certificate of a value table for 15 sticks.
//!
//! Everything is exact: all 192 states are visited, all replies are tried, and the score against a
//! random player is computed exactly.

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::{Sticks, sticks::Solution};
use dojo_core::players::{Agent, Tabular, ValueTable};
use dojo_core::rng::Rng;
use serde::Serialize;

use crate::certify::SCALE;

/// The certificate of a value table for 15 sticks.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SticksCertificate {
    /// Largest difference between a byte and the fraction it stands for.
    pub largest_error: f64,
    /// States in which rounding changes the move.
    pub changed_moves: usize,
    /// States with moves that the player to move can win.
    pub won_states: usize,
    /// Won states from which the table wins against every reply.
    pub kept_wins: usize,
    /// Expected score against a random player, both sides alike, with the belt's slips.
    pub score_random: f64,
}

impl SticksCertificate {
    /// Whether no win is ever given away.
    pub fn is_exact(&self) -> bool {
        self.kept_wins == self.won_states
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let exact = if self.is_exact() {
            ": EXACT, every reply tried"
        } else {
            ""
        };
        vec![
            (
                "largest error",
                format!("{:.6} of 1 (a byte a state)", self.largest_error),
            ),
            (
                "changed moves",
                format!(
                    "{} of 191 states, bytes against fractions",
                    self.changed_moves
                ),
            ),
            (
                "wins kept",
                format!(
                    "{} of {} won states{exact}",
                    self.kept_wins, self.won_states
                ),
            ),
            (
                "against random",
                format!(
                    "{:.6} expected over all games, both sides alike",
                    self.score_random
                ),
            ),
        ]
    }

    /// The score as the bank stores it: thousandths, rounded down, so that only a perfect score is
    /// 1000.
    pub fn strength(&self) -> u16 {
        (self.score_random * 1000.0) as u16
    }
}

/// Certifies a table of bytes against the fractions it was made from, or says why it must not be
/// shipped.
pub fn certify_sticks(
    values: &[f64],
    bytes: &[u8],
    belt: Option<Belt>,
) -> Result<SticksCertificate, String> {
    let states = Sticks::states(Default::default());
    if values.len() != states || bytes.len() != states {
        return Err(format!(
            "{} values and {} bytes, expected {states}",
            values.len(),
            bytes.len()
        ));
    }
    let errors = values
        .iter()
        .zip(bytes)
        .map(|(value, &byte)| (value - f64::from(byte) / f64::from(SCALE)).abs());
    let largest_error = errors.fold(0.0, f64::max);
    let bound = 0.5 / f64::from(SCALE) + 1e-9;
    if largest_error > bound {
        return Err(format!(
            "rounding error {largest_error:.6}, at most {bound:.6} is allowed"
        ));
    }
    let moves = |game: &Sticks| (pick(values, game), pick(bytes, game));
    let changed_moves = positions()
        .filter(|game| matches!(moves(game), (float, fixed) if float != fixed))
        .count();
    let wins = Wins::new(bytes);
    let certificate = SticksCertificate {
        largest_error,
        changed_moves,
        won_states: wins.won.len(),
        kept_wins: wins.kept,
        score_random: score_against_random(bytes, belt),
    };
    match wins.first_lost(bytes) {
        Some(lost) if belt == Some(Belt::Black) => {
            Err(format!("black gives away the win of {lost}"))
        }
        _ => Ok(certificate),
    }
}

/// The first winning state from which this table does not win against every reply, in words; `None`
/// if it is exact.
pub fn lost_win(bytes: &[u8]) -> Option<String> {
    Wins::new(bytes).first_lost(bytes)
}

/// All positions with sticks on the table, lowest state number first.
fn positions() -> impl Iterator<Item = Sticks> {
    let start = Sticks::new(Default::default());
    let [a, b, c] = start.rules().rows();
    let rows =
        (0..=a).flat_map(move |a| (0..=b).flat_map(move |b| (0..=c).map(move |c| [a, b, c])));
    rows.skip(1).map(move |rows| start.with_sticks(rows))
}

fn pick<V: PartialOrd + Copy>(table: &[V], game: &Sticks) -> Option<<Sticks as Game>::Move> {
    // A table draws nothing from the generator.
    ValueTable(table).choose(game, &mut Rng::new(0))
}

/// Which wins a table keeps.
struct Wins {
    won: Vec<Sticks>,
    kept: usize,
}

impl Wins {
    fn new(bytes: &[u8]) -> Wins {
        let solution = Solution::new(true);
        let won: Vec<_> = positions()
            .filter(|game| solution.is_won(game.triple()))
            .collect();
        let kept = won.iter().filter(|game| wins_all(bytes, game)).count();
        Wins { won, kept }
    }

    fn first_lost(&self, bytes: &[u8]) -> Option<String> {
        let lost = self.won.iter().find(|game| !wins_all(bytes, game))?;
        let [a, b, c] = lost.sticks();
        Some(format!("{a}-{b}-{c}"))
    }
}

/// Whether the table, to move, wins every line of play: its own move, then every reply, to the end.
/// This does not use the known solution of the game.
fn wins_all(bytes: &[u8], game: &Sticks) -> bool {
    let me = game.turn();
    let Some(mv) = pick(bytes, game) else {
        return false;
    };
    let left = game.after(mv);
    if let Some(outcome) = left.outcome() {
        return outcome.value_for(me) == 1;
    }
    left.legal_moves().all(|reply| {
        let next = left.after(reply);
        match next.outcome() {
            Some(outcome) => outcome.value_for(me) == 1,
            None => wins_all(bytes, &next),
        }
    })
}

/// The exact expected score, half of the games as the player who starts.
fn score_against_random(bytes: &[u8], belt: Option<Belt>) -> f64 {
    let slips = f64::from(belt.map_or(0, Belt::slips)) / 4_294_967_296.0;
    let states = Sticks::states(Default::default());
    // Chance that the table wins, when it is to move and when the random player is. Every move
    // lowers the number of the state, so the later values are computed already. On the empty board
    // the opponent of the mover has just lost.
    let (mut to_move, mut waiting) = (vec![1.0; states], vec![0.0; states]);
    for game in positions() {
        let moves = game.legal_moves().count() as f64;
        let mean = |next: &[f64]| {
            game.legal_moves()
                .map(|mv| next[game.after(mv).state()])
                .sum::<f64>()
                / moves
        };
        let chosen = pick(bytes, &game).map_or(0.0, |mv| waiting[game.after(mv).state()]);
        let own = (1.0 - slips) * chosen + slips * mean(&waiting);
        let other = mean(&to_move);
        (to_move[game.state()], waiting[game.state()]) = (own, other);
    }
    (to_move[states - 1] + waiting[states - 1]) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::certify::quantise;
    use dojo_core::game::{Outcome, Player};
    use dojo_core::players::Random;

    /// A table that plays perfectly: 1 for every state that is lost for whoever receives it.
    fn perfect_values() -> Vec<f64> {
        let solution = Solution::new(true);
        let mut values = vec![0.0; Sticks::states(Default::default())];
        for game in positions() {
            values[game.state()] = if solution.is_won(game.triple()) {
                0.0
            } else {
                1.0
            };
        }
        values
    }

    #[test]
    fn the_solution_itself_is_certified() {
        let values = perfect_values();
        let bytes = quantise(&values).unwrap();
        let certificate = certify_sticks(&values, &bytes, Some(Belt::Black)).unwrap();
        assert!(certificate.is_exact());
        assert_eq!(
            (
                certificate.won_states,
                certificate.kept_wins,
                certificate.changed_moves
            ),
            (167, 167, 0)
        );
        assert_eq!(certificate.largest_error, 0.0);
        assert_eq!(lost_win(&bytes), None);
    }

    #[test]
    fn one_wrong_byte_in_black_is_found() {
        let values = perfect_values();
        let good = quantise(&values).unwrap();
        let mut refused = 0;
        for game in positions().filter(|game| game.state() != 191) {
            let mut values = values.clone();
            // A won state with the highest value to leave is a mistake of every position that can
            // leave it.
            if values[game.state()] == 1.0 {
                continue;
            }
            values.iter_mut().for_each(|value| *value *= 0.9);
            values[game.state()] = 1.0;
            let bytes = quantise(&values).unwrap();
            assert_ne!(bytes, good);
            refused += usize::from(certify_sticks(&values, &bytes, Some(Belt::Black)).is_err());
            assert!(certify_sticks(&values, &bytes, Some(Belt::Brown)).is_ok());
        }
        // Of the other 166 won states three can only be left by a player who has lost already.
        assert_eq!(refused, 163);
    }

    #[test]
    fn rounding_is_checked() {
        let values = perfect_values();
        let mut bytes = quantise(&values).unwrap();
        bytes[3] = 128;
        assert!(
            certify_sticks(&values, &bytes, None)
                .unwrap_err()
                .contains("rounding error")
        );
        assert!(certify_sticks(&values[1..], &bytes, None).is_err());
        for odd in [f64::NAN, -0.1, 1.1] {
            assert_eq!(quantise(&[0.5, odd]), None);
        }
    }

    #[test]
    fn the_exact_score_is_what_games_come_to() {
        // Every byte alike: the first legal move is played. White slips, so both branches are
        // exercised.
        let bytes = [0; 192];
        let exact = score_against_random(&bytes, Some(Belt::White));
        let mut rng = Rng::new(9);
        let games = 40_000;
        let mut won = 0;
        for number in 0..games {
            let mut game = Sticks::new(Default::default());
            let seat = Player::BOTH[number % 2];
            while !game.is_over() {
                let slip = game.turn() != seat || rng.chance(Belt::White.slips());
                let mv = if slip {
                    Random.choose(&game, &mut rng)
                } else {
                    pick(&bytes, &game)
                };
                game.play(mv.unwrap()).unwrap();
            }
            won += usize::from(game.outcome() == Some(Outcome::Win(seat)));
        }
        let sampled = won as f64 / games as f64;
        assert!((sampled - exact).abs() < 0.01, "{sampled} {exact}");
    }
}

//! Ratings of several players from the games of all pairs: the Bradley–Terry model on the scale of
//! Elo, with 95 % intervals.

use crate::arena::Tally;

/// The rating of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// Points of Elo; the mean of all players is 0.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub interval: f64,
}

/// Elo points for a factor of e in the odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Drawn games that every pair is assumed to have played, so that no rating is infinite.
const ASSUMED: f64 = 1.0;
const ITERATIONS: usize = 100;

/// The ratings of `players` players from their matches: `(a, b, tally)` with a ≠ b.
pub fn ratings(players: usize, matches: &[(usize, usize, Tally)]) -> Vec<Rating> {
    let mut strengths: Vec<f64> = vec![0.0; players];
    let mut spread = vec![vec![0.0; players]; players];
    // Newton's method: the likelihood is concave.
    for _ in 0..ITERATIONS {
        let mut slope = vec![0.0; players];
        // Only differences matter; the constant term keeps the mean at 0.
        let mut curvature = vec![vec![1.0; players]; players];
        for &(a, b, tally) in matches {
            let games = f64::from(tally.games()) + ASSUMED;
            let expected = 1.0 / (1.0 + (strengths[b] - strengths[a]).exp());
            let surplus = tally.points_a() + ASSUMED / 2.0 - games * expected;
            slope[a] += surplus;
            slope[b] -= surplus;
            let weight = games * expected * (1.0 - expected);
            curvature[a][a] += weight;
            curvature[b][b] += weight;
            curvature[a][b] -= weight;
            curvature[b][a] -= weight;
        }
        spread = inverse(curvature);
        let mut largest: f64 = 0.0;
        for (row, strength) in spread.iter().zip(&mut strengths) {
            let step: f64 = row.iter().zip(&slope).map(|(a, b)| a * b).sum();
            // A step beyond a factor of e² may overshoot.
            *strength += step.clamp(-2.0, 2.0);
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let mean = strengths.iter().sum::<f64>() / players.max(1) as f64;
    // What the constant term contributes to the inverse.
    let common = 1.0 / (players.max(1) * players.max(1)) as f64;
    let rating = |player: usize| Rating {
        elo: ELO * (strengths[player] - mean),
        interval: 1.96 * ELO * (spread[player][player] - common).max(0.0).sqrt(),
    };
    (0..players).map(rating).collect()
}

/// The inverse of a symmetric positive definite matrix.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut result: Vec<Vec<f64>> = (0..size)
        .map(|row| {
            (0..size)
                .map(|col| f64::from(u8::from(row == col)))
                .collect()
        })
        .collect();
    for pivot in 0..size {
        let scale = matrix[pivot][pivot].max(1e-12);
        for col in 0..size {
            matrix[pivot][col] /= scale;
            result[pivot][col] /= scale;
        }
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            for col in 0..size {
                matrix[row][col] -= factor * matrix[pivot][col];
                result[row][col] -= factor * result[pivot][col];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins_a: u32, wins_b: u32) -> Tally {
        Tally {
            wins_a,
            wins_b,
            draws: 0,
        }
    }

    #[test]
    fn ten_to_one_is_four_hundred_points() {
        let found = ratings(2, &[(0, 1, tally(10_000, 1_000))]);
        let difference = found[0].elo - found[1].elo;
        assert!((difference - 400.0).abs() < 1.0, "{difference}");
        assert!((found[0].elo + found[1].elo).abs() < 1e-6);
    }

    #[test]
    fn more_games_narrow_the_interval_and_all_won_is_finite() {
        let few = ratings(3, &[(0, 1, tally(6, 4)), (1, 2, tally(7, 3))]);
        let many = ratings(3, &[(0, 1, tally(600, 400)), (1, 2, tally(700, 300))]);
        assert!(few[0].interval > 8.0 * many[0].interval);
        assert!(few[0].elo > few[1].elo && few[1].elo > few[2].elo);
        let won = ratings(2, &[(0, 1, tally(1000, 0))]);
        assert!(won[0].elo.is_finite() && won[0].elo > 400.0);
    }

    /// The figures follow from all games at once: who beats a strong player is strong.
    #[test]
    fn opponents_count() {
        let found = ratings(
            4,
            &[
                (0, 1, tally(90, 10)),
                (2, 0, tally(50, 50)),
                (3, 1, tally(50, 50)),
            ],
        );
        assert!(found[2].elo > found[3].elo + 300.0);
    }
}

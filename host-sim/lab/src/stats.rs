//! Confidence intervals of match results.

/// The 95 % confidence interval of a score after Wilson, which is also sound near 0 and 1.
///
/// `score` is wins plus half the draws. Draws reduce the variance, so the interval is on the wide
/// side.
///
/// ```
/// let [low, high] = dojo_lab::stats::wilson(60.0, 100);
/// assert!((low - 0.5020).abs() < 1e-4 && (high - 0.6906).abs() < 1e-4);
/// ```
pub fn wilson(score: f64, games: u32) -> [f64; 2] {
    if games == 0 {
        return [0.0, 1.0];
    }
    const Z: f64 = 1.959_963_984_540_054; // the 97.5 % point of the normal distribution
    let n = f64::from(games);
    let p = score / n;
    let centre = (p + Z * Z / (2.0 * n)) / (1.0 + Z * Z / n);
    let half = Z / (1.0 + Z * Z / n) * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    [(centre - half).max(0.0), (centre + half).min(1.0)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_stays_inside_and_shrinks() {
        for (score, games) in [(0.0, 10), (10.0, 10), (5.0, 10), (0.0, 0)] {
            let [low, high] = wilson(score, games);
            assert!((0.0..=1.0).contains(&low) && low < high && high <= 1.0);
        }
        let width = |games| {
            wilson(f64::from(games) / 2.0, games)
                .into_iter()
                .rev()
                .reduce(|a, b| a - b)
                .unwrap()
        };
        assert!(width(1000) < width(100) / 3.0);
        // Even a clean sheet leaves a doubt: the "rule of three" in its Wilson form.
        assert!((wilson(100.0, 100)[0] - 0.9630).abs() < 1e-4);
    }
}

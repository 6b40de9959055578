//! How well rules predict recorded moves.

use dojo_core::games::Go;
use dojo_core::games::go::clauses::{ClauseView, scores};
use dojo_core::games::go::{Point, Points};
use rayon::prelude::*;

use super::Rule;
use super::examples::{Example, Reading, RecordedStone};

/// How many recorded moves stand among the best `n` of their position, for every `n`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// Positions looked at.
    pub positions: usize,
    /// RecordedStone moves by their rank, from 0; ties share their ranks in equal parts.
    by_rank: Vec<f64>,
}

impl Prediction {
    /// The share of positions whose recorded move is among the best `n`.
    pub fn within(&self, n: usize) -> f64 {
        self.by_rank.iter().take(n).sum::<f64>() / self.positions.max(1) as f64
    }
}

/// Ranks the recorded move of every position by `score`, over all legal points.
pub fn predict(
    positions: &[RecordedStone],
    score: impl Fn(&Go, Points) -> Vec<(Point, i64)> + Sync,
) -> Prediction {
    let ranks: Vec<(usize, usize)> = positions
        .par_iter()
        .filter_map(|recorded| {
            let scored = score(&recorded.game, recorded.game.legal_points());
            let own = scored.iter().find(|(point, _)| *point == recorded.point)?.1;
            let above = scored.iter().filter(|(_, score)| *score > own).count();
            let equal = scored.iter().filter(|(_, score)| *score == own).count();
            Some((above, equal))
        })
        .collect();
    let mut by_rank = vec![0.0; 82];
    for (above, equal) in &ranks {
        for share in by_rank.iter_mut().skip(*above).take(*equal) {
            *share += 1.0 / *equal as f64;
        }
    }
    Prediction {
        positions: ranks.len(),
        by_rank,
    }
}

/// The sum of the weights of all rules that cover each point.
pub fn scored(rules: &[Rule], reading: Reading, game: &Go, points: Points) -> Vec<(Point, i64)> {
    match reading {
        Reading::AboutThePoint => {
            let sums = scores(
                &ClauseView::new(game),
                rules.iter().map(|rule| (&rule.clause, rule.weight)),
            );
            points
                .map(|point| (point, sums[point.number()].into()))
                .collect()
        }
        Reading::AsListed => {
            let Some(first) = points.first() else {
                return vec![];
            };
            let example = Example::new(game, first);
            points
                .map(|point| {
                    let example = example.at(point);
                    let sum = rules
                        .iter()
                        .filter(|rule| example.is_covered(&rule.clause, reading))
                        .map(|rule| i64::from(rule.weight))
                        .sum();
                    (point, sum)
                })
                .collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::PUBLISHED;
    use crate::games::go::patterns::examples::{RECORDS, recorded};
    use crate::games::go::patterns::text::RuleFile;

    fn published() -> RuleFile {
        RuleFile::parse(PUBLISHED).unwrap()
    }

    /// The matcher of the device works on whole boards, the one of the learner on one candidate at a time.
    #[test]
    fn both_matchers_cover_the_same_points() {
        let games = recorded(RECORDS).unwrap();
        for recorded in games.iter().step_by(60).flatten() {
            let view = ClauseView::new(&recorded.game);
            let example = Example::new(&recorded.game, recorded.point);
            for rule in &published().rules {
                let covered = rule.clause.points(&view);
                for point in recorded.game.empty() {
                    assert_eq!(
                        example
                            .at(point)
                            .is_covered(&rule.clause, Reading::AboutThePoint),
                        covered.contains(point),
                        "{:?} at {point} of {}",
                        rule.clause,
                        recorded.game
                    );
                }
            }
        }
    }
}

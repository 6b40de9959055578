//! How well rules predict recorded moves.

use dojo_core::games::Go;
use dojo_core::games::go::clauses::{ClauseSet, ClauseView, Weighted, scores};
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
    let sums = scores(
        &ClauseView::new(game),
        reading,
        rules.iter().map(|rule| (&rule.clause, rule.weight)),
    );
    points
        .map(|point| (point, sums[point.number()].into()))
        .collect()
}

/// A point where the device's matcher of stored rules and the learner's evaluator disagree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The number of the rule, from 0.
    pub rule: usize,
    /// The candidate.
    pub point: Point,
}

/// Compares the matcher of the device, which works on whole boards, with the evaluator of the learner, which looks at one
/// candidate at a time: all empty points of a position under every rule.
pub fn compare(set: &ClauseSet<'_>, game: &Go) -> Result<(), Disagreement> {
    let Some(first) = game.empty().first() else {
        return Ok(());
    };
    let view = ClauseView::new(game);
    let matched: Vec<(Weighted, Points)> = set
        .iter()
        .map(|weighted| {
            let covered = weighted.clause.points(&view, weighted.reading);
            (weighted, covered)
        })
        .collect();
    let example = Example::new(game, first);
    for point in game.empty() {
        let example = example.at(point);
        let differs = |(weighted, covered): &(Weighted, Points)| {
            example.is_covered(&weighted.clause, weighted.reading) != covered.contains(point)
        };
        if let Some(rule) = matched.iter().position(differs) {
            return Err(Disagreement { rule, point });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::PUBLISHED;
    use crate::games::go::patterns::examples::{Corpus, RECORDS, sample};
    use crate::games::go::patterns::induce::{ClauseSearch, Examples, InductionSettings, induce};
    use crate::games::go::patterns::negatives::{RANDOM_GAMES, random_stones};
    use crate::games::go::patterns::stored;
    use crate::games::go::patterns::text::RuleFile;
    use dojo_core::rng::Rng;

    /// The published rules, and rules of both searches, under both readings.
    #[test]
    fn the_device_covers_the_same_points_as_the_learner() {
        let corpus = Corpus::new(RECORDS).unwrap();
        let mut rng = Rng::new(3);
        let examples = Examples::new(
            &sample(&corpus.training_stones(), 150, &mut rng),
            &sample(&random_stones(RANDOM_GAMES).unwrap(), 40, &mut rng),
        );
        let positions: Vec<_> = corpus.test.iter().step_by(61).collect();
        for reading in Reading::ALL {
            let mut rules = RuleFile::parse(PUBLISHED).unwrap().rules;
            for search in [ClauseSearch::BreadthFirst, ClauseSearch::Evolution] {
                let settings = InductionSettings {
                    nodes: 800,
                    search,
                    reading,
                    ..InductionSettings::published(5)
                };
                rules.extend(induce(&examples, &settings, |_| {}));
            }
            let bytes = stored(&rules, reading);
            let set = ClauseSet::new(&bytes).unwrap();
            assert_eq!(set.len(), rules.len());
            for recorded in &positions {
                assert_eq!(compare(&set, &recorded.game), Ok(()), "{}", recorded.game);
            }
            let view = ClauseView::new(&positions[7].game);
            let clauses = rules.iter().map(|rule| (&rule.clause, rule.weight));
            assert_eq!(set.scores(&view), scores(&view, reading, clauses));
        }
    }
}

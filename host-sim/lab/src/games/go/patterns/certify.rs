//! The certificate of stored patterns: the device's matcher against the learner's evaluator, and what they predict.

use dojo_core::bank::{Kind, Number};
use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::GoMove;
use dojo_core::games::go::clauses::{CLAUSE_BYTES, ClauseSet, ClauseView};
use dojo_core::games::go::players::sensible_points;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use serde::Serialize;

use super::check::{compare, predict};
use super::examples::{Corpus, RECORDS};
use super::stored;
use super::text::RuleFile;
use crate::certify::{Certified, CertifiedModel};

/// Every so manyth position of the test games is compared.
const EVERY: usize = 10;
/// Games against a random player, half of them with each colour.
const GAMES: u32 = 100;
/// The candidates of the published player.
const WIDTH: usize = 20;

/// What is known about stored patterns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PatternCertificate {
    /// Rules.
    pub rules: usize,
    /// How their symmetries are read.
    pub reading: &'static str,
    /// Positions in which every rule covers the same points on the device and in the learner.
    pub positions: usize,
    /// Share of recorded moves of the test games among the best twenty.
    pub within_20: f64,
    /// Share of recorded moves of the test games at first place.
    pub first: f64,
    /// Share of games won against a random player by the move of the largest weight.
    pub score_random: f64,
}

impl PatternCertificate {
    pub(crate) fn strength(&self) -> u16 {
        (self.score_random * 1000.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        vec![
            (
                "rules",
                format!("{}, symmetries {}", self.rules, self.reading),
            ),
            (
                "compared",
                format!(
                    "same points as in the learner in {} positions",
                    self.positions
                ),
            ),
            (
                "recorded moves",
                format!(
                    "{} among the best {WIDTH}, {} at first place, unseen games",
                    percent(self.within_20),
                    percent(self.first)
                ),
            ),
            (
                "against random",
                format!(
                    "{:.3} in {GAMES} games, by the largest weight",
                    self.score_random
                ),
            ),
        ]
    }
}

/// Certifies a rule file as it will be stored, or says why it must not be shipped.
pub fn certify_patterns(text: &str) -> Result<CertifiedModel, String> {
    let file = RuleFile::parse(text).map_err(|fault| fault.to_string())?;
    let rules = u16::try_from(file.rules.len()).map_err(|_| "too many rules")?;
    let payload = stored(&file.rules, file.reading);
    let set = ClauseSet::new(&payload).map_err(|error| error.to_string())?;
    if !set
        .iter()
        .zip(&file.rules)
        .all(|(stored, rule)| stored.clause == rule.clause)
    {
        return Err("a rule changes when it is stored".into());
    }
    let corpus = Corpus::new(RECORDS).map_err(|fault| fault.to_string())?;
    let compared: Vec<_> = corpus.test.iter().step_by(EVERY).collect();
    for recorded in &compared {
        compare(&set, &recorded.game).map_err(|found| {
            format!(
                "rule {} covers other points on the device than in the learner, at {} of {}",
                found.rule + 1,
                found.point,
                recorded.game
            )
        })?;
    }
    let found = predict(&corpus.test, |game, points| {
        let scores = set.scores(&ClauseView::new(game));
        points
            .map(|point| (point, scores[point.number()].into()))
            .collect()
    });
    let certificate = PatternCertificate {
        rules: file.rules.len(),
        reading: file.reading.name(),
        positions: compared.len(),
        within_20: found.within(WIDTH),
        first: found.within(1),
        score_random: score_against_random(&set),
    };
    Ok(CertifiedModel {
        kind: Kind::Patterns,
        dims: [rules, CLAUSE_BYTES as u16, 0, 0],
        number: Number::U8,
        scale: 1,
        payload,
        certificate: Certified::Patterns(certificate),
    })
}

/// The move with the largest sum of weights; a pass if only own eyes are left.
fn best(set: &ClauseSet<'_>, game: &Go) -> GoMove {
    let scores = set.scores(&ClauseView::new(game));
    // The first of equals.
    let points = sensible_points(game).map(|point| (scores[point.number()], point));
    let best = points.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map_or(GoMove::Pass, |(_, point)| GoMove::Stone(point))
}

fn score_against_random(set: &ClauseSet<'_>) -> f64 {
    let mut won = 0;
    for number in 0..GAMES {
        let mut rng = Rng::new(number.into());
        let me = Player::BOTH[number as usize % 2];
        let mut game = Go::new(Default::default());
        while !game.is_over() {
            let mv = match game.turn() == me {
                true => best(set, &game),
                // A random player alone would pass too early.
                false if sensible_points(&game).is_empty() => GoMove::Pass,
                false => Random.choose(&game, &mut rng).unwrap_or(GoMove::Pass),
            };
            game.play_unchecked(mv);
        }
        won += u32::from(game.margin(me) > 0);
    }
    f64::from(won) / f64::from(GAMES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::PUBLISHED;

    #[test]
    fn the_published_rules_are_certified_under_both_readings_and_faults_are_named() {
        for (reading, within) in [("about-the-point", 0.788), ("as-listed", 0.784)] {
            let text = format!("# reading: {reading}\n{PUBLISHED}");
            let model = certify_patterns(&text).unwrap();
            assert_eq!((model.dims, model.payload.len()), ([30, 30, 0, 0], 900));
            let Certified::Patterns(proof) = &model.certificate else {
                panic!("another certificate");
            };
            assert!((proof.within_20 - within).abs() < 0.0006, "{proof:?}");
            assert!(proof.score_random > 0.9, "{proof:?}");
        }
        for (text, fault) in [
            ("1\t2\t0\tat(9,0)=me", "line 1"),
            ("# nothing", "without a rule"),
        ] {
            let refused = certify_patterns(text).unwrap_err();
            assert!(refused.contains(fault), "{refused}");
        }
    }
}

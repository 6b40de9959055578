//! The published pattern experiment: which share of recorded moves stands among the best twenty by induced rules.

use dojo_core::games::Go;
use dojo_core::games::go::{Point, Points};
use dojo_core::rng::Rng;

use super::check::{Prediction, predict, scored};
use super::examples::{Corpus, Example, RECORDS, Reading, RecordedStone, sample};
use super::induce::{ClauseSearch, Examples, InductionSettings, induce};
use super::negatives::{RANDOM_GAMES, random_stones, suicidal};
use super::text::RuleFile;
use super::{PUBLISHED, Rule, unite, weights};
use crate::experiment::{Findings, Scale, Unfinished};
use crate::games::go::players_move_score;

/// The candidates of the published player.
const WIDTH: usize = 20;
const BEST: &str = "% within the best 20";
const FIRST: &str = "% at first place";
const UNION: &str = "rules of five samples together, learned weights (ours)";

/// Records that the experiment draws its examples from.
struct Sources {
    corpus: Corpus,
    training: Vec<RecordedStone>,
    random: Vec<RecordedStone>,
    suicides: Vec<RecordedStone>,
}

/// One learned rule set and what it predicts.
struct LearnedRules {
    rules: Vec<Rule>,
    test: Prediction,
    /// Share of the training examples that at least one rule judges rightly.
    accuracy: f64,
}

/// Published settings: examples for and against, noise, and the published share.
struct PatternSetting {
    name: &'static str,
    positives: Positives,
    negatives: usize,
    suicides: usize,
    settings: InductionSettings,
    published: Option<f64>,
}

/// Where positives come from.
#[derive(Clone, Copy)]
enum Positives {
    /// Stones drawn from all training games.
    Stones(usize),
    /// All stones of some training games.
    Games(usize),
}

/// Shares among the best twenty and at first place in percent, rules, training examples judged
/// rightly in percent.
type SetFigures = (f64, f64, f64, f64);

fn figures(learned: &LearnedRules) -> SetFigures {
    (
        100.0 * learned.test.within(WIDTH),
        100.0 * learned.test.within(1),
        learned.rules.len() as f64,
        100.0 * learned.accuracy,
    )
}

pub(crate) fn patterns(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let sources = match sources(scale) {
        Ok(sources) => sources,
        Err(fault) => {
            crate::output::warn(&format!("the records of Go: {fault}"));
            return Ok(findings);
        }
    };
    let (seeds, settings) = (scale.seeds(5), settings());
    let known: Vec<_> = known_scores()
        .iter()
        .map(|(name, score)| {
            scale.each(name, &[scale.seed], |_| {
                let found = predict(&sources.corpus.test, score);
                (100.0 * found.within(WIDTH), 100.0 * found.within(1))
            })
        })
        .collect();
    let sets: Vec<_> = settings
        .iter()
        .map(|setting| {
            scale.each(setting.name, &seeds, |seed| {
                figures(&run(&sources, setting, scale, seed))
            })
        })
        .collect();
    let weighted = weighted_setting();
    let beyond = scale.each(weighted.name, &seeds, |seed| {
        let mut learned = run(&sources, &weighted, scale, seed);
        weights::learn(
            &mut learned.rules,
            Reading::AboutThePoint,
            &sources.training,
        );
        learned.test = predicted(&sources, &learned.rules);
        figures(&learned)
    });
    let union = scale.each(UNION, &[scale.seed], |_| union(&sources, scale, &seeds));
    let known = known.into_iter().collect::<Result<Vec<_>, _>>()?;
    let sets = sets.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (beyond, union) = (beyond?, union?);

    for ((name, _), found) in known_scores().iter().zip(&known) {
        findings.row(*name, BEST, None, &[found[0].0]);
        findings.row(*name, FIRST, None, &[found[0].1]);
    }
    for (setting, runs) in settings.iter().zip(&sets) {
        let column = |figure: fn(&SetFigures) -> f64| runs.iter().map(figure).collect::<Vec<_>>();
        // A quick run has fewer examples: no published figure belongs beside it.
        let published = setting.published.filter(|_| !scale.quick);
        findings.row(setting.name, BEST, published, &column(|run| run.0));
        findings.row(setting.name, FIRST, None, &column(|run| run.1));
        findings.row(setting.name, "rules", None, &column(|run| run.2));
        findings.row(
            setting.name,
            "training examples judged rightly, %",
            None,
            &column(|run| run.3),
        );
    }
    let column = |figure: fn(&SetFigures) -> f64| beyond.iter().map(figure).collect::<Vec<_>>();
    findings.row(weighted.name, BEST, None, &column(|run| run.0));
    findings.row(weighted.name, FIRST, None, &column(|run| run.1));
    findings.row(UNION, BEST, None, &[union[0].0]);
    findings.row(UNION, FIRST, None, &[union[0].1]);
    findings.row(UNION, "rules", None, &[union[0].2]);
    findings.remarks = vec![
        "Published: 450 positions of professional games. Ours: all stones of every sixth game of data/go9x9 (the engine Pachi at \
         2,000 playouts), without random opening moves. Moves with equal scores share their ranks.",
        "Negatives are stones of a random player against GNU Go at level 1 (data/go-patterns). The number of negatives of \
         experiments A and B is not published; 70 are used.",
        "Symmetries are taken about the candidate point unless a row says `as listed`.",
    ];
    Ok(findings)
}

fn sources(scale: &Scale) -> Result<Sources, crate::games::go::sgf::SgfError> {
    let mut corpus = Corpus::new(RECORDS)?;
    if scale.quick {
        corpus.test.truncate(400);
        corpus.training.truncate(40);
    }
    let training = corpus.training_stones();
    let random = random_stones(RANDOM_GAMES)?;
    let suicides = suicidal(&random);
    Ok(Sources {
        corpus,
        training,
        random,
        suicides,
    })
}

/// A score of moves.
type MoveScores = Box<dyn Fn(&Go, Points) -> Vec<(Point, i64)> + Sync>;

/// What needs no learning: no rules, the published rules, and the hand-written score of moves.
fn known_scores() -> [(&'static str, MoveScores); 4] {
    let rules = RuleFile::parse(PUBLISHED)
        .map(|file| file.rules)
        .unwrap_or_default();
    let by = |rules: Vec<Rule>, reading| -> MoveScores {
        Box::new(move |game, points| scored(&rules, reading, game, points))
    };
    [
        ("no rules", by(vec![], Reading::AboutThePoint)),
        (
            "the published rules, as listed",
            by(rules.clone(), Reading::AsListed),
        ),
        (
            "the published rules, about the point",
            by(rules, Reading::AboutThePoint),
        ),
        (
            "the hand-written score of moves",
            Box::new(players_move_score),
        ),
    ]
}

fn settings() -> Vec<PatternSetting> {
    let plain = |name, positives, negatives, noise, published| PatternSetting {
        name,
        positives: Positives::Stones(positives),
        negatives,
        suicides: 0,
        settings: InductionSettings::published(noise),
        published,
    };
    let three_games = |name, richer, published| PatternSetting {
        name,
        positives: Positives::Games(3),
        negatives: 70,
        suicides: 0,
        settings: InductionSettings {
            richer,
            ..InductionSettings::published(10)
        },
        published: Some(published),
    };
    vec![
        plain("positives only", 750, 0, 0, None),
        PatternSetting {
            suicides: 27,
            ..plain("2,257 positives, 27 suicides, noise 0", 2_257, 0, 0, None)
        },
        three_games("A: three games, basic predicates, noise 10", false, 57.9),
        three_games("B: three games, richer predicates, noise 10", true, 71.3),
        plain("+750 −70, noise 10", 750, 70, 10, Some(68.0)),
        plain("+1,500 −70, noise 10", 1_500, 70, 10, Some(69.3)),
        plain("+750 −140, noise 20", 750, 140, 20, Some(71.7)),
        plain("+1,500 −140, noise 20", 1_500, 140, 20, Some(74.3)),
        plain("+1,500 −280, noise 40", 1_500, 280, 40, Some(74.0)),
        plain("+3,000 −280, noise 40", 3_000, 280, 40, Some(72.7)),
        PatternSetting {
            settings: InductionSettings {
                reading: Reading::AsListed,
                ..InductionSettings::published(20)
            },
            ..plain(
                "+1,500 −140, noise 20, as listed",
                1_500,
                140,
                20,
                Some(74.3),
            )
        },
        PatternSetting {
            settings: InductionSettings {
                search: ClauseSearch::Evolution,
                ..InductionSettings::published(20)
            },
            ..plain(
                "+1,500 −140, noise 20, evolutionary search (ours)",
                1_500,
                140,
                20,
                None,
            )
        },
    ]
}

/// The examples of a setting.
fn examples(sources: &Sources, setting: &PatternSetting, scale: &Scale, rng: &mut Rng) -> Examples {
    let fewer = |count: usize| {
        if scale.quick {
            count.div_ceil(10)
        } else {
            count
        }
    };
    let positive = match setting.positives {
        Positives::Stones(count) => sample(&sources.training, fewer(count), rng),
        Positives::Games(count) => sample(&sources.corpus.training, count, rng).concat(),
    };
    let mut negative = sample(&sources.random, fewer(setting.negatives), rng);
    negative.extend(sample(&sources.suicides, fewer(setting.suicides), rng));
    Examples::new(&positive, &negative)
}

fn run(sources: &Sources, setting: &PatternSetting, scale: &Scale, seed: u64) -> LearnedRules {
    let mut rng = Rng::new(seed);
    let examples = examples(sources, setting, scale, &mut rng);
    let rules = induce(&examples, &setting.settings, |_| {});
    let reading = setting.settings.reading;
    let covered = |example: &&Example| {
        rules
            .iter()
            .any(|rule| example.is_covered(&rule.clause, reading))
    };
    let right = examples.positive.iter().filter(covered).count()
        + examples
            .negative
            .iter()
            .filter(|example| !covered(example))
            .count();
    let all = examples.positive.len() + examples.negative.len();
    LearnedRules {
        test: predict(&sources.corpus.test, |game, points| {
            scored(&rules, reading, game, points)
        }),
        accuracy: right as f64 / all.max(1) as f64,
        rules,
    }
}

/// Beyond the published work: learned weights.
fn weighted_setting() -> PatternSetting {
    PatternSetting {
        name: "+1,500 −140, noise 20, learned weights (ours)",
        positives: Positives::Stones(1_500),
        negatives: 140,
        suicides: 0,
        settings: InductionSettings::published(20),
        published: None,
    }
}

/// Beyond the published work: rules of several samples together, with learned weights.
fn union(sources: &Sources, scale: &Scale, seeds: &[u64]) -> (f64, f64, f64) {
    let setting = weighted_setting();
    let mut union: Vec<Rule> = vec![];
    for &seed in seeds {
        unite(&mut union, run(sources, &setting, scale, seed).rules);
    }
    weights::learn(&mut union, Reading::AboutThePoint, &sources.training);
    let found = predicted(sources, &union);
    let percent = |n: usize| 100.0 * found.within(n);
    (percent(WIDTH), percent(1), union.len() as f64)
}

fn predicted(sources: &Sources, rules: &[Rule]) -> Prediction {
    predict(&sources.corpus.test, |game, points| {
        scored(rules, Reading::AboutThePoint, game, points)
    })
}

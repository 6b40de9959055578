//! The published Q-learner: its table of results and its learning curves.

use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::Action;
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::Results;
use crate::experiment::{Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::iwoki::table::{Manner, QLearner};

/// Parts of a run of which a curve has the means.
const PARTS: u32 = 40;

/// A run of games with one opponent.
#[derive(Clone, Default, Serialize, Deserialize)]
struct Phase {
    results: Results,
    /// Sum of the differences that the learner reports.
    reported: i64,
    /// The results of each part of the games.
    parts: Vec<Results>,
    /// Values that the published program would have stored after each part.
    listed: Vec<u64>,
    /// Values stored at the end, and their bytes.
    values: u64,
    bytes: u64,
}

#[derive(Clone, Copy)]
enum Opponent {
    Random,
    Greedy,
}

impl Opponent {
    fn choose(self, game: &Iwoki, rng: &mut Rng) -> Option<Action> {
        match self {
            Opponent::Random => Random.choose(game, rng),
            Opponent::Greedy => Greedy.choose(game, rng),
        }
    }
}

/// Plays games of the learner against an opponent.
fn learn(
    learner: &mut QLearner,
    games: u32,
    manner: Manner,
    opponent: Opponent,
    rng: &mut Rng,
) -> Phase {
    let mut phase = Phase::default();
    let mut part = Results::default();
    for _ in 0..games {
        let played = learner.play(manner, |game, rng| opponent.choose(game, rng), rng);
        for results in [&mut phase.results, &mut part] {
            results.add(played.margin);
            results.turns += u64::from(played.turns);
            results.decisions += u64::from(played.decisions);
        }
        phase.reported += i64::from(played.reported);
        if part.games >= (games / PARTS).max(1) {
            phase.parts.push(std::mem::take(&mut part));
            phase.listed.push(learner.listed());
        }
    }
    phase.values = learner.len() as u64;
    phase.bytes = learner.bytes() as u64;
    phase
}

/// Published figures of a row: wins, losses, difference, million values, megabytes.
type Published = [Option<f64>; 5];

fn rows(findings: &mut Findings, setting: &str, phases: &[&Phase], published: Published) {
    type Quantity = fn(&Phase) -> f64;
    let metrics: [(&str, Quantity, Option<f64>); 9] = [
        ("wins %", |phase| phase.results.wins(), published[0]),
        ("losses %", |phase| phase.results.losses(), published[1]),
        (
            "mean difference reported",
            |phase| phase.reported as f64 / f64::from(phase.results.games.max(1)),
            published[2],
        ),
        ("mean difference", |phase| phase.results.difference(), None),
        (
            "values of all actions met, million",
            |phase| {
                phase
                    .listed
                    .last()
                    .map_or(0.0, |&listed| listed as f64 / 1e6)
            },
            published[3],
        ),
        (
            "values of actions chosen, million",
            |phase| phase.values as f64 / 1e6,
            None,
        ),
        ("memory, MB", |phase| phase.bytes as f64 / 1e6, published[4]),
        (
            "turns a game",
            |phase| phase.results.a_game(phase.results.turns),
            None,
        ),
        (
            "decisions a game",
            |phase| phase.results.a_game(phase.results.decisions),
            None,
        ),
    ];
    for (metric, quantity, published) in metrics {
        let values: Vec<f64> = phases.iter().map(|phase| quantity(phase)).collect();
        findings.row_with_range(setting, metric, published, &values);
    }
}

/// The published program with its two slips, and the learner without them.
const LEARNERS: [(&str, bool); 2] = [("published", true), ("without the slips", false)];
/// Runs of each setting.
const SEEDS: u64 = 20;

pub(super) fn q_learner(scale: &Scale) -> Result<Findings, Unfinished> {
    let seeds = scale.seeds(SEEDS);
    let manner = |explore, published, deal| Manner {
        explore,
        published,
        deal,
    };
    let untrained: [(&str, Opponent, Published); 2] = [
        (
            "random",
            Opponent::Random,
            [Some(37.06), Some(59.96), Some(-5.11), Some(3.7), None],
        ),
        (
            "greedy",
            Opponent::Greedy,
            [Some(0.24), Some(99.70), Some(-32.68), Some(4.3), None],
        ),
    ];
    let trained: [(&str, bool, [Published; 3]); 2] = [
        (
            "random deals",
            false,
            [
                [
                    Some(37.31),
                    Some(59.54),
                    Some(-5.02),
                    Some(37.0),
                    Some(4650.0),
                ],
                [Some(37.34), Some(59.66), Some(-5.07), None, None],
                [Some(0.22), Some(99.68), Some(-32.64), None, None],
            ],
        ),
        (
            "same deal",
            true,
            [
                [
                    Some(49.53),
                    Some(48.21),
                    Some(-0.20),
                    Some(26.0),
                    Some(3240.0),
                ],
                [Some(45.55), Some(52.42), Some(-2.62), None, None],
                [Some(83.21), Some(16.77), Some(-3.60), None, None],
            ],
        ),
    ];
    let mut untaught = vec![];
    for (name, published) in LEARNERS {
        for (whom, opponent, figures) in untrained {
            let group = format!("{name}, no training, against {whom}");
            let games = scale.games(10_000);
            let runs = scale.each(&group, &seeds, |seed| {
                let manner = manner(true, published, None);
                let rng = &mut Rng::new(seed);
                learn(&mut QLearner::default(), games, manner, opponent, rng)
            });
            let setting = format!("{name}, no training, exploring, against {whom}");
            untaught.push((setting, runs, if published { figures } else { [None; 5] }));
        }
    }
    let mut taught = vec![];
    for (deals, same, figures) in trained {
        let runs = scale.each(&format!("published, {deals}"), &seeds, |seed| {
            let manner = |explore| manner(explore, true, same.then_some(seed));
            let rng = &mut Rng::new(seed);
            let mut learner = QLearner::default();
            let games = scale.games(50_000);
            let train = learn(&mut learner, 2 * games, manner(true), Opponent::Random, rng);
            let mut copy = learner.clone();
            let random = learn(&mut copy, games, manner(false), Opponent::Random, rng);
            drop(copy);
            let greedy = learn(&mut learner, games, manner(false), Opponent::Greedy, rng);
            [train, random, greedy]
        });
        taught.push((deals, same, runs, figures));
    }

    let mut findings = Findings::default();
    for (setting, runs, published) in untaught {
        let runs = runs?;
        let phases: Vec<&Phase> = runs.iter().collect();
        rows(&mut findings, &setting, &phases, published);
    }
    let mut shown = vec![];
    let taught: Vec<_> = taught
        .into_iter()
        .map(|(deals, same, runs, figures)| Ok((deals, same, runs?, figures)))
        .collect::<Result<_, Unfinished>>()?;
    for (deals, same, runs, published) in &taught {
        for (phase, what) in ["training", "playing random", "playing greedy"]
            .into_iter()
            .enumerate()
        {
            let phases: Vec<&Phase> = runs.iter().map(|run: &[Phase; 3]| &run[phase]).collect();
            let setting = format!("published, {deals}, {what}");
            rows(&mut findings, &setting, &phases, published[phase]);
            if phase == 2 {
                let last = |phase: &&Phase| phase.parts.last().map_or(0.0, Results::wins);
                let shares: Vec<f64> = phases.iter().map(last).collect();
                findings.row_with_range(
                    &setting,
                    "wins % of the last fortieth",
                    same.then_some(100.0),
                    &shares,
                );
                let games: Vec<f64> = phases.iter().map(|phase| until_sure(phase)).collect();
                findings.row_with_range(
                    &setting,
                    "games until it wins 99 % (all games if never)",
                    same.then_some(16_200.0),
                    &games,
                );
            }
            // Short enough for a legend.
            let run = ["training", "random", "greedy"][phase];
            shown.push((format!("{deals}, {run}"), phases));
        }
    }
    figures(&mut findings, &shown);
    findings.remarks.push(
        "The published program gives its turn away after a draw, and the scores that it reports and learns from subtract the \
         tiles left over twice. Both are reproduced in the rows called published; the other two rows have neither.",
    );
    findings.remarks.push(
        "The published program keeps a value for every action that it could have chosen, equal tiles separately and ways of a \
         tile that look alike once; ours counts these and keeps the values of actions that it chose.",
    );
    Ok(findings)
}

/// The number of games after which hardly one is lost: the first part from which on every part is
/// won to 99 %.
fn until_sure(phase: &Phase) -> f64 {
    let sure = phase
        .parts
        .iter()
        .rev()
        .take_while(|part| part.wins() >= 99.0);
    let unsure = phase.parts.len() - sure.count();
    let games: u32 = phase.parts.iter().take(unsure).map(|part| part.games).sum();
    games.into()
}

/// One picture for each quantity, with the six runs of the published learner.
fn figures(findings: &mut Findings, shown: &[(String, Vec<&Phase>)]) {
    type Quantity = fn(&Phase, usize) -> f64;
    let pictures: [(&'static str, &str, &'static str, Quantity); 4] = [
        ("table-wins", "wins", "wins %", |phase, part| {
            phase.parts[part].wins()
        }),
        (
            "table-difference",
            "mean difference of the final counts",
            "points",
            |phase, part| phase.parts[part].difference(),
        ),
        ("table-turns", "turns a game", "turns", |phase, part| {
            phase.parts[part].a_game(phase.parts[part].turns)
        }),
        (
            "table-values",
            "values of all actions met",
            "million values",
            |phase, part| phase.listed[part] as f64 / 1e6,
        ),
    ];
    for (name, title, y, quantity) in pictures {
        let curves = shown.iter().map(|(name, phases)| {
            let curve = |phase: &&Phase| -> Vec<(f64, f64)> {
                let mut games = 0;
                (0..phase.parts.len())
                    .map(|part| {
                        games += phase.parts[part].games;
                        (f64::from(games), quantity(phase, part))
                    })
                    .collect()
            };
            let runs: Vec<_> = phases.iter().map(curve).collect();
            mean_curve(name.clone(), &runs)
        });
        findings.figures.push(Figure {
            name,
            title: format!("The published learner: {title}"),
            x: "games",
            y,
            curves: curves.collect(),
        });
    }
}

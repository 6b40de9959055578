//! The experiments on 2×2 dots and boxes: the published learner, and variants of its settings.
//!
//! Scores are exact, not sampled: every position is visited. Published figures come from 1,000
//! games each.

use dojo_core::games::DotsRules;
use dojo_core::games::dots::Ties;
use dojo_core::games::dots::learner::{
    Ending, LEAVE_VALUES, LeaveLearner, LeaveSettings, Q_VALUES, QLearner, QSettings, best_leave,
    greedy,
};
use dojo_core::games::dots::two_by_two::Opponent;
use rayon::prelude::*;

use crate::experiment::{Experiment, Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::dots::response::{Chances, score};

/// The experiments of this game.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "dots-exploration",
        title: "2×2 dots: the exploration constant",
        run: exploration,
    },
    Experiment {
        name: "dots-rules-change",
        title: "2×2 dots: rules that change during training (ours)",
        run: rules_change,
    },
    Experiment {
        name: "dots-mu",
        title: "2×2 dots: the learning rate (ours)",
        run: mu,
    },
    Experiment {
        name: "dots-gamma",
        title: "2×2 dots: the discount (ours)",
        run: gamma,
    },
    Experiment {
        name: "dots-opponents",
        title: "2×2 dots: who is learned against (ours)",
        run: opponents,
    },
    Experiment {
        name: "dots-network",
        title: "4×4 and 5×5 dots: a network, a search and the rules of chains (ours)",
        run: super::experiment_network::network,
    },
];

const SMART: Opponent = Opponent::Smart { slips: 0 };
/// The published length of a run.
const GAMES: u32 = 1_000_000;
/// Games between two measurements.
const STEP: u32 = 50_000;

/// Scores in percent against random and smart, moving first and second.
#[derive(Clone, Copy)]
struct Scores {
    random: [f64; 2],
    smart: [f64; 2],
}

impl Scores {
    fn of(rules: DotsRules, choose: impl Fn(crate::games::dots::response::State) -> u8) -> Scores {
        let both = |opponent| {
            let chances = score(rules, opponent, 0, &choose);
            [100.0 * chances.first(), 100.0 * chances.second()]
        };
        Scores {
            random: both(Opponent::Random),
            smart: both(SMART),
        }
    }

    fn mean([first, second]: [f64; 2]) -> f64 {
        (first + second) / 2.0
    }
}

/// One run of the published learner: scores after each step. `change` may alter the settings before
/// a step.
fn run(
    settings: QSettings,
    seed: u64,
    games: u32,
    step: u32,
    change: impl Fn(u32, &mut QSettings),
) -> Vec<(u32, Scores)> {
    let mut memory = vec![0f32; Q_VALUES];
    let Ok(table) = <&mut [f32; Q_VALUES]>::try_from(&mut memory[..]) else {
        return vec![];
    };
    let mut learner = QLearner::new(table, settings, seed);
    let mut scores = vec![];
    let mut played = 0;
    while played <= games {
        let rules = learner.settings.rules;
        scores.push((
            played,
            Scores::of(rules, |state| greedy(learner.table(), state.edges).0),
        ));
        change(played, &mut learner.settings);
        learner.step(step);
        played += step;
    }
    scores
}

fn runs(settings: QSettings, scale: &Scale, games: u32) -> Vec<Vec<(u32, Scores)>> {
    let (games, step) = (scale.games(games), scale.games(STEP));
    let settings = QSettings {
        explore: scale.games(settings.explore),
        ..settings
    };
    scale
        .seeds(5)
        .par_iter()
        .map(|&seed| run(settings, seed, games, step, |_, _| {}))
        .collect()
}

/// The mean of the last three measurements, as in the published curves.
fn last_three(run: &[(u32, Scores)], figure: impl Fn(&Scores) -> f64) -> f64 {
    let last = &run[run.len().saturating_sub(3)..];
    last.iter().map(|(_, scores)| figure(scores)).sum::<f64>() / last.len() as f64
}

fn rows(
    findings: &mut Findings,
    name: &str,
    runs: &[Vec<(u32, Scores)>],
    published: [Option<f64>; 2],
) {
    let each = |figure: fn(&Scores) -> f64| {
        runs.iter()
            .map(|run| last_three(run, figure))
            .collect::<Vec<_>>()
    };
    findings.row(
        name,
        "wins against random %",
        published[0],
        &each(|scores| Scores::mean(scores.random)),
    );
    findings.row(
        name,
        "wins against smart %",
        published[1],
        &each(|scores| Scores::mean(scores.smart)),
    );
}

fn curve(
    name: &str,
    runs: &[Vec<(u32, Scores)>],
    figure: fn(&Scores) -> f64,
) -> crate::experiment::Curve {
    let points = |run: &Vec<(u32, Scores)>| {
        run.iter()
            .map(|(games, scores)| (f64::from(*games), figure(scores)))
            .collect()
    };
    mean_curve(name, &runs.iter().map(points).collect::<Vec<_>>())
}

fn figures(
    against_random: Vec<crate::experiment::Curve>,
    against_smart: Vec<crate::experiment::Curve>,
) -> Vec<Figure> {
    let figure = |name, whom: &str, curves| Figure {
        name,
        title: format!("2×2 dots and boxes: wins against {whom}"),
        x: "games trained",
        y: "wins %",
        curves,
    };
    vec![
        figure("random", "random", against_random),
        figure("smart", "smart", against_smart),
    ]
}

pub(super) fn exploration(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let (mut random, mut smart) = (vec![], vec![]);
    let untrained: Vec<_> = scale
        .seeds(5)
        .iter()
        .map(|&seed| run(QSettings::new(1), seed, 0, 1, |_, _| {}))
        .collect();
    rows(
        &mut findings,
        "untrained",
        &untrained,
        [Some(50.0), Some(8.0)],
    );
    for (explore, published, stops) in [
        (150_000, [98.0, 73.0], 300),
        (300_000, [98.0, 82.0], 450),
        (500_000, [98.0, 79.0], 550),
    ] {
        for (name, ending) in [
            ("converging", Ending::Converges),
            ("as printed", Ending::Adds),
        ] {
            let runs = runs(
                QSettings {
                    ending,
                    ..QSettings::new(explore)
                },
                scale,
                GAMES,
            );
            let setting = format!("C {explore}, {name}");
            rows(&mut findings, &setting, &runs, published.map(Some));
            if ending == Ending::Converges {
                let seat = |seat: usize| {
                    runs.iter()
                        .map(|run| last_three(run, |scores| scores.smart[seat]))
                        .collect::<Vec<_>>()
                };
                findings.row(
                    &setting,
                    "wins against smart moving first %",
                    Some(100.0),
                    &seat(0),
                );
                findings.row(
                    &setting,
                    "wins against smart moving second %",
                    Some(60.0),
                    &seat(1),
                );
                let settled: Vec<_> = runs.iter().map(|run| settled(run)).collect();
                findings.row(
                    &setting,
                    "stops learning after, thousand games",
                    Some(f64::from(stops)),
                    &settled,
                );
            }
            random.push(curve(&setting, &runs, |scores| Scores::mean(scores.random)));
            smart.push(curve(&setting, &runs, |scores| Scores::mean(scores.smart)));
        }
    }
    findings.figures = figures(random, smart);
    findings.remarks = vec![
        "With an end rule that converges, all three constants reach the published region; between seeds the score against \
         smart differs by several points, more than between the constants, so the published order of the three (one run \
         each) is not a finding.",
        "With the end rule as printed the values of lines that are often won grow without bound and hide the others: it does \
         not learn to beat smart. The published figures cannot come from the rule as printed.",
    ];
    Ok(findings)
}

/// The first measurement, in thousand games, after which the score against smart stays within two
/// points of the last.
fn settled(run: &[(u32, Scores)]) -> f64 {
    let last = last_three(run, |scores| Scores::mean(scores.smart));
    let moving = run
        .iter()
        .rposition(|(_, scores)| (Scores::mean(scores.smart) - last).abs() > 2.0);
    let first = moving.map_or(0, |place| (place + 1).min(run.len() - 1));
    f64::from(run[first].0) / 1000.0
}

pub(super) fn rules_change(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let half = scale.games(GAMES / 2);
    let other = [
        (
            "misère",
            DotsRules::default().judged(Ties::StarterLoses, true),
        ),
        (
            "equal boxes draw",
            DotsRules::default().judged(Ties::Draw, false),
        ),
    ];
    let mut curves = vec![];
    for (name, rules) in other {
        for (how, again) in [("exploring again", true), ("greedy", false)] {
            let settings = QSettings::new(scale.games(300_000));
            let change = |played: u32, settings: &mut QSettings| {
                if played == half {
                    settings.rules = rules;
                    if again {
                        // Half of the moves at first, none at the end.
                        settings.explore = 2 * half;
                    }
                }
            };
            let step = scale.games(STEP);
            let runs: Vec<_> = scale
                .seeds(5)
                .par_iter()
                .map(|&seed| run(settings, seed, 2 * half, step, change))
                .collect();
            let at = |games: u32| {
                let find = |run: &Vec<(u32, Scores)>| {
                    run.iter()
                        .find(|(played, _)| *played >= games)
                        .map(|(_, scores)| Scores::mean(scores.smart))
                };
                runs.iter().filter_map(find).collect::<Vec<_>>()
            };
            let setting = format!("{name} from {half} games on, {how}");
            findings.row(
                &setting,
                "wins against smart just after the change %",
                None,
                &at(half + step),
            );
            findings.row(
                &setting,
                "wins against smart at the end %",
                None,
                &at(2 * half),
            );
            curves.push(curve(&setting, &runs, |scores| Scores::mean(scores.smart)));
        }
        let best = 100.0 * Chances::<f64>::best(rules, SMART).average();
        findings.row(name, "best possible against smart %", None, &[best]);
    }
    findings.figures = figures(vec![], curves).split_off(1);
    findings.remarks = vec![
        "The learner is never told that the rules have changed. To misère it adapts well if it explores again, and \
                             badly if it goes on greedily. That equal boxes are a draw hardly changes how it plays, exploring \
                             or not. The thesis praises this ability and has no figures for it.",
    ];
    Ok(findings)
}

fn sweep(scale: &Scale, name: &str, settings: &[(String, QSettings)]) -> Findings {
    let mut findings = Findings::default();
    let mut curves = vec![];
    for (value, settings) in settings {
        let runs = runs(*settings, scale, GAMES);
        let setting = format!("{name} {value}");
        rows(&mut findings, &setting, &runs, [None, None]);
        curves.push(curve(&setting, &runs, |scores| Scores::mean(scores.smart)));
    }
    findings.figures = figures(vec![], curves).split_off(1);
    findings
}

pub(super) fn mu(scale: &Scale) -> Result<Findings, Unfinished> {
    let settings = [0.01, 0.03, 0.1, 0.2, 0.5].map(|rate: f64| {
        (
            rate.to_string(),
            QSettings {
                rate: (rate * 65_536.0).round() as u16,
                ..QSettings::new(300_000)
            },
        )
    });
    let mut findings = sweep(scale, "µ", &settings);
    findings.remarks = vec![
        "The published µ = 0.1 was not varied there; smaller rates are too slow for a million games, larger ones are as good.",
    ];
    Ok(findings)
}

pub(super) fn gamma(scale: &Scale) -> Result<Findings, Unfinished> {
    let settings = [0.5, 0.8, 0.9, 0.95, 1.0].map(|discount: f64| {
        (
            discount.to_string(),
            QSettings {
                discount: (discount * 65_536.0).round() as u32,
                ..QSettings::new(300_000)
            },
        )
    });
    let mut findings = sweep(scale, "γ", &settings);
    findings.remarks = vec![
        "The published γ = 1 was not varied there. A smaller one is clearly better against smart: what the learner \
                             believes about far moves, much of it wrong while both sides explore, weighs less.",
    ];
    Ok(findings)
}

pub(super) fn opponents(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let slipping = Opponent::Smart {
        slips: u32::MAX / 5,
    };
    let whom = [
        ("itself", Opponent::Itself),
        ("random", Opponent::Random),
        ("smart", SMART),
        ("smart that slips", slipping),
    ];
    for (name, opponent) in whom {
        let runs = runs(
            QSettings {
                opponent,
                ..QSettings::new(300_000)
            },
            scale,
            GAMES,
        );
        rows(
            &mut findings,
            &format!("edges only, against {name}"),
            &runs,
            [None, None],
        );
    }
    for (name, opponent) in whom {
        let games = scale.games(3_000_000);
        let scores: Vec<Scores> = scale
            .seeds(3)
            .par_iter()
            .map(|&seed| {
                let mut memory = vec![0f64; LEAVE_VALUES];
                let settings = LeaveSettings {
                    opponent,
                    ..LeaveSettings::new(games)
                };
                if let Ok(table) = <&mut [f64; LEAVE_VALUES]>::try_from(&mut memory[..]) {
                    LeaveLearner::new(table, settings, seed).step(games);
                }
                let rules = settings.rules;
                Scores::of(rules, |s| {
                    best_leave(&memory, &rules, s.edges, s.boxes, s.started).0
                })
            })
            .collect();
        let each = |figure: fn(&Scores) -> f64| scores.iter().map(figure).collect::<Vec<_>>();
        let setting = format!("edges, boxes and starter, against {name}");
        findings.row(
            &setting,
            "wins against random %",
            None,
            &each(|scores| Scores::mean(scores.random)),
        );
        findings.row(
            &setting,
            "wins against smart %",
            None,
            &each(|scores| Scores::mean(scores.smart)),
        );
    }
    for (name, opponent) in [("random", Opponent::Random), ("smart", SMART)] {
        let best = 100.0 * Chances::<f64>::best(DotsRules::default(), opponent).average();
        findings.row(
            format!("best possible against {name}"),
            "wins %",
            None,
            &[best],
        );
    }
    findings.remarks = vec![
        "The thesis trains only against itself, on purpose; our black belt trains against a fallible opponent and says so.",
        "With the score in sight even self-play and random opponents teach more than the published learner knows; only learning \
         against smart that slips comes within 0.2 points of the best possible score against both.",
        "What failed: a learner that sees only the edges does worse against a fixed opponent than against itself, because it meets \
         few positions; and the same edges can be won or lost, depending on the score.",
    ];
    Ok(findings)
}

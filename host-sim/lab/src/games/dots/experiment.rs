//! The experiments on 2×2 dots and boxes: the published learner, and variants of its settings.
//!
//! Scores are exact, not sampled: every position is visited. Published figures come from 1,000
//! games each.

use dojo_core::games::DotsRules;
use dojo_core::games::dots::Ties;
use dojo_core::games::dots::learner::{
    LEAVE_VALUES, LeaveLearner, LeaveSettings, Q_VALUES, QLearner, QSettings, best_leave, greedy,
};
use dojo_core::games::dots::two_by_two::Opponent;
use serde::{Deserialize, Serialize};

use crate::experiment::{Curve, Experiment, Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::dots::response::{Chances, score};

/// The experiments of this game.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "dots-exploration",
        title: "2×2 dots: the exploration constant",
        run: exploration,
    },
    Experiment {
        name: "dots-states",
        title: "Dots and boxes: the size of a table",
        run: states,
    },
    Experiment {
        name: "dots-sacrifice",
        title: "2×2 dots: the sacrifice that the learner finds",
        run: super::sacrifice::experiment,
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
/// Runs of each published setting.
const SEEDS: u64 = 20;
/// Runs of each setting of our own.
const FEW_SEEDS: u64 = 5;

/// Scores in percent against random, smart and simple, moving first and second.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Scores {
    random: [f64; 2],
    smart: [f64; 2],
    simple: [f64; 2],
}

/// One run: games played and scores, after each step.
type Course = Vec<(u32, Scores)>;

impl Scores {
    fn of(rules: DotsRules, choose: impl Fn(crate::games::dots::response::State) -> u8) -> Scores {
        let both = |opponent| {
            let chances = score(rules, opponent, 0, &choose);
            [100.0 * chances.first(), 100.0 * chances.second()]
        };
        Scores {
            random: both(Opponent::Random),
            smart: both(SMART),
            simple: both(Opponent::Simple),
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
) -> Course {
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

/// Runs of the published learner, a unit each. Games and exploration shrink with the scale.
fn runs(
    scale: &Scale,
    name: &str,
    settings: QSettings,
    seeds: u64,
) -> Result<Vec<Course>, Unfinished> {
    let (games, step) = (scale.games(GAMES), scale.games(STEP));
    let settings = QSettings {
        explore: scale.games(settings.explore),
        ..settings
    };
    scale.each(name, &scale.seeds(seeds), |seed| {
        run(settings, seed, games, step, |_, _| {})
    })
}

/// The mean of the last three measurements, as in the published curves.
fn last_three(run: &[(u32, Scores)], figure: impl Fn(&Scores) -> f64) -> f64 {
    let last = &run[run.len().saturating_sub(3)..];
    last.iter().map(|(_, scores)| figure(scores)).sum::<f64>() / last.len() as f64
}

/// The score against each opponent at the end of the runs.
fn rows(findings: &mut Findings, name: &str, runs: &[Course], published: [Option<f64>; 2]) {
    type Figure = (&'static str, fn(&Scores) -> f64);
    const FIGURES: [Figure; 2] = [
        ("wins against random %", |scores| {
            Scores::mean(scores.random)
        }),
        ("wins against smart %", |scores| Scores::mean(scores.smart)),
    ];
    for ((metric, figure), published) in FIGURES.into_iter().zip(published) {
        findings.row_with_range(name, metric, published, &ends(runs, figure));
    }
}

/// A figure of each run at its end.
fn ends(runs: &[Course], figure: fn(&Scores) -> f64) -> Vec<f64> {
    runs.iter().map(|run| last_three(run, figure)).collect()
}

fn curve(name: &str, runs: &[Course], figure: fn(&Scores) -> f64) -> Curve {
    let points = |run: &Course| {
        run.iter()
            .map(|(games, scores)| (f64::from(*games), figure(scores)))
            .collect()
    };
    mean_curve(name, &runs.iter().map(points).collect::<Vec<_>>())
}

fn figures(against_random: Vec<Curve>, against_smart: Vec<Curve>) -> Vec<Figure> {
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

/// The published score against smart with C = 150,000, the one that lies far from ours.
const PUBLISHED_LOW: f64 = 73.0;

pub(super) fn exploration(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let (mut random, mut smart) = (vec![], vec![]);
    let untrained = scale.each("untrained", &scale.seeds(SEEDS), |seed| {
        run(QSettings::new(1), seed, 0, 1, |_, _| {})
    });
    let declared = [
        (150_000, [98.0, PUBLISHED_LOW], 300),
        (300_000, [98.0, 82.0], 450),
        (500_000, [98.0, 79.0], 550),
    ]
    .map(|(explore, published, stops)| {
        let name = format!("C {}", scale.games(explore));
        let runs = runs(scale, &name, QSettings::new(explore), SEEDS);
        runs.map(|runs| (name, runs, published, stops))
    });
    rows(
        &mut findings,
        "untrained",
        &untrained?,
        [Some(50.0), Some(8.0)],
    );
    for declared in declared {
        let (name, runs, published, stops) = declared?;
        rows(&mut findings, &name, &runs, published.map(Some));
        findings.row(
            &name,
            "wins against smart moving first %",
            Some(100.0),
            &ends(&runs, |scores| scores.smart[0]),
        );
        findings.row(
            &name,
            "wins against smart moving second %",
            Some(60.0),
            &ends(&runs, |scores| scores.smart[1]),
        );
        let settled: Vec<_> = runs.iter().map(|run| settled(run)).collect();
        findings.row(
            &name,
            "stops learning after, thousand games",
            Some(f64::from(stops)),
            &settled,
        );
        // Single tables of the last half, as one saved table would be measured.
        let tables = |run: &Course| -> Vec<f64> {
            run[run.len() / 2..]
                .iter()
                .map(|(_, scores)| Scores::mean(scores.smart))
                .collect()
        };
        let low = |run: &Course| {
            let tables = tables(run);
            let low = tables.iter().filter(|&&score| score <= PUBLISHED_LOW);
            100.0 * low.count() as f64 / tables.len() as f64
        };
        findings.row(
            &name,
            "tables of the second half with at most 73 % against smart, %",
            None,
            &runs.iter().map(low).collect::<Vec<_>>(),
        );
        let lowest = runs.iter().flat_map(tables).fold(100.0, f64::min);
        findings.row(
            &name,
            "wins against smart %, lowest table of the second half",
            None,
            &[lowest],
        );
        random.push(curve(&name, &runs, |scores| Scores::mean(scores.random)));
        smart.push(curve(&name, &runs, |scores| Scores::mean(scores.smart)));
    }
    findings.figures = figures(random, smart);
    findings.remarks = vec![
        "The published rule updates a last move twice: towards 0, because no edge is left, and then by µ times the reward. \
         Together that is one step towards the reward, and it learns as published.",
        "Between seeds the score against smart differs by several points, more than between the constants, so the published \
         order of the three (one run each) is not a finding.",
    ];
    Ok(findings)
}

/// How a Q-table grows with the board: edges, sets of edges, and bytes at 8 a value.
pub(super) fn states(_: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    for (side, published) in [
        (1, None),
        (2, Some(393e3)),
        (3, Some(3.2e9)),
        (4, Some(352e12)),
        (5, None),
    ] {
        let edges = f64::from(2 * side * (side + 1));
        let sets = edges.exp2();
        let name = format!("{side}×{side}");
        findings.exact_row(&name, "edges", None, edges);
        findings.exact_row(&name, "sets of edges", None, sets);
        findings.exact_row(&name, "bytes of a Q-table", published, sets * edges * 8.0);
    }
    findings.remarks = vec![
        "A value of 8 bytes for each set of edges and each edge. Ours ships 40,960 bytes for 2×2, a book of openings and \
         exact search for 3×3, and a network of 368 weights for larger boards.",
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
    let (half, step) = (scale.games(GAMES / 2), scale.games(STEP));
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
    let declared = other.map(|(name, rules)| {
        [("exploring again", true), ("greedy", false)].map(|(how, again)| {
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
            let setting = format!("{name} from {half} games on, {how}");
            let runs = scale.each(&setting, &scale.seeds(FEW_SEEDS), |seed| {
                run(settings, seed, 2 * half, step, change)
            });
            runs.map(|runs| (setting, runs))
        })
    });
    let mut curves = vec![];
    for ((name, rules), declared) in other.into_iter().zip(declared) {
        for declared in declared {
            let (setting, runs) = declared?;
            let at = |games: u32| {
                let find = |run: &Course| {
                    run.iter()
                        .find(|(played, _)| *played >= games)
                        .map(|(_, scores)| Scores::mean(scores.smart))
                };
                runs.iter().filter_map(find).collect::<Vec<_>>()
            };
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
        findings.exact_row(name, "best possible against smart %", None, best);
    }
    findings.figures = figures(vec![], curves).split_off(1);
    findings.remarks = vec![
        "The learner is never told that the rules have changed. To misère it adapts well if it explores again, and \
                             badly if it goes on greedily. That equal boxes are a draw hardly changes how it plays, exploring \
                             or not. The thesis praises this ability and has no figures for it.",
    ];
    Ok(findings)
}

fn sweep(
    scale: &Scale,
    name: &str,
    settings: &[(String, QSettings)],
) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let mut curves = vec![];
    let declared: Vec<_> = settings
        .iter()
        .map(|(value, settings)| {
            let setting = format!("{name} {value}");
            let runs = runs(scale, &setting, *settings, FEW_SEEDS);
            runs.map(|runs| (setting, runs))
        })
        .collect();
    for declared in declared {
        let (setting, runs) = declared?;
        rows(&mut findings, &setting, &runs, [None, None]);
        curves.push(curve(&setting, &runs, |scores| Scores::mean(scores.smart)));
    }
    findings.figures = figures(vec![], curves).split_off(1);
    Ok(findings)
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
    let mut findings = sweep(scale, "µ", &settings)?;
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
    let mut findings = sweep(scale, "γ", &settings)?;
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
        ("simple", Opponent::Simple),
        ("smart", SMART),
        ("smart that slips", slipping),
    ];
    let edges_only = whom.map(|(name, opponent)| {
        let name = format!("edges only, against {name}");
        let settings = QSettings {
            opponent,
            ..QSettings::new(300_000)
        };
        let runs = runs(scale, &name, settings, FEW_SEEDS);
        runs.map(|runs| (name, runs))
    });
    let games = scale.games(3_000_000);
    let with_score = whom.map(|(name, opponent)| {
        let name = format!("edges, boxes and starter, against {name}");
        let scores = scale.each(&name, &scale.seeds(FEW_SEEDS), |seed| {
            let mut memory = vec![0f64; LEAVE_VALUES];
            let settings = LeaveSettings {
                opponent,
                ..LeaveSettings::new(games)
            };
            if let Ok(table) = <&mut [f64; LEAVE_VALUES]>::try_from(&mut memory[..]) {
                LeaveLearner::new(table, settings, seed).step(games);
            }
            let rules = settings.rules;
            let scores = Scores::of(rules, |s| {
                best_leave(&memory, &rules, s.edges, s.boxes, s.started).0
            });
            vec![(games, scores)]
        });
        scores.map(|runs| (name, runs))
    });
    for declared in edges_only.into_iter().chain(with_score) {
        let (name, runs) = declared?;
        rows(&mut findings, &name, &runs, [None, None]);
        findings.row(
            &name,
            "wins against simple %",
            None,
            &ends(&runs, |scores| Scores::mean(scores.simple)),
        );
    }
    for (name, opponent) in [
        ("random", Opponent::Random),
        ("simple", Opponent::Simple),
        ("smart", SMART),
    ] {
        let best = 100.0 * Chances::<f64>::best(DotsRules::default(), opponent).average();
        findings.exact_row(
            format!("best possible against {name}"),
            "wins %",
            None,
            best,
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

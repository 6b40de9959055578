//! Go on 9×9: learning curves, the published player's tables, and GNU Go as a referee.

use std::sync::Arc;

use dojo_core::bank::Bank;
use dojo_core::game::Game;
use dojo_core::games::go::{GoMove, RICH};
use dojo_core::games::{Go, GoRules};
use rayon::prelude::*;

use crate::arena::{self, Match};
use crate::bank::SHIPPED;
use crate::experiment::{Curve, Experiment, Figure, Findings, Scale, Unfinished};
use crate::games::go::gtp::program::gnugo;
use crate::games::go::self_play::{Reward, SelfPlay, SelfPlaySettings, greedy, judged};
use crate::games::go::train::{
    LOG_EVERY, against_taker, better, network_mover, published_mlp, published_perceptron,
};
use crate::games::go::{gtp_player, patterns, referee};
use crate::network::{FloatNetwork, Rates, TdSettings};
use crate::output;
use crate::players::{ArenaPlayer, PlayerFn};

/// The experiments of this game.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "go-training",
        title: "Go 9×9: learning curves of the published networks",
        run: training,
    },
    Experiment {
        name: "go-learning",
        title: "Go 9×9: what helps the learning (ours)",
        run: learning,
    },
    Experiment {
        name: "go-weak",
        title: "Go 9×9: the published player against a weak program",
        run: weak,
    },
    Experiment {
        name: "go-gnugo",
        title: "Go 9×9: the published player against GNU Go",
        run: against_gnugo,
    },
    Experiment {
        name: "go-referee",
        title: "Go 9×9: GNU Go as a referee (ours)",
        run: refereed,
    },
    Experiment {
        name: "go-patterns",
        title: "Go 9×9: recorded moves among the best twenty by induced rules",
        run: patterns::experiment::patterns,
    },
];

/// Games of each measurement of a curve.
const TEST_GAMES: u32 = 100;

/// Trains and measures every 200 games: games, wins in percent, mean score.
fn trained(settings: &SelfPlaySettings, seed: u64, games: u32) -> Vec<(f64, f64, f64)> {
    let mut curve = vec![];
    let Some(mut learner) = SelfPlay::new(settings.clone(), seed) else {
        return curve;
    };
    loop {
        let played = learner.progress().games;
        let (wins, score) = against_taker(
            network_mover(learner.network(), &settings.scales),
            TEST_GAMES,
        );
        curve.push((played.into(), wins, score));
        if played >= games {
            return curve;
        }
        (0..LOG_EVERY.min(games)).for_each(|_| learner.play_game());
    }
}

pub(super) fn training(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let kinds = [
        ("perceptron", published_perceptron(), [78.0, 20.0]),
        ("MLP", published_mlp(), [80.0, 22.4]),
    ];
    let (mut wins, mut scores) = (vec![], vec![]);
    for (name, settings, published) in kinds {
        let games = scale.games(8_000);
        let runs: Vec<_> = scale
            .seeds(2)
            .par_iter()
            .map(|&seed| trained(&settings, seed, games))
            .collect();
        let last = |figure: fn(&(f64, f64, f64)) -> f64| {
            runs.iter()
                .filter_map(|run| run.last().map(figure))
                .collect::<Vec<_>>()
        };
        let setting = format!("{name}, one move ahead, after {games} games");
        findings.row(
            &setting,
            "wins % (published: WallyPlus; ours: taker)",
            Some(published[0]),
            &last(|line| line.1),
        );
        findings.row(
            &setting,
            "mean score (published: WallyPlus; ours: taker)",
            Some(published[1]),
            &last(|line| line.2),
        );
        for (number, run) in runs.iter().enumerate() {
            let curve = |figure: fn(&(f64, f64, f64)) -> f64| {
                Curve::new(
                    format!("{name}, seed {}", scale.seed + number as u64),
                    run.iter().map(|line| (line.0, figure(line))).collect(),
                )
            };
            wins.push(curve(|line| line.1));
            scores.push(curve(|line| line.2));
        }
    }
    let figure = |name, y, curves| Figure {
        name,
        title: format!("Go 9×9, one move ahead against the player that takes and saves: {y}"),
        x: "games trained",
        y,
        curves,
    };
    findings.figures = vec![
        figure("wins", "wins %", wins),
        figure("score", "mean score", scores),
    ];
    findings.remarks = vec![
        "WallyPlus is not to be had. The opponent here takes stones where it can, saves its own, and otherwise plays at random: \
         the curves show the learning, the levels do not compare. go-weak and go-gnugo have opponents that do.",
    ];
    Ok(findings)
}

/// The effect of each change to the published training, alone and together.
pub(super) fn learning(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let (plain, better) = (published_mlp(), better());
    let td = |change: &dyn Fn(&mut TdSettings), of: &SelfPlaySettings| {
        let mut changed = of.clone();
        change(&mut changed.td);
        changed
    };
    let faster = |td: &mut TdSettings| {
        if let Rates::Steps(steps) = &mut td.rates {
            steps.iter_mut().for_each(|(_, rate)| *rate *= 10.0);
        }
    };
    let normal = SelfPlaySettings {
        scales: better.scales,
        ..plain.clone()
    };
    let margins = SelfPlaySettings {
        reward: Reward::Margin(20.0),
        ..normal.clone()
    };
    let lambda = |td: &mut TdSettings| td.lambda = 0.7;
    let variants = [
        ("as published", plain.clone()),
        ("ten times the rates", td(&faster, &plain)),
        ("+ normalised inputs", normal.clone()),
        ("+ normalised, margins as rewards", margins.clone()),
        ("+ normalised, TD(0.7)", td(&lambda, &normal)),
        ("+ normalised, margins, TD(0.7)", td(&lambda, &margins)),
        (
            "+ normalised, TD-leaf one move deep",
            SelfPlaySettings {
                leaf: true,
                ..normal.clone()
            },
        ),
        (
            "+ normalised, 8 hidden units",
            td(&|td| td.hidden = 8, &normal),
        ),
        ("richer view, all of it: what ships as better", better),
    ];
    let games = scale.games(8_000);
    let nets: Vec<_> = variants
        .par_iter()
        .filter_map(|(_, settings)| {
            let mut learner = SelfPlay::new(settings.clone(), scale.seed)?;
            (0..games).for_each(|_| learner.play_game());
            Some((learner.network().clone(), settings.scales))
        })
        .collect();
    let first = one_ahead(nets[0].clone());
    for ((name, _), net) in variants.iter().zip(&nets) {
        let (wins, score) = against_taker(
            network_mover(&net.0, &net.1),
            scale.games(400).max(TEST_GAMES),
        );
        findings.row(*name, "wins % against taker", None, &[wins]);
        findings.row(*name, "mean score against taker", None, &[score]);
        let result = arena::play::<Go>(
            GoRules::default(),
            &one_ahead(net.clone()),
            &first,
            scale.games(400),
            scale.seed,
            || {},
        );
        findings.row(
            *name,
            "score % against as published, both one move ahead",
            None,
            &[100.0 * result.total().score_a()],
        );
    }
    Ok(findings)
}

/// A float network that looks one move ahead; one move in twenty is random, so that games differ.
fn one_ahead((network, scales): (FloatNetwork, [f64; RICH])) -> ArenaPlayer<'static, Go> {
    let own: PlayerFn<Go> = Arc::new(move |game, rng| {
        let judged = judged(&network, game, &scales);
        let drawn = if rng.below(20) == 0 {
            rng.pick(judged.iter().map(|&(mv, _)| mv))
        } else {
            None
        };
        (!game.is_over())
            .then(|| drawn.unwrap_or_else(|| greedy(&judged)))
            .or(None::<GoMove>)
    });
    ArenaPlayer::OfGame(own)
}

/// Published results of one network against one opponent: percent and points as black, as white and
/// together.
type PublishedFigures = [Option<[f64; 2]>; 3];

fn rows(findings: &mut Findings, setting: &str, result: &Match, published: PublishedFigures) {
    let total = result.total();
    let parts = [
        ("as black", result.a_first, result.margins[0]),
        ("as white", result.a_second, result.margins[1]),
        ("all", total, result.mean_margin),
    ];
    for ((side, tally, margin), published) in parts.into_iter().zip(published) {
        let setting = format!("{setting}, {side}");
        findings.row(
            &setting,
            "wins %",
            published.map(|figures| figures[0]),
            &[100.0 * tally.score_a()],
        );
        findings.row(
            &setting,
            "mean score",
            published.map(|figures| figures[1]),
            &[margin],
        );
    }
    let [low, high] = total.ci95();
    findings.row(format!("{setting}, all"), "95 % from", None, &[100.0 * low]);
    findings.row(format!("{setting}, all"), "95 % to", None, &[100.0 * high]);
    findings.row(
        format!("{setting}, all"),
        "games",
        None,
        &[total.games().into()],
    );
    findings.row(
        format!("{setting}, all"),
        "different ones among them",
        None,
        &[result.different.into()],
    );
}

/// The published player against a program: networks, depths and what is published about each.
fn tables(
    scale: &Scale,
    opponent: &str,
    games: u32,
    players: &[(&str, PublishedFigures)],
) -> Findings {
    let mut findings = Findings::default();
    let Ok(bank) = Bank::new(SHIPPED) else {
        return findings;
    };
    let player = |name: &str| {
        name.parse()
            .ok()
            .and_then(|spec| ArenaPlayer::<Go>::new(&spec, GoRules::default(), &bank).ok())
    };
    let Some(other) = player(opponent) else {
        output::warn(
            "GNU Go is NOT INSTALLED: this experiment has no figures (Debian: apt install gnugo)",
        );
        findings
            .remarks
            .push("GNU Go was not installed when this was run: no figures.");
        return findings;
    };
    for (name, published) in players {
        let Some(player) = player(name) else { continue };
        let result = arena::play::<Go>(
            GoRules::default(),
            &player,
            &other,
            scale.games(games),
            scale.seed,
            || {},
        );
        rows(
            &mut findings,
            &format!("{name} against {opponent}"),
            &result,
            *published,
        );
    }
    if opponent == "weak" {
        let result = arena::play::<Go>(
            GoRules::default(),
            &other,
            &ArenaPlayer::Random,
            scale.games(100),
            scale.seed,
            || {},
        );
        rows(&mut findings, "weak against random", &result, [None; 3]);
    }
    findings
}

pub(super) fn weak(scale: &Scale) -> Result<Findings, Unfinished> {
    let both = |black, white, all| [Some(black), Some(white), Some(all)];
    let players = [
        (
            "annilgos:perceptron,depth=1",
            [None, None, Some([78.0, 20.0])],
        ),
        ("annilgos:mlp,depth=1", [None, None, Some([80.0, 22.4])]),
        ("annilgos:better,depth=1", [None; 3]),
        ("annilgos:eyes,depth=1", [None; 3]),
        (
            "annilgos:perceptron",
            both([100.0, 46.9], [64.0, 13.2], [82.0, 30.0]),
        ),
        (
            "annilgos:mlp",
            both([100.0, 75.5], [100.0, 25.8], [100.0, 50.7]),
        ),
        ("annilgos:better", [None; 3]),
        ("annilgos:eyes", [None; 3]),
    ];
    let mut findings = tables(scale, "weak", 100, &players);
    findings.remarks.push(
        "PublishedFigures figures are against WallyPlus. Ours are against `weak`: GNU Go 3.8 at level 1 that plays any legal stone \
         instead with every second move.",
    );
    Ok(findings)
}

pub(super) fn against_gnugo(scale: &Scale) -> Result<Findings, Unfinished> {
    let both = |black, white, all| [Some(black), Some(white), Some(all)];
    let players = [
        (
            "annilgos:perceptron",
            both([20.0, -40.0], [0.0, -58.0], [10.0, -49.0]),
        ),
        (
            "annilgos:mlp",
            both([50.0, -13.8], [6.0, -20.5], [28.0, -17.2]),
        ),
        ("annilgos:better", [None; 3]),
        ("annilgos:eyes", [None; 3]),
    ];
    let mut findings = tables(scale, "gnugo:level=1", 200, &players);
    findings
        .remarks
        .push("PublishedFigures: 100 games against the GNU Go of 2006. Ours: GNU Go 3.8 at level 1, Chinese rules, komi 5.5.");
    Ok(findings)
}

pub(super) fn refereed(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let (Some(_), Ok(exe)) = (gnugo(), std::env::current_exe()) else {
        output::warn(
            "GNU Go is NOT INSTALLED: this experiment has no figures (Debian: apt install gnugo)",
        );
        findings
            .remarks
            .push("GNU Go was not installed when this was run: no figures.");
        return Ok(findings);
    };
    let ours = format!("\"{}\" gtp --player annilgos:mlp", exe.display());
    let Ok(theirs) = (gtp_player::GtpProgram::GnuGo { level: 1 }).command() else {
        return Ok(findings);
    };
    let games = scale.games(50) as usize;
    match referee::judge(&ours, &theirs, games, scale.seed, || {}) {
        Ok(report) => {
            let setting = "dojo gtp with annilgos:mlp and GNU Go level 1";
            findings.row(setting, "games to their end", None, &[report.games as f64]);
            findings.row(
                setting,
                "faults on either side",
                None,
                &[report.faults.len() as f64],
            );
            findings.row(
                setting,
                "games with the same count",
                None,
                &[report.agreed as f64],
            );
            findings.row(setting, "won", None, &[report.won as f64]);
            for fault in &report.faults {
                output::warn(fault);
            }
            for (ours, theirs) in &report.differences {
                output::warn(&format!("ours counts {ours}, GNU Go {theirs}"));
            }
        }
        Err(trouble) => output::warn(&format!("the match did not take place: {trouble}")),
    }
    Ok(findings)
}

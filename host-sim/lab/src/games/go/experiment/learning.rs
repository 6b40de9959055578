//! How the published networks learn: curves, rates, credit, opponents.

use std::sync::Arc;

use dojo_core::game::Game;
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::{GoMove, RICH};
use dojo_core::games::{Go, GoRules};

use super::{has_gnugo, matches, player, published, published_player};
use crate::arena;
use crate::bank::manifest::ModelKind;
use crate::experiment::{Curve, Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::go::published::Published;
use crate::games::go::self_play::{Credit, Reward, SelfPlay, SelfPlaySettings, greedy, judged};
use crate::games::go::train::{
    LOG_EVERY, MLP_RATES, against_smart, better, network_mover, published_mlp, published_perceptron,
};
use crate::network::{Activation, FloatNetwork, Rates, TdSettings};
use crate::output;
use crate::players::{ArenaPlayer, PlayerFn};

/// Games of each measurement of a curve.
const TEST_GAMES: u32 = 100;
/// Seeds of every row.
const SEEDS: u64 = 5;
/// Games of the published training.
const PUBLISHED_GAMES: u32 = 8_000;
/// Moves that the published player looks ahead.
const PUBLISHED_DEPTH: u8 = 3;

/// A point of a curve: games, wins in percent and mean score against `smart`.
type CurvePoint = (f64, f64, f64);

/// Trains and measures at intervals.
fn trained(settings: &SelfPlaySettings, seed: u64, games: u32, every: u32) -> Vec<CurvePoint> {
    let mut curve = vec![];
    let Some(mut learner) = SelfPlay::new(settings.clone(), seed) else {
        return curve;
    };
    loop {
        let played = learner.progress().games;
        let (wins, score) = against_smart(
            network_mover(learner.network(), &settings.scales),
            TEST_GAMES,
        );
        curve.push((played.into(), wins, score));
        if played >= games {
            return curve;
        }
        (0..every.min(games)).for_each(|_| learner.play_game());
    }
}

/// Training settings with their name and, where there are any, published wins and score.
type Trained = (&'static str, SelfPlaySettings, Option<[f64; 2]>);

/// Rows and curves of several trainings.
fn curves(
    scale: &Scale,
    kinds: &[Trained],
    games: u32,
    every: u32,
) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let games = scale.games(games);
    let runs: Vec<_> = kinds
        .iter()
        .map(|(name, settings, _)| {
            scale.each(name, &scale.seeds(SEEDS), |seed| {
                trained(settings, seed, games, every)
            })
        })
        .collect();
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (mut wins, mut scores) = (vec![], vec![]);
    for ((name, _, figures), runs) in kinds.iter().zip(&runs) {
        let last = |figure: fn(&CurvePoint) -> f64| {
            runs.iter()
                .filter_map(|run| run.last().map(figure))
                .collect::<Vec<_>>()
        };
        let setting = format!("{name}, one move ahead, after {games} games");
        let figure = |n: usize| figures.and_then(|figures| published(scale, figures[n]));
        findings.row(
            &setting,
            "wins % (published: WallyPlus; ours: smart)",
            figure(0),
            &last(|point| point.1),
        );
        findings.row(
            &setting,
            "mean score (published: WallyPlus; ours: smart)",
            figure(1),
            &last(|point| point.2),
        );
        let curve = |figure: fn(&CurvePoint) -> f64| {
            let points = |run: &Vec<CurvePoint>| -> Vec<(f64, f64)> {
                run.iter().map(|point| (point.0, figure(point))).collect()
            };
            mean_curve(*name, &runs.iter().map(points).collect::<Vec<_>>())
        };
        wins.push(curve(|point| point.1));
        scores.push(curve(|point| point.2));
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

pub(super) fn training(scale: &Scale) -> Result<Findings, Unfinished> {
    let kinds = [
        ("perceptron", published_perceptron(), Some([78.0, 20.0])),
        ("MLP", published_mlp(), Some([80.0, 22.4])),
    ];
    curves(scale, &kinds, PUBLISHED_GAMES, LOG_EVERY)
}

/// Readings of the published "from 0.1 down", with the gradient as printed and with the whole one.
fn readings() -> [Trained; 3] {
    let plain = published_mlp();
    let changed = |activation, factor: f64| SelfPlaySettings {
        td: TdSettings {
            activation,
            rates: Rates::Steps(
                MLP_RATES
                    .iter()
                    .map(|&(from, rate)| (from, factor * rate))
                    .collect(),
            ),
            ..plain.td.clone()
        },
        ..plain.clone()
    };
    [
        ("printed gradient from 0.01", plain.clone(), None),
        (
            "printed gradient from 0.1",
            changed(Activation::TenthTanh, 10.0),
            Some([80.0, 22.4]),
        ),
        (
            "whole gradient from 0.1",
            changed(Activation::TenthTanhTrue, 10.0),
            Some([80.0, 22.4]),
        ),
    ]
}

/// The published network with four hidden units by each reading of its rates.
pub(super) fn rates(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = curves(scale, &readings(), PUBLISHED_GAMES, 2 * LOG_EVERY)?;
    findings.remarks.push(
        "Only `from 0.1 down` is published; the steps are the perceptron's. The printed gradient leaves out the factor 1/10 of \
         tanh(x/10) at both layers: at the same rate its steps are 10 times those of the whole gradient at the output layer and \
         100 times at the hidden layer.",
    );
    Ok(findings)
}

/// The published failure: at 0.005 the perceptron rises and falls again.
pub(super) fn unstable(scale: &Scale) -> Result<Findings, Unfinished> {
    const UNSTABLE_GAMES: u32 = 2_000;
    let mut settings = published_perceptron();
    settings.td.rates = Rates::Steps(vec![(0, 0.005)]);
    let name = "rate 0.005";
    let mut findings = curves(scale, &[(name, settings, None)], UNSTABLE_GAMES, LOG_EVERY)?;
    let points = findings.figures[0].curves[0].points.clone();
    let peak = points.iter().fold(
        (0.0, 0.0),
        |best, &point| {
            if point.1 > best.1 { point } else { best }
        },
    );
    let later = points.iter().filter(|point| point.0 >= peak.0);
    let lowest = later.fold(f64::INFINITY, |low, point| low.min(point.1));
    for (metric, figure, found) in [
        ("games at the peak of the mean curve", 1_600.0, peak.0),
        ("wins % at the peak", 80.0, peak.1),
        ("lowest wins % after the peak", 30.0, lowest),
    ] {
        findings.row(name, metric, published(scale, figure), &[found]);
    }
    if !scale.quick {
        for (name, level) in [("peak, at 1,600", 80.0), ("later", 30.0)] {
            let ends = [0.0, f64::from(UNSTABLE_GAMES)];
            let line = Curve::published(name, ends.map(|games| (games, level)).to_vec());
            findings.figures[0].curves.push(line);
        }
    }
    findings.remarks.push(
        "Published: 80 % against WallyPlus after 1,600 games at the rate 0.005, later 30 %. How many games later is not known.",
    );
    Ok(findings)
}

/// Wins % and score against `smart`, score % against the shipped network `mlp`.
type Strength = (f64, f64, f64);

/// The rows of several trainings, measured at their end.
fn strengths(
    scale: &Scale,
    names: &[String],
    train: impl Fn(usize, u64) -> Option<SelfPlay> + Sync,
) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let runs: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            scale.each(name, &scale.seeds(SEEDS), |seed| {
                train(number, seed)
                    .map_or((0.0, 0.0, 0.0), |learner| strength(&learner, scale, seed))
            })
        })
        .collect();
    let runs = runs.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (name, runs) in names.iter().zip(&runs) {
        let figures = |figure: fn(&Strength) -> f64| runs.iter().map(figure).collect::<Vec<_>>();
        findings.row(name, "wins % against smart", None, &figures(|run| run.0));
        findings.row(
            name,
            "mean score against smart",
            None,
            &figures(|run| run.1),
        );
        findings.row(
            name,
            "score % against the shipped mlp, both one move ahead",
            None,
            &figures(|run| run.2),
        );
    }
    findings.remarks.push(
        "The shipped mlp learned as published from 8,000 games. Every twentieth move of both players is drawn at random.",
    );
    Ok(findings)
}

fn strength(learner: &SelfPlay, scale: &Scale, seed: u64) -> Strength {
    let scales = learner.settings().scales;
    let (wins, score) = against_smart(
        network_mover(learner.network(), &scales),
        scale.games(400).max(TEST_GAMES),
    );
    let against_shipped = published_player("mlp", 1).map_or(0.0, |shipped| {
        let result = arena::play::<Go>(
            GoRules::default(),
            &one_ahead(learner.network().clone(), scales),
            &slipping(shipped),
            scale.games(200),
            seed,
            || {},
        );
        100.0 * result.total().score_a()
    });
    (wins, score, against_shipped)
}

/// A float network that looks one move ahead; one move in twenty is random, so that games differ.
fn one_ahead(network: FloatNetwork, scales: [f64; RICH]) -> ArenaPlayer<'static, Go> {
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

/// The published player with one random move in twenty.
fn slipping(player: Published) -> ArenaPlayer<'static, Go> {
    let own: PlayerFn<Go> = Arc::new(move |game, rng| {
        let drawn = if rng.below(20) == 0 {
            rng.pick(sensible_points(game)).map(GoMove::Stone)
        } else {
            None
        };
        drawn.or_else(|| player.choose(game))
    });
    ArenaPlayer::OfGame(own)
}

/// Freshly trained networks, several seeds by each reading of the rates, as the published player
/// against GNU Go.
pub(super) fn networks(scale: &Scale) -> Result<Findings, Unfinished> {
    let perceptron = [("perceptron", published_perceptron(), None)];
    let kinds = perceptron.into_iter().chain(readings());
    let names = [
        "",
        "4 hidden units, ",
        "4 hidden units, ",
        "4 hidden units, ",
    ];
    let kinds: Vec<_> = names
        .into_iter()
        .zip(kinds)
        .map(|(of, (name, settings, _))| (format!("{of}{name}"), settings))
        .collect();
    let training_games = scale.games(PUBLISHED_GAMES);
    let mut findings = matches::of_networks(
        scale,
        &kinds.iter().map(|kind| kind.0.as_str()).collect::<Vec<_>>(),
        |number, seed| {
            let settings = &kinds[number].1;
            let learner = self_taught(settings, seed, training_games)?;
            let TdSettings { inputs, hidden, .. } = settings.td;
            let kind = ModelKind::Network {
                inputs: inputs as u16,
                hidden: hidden as u16,
            };
            Published::from_weights(kind, learner.network().weights(), PUBLISHED_DEPTH)
                .inspect_err(|reason| output::warn(reason))
                .ok()
        },
    )?;
    findings.remarks.push(
        "Every network is of 8,000 games of its own and looks three moves ahead at twenty candidates by urgency. Published: one \
         network of each kind, 100 games against the GNU Go of 2006.",
    );
    Ok(findings)
}

/// The effect of each change to the published training, alone and together.
pub(super) fn learning(scale: &Scale) -> Result<Findings, Unfinished> {
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
                credit: Credit::Leaf,
                ..normal.clone()
            },
        ),
        (
            "+ normalised, 8 hidden units",
            td(&|td| td.hidden = 8, &normal),
        ),
        ("richer view, all of it: what ships as better", better),
    ];
    let games = scale.games(2_000);
    strengths(
        scale,
        &variants.each_ref().map(|variant| after(variant.0, games)),
        |number, seed| self_taught(&variants[number].1, seed, games),
    )
}

/// The name of a training of so many games.
fn after(name: &str, games: u32) -> String {
    format!("{name}, {games} games")
}

fn self_taught(settings: &SelfPlaySettings, seed: u64, games: u32) -> Option<SelfPlay> {
    let mut learner = SelfPlay::new(settings.clone(), seed)?;
    (0..games).for_each(|_| learner.play_game());
    Some(learner)
}

/// Which positions are learned, and how far the training games look ahead.
pub(super) fn credit(scale: &Scale) -> Result<Findings, Unfinished> {
    let with = |credit, depth| SelfPlaySettings {
        credit,
        depth,
        ..published_mlp()
    };
    let variants = [
        (
            "TD(0), one move ahead: as published",
            with(Credit::Played, 1),
        ),
        ("TD(µ), µ 0, one move ahead", with(Credit::Mu(0.0), 1)),
        ("TD-leaf, one move ahead", with(Credit::Leaf, 1)),
        ("TD-directed, two moves ahead", with(Credit::Played, 2)),
        ("TD-leaf, two moves ahead", with(Credit::Leaf, 2)),
    ];
    let games = scale.games(500);
    let mut findings = strengths(
        scale,
        &variants.each_ref().map(|variant| after(variant.0, games)),
        |number, seed| self_taught(&variants[number].1, seed, games),
    )?;
    findings.remarks.push(
        "Searches of two moves are alpha-beta over the eight most promising moves of each position.",
    );
    Ok(findings)
}

/// The published network, taught by games against other players.
pub(super) fn opponents(scale: &Scale) -> Result<Findings, Unfinished> {
    const SELF: &str = "its younger self";
    const LIGHT: &[(&str, &[&str])] = &[
        ("its younger self", &[SELF]),
        ("smart", &["smart"]),
        ("mcts, 20 playouts a move", &["mcts:playouts=20"]),
        (
            "mixed: itself, smart, mcts",
            &[SELF, "smart", "mcts:playouts=20"],
        ),
    ];
    const WITH_GNUGO: &[(&str, &[&str])] = &[
        ("weak: GNU Go with random moves", &["weak"]),
        ("GNU Go level 1", &["gnugo:level=1"]),
        (
            "mixed: itself, smart, mcts, weak, GNU Go",
            &[SELF, "smart", "mcts:playouts=20", "weak", "gnugo:level=1"],
        ),
    ];
    let mut findings = Findings::default();
    // GNU Go takes half a second a game and more, so the comparison with it is of fewer games.
    let (few, many) = (scale.games(100), scale.games(400));
    let others = if has_gnugo(&mut findings) {
        WITH_GNUGO
    } else {
        &[]
    };
    let short = LIGHT.iter().chain(others).map(|variant| (variant, few));
    let variants: Vec<_> = short
        .chain(LIGHT.iter().map(|variant| (variant, many)))
        .collect();
    let names: Vec<_> = variants
        .iter()
        .map(|((name, _), games)| after(name, *games))
        .collect();
    let measured = strengths(scale, &names, |number, seed| {
        let named = |name: &&str| match *name {
            SELF => Some(None),
            other => player(other).map(Some),
        };
        let ((_, names), games) = variants[number];
        let Some(opponents) = names.iter().map(named).collect::<Option<Vec<_>>>() else {
            output::warn(&format!("cannot start all of {names:?}"));
            return None;
        };
        let mut learner = SelfPlay::new(published_mlp(), seed)?;
        for game in 0..games as usize {
            // Two games, one with each colour, against each in turn.
            match &opponents[game / 2 % opponents.len()] {
                None => learner.play_game(),
                Some(opponent) => {
                    learner.play_game_against(Some(&|game, rng| opponent.choose(game, rng)));
                }
            }
        }
        Some(learner)
    })?;
    findings.rows = measured.rows;
    findings.remarks.extend(measured.remarks);
    findings
        .remarks
        .push("Rates and draws of moves are as published.");
    Ok(findings)
}

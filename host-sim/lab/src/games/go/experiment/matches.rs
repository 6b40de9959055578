//! The published player's matches, and GNU Go as a referee.

use std::collections::HashSet;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{GoMove, Point};
use dojo_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::{has_gnugo, player, published};
use crate::experiment::{Findings, Scale, Unfinished};
use crate::games::go::gtp_player::GtpProgram;
use crate::games::go::published::Published;
use crate::games::go::referee;
use crate::output;
use crate::players::{ArenaGame, ArenaPlayer};
use crate::stats::wilson;

/// The opponent of most matches.
const GNUGO: &str = "gnugo:level=1";

/// Seeds of every row; the games are shared among them.
pub(super) const SEEDS: u64 = 5;

/// The result of a game for the player that is measured.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) is_black: bool,
    /// 1, ½ or 0.
    pub(super) won: f64,
    /// In points.
    pub(super) margin: f64,
    moves: Vec<u16>,
}

/// The first position of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The empty board, as published.
    Empty,
    /// A stone of each player at random on the middle 5×5 points: two deterministic players repeat
    /// whole games from the empty board. Both colours play each opening.
    TwoStones,
}

impl Start {
    fn game(self, seed: u64, number: u32) -> Go {
        let mut game = Go::new(Default::default());
        if self == Start::TwoStones {
            let mut rng = Rng::new(seed << 32 | u64::from(number / 2));
            while game.plies() < 2 {
                let mut at = || 2 + rng.below(5) as u8;
                let mv = Point::new(at(), at()).map(GoMove::Stone);
                if let Some(mv) = mv.filter(|&mv| game.is_legal(mv)) {
                    game.play_unchecked(mv);
                }
            }
        }
        game
    }
}

/// Plays so many games, `mine` black in every other one, and returns the results and last positions.
pub(super) fn play(
    start: Start,
    games: u32,
    seed: u64,
    mut mine: impl FnMut(u32, &Go, &mut Rng) -> Option<GoMove>,
    other: &ArenaPlayer<'_, Go>,
) -> Vec<(Played, Go)> {
    let mut results = vec![];
    for number in 0..games {
        let me = Player::BOTH[number as usize % 2];
        let mut rng = Rng::new(!seed << 32 | u64::from(number));
        let mut game = start.game(seed, number);
        let mut gave_up = None;
        while !game.is_over() {
            let chosen = if game.turn() == me {
                mine(number, &game, &mut rng)
            } else {
                other.choose(&game, &mut rng)
            };
            let Some(mv) = chosen else {
                gave_up = Some(game.turn());
                break;
            };
            game.play_unchecked(mv);
        }
        let (value, margin) = Go::verdict(&game, me, gave_up);
        let played = Played {
            is_black: me == Player::First,
            won: (f64::from(value) + 1.0) / 2.0,
            margin: f64::from(margin) * Go::POINTS,
            moves: game.moves().map(GameMove::index).collect(),
        };
        results.push((played, game));
    }
    results
}

/// The mean of a figure over games.
pub(super) fn mean(figures: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = figures.fold((0.0, 0.0), |(sum, count), figure| {
        (sum + figure, count + 1.0)
    });
    sum / f64::max(count, 1.0)
}

/// Published results of one network against one opponent: percent and points as black, as white and
/// together.
type PublishedFigures = [Option<[f64; 2]>; 3];

/// Chooses games.
type Wanted = fn(&Played) -> bool;

fn rows(
    findings: &mut Findings,
    scale: &Scale,
    setting: &str,
    seeds: &[Vec<Played>],
    figures: PublishedFigures,
) {
    let sides: [(&str, Wanted); 3] = [
        ("as black", |played| played.is_black),
        ("as white", |played| !played.is_black),
        ("all", |_| true),
    ];
    for ((side, wanted), figures) in sides.into_iter().zip(figures) {
        let setting = format!("{setting}, {side}");
        let figure = |n: usize| figures.and_then(|figures| published(scale, figures[n]));
        let by_seed = |figure: fn(&Played) -> f64| {
            let of = |games: &Vec<Played>| {
                mean(games.iter().filter(|played| wanted(played)).map(figure))
            };
            seeds.iter().map(of).collect::<Vec<_>>()
        };
        findings.row(
            &setting,
            "wins %",
            figure(0),
            &by_seed(|played| 100.0 * played.won),
        );
        findings.row(
            &setting,
            "mean score",
            figure(1),
            &by_seed(|played| played.margin),
        );
    }
    let all = || seeds.iter().flatten();
    let games = all().count() as u32;
    let [low, high] = wilson(all().map(|played| played.won).sum(), games);
    let different: HashSet<_> = all()
        .map(|played| (played.is_black, &played.moves))
        .collect();
    let setting = format!("{setting}, all");
    findings.row(&setting, "95 % from", None, &[100.0 * low]);
    findings.row(&setting, "95 % to", None, &[100.0 * high]);
    findings.row(&setting, "games", None, &[games.into()]);
    findings.row(
        &setting,
        "different ones among them",
        None,
        &[different.len() as f64],
    );
}

/// Players against a program, with what is published about each.
fn tables(
    scale: &Scale,
    start: Start,
    games: u32,
    pairs: &[(&str, &str, PublishedFigures)],
) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    if !has_gnugo(&mut findings) {
        return Ok(findings);
    }
    let games = scale.games(games).div_ceil(SEEDS as u32).max(2);
    let results: Vec<_> = pairs
        .iter()
        .map(|(name, opponent, _)| {
            scale.each(&format!("{name} {opponent}"), &scale.seeds(SEEDS), |seed| {
                let (Some(own), Some(other)) = (player(name), player(opponent)) else {
                    output::warn(&format!("{name} or {opponent} cannot play"));
                    return vec![];
                };
                let choose = |_, game: &Go, rng: &mut Rng| own.choose(game, rng);
                let results = play(start, games, seed, choose, &other);
                results.into_iter().map(|(played, _)| played).collect()
            })
        })
        .collect();
    let results = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    for ((name, opponent, figures), seeds) in pairs.iter().zip(&results) {
        let setting = format!("{name} against {opponent}");
        rows(&mut findings, scale, &setting, seeds, *figures);
    }
    Ok(findings)
}

pub(super) fn weak(scale: &Scale) -> Result<Findings, Unfinished> {
    let both = |black, white, all| [Some(black), Some(white), Some(all)];
    let depth_1 = |all| [None, None, Some(all)];
    let pairs = [
        ("annilgos:perceptron,depth=1", "weak", depth_1([78.0, 20.0])),
        ("annilgos:mlp,depth=1", "weak", depth_1([80.0, 22.4])),
        ("annilgos:better,depth=1", "weak", [None; 3]),
        ("annilgos:eyes,depth=1", "weak", [None; 3]),
        (
            "annilgos:perceptron",
            "weak",
            both([100.0, 46.9], [64.0, 13.2], [82.0, 30.0]),
        ),
        (
            "annilgos:mlp",
            "weak",
            both([100.0, 75.5], [100.0, 25.8], [100.0, 50.7]),
        ),
        ("annilgos:better", "weak", [None; 3]),
        ("annilgos:eyes", "weak", [None; 3]),
        ("weak", "random", [None; 3]),
    ];
    let mut findings = tables(scale, Start::Empty, 100, &pairs)?;
    findings.remarks.push(
        "Published figures are against WallyPlus. Ours are against `weak`: GNU Go 3.8 at level 1 that plays any legal stone \
         instead with every second move.",
    );
    Ok(findings)
}

pub(super) fn against_gnugo(scale: &Scale) -> Result<Findings, Unfinished> {
    let both = |black, white, all| [Some(black), Some(white), Some(all)];
    let pairs = [
        (
            "annilgos:perceptron",
            GNUGO,
            both([20.0, -40.0], [0.0, -58.0], [10.0, -49.0]),
        ),
        (
            "annilgos:mlp",
            GNUGO,
            both([50.0, -13.8], [6.0, -20.5], [28.0, -17.2]),
        ),
        ("annilgos:better", GNUGO, [None; 3]),
        ("annilgos:eyes", GNUGO, [None; 3]),
    ];
    let mut findings = tables(scale, Start::TwoStones, 100, &pairs)?;
    findings.remarks.push(
        "Published: 100 games against the GNU Go of 2006. Ours: GNU Go 3.8 at level 1, Chinese rules, komi 5.5; a stone of each \
         player stands at random on the middle 5×5 points first, since whole games repeat from the empty board.",
    );
    Ok(findings)
}

/// The published player with networks that `train` makes by number and seed, against GNU Go.
pub(super) fn of_networks(
    scale: &Scale,
    names: &[&str],
    train: impl Fn(usize, u64) -> Option<Published> + Sync,
) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    if !has_gnugo(&mut findings) {
        return Ok(findings);
    }
    let games = scale.games(100).div_ceil(SEEDS as u32).max(2);
    let results: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(number, name)| {
            scale.each(name, &scale.seeds(SEEDS), |seed| {
                let (Some(own), Some(other)) = (train(number, seed), player(GNUGO)) else {
                    output::warn(&format!("{name} or {GNUGO} cannot play"));
                    return vec![];
                };
                let choose = |_, game: &Go, _: &mut Rng| own.choose(game);
                let results = play(Start::TwoStones, games, seed, choose, &other);
                results.into_iter().map(|(played, _)| played).collect()
            })
        })
        .collect();
    let results = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    for (name, seeds) in names.iter().zip(&results) {
        rows(&mut findings, scale, name, seeds, [None; 3]);
        let by_seed = |games: &Vec<Played>| 100.0 * mean(games.iter().map(|played| played.won));
        let (low, high) = seeds
            .iter()
            .map(by_seed)
            .fold((100.0, 0.0), |(low, high): (f64, f64), wins| {
                (low.min(wins), high.max(wins))
            });
        findings.row(*name, "wins % of the weakest seed", None, &[low]);
        findings.row(*name, "wins % of the strongest seed", None, &[high]);
    }
    Ok(findings)
}

pub(super) fn candidates(scale: &Scale) -> Result<Findings, Unfinished> {
    let all = |figures| [None, None, Some(figures)];
    let (perceptron, mlp) = (all([10.0, -49.0]), all([28.0, -17.2]));
    let pairs = [
        ("annilgos:perceptron,candidates=patterns", GNUGO, perceptron),
        ("annilgos:mlp,candidates=patterns", GNUGO, mlp),
        (
            "annilgos:perceptron,candidates=published",
            GNUGO,
            perceptron,
        ),
        ("annilgos:mlp,candidates=published", GNUGO, mlp),
        ("annilgos:perceptron", GNUGO, perceptron),
        ("annilgos:mlp", GNUGO, mlp),
    ];
    let mut findings = tables(scale, Start::TwoStones, 100, &pairs)?;
    findings.remarks.push(
        "Published: 100 games against the GNU Go of 2006. Ours: GNU Go 3.8 at level 1, Chinese rules, komi 5.5; all rows play the \
         same openings, a stone of each player at random on the middle 5×5 points, with both colours.",
    );
    Ok(findings)
}

/// Games that both programs played to the end, agreed counts, wins, faults and different counts.
type RefereeCounts = (usize, usize, usize, Vec<String>, Vec<(String, String)>);

pub(super) fn refereed(scale: &Scale) -> Result<Findings, Unfinished> {
    const GAMES_PER_UNIT: u32 = 10;
    let mut findings = Findings::default();
    let (true, Ok(exe)) = (has_gnugo(&mut findings), std::env::current_exe()) else {
        return Ok(findings);
    };
    let ours = format!("\"{}\" gtp --player annilgos:mlp", exe.display());
    let theirs = (GtpProgram::GnuGo { level: 1 }).command()?;
    let games = scale.games(50);
    let firsts: Vec<u64> = (0..games)
        .step_by(GAMES_PER_UNIT as usize)
        .map(|first| scale.seed + u64::from(first))
        .collect();
    let counts: Vec<RefereeCounts> = scale.each("referee", &firsts, |seed| {
        let left = games - (seed - scale.seed) as u32;
        let count = left.min(GAMES_PER_UNIT) as usize;
        match referee::judge(&ours, &theirs, count, seed, || {}) {
            Ok(report) => (
                report.games,
                report.agreed,
                report.won,
                report.faults,
                report.differences,
            ),
            Err(trouble) => (0, 0, 0, vec![trouble.to_string()], vec![]),
        }
    })?;
    let setting = "dojo gtp with annilgos:mlp and GNU Go level 1";
    let mut sum = |metric, figure: fn(&RefereeCounts) -> usize| {
        let sum: usize = counts.iter().map(figure).sum();
        findings.row(setting, metric, None, &[sum as f64]);
    };
    sum("games to their end", |counts| counts.0);
    sum("faults on either side", |counts| counts.3.len());
    sum("games with the same count", |counts| counts.1);
    sum("won", |counts| counts.2);
    for (_, _, _, faults, differences) in &counts {
        faults.iter().for_each(|fault| output::warn(fault));
        for (ours, theirs) in differences {
            output::warn(&format!("ours counts {ours}, GNU Go {theirs}"));
        }
    }
    Ok(findings)
}

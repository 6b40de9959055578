//! Why a deeper search does not help the published networks against GNU Go: the same openings one,
//! two and three moves ahead, with the value that the search expects beside playouts.

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::UNIT;
use dojo_core::games::go::players::{Ownership, annilgos, dead_stones};
use dojo_core::rng::Rng;
use dojo_core::search::Settings;
use serde::{Deserialize, Serialize};

use super::matches::{Played, SEEDS, Start, mean, play};
use super::{has_gnugo, player, published_player};
use crate::experiment::{Figure, Findings, Scale, Unfinished, mean_curve};
use crate::network::tenth_tanh;

/// Own moves between two estimates by playouts.
const EVERY: usize = 4;
/// Estimates of a game.
const ESTIMATES: usize = 6;
/// Playouts of an estimate.
const PLAYOUTS: u16 = 60;

/// A game, and what the search expected in it.
#[derive(Debug, Serialize, Deserialize)]
struct ObservedGame {
    played: Played,
    /// Value that the search expects at each own move, from −1 to 1.
    expected: Vec<f64>,
    /// Points that playouts expect at every fourth own move.
    by_playouts: Vec<f64>,
    /// Own stones captured or dead at the end.
    lost: f64,
}

pub(super) fn depth(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    if !has_gnugo(&mut findings) {
        return Ok(findings);
    }
    let with = |narrow, quiescence| Settings {
        narrow,
        quiescence,
        ..Settings::SOUND
    };
    let variants = [
        ("mlp", "1 move, all moves", 1, with(u16::from(u8::MAX), 0)),
        ("mlp", "1 move", 1, with(annilgos::WIDTH, 0)),
        ("mlp", "2 moves", 2, with(annilgos::WIDTH, 0)),
        ("mlp", "3 moves", 3, with(annilgos::WIDTH, 0)),
        ("mlp", "2 moves and captures", 2, with(annilgos::WIDTH, 4)),
        ("mlp", "3 moves and captures", 3, with(annilgos::WIDTH, 4)),
        (
            "perceptron",
            "1 move, all moves",
            1,
            with(u16::from(u8::MAX), 0),
        ),
        (
            "perceptron",
            "3 moves and captures",
            3,
            with(annilgos::WIDTH, 4),
        ),
    ];
    let games = scale.games(10).div_ceil(SEEDS as u32).max(2);
    let names = variants
        .each_ref()
        .map(|(network, ahead, ..)| format!("{network}, {ahead}"));
    let results: Vec<_> = variants
        .iter()
        .zip(&names)
        .map(|((network, _, depth, settings), name)| {
            scale.each(name, &scale.seeds(SEEDS), |seed| {
                observe(network, *depth, settings, games, seed)
            })
        })
        .collect();
    let results = results.into_iter().collect::<Result<Vec<_>, _>>()?;
    let (mut expected, mut by_playouts) = (vec![], vec![]);
    for (name, seeds) in names.iter().zip(&results) {
        let by_seed = |figure: &dyn Fn(&ObservedGame) -> f64| {
            let of = |games: &Vec<ObservedGame>| mean(games.iter().map(figure));
            seeds.iter().map(of).collect::<Vec<_>>()
        };
        let mut row = |metric, figure: &dyn Fn(&ObservedGame) -> f64| {
            findings.row(name, metric, None, &by_seed(figure));
        };
        row("wins % against GNU Go level 1", &|game| {
            100.0 * game.played.won
        });
        row("mean score", &|game| game.played.margin);
        row("own stones captured or dead at the end", &|game| game.lost);
        row("mean value expected by the search", &|game| {
            mean(game.expected.iter().copied())
        });
        row(
            "mean change of that value until the next own move",
            &|game| mean(game.expected.windows(2).map(|pair| pair[1] - pair[0])),
        );
        let curve = |figure: &dyn Fn(&ObservedGame, usize) -> Option<f64>| {
            let run = |games: &Vec<ObservedGame>| -> Vec<(f64, f64)> {
                (0..ESTIMATES)
                    .map(|n| {
                        let figures = games.iter().filter_map(|game| figure(game, n));
                        ((n * EVERY + 1) as f64, mean(figures))
                    })
                    .collect()
            };
            mean_curve(name, &seeds.iter().map(run).collect::<Vec<_>>())
        };
        expected.push(curve(&|game, n| game.expected.get(n * EVERY).copied()));
        by_playouts.push(curve(&|game, n| game.by_playouts.get(n).copied()));
    }
    let figure = |name, y, title: &str, curves| Figure {
        name,
        title: title.into(),
        x: "own move",
        y,
        curves,
    };
    findings.figures = vec![
        figure(
            "expected",
            "value",
            "Value that the search expects against GNU Go, −1 lost to 1 won",
            expected,
        ),
        figure(
            "playouts",
            "points",
            "Points that playouts expect in the same positions",
            by_playouts,
        ),
    ];
    findings.remarks.push(
        "Fixed depths, without the opening move in the middle and without deeper searches near the end. A stone of each player \
         stands at random on the middle 5×5 points first; all rows play the same openings with both colours.",
    );
    Ok(findings)
}

fn observe(
    network: &str,
    depth: u8,
    settings: &Settings,
    games: u32,
    seed: u64,
) -> Vec<ObservedGame> {
    let own = published_player(network, depth);
    let (Some(own), Some(other)) = (own, player("gnugo:level=1")) else {
        return vec![];
    };
    let mut expected = vec![vec![]; games as usize];
    let mut by_playouts = vec![vec![]; games as usize];
    let results = play(
        Start::TwoStones,
        games,
        seed,
        |number, game, _| {
            let (expected, by_playouts) = (
                &mut expected[number as usize],
                &mut by_playouts[number as usize],
            );
            if own.passes(game) {
                return own.choose(game);
            }
            let found = own.think(game, settings)?;
            if expected.len().is_multiple_of(EVERY) && by_playouts.len() < ESTIMATES {
                by_playouts.push(points(game));
            }
            let sum = f64::from(found.value) / f64::from(UNIT);
            expected.push(tenth_tanh(sum));
            found.mv
        },
        &other,
    );
    let observed = results.into_iter().zip(expected).zip(by_playouts);
    observed
        .map(|(((played, end), expected), by_playouts)| {
            let me = if played.is_black {
                Player::First
            } else {
                Player::Second
            };
            let dead = dead_stones(&end) & end.stones().of(me);
            ObservedGame {
                lost: f64::from(end.prisoners(!me)) + f64::from(dead.len()),
                played,
                expected,
                by_playouts,
            }
        })
        .collect()
}

/// Points that the player to move is ahead by, as playouts see it.
fn points(game: &Go) -> f64 {
    let ownership = Ownership::new(game, PLAYOUTS, &mut Rng::new(game.stones().hash()));
    let black: f64 = game
        .board()
        .map(|point| 2.0 * f64::from(ownership.of_black(point)) / 1000.0 - 1.0)
        .sum();
    let lead = black - f64::from(game.rules().komi()) / 2.0;
    if game.turn() == Player::First {
        lead
    } else {
        -lead
    }
}

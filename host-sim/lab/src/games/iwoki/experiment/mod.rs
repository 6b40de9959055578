//! The experiments on iwoki: the published players against each other, the published table, the luck
//! of the deal, and guesses of the hidden hand.

use dojo_core::game::{Game, Player};
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::games::iwoki::{Action, Form};
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::minimax::{Minimax, Variant};
use crate::experiment::{Experiment, Findings, Scale, Unfinished};

mod guesses;
mod search;
mod table;

/// The experiments of this game.
pub(crate) const ALL: &[Experiment] = &[
    Experiment {
        name: "iwoki-greedy",
        title: "Iwoki: greedy against random",
        run: greedy_random,
    },
    Experiment {
        name: "iwoki-minimax",
        title: "Iwoki: how far minimax looks",
        run: search::depths,
    },
    Experiment {
        name: "iwoki-limits",
        title: "Iwoki: minimax with a limit",
        run: search::limits,
    },
    Experiment {
        name: "iwoki-table",
        title: "Iwoki: the published table",
        run: table::q_learner,
    },
    Experiment {
        name: "iwoki-luck",
        title: "Iwoki: what the deal decides (ours)",
        run: luck,
    },
    Experiment {
        name: "iwoki-guesses",
        title: "Iwoki: guesses that use what a draw says (ours)",
        run: guesses::guesses,
    },
];

/// The results of some games from the side of player A.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Results {
    games: u32,
    wins: u32,
    losses: u32,
    margin: i64,
    nodes: u64,
    /// Actions of A.
    decisions: u64,
    /// Turns of both players.
    turns: u64,
}

impl Results {
    fn add(&mut self, margin: i16) {
        self.games += 1;
        self.wins += u32::from(margin > 0);
        self.losses += u32::from(margin < 0);
        self.margin += i64::from(margin);
    }

    fn wins(&self) -> f64 {
        100.0 * self.a_game(self.wins.into())
    }

    fn losses(&self) -> f64 {
        100.0 * self.a_game(self.losses.into())
    }

    fn difference(&self) -> f64 {
        self.margin as f64 / f64::from(self.games.max(1))
    }

    /// A count as its mean over the games.
    fn a_game(&self, count: u64) -> f64 {
        count as f64 / f64::from(self.games.max(1))
    }
}

/// A player: its action and the nodes searched.
type Choose<'a> = &'a (dyn Fn(&Iwoki, &mut Rng) -> (Option<Action>, u64) + Sync);

fn greedy(game: &Iwoki, rng: &mut Rng) -> (Option<Action>, u64) {
    (Greedy.choose(game, rng), 0)
}

fn random(game: &Iwoki, rng: &mut Rng) -> (Option<Action>, u64) {
    (Random.choose(game, rng), 0)
}

fn minimax(
    depth: u8,
    nodes: u64,
    variant: Variant,
) -> impl Fn(&Iwoki, &mut Rng) -> (Option<Action>, u64) + Sync {
    let player = Minimax {
        depth,
        nodes,
        variant,
    };
    move |game, _| player.decide(game)
}

/// Plays to the end and adds the game to the results of A, who is `me`.
fn play(
    mut game: Iwoki,
    me: Player,
    [a, b]: [Choose<'_>; 2],
    rng: &mut Rng,
    results: &mut Results,
) -> i16 {
    while !game.is_over() {
        let turn = game.turn();
        let (action, nodes) = if turn == me {
            a(&game, rng)
        } else {
            b(&game, rng)
        };
        let Some(action) = action else { break };
        if turn == me {
            results.nodes += nodes;
            results.decisions += 1;
        }
        game.play_unchecked(action);
        results.turns += u64::from(game.turn() != turn);
    }
    results.add(game.margin(me));
    game.margin(me)
}

/// A match in the open form; each pair of games has a deal of its own.
fn contest(seed: u64, games: u32, players: [Choose<'_>; 2]) -> Results {
    let mut results = Results::default();
    for number in 0..games {
        let deal = seed.wrapping_mul(1_000_003) + u64::from(number / 2);
        let game = Iwoki::new(IwokiRules {
            form: Form::Open,
            deal,
        });
        let mut rng = Rng::new(deal.wrapping_mul(2) + u64::from(number % 2));
        let me = Player::BOTH[number as usize % 2];
        play(game, me, players, &mut rng, &mut results);
    }
    results
}

/// Rows of a match with one run for each seed: wins, losses, difference and nodes with the published
/// figures in this order, then turns.
fn rows(findings: &mut Findings, setting: &str, runs: &[Results], published: [Option<f64>; 4]) {
    type Figure = fn(&Results) -> f64;
    let metrics: [(&str, Figure, Option<f64>); 6] = [
        ("wins %", Results::wins, published[0]),
        ("losses %", Results::losses, published[1]),
        ("mean difference", Results::difference, published[2]),
        ("nodes a game", |run| run.a_game(run.nodes), published[3]),
        (
            "nodes a decision",
            |run| run.nodes as f64 / run.decisions.max(1) as f64,
            None,
        ),
        ("turns a game", |run| run.a_game(run.turns), None),
    ];
    let searched = runs.iter().any(|run| run.nodes > 0);
    for (metric, figure, published) in metrics {
        if searched || !metric.starts_with("nodes") {
            let values: Vec<f64> = runs.iter().map(figure).collect();
            findings.row(setting, metric, published, &values);
        }
    }
}

fn greedy_random(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let games = scale.games(2_000);
    let runs = scale.each("greedy against random", &scale.seeds(5), |seed| {
        contest(seed, games, [&greedy, &random])
    })?;
    rows(
        &mut findings,
        "greedy against random",
        &runs,
        [Some(100.0), Some(0.0), Some(9.73), None],
    );
    findings.remarks.push(
        "The published text says that Greedy wins all games without saying how many; ours loses a few in a thousand, when \
         the random player is dealt and draws well. The published difference of 9.73 contradicts the published table of \
         the learner, where a player near random loses to Greedy by 32.7.",
    );
    Ok(findings)
}

fn luck(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let deals = scale.games(40);
    // The margins of the stronger player, moving first and second, in each deal.
    let runs = scale.each("luck", &scale.seeds(5), |seed| -> Vec<[i16; 2]> {
        let (strong, weaker) = (
            minimax(3, u64::MAX, Variant::TURNS),
            minimax(2, u64::MAX, Variant::TURNS),
        );
        let both_sides = |number: u32| {
            let deal = seed.wrapping_mul(7_919) + u64::from(number);
            let game = Iwoki::new(IwokiRules {
                form: Form::Open,
                deal,
            });
            Player::BOTH.map(|me| {
                let players: [Choose<'_>; 2] = [&strong, &weaker];
                play(
                    game,
                    me,
                    players,
                    &mut Rng::new(deal),
                    &mut Results::default(),
                )
            })
        };
        (0..deals).map(both_sides).collect()
    })?;
    type Case = fn(&[i16; 2]) -> bool;
    let cases: [(&str, Case); 5] = [
        ("deals won by the same seat both times %", |&[a, b]| {
            a.signum() * b.signum() < 0
        }),
        ("deals won by the stronger both times %", |&[a, b]| {
            a > 0 && b > 0
        }),
        ("deals won by the weaker both times %", |&[a, b]| {
            a < 0 && b < 0
        }),
        ("deals won by the first seat both times %", |&[a, b]| {
            a > 0 && b < 0
        }),
        ("deals won by the stronger moving second %", |&[_, b]| b > 0),
    ];
    for (metric, case) in cases {
        let shares: Vec<f64> = runs
            .iter()
            .map(|run| {
                let cases = run.iter().filter(|pair| case(pair)).count();
                100.0 * cases as f64 / run.len().max(1) as f64
            })
            .collect();
        findings.row(
            "three turns ahead against two, open form",
            metric,
            None,
            &shares,
        );
    }
    findings.remarks.push(
        "Where the same seat wins with either player on it, the deal and the first move have decided, not the player.",
    );
    Ok(findings)
}

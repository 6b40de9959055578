//! Nodes per second of every algorithm on tic-tac-toe, compared with a hand-written loop and with
//! the crate `minimax`.
//!
//! `cargo bench -p dojo-lab --bench search` prints one line a measurement: name, value, unit,
//! reference, ratio. With `-- --instructions` it runs itself under valgrind instead and prints
//! instructions a node.

use std::cell::Cell;
use std::hint::black_box;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use ::minimax as other;
use dojo_core::game::{Game, Outcome};
use dojo_core::games::TicTacToe;
use dojo_core::games::tictactoe::{LINES, Square};
use dojo_core::rng::Rng;
use dojo_core::search::{
    Engine, Found, Limits, Plan, Ranked, Results, Scheme, Settings, Slot, Soonest,
};
use dojo_lab::search::mcts::{Mcts, Node, Open, Playouts, Uniform};
use dojo_lab::search::{minimax, mtdf, negamax, sss};
use other::Strategy;

/// The reference: minimax on two bare bitboards, written for this one game.
mod by_hand {
    use super::LINES;

    const HAS_LINE: [bool; 512] = {
        let mut table = [false; 512];
        let mut set = 0;
        while set < 512 {
            let mut line = 0;
            while line < 8 {
                if set as u16 & LINES[line] == LINES[line] {
                    table[set] = true;
                }
                line += 1;
            }
            set += 1;
        }
        table
    };

    fn has_line(set: u16) -> bool {
        HAS_LINE[usize::from(set & 511)]
    }

    pub(crate) fn minimax(mover: u16, other: u16, nodes: &mut u32) -> i32 {
        *nodes += 1;
        if has_line(other) {
            return -1;
        }
        let mut free = 511 & !(mover | other);
        if free == 0 {
            return 0;
        }
        let mut best = -1;
        while free != 0 {
            let bit = free & free.wrapping_neg();
            free ^= bit;
            best = best.max(-minimax(other, mover | bit, nodes));
        }
        best
    }
}

/// Tic-tac-toe for the engines of the crate `minimax`.
struct Theirs<const COUNT: bool>;

thread_local! {
    static VISITED: Cell<u32> = const { Cell::new(0) };
}

impl<const COUNT: bool> other::Game for Theirs<COUNT> {
    type S = TicTacToe;
    type M = Square;

    fn generate_moves(game: &TicTacToe, moves: &mut Vec<Square>) -> Option<other::Winner> {
        let winner = Self::get_winner(game);
        if winner.is_none() {
            moves.extend(game.legal_moves());
        }
        winner
    }

    fn apply(game: &mut TicTacToe, square: Square) -> Option<TicTacToe> {
        Some(game.after(square))
    }

    fn get_winner(game: &TicTacToe) -> Option<other::Winner> {
        if COUNT {
            VISITED.set(VISITED.get() + 1);
        }
        game.outcome().map(|outcome| match outcome {
            Outcome::Draw => other::Winner::Draw,
            Outcome::Win(winner) if winner == game.turn() => other::Winner::PlayerToMove,
            Outcome::Win(_) => other::Winner::PlayerJustMoved,
        })
    }

    fn zobrist_hash(game: &TicTacToe) -> u64 {
        game.key().wrapping_mul(0x9E37_79B9_7F4A_7C15)
    }
}

struct Nothing<const COUNT: bool>;

impl<const COUNT: bool> other::Evaluator for Nothing<COUNT> {
    type G = Theirs<COUNT>;

    fn evaluate(&self, _: &TicTacToe) -> other::Evaluation {
        0
    }
}

fn their_negamax<const COUNT: bool>() -> u32 {
    black_box(
        other::Negamax::new(Nothing::<COUNT>, 9).choose_move(&TicTacToe::new(Default::default())),
    );
    VISITED.replace(0)
}

fn their_iterative<const COUNT: bool>() -> u32 {
    let options = other::IterativeOptions::new().with_table_byte_size(128 << 10);
    let mut search = other::IterativeSearch::new(Nothing::<COUNT>, options);
    search.set_max_depth(9);
    black_box(search.choose_move(&TicTacToe::new(Default::default())));
    VISITED.replace(0)
}

/// A measurement: `run` returns the number of visited nodes.
struct Entry {
    name: &'static str,
    run: fn() -> u32,
}

fn look(settings: Settings) -> u32 {
    with_engine(|engine, game| {
        engine.look(
            game,
            &Plan {
                settings,
                ..Plan::new(Results)
            },
            &mut (),
        )
    })
}

fn with_engine(run: impl Fn(&mut Engine<'_, TicTacToe>, &TicTacToe) -> Found<Square>) -> u32 {
    let (mut slots, mut moves) = ([Slot::default(); 2048], [Ranked::default(); 81]);
    let mut engine = Engine::new(&mut slots, &mut moves);
    black_box(run(
        &mut engine,
        black_box(&TicTacToe::new(Default::default())),
    ))
    .stats
    .nodes
}

const TABLE: Settings = Settings {
    table: true,
    ..Settings::PLAIN
};

const ENTRIES: &[Entry] = &[
    Entry {
        name: "by-hand",
        run: || {
            let mut nodes = 0;
            black_box(by_hand::minimax(black_box(0), 0, &mut nodes));
            nodes
        },
    },
    Entry {
        name: "minimax",
        run: || {
            minimax(
                black_box(&TicTacToe::new(Default::default())),
                &Results,
                &Limits::NONE,
                &mut (),
            )
            .stats
            .nodes
        },
    },
    Entry {
        name: "negamax",
        run: || {
            negamax(
                black_box(&TicTacToe::new(Default::default())),
                &Results,
                &Limits::NONE,
                &mut (),
            )
            .stats
            .nodes
        },
    },
    Entry {
        name: "alpha-beta",
        run: || look(Settings::PLAIN),
    },
    Entry {
        name: "alpha-beta+table",
        run: || look(TABLE),
    },
    Entry {
        name: "scout",
        run: || {
            look(Settings {
                scheme: Scheme::Scout,
                ..Settings::PLAIN
            })
        },
    },
    Entry {
        name: "negascout",
        run: || {
            look(Settings {
                scheme: Scheme::NegaScout,
                ..Settings::PLAIN
            })
        },
    },
    Entry {
        name: "all-sound",
        run: || look(Settings::SOUND),
    },
    Entry {
        name: "sss*",
        run: || {
            with_engine(|engine, game| {
                sss(
                    engine,
                    game,
                    &Plan {
                        settings: TABLE,
                        ..Plan::new(Results)
                    },
                    &mut (),
                )
            })
        },
    },
    Entry {
        name: "mtd(f)",
        run: || {
            with_engine(|engine, game| {
                mtdf(
                    engine,
                    game,
                    &Plan {
                        settings: TABLE,
                        ..Plan::new(Results)
                    },
                    0,
                    &mut (),
                )
            })
        },
    },
    Entry {
        name: "mcts",
        run: playouts,
    },
    Entry {
        name: "deepening",
        run: || with_engine(|engine, game| engine.think(game, &Plan::new(Soonest), &mut ())),
    },
];

/// Rounds of a measurement.
const ROUNDS: usize = 25;
/// Duration of one round of one entry.
const ROUND: Duration = Duration::from_millis(20);

/// Runs per second of every entry: the best of many short rounds in turn, because other programs
/// only slow a round down, and a slow phase of the machine affects all entries.
fn speeds(runs: &[fn() -> u32]) -> Vec<f64> {
    let mut best = vec![0f64; runs.len()];
    for _ in 0..ROUNDS {
        for (run, best) in runs.iter().zip(&mut best) {
            let start = Instant::now();
            let mut count = 0u32;
            while start.elapsed() < ROUND {
                black_box(run());
                count += 1;
            }
            *best = best.max(f64::from(count) / start.elapsed().as_secs_f64());
        }
    }
    best
}

fn measure() {
    let mut runs = vec![
        their_negamax::<false> as fn() -> u32,
        their_iterative::<false>,
    ];
    runs.extend(ENTRIES.iter().map(|entry| entry.run));
    let runs_a_second = speeds(&runs);
    let mean = |run: fn() -> u32| f64::from((0..200).map(|_| run()).sum::<u32>()) / 200.0;
    let theirs = [their_negamax::<true>, their_iterative::<true>].map(mean);
    let ours = ENTRIES.iter().map(|entry| f64::from((entry.run)()));
    let names = ["crate-minimax-negamax", "crate-minimax-iterative"].into_iter();
    let names: Vec<_> = names
        .chain(ENTRIES.iter().map(|entry| entry.name))
        .collect();
    let speeds: Vec<_> = theirs
        .into_iter()
        .chain(ours)
        .zip(&runs_a_second)
        .map(|(nodes, runs)| nodes * runs)
        .collect();

    println!(
        "{:24} {:>12} {:10} {:>24} {:>8}",
        "name", "value", "unit", "reference", "ratio"
    );
    let at = |name: &str| {
        names
            .iter()
            .position(|known| *known == name)
            .expect("an entry")
    };
    let print = |name: &str, values: &[f64], unit: &str, reference: &str| {
        let value = values[at(name)];
        println!(
            "{name:24} {value:>12.0} {unit:10} {reference:>24} {:>8.3}",
            value / values[at(reference)]
        );
    };
    for name in &names {
        let unit = if *name == "mcts" {
            "playouts/s"
        } else {
            "nodes/s"
        };
        print(name, &speeds, unit, "by-hand");
    }
    print("minimax", &speeds, "nodes/s", "crate-minimax-negamax");
    print(
        "alpha-beta",
        &runs_a_second,
        "solved/s",
        "crate-minimax-negamax",
    );
    print(
        "deepening",
        &runs_a_second,
        "solved/s",
        "crate-minimax-iterative",
    );
}

const PLAYOUTS: u32 = 2000;

fn playouts() -> u32 {
    let mut pool = vec![Node::default(); 4000];
    let mut mcts = Mcts::new(&mut pool, Playouts::new(Uniform));
    let game = black_box(TicTacToe::new(Default::default()));
    black_box(mcts.think(
        &game,
        &Open,
        &Limits::nodes(PLAYOUTS),
        &mut Rng::new(1),
        &mut (),
    ))
    .stats
    .nodes
}

/// Runs each entry once in a process of its own under callgrind, and an empty one to subtract.
fn instructions() -> ExitCode {
    if Command::new("valgrind").arg("--version").output().is_err() {
        eprintln!("SKIPPED: instruction counts need valgrind, which is not installed");
        return ExitCode::SUCCESS;
    }
    let own = std::env::current_exe().expect("this program has a path");
    let count = |name: &str| -> Option<u64> {
        let args = ["--tool=callgrind", "--callgrind-out-file=/dev/null"];
        let output = Command::new("valgrind")
            .args(args)
            .arg(&own)
            .args(["--once", name])
            .output()
            .ok()?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let line = text.lines().find(|line| line.contains("Collected"))?;
        line.rsplit(' ').next()?.parse().ok()
    };
    let Some(empty) = count("nothing") else {
        eprintln!("valgrind did not count: is it installed completely?");
        return ExitCode::FAILURE;
    };
    println!(
        "{:24} {:>12} {:>14} {:>18}",
        "name", "nodes", "instructions", "instructions/node"
    );
    for entry in ENTRIES {
        let nodes = (entry.run)();
        let total = count(entry.name).unwrap_or(empty) - empty;
        println!(
            "{:24} {nodes:>12} {total:>14} {:>18.1}",
            entry.name,
            total as f64 / f64::from(nodes)
        );
    }
    ExitCode::SUCCESS
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().collect();
    if let Some(at) = args.iter().position(|arg| arg == "--once") {
        if let Some(entry) = ENTRIES
            .iter()
            .find(|entry| Some(entry.name) == args.get(at + 1).map(String::as_str))
        {
            black_box((entry.run)());
        }
        return ExitCode::SUCCESS;
    }
    if args.iter().any(|arg| arg == "--instructions") {
        return instructions();
    }
    // `cargo test` runs this program without `--bench`: it only checks that every entry works.
    if args.iter().any(|arg| arg == "--bench") {
        measure();
    } else {
        ENTRIES
            .iter()
            .for_each(|entry| assert!((entry.run)() > 0, "{}", entry.name));
    }
    ExitCode::SUCCESS
}

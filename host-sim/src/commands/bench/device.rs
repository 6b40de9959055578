//! `dojo bench --device`: what the firmware takes on an emulated Pico, in its own time.

use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::{AnyRules, Dots, DotsRules, GameId, Go, Iwoki, Sticks, TicTacToe};
use dojo_core::rng::Rng;
use serde::Serialize;

use super::{Entry, table};
use crate::device::bench;
use crate::device::thoughts::think;
use dojo_lab::bank::SHIPPED;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::flash::BANK_ADDRESS;
use dojo_lab::output::{Format, Progress};
use pico_emulator::Image;

/// What can be measured by itself.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// How long black thinks about a move, in all games but Go
    Answers,
    /// How long the two highest belts of Go think about a move
    Go,
    /// How pupils learn, and whether the screen answers meanwhile
    Learning,
}

#[derive(Serialize)]
struct Report {
    entries: Vec<Entry>,
}

/// Measures and prints.
pub(super) fn run(path: &Path, part: Option<Part>, game: Option<GameId>, format: Format) -> Done {
    let fault = |error| Failure::Check(format!("{}: {error}", path.display()));
    let mut image = Image::from_elf(&files::read(path)?).map_err(fault)?;
    image.patch(BANK_ADDRESS, SHIPPED).map_err(fault)?;
    // A game alone means its answers.
    let part = part.or(game.map(|_| Part::Answers));
    let wants = |this| part.is_none_or(|part| part == this);
    let mut entries = vec![];
    if wants(Part::Answers) {
        entries.extend(answers(&image, game)?);
    }
    if wants(Part::Go) {
        entries.extend(go(&image)?);
    }
    if wants(Part::Learning) {
        entries.extend(bench::run(&image)?);
    }
    let report = Report { entries };
    format.print(&report, || table(&report.entries))
}

/// Times of black's answer: a game, after so many random moves, and the time that it may take in milliseconds.
struct Case {
    name: &'static str,
    rules: AnyRules,
    plies: &'static [usize],
    most_ms: f64,
}

fn cases() -> Vec<Case> {
    let board = |rows, cols| AnyRules::Dots(DotsRules::new(rows, cols).unwrap_or_default());
    vec![
        Case {
            name: "sticks",
            rules: AnyRules::new(GameId::Sticks),
            plies: &[0, 2],
            most_ms: 1000.0,
        },
        Case {
            name: "tictactoe",
            rules: AnyRules::new(GameId::TicTacToe),
            plies: &[0, 1],
            most_ms: 1000.0,
        },
        Case {
            name: "dots 2x2",
            rules: board(2, 2),
            plies: &[0, 4],
            most_ms: 1000.0,
        },
        Case {
            name: "dots 3x3",
            rules: board(3, 3),
            plies: &[0, 5, 6, 7, 8],
            most_ms: 2000.0,
        },
        Case {
            name: "dots 4x4",
            rules: board(4, 4),
            plies: &[0, 8, 15, 16, 22, 23],
            most_ms: 2000.0,
        },
        Case {
            name: "dots 5x5",
            rules: board(5, 5),
            plies: &[0, 12, 24, 30, 36, 42, 43],
            most_ms: 2000.0,
        },
        Case {
            name: "iwoki",
            rules: AnyRules::new(GameId::Iwoki),
            plies: &[0, 6, 12, 18, 24],
            most_ms: 3000.0,
        },
    ]
}

/// The slowest answer of black in each game, over positions at several stages.
fn answers(image: &Image, game: Option<GameId>) -> Result<Vec<Entry>, Failure> {
    let mut cases = cases();
    cases.retain(|case| game.is_none_or(|game| case.rules.id() == game));
    let progress = Progress::new(
        "answers",
        cases.iter().map(|case| case.plies.len() as u64).sum(),
    );
    let mut entries = vec![];
    for Case {
        name,
        rules,
        plies,
        most_ms,
    } in cases
    {
        let mut slowest = (0, 0);
        for &plies in plies {
            let timed = think(image, rules, Belt::Black, &opening(rules, plies))?;
            slowest = slowest.max((timed.micros, plies));
            progress.tick();
        }
        let (micros, plies) = slowest;
        let millis = micros as f64 / 1000.0;
        let name = format!("black, {name}, after {plies} moves").into();
        entries.push(Entry {
            name,
            value: millis,
            unit: "ms",
            reference: "most",
            ratio: millis / most_ms,
        });
    }
    Ok(entries)
}

/// Times of the belts of Go that play with all knowledge and take long, in positions at several stages.
fn go(image: &Image) -> Result<Vec<Entry>, Failure> {
    const MOST_MS: f64 = 10_000.0;
    const PLIES: [usize; 3] = [0, 20, 50];
    let progress = Progress::new("answers", 2 * PLIES.len() as u64);
    let rules = AnyRules::new(GameId::Go);
    let mut entries = vec![];
    for (belt, plies) in [Belt::Brown, Belt::Black]
        .into_iter()
        .flat_map(|belt| PLIES.map(|plies| (belt, plies)))
    {
        let millis = think(image, rules, belt, &opening(rules, plies))?.micros as f64 / 1000.0;
        progress.tick();
        let name = format!("{}, go, after {plies} moves", belt.name()).into();
        entries.push(Entry {
            name,
            value: millis,
            unit: "ms",
            reference: "most",
            ratio: millis / MOST_MS,
        });
    }
    Ok(entries)
}

/// So many random moves that do not end the game; in dots and boxes none that gives a box away, while there are others.
fn opening(rules: AnyRules, plies: usize) -> Vec<u16> {
    match rules {
        AnyRules::Sticks(rules) => random_moves::<Sticks>(rules, plies, |_, _| true),
        AnyRules::TicTacToe(rules) => random_moves::<TicTacToe>(rules, plies, |_, _| true),
        AnyRules::Dots(rules) => {
            random_moves::<Dots>(rules, plies, |game, edge| !game.gives_away(edge))
        }
        AnyRules::Iwoki(rules) => random_moves::<Iwoki>(rules, plies, |_, _| true),
        AnyRules::Go(rules) => random_moves::<Go>(rules, plies, |_, _| true),
    }
}

fn random_moves<G: Game>(
    rules: G::Rules,
    plies: usize,
    is_quiet: impl Fn(&G, G::Move) -> bool,
) -> Vec<u16> {
    let mut rng = Rng::new(plies as u64);
    let mut game = G::new(rules);
    let mut moves = vec![];
    while moves.len() < plies {
        let quiet = rng.pick(game.legal_moves().filter(|&mv| is_quiet(&game, mv)));
        let Some(mv) = quiet.or_else(|| rng.pick(game.legal_moves())) else {
            break;
        };
        let next = game.after(mv);
        if next.is_over() {
            break;
        }
        game = next;
        moves.push(mv.index());
    }
    moves
}

//! `dojo bench --device`: times of the firmware on an emulated Pico.

use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::for_each_game;
use dojo_core::game::GameMove;
use dojo_core::games::{AnyRules, GameId, Go, GoRules};
use dojo_core::players::belts::Belted;
use dojo_core::rng::Rng;
use dojo_handheld::Seat;
use serde::Serialize;

use super::{Entry, pupils, table};
use crate::device::thoughts::think;
use dojo_lab::bank::SHIPPED;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::flash::BANK_ADDRESS;
use dojo_lab::games::{DeviceCase, LabGame};
use dojo_lab::output::{Format, Progress};
use pico_emulator::Image;

/// A part that can be measured alone.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// How long black thinks about a move, in all games but Go
    Answers,
    /// How long the two highest belts of Go think about a move
    Go,
    /// How long the ancestors of Go think about a move
    Ancestors,
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
    // `--game` without `--part` measures the answers of that game.
    let part = part.or(game.map(|_| Part::Answers));
    let wants = |this| part.is_none_or(|part| part == this);
    let mut entries = vec![];
    if wants(Part::Answers) {
        entries.extend(answers(&image, game)?);
    }
    if wants(Part::Go) {
        entries.extend(go(&image, &belts_of_go())?);
    }
    if wants(Part::Ancestors) {
        entries.extend(go(&image, &ancestors_of_go())?);
    }
    if wants(Part::Learning) {
        entries.extend(pupils::run(&image)?);
    }
    let report = Report { entries };
    format.print(&report, || table(&report.entries))
}

/// Runs an expression with the type of a game and the way from its rules to [`AnyRules`].
macro_rules! with_rules {
    ([($id:expr) $G:ident $any:ident ($body:expr)] $($Game:ident: $Rules:ident = $row:tt;)*) => {
        match $id {
            $(GameId::$Game => {
                type $G = dojo_core::games::$Game;
                let $any = AnyRules::$Game;
                $body
            })*
        }
    };
    ($id:expr, $G:ident, $any:ident => $body:expr) => {
        for_each_game!({ with_rules } ($id) $G $any ($body))
    };
}
/// The slowest answer of black in each game, over positions at several stages.
fn answers(image: &Image, game: Option<GameId>) -> Result<Vec<Entry>, Failure> {
    let mut entries = vec![];
    for id in GameId::ALL {
        if game.is_none_or(|game| game == id) {
            with_rules!(id, G, any => for case in G::device_cases() {
                entries.push(slowest::<G>(image, &case, any)?);
            });
        }
    }
    Ok(entries)
}

fn slowest<G: LabGame>(
    image: &Image,
    case: &DeviceCase<G>,
    any: fn(G::Rules) -> AnyRules,
) -> Result<Entry, Failure>
where
    G::Rules: Send + Sync,
{
    let progress = Progress::new("answers", case.plies.len() as u64);
    let mut slowest = (0, 0);
    for &plies in case.plies {
        let opening = opening::<G>(case.rules, plies);
        let timed = think(image, any(case.rules), Seat::Machine(Belt::Black), &opening)?;
        slowest = slowest.max((timed.micros, plies));
        progress.tick();
    }
    let (micros, plies) = slowest;
    let millis = micros as f64 / 1000.0;
    Ok(Entry {
        name: format!("black, {}, after {plies} moves", case.name).into(),
        value: millis,
        unit: "ms",
        reference: "most",
        ratio: millis / case.most_ms,
    })
}

/// A player and the number of moves before its own.
type Case = (Seat, usize);

/// The belts of Go that play with all knowledge and take long, at several stages.
fn belts_of_go() -> Vec<Case> {
    let belts = [Belt::Brown, Belt::Black].map(Seat::Machine);
    let cases = belts.map(|seat| [0, 20, 50].map(|plies| (seat, plies)));
    cases.as_flattened().to_vec()
}

/// The ancestors of Go: later positions have fewer moves and are searched deeper.
fn ancestors_of_go() -> Vec<Case> {
    let ancestors = (0..Go::ANCESTORS.len() as u8).map(Seat::Ancestor);
    let stages = |seat| [8, 20, 35, 50, 60, 68, 74].map(|plies| (seat, plies));
    ancestors.flat_map(stages).collect()
}

/// Times of players of Go.
fn go(image: &Image, cases: &[Case]) -> Result<Vec<Entry>, Failure> {
    const MOST_MS: f64 = 10_000.0;
    let rules = GoRules::default();
    let progress = Progress::new("answers", cases.len() as u64);
    let mut entries = vec![];
    for &(seat, plies) in cases {
        let opening = opening::<Go>(rules, plies);
        let timed = think(image, AnyRules::Go(rules), seat, &opening)?;
        let millis = timed.micros as f64 / 1000.0;
        progress.tick();
        let name = format!("{}, go, after {plies} moves", seat.title(GameId::Go)).into();
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

/// Random moves that do not end the game; quiet ones while there are any.
fn opening<G: LabGame>(rules: G::Rules, plies: usize) -> Vec<u16>
where
    G::Rules: Send + Sync,
{
    let mut rng = Rng::new(plies as u64);
    let mut game = G::new(rules);
    let mut moves = vec![];
    while moves.len() < plies {
        let quiet = rng.pick(game.legal_moves().filter(|&mv| game.is_quiet(mv)));
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

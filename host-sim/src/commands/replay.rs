//! `dojo replay GAME FILE`: checks a record line by line.

use std::path::{Path, PathBuf};

use dojo_core::game::Game;
use dojo_core::games::GameId;
use dojo_core::games::Go;
use dojo_core::with_game;
use serde::Serialize;

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files::{self, RECORD_LIMIT};
use dojo_lab::games::LabGame;
use dojo_lab::games::go::record as go_record;
use dojo_lab::games::go::sgf::{self, SgfError};
use dojo_lab::output::Format;
use dojo_lab::rules::GAME;

/// Game and record.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game.
    #[arg(value_parser = GAME)]
    game: GameId,
    /// The record, `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Good {
    game: &'static str,
    moves: usize,
    ok: bool,
    /// `null` if the game is not over.
    result: Option<&'static str>,
}

#[derive(Serialize)]
struct Bad<'a> {
    game: &'static str,
    ok: bool,
    line: usize,
    error: &'a str,
}

/// Checks and reports; the first fault is a failed check.
pub fn run(args: Args) -> Done {
    let bytes = read(&args.file)?;
    match args.game {
        GameId::Go if is_sgf(&args.file, &bytes) => check_sgf(&args, &bytes),
        id => with_game!(id, G => check::<G>(&args, &bytes, G::replay)),
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    match path.to_str() {
        Some("-") => files::read_stream(path, std::io::stdin().lock(), RECORD_LIMIT),
        _ => files::read_at_most(path, RECORD_LIMIT),
    }
}

/// Whether a file is SGF: by its name, or because it starts like one.
fn is_sgf(path: &Path, bytes: &[u8]) -> bool {
    let named = path
        .extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
    named || bytes.trim_ascii_start().starts_with(b"(")
}

#[derive(Serialize)]
struct GoodSgf {
    game: &'static str,
    /// Games of the collection.
    games: usize,
    moves: usize,
    ok: bool,
    /// Result of a single game, if it has one.
    result: Option<&'static str>,
}

/// Checks every move of every game of a collection.
fn check_sgf(args: &Args, bytes: &[u8]) -> Done {
    let replay = || -> Result<GoodSgf, SgfError> {
        let games = sgf::parse(bytes)?;
        let (mut moves, mut result) = (0, None);
        for game in &games {
            let replayed = go_record::replay(game, usize::MAX, |_, _| {})?;
            moves += replayed.moves;
            result = replayed.result.or(replayed.end.outcome());
        }
        let result = result
            .filter(|_| games.len() == 1)
            .map(|outcome| outcome.name());
        Ok(GoodSgf {
            game: Go::NAME,
            games: games.len(),
            moves,
            ok: true,
            result,
        })
    };
    match replay() {
        Ok(good) => args.format.print(&good, || {
            let result = good
                .result
                .map_or(String::new(), |result| format!("; result {result}"));
            format!(
                "games {}, moves {}, all legal{result}\n",
                good.games, good.moves
            )
        }),
        Err(SgfError { place, fault }) => {
            if args.format.json {
                let error = format!("column {}: {fault}", place.column);
                args.format.print(
                    &Bad {
                        game: Go::NAME,
                        ok: false,
                        line: place.line,
                        error: &error,
                    },
                    String::new,
                )?;
            }
            Err(Failure::Check(format!(
                "{}: {place}: {fault}",
                args.file.display()
            )))
        }
    }
}

/// The last position and the number of moves, or line and description of the first fault.
type Replayed<G> = Result<(G, usize), (usize, String)>;

fn check<G: Game>(args: &Args, bytes: &[u8], replay: impl FnOnce(&str) -> Replayed<G>) -> Done {
    match text(bytes).and_then(replay) {
        Ok((end, moves)) => {
            let result = end.outcome().map(|outcome| outcome.name());
            args.format.print(
                &Good {
                    game: G::NAME,
                    moves,
                    ok: true,
                    result,
                },
                || match result {
                    Some(result) => format!("{moves} moves, all legal; result {result}\n"),
                    None => format!("{moves} moves, all legal; not finished: {end}\n"),
                },
            )
        }
        Err((line, error)) => {
            if args.format.json {
                args.format.print(
                    &Bad {
                        game: G::NAME,
                        ok: false,
                        line,
                        error: &error,
                    },
                    String::new,
                )?;
            }
            Err(Failure::Check(format!(
                "{}: line {line}: {error}",
                args.file.display()
            )))
        }
    }
}

fn text(bytes: &[u8]) -> Result<&str, (usize, String)> {
    std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count()
            + 1;
        (line, "not UTF-8 text".to_string())
    })
}

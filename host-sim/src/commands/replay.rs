//! `dojo replay GAME FILE`: checks a record line by line.

use std::io::Read;
use std::path::{Path, PathBuf};

use dojo_core::game::Game;
use dojo_core::games::GameId;
use dojo_core::record;
use dojo_core::with_game;
use serde::Serialize;

use crate::failure::{Done, Failure};
use crate::output::Format;
use crate::rules::game_id;

/// Which record.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: sticks or tictactoe
    #[arg(value_parser = game_id)]
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
    /// `null` while the game is on.
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
    with_game!(args.game, G => check::<G>(&args, &bytes))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let mut bytes = vec![];
    let read = match path.to_str() {
        Some("-") => std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
        _ => std::fs::read(path).map(|all| bytes = all),
    };
    read.map(|()| bytes).map_err(|error| Failure::file(path, &error))
}

fn check<G: Game>(args: &Args, bytes: &[u8]) -> Done {
    match replay::<G>(bytes) {
        Ok(replayed) => {
            let result = replayed.end.outcome().map(|outcome| outcome.name());
            let good = Good { game: G::NAME, moves: replayed.moves, ok: true, result };
            args.format.print(&good, || match result {
                Some(result) => format!("{} moves, all legal; result {result}\n", replayed.moves),
                None => format!("{} moves, all legal; not finished: {}\n", replayed.moves, replayed.end),
            })
        }
        Err((line, error)) => {
            if args.format.json {
                args.format.print(&Bad { game: G::NAME, ok: false, line, error: &error }, String::new)?;
            }
            Err(Failure::Check(format!("{}: line {line}: {error}", args.file.display())))
        }
    }
}

/// Replays a record; a fault comes with the number of its line.
fn replay<G: Game>(bytes: &[u8]) -> Result<record::Replayed<G>, (usize, String)> {
    let text = std::str::from_utf8(bytes).map_err(|error| {
        let line = bytes[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() + 1;
        (line, "not UTF-8 text".to_string())
    })?;
    record::replay::<G>(text, |_, _| {}).map_err(|error| (error.line, error.fault.to_string()))
}

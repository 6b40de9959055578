//! Random games against referees that nobody here wrote: OpenSpiel for the smaller games and Go,
//! GNU Go for Go, and for iwoki a second implementation made from the rules alone.

use std::path::PathBuf;
use std::process::Command;

use crate::checks::Verdict;
use crate::{Outcome, cargo, root};

/// The version whose conventions `oracle/referee.py` knows.
const OPEN_SPIEL: &str = "open_spiel==2.0.2";
/// Games for the check of `full`; `cargo xtask oracle` plays as many as one likes.
const GAMES: &str = "2000";
const NO_OPEN_SPIEL: &str = "no OpenSpiel: Python 3 with venv and pip, and its package, are needed";

/// The check of `full`.
pub(crate) fn check() -> Result<Verdict, String> {
    let Some(python) = python() else {
        return Ok(Verdict::Skipped(NO_OPEN_SPIEL));
    };
    compare(&python, GAMES)?;
    Ok(Verdict::Passed)
}

/// `cargo xtask oracle [GAMES]`.
pub(crate) fn run(games: &str) -> Outcome {
    if games.parse::<u32>().is_err() {
        return Err(format!("oracle {games}: a number of games expected"));
    }
    match python() {
        Some(python) => compare(&python, games)?,
        None => println!("SKIPPED: {NO_OPEN_SPIEL}"),
    }
    // Debian keeps it outside the usual path.
    let places = ["gnugo", "/usr/games/gnugo"];
    if !places
        .iter()
        .any(|place| runs(Command::new(place).arg("--version")))
    {
        println!("SKIPPED: no GNU Go on this machine (program `gnugo`)");
        return Ok(());
    }
    let out = root().join("target/oracle");
    crate::dojo(&[
        "experiment",
        "go-referee",
        "--force",
        "--out",
        &out.to_string_lossy(),
    ])
}

fn compare(python: &PathBuf, games: &str) -> Outcome {
    cargo(&[
        "build",
        "--quiet",
        "--package",
        "dojo-core",
        "--example",
        "random_games",
    ])?;
    let status = Command::new(python)
        .current_dir(root())
        .args([
            "xtask/oracle/referee.py",
            "target/debug/examples/random_games",
            "data/iwoki",
            games,
        ])
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("the referee differs ({status})")),
        Err(error) => Err(format!("{}: {error}", python.display())),
    }
}

/// A Python that has OpenSpiel, in a virtual environment of its own; nothing else on the machine
/// changes.
fn python() -> Option<PathBuf> {
    let folder = root().join("target/oracle-python");
    let python = folder.join("bin/python");
    let has_spiel = || runs(Command::new(&python).args(["-c", "import pyspiel"]));
    if !has_spiel() {
        println!("   installing {OPEN_SPIEL} in target/oracle-python");
        let made = runs(Command::new("python3").args(["-m", "venv"]).arg(&folder))
            && runs(Command::new(&python).args(["-m", "pip", "install", "--quiet", OPEN_SPIEL]));
        if !made || !has_spiel() {
            return None;
        }
    }
    Some(python)
}

fn runs(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

//! Hashes the sources that decide the results of experiments, so that results can say from which
//! state of the code they come, also where there is no git.
//!
//! `DOJO_SOURCES` has a word for each game, `name=hash`: the hash of all files outside the folders
//! of the games (rules, search, learners, the shipped bank, data) and of the game's own folders.

use std::fs;
use std::path::{Path, PathBuf};

#[path = "src/experiment/fingerprint.rs"]
mod fingerprint;

const ROOT: &str = "../..";
const PLACES: [&str; 4] = ["core/src", "host-sim/lab/src", "data", "models/dojo.bank"];

fn main() -> std::io::Result<()> {
    let mut files = vec![];
    for place in PLACES {
        println!("cargo::rerun-if-changed={ROOT}/{place}");
        find(&Path::new(ROOT).join(place), &mut files)?;
    }
    files.sort();
    let games = fs::read_dir(Path::new(ROOT).join("core/src/games"))?.flatten();
    let mut games: Vec<_> = games
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    games.sort();
    let mut words = vec![];
    for game in &games {
        let mut hash = fingerprint::START;
        for path in &files {
            let name = path.to_string_lossy().replace('\\', "/");
            let owner = games
                .iter()
                .find(|owner| name.contains(&format!("src/games/{owner}/")));
            if owner.is_some_and(|owner| owner != game) {
                continue;
            }
            // Git may have checked texts out with the line ends of another system.
            let mut bytes = fs::read(path)?;
            bytes.retain(|&byte| byte != b'\r');
            hash = fingerprint::fnv(hash, name.as_bytes());
            hash = fingerprint::fnv(hash, &bytes);
        }
        words.push(format!("{game}={hash:016x}"));
    }
    println!("cargo::rustc-env=DOJO_SOURCES={}", words.join(" "));
    Ok(())
}

fn find(place: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if place.is_file() {
        files.push(place.into());
        return Ok(());
    }
    for entry in fs::read_dir(place)? {
        find(&entry?.path(), files)?;
    }
    Ok(())
}

//! The policies of Go, age after age: games of self-play, a policy learned from all games so far,
//! games with that policy.

use crate::{Outcome, dojo, root};

/// Belt, games, playouts a move, seed and player of each age.
const LIST: &str = "models/go/generations.txt";
/// The games, which are not kept: 3 MB.
const GAMES: &str = "target/models/go-games";
/// The day that the models carry.
const DATE: &str = "20261118";

/// Plays and learns what the list says. Games that are there already are not played again.
pub(crate) fn run() -> Outcome {
    let text = std::fs::read_to_string(root().join(LIST)).map_err(|e| format!("{LIST}: {e}"))?;
    let mut folders = vec![];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let &[belt, games, playouts, seed, player] =
            &line.split_whitespace().collect::<Vec<_>>()[..]
        else {
            return Err(format!("{LIST}: `{line}`"));
        };
        let folder = format!("{GAMES}/{belt}");
        let policy = format!("models/go/policy-{player}/checkpoints/policy.txt");
        let mut play = vec![
            "selfplay",
            "go",
            "--games",
            games,
            "--playouts",
            playouts,
            "--seed",
            seed,
            "--out",
            &folder,
        ];
        if player != "rules" {
            play.extend(["--policy", &policy]);
        }
        dojo(&play)?;
        folders.push(folder);
        let out = format!("models/go/policy-{belt}");
        let mut learn = vec![
            "train", "go", "--belt", belt, "--date", DATE, "--out", &out, "--force", "--from",
        ];
        learn.extend(folders.iter().map(String::as_str));
        dojo(&learn)?;
    }
    Ok(())
}

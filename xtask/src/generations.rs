//! The policies of Go, age after age: games of self-play, a policy learned from all games so far,
//! games with that policy.

use std::fmt::Write;

use crate::{Outcome, dojo, dojo_output, root};

/// Belt, games, playouts a move, seed and player of each age.
const LIST: &str = "models/go/generations.txt";
/// The games, which are not kept: 3 MB.
const GAMES: &str = "target/models/go-games";
/// What came out: prediction, matches and ratings.
const REPORT: &str = "models/go/generations.md";
/// Playouts a move and games a pair of the report's matches.
const MATCHES: [&str; 2] = ["200", "100"];
/// The day that the models carry.
const DATE: &str = "20261118";

fn read(path: &str) -> Result<String, String> {
    std::fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// The fields of each age.
fn ages(list: &str) -> Result<Vec<[&str; 5]>, String> {
    let lines = list.lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            <[&str; 5]>::try_from(fields).map_err(|_| format!("{LIST}: `{line}`"))
        })
        .collect()
}

/// Plays and learns what the list says, and reports. Games that are there already are not played again.
pub(crate) fn run() -> Outcome {
    let text = read(LIST)?;
    let mut folders = vec![];
    for [belt, games, playouts, seed, player] in ages(&text)? {
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
    report()
}

/// Measures the ages as they are and writes the report: prediction of unseen games, strength against
/// the age before, and ratings.
pub(crate) fn report() -> Outcome {
    let text = read(LIST)?;
    let ages = ages(&text)?;
    let [playouts, games] = MATCHES;
    let policy = |belt: &str| {
        format!("policy:models/go/policy-{belt}/checkpoints/policy.txt,playouts={playouts}")
    };
    let names = ages.iter().map(|[belt, ..]| policy(belt));
    let players: Vec<String> = std::iter::once(format!("mcts:playouts={playouts}"))
        .chain(names)
        .collect();
    let mut ladder = vec!["ladder", "go", "--games", games, "--openings", "2"];
    ladder.extend(players.iter().map(String::as_str));
    let printed = dojo_output(&ladder)?;
    let mut out = String::from(
        "# The ages of Go's policies\n\nWritten by `cargo xtask generations`; \
         `cargo xtask generations report` measures the ages as they are.\n\n\
         | age | what it learned from, and what it predicts |\n|---|---|\n",
    );
    for [belt, ..] in &ages {
        let run = read(&format!("models/go/policy-{belt}/report.md"))?;
        let line = run.lines().find(|line| line.contains("games of self-play"));
        let line = line.ok_or_else(|| format!("policy-{belt}/report.md: no line of its games"))?;
        let _ = writeln!(out, "| {belt} | {line} |");
    }
    let _ = write!(
        out,
        "\nEvery age against every other and against the hand-written priors (*rules*): {playouts} \
         playouts a move, {games} games a pair, two random stones first, both sides of each \
         opening.\n\n"
    );
    // Players have no blanks in their names.
    let known = |name: &str| {
        let name = name.trim_end_matches(',');
        let place = players.iter().position(|player| player == name)?;
        Some(place.checked_sub(1).map_or("rules", |age| ages[age][0]))
    };
    let mut ratings = String::from("| age | Elo | ± 95 % | score |\n|---|---:|---:|---:|\n");
    let mut matches = String::from(
        "| age | against | won | drawn | lost | score (95 %) |\n|---|---|---:|---:|---:|---|\n",
    );
    for line in printed.lines() {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            [name, elo, interval, _, score] if known(name).is_some() => {
                let name = known(name).unwrap_or_default();
                let _ = writeln!(ratings, "| {name} | {elo} | {interval} | {score} |");
            }
            [a, b, won, drawn, lost, score, low, "to", high] => {
                let [a, b] = [a, b].map(|name| known(name).unwrap_or("?"));
                let _ = writeln!(
                    matches,
                    "| {a} | {b} | {won} | {drawn} | {lost} | {score} ({low} to {high}) |"
                );
            }
            _ => {}
        }
    }
    let _ = write!(out, "{ratings}\n{matches}");
    std::fs::write(root().join(REPORT), out).map_err(|error| format!("{REPORT}: {error}"))
}

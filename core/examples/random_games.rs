//! Prints random games with every legal move of every position, for a referee that shares no code
//! with this crate (`cargo xtask oracle`).
//!
//! `cargo run --release -p dojo-core --example random_games -- dots 10 1 size=3x3`
//!
//! A line `game RULES` begins a game. A line for each ply has the player to move, the legal moves,
//! the move played and the position before it, separated by `|`. A line `end RESULT` ends the game.

use std::io::{BufWriter, Write};
use std::process::ExitCode;

use dojo_core::game::{Game, Rules};
use dojo_core::games::GameId;
use dojo_core::rng::Rng;
use dojo_core::with_game;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match run(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("random_games GAME GAMES SEED [KEY=VALUE …]: {what}");
            ExitCode::from(2)
        }
    }
}

fn run(words: &[String]) -> Result<(), String> {
    let [name, games, seed, options @ ..] = words else {
        return Err("three arguments or more".into());
    };
    let id = GameId::from_name(name).ok_or(format!("unknown game {name}"))?;
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|error| format!("{text}: {error}"))
    };
    let (games, seed) = (number(games)?, number(seed)?);
    with_game!(id, G => print::<G>(games, seed, options))
}

fn print<G: Game>(games: u64, seed: u64, options: &[String]) -> Result<(), String> {
    let mut rules = G::Rules::default();
    for option in options {
        let (key, value) = option.split_once('=').ok_or("KEY=VALUE expected")?;
        rules.set(key, value).map_err(|error| error.to_string())?;
    }
    let mut out = BufWriter::new(std::io::stdout().lock());
    for number in 0..games {
        let mut rng = Rng::new(seed.wrapping_mul(1 << 20).wrapping_add(number));
        let mut game = G::new(rules.dealt(rng.next_u64()));
        let mut lines = format!("game {}\n", game.rules());
        while game.outcome().is_none() {
            let moves: Vec<G::Move> = game.legal_moves().collect();
            // Go's list ends with a pass: some games pass often enough to end early.
            let last = moves.last().filter(|mv| mv.to_string() == "pass");
            let mv = match last {
                Some(&pass) if number % 2 == 0 && rng.chance(u32::MAX / 8) => pass,
                _ => rng
                    .pick(moves.iter().copied())
                    .ok_or("a position without moves")?,
            };
            let listed: Vec<String> = moves.iter().map(ToString::to_string).collect();
            let turn = game.turn().name();
            lines += &format!("{turn}|{}|{mv}|{game}\n", listed.join(" "));
            game.play_unchecked(mv);
        }
        let result = game.outcome().map_or("none", |outcome| outcome.name());
        writeln!(out, "{lines}end {result}|{game}").map_err(|error| error.to_string())?;
    }
    Ok(())
}

//! `dojo lessons check`: positions, moves and texts of the lessons.

use std::path::PathBuf;

use clap::Subcommand;
use dojo_core::bank::Kind;
use dojo_core::games::GameId;
use dojo_core::with_game;
use serde::Serialize;

use dojo_lab::exercises;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output::Format;
use dojo_lab::rules::GAME;

/// Playable lessons.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Check that positions and moves are legal and that every text fits the smallest display
    #[command(after_help = "Examples:\n  dojo lessons check go")]
    Check {
        /// The game; all of them if it is left out
        #[arg(value_parser = GAME)]
        game: Option<GameId>,
        /// The file; data/lessons/GAME.txt if it is left out
        file: Option<PathBuf>,
        #[command(flatten)]
        format: Format,
    },
}

#[derive(Serialize)]
struct Checked {
    game: &'static str,
    bytes: usize,
    steps: usize,
}

/// Checks.
pub fn run(args: Args) -> Done {
    let Task::Check { game, file, format } = args.task;
    let games = game.map_or(GameId::ALL.to_vec(), |game| vec![game]);
    let check = |id: GameId| {
        let usual = || PathBuf::from(format!("data/lessons/{}.txt", id.name()));
        let file = file.clone().unwrap_or_else(usual);
        let model = with_game!(id, G => exercises::certify::<G>(Kind::Lesson, &file))?;
        let steps = dojo_core::bank::exercises::Exercises::new(&model.payload);
        Ok(Checked {
            game: id.name(),
            bytes: model.payload.len(),
            steps: steps.map_or(0, |steps| steps.len()),
        })
    };
    let checked = games.into_iter().map(check);
    let checked: Vec<Checked> = checked.collect::<Result<_, Failure>>()?;
    format.print(&checked, || {
        let line = |lesson: &Checked| {
            format!(
                "{:<10} {} steps, {} bytes\n",
                lesson.game, lesson.steps, lesson.bytes
            )
        };
        checked.iter().map(line).collect()
    })
}

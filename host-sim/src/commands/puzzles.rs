//! `dojo puzzles make|check`: positions with one best move.

use std::path::PathBuf;

use clap::Subcommand;
use dojo_core::bank::Bank;
use dojo_core::games::GameId;
use dojo_core::with_game;
use rayon::prelude::*;
use serde::Serialize;

use dojo_lab::bank::SHIPPED;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::games::LabGame;
use dojo_lab::output::{Format, Progress};
use dojo_lab::puzzles;
use dojo_lab::rules::GAME;

/// Positions in which a single move reaches the best result.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Make puzzles from the ends of games, solved exactly and graded by the belts
    #[command(after_help = "Examples:\n  dojo puzzles make dots --out dots.txt")]
    Make {
        /// The game
        #[arg(value_parser = GAME)]
        game: GameId,
        /// Number of puzzles
        #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=1000))]
        count: u16,
        /// Seed of all randomness
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// The file to write
        #[arg(long)]
        out: PathBuf,
        /// Replace the file
        #[arg(long)]
        force: bool,
        #[command(flatten)]
        format: Format,
    },
    /// Prove the puzzles of a file again, by another way of solving
    #[command(after_help = "Examples:\n  dojo puzzles check dots dots.txt")]
    Check {
        /// The game
        #[arg(value_parser = GAME)]
        game: GameId,
        /// The file
        file: PathBuf,
        #[command(flatten)]
        format: Format,
    },
}

/// How many puzzles of each grade there are, and how often the belts solve them.
#[derive(Serialize)]
struct Report {
    game: &'static str,
    puzzles: usize,
    /// From one star to five.
    stars: [usize; 5],
    /// Percent of the puzzles that each belt solves, white to black.
    belts: [f64; 5],
}

impl Report {
    fn of<G: LabGame>(puzzles: &[puzzles::Puzzle<G>]) -> Report
    where
        G::Rules: Send + Sync,
    {
        let mut report = Report {
            game: G::NAME,
            puzzles: puzzles.len(),
            stars: [0; 5],
            belts: [0.0; 5],
        };
        for puzzle in puzzles {
            report.stars[puzzle.stars() - 1] += 1;
            for (sum, &percent) in report.belts.iter_mut().zip(&puzzle.belts) {
                *sum += f64::from(percent) / puzzles.len() as f64;
            }
        }
        report
    }

    fn text(&self, what: &str) -> String {
        let [one, two, three, four, five] = self.stars;
        let belts = self.belts.map(|percent| format!("{percent:.0}")).join(", ");
        format!(
            "{} puzzles of {} {what}: {one} with one star, {two}, {three}, {four} and {five} with more\n\
             solved by white, yellow, green, brown and black: {belts} %\n",
            self.puzzles, self.game
        )
    }
}

/// Makes or checks.
pub fn run(args: Args) -> Done {
    match args.task {
        Task::Make { game, .. } | Task::Check { game, .. } => {
            with_game!(game, G => task::<G>(args.task))
        }
    }
}

fn task<G: LabGame>(task: Task) -> Done
where
    G::Rules: Send + Sync,
    G::Move: Send + Sync,
{
    match task {
        Task::Make {
            count,
            seed,
            out,
            force,
            format,
            ..
        } => {
            files::may_write(&out, force)?;
            let bank = Bank::new(SHIPPED).map_err(Failure::check)?;
            let made = puzzles::make::<G>(count.into(), seed, &bank)?;
            if made.len() < usize::from(count) {
                let found = made.len();
                let what = format!(
                    "only {found} puzzles of {} were found, not {count}",
                    G::NAME
                );
                return Err(Failure::Check(what));
            }
            files::write(&out, puzzles::write(&made, seed).as_bytes(), force)?;
            let report = Report::of(&made);
            format.print(&report, || report.text("made"))
        }
        Task::Check { file, format, .. } => {
            let text = files::read_text(&file)?;
            let refuse = |(line, fault): (usize, String)| {
                Failure::Check(format!("{}: line {line}: {fault}", file.display()))
            };
            let read = puzzles::read::<G>(&text).map_err(refuse)?;
            let progress = Progress::new("puzzles", read.len() as u64);
            let proved = |puzzle| {
                let fault = puzzles::check(puzzle);
                progress.tick();
                fault
            };
            let faults: Vec<_> = read.par_iter().map(proved).collect();
            drop(progress);
            for (number, fault) in faults.into_iter().enumerate() {
                fault.map_err(|fault| {
                    let number = number + 1;
                    Failure::Check(format!("{}: puzzle {number}: {fault}", file.display()))
                })?;
            }
            let report = Report::of(&read);
            format.print(&report, || report.text("proved by a second way"))
        }
    }
}

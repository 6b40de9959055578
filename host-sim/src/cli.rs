//! The command line: arguments, dispatch, and exit codes.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::commands::{
    arena, bank, bench, device, experiment, gtp, lab, patterns, perft, replay, report, solve,
    train, uf2,
};
use crate::{play, screenshot, web};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;

/// A pocket handheld with six games, and the lab that trains and measures its opponents.
///
/// Without a command it plays in this terminal.
#[derive(Debug, Parser)]
#[command(name = "dojo", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    /// The command; playing without one.
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Arguments of `play`, which runs without a command.
    #[command(flatten)]
    pub play: play::Args,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Play on the handheld, in this terminal
    Play(play::Args),
    /// Replay buttons on the handheld and save its screen as a picture
    Screenshot(screenshot::Args),
    /// Serve the handheld as a page for your browser
    Web(web::Args),
    /// Count move sequences of a given length
    Perft(perft::Args),
    /// Solve a game exactly, over all positions that it can reach
    Solve(solve::Args),
    /// Run every search algorithm on the same position, side by side
    Lab(lab::Args),
    /// Check the record of a game, move by move
    Replay(replay::Args),
    /// Play a match between two players, with a 95 % interval
    Arena(arena::Args),
    /// Train a player from nothing
    Train(train::Args),
    /// Reproduce published tables and curves, with the published figures beside ours
    Experiment(experiment::Args),
    /// Write one page with the results of all experiments
    Report(report::Args),
    /// Induce, show, draw and check patterns of moves in Go
    Patterns(patterns::Args),
    /// Play Go for programs that speak the Go Text Protocol
    Gtp(gtp::Args),
    /// Show, check, compare and make model banks
    Bank(bank::Args),
    /// Measure the search, and print a number that changes when play does
    Bench(bench::Args),
    /// Run a firmware image in the emulator, screen and buttons in this terminal
    Device(device::Args),
    /// Write firmware and models as one file for the Pico
    Uf2(uf2::Args),
}

/// Parses the arguments, runs the command, and reports a failure in one line.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    match run(cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if failure != Failure::ClosedPipe {
                output::warn(&failure.to_string());
            }
            ExitCode::from(failure.code())
        }
    }
}

fn run(cli: Cli) -> Done {
    match cli.command {
        None => play::run(cli.play),
        Some(Command::Play(args)) => play::run(args),
        Some(Command::Screenshot(args)) => screenshot::run(args),
        Some(Command::Web(args)) => web::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Replay(args)) => replay::run(args),
        Some(Command::Arena(args)) => arena::run(args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::Experiment(args)) => experiment::run(args),
        Some(Command::Report(args)) => report::run(args),
        Some(Command::Patterns(args)) => patterns::run(args),
        Some(Command::Gtp(args)) => gtp::run(args),
        Some(Command::Bank(args)) => bank::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Device(args)) => device::run(args),
        Some(Command::Uf2(args)) => uf2::run(args),
    }
}

/// Help and version go to stdout; every other message of clap becomes one line and exit code 2.
fn refuse(error: &clap::Error) -> ExitCode {
    use clap::error::ErrorKind;
    let text = error.to_string();
    if matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    ) {
        let _ = output::print(&text);
        return ExitCode::SUCCESS;
    }
    output::warn(&one_line(&text));
    ExitCode::from(2)
}

/// The first paragraph of clap's message and its tip, if it has one, on one line.
fn one_line(text: &str) -> String {
    let first: Vec<_> = text
        .lines()
        .take_while(|line| !line.is_empty())
        .map(str::trim)
        .collect();
    let first = first.join(" ");
    let message = first.strip_prefix("error: ").unwrap_or(&first);
    match text
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: "))
    {
        Some(tip) => format!("{message} ({tip})"),
        None => format!("{message} (see --help)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}

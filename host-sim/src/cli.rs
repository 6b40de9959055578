//! The command line: arguments, dispatch, and exit codes.

use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

use crate::commands::{
    apprentice, arena, bank, bench, completions, device, doctor, experiment, gtp, lab, ladder,
    lessons, man, patterns, perft, puzzles, replay, report, selfplay, solve, train, uf2,
};
use crate::{play, record, screenshot, web};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;

/// A pocket handheld with six games, and the lab that trains and measures its opponents.
///
/// Without a command it plays in this terminal.
#[derive(Debug, Parser)]
#[command(name = "dojo", version, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Examples:\n  dojo\n  dojo play go --belt black\n  dojo web --lan\n  dojo arena sticks belt:black random"
)]
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
    #[command(
        after_help = "Examples:\n  dojo play go --belt black\n  dojo play dots --size 3x3 --two\n  dojo play sticks --bank mine.bank"
    )]
    Play(play::GameArgs),
    /// Replay buttons on the handheld and save its screen as a picture
    #[command(
        after_help = "Examples:\n  dojo screenshot --board lcd --keys \"a a wait\" --out screen.png"
    )]
    Screenshot(screenshot::Args),
    /// Record a game of two machines, or buttons, as a GIF
    #[command(
        after_help = "Examples:\n  dojo record sticks --belts yellow,black --out sticks.gif\n  dojo record go --size 5 --belts green,brown --out go.gif\n  dojo record --board oled --keys \"a a wait a wait\" --scale 3 --out start.gif"
    )]
    Record(record::Args),
    /// Serve the handheld as a page for your browser
    #[command(after_help = "Examples:\n  dojo web\n  dojo web --lan\n  dojo web --export page")]
    Web(web::Args),
    /// Count move sequences of a given length
    #[command(
        after_help = "Examples:\n  dojo perft tictactoe 5\n  dojo perft dots 6 --size 2x2 --json"
    )]
    Perft(perft::Args),
    /// Solve a game exactly, over all positions that it can reach
    #[command(
        after_help = "Examples:\n  dojo solve sticks --rows 3,5,7\n  dojo solve dots --size 2x2 --player belt:yellow"
    )]
    Solve(solve::Args),
    /// Read back what the apprentices of a handheld have learned
    #[command(
        after_help = "Examples:\n  dojo apprentice handheld.save\n  dojo apprentice saves.bin --values sticks --out mine.txt"
    )]
    Apprentice(apprentice::Args),
    /// Check the lessons: every position and move, and that every text fits
    #[command(
        after_help = "Examples:\n  dojo lessons check\n  dojo lessons check go data/lessons/go.txt"
    )]
    Lessons(lessons::Args),
    /// Make puzzles, and prove those of a file
    #[command(
        after_help = "Examples:\n  dojo puzzles make dots --out dots.txt\n  dojo puzzles check dots dots.txt"
    )]
    Puzzles(puzzles::Args),
    /// Run every search algorithm on the same position, side by side
    #[command(
        after_help = "Examples:\n  dojo lab tictactoe\n  dojo lab tictactoe x.o/.x./..o\n  dojo lab dots --size 2x2 --depth 6\n  dojo lab tree"
    )]
    Lab(lab::Args),
    /// Check the record of a game, move by move
    #[command(
        after_help = "Examples:\n  dojo replay sticks game.txt\n  dojo replay go game.sgf\n  dojo replay go - --json < game.sgf"
    )]
    Replay(replay::Args),
    /// Play a match between two players, with a 95 % interval
    #[command(
        override_usage = "dojo arena [OPTIONS] <GAME> <A> <B>\n       dojo arena [GAME] --list",
        after_help = "Examples:\n  dojo arena sticks belt:black random --games 1000\n  dojo arena go belt:green gnugo:level=1 --games 20\n  dojo arena --list"
    )]
    Arena(arena::Args),
    /// Play all pairs of several players, as one table of Elo ratings
    #[command(
        after_help = "Examples:\n  dojo ladder go belt:green belt:brown gnugo:level=1 --games 20"
    )]
    Ladder(ladder::Args),
    /// Play games of Go with the visits of every move, in shards
    #[command(
        after_help = "Examples:\n  dojo selfplay go --games 100 --playouts 200 --shard 1/1 --out games"
    )]
    Selfplay(selfplay::Args),
    /// Train a player from nothing
    #[command(
        after_help = "Examples:\n  dojo train sticks\n  dojo train dots --preset published --seed 4\n  dojo train iwoki --stop-after 1000 --out run\n  dojo train iwoki --resume --out run"
    )]
    Train(train::Args),
    /// Reproduce published tables and curves, with the published figures beside ours
    #[command(
        after_help = "Examples:\n  dojo experiment --list\n  dojo experiment sticks-alpha --quick --out results"
    )]
    Experiment(experiment::Args),
    /// Write one page with the results of all experiments
    #[command(after_help = "Examples:\n  dojo report results --out report.html")]
    Report(report::Args),
    /// Induce, show, draw and check patterns of moves in Go
    #[command(
        after_help = "Examples:\n  dojo patterns show data/go-patterns/published.tsv\n  dojo patterns induce --samples 5 --out rules.tsv"
    )]
    Patterns(patterns::Args),
    /// Play Go for programs that speak the Go Text Protocol
    #[command(
        mut_args = |arg| of_go(arg),
        after_help = "Examples:\n  dojo gtp --player belt:black\n  dojo gtp --player belt:brown --size 7"
    )]
    Gtp(gtp::Args),
    /// Show, check, compare and make model banks
    #[command(
        after_help = "Examples:\n  dojo bank inspect models/dojo.bank\n  dojo bank pack runs/sticks-shipped-1 --out mine.bank\n  dojo bank verify mine.bank"
    )]
    Bank(bank::Args),
    /// Measure the search, and print a number that changes when play does
    #[command(
        after_help = "Examples:\n  dojo bench\n  dojo bench --device --part answers --game iwoki"
    )]
    Bench(bench::Args),
    /// Run a firmware image in the emulator, screen and buttons in this terminal
    #[command(
        after_help = "Examples:\n  dojo device\n  dojo device target/pocket-dojo.uf2 --board oled"
    )]
    Device(device::Args),
    /// Write firmware and models as one file for the Pico
    #[command(
        after_help = "Examples:\n  dojo uf2 firmware.elf --bank models/dojo.bank --out pocket-dojo.uf2"
    )]
    Uf2(uf2::Args),
    /// Show which programs around this one are installed, and what each is for
    #[command(after_help = "Examples:\n  dojo doctor")]
    Doctor(doctor::Args),
    /// Print a script that completes commands and options in a shell
    #[command(
        after_help = "Examples:\n  dojo completions bash > ~/.local/share/bash-completion/completions/dojo\n  dojo completions fish > ~/.config/fish/completions/dojo.fish"
    )]
    Completions(completions::Args),
    /// Print a manual page, or write all of them
    #[command(
        after_help = "Examples:\n  dojo man arena | man -l -\n  dojo man bank pack\n  dojo man --out man1"
    )]
    Man(man::Args),
}

/// Hides the options of other games, which are refused.
fn of_go(arg: clap::Arg) -> clap::Arg {
    let is_foreign = ["rows", "ties", "misere", "open", "deal"].contains(&arg.get_id().as_str());
    match is_foreign {
        true => arg.hide(true),
        false => arg,
    }
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
        Some(Command::Play(args)) => play::run_game(args),
        Some(Command::Screenshot(args)) => screenshot::run(args),
        Some(Command::Record(args)) => record::run(args),
        Some(Command::Web(args)) => web::run(args),
        Some(Command::Perft(args)) => perft::run(args),
        Some(Command::Solve(args)) => solve::run(args),
        Some(Command::Apprentice(args)) => apprentice::run(args),
        Some(Command::Lessons(args)) => lessons::run(args),
        Some(Command::Puzzles(args)) => puzzles::run(args),
        Some(Command::Lab(args)) => lab::run(args),
        Some(Command::Replay(args)) => replay::run(args),
        Some(Command::Arena(args)) => arena::run(args),
        Some(Command::Ladder(args)) => ladder::run(args),
        Some(Command::Selfplay(args)) => selfplay::run(args),
        Some(Command::Train(args)) => train::run(args),
        Some(Command::Experiment(args)) => experiment::run(args),
        Some(Command::Report(args)) => report::run(args),
        Some(Command::Patterns(args)) => patterns::run(args),
        Some(Command::Gtp(args)) => gtp::run(args),
        Some(Command::Bank(args)) => bank::run(args),
        Some(Command::Bench(args)) => bench::run(args),
        Some(Command::Device(args)) => device::run(args),
        Some(Command::Uf2(args)) => uf2::run(args),
        Some(Command::Doctor(args)) => doctor::run(args),
        Some(Command::Completions(args)) => completions::run(args, Cli::command()),
        Some(Command::Man(args)) => man::run(args, Cli::command()),
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
    // Words of the standard library about digits.
    let message = [
        "invalid digit found in string",
        "cannot parse integer from empty string",
    ]
    .into_iter()
    .fold(message.to_owned(), |message, words| {
        message.replace(words, "expected a whole number")
    });
    let message = plain_range(&message);
    // Clap would advise to pass it as a name.
    let number = message.strip_prefix("unexpected argument '-");
    if number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit())) {
        return format!("{message}: no number here is negative");
    }
    match text
        .lines()
        .find_map(|line| line.trim().strip_prefix("tip: "))
    {
        Some(tip) => format!("{message} ({tip})"),
        None => format!("{message} (see --help)"),
    }
}

/// A range as people write it: `0 is not in 1..=9` becomes `expected 1 to 9`.
fn plain_range(message: &str) -> String {
    let plain = || {
        let (before, range) = message.split_once(" is not in ")?;
        let (before, _) = before.rsplit_once(' ')?;
        let (first, last) = range.split_once("..")?;
        let limits = match last.strip_prefix('=') {
            Some(last) => format!("{first} to {last}"),
            None => format!("{first} or more"),
        };
        Some(format!("{before} expected {limits}"))
    };
    plain().unwrap_or_else(|| message.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    /// The words of a line, as a shell takes them apart.
    fn words(line: &str) -> Vec<String> {
        let mut words = vec![];
        for (part, text) in line.split('"').enumerate() {
            match part % 2 {
                0 => words.extend(text.split_whitespace().map(str::to_owned)),
                _ => words.push(text.to_owned()),
            }
        }
        words
    }

    /// A command and those inside it, which follow its name. Returns how many there are.
    fn check_examples(command: &clap::Command, name: &str) -> usize {
        let help = command.get_after_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let examples = help.strip_prefix("Examples:\n").unwrap_or_default();
        assert!(!examples.is_empty(), "{name} has no examples");
        for line in examples.lines() {
            assert!(line.starts_with(&format!("  {name}")), "{line}");
            // What follows is the shell's.
            let line = [" > ", " < ", " | "].into_iter().fold(line, |line, mark| {
                line.split_once(mark).map_or(line, |(ours, _)| ours)
            });
            if let Err(error) = Cli::try_parse_from(words(line)) {
                panic!("{line}: {error}");
            }
        }
        let inner = command.get_subcommands();
        let inner =
            inner.map(|inner| check_examples(inner, &format!("{name} {}", inner.get_name())));
        inner.sum::<usize>() + 1
    }

    #[test]
    fn every_command_has_examples_that_it_understands() {
        assert!(check_examples(&Cli::command(), "dojo") > 35);
    }

    #[test]
    fn the_go_text_protocol_offers_options_of_go_alone() {
        let mut dojo = Cli::command();
        let gtp = dojo.find_subcommand_mut("gtp").unwrap();
        let help = gtp.render_long_help().to_string();
        for (option, is_offered) in [("--rows", false), ("--deal", false), ("--komi", true)] {
            assert_eq!(help.contains(option), is_offered, "{help}");
        }
    }

    #[test]
    fn numbers_that_are_none_get_a_plain_message_and_only_advice_that_works() {
        let message = |line: &str| {
            let error = Cli::try_parse_from(line.split(' ')).unwrap_err();
            one_line(&error.to_string())
        };
        let games = message("dojo arena sticks random random --games many");
        assert!(games.contains("expected a whole number (see"), "{games}");
        let games = message("dojo arena sticks random random --games 0");
        assert!(
            games.contains("'--games <GAMES>': expected 1 to 10000000 (see"),
            "{games}"
        );
        let seeds = message("dojo experiment all --seeds 0");
        assert!(seeds.contains(": expected 1 or more (see"), "{seeds}");
        let seed = message("dojo arena sticks random random --seed -3");
        assert!(
            seed.contains("no number here is negative") && !seed.contains("--"),
            "{seed}"
        );
        let flag = message("dojo arena sticks random random --game 3");
        assert!(flag.contains("exists: '--games'"), "{flag}");
    }
}

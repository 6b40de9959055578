//! `dojo train GAME`: self-play from nothing, kept as a run folder.

use std::path::PathBuf;

use dojo_core::agents::Belt;
use dojo_core::games::GameId;
use serde::Serialize;

use crate::bank::manifest::date;
use crate::failure::{Done, Failure};
use crate::files;
use crate::output::{Format, Progress};
use crate::rules::game_id;
use crate::train::{Plan, Preset, SHIPPED, certificate, train, write};

/// What to train.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: sticks
    #[arg(value_parser = game_id)]
    game: GameId,
    /// A named choice of settings
    #[arg(long, value_enum, default_value = "shipped")]
    preset: Preset,
    /// All chance comes from this number
    #[arg(long, default_value_t = SHIPPED.seed)]
    seed: u64,
    /// Games of self-play
    #[arg(long, default_value_t = SHIPPED.games)]
    games: u32,
    /// The day that the models will carry, as yyyymmdd
    #[arg(long, default_value_t = SHIPPED.date, value_parser = |text: &str| date(text).ok_or("expected yyyymmdd"))]
    date: u32,
    /// The folder of the run [default: runs/GAME-PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the files of an earlier run in that folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    seed: u64,
    games: u32,
    sure: f64,
    correct: f64,
    exact: bool,
    out: String,
}

/// Trains and writes the folder.
pub fn run(args: Args) -> Done {
    if args.game != GameId::Sticks {
        return Err(Failure::Usage(format!("{} has no learner; only sticks has one", args.game.name())));
    }
    let plan = Plan { preset: args.preset, seed: args.seed, games: args.games, date: args.date };
    plan.check()?;
    let preset = clap::ValueEnum::to_possible_value(&args.preset).map(|value| value.get_name().to_owned());
    let out = args
        .out
        .unwrap_or_else(|| format!("runs/{}-{}-{}", args.game.name(), preset.unwrap_or_default(), args.seed).into());
    // Better now than after the work.
    files::may_write(&out, args.force)?;
    let progress = Progress::new("games", args.games.into());
    let run = train(&plan, || progress.tick());
    drop(progress);
    write(&out, &plan, &run, args.force)?;
    let exact = run.belts.last().is_some_and(|(_, _, values)| certificate(values, Some(Belt::Black)).is_ok());
    let (sure, correct) = run.log.last().map_or((0.0, 0.0), |last| (last.sure, last.correct));
    let report = Report {
        game: args.game.name(),
        seed: args.seed,
        games: args.games,
        sure,
        correct,
        exact,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        let verdict = if exact { "black is exact" } else { "black is not exact: no bank can be made of it" };
        format!(
            "{} games: {:.1} % of the states are sure, {:.1} % of the won states are won; {verdict}\n{} has the run\n",
            report.games,
            100.0 * sure,
            100.0 * correct,
            report.out
        )
    })
}

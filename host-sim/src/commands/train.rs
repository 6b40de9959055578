//! `dojo train GAME`: learning from nothing, kept as a run folder.

use std::path::{Path, PathBuf};

use dojo_core::games::GameId;
use serde::ser::{Serialize, SerializeMap, Serializer};

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::output::{self, Format, Progress};
use dojo_lab::rules::game_id;
use dojo_lab::train::{self, Curriculum, Learner, Overrides, Run};

/// Arguments of `dojo train`.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[arg(value_parser = game_id, help = format!("The game: {}", train::trained_games()))]
    game: GameId,
    #[arg(long, default_value = "shipped", help = presets_help())]
    preset: String,
    #[command(flatten)]
    overrides: Overrides,
    /// The folder of the run [default: runs/GAME-PRESET-SEED]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Stop after so many games; --resume goes on
    #[arg(long, value_name = "GAMES")]
    stop_after: Option<u32>,
    /// Go on with a run that was stopped or interrupted; the result is the same as if it had not
    /// been
    #[arg(long, conflicts_with = "force")]
    resume: bool,
    /// Replace the files of an earlier run in that folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    format: Format,
}

/// Every preset of every game, for `--help`.
fn presets_help() -> String {
    let mut text = String::from("A named choice of settings; a game's first one is its `shipped`");
    for game in GameId::ALL {
        for preset in train::presets(game) {
            text += &format!("\n{} {}: {}", game.name(), preset.name, preset.about);
        }
    }
    text
}

/// The result of a run, with figures of the game's own.
struct Report {
    game: &'static str,
    seed: u64,
    games: u32,
    figures: Vec<(&'static str, serde_json::Value)>,
    out: String,
}

impl Serialize for Report {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("game", self.game)?;
        map.serialize_entry("seed", &self.seed)?;
        map.serialize_entry("games", &self.games)?;
        for (key, figure) in &self.figures {
            map.serialize_entry(key, figure)?;
        }
        map.serialize_entry("finished", &true)?;
        map.serialize_entry("out", &self.out)?;
        map.end()
    }
}

/// Trains and writes the folder.
pub fn run(args: Args) -> Done {
    let curriculum = train::curriculum(args.game, &args.preset, &args.overrides)?;
    let settings = curriculum.run();
    let usual = || {
        format!(
            "runs/{}-{}-{}",
            args.game.name(),
            args.preset,
            settings.seed
        )
        .into()
    };
    let out = args.out.clone().unwrap_or_else(usual);
    let Some(run) = drive(&args, &out, &*curriculum)? else {
        return Ok(());
    };
    train::write(&out, &*curriculum, &run, args.force)?;
    let (figures, text) = curriculum.summary(&run);
    let report = Report {
        game: args.game.name(),
        seed: settings.seed,
        games: settings.games,
        figures,
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        format!(
            "{} games: {text}\n{} has the run\n",
            report.games, report.out
        )
    })
}

/// Begins or goes on; `None` if the run stops before its end.
fn drive(args: &Args, out: &Path, curriculum: &dyn Curriculum) -> Result<Option<Run>, Failure> {
    let (mut learner, mut run) = if args.resume {
        train::resume(out, curriculum)?
    } else {
        // Refused before the work, not after it.
        files::may_fill(out, args.force)?;
        let learner = curriculum
            .learner()
            .ok_or_else(|| Failure::check("the network of these settings is too large"))?;
        (learner, Run::default())
    };
    let (schedule, settings) = (curriculum.schedule(), curriculum.settings());
    let progress = Progress::new("games", schedule.games.into());
    progress.advance(learner.games().into());
    run.advance(
        &mut *learner,
        &schedule,
        args.stop_after.unwrap_or(u32::MAX),
        |games| progress.advance(games.into()),
        |run: &Run, learner: &dyn Learner| train::pause(out, &settings, run, learner),
    )?;
    drop(progress);
    let games = learner.games();
    if games < schedule.games {
        output::print(&format!(
            "stopped after {games} games; the same command with --resume goes on\n"
        ))?;
        return Ok(None);
    }
    Ok(Some(run))
}

//! `dojo train GAME`: learning from nothing, kept as a run folder.

use std::path::{Path, PathBuf};

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use serde::ser::{Serialize, SerializeMap, Serializer};

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;
use dojo_lab::games::go::policy;
use dojo_lab::games::go::shards::SelfPlayGames;
use dojo_lab::output::{self, Format, Progress};
use dojo_lab::rules::BELT;
use dojo_lab::train::{self, Curriculum, Learner, Overrides, Run};

/// Arguments of `dojo train`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game
    #[arg(value_parser = train::TRAINED)]
    game: GameId,
    #[arg(long, default_value = "shipped", help = presets_help())]
    preset: String,
    #[command(flatten)]
    overrides: Overrides,
    /// Go: learn a policy from the games of `dojo selfplay` in these folders, in any order
    #[arg(long, value_name = "DIR", num_args = 1.., conflicts_with_all = ["preset", "stop_after", "resume"])]
    from: Vec<PathBuf>,
    /// The belt that a policy serves in a bank
    #[arg(long, requires = "from", value_parser = BELT)]
    belt: Option<Belt>,
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
    if !args.from.is_empty() {
        return run_from_games(&args);
    }
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

/// Learns a policy from games that were played before.
fn run_from_games(args: &Args) -> Done {
    if args.game != GameId::Go {
        return Err(Failure::usage("--from is for go, which plays such games"));
    }
    args.overrides.refuse_all("go")?;
    if args.overrides.games.is_some() {
        return Err(Failure::usage(
            "--from learns from all games of the folders",
        ));
    }
    let seed = args.overrides.seed.unwrap_or(1);
    let out = args.out.clone();
    let out = out.unwrap_or_else(|| format!("runs/go-policy-{seed}").into());
    files::may_fill(&out, args.force)?;
    let games = SelfPlayGames::read(&args.from)?;
    for place in &games.damaged {
        output::warn(&format!("{}: damaged, left out", place.display()));
    }
    let run = policy::train(&games, seed)?;
    run.write(&out, args.belt, args.overrides.date(), args.force)?;
    let [first, twenty] = run.predicted;
    let report = Report {
        game: args.game.name(),
        seed,
        games: run.games as u32,
        figures: vec![
            ("predicted_first", first.into()),
            ("predicted_within_20", twenty.into()),
            ("damaged", games.damaged.len().into()),
        ],
        out: out.display().to_string(),
    };
    args.format.print(&report, || {
        format!(
            "{} games: of {} moves of unseen games {:.1} % at first place, {:.1} % among twenty\n{} has the run\n",
            run.games,
            run.unseen,
            100.0 * first,
            100.0 * twenty,
            report.out
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

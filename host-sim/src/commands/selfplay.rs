//! `dojo selfplay go`: games of the tree search with the visits of every move, in shards.

use std::path::PathBuf;

use dojo_core::games::GameId;
use serde::Serialize;

use dojo_lab::experiment::Shard;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::games::go::policy;
use dojo_lab::games::go::shards::{SelfPlayRun, UNIT_GAMES};
use dojo_lab::output::{Format, Progress};
use dojo_lab::rules::GAME;

/// The games to play.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The game: go
    #[arg(value_parser = GAME, hide_possible_values = true)]
    game: GameId,
    /// Games of all shards together, rounded up to tens
    #[arg(long, default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    games: u32,
    /// Playouts for each move
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=60_000))]
    playouts: u32,
    /// Rows of the board: 5, 7 or 9
    #[arg(long, default_value_t = 9)]
    size: u8,
    /// The policy of the players (checkpoints/policy.txt of a run of `dojo train go --from`); the
    /// hand-written player without
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
    /// The share of the games to play, the K-th of M
    #[arg(long, value_name = "K/M", default_value = "1/1")]
    shard: Shard,
    /// All chance comes from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The folder of the games; what is there already is not played again
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    shard: String,
    played: u64,
    found: u64,
    missing: u64,
    out: String,
}

/// Plays the games of a shard.
pub fn run(args: Args) -> Done {
    if args.game != GameId::Go {
        return Err(Failure::usage("games with visits are played for go only"));
    }
    let run = SelfPlayRun {
        size: args.size,
        playouts: args.playouts,
        seed: args.seed,
        policy: args.policy.as_deref().map(policy::read).transpose()?,
    };
    let progress = Progress::new("games", args.games.into());
    let tally = run.play(args.games, args.shard, &args.out, || progress.tick())?;
    drop(progress);
    let games = |units: u64| units * u64::from(UNIT_GAMES);
    let report = Report {
        shard: args.shard.to_string(),
        played: games(tally.computed),
        found: games(tally.found),
        missing: games(tally.missing.len() as u64),
        out: args.out.display().to_string(),
    };
    args.format.print(&report, || {
        format!(
            "shard {}: {} games played, {} found, {} of other shards missing; {} has them\n",
            report.shard, report.played, report.found, report.missing, report.out
        )
    })
}

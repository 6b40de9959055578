//! `dojo perft GAME DEPTH`: counts move sequences, the classic check of a move generator.

use std::fmt::Write as _;

use dojo_core::game::{Game, perft};
use dojo_core::with_game;
use rayon::prelude::*;
use serde::Serialize;

use dojo_lab::failure::Done;
use dojo_lab::output::{Format, Progress};
use dojo_lab::rules::GameArgs;

/// Game, depth and options.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Length of the sequences, in moves
    #[arg(allow_negative_numbers = true)]
    depth: u32,
    #[command(flatten)]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    game: &'static str,
    depth: u32,
    nodes: u64,
}

/// Counts the sequences and prints the number.
pub fn run(args: Args) -> Done {
    with_game!(args.game.game, G => count::<G>(&args))
}

fn count<G: Game + Send + Sync>(args: &Args) -> Done {
    let start = G::new(args.game.options.rules::<G>()?);
    let report = Report {
        game: G::NAME,
        depth: args.depth,
        nodes: nodes(&start, args.depth),
    };
    args.format.print(&report, || {
        // Shorter sequences take a fraction of the time; the longest count is already known.
        let mut text = String::from("depth            nodes\n");
        for depth in 0..args.depth.min(G::MAX_PLIES as u32 + 1) {
            let _ = writeln!(text, "{depth:>5} {:>16}", perft(&start, depth));
        }
        let _ = writeln!(text, "{:>5} {:>16}", args.depth, report.nodes);
        text
    })
}

/// `perft` on all cores, with progress: the positions after two moves are distributed.
fn nodes<G: Game + Send + Sync>(start: &G, depth: u32) -> u64 {
    if depth <= 2 {
        return perft(start, depth);
    }
    let after = |game: &G| {
        game.legal_moves()
            .map(|mv| game.after(mv))
            .collect::<Vec<_>>()
    };
    let positions: Vec<G> = after(start).iter().flat_map(after).collect();
    let progress = Progress::new("positions", positions.len() as u64);
    let count = |game| {
        let nodes = perft(game, depth - 2);
        progress.tick();
        nodes
    };
    positions.par_iter().map(count).sum()
}

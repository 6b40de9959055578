//! `dojo perft GAME DEPTH`: counts move sequences, the classic check of a move generator.

use std::fmt::Write as _;

use dojo_core::game::{Game, perft};
use dojo_core::with_game;
use serde::Serialize;

use crate::failure::Done;
use crate::output::Format;
use crate::rules::GameArgs;

/// What to count.
#[derive(clap::Args, Debug)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Length of the sequences, in moves
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

/// Counts and prints.
pub fn run(args: Args) -> Done {
    with_game!(args.game.game, G => count::<G>(&args))
}

fn count<G: Game>(args: &Args) -> Done {
    let start = G::new(args.game.options.rules::<G>()?);
    let report = Report { game: G::NAME, depth: args.depth, nodes: perft(&start, args.depth) };
    args.format.print(&report, || {
        // Shorter sequences take a fraction of the time; the longest count is at hand already.
        let mut text = String::from("depth            nodes\n");
        for depth in 0..args.depth.min(G::MAX_PLIES as u32 + 1) {
            let _ = writeln!(text, "{depth:>5} {:>16}", perft(&start, depth));
        }
        let _ = writeln!(text, "{:>5} {:>16}", args.depth, report.nodes);
        text
    })
}

//! Playouts of Go a second on one core: `cargo bench -p dojo-core --bench go`, one line a measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dojo_core::game::Game;
use dojo_core::games::go::{Board, Style};
use dojo_core::games::{Go, GoRules};
use dojo_core::rng::Rng;

/// How long each measurement runs, and how often; the best run counts.
const RUN: Duration = Duration::from_millis(500);
const RUNS: u32 = 5;

fn main() {
    for size in GoRules::SIZES {
        for (name, style) in [("light", Style::LIGHT), ("knowing", Style::KNOWING)] {
            let start = Board::new(&Go::new(GoRules::new(size).expect("a known size")));
            let mut best = 0.0_f64;
            let mut moves = 0.0;
            for run in 0..RUNS {
                let (mut count, mut total, mut seed) = (0_u64, 0_u64, u64::from(run) << 32);
                let begun = Instant::now();
                while begun.elapsed() < RUN {
                    for _ in 0..64 {
                        let mut board = start;
                        black_box(board.playout(&style, &mut Rng::new(seed)));
                        total += u64::from(board.moves());
                        seed += 1;
                    }
                    count += 64;
                }
                best = best.max(count as f64 / begun.elapsed().as_secs_f64());
                moves = total as f64 / count as f64;
            }
            println!("go {size}x{size} {name} playouts: {best:.0} a second, {moves:.1} moves each");
        }
    }
}

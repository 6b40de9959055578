//! Playouts of Go per second of CPU time: `cargo bench -p dojo-core --bench go`, one line a
//! measurement.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dojo_core::game::Game;
use dojo_core::games::go::{Board, Style};
use dojo_core::games::{Go, GoRules};
use dojo_core::rng::Rng;

/// Duration and number of runs; the best run counts.
const RUN: Duration = Duration::from_millis(300);
const RUNS: u32 = 3;

/// CPU time of this thread where the system provides it (Linux), else wall-clock time.
fn now(begun: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanos = told.and_then(|text| text.split(' ').next()?.parse().ok());
    nanos.map_or_else(|| begun.elapsed(), Duration::from_nanos)
}

fn main() {
    let epoch = Instant::now();
    for size in GoRules::SIZES {
        for (name, style) in [
            ("light", Style::LIGHT),
            ("knowing", Style::KNOWING),
            ("learned", Style::LEARNED),
        ] {
            let start = Board::new(&Go::new(GoRules::new(size).expect("a known size")));
            let mut best = 0.0_f64;
            let mut moves = 0.0;
            for run in 0..RUNS {
                let (mut count, mut total, mut seed) = (0_u64, 0_u64, u64::from(run) << 32);
                let begun = now(epoch);
                while now(epoch) - begun < RUN {
                    for _ in 0..64 {
                        let mut board = start;
                        black_box(board.playout(&style, &mut Rng::new(seed)));
                        total += u64::from(board.moves());
                        seed += 1;
                    }
                    count += 64;
                }
                best = best.max(count as f64 / (now(epoch) - begun).as_secs_f64());
                moves = total as f64 / count as f64;
            }
            println!("go {size}x{size} {name} playouts: {best:.0} a second, {moves:.1} moves each");
        }
    }
}

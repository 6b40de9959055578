//! Benchmarks that the console runs on any machine: fixed tasks, timed by an injected clock.

use serde::{Deserialize, Serialize};

use crate::game::Game;
use crate::games::go::{Board, Style};
use crate::games::tictactoe::Square;
use crate::games::{Go, TicTacToe};
use crate::rng::Rng;
use crate::search::{Engine, Plan, Ranked, Results, Slot};

/// Slots of the transposition table: 32 KB.
pub const SLOTS: usize = 2048;
/// Room for move ordering: every square at every depth.
const MOVES: usize = TicTacToe::MAX_MOVES * TicTacToe::MAX_PLIES;
/// Playouts of the benchmark.
const PLAYOUTS: u32 = 500;

/// Work done, and the time it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speed {
    /// Nodes or playouts.
    pub count: u32,
    /// Microseconds.
    pub micros: u32,
}

impl Speed {
    /// Rate per second; a time of 0 counts as one microsecond.
    pub fn per_second(self) -> u32 {
        u32::try_from(u64::from(self.count) * 1_000_000 / u64::from(self.micros.max(1)))
            .unwrap_or(u32::MAX)
    }
}

/// Solves tic-tac-toe with all sound accelerators and a table of up to [`SLOTS`] slots.
pub fn search(slots: &mut [Slot], mut clock: impl FnMut() -> u64) -> Speed {
    let mut moves = [Ranked::<Square>::default(); MOVES];
    let begun = clock();
    let game = TicTacToe::new(Default::default());
    let found = Engine::new(slots, &mut moves).think(&game, &Plan::new(Results), &mut ());
    Speed {
        count: found.stats.nodes,
        micros: (clock() - begun) as u32,
    }
}

/// Runs playouts of Go from the empty 9×9 board, in the style of the strongest belt.
pub fn playouts(mut clock: impl FnMut() -> u64) -> Speed {
    let begun = clock();
    let start = Board::new(&Go::new(Default::default()));
    for seed in 0..PLAYOUTS {
        let mut board = start;
        core::hint::black_box(board.playout(&Style::KNOWING, &mut Rng::new(seed.into())));
    }
    Speed {
        count: PLAYOUTS,
        micros: (clock() - begun) as u32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_work_is_always_the_same_and_the_clock_decides() {
        let clock = |step: u64| {
            let mut now = 0;
            move || {
                now += step;
                now
            }
        };
        let search = search(&mut [Slot::default(); SLOTS], clock(500_000));
        assert_eq!(search.micros, 500_000);
        assert_eq!(search.per_second(), 2 * search.count);
        assert!((500..20_000).contains(&search.count), "{search:?}");
        let playouts = playouts(clock(0));
        assert_eq!((playouts.count, playouts.micros), (PLAYOUTS, 0));
    }
}

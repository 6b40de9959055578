//! How fast this machine thinks: the same small tasks everywhere, timed by an injected clock.

use crate::game::Game;
use crate::games::TicTacToe;
use crate::games::tictactoe::Square;
use crate::rng::Rng;
use crate::search::mcts::{Mcts, Node, Open, Playouts, Uniform};
use crate::search::{Engine, Limits, Plan, Ranked, Results, Slot};

/// Slots of the transposition table: 32 KB.
pub const SLOTS: usize = 2048;
/// Nodes of the playout tree: 112 KB.
pub const NODES: usize = 4000;
/// Room for ordering: every square at every depth.
const MOVES: usize = TicTacToe::MAX_MOVES * TicTacToe::MAX_PLIES;
/// Games that are played to their end.
const PLAYOUTS: u32 = 2000;

/// Work done, and the time it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Speed {
    /// Nodes or playouts.
    pub count: u32,
    /// Microseconds.
    pub micros: u32,
}

impl Speed {
    /// So many in a second; as many as were done, if that took no time at all.
    pub fn per_second(self) -> u32 {
        u32::try_from(u64::from(self.count) * 1_000_000 / u64::from(self.micros.max(1))).unwrap_or(u32::MAX)
    }
}

/// Solves tic-tac-toe by the whole engine, with a table in this memory ([`SLOTS`] are enough).
pub fn search(slots: &mut [Slot], mut clock: impl FnMut() -> u64) -> Speed {
    let mut moves = [Ranked::<Square>::default(); MOVES];
    let begun = clock();
    let game = TicTacToe::new(Default::default());
    let found = Engine::new(slots, &mut moves).think(&game, &Plan::new(Results), &mut ());
    Speed { count: found.stats.nodes, micros: (clock() - begun) as u32 }
}

/// Plays tic-tac-toe to its end many times, with a tree in this memory ([`NODES`] are enough).
pub fn playouts(pool: &mut [Node], mut clock: impl FnMut() -> u64) -> Speed {
    let begun = clock();
    let game = TicTacToe::new(Default::default());
    let mut mcts = Mcts::new(pool, Playouts::new(Uniform));
    let found = mcts.think(&game, &Open, &Limits::nodes(PLAYOUTS), &mut Rng::new(1), &mut ());
    Speed { count: found.stats.nodes, micros: (clock() - begun) as u32 }
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
        let playouts = playouts(&mut [Node::default(); NODES], clock(0));
        assert_eq!((playouts.count, playouts.micros), (PLAYOUTS, 0));
    }
}

//! Alpha-beta with hidden information: guess what is hidden, search, and do that often.
//!
//! Every guess is searched as if it were known to all, which makes the search think that it will know what it cannot
//! know (later moves may differ from guess to guess). Where finding things out matters, the information-set search of
//! [`mcts`](crate::search::mcts) is the better choice.

use crate::game::Hidden;
use crate::rng::Rng;
use crate::search::alphabeta::{Engine, Search};
use crate::search::{Control, Found, INFINITE, Knowledge, MAX_PLY, Plan, Value};

/// The memory for one root move: its values over all guesses, and in the guess at work.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    total: i32,
    present: Value,
}

impl<G: Hidden> Engine<'_, G> {
    /// The move with the best average over `samples` guesses, each searched to the depth of the limits; 0 for the position
    /// itself, where nothing is hidden. `sums` needs a
    /// place for every legal move ([`Game::MAX_MOVES`](crate::game::Game::MAX_MOVES) is enough); moves without one are
    /// not considered.
    ///
    /// Only guesses that were searched completely count. If not even one was, the first legal move is the answer.
    pub fn think_sampled<K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        samples: u16,
        sums: &mut [Sum],
        rng: &mut Rng,
        control: &mut impl Control,
    ) -> Found<G::Move> {
        sums.fill(Sum::default());
        self.table.grow_older();
        let depth = plan.limits.depth.clamp(1, MAX_PLY);
        let mut found = Found { mv: game.legal_moves().next(), ..Found::nothing() };
        let mut search = Search::new(self, plan, control);
        let mut searched = 0;
        'guesses: for _ in 0..samples.max(1) {
            // Without a single guess the position is taken as it is: nothing is hidden.
            let world = if samples == 0 { game.clone() } else { game.determinized(game.turn(), rng) };
            for (sum, mv) in sums.iter_mut().zip(world.legal_moves()) {
                let next = world.after(mv);
                let deeper = depth - 1 + search.extension(&next, depth, 0);
                let value = search.child(world.turn(), &next, deeper, -INFINITE, INFINITE, 0);
                let Ok(value) = value else {
                    found.stopped = true;
                    break 'guesses;
                };
                sum.present = value;
            }
            sums.iter_mut().for_each(|sum| sum.total += i32::from(sum.present));
            searched += 1;
        }
        found.stats = search.stats();
        if searched > 0 {
            found.depth = depth;
            let mut best = i32::MIN;
            for (sum, mv) in sums.iter().zip(game.legal_moves()) {
                if sum.total > best {
                    best = sum.total;
                    (found.mv, found.value) = (Some(mv), (best / searched) as Value);
                }
            }
        }
        found
    }
}

//! Alpha-beta with hidden information, by determinization: sample the hidden part, search, average.
//!
//! Every sample is searched as if both players knew it, so the search assumes that its later moves
//! may depend on hidden information (strategy fusion). Where gathering or hiding information
//! matters, information-set search (`dojo_lab::search::mcts`) is the better choice.

use crate::game::Hidden;
use crate::rng::Rng;
use crate::search::alphabeta::{Engine, Search};
use crate::search::{Control, Found, INFINITE, Knowledge, MAX_PLY, Plan, Thoughts, Value, share};

/// One stage of a sampled search: depth, number of samples, number of candidate moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Depth of the search.
    pub depth: u8,
    /// Determinizations to sample; 0 searches the position itself, for games without hidden
    /// information.
    pub samples: u16,
    /// Candidate moves: the best of the stage before.
    pub moves: u16,
}

impl Look {
    /// A stage that searches all moves.
    pub const fn at_all(depth: u8, samples: u16) -> Look {
        Look {
            depth,
            samples,
            moves: u16::MAX,
        }
    }
}

impl Look {
    /// Candidates among this many moves.
    fn candidates(&self, moves: usize) -> u64 {
        u64::from(self.moves.max(1)).min(moves as u64).max(1)
    }

    /// A rough measure of the time it takes: positions of a plain search with as many moves
    /// everywhere.
    fn cost(&self, moves: usize) -> u64 {
        let below = (moves.max(1) as u64).saturating_pow(u32::from(self.depth.clamp(1, 3)) - 1);
        u64::from(self.samples.max(1)) * self.candidates(moves) * below
    }
}

/// Memory for one root move: its values summed over the samples, and in the current sample.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sum {
    total: i32,
    present: Value,
    /// Dropped from the candidates.
    out: bool,
}

/// Keeps the best moves as candidates; of equal ones the lowest index.
fn narrow(sums: &mut [Sum], moves: u16) {
    let mut left = sums.iter().filter(|sum| !sum.out).count();
    while left > usize::from(moves.max(1)) {
        // Of equal ones the highest index goes.
        let worst = sums
            .iter_mut()
            .rev()
            .filter(|sum| !sum.out)
            .min_by_key(|sum| sum.total);
        worst.into_iter().for_each(|sum| sum.out = true);
        left -= 1;
    }
}

impl<G: Hidden> Engine<'_, G> {
    /// The move with the best average over samples. Each of the `looks` takes the best moves of the
    /// one before as candidates, so that a deep one costs little; the depth of the limits is
    /// ignored. `sums` needs a place for every legal move
    /// ([`Game::MAX_MOVES`](crate::game::Game::MAX_MOVES) is enough); moves without one are not
    /// considered.
    ///
    /// Only completely searched samples count. Without any, the first legal move is the answer.
    pub fn think_sampled<K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        looks: impl IntoIterator<Item = Look, IntoIter: Clone>,
        sums: &mut [Sum],
        rng: &mut Rng,
        control: &mut impl Control,
    ) -> Found<G::Move> {
        let moves = game.legal_moves().count().min(sums.len());
        let sums = &mut sums[..moves];
        sums.fill(Sum::default());
        let mut found = Found {
            mv: game.legal_moves().next(),
            ..Found::nothing()
        };
        let looks = looks.into_iter();
        let whole = looks.clone().map(|look| look.cost(moves)).sum();
        let mut done = 0;
        let mut search = Search::new(self, plan, control);
        'looks: for look in looks {
            let step = look.cost(moves) / (u64::from(look.samples.max(1)) * look.candidates(moves));
            narrow(sums, look.moves);
            let depth = look.depth.clamp(1, MAX_PLY);
            for sample in 0..look.samples.max(1) {
                let world = if look.samples == 0 {
                    game.clone()
                } else {
                    game.determinized(game.turn(), rng)
                };
                for (sum, mv) in sums
                    .iter_mut()
                    .zip(world.legal_moves())
                    .filter(|(sum, _)| !sum.out)
                {
                    let next = world.after(mv);
                    let deeper = depth - 1 + search.extension(&next, depth, 0);
                    let value = search.child(world.turn(), &next, deeper, -INFINITE, INFINITE, 0);
                    let Ok(value) = value else {
                        found.stopped = true;
                        break 'looks;
                    };
                    sum.present = value;
                    done += step;
                    let control = &mut *search.meter.control;
                    control.progress(share(done, whole), &Thoughts::new);
                }
                // The first sample of a look discards the sums of the look before.
                let before = |total| if sample == 0 { 0 } else { total };
                sums.iter_mut()
                    .for_each(|sum| sum.total = before(sum.total) + i32::from(sum.present));
                let best = sums
                    .iter()
                    .zip(game.legal_moves())
                    .filter(|(sum, _)| !sum.out);
                let best = best.reduce(|best, next| {
                    if next.0.total > best.0.total {
                        next
                    } else {
                        best
                    }
                });
                if let Some((sum, mv)) = best {
                    found.depth = depth;
                    (found.mv, found.value) =
                        (Some(mv), (sum.total / (i32::from(sample) + 1)) as Value);
                }
            }
        }
        found.stats = search.stats();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_stay_and_of_equal_ones_the_first() {
        let mut sums = [5, 9, 5, 7, 1].map(|total| Sum {
            total,
            ..Sum::default()
        });
        let left = |sums: &[Sum]| -> heapless::Vec<usize, 5> {
            (0..5).filter(|&place| !sums[place].out).collect()
        };
        narrow(&mut sums, u16::MAX);
        assert_eq!(left(&sums), [0, 1, 2, 3, 4]);
        narrow(&mut sums, 3);
        assert_eq!(left(&sums), [0, 1, 3]);
        narrow(&mut sums, 0);
        assert_eq!(left(&sums), [1], "one is always left");
    }
}

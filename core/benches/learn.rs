//! Self-play games per second of the two published learners, compared with hand-written loops.
//!
//! `cargo bench -p dojo-core --bench learn` prints one line a measurement: name, value, unit,
//! reference, ratio. Learner and reference take turns, round after round, and the best round of
//! each counts: other work on the machine disturbs both alike.

use std::hint::black_box;
use std::time::Instant;

use dojo_core::game::Game;
use dojo_core::games::Sticks;
use dojo_core::games::dots::learner::{Q_VALUES, QLearner, QSettings};
use dojo_core::learn::{ValueLearner, ValueSettings};

/// Games of a run: a few milliseconds, so that some rounds are undisturbed.
const STICKS_GAMES: u32 = 10_000;
const DOTS_GAMES: u32 = 10_000;
const ROUNDS: u32 = 300;

/// The references: the same algorithms on bare arrays, with a minimal random generator.
mod by_hand {
    pub(crate) struct Dice(pub(crate) u64);

    impl Dice {
        fn roll(&mut self) -> u32 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            (self.0 >> 32) as u32
        }

        fn below(&mut self, bound: u32) -> u32 {
            ((u64::from(self.roll()) * u64::from(bound)) >> 32) as u32
        }
    }

    /// 15 sticks by temporal differences: states are numbers, a row is a digit.
    pub(crate) fn sticks(games: u32, seed: u64) -> f64 {
        const STEPS: [usize; 3] = [48, 8, 1];
        let mut dice = Dice(seed);
        let mut table = [0.0f64; 192];
        let mut explore = (0.15 * 4_294_967_296.0) as u32;
        let decay = 6.0 / f64::from(games);
        for _ in 0..games {
            let mut rows = [3usize, 5, 7];
            let mut state = 191;
            let mut trail = [0u8; 16];
            let mut plies = 0;
            while state != 0 {
                if dice.roll() < explore {
                    let mut nth = dice.below(rows.iter().sum::<usize>() as u32) as usize;
                    let mut row = 0;
                    while nth >= rows[row] {
                        nth -= rows[row];
                        row += 1;
                    }
                    rows[row] -= nth + 1;
                    state -= STEPS[row] * (nth + 1);
                } else {
                    let (mut best, mut row, mut count) = (-1.0, 0, 0);
                    for r in 0..3 {
                        let mut next = state;
                        for c in 1..=rows[r] {
                            next -= STEPS[r];
                            if table[next] > best {
                                (best, row, count) = (table[next], r, c);
                            }
                        }
                    }
                    rows[row] -= count;
                    state -= STEPS[row] * count;
                }
                trail[plies] = state as u8;
                plies += 1;
            }
            // The player who took the last stick has lost.
            let mut next = [0.0, 1.0];
            for back in 0..plies {
                let value = &mut table[usize::from(trail[plies - 1 - back])];
                *value += 0.05 * (next[back % 2] - *value);
                next[back % 2] = *value;
            }
            explore -= (f64::from(explore) * decay) as u32;
        }
        table.iter().sum()
    }

    /// 2×2 dots and boxes by Q-learning: the set of edges is the state.
    pub(crate) fn dots(games: u32, seed: u64) -> f32 {
        let mut dice = Dice(seed);
        let mut table = vec![[0.0f32; 12]; 4096];
        table
            .iter_mut()
            .flatten()
            .for_each(|value| *value = dice.roll() as i32 as f32 / 2_147_483_648.0 / 100.0);
        let mut complete = [0u8; 4096];
        for (set, count) in (0..).zip(&mut complete) {
            *count = dojo_core::games::dots::two_by_two::complete(set);
        }
        for game in 0..games {
            let mut pending: [Option<(u16, u8)>; 2] = [None; 2];
            let (mut edges, mut turn, mut boxes) = (0u16, 0, [0u8; 2]);
            while edges != 4095 {
                let row = &table[usize::from(edges)];
                let (mut best, mut value) = (0, f32::MIN);
                let mut left = 4095 & !edges;
                while left != 0 {
                    let edge = left.trailing_zeros() as usize;
                    left &= left - 1;
                    if row[edge] > value {
                        (best, value) = (edge, row[edge]);
                    }
                }
                if let Some((set, edge)) = pending[turn] {
                    let old = &mut table[usize::from(set)][usize::from(edge)];
                    *old += 0.1 * (value - *old);
                }
                if dice.below(games) >= game {
                    let mut nth = dice.below((4095 & !edges).count_ones());
                    let mut left = 4095 & !edges;
                    while nth > 0 {
                        left &= left - 1;
                        nth -= 1;
                    }
                    best = left.trailing_zeros() as usize;
                }
                pending[turn] = Some((edges, best as u8));
                let before = complete[usize::from(edges)];
                edges |= 1 << best;
                let gained = complete[usize::from(edges)] - before;
                boxes[turn] += gained;
                turn ^= usize::from(gained == 0);
            }
            for (seat, pending) in pending.into_iter().enumerate() {
                let Some((set, edge)) = pending else { continue };
                let reward = if boxes[seat] > 2 || boxes[seat] == 2 && seat == 1 {
                    1.0
                } else {
                    -1.0
                };
                let old = &mut table[usize::from(set)][usize::from(edge)];
                *old += 0.1 * (reward - *old);
            }
        }
        table.iter().flatten().sum()
    }
}

fn sticks(seed: u64) -> f64 {
    let decay = (6.0 / f64::from(STICKS_GAMES) * 4_294_967_296.0) as u32;
    let settings = ValueSettings {
        rate: 3277,
        explore: 644_245_094,
        decay,
        scatter: 0,
    };
    let mut learner = ValueLearner::<f64, 192>::new(settings, seed);
    let start = Sticks::new(Default::default());
    for _ in 0..STICKS_GAMES {
        learner.play_game(start, |game, _| *game);
    }
    learner.table().iter().sum()
}

fn dots(seed: u64) -> f32 {
    let mut table = Box::new([0.0f32; Q_VALUES]);
    let mut learner = QLearner::new(&mut table, QSettings::new(DOTS_GAMES), seed);
    learner.step(DOTS_GAMES);
    table.iter().sum()
}

/// The best rates of two implementations over the same number of games.
fn compare(games: u32, ours: impl Fn(u64), reference: impl Fn(u64)) -> [f64; 2] {
    let rate = |run: &dyn Fn(u64), seed| {
        let start = Instant::now();
        run(seed);
        f64::from(games) / start.elapsed().as_secs_f64()
    };
    (1..=u64::from(ROUNDS)).fold([0.0, 0.0], |[a, b]: [f64; 2], seed| {
        [a.max(rate(&ours, seed)), b.max(rate(&reference, seed))]
    })
}

fn main() {
    let print = |name: &str, [ours, reference]: [f64; 2]| {
        println!(
            "{name:22} {ours:>12.0} games/s   by hand {reference:>12.0} games/s   ratio {:.2}",
            ours / reference
        );
    };
    print(
        "sticks TD(0)",
        compare(
            STICKS_GAMES,
            |seed| {
                black_box(sticks(seed));
            },
            |seed| {
                black_box(by_hand::sticks(STICKS_GAMES, seed));
            },
        ),
    );
    print(
        "dots 2x2 Q-learning",
        compare(
            DOTS_GAMES,
            |seed| {
                black_box(dots(seed));
            },
            |seed| {
                black_box(by_hand::dots(DOTS_GAMES, seed));
            },
        ),
    );
}

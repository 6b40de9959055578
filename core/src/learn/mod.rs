//! Learners that run on the device as well as on a PC: fixed memory, any kind of number.

use crate::agents::{Agent, Random, Tabular, ValueTable};
use crate::game::{Game, Outcome};
use crate::rng::Rng;

/// A number between 0 and 1 that a learner can keep.
pub trait Fraction: Copy + PartialOrd {
    /// Certain loss.
    const ZERO: Self;
    /// Certain win.
    const ONE: Self;

    /// Moves `rate`/2¹⁶ of the way towards `target`.
    fn toward(self, target: Self, rate: u16) -> Self;
}

/// On a PC.
impl Fraction for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;

    fn toward(self, target: f64, rate: u16) -> f64 {
        self + f64::from(rate) / 65536.0 * (target - self)
    }
}

/// On the device: a small step on a small difference still moves by one.
impl Fraction for u16 {
    const ZERO: u16 = 0;
    const ONE: u16 = u16::MAX;

    fn toward(self, target: u16, rate: u16) -> u16 {
        let step = u32::from(self.abs_diff(target)) * u32::from(rate);
        let step = step.div_ceil(1 << 16) as u16;
        if target > self { self + step } else { self - step }
    }
}

/// How a table learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Learning rate α, in 1/2¹⁶.
    pub rate: u16,
    /// Chance of a random move at the start, in 1/2³².
    pub explore: u32,
    /// The chance shrinks by this part of itself after each game, in 1/2³².
    pub decay: u32,
    /// Chance that a game starts from a random state instead of the first, in 1/2³².
    pub scatter: u32,
}

/// Learns the value of *leaving* each state to the opponent, by playing against itself (temporal differences).
///
/// After a game each side walks back over the states it left: the last takes the result, every earlier one moves
/// towards the one after it. Both sides learn into the same table.
#[derive(Clone, Debug)]
pub struct ValueLearner<V, const STATES: usize> {
    /// One value a state.
    pub table: [V; STATES],
    /// Games played so far.
    pub games: u32,
    settings: Settings,
    explore: u32,
    rng: Rng,
}

/// The states left in one game, in order; games longer than this lose their first moves.
type Trail = heapless::Deque<u16, 32>;

impl<V: Fraction, const STATES: usize> ValueLearner<V, STATES> {
    /// A learner that knows nothing.
    pub fn new(settings: Settings, seed: u64) -> Self {
        ValueLearner { table: [V::ZERO; STATES], games: 0, settings, explore: settings.explore, rng: Rng::new(seed) }
    }

    /// Plays one game against itself from `start`, or from what `scatter` makes of it, and learns from it.
    pub fn play_game<G: Tabular>(&mut self, start: G, scatter: impl FnOnce(&G, &mut Rng) -> G) {
        let mut game = start;
        if self.rng.chance(self.settings.scatter) {
            game = scatter(&game, &mut self.rng);
        }
        let mut trail = Trail::new();
        let outcome = loop {
            if let Some(outcome) = game.outcome() {
                break outcome;
            }
            let mv = if self.rng.chance(self.explore) {
                Random.choose(&game, &mut self.rng)
            } else {
                ValueTable(&self.table).choose(&game, &mut self.rng)
            };
            let Some(mv) = mv else { return };
            game.play_unchecked(mv);
            if trail.is_full() {
                trail.pop_front();
            }
            let _ = trail.push_back(game.state() as u16);
        };
        self.learn(&trail, outcome, &game);
        self.games += 1;
        let step = (u64::from(self.explore) * u64::from(self.settings.decay)) >> 32;
        self.explore -= step as u32;
    }

    fn learn<G: Game>(&mut self, trail: &Trail, outcome: Outcome, end: &G) {
        // In a game of alternating turns the player who left the last state is the one not to move now.
        let result = |player| match outcome.value_for(player) {
            1 => V::ONE,
            _ => V::ZERO,
        };
        let mut next = [result(!end.turn()), result(end.turn())];
        for (back, &state) in trail.iter().rev().enumerate() {
            let Some(value) = self.table.get_mut(usize::from(state)) else { continue };
            *value = value.toward(next[back % 2], self.settings.rate);
            next[back % 2] = *value;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_reaches_both_ends_and_never_overshoots() {
        for rate in [1, 3277, u16::MAX] {
            let (mut up, mut down) = (0u16, u16::MAX);
            for _ in 0..200_000 {
                (up, down) = (up.toward(u16::MAX, rate), down.toward(0, rate));
            }
            assert_eq!((up, down), (u16::MAX, 0));
        }
        assert_eq!(7u16.toward(7, 3277), 7);
    }
}

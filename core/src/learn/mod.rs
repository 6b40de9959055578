//! Tabular learners that run on the device as well as on a PC, in fixed memory.
//!
//! Start with [`ValueLearner`], temporal-difference learning of state values by self-play; 15
//! sticks uses it. The numbers are any [`Fraction`]: `u16` on the device, `f64` on a PC. The
//! learners of dots and boxes are in `games/dots/learner.rs`, the training sessions that a screen
//! shows (pupils) in `games/pupil.rs`, and everything that trains networks in the lab.

use serde::{Deserialize, Serialize};

use crate::fraction::Fraction;
use crate::game::{Game, Outcome, Player};
use crate::players::{Agent, Random, Tabular};
use crate::rng::Rng;

/// Hyperparameters of a [`ValueLearner`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSettings {
    /// Learning rate α, in 1/2¹⁶.
    pub rate: u16,
    /// Initial exploration rate ε, in 1/2³².
    pub explore: u32,
    /// Decay of the exploration rate after each game, as a fraction of it in 1/2³².
    pub decay: u32,
    /// Chance that a game starts from a random state, in 1/2³².
    pub scatter: u32,
}

/// Training state of a learner: with its tables and settings, training resumes exactly where it
/// stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Games played so far.
    pub games: u32,
    /// Current exploration rate, in 1/2³².
    pub explore: u32,
    /// State of the random generator.
    pub rng: Rng,
}

/// Temporal-difference learning by self-play of the value of *leaving* each state to the opponent
/// (an afterstate value).
///
/// After a game the values of the states that each side left are updated backwards: the last moves
/// towards the result, every earlier one towards its successor. With one table both sides share it;
/// with two, as in the published work, each player has its own and chance decides who starts.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueLearner<V, const STATES: usize, const TABLES: usize = 1> {
    /// One value for each state.
    tables: [[V; STATES]; TABLES],
    settings: ValueSettings,
    progress: Progress,
}

/// The sequence of states that were left in one game.
struct Trajectory {
    states: [u16; Trajectory::LONGEST],
    plies: usize,
}

impl Trajectory {
    /// Capacity; of a longer game only the last states are kept.
    const LONGEST: usize = 32;

    fn push(&mut self, state: usize) {
        self.states[self.plies % Self::LONGEST] = state as u16;
        self.plies += 1;
    }

    /// The states, last one first.
    fn back(&self) -> impl Iterator<Item = usize> {
        let first = self.plies.saturating_sub(Self::LONGEST);
        (first..self.plies)
            .rev()
            .map(|ply| usize::from(self.states[ply % Self::LONGEST]))
    }
}

impl<V: Fraction, const STATES: usize, const TABLES: usize> ValueLearner<V, STATES, TABLES> {
    /// A new learner: every state has value 0, a certain loss.
    pub fn new(settings: ValueSettings, seed: u64) -> Self {
        let progress = Progress {
            games: 0,
            explore: settings.explore,
            rng: Rng::new(seed),
        };
        ValueLearner {
            tables: [[V::ZERO; STATES]; TABLES],
            settings,
            progress,
        }
    }

    /// A learner that resumes an interrupted training.
    pub fn resume(
        settings: ValueSettings,
        tables: [[V; STATES]; TABLES],
        progress: Progress,
    ) -> Self {
        ValueLearner {
            tables,
            settings,
            progress,
        }
    }

    /// Sets the value of a state to 1 in every table (optimistic initial value).
    pub fn hope_for(&mut self, state: usize) {
        for table in &mut self.tables {
            if let Some(value) = table.get_mut(state) {
                *value = V::ONE;
            }
        }
    }

    /// The first table; the only one if both players share it.
    pub fn table(&self) -> &[V; STATES] {
        &self.tables[0]
    }

    /// Games played so far.
    pub fn games(&self) -> u32 {
        self.progress.games
    }

    /// The training state.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// All tables.
    pub fn tables(&self) -> &[[V; STATES]; TABLES] {
        &self.tables
    }

    /// Plays one game of self-play and learns from it. It starts from `start` or, with the chance
    /// of the settings, from the state that `scatter` returns.
    pub fn play_game<G: Tabular>(&mut self, start: G, scatter: impl FnOnce(&G, &mut Rng) -> G) {
        let mut game = start;
        if self.progress.rng.chance(self.settings.scatter) {
            game = scatter(&game, &mut self.progress.rng);
        }
        // The table of the player who starts.
        let starter = if TABLES > 1 {
            self.progress.rng.below(2) as usize
        } else {
            0
        };
        let seat = |player: Player| (player.index() + starter) % TABLES;
        let mut trajectory = Trajectory {
            states: [0; Trajectory::LONGEST],
            plies: 0,
        };
        let outcome = loop {
            if let Some(outcome) = game.outcome() {
                break outcome;
            }
            let chosen = if self.progress.rng.chance(self.progress.explore) {
                core::hint::cold_path();
                Random
                    .choose(&game, &mut self.progress.rng)
                    .map(|mv| (mv, game.state_after(mv)))
            } else {
                game.best_by(&self.tables[seat(game.turn())])
            };
            let Some((mv, state)) = chosen else { return };
            game.play_unchecked(mv);
            trajectory.push(state);
        };
        self.learn(&trajectory, outcome, &game, seat);
        self.progress.games += 1;
        self.progress.explore -=
            ((u64::from(self.progress.explore) * u64::from(self.settings.decay)) >> 32) as u32;
    }

    fn learn<G: Game>(
        &mut self,
        trajectory: &Trajectory,
        outcome: Outcome,
        end: &G,
        seat: impl Fn(Player) -> usize,
    ) {
        // Turns alternate: the player who left the last state is not to move now.
        let players = [!end.turn(), end.turn()];
        let mut next = players.map(|player| match outcome.value_for(player) {
            1 => V::ONE,
            _ => V::ZERO,
        });
        for (back, state) in trajectory.back().enumerate() {
            let table = &mut self.tables[seat(players[back % 2])];
            let Some(value) = table.get_mut(state) else {
                continue;
            };
            *value = value.toward(next[back % 2], self.settings.rate);
            next[back % 2] = *value;
        }
    }
}

//! Learners that run on the device as well as on a PC: fixed memory, any kind of number.

use serde::{Deserialize, Serialize};

use crate::fraction::Fraction;
use crate::game::{Game, Outcome, Player};
use crate::players::{Agent, Random, Tabular};
use crate::rng::Rng;

/// How a table learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSettings {
    /// Learning rate α, in 1/2¹⁶.
    pub rate: u16,
    /// Chance of a random move at the start, in 1/2³².
    pub explore: u32,
    /// The chance shrinks by this part of itself after each game, in 1/2³².
    pub decay: u32,
    /// Chance that a game starts from a random state instead of the first, in 1/2³².
    pub scatter: u32,
}

/// How far a learner is: with its tables and settings it goes on from here as if it had never stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Progress {
    /// Games played so far.
    pub games: u32,
    /// Chance of a random move now, in 1/2³².
    pub explore: u32,
    /// The generator as it stands.
    pub rng: Rng,
}

/// Learns the value of *leaving* each state to the opponent, by playing against itself (temporal differences).
///
/// After a game each side walks back over the states it left: the last takes the result, every earlier one moves
/// towards the one after it. With one table both sides learn into it; with two, as in the published work, each player
/// has its own and chance decides who starts.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueLearner<V, const STATES: usize, const TABLES: usize = 1> {
    /// One value a state.
    tables: [[V; STATES]; TABLES],
    settings: ValueSettings,
    progress: Progress,
}

/// The states left in one game, one after the other.
struct Trajectory {
    states: [u16; Trajectory::LONGEST],
    plies: usize,
}

impl Trajectory {
    /// Games longer than this lose their first moves.
    const LONGEST: usize = 32;

    fn push(&mut self, state: usize) {
        self.states[self.plies % Self::LONGEST] = state as u16;
        self.plies += 1;
    }

    /// The last state first.
    fn back(&self) -> impl Iterator<Item = usize> {
        let first = self.plies.saturating_sub(Self::LONGEST);
        (first..self.plies)
            .rev()
            .map(|ply| usize::from(self.states[ply % Self::LONGEST]))
    }
}

impl<V: Fraction, const STATES: usize, const TABLES: usize> ValueLearner<V, STATES, TABLES> {
    /// A learner that knows nothing: every state is as good as lost.
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

    /// A learner that goes on from where another stopped.
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

    /// Lets every table begin with this state as good as won.
    pub fn hope_for(&mut self, state: usize) {
        for table in &mut self.tables {
            if let Some(value) = table.get_mut(state) {
                *value = V::ONE;
            }
        }
    }

    /// The values of the first player (and of the other one, if they share a table).
    pub fn table(&self) -> &[V; STATES] {
        &self.tables[0]
    }

    /// Games played so far.
    pub fn games(&self) -> u32 {
        self.progress.games
    }

    /// How far it is.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// All tables.
    pub fn tables(&self) -> &[[V; STATES]; TABLES] {
        &self.tables
    }

    /// Plays one game against itself from `start`, or from what `scatter` makes of it, and learns from it.
    pub fn play_game<G: Tabular>(&mut self, start: G, scatter: impl FnOnce(&G, &mut Rng) -> G) {
        let mut game = start;
        if self.progress.rng.chance(self.settings.scatter) {
            game = scatter(&game, &mut self.progress.rng);
        }
        // Which table the player who starts has.
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
        // In a game of alternating turns the player who left the last state is the one not to move now.
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

//! Greedy play by a learned table of afterstate values.

use crate::game::Game;
use crate::players::Agent;
use crate::rng::Rng;

/// A game whose states have consecutive numbers.
pub trait Tabular: Game {
    /// Number of states under these rules.
    fn states(rules: Self::Rules) -> usize;

    /// The number of this state, below [`Tabular::states`].
    fn state(&self) -> usize;

    /// The number of the state that a legal move leaves.
    fn state_after(&self, mv: Self::Move) -> usize {
        self.after(mv).state()
    }

    /// The move that leaves the state with the highest value, and that state; the lowest index wins
    /// ties. States beyond the end of the table are skipped. This is the inner loop of training.
    fn best_by<V: PartialOrd + Copy>(&self, table: &[V]) -> Option<(Self::Move, usize)> {
        let mut best: Option<(V, Self::Move, usize)> = None;
        for mv in self.legal_moves() {
            let state = self.state_after(mv);
            let Some(&value) = table.get(state) else {
                continue;
            };
            if best.is_none_or(|(top, ..)| value > top) {
                best = Some((value, mv, state));
            }
        }
        best.map(|(_, mv, state)| (mv, state))
    }
}

/// One value for each state: how good it is to *leave* that state to the opponent. The number type
/// is a byte in flash, a fraction while learning.
#[derive(Clone, Copy, Debug)]
pub struct ValueTable<'a, V = u8>(pub &'a [V]);

impl<G: Tabular, V: PartialOrd + Copy> Agent<G> for ValueTable<'_, V> {
    /// The move of [`Tabular::best_by`], or the first legal move where the table has no value.
    fn choose(&mut self, game: &G, _: &mut Rng) -> Option<G::Move> {
        game.best_by(self.0)
            .map(|(mv, _)| mv)
            .or_else(|| game.legal_moves().next())
    }
}

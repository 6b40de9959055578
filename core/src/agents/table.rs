//! Playing by a learned table of state values.

use crate::agents::Agent;
use crate::game::Game;
use crate::games::Sticks;
use crate::games::sticks::Take;
use crate::rng::Rng;

/// A game whose states are numbered without gaps.
pub trait Tabular: Game {
    /// How many states there are under these rules.
    fn states(rules: Self::Rules) -> usize;

    /// The number of this state, below [`Tabular::states`].
    fn state(&self) -> usize;

    /// The number of the state that a legal move leaves.
    fn state_after(&self, mv: Self::Move) -> usize {
        self.after(mv).state()
    }

    /// The move that leaves the state with the highest value, and that state; the lowest index among equals. A table that
    /// is too short for the rules rates nothing. Learners ask this for every move of every game.
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

impl Tabular for Sticks {
    fn states(rules: Self::Rules) -> usize {
        rules
            .rows()
            .iter()
            .map(|&row| usize::from(row) + 1)
            .product()
    }

    #[inline]
    fn state(&self) -> usize {
        Sticks::state(self)
    }

    /// States are numbers with a digit for each row, so taking a stick is a step of the same length everywhere.
    #[inline]
    fn best_by<V: PartialOrd + Copy>(&self, table: &[V]) -> Option<(Take, usize)> {
        let [_, b, c] = self.rules().rows().map(|row| usize::from(row) + 1);
        let sticks = self.sticks();
        let state = Sticks::state(self);
        let table = table.get(..state)?;
        // The first legal move is the one to beat.
        let first = sticks.iter().position(|&count| count > 0)?;
        let (mut row, mut count, mut left) = (first, 1, state - [b * c, c, 1][first]);
        let mut top = table[left];
        for (other, step) in [b * c, c, 1].into_iter().enumerate() {
            let mut next = state;
            for taken in 1..=sticks[other] {
                next -= step;
                if table[next] > top {
                    // Rare enough for a branch; selecting would make every move wait for the one before it.
                    core::hint::cold_path();
                    (top, row, count, left) = (table[next], other, taken, next);
                }
            }
        }
        Some((Take::new(row as u8, count)?, left))
    }
}

/// One value a state: how good it is to *leave* that state to the opponent. Any ordered number will do: a byte in
/// flash, a fraction while learning.
#[derive(Clone, Copy, Debug)]
pub struct ValueTable<'a, V = u8>(pub &'a [V]);

impl<G: Tabular, V: PartialOrd + Copy> Agent<G> for ValueTable<'_, V> {
    /// See [`Tabular::best_by`]; where that knows nothing, the first legal move.
    fn choose(&mut self, game: &G, _: &mut Rng) -> Option<G::Move> {
        game.best_by(self.0)
            .map(|(mv, _)| mv)
            .or_else(|| game.legal_moves().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameMove;

    #[test]
    fn the_best_move_is_found_as_by_looking_at_all() {
        let start = Sticks::new(Default::default());
        let mut rng = Rng::new(4);
        for number in 0..192u8 {
            let game = start.with_sticks([number / 48, number / 8 % 6, number % 8]);
            let table: [u32; 192] = core::array::from_fn(|_| rng.below(6));
            let value = |take: &Take| table[Tabular::state(&game.after(*take))];
            let top = game.legal_moves().map(|take| value(&take)).max();
            let best = game.legal_moves().find(|take| Some(value(take)) == top);
            assert_eq!(game.best_by(&table).map(|(take, _)| take), best, "{game}");
            assert_eq!(
                game.best_by(&table).map(|(_, state)| table[state]),
                top,
                "{game}"
            );
        }
    }

    #[test]
    fn ties_go_to_the_lowest_index_and_short_tables_still_play() {
        let game = Sticks::new(Default::default());
        let mut rng = Rng::new(1);
        for table in [&[0u8; 192][..], &[]] {
            assert_eq!(
                ValueTable(table).choose(&game, &mut rng).unwrap().index(),
                0
            );
        }
        let mut table = [0u8; 192];
        table[game.with_sticks([3, 5, 2]).state()] = 1;
        assert_eq!(
            ValueTable(&table).choose(&game, &mut rng),
            Some(game.parse_move("3:5").unwrap())
        );
    }
}

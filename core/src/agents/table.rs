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

    /// The number of the state that a legal move leaves. Learners ask this for every move of every game.
    fn state_after(&self, mv: Self::Move) -> usize {
        self.after(mv).state()
    }
}

impl Tabular for Sticks {
    fn states(rules: Self::Rules) -> usize {
        rules.rows().iter().map(|&row| usize::from(row) + 1).product()
    }

    fn state(&self) -> usize {
        Sticks::state(self)
    }

    #[inline]
    fn state_after(&self, take: Take) -> usize {
        let [_, b, c] = self.rules().rows().map(|row| usize::from(row) + 1);
        let step = [b * c, c, 1][usize::from(take.row())];
        Sticks::state(self).saturating_sub(step * usize::from(take.count()))
    }
}

/// One value a state: how good it is to *leave* that state to the opponent. Any ordered number will do: a byte in
/// flash, a fraction while learning.
#[derive(Clone, Copy, Debug)]
pub struct ValueTable<'a, V = u8>(pub &'a [V]);

impl<G: Tabular, V: PartialOrd + Copy> Agent<G> for ValueTable<'_, V> {
    /// The move that leaves the highest value; the lowest index among equals.
    fn choose(&mut self, game: &G, _: &mut Rng) -> Option<G::Move> {
        let mut best: Option<(V, G::Move)> = None;
        for mv in game.legal_moves() {
            // A table that is too short for the rules rates nothing: the first legal move is played then.
            let Some(&value) = self.0.get(game.state_after(mv)) else { continue };
            if best.is_none_or(|(top, _)| value > top) {
                best = Some((value, mv));
            }
        }
        best.map(|(_, mv)| mv).or_else(|| game.legal_moves().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameMove;

    #[test]
    fn a_state_after_a_move_is_the_state_after_it() {
        let start = Sticks::new(Default::default());
        for number in 0..192u8 {
            let game = start.with_sticks([number / 48, number / 8 % 6, number % 8]);
            for take in game.legal_moves() {
                assert_eq!(game.state_after(take), Tabular::state(&game.after(take)));
            }
        }
    }

    #[test]
    fn ties_go_to_the_lowest_index_and_short_tables_still_play() {
        let game = Sticks::new(Default::default());
        let mut rng = Rng::new(1);
        for table in [&[0u8; 192][..], &[]] {
            assert_eq!(ValueTable(table).choose(&game, &mut rng).unwrap().index(), 0);
        }
        let mut table = [0u8; 192];
        table[game.with_sticks([3, 5, 2]).state()] = 1;
        assert_eq!(ValueTable(&table).choose(&game, &mut rng), Some(game.parse_move("3:5").unwrap()));
    }
}

//! Belts of 15 sticks: the bank's value tables under the classic rules, look-ahead elsewhere.

use crate::bank::{Kind, Meta, Number};
use crate::belt::Belt;
use crate::fraction::Fraction;
use crate::game::Game;
use crate::games::sticks::{self, Take};
use crate::games::{GameId, Sticks};
use crate::memory::Workspace;
use crate::players::belts::{
    Ancestor, Belted, Resources, Thoughts, each_move, look_ahead, solved_thoughts,
};
use crate::players::{Agent, Searchable, Solvable, Tabular, ValueTable};
use crate::rng::Rng;
use crate::search::{Control, Soonest};

impl Searchable for Sticks {
    type Knowledge = Soonest;
}

impl Solvable for Sticks {
    type Solution = sticks::Solution;

    fn solve(rules: Self::Rules) -> sticks::Solution {
        sticks::Solution::new(rules.misere)
    }

    fn value(&self, solution: &sticks::Solution) -> i16 {
        if solution.is_won(self.triple()) {
            1
        } else {
            -1
        }
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

    /// State indices are mixed-radix numbers with one digit per row, so taking a stick subtracts
    /// the same step from every state and no move has to be played.
    #[inline]
    fn best_by<V: PartialOrd + Copy>(&self, table: &[V]) -> Option<(Take, usize)> {
        let [_, b, c] = self.rules().rows().map(|row| usize::from(row) + 1);
        let sticks = self.sticks();
        let state = Sticks::state(self);
        let table = table.get(..state)?;
        // The first legal move is the one to beat, so ties go to the lowest index.
        let first = sticks.iter().position(|&count| count > 0)?;
        let (mut row, mut count, mut left) = (first, 1, state - [b * c, c, 1][first]);
        let mut top = table[left];
        for (other, step) in [b * c, c, 1].into_iter().enumerate() {
            let mut next = state;
            for taken in 1..=sticks[other] {
                next -= step;
                if table[next] > top {
                    // An improvement is rare, so a branch beats a conditional move, which would
                    // make each comparison wait for the one before it.
                    core::hint::cold_path();
                    (top, row, count, left) = (table[next], other, taken, next);
                }
            }
        }
        Some((Take::new(row as u8, count)?, left))
    }
}
/// A model is a value table for the classic rules: one byte per state (192), the winning chance of
/// the player who moved into that state (an afterstate value).
impl Belted for Sticks {
    type Model<'b> = ValueTable<'b>;

    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let states = rules.rows().map(|row| u16::from(row) + 1);
        rules == Default::default()
            && (model.game, model.kind, model.number)
                == (GameId::Sticks, Kind::ValueTable, Number::U8)
            && model.dims == [states[0], states[1], states[2], 0]
    }

    fn model<'b>(_: &Meta, payload: &'b [u8]) -> Option<ValueTable<'b>> {
        Some(ValueTable(payload))
    }

    fn by_model<W, C>(
        &self,
        _: Belt,
        model: &ValueTable<'_>,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        { *model }.choose(self, rng)
    }

    fn by_rules<W, C>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    const ANCESTORS: &'static [Ancestor] = &[Ancestor {
        name: "The paper",
        origin: "A paper's table, taught by its own games.",
    }];

    /// The table knows the usual rows only.
    fn has_ancestor(rules: Self::Rules, number: usize) -> bool {
        number == 0 && rules == Default::default()
    }

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        _: usize,
        model: Option<&ValueTable<'_>>,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        { *model? }.choose(self, rng)
    }

    fn thoughts<W, C>(
        &self,
        _: Belt,
        model: Option<&ValueTable<'_>>,
        _: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        match model {
            Some(ValueTable(values)) => each_move(self, |mv| {
                values
                    .get(self.after(mv).state())
                    .copied()
                    .map(Fraction::thousandths)
            }),
            None => solved_thoughts(self),
        }
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

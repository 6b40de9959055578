//! The belts of dots and boxes.

use crate::bank::{Kind, Meta, Number};
use crate::belt::Belt;
use crate::games::dots::learner::{
    LEAVE_VALUES, Q_VALUES, leave_move, leave_value, q_move, q_value,
};
use crate::games::dots::{Lead, Opening, learned, players, two};
use crate::games::{Dots, GameId};
use crate::learn::Fraction;
use crate::memory::Workspace;
use crate::players::Searchable;
use crate::players::belts::{Belted, Means, Thoughts, each_move};
use crate::rng::Rng;
use crate::search::Control;

impl Searchable for Dots {
    type Knowledge = Lead;
}

/// For 2×2 under the usual rules: a byte for each position that can be left (`dots-black` and its younger selves), or
/// the published table, a byte for each edge in each set of edges. For 3×3 a book of the opening. For larger boards a
/// network. Elsewhere rules and search.
impl Belted for Dots {
    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let classic = rules == Default::default();
        model.game == GameId::Dots
            && match (model.kind, model.number) {
                (Kind::ValueTable, Number::U8) => {
                    classic && model.dims == [two::SETS as u16, 5, 2, 0]
                }
                (Kind::QTable, Number::U8) => {
                    classic && model.dims == [two::SETS as u16, two::EDGES as u16, 0, 0]
                }
                (Kind::Book, Number::U8) => Opening::fits(rules) && model.dims == Opening::DIMS,
                (Kind::Mlp, Number::I16) => learned::fits(rules, model),
                _ => false,
            }
    }

    fn by_model<W: Workspace, C: Control>(
        &self,
        _: Belt,
        payload: &[u8],
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        match payload.len() {
            Q_VALUES => q_move(payload, self),
            LEAVE_VALUES => leave_move(payload, self),
            learned::PAYLOAD => players::by_network(self, payload, means),
            _ => players::by_book(self, payload, rng, means),
        }
    }

    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        players::by_rules(self, belt, rng, means)
    }

    fn thoughts<W: Workspace, C: Control>(
        &self,
        _: Belt,
        model: Option<&[u8]>,
        means: &mut Means<'_, W, C>,
    ) -> Thoughts {
        match model {
            Some(table) if table.len() == Q_VALUES => each_move(self, |edge| {
                q_value(table, self, edge).map(Fraction::thousandths)
            }),
            Some(table) if table.len() == LEAVE_VALUES => each_move(self, |edge| {
                leave_value(table, self, edge).map(Fraction::thousandths)
            }),
            model => players::thoughts(self, model, means),
        }
    }
}

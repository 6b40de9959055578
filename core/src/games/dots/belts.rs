//! The belts of dots and boxes.

use crate::bank::{Kind, Meta, Number};
use crate::belt::Belt;
use crate::fraction::Fraction;
use crate::games::dots::learner::{leave_move, leave_value, q_move, q_value};
use crate::games::dots::{Lead, Opening, learned, players, two_by_two};
use crate::games::{Dots, GameId};
use crate::memory::Workspace;
use crate::players::Searchable;
use crate::players::belts::{Belted, Resources, Thoughts, each_move};
use crate::rng::Rng;
use crate::search::Control;

/// What a model of dots and boxes knows.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is no heap, and one model in use"
)]
pub enum Model<'b> {
    /// 2×2: a byte for each edge in each set of edges, as published.
    QTable(&'b [u8]),
    /// 2×2: a byte for each position that can be left.
    LeaveTable(&'b [u8]),
    /// 3×3: the opening.
    Book(Opening<'b>),
    /// Larger boards: an evaluation.
    Network(learned::Evaluation),
}

impl Searchable for Dots {
    type Knowledge = Lead;
}

/// For 2×2 under the usual rules: a byte for each position that can be left (`dots-black` and its younger selves), or
/// the published table, a byte for each edge in each set of edges. For 3×3 a book of the opening. For larger boards a
/// network. Elsewhere rules and search.
impl Belted for Dots {
    type Model<'b> = Model<'b>;

    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let classic = rules == Default::default();
        model.game == GameId::Dots
            && match (model.kind, model.number) {
                (Kind::ValueTable, Number::U8) => {
                    classic && model.dims == [two_by_two::SETS as u16, 5, 2, 0]
                }
                (Kind::QTable, Number::U8) => {
                    classic
                        && model.dims == [two_by_two::SETS as u16, two_by_two::EDGES as u16, 0, 0]
                }
                (Kind::Book, Number::U8) => Opening::fits(rules) && model.dims == Opening::DIMS,
                (Kind::Mlp, Number::I16) => learned::fits(rules, model),
                _ => false,
            }
    }

    fn model<'b>(meta: &Meta, payload: &'b [u8]) -> Option<Model<'b>> {
        match meta.kind {
            Kind::ValueTable => Some(Model::LeaveTable(payload)),
            Kind::QTable => Some(Model::QTable(payload)),
            Kind::Book => Opening::new(payload).map(Model::Book),
            Kind::Mlp => learned::evaluation(payload).map(Model::Network),
            _ => None,
        }
    }

    fn by_model<W: Workspace, C: Control>(
        &self,
        _: Belt,
        model: &Model<'_>,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        match model {
            Model::QTable(values) => q_move(values, self),
            Model::LeaveTable(values) => leave_move(values, self),
            Model::Book(book) => players::by_book(self, book, rng, resources),
            Model::Network(network) => players::by_network(self, network, resources),
        }
    }

    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        players::by_rules(self, belt, rng, resources)
    }

    fn thoughts<W: Workspace, C: Control>(
        &self,
        _: Belt,
        model: Option<&Model<'_>>,
        resources: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        match model {
            Some(Model::QTable(values)) => each_move(self, |edge| {
                q_value(values, self, edge).map(Fraction::thousandths)
            }),
            Some(Model::LeaveTable(values)) => each_move(self, |edge| {
                leave_value(values, self, edge).map(Fraction::thousandths)
            }),
            model => players::thoughts(self, model, resources),
        }
    }
}

//! Belts of dots and boxes: which model plays which board, and rules where there is none.

use crate::bank::{Kind, Meta, Number};
use crate::belt::Belt;
use crate::fraction::Fraction;
use crate::games::dots::learner::{leave_move, leave_value, q_move, q_value};
use crate::games::dots::{Lead, Opening, learned, players, two_by_two};
use crate::games::{Dots, GameId};
use crate::memory::Workspace;
use crate::players::belts::{Ancestor, Belted, Resources, Thoughts, each_move};
use crate::players::{Agent, Searchable};
use crate::rng::Rng;
use crate::search::Control;

/// A model of dots and boxes; the size of the board decides which.
#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "there is no heap, and one model in use"
)]
pub enum Model<'b> {
    /// 2×2: the published Q-table, one byte per edge set and edge.
    QTable(&'b [u8]),
    /// 2×2: an afterstate table, one byte per position left to the opponent.
    LeaveTable(&'b [u8]),
    /// 3×3: the opening book.
    Book(Opening<'b>),
    /// Boards with more than 24 edges: a network.
    Network(learned::Evaluation),
}

impl Searchable for Dots {
    type Knowledge = Lead;
}

/// Models exist for 2×2 under the default rules (the afterstate tables `dots-white` to
/// `dots-black`, or the published Q-table), for 3×3 (an opening book) and for boards with more than
/// 24 edges (a network); none for misère. Everything else is played by rules and search.
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

    const ANCESTORS: &'static [Ancestor] = &[
        Ancestor {
            name: "Smart",
            origin: "The published rule: takes boxes, gives none.",
        },
        Ancestor {
            name: "Q-table",
            origin: "Published learner: sees edges, not scores.",
        },
    ];

    /// The Q-table knows 2×2 under the usual rules only.
    fn has_ancestor(rules: Self::Rules, number: usize) -> bool {
        number == 0 || number == 1 && rules == Default::default()
    }

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        number: usize,
        model: Option<&Model<'_>>,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        match (number, model) {
            (0, _) => players::Smart.choose(self, rng),
            (1, Some(Model::QTable(values))) => q_move(values, self),
            _ => None,
        }
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

//! Players of iwoki: the published ones, and the belts with a learned evaluation.

use crate::bank::Meta;
use crate::belt::Belt;
use crate::game::{Game, GameMove, Outcome};
use crate::games::iwoki::{Action, FEATURES, FinalCounts, Form, What, features};
use crate::games::{GameId, Iwoki};
use crate::memory::Workspace;
use crate::nn as eval;
use crate::nn::{Copied, ONE, Shape};
use crate::players::belts::{Ancestor, Belted, MAX_THOUGHTS, Resources, Thought, Thoughts};
use crate::players::{Agent, Random, Searchable};
use crate::rng::Rng;
use crate::search::{Control, Engine, Knowledge, Limits, Look, Plan, Ranked, Settings, Sum, Value};

/// The published greedy player: the most points at once; among equals a small tile on its − face,
/// then one on its + face, then a hexagonal tile, then drawing.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Greedy {
    /// Preference for an action, higher is better: points, then the class of the action.
    #[inline]
    pub fn rating(game: &Iwoki, action: Action) -> u16 {
        let class = match action.what() {
            What::Small { shape, .. } if shape.is_minus() => 3,
            What::Small { .. } => 2,
            What::Hex { .. } => 1,
            What::Draw | What::Pass => 0,
        };
        u16::from(game.points_of(action)) << 2 | class
    }
}

impl Agent<Iwoki> for Greedy {
    /// Among equal actions the one with the lowest index.
    fn choose(&mut self, game: &Iwoki, _: &mut Rng) -> Option<Action> {
        let rated = game
            .legal_moves()
            .map(|action| (Greedy::rating(game, action), action));
        rated
            .reduce(|best, next| if next.0 > best.0 { next } else { best })
            .map(|(_, action)| action)
    }
}

/// Capacity in hidden units: those of the largest trained network.
pub const MOST_HIDDEN: usize = 20;
/// Fixed-point scale of stored weights.
pub const WEIGHT_SCALE: u32 = 2048;

/// The network that evaluates positions.
pub type Evaluation = Copied<{ eval::weights(FEATURES, MOST_HIDDEN) }>;

/// The network with `hidden` hidden units in a payload; `None` if the length is wrong.
pub fn evaluation(hidden: usize, payload: &[u8]) -> Option<Evaluation> {
    Evaluation::new(Shape::new(FEATURES, hidden, WEIGHT_SCALE), payload)
}

/// Search knowledge from the learned evaluation: chances to win, not points.
#[derive(Clone, Copy, Debug)]
pub struct Learned<'a>(pub &'a Evaluation);

/// Value of a won game, to which the margin is added. Half of the scale, because `horizon` is
/// halved, too.
const WON: Value = ONE / 2;

impl Knowledge<Iwoki> for Learned<'_> {
    const ORDERS: bool = true;
    const EXTENSIONS: bool = true;

    fn horizon(&self, game: &Iwoki) -> Value {
        self.0.value(&features(game)) / 2
    }

    fn end(&self, game: &Iwoki, outcome: Outcome, _: u8) -> Value {
        WON * Value::from(outcome.value_for(game.turn())) + game.lead(game.turn())
    }

    fn extends(&self, next: &Iwoki) -> bool {
        FinalCounts.extends(next)
    }

    fn promise(&self, game: &Iwoki, action: Action) -> i16 {
        FinalCounts.promise(game, action)
    }
}

/// The lower belts search one turn ahead in a single determinization.
const BELOW: [Look; 1] = [Look::at_all(1, 1)];
/// Black searches one turn ahead in 16 determinizations, then the replies to the eight best actions
/// in 12 more.
const BLACK: [Look; 2] = [
    Look::at_all(1, 16),
    Look {
        depth: 2,
        samples: 12,
        moves: 8,
    },
];

/// The search stages of a belt with a model.
pub const fn looks(belt: Belt) -> &'static [Look] {
    match belt {
        Belt::Black => &BLACK,
        _ => &BELOW,
    }
}

/// The best action by this knowledge: averaged over determinizations in the normal form, searched
/// in the position itself in the open form. Depths count turns, not actions.
pub fn look_ahead<K: Knowledge<Iwoki>, W: Workspace, C: Control>(
    game: &Iwoki,
    knowledge: K,
    looks: &[Look],
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<Action> {
    let open = game.rules().form == Form::Open;
    let looks = looks.iter().map(|&look| {
        if open {
            Look { samples: 0, ..look }
        } else {
            look
        }
    });
    let (moves, sums) = resources.memory.lend_two::<Ranked<Action>, Sum>(ROOM, ROOM);
    let plan = Plan {
        knowledge,
        settings: SETTINGS,
        limits: Limits::NONE,
    };
    Engine::new(&mut [], moves)
        .think_sampled(game, &plan, looks, sums, rng, resources.control)
        .mv
}

/// Capacity of the move lists and of the sums over determinizations. [`Game::MAX_MOVES`] is larger,
/// but no game has come near this number.
const ROOM: usize = 2048;

/// A turn ends with a tile: a draw extends the search.
const SETTINGS: Settings = Settings {
    promise: true,
    extensions: 32,
    ..Settings::PLAIN
};

impl Searchable for Iwoki {
    type Knowledge = FinalCounts;
}

/// Models are networks, used for both forms.
impl Belted for Iwoki {
    type Model<'b> = Evaluation;

    fn fits(_: Self::Rules, model: &Meta) -> bool {
        model.game == GameId::Iwoki
            && model.scale == WEIGHT_SCALE
            && eval::hidden(FEATURES, model).is_some_and(|hidden| hidden <= MOST_HIDDEN)
    }

    fn model(meta: &Meta, payload: &[u8]) -> Option<Evaluation> {
        evaluation(eval::hidden(FEATURES, meta)?, payload)
    }

    fn by_model<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: &Evaluation,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Action> {
        look_ahead(self, Learned(model), looks(belt), rng, resources)
    }

    /// Without a model: the greedy player, with random slips on white and yellow; brown and black
    /// search one and two turns ahead.
    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Action> {
        let slips = |eighths: u32, rng: &mut Rng| rng.chance(eighths << 29);
        match belt {
            Belt::White if slips(4, rng) => Random.choose(self, rng),
            Belt::Yellow if slips(2, rng) => Random.choose(self, rng),
            Belt::White | Belt::Yellow | Belt::Green => Greedy.choose(self, rng),
            Belt::Brown => look_ahead(self, FinalCounts, &[Look::at_all(1, 8)], rng, resources),
            Belt::Black => look_ahead(self, FinalCounts, &[Look::at_all(2, 8)], rng, resources),
        }
    }

    const ANCESTORS: &'static [Ancestor] = &[
        Ancestor {
            name: "Greedy",
            origin: "Published: the most points at once.",
        },
        Ancestor {
            name: "Minimax",
            origin: "Published search: looks two turns ahead.",
        },
    ];

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        number: usize,
        _: Option<&Evaluation>,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Action> {
        match number {
            0 => Greedy.choose(self, rng),
            1 => look_ahead(self, FinalCounts, &[Look::at_all(2, 4)], rng, resources),
            _ => None,
        }
    }

    /// Values of the most promising actions: the winning chance after each by the model; without a
    /// model a scale of their points.
    fn thoughts<W, C>(
        &self,
        _: Belt,
        model: Option<&Evaluation>,
        _: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        let value = |action: Action| -> u16 {
            let next = self.after(action);
            let value = match model {
                Some(evaluation) if !next.is_over() => evaluation.value(&features(&next)),
                Some(_) => ONE * next.lead(next.turn()).signum(),
                None => return (400 + 20 * u16::from(self.points_of(action))).min(1000),
            };
            let value = if next.turn() == self.turn() {
                value
            } else {
                -value
            };
            (500 + i32::from(value) * 500 / i32::from(ONE)) as u16
        };
        let mut thoughts = Thoughts::new();
        for action in self.legal_moves() {
            let thought = Thought {
                index: action.index(),
                value: value(action),
                visits: 0,
            };
            if thoughts.len() == MAX_THOUGHTS {
                // The lowest value makes room.
                let worst = (0..MAX_THOUGHTS)
                    .min_by_key(|&place| thoughts[place].value)
                    .unwrap_or(0);
                if thoughts[worst].value >= thought.value {
                    continue;
                }
                thoughts.remove(worst);
            }
            let _ = thoughts.push(thought);
        }
        thoughts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::IwokiRules;

    #[test]
    fn greedy_takes_the_most_and_breaks_ties_by_the_published_order() {
        let mut rng = Rng::new(3);
        for deal in 0..40 {
            let mut game = Iwoki::new(IwokiRules {
                form: Form::Normal,
                deal,
            });
            while let Some(action) = Greedy.choose(&game, &mut rng) {
                let most = game
                    .legal_moves()
                    .map(|action| game.points_of(action))
                    .max();
                assert_eq!(Some(game.points_of(action)), most);
                let equal = || {
                    game.legal_moves()
                        .filter(|&other| Some(game.points_of(other)) == most)
                };
                let minus = |action: &Action| matches!(action.what(), What::Small { shape, .. } if shape.is_minus());
                let plus = |action: &Action| matches!(action.what(), What::Small { shape, .. } if !shape.is_minus());
                let hex = |action: &Action| matches!(action.what(), What::Hex { .. });
                let first = equal()
                    .find(minus)
                    .or(equal().find(plus))
                    .or(equal().find(hex))
                    .or(equal().next());
                assert_eq!(Some(action), first);
                game.play(action).unwrap();
            }
        }
    }
}

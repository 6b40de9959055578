//! The five opponents that people meet in every game.
//!
//! Where a trained table exists, a belt is its training age: the same learner, stopped earlier. Elsewhere a belt is
//! how far the machine looks ahead. Black is perfect wherever the game is solved.

use serde::{Deserialize, Serialize};

use crate::agents::dots::{self, learned};
use crate::agents::go::Helper;
use crate::agents::{Agent, Lookahead, Perfect, Random, Searchable, Solvable, ValueTable};
use crate::bank::{Bank, Entry, Kind, Meta, Number};
use crate::game::{Game, GameMove};
use crate::games::dots::Opening;
use crate::games::{AnyGame, Dots, GameId, Sticks, TicTacToe, inside};
use crate::learn::dots::{LEAVE_VALUES, Q_VALUES, leave_move, leave_value, q_move, q_value};
use crate::learn::{Fraction, two};
use crate::memory::Workspace;
use crate::rng::Rng;
use crate::search::{Control, Report, Value};

/// A level of strength, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[repr(u8)]
pub enum Belt {
    /// A child can beat it.
    White = 0,
    /// The second.
    Yellow = 1,
    /// The third.
    Green = 2,
    /// The fourth.
    Brown = 3,
    /// As strong as the machine gets.
    Black = 4,
}

impl Belt {
    /// All belts, weakest first.
    pub const ALL: [Belt; 5] = [
        Belt::White,
        Belt::Yellow,
        Belt::Green,
        Belt::Brown,
        Belt::Black,
    ];

    /// The name used in commands and banks.
    pub const fn name(self) -> &'static str {
        match self {
            Belt::White => "white",
            Belt::Yellow => "yellow",
            Belt::Green => "green",
            Belt::Brown => "brown",
            Belt::Black => "black",
        }
    }

    /// The name that a player reads.
    pub const fn title(self) -> &'static str {
        match self {
            Belt::White => "White",
            Belt::Yellow => "Yellow",
            Belt::Green => "Green",
            Belt::Brown => "Brown",
            Belt::Black => "Black",
        }
    }

    /// The belt of this name.
    pub fn from_name(name: &str) -> Option<Belt> {
        Belt::ALL.into_iter().find(|belt| belt.name() == name)
    }

    /// The belt with this number.
    pub fn from_code(code: u8) -> Option<Belt> {
        Belt::ALL.get(usize::from(code)).copied()
    }

    /// How often a trained belt plays at random instead, in 1/2³²: white does with every eighth move, so that a child
    /// finds openings in it.
    pub const fn slips(self) -> u32 {
        match self {
            Belt::White => 1 << 29,
            _ => 0,
        }
    }

    /// How many moves ahead a belt without a table looks; black looks to the end.
    fn plies(self) -> usize {
        self as usize + 1
    }
}

/// What to think about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The position.
    pub game: AnyGame,
    /// Who is asked.
    pub belt: Belt,
    /// All chance in the answer comes from this number.
    pub seed: u64,
    /// Whether it may give the game up instead of a move.
    pub may_resign: bool,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A trained model of the bank.
    Brain,
    /// Rules or search: there is no model for this game or these options, or no bank.
    Rules,
}

/// A move and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The index of the move, or [`RESIGN`].
    pub index: u16,
    /// What chose it.
    pub source: Source,
}

/// Stands for no move at all: the player gives the game up.
pub const RESIGN: u16 = u16::MAX;

impl Answer {
    /// Whether the player gives the game up.
    pub fn resigns(self) -> bool {
        self.index == RESIGN
    }
}

/// What a player may use while it thinks.
#[derive(Debug)]
pub struct Means<'a, W, C> {
    /// Memory for tables and trees.
    pub memory: &'a mut W,
    /// Who may stop it, and whom it tells how far it is.
    pub control: &'a mut C,
    /// Who plays playouts of Go for it meanwhile. That changes how long an answer takes, never the answer.
    pub helper: Option<&'a mut dyn Helper>,
}

/// Answers a question; `None` if the game is over.
///
/// A model whose payload is damaged is not used: the rules answer then. A player that is stopped answers with what it
/// has.
pub fn think<W: Workspace, C: Control>(
    question: &Question,
    bank: Option<&Bank<'_>>,
    means: &mut Means<'_, W, C>,
) -> Option<Answer> {
    let mut rng = Rng::new(question.seed);
    let player = BeltPlayer {
        belt: question.belt,
        bank,
        may_resign: question.may_resign,
    };
    inside!(&question.game, game => player.answer(game, &mut rng, means))
}

/// Answers a question undisturbed, in memory from the heap.
#[cfg(any(test, feature = "alloc"))]
pub fn answer(question: &Question, bank: Option<&Bank<'_>>) -> Option<Answer> {
    let mut memory = crate::memory::Heap::default();
    think(
        question,
        bank,
        &mut Means {
            memory: &mut memory,
            control: &mut (),
            helper: None,
        },
    )
}

/// A belt and where its models are.
#[derive(Clone, Copy, Debug)]
pub struct BeltPlayer<'a> {
    /// Which belt.
    pub belt: Belt,
    /// Where its models are, if there are any.
    pub bank: Option<&'a Bank<'a>>,
    /// Whether it may give a game up.
    pub may_resign: bool,
}

impl BeltPlayer<'_> {
    /// Its move, and where that came from.
    pub fn answer<G: Belted, W: Workspace, C: Control>(
        &self,
        game: &G,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Answer> {
        let mut watch = Watch {
            control: means.control,
            hopeless: game.hopeless(self.belt),
            reports: 0,
        };
        let helper = means
            .helper
            .as_mut()
            .map(|helper| &mut **helper as &mut dyn Helper);
        let mut watched = Means {
            memory: &mut *means.memory,
            control: &mut watch,
            helper,
        };
        let answer = self.choose(game, rng, &mut watched)?;
        let gives_up = self.may_resign && watch.reports >= HOPELESS_REPORTS;
        Some(if gives_up {
            Answer {
                index: RESIGN,
                ..answer
            }
        } else {
            answer
        })
    }

    fn choose<G: Belted, W: Workspace, C: Control>(
        &self,
        game: &G,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Answer> {
        let (mv, source) = match self.model(game) {
            // A belt without slips takes nothing from the generator.
            Some(_) if self.belt.slips() > 0 && rng.chance(self.belt.slips()) => {
                (Random.choose(game, rng), Source::Brain)
            }
            Some(payload) => (game.by_model(self.belt, payload, rng, means), Source::Brain),
            None => (None, Source::Rules),
        };
        if let Some(mv) = mv {
            return Some(Answer {
                index: mv.index(),
                source,
            });
        }
        let mv = game.by_rules(self.belt, rng, means)?;
        Some(Answer {
            index: mv.index(),
            source: Source::Rules,
        })
    }

    /// What it thinks of all its moves.
    pub fn thoughts<G: Belted, W: Workspace, C: Control>(
        &self,
        game: &G,
        means: &mut Means<'_, W, C>,
    ) -> Thoughts {
        game.thoughts(self.belt, self.model(game), means)
    }

    /// The payload of the model that plays for this belt.
    fn model<G: Belted>(&self, game: &G) -> Option<&[u8]> {
        serving::<G>(game.rules(), self.belt, self.bank?)?
            .payload()
            .ok()
    }
}

/// So many reports in a row, up to the last one, have to say that a position is hopeless.
const HOPELESS_REPORTS: u32 = 4;

/// Counts how long a search has found the position hopeless.
struct Watch<'c, C> {
    control: &'c mut C,
    /// Values below this one are.
    hopeless: Option<Value>,
    /// Reports in a row that were.
    reports: u32,
}

impl<C: Control> Control for Watch<'_, C> {
    fn should_stop(&mut self) -> bool {
        self.control.should_stop()
    }

    fn report(&mut self, report: &Report<'_>) {
        let is_hopeless = self
            .hopeless
            .is_some_and(|hopeless| report.value < hopeless);
        self.reports = if is_hopeless { self.reports + 1 } else { 0 };
        self.control.report(report);
    }
}

/// The model that plays for a belt under these rules.
fn serving<'b, G: Belted>(rules: G::Rules, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
    bank.entries()
        .find(|entry| entry.meta.belt == Some(belt) && G::fits(rules, &entry.meta))
}

/// The model that plays for a belt under the rules of this position, if there is one.
pub fn model<'b>(game: &AnyGame, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
    fn of<'b, G: Belted>(game: &G, belt: Belt, bank: &Bank<'b>) -> Option<Entry<'b>> {
        serving::<G>(game.rules(), belt, bank)
    }
    inside!(game, game => of(game, belt, bank))
}

/// A game with belts.
pub trait Belted: Searchable {
    /// Whether a model is one that can play under these rules.
    fn fits(rules: Self::Rules, model: &Meta) -> bool;

    /// The move of a belt with a model that [`Belted::fits`], from the model's payload; `None` where the model knows none.
    fn by_model<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        payload: &[u8],
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Self::Move>;

    /// The move of a belt for which there is no model.
    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Self::Move>;

    /// Below which value of its search a belt gives this position up, if it ever does.
    fn hopeless(&self, _: Belt) -> Option<Value> {
        None
    }

    /// What a belt thinks of its moves, with the payload of its model if it has one that [`Belted::fits`].
    fn thoughts<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: Option<&[u8]>,
        means: &mut Means<'_, W, C>,
    ) -> Thoughts;
}

/// A move and what the machine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The index of the move.
    pub index: u16,
    /// In thousandths of a win: 1000 for a sure win, 0 for a sure loss.
    pub value: u16,
}

/// Most moves that a mind is shown for: all of Go, and the best ones where a game has more.
pub const MAX_THOUGHTS: usize = 96;

/// The moves of a position, or the best of them, with what is thought of them.
pub type Thoughts = heapless::Vec<Thought, MAX_THOUGHTS>;

/// What a belt thinks of all its moves: the numbers that its choice rests on, for the screen that shows its mind. At the
/// end of a game of Go, what it thinks of the stones: how sure each lives.
///
/// Empty where it does not think in numbers, such as at the beginning of a large board.
pub fn mind<W: Workspace, C: Control>(
    question: &Question,
    bank: Option<&Bank<'_>>,
    means: &mut Means<'_, W, C>,
) -> Thoughts {
    let player = BeltPlayer {
        belt: question.belt,
        bank,
        may_resign: false,
    };
    inside!(&question.game, game => player.thoughts(game, means))
}

/// Asks for the value of each legal move.
pub(crate) fn each_move<G: Game>(game: &G, value: impl Fn(G::Move) -> Option<u16>) -> Thoughts {
    let thought = |mv: G::Move| {
        Some(Thought {
            index: mv.index(),
            value: value(mv)?,
        })
    };
    game.legal_moves()
        .filter_map(thought)
        .take(MAX_THOUGHTS)
        .collect()
}

/// A value of a solved game in thousandths of a win.
fn thousandths(value: i16) -> u16 {
    (value.signum() + 1) as u16 * 500
}

/// The exact values of all moves.
fn solved_thoughts<G: Solvable>(game: &G) -> Thoughts {
    let solution = G::solve(game.rules());
    each_move(game, |mv| {
        let next = game.after(mv);
        let value = next.value(&solution);
        Some(thousandths(if next.turn() == game.turn() {
            value
        } else {
            -value
        }))
    })
}

/// Belts that look 1, 2, 3 or 4 moves ahead; black is perfect.
fn look_ahead<G: Solvable>(game: &G, belt: Belt, rng: &mut Rng) -> Option<G::Move> {
    match belt {
        Belt::Black => Perfect.choose(game, rng),
        belt => Lookahead {
            plies: belt.plies(),
        }
        .choose(game, rng),
    }
}

/// No models: looking ahead is enough.
impl Belted for TicTacToe {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model<W, C>(
        &self,
        _: Belt,
        _: &[u8],
        _: &mut Rng,
        _: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        None
    }

    fn by_rules<W, C>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        _: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    fn thoughts<W, C>(&self, _: Belt, _: Option<&[u8]>, _: &mut Means<'_, W, C>) -> Thoughts {
        solved_thoughts(self)
    }
}

/// A byte a state, for the classic rules.
impl Belted for Sticks {
    fn fits(rules: Self::Rules, model: &Meta) -> bool {
        let states = rules.rows().map(|row| u16::from(row) + 1);
        rules == Default::default()
            && (model.game, model.kind, model.number)
                == (GameId::Sticks, Kind::ValueTable, Number::U8)
            && model.dims == [states[0], states[1], states[2], 0]
    }

    fn by_model<W, C>(
        &self,
        _: Belt,
        payload: &[u8],
        rng: &mut Rng,
        _: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        ValueTable(payload).choose(self, rng)
    }

    fn by_rules<W, C>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        _: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    fn thoughts<W, C>(&self, _: Belt, model: Option<&[u8]>, _: &mut Means<'_, W, C>) -> Thoughts {
        match model {
            Some(values) => each_move(self, |mv| {
                values
                    .get(self.after(mv).state())
                    .copied()
                    .map(Fraction::thousandths)
            }),
            None => solved_thoughts(self),
        }
    }
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
            learned::PAYLOAD => dots::by_network(self, payload, means),
            _ => dots::by_book(self, payload, rng, means),
        }
    }

    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        means: &mut Means<'_, W, C>,
    ) -> Option<Self::Move> {
        dots::by_rules(self, belt, rng, means)
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
            model => dots::thoughts(self, model, means),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::AnyRules;

    #[test]
    fn every_belt_answers_every_game_without_a_bank() {
        for id in GameId::ALL {
            for belt in Belt::ALL {
                let mut game = AnyRules::new(id).start();
                let mut seed = 0;
                // The higher belts of Go take seconds for a move.
                let slow = id == GameId::Go && belt > Belt::Green;
                while game.outcome().is_none() {
                    if slow && seed == 2 {
                        break;
                    }
                    let chosen = answer(
                        &Question {
                            game,
                            belt,
                            seed,
                            may_resign: false,
                        },
                        None,
                    )
                    .unwrap();
                    assert_eq!(chosen.source, Source::Rules);
                    game.play(chosen.index).unwrap();
                    seed += 1;
                }
                assert_eq!(
                    answer(
                        &Question {
                            game,
                            belt,
                            seed,
                            may_resign: false
                        },
                        None
                    )
                    .is_none(),
                    game.outcome().is_some()
                );
            }
        }
    }
}

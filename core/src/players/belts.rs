//! What a game gives to have belts: a move by a trained model, a move without one, and what it thinks of its moves.

use crate::bank::{Bank, Entry, Meta};
use crate::belt::Belt;
use crate::game::{Game, GameMove};
use crate::games::go::players::Helper;
use crate::memory::Workspace;
use crate::players::{Agent, Lookahead, Perfect, Random, Searchable, Solvable};
use crate::rng::Rng;
use crate::search::{Control, Report, Value};

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
pub(crate) fn serving<'b, G: Belted>(
    rules: G::Rules,
    belt: Belt,
    bank: &Bank<'b>,
) -> Option<Entry<'b>> {
    bank.entries()
        .find(|entry| entry.meta.belt == Some(belt) && G::fits(rules, &entry.meta))
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
pub(crate) fn solved_thoughts<G: Solvable>(game: &G) -> Thoughts {
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
pub(crate) fn look_ahead<G: Solvable>(game: &G, belt: Belt, rng: &mut Rng) -> Option<G::Move> {
    match belt {
        Belt::Black => Perfect.choose(game, rng),
        belt => Lookahead {
            plies: belt.plies(),
        }
        .choose(game, rng),
    }
}

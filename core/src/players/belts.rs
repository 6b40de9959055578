//! What a game gives to have belts: a move by a trained model, a move without one, and what it thinks of its moves.

use core::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::bank::{Bank, Entry, Meta};
use crate::belt::Belt;
use crate::game::{Game, GameMove};
use crate::games::go::players::Helper;
use crate::memory::Workspace;
use crate::players::{Agent, Lookahead, Perfect, Random, Searchable, Solvable};
use crate::rng::Rng;
use crate::search::{Control, Report, Value};

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A trained model of the bank.
    Brain,
    /// Rules or search: there is no model for this game or these options, or no bank.
    Rules,
}

/// What a player does with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Plays the move with this index.
    Play(u16),
    /// Gives the game up.
    Resign,
}

/// A decision and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// What to do.
    pub decision: Decision,
    /// What decided it.
    pub source: Source,
}

impl Answer {
    /// The index of the move; `None` if the player gives the game up.
    pub fn index(self) -> Option<u16> {
        match self.decision {
            Decision::Play(index) => Some(index),
            Decision::Resign => None,
        }
    }
}

/// What a player may use while it thinks.
#[derive(Debug)]
pub struct Resources<'a, W, C> {
    /// Memory for tables and trees.
    pub memory: &'a mut W,
    /// Who may stop it, and whom it tells how far it is.
    pub control: &'a mut C,
    /// Who takes over some of its work meanwhile. That changes how long an answer takes, never the answer.
    pub helper: Option<&'a mut dyn Helper>,
}

/// A belt that plays one game, with the model it was opened with.
#[derive(Clone, Debug)]
pub struct BeltPlayer<'b, G: Belted> {
    /// Which belt.
    pub belt: Belt,
    /// What it was trained to know, if anything.
    pub model: Option<G::Model<'b>>,
    /// Whether it may give a game up.
    pub may_resign: bool,
}

impl<'b, G: Belted> BeltPlayer<'b, G> {
    /// A belt with its model for these rules, if the bank has one that is whole.
    pub fn new(belt: Belt, rules: G::Rules, bank: Option<&Bank<'b>>) -> BeltPlayer<'b, G> {
        BeltPlayer {
            belt,
            model: bank.and_then(|bank| open::<G>(rules, belt, bank)),
            may_resign: true,
        }
    }

    /// Its decision, and where that came from.
    pub fn answer<W: Workspace, C: Control>(
        &self,
        game: &G,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Answer> {
        decide(
            self.belt,
            self.model.as_ref(),
            self.may_resign,
            game,
            rng,
            resources,
        )
    }
}

/// What a belt with this model does in this position, and where that came from; `None` if the game is over.
pub fn decide<G: Belted, W: Workspace, C: Control>(
    belt: Belt,
    model: Option<&G::Model<'_>>,
    may_resign: bool,
    game: &G,
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<Answer> {
    let mut watch = HopeWatch {
        control: resources.control,
        hopeless: game.hopeless(belt),
        reports: 0,
    };
    let helper = resources
        .helper
        .as_mut()
        .map(|helper| &mut **helper as &mut dyn Helper);
    let mut watched = Resources {
        memory: &mut *resources.memory,
        control: &mut watch,
        helper,
    };
    let (mv, source) = choose(belt, model, game, rng, &mut watched)?;
    let gives_up = may_resign && watch.reports >= HOPELESS_REPORTS;
    Some(Answer {
        decision: if gives_up {
            Decision::Resign
        } else {
            Decision::Play(mv.index())
        },
        source,
    })
}

fn choose<G: Belted, W: Workspace, C: Control>(
    belt: Belt,
    model: Option<&G::Model<'_>>,
    game: &G,
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<(G::Move, Source)> {
    let mv = match model {
        // A belt without slips takes nothing from the generator.
        Some(_) if belt.slips() > 0 && rng.chance(belt.slips()) => Random.choose(game, rng),
        Some(model) => game.by_model(belt, model, rng, resources),
        None => None,
    };
    match mv {
        Some(mv) => Some((mv, Source::Brain)),
        None => Some((game.by_rules(belt, rng, resources)?, Source::Rules)),
    }
}

/// So many reports in a row, up to the last one, have to say that a position is hopeless.
const HOPELESS_REPORTS: u32 = 4;

/// Counts how long a search has found the position hopeless.
struct HopeWatch<'c, C> {
    control: &'c mut C,
    /// Values below this one are.
    hopeless: Option<Value>,
    /// Reports in a row that were.
    reports: u32,
}

impl<C: Control> Control for HopeWatch<'_, C> {
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

/// The entry of the model that plays for a belt under these rules.
pub(crate) fn serving<'b, G: Belted>(
    rules: G::Rules,
    belt: Belt,
    bank: &Bank<'b>,
) -> Option<Entry<'b>> {
    bank.entries()
        .find(|entry| entry.meta.belt == Some(belt) && G::fits(rules, &entry.meta))
}

/// Opens the model that plays for a belt under these rules: its checksum is looked at here, and never again.
pub(crate) fn open<'b, G: Belted>(
    rules: G::Rules,
    belt: Belt,
    bank: &Bank<'b>,
) -> Option<G::Model<'b>> {
    let entry = serving::<G>(rules, belt, bank)?;
    G::model(&entry.meta, entry.payload().ok()?)
}

/// A game with belts.
pub trait Belted: Searchable {
    /// What its models know; [`core::convert::Infallible`] for a game without.
    type Model<'b>: Clone + Debug + Send + Sync;

    /// Whether a model can play under these rules, by what the bank's table says about it.
    fn fits(rules: Self::Rules, meta: &Meta) -> bool;

    /// The model that a payload holds, for a table entry that [`Belted::fits`].
    fn model<'b>(meta: &Meta, payload: &'b [u8]) -> Option<Self::Model<'b>>;

    /// The move of a belt by its model; `None` where the model knows none.
    fn by_model<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: &Self::Model<'_>,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move>;

    /// The move of a belt for which there is no model.
    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move>;

    /// Below which value of its search a belt gives this position up, if it ever does.
    fn hopeless(&self, _: Belt) -> Option<Value> {
        None
    }

    /// What a belt thinks of its moves, with its model if it has one.
    ///
    /// In a finished game this is the question of the scoring phase, in games that have one: for each piece, by the index of
    /// the move on its place, how sure it counts. Other games answer with nothing.
    fn thoughts<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: Option<&Self::Model<'_>>,
        resources: &mut Resources<'_, W, C>,
    ) -> Thoughts;
}

/// A move and what the machine thinks of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

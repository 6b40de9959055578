//! The contract by which a game provides its belts: a move by a trained model, a move without one,
//! and the values of its moves.

use core::fmt::Debug;

use serde::{Deserialize, Serialize};

use crate::bank::{Bank, Entry, Meta};
use crate::belt::Belt;
use crate::game::{Game, GameMove};
use crate::memory::Workspace;
use crate::players::helper::Helper;
use crate::players::{Agent, Lookahead, Perfect, Random, Searchable, Solvable};
use crate::rng::Rng;
use crate::search::{Control, Report, Value};
pub use crate::search::{MAX_THOUGHTS, Thought, Thoughts};

/// The origin of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A trained model of the bank.
    Brain,
    /// Rules or search, because there is no model for this game and these options, or no bank.
    Rules,
}

/// The decision of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// Plays the move with this index.
    Play(u16),
    /// Resigns.
    Resign,
}

/// A decision and its origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The decision.
    pub decision: Decision,
    /// Its origin.
    pub source: Source,
    /// Why, for a hint.
    pub grounds: Grounds,
}

/// Bytes of a learned rule that is told with a hint.
pub const RULE_BYTES: usize = 30;

/// Why a move was chosen, as far as its player can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grounds {
    /// What the search expects for the player to move, in thousandths.
    pub expected: Option<u16>,
    /// What spoke most for the move, in the game's own numbers; 0 for nothing.
    pub voice: u8,
    /// The learned rule that spoke most for the move, in the game's own form.
    pub rule: Option<[u8; RULE_BYTES]>,
}

impl Answer {
    /// The index of the move; `None` if the player resigns.
    pub fn index(self) -> Option<u16> {
        match self.decision {
            Decision::Play(index) => Some(index),
            Decision::Resign => None,
        }
    }
}

/// Resources of a player while it thinks.
#[derive(Debug)]
pub struct Resources<'a, W, C> {
    /// Memory for tables and trees.
    pub memory: &'a mut W,
    /// Stops it early and receives its progress.
    pub control: &'a mut C,
    /// Another core that may run some of the player's jobs.
    pub helper: Option<&'a mut dyn Helper>,
}

/// A belt of one game with its model.
#[derive(Clone, Debug)]
pub struct BeltPlayer<'b, G: Belted> {
    /// The belt.
    pub belt: Belt,
    /// Its trained model, if there is one.
    pub model: Option<G::Model<'b>>,
    /// Whether it may resign.
    pub may_resign: bool,
}

impl<'b, G: Belted> BeltPlayer<'b, G> {
    /// A belt with its model for these rules, if the bank has an undamaged one.
    pub fn new(belt: Belt, rules: G::Rules, bank: Option<&Bank<'b>>) -> BeltPlayer<'b, G> {
        BeltPlayer {
            belt,
            model: bank.and_then(|bank| open::<G>(rules, Some(belt), bank)),
            may_resign: true,
        }
    }

    /// Its decision; `None` if the game is over.
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

/// The decision of a belt with this model; `None` if the game is over.
pub fn decide<G: Belted, W: Workspace, C: Control>(
    belt: Belt,
    model: Option<&G::Model<'_>>,
    may_resign: bool,
    game: &G,
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<Answer> {
    let mut counter = ResignationCounter {
        control: resources.control,
        hopeless: game.hopeless(belt),
        reports: 0,
        last: None,
    };
    let helper = resources
        .helper
        .as_mut()
        .map(|helper| &mut **helper as &mut dyn Helper);
    let mut counted = Resources {
        memory: &mut *resources.memory,
        control: &mut counter,
        helper,
    };
    let (mv, source) = choose(belt, model, game, rng, &mut counted)?;
    let gives_up = may_resign && counter.reports >= HOPELESS_REPORTS;
    Some(Answer {
        decision: if gives_up {
            Decision::Resign
        } else {
            Decision::Play(mv.index())
        },
        source,
        grounds: Grounds {
            expected: counter.last.and_then(G::expectation),
            ..Grounds::default()
        },
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
        // A belt without slips draws no random number here.
        Some(_) if belt.slips() > 0 && rng.chance(belt.slips()) => Random.choose(game, rng),
        Some(model) => game.by_model(belt, model, rng, resources),
        None => None,
    };
    match mv {
        Some(mv) => Some((mv, Source::Brain)),
        None => Some((game.by_rules(belt, rng, resources)?, Source::Rules)),
    }
}

/// A belt resigns if this many of the last reports, without a gap, are hopeless.
const HOPELESS_REPORTS: u32 = 4;

/// Counts the latest consecutive hopeless reports of a search.
struct ResignationCounter<'c, C> {
    control: &'c mut C,
    /// Values below this one are hopeless.
    hopeless: Option<Value>,
    /// Consecutive hopeless reports.
    reports: u32,
    /// The value of the last report.
    last: Option<Value>,
}

impl<C: Control> Control for ResignationCounter<'_, C> {
    fn should_stop(&mut self) -> bool {
        self.control.should_stop()
    }

    fn report(&mut self, report: &Report<'_>) {
        let is_hopeless = self
            .hopeless
            .is_some_and(|hopeless| report.value < hopeless);
        self.reports = if is_hopeless { self.reports + 1 } else { 0 };
        self.last = Some(report.value);
        self.control.report(report);
    }

    fn progress(&mut self, share: u16, thoughts: &dyn Fn() -> Thoughts) {
        self.control.progress(share, thoughts);
    }
}

/// The bank entry of a belt's model under these rules; without a belt, that of the ancestors.
pub(crate) fn serving<'b, G: Belted>(
    rules: G::Rules,
    belt: Option<Belt>,
    bank: &Bank<'b>,
) -> Option<Entry<'b>> {
    bank.entries()
        .find(|entry| entry.meta.belt == belt && G::fits(rules, &entry.meta))
}

/// A published player of a game, to be met on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ancestor {
    /// Its name.
    pub name: &'static str,
    /// Where it comes from, in a sentence of at most 66 letters.
    pub origin: &'static str,
}

/// Opens a belt's model under these rules. Its checksum is verified here, not at every move.
pub(crate) fn open<'b, G: Belted>(
    rules: G::Rules,
    belt: Option<Belt>,
    bank: &Bank<'b>,
) -> Option<G::Model<'b>> {
    let entry = serving::<G>(rules, belt, bank)?;
    G::model(&entry.meta, entry.payload().ok()?)
}

/// A game with belts.
pub trait Belted: Searchable {
    /// Its parsed model; [`core::convert::Infallible`] for a game without models.
    type Model<'b>: Clone + Debug + Send + Sync;

    /// Whether a model with this metadata can play under these rules.
    fn fits(rules: Self::Rules, meta: &Meta) -> bool;

    /// Parses a payload whose metadata [`Belted::fits`].
    fn model<'b>(meta: &Meta, payload: &'b [u8]) -> Option<Self::Model<'b>>;

    /// The move of a belt by its model; `None` where the model has no move.
    fn by_model<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: &Self::Model<'_>,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move>;

    /// The move of a belt without a model.
    fn by_rules<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move>;

    /// The published players of the game.
    const ANCESTORS: &'static [Ancestor] = &[];

    /// Whether the ancestor with this number plays under these rules.
    fn has_ancestor(_: Self::Rules, number: usize) -> bool {
        number < Self::ANCESTORS.len()
    }

    /// The model of the ancestor with this number: by default, the one of the bank that has no
    /// belt.
    fn ancestor_model<'b>(
        rules: Self::Rules,
        _number: usize,
        bank: &Bank<'b>,
    ) -> Option<Self::Model<'b>> {
        open::<Self>(rules, None, bank)
    }

    /// The move of the ancestor with this number by its [`Belted::ancestor_model`]. `None` if there
    /// is no such ancestor, or it needs a model that is missing.
    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        _number: usize,
        _model: Option<&Self::Model<'_>>,
        _rng: &mut Rng,
        _resources: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        None
    }

    /// The search value below which a belt resigns in this position; `None` for never.
    fn hopeless(&self, _: Belt) -> Option<Value> {
        None
    }

    /// A search's value as an expected result for the player to move, in thousandths; `None` where
    /// it is no probability.
    fn expectation(_: Value) -> Option<u16> {
        None
    }

    /// Why this move is good: what speaks for it in the model of a belt and in the bank.
    fn grounds(&self, _: Self::Move, _: Option<&Self::Model<'_>>, _: Option<&Bank<'_>>) -> Grounds {
        Grounds::default()
    }

    /// A belt's values of its moves, by its model if it has one.
    ///
    /// In a finished game this is the question of the scoring phase, in games that have one: for
    /// each piece, by the index of the move on its place, how sure it counts. Other games return
    /// nothing.
    fn thoughts<W: Workspace, C: Control>(
        &self,
        belt: Belt,
        model: Option<&Self::Model<'_>>,
        resources: &mut Resources<'_, W, C>,
    ) -> Thoughts;
}

/// Collects the value of each legal move; `None` skips a move.
pub(crate) fn each_move<G: Game>(game: &G, value: impl Fn(G::Move) -> Option<u16>) -> Thoughts {
    let thought = |mv: G::Move| {
        Some(Thought {
            index: mv.index(),
            value: value(mv)?,
            visits: 0,
        })
    };
    game.legal_moves()
        .filter_map(thought)
        .take(MAX_THOUGHTS)
        .collect()
}

/// A value of a solved game as a result in thousandths.
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

/// Belts that search 1 to 4 plies deep; black plays perfectly.
pub(crate) fn look_ahead<G: Solvable>(game: &G, belt: Belt, rng: &mut Rng) -> Option<G::Move> {
    match belt {
        Belt::Black => Perfect.choose(game, rng),
        belt => Lookahead {
            plies: belt.plies(),
        }
        .choose(game, rng),
    }
}

//! Network player for boards too large for the opening book: search with a learned evaluation,
//! corrected by the exact chain search near the end.

use core::cell::Cell;

use crate::bank::Meta;
use crate::game::{Game, Outcome};
use crate::games::dots::chains::{ChainSearch, ValueBounds, can_capture, sensible};
use crate::games::dots::{Edge, EdgeSet, FEATURES, features};
use crate::games::{Dots, DotsRules};
use crate::memory::{WORKSPACE_BYTES, Workspace};
use crate::nn as eval;
use crate::nn::{Copied, ONE, Shape};
use crate::players::belts::{Resources, Thoughts, each_move};
use crate::search::{
    Control, Engine, Found, Knowledge, Limits, NEVER, Plan, Ranked, Settings, Slot, Stopped, Value,
};

/// Hidden units of the network.
pub const HIDDEN: usize = 16;
/// Fixed-point scale of stored weights: larger than iwoki's, since features are large and weights
/// small here.
pub const WEIGHT_SCALE: u32 = 16_384;
/// Bytes of a stored network, two per weight.
pub const PAYLOAD: usize = 2 * eval::weights(FEATURES, HIDDEN);

/// The network that evaluates positions.
pub type Evaluation = Copied<{ eval::weights(FEATURES, HIDDEN) }>;

/// The network in a payload; `None` if the length is wrong.
pub fn evaluation(payload: &[u8]) -> Option<Evaluation> {
    Evaluation::new(Shape::new(FEATURES, HIDDEN, WEIGHT_SCALE), payload)
}

/// Whether a model is a network for these rules: boards with more edges than 3×3, not misère.
pub(crate) fn fits(rules: DotsRules, model: &Meta) -> bool {
    !rules.misere
        && rules.all_edges().count_ones() > MOST_KNOWN
        && model.scale == WEIGHT_SCALE
        && eval::hidden(FEATURES, model) == Some(HIDDEN)
}

/// Edges of 3×3, the largest board with an opening book.
const MOST_KNOWN: u32 = 24;

/// Winning chances of all edges by the evaluation, for the mind view. Captures are searched to
/// their end first.
pub(crate) fn thoughts(game: &Dots, evaluation: &Evaluation) -> Thoughts {
    fn value(game: &Dots, evaluation: &Evaluation) -> i16 {
        if let Some(outcome) = game.outcome() {
            return ONE * i16::from(outcome.value_for(game.turn()));
        }
        if !can_capture(game) {
            return evaluation.value(&features(game));
        }
        sensible(game)
            .map(|edge| after(game, edge, evaluation))
            .max()
            .unwrap_or(0)
    }
    fn after(game: &Dots, edge: Edge, evaluation: &Evaluation) -> i16 {
        let next = game.after(edge);
        let value = value(&next, evaluation);
        if next.turn() == game.turn() {
            value
        } else {
            -value
        }
    }
    each_move(game, |edge| {
        Some((500 + i32::from(after(game, edge, evaluation)) * 500 / i32::from(ONE)) as u16)
    })
}

/// Search knowledge from the learned evaluation, restricted to [`sensible`] edges.
#[derive(Clone, Debug)]
pub struct Learned<'a> {
    evaluation: &'a Evaluation,
    /// Cache for `promise`, which is asked edge by edge: an edge set and its sensible edges.
    sensible: Cell<(u64, u64)>,
}

/// Value of a won game, to which the margin is added. Half of the scale, because `horizon` is
/// halved, too.
const WON: Value = ONE / 2;

impl<'a> Learned<'a> {
    /// Knowledge from this evaluation.
    pub fn new(evaluation: &'a Evaluation) -> Learned<'a> {
        Learned {
            evaluation,
            sensible: Cell::new((u64::MAX, 0)),
        }
    }

    /// Searches within these limits, in the workspace.
    pub fn think<W: Workspace, C: Control>(
        self,
        game: &Dots,
        limits: Limits,
        resources: &mut Resources<'_, W, C>,
    ) -> Found<Edge> {
        let (slots, moves) = resources.memory.lend_two::<Slot, Ranked<Edge>>(SLOTS, ROOM);
        let plan = Plan {
            knowledge: self,
            settings: SETTINGS,
            limits,
        };
        Engine::new(slots, moves).think(game, &plan, resources.control)
    }
}

/// Slots of the transposition table: 16 bytes each, 64 KB of the 128 KB workspace.
const SLOTS: usize = 4096;
/// Capacity of the move lists: 17 plies of 60 edges. Beyond it moves keep their natural order.
const ROOM: usize = 1024;

/// Captures extend the search, by at most 24 plies; edges that are not sensible are pruned.
const SETTINGS: Settings = Settings {
    extensions: 24,
    narrow: u16::MAX,
    ..Settings::SOUND
};

impl Knowledge<Dots> for Learned<'_> {
    const ORDERS: bool = true;
    const EXTENSIONS: bool = true;
    const NARROWING: bool = true;

    fn horizon(&self, game: &Dots) -> Value {
        self.evaluation.value(&features(game)) / 2
    }

    fn end(&self, game: &Dots, outcome: Outcome, _: u8) -> Value {
        WON * Value::from(outcome.value_for(game.turn())) + game.lead(game.turn())
    }

    fn extends(&self, next: &Dots) -> bool {
        can_capture(next)
    }

    /// Safe edges before edges that give boxes away.
    fn promise(&self, game: &Dots, edge: Edge) -> i16 {
        if self.sensible.get().0 != game.edges() {
            self.sensible.set((game.edges(), sensible(game).0));
        }
        match self.sensible.get().1 & edge.bit() {
            0 => NEVER,
            _ if game.gives_away(edge) => -100,
            _ => 0,
        }
    }
}

/// Node limit of the search with the evaluation. With [`PROVED_NODES`] it takes at most about 1.7 s
/// on the device.
const JUDGED_NODES: u32 = 1_500;
/// Node limit of the chain search, and the most candidates with which it has a chance to finish.
const PROVED_NODES: u32 = 12_000;
const MOST_CHOICES: u32 = 25;

/// The edge that the search with the evaluation prefers, unless the chain search proves a better
/// one.
pub(crate) fn by_network<W: Workspace, C: Control>(
    game: &Dots,
    evaluation: &Evaluation,
    resources: &mut Resources<'_, W, C>,
) -> Option<Edge> {
    let choices = sensible(game);
    if choices.0.count_ones() == 1 {
        return { choices }.next();
    }
    let judged = Learned::new(evaluation)
        .think(game, Limits::nodes(JUDGED_NODES), resources)
        .mv?;
    if choices.0.count_ones() > MOST_CHOICES {
        return Some(judged);
    }
    let known = resources.memory.lend::<ValueBounds>(PROVED_SLOTS);
    Some(proved(
        game,
        judged,
        known,
        Limits::nodes(PROVED_NODES),
        resources.control,
    ))
}

/// Slots of the chain search's transposition table: the whole workspace.
const PROVED_SLOTS: usize = WORKSPACE_BYTES / size_of::<ValueBounds>();

/// The candidate with the best result that the chain search can prove, `first` tried first. If its
/// limits stop it: the best proved so far, else the edge it was searching.
fn proved<C: Control>(
    game: &Dots,
    first: Edge,
    known: &mut [ValueBounds],
    limits: Limits,
    control: &mut C,
) -> Edge {
    let all = i16::from(game.rules().boxes());
    let margins = || -all - 1..=all + 1;
    let lost = margins().rev().find(|&more| game.result_with(more) == -1);
    let won = margins().find(|&more| game.result_with(more) == 1);
    // Either all margins win or all lose: then any edge will do.
    let (Some(lost), Some(won)) = (lost, won) else {
        return first;
    };
    let (mut low, high) = (lost as i8, won as i8);
    let mut best = None;
    let mut search = ChainSearch::new(known, limits, control);
    for edge in [first]
        .into_iter()
        .chain(EdgeSet(sensible(game).0 & !first.bit()))
    {
        let (gained, next) = (game.completes(edge) as i8, game.after(edge));
        let value = match gained {
            0 => search.value(&next, -high, -low).map(|value| -value),
            _ => search
                .value(&next, low - gained, high - gained)
                .map(|value| value + gained),
        };
        match value {
            Ok(value) if value >= high => return edge,
            Ok(value) if value > low => (low, best) = (value, Some(edge)),
            Ok(_) => {}
            Err(Stopped) => return best.unwrap_or(edge),
        }
    }
    best.unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dots::Ties;
    use crate::memory::Heap;
    use crate::rng::Rng;

    #[test]
    fn odd_payloads_are_refused() {
        assert!(evaluation(&[0; PAYLOAD]).is_some());
        assert!(evaluation(&[0; PAYLOAD - 2]).is_none());
        assert!(evaluation(&[0; PAYLOAD + 1]).is_none());
        assert!(evaluation(&[]).is_none());
    }

    /// The network is untrained: all weights are 0.
    #[test]
    fn the_last_edge_is_thought_of_as_the_result() {
        let mut rng = Rng::new(2);
        let mut seen = [false; 2];
        for _ in 0..20 {
            let mut game = Dots::new(DotsRules::new(4, 4).unwrap());
            while game.free().count() > 1 {
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
            let last = game.legal_moves().next().unwrap();
            let won = game.after(last).outcome().unwrap().value_for(game.turn()) > 0;
            let thoughts = thoughts(&game, &evaluation(&[0; PAYLOAD]).unwrap());
            assert_eq!(
                thoughts.iter().map(|thought| thought.value).next(),
                Some(if won { 1000 } else { 0 }),
                "{game}"
            );
            seen[usize::from(won)] = true;
        }
        assert_eq!(seen, [true; 2], "won and lost ones");
    }

    /// Even with an untrained network, no result that the chain search proves is given away.
    #[test]
    fn no_proved_win_is_given_away() {
        let mut rng = Rng::new(6);
        let payload = [0; PAYLOAD];
        for ties in [Ties::StarterLoses, Ties::Draw] {
            for _ in 0..12 {
                let mut game = Dots::new(DotsRules::new(4, 4).unwrap().judged(ties, false));
                while game.free().count() > 16 {
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
                let mut memory = alloc::vec![0; 1 << 16];
                let endgame = crate::games::dots::Endgame::new(&game, &mut memory).unwrap();
                let mut heap = Heap::default();
                let mut resources = Resources {
                    memory: &mut heap,
                    control: &mut (),
                    helper: None,
                };
                let edge =
                    by_network(&game, &evaluation(&payload).unwrap(), &mut resources).unwrap();
                assert_eq!(
                    endgame.result_of(&game, edge),
                    endgame.result(&game),
                    "{game} {edge}"
                );
            }
        }
    }

    #[test]
    fn a_best_result_is_proved_whichever_edge_is_tried_first() {
        let mut rng = Rng::new(4);
        let mut known = [ValueBounds::default(); 256];
        let rules = [(3, 3), (2, 5)].map(|(rows, cols)| DotsRules::new(rows, cols).unwrap());
        for rules in rules
            .map(|rules| rules.judged(Ties::Draw, false))
            .into_iter()
            .chain(rules)
        {
            for _ in 0..100 {
                let mut game = Dots::new(rules);
                while game.free().count() > 12 {
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
                let mut memory = [0; 1 << 12];
                let endgame = crate::games::dots::Endgame::new(&game, &mut memory).unwrap();
                while !game.is_over() {
                    for first in sensible(&game) {
                        let edge = proved(&game, first, &mut known, Limits::NONE, &mut ());
                        assert_eq!(
                            endgame.result_of(&game, edge),
                            endgame.result(&game),
                            "{game} {edge}"
                        );
                    }
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
            }
        }
    }

    #[test]
    fn a_search_looks_at_all_that_makes_sense_and_at_nothing_else() {
        let evaluation = evaluation(&[0; PAYLOAD]).unwrap();
        let learned = Learned::new(&evaluation);
        let mut rng = Rng::new(8);
        let mut game = Dots::new(DotsRules::new(5, 5).unwrap());
        while !game.is_over() {
            let promised = { game.free() }.filter(|&edge| learned.promise(&game, edge) != NEVER);
            assert_eq!(
                promised.fold(0, |set, edge| set | edge.bit()),
                sensible(&game).0
            );
            game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
        }
    }
}

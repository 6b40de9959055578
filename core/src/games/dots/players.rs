//! Players that need no training: the published rule-based opponent, exact play by endgame table
//! and opening book, chain search, and the belts built from them.

use crate::belt::Belt;
use crate::game::Game;
use crate::games::Dots;
use crate::games::dots::chains::{ChainSearch, ValueBounds, sensible};
use crate::games::dots::learned::{self, Evaluation};
use crate::games::dots::{Edge, EdgeSet, Endgame, Model, Opening};
use crate::memory::{WORKSPACE_BYTES, Workspace};
use crate::players::belts::{Resources, Thoughts, each_move};
use crate::players::{Agent, best};
use crate::rng::Rng;
use crate::search::{Control, Limits};

/// The published test opponent: completes a box whenever it can; else draws an edge that puts no
/// third side on a box; else any edge. Inside a class all edges are equally likely.
#[derive(Clone, Copy, Debug)]
pub struct Smart;

impl Smart {
    /// The edges among which it chooses.
    #[inline]
    pub fn choices(game: &Dots) -> EdgeSet {
        let (mut completing, mut safe) = (0, 0);
        for edge in game.free() {
            if game.completes(edge) > 0 {
                completing |= edge.bit();
            } else if !game.gives_away(edge) {
                safe |= edge.bit();
            }
        }
        [completing, safe]
            .into_iter()
            .find(|&set| set != 0)
            .map_or(game.free(), EdgeSet)
    }
}

impl Agent<Dots> for Smart {
    fn choose(&mut self, game: &Dots, rng: &mut Rng) -> Option<Edge> {
        pick(Smart::choices(game), rng)
    }
}

/// The test opponent of an earlier published work: draws the edges in the fixed order of their
/// indices and never looks at the boxes.
#[derive(Clone, Copy, Debug)]
pub struct Simple;

impl Agent<Dots> for Simple {
    fn choose(&mut self, game: &Dots, _: &mut Rng) -> Option<Edge> {
        game.free().next()
    }
}

/// A random edge of a set. Takes one number from the generator, and none where there is no choice.
#[inline]
pub(crate) fn pick(set: EdgeSet, rng: &mut Rng) -> Option<Edge> {
    match set.0.count_ones() {
        0 => None,
        1 => { set }.next(),
        count => { set }.nth(rng.below(count) as usize),
    }
}

/// A source of exact values, such as the endgame table or the opening book.
pub trait Oracle {
    /// Boxes that the mover will still win minus the opponent's, under best play, in misère
    /// negated; `None` if the value is unknown.
    fn value(&self, game: &Dots) -> Option<i8>;

    /// The value for the player who draws `edge` now, the boxes that it completes included.
    fn value_of(&self, game: &Dots, edge: Edge) -> Option<i8> {
        let (gained, next) = (game.completes(edge) as i8, self.value(&game.after(edge))?);
        Some(match (gained, game.rules().misere) {
            (0, _) => -next,
            (_, false) => next + gained,
            (_, true) => next - gained,
        })
    }

    /// The result for the mover after drawing `edge`, under best play: 1 win, 0 draw, −1 loss.
    fn result_of(&self, game: &Dots, edge: Edge) -> Option<i8> {
        self.value_of(game, edge)
            .map(|value| game.result_with(value.into()))
    }

    /// The share of [`Smart`]'s possible replies to `edge` that worsen its result, in thousandths;
    /// 0 if values are unknown.
    fn trap(&self, game: &Dots, edge: Edge) -> u32 {
        let next = game.after(edge);
        if next.turn() == game.turn() || next.is_over() {
            return 0;
        }
        let replies = Smart::choices(&next);
        let Some(now) = self
            .value(&next)
            .map(|value| next.result_with(value.into()))
        else {
            return 0;
        };
        let wrong = { replies }
            .filter(|&reply| self.result_of(&next, reply).is_some_and(|then| then < now))
            .count();
        wrong as u32 * 1000 / replies.0.count_ones().max(1)
    }

    /// An edge with the best result; among those the best trap for [`Smart`], then the largest
    /// value, then the lowest index. `None` if a value is unknown.
    fn best(&self, game: &Dots) -> Option<Edge> {
        let mut best: Option<((i8, u32, i8), Edge)> = None;
        for edge in game.free() {
            let value = self.value_of(game, edge)?;
            let rating = (game.result_with(value.into()), self.trap(game, edge), value);
            if best.is_none_or(|(top, _)| rating > top) {
                best = Some((rating, edge));
            }
        }
        best.map(|(_, edge)| edge)
    }
}

impl Oracle for Endgame<'_> {
    fn value(&self, game: &Dots) -> Option<i8> {
        Some(self.value(game))
    }
}

impl Oracle for Opening<'_> {
    fn value(&self, game: &Dots) -> Option<i8> {
        self.value(game)
    }
}

/// Plays exactly once the endgame table fits its memory. Before that it chooses as [`Smart`] does,
/// but gives away as few boxes as it can.
#[derive(Debug)]
pub struct Counting<'a> {
    /// Memory of the endgame table, one byte per subset of the free edges: 2⁸ bytes for the last
    /// eight.
    pub memory: &'a mut [i8],
}

impl Agent<Dots> for Counting<'_> {
    fn choose(&mut self, game: &Dots, rng: &mut Rng) -> Option<Edge> {
        if let Some(endgame) = Endgame::new(game, self.memory) {
            return best(
                game.free().map(|edge| (endgame.value_of(game, edge), edge)),
                rng,
            );
        }
        let choices = Smart::choices(game);
        let sign = if game.rules().misere { 1 } else { -1 };
        best(
            choices.map(|edge| (sign * i16::from(cost(game, edge)), edge)),
            rng,
        )
    }
}

/// Free edges with which the endgame table fills the workspace: 17, in 2¹⁷ bytes.
const SEEN: u32 = WORKSPACE_BYTES.ilog2();

/// The best edge by chain search, the lowest index among equals; `None` if the limits stop the
/// search, and in misère.
fn by_chains<C: Control>(
    game: &Dots,
    known: &mut [ValueBounds],
    limits: Limits,
    control: &mut C,
) -> Option<Edge> {
    let moves = sensible(game);
    if game.rules().misere || moves.0.count_ones() == 1 {
        return { moves }.next().filter(|_| !game.rules().misere);
    }
    let mut search = ChainSearch::new(known, limits, control);
    let all = game.rules().boxes() as i8;
    let mut best: Option<(i8, Edge)> = None;
    for edge in moves {
        let low = best.map_or(-all - 1, |(value, _)| value);
        let (gained, next) = (game.completes(edge) as i8, game.after(edge));
        let value = match gained {
            0 => -search.value(&next, -all - 1, -low).ok()?,
            gained => gained + search.value(&next, low - gained, all + 1).ok()?,
        };
        if value > low {
            best = Some((value, edge));
        }
    }
    best.map(|(_, edge)| edge)
}

/// Number of boxes that the opponent can capture in a row after this edge.
fn cost(game: &Dots, edge: Edge) -> u8 {
    let mut next = game.after(edge);
    if next.turn() == game.turn() {
        return 0;
    }
    let before = next.score(next.turn());
    let taker = next.turn();
    while let Some(edge) = { next.free() }.find(|&edge| next.completes(edge) > 0) {
        next.play_unchecked(edge);
    }
    next.score(taker) - before
}

/// Belts for boards and rules without a model: white only completes boxes, yellow is [`Smart`],
/// green and brown play the last 5 and 8 edges exactly, black searches to the end as soon as it
/// can.
pub(crate) fn by_rules<W: Workspace, C: Control>(
    game: &Dots,
    belt: Belt,
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<Edge> {
    let seen = match belt {
        Belt::White => {
            let completing = game.free().filter(|&edge| game.completes(edge) > 0);
            let completing = completing.fold(0, |set, edge| set | edge.bit());
            return pick(
                if completing == 0 {
                    game.free()
                } else {
                    EdgeSet(completing)
                },
                rng,
            );
        }
        Belt::Yellow => return Smart.choose(game, rng),
        Belt::Green => 5,
        Belt::Brown => 8,
        Belt::Black => {
            let chains = |resources: &mut Resources<'_, W, C>| {
                let known = resources.memory.lend::<ValueBounds>(BLACK_SLOTS);
                by_chains(game, known, Limits::nodes(BLACK_NODES), resources.control)
            };
            if let Some(edge) = by_end(game, resources).or_else(|| chains(resources)) {
                return Some(edge);
            }
            0
        }
    };
    Counting {
        memory: &mut [0; 1 << 8][..1 << seen],
    }
    .choose(game, rng)
}

/// The best edge by the endgame table; `None` while it does not fit the workspace.
fn by_end<W: Workspace, C>(game: &Dots, resources: &mut Resources<'_, W, C>) -> Option<Edge> {
    let free = game.free().0.count_ones();
    if free > SEEN {
        return None;
    }
    Endgame::new(game, resources.memory.lend(1 << free))?.best(game)
}

/// Slots of black's transposition table: the whole workspace.
const BLACK_SLOTS: usize = WORKSPACE_BYTES / size_of::<ValueBounds>();
/// Node limit of black's chain search, after which it plays as [`Counting`] does.
const BLACK_NODES: u32 = 20_000;

/// Plays 3×3: by the opening book, then as black does without a model.
pub(crate) fn by_book<W: Workspace, C: Control>(
    game: &Dots,
    book: &Opening<'_>,
    rng: &mut Rng,
    resources: &mut Resources<'_, W, C>,
) -> Option<Edge> {
    book.best(game)
        .or_else(|| by_rules(game, Belt::Black, rng, resources))
}

/// Plays larger boards: by the endgame table once it fits, before that by network and chain search.
pub(crate) fn by_network<W: Workspace, C: Control>(
    game: &Dots,
    network: &Evaluation,
    resources: &mut Resources<'_, W, C>,
) -> Option<Edge> {
    by_end(game, resources).or_else(|| learned::by_network(game, network, resources))
}

/// Values of all edges for the mind view: exact by endgame table or opening book, else by the
/// network, else none.
pub(crate) fn thoughts<W: Workspace, C>(
    game: &Dots,
    model: Option<&Model<'_>>,
    resources: &mut Resources<'_, W, C>,
) -> Thoughts {
    fn all(game: &Dots, oracle: impl Oracle) -> Thoughts {
        let thousandths = |edge| Some((oracle.result_of(game, edge)? + 1) as u16 * 500);
        each_move(game, thousandths)
    }
    let free = game.free().0.count_ones();
    let end = (free <= SEEN)
        .then(|| Endgame::new(game, resources.memory.lend(1 << free)))
        .flatten();
    match (end, model) {
        (Some(end), _) => all(game, end),
        (None, Some(Model::Network(network))) => learned::thoughts(game, network),
        (None, Some(Model::Book(book))) => all(game, *book),
        _ => Thoughts::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::DotsRules;
    use crate::memory::Heap;

    #[test]
    fn near_the_end_black_gives_nothing_away() {
        let rules = DotsRules::new(3, 3).unwrap();
        let mut resources = Resources {
            memory: &mut Heap::default(),
            control: &mut (),
            helper: None,
        };
        for seed in 0..3 {
            let mut rng = Rng::new(seed);
            let mut game = Dots::new(rules);
            while !game.is_over() {
                let free = game.free().0.count_ones();
                let edge = by_end(&game, &mut resources);
                assert_eq!(edge.is_some(), free <= SEEN, "{game}");
                if let Some(edge) = edge.filter(|_| free <= 10) {
                    let mut memory = [0; 1 << 10];
                    let end = Endgame::new(&game, &mut memory[..1 << free]).unwrap();
                    let best = game.free().map(|edge| end.result_of(&game, edge)).max();
                    assert_eq!(Some(end.result_of(&game, edge)), best, "{game}");
                }
                game.play(pick(game.free(), &mut rng).unwrap()).unwrap();
            }
        }
    }
}

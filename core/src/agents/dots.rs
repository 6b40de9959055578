//! Players of dots and boxes that need no training.

use crate::agents::{Agent, Belt, best};
use crate::game::Game;
use crate::games::Dots;
use crate::games::dots::chains::{ChainSearch, Known, sensible};
use crate::games::dots::{Edge, EdgeSet, Endgame};
use crate::rng::Rng;

/// The test opponent of the published work: completes a box whenever it can; else plays an edge that puts no third side
/// on a box; else any edge. Inside a class all edges are equally likely.
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
        [completing, safe].into_iter().find(|&set| set != 0).map_or(game.free(), EdgeSet)
    }
}

impl Agent<Dots> for Smart {
    fn choose(&mut self, game: &Dots, rng: &mut Rng) -> Option<Edge> {
        pick(Smart::choices(game), rng)
    }
}

/// One edge of a set; takes one number from the generator, and none where there is no choice.
#[inline]
pub(crate) fn pick(set: EdgeSet, rng: &mut Rng) -> Option<Edge> {
    match set.0.count_ones() {
        0 => None,
        1 => { set }.next(),
        count => { set }.nth(rng.below(count) as usize),
    }
}

/// Sees the end of the game exactly once few enough edges are free; before that it plays as [`Smart`] does, and where
/// Smart would give boxes away at random, it gives away as few as it can.
#[derive(Debug)]
pub struct Counting<'a> {
    /// One byte for each set of free edges that it can see: 2⁸ bytes for the last eight.
    pub memory: &'a mut [i8],
}

impl Agent<Dots> for Counting<'_> {
    fn choose(&mut self, game: &Dots, rng: &mut Rng) -> Option<Edge> {
        if let Some(endgame) = Endgame::new(game, self.memory) {
            return best(game.free().map(|edge| (endgame.value_of(game, edge), edge)), rng);
        }
        let choices = Smart::choices(game);
        let sign = if game.rules().misere { 1 } else { -1 };
        best(choices.map(|edge| (sign * i16::from(cost(game, edge)), edge)), rng)
    }
}

/// Looks to the end of the game by the rules of chains, as soon as that takes no more than so many nodes; before that, and
/// where it does not succeed, it plays as [`Counting`] does.
#[derive(Debug)]
pub struct Chains<'a> {
    /// What the search remembers.
    pub known: &'a mut [Known],
    /// Nodes a move.
    pub nodes: u32,
    /// For the last edges, one byte for each set of them.
    pub memory: &'a mut [i8],
}

impl Agent<Dots> for Chains<'_> {
    fn choose(&mut self, game: &Dots, rng: &mut Rng) -> Option<Edge> {
        let free = game.free().0.count_ones();
        if self.memory.len() >> free.min(63) == 0
            && let Some(edge) = self.search(game)
        {
            return Some(edge);
        }
        Counting { memory: self.memory }.choose(game, rng)
    }
}

impl Chains<'_> {
    /// The best edge, if the search reaches the end; of equal ones the lowest index.
    fn search(&mut self, game: &Dots) -> Option<Edge> {
        if game.rules().misere {
            return None;
        }
        let mut search = ChainSearch::new(self.known, self.nodes);
        let all = game.rules().boxes() as i8;
        let mut best: Option<(i8, Edge)> = None;
        let moves = sensible(game);
        if moves.0.count_ones() == 1 {
            return { moves }.next();
        }
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
}

/// How many boxes the opponent can take at once if this edge is drawn.
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

/// The opponents for boards and rules without a trained table: white only takes boxes, yellow is [`Smart`], green and
/// brown see the last 5 and 8 edges, black looks to the end as soon as it can.
pub(crate) fn by_rules(game: &Dots, belt: Belt, rng: &mut Rng) -> Option<Edge> {
    let mut memory = [0; 1 << 12];
    let seen = match belt {
        Belt::White => {
            let completing = game.free().filter(|&edge| game.completes(edge) > 0);
            let completing = completing.fold(0, |set, edge| set | edge.bit());
            return pick(if completing == 0 { game.free() } else { EdgeSet(completing) }, rng);
        }
        Belt::Yellow => return Smart.choose(game, rng),
        Belt::Green => 5,
        Belt::Brown => 8,
        Belt::Black => {
            let mut known = [Known::default(); 256];
            return Chains { known: &mut known, nodes: 20_000, memory: &mut memory }.choose(game, rng);
        }
    };
    Counting { memory: &mut memory[..1 << seen] }.choose(game, rng)
}

/// What the end of the game says about an edge, in thousandths of a win; `None` while too many edges are free.
pub(crate) fn value_by_rules(game: &Dots, edge: Edge) -> Option<u16> {
    let mut memory = [0; 1 << 12];
    let endgame = Endgame::new(game, &mut memory)?;
    Some((endgame.result_of(game, edge) + 1) as u16 * 500)
}

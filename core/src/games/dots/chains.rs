//! Chains, loops and double-dealing: the few edges that can be best, and an endgame search over
//! them.
//!
//! A box with two sides drawn has two free edges, so such boxes form chains and loops. Whoever
//! draws a third side opens the whole chain or loop to the opponent. The opponent captures its
//! boxes, and may decline the last two of a chain or the last four of a loop (double-dealing) to
//! make the other player move first elsewhere. All other boxes are always captured. That leaves few
//! edges to choose from, and one with the best margin is always among them; a test compares this
//! with exact values. It does not hold in misère.

use super::geometry::{BOX_EDGES, BOXES_OF};
use super::{Dots, Edge, EdgeSet, SIDE};
use crate::game::Game;
use crate::search::{Control, Limits, Meter, Stopped};

/// Sentinel: no box.
const NONE: u8 = (SIDE * SIDE) as u8;

/// The candidate edges: one with the best margin is always among them. In misère all free edges.
pub fn sensible(game: &Dots) -> EdgeSet {
    if game.rules().misere {
        return game.free();
    }
    let finder = ChainFinder {
        edges: game.edges(),
        all: game.rules().all_edges(),
    };
    finder.captures().unwrap_or_else(|| finder.quiet())
}

/// Whether some box lacks one edge.
pub fn can_capture(game: &Dots) -> bool {
    let finder = ChainFinder {
        edges: game.edges(),
        all: game.rules().all_edges(),
    };
    (0..NONE).any(|number| finder.lacks(number) == 1)
}

/// Finds chains and loops: the edges drawn, and all edges of the board.
struct ChainFinder {
    edges: u64,
    all: u64,
}

/// A chain whose first box can be captured.
struct Chain {
    /// Number of boxes.
    length: u8,
    /// Whether its last box can be captured as well: the chain is an opened loop.
    open: bool,
    /// The free edge behind the first, second and third box, each as an edge set.
    links: [u64; 3],
}

impl ChainFinder {
    /// The free edges of a box.
    fn missing(&self, number: u8) -> u64 {
        BOX_EDGES[usize::from(number)] & !self.edges
    }

    /// Number of free edges of a box; `u32::MAX` for a box outside the board.
    fn lacks(&self, number: u8) -> u32 {
        let edges = BOX_EDGES[usize::from(number)];
        if edges & !self.all != 0 {
            u32::MAX
        } else {
            (edges & !self.edges).count_ones()
        }
    }

    /// The box on the other side of an edge, which is given as an edge set.
    fn across(&self, edge: u64, from: u8) -> u8 {
        let [a, b] = BOXES_OF[edge.trailing_zeros() as usize % BOXES_OF.len()];
        if a == from { b } else { a }
    }

    /// Follows the chain from a box that can be captured.
    fn chain(&self, first: u8) -> Chain {
        let mut link = self.missing(first);
        let mut chain = Chain {
            length: 1,
            open: false,
            links: [link, 0, 0],
        };
        let mut at = first;
        loop {
            at = self.across(link, at);
            match self.lacks(at) {
                1 => {
                    chain.length += 1;
                    chain.open = true;
                    return chain;
                }
                2 => {
                    link = self.missing(at) & !link;
                    if let Some(place) = chain.links.get_mut(usize::from(chain.length)) {
                        *place = link;
                    }
                    chain.length += 1;
                }
                _ => return chain,
            }
        }
    }

    /// The candidates while boxes can be captured: a single capturing edge, or, where only boxes
    /// are left that double-dealing could decline, those that capture and those that decline.
    fn captures(&self) -> Option<EdgeSet> {
        let mut choices = 0;
        for number in 0..NONE {
            if self.lacks(number) != 1 {
                continue;
            }
            let Chain {
                length,
                open,
                links,
            } = self.chain(number);
            match (length, open) {
                (2, false) | (4, true) => choices |= links[0] | links[1],
                _ => return Some(EdgeSet(links[0])),
            }
        }
        (choices != 0).then_some(EdgeSet(choices))
    }

    /// The candidates while no box can be captured: all safe edges, and one edge to open each chain
    /// or loop.
    fn quiet(&self) -> EdgeSet {
        let free = self.all & !self.edges;
        // Edges of boxes with two sides drawn; all other free edges are safe.
        let mut giving = 0;
        // The inner edges of a chain or loop are equivalent: one of them is kept.
        let mut kept = free;
        let mut seen = 0u32;
        for number in 0..NONE {
            if self.lacks(number) != 2 {
                continue;
            }
            giving |= self.missing(number);
            if seen >> number & 1 == 1 {
                continue;
            }
            let (boxes, edges) = self.component(number);
            seen |= boxes;
            let own = EdgeSet(edges).filter(|&edge| self.is_inside(edge, boxes));
            let own = own.fold(0, |set, edge| set | edge.bit());
            let inner = EdgeSet(own).find(|&edge| {
                BOXES_OF[usize::from(edge.0)]
                    .iter()
                    .all(|&side| boxes >> side & 1 == 1)
            });
            // A chain of two boxes is best opened by its middle edge (the hard-hearted handout):
            // the opponent cannot decline it.
            let one = match (boxes.count_ones(), inner) {
                (2, Some(inner)) => inner.bit(),
                _ => own & own.wrapping_neg(),
            };
            kept &= !own | one;
        }
        let safe = free & !giving;
        EdgeSet(safe | kept & giving)
    }

    /// Whether an edge borders only boxes of a set, or the outside of the board.
    fn is_inside(&self, edge: Edge, boxes: u32) -> bool {
        BOXES_OF[usize::from(edge.0)]
            .iter()
            .all(|&side| self.lacks(side) == u32::MAX || boxes >> side & 1 == 1)
    }

    /// The connected component of `first` among the boxes with two sides drawn, and its free edges.
    fn component(&self, first: u8) -> (u32, u64) {
        let (mut boxes, mut edges) = (1u32 << first, 0);
        let mut open = self.missing(first);
        while open != 0 {
            let link = open & open.wrapping_neg();
            open &= !link;
            edges |= link;
            for side in BOXES_OF[link.trailing_zeros() as usize % BOXES_OF.len()] {
                if self.lacks(side) == 2 && boxes >> side & 1 == 0 {
                    boxes |= 1 << side;
                    open |= self.missing(side) & !edges;
                }
            }
        }
        (boxes, edges)
    }
}

/// A slot of the transposition table: bounds of an edge set's value. `free` is 0 in an empty slot.
/// 16 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct ValueBounds {
    edges: u64,
    low: i8,
    high: i8,
    free: u8,
}

/// Alpha-beta search to the end of the game over [`sensible`] edges, with a transposition table in
/// the caller's memory.
pub struct ChainSearch<'a, C> {
    known: &'a mut [ValueBounds],
    meter: Meter<'a, C>,
}

impl<'a, C: Control> ChainSearch<'a, C> {
    /// A search within these limits; their depth is ignored.
    pub fn new(
        known: &'a mut [ValueBounds],
        limits: Limits,
        control: &'a mut C,
    ) -> ChainSearch<'a, C> {
        known.fill(ValueBounds::default());
        ChainSearch {
            known,
            meter: Meter::new(control, limits),
        }
    }

    /// Nodes searched so far.
    pub fn nodes(&self) -> u32 {
        self.meter.nodes()
    }

    /// Boxes that the mover will still win minus the opponent's, under best play: exact inside the
    /// window from `low` to `high`, a bound outside.
    pub fn value(&mut self, game: &Dots, low: i8, high: i8) -> Result<i8, Stopped> {
        self.meter.count()?;
        // A single capturing candidate is played without a node of its own.
        let mut game = *game;
        let mut won = 0;
        let moves = loop {
            let moves = sensible(&game);
            match { moves }.next() {
                None => return Ok(won),
                Some(edge) if moves.0 & (moves.0 - 1) == 0 && game.completes(edge) > 0 => {
                    won += game.completes(edge) as i8;
                    game.play_unchecked(edge);
                }
                Some(_) => break moves,
            }
        };
        let (mut low, high) = (low.saturating_sub(won), high.saturating_sub(won));
        let rest = game.rules().boxes() as i8
            - (game.score(crate::game::Player::First) + game.score(crate::game::Player::Second))
                as i8;
        let (mut least, mut most) = (-rest, rest);
        let place = self.place(game.edges());
        if let Some(known) = place
            .map(|place| self.known[place])
            .filter(|known| known.free > 0 && known.edges == game.edges())
        {
            (least, most) = (known.low, known.high);
        }
        if least >= high || most <= low || least == most {
            return Ok(won + if least >= high { least } else { most });
        }
        low = low.max(least);
        let from = low;
        let high = high.min(most);
        let mut best = i8::MIN;
        let giving = { moves }
            .filter(|&edge| game.gives_away(edge))
            .fold(0, |set, edge| set | edge.bit());
        for edge in EdgeSet(moves.0 & !giving).chain(EdgeSet(giving)) {
            let gained = game.completes(edge) as i8;
            let next = game.after(edge);
            let value = if gained > 0 {
                gained + self.value(&next, low - gained, high - gained)?
            } else {
                -self.value(&next, -high, -low)?
            };
            best = best.max(value);
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        if best > from {
            least = least.max(best);
        }
        if best < high {
            most = most.min(best);
        }
        if let Some(place) = place {
            let free = game.free().0.count_ones() as u8;
            // Replacement: a position with more free edges took more work.
            if self.known[place].free <= free || self.known[place].edges == game.edges() {
                self.known[place] = ValueBounds {
                    edges: game.edges(),
                    low: least,
                    high: most,
                    free,
                };
            }
        }
        Ok(won + best)
    }

    fn place(&self, edges: u64) -> Option<usize> {
        let mixed = (edges.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize;
        mixed.checked_rem(self.known.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::DotsRules;
    use crate::games::dots::Endgame;
    use crate::rng::Rng;

    /// From random positions with 12 free edges: the best candidate is as good as the best of all
    /// edges, there and in all positions that follow in random play.
    #[test]
    fn a_best_edge_is_always_sensible() {
        let mut rng = Rng::new(12);
        for (rows, cols) in [(3, 3), (2, 5), (4, 4), (5, 5)] {
            for _ in 0..150 {
                let mut game = Dots::new(DotsRules::new(rows, cols).unwrap());
                while game.free().count() > 12 {
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
                let mut memory = [0; 1 << 12];
                let endgame = Endgame::new(&game, &mut memory).unwrap();
                while !game.is_over() {
                    let best = { sensible(&game) }
                        .map(|edge| endgame.value_of(&game, edge))
                        .max();
                    assert_eq!(best, Some(endgame.value(&game)), "{game}");
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
            }
        }
    }

    /// With all horizontal edges drawn, every row of boxes is a chain.
    #[test]
    fn one_edge_of_each_chain_is_enough() {
        for (rows, cols) in [(3, 3), (2, 5), (5, 4), (3, 2)] {
            let mut game = Dots::new(DotsRules::new(rows, cols).unwrap());
            for (row, col) in (0..=rows).flat_map(|row| (0..cols).map(move |col| (row, col))) {
                game.play_unchecked(Edge::horizontal(row, col).unwrap());
            }
            let mut chains = [0; SIDE];
            for edge in sensible(&game) {
                chains[usize::from(edge.row())] += 1;
                // A chain of two boxes is opened by its middle edge.
                assert!(cols > 2 || edge.col() == 1, "{game}: {edge}");
            }
            let (given, none) = chains.split_at(rows.into());
            assert!(given.iter().all(|&edges| edges == 1), "{game}: {given:?}");
            assert!(none.iter().all(|&edges| edges == 0));
        }
    }

    #[test]
    fn the_search_finds_the_exact_values() {
        let mut rng = Rng::new(5);
        for _ in 0..60 {
            let mut game = Dots::new(DotsRules::new(3, 3).unwrap());
            while game.free().count() > 12 {
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
            let mut memory = [0; 1 << 12];
            let exact = Endgame::new(&game, &mut memory).unwrap().value(&game);
            let mut known = [ValueBounds::default(); 512];
            let mut control = ();
            let mut search = ChainSearch::new(&mut known, Limits::NONE, &mut control);
            assert_eq!(search.value(&game, -9, 9), Ok(exact), "{game}");
            let few = Limits::nodes(search.nodes() - 1);
            assert_eq!(
                ChainSearch::new(&mut known, few, &mut control).value(&game, -9, 9),
                Err(Stopped)
            );
        }
    }
}

//! Exact values of a position with few free edges, found backwards from the full board.
//!
//! What can still be won depends on the free edges alone, not on the score: one value for each set of them is all there
//! is to know. With 12 free edges (all of 2×2) that is 4 KB.

use super::{Dots, Edge, EdgeSet, NO_BOX, neighbours};
use crate::game::{Game, GameMove};

/// The values of everything that can follow a position.
#[derive(Debug)]
pub struct Endgame<'a> {
    /// By the set of edges drawn since: boxes still to be won by the mover less those of the opponent.
    values: &'a [i8],
    /// The free edges of the position; bit `i` of a set stands for the `i`-th of them.
    free: EdgeSet,
}

/// A free edge: what is missing for its two boxes, as sets of free edges.
#[derive(Clone, Copy, Default)]
struct Part {
    boxes: [u32; 2],
}

/// Most free edges that any memory here is large enough for: 2²⁴ bytes on a PC, 2¹⁷ in the device's workspace.
const MOST: usize = 24;

impl<'a> Endgame<'a> {
    /// Works out all values in this memory, one byte for each set of free edges; `None` if there is too little.
    pub fn new(game: &Dots, memory: &'a mut [i8]) -> Option<Endgame<'a>> {
        let free = game.free();
        let count = free.0.count_ones() as usize;
        let values = memory
            .get_mut(..1usize.checked_shl(count as u32)?)
            .filter(|_| count <= MOST)?;
        let mut parts = [Part::default(); MOST];
        for (part, edge) in parts.iter_mut().zip(free) {
            part.boxes = neighbours(edge).map(|edges| match edges {
                NO_BOX => u32::MAX,
                // An edge outside the board is never drawn: neither is its box ever complete.
                edges if edges & !game.rules().all_edges() != 0 => u32::MAX,
                edges => subset(free.0, edges),
            });
        }
        let parts = &parts[..count];
        let sign = if game.rules().misere { -1 } else { 1 };
        let full = values.len() - 1;
        values[full] = 0;
        for drawn in (0..full).rev() {
            let mut best = i8::MIN;
            let mut left = full & !drawn;
            while left != 0 {
                let number = left.trailing_zeros() as usize;
                left &= left - 1;
                let next = drawn | 1 << number;
                let gained = parts[number]
                    .boxes
                    .iter()
                    .filter(|&&needs| next as u32 & needs == needs)
                    .count() as i8;
                let later = values[next];
                best = best.max(if gained > 0 {
                    sign * gained + later
                } else {
                    -later
                });
            }
            values[drawn] = best;
        }
        Some(Endgame { values, free })
    }

    /// Boxes that the mover of this position will still win, less the opponent's, if both play their best. In misère
    /// the other way round. The position must follow from the one that was solved.
    pub fn value(&self, game: &Dots) -> i8 {
        let drawn = subset(self.free.0, game.edges() & self.free.0);
        self.values.get(drawn as usize).copied().unwrap_or(0)
    }

    /// The same for the player who draws this edge now, with what the edge itself wins.
    pub fn value_of(&self, game: &Dots, edge: Edge) -> i8 {
        let next = game.after(edge);
        let gained = game.completes(edge) as i8;
        match (gained, game.rules().misere) {
            (0, _) => -self.value(&next),
            (_, false) => gained + self.value(&next),
            (_, true) => self.value(&next) - gained,
        }
    }
}

impl Endgame<'_> {
    /// 1 if the mover wins once this edge is drawn and both play their best, 0 for a draw, −1 for a loss.
    pub fn result_of(&self, game: &Dots, edge: Edge) -> i8 {
        game.result_with(i16::from(self.value_of(game, edge)))
    }

    /// The same before any edge is drawn.
    pub fn result(&self, game: &Dots) -> i8 {
        game.result_with(i16::from(self.value(game)))
    }
}

/// The members of a set, numbered by their order in a larger set.
fn subset(whole: u64, part: u64) -> u32 {
    (0..).zip(EdgeSet(whole)).fold(0, |set, (number, edge)| {
        debug_assert!(edge.index() < 64);
        set | u32::from(part & edge.bit() != 0) << (number & 31)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::DotsRules;
    use crate::games::dots::Ties;
    use crate::rng::Rng;

    /// The definition, without any table.
    fn by_search(game: &Dots) -> i8 {
        let best = game.legal_moves().map(|edge| {
            let (gained, next) = (game.completes(edge) as i8, by_search(&game.after(edge)));
            let sign = if game.rules().misere { -1 } else { 1 };
            if gained > 0 {
                sign * gained + next
            } else {
                -next
            }
        });
        best.max().unwrap_or(0)
    }

    #[test]
    fn values_are_those_of_a_plain_search() {
        let mut rng = Rng::new(8);
        for (rows, cols, misere) in [
            (2, 2, false),
            (2, 2, true),
            (2, 3, false),
            (5, 5, false),
            (1, 4, true),
        ] {
            let rules = DotsRules::new(rows, cols)
                .unwrap()
                .judged(Ties::Draw, misere);
            for _ in 0..20 {
                let mut game = Dots::new(rules);
                while game.free().count() > 7 {
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
                let mut memory = [0; 128];
                let endgame = Endgame::new(&game, &mut memory).unwrap();
                assert_eq!(endgame.value(&game), by_search(&game), "{game}");
                let best = game
                    .legal_moves()
                    .map(|edge| endgame.value_of(&game, edge))
                    .max();
                assert_eq!(best, Some(endgame.value(&game)));
                let next = game.after(game.legal_moves().next().unwrap());
                assert_eq!(endgame.value(&next), by_search(&next), "{next}");
            }
        }
    }

    #[test]
    fn too_little_memory_is_an_answer() {
        let game = Dots::new(DotsRules::default());
        assert!(Endgame::new(&game, &mut [0; 4095]).is_none());
        assert!(Endgame::new(&Dots::new(DotsRules::new(5, 5).unwrap()), &mut []).is_none());
    }

    #[test]
    fn the_player_who_starts_wins_two_by_two() {
        let mut memory = [0; 4096];
        let game = Dots::new(DotsRules::default());
        let value = Endgame::new(&game, &mut memory).unwrap().value(&game);
        assert_eq!(value, 2, "three of the four boxes");
    }
}

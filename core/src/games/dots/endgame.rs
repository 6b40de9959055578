//! Exact values of positions with few free edges, by retrograde analysis from the full board.
//!
//! The boxes still to be won depend on the free edges alone, not on the score, so one byte per
//! subset of the free edges holds everything: 4 KB for 12 free edges (all of 2×2), 128 KB for 17.

use super::{Dots, Edge, EdgeSet, NO_BOX, neighbours};
use crate::game::{Game, GameMove};

/// The values of all positions that can follow a given one.
#[derive(Debug)]
pub struct Endgame<'a> {
    /// By the subset of edges drawn since: boxes the mover will still win minus the opponent's.
    values: &'a [i8],
    /// The free edges of the given position; bit `i` of a subset stands for the `i`-th of them.
    free: EdgeSet,
}

/// A free edge: for each of its two boxes, the subset of free edges that completes the box.
#[derive(Clone, Copy, Default)]
struct FreeEdge {
    boxes: [u32; 2],
}

/// Capacity in free edges: 2²⁴ bytes solve all of 3×3 on a PC; the device's workspace has 2¹⁷.
const MOST: usize = 24;

impl<'a> Endgame<'a> {
    /// Computes all values in this memory, one byte per subset of the free edges; `None` if it is
    /// too small.
    pub fn new(game: &Dots, memory: &'a mut [i8]) -> Option<Endgame<'a>> {
        let free = game.free();
        let count = free.0.count_ones() as usize;
        let values = memory
            .get_mut(..1usize.checked_shl(count as u32)?)
            .filter(|_| count <= MOST)?;
        let mut parts = [FreeEdge::default(); MOST];
        for (part, edge) in parts.iter_mut().zip(free) {
            part.boxes = neighbours(edge).map(|edges| match edges {
                NO_BOX => u32::MAX,
                // Edges outside the board are never drawn, so neither is a box with such an edge
                // completed.
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

    /// Boxes that the mover will still win minus the opponent's, under best play; in misère
    /// negated. The position must follow from the solved one.
    pub fn value(&self, game: &Dots) -> i8 {
        let drawn = subset(self.free.0, game.edges() & self.free.0);
        self.values.get(drawn as usize).copied().unwrap_or(0)
    }

    /// The value for the player who draws `edge` now, the boxes that it completes included.
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
    /// The result for the mover after drawing `edge`, under best play: 1 win, 0 draw, −1 loss.
    pub fn result_of(&self, game: &Dots, edge: Edge) -> i8 {
        game.result_with(i16::from(self.value_of(game, edge)))
    }

    /// The result for the mover under best play: 1 win, 0 draw, −1 loss.
    pub fn result(&self, game: &Dots) -> i8 {
        game.result_with(i16::from(self.value(game)))
    }
}

/// Compresses `part` to the bit positions of `whole`: bit `i` stands for the `i`-th edge of
/// `whole`.
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

    /// The definition of the value, as a plain search without a table.
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

//! The opening book of 3×3: exact values of all 536,155 sets of up to seven edges.
//!
//! The boxes still to be won depend on the edges drawn, not on the score. From seven edges on, the
//! endgame table ([`super::Endgame`]) fits the device's workspace; before that the values are
//! looked up here. A value has the parity of the number of boxes left, so four bits hold it.

use super::{Dots, DotsRules, EdgeSet};

/// The book: two values per byte.
#[derive(Clone, Copy, Debug)]
pub struct Opening<'a>(&'a [u8]);

/// Edges of 3×3.
const EDGES: usize = 24;
/// Most edges in a set of the book.
const DRAWN: usize = 7;

/// Binomial coefficients: the first `n` edges have `CHOOSE[n][k]` sets of `k`.
const CHOOSE: [[u32; DRAWN + 1]; EDGES + 1] = {
    let mut choose = [[0; DRAWN + 1]; EDGES + 1];
    let mut n = 0;
    while n <= EDGES {
        choose[n][0] = 1;
        let mut k = 1;
        while k <= DRAWN && n > 0 {
            choose[n][k] = choose[n - 1][k - 1] + choose[n - 1][k];
            k += 1;
        }
        n += 1;
    }
    choose
};

/// Index of the first set of each size; the last entry is the number of sets.
const FIRST: [u32; DRAWN + 2] = {
    let mut first = [0; DRAWN + 2];
    let mut k = 0;
    while k <= DRAWN {
        first[k + 1] = first[k] + CHOOSE[EDGES][k];
        k += 1;
    }
    first
};

impl<'a> Opening<'a> {
    /// Dimensions of the payload in a bank: 268,078 bytes of values, padded with zeros.
    pub const DIMS: [u16; 4] = [262, 1024, 0, 0];
    /// Bytes of the payload.
    pub const BYTES: usize = 262 * 1024;
    /// Number of edge sets in the book.
    pub const SETS: usize = FIRST[DRAWN + 1] as usize;

    /// The book in a payload; `None` if the length is wrong.
    pub fn new(payload: &'a [u8]) -> Option<Opening<'a>> {
        (payload.len() == Self::BYTES).then_some(Opening(payload))
    }

    /// Whether the book is for these rules.
    pub fn fits(rules: DotsRules) -> bool {
        (rules.rows(), rules.cols(), rules.misere) == (3, 3, false)
    }

    /// Index of an edge set in the combinatorial number system; `None` if it has more than seven
    /// edges or an edge that 3×3 lacks.
    pub fn place(edges: u64) -> Option<usize> {
        let drawn = edges.count_ones() as usize;
        let mut place = *FIRST
            .get(drawn)
            .filter(|_| drawn <= DRAWN && edges >> EDGES == 0)?;
        for (nth, edge) in (1..).zip(EdgeSet(edges)) {
            place += CHOOSE[usize::from(edge.0)][nth];
        }
        Some(place as usize)
    }

    /// Boxes that the mover will still win minus the opponent's, under best play; `None` if more
    /// than seven edges are drawn.
    pub fn value(&self, game: &Dots) -> Option<i8> {
        let place = Self::place(game.edges())?;
        let four = self.0.get(place / 2)? >> (place % 2 * 4) & 15;
        let even = left(game).is_multiple_of(2);
        Some(2 * four as i8 - 9 + i8::from(even))
    }

    /// The four bits that encode a value.
    pub fn encode(value: i8) -> u8 {
        ((value + 9) / 2) as u8 & 15
    }
}

/// Number of incomplete boxes.
fn left(game: &Dots) -> u32 {
    u32::from(game.rules.boxes()) - game.taken.count_ones()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Player};
    use crate::games::dots::BOX_EDGES;

    #[test]
    fn every_set_has_its_own_place() {
        assert_eq!(Opening::SETS, 536_155);
        assert!(Opening::SETS.div_ceil(2) <= Opening::BYTES);
        assert_eq!(Opening::place(0), Some(0));
        assert_eq!(Opening::place(0xFF), None, "eight edges");
        assert_eq!(Opening::place(1 << 24), None, "not on this board");
        // Sets of the same size are in numerical order.
        let threes = (0..1u64 << 24).filter(|edges| edges.count_ones() == 3);
        for (place, edges) in (FIRST[3] as usize..).zip(threes) {
            assert_eq!(Opening::place(edges), Some(place));
        }
        assert_eq!(Opening::place(0x7F << 17), Some(Opening::SETS - 1));
    }

    #[test]
    fn values_survive_their_four_bits() {
        let game = Dots::new(DotsRules::new(3, 3).unwrap());
        let mut payload = [0; Opening::BYTES];
        for value in (-9..=9).step_by(2) {
            payload[0] = Opening::encode(value);
            assert_eq!(Opening::new(&payload).unwrap().value(&game), Some(value));
        }
        // One box is complete, eight are left.
        let corner = BOX_EDGES[0];
        let game = Dots::with_edges(game.rules(), corner, Player::First, Player::First);
        let place = Opening::place(corner).unwrap();
        for value in (-8..=8).step_by(2) {
            payload[place / 2] = Opening::encode(value) * 0x11;
            assert_eq!(Opening::new(&payload).unwrap().value(&game), Some(value));
        }
        assert!(Opening::new(&payload[1..]).is_none());
    }
}

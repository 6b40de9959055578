//! The 2×2 board as 12 bits: the rules in a form that plays millions of training games a second.
//!
//! Bits are the indices of [`Edge`](crate::games::dots::Edge), so edge sets are the same numbers
//! here and in [`Dots`].

use crate::games::dots::{Dots, DotsRules, Ties};
use crate::rng::Rng;

/// Edges of the board.
pub const EDGES: usize = 12;
/// Number of edge sets.
pub const SETS: usize = 1 << EDGES;
/// Edge set of the full board.
pub const FULL: u16 = SETS as u16 - 1;

/// Edge sets of the four boxes.
const BOXES: [u16; 4] = {
    // Taken from the numbering of `games::dots`; a test compares them.
    let mut boxes = [0; 4];
    let mut number = 0;
    while number < 4 {
        boxes[number] = crate::games::dots::box_edges(number) as u16;
        number += 1;
    }
    boxes
};

/// Number of complete boxes of each edge set.
static COMPLETE: [u8; SETS] = {
    let mut complete = [0; SETS];
    let mut set = 0;
    while set < SETS {
        let mut number = 0;
        while number < 4 {
            complete[set] += (set as u16 & BOXES[number] == BOXES[number]) as u8;
            number += 1;
        }
        set += 1;
    }
    complete
};

/// Number of complete boxes.
#[inline]
pub fn complete(edges: u16) -> u8 {
    COMPLETE[usize::from(edges & FULL)]
}

/// The edges that [`Smart`](crate::games::dots::players::Smart) chooses from.
#[inline]
pub fn smart_choices(edges: u16) -> u16 {
    let (mut completing, mut giving) = (0, 0);
    for needs in BOXES {
        let missing = needs & !edges;
        // One missing edge completes the box; either of two gives it away.
        if missing & missing.wrapping_sub(1) == 0 {
            completing |= missing;
        } else if (missing & missing.wrapping_sub(1)).is_power_of_two() {
            giving |= missing;
        }
    }
    let safe = FULL & !edges & !giving;
    match (completing, safe) {
        (0, 0) => FULL & !edges,
        (0, safe) => safe,
        (completing, _) => completing,
    }
}

/// A random edge of a non-empty set, all equally likely.
#[inline]
pub fn pick(mut set: u16, rng: &mut Rng) -> u8 {
    // Multiply and shift instead of a remainder: for at most 12 edges its bias is below 2⁻²⁸.
    let mut skip = ((u64::from(rng.next_u32()) * u64::from(set.count_ones())) >> 32) as u32;
    while skip > 0 {
        set &= set - 1;
        skip -= 1;
    }
    set.trailing_zeros() as u8
}

/// The opponent of a learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Self-play on one table; both sides learn.
    Itself,
    /// Any edge, all equally likely.
    Random,
    /// The free edge with the lowest index: [`Simple`](crate::games::dots::players::Simple).
    Simple,
    /// The rule-based player, which errs sometimes; without slips it is
    /// [`Smart`](crate::games::dots::players::Smart).
    Smart {
        /// Probability of a random edge, in 1/2³².
        slips: u32,
    },
}

impl Opponent {
    /// The edge that it draws; `None` for self-play.
    #[inline]
    pub fn choose(self, edges: u16, rng: &mut Rng) -> Option<u8> {
        let set = match self {
            Opponent::Itself => return None,
            Opponent::Random => FULL & !edges,
            Opponent::Simple => return Some((FULL & !edges).trailing_zeros() as u8),
            Opponent::Smart { slips } if slips > 0 && rng.chance(slips) => FULL & !edges,
            Opponent::Smart { .. } => smart_choices(edges),
        };
        Some(pick(set, rng))
    }
}

/// The result for a player who owns this many of the four boxes: 1, 0 or −1.
#[inline]
pub fn result(rules: &DotsRules, boxes: u8, started: bool) -> i8 {
    match (boxes, rules.misere) {
        (2, _) if rules.ties == Ties::Draw => 0,
        (2, _) => {
            if started {
                -1
            } else {
                1
            }
        }
        (3.., false) | (..2, true) => 1,
        _ => -1,
    }
}

/// The edge set of a 2×2 position.
pub fn edges(game: &Dots) -> u16 {
    game.edges() as u16 & FULL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameMove, Player};
    use crate::games::dots::players::Smart;
    use crate::games::dots::{Edge, EdgeSet, neighbours};

    #[test]
    fn the_bits_are_the_board() {
        let rules = DotsRules::default();
        for set in 0..=FULL {
            let game = Dots::with_edges(rules, set.into(), Player::First, Player::First);
            assert_eq!(complete(set), game.score(Player::First));
            assert_eq!(
                EdgeSet(smart_choices(set).into()),
                Smart::choices(&game),
                "{game}"
            );
        }
        for edge in (0..12).filter_map(Edge::from_index) {
            let boxes = neighbours(edge)
                .into_iter()
                .filter(|&edges| edges < SETS as u64);
            assert!(boxes.clone().all(|edges| BOXES.contains(&(edges as u16))));
        }
    }

    #[test]
    fn results_are_those_of_the_game() {
        let mut rng = Rng::new(1);
        for ties in [Ties::StarterLoses, Ties::Draw] {
            for misere in [false, true] {
                let rules = DotsRules::default().judged(ties, misere);
                for _ in 0..300 {
                    let mut game = Dots::new(rules);
                    while !game.is_over() {
                        let edge = pick(FULL & !edges(&game), &mut rng);
                        game.play(Edge::from_index(edge.into()).unwrap()).unwrap();
                    }
                    for player in Player::BOTH {
                        let value = result(&rules, game.score(player), player == Player::First);
                        assert_eq!(game.outcome().unwrap().value_for(player), value, "{game}");
                    }
                }
            }
        }
    }

    #[test]
    fn opponents_draw_free_edges() {
        let mut rng = Rng::new(1);
        for edges in 0..FULL {
            for opponent in [
                Opponent::Random,
                Opponent::Simple,
                Opponent::Smart { slips: 0 },
                Opponent::Smart { slips: 1 << 31 },
            ] {
                let edge = opponent.choose(edges, &mut rng).unwrap();
                assert_eq!(
                    FULL & !edges & 1 << edge,
                    1 << edge,
                    "{opponent:?} draws {edge} on {edges:012b}"
                );
            }
            assert_eq!(Opponent::Itself.choose(edges, &mut rng), None);
        }
    }
}

//! What a learned evaluation sees of a position: small whole numbers, always from the side of the player to move.

use super::tiles::{HexShapes, KINDS, SmallShapes};
use super::{Hand, Iwoki};
use crate::game::Game;

/// How many numbers a position has.
pub const FEATURES: usize = 2 + 2 * SIDE + 1;
/// How many of them each player has.
const SIDE: usize = 13;

/// The numbers, in this order: always 1; the difference of points; then for the player to move and for the opponent what
/// `Side` says; then whether this is the last turn.
pub type Features = [i16; FEATURES];

/// The numbers of one player.
#[derive(Clone, Copy, Default)]
struct Side {
    smalls: SmallShapes,
    hexes: HexShapes,
    /// The ways in which its small tiles could be laid somewhere.
    placeable: SmallShapes,
    /// The most that a small tile and a hexagonal tile would earn now.
    best_small: i16,
    best_hex: i16,
    /// Open gaps that it could use.
    small_gaps: i16,
    hex_gaps: i16,
}

impl Side {
    fn new(hand: &Hand) -> Side {
        Side {
            smalls: hand.small_shapes(false),
            hexes: hand.hex_shapes(false),
            ..Side::default()
        }
    }

    fn see_small(&mut self, fits: &SmallShapes, points: i16) {
        let usable = self.smalls.and(fits);
        if !usable.is_empty() {
            self.placeable = self.placeable.or(&usable);
            self.best_small = self.best_small.max(points);
            self.small_gaps += 1;
        }
    }

    fn see_hex(&mut self, fits: &HexShapes, points: i16) {
        if !self.hexes.and(fits).is_empty() {
            self.best_hex = self.best_hex.max(points);
            self.hex_gaps += 1;
        }
    }

    fn numbers(&self, hand: &Hand) -> [i16; SIDE] {
        let stuck = |kind: &usize| self.placeable.byte(*kind) == 0;
        // Small tiles that fit nowhere, and what they would cost.
        let (mut tiles, mut cost) = (0, 0);
        for kind in (0..KINDS)
            .filter(|&kind| hand.count(kind) > 0)
            .filter(stuck)
        {
            tiles += i16::from(hand.count(kind));
            cost += i16::from(hand.count(kind)) * i16::from(super::tiles::highest_corner(kind));
        }
        let held = i16::from(hand.held());
        [
            hand.leftover(),
            held,
            i16::from(held == 1),
            i16::from(held == 2),
            hand.hex_count() as i16,
            hand.tokens().into(),
            tiles,
            cost,
            self.best_small,
            self.best_hex,
            self.best_small.max(self.best_hex),
            self.small_gaps,
            self.hex_gaps,
        ]
    }
}

/// What is seen of an unfinished position.
pub fn features(game: &Iwoki) -> Features {
    let (me, other) = (game.hand(game.turn()), game.hand(!game.turn()));
    let mut sides = [Side::new(me), Side::new(other)];
    for gap in game.laid.open_smalls() {
        let (fits, points) = (game.laid.small_fits(gap), game.laid.small_sum(gap).into());
        sides
            .iter_mut()
            .for_each(|side| side.see_small(&fits, points));
    }
    for gap in game.laid.open_hexes() {
        let (fits, points) = (game.laid.hex_fits(gap), game.laid.hex_sum(gap).into());
        sides
            .iter_mut()
            .for_each(|side| side.see_hex(&fits, points));
    }
    let mut numbers = [0; FEATURES];
    numbers[0] = 1;
    numbers[1] = me.points - other.points;
    numbers[2..2 + SIDE].copy_from_slice(&sides[0].numbers(me));
    numbers[2 + SIDE..2 + 2 * SIDE].copy_from_slice(&sides[1].numbers(other));
    numbers[2 + 2 * SIDE] = i16::from(game.ending() == Some(!game.turn()));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::iwoki::{Action, IwokiRules, What};
    use crate::rng::Rng;

    /// What the rules say about the same position, action by action.
    #[test]
    fn numbers_are_those_of_a_slow_look() {
        let mut rng = Rng::new(6);
        for deal in 0..10 {
            let mut game = Iwoki::new(IwokiRules {
                deal,
                ..IwokiRules::default()
            });
            while !game.is_over() {
                let seen = features(&game);
                let (me, other) = (game.hand(game.turn()), game.hand(!game.turn()));
                assert_eq!((seen[0], seen[1]), (1, me.points() - other.points()));
                for (side, hand) in [(2, me), (2 + SIDE, other)] {
                    let held = i16::from(hand.held());
                    let expected = [
                        hand.leftover(),
                        held,
                        (held == 1).into(),
                        (held == 2).into(),
                        hand.hex_count() as i16,
                        hand.tokens().into(),
                    ];
                    assert_eq!(seen[side..][..6], expected, "{game}");
                }
                let last = game.ending() == Some(!game.turn());
                assert_eq!(seen[FEATURES - 1], last.into());
                if !game.is_opening() {
                    assert_eq!(seen[8..15], usable(&game), "{game}");
                }
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
        }
    }

    /// Small tiles of the player to move that fit nowhere and their cost; the best small tile, the best hexagonal one, the
    /// better of both; gaps for either.
    fn usable(game: &Iwoki) -> [i16; 7] {
        let hand = game.hand(game.turn());
        let legal = || game.legal_moves().map(Action::what);
        let stuck = |&kind: &usize| {
            !legal().any(|what| matches!(what, What::Small { shape, .. } if shape.kind() == kind))
        };
        let (mut tiles, mut cost) = (0, 0);
        for kind in (0..KINDS).filter(stuck) {
            let count = i16::from(hand.count(kind));
            tiles += count;
            cost += count * i16::from(crate::games::iwoki::tiles::highest_corner(kind));
        }
        let (mut best, mut gaps) = ([0; 2], [0u128; 2]);
        for action in game.legal_moves() {
            let (sort, gap, sum) = match action.what() {
                What::Small { gap, .. } => (0, gap, game.points_of(action)),
                // The number under the wildcard earns nothing, but is seen.
                What::Hex { gap, .. } => (1, gap, game.laid.hex_sum(gap)),
                What::Draw | What::Pass => continue,
            };
            best[sort] = best[sort].max(sum.into());
            gaps[sort] |= 1 << gap;
        }
        let [smalls, hexes] = gaps.map(|gaps| gaps.count_ones() as i16);
        let better = best[0].max(best[1]);
        [tiles, cost, best[0], best[1], better, smalls, hexes]
    }
}

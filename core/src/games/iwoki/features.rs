//! Inputs of the learned evaluation: small integers from the point of view of the player to move.

use super::tiles::{HexShapes, KINDS, SmallShapes};
use super::{Hand, Iwoki};
use crate::game::Game;

/// Number of features.
pub const FEATURES: usize = 2 + 2 * SIDE + 1;
/// Number of features of each player.
const SIDE: usize = 13;

/// The features, by index:
///
/// | index | feature |
/// |---|---|
/// | 0 | always 1 |
/// | 1 | lead in points |
/// | 2 to 14 | the player to move |
/// | 15 to 27 | the opponent |
/// | 28 | 1 in the last turn, else 0 |
///
/// The 13 features of a player:
///
/// | offset | feature |
/// |---|---|
/// | 0, 1 | cost of the small tiles held; their number |
/// | 2, 3 | 1 if exactly one, exactly two are held, else 0 |
/// | 4, 5 | hexagonal tiles; white tokens |
/// | 6, 7 | small tiles that fit nowhere; their cost |
/// | 8 to 10 | highest sum of a usable small gap, of a usable hexagonal gap, of both |
/// | 11, 12 | usable small gaps; usable hexagonal gaps |
///
/// The sum of a gap is that of all numbers around it. For a small gap these are the points that a
/// tile earns there. For a hexagonal gap it is an upper bound: it also counts the number that a
/// tile would cover with its wildcard, which earns nothing.
pub type Features = [i16; FEATURES];

/// What one player could lay, gathered gap by gap.
#[derive(Clone, Copy, Default)]
struct PlayerFeatures {
    smalls: SmallShapes,
    hexes: HexShapes,
    /// The small shapes that fit at least one gap.
    placeable: SmallShapes,
    /// Highest sum of the numbers around a usable gap. That of a hexagonal gap counts the number
    /// under the wildcard, too.
    best_small: i16,
    best_hex: i16,
    /// Number of open gaps that one of the tiles fits.
    small_gaps: i16,
    hex_gaps: i16,
}

impl PlayerFeatures {
    fn new(hand: &Hand) -> PlayerFeatures {
        PlayerFeatures {
            smalls: hand.small_shapes(false),
            hexes: hand.hex_shapes(false),
            ..PlayerFeatures::default()
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
        // Small tiles that fit nowhere, and what they cost at the end.
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

/// Features of an unfinished position. Gaps are usable only after the opening.
pub fn features(game: &Iwoki) -> Features {
    let (me, other) = (game.hand(game.turn()), game.hand(!game.turn()));
    let mut sides = [PlayerFeatures::new(me), PlayerFeatures::new(other)];
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

    /// The features, recomputed from the legal actions.
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

    /// Small tiles of the player to move that fit nowhere and their cost; the highest sum of a
    /// small gap, of a hexagonal gap, of both; usable gaps of either kind.
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
                // The number under the wildcard earns no points, but the feature counts it.
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

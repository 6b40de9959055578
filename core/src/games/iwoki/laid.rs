//! The tiles on the board, and which shapes fit beside them.

use super::bits::Bits;
use super::board::{FIRST_HEX, FIRST_SMALL, HEX_GAPS, NO_GAP, SMALL_GAPS, corners, touches};
use super::tiles::{
    HEX_FITS, HEX_WILD, HexShape, HexShapes, SMALL_FITS, SmallShape, SmallShapes, WILD,
    highest_number,
};

/// Sentinel: no tile.
const FREE: u8 = u8::MAX;

/// The shape on each gap. The open gaps are updated with every tile, so listing moves does not scan
/// the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Laid {
    hexes: [u8; HEX_GAPS],
    smalls: [u8; SMALL_GAPS],
    /// Free hexagonal gaps that touch a small tile.
    open_hexes: Bits<2>,
    /// Free small gaps that touch a number of a hexagonal tile.
    open_smalls: Bits<3>,
    tiles: u8,
}

impl Laid {
    pub(super) const NOTHING: Laid = Laid {
        hexes: [FREE; HEX_GAPS],
        smalls: [FREE; SMALL_GAPS],
        open_hexes: Bits::EMPTY,
        open_smalls: Bits::EMPTY,
        tiles: 0,
    };

    pub(super) fn is_empty(&self) -> bool {
        self.tiles == 0
    }

    pub(super) fn hex(&self, gap: usize) -> Option<HexShape> {
        self.hexes
            .get(gap)
            .copied()
            .filter(|&shape| shape != FREE)
            .map(HexShape)
    }

    pub(super) fn small(&self, gap: usize) -> Option<SmallShape> {
        self.smalls
            .get(gap)
            .copied()
            .filter(|&shape| shape != FREE)
            .map(SmallShape)
    }

    /// Open hexagonal gaps: those that touch a small tile, or H1 on the empty board.
    pub(super) fn open_hexes(&self) -> Bits<2> {
        if self.is_empty() {
            Bits::EMPTY.with(FIRST_HEX)
        } else {
            self.open_hexes
        }
    }

    /// Open small gaps: those that touch a number, or H1_H4_H5 on the empty board.
    pub(super) fn open_smalls(&self) -> Bits<3> {
        if self.is_empty() {
            Bits::EMPTY.with(FIRST_SMALL)
        } else {
            self.open_smalls
        }
    }

    #[inline]
    pub(super) fn put_hex(&mut self, gap: usize, shape: HexShape) {
        self.hexes[gap] = shape.0;
        self.tiles += 1;
        self.open_hexes.remove(gap);
        for (touch, &value) in touches(gap).iter().zip(shape.values()) {
            if touch.gap != NO_GAP && value != WILD && self.smalls[usize::from(touch.gap)] == FREE {
                self.open_smalls.insert(touch.gap.into());
            }
        }
    }

    #[inline]
    pub(super) fn put_small(&mut self, gap: usize, shape: SmallShape) {
        self.smalls[gap] = shape.0;
        self.tiles += 1;
        self.open_smalls.remove(gap);
        for corner in corners(gap) {
            if self.hexes[usize::from(corner.hex)] == FREE {
                self.open_hexes.insert(corner.hex.into());
            }
        }
    }

    /// The value at each of the three corners of a small gap: a number, [`WILD`], or `None` without
    /// a tile.
    #[inline]
    pub(super) fn around_small(&self, gap: usize) -> [Option<u8>; 3] {
        corners(gap).map(|corner| {
            let shape = self.hexes[usize::from(corner.hex)];
            (shape != FREE).then(|| HexShape(shape).values()[usize::from(corner.vertex)])
        })
    }

    /// The number at each of the six vertices of a hexagonal gap; `None` without a small tile.
    #[inline]
    pub(super) fn around_hex(&self, gap: usize) -> [Option<u8>; 6] {
        touches(gap).map(|touch| {
            let shape = self
                .smalls
                .get(usize::from(touch.gap))
                .copied()
                .unwrap_or(FREE);
            (shape != FREE).then(|| SmallShape(shape).results()[usize::from(touch.place)])
        })
    }

    /// The small shapes that agree with everything that touches a gap, at least once by number: one
    /// AND per touched corner. Of ways that look alike only the first is in the set.
    #[inline]
    pub(super) fn small_fits(&self, gap: usize) -> SmallShapes {
        let mut fits = Bits::FULL;
        let mut number = false;
        for (shown, of_value) in self.around_small(gap).into_iter().zip(&SMALL_FITS) {
            if let Some(value) = shown {
                fits = fits.and(&of_value[usize::from(value)]);
                number |= value != WILD;
            }
        }
        if number { fits } else { Bits::EMPTY }
    }

    /// The hexagonal shapes that agree with everything that touches a gap, at least once by number:
    /// one AND per touched vertex.
    #[inline]
    pub(super) fn hex_fits(&self, gap: usize) -> HexShapes {
        let mut fits = Bits::FULL;
        let mut touched = None;
        let mut count = 0;
        for (vertex, shown) in self.around_hex(gap).into_iter().enumerate() {
            if let Some(value) = shown {
                fits = fits.and(&HEX_FITS[vertex][usize::from(value)]);
                touched = Some(vertex);
                count += 1;
            }
        }
        match (touched, count) {
            (None, _) => Bits::EMPTY,
            // A wildcard must not be the only agreement.
            (Some(vertex), 1) => fits.without(&HEX_WILD[vertex]),
            _ => fits,
        }
    }

    /// Points of a small tile that fits. They depend on the gap alone: every number around it has
    /// to agree.
    #[inline]
    pub(super) fn small_points(&self, gap: usize, shape: SmallShape) -> u8 {
        if self.is_empty() {
            return opening_small(shape);
        }
        self.small_sum(gap)
    }

    /// Sum of the numbers around a small gap.
    #[inline]
    pub(super) fn small_sum(&self, gap: usize) -> u8 {
        self.around_small(gap)
            .into_iter()
            .flatten()
            .filter(|&value| value != WILD)
            .sum()
    }

    /// Sum of the numbers around a hexagonal gap.
    #[inline]
    pub(super) fn hex_sum(&self, gap: usize) -> u8 {
        self.around_hex(gap).into_iter().flatten().sum()
    }

    /// Points of a hexagonal tile that fits: the sum of the numbers around it except the one under
    /// its wildcard.
    #[inline]
    pub(super) fn hex_points(&self, gap: usize, shape: HexShape) -> u8 {
        if self.is_empty() {
            return opening_hex(shape);
        }
        let around = self.around_hex(gap);
        around.into_iter().flatten().sum::<u8>() - around[shape.wild_at()].unwrap_or(0)
    }

    /// Points of all agreements on the board: what both players together have earned since the
    /// opening.
    pub(super) fn agreements(&self) -> i16 {
        (0..SMALL_GAPS)
            .filter(|&gap| self.small(gap).is_some())
            .map(|gap| i16::from(self.small_sum(gap)))
            .sum()
    }

    /// Whether the numbers agree wherever tiles touch.
    pub(super) fn agrees(&self) -> bool {
        (0..SMALL_GAPS).all(|gap| {
            let Some(small) = self.small(gap) else {
                return true;
            };
            let around = self.around_small(gap).into_iter().zip(small.results());
            { around }
                .all(|(shown, result)| shown.is_none_or(|value| value == WILD || value == *result))
        })
    }

    /// Whether all tiles are connected by agreeing numbers to an opening tile that earned `points`.
    pub(super) fn grew_from_opening(&self, points: i16) -> bool {
        let hex = self
            .hex(FIRST_HEX)
            .filter(|shape| shape.way() == 0)
            .map(|shape| (opening_hex(shape), true));
        let small = self
            .small(FIRST_SMALL)
            .filter(|shape| shape.is_first_of_face())
            .map(|shape| (opening_small(shape), false));
        [hex, small]
            .into_iter()
            .flatten()
            .any(|(worth, is_hex)| i16::from(worth) == points && self.hangs_together(is_hex))
    }

    fn hangs_together(&self, from_hex: bool) -> bool {
        let (mut hexes, mut smalls) = (Bits::<2>::EMPTY, Bits::<3>::EMPTY);
        if from_hex {
            hexes.insert(FIRST_HEX)
        } else {
            smalls.insert(FIRST_SMALL)
        };
        loop {
            let before = (hexes, smalls);
            for gap in (0..SMALL_GAPS).filter(|&gap| self.small(gap).is_some()) {
                for (corner, shown) in corners(gap).iter().zip(self.around_small(gap)) {
                    if shown.is_some_and(|value| value != WILD) {
                        let (hex, small) = (usize::from(corner.hex), smalls.contains(gap));
                        if small || hexes.contains(hex) {
                            hexes.insert(hex);
                            smalls.insert(gap);
                        }
                    }
                }
            }
            if (hexes, smalls) == before {
                return hexes.count() + smalls.count() == usize::from(self.tiles);
            }
        }
    }

    /// The board as words for hashing.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |word, &byte| word << 8 | u32::from(byte))
        };
        self.hexes.chunks(4).chain(self.smalls.chunks(4)).map(word)
    }
}

/// Points of a small tile as the opening: its best pair, added or subtracted.
fn opening_small(shape: SmallShape) -> u8 {
    // The highest of the three sums on the + face, the largest difference on the − face.
    shape.results().iter().copied().max().unwrap_or(0)
}

/// Points of a hexagonal tile as the opening: its highest number.
fn opening_hex(shape: HexShape) -> u8 {
    highest_number(shape.tile())
}

//! The tiles, and what each shows in each way it can lie. The numbers are those of `data/iwoki/`; a
//! test compares them.
//!
//! A *way* is a face and a rotation; a *shape* is a tile (or kind of small tile) in one way.

use super::bits::Bits;

/// Number of hexagonal tiles.
pub const HEX_TILES: usize = 20;
/// Number of kinds of small tiles.
pub const KINDS: usize = 12;
/// Number of small tiles of each kind.
pub const COPIES: usize = 4;
/// Number of small tiles.
pub const SMALL_TILES: usize = KINDS * COPIES;
/// Ways in which a hexagonal tile can lie: six rotations of one face, then six of the other.
pub const HEX_WAYS: usize = 12;
/// Ways in which a small tile can lie: three rotations of the + face, then three of the − face.
pub const SMALL_WAYS: usize = 6;

/// The wildcard of a hexagonal tile, in place of a number.
pub const WILD: u8 = 7;
/// Index of the tables below for "no constraint": an empty place, or a wildcard.
pub(super) const ANY: usize = 7;
const VALUES: usize = 8;

const W: u8 = WILD;

/// Vertices 1 to 6 of the hexagonal tiles hp1 to hp20.
#[rustfmt::skip]
const HEX: [[u8; 6]; HEX_TILES] = [
    [W, 5, 2, 4, 6, 6], [W, 2, 0, 4, 4, 6], [W, 3, 6, 2, 4, 2], [W, 4, 0, 3, 4, 6], [W, 5, 3, 4, 2, 1],
    [W, 2, 3, 4, 6, 5], [W, 6, 0, 5, 2, 4], [W, 6, 3, 0, 3, 5], [W, 2, 0, 1, 4, 5], [W, 6, 4, 2, 0, 3],
    [W, 0, 1, 2, 3, 4], [W, 6, 1, 4, 4, 3], [W, 4, 1, 6, 3, 5], [W, 4, 5, 2, 1, 4], [W, 4, 1, 0, 2, 2],
    [W, 6, 5, 5, 4, 3], [W, 6, 5, 1, 0, 3], [W, 5, 0, 4, 2, 6], [W, 5, 4, 4, 2, 0], [W, 4, 2, 3, 5, 6],
];

/// Corners of the kinds of small tiles: sp1 to sp12, then sp13 to sp24 and so on.
const SMALL: [[u8; 3]; KINDS] = [
    [1, 2, 3],
    [1, 1, 2],
    [1, 1, 3],
    [1, 1, 4],
    [1, 2, 2],
    [1, 3, 3],
    [1, 2, 4],
    [2, 2, 2],
    [2, 2, 3],
    [2, 2, 4],
    [2, 3, 3],
    [3, 3, 3],
];

/// A hexagonal tile and the way it lies, packed into a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HexShape(pub(super) u8);

/// Number of [`HexShape`]s.
pub(super) const HEX_SHAPES: usize = HEX_TILES * HEX_WAYS;

impl HexShape {
    /// The tile (0 for hp1) in this way; `None` if there is no such tile or way.
    pub fn new(tile: usize, way: usize) -> Option<HexShape> {
        (tile < HEX_TILES && way < HEX_WAYS).then_some(HexShape((tile * HEX_WAYS + way) as u8))
    }

    /// The tile, 0 for hp1.
    #[inline]
    pub const fn tile(self) -> usize {
        self.0 as usize / HEX_WAYS
    }

    /// The way it lies, 0 to 11.
    #[inline]
    pub const fn way(self) -> usize {
        self.0 as usize % HEX_WAYS
    }

    /// The values at vertices 1 to 6; one of them is [`WILD`].
    #[inline]
    pub fn values(self) -> &'static [u8; 6] {
        &HEX_VALUES[usize::from(self.0)]
    }

    /// The vertex (0 to 5) of its wildcard.
    #[inline]
    pub const fn wild_at(self) -> usize {
        // A tile's wildcard is its first vertex, on both faces.
        self.way() % 6
    }
}

/// A kind of small tile and the way it lies. Each kind takes eight numbers, of which the last two
/// are unused, so that no division is needed to unpack it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SmallShape(pub(super) u8);

/// Upper bound of the numbers of [`SmallShape`]s.
pub(super) const SMALL_SHAPES: usize = KINDS << 3;

impl SmallShape {
    /// The kind (0 for that of sp1) in this way; `None` if there is no such kind or way.
    pub fn new(kind: usize, way: usize) -> Option<SmallShape> {
        (kind < KINDS && way < SMALL_WAYS).then_some(SmallShape((kind << 3 | way) as u8))
    }

    /// The kind, 0 for that of sp1.
    #[inline]
    pub const fn kind(self) -> usize {
        self.0 as usize >> 3
    }

    /// The way it lies, 0 to 5.
    #[inline]
    pub const fn way(self) -> usize {
        self.0 as usize & 7
    }

    /// Whether the − face is up.
    #[inline]
    pub const fn is_minus(self) -> bool {
        self.way() >= 3
    }

    /// Whether it is the first way of its face, the only one allowed as an opening.
    pub(super) const fn is_first_of_face(self) -> bool {
        matches!(self.way(), 0 | 3)
    }

    /// The corners in the order shown.
    pub const fn order(self) -> [u8; 3] {
        let [a, b, c] = SMALL[self.kind()];
        let face = if self.is_minus() {
            [a, c, b]
        } else {
            [a, b, c]
        };
        let turn = self.way() % 3;
        [
            face[(3 - turn) % 3],
            face[(4 - turn) % 3],
            face[(5 - turn) % 3],
        ]
    }

    /// The numbers that it puts on the three vertices of its gap, in the gap's own order.
    #[inline]
    pub fn results(self) -> &'static [u8; 3] {
        &SMALL_RESULTS[usize::from(self.0)]
    }

    /// Number of ways of the same face that show the same order, this one included.
    pub(super) fn alike(self) -> u8 {
        let [a, b, c] = SMALL[self.kind()];
        if a == b && b == c { 3 } else { 1 }
    }

    const fn compute_results(self) -> [u8; 3] {
        let [x, y, z] = self.order();
        if self.is_minus() {
            [x.abs_diff(z), y.abs_diff(x), z.abs_diff(y)]
        } else {
            [x + z, y + x, z + y]
        }
    }

    /// Whether no earlier way of the same face shows the same order.
    const fn is_first_of_its_order(self) -> bool {
        let [a, b, c] = SMALL[self.kind()];
        self.is_first_of_face() || a != b || b != c
    }
}

/// The highest corner of a kind: the cost of a tile held at the end.
#[inline]
pub const fn highest_corner(kind: usize) -> u8 {
    // Corners are sorted.
    SMALL[kind][2]
}

/// The corners of a kind, lowest first.
pub const fn corners(kind: usize) -> [u8; 3] {
    SMALL[kind]
}

/// The highest number of a hexagonal tile.
pub(super) fn highest_number(tile: usize) -> u8 {
    HEX[tile]
        .into_iter()
        .filter(|&value| value != WILD)
        .max()
        .unwrap_or(0)
}

static HEX_VALUES: [[u8; 6]; HEX_SHAPES] = {
    let mut all = [[0; 6]; HEX_SHAPES];
    let mut shape = 0;
    while shape < HEX_SHAPES {
        let (tile, way) = (shape / HEX_WAYS, shape % HEX_WAYS);
        let mut vertex = 0;
        while vertex < 6 {
            let place = (vertex + 6 - way % 6) % 6;
            let place = if way < 6 { place } else { (6 - place) % 6 };
            all[shape][vertex] = HEX[tile][place];
            vertex += 1;
        }
        shape += 1;
    }
    all
};

static SMALL_RESULTS: [[u8; 3]; SMALL_SHAPES] = {
    let mut all = [[0; 3]; SMALL_SHAPES];
    let mut shape = 0;
    while shape < SMALL_SHAPES {
        if shape % 8 < SMALL_WAYS {
            all[shape] = SmallShape(shape as u8).compute_results();
        }
        shape += 1;
    }
    all
};

/// Bit sets of hexagonal and of small shapes.
pub(super) type HexShapes = Bits<8>;
pub(super) type SmallShapes = Bits<3>;

/// For each corner and value: the small shapes that put this value there.
pub(super) static SMALL_FITS: [[SmallShapes; VALUES]; 3] = {
    let mut fits = [[Bits::EMPTY; VALUES]; 3];
    let mut shape = 0;
    while shape < SMALL_SHAPES {
        let small = SmallShape(shape as u8);
        // Of ways that look alike only the first is listed.
        if shape % 8 < SMALL_WAYS && small.is_first_of_its_order() {
            let results = small.compute_results();
            let mut place = 0;
            while place < 3 {
                let value = results[place] as usize;
                fits[place][value] = fits[place][value].with(shape);
                fits[place][ANY] = fits[place][ANY].with(shape);
                place += 1;
            }
        }
        shape += 1;
    }
    fits
};

/// For each vertex and value: the hexagonal shapes that agree with it, by number or wildcard.
pub(super) static HEX_FITS: [[HexShapes; VALUES]; 6] = {
    let mut fits = [[Bits::EMPTY; VALUES]; 6];
    let mut shape = 0;
    while shape < HEX_SHAPES {
        let mut vertex = 0;
        while vertex < 6 {
            let shown = HEX_VALUES[shape][vertex];
            let mut value = 0;
            while value < VALUES {
                if value == ANY || shown == WILD || shown as usize == value {
                    fits[vertex][value] = fits[vertex][value].with(shape);
                }
                value += 1;
            }
            vertex += 1;
        }
        shape += 1;
    }
    fits
};

/// For each vertex: the hexagonal shapes whose wildcard is there.
pub(super) static HEX_WILD: [HexShapes; 6] = {
    let mut wild = [Bits::EMPTY; 6];
    let mut shape = 0;
    while shape < HEX_SHAPES {
        let vertex = shape % HEX_WAYS % 6;
        wild[vertex] = wild[vertex].with(shape);
        shape += 1;
    }
    wild
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tiles_are_those_of_the_data_files() {
        let rows = |text: &'static str| text.lines().skip(1).map(|line| line.split(','));
        let value = |text: &str| {
            if text == "*" {
                WILD
            } else {
                text.parse().unwrap()
            }
        };
        let mut count = 0;
        for (tile, mut row) in
            rows(include_str!("../../../../data/iwoki/hex_tiles.csv")).enumerate()
        {
            assert_eq!(
                row.next().unwrap().strip_prefix("hp").unwrap().parse(),
                Ok(tile + 1)
            );
            assert!(row.map(value).eq(HEX[tile]));
            assert!(HexShape::new(tile, 0).unwrap().values() == &HEX[tile]);
            count += 1;
        }
        assert_eq!(count, HEX_TILES);
        count = 0;
        for (tile, mut row) in
            rows(include_str!("../../../../data/iwoki/small_tiles.csv")).enumerate()
        {
            assert_eq!(
                row.next().unwrap().strip_prefix("sp").unwrap().parse(),
                Ok(tile + 1)
            );
            assert!(row.map(value).eq(SMALL[tile % KINDS]));
            count += 1;
        }
        assert_eq!(count, SMALL_TILES);
    }

    #[test]
    fn every_hexagonal_tile_lies_in_twelve_different_ways() {
        for tile in 0..HEX_TILES {
            for way in 0..HEX_WAYS {
                let shape = HexShape::new(tile, way).unwrap();
                assert_eq!((shape.tile(), shape.way()), (tile, way));
                assert_eq!(shape.values()[shape.wild_at()], WILD);
                for other in 0..way {
                    assert_ne!(shape.values(), HexShape::new(tile, other).unwrap().values());
                }
                // One more rotation moves every number by one vertex.
                let next = HexShape::new(tile, way / 6 * 6 + (way + 1) % 6)
                    .unwrap()
                    .values();
                assert!((0..6).all(|vertex| next[(vertex + 1) % 6] == shape.values()[vertex]));
            }
        }
        // No two tiles are the same.
        let shapes = || (0..HEX_SHAPES as u8).map(HexShape);
        assert!(shapes().all(|a| shapes().filter(|b| a.values() == b.values()).count() == 1));
    }

    #[test]
    fn small_tiles_show_turns_of_either_face_and_put_sums_and_differences() {
        let shape = |kind, way| SmallShape::new(kind, way).unwrap();
        assert_eq!(
            [0, 1, 2].map(|way| shape(0, way).order()),
            [[1, 2, 3], [3, 1, 2], [2, 3, 1]]
        );
        assert_eq!(
            [3, 4, 5].map(|way| shape(0, way).order()),
            [[1, 3, 2], [2, 1, 3], [3, 2, 1]]
        );
        assert_eq!(shape(6, 0).results(), &[1 + 4, 2 + 1, 4 + 2]);
        assert_eq!(shape(6, 3).order(), [1, 4, 2]);
        assert_eq!(shape(6, 3).results(), &[1, 3, 2]);
        assert!((0..KINDS).all(|kind| highest_corner(kind) == *SMALL[kind].iter().max().unwrap()));
    }

    #[test]
    fn ways_that_look_alike_are_listed_once_and_counted() {
        for kind in 0..KINDS {
            for face in [0, 3] {
                let listed: usize = (face..face + 3)
                    .filter(|&way| {
                        SMALL_FITS[0][ANY]
                            .contains(usize::from(SmallShape::new(kind, way).unwrap().0))
                    })
                    .map(|way| usize::from(SmallShape::new(kind, way).unwrap().alike()))
                    .sum();
                assert_eq!(listed, 3);
            }
        }
    }
}

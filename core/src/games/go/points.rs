//! Points of the board and sets of them.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use serde::{Deserialize, Serialize};

/// Rows and columns of the largest board.
pub const SIDE: u8 = 9;
/// Distance from a point to the one above it: one more than the columns, so that the unused bit
/// between two rows stops shifted sets at the edge.
pub(crate) const UP: u8 = 10;
/// One more than the largest number of a point.
pub(crate) const NUMBERS: usize = 90;

/// A point, numbered from the lower left corner: ten times its row plus its column, whatever the
/// size of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(pub(crate) u8);

impl Point {
    /// The point in this column and row, both from 0; `None` if even the largest board has no such
    /// point.
    pub const fn new(col: u8, row: u8) -> Option<Point> {
        if col < SIDE && row < SIDE {
            Some(Point(row * UP + col))
        } else {
            None
        }
    }

    /// The column, from 0, left to right.
    pub const fn col(self) -> u8 {
        self.0 % UP
    }

    /// The row, from 0, bottom to top.
    pub const fn row(self) -> u8 {
        self.0 / UP
    }

    /// Its number, below 90.
    #[inline]
    pub const fn number(self) -> usize {
        self.0 as usize
    }

    /// The point with this number.
    pub const fn from_number(number: u8) -> Option<Point> {
        Point::new(number % UP, number / UP)
    }

    /// Reads a letter (without I) and a row from 1, such as `E5` or `e5`.
    pub fn parse(text: &str) -> Option<Point> {
        let &[letter, digit @ b'1'..=b'9'] = text.as_bytes() else {
            return None;
        };
        let col = LETTERS
            .iter()
            .position(|&known| known == letter.to_ascii_uppercase())?;
        Point::new(col as u8, digit - b'1')
    }

    /// The image under a symmetry of a board of this size: bit 0 flips it vertically, bit 1
    /// horizontally, bit 2 then swaps rows and columns.
    pub(crate) fn transformed(self, size: u8, symmetry: usize) -> Point {
        let (mut row, mut col) = (self.row(), self.col());
        if symmetry & 1 != 0 {
            row = (size - 1).wrapping_sub(row);
        }
        if symmetry & 2 != 0 {
            col = (size - 1).wrapping_sub(col);
        }
        if symmetry & 4 != 0 {
            (row, col) = (col, row);
        }
        // Only a point outside the board has no image.
        Point::new(col, row).unwrap_or(self)
    }
}

/// The columns. There is no I: it looks like 1 and J.
pub const LETTERS: [u8; SIDE as usize] = *b"ABCDEFGHJ";

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = LETTERS
            .get(usize::from(self.col()))
            .copied()
            .unwrap_or(b'?');
        write!(f, "{}{}", char::from(letter), self.row() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A set of points, one bit each in three words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Points([u32; 3]);

impl Points {
    /// The empty set.
    pub const EMPTY: Points = Points([0; 3]);

    /// All points of a board of this size.
    pub const fn board(size: u8) -> Points {
        let mut set = Points::EMPTY;
        let mut row = 0;
        while row < size {
            let mut col = 0;
            while col < size {
                if let Some(point) = Point::new(col, row) {
                    set.0[(point.0 >> 5) as usize] |= 1 << (point.0 & 31);
                }
                col += 1;
            }
            row += 1;
        }
        set
    }

    /// The set with only this point.
    #[inline]
    pub fn of(point: Point) -> Points {
        let mut set = Points::EMPTY;
        set.insert(point);
        set
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Number of points.
    #[inline]
    pub fn len(self) -> u32 {
        // Sums the bits of all three words in groups of four (at most twelve each), then all
        // groups: the M0+ has no population count, and this saves two multiplications over word by
        // word.
        let fours = self.0.iter().fold(0, |sum, word| {
            let twos = word - (word >> 1 & 0x5555_5555);
            sum + (twos & 0x3333_3333) + (twos >> 2 & 0x3333_3333)
        });
        let eights = (fours & 0x0F0F_0F0F) + (fours >> 4 & 0x0F0F_0F0F);
        eights.wrapping_mul(0x0101_0101) >> 24
    }

    /// Whether the set contains a point.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.0
            .get(usize::from(point.0 >> 5))
            .is_some_and(|word| word >> (point.0 & 31) & 1 == 1)
    }

    /// Adds a point.
    #[inline]
    pub fn insert(&mut self, point: Point) {
        if let Some(word) = self.0.get_mut(usize::from(point.0 >> 5)) {
            *word |= 1 << (point.0 & 31);
        }
    }

    /// Removes a point.
    #[inline]
    pub fn remove(&mut self, point: Point) {
        if let Some(word) = self.0.get_mut(usize::from(point.0 >> 5)) {
            *word &= !(1 << (point.0 & 31));
        }
    }

    /// Set difference.
    #[inline]
    pub fn without(self, other: Points) -> Points {
        self & !other
    }

    /// Whether the sets intersect.
    #[inline]
    pub fn meets(self, other: Points) -> bool {
        !(self & other).is_empty()
    }

    /// The point with the lowest number.
    #[inline]
    pub fn first(self) -> Option<Point> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(Point(
            (32 * word as u32 + self.0[word].trailing_zeros()) as u8,
        ))
    }

    /// The only point; `None` if there is none or more than one.
    #[inline]
    pub fn only(self) -> Option<Point> {
        let first = self.first()?;
        (Points::of(first) == self).then_some(first)
    }

    /// Whether the set has exactly one point.
    #[inline]
    pub fn has_one(self) -> bool {
        let [a, b, c] = self.0;
        // At most one word is not 0, and that one has a single bit.
        let all = a | b | c;
        all != 0
            && all & (all - 1) == 0
            && (a == all) as u8 + (b == all) as u8 + (c == all) as u8 == 1
    }

    /// All neighbours of this set's points. Bits off the board may be set: the caller masks them.
    #[inline]
    pub fn around(self) -> Points {
        let [a, b, c] = self.0;
        const U: u32 = UP as u32;
        Points([
            a << 1 | (a >> 1 | b << 31) | a << U | (a >> U | b << (32 - U)),
            (b << 1 | a >> 31)
                | (b >> 1 | c << 31)
                | (b << U | a >> (32 - U))
                | (b >> U | c << (32 - U)),
            (c << 1 | b >> 31) | c >> 1 | (c << U | b >> (32 - U)) | c >> U,
        ])
    }

    /// All diagonal neighbours of this set's points. Bits off the board may be set.
    pub fn corners(self) -> Points {
        let set = self.bits();
        const U: u32 = UP as u32;
        Points::from_bits(set << (U + 1) | set << (U - 1) | set >> (U + 1) | set >> (U - 1))
    }

    /// Flood fill: this set and everything connected to it within `allowed`.
    #[inline]
    pub fn flooded(self, allowed: Points) -> Points {
        let mut set = self;
        loop {
            let next = set | set.around() & allowed;
            // The set only grows, so its size tells; comparing three words would be a call.
            if next.without(set).is_empty() {
                return set;
            }
            set = next;
        }
    }

    /// The image under a symmetry of a board of this size.
    pub(crate) fn transformed(self, size: u8, symmetry: usize) -> Points {
        let mut image = Points::EMPTY;
        self.for_each(|point| image.insert(point.transformed(size, symmetry)));
        image
    }

    /// The set as one number, for arithmetic on all points at once.
    pub(crate) fn bits(self) -> u128 {
        let [a, b, c] = self.0;
        u128::from(c) << 64 | u128::from(b) << 32 | u128::from(a)
    }

    /// The inverse of [`Points::bits`].
    pub(crate) fn from_bits(bits: u128) -> Points {
        Points([bits as u32, (bits >> 32) as u32, (bits >> 64) as u32])
    }

    /// The set with these three [words](Points::words).
    #[inline]
    pub(crate) const fn from_words(words: [u32; 3]) -> Points {
        Points(words)
    }

    /// The three words, lowest numbers first.
    #[inline]
    pub(crate) fn words(self) -> [u32; 3] {
        self.0
    }
}

impl BitAnd for Points {
    type Output = Points;

    #[inline]
    fn bitand(self, other: Points) -> Points {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Points([a & d, b & e, c & f])
    }
}

impl BitOr for Points {
    type Output = Points;

    #[inline]
    fn bitor(self, other: Points) -> Points {
        let ([a, b, c], [d, e, f]) = (self.0, other.0);
        Points([a | d, b | e, c | f])
    }
}

impl Not for Points {
    type Output = Points;

    /// The complement. Bits off the board are set, too.
    #[inline]
    fn not(self) -> Points {
        Points(self.0.map(|word| !word))
    }
}

impl BitAndAssign for Points {
    #[inline]
    fn bitand_assign(&mut self, other: Points) {
        *self = *self & other;
    }
}

impl BitOrAssign for Points {
    #[inline]
    fn bitor_assign(&mut self, other: Points) {
        *self = *self | other;
    }
}

/// Removes the points one by one, lowest number first.
impl Iterator for Points {
    type Item = Point;

    #[inline]
    fn next(&mut self) -> Option<Point> {
        let first = self.first()?;
        self.remove(first);
        Some(first)
    }
}

impl fmt::Debug for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_run_over_the_edge() {
        for size in [5, 7, 9] {
            let board = Points::board(size);
            assert_eq!(board.len(), u32::from(size).pow(2));
            for point in board {
                let (col, row) = (point.col(), point.row());
                assert_eq!(Point::new(col, row), Some(point));
                let (left, right, down, up) =
                    (col.wrapping_sub(1), col + 1, row.wrapping_sub(1), row + 1);
                let on_board = |places: [(u8, u8); 4]| {
                    let inside = |&(col, row): &(u8, u8)| col < size && row < size;
                    let mut expected = Points::EMPTY;
                    for (col, row) in places.into_iter().filter(inside) {
                        expected.insert(Point::new(col, row).unwrap());
                    }
                    expected
                };
                let next = on_board([(left, row), (right, row), (col, down), (col, up)]);
                assert_eq!(Points::of(point).around() & board, next, "{point}");
                let diagonal = on_board([(left, down), (left, up), (right, down), (right, up)]);
                assert_eq!(Points::of(point).corners() & board, diagonal, "{point}");
            }
        }
    }

    #[test]
    fn points_are_read_as_they_are_written() {
        for point in Points::board(9) {
            let mut text = heapless::String::<4>::new();
            core::fmt::Write::write_fmt(&mut text, format_args!("{point}")).unwrap();
            assert_eq!(Point::parse(&text), Some(point));
        }
        assert_eq!(Point::parse("j1").map(Point::number), Some(8));
        assert_eq!(
            ["I1", "A0", "A10", "K1", "", "a"].map(Point::parse),
            [None; 6]
        );
    }
}

//! The board: 55 hexagonal gaps, and 84 small gaps where three of them meet. Numbering and
//! coordinates are those of `data/iwoki/`; a test compares them.

/// Number of hexagonal gaps: H1 to H55 are 0 to 54.
pub const HEX_GAPS: usize = 55;
/// Number of small gaps.
pub const SMALL_GAPS: usize = 84;

/// The gap of a hexagonal tile that opens the game: H1.
pub(super) const FIRST_HEX: usize = 0;
/// The gap of a small tile that opens the game: H1_H4_H5.
pub(super) const FIRST_SMALL: usize = 2;

/// Sentinel: no small gap.
pub(super) const NO_GAP: u8 = u8::MAX;

/// Axial coordinates (q, r) of the hexagonal gaps.
#[rustfmt::skip]
const PLACES: [(i8, i8); HEX_GAPS] = [
    (0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (2, -1),
    (2, 0), (1, 1), (0, 2), (-1, 2), (-2, 2), (-2, 1), (-2, 0), (-1, -1),
    (0, -2), (1, -2), (2, -2), (3, -2), (3, -1), (3, 0), (2, 1), (1, 2),
    (-1, 3), (-2, 3), (-3, 3), (-3, 2), (-3, 1), (-3, 0), (-2, -1), (-1, -2),
    (1, -3), (2, -3), (3, -3), (4, -3), (4, -2), (4, -1), (4, 0), (3, 1),
    (-3, 4), (-4, 4), (-4, 3), (-4, 2), (-4, 1), (-4, 0), (-3, -1), (3, -4),
    (4, -4), (2, 2), (0, 3), (-2, 4), (2, -4), (0, -3), (-2, -2),
];

/// The small gaps: hexagonal gap A and its vertex, then gaps B and C, all counted from 1. The
/// touched vertices of B and C are two and four further than that of A.
#[rustfmt::skip]
const SMALL: [[u8; 4]; SMALL_GAPS] = [
    [1, 2, 2, 3], [1, 3, 3, 4], [1, 4, 4, 5], [1, 5, 5, 6], [1, 6, 6, 7], [1, 1, 7, 2],
    [2, 6, 7, 8], [2, 1, 8, 9], [2, 2, 9, 10], [2, 3, 10, 3], [3, 2, 10, 11], [3, 3, 11, 12],
    [3, 4, 12, 4], [4, 3, 12, 13], [4, 4, 13, 14], [4, 5, 14, 5], [5, 4, 14, 15], [5, 5, 15, 16],
    [5, 6, 16, 6], [6, 5, 16, 17], [6, 6, 17, 18], [6, 1, 18, 7], [7, 6, 18, 19], [7, 1, 19, 8],
    [8, 6, 19, 20], [8, 1, 20, 21], [8, 2, 21, 9], [9, 1, 21, 22], [9, 2, 22, 23], [9, 3, 23, 10],
    [10, 2, 23, 24], [10, 3, 24, 11], [11, 2, 24, 51], [11, 3, 51, 25], [11, 4, 25, 12], [12, 3, 25, 26],
    [12, 4, 26, 13], [13, 3, 26, 27], [13, 4, 27, 28], [13, 5, 28, 14], [14, 4, 28, 29], [14, 5, 29, 15],
    [15, 4, 29, 30], [15, 5, 30, 31], [15, 6, 31, 16], [16, 5, 31, 32], [16, 6, 32, 17], [17, 5, 32, 54],
    [17, 6, 54, 33], [17, 1, 33, 18], [18, 6, 33, 34], [18, 1, 34, 19], [19, 6, 34, 35], [19, 1, 35, 20],
    [20, 6, 35, 36], [20, 1, 36, 37], [20, 2, 37, 21], [21, 1, 37, 38], [21, 2, 38, 22], [22, 1, 38, 39],
    [22, 2, 39, 40], [22, 3, 40, 23], [23, 2, 40, 50], [23, 3, 50, 24], [26, 2, 25, 52], [26, 3, 52, 41],
    [26, 4, 41, 27], [27, 3, 41, 42], [27, 4, 42, 43], [27, 5, 43, 28], [28, 4, 43, 44], [28, 5, 44, 29],
    [29, 4, 44, 45], [29, 5, 45, 30], [30, 4, 45, 46], [30, 5, 46, 47], [30, 6, 47, 31], [31, 5, 47, 55],
    [31, 6, 55, 32], [34, 5, 33, 53], [34, 6, 53, 48], [34, 1, 48, 35], [35, 6, 48, 49], [35, 1, 49, 36],
];

/// A corner of a small gap: a vertex of a hexagonal gap, both counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corner {
    /// Hexagonal gap, 0 to 54.
    pub hex: u8,
    /// Vertex of that gap, 0 to 5.
    pub vertex: u8,
}

/// The three corners of each small gap, in the gap's own order.
static CORNERS: [[Corner; 3]; SMALL_GAPS] = {
    let mut all = [[Corner { hex: 0, vertex: 0 }; 3]; SMALL_GAPS];
    let mut gap = 0;
    while gap < SMALL_GAPS {
        let [a, vertex, b, c] = SMALL[gap];
        let mut place = 0;
        while place < 3 {
            all[gap][place] = Corner {
                hex: [a, b, c][place] - 1,
                vertex: (vertex - 1 + 2 * place as u8) % 6,
            };
            place += 1;
        }
        gap += 1;
    }
    all
};

/// The small gap at a vertex of a hexagonal gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    /// The small gap, [`NO_GAP`] at the rim of the board.
    pub(super) gap: u8,
    /// Which of the small gap's three corners the vertex is.
    pub(super) place: u8,
}

static TOUCHES: [[Touch; 6]; HEX_GAPS] = {
    let mut all = [[Touch {
        gap: NO_GAP,
        place: 0,
    }; 6]; HEX_GAPS];
    let mut gap = 0;
    while gap < SMALL_GAPS {
        let mut place = 0;
        while place < 3 {
            let Corner { hex, vertex } = CORNERS[gap][place];
            all[hex as usize][vertex as usize] = Touch {
                gap: gap as u8,
                place: place as u8,
            };
            place += 1;
        }
        gap += 1;
    }
    all
};

/// The corners of a small gap, in its own order.
#[inline]
pub fn corners(gap: usize) -> &'static [Corner; 3] {
    &CORNERS[gap]
}

/// The small gaps at the six vertices of a hexagonal gap.
#[inline]
pub(super) fn touches(hex: usize) -> &'static [Touch; 6] {
    &TOUCHES[hex]
}

/// The small gap at a vertex (from 0) of a hexagonal gap; `None` at the rim.
pub fn small_gap_at(hex: usize, vertex: usize) -> Option<usize> {
    let gap = TOUCHES.get(hex)?.get(vertex)?.gap;
    (gap != NO_GAP).then_some(gap.into())
}

/// Axial coordinates (q, r) of a hexagonal gap.
pub fn place(hex: usize) -> (i8, i8) {
    PLACES[hex]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gaps_are_those_of_the_data_files() {
        let mut count = 0;
        for (hex, line) in include_str!("../../../../data/iwoki/hex_gaps.csv")
            .lines()
            .skip(1)
            .enumerate()
        {
            let mut row = line.split(',');
            assert_eq!(row.next().unwrap()[1..].parse(), Ok(hex + 1));
            assert_eq!(
                (row.next().unwrap().parse(), row.next().unwrap().parse()),
                (Ok(place(hex).0), Ok(place(hex).1))
            );
            count += 1;
        }
        assert_eq!(count, HEX_GAPS);
        count = 0;
        for (gap, line) in include_str!("../../../../data/iwoki/small_gaps.csv")
            .lines()
            .skip(1)
            .enumerate()
        {
            let row: heapless::Vec<_, 7> = line.split(',').collect();
            for (corner, pair) in corners(gap).iter().zip(row[1..].chunks(2)) {
                assert_eq!(pair[0][1..].parse(), Ok(corner.hex + 1), "{line}");
                assert_eq!(pair[1].parse(), Ok(corner.vertex + 1), "{line}");
            }
            count += 1;
        }
        assert_eq!(count, SMALL_GAPS);
    }

    #[test]
    fn small_gaps_lie_where_the_geometry_puts_them() {
        const ROUND: [(i8, i8); 6] = [(0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0)];
        for gap in 0..SMALL_GAPS {
            let [a, b, c] = corners(gap).map(|corner| place(corner.hex.into()));
            let step = |(q, r): (i8, i8), way: usize| (q + ROUND[way % 6].0, r + ROUND[way % 6].1);
            let vertex = usize::from(corners(gap)[0].vertex) + 1;
            assert_eq!([b, c], [step(a, vertex), step(a, vertex + 1)], "gap {gap}");
        }
        // No two corners share a vertex: all of them are found again.
        let touched = (0..HEX_GAPS)
            .flat_map(touches)
            .filter(|touch| touch.gap != NO_GAP)
            .count();
        assert_eq!(touched, 3 * SMALL_GAPS);
    }
}

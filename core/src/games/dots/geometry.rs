//! Tables of where edges and boxes lie, computed at compile time.

use super::{MAX_EDGES, SIDE};

/// Where an edge lies: rows and columns as in [`super::Edge::horizontal`] and
/// [`super::Edge::vertical`].
#[derive(Clone, Copy, Debug)]
pub(super) struct EdgePlace {
    pub(super) vertical: bool,
    pub(super) row: u8,
    pub(super) col: u8,
}

/// The place of each edge, by its index.
pub(super) const EDGES: [EdgePlace; MAX_EDGES] = {
    let mut edges = [EdgePlace {
        vertical: false,
        row: 0,
        col: 0,
    }; MAX_EDGES];
    let mut count = 0;
    // Shell `n` holds the edges that the n×n board adds to the next smaller one.
    let mut shell = 1;
    while shell <= SIDE {
        let mut vertical = false;
        loop {
            let mut row = 0;
            while row <= SIDE {
                let mut col = 0;
                while col <= SIDE {
                    // Side of the smallest square board that has this edge.
                    let (rows, cols) = if vertical {
                        (row + 1, col)
                    } else {
                        (row, col + 1)
                    };
                    let needs = if rows > cols { rows } else { cols };
                    if needs == shell {
                        edges[count] = EdgePlace {
                            vertical,
                            row: row as u8,
                            col: col as u8,
                        };
                        count += 1;
                    }
                    col += 1;
                }
                row += 1;
            }
            if vertical {
                break;
            }
            vertical = true;
        }
        shell += 1;
    }
    edges
};

/// Index of the horizontal edge in each row and column.
pub(super) const HORIZONTAL: [[u8; SIDE]; SIDE + 1] = {
    let mut index = [[0; SIDE]; SIDE + 1];
    let mut i = 0;
    while i < MAX_EDGES {
        let EdgePlace { vertical, row, col } = EDGES[i];
        if !vertical {
            index[row as usize][col as usize] = i as u8;
        }
        i += 1;
    }
    index
};

/// Index of the vertical edge in each row and column.
pub(super) const VERTICAL: [[u8; SIDE + 1]; SIDE] = {
    let mut index = [[0; SIDE + 1]; SIDE];
    let mut i = 0;
    while i < MAX_EDGES {
        let EdgePlace { vertical, row, col } = EDGES[i];
        if vertical {
            index[row as usize][col as usize] = i as u8;
        }
        i += 1;
    }
    index
};

/// Row and column of each box, numbered by shells like the edges.
const PLACES: [(u8, u8); SIDE * SIDE] = {
    let mut places = [(0, 0); SIDE * SIDE];
    let mut count = 0;
    let mut shell = 0;
    while shell < SIDE {
        let mut row = 0;
        while row <= shell {
            let mut col = 0;
            while col <= shell {
                if row == shell || col == shell {
                    places[count] = (row as u8, col as u8);
                    count += 1;
                }
                col += 1;
            }
            row += 1;
        }
        shell += 1;
    }
    places
};

/// Row and column of a box.
pub(super) const fn place_of_box(number: usize) -> (u8, u8) {
    PLACES[number]
}

/// Number of the box in each row and column.
pub(super) const BOX_AT: [[u8; SIDE]; SIDE] = {
    let mut numbers = [[0; SIDE]; SIDE];
    let mut i = 0;
    while i < SIDE * SIDE {
        let (row, col) = PLACES[i];
        numbers[row as usize][col as usize] = i as u8;
        i += 1;
    }
    numbers
};

/// Sentinel, the edge set of a missing box: never all drawn, since no board has the upper bits.
pub(crate) const NO_BOX: u64 = u64::MAX;

/// Edge set of each box by number, with [`NO_BOX`] at the end.
pub(super) const BOX_EDGES: [u64; SIDE * SIDE + 1] = {
    let mut boxes = [NO_BOX; SIDE * SIDE + 1];
    let mut i = 0;
    while i < SIDE * SIDE {
        let (row, col) = (PLACES[i].0 as usize, PLACES[i].1 as usize);
        boxes[i] = 1 << HORIZONTAL[row][col]
            | 1 << HORIZONTAL[row + 1][col]
            | 1 << VERTICAL[row][col]
            | 1 << VERTICAL[row][col + 1];
        i += 1;
    }
    boxes
};

/// Numbers of the two boxes that border each edge; at the rim 25, which [`BOX_EDGES`] maps to
/// [`NO_BOX`].
pub(super) const BOXES_OF: [[u8; 2]; MAX_EDGES] = {
    let mut boxes = [[(SIDE * SIDE) as u8; 2]; MAX_EDGES];
    let mut i = 0;
    while i < MAX_EDGES {
        let mut number = 0;
        let mut found = 0;
        while number < SIDE * SIDE {
            if BOX_EDGES[number] >> i & 1 == 1 {
                boxes[i][found] = number as u8;
                found += 1;
            }
            number += 1;
        }
        i += 1;
    }
    boxes
};

/// Edge set of each board, by its rows and columns less one.
pub(super) const ALL: [[u64; SIDE]; SIDE] = {
    let mut all = [[0; SIDE]; SIDE];
    let mut number = 0;
    while number < SIDE * SIDE {
        let (row, col) = (PLACES[number].0 as usize, PLACES[number].1 as usize);
        // A board has the edges of all its boxes.
        let mut rows = row;
        while rows < SIDE {
            let mut cols = col;
            while cols < SIDE {
                all[rows][cols] |= BOX_EDGES[number];
                cols += 1;
            }
            rows += 1;
        }
        number += 1;
    }
    all
};

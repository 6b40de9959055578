//! The Q-table of the 2×2 board under its eight symmetries: one row for each class of equivalent
//! edge sets, with a value for each free edge of its representative.

use super::geometry::{EDGES as PLACES, EdgePlace, HORIZONTAL, VERTICAL};
use super::two_by_two::{EDGES, SETS};

/// Symmetries of the square.
const SYMMETRIES: usize = 8;
/// Classes of equivalent edge sets.
pub const CLASSES: usize = 570;
/// Values in the table.
pub const VALUES: usize = FIRST[CLASSES] as usize;

/// The image of each edge under each symmetry: mirrored by rows, by columns, then transposed.
const IMAGE: [[u8; EDGES]; SYMMETRIES] = {
    let mut image = [[0; EDGES]; SYMMETRIES];
    let mut symmetry = 0;
    while symmetry < SYMMETRIES {
        let mut edge = 0;
        while edge < EDGES {
            let EdgePlace { vertical, row, col } = PLACES[edge];
            let (mut row, mut col) = (row as usize, col as usize);
            if symmetry & 1 != 0 {
                row = 2 - vertical as usize - row;
            }
            if symmetry & 2 != 0 {
                col = 2 - !vertical as usize - col;
            }
            let transposed = symmetry & 4 != 0;
            if transposed {
                (row, col) = (col, row);
            }
            image[symmetry][edge] = if vertical != transposed {
                VERTICAL[row][col]
            } else {
                HORIZONTAL[row][col]
            };
            edge += 1;
        }
        symmetry += 1;
    }
    image
};

/// The image of an edge set.
const fn image(edges: u16, symmetry: usize) -> u16 {
    let (mut left, mut image) = (edges, 0);
    while left != 0 {
        image |= 1 << IMAGE[symmetry][left.trailing_zeros() as usize % EDGES];
        left &= left - 1;
    }
    image
}

/// The representative of each class: its lowest number, in rising order.
#[allow(
    long_running_const_eval,
    reason = "eight images of each of 4,096 sets, when it is compiled"
)]
static REPRESENTATIVES: [u16; CLASSES] = {
    let mut all = [0; CLASSES];
    let (mut count, mut set) = (0, 0);
    while set < SETS as u16 {
        let (mut symmetry, mut lowest) = (1, true);
        while symmetry < SYMMETRIES && lowest {
            lowest = image(set, symmetry) >= set;
            symmetry += 1;
        }
        if lowest {
            all[count] = set;
            count += 1;
        }
        set += 1;
    }
    assert!(count == CLASSES);
    all
};

/// Where the row of each class begins, and at the end how many values there are.
const FIRST: [u16; CLASSES + 1] = {
    let mut first = [0; CLASSES + 1];
    let mut class = 0;
    while class < CLASSES {
        first[class + 1] = first[class] + EDGES as u16 - REPRESENTATIVES[class].count_ones() as u16;
        class += 1;
    }
    first
};

/// The same, where programs read it.
static ROWS: [u16; CLASSES + 1] = FIRST;

/// The place of a free edge's value, below [`VALUES`].
pub fn place(edges: u16, edge: u8) -> usize {
    let (mut lowest, mut by) = (edges, 0);
    for symmetry in 1..SYMMETRIES {
        let other = image(edges, symmetry);
        if other < lowest {
            (lowest, by) = (other, symmetry);
        }
    }
    let class = REPRESENTATIVES.partition_point(|&set| set < lowest) % CLASSES;
    let edge = IMAGE[by][usize::from(edge) % EDGES];
    let before = !lowest & ((1 << edge) - 1);
    (usize::from(ROWS[class]) + before.count_ones() as usize) % VALUES
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, GameMove, Player};
    use crate::games::dots::two_by_two::FULL;
    use crate::games::dots::{Dots, DotsRules, Edge};

    #[test]
    fn equivalent_edges_share_a_value_and_no_others_do() {
        // Each place is one edge of one class: all its edge sets are images of each other.
        let mut owner = [None; VALUES];
        for edges in 0..FULL {
            for edge in (0..EDGES as u8).filter(|edge| edges >> edge & 1 == 0) {
                let class = (0..SYMMETRIES).map(|number| image(edges, number)).min();
                let found = owner[place(edges, edge)].get_or_insert(class);
                assert_eq!(*found, class);
            }
        }
        assert!(owner.iter().all(Option::is_some), "every place is used");
    }

    #[test]
    fn the_images_are_those_of_the_game() {
        let rules = DotsRules::default();
        for edges in (0..FULL).step_by(7) {
            let game = Dots::with_edges(rules, edges.into(), Player::First, Player::First);
            for (symmetry, images) in IMAGE.iter().enumerate() {
                let transformed = game.transformed(symmetry);
                assert_eq!(transformed.edges() as u16, image(edges, symmetry));
                for edge in (0..EDGES as u16).filter_map(Edge::from_index) {
                    let moved = game.transformed_move(edge, symmetry).index();
                    assert_eq!(moved, images[usize::from(edge.index())].into());
                }
            }
        }
    }

    #[test]
    fn the_table_is_as_large_as_documented() {
        assert_eq!((CLASSES, VALUES), (570, 3_420));
    }
}

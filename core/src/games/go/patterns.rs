//! 3×3 patterns around a move for playouts: hane, cuts, blocks at the edge.
//!
//! They follow the kinds that Gelly, Wang, Munos and Teytaud describe for MoGo ("Modification of
//! UCT with Patterns in Monte-Carlo Go", 2006). All rotated, mirrored and colour-swapped forms are
//! computed at compile time: one bit for each of the 65,536 codes of
//! [`Board::codes`](super::board::Board).

/// The eight points around the move, row by row from the top, the move itself as `+`. `X` and `O`
/// are stones of different players, `.` is empty, `-` off the board, `x` anything but `X`, `o`
/// anything but `O`, `?` anything.
const SHAPES: [[&[u8; 3]; 3]; 13] = [
    // Hane around a stone that is held on both sides.
    [b"XOX", b".+.", b"???"],
    // Hane at the head of a single stone.
    [b"XO.", b".+.", b"?.?"],
    // Bending around a stone next to an own pair.
    [b"XO?", b"X+.", b"x.?"],
    // Leaning on a stone from the side, in the open.
    [b".O.", b"X+.", b"..."],
    // Cutting where the other side is not protected.
    [b"XO?", b"O+o", b"?o?"],
    // Cutting or connecting after a peep.
    [b"XO?", b"O+X", b"???"],
    // Cutting between two stones in a line.
    [b"?X?", b"O+O", b"ooo"],
    // Cutting a knight's move.
    [b"OX?", b"o+O", b"???"],
    // At the edge: following down,
    [b"X.?", b"O+?", b"---"],
    // stopping a cut,
    [b"OX?", b"X+O", b"---"],
    // stopping a connection,
    [b"?X?", b"x+O", b"---"],
    // descending,
    [b"?XO", b"x+x", b"---"],
    // and cutting.
    [b"?OX", b"X+O", b"---"],
];

/// Bits of a code for the cells of a pattern, row by row from the top: see `AROUND`.
const SHIFTS: [[u8; 3]; 3] = [[14, 2, 10], [4, 0, 6], [8, 0, 12]];

/// The colours that a mark of a pattern matches: bit 0 empty, bits 1 and 2 the players, bit 3 the
/// edge.
const fn allowed(mark: u8, swapped: bool) -> u8 {
    let (x, o) = if swapped { (4, 2) } else { (2, 4) };
    match mark {
        b'X' => x,
        b'O' => o,
        b'.' => 1,
        b'-' => 8,
        b'x' => 15 & !x,
        b'o' => 15 & !o,
        _ => 15,
    }
}

/// The mark at a place of the transformed pattern.
const fn turned(shape: &[&[u8; 3]; 3], symmetry: u8, row: usize, col: usize) -> u8 {
    let (mut r, mut c) = (row, col);
    if symmetry & 1 != 0 {
        r = 2 - r;
    }
    if symmetry & 2 != 0 {
        c = 2 - c;
    }
    if symmetry & 4 != 0 {
        (r, c) = (c, r);
    }
    shape[r][c]
}

/// Sets the bits of all codes that match the cells from `place` on.
const fn fill(table: &mut [u32; 2048], cells: &[(u8, u8); 8], place: usize, code: u16) {
    if place == 8 {
        table[(code >> 5) as usize] |= 1 << (code & 31);
        return;
    }
    let (shift, set) = cells[place];
    let mut colour = 0;
    while colour < 4 {
        if set >> colour & 1 == 1 {
            fill(table, cells, place + 1, code | colour << shift);
        }
        colour += 1;
    }
}

static TABLE: [u32; 2048] = {
    let mut table = [0; 2048];
    let mut number = 0;
    while number < SHAPES.len() * 16 {
        let (shape, symmetry, swapped) =
            (&SHAPES[number / 16], (number % 8) as u8, number % 16 >= 8);
        let mut cells = [(0, 0); 8];
        let (mut place, mut filled) = (0, 0);
        while place < 9 {
            let (row, col) = (place / 3, place % 3);
            if place != 4 {
                cells[filled] = (
                    SHIFTS[row][col],
                    allowed(turned(shape, symmetry, row, col), swapped),
                );
                filled += 1;
            }
            place += 1;
        }
        fill(&mut table, &cells, 0, 0);
        number += 1;
    }
    table
};

/// Whether a move between these eight colours matches a pattern.
#[inline]
pub(crate) fn is_shape(code: u16) -> bool {
    TABLE[usize::from(code >> 5)] >> (code & 31) & 1 == 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::go::board::{Board, cell_of};
    use crate::games::go::{Go, GoRules, Point};

    /// Whether the middle of a 5×5 board, or the lowest row of it, is a shape.
    fn is_shape_at(diagram: &str, point: &str) -> bool {
        let game = Go::parse_position(GoRules::new(5).unwrap(), diagram).unwrap();
        (0..8)
            .flat_map(|symmetry| {
                let image = game.transformed(symmetry);
                let at = Point::parse(point).unwrap().transformed(5, symmetry);
                [is_shape(Board::new(&image).code_at(cell_of(at)))]
            })
            .fold(None, |all: Option<bool>, one| {
                assert!(
                    all.is_none_or(|all| all == one),
                    "symmetric positions have the same shapes"
                );
                Some(one)
            })
            .unwrap()
    }

    #[test]
    fn shapes_are_found_in_every_direction() {
        assert!(is_shape_at("...../.XOX./...../...../..... black", "C3"));
        assert!(is_shape_at("...../.OXO./...../...../..... black", "C3"));
        assert!(is_shape_at("...../.XO../.O.../...../..... black", "C3"));
        assert!(!is_shape_at("...../...../...../...../..... black", "C3"));
        assert!(!is_shape_at("...../...../.O.../...../..... black", "C3"));
        assert!(is_shape_at("...../...../...../.OX../.X.O. black", "C1"));
        assert!(!is_shape_at("...../...../...../...../..... black", "C1"));
    }
}

//! The crest of a model: a picture of its checksum, so that two models are told apart at a glance.

/// Cells on a side of a crest.
pub const CELLS: usize = 2 * HALF;

const HALF: usize = 7;

/// A crest: the checksum, mirrored eight times in a ring. Each row has a bit for each of its cells.
pub fn crest(checksum: u32) -> [u16; CELLS] {
    let mut rows = [0; CELLS];
    let mut bits = checksum;
    for far in 0..HALF {
        for near in 0..=far {
            let is_set = bits & 1 == 1;
            bits = bits.rotate_right(1);
            // Outside of the ring.
            if !is_set || far * far + near * near > HALF * HALF - HALF {
                continue;
            }
            for (x, y) in [(far, near), (near, far)] {
                for (row, cells) in rows.iter_mut().enumerate() {
                    if row == HALF + y || row == HALF - 1 - y {
                        *cells |= 1 << (HALF + x) | 1 << (HALF - 1 - x);
                    }
                }
            }
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crest_is_mirrored_eight_times_and_round() {
        for checksum in [0xf4dd_0942, 0xffff_ffff, 1, 0x6c14_7b0d] {
            let rows = crest(checksum);
            let cell = |x: usize, y: usize| rows[y] >> x & 1 == 1;
            for (x, y) in (0..CELLS).flat_map(|y| (0..CELLS).map(move |x| (x, y))) {
                assert_eq!(cell(x, y), cell(y, x));
                assert_eq!(cell(x, y), cell(CELLS - 1 - x, y));
                assert_eq!(cell(x, y), cell(x, CELLS - 1 - y));
            }
            assert!(!cell(0, 0), "a corner is outside of the ring");
        }
        assert_eq!(crest(0), [0; CELLS]);
        assert_ne!(crest(0xf4dd_0942), crest(0xf4dd_0943));
        // The first bit is the four cells in the middle.
        assert_eq!(crest(1)[HALF], crest(1)[HALF - 1]);
        assert_eq!(crest(1)[HALF] & 0b11 << (HALF - 1), 0b11 << (HALF - 1));
    }
}

//! Pictures as characters: blocks of two colours, or letters where there is neither colour nor
//! Unicode.

use crate::terminal::raster::{Raster, Rgb};

/// The characters that a picture is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyphs {
    /// Blanks in colour, or letters from light to dark
    Ascii,
    /// One pixel wide, two high
    Halves,
    /// Two by two
    Quadrants,
    /// Two by three: Unicode 13
    Sextants,
}

impl Glyphs {
    /// Pixels across and down in one character.
    pub const fn shape(self) -> (u32, u32) {
        match self {
            Glyphs::Ascii => (1, 1),
            Glyphs::Halves => (1, 2),
            Glyphs::Quadrants => (2, 2),
            Glyphs::Sextants => (2, 3),
        }
    }

    /// The character whose pixels of these bits, row by row, have its own colour.
    pub(crate) fn glyph(self, pattern: u32) -> char {
        const HALVES: [char; 4] = [' ', '▀', '▄', '█'];
        const QUADRANTS: [char; 16] = [
            ' ', '▘', '▝', '▀', '▖', '▌', '▞', '▛', '▗', '▚', '▐', '▜', '▄', '▙', '▟', '█',
        ];
        const FIRST_SEXTANT: u32 = 0x1FB00;
        match (self, pattern) {
            (_, 0) => ' ',
            (Glyphs::Ascii, _) => ' ',
            (Glyphs::Halves, _) => HALVES[pattern as usize % 4],
            (Glyphs::Quadrants, _) => QUADRANTS[pattern as usize % 16],
            // These were in Unicode before the others.
            (Glyphs::Sextants, 21) => '▌',
            (Glyphs::Sextants, 42) => '▐',
            (Glyphs::Sextants, 63) => '█',
            (Glyphs::Sextants, _) => {
                let older = 1 + u32::from(pattern > 21) + u32::from(pattern > 42);
                char::from_u32(FIRST_SEXTANT + pattern - older).unwrap_or(' ')
            }
        }
    }
}

/// A character, its colour and the colour behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The character.
    pub glyph: char,
    /// Its own colour.
    pub front: Rgb,
    /// The colour behind it.
    pub back: Rgb,
}

/// The picture in a number of columns and lines, line by line.
pub fn blocks(raster: &Raster, glyphs: Glyphs, (columns, lines): (u16, u16)) -> Vec<Block> {
    let (across, down) = glyphs.shape();
    let (wide, high) = (u32::from(columns) * across, u32::from(lines) * down);
    let cells = (0..u32::from(lines))
        .flat_map(|line| (0..u32::from(columns)).map(move |column| (column, line)));
    cells
        .map(|(column, line)| {
            let pixels: Vec<Rgb> = (0..across * down)
                .map(|pixel| {
                    let x = column * across + pixel % across;
                    let y = line * down + pixel / across;
                    mean(raster, (x, wide), (y, high))
                })
                .collect();
            let (pattern, front, back) = split(&pixels);
            Block {
                glyph: glyphs.glyph(pattern),
                front,
                back,
            }
        })
        .collect()
}

/// A letter that is about as bright as the colour.
pub fn shade([r, g, b]: Rgb) -> char {
    const RAMP: &[u8] = b" .:-=+*#%@";
    let light = (u32::from(r) * 2126 + u32::from(g) * 7152 + u32::from(b) * 722) / 10_000;
    char::from(RAMP[light as usize * RAMP.len() / 256])
}

/// The mean colour of one part of the picture that is cut into equal parts, `(number, of all)` in
/// either direction; a picture with fewer pixels has them repeated.
fn mean(raster: &Raster, x: (u32, u32), y: (u32, u32)) -> Rgb {
    let range = |(part, parts): (u32, u32), size: u32| {
        let from = part * size / parts.max(1);
        from..((part + 1) * size / parts.max(1)).max(from + 1)
    };
    let mut sums = [0u32; 3];
    let mut count = 0;
    for y in range(y, raster.height) {
        for x in range(x, raster.width) {
            for (sum, channel) in sums.iter_mut().zip(raster.at(x, y)) {
                *sum += u32::from(channel);
            }
            count += 1;
        }
    }
    sums.map(|sum| ((sum + count / 2) / count.max(1)) as u8)
}

/// The pixels in two colours with the least error: which have the first, and both colours.
fn split(pixels: &[Rgb]) -> (u32, Rgb, Rgb) {
    // The last pixel is always behind: a pattern and its opposite look the same.
    let patterns = 0..1u32 << (pixels.len() - 1);
    let of = |pattern: u32, side: u32| {
        let pixels = pixels.iter().enumerate();
        pixels.filter_map(move |(bit, rgb)| (pattern >> bit & 1 == side).then_some(*rgb))
    };
    let colour = |pattern, side| -> Rgb {
        let count = of(pattern, side).count().max(1) as u32;
        [0, 1, 2].map(|channel| {
            let sum: u32 = of(pattern, side).map(|rgb| u32::from(rgb[channel])).sum();
            ((sum + count / 2) / count) as u8
        })
    };
    let error = |pattern| -> u32 {
        let side = |side| -> u32 {
            let mean = colour(pattern, side);
            of(pattern, side).map(|rgb| distance(rgb, mean)).sum()
        };
        side(0) + side(1)
    };
    let best = patterns.min_by_key(|&pattern| error(pattern)).unwrap_or(0);
    (best, colour(best, 1), colour(best, 0))
}

/// How much two colours differ; green counts most, as it does for eyes.
pub(super) fn distance(a: Rgb, b: Rgb) -> u32 {
    let square = |channel: usize| u32::from(a[channel].abs_diff(b[channel])).pow(2);
    2 * square(0) + 4 * square(1) + 3 * square(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_pattern_has_a_character_of_its_own() {
        for (glyphs, count) in [
            (Glyphs::Halves, 4),
            (Glyphs::Quadrants, 16),
            (Glyphs::Sextants, 64),
        ] {
            let letters: HashSet<char> = (0..count).map(|pattern| glyphs.glyph(pattern)).collect();
            assert_eq!(letters.len(), count as usize, "{glyphs:?}");
        }
        // From the chart of U+1FB00: sextants 1, 2, 12 and 23456.
        let named = [1, 2, 3, 62].map(|pattern| Glyphs::Sextants.glyph(pattern) as u32);
        assert_eq!(named, [0x1FB00, 0x1FB01, 0x1FB02, 0x1FB3B]);
    }

    #[test]
    fn two_colours_are_kept_exactly() {
        let (ink, paper) = ([238, 90, 74], [23, 21, 33]);
        for pattern in 0..32u32 {
            let pixels: Vec<Rgb> = (0..6)
                .map(|bit| if pattern >> bit & 1 == 1 { ink } else { paper })
                .collect();
            let (found, front, back) = split(&pixels);
            assert_eq!((found, back), (pattern, paper));
            assert!(pattern == 0 || front == ink);
        }
    }
}

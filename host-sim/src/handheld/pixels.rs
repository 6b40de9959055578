//! Frames as characters: two pixels a cell with half blocks, or eight with braille.

use dojo_handheld::{Frame, Ink, Screen};

/// How pixels become characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cells {
    /// One pixel wide, two high.
    HalfBlocks,
    /// Two pixels wide, four high; lit or not.
    Braille,
}

impl Cells {
    /// Pixels across and down in one cell.
    const fn shape(self) -> (u32, u32) {
        match self {
            Cells::HalfBlocks => (1, 2),
            Cells::Braille => (2, 4),
        }
    }

    /// Columns and lines that a display takes.
    pub fn size(self, screen: Screen) -> (u16, u16) {
        let (pixels, (across, down)) = (screen.size(), self.shape());
        (
            (pixels.width / across) as u16,
            (pixels.height / down) as u16,
        )
    }

    /// The cell in a column and line of the picture.
    pub fn cell(self, frame: &Frame, column: u16, line: u16) -> Cell {
        let (across, down) = self.shape();
        let (x, y) = (u32::from(column) * across, u32::from(line) * down);
        match self {
            Cells::HalfBlocks => Cell {
                letter: '▀',
                upper: frame.pixel(x, y),
                lower: frame.pixel(x, y + 1),
            },
            Cells::Braille => {
                // Dots 1 to 8 of a braille cell, by their bit in the code point.
                const DOTS: [(u32, u32); 8] = [
                    (0, 0),
                    (0, 1),
                    (0, 2),
                    (1, 0),
                    (1, 1),
                    (1, 2),
                    (0, 3),
                    (1, 3),
                ];
                let dots = DOTS.iter().enumerate().fold(0, |dots, (bit, (dx, dy))| {
                    dots | u32::from(frame.pixel(x + dx, y + dy).is_lit()) << bit
                });
                let letter = char::from_u32(0x2800 + dots).unwrap_or(' ');
                Cell {
                    letter,
                    upper: Ink::Paper,
                    lower: Ink::Night,
                }
            }
        }
    }
}

/// A character with its colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// What to print.
    pub letter: char,
    /// Its own colour, of the upper pixel.
    pub upper: Ink,
    /// The colour behind it, of the lower pixel.
    pub lower: Ink,
}

/// A mono picture as lines of braille.
pub fn braille(frame: &Frame) -> String {
    let (columns, lines) = Cells::Braille.size(frame.screen());
    let line =
        |line| (0..columns).map(move |column| Cells::Braille.cell(frame, column, line).letter);
    (0..lines).flat_map(|y| line(y).chain(['\n'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_handheld::{Console, Event};

    #[test]
    fn braille_shows_every_lit_pixel_once() {
        let mut frame = Frame::new(Screen::Oled);
        let mut console = Console::new(1);
        console.handle(Event::Ready);
        console.draw(&mut frame);
        let lit = (0..64)
            .flat_map(|y| (0..128).map(move |x| (x, y)))
            .filter(|&(x, y)| frame.pixel(x, y).is_lit());
        let dots: u32 = braille(&frame)
            .chars()
            .filter(|&c| c != '\n')
            .map(|c| (c as u32 - 0x2800).count_ones())
            .sum();
        assert_eq!(dots as usize, lit.count());
        assert_eq!(Cells::Braille.size(Screen::Oled), (64, 16));
    }
}

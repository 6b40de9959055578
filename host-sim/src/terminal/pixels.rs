//! Lit pixels as characters, for mono pictures.

use dojo_handheld::Frame;

use crate::terminal::blocks::Glyphs;

/// The block whose parts are the lit pixels, in a column and line of the picture.
pub fn lit_block(frame: &Frame, glyphs: Glyphs, column: u16, line: u16) -> char {
    let (across, down) = glyphs.shape();
    let (left, top) = (u32::from(column) * across, u32::from(line) * down);
    glyphs.glyph((0..across * down).fold(0, |pattern, pixel| {
        let (x, y) = (left + pixel % across, top + pixel / across);
        pattern | u32::from(frame.pixel(x, y).is_lit()) << pixel
    }))
}

/// Two by four lit pixels as dots.
pub fn lit_dots(frame: &Frame, column: u16, line: u16) -> char {
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
    let (x, y) = (u32::from(column) * 2, u32::from(line) * 4);
    let dots = DOTS.iter().enumerate().fold(0, |dots, (bit, (dx, dy))| {
        dots | u32::from(frame.pixel(x + dx, y + dy).is_lit()) << bit
    });
    char::from_u32(0x2800 + dots).unwrap_or(' ')
}

/// A mono picture as lines of braille.
pub fn braille(frame: &Frame) -> String {
    let size = frame.screen().size();
    let (columns, lines) = ((size.width / 2) as u16, (size.height / 4) as u16);
    let line = |line| (0..columns).map(move |column| lit_dots(frame, column, line));
    (0..lines).flat_map(|y| line(y).chain(['\n'])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_handheld::{Console, Event, Screen};

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
        assert_eq!(braille(&frame).lines().count(), 16);
    }
}

//! The faces: proportional letters with kerning and tabular figures, two for each display.
//!
//! Each is drawn in a text file beside this one, one file a face; `build.rs` packs them.

use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::frame::{Frame, Ink};

include!(concat!(env!("OUT_DIR"), "/faces.rs"));

/// A glyph: its width, and its rows from `top` on, packed row by row from the byte `at`.
struct Glyph {
    letter: u16,
    at: u16,
    width: u8,
    top: u8,
    rows: u8,
}

struct FaceData {
    cap: u8,
    height: u8,
    gap: u8,
    space: u8,
    lead: u8,
    /// In the order of their letters.
    glyphs: &'static [Glyph],
    /// Pairs and the pixels by which they stand closer, in order.
    kerning: &'static [(u16, u16, u8)],
    bits: &'static [u8],
}

/// Stands for letters that a face lacks.
const MISSING: u16 = '?' as u16;

impl FaceData {
    fn glyph(&self, letter: char) -> Option<&'static Glyph> {
        let letter = u16::try_from(u32::from(letter)).unwrap_or(MISSING);
        let find = |letter| {
            let at = self
                .glyphs
                .binary_search_by_key(&letter, |glyph| glyph.letter);
            at.ok().and_then(|at| self.glyphs.get(at))
        };
        find(letter).or_else(|| find(MISSING))
    }

    fn kern(&self, left: char, right: char) -> i32 {
        let pair = (left as u16, right as u16);
        let at = self
            .kerning
            .binary_search_by_key(&pair, |&(left, right, _)| (left, right));
        at.ok()
            .and_then(|at| self.kerning.get(at))
            .map_or(0, |&(_, _, by)| by.into())
    }
}

/// A face.
#[derive(Clone, Copy)]
pub(crate) struct Face {
    data: &'static FaceData,
    /// Pixels that every letter is wider than drawn: tests widen a face to see texts overflow.
    extra: u8,
}

/// The faces by what they are for; all text of a display but titles, scores and results is set in
/// its body.
pub(crate) const FACES: [Face; 4] = [
    Face::of(&LCD_BODY),
    Face::of(&LCD_DISPLAY),
    Face::of(&OLED_BODY),
    Face::of(&OLED_TITLE),
];

/// The numbers of tiles that are too small for a face.
pub(crate) const TINY_DIGITS: Face = Face::of(&TILE_DIGITS);

impl Face {
    const fn of(data: &'static FaceData) -> Face {
        Face { data, extra: 0 }
    }

    /// Its size in flash.
    #[cfg(test)]
    pub(crate) fn bytes(self) -> usize {
        let FaceData {
            glyphs,
            kerning,
            bits,
            ..
        } = self.data;
        size_of::<FaceData>() + size_of_val(*glyphs) + size_of_val(*kerning) + bits.len()
    }

    /// The face with this much more space behind every letter.
    pub(crate) const fn widened(self, extra: u8) -> Face {
        Face { extra, ..self }
    }

    /// Height of capitals and figures.
    pub(crate) fn cap(self) -> i32 {
        self.data.cap.into()
    }

    /// From the top of capitals to the bottom of descenders.
    pub(crate) fn height(self) -> i32 {
        self.data.height.into()
    }

    /// From a line of text to the next.
    pub(crate) fn line(self) -> i32 {
        self.height() + i32::from(self.data.lead)
    }

    /// Width of a text, without the gap behind its last letter.
    pub(crate) fn width(self, text: &str) -> i32 {
        self.layout(text)
            .last()
            .map_or(0, |(x, _, width)| x + width + i32::from(self.extra))
    }

    /// The letters of a text with their places and widths.
    fn layout(self, text: &str) -> impl Iterator<Item = (i32, Option<&'static Glyph>, i32)> {
        let (mut x, mut before) = (0, None);
        text.chars().map(move |letter| {
            let glyph = (letter != ' ').then(|| self.data.glyph(letter)).flatten();
            let width = glyph.map_or(self.data.space, |glyph| glyph.width).into();
            let gap = if letter == ' ' { 0 } else { self.data.gap };
            if let Some(before) = before {
                x -= self.data.kern(before, letter);
            }
            let at = x;
            // A space is narrow: the gaps of its neighbours add to it.
            x += width + i32::from(gap) + i32::from(self.extra);
            before = Some(letter);
            (at, glyph, width)
        })
    }

    /// Bytes of the longest beginning of a text that is at most this wide.
    pub(crate) fn fitting(self, text: &str, width: i32) -> usize {
        let mut bytes = text
            .char_indices()
            .map(|(at, letter)| at + letter.len_utf8());
        self.layout(text)
            .take_while(|(x, _, letter)| x + letter + i32::from(self.extra) <= width)
            .fold(0, |end, _| bytes.next().unwrap_or(end))
    }

    /// Draws a text with the top of its capitals at `at`; nothing outside of `place` is touched.
    /// Returns whether all of the text is inside.
    pub(crate) fn draw(
        self,
        text: &str,
        at: Point,
        place: Rectangle,
        ink: Ink,
        frame: &mut Frame,
    ) -> bool {
        let place = place.intersection(&frame.bounding_box());
        self.layout(text).fold(true, |is_inside, (x, glyph, _)| {
            let at = at + Point::new(x, 0);
            is_inside & glyph.is_none_or(|glyph| self.stamp(glyph, at, place, ink, frame))
        })
    }

    fn stamp(
        self,
        glyph: &Glyph,
        at: Point,
        place: Rectangle,
        ink: Ink,
        frame: &mut Frame,
    ) -> bool {
        let mut is_inside = true;
        let (width, top) = (i32::from(glyph.width), i32::from(glyph.top));
        let mut bit = 8 * usize::from(glyph.at);
        for y in 0..i32::from(glyph.rows) {
            for x in 0..width {
                let byte = self.data.bits.get(bit / 8).copied().unwrap_or_default();
                let point = at + Point::new(x, top + y);
                let is_ink = byte << (bit % 8) & 0x80 != 0;
                if is_ink && place.contains(point) {
                    frame.put(point, ink);
                }
                is_inside &= !is_ink || place.contains(point);
                bit += 1;
            }
        }
        is_inside
    }
}

/// The lines of a text in this face: paragraphs end at line feeds, lines at blanks, and words that
/// are too long are cut.
pub(crate) fn wrap(text: &str, face: Face, width: i32) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(move |paragraph| {
        let mut rest = Some(paragraph);
        core::iter::from_fn(move || {
            let text = rest?;
            let limit = face.fitting(text, width);
            if limit == text.len() {
                rest = None;
                return Some(text);
            }
            // A blank right behind the last letter that fits may end the line as well.
            let reach = text[limit..].starts_with(' ').then_some(limit);
            let first = text.chars().next().map_or(0, char::len_utf8);
            let end = reach
                .or_else(|| text[..limit].rfind(' '))
                .filter(|&end| end > 0)
                .unwrap_or(limit.max(first));
            rest = Some(text[end..].trim_start()).filter(|rest| !rest.is_empty());
            Some(text[..end].trim_end())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Screen;

    const BODY: Face = FACES[2];

    fn lines<'a>(text: &'a str, width: &str) -> heapless::Vec<&'a str, 16> {
        wrap(text, BODY, BODY.width(width)).collect()
    }

    #[test]
    fn text_wraps_at_blanks_and_cuts_only_long_words() {
        assert_eq!(
            lines("take the last stick", "take the"),
            ["take the", "last", "stick"]
        );
        assert_eq!(lines("abcdefghij k", "abcd"), ["abcd", "efgh", "ij k"]);
        assert_eq!(lines("one\n\ntwo", "one two"), ["one", "", "two"]);
        assert_eq!(lines("", "wide"), [""]);
        assert_eq!(lines("misère ist", "misère"), ["misère", "ist"]);
    }

    #[test]
    fn every_face_has_the_letters_that_texts_may_use() {
        let signs = "×–’…→±½èéäöüßÄÖÜ";
        for face in FACES {
            for letter in (' '..='~').skip(1).chain(signs.chars()) {
                let glyph = face.data.glyph(letter).unwrap();
                assert_eq!(u32::from(glyph.letter), u32::from(letter), "{letter}");
            }
        }
    }

    #[test]
    fn figures_are_tabular_and_pairs_are_kerned() {
        for face in FACES {
            let widths = ('0'..='9').map(|figure| face.data.glyph(figure).unwrap().width);
            let widths: heapless::Vec<u8, 10> = widths.collect();
            assert!(widths.iter().all(|width| *width == widths[0]), "{widths:?}");
            let apart = face.width("T") + face.width("o") + i32::from(face.data.gap);
            assert!(face.width("To") < apart);
            assert_eq!(face.widened(1).width("dojo"), face.width("dojo") + 4);
        }
    }

    #[test]
    fn a_letter_is_drawn_as_it_stands_in_its_file_and_only_inside_its_place() {
        let mut frame = Frame::new(Screen::Oled);
        let at = Point::new(3, 2);
        let everywhere = frame.bounding_box();
        assert!(BODY.draw("T", at, everywhere, Ink::Paper, &mut frame));
        let lit = |frame: &Frame| {
            (0..64 * 128)
                .filter(|i| frame.pixel(i % 128, i / 128).is_lit())
                .count()
        };
        assert_eq!(lit(&frame), 11);
        assert!((3..8).all(|x| frame.pixel(x, 2).is_lit()));
        assert!((2..9).all(|y| frame.pixel(5, y).is_lit()));
        let mut frame = Frame::new(Screen::Oled);
        let place = Rectangle::new(at, Size::new(2, 64));
        assert!(!BODY.draw("T", at, place, Ink::Paper, &mut frame));
        assert_eq!(lit(&frame), 2);
    }
}

//! Drawing for all screens: fonts and measures that follow from the size of the frame, and the few
//! shapes that screens are made of.

use core::fmt;

use dojo_core::belt::Belt;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle, iso_8859_1 as fonts};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{
    Circle, CornerRadii, Line, PrimitiveStyle, PrimitiveStyleBuilder, Rectangle, RoundedRectangle,
    StrokeAlignment, Triangle,
};
use embedded_graphics::text::{Alignment, Baseline, Text, TextStyleBuilder};

use crate::frame::{Frame, Ink};
use crate::input::Button;
use crate::touch::{Feeler, Target};

/// Fonts and measures for one size of display.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Whether there is room for key help, spacing and colour.
    pub(crate) roomy: bool,
    pub(crate) body: &'static MonoFont<'static>,
    pub(crate) strong: &'static MonoFont<'static>,
    pub(crate) small: &'static MonoFont<'static>,
    /// Height of a row in a list.
    pub(crate) row: i32,
    /// Height of the bar with the screen's name.
    pub(crate) header: i32,
    /// Height of the line with key help; 0 where there is none.
    pub(crate) footer: i32,
    pub(crate) margin: i32,
}

const COMPACT: Look = Look {
    roomy: false,
    body: &fonts::FONT_5X8,
    strong: &fonts::FONT_6X10,
    small: &fonts::FONT_4X6,
    row: 10,
    header: 13,
    footer: 0,
    margin: 2,
};

const ROOMY: Look = Look {
    roomy: true,
    body: &fonts::FONT_9X15,
    strong: &fonts::FONT_10X20,
    small: &fonts::FONT_7X13,
    row: 26,
    header: 36,
    footer: 24,
    margin: 8,
};

/// Where a text stands relative to its point: its top edge is there, and this side of it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Left,
    Centre,
    Right,
}

/// A line in a list.
#[derive(Clone, Copy, Default)]
pub(crate) struct Row<'a> {
    pub(crate) label: &'a str,
    pub(crate) value: &'a str,
    pub(crate) belt: Option<Belt>,
    /// Whether left and right change it.
    pub(crate) steps: bool,
}

impl<'a> Row<'a> {
    pub(crate) fn item(label: &'a str) -> Row<'a> {
        Row {
            label,
            ..Row::default()
        }
    }
}

/// A frame, the look for its size, and a listener for the text alternative.
pub(crate) struct Pen<'a> {
    pub(crate) frame: &'a mut Frame,
    pub(crate) look: Look,
    listener: Option<&'a mut dyn fmt::Write>,
    pub(crate) feeler: Option<&'a mut Feeler<'a>>,
}

/// Drawing into memory cannot fail.
fn done<T>(result: Result<T, core::convert::Infallible>) {
    let Ok(_) = result;
}

/// The colour of a belt.
pub(crate) fn belt_ink(belt: Belt) -> Ink {
    match belt {
        Belt::White => Ink::White,
        Belt::Yellow => Ink::Yellow,
        Belt::Green => Ink::Green,
        Belt::Brown => Ink::Brown,
        Belt::Black => Ink::Black,
    }
}

pub(crate) fn area(x: i32, y: i32, width: i32, height: i32) -> Rectangle {
    Rectangle::new(
        Point::new(x, y),
        Size::new(width.max(0) as u32, height.max(0) as u32),
    )
}

/// The rectangle without a border of `by` pixels.
pub(crate) fn inset(rectangle: Rectangle, by: i32) -> Rectangle {
    let size = rectangle.size;
    let at = rectangle.top_left + Point::new(by, by);
    area(
        at.x,
        at.y,
        size.width as i32 - 2 * by,
        size.height as i32 - 2 * by,
    )
}

impl<'a> Pen<'a> {
    pub(crate) fn new(frame: &'a mut Frame, listener: Option<&'a mut dyn fmt::Write>) -> Pen<'a> {
        let look = if frame.size().width < 200 {
            COMPACT
        } else {
            ROOMY
        };
        Pen {
            frame,
            look,
            listener,
            feeler: None,
        }
    }

    /// A pen that tells what can be touched.
    pub(crate) fn with_feeler(self, feeler: &'a mut Feeler<'a>) -> Pen<'a> {
        Pen {
            feeler: Some(feeler),
            ..self
        }
    }

    /// Writes a line of the text alternative; drawn texts do so by themselves.
    pub(crate) fn tell(&mut self, words: fmt::Arguments<'_>) {
        if let Some(listener) = &mut self.listener {
            // A listener whose buffer is full misses the rest.
            let _ = listener
                .write_fmt(words)
                .and_then(|()| listener.write_char('\n'));
        }
    }

    pub(crate) fn width(&self) -> i32 {
        self.frame.size().width as i32
    }

    pub(crate) fn height(&self) -> i32 {
        self.frame.size().height as i32
    }

    pub(crate) fn clear(&mut self) {
        done(self.frame.clear(Ink::Night));
    }

    pub(crate) fn fill(&mut self, area: Rectangle, ink: Ink) {
        done(self.frame.fill_solid(&area, ink));
    }

    /// Lights every other pixel of the display, or the others, and darkens the rest.
    pub(crate) fn chequer(&mut self, odd: bool) {
        let ink = |point: Point| {
            if ((point.x + point.y) % 2 == 1) == odd {
                Ink::White
            } else {
                Ink::Black
            }
        };
        let points = self.frame.bounding_box().points();
        done(
            self.frame
                .draw_iter(points.map(|point| Pixel(point, ink(point)))),
        );
    }

    /// A filled rectangle with soft corners where there is room for them.
    pub(crate) fn panel(&mut self, area: Rectangle, ink: Ink) {
        let radius = Size::new_equal(if self.look.roomy { 6 } else { 1 });
        let shape = RoundedRectangle::new(area, CornerRadii::new(radius));
        done(
            shape
                .into_styled(PrimitiveStyle::with_fill(ink))
                .draw(self.frame),
        );
    }

    pub(crate) fn border(&mut self, area: Rectangle, ink: Ink, stroke: u32) {
        let style = PrimitiveStyleBuilder::new()
            .stroke_color(ink)
            .stroke_width(stroke)
            .stroke_alignment(StrokeAlignment::Inside)
            .build();
        let radius = Size::new_equal(if self.look.roomy { 6 } else { 1 });
        done(
            RoundedRectangle::new(area, CornerRadii::new(radius))
                .into_styled(style)
                .draw(self.frame),
        );
    }

    pub(crate) fn line(&mut self, from: Point, to: Point, ink: Ink, stroke: u32) {
        done(
            Line::new(from, to)
                .into_styled(PrimitiveStyle::with_stroke(ink, stroke))
                .draw(self.frame),
        );
    }

    pub(crate) fn disc(&mut self, centre: Point, diameter: u32, ink: Ink) {
        done(
            Circle::with_center(centre, diameter)
                .into_styled(PrimitiveStyle::with_fill(ink))
                .draw(self.frame),
        );
    }

    pub(crate) fn ring(&mut self, centre: Point, diameter: u32, ink: Ink, stroke: u32) {
        let style = PrimitiveStyleBuilder::new()
            .stroke_color(ink)
            .stroke_width(stroke)
            .stroke_alignment(StrokeAlignment::Inside)
            .build();
        done(
            Circle::with_center(centre, diameter)
                .into_styled(style)
                .draw(self.frame),
        );
    }

    pub(crate) fn triangle(&mut self, corners: [Point; 3], ink: Ink) {
        let [a, b, c] = corners;
        done(
            Triangle::new(a, b, c)
                .into_styled(PrimitiveStyle::with_fill(ink))
                .draw(self.frame),
        );
    }

    /// A square standing on its corner: the mark of a hint.
    pub(crate) fn diamond(&mut self, centre: Point, radius: i32, ink: Ink) {
        let (x, y) = (Point::new(radius, 0), Point::new(0, radius));
        self.triangle([centre - x, centre + x, centre - y], ink);
        self.triangle([centre - x, centre + x, centre + y], ink);
    }

    /// Four corners around an area: the cursor.
    pub(crate) fn corners(&mut self, area: Rectangle, length: i32, ink: Ink, stroke: i32) {
        let (left, top) = (area.top_left.x, area.top_left.y);
        let (right, bottom) = (left + area.size.width as i32, top + area.size.height as i32);
        for (x, y) in [
            (left, top),
            (right - length, top),
            (left, bottom - stroke),
            (right - length, bottom - stroke),
        ] {
            self.fill(self::area(x, y, length, stroke), ink);
        }
        for (x, y) in [
            (left, top),
            (right - stroke, top),
            (left, bottom - length),
            (right - stroke, bottom - length),
        ] {
            self.fill(self::area(x, y, stroke, length), ink);
        }
    }

    pub(crate) fn text(
        &mut self,
        at: Point,
        side: Side,
        font: &'static MonoFont<'static>,
        ink: Ink,
        text: &str,
    ) {
        self.tell(format_args!("{text}"));
        self.letters(at, side, font, ink, text);
    }

    /// Letters that are part of a picture.
    pub(crate) fn letters(
        &mut self,
        at: Point,
        side: Side,
        font: &'static MonoFont<'static>,
        ink: Ink,
        text: &str,
    ) {
        let alignment = match side {
            Side::Left => Alignment::Left,
            Side::Centre => Alignment::Center,
            Side::Right => Alignment::Right,
        };
        // With this alignment the last column of the text stands on the point itself.
        let at = if side == Side::Right {
            at - Point::new(1, 0)
        } else {
            at
        };
        let style = TextStyleBuilder::new()
            .alignment(alignment)
            .baseline(Baseline::Top)
            .build();
        done(
            Text::with_text_style(text, at, MonoTextStyle::new(font, ink), style).draw(self.frame),
        );
    }

    /// A text in the middle of a row of this height.
    fn text_in_row(&mut self, x: i32, row: Rectangle, side: Side, ink: Ink, text: &str) {
        let font = self.look.body;
        let y = row.top_left.y + (row.size.height as i32 - font.character_size.height as i32) / 2;
        self.letters(Point::new(x, y), side, font, ink, text);
    }

    /// The bar at the top. Returns the area below it, down to the key help.
    pub(crate) fn header(&mut self, title: &str) -> Rectangle {
        let look = self.look;
        let (width, height) = (self.width(), self.height());
        if look.roomy {
            self.disc(Point::new(22, look.header / 2), 16, Ink::Sun);
            self.text(
                Point::new(40, 8),
                Side::Left,
                look.strong,
                Ink::Paper,
                title,
            );
            self.fill(area(0, look.header - 1, width, 1), Ink::Line);
        } else {
            self.fill(area(0, 0, width, look.header - 2), Ink::Paper);
            self.text(
                Point::new(width / 2, 1),
                Side::Centre,
                look.strong,
                Ink::Night,
                title,
            );
        }
        let gap = if look.roomy { 4 } else { 0 };
        area(
            0,
            look.header + gap,
            width,
            height - look.header - gap - look.footer,
        )
    }

    /// Key help, on displays with a line for it.
    pub(crate) fn footer(&mut self, help: &str) {
        if self.look.footer > 0 {
            let y = self.height() - self.look.footer;
            self.fill(area(0, y, self.width(), 1), Ink::Line);
            self.touchable_keys(help, y);
            self.letters(
                Point::new(self.width() / 2, y + 6),
                Side::Centre,
                self.look.small,
                Ink::Mist,
                help,
            );
        }
    }

    /// The parts of the key help, such as "B back", can be touched.
    fn touchable_keys(&mut self, help: &str, y: i32) {
        let letter = self.look.small.character_size.width as i32;
        let mut x = (self.width() - help.chars().count() as i32 * letter) / 2;
        for part in help.split("   ") {
            let width = part.chars().count() as i32 * letter;
            let button = part.split(' ').next().and_then(Button::from_name);
            if let Some(button) = button {
                let place = area(x - letter, y, width + 2 * letter, self.look.footer);
                self.touchable(place, Target::Button(button));
            }
            x += width + 3 * letter;
        }
    }

    /// A list with a chosen row; it scrolls to keep that row visible.
    pub(crate) fn list(&mut self, place: Rectangle, rows: &[Row<'_>], cursor: usize) {
        let look = self.look;
        let shown = (place.size.height as usize / look.row as usize).clamp(1, rows.len().max(1));
        let first = cursor
            .saturating_sub(shown / 2)
            .min(rows.len() - shown.min(rows.len()));
        let scrolls = rows.len() > shown;
        let (left, top) = (place.top_left.x, place.top_left.y);
        let width = place.size.width as i32 - if scrolls { look.margin / 2 + 3 } else { 0 };
        for (i, row) in rows.iter().enumerate().skip(first).take(shown) {
            let y = top + (i - first) as i32 * look.row;
            let place = area(left, y, width, look.row);
            self.touchable(place, Target::Row(i as i8 - cursor as i8));
            self.row(place, row, i == cursor);
        }
        if scrolls {
            let height = shown as i32 * look.row;
            let x = left + place.size.width as i32 - 3;
            self.fill(area(x + 1, top, 1, height), Ink::Line);
            let bar = height * shown as i32 / rows.len() as i32;
            self.fill(
                area(x, top + height * first as i32 / rows.len() as i32, 3, bar),
                Ink::Paper,
            );
        }
    }

    fn row(&mut self, place: Rectangle, row: &Row<'_>, chosen: bool) {
        let look = self.look;
        let (mark, gap) = (
            if chosen { "> " } else { "" },
            if row.value.is_empty() { "" } else { ": " },
        );
        self.tell(format_args!("{mark}{}{gap}{}", row.label, row.value));
        let (left, right) = (place.top_left.x, place.top_left.x + place.size.width as i32);
        let ink = match (chosen, look.roomy) {
            (true, true) => {
                self.panel(inset(place, 1), Ink::Shade);
                self.panel(
                    area(left + 1, place.top_left.y + 4, 4, look.row - 8),
                    Ink::Gold,
                );
                Ink::Gold
            }
            (true, false) => {
                self.fill(place, Ink::Paper);
                Ink::Night
            }
            (false, _) => Ink::Paper,
        };
        let pad = if look.roomy { 12 } else { look.margin };
        self.text_in_row(left + pad, place, Side::Left, ink, row.label);
        let glyph = look.body.character_size.width as i32;
        let mut x = right - pad;
        if row.steps && chosen {
            self.text_in_row(x, place, Side::Right, ink, ">");
        }
        if row.steps {
            x -= glyph + 1;
        }
        self.text_in_row(x, place, Side::Right, ink, row.value);
        x -= row.value.chars().count() as i32 * glyph;
        if let Some(belt) = row.belt {
            let size = self.belt_size();
            x -= size.width as i32 + look.margin;
            let y = place.top_left.y + (look.row - size.height as i32) / 2;
            self.belt(Point::new(x, y), belt, chosen);
        }
        if row.steps && chosen {
            self.text_in_row(x - look.margin / 2, place, Side::Right, ink, "<");
        }
    }

    /// A button on the screen.
    pub(crate) fn button(&mut self, place: Rectangle, words: &str, chosen: bool) {
        self.tell(format_args!("{}{words}", if chosen { "> " } else { "" }));
        let (font, roomy) = (self.look.small, self.look.roomy);
        let ink = if chosen { Ink::Night } else { Ink::Paper };
        match (roomy, chosen) {
            (true, _) => self.panel(place, if chosen { Ink::Gold } else { Ink::Shade }),
            (false, true) => self.fill(place, Ink::Paper),
            (false, false) => {}
        }
        let middle = place.center();
        let y = middle.y - font.character_size.height as i32 / 2 + i32::from(!roomy);
        let width = words.len() as i32 * font.character_size.width as i32;
        self.letters(
            Point::new(middle.x - width / 2 + 1, y),
            Side::Left,
            font,
            ink,
            words,
        );
    }

    fn belt_size(&self) -> Size {
        if self.look.roomy {
            Size::new(26, 12)
        } else {
            Size::new(11, 6)
        }
    }

    /// A belt as a strip of its colour with a knot; on a mono display its grade is told by bars.
    pub(crate) fn belt(&mut self, at: Point, belt: Belt, on_light: bool) {
        let size = self.belt_size();
        let strip = Rectangle::new(at, size);
        if self.look.roomy {
            let ink = belt_ink(belt);
            self.fill(strip, Ink::Mist);
            self.fill(inset(strip, 1), ink);
            let knot = if ink == Ink::Black || ink == Ink::Brown {
                Ink::Gold
            } else {
                Ink::Line
            };
            self.fill(area(at.x + 10, at.y + 1, 6, 10), knot);
            self.fill(area(at.x + 11, at.y + 2, 4, 8), ink);
            return;
        }
        let (dark, light) = if on_light {
            (Ink::Paper, Ink::Night)
        } else {
            (Ink::Night, Ink::Paper)
        };
        self.fill(strip, light);
        self.fill(inset(strip, 1), dark);
        for bar in 0..belt as i32 {
            let whole = if belt == Belt::Black { 2 } else { 1 };
            self.fill(
                area(
                    at.x + 1 + bar * 5 / 2 + i32::from(whole == 1),
                    at.y + 1,
                    whole + 1,
                    4,
                ),
                light,
            );
        }
        if belt == Belt::Black {
            self.fill(strip, light);
        }
    }

    /// A page of plain text below a header.
    pub(crate) fn page(&mut self, place: Rectangle, text: &str) {
        let (margin, top) = (
            self.look.margin,
            if self.look.roomy { self.look.margin } else { 1 },
        );
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let place = area(
            place.top_left.x + margin,
            place.top_left.y + top,
            width - 2 * margin,
            height - margin,
        );
        self.paragraph(place, Side::Left, self.look.body, Ink::Paper, text);
    }

    /// Text wrapped at blanks; lines below the area are left out.
    pub(crate) fn paragraph(
        &mut self,
        place: Rectangle,
        side: Side,
        font: &'static MonoFont<'static>,
        ink: Ink,
        text: &str,
    ) {
        let step = font.character_size.height as i32 + if self.look.roomy { 5 } else { 1 };
        let room = ((place.size.height as i32 + 1) / step) as usize;
        let x = match side {
            Side::Left => place.top_left.x,
            Side::Centre => place.center().x,
            Side::Right => place.top_left.x + place.size.width as i32,
        };
        let letters = (place.size.width / font.character_size.width) as usize;
        for (i, line) in wrap(text, letters.max(1)).take(room).enumerate() {
            self.text(
                Point::new(x, place.top_left.y + i as i32 * step),
                side,
                font,
                ink,
                line,
            );
        }
    }
}

/// The lines of a text: paragraphs end at line feeds, lines at blanks, and words that are too long
/// are cut.
pub(crate) fn wrap(text: &str, width: usize) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(move |paragraph| {
        let mut rest = Some(paragraph);
        core::iter::from_fn(move || {
            let text = rest?;
            let Some((limit, _)) = text.char_indices().nth(width) else {
                rest = None;
                return Some(text);
            };
            // A blank right behind the last letter that fits may end the line as well.
            let reach = text[limit..].starts_with(' ').then_some(limit);
            let end = reach
                .or_else(|| text[..limit].rfind(' '))
                .filter(|&end| end > 0)
                .unwrap_or(limit);
            rest = Some(text[end..].trim_start()).filter(|rest| !rest.is_empty());
            Some(text[..end].trim_end())
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str, width: usize) -> heapless::Vec<&str, 16> {
        wrap(text, width).collect()
    }

    #[test]
    fn text_wraps_at_blanks_and_cuts_only_long_words() {
        assert_eq!(
            lines("take the last stick", 8),
            ["take the", "last", "stick"]
        );
        assert_eq!(lines("abcdefghij k", 4), ["abcd", "efgh", "ij k"]);
        assert_eq!(lines("one\n\ntwo", 10), ["one", "", "two"]);
        assert_eq!(lines("", 5), [""]);
        assert_eq!(lines("misère ist", 6), ["misère", "ist"]);
    }
}

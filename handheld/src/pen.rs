use core::fmt;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::{
    Circle, CornerRadii, Line, PrimitiveStyle, PrimitiveStyleBuilder, Rectangle, RoundedRectangle,
    StrokeAlignment, Triangle,
};

use crate::boards;
use crate::faces::{FACES, Face, wrap};
use crate::frame::{Frame, Ink};
use crate::input::Button;
use crate::store::{Comfort, Seat};
use crate::touch::{Feeler, Target};

/// Faces and measures for one size of display.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// Whether there is room for key help, spacing and colour.
    pub(crate) roomy: bool,
    /// All text but titles.
    pub(crate) body: Face,
    /// Titles, scores and results.
    pub(crate) title: Face,
    /// Height of a row in a list.
    pub(crate) row: i32,
    /// Height of the bar with the screen's name.
    pub(crate) header: i32,
    /// Height of the line with key help; 0 where there is none.
    pub(crate) footer: i32,
    pub(crate) margin: i32,
}

impl Look {
    /// Height of the name of a group of rows.
    fn group(&self) -> i32 {
        self.body.height() + 2
    }

    /// Where the text of a row begins.
    fn indent(&self) -> i32 {
        if self.roomy { 16 } else { 3 }
    }
}

const COMPACT: Look = Look {
    roomy: false,
    body: FACES[2],
    title: FACES[3],
    row: 10,
    header: 12,
    footer: 0,
    margin: 2,
};

const ROOMY: Look = Look {
    roomy: true,
    body: FACES[0],
    title: FACES[1],
    row: 32,
    header: 28,
    footer: 24,
    margin: 12,
};

/// Stands at the end of a text that was shortened.
const ELLIPSIS: &str = "…";

/// What an inspection of a drawing finds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finding<'a> {
    /// A text that did not fit its place and was shortened.
    Shortened(&'a str),
    /// A text that did not fit its place in the face of titles and is set in that of the body.
    Smaller(&'a str),
    /// Letters of this ink on this ground.
    Letters {
        /// The text.
        text: &'a str,
        /// The ink of the letters.
        ink: Ink,
        /// The ink around them.
        ground: Ink,
    },
}

/// Looks at a drawing while it is made, for tests.
pub(crate) struct Inspector<'a> {
    /// Pixels by which each face is wider than drawn, in the order of [`FACES`].
    pub(crate) widened: [u8; FACES.len()],
    pub(crate) report: &'a mut dyn FnMut(Finding<'_>),
}

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
    /// The name of the group that begins with this row; empty in the middle of one.
    pub(crate) group: &'a str,
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
    pub(crate) comfort: Comfort,
    listener: Option<&'a mut dyn fmt::Write>,
    pub(crate) feeler: Option<&'a mut Feeler<'a>>,
    /// Whether what is drawn cannot be touched: a board while the machine moves.
    pub(crate) is_watched: bool,
    /// How far a panel that rises is still below its place.
    pub(crate) rise: i32,
    inspector: Option<&'a mut Inspector<'a>>,
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

/// The ink of the bars of a belt.
fn belt_bars(belt: Belt) -> Ink {
    match belt {
        Belt::White | Belt::Yellow | Belt::Green => Ink::Black,
        Belt::Brown | Belt::Black => Ink::White,
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
    pub(crate) fn new(frame: &'a mut Frame, comfort: Comfort) -> Pen<'a> {
        frame.set_theme(comfort.theme);
        frame.set_rotated(comfort.rotated);
        let mut look = if frame.size().width < 200 {
            COMPACT
        } else {
            ROOMY
        };
        if !comfort.key_help {
            look.footer = 0;
        }
        Pen {
            frame,
            look,
            comfort,
            listener: None,
            feeler: None,
            is_watched: false,
            rise: 0,
            inspector: None,
        }
    }

    /// A pen that tells the drawing in words.
    pub(crate) fn with_listener(self, listener: Option<&'a mut dyn fmt::Write>) -> Pen<'a> {
        Pen { listener, ..self }
    }

    /// A pen that tells what can be touched.
    pub(crate) fn with_feeler(self, feeler: &'a mut Feeler<'a>) -> Pen<'a> {
        Pen {
            feeler: Some(feeler),
            ..self
        }
    }

    /// A pen that tells what letters it sets, in faces that may be widened.
    pub(crate) fn with_inspector(mut self, inspector: &'a mut Inspector<'a>) -> Pen<'a> {
        let [lcd_body, lcd_title, oled_body, oled_title] = inspector.widened;
        let (body, title) = if self.look.roomy {
            (lcd_body, lcd_title)
        } else {
            (oled_body, oled_title)
        };
        self.look.body = self.look.body.widened(body);
        self.look.title = self.look.title.widened(title);
        self.inspector = Some(inspector);
        self
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

    /// A text with the top of its capitals at a point, which is on this side of it.
    pub(crate) fn text(&mut self, at: Point, side: Side, face: Face, ink: Ink, text: &str) {
        self.tell(format_args!("{text}"));
        self.letters(at, side, face, ink, text);
    }

    /// Letters that are part of a picture.
    pub(crate) fn letters(&mut self, at: Point, side: Side, face: Face, ink: Ink, text: &str) {
        let width = face.width(text);
        let left = at.x
            - match side {
                Side::Left => 0,
                Side::Centre => width / 2,
                Side::Right => width,
            };
        let at = Point::new(left, at.y);
        self.set(at, self.frame.bounding_box(), face, ink, text);
    }

    /// A letter of a picture that may be scrolled out of the display with it.
    pub(crate) fn stamp(&mut self, at: Point, face: Face, ink: Ink, text: &str) {
        let place = self.frame.bounding_box();
        let at = at - Point::new(face.width(text) / 2, face.cap() / 2);
        self.report_grounds(at, place, face, ink, text);
        face.draw(text, at, place, ink, self.frame);
    }

    /// A text in one line in the middle of its place, never outside of it: a text that is too wide
    /// is set in the body face, then shortened.
    pub(crate) fn text_in(
        &mut self,
        place: Rectangle,
        side: Side,
        face: Face,
        ink: Ink,
        text: &str,
    ) {
        self.words_in(place, side, face, ink, &[text]);
    }

    /// The first of several wordings that fits its place, the fullest first; that one is told.
    pub(crate) fn words_in(
        &mut self,
        place: Rectangle,
        side: Side,
        face: Face,
        ink: Ink,
        wordings: &[&str],
    ) {
        let full = wordings.first().copied().unwrap_or_default();
        self.tell(format_args!("{full}"));
        self.letters_in(place, side, face, ink, wordings);
    }

    /// The same without telling it.
    pub(crate) fn letters_in(
        &mut self,
        place: Rectangle,
        side: Side,
        face: Face,
        ink: Ink,
        wordings: &[&str],
    ) {
        let width = place.size.width as i32;
        let (wanted, faces) = (face, [face, self.look.body]);
        let fits = |face: Face| {
            let mut wordings = wordings.iter().copied();
            wordings.find(|text| face.width(text) <= width)
        };
        let fitting = faces
            .into_iter()
            .find_map(|face| fits(face).map(|text| (face, text)));
        let last = wordings.last().copied().unwrap_or_default();
        let (face, text) = fitting.unwrap_or((self.look.body, last));
        let is_smaller = fits(wanted).is_none() && fitting.is_some();
        if let Some(inspector) = self.inspector.as_mut().filter(|_| is_smaller) {
            (inspector.report)(Finding::Smaller(text));
        }
        let shown = face.width(text).min(width);
        let left = place.top_left.x
            + match side {
                Side::Left => 0,
                Side::Centre => (width - shown) / 2,
                Side::Right => width - shown,
            };
        let at = Point::new(left, self.middle(place, face));
        if fitting.is_some() {
            self.set(at, place, face, ink, text);
        } else {
            self.shorten(at, place, face, ink, text);
        }
    }

    /// The top of capitals that stand in the middle of a place.
    fn middle(&self, place: Rectangle, face: Face) -> i32 {
        place.top_left.y + (place.size.height as i32 - face.cap()) / 2
    }

    /// The beginning of a text that does not fit, and an ellipsis.
    fn shorten(&mut self, at: Point, place: Rectangle, face: Face, ink: Ink, text: &str) {
        if let Some(inspector) = &mut self.inspector {
            (inspector.report)(Finding::Shortened(text));
        }
        let room = place.top_left.x + place.size.width as i32 - at.x;
        let gap = 2;
        let end = face.fitting(text, room - face.width(ELLIPSIS) - gap);
        let start = text.get(..end).unwrap_or_default().trim_end();
        self.set(at, place, face, ink, start);
        let behind = at + Point::new(face.width(start) + gap, 0);
        self.set(behind, place, face, ink, ELLIPSIS);
    }

    /// Sets letters in a place; what is outside of it is not drawn.
    fn set(&mut self, at: Point, place: Rectangle, face: Face, ink: Ink, text: &str) {
        self.report_grounds(at, place, face, ink, text);
        let is_inside = face.draw(text, at, place, ink, self.frame);
        // A place that is partly out of the display is scrolled there with its text.
        let is_seen = self.frame.bounding_box().intersection(&place) == place;
        let faulty = !is_inside && is_seen;
        if let Some(inspector) = self.inspector.as_mut().filter(|_| faulty) {
            (inspector.report)(Finding::Shortened(text));
        }
    }

    /// Reports the inks that are behind letters before these are drawn.
    fn report_grounds(&mut self, at: Point, place: Rectangle, face: Face, ink: Ink, text: &str) {
        let Some(inspector) = self.inspector.as_mut().filter(|_| !text.trim().is_empty()) else {
            return;
        };
        let around = area(at.x, at.y, face.width(text), face.cap()).intersection(&place);
        let mut grounds = [0u32; Ink::ALL.len()];
        for point in around.points() {
            grounds[self.frame.at(point) as usize] += 1;
        }
        let all = grounds.iter().sum::<u32>();
        for (ground, share) in Ink::ALL.into_iter().zip(grounds) {
            // Less than a quarter is a line or a corner behind the letters.
            if share > all / 4 {
                (inspector.report)(Finding::Letters { text, ink, ground });
            }
        }
    }

    /// The bar at the top. Returns the area below it, down to the key help.
    pub(crate) fn header(&mut self, title: &str) -> Rectangle {
        self.header_of(title, None)
    }

    /// The same with the icon of a game.
    pub(crate) fn header_of(&mut self, title: &str, game: Option<GameId>) -> Rectangle {
        let look = self.look;
        let width = self.width();
        if look.roomy {
            let mut left = look.margin;
            if let Some(game) = game {
                boards::icon(game, area(left, 3, 21, 21), self);
                left += 21 + 8;
            }
            let place = area(left, 0, width - left - look.margin, look.header - 1);
            self.text_in(place, Side::Left, look.title, Ink::Paper, title);
            self.fill(area(0, look.header - 1, width, 1), Ink::Line);
        } else {
            self.fill(area(0, 0, width, look.header - 1), Ink::Paper);
            let place = area(2, 0, width - 4, look.header - 1);
            self.text_in(place, Side::Centre, look.title, Ink::Night, title);
        }
        self.below_header()
    }

    /// The area below the header, down to the key help.
    pub(crate) fn below_header(&self) -> Rectangle {
        let look = self.look;
        let top = look.header + if look.roomy { 4 } else { 0 };
        area(0, top, self.width(), self.height() - top - look.footer)
    }

    /// Key help, on displays with a line for it: parts such as "A take" are drawn as a key and what
    /// it does, and can be touched.
    pub(crate) fn footer(&mut self, help: &str) {
        if self.look.footer == 0 || !self.look.roomy {
            return;
        }
        let y = self.height() - self.look.footer;
        self.fill(area(0, y, self.width(), 1), Ink::Line);
        let width = help
            .split(PARTS)
            .map(|part| self.part_width(part))
            .sum::<i32>();
        let parts = help.split(PARTS).count() as i32;
        // Between the parts and before them.
        let gap = ((self.width() - width) / (parts + 1)).clamp(2, 24);
        let mut x = (self.width() - width - gap * (parts - 1)) / 2;
        for part in help.split(PARTS) {
            let width = self.part_width(part);
            let place = area(x, y + 1, width, self.look.footer - 1);
            self.key_help(part, place, gap);
            x += width + gap;
        }
    }

    fn part_width(&self, part: &str) -> i32 {
        match Key::of(part) {
            Some((_, words)) => KEY + KEY_GAP + self.look.body.width(words),
            None => self.look.body.width(part),
        }
    }

    fn key_help(&mut self, part: &str, place: Rectangle, gap: i32) {
        let face = self.look.body;
        let Some((key, words)) = Key::of(part) else {
            return self.letters_in(place, Side::Centre, face, Ink::Mist, &[part]);
        };
        if let Key::Button(button) = key {
            let (Point { x, y }, Size { width, height }) = (place.top_left, place.size);
            let around = area(x - gap / 2, y, width as i32 + gap, height as i32);
            self.touchable(around, Target::Button(button));
        }
        let centre = Point::new(place.top_left.x + KEY / 2, place.center().y);
        self.key(key, centre);
        let (x, width) = (place.top_left.x + KEY + KEY_GAP, place.size.width as i32);
        let place = area(
            x,
            place.top_left.y,
            width - KEY - KEY_GAP,
            place.size.height as i32,
        );
        self.letters_in(place, Side::Left, face, Ink::Mist, &[words]);
    }

    /// A key as it is on the device: a disc with its letter, or the cross with the directions that
    /// are meant.
    fn key(&mut self, key: Key, centre: Point) {
        match key.on_device(self.comfort.left_handed) {
            Key::Button(button) => match button.letter() {
                Some(letter) => {
                    self.disc(centre, KEY as u32, Ink::Mist);
                    let face = self.look.body;
                    let at = centre - Point::new(0, face.cap() / 2);
                    self.letters(at, Side::Centre, face, Ink::Night, letter);
                }
                None => self.cross(centre, &[button]),
            },
            Key::LeftRight => self.cross(centre, &[Button::Left, Button::Right]),
            Key::UpDown => self.cross(centre, &[Button::Up, Button::Down]),
            Key::Pad => self.cross(centre, &Button::DIRECTIONS),
        }
    }

    /// The cross of directions; those that are meant are light.
    fn cross(&mut self, centre: Point, meant: &[Button]) {
        let (arm, half) = (KEY / 2, 2);
        for button in Button::DIRECTIONS {
            let ink = if meant.contains(&button) {
                Ink::Mist
            } else {
                Ink::Line
            };
            let (x, y) = button.step();
            let (along, across) = (Point::new(x, y), Point::new(y.abs(), x.abs()) * half);
            let (near, far) = (centre + along * (half + 1), centre + along * arm);
            let corner = near.component_min(far) - across;
            let end = near.component_max(far) + across;
            self.fill(Rectangle::with_corners(corner, end), ink);
        }
        let ink = if meant.len() == 4 {
            Ink::Mist
        } else {
            Ink::Line
        };
        self.fill(
            area(centre.x - half, centre.y - half, 2 * half + 1, 2 * half + 1),
            ink,
        );
    }

    /// A list with a chosen row; it scrolls to keep that row visible. Rows that begin a group have
    /// its name above them.
    pub(crate) fn list(&mut self, place: Rectangle, rows: &[Row<'_>], cursor: usize) {
        let height = |row: &Row<'_>, look: &Look| {
            look.row
                + if row.group.is_empty() {
                    0
                } else {
                    look.group()
                }
        };
        let look = self.look;
        let tall = |rows: &[Row<'_>]| rows.iter().map(|row| height(row, &look)).sum::<i32>();
        let room = place.size.height as i32;
        let last = rows.len().saturating_sub(1);
        // The row behind the cursor is seen, too.
        let seen = if cursor > last {
            0
        } else {
            (cursor + 1).min(last)
        };
        let fits = |first: usize| rows.get(first..=seen).is_none_or(|rows| tall(rows) <= room);
        // A cursor far behind the end stands for none.
        let cursor = if cursor > last { usize::MAX } else { cursor };
        let top_row = if cursor == usize::MAX { 0 } else { cursor };
        let mut first = (0..=top_row).find(|&first| fits(first)).unwrap_or(top_row);
        // Not too far: the list ends at the bottom.
        while first > 0 && rows.get(first - 1..).is_some_and(|rows| tall(rows) <= room) {
            first -= 1;
        }
        let scrolls = tall(rows) > room;
        let (left, top) = (place.top_left.x, place.top_left.y);
        let width = place.size.width as i32 - if scrolls { look.margin / 2 + 3 } else { 0 };
        let mut y = top;
        let mut shown = 0;
        for (i, row) in rows.iter().enumerate().skip(first) {
            if y + height(row, &look) > top + room {
                break;
            }
            if !row.group.is_empty() {
                let pad = look.indent();
                let line = area(left + pad, y, width - pad, look.group());
                self.text_in(line, Side::Left, look.body, Ink::Mist, row.group);
                y += look.group();
            }
            let place = area(left, y, width, look.row);
            let steps = (i as i8).wrapping_sub(cursor as i8);
            self.touchable(place, Target::Row(steps));
            self.row(place, row, i == cursor);
            y += look.row;
            shown += 1;
        }
        if scrolls {
            self.scroll_bar(place, first, shown, rows.len());
        }
    }

    /// The numbers of the rows of this height that are seen in a place, and a bar that says which.
    pub(crate) fn scroll(
        &mut self,
        place: Rectangle,
        height: i32,
        count: usize,
        cursor: usize,
    ) -> core::ops::Range<usize> {
        let shown = (place.size.height as i32 / height).max(1) as usize;
        let first = cursor
            .saturating_sub(shown / 2)
            .min(count.saturating_sub(shown));
        if count > shown {
            self.scroll_bar(place, first, shown, count);
        }
        first..count.min(first + shown)
    }

    fn scroll_bar(&mut self, place: Rectangle, first: usize, shown: usize, count: usize) {
        let height = place.size.height as i32;
        let x = place.top_left.x + place.size.width as i32 - 3;
        let at = |row: usize| height * row as i32 / count.max(1) as i32;
        let top = place.top_left.y;
        self.fill(area(x + 1, top, 1, height), Ink::Line);
        let bar = at(first + shown) - at(first);
        self.fill(area(x, top + at(first), 3, bar), Ink::Mist);
    }

    pub(crate) fn row(&mut self, place: Rectangle, row: &Row<'_>, chosen: bool) {
        let look = self.look;
        let (mark, gap) = (
            if chosen { "> " } else { "" },
            if row.value.is_empty() { "" } else { ": " },
        );
        self.tell(format_args!("{mark}{}{gap}{}", row.label, row.value));
        let (left, right) = (place.top_left.x, place.top_left.x + place.size.width as i32);
        let (top, height) = (place.top_left.y, place.size.height as i32);
        let ink = match (chosen, look.roomy) {
            (true, true) => {
                self.panel(
                    area(left + 4, top + 1, right - left - 8, height - 2),
                    Ink::Shade,
                );
                self.panel(area(left + 4, top + 5, 4, height - 10), Ink::Gold);
                Ink::Gold
            }
            (true, false) => {
                self.fill(place, Ink::Paper);
                Ink::Night
            }
            (false, _) => Ink::Paper,
        };
        let pad = look.indent();
        let arrow = if row.steps {
            2 + look.body.cap() / 2
        } else {
            0
        };
        let mut x = right - pad - arrow;
        if row.steps && chosen {
            self.arrow(
                Point::new(right - pad, place.center().y),
                Button::Right,
                ink,
            );
        }
        // The value may take what the label leaves, and a belt is drawn where there is room left.
        let label = look.body.width(row.label);
        let gap = if row.value.is_empty() { 0 } else { 6 };
        let room = (x - left - pad - label - gap - arrow).max(0);
        let width = look.body.width(row.value).min(room);
        let belt_width = self.belt_size().width as i32 + 8;
        let belt = row.belt.filter(|_| width + belt_width <= room);
        let value = area(x - width, top, width, height);
        self.letters_in(value, Side::Right, look.body, ink, &[row.value]);
        x -= width;
        if let Some(belt) = belt {
            let size = self.belt_size();
            x -= size.width as i32 + if look.roomy { 8 } else { 2 };
            let y = top + (height - size.height as i32) / 2;
            self.belt(Point::new(x, y), belt, chosen);
        }
        if row.steps && chosen {
            let tip = Point::new(x - arrow, place.center().y);
            self.arrow(tip, Button::Left, ink);
        }
        let label = area(left + pad, top, x - gap - arrow - left - pad, height);
        self.letters_in(label, Side::Left, look.body, ink, &[row.label]);
    }

    /// A small arrow with its tip here.
    pub(crate) fn arrow(&mut self, tip: Point, to: Button, ink: Ink) {
        let size = self.look.body.cap() / 2;
        let (x, y) = to.step();
        let (along, across) = (Point::new(x, y), Point::new(y, x));
        for row in 0..size {
            for side in [-1, 1] {
                let at = tip - along * row + across * side * row;
                self.frame.put(at, ink);
                self.frame.put(at - along, ink);
            }
        }
    }

    /// A button on the screen.
    pub(crate) fn button(&mut self, place: Rectangle, words: &str, chosen: bool) {
        self.tell(format_args!("{}{words}", if chosen { "> " } else { "" }));
        let ink = if chosen { Ink::Night } else { Ink::Paper };
        match (self.look.roomy, chosen) {
            (true, _) => self.panel(place, if chosen { Ink::Gold } else { Ink::Shade }),
            (false, true) => self.fill(place, Ink::Paper),
            (false, false) => {}
        }
        self.letters_in(place, Side::Centre, self.look.body, ink, &[words]);
    }

    pub(crate) fn belt_size(&self) -> Size {
        if self.look.roomy {
            Size::new(30, 12)
        } else {
            Size::new(11, 6)
        }
    }

    /// A belt as a strip of its colour with a knot and, so that it is told without colours, a bar
    /// for every belt below it.
    pub(crate) fn belt(&mut self, at: Point, belt: Belt, on_light: bool) {
        let size = self.belt_size();
        let strip = Rectangle::new(at, size);
        if self.look.roomy {
            self.fill(strip, Ink::Mist);
            self.fill(inset(strip, 1), belt_ink(belt));
            let bars = belt_bars(belt);
            self.fill(area(at.x + 4, at.y + 1, 1, 10), bars);
            self.fill(area(at.x + 9, at.y + 1, 1, 10), bars);
            for bar in 0..belt as i32 {
                self.fill(area(at.x + 13 + 4 * bar, at.y + 1, 2, 10), bars);
            }
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

    /// Somebody who plays, standing with the feet at the bottom of the place.
    pub(crate) fn figure(&mut self, place: Rectangle, seat: Seat) {
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let (middle, bottom) = (place.center().x, place.top_left.y + height);
        // Eight units high; a pupil is a child.
        let unit = (height / 8).min((width - 3) / 5).max(2) - i32::from(seat == Seat::Pupil);
        let roomy = self.look.roomy;
        let (robe, skin) = match (roomy, seat) {
            (true, Seat::Person) => (Ink::Sky, Ink::Wood),
            (true, _) => (Ink::Paper, Ink::Wood),
            (false, _) => (Ink::Paper, Ink::Paper),
        };
        let legs = 2 * unit;
        for side in [-1, 1] {
            let x = middle + if side < 0 { -unit - unit / 2 } else { unit / 2 };
            self.fill(area(x, bottom - legs, unit, legs), robe);
        }
        let (top, half) = (bottom - legs - 3 * unit, unit + unit / 2);
        // The jacket, wider at the shoulders than at the belt.
        self.fill(area(middle - half, top, 2 * half, 3 * unit), robe);
        for side in [-1, 1] {
            let x = middle + if side < 0 { -half - unit } else { half };
            self.fill(area(x, top, unit, 2 * unit), robe);
        }
        let head = Point::new(middle, top - unit);
        self.disc(head, 2 * unit as u32, skin);
        if roomy {
            // Hair above the eyes.
            self.fill(
                area(
                    middle - unit + 1,
                    top - 2 * unit,
                    2 * unit - 2,
                    unit / 2 + 1,
                ),
                Ink::Brown,
            );
            for side in [-1, 1] {
                let eye = head + Point::new(side * (unit / 2) - i32::from(side > 0), 0);
                self.fill(area(eye.x, eye.y, 1, 2), Ink::Black);
            }
        }
        let Some(belt) = seat.belt() else { return };
        let (y, thick) = (bottom - legs - unit - unit / 2, (unit * 2 / 3).max(2));
        if !roomy {
            // Without colours: a dark belt, with as many bars below it as belts.
            self.fill(area(middle - half, y, 2 * half, 1), Ink::Night);
            return;
        }
        let (seam, ink) = (Ink::Night, belt_ink(belt));
        self.fill(
            area(middle - half - 1, y - 1, 2 * half + 2, thick + 2),
            seam,
        );
        self.fill(area(middle - half, y, 2 * half, thick), ink);
        let tail = area(middle - 1, y + thick - 1, 3, unit + 2);
        self.fill(inset(tail, -1), seam);
        self.fill(tail, ink);
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
            height - top,
        );
        self.paragraph(place, Side::Left, self.look.body, Ink::Paper, text);
    }

    /// Text wrapped at blanks. Returns the height that it takes; what is below the place is left
    /// out, and the last line then ends in an ellipsis.
    pub(crate) fn paragraph(
        &mut self,
        place: Rectangle,
        side: Side,
        face: Face,
        ink: Ink,
        text: &str,
    ) -> i32 {
        let width = place.size.width as i32;
        let step = face.line();
        let room = (place.size.height as i32 - face.height()).max(0) / step + 1;
        let mut lines = wrap(text, face, width).peekable();
        let mut y = place.top_left.y;
        for number in 1..=room {
            let Some(line) = lines.next() else { break };
            let row = area(place.top_left.x, y, width, face.height());
            let is_cut = number == room && lines.peek().is_some();
            self.tell(format_args!("{line}"));
            let shown = face.width(line);
            let left = row.top_left.x
                + match side {
                    Side::Left => 0,
                    Side::Centre => (width - shown) / 2,
                    Side::Right => width - shown,
                };
            let at = Point::new(left, y);
            if is_cut {
                self.shorten(at, row, face, ink, line);
            } else {
                self.set(at, row, face, ink, line);
            }
            y += step;
        }
        y - place.top_left.y
    }
}

/// Parts of a line of key help are this far apart.
const PARTS: &str = "   ";
/// Size of a drawn key, and the gap behind it.
const KEY: i32 = 17;
const KEY_GAP: i32 = 4;

/// A key in a line of key help.
#[derive(Clone, Copy)]
enum Key {
    Button(Button),
    LeftRight,
    UpDown,
    Pad,
}

impl Key {
    /// The key that a part of the help begins with, and what it does.
    fn of(part: &str) -> Option<(Key, &str)> {
        let (name, words) = part.split_once(' ')?;
        let key = match name {
            "<>" => Key::LeftRight,
            "^v" => Key::UpDown,
            "+" => Key::Pad,
            ">" => Key::Button(Button::Right),
            name => Key::Button(Button::from_name(name)?),
        };
        Some((key, words))
    }

    /// The key that does this where directions and letters have traded places.
    fn on_device(self, left_handed: bool) -> Key {
        match self {
            Key::Button(button) if left_handed => Key::Button(button.mirrored()),
            key => key,
        }
    }
}

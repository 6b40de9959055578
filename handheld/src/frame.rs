//! The frame buffer: one for both displays, in the layout that the display takes.

use core::convert::Infallible;

use embedded_graphics::pixelcolor::raw::RawU4;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::store::Theme;

/// The supported displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// 128×64, lit or not.
    Oled,
    /// 240×240, 16 colours.
    Lcd,
}

impl Screen {
    /// All displays.
    pub const ALL: [Screen; 2] = [Screen::Oled, Screen::Lcd];

    /// Pixels across and down.
    pub const fn size(self) -> Size {
        match self {
            Screen::Oled => Size::new(128, 64),
            Screen::Lcd => Size::new(240, 240),
        }
    }

    /// The name used in commands and file names.
    pub const fn name(self) -> &'static str {
        match self {
            Screen::Oled => "oled",
            Screen::Lcd => "lcd",
        }
    }

    /// Number of bands that are sent separately: pages of eight rows, or single rows.
    pub const fn bands(self) -> usize {
        match self {
            Screen::Oled => 8,
            Screen::Lcd => 240,
        }
    }

    /// Bytes of a band: a byte for a column of eight pixels (lowest bit on top), or for two pixels
    /// side by side (the left one in the high nibble).
    pub const fn band_bytes(self) -> usize {
        match self {
            Screen::Oled => 128,
            Screen::Lcd => 120,
        }
    }
}

/// The sixteen inks, named by their colours at night; a [`Theme`] gives each its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ink {
    /// The ground.
    Night,
    /// Panels on the ground; never a line or a letter.
    Shade,
    /// Lines of boards and borders.
    Line,
    /// Quiet text.
    Mist,
    /// Text.
    Paper,
    /// Vermilion: the sun, the first player, danger.
    Sun,
    /// Indigo: the second player.
    Sky,
    /// What can be pressed: cursor and selection, and nothing else.
    Gold,
    /// Hints.
    Leaf,
    /// Sticks and boards of wood.
    Wood,
    /// Wood in the shade.
    Bark,
    /// White belt; white whatever the theme.
    White,
    /// Yellow belt.
    Yellow,
    /// Green belt.
    Green,
    /// Brown belt.
    Brown,
    /// Black belt; black whatever the theme.
    Black,
}

impl Ink {
    /// All inks, by number.
    pub const ALL: [Ink; 16] = [
        Ink::Night,
        Ink::Shade,
        Ink::Line,
        Ink::Mist,
        Ink::Paper,
        Ink::Sun,
        Ink::Sky,
        Ink::Gold,
        Ink::Leaf,
        Ink::Wood,
        Ink::Bark,
        Ink::White,
        Ink::Yellow,
        Ink::Green,
        Ink::Brown,
        Ink::Black,
    ];

    /// Whether a mono display lights the pixel.
    pub const fn is_lit(self) -> bool {
        !matches!(self, Ink::Night | Ink::Shade | Ink::Black | Ink::Bark)
    }
}

/// The colours of the inks by theme, in the order of [`Theme::ALL`] and [`Ink::ALL`].
const PALETTES: [[u32; 16]; 3] = [
    [
        0x14121C, 0x3A3550, 0x6C6788, 0xB4B0C6, 0xF6EFDD, 0xF0533C, 0x4FA3E8, 0xFFC247, 0x7BC67E,
        0xE0B27A, 0x855626, 0xFFFFFF, 0xFFE04A, 0x3FA85F, 0x8A5A34, 0x08070C,
    ],
    [
        0xF6EFDD, 0xE7DCC3, 0x857A6A, 0x5A5262, 0x1B1824, 0xC2341F, 0x1F68AC, 0x7F4E00, 0x2C7036,
        0xB37F3C, 0x553512, 0xFFFFFF, 0xE8B800, 0x2E8B4E, 0x6B4226, 0x100E16,
    ],
    [
        0x000000, 0x262626, 0x8C8C8C, 0xDADADA, 0xFFFFFF, 0xFF6A50, 0x62BAFF, 0xFFD23C, 0x63E27E,
        0xFFC77A, 0x966020, 0xF4F8FF, 0xFFE800, 0x32C060, 0x8A5A2A, 0x080808,
    ],
];

impl Theme {
    /// The colour of an ink on a colour display, each channel of eight bits.
    pub const fn rgb(self, ink: Ink) -> [u8; 3] {
        let [_, r, g, b] = PALETTES[self as usize][ink as usize].to_be_bytes();
        [r, g, b]
    }

    /// The colour as an ST7789 takes it: five, six and five bits.
    pub const fn rgb565(self, ink: Ink) -> u16 {
        let [r, g, b] = self.rgb(ink);
        (r as u16 >> 3) << 11 | (g as u16 >> 2) << 5 | b as u16 >> 3
    }
}

impl PixelColor for Ink {
    type Raw = RawU4;
}

const BYTES: usize = 240 * 120;
const BANDS: usize = 240;

/// A frame buffer, and checksums of what was last sent.
pub struct Frame {
    screen: Screen,
    /// How far all that is drawn is moved.
    offset: Point,
    theme: Theme,
    /// Whether the picture is upside down in the buffer, for a device that is held so.
    rotated: bool,
    pixels: [u8; BYTES],
    /// A checksum of each band as it was sent, instead of a second buffer: a change goes unseen
    /// once in 2³².
    sent: [u32; BANDS],
}

impl Frame {
    /// A dark picture; every band counts as changed.
    pub const fn new(screen: Screen) -> Frame {
        Frame {
            screen,
            offset: Point::zero(),
            theme: Theme::Night,
            rotated: false,
            pixels: [0; BYTES],
            sent: [0; BANDS],
        }
    }

    /// Moves all that is drawn from here on; nothing is drawn beyond the edges of the moved picture.
    pub(crate) fn set_offset(&mut self, offset: Point) {
        self.offset = offset;
    }

    /// Which display it is for.
    pub const fn screen(&self) -> Screen {
        self.screen
    }

    /// The theme that its inks are seen in.
    pub const fn theme(&self) -> Theme {
        self.theme
    }

    /// Shows its inks in another theme.
    pub fn set_theme(&mut self, theme: Theme) {
        if core::mem::replace(&mut self.theme, theme) != theme {
            self.resend();
        }
    }

    /// From now on draws upside down, or no more.
    pub(crate) fn set_rotated(&mut self, rotated: bool) {
        self.rotated = rotated;
    }

    /// Where an area of the drawing is on the display.
    pub(crate) fn on_display(&self, area: Rectangle) -> Rectangle {
        if !self.rotated {
            return area;
        }
        let far = area.top_left + area.size;
        Rectangle::new(Point::zero() + self.screen.size() - far, area.size)
    }

    /// The same buffer for another display, dark.
    pub fn set_screen(&mut self, screen: Screen) {
        self.screen = screen;
        self.pixels.fill(0);
        self.resend();
    }

    /// The bytes of a band; empty behind the last one.
    pub fn band(&self, band: usize) -> &[u8] {
        let bytes = self.screen.band_bytes();
        self.bytes()
            .get(band * bytes..(band + 1) * bytes)
            .unwrap_or_default()
    }

    /// All bytes of the picture.
    pub fn bytes(&self) -> &[u8] {
        &self.pixels[..self.screen.bands() * self.screen.band_bytes()]
    }

    /// The next band from `from` on that differs from what was sent; it counts as sent from now on.
    pub fn next_change(&mut self, from: usize) -> Option<usize> {
        for band in from..self.screen.bands() {
            let sum = checksum(self.band(band));
            if core::mem::replace(&mut self.sent[band], sum) != sum {
                return Some(band);
            }
        }
        None
    }

    /// Counts a band as changed: it was not sent after all.
    pub fn unsend(&mut self, band: usize) {
        if let Some(sum) = self.sent.get_mut(band) {
            *sum = 0;
        }
    }

    /// Counts every band as changed: the display lost its picture.
    pub fn resend(&mut self) {
        self.sent.fill(0);
    }

    /// The colour of a pixel of the display.
    pub fn rgb(&self, x: u32, y: u32) -> [u8; 3] {
        self.theme.rgb(self.pixel(x, y))
    }

    /// The ink of a pixel of the display; mono pixels are [`Ink::Paper`] or [`Ink::Night`]. Outside the picture
    /// all is night.
    pub fn pixel(&self, x: u32, y: u32) -> Ink {
        let size = self.screen.size();
        if x >= size.width || y >= size.height {
            return Ink::Night;
        }
        match self.screen {
            Screen::Oled => {
                let byte = self.pixels[(y / 8 * 128 + x) as usize];
                if byte >> (y % 8) & 1 == 1 {
                    Ink::Paper
                } else {
                    Ink::Night
                }
            }
            Screen::Lcd => {
                let byte = self.pixels[(y * 120 + x / 2) as usize];
                Ink::ALL[usize::from(if x.is_multiple_of(2) {
                    byte >> 4
                } else {
                    byte & 15
                })]
            }
        }
    }

    /// The ink at a point of the drawing, which may be upside down on the display.
    pub(crate) fn at(&self, point: Point) -> Ink {
        let place = self.on_display(Rectangle::new(point, Size::new_equal(1)));
        self.pixel(place.top_left.x as u32, place.top_left.y as u32)
    }

    /// Draws a pixel, if it is in the picture.
    pub(crate) fn put(&mut self, point: Point, ink: Ink) {
        let size = self.screen.size();
        // Negative coordinates wrap to huge ones, which are outside as well.
        let (x, y) = (point.x as u32, point.y as u32);
        if x >= size.width || y >= size.height {
            return;
        }
        let x = x.wrapping_add(self.offset.x as u32);
        let y = y.wrapping_add(self.offset.y as u32);
        if x >= size.width || y >= size.height {
            return;
        }
        if self.rotated {
            self.set(size.width - 1 - x, size.height - 1 - y, ink);
        } else {
            self.set(x, y, ink);
        }
    }

    fn set(&mut self, x: u32, y: u32, ink: Ink) {
        match self.screen {
            Screen::Oled => {
                let byte = &mut self.pixels[(y / 8 * 128 + x) as usize];
                let bit = 1 << (y % 8);
                *byte = if ink.is_lit() {
                    *byte | bit
                } else {
                    *byte & !bit
                };
            }
            Screen::Lcd => {
                let byte = &mut self.pixels[(y * 120 + x / 2) as usize];
                *byte = if x.is_multiple_of(2) {
                    *byte & 0x0F | (ink as u8) << 4
                } else {
                    *byte & 0xF0 | ink as u8
                };
            }
        }
    }
}

impl OriginDimensions for Frame {
    fn size(&self) -> Size {
        self.screen.size()
    }
}

impl DrawTarget for Frame {
    type Color = Ink;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Ink>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(point, ink) in pixels {
            self.put(point, ink);
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, ink: Ink) -> Result<(), Infallible> {
        let bounds = self.bounding_box();
        let area = area.intersection(&bounds).translate(self.offset);
        let area = self.on_display(area.intersection(&bounds));
        let (left, width) = (area.top_left.x as u32, area.size.width);
        for y in area.rows().map(|y| y as u32) {
            if self.screen == Screen::Oled || width < 4 {
                (left..left + width).for_each(|x| self.set(x, y, ink));
                continue;
            }
            // Whole bytes in one go, the odd pixels at both ends singly.
            let (from, to) = (left.next_multiple_of(2), (left + width) & !1);
            (left..from)
                .chain(to..left + width)
                .for_each(|x| self.set(x, y, ink));
            let row = (y * 120) as usize;
            self.pixels[row + from as usize / 2..row + to as usize / 2]
                .fill((ink as u8) << 4 | ink as u8);
        }
        Ok(())
    }
}

/// Mixes four bytes at a time; never 0, which stands for "not sent yet".
fn checksum(bytes: &[u8]) -> u32 {
    let (words, _) = bytes.as_chunks::<4>();
    let sum = words.iter().fold(0x9E37_79B9u32, |sum, &word| {
        (sum.rotate_left(5) ^ u32::from_le_bytes(word)).wrapping_mul(0x2722_0A95)
    });
    sum | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_display_of_16_bits_gets_the_upper_bits_of_each_colour() {
        for (theme, ink) in Theme::ALL
            .into_iter()
            .flat_map(|theme| Ink::ALL.map(|ink| (theme, ink)))
        {
            let [red, green, blue] = theme.rgb(ink).map(u16::from);
            let colour = theme.rgb565(ink);
            let parts = [colour >> 11, colour >> 5 & 63, colour & 31];
            assert_eq!(parts, [red / 8, green / 4, blue / 8], "{ink:?}");
        }
    }

    #[test]
    fn the_display_shows_every_ink_in_a_colour_of_its_own() {
        for theme in Theme::ALL {
            for (number, ink) in Ink::ALL.into_iter().enumerate() {
                let others = &Ink::ALL[..number];
                let is_new = |&other: &Ink| theme.rgb565(other) != theme.rgb565(ink);
                assert!(others.iter().all(is_new), "{theme:?} {ink:?}");
            }
        }
    }

    #[test]
    fn fills_and_single_pixels_agree_at_all_edges() {
        for screen in Screen::ALL {
            for (left, width) in [
                (0, 240),
                (1, 1),
                (1, 2),
                (1, 6),
                (2, 5),
                (3, 8),
                (-3, 9),
                (120, 300),
                (10, 0),
            ] {
                let area = Rectangle::new(Point::new(left, 5), Size::new(width, 3));
                let (mut filled, mut dotted) = (Frame::new(screen), Frame::new(screen));
                filled.fill_solid(&area, Ink::Gold).unwrap();
                dotted
                    .draw_iter(area.points().map(|point| Pixel(point, Ink::Gold)))
                    .unwrap();
                assert!(filled.bytes() == dotted.bytes(), "{screen:?} {area:?}");
            }
        }
    }

    #[test]
    fn a_moved_picture_shows_its_part_and_nothing_beyond_its_edges() {
        for screen in Screen::ALL {
            for offset in [Point::new(37, 0), Point::new(-40, 0), Point::new(0, 13)] {
                let mut frame = Frame::new(screen);
                frame.set_offset(offset);
                let all = Rectangle::new(Point::new(-50, -50), Size::new(400, 400));
                frame.fill_solid(&all, Ink::Paper).unwrap();
                Pixel(Point::new(-1, 3), Ink::Gold)
                    .draw(&mut frame)
                    .unwrap();
                Pixel(Point::new(50, 20), Ink::Night)
                    .draw(&mut frame)
                    .unwrap();
                let size = screen.size();
                let bounds = Rectangle::new(offset, size);
                for at in frame.bounding_box().points() {
                    let expected = bounds.contains(at) && at != Point::new(50, 20) + offset;
                    let shown = frame.pixel(at.x as u32, at.y as u32) == Ink::Paper;
                    assert_eq!(shown, expected, "{screen:?} {offset} {at}");
                }
            }
        }
    }

    #[test]
    fn a_picture_upside_down_is_the_picture_turned_by_180_degrees() {
        for screen in Screen::ALL {
            let [plain, turned] = [false, true].map(|rotated| {
                let mut frame = Frame::new(screen);
                frame.set_rotated(rotated);
                let area = Rectangle::new(Point::new(-2, 5), Size::new(9, 3));
                frame.fill_solid(&area, Ink::Gold).unwrap();
                frame.put(Point::new(20, 21), Ink::Paper);
                assert!(frame.at(Point::new(20, 21)).is_lit());
                frame
            });
            let Size { width, height } = screen.size();
            for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
                let opposite = turned.pixel(width - 1 - x, height - 1 - y);
                assert_eq!(plain.pixel(x, y), opposite, "{screen:?} {x} {y}");
            }
        }
    }

    #[test]
    fn another_theme_is_sent_whole() {
        let mut frame = Frame::new(Screen::Lcd);
        frame.set_theme(Theme::Day);
        while frame.next_change(0).is_some() {}
        frame.set_theme(Theme::Day);
        assert_eq!(frame.next_change(0), None);
        frame.set_theme(Theme::Night);
        assert_eq!(frame.next_change(0), Some(0));
    }

    #[test]
    fn only_changed_bands_are_sent_again() {
        for screen in Screen::ALL {
            let mut frame = Frame::new(screen);
            let changes = |frame: &mut Frame| {
                let mut bands = heapless::Vec::<usize, 240>::new();
                let mut from = 0;
                while let Some(band) = frame.next_change(from) {
                    bands.push(band).unwrap();
                    from = band + 1;
                }
                bands
            };
            assert_eq!(changes(&mut frame).len(), screen.bands());
            assert_eq!(changes(&mut frame).len(), 0);
            Pixel(Point::new(20, 21), Ink::Paper)
                .draw(&mut frame)
                .unwrap();
            let rows = screen.size().height as usize / screen.bands();
            assert_eq!(changes(&mut frame), [21 / rows]);
            frame.unsend(21 / rows);
            frame.unsend(screen.bands() + 240);
            assert_eq!(changes(&mut frame), [21 / rows], "it was not sent");
            frame.resend();
            assert_eq!(changes(&mut frame).len(), screen.bands());
        }
    }

    #[test]
    fn pixels_read_back_as_drawn() {
        let mut frame = Frame::new(Screen::Lcd);
        for ink in Ink::ALL {
            Pixel(Point::new(ink as i32, 7), ink)
                .draw(&mut frame)
                .unwrap();
        }
        assert!(
            Ink::ALL
                .iter()
                .all(|&ink| frame.pixel(ink as u32, 7) == ink)
        );
        assert_eq!(frame.pixel(240, 0), Ink::Night);
    }
}

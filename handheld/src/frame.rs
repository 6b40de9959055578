//! The frame buffer: one for both displays, in the layout that the display takes.

use core::convert::Infallible;

use embedded_graphics::pixelcolor::Rgb888;
use embedded_graphics::pixelcolor::raw::RawU4;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

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

/// The sixteen colours, named by what they show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Ink {
    /// Background.
    Night,
    /// Panels on the background.
    Shade,
    /// Lines of boards and borders.
    Line,
    /// Quiet text.
    Mist,
    /// Text.
    Paper,
    /// The red of the sun; the first player.
    Sun,
    /// The second player.
    Sky,
    /// Cursor and selection.
    Gold,
    /// Hints.
    Leaf,
    /// Sticks.
    Wood,
    /// The shaded side of sticks.
    Bark,
    /// White belt.
    White,
    /// Yellow belt.
    Yellow,
    /// Green belt.
    Green,
    /// Brown belt.
    Brown,
    /// Black belt.
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

    /// The colour on a colour display, each channel of eight bits.
    pub const fn rgb(self) -> [u8; 3] {
        match self {
            Ink::Night => [0x17, 0x15, 0x21],
            Ink::Shade => [0x2A, 0x27, 0x3A],
            Ink::Line => [0x5B, 0x57, 0x75],
            Ink::Mist => [0xA3, 0x9F, 0xB8],
            Ink::Paper => [0xF5, 0xEE, 0xDC],
            Ink::Sun => [0xEE, 0x5A, 0x4A],
            Ink::Sky => [0x5B, 0xB4, 0xE8],
            Ink::Gold => [0xF7, 0xB9, 0x38],
            Ink::Leaf => [0x6B, 0xD4, 0x8A],
            Ink::Wood => [0xD9, 0xA8, 0x6C],
            Ink::Bark => [0x8A, 0x5F, 0x38],
            Ink::White => [0xFF, 0xFF, 0xFF],
            Ink::Yellow => [0xFF, 0xE0, 0x4A],
            Ink::Green => [0x3F, 0xA8, 0x5F],
            Ink::Brown => [0x96, 0x62, 0x3C],
            Ink::Black => [0x08, 0x07, 0x0C],
        }
    }

    /// The colour as an ST7789 takes it: five, six and five bits.
    pub const fn rgb565(self) -> u16 {
        let [r, g, b] = self.rgb();
        (r as u16 >> 3) << 11 | (g as u16 >> 2) << 5 | b as u16 >> 3
    }
}

impl PixelColor for Ink {
    type Raw = RawU4;
}

impl From<Ink> for Rgb888 {
    fn from(ink: Ink) -> Rgb888 {
        let [r, g, b] = ink.rgb();
        Rgb888::new(r, g, b)
    }
}

const BYTES: usize = 240 * 120;
const BANDS: usize = 240;

/// A frame buffer, and checksums of what was last sent.
pub struct Frame {
    screen: Screen,
    /// How far all that is drawn is moved.
    offset: Point,
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

    /// Counts every band as changed: the display lost its picture.
    pub fn resend(&mut self) {
        self.sent.fill(0);
    }

    /// The ink of a pixel; mono pixels are [`Ink::Paper`] or [`Ink::Night`]. Outside the picture
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
        let (size, offset) = (self.screen.size(), self.offset);
        for Pixel(point, ink) in pixels {
            // Negative coordinates wrap to huge ones, which are outside as well.
            let (x, y) = (point.x as u32, point.y as u32);
            if x < size.width && y < size.height {
                let x = x.wrapping_add(offset.x as u32);
                let y = y.wrapping_add(offset.y as u32);
                if x < size.width && y < size.height {
                    self.set(x, y, ink);
                }
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, ink: Ink) -> Result<(), Infallible> {
        let bounds = self.bounding_box();
        let area = area.intersection(&bounds).translate(self.offset);
        let area = area.intersection(&bounds);
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
        for ink in Ink::ALL {
            let [red, green, blue] = ink.rgb().map(u16::from);
            let colour = ink.rgb565();
            let parts = [colour >> 11, colour >> 5 & 63, colour & 31];
            assert_eq!(parts, [red / 8, green / 4, blue / 8], "{ink:?}");
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

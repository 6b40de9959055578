//! Displays on the outside of the chip.
//!
//! A display listens to its bus, keeps its own memory and can say what a viewer sees. Controllers
//! keep their memory through a reset of the RP2040 and lose it when the power goes.

mod oled;
mod st7789;

use super::clocks::Clocks;
use super::fault::Broken;
use super::gpio::Gpio;
use super::spi::SpiLink;

pub use oled::{Oled, OledController, OledPins};
pub use st7789::{Complaint, St7789, St7789Pins};

/// What a viewer sees, row by row from the top left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    /// Red, green, blue of every pixel.
    pub rgb: Vec<[u8; 3]>,
}

impl Picture {
    pub(super) fn from_fn(
        width: usize,
        height: usize,
        colour: impl Fn(usize, usize) -> [u8; 3],
    ) -> Self {
        let rgb = (0..width * height)
            .map(|index| colour(index % width, index / width))
            .collect();
        Picture { width, height, rgb }
    }

    /// Colour at a place; black outside.
    pub fn at(&self, x: usize, y: usize) -> [u8; 3] {
        if x < self.width && y < self.height {
            self.rgb[y * self.width + x]
        } else {
            [0; 3]
        }
    }

    /// Whether the pixel at a place is lit.
    pub fn is_lit(&self, x: usize, y: usize) -> bool {
        self.at(x, y) != [0; 3]
    }

    /// Number of lit pixels.
    pub fn lit_pixels(&self) -> usize {
        self.rgb.iter().filter(|pixel| **pixel != [0; 3]).count()
    }
}

/// Traffic and the moment of the last visible change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DisplayCounters {
    /// Bytes of pixel data received.
    pub data_bytes: u64,
    /// Commands received.
    pub commands: u64,
    /// Cycle at which a pixel in the controller's memory last changed its value.
    pub last_change: Option<u64>,
    /// Torn frames: a viewer saw one part earlier than another. Counted where the tearing signal is
    /// connected.
    pub torn: u64,
}

/// One of the supported panels.
#[derive(Clone)]
pub enum Display {
    St7789(St7789),
    Oled(Oled),
}

impl Display {
    /// What a viewer sees now.
    pub fn pixels(&self) -> Picture {
        match self {
            Display::St7789(panel) => panel.pixels(),
            Display::Oled(panel) => panel.pixels(),
        }
    }

    pub fn counters(&self) -> DisplayCounters {
        match self {
            Display::St7789(panel) => panel.counters(),
            Display::Oled(panel) => panel.counters(),
        }
    }

    /// The module is switched on: its memory is lost.
    pub(super) fn power_on(&mut self, ns: u64) {
        match self {
            Display::St7789(panel) => *panel = panel.after_power_on(),
            Display::Oled(panel) => *panel = panel.after_power_on(ns),
        }
    }

    /// Levels or drivers of pins may have changed, at `cycle`.
    pub(super) fn pins_changed(
        &mut self,
        levels: u32,
        clocks: &Clocks,
        cycle: u64,
    ) -> Option<Broken> {
        match self {
            Display::St7789(panel) => panel.pins_changed(levels, || clocks.ns_at(cycle)),
            Display::Oled(_) => None,
        }
    }

    /// A pin that the display drives, its level, and the time of its next edge.
    pub(super) fn signal(&self, ns: u64) -> Option<(u8, bool, u64)> {
        match self {
            Display::St7789(panel) => panel.tearing(ns),
            Display::Oled(_) => None,
        }
    }

    /// Whether frames on SPI bus `bus` reach a display that listens, and why not.
    pub(super) fn check_spi(&self, bus: usize, link: SpiLink, gpio: &Gpio) -> Option<Broken> {
        match self {
            Display::St7789(panel) if panel.bus() == bus => panel.check(link, gpio),
            _ => None,
        }
    }

    /// A frame on SPI bus `bus`. Nothing ever appears on MISO.
    pub(super) fn spi_frame(
        &mut self,
        bus: usize,
        word: u16,
        levels: u32,
        clocks: &Clocks,
        cycle: u64,
    ) -> Option<Broken> {
        match self {
            Display::St7789(panel) if panel.bus() == bus => {
                panel.receive(word as u8, levels, cycle, || clocks.ns_at(cycle))
            }
            _ => None,
        }
    }

    pub(super) fn i2c(&mut self, bus: usize) -> Option<&mut Oled> {
        match self {
            Display::Oled(panel) if panel.bus() == bus => Some(panel),
            _ => None,
        }
    }
}

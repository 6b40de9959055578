//! SSD1306 and SH1106 monochrome controllers on I²C, with a 128×64 glass.
//!
//! The two differ: the SH1106 has 132 columns of which the glass shows 2 to 129,
//! knows page addressing only, and interprets the SSD1306's addressing commands differently.
//! A picture sent to it as to an SSD1306 in page mode appears two columns too far left.
//!
//! The status byte tells them apart, too: its low four bits are 8 on an SH1106 and 3 on an SSD1306.
//! (It varies between chips of a kind; these values are among those that Meshtastic's OLED probe
//! knows.)
//!
//! Scrolling, the multiplex ratio and the timing commands are accepted and ignored.

use super::{DisplayCounters, Picture};
use crate::fault::{Broken, Rule};
use crate::gpio::{FUNCTION_I2C, Gpio};

const WIDTH: usize = 128;
const HEIGHT: usize = 64;
const COLUMNS: usize = 132;
const PAGES: usize = 8;
/// First memory column behind the glass of an SH1106 module.
const SH1106_MARGIN: usize = 2;
/// Both chips take fast mode, a cycle of 2.5 µs.
const MAX_HZ: u64 = 400_000;
/// The module's own reset: a resistor and a capacitor.
const WAKE_US: u64 = 5_000;

/// Which chip drives the glass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OledController {
    Ssd1306,
    Sh1106,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Addressing {
    Horizontal,
    Vertical,
    Page,
}

/// What the next byte of a transfer is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Control,
    /// `single`: a control byte follows after one byte.
    Command {
        single: bool,
    },
    Data {
        single: bool,
    },
}

/// GPIO numbers of the two lines. They decide which of the two I²C blocks is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OledPins {
    pub sda: u8,
    pub scl: u8,
}

#[derive(Clone)]
pub struct Oled {
    controller: OledController,
    pins: OledPins,
    address: u8,
    wake_us: u64,
    /// Time from which it answers.
    awake_ns: u64,
    memory: Vec<u8>,
    expect: Expect,
    command: Vec<u8>,
    addressing: Addressing,
    columns: (usize, usize),
    pages: (usize, usize),
    column: usize,
    page: usize,
    contrast: u8,
    start_line: usize,
    offset: usize,
    on: bool,
    all_on: bool,
    inverse: bool,
    flip_x: bool,
    flip_y: bool,
    counters: DisplayCounters,
}

impl Oled {
    /// A module that answers 5 ms after it got power. It has no pull-ups of its own.
    pub fn new(controller: OledController, pins: OledPins, address: u8) -> Self {
        // Memory wakes up with noise, so that a firmware that forgets to clear it shows it.
        let noise = |index: usize| (index as u32).wrapping_mul(0x9E37_79B9).rotate_left(9) as u8;
        Oled {
            controller,
            pins,
            address,
            wake_us: WAKE_US,
            awake_ns: 0,
            memory: (0..COLUMNS * PAGES).map(noise).collect(),
            expect: Expect::Control,
            command: Vec::new(),
            addressing: Addressing::Page,
            columns: (0, WIDTH - 1),
            pages: (0, PAGES - 1),
            column: 0,
            page: 0,
            contrast: 0x7F,
            start_line: 0,
            offset: 0,
            on: false,
            all_on: false,
            inverse: false,
            flip_x: false,
            flip_y: false,
            counters: DisplayCounters::default(),
        }
    }

    /// The same module with a reset that takes longer, or less long.
    pub fn waking_after(mut self, us: u64) -> Self {
        self.wake_us = us;
        self
    }

    pub(super) fn after_power_on(&self, ns: u64) -> Self {
        let fresh = Oled::new(self.controller, self.pins, self.address).waking_after(self.wake_us);
        Oled {
            awake_ns: ns + self.wake_us * 1000,
            ..fresh
        }
    }

    /// The I²C block that its pins belong to.
    pub(super) fn bus(&self) -> usize {
        usize::from(self.pins.sda >> 1 & 1)
    }

    /// Whether the bus, with a clock of `hz`, reaches the module, and why not.
    pub(crate) fn check(&self, hz: u64, gpio: &Gpio) -> Option<Broken> {
        let address = [0x4004_4010, 0x4004_8010][self.bus()];
        let broken = |rule, detail| {
            Some(Broken {
                rule,
                address,
                detail,
            })
        };
        for pin in [self.pins.sda, self.pins.scl] {
            if let Err(detail) = gpio.carries(pin, FUNCTION_I2C) {
                return broken(Rule::PinFunction, detail);
            }
            if !gpio.is_pulled_up_input(pin) {
                return broken(
                    Rule::PullUp,
                    format!("GP{pin} is an I2C line without a pull-up, or not an input"),
                );
            }
        }
        (hz > MAX_HZ).then(|| {
            broken(
                Rule::BusClock,
                format!("SCL has {hz} Hz, the module takes {MAX_HZ}"),
            )
        })?
    }

    pub fn counters(&self) -> DisplayCounters {
        self.counters
    }

    /// Value of the contrast register.
    pub fn contrast(&self) -> u8 {
        self.contrast
    }

    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Whether an address is this module's.
    pub(crate) fn answers(&self, address: u8) -> bool {
        address == self.address
    }

    /// A transfer begins at the time `ns`; `true` if it is for this module and the module is there.
    pub(crate) fn start(&mut self, address: u8, ns: u64) -> bool {
        self.expect = Expect::Control;
        self.answers(address) && ns >= self.awake_ns
    }

    /// The status byte: bit 6 is set while the display is off, the low bits tell which chip it is.
    pub(crate) fn status(&self) -> u8 {
        let chip = if self.controller == OledController::Sh1106 {
            0x08
        } else {
            0x03
        };
        u8::from(!self.on) << 6 | chip
    }

    pub(crate) fn receive(&mut self, byte: u8, cycle: u64) {
        match self.expect {
            Expect::Control => {
                let single = byte & 0x80 != 0;
                self.expect = if byte & 0x40 != 0 {
                    Expect::Data { single }
                } else {
                    Expect::Command { single }
                };
                return;
            }
            Expect::Command { .. } => self.command_byte(byte),
            Expect::Data { .. } => self.data_byte(byte, cycle),
        }
        if matches!(
            self.expect,
            Expect::Command { single: true } | Expect::Data { single: true }
        ) {
            self.expect = Expect::Control;
        }
    }

    fn data_byte(&mut self, byte: u8, cycle: u64) {
        self.counters.data_bytes += 1;
        let cell = &mut self.memory[self.page * COLUMNS + self.column];
        if *cell != byte {
            *cell = byte;
            self.counters.last_change = Some(cycle);
        }
        match (self.controller, self.addressing) {
            (OledController::Sh1106, _) => self.column = (self.column + 1).min(COLUMNS - 1),
            (_, Addressing::Page) => self.column = (self.column + 1) % WIDTH,
            (_, Addressing::Horizontal) => {
                if step(&mut self.column, self.columns) {
                    step(&mut self.page, self.pages);
                }
            }
            (_, Addressing::Vertical) => {
                if step(&mut self.page, self.pages) {
                    step(&mut self.column, self.columns);
                }
            }
        }
    }

    /// Arguments that follow a command.
    fn arguments(&self, command: u8) -> usize {
        match (self.controller, command) {
            (_, 0x81 | 0xA8 | 0xD3 | 0xD5 | 0xD9 | 0xDA | 0xDB) => 1,
            (OledController::Sh1106, 0xAD) => 1,
            (OledController::Ssd1306, 0x20 | 0x8D) => 1,
            (OledController::Ssd1306, 0x21 | 0x22 | 0xA3) => 2,
            (OledController::Ssd1306, 0x29 | 0x2A) => 5,
            (OledController::Ssd1306, 0x26 | 0x27) => 6,
            _ => 0,
        }
    }

    fn command_byte(&mut self, byte: u8) {
        self.command.push(byte);
        if self.command.len() <= self.arguments(self.command[0]) {
            return;
        }
        self.counters.commands += 1;
        let command = std::mem::take(&mut self.command);
        let last_column = if self.controller == OledController::Sh1106 {
            COLUMNS
        } else {
            WIDTH
        } - 1;
        match command[..] {
            [low @ 0x00..=0x0F] => {
                self.column = (self.column & 0xF0 | usize::from(low)).min(last_column)
            }
            [high @ 0x10..=0x1F] => {
                self.column = (usize::from(high & 0xF) << 4 | self.column & 0xF).min(last_column);
            }
            [0x20, mode] => {
                self.addressing = match mode & 3 {
                    0 => Addressing::Horizontal,
                    1 => Addressing::Vertical,
                    _ => Addressing::Page,
                }
            }
            [0x21, first, last] => {
                self.columns = (usize::from(first & 0x7F), usize::from(last & 0x7F));
                self.column = self.columns.0;
            }
            [0x22, first, last] => {
                self.pages = (usize::from(first & 7), usize::from(last & 7));
                self.page = self.pages.0;
            }
            [line @ 0x40..=0x7F] => self.start_line = usize::from(line & 0x3F),
            [0x81, contrast] => self.contrast = contrast,
            [0xA0 | 0xA1] => self.flip_x = command[0] & 1 != 0,
            [0xA4 | 0xA5] => self.all_on = command[0] & 1 != 0,
            [0xA6 | 0xA7] => self.inverse = command[0] & 1 != 0,
            [0xAE | 0xAF] => self.on = command[0] & 1 != 0,
            [page @ 0xB0..=0xB7] => self.page = usize::from(page & 7),
            [0xC0] => self.flip_y = false,
            [0xC8] => self.flip_y = true,
            [0xD3, offset] => self.offset = usize::from(offset & 0x3F),
            _ => {}
        }
    }

    /// The glass. Modules are mounted so that remapped segments (A1) and reversed scan (C8) give
    /// an upright picture.
    pub fn pixels(&self) -> Picture {
        Picture::from_fn(WIDTH, HEIGHT, |x, y| {
            if self.on && self.shines(x, y) {
                [255; 3]
            } else {
                [0; 3]
            }
        })
    }

    fn shines(&self, x: usize, y: usize) -> bool {
        if self.all_on {
            return true;
        }
        let column = match (self.controller, self.flip_x) {
            (OledController::Ssd1306, true) => x,
            (OledController::Ssd1306, false) => WIDTH - 1 - x,
            (OledController::Sh1106, true) => x + SH1106_MARGIN,
            (OledController::Sh1106, false) => COLUMNS - 1 - SH1106_MARGIN - x,
        };
        let line = if self.flip_y { y } else { HEIGHT - 1 - y };
        let row = (line + self.start_line + self.offset) % HEIGHT;
        let bit = self.memory[row / 8 * COLUMNS + column] >> (row % 8) & 1 != 0;
        bit != self.inverse
    }
}

/// Moves to the next value of a range; `true` when it wrapped.
fn step(value: &mut usize, range: (usize, usize)) -> bool {
    let wraps = *value >= range.1;
    *value = if wraps { range.0 } else { *value + 1 };
    wraps
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(controller: OledController) -> Oled {
        let mut oled = Oled::new(controller, OledPins { sda: 4, scl: 5 }, 0x3C);
        commands(&mut oled, &[0xA1, 0xC8, 0xAF, 0xA6]);
        oled.memory.fill(0);
        oled
    }

    fn commands(oled: &mut Oled, bytes: &[u8]) {
        assert!(oled.start(0x3C, 0));
        oled.receive(0x00, 0);
        bytes.iter().for_each(|&byte| oled.receive(byte, 0));
    }

    fn data(oled: &mut Oled, bytes: &[u8]) {
        assert!(oled.start(0x3C, 0));
        oled.receive(0x40, 0);
        bytes.iter().for_each(|&byte| oled.receive(byte, 9));
    }

    #[test]
    fn a_module_sleeps_after_power_on_and_says_what_it_is() {
        let mut oled = Oled::new(OledController::Sh1106, OledPins { sda: 4, scl: 5 }, 0x3D)
            .after_power_on(1_000);
        assert!(!oled.start(0x3D, 5_000_999));
        assert!(oled.start(0x3D, 5_001_000));
        assert!(!oled.start(0x3C, 5_001_000), "another address");
        assert_eq!(oled.status() & 0x0F, 0x08);
        assert_eq!(module(OledController::Ssd1306).status() & 0x0F, 0x03);
    }

    #[test]
    fn horizontal_addressing_wraps_to_the_next_page() {
        let mut oled = module(OledController::Ssd1306);
        commands(&mut oled, &[0x20, 0, 0x21, 126, 127, 0x22, 0, 7]);
        data(&mut oled, &[1, 2, 4]);
        let picture = oled.pixels();
        assert!(picture.is_lit(126, 0) && picture.is_lit(127, 1) && picture.is_lit(126, 10));
        assert_eq!(picture.lit_pixels(), 3);
        assert_eq!(oled.counters().last_change, Some(9));
    }

    #[test]
    fn vertical_addressing_goes_down_first() {
        let mut oled = module(OledController::Ssd1306);
        commands(&mut oled, &[0x20, 1, 0x21, 5, 6, 0x22, 0, 1]);
        data(&mut oled, &[1, 1, 1]);
        let picture = oled.pixels();
        assert!(picture.is_lit(5, 0) && picture.is_lit(5, 8) && picture.is_lit(6, 0));
    }

    #[test]
    fn page_addressing_shows_two_columns_early_on_an_sh1106() {
        for (controller, expected) in [(OledController::Ssd1306, 10), (OledController::Sh1106, 8)] {
            let mut oled = module(controller);
            commands(&mut oled, &[0xB3, 0x0A, 0x10]);
            data(&mut oled, &[0x01]);
            let picture = oled.pixels();
            assert!(picture.is_lit(expected, 24), "{controller:?}");
            assert_eq!(picture.lit_pixels(), 1);
        }
    }

    #[test]
    fn a_turned_module_shows_the_picture_upside_down() {
        let mut oled = module(OledController::Ssd1306);
        commands(&mut oled, &[0xA0, 0xC0, 0xB0, 0x00, 0x10]);
        data(&mut oled, &[0x01]);
        assert!(oled.pixels().is_lit(127, 63));
    }

    #[test]
    fn an_sh1106_does_not_know_the_range_commands() {
        let mut oled = module(OledController::Sh1106);
        commands(&mut oled, &[0x20, 0x00, 0x21, 0x00, 0x7F]);
        assert_eq!(oled.start_line, 63);
    }
}

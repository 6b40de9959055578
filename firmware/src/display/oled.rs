//! SSD1306 and SH1106, 128×64, on I²C.
//!
//! Only page addressing is used, which both know. The SH1106 shows columns 2 to 129 of its 132.

use dojo_handheld::{Frame, Screen};
use embassy_rp::i2c::Error;

use crate::boards::pico::OledBus;

const ADDRESS: u16 = 0x3C;

/// The first byte of a transfer says what follows.
const COMMANDS: u8 = 0x00;
const DATA: u8 = 0x40;

const NOP: u8 = 0xE3;
const OFF: u8 = 0xAE;
const ON: u8 = 0xAF;
const CONTRAST: u8 = 0x81;

#[rustfmt::skip]
const START: [u8; 23] = [
    OFF,
    0xD5, 0x80, // clock: about 100 pictures a second
    0xA8, 63,   // 64 rows
    0xD3, 0,    // no offset
    0x40,       // from the first line
    0x20, 2,    // page addressing
    0x8D, 0x14, // charge pump on
    0xA1, 0xC8, // turned so that the pins are above
    0xDA, 0x12, // wiring of the glass
    0xD9, 0xF1, // precharge
    0xDB, 0x40, // level of unselected rows
    0xA4, 0xA6, // memory, not inverted
    0x2E,       // no scrolling
];

/// Whether a display answers.
pub(super) async fn probe(bus: &mut OledBus) -> Result<(), Error> {
    bus.write_async(ADDRESS, [COMMANDS, NOP]).await
}

/// The display.
pub(crate) struct Oled {
    bus: OledBus,
    /// Whether it was told how to work since it got power.
    started: bool,
    first_column: u8,
    percent: u8,
}

impl Oled {
    pub(super) fn new(bus: OledBus) -> Oled {
        Oled { bus, started: false, first_column: 0, percent: 0 }
    }

    /// It may have lost its power: next time it is told everything again.
    pub(super) fn forget(&mut self) {
        self.started = false;
    }

    pub(super) async fn send(&mut self, frame: &mut Frame) -> Result<(), Error> {
        if !self.started {
            self.commands(&START).await?;
        }
        let mut from = 0;
        while let Some(page) = frame.next_change(from) {
            let [low, high] = [self.first_column & 0x0F, 0x10 | self.first_column >> 4];
            self.commands(&[0xB0 | page as u8, low, high]).await?;
            let bytes = core::iter::once(DATA).chain(frame.band(page).iter().copied());
            self.bus.write_async(ADDRESS, bytes).await?;
            from = page + 1;
        }
        if !core::mem::replace(&mut self.started, true) {
            // After the picture, so that noise is never seen.
            self.light(self.percent).await?;
        }
        Ok(())
    }

    pub(super) async fn light(&mut self, percent: u8) -> Result<(), Error> {
        self.percent = percent;
        match percent {
            0 => self.commands(&[OFF]).await,
            _ => {
                let contrast = (u16::from(percent.min(100)) * 255 / 100) as u8;
                self.commands(&[CONTRAST, contrast, ON]).await
            }
        }
    }

    pub(super) fn shift(&mut self, shifted: bool) -> bool {
        let column = if shifted { 2 } else { 0 };
        core::mem::replace(&mut self.first_column, column) != column
    }

    async fn commands(&mut self, commands: &[u8]) -> Result<(), Error> {
        self.bus.write_async(ADDRESS, core::iter::once(COMMANDS).chain(commands.iter().copied())).await
    }
}

const _: () = assert!(Screen::Oled.bands() == 8 && Screen::Oled.band_bytes() == 128);

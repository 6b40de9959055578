//! SSD1306 and SH1106, 128×64, on I²C.
//!
//! Only page addressing is used, which both know. The SH1106 shows columns 2 to 129 of its 132; its
//! status byte tells it apart.

use dojo_handheld::{Frame, Screen, Shift};
use embassy_rp::i2c::Error;

use crate::boards::OledBus;

/// Most modules have the first address, some a solder bridge for the second.
const ADDRESSES: [u16; 2] = [0x3C, 0x3D];

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

/// The display.
pub(crate) struct Oled {
    bus: OledBus,
    address: u16,
    /// Whether it was told how to work since it got power.
    started: bool,
    /// Whether its status byte is that of an SH1106.
    is_sh1106: bool,
    shift: Shift,
    percent: u8,
}

impl Oled {
    pub(super) fn new(bus: OledBus) -> Oled {
        Oled {
            bus,
            address: ADDRESSES[0],
            started: false,
            is_sh1106: false,
            shift: Shift::Auto,
            percent: 0,
        }
    }

    /// Looks for a display, and asks which it is.
    pub(super) async fn probe(&mut self) -> Result<(), Error> {
        let mut answer = Ok(());
        for address in ADDRESSES {
            self.address = address;
            answer = self.commands(&[NOP]).await;
            if answer.is_ok() {
                let mut status = [0];
                self.bus.read_async(address, &mut status).await?;
                // Data sheets leave these bits open; SH1106 modules are known to give 0 or 8,
                // SSD1306 ones 3 to 7.
                self.is_sh1106 = matches!(status[0] & 0x0F, 0 | 8);
                break;
            }
        }
        answer
    }

    fn first_column(&self) -> u8 {
        let is_shifted = match self.shift {
            Shift::Auto => self.is_sh1106,
            Shift::Yes => true,
            Shift::No => false,
        };
        if is_shifted { 2 } else { 0 }
    }

    /// It may have lost its power: next time it is told everything again.
    pub(super) fn forget(&mut self) {
        self.started = false;
    }

    pub(super) async fn send(
        &mut self,
        frame: &mut Frame,
        is_stale: fn() -> bool,
    ) -> Result<bool, Error> {
        if !self.started {
            self.commands(&START).await?;
        }
        let mut from = 0;
        while let Some(page) = frame.next_change(from) {
            // The first picture is always whole: the display shows it for the first time.
            if self.started && is_stale() {
                frame.unsend(page);
                return Ok(false);
            }
            let [low, high] = [self.first_column() & 0x0F, 0x10 | self.first_column() >> 4];
            self.commands(&[0xB0 | page as u8, low, high]).await?;
            let bytes = core::iter::once(DATA).chain(frame.band(page).iter().copied());
            self.bus.write_async(self.address, bytes).await?;
            from = page + 1;
        }
        if !core::mem::replace(&mut self.started, true) {
            // After the picture, so that noise is never seen.
            self.light(self.percent).await?;
        }
        Ok(true)
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

    /// Says whether the picture has moved.
    pub(super) fn shift(&mut self, shift: Shift) -> bool {
        let before = self.first_column();
        self.shift = shift;
        self.first_column() != before
    }

    async fn commands(&mut self, commands: &[u8]) -> Result<(), Error> {
        self.bus
            .write_async(
                self.address,
                core::iter::once(COMMANDS).chain(commands.iter().copied()),
            )
            .await
    }
}

const _: () = assert!(Screen::Oled.bands() == 8 && Screen::Oled.band_bytes() == 128);

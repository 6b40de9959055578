//! ST7789, 240×240 of its 240×320, on SPI with DMA.
//!
//! The frame has four bits a pixel. While one row is on its way, the next is expanded to 16 bits.

use dojo_handheld::{Frame, Ink, Screen};
use embassy_futures::join::join;
use embassy_rp::pwm::{self, Pwm};
use embassy_rp::spi;
use embassy_time::Timer;

use crate::CLOCK_HZ;
use crate::boards::pico::LcdParts;

const ROWS: usize = Screen::Lcd.bands();
const PAIRS: usize = Screen::Lcd.band_bytes();

/// A row as it is sent.
type Row = [[u8; 4]; PAIRS];

/// The light flickers at 20 kHz, which nobody sees or hears.
const LIGHT_STEPS: u16 = (CLOCK_HZ / 20_000) as u16;

mod command {
    pub(super) const SLEEP_OUT: u8 = 0x11;
    pub(super) const INVERT: u8 = 0x21;
    pub(super) const ON: u8 = 0x29;
    pub(super) const COLUMNS: u8 = 0x2A;
    pub(super) const ROWS: u8 = 0x2B;
    pub(super) const WRITE: u8 = 0x2C;
    pub(super) const ORIENTATION: u8 = 0x36;
    pub(super) const COLOURS: u8 = 0x3A;
}

/// Rows and columns exchanged: the board holds the glass sideways.
const SIDEWAYS: u8 = 0x70;
const BITS_16: u8 = 0x55;

/// The display.
pub(crate) struct Lcd {
    parts: LcdParts,
    /// Two pixels for each byte of a frame.
    pairs: [[u8; 4]; 256],
    rows: [Row; 2],
}

impl Lcd {
    /// Wakes the display up.
    pub(super) async fn new(parts: LcdParts) -> Lcd {
        let pairs = core::array::from_fn(|byte| {
            let [left, right] = [byte >> 4, byte & 15].map(|ink| Ink::ALL[ink].rgb565().to_be_bytes());
            [left[0], left[1], right[0], right[1]]
        });
        let mut lcd = Lcd { parts, pairs, rows: [[[0; 4]; PAIRS]; 2] };
        lcd.parts.reset.set_low();
        Timer::after_micros(20).await;
        lcd.parts.reset.set_high();
        Timer::after_millis(5).await;
        lcd.command(command::SLEEP_OUT, &[]);
        Timer::after_millis(5).await;
        lcd.command(command::ORIENTATION, &[SIDEWAYS]);
        lcd.command(command::COLOURS, &[BITS_16]);
        lcd.command(command::INVERT, &[]);
        lcd.command(command::COLUMNS, &[0, 0, 0, 239]);
        lcd.command(command::ON, &[]);
        lcd
    }

    pub(super) async fn send(&mut self, frame: &mut Frame) {
        let mut next = frame.next_change(0);
        // Where the display goes on writing by itself.
        let mut cursor = ROWS;
        if let Some(row) = next {
            expand(frame.band(row), &self.pairs, &mut self.rows[0]);
        }
        while let Some(row) = next {
            if row != cursor {
                self.command(command::ROWS, &[0, row as u8, 0, ROWS as u8 - 1]);
                self.command(command::WRITE, &[]);
            }
            cursor = row + 1;
            let Lcd { parts, pairs, rows: [now, then] } = self;
            let sending = send_row(parts, now);
            let expanding = async {
                next = frame.next_change(row + 1);
                if let Some(row) = next {
                    expand(frame.band(row), pairs, then);
                }
            };
            join(sending, expanding).await;
            self.rows.swap(0, 1);
        }
    }

    pub(super) fn light(&mut self, percent: u8) {
        set_light(&mut self.parts.light, percent);
    }

    fn command(&mut self, command: u8, arguments: &[u8]) {
        let LcdParts { spi, cs, dc, .. } = &mut self.parts;
        cs.set_low();
        dc.set_low();
        // Sending cannot fail: nobody listens to an answer.
        let _: Result<(), spi::Error> = spi.blocking_write(&[command]);
        dc.set_high();
        let _: Result<(), spi::Error> = spi.blocking_write(arguments);
        cs.set_high();
    }
}

async fn send_row(parts: &mut LcdParts, row: &Row) {
    parts.cs.set_low();
    let _: Result<(), spi::Error> = parts.spi.write(row.as_flattened()).await;
    parts.cs.set_high();
}

fn expand(band: &[u8], pairs: &[[u8; 4]; 256], row: &mut Row) {
    for (pair, &byte) in row.iter_mut().zip(band) {
        *pair = pairs[usize::from(byte)];
    }
}

fn set_light(light: &mut Pwm<'_>, percent: u8) {
    let mut config = pwm::Config::default();
    config.top = LIGHT_STEPS - 1;
    config.compare_b = (u32::from(LIGHT_STEPS) * u32::from(percent.min(100)) / 100) as u16;
    light.set_config(&config);
}

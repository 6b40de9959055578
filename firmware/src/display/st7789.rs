//! ST7789, 240×240 of its 240×320, on SPI with DMA.
//!
//! The frame has four bits a pixel. While one row is on its way, the next is expanded to 16 bits.

use dojo_handheld::{Frame, Ink, Screen, Theme};
use embassy_futures::join::join;
use embassy_futures::select::select;
use embassy_rp::{pwm, spi};
use embassy_time::{Duration, Instant, Timer, with_timeout};

use crate::boards::{LcdParts, PANEL};
use crate::power::Pace;

const ROWS: usize = Screen::Lcd.bands();
const PAIRS: usize = Screen::Lcd.band_bytes();

/// A row as it is sent.
type Row = [[u8; 4]; PAIRS];

/// The light flickers at 20 kHz, which nobody sees or hears.
const LIGHT_HZ: u32 = 20_000;

mod command {
    pub(super) const SLEEP_IN: u8 = 0x10;
    pub(super) const SLEEP_OUT: u8 = 0x11;
    pub(super) const INVERT: u8 = 0x21;
    pub(super) const ON: u8 = 0x29;
    pub(super) const COLUMNS: u8 = 0x2A;
    pub(super) const ROWS: u8 = 0x2B;
    pub(super) const WRITE: u8 = 0x2C;
    pub(super) const TEARING_SIGNAL: u8 = 0x35;
    pub(super) const ORIENTATION: u8 = 0x36;
    pub(super) const COLOURS: u8 = 0x3A;
}

const BITS_16: u8 = 0x55;

/// Two pixels for each byte of a frame, by theme.
static PAIRS_OF: [[[u8; 4]; 256]; Theme::ALL.len()] = {
    let mut themes = [[[0; 4]; 256]; Theme::ALL.len()];
    let mut number = 0;
    while number < 256 * Theme::ALL.len() {
        let (theme, byte) = (Theme::ALL[number / 256], number % 256);
        let [left, right] = [
            theme.rgb565(Ink::ALL[byte >> 4]).to_be_bytes(),
            theme.rgb565(Ink::ALL[byte & 15]).to_be_bytes(),
        ];
        themes[number / 256][byte] = [left[0], left[1], right[0], right[1]];
        number += 1;
    }
    themes
};

/// Sleep-out may follow a reset after this long if the panel was asleep,
const RESET_ASLEEP: Duration = Duration::from_millis(5);
/// and after this long if it may have been awake (data sheet of the ST7789VW, 7.4.5).
const RESET_AWAKE: Duration = Duration::from_millis(120);

/// Time between falling asleep and waking up, or the other way round (9.1.11, 9.1.12),
const SLEEP_PAUSE: Duration = Duration::from_millis(120);
/// and from either to the next command.
const SLEEP_SETTLES: Duration = Duration::from_millis(5);
/// Longer than the panel takes for a picture, at 60 Hz. A broken tearing signal must not stop the
/// device.
const PICTURE: Duration = Duration::from_millis(20);
/// A panel shows a row in 49 µs by its data sheet; one that is slow by a tenth, in this.
const SHOW_ROW: Duration = Duration::from_micros(54);

/// The display.
pub(crate) struct Lcd {
    parts: LcdParts,
    /// Whether it is awake, and since when it is or is not.
    is_awake: bool,
    since: Instant,
    percent: u8,
    pace: Pace,
    /// One is being sent, the other filled.
    rows: [Row; 2],
}

impl Lcd {
    pub(super) fn new(parts: LcdParts) -> Lcd {
        Lcd {
            parts,
            is_awake: false,
            since: Instant::MIN,
            percent: 0,
            pace: Pace::Work,
            rows: [[[0; 4]; PAIRS]; 2],
        }
    }

    /// Wakes the display up; `is_cold` says that it has just got its power.
    pub(super) async fn start(&mut self, is_cold: bool) {
        self.parts.reset.set_low();
        Timer::after_micros(20).await;
        self.parts.reset.set_high();
        Timer::after(if is_cold { RESET_ASLEEP } else { RESET_AWAKE }).await;
        self.command(command::SLEEP_OUT, &[]);
        (self.is_awake, self.since) = (true, Instant::now());
        Timer::after(SLEEP_SETTLES).await;
        self.command(command::ORIENTATION, &[PANEL.madctl]);
        self.command(command::COLOURS, &[BITS_16]);
        if PANEL.is_inverted {
            self.command(command::INVERT, &[]);
        }
        if PANEL.has_tearing_signal {
            // Between two pictures, not between two rows.
            self.command(command::TEARING_SIGNAL, &[0]);
        }
        let columns = span(PANEL.offset[0], 0, 2 * PAIRS);
        self.command(command::COLUMNS, &columns);
        self.command(command::ON, &[]);
    }

    pub(super) async fn send(&mut self, frame: &mut Frame, is_stale: fn() -> bool) -> bool {
        let mut next = frame.next_change(0);
        // Where the display goes on writing by itself.
        let mut cursor = ROWS;
        let mut shown_since = None;
        if let Some(row) = next {
            expand(frame, row, &mut self.rows[0]);
            shown_since = self.picture_begins(is_stale).await;
        }
        let mut turn = 0;
        while let Some(row) = next {
            if is_stale() {
                frame.unsend(row);
                return false;
            }
            if row != cursor {
                if let Some(start) = shown_since {
                    Timer::at(start + SHOW_ROW * row as u32).await;
                }
                self.command(command::ROWS, &span(PANEL.offset[1], row, ROWS));
                self.command(command::WRITE, &[]);
            }
            cursor = row + 1;
            let Lcd {
                parts,
                rows: [even, odd],
                ..
            } = self;
            let (now, then) = if turn == 0 { (even, odd) } else { (odd, even) };
            let sending = send_row(parts, now);
            let expanding = async {
                next = frame.next_change(row + 1);
                if let Some(row) = next {
                    expand(frame, row, then);
                }
            };
            join(sending, expanding).await;
            turn = 1 - turn;
        }
        true
    }

    /// Waits until the panel begins to show its memory anew, if it tells. It reads rows faster than
    /// they are written: if each is written after it was read, all of them are seen together, with
    /// the panel's next picture.
    /// A stale picture does not wait.
    async fn picture_begins(&mut self, is_stale: fn() -> bool) -> Option<Instant> {
        let tearing = self.parts.tearing.as_mut();
        let tearing = tearing.filter(|_| PANEL.has_tearing_signal)?;
        let stale = async {
            while !is_stale() {
                Timer::after_millis(1).await;
            }
        };
        with_timeout(PICTURE, select(tearing.wait_for_falling_edge(), stale))
            .await
            .ok()?;
        Some(Instant::now())
    }

    /// The light in percent; without any the panel sleeps. Its memory keeps the picture.
    pub(super) async fn light(&mut self, percent: u8) {
        if percent == 0 {
            self.set_light(0);
        }
        if self.is_awake != (percent > 0) {
            Timer::at(self.since + SLEEP_PAUSE).await;
            self.is_awake = percent > 0;
            self.command(
                if self.is_awake {
                    command::SLEEP_OUT
                } else {
                    command::SLEEP_IN
                },
                &[],
            );
            self.since = Instant::now();
            Timer::after(SLEEP_SETTLES).await;
        }
        self.set_light(percent);
    }

    /// The light alone.
    pub(super) fn set_light(&mut self, percent: u8) {
        self.percent = percent;
        let steps = (self.pace.hertz() / LIGHT_HZ) as u16;
        let mut config = pwm::Config::default();
        config.top = steps - 1;
        let compare = (u32::from(steps) * u32::from(percent.min(100)) / 100) as u16;
        self.parts.light.set(config, compare);
    }

    /// The light keeps its frequency when the system clock changes.
    pub(super) fn retune(&mut self, pace: Pace) {
        self.pace = pace;
        self.set_light(self.percent);
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

fn expand(frame: &Frame, band: usize, row: &mut Row) {
    let pairs = &PAIRS_OF[frame.theme() as usize];
    for (pair, &byte) in row.iter_mut().zip(frame.band(band)) {
        *pair = pairs[usize::from(byte)];
    }
}

/// Columns or rows from `first` to before `end`, as the panel takes them.
fn span(offset: u16, first: usize, end: usize) -> [u8; 4] {
    let [a, b] = (offset + first as u16).to_be_bytes();
    let [c, d] = (offset + end as u16 - 1).to_be_bytes();
    [a, b, c, d]
}

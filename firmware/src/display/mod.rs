//! The display: whichever of the two is connected.

use core::future::Future;

use dojo_handheld::{Frame, Screen};
use embassy_time::{Duration, Timer, with_timeout};

use crate::boards::pico::{LcdParts, OledBus};

mod oled;
mod st7789;

/// An OLED may wake up later than the chip: it is asked this often,
const PROBES: usize = 5;
/// with this pause in between.
const PROBE_PAUSE: Duration = Duration::from_millis(10);
/// Longer than any transfer on the bus takes. A short-circuited bus must not stop the device.
const BUS_PATIENCE: Duration = Duration::from_millis(50);

/// A connected display, dark until [`Display::light`].
#[expect(clippy::large_enum_variant, reason = "there is one display, and no heap to put it on")]
pub(crate) enum Display {
    Oled(oled::Oled),
    Lcd(st7789::Lcd),
}

impl Display {
    /// Looks for an OLED; without one there is an LCD, or nothing, which looks the same from here.
    pub(crate) async fn find(mut bus: OledBus, parts: LcdParts) -> Display {
        for _ in 0..PROBES {
            if within(oled::probe(&mut bus)).await {
                return Display::Oled(oled::Oled::new(bus));
            }
            Timer::after(PROBE_PAUSE).await;
        }
        Display::Lcd(st7789::Lcd::new(parts).await)
    }

    /// What kind it is.
    pub(crate) fn screen(&self) -> Screen {
        match self {
            Display::Oled(_) => Screen::Oled,
            Display::Lcd(_) => Screen::Lcd,
        }
    }

    /// Sends what has changed in the picture.
    pub(crate) async fn send(&mut self, frame: &mut Frame) {
        match self {
            // A display that does not answer any more gets the whole picture when it is back.
            Display::Oled(oled) => {
                if !within(oled.send(frame)).await {
                    oled.forget();
                    frame.resend();
                }
            }
            Display::Lcd(lcd) => lcd.send(frame).await,
        }
    }

    /// The light in percent; 0 is off.
    pub(crate) async fn light(&mut self, percent: u8) {
        match self {
            Display::Oled(oled) => {
                if !within(oled.light(percent)).await {
                    oled.forget();
                }
            }
            Display::Lcd(lcd) => lcd.light(percent),
        }
    }

    /// Moves the picture by two columns or back, for the SH1106; says whether it has to be sent again.
    pub(crate) fn shift(&mut self, shifted: bool) -> bool {
        match self {
            Display::Oled(oled) => oled.shift(shifted),
            Display::Lcd(_) => false,
        }
    }
}

/// Whether a transfer succeeds in time.
async fn within<E>(transfer: impl Future<Output = Result<(), E>>) -> bool {
    matches!(with_timeout(BUS_PATIENCE, transfer).await, Ok(Ok(())))
}

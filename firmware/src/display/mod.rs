//! The display: an OLED if one answers, else the LCD, or nothing, which looks the same from here.

use core::future::Future;

use dojo_handheld::{Frame, Screen, Shift};
use embassy_futures::select::{Either, select};
use embassy_time::{Duration, Timer, with_timeout};

use crate::boards::pico::{LcdParts, OledBus};
use crate::power::Pace;

mod oled;
mod st7789;

/// Pause between two searches for an OLED while the LCD starts.
const PROBE_PAUSE: Duration = Duration::from_millis(10);
/// Longer than any transfer on the bus takes. A short-circuited bus must not stop the device.
const BUS_PATIENCE: Duration = Duration::from_millis(50);

/// Both displays, of which one is in use; dark until [`Display::light`].
pub(crate) struct Display {
    oled: oled::Oled,
    lcd: st7789::Lcd,
    screen: Screen,
    percent: u8,
}

impl Display {
    pub(crate) fn new(bus: OledBus, parts: LcdParts) -> Display {
        Display {
            oled: oled::Oled::new(bus),
            lcd: st7789::Lcd::new(parts),
            screen: Screen::Lcd,
            percent: 0,
        }
    }

    /// Wakes the LCD up, and looks for an OLED meanwhile: one that answers first is used.
    ///
    /// `is_cold`: the LCD has just got its power and is asleep.
    pub(crate) async fn start(&mut self, is_cold: bool) {
        let Display { oled, lcd, .. } = self;
        let search = async {
            while !within(oled.probe()).await {
                Timer::after(PROBE_PAUSE).await;
            }
        };
        if let Either::Second(()) = select(lcd.start(is_cold), search).await {
            self.screen = Screen::Oled;
        }
    }

    /// Looks for an OLED that was not ready at the start; it takes over at once. Says whether one did.
    pub(crate) async fn look_again(&mut self) -> bool {
        if self.screen == Screen::Oled || !within(self.oled.probe()).await {
            return false;
        }
        self.lcd.set_light(0);
        self.screen = Screen::Oled;
        self.light(self.percent).await;
        true
    }

    /// The display in use.
    pub(crate) fn screen(&self) -> Screen {
        self.screen
    }

    /// Sends what has changed in the picture.
    pub(crate) async fn send(&mut self, frame: &mut Frame) {
        match self.screen {
            // A display that does not answer any more gets the whole picture when it is back.
            Screen::Oled => {
                if !within(self.oled.send(frame)).await {
                    self.oled.forget();
                    frame.resend();
                }
            }
            Screen::Lcd => self.lcd.send(frame).await,
        }
    }

    /// The light in percent; at 0 the display sleeps.
    pub(crate) async fn light(&mut self, percent: u8) {
        self.percent = percent;
        match self.screen {
            Screen::Oled => {
                if !within(self.oled.light(percent)).await {
                    self.oled.forget();
                }
            }
            Screen::Lcd => self.lcd.light(percent).await,
        }
    }

    /// The system clock has changed.
    pub(crate) fn retune(&mut self, pace: Pace) {
        self.lcd.retune(pace);
    }

    /// Whether an OLED's picture is moved by two columns; says whether it has to be sent again.
    pub(crate) fn shift(&mut self, shift: Shift) -> bool {
        self.oled.shift(shift) && self.screen == Screen::Oled
    }
}

/// Whether a transfer succeeds in time.
async fn within<E>(transfer: impl Future<Output = Result<(), E>>) -> bool {
    matches!(with_timeout(BUS_PATIENCE, transfer).await, Ok(Ok(())))
}

//! The display: an OLED if one answers, else the LCD; a missing LCD cannot be told from a connected
//! one.

use core::future::{Future, pending};

use dojo_handheld::{Frame, Screen, Shift};
use embassy_futures::select::{Either, select};
use embassy_time::{Duration, Timer, with_timeout};

use crate::boards::{LcdParts, OledBus};
use crate::power::Pace;

mod oled;
mod st7789;

/// Pause between two searches for an OLED while the LCD starts.
const PROBE_PAUSE: Duration = Duration::from_millis(10);
/// Longer than any transfer on the bus takes. A short-circuited bus must not stop the device.
const BUS_PATIENCE: Duration = Duration::from_millis(50);

/// The displays that a board can have, of which one is in use; dark until [`Display::light`].
pub(crate) struct Display {
    oled: Option<oled::Oled>,
    lcd: st7789::Lcd,
    screen: Screen,
    percent: u8,
}

impl Display {
    pub(crate) fn new(bus: Option<OledBus>, parts: LcdParts) -> Display {
        Display {
            oled: bus.map(oled::Oled::new),
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
            match oled {
                Some(oled) => {
                    while !within(oled.probe()).await {
                        Timer::after(PROBE_PAUSE).await;
                    }
                }
                None => pending().await,
            }
        };
        if let Either::Second(()) = select(lcd.start(is_cold), search).await {
            self.screen = Screen::Oled;
        }
    }

    /// Looks for an OLED that was not ready at the start, and switches to it. Returns whether there
    /// is one.
    pub(crate) async fn look_again(&mut self) -> bool {
        let Some(oled) = self.oled.as_mut().filter(|_| self.screen == Screen::Lcd) else {
            return false;
        };
        if !within(oled.probe()).await {
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

    /// Sends what has changed in the picture, band by band, for as long as it is worth it. Returns
    /// whether the display shows the whole picture.
    pub(crate) async fn send(&mut self, frame: &mut Frame, is_stale: fn() -> bool) -> bool {
        match self.oled_in_use() {
            // A display that stops answering gets the whole picture when it is back.
            Some(oled) => match with_timeout(BUS_PATIENCE, oled.send(frame, is_stale)).await {
                Ok(Ok(is_whole)) => is_whole,
                _ => {
                    oled.forget();
                    frame.resend();
                    true
                }
            },
            None => self.lcd.send(frame, is_stale).await,
        }
    }

    /// The light in percent; at 0 the display sleeps.
    pub(crate) async fn light(&mut self, percent: u8) {
        self.percent = percent;
        match self.oled_in_use() {
            Some(oled) => {
                if !within(oled.light(percent)).await {
                    oled.forget();
                }
            }
            None => self.lcd.light(percent).await,
        }
    }

    /// The system clock has changed.
    pub(crate) fn retune(&mut self, pace: Pace) {
        self.lcd.retune(pace);
    }

    /// Whether an OLED's picture is moved by two columns; says whether it has to be sent again.
    pub(crate) fn shift(&mut self, shift: Shift) -> bool {
        let is_moved = self.oled.as_mut().is_some_and(|oled| oled.shift(shift));
        is_moved && self.screen == Screen::Oled
    }

    fn oled_in_use(&mut self) -> Option<&mut oled::Oled> {
        self.oled.as_mut().filter(|_| self.screen == Screen::Oled)
    }
}

/// Whether a transfer succeeds in time.
async fn within<E>(transfer: impl Future<Output = Result<(), E>>) -> bool {
    matches!(with_timeout(BUS_PATIENCE, transfer).await, Ok(Ok(())))
}

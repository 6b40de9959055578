//! Beeps.

use core::sync::atomic::{AtomicBool, Ordering};

use embassy_rp::pwm::Config;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::Timer;
use fixed::traits::ToFixed;

use crate::CLOCK_HZ;
use crate::boards::PwmPin;

const DIVIDER: u8 = 64;

/// The tone to play next, as hertz and milliseconds; a new one replaces one that waits.
static TONE: Signal<CriticalSectionRawMutex, (u16, u16)> = Signal::new();

/// Whether a tone sounds, whose pitch depends on the system clock.
static SOUNDS: AtomicBool = AtomicBool::new(false);

/// Whether nothing sounds or is about to.
pub(crate) fn is_silent() -> bool {
    !SOUNDS.load(Ordering::Relaxed) && !TONE.signaled()
}

/// Plays a tone when the one before it is over.
pub(crate) fn beep(hertz: u16, millis: u16) {
    TONE.signal((hertz, millis));
}

/// Plays queued tones, for ever.
#[embassy_executor::task]
pub(crate) async fn play(mut speaker: PwmPin) {
    loop {
        let (hertz, millis) = TONE.wait().await;
        SOUNDS.store(true, Ordering::Relaxed);
        let mut tone = Config::default();
        tone.divider = DIVIDER.to_fixed();
        let period = CLOCK_HZ / u32::from(DIVIDER) / u32::from(hertz.max(1));
        tone.top = u16::try_from(period).unwrap_or(u16::MAX).max(2) - 1;
        let half = tone.top / 2;
        speaker.set(tone, half);
        Timer::after_millis(u64::from(millis)).await;
        speaker.set(Config::default(), 0);
        SOUNDS.store(false, Ordering::Relaxed);
    }
}

//! Tunes on the speaker.

use core::sync::atomic::{AtomicBool, Ordering};

use dojo_handheld::sound::Note;
use embassy_rp::pwm::Config;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, with_timeout};
use fixed::traits::ToFixed;

use crate::CLOCK_HZ;
use crate::boards::PwmPin;

const DIVIDER: u8 = 64;

/// The notes to play next and their volume; they end those before them.
static TUNE: Signal<CriticalSectionRawMutex, (&'static [Note], u8)> = Signal::new();

/// Whether a tone sounds, whose pitch depends on the system clock.
static SOUNDS: AtomicBool = AtomicBool::new(false);

/// Whether nothing sounds or is about to.
pub(crate) fn is_silent() -> bool {
    !SOUNDS.load(Ordering::Relaxed) && !TUNE.signaled()
}

/// Plays notes, one after the other.
pub(crate) fn start(notes: &'static [Note], volume: u8) {
    TUNE.signal((notes, volume));
}

/// Plays tunes, for ever.
#[embassy_executor::task]
pub(crate) async fn play(mut speaker: PwmPin) {
    let mut next = TUNE.wait().await;
    loop {
        SOUNDS.store(true, Ordering::Relaxed);
        let (notes, volume) = next;
        let mut other = None;
        for note in notes {
            sound(&mut speaker, note, volume);
            let length = Duration::from_millis(note.millis.into());
            if let Ok(tune) = with_timeout(length, TUNE.wait()).await {
                other = Some(tune);
                break;
            }
        }
        speaker.set(Config::default(), 0);
        SOUNDS.store(false, Ordering::Relaxed);
        next = match other {
            Some(tune) => tune,
            None => TUNE.wait().await,
        };
    }
}

/// Starts a note. A shorter pulse is softer: a half, an eighth or a 32nd of the period.
fn sound(speaker: &mut PwmPin, note: &Note, volume: u8) {
    let mut tone = Config::default();
    tone.divider = DIVIDER.to_fixed();
    let period = CLOCK_HZ / u32::from(DIVIDER) / u32::from(note.hertz.max(1));
    tone.top = u16::try_from(period).unwrap_or(u16::MAX).max(2) - 1;
    let pulse = match (note.hertz, volume) {
        (0, _) => 0,
        (_, ..=1) => tone.top / 32,
        (_, 2) => tone.top / 8,
        _ => tone.top / 2,
    };
    speaker.set(tone, pulse);
}

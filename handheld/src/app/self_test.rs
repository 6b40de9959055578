//! Speed, flash and sound of the device, as the screens measure and test them.

use dojo_core::games::speed::Speed;

use super::AppState;
use crate::event::{Command, FlashTest};
use crate::sound::Note;
use crate::store::VOLUMES;

/// State of the speed measurement.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SpeedTest {
    Unknown,
    Running,
    Known { search: Speed, playouts: Speed },
}

/// State of the flash test.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FlashState {
    Unknown,
    Running,
    Known(FlashTest),
}

/// The tones of the sound test, by name.
pub(crate) static SCALE: [(&str, Note); 8] = [
    tone("C5", 523),
    tone("D5", 587),
    tone("E5", 659),
    tone("F5", 698),
    tone("G5", 784),
    tone("A5", 880),
    tone("B5", 988),
    tone("C6", 1047),
];

const fn tone(name: &str, hertz: u16) -> (&str, Note) {
    let millis = NOTE_LENGTH_MS;
    (name, Note { hertz, millis })
}

/// Time between two tones of the scale, and length of each.
const NOTE_MS: u32 = 300;
const NOTE_LENGTH_MS: u16 = 240;

/// A scale that is being played.
#[derive(Clone, Copy)]
pub(super) struct Scale {
    begun: u32,
    /// Tones that were sent.
    notes: usize,
}

impl AppState {
    /// Starts a measurement unless one runs.
    pub(crate) fn measure(&mut self) {
        if self.speed != SpeedTest::Running {
            self.speed = SpeedTest::Running;
            self.command(Command::Measure);
        }
    }

    pub(crate) fn measured(&mut self, search: Speed, playouts: Speed) {
        self.speed = SpeedTest::Known { search, playouts };
    }

    /// Starts a test unless one runs.
    pub(crate) fn test_flash(&mut self) {
        if self.flash != FlashState::Running {
            self.flash = FlashState::Running;
            self.command(Command::TestFlash);
        }
    }

    /// Plays the scale from its first tone, also where sound is off.
    pub(crate) fn play_scale(&mut self) {
        self.scale = Some(Scale {
            begun: self.now,
            notes: 0,
        });
        self.go_on_with_scale();
    }

    pub(crate) fn stop_scale(&mut self) {
        self.scale = None;
    }

    /// Index of the last tone played, while the scale is played.
    pub(crate) fn note(&self) -> Option<usize> {
        self.scale?.notes.checked_sub(1)
    }

    /// Plays the next tone when it is time. Returns whether something changed.
    pub(crate) fn go_on_with_scale(&mut self) -> bool {
        let Some(scale) = &mut self.scale else {
            return false;
        };
        let due = (self.now.wrapping_sub(scale.begun) / NOTE_MS) as usize;
        if due < scale.notes {
            return false;
        }
        match SCALE.get(scale.notes) {
            Some((_, note)) => {
                scale.notes += 1;
                self.command(Command::Play {
                    notes: core::slice::from_ref(note),
                    volume: VOLUMES,
                });
            }
            None => self.scale = None,
        }
        true
    }
}

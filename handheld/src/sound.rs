//! The cues: short tunes as data, which every runner plays in its own way.
//!
//! All pitches are of the pentatonic scale on C, in which no two notes clash; only a refusal is
//! outside of it.

use dojo_core::belt::Belt;

/// A note: a square wave, or silence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note {
    /// Its pitch; 0 for silence.
    pub hertz: u16,
    /// Its length.
    pub millis: u16,
}

/// An occasion for a sound. Of several at a time the last one of this list is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cue {
    /// Another screen.
    Click,
    /// This is not possible.
    Refused,
    /// A move of a person.
    Move,
    /// A move of the machine, or a hint.
    Reply,
    /// A move that takes pieces or boxes.
    Capture,
    /// A game begins.
    Start,
    /// A draw against a machine, or a wrong answer to a puzzle.
    NearMiss,
    /// A lost game.
    Lost,
    /// A won game: it begins one note higher a belt.
    Won(Belt),
    /// A belt is earned.
    BeltEarned,
}

const fn note(hertz: u16, millis: u16) -> Note {
    Note { hertz, millis }
}

const C5: u16 = 523;
const D5: u16 = 587;
const E5: u16 = 659;
const G5: u16 = 784;
const A5: u16 = 880;
const C6: u16 = 1047;
const D6: u16 = 1175;
const E6: u16 = 1319;
const G6: u16 = 1568;

/// Notes of a win.
const WON_NOTES: usize = 5;
/// The win of a black belt ends on the last one.
const WINS: [Note; WON_NOTES + Belt::ALL.len() - 1] = [
    note(C5, 110),
    note(D5, 110),
    note(E5, 110),
    note(G5, 110),
    note(A5, 110),
    note(C6, 110),
    note(D6, 110),
    note(E6, 110),
    note(G6, 110),
];

impl Cue {
    /// Its notes, one after the other.
    pub fn notes(self) -> &'static [Note] {
        match self {
            Cue::Click => &[Note {
                hertz: 1175,
                millis: 8,
            }],
            Cue::Refused => &[Note {
                hertz: 180,
                millis: 80,
            }],
            Cue::Move => &const { [note(A5, 45)] },
            // Two tones in quick change sound like two voices.
            Cue::Reply => &const { [note(E5, 15), note(G5, 15), note(E5, 30)] },
            Cue::Capture => &const { [note(G5, 30), note(C6, 30), note(E6, 60)] },
            Cue::Start => &const { [note(C5, 70), note(G5, 70), note(C6, 130)] },
            Cue::NearMiss => &const { [note(G5, 90), note(A5, 90), note(G5, 180)] },
            Cue::Lost => &const { [note(A5, 120), note(E5, 120), note(C5, 260)] },
            Cue::Won(belt) => WINS
                .get(belt as usize..belt as usize + WON_NOTES)
                .unwrap_or(&WINS),
            Cue::BeltEarned => {
                &const {
                    [
                        note(C5, 90),
                        note(E5, 90),
                        note(G5, 90),
                        note(0, 40),
                        note(G5, 60),
                        note(A5, 60),
                        note(C6, 120),
                        note(0, 40),
                        note(E6, 100),
                        note(G6, 300),
                    ]
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_win_has_five_notes_and_begins_one_higher_a_belt() {
        let mut last = 0;
        for belt in Belt::ALL {
            let notes = Cue::Won(belt).notes();
            assert_eq!(notes.len(), 5);
            assert!(notes.is_sorted_by_key(|note| note.hertz));
            assert!(notes[0].hertz > last);
            last = notes[0].hertz;
        }
    }

    #[test]
    fn no_cue_is_longer_than_a_second() {
        let cues = [
            Cue::Click,
            Cue::Refused,
            Cue::Move,
            Cue::Reply,
            Cue::Capture,
            Cue::Start,
            Cue::NearMiss,
            Cue::Lost,
            Cue::Won(Belt::Black),
            Cue::BeltEarned,
        ];
        assert!(cues.is_sorted());
        for cue in cues {
            let millis: u16 = cue.notes().iter().map(|note| note.millis).sum();
            assert!((8..=1000).contains(&millis), "{cue:?}: {millis} ms");
        }
    }
}

//! Exercises: positions with a task, for the puzzle book and for lessons, read in place.
//!
//! [`Exercises::new`] checks the whole payload once; after that no access can fail. A single
//! exercise travels as the bytes of its record ([`Exercise::bytes`]), which [`Exercise::new`] checks
//! again. `docs/bank-format.md` has the layout. Moves are numbers here; whether they are legal is
//! checked by whoever knows the game.

use core::fmt;

/// Most bytes of a record.
pub const MAX_RECORD: usize = 384;
/// A number that stands for no move, and for any other move in a [`Case`].
pub const NONE: u16 = u16::MAX;
/// Numbers of keys in a [`Case`]; moves are below.
pub const KEYS: u16 = 0xFFF0;

/// Bytes of a record before its texts.
const FIXED: usize = 8;
/// Bytes of a case before its text.
const CASE: usize = 3;
/// Bytes of a pair: the number of a move and of its reply.
const PAIR: usize = 4;

/// What has to be reached. The codes are stored in banks and never change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Goal {
    /// As the task says in words.
    Task = 0,
    /// A win.
    Win = 1,
    /// A draw.
    Draw = 2,
    /// The best result in points.
    Points = 3,
    /// The block on the place is taken.
    Capture = 4,
    /// The block on the place is not taken.
    Save = 5,
}

impl Goal {
    /// All goals, by their codes.
    pub const ALL: [Goal; 6] = [
        Goal::Task,
        Goal::Win,
        Goal::Draw,
        Goal::Points,
        Goal::Capture,
        Goal::Save,
    ];

    /// The goal with this code.
    pub fn from_code(code: u8) -> Option<Goal> {
        Goal::ALL.get(usize::from(code)).copied()
    }
}

/// A fault in a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExerciseFault {
    /// The payload ends before its list of records.
    Short {
        /// Bytes that are there.
        found: usize,
        /// Bytes that the number of records asks for.
        expected: usize,
    },
    /// A record begins or ends at the wrong place.
    Place {
        /// The exercise, from 1.
        exercise: usize,
        /// Its offset.
        found: usize,
        /// The least offset it may have.
        expected: usize,
    },
    /// A record has a fault.
    Record {
        /// The exercise, from 1.
        exercise: usize,
        /// What is wrong.
        fault: RecordFault,
    },
}

/// A fault in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordFault {
    /// Too many bytes.
    Long {
        /// Bytes.
        found: usize,
    },
    /// Its parts do not fill it.
    Length {
        /// Bytes that are there.
        found: usize,
        /// Bytes that its parts ask for.
        expected: usize,
    },
    /// An unknown goal.
    Goal {
        /// Its code.
        found: u8,
    },
    /// A verdict other than 0 and 1.
    Verdict {
        /// The byte.
        found: u8,
    },
    /// A letter that is not printable ASCII.
    Letter {
        /// Its byte.
        found: u8,
    },
}

impl fmt::Display for ExerciseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ExerciseFault::Short { found, expected } => {
                write!(f, "{found} bytes, expected at least {expected}")
            }
            ExerciseFault::Place {
                exercise,
                found,
                expected,
            } => write!(
                f,
                "exercise {exercise}: offset {found}, expected {expected} or more inside the payload"
            ),
            ExerciseFault::Record { exercise, fault } => write!(f, "exercise {exercise}: {fault}"),
        }
    }
}

impl core::error::Error for ExerciseFault {}

impl fmt::Display for RecordFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            RecordFault::Long { found } => {
                write!(f, "{found} bytes, expected at most {MAX_RECORD}")
            }
            RecordFault::Length { found, expected } => {
                write!(f, "{found} bytes, its parts ask for {expected}")
            }
            RecordFault::Goal { found } => write!(f, "unknown goal {found}"),
            RecordFault::Verdict { found } => write!(f, "verdict {found}, expected 0 or 1"),
            RecordFault::Letter { found } => write!(f, "letter {found:#04x} is not printable"),
        }
    }
}

impl core::error::Error for RecordFault {}

/// A checked payload of exercises.
#[derive(Clone, Copy, Debug)]
pub struct Exercises<'a> {
    bytes: &'a [u8],
    count: usize,
}

impl<'a> Exercises<'a> {
    /// Checks a payload and all its records.
    pub fn new(bytes: &'a [u8]) -> Result<Exercises<'a>, ExerciseFault> {
        let count = word(bytes, 0).map_or(0, usize::from);
        let expected = 2 * (count + 2);
        if bytes.len() < expected {
            return Err(ExerciseFault::Short {
                found: bytes.len(),
                expected,
            });
        }
        let all = Exercises { bytes, count };
        let mut expected = expected;
        for exercise in 1..=count + 1 {
            let found = all.offset(exercise - 1);
            let is_last = exercise == count + 1;
            if found < expected || found > bytes.len() || is_last && found != bytes.len() {
                return Err(ExerciseFault::Place {
                    exercise,
                    found,
                    expected,
                });
            }
            expected = found;
        }
        for number in 0..count {
            Exercise::new(all.record(number)).map_err(|fault| ExerciseFault::Record {
                exercise: number + 1,
                fault,
            })?;
        }
        Ok(all)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The exercise with this number, from 0.
    pub fn get(&self, number: usize) -> Option<Exercise<'a>> {
        (number < self.count)
            .then(|| Exercise::new(self.record(number)).ok())
            .flatten()
    }

    fn offset(&self, number: usize) -> usize {
        word(self.bytes, 2 + 2 * number).map_or(0, usize::from)
    }

    fn record(&self, number: usize) -> &'a [u8] {
        let (from, to) = (self.offset(number), self.offset(number + 1));
        self.bytes.get(from..to).unwrap_or_default()
    }
}

/// A checked exercise: a position, given by rules and moves, and what follows each move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exercise<'a> {
    bytes: &'a [u8],
    goal: Goal,
}

impl<'a> Exercise<'a> {
    /// Checks a record.
    pub fn new(bytes: &'a [u8]) -> Result<Exercise<'a>, RecordFault> {
        let found = bytes.len();
        if found > MAX_RECORD {
            return Err(RecordFault::Long { found });
        }
        if found < FIXED {
            return Err(RecordFault::Length {
                found,
                expected: FIXED,
            });
        }
        let goal = Goal::from_code(bytes[1]).ok_or(RecordFault::Goal { found: bytes[1] })?;
        let exercise = Exercise { bytes, goal };
        let mut expected = exercise.cases_at();
        let texts = bytes.get(FIXED..FIXED + exercise.size(4) + exercise.size(5));
        check_letters(texts.unwrap_or_default())?;
        for _ in 0..exercise.size(7) {
            let Some(&[verdict, text, pairs]) = bytes.get(expected..expected + CASE) else {
                expected += CASE;
                break;
            };
            if verdict > 1 {
                return Err(RecordFault::Verdict { found: verdict });
            }
            let start = expected + CASE;
            expected = start + usize::from(text) + PAIR * usize::from(pairs);
            let text = bytes.get(start..start + usize::from(text));
            check_letters(text.unwrap_or_default())?;
        }
        if found != expected {
            return Err(RecordFault::Length { found, expected });
        }
        Ok(exercise)
    }

    /// The record.
    pub fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// How hard it is, from 1 to 5; 0 in a lesson.
    pub fn stars(&self) -> u8 {
        self.bytes.first().copied().unwrap_or(0)
    }

    /// What has to be reached.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The place that the goal is about; `None` if it is about none.
    pub fn place(&self) -> Option<u16> {
        word(self.bytes, 2).filter(|&place| place != NONE)
    }

    /// The rules of the game, as records have them: `rows=3,5,7 misere=yes`.
    pub fn rules(&self) -> &'a str {
        self.text(FIXED, self.size(4))
    }

    /// The task in words; empty if the goal says it.
    pub fn task(&self) -> &'a str {
        self.text(FIXED + self.size(4), self.size(5))
    }

    /// The moves that lead to the position.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = u16> + use<'a> {
        let (bytes, start) = (self.bytes, self.moves_at());
        (0..self.size(6)).map(move |number| word(bytes, start + 2 * number).unwrap_or(NONE))
    }

    /// What follows the moves; the first case that knows a move counts.
    pub fn cases(&self) -> impl Iterator<Item = Case<'a>> + use<'a> {
        let exercise = *self;
        let mut at = self.cases_at();
        (0..self.size(7)).filter_map(move |_| {
            let &[verdict, text, pairs] = exercise.bytes.get(at..at + CASE)? else {
                return None;
            };
            let start = at + CASE;
            let middle = start + usize::from(text);
            at = middle + PAIR * usize::from(pairs);
            Some(Case {
                is_right: verdict == 1,
                text: exercise.text(start, usize::from(text)),
                pairs: exercise.bytes.get(middle..at)?,
            })
        })
    }

    /// The case of a move or key, and the reply to it.
    pub fn answer(&self, number: u16) -> Option<(Case<'a>, Option<u16>)> {
        self.cases()
            .find_map(|case| Some((case, case.reply(number)?)))
            .map(|(case, reply)| (case, Some(reply).filter(|&reply| reply != NONE)))
    }

    /// The first move that is right.
    pub fn solution(&self) -> Option<u16> {
        let right = self.cases().filter(|case| case.is_right);
        right
            .flat_map(|case| case.pairs())
            .map(|(number, _)| number)
            .find(|&number| number < KEYS)
    }

    fn size(&self, at: usize) -> usize {
        self.bytes.get(at).copied().map_or(0, usize::from)
    }

    fn moves_at(&self) -> usize {
        FIXED + self.size(4) + self.size(5)
    }

    fn cases_at(&self) -> usize {
        self.moves_at() + 2 * self.size(6)
    }

    /// Letters were checked by [`Exercise::new`].
    fn text(&self, start: usize, length: usize) -> &'a str {
        let bytes = self.bytes.get(start..start + length).unwrap_or_default();
        core::str::from_utf8(bytes).unwrap_or_default()
    }
}

/// What follows some moves of an exercise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case<'a> {
    /// Whether they solve it.
    pub is_right: bool,
    /// What is said about them; may be empty.
    pub text: &'a str,
    pairs: &'a [u8],
}

impl<'a> Case<'a> {
    /// Moves and keys with the reply to each, [`NONE`] if there is none.
    pub fn pairs(&self) -> impl Iterator<Item = (u16, u16)> + use<'a> {
        self.pairs
            .chunks_exact(PAIR)
            .filter_map(|pair| Some((word(pair, 0)?, word(pair, 2)?)))
    }

    /// The reply to a move or key of this case; `None` if it is not about it.
    fn reply(&self, number: u16) -> Option<u16> {
        self.pairs()
            .find(|&(known, _)| known == number || known == NONE && number < KEYS)
            .map(|(_, reply)| reply)
    }
}

fn check_letters(text: &[u8]) -> Result<(), RecordFault> {
    match text.iter().find(|byte| !(b' '..=b'~').contains(byte)) {
        Some(&found) => Err(RecordFault::Letter { found }),
        None => Ok(()),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u16> {
    let pair = bytes.get(at..at + 2)?;
    Some(u16::from_le_bytes([*pair.first()?, *pair.get(1)?]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;

    fn record() -> Vec<u8> {
        let mut bytes = vec![3, 4, 7, 0, 4, 3, 2, 2];
        bytes.extend(b"a=1 do!\x05\x00\x06\x01");
        bytes.extend([1, 4]);
        bytes.push(1);
        bytes.extend(b"yes!\x09\x00\xFF\xFF");
        bytes.extend([0, 0, 2, 8, 0, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF]);
        bytes
    }

    fn payload(records: &[Vec<u8>]) -> Vec<u8> {
        let mut offset = 2 * (records.len() + 2);
        let mut bytes = (records.len() as u16).to_le_bytes().to_vec();
        for record in records {
            bytes.extend((offset as u16).to_le_bytes());
            offset += record.len();
        }
        bytes.extend((offset as u16).to_le_bytes());
        bytes.extend(records.concat());
        bytes
    }

    #[test]
    fn a_record_says_what_was_written() {
        let bytes = payload(&[record(), record()]);
        let all = Exercises::new(&bytes).unwrap();
        assert_eq!((all.len(), all.get(2)), (2, None));
        let exercise = all.get(1).unwrap();
        assert_eq!(
            (exercise.stars(), exercise.goal(), exercise.place()),
            (3, Goal::Capture, Some(7))
        );
        assert_eq!((exercise.rules(), exercise.task()), ("a=1 ", "do!"));
        assert_eq!(exercise.moves().collect::<Vec<_>>(), [5, 0x106]);
        assert_eq!(exercise.solution(), Some(9));
        let said = |number| {
            let (case, reply) = exercise.answer(number)?;
            Some((case.is_right, case.text, reply))
        };
        assert_eq!(said(9), Some((true, "yes!", None)));
        assert_eq!(said(8), Some((false, "", Some(0x101))));
        assert_eq!(said(1), Some((false, "", None)), "any other move");
        assert_eq!(said(KEYS), None, "a key is no move");
    }

    /// Every cut and every changed byte is refused or leaves a payload whose every part can be read.
    #[test]
    fn damage_is_refused_or_harmless() {
        let whole = payload(&[record(), record()]);
        let read = |bytes: &[u8]| {
            let Ok(all) = Exercises::new(bytes) else {
                return false;
            };
            for exercise in (0..all.len()).filter_map(|number| all.get(number)) {
                assert!(exercise.moves().len() < 256);
                for case in exercise.cases() {
                    assert!(case.text.len() < 256 && case.pairs().count() < 256);
                }
                let _ = (exercise.answer(9), exercise.solution(), exercise.task());
            }
            true
        };
        assert!(read(&whole));
        for length in 0..whole.len() {
            assert!(!read(&whole[..length]), "{length} bytes");
        }
        for at in 0..whole.len() {
            for byte in 0..=255 {
                let mut changed = whole.clone();
                changed[at] = byte;
                read(&changed);
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let with = |at: usize, byte: u8| {
            let mut bytes = record();
            bytes[at] = byte;
            Exercise::new(&bytes).map(|_| ()).unwrap_err()
        };
        assert_eq!(with(1, 6), RecordFault::Goal { found: 6 });
        assert_eq!(with(8, 7), RecordFault::Letter { found: 7 });
        assert_eq!(with(19, 2), RecordFault::Verdict { found: 2 });
        assert_eq!(
            with(7, 1),
            RecordFault::Length {
                found: 41,
                expected: 30
            }
        );
        let long = vec![0; MAX_RECORD + 1];
        assert_eq!(Exercise::new(&long), Err(RecordFault::Long { found: 385 }));
        assert_eq!(
            Exercises::new(&[1, 0, 6, 0]).map(|_| ()),
            Err(ExerciseFault::Short {
                found: 4,
                expected: 6
            })
        );
        let mut swapped = payload(&[record()]);
        swapped[2] = 5;
        assert_eq!(
            Exercises::new(&swapped).map(|_| ()),
            Err(ExerciseFault::Place {
                exercise: 1,
                found: 5,
                expected: 6
            })
        );
    }
}

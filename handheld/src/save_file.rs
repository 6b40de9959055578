//! All slots as one file: the save of the simulator and the export of the browser page.
//!
//! Layout: `DOJOSAVE`, version (2 bytes), then for each slot its number (1), length (2) and bytes,
//! and a CRC-32 of everything before it at the end. Numbers are little-endian.

use core::fmt;

use dojo_core::bank::CRC;

use crate::event::Slot;
use crate::store::MAX_BYTES;

const MAGIC: [u8; 8] = *b"DOJOSAVE";
/// Version 1 had one running game, under number 3.
const VERSION: u16 = 2;
const SLOTS: usize = Slot::ALL.len();

/// The longest file: head, full slots, checksum.
pub const MAX_FILE: usize = 10 + SLOTS * (3 + MAX_BYTES) + 4;

/// The bytes of each slot, in the order of [`Slot::ALL`].
pub type Slots<'a> = [Option<&'a [u8]>; SLOTS];

/// Why a file is no save.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "`found` and `expected` say what they are")]
pub enum SaveError {
    /// It starts with something else.
    Foreign,
    /// It ends too early.
    Cut { found: usize },
    /// It was written by another version.
    Version { found: u16, expected: u16 },
    /// It was changed after it was written.
    Crc { found: u32, expected: u32 },
    /// A slot that is not known or does not fit.
    Slot { number: u8, length: usize },
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SaveError::Foreign => f.write_str("not a save of the handheld"),
            SaveError::Cut { found } => write!(f, "cut off: {found} bytes"),
            SaveError::Version { found, expected } => {
                write!(f, "save version {found}, this program reads {expected}")
            }
            SaveError::Crc { found, expected } => {
                write!(
                    f,
                    "damaged save: checksum {found:08x}, expected {expected:08x}"
                )
            }
            SaveError::Slot { number, length } => {
                write!(f, "slot {number} with {length} bytes does not fit")
            }
        }
    }
}

impl core::error::Error for SaveError {}

/// Writes a save; `None` if a slot is longer than [`MAX_BYTES`] or `out` is shorter than
/// [`MAX_FILE`].
pub fn write<'a>(slots: Slots<'_>, out: &'a mut [u8]) -> Option<&'a [u8]> {
    let mut length = 0;
    let mut put = |bytes: &[u8]| {
        out.get_mut(length..length + bytes.len())?
            .copy_from_slice(bytes);
        length += bytes.len();
        Some(())
    };
    put(&MAGIC)?;
    put(&VERSION.to_le_bytes())?;
    for (slot, bytes) in Slot::ALL.into_iter().zip(slots) {
        let Some(bytes) = bytes else { continue };
        put(&[slot.key()])?;
        put(&u16::try_from(bytes.len())
            .ok()
            .filter(|&n| usize::from(n) <= MAX_BYTES)?
            .to_le_bytes())?;
        put(bytes)?;
    }
    let crc = CRC.checksum(&out[..length]);
    out.get_mut(length..length + 4)?
        .copy_from_slice(&crc.to_le_bytes());
    Some(&out[..length + 4])
}

/// Reads a save, or says what is wrong with it.
pub fn parse(bytes: &[u8]) -> Result<Slots<'_>, SaveError> {
    if !bytes.starts_with(&MAGIC) {
        return Err(SaveError::Foreign);
    }
    let Some((body, crc)) = bytes
        .split_last_chunk::<4>()
        .filter(|(body, _)| body.len() >= 10)
    else {
        return Err(SaveError::Cut { found: bytes.len() });
    };
    let found = u16::from_le_bytes([body[8], body[9]]);
    if !(1..=VERSION).contains(&found) {
        return Err(SaveError::Version {
            found,
            expected: VERSION,
        });
    }
    let (found, expected) = (CRC.checksum(body), u32::from_le_bytes(*crc));
    if found != expected {
        return Err(SaveError::Crc { found, expected });
    }
    let mut slots = Slots::default();
    let mut rest = &body[10..];
    while let [number, low, high, after @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let slot = Slot::from_key(*number).map(Slot::index);
        let (Some(slot), Some(kept), true) = (slot, after.get(..length), length <= MAX_BYTES)
        else {
            return Err(SaveError::Slot {
                number: *number,
                length,
            });
        };
        slots[slot] = Some(kept);
        rest = &after[length..];
    }
    if rest.is_empty() {
        Ok(slots)
    } else {
        Err(SaveError::Cut { found: bytes.len() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut slots = Slots::default();
        slots[0] = Some(&[1, 2, 3]);
        slots[2] = Some(&[]);
        let mut out = [0; MAX_FILE];
        assert_eq!(parse(write(slots, &mut out).unwrap()), Ok(slots));
        let full = [7; MAX_BYTES];
        assert_eq!(
            parse(write([Some(&full); _], &mut out).unwrap()),
            Ok([Some(&full[..]); _])
        );
        assert_eq!(write(slots, &mut [0; 12]), None);
        slots[1] = Some(&[0; MAX_BYTES + 1]);
        assert_eq!(write(slots, &mut [0; 2 * MAX_FILE]), None);
    }

    #[test]
    fn every_damage_is_noticed() {
        let mut out = [0; MAX_FILE];
        let mut slots = Slots::default();
        slots[0] = Some(&[1, 2, 3]);
        slots[2] = Some(&[]);
        let good = write(slots, &mut out).unwrap();
        for cut in 0..good.len() {
            assert!(parse(&good[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..good.len() {
            let mut bad = heapless::Vec::<u8, MAX_FILE>::from_slice(good).unwrap();
            bad[at] ^= 0x10;
            assert!(parse(&bad).is_err(), "byte {at}");
        }
    }

    #[test]
    fn files_of_version_1_are_read_and_later_ones_are_not() {
        let mut file = heapless::Vec::<u8, 64>::from_slice(b"DOJOSAVE\x01\x00").unwrap();
        // The running game of that version.
        file.extend_from_slice(&[3, 2, 0, 7, 8]).unwrap();
        let seal = |file: &[u8]| {
            let mut whole = heapless::Vec::<u8, 64>::from_slice(file).unwrap();
            whole
                .extend_from_slice(&CRC.checksum(file).to_le_bytes())
                .unwrap();
            whole
        };
        let old = seal(&file);
        let slots = parse(&old).unwrap();
        assert_eq!(slots[Slot::OldGame.index()], Some(&[7, 8][..]));
        assert_eq!(slots.iter().flatten().count(), 1);
        for version in [0, 3] {
            file[8] = version;
            let found = u16::from(version);
            let expected = VERSION;
            assert_eq!(
                parse(&seal(&file)),
                Err(SaveError::Version { found, expected })
            );
        }
    }

    #[test]
    fn every_slot_has_a_number_of_its_own() {
        for (place, slot) in Slot::ALL.into_iter().enumerate() {
            assert_eq!(Slot::from_key(slot.key()), Some(slot));
            assert_eq!(slot.index(), place);
        }
        let numbers = [1, 2, 4, 5, 17, 18, 19, 20, 21, 22, 3];
        assert!(
            Slot::at_start().map(Slot::key).eq(numbers),
            "they stand in saves"
        );
        let others = Slot::ALL.into_iter().skip(numbers.len()).map(Slot::key);
        assert!(others.eq([6].into_iter().chain(64..83)), "these, too");
    }
}

//! The file that stands in for the device's save region.
//!
//! Layout: `DOJOSAVE`, version (2 bytes), then for each slot its number (1), length (2) and bytes, and a CRC-32 of
//! all that at the end. Numbers are little-endian.

use std::path::{Path, PathBuf};

use dojo_core::bank::CRC;
use dojo_handheld::{MAX_BYTES, Slot};

use crate::failure::{Done, Failure};
use crate::files;

const MAGIC: &[u8; 8] = b"DOJOSAVE";
const VERSION: u16 = 1;

/// A save file and what is in it.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    slots: [Option<Vec<u8>>; Slot::ALL.len()],
}

impl SaveFile {
    /// Opens a save; one that does not exist yet is empty. A damaged one is refused and left as it is.
    pub fn open(path: PathBuf) -> Result<SaveFile, Failure> {
        let slots = match std::fs::read(&path) {
            Ok(bytes) => parse(&bytes).map_err(|fault| {
                Failure::Check(format!("{}: {fault}; move it away or name another with --save", path.display()))
            })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
            Err(error) => return Err(Failure::file(&path, &error)),
        };
        Ok(SaveFile { path, slots })
    }

    /// Where saves are kept if no file is named.
    pub fn usual_path() -> Result<PathBuf, Failure> {
        let folder =
            dirs::data_dir().ok_or_else(|| Failure::usage("no home for the save file: name one with --save"))?;
        Ok(folder.join("pocket-dojo").join("handheld.save"))
    }

    /// What is kept in a slot.
    pub fn get(&self, slot: Slot) -> Option<&[u8]> {
        self.slots[index(slot)].as_deref()
    }

    /// Keeps bytes in a slot: the file is whole before and after.
    pub fn put(&mut self, slot: Slot, bytes: &[u8]) -> Done {
        if self.get(slot) == Some(bytes) {
            return Ok(());
        }
        self.slots[index(slot)] = Some(bytes.to_vec());
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        files::write(&self.path, &self.bytes(), true)
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        for slot in Slot::ALL {
            if let Some(kept) = self.get(slot) {
                bytes.push(slot as u8);
                bytes.extend((kept.len() as u16).to_le_bytes());
                bytes.extend(kept);
            }
        }
        let crc = CRC.checksum(&bytes);
        bytes.extend(crc.to_le_bytes());
        bytes
    }
}

fn index(slot: Slot) -> usize {
    slot as usize - 1
}

/// Reads a save, or says what is wrong with it.
fn parse(bytes: &[u8]) -> Result<[Option<Vec<u8>>; Slot::ALL.len()], String> {
    if !bytes.starts_with(MAGIC) {
        return Err("not a save of the handheld".into());
    }
    let Some((body, crc)) = bytes.split_last_chunk::<4>().filter(|(body, _)| body.len() >= 10) else {
        return Err(format!("cut off: {} bytes", bytes.len()));
    };
    let version = u16::from_le_bytes([body[8], body[9]]);
    if version != VERSION {
        return Err(format!("save version {version}, this program reads {VERSION}"));
    }
    let (found, expected) = (CRC.checksum(body), u32::from_le_bytes(*crc));
    if found != expected {
        return Err(format!("damaged save: checksum {found:08x}, expected {expected:08x}"));
    }
    let mut slots: [Option<Vec<u8>>; Slot::ALL.len()] = Default::default();
    let mut rest = &body[10..];
    while let [number, low, high, after @ ..] = rest {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let slot = Slot::ALL.into_iter().find(|slot| *slot as u8 == *number);
        let (Some(slot), true, true) = (slot, length <= after.len(), length <= MAX_BYTES) else {
            return Err(format!("slot {number} with {length} bytes does not fit"));
        };
        slots[index(slot)] = Some(after[..length].to_vec());
        rest = &after[length..];
    }
    if rest.is_empty() { Ok(slots) } else { Err("bytes behind the last slot".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Vec<u8> {
        let mut save = SaveFile { path: PathBuf::new(), slots: Default::default() };
        save.slots[index(Slot::Settings)] = Some(vec![1, 2, 3]);
        save.slots[index(Slot::Game)] = Some(vec![]);
        save.bytes()
    }

    #[test]
    fn what_is_written_is_read() {
        let slots = parse(&sample()).unwrap();
        assert_eq!(slots, [Some(vec![1, 2, 3]), None, Some(vec![])]);
    }

    #[test]
    fn every_damage_is_noticed() {
        let good = sample();
        for cut in 0..good.len() {
            assert!(parse(&good[..cut]).is_err(), "cut at {cut}");
        }
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 0x10;
            assert!(parse(&bad).is_err(), "byte {at}");
        }
    }
}

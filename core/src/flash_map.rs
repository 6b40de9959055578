//! The regions of the device's flash, read from `memory.x` at compile time: the linker script is
//! the only place where their addresses stand.
//!
//! ```
//! use dojo_core::flash_map::{BANK, SAVE, USER};
//! assert_eq!(BANK.address + BANK.length, USER.address);
//! assert_eq!(USER.offset() + USER.length, SAVE.offset());
//! ```

/// The linker script.
const MAP: &[u8] = include_bytes!("../../memory.x");

/// Where flash begins: with the boot loader of the second stage.
const START: u32 = region(b"\n    BOOT2").address;
/// Trained models, read in place.
pub const BANK: Region = region(b"\n    BANK");
/// Brains trained on the device.
pub const USER: Region = region(b"\n    USER");
/// Settings, statistics and the running game.
pub const SAVE: Region = region(b"\n    SAVE");

/// A region of the flash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// Where it appears in the address space.
    pub address: u32,
    /// Its bytes.
    pub length: u32,
}

impl Region {
    /// Where it begins, counted from the start of the flash.
    pub const fn offset(self) -> u32 {
        self.address - START
    }
}

/// The region whose line begins so. If there is none, this reads past the end of the script and
/// does not compile.
const fn region(line: &[u8]) -> Region {
    let address = behind(b"ORIGIN = ", behind(line, 0));
    let length = behind(b"LENGTH = ", address);
    Region {
        address: number(address),
        length: number(length),
    }
}

/// The place behind the next occurrence of a text.
const fn behind(text: &[u8], from: usize) -> usize {
    let (mut at, mut same) = (from, 0);
    while same < text.len() {
        if MAP[at + same] == text[same] {
            same += 1;
        } else {
            (at, same) = (at + 1, 0);
        }
    }
    at + same
}

/// A number such as `0x10080000` or `1344K`.
const fn number(mut at: usize) -> u32 {
    let is_hex = MAP[at] == b'0' && MAP[at + 1] == b'x';
    let base = if is_hex { 16 } else { 10 };
    if is_hex {
        at += 2;
    }
    let mut number = 0;
    while let Some(digit) = (MAP[at] as char).to_digit(base) {
        number = number * base + digit;
        at += 1;
    }
    if MAP[at] == b'K' {
        number * 1024
    } else {
        number
    }
}

//! The bank's place in the device's flash, for files that go there.

pub use pico_image::uf2::{BLOCK, write};

/// Address of the bank in flash (`BANK` in `memory.x`).
pub const BANK_ADDRESS: u32 = 0x1008_0000;
/// Bytes reserved for the bank.
pub const BANK_SIZE: usize = 1344 * 1024;

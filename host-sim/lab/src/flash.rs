//! The bank's place in the device's flash, for files that go there.

use dojo_core::flash_map::BANK;
pub use pico_image::uf2::{BLOCK, write};

/// Address of the bank in flash (`BANK` in `memory.x`).
pub const BANK_ADDRESS: u32 = BANK.address;
/// Bytes reserved for the bank.
pub const BANK_SIZE: usize = BANK.length as usize;

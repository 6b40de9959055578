//! The bank in flash.

#![allow(unsafe_code, reason = "the bank is read where it lies in flash")]

/// The bytes of the BANK region, unchecked.
pub(crate) fn region() -> &'static [u8] {
    unsafe extern "C" {
        static _bank_start: u8;
        static _bank_length: u8;
    }
    // SAFETY: `memory.x` defines both; the region is flash, which this program never writes there.
    unsafe {
        core::slice::from_raw_parts(&raw const _bank_start, (&raw const _bank_length) as usize)
    }
}

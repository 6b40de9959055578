//! SRAM and ROM as byte arrays, with a record of which parts hold executed code.

/// First address of SRAM.
pub(super) const SRAM_BASE: u32 = 0x2000_0000;
/// Six banks: 4 × 64 KB striped, 2 × 4 KB.
pub(super) const SRAM_SIZE: usize = 264 * 1024;
const GRANULE: usize = 64;

/// Little-endian memory. Accesses outside answer `None`.
#[derive(Clone)]
pub(super) struct Memory {
    bytes: Vec<u8>,
    /// One flag per 64 bytes that instructions were fetched from. The cores keep decoded
    /// instructions, so only writes to such places need to be reported to them.
    code: Vec<bool>,
}

impl Memory {
    pub(super) fn new(bytes: Vec<u8>) -> Self {
        let code = vec![false; bytes.len() / GRANULE + 1];
        Memory { bytes, code }
    }

    /// SRAM as it wakes up: noise, the same every time.
    pub(super) fn powered_up() -> Self {
        let noise = |index: usize| (index as u32).wrapping_mul(0x9E37_79B9).rotate_left(7) as u8;
        Memory::new((0..SRAM_SIZE).map(noise).collect())
    }

    #[inline(always)]
    pub(super) fn read<const N: usize>(&self, offset: u32) -> Option<[u8; N]> {
        self.bytes.get(offset as usize..)?.first_chunk().copied()
    }

    /// Writes; `Some(true)` if code may have changed.
    #[inline(always)]
    pub(super) fn write<const N: usize>(&mut self, offset: u32, value: [u8; N]) -> Option<bool> {
        let place = self.bytes.get_mut(offset as usize..)?.first_chunk_mut()?;
        *place = value;
        Some(self.code[offset as usize / GRANULE])
    }

    pub(super) fn mark_code(&mut self, offset: u32) {
        if let Some(flag) = self.code.get_mut(offset as usize / GRANULE) {
            *flag = true;
        }
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

//! UF2: the file that is dropped onto a Pico in boot mode.
//!
//! A file that carries models alone starts at the bank's place in flash and fills every sector it touches, because
//! the boot loader erases whole sectors.

/// Where the bank lies in flash (`BANK` in `memory.x`).
pub const BANK_ADDRESS: u32 = 0x1008_0000;
/// Bytes kept for the bank.
pub const BANK_SIZE: usize = 1344 * 1024;
/// What the flash erases at once.
pub const SECTOR: usize = 4096;
/// Bytes of a block in the file.
pub const BLOCK: usize = 512;
/// Family of the RP2040: the boot loader takes nothing else.
pub const FAMILY: u32 = 0xE48B_FF56;

const PAYLOAD: usize = 256;
const MAGIC: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
const FLAG_FAMILY: u32 = 0x2000;
/// What erased flash reads as.
const BLANK: u8 = 0xFF;

/// Wraps data that will lie at `address`, which is the start of a sector.
pub fn write(address: u32, data: &[u8]) -> Vec<u8> {
    write_parts(&[(address, data)])
}

/// Wraps several parts, each from the start of a sector on, in one file.
pub fn write_parts(parts: &[(u32, &[u8])]) -> Vec<u8> {
    let pages: Vec<(u32, Vec<u8>)> = parts.iter().flat_map(|&(address, data)| pages(address, data)).collect();
    let mut file = Vec::with_capacity(pages.len() * BLOCK);
    for (number, (target, payload)) in pages.iter().enumerate() {
        let (number, count) = (number as u32, pages.len() as u32);
        let head = [MAGIC[0], MAGIC[1], FLAG_FAMILY, *target, PAYLOAD as u32, number, count, FAMILY];
        let start = file.len();
        file.extend(head.into_iter().flat_map(u32::to_le_bytes));
        file.extend(payload);
        file.resize(start + BLOCK - 4, 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    file
}

/// All pages of the sectors that the data touches, with their addresses.
fn pages(address: u32, data: &[u8]) -> impl Iterator<Item = (u32, Vec<u8>)> {
    debug_assert!((address as usize).is_multiple_of(SECTOR));
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(SECTOR), BLANK);
    let pages: Vec<_> = data.chunks(PAYLOAD).map(<[u8]>::to_vec).collect();
    pages.into_iter().enumerate().map(move |(page, bytes)| (address + (page * PAYLOAD) as u32, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(block: &[u8], index: usize) -> u32 {
        u32::from_le_bytes(block[4 * index..4 * index + 4].try_into().unwrap())
    }

    #[test]
    fn blocks_are_numbered_and_fill_every_sector_they_touch() {
        for (length, sectors) in [(1, 1), (SECTOR, 1), (SECTOR + 1, 2)] {
            let data: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let file = write(BANK_ADDRESS, &data);
            let blocks: Vec<_> = file.chunks(BLOCK).collect();
            assert_eq!(blocks.len(), sectors * SECTOR / PAYLOAD);
            let mut flash: Vec<u8> = vec![];
            for (number, block) in blocks.iter().enumerate() {
                assert_eq!(block.len(), BLOCK);
                let found: Vec<_> = (0..8).map(|i| word(block, i)).collect();
                let target = 0x1008_0000 + 256 * number as u32;
                let count = blocks.len() as u32;
                assert_eq!(found, [0x0A32_4655, 0x9E5D_5157, 0x2000, target, 256, number as u32, count, 0xE48B_FF56]);
                assert_eq!(word(block, 127), 0x0AB1_6F30);
                flash.extend(&block[32..32 + PAYLOAD]);
            }
            assert_eq!(flash[..length], data);
            assert!(flash[length..].iter().all(|&byte| byte == 0xFF));
        }
    }
}

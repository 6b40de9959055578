//! UF2 files: 512-byte blocks, each with 256 bytes for one page of flash.

use super::image::{ImageError, flash_offset};

const RP2040_FAMILY: u32 = 0xE48B_FF56;
const BLOCK: usize = 512;
const MAGIC: [u32; 3] = [0x0A32_4655, 0x9E5D_5157, 0x0AB1_6F30];
const FLAG_NOT_FLASH: u32 = 0x0000_0001;
const FLAG_FAMILY: u32 = 0x0000_2000;

/// Whether a file begins like a UF2 file.
pub(super) fn is_uf2(file: &[u8]) -> bool {
    file.starts_with(&MAGIC[0].to_le_bytes())
}

/// Checks every block and returns offsets and payloads.
pub(super) fn blocks(file: &[u8]) -> Result<Vec<(usize, &[u8])>, ImageError> {
    if file.is_empty() || !file.len().is_multiple_of(BLOCK) {
        return Err(ImageError::Uf2Length { found: file.len() });
    }
    let count = (file.len() / BLOCK) as u32;
    let mut payloads = Vec::new();
    for (block, bytes) in file.chunks_exact(BLOCK).enumerate() {
        let word = |index: usize| {
            let at = index * 4;
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        for (index, expected) in [(0, MAGIC[0]), (1, MAGIC[1]), (127, MAGIC[2])] {
            if word(index) != expected {
                return Err(ImageError::Uf2Magic { block, found: word(index), expected });
            }
        }
        let (flags, address, length, number, total, family) = (word(2), word(3), word(4), word(5), word(6), word(7));
        let family = (flags & FLAG_FAMILY != 0).then_some(family);
        if family != Some(RP2040_FAMILY) {
            return Err(ImageError::Uf2Family { block, found: family, expected: RP2040_FAMILY });
        }
        if number != block as u32 {
            return Err(ImageError::Uf2BlockNumber { found: number, expected: block as u32 });
        }
        if total != count {
            return Err(ImageError::Uf2BlockCount { block, found: total, expected: count });
        }
        if flags & FLAG_NOT_FLASH != 0 {
            continue;
        }
        if length != 256 || !address.is_multiple_of(256) {
            return Err(ImageError::Uf2Payload { block, address, length });
        }
        payloads.push((flash_offset(address, 256)?, &bytes[32..32 + 256]));
    }
    if payloads.is_empty() { Err(ImageError::Empty) } else { Ok(payloads) }
}

#[cfg(test)]
mod tests {
    use super::super::image::{FLASH_BASE, Image};
    use super::*;

    fn block(number: u32, total: u32, address: u32) -> Vec<u8> {
        let header = [MAGIC[0], MAGIC[1], FLAG_FAMILY, address, 256, number, total, RP2040_FAMILY];
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.resize(BLOCK - 4, 0x5A);
        bytes.extend(MAGIC[2].to_le_bytes());
        bytes
    }

    fn error(file: &[u8]) -> ImageError {
        Image::from_file(file).err().expect("the file is bad")
    }

    #[test]
    fn a_good_uf2_lands_at_its_address_and_erases_the_sector() {
        let mut image = Image::blank();
        image.patch(0x1008_0FF0, &[0; 16]).expect("inside flash");
        image.apply_uf2(&block(0, 1, 0x1008_0000)).expect("a good file");
        assert_eq!(image.flash()[0x8_0000..0x8_0100], [0x5A; 256]);
        assert_eq!(image.flash()[0x8_0FF0], 0xFF);
    }

    #[test]
    fn bad_uf2_files_are_named() {
        assert_eq!(error(&block(0, 1, FLASH_BASE)[..511]), ImageError::Uf2Length { found: 511 });
        assert_eq!(error(&block(1, 1, FLASH_BASE)), ImageError::Uf2BlockNumber { found: 1, expected: 0 });
        assert_eq!(error(&block(0, 2, FLASH_BASE)), ImageError::Uf2BlockCount { block: 0, found: 2, expected: 1 });
        assert!(matches!(error(&block(0, 1, 0x2000_0000)), ImageError::OutsideFlash { .. }));
        assert!(matches!(error(&block(0, 1, FLASH_BASE + 4)), ImageError::Uf2Payload { .. }));
        let mut other_chip = block(0, 1, FLASH_BASE);
        other_chip[28] ^= 1;
        assert!(matches!(error(&other_chip), ImageError::Uf2Family { block: 0, .. }));
        let mut no_end = block(0, 1, FLASH_BASE);
        no_end[511] = 0;
        assert!(matches!(error(&no_end), ImageError::Uf2Magic { block: 0, .. }));
    }
}

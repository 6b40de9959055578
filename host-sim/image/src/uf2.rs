//! UF2: the file that is copied onto a Pico in boot mode. 512-byte blocks, each with 256 bytes for
//! one page of flash.
//!
//! The boot loader erases whole sectors, so files written here pad every sector that they touch.

use super::{FLASH_BASE, Image, ImageError, SECTOR_SIZE, flash_offset};

/// Bytes of a block in the file.
pub const BLOCK: usize = 512;
/// Family of the RP2040; the boot loader refuses all others.
pub const FAMILY: u32 = 0xE48B_FF56;

const PAYLOAD: usize = 256;
const SECTOR: usize = SECTOR_SIZE as usize;
const MAGIC: [u32; 2] = [0x0A32_4655, 0x9E5D_5157];
const MAGIC_END: u32 = 0x0AB1_6F30;
const FLAG_NOT_FLASH: u32 = 0x0000_0001;
const FLAG_FAMILY: u32 = 0x0000_2000;
/// Value of an erased byte.
const BLANK: u8 = 0xFF;

/// Writes data for `address`, the start of a sector.
pub fn write(address: u32, data: &[u8]) -> Vec<u8> {
    write_parts(&[(address, data)])
}

/// Writes several parts, each starting at a sector, as one file.
pub fn write_parts(parts: &[(u32, &[u8])]) -> Vec<u8> {
    let pages: Vec<(u32, Vec<u8>)> = parts
        .iter()
        .flat_map(|&(address, data)| pages(address, data))
        .collect();
    let mut file = Vec::with_capacity(pages.len() * BLOCK);
    for (number, (target, payload)) in pages.iter().enumerate() {
        let (number, count) = (number as u32, pages.len() as u32);
        let head = [
            MAGIC[0],
            MAGIC[1],
            FLAG_FAMILY,
            *target,
            PAYLOAD as u32,
            number,
            count,
            FAMILY,
        ];
        let start = file.len();
        file.extend(head.into_iter().flat_map(u32::to_le_bytes));
        file.extend(payload);
        file.resize(start + BLOCK - 4, 0);
        file.extend(MAGIC_END.to_le_bytes());
    }
    file
}

/// Writes firmware and data bank as one file, after checking boot2 as the boot ROM does. The
/// symbols `_bank_start` and `_bank_length` of the firmware give address and size of the bank's
/// region.
pub fn firmware_with_bank(elf: &[u8], bank: &[u8]) -> Result<Vec<u8>, ImageError> {
    let image = Image::from_elf(elf)?;
    image.check_boot2()?;
    let symbol = |name| image.symbol(name).ok_or(ImageError::NoSymbol { name });
    let (bank_start, room) = (symbol("_bank_start")?, symbol("_bank_length")? as usize);
    let (code, rest) = image.flash().split_at(flash_offset(bank_start, room)?);
    let end = |bytes: &[u8]| {
        bytes
            .iter()
            .rposition(|&byte| byte != BLANK)
            .map_or(0, |last| last + 1)
    };
    if end(rest) > 0 {
        return Err(ImageError::TooLong {
            part: "code",
            found: code.len() + end(rest),
            room: code.len(),
        });
    }
    if bank.len() > room {
        return Err(ImageError::TooLong {
            part: "bank",
            found: bank.len(),
            room,
        });
    }
    Ok(write_parts(&[
        (FLASH_BASE, &code[..end(code)]),
        (bank_start, bank),
    ]))
}

/// All pages of the sectors that the data touches, with their addresses.
fn pages(address: u32, data: &[u8]) -> impl Iterator<Item = (u32, Vec<u8>)> {
    debug_assert!((address as usize).is_multiple_of(SECTOR));
    let mut data = data.to_vec();
    data.resize(data.len().next_multiple_of(SECTOR), BLANK);
    let pages: Vec<_> = data.chunks(PAYLOAD).map(<[u8]>::to_vec).collect();
    pages
        .into_iter()
        .enumerate()
        .map(move |(page, bytes)| (address + (page * PAYLOAD) as u32, bytes))
}

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
        let word = |index| word(bytes, index);
        for (index, expected) in [(0, MAGIC[0]), (1, MAGIC[1]), (127, MAGIC_END)] {
            if word(index) != expected {
                return Err(ImageError::Uf2Magic {
                    block,
                    found: word(index),
                    expected,
                });
            }
        }
        let (flags, address, length, number, total, family) =
            (word(2), word(3), word(4), word(5), word(6), word(7));
        let family = (flags & FLAG_FAMILY != 0).then_some(family);
        if family != Some(FAMILY) {
            return Err(ImageError::Uf2Family {
                block,
                found: family,
                expected: FAMILY,
            });
        }
        if number != block as u32 {
            return Err(ImageError::Uf2BlockNumber {
                found: number,
                expected: block as u32,
            });
        }
        if total != count {
            return Err(ImageError::Uf2BlockCount {
                block,
                found: total,
                expected: count,
            });
        }
        if flags & FLAG_NOT_FLASH != 0 {
            continue;
        }
        if length != PAYLOAD as u32 || !address.is_multiple_of(PAYLOAD as u32) {
            return Err(ImageError::Uf2Payload {
                block,
                address,
                length,
            });
        }
        payloads.push((flash_offset(address, PAYLOAD)?, &bytes[32..32 + PAYLOAD]));
    }
    if payloads.is_empty() {
        Err(ImageError::Empty)
    } else {
        Ok(payloads)
    }
}

fn word(block: &[u8], index: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|byte| block[4 * index + byte]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_numbered_and_fill_every_sector_they_touch() {
        for (length, sectors) in [(1, 1), (SECTOR, 1), (SECTOR + 1, 2)] {
            let data: Vec<u8> = (0..length).map(|i| (i % 251) as u8).collect();
            let file = write(0x1008_0000, &data);
            let blocks: Vec<_> = file.chunks(BLOCK).collect();
            assert_eq!(blocks.len(), sectors * SECTOR / PAYLOAD);
            let mut flash: Vec<u8> = vec![];
            for (number, block) in blocks.iter().enumerate() {
                assert_eq!(block.len(), BLOCK);
                let found: Vec<_> = (0..8).map(|i| word(block, i)).collect();
                let target = 0x1008_0000 + 256 * number as u32;
                let count = blocks.len() as u32;
                assert_eq!(
                    found,
                    [
                        0x0A32_4655,
                        0x9E5D_5157,
                        0x2000,
                        target,
                        256,
                        number as u32,
                        count,
                        0xE48B_FF56
                    ]
                );
                assert_eq!(word(block, 127), 0x0AB1_6F30);
                flash.extend(&block[32..32 + PAYLOAD]);
            }
            assert_eq!(flash[..length], data);
            assert!(flash[length..].iter().all(|&byte| byte == 0xFF));
        }
    }

    fn block(number: u32, total: u32, address: u32) -> Vec<u8> {
        let header = [
            MAGIC[0],
            MAGIC[1],
            FLAG_FAMILY,
            address,
            256,
            number,
            total,
            FAMILY,
        ];
        let mut bytes: Vec<u8> = header.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.resize(BLOCK - 4, 0x5A);
        bytes.extend(MAGIC_END.to_le_bytes());
        bytes
    }

    fn error(file: &[u8]) -> ImageError {
        Image::from_file(file).err().expect("the file is bad")
    }

    #[test]
    fn a_good_file_lands_at_its_address_and_erases_the_sector() {
        let mut image = Image::blank();
        image.patch(0x1008_0FF0, &[0; 16]).expect("inside flash");
        image
            .apply_uf2(&block(0, 1, 0x1008_0000))
            .expect("a good file");
        assert_eq!(image.flash()[0x8_0000..0x8_0100], [0x5A; 256]);
        assert_eq!(image.flash()[0x8_0FF0], 0xFF);
    }

    #[test]
    fn bad_files_are_named() {
        assert_eq!(
            error(&block(0, 1, FLASH_BASE)[..511]),
            ImageError::Uf2Length { found: 511 }
        );
        assert_eq!(
            error(&block(1, 1, FLASH_BASE)),
            ImageError::Uf2BlockNumber {
                found: 1,
                expected: 0
            }
        );
        assert_eq!(
            error(&block(0, 2, FLASH_BASE)),
            ImageError::Uf2BlockCount {
                block: 0,
                found: 2,
                expected: 1
            }
        );
        assert!(matches!(
            error(&block(0, 1, 0x2000_0000)),
            ImageError::OutsideFlash { .. }
        ));
        assert!(matches!(
            error(&block(0, 1, FLASH_BASE + 4)),
            ImageError::Uf2Payload { .. }
        ));
        let mut other_chip = block(0, 1, FLASH_BASE);
        other_chip[28] ^= 1;
        assert!(matches!(
            error(&other_chip),
            ImageError::Uf2Family { block: 0, .. }
        ));
        let mut no_end = block(0, 1, FLASH_BASE);
        no_end[511] = 0;
        assert!(matches!(
            error(&no_end),
            ImageError::Uf2Magic { block: 0, .. }
        ));
    }
}

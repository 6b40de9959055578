//! Firmware images: the contents of a Pico's 2 MB of flash, read from ELF and UF2 files and written
//! as UF2.
//!
//! ```no_run
//! let elf = std::fs::read("firmware.elf")?;
//! let mut image = pico_image::Image::from_file(&elf)?;
//! image.check_boot2()?;
//! image.patch(0x1008_0000, b"data beside the program")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

pub mod uf2;

/// Where flash appears in the address space.
pub const FLASH_BASE: u32 = 0x1000_0000;
/// Bytes of flash on a Pico.
pub const FLASH_SIZE: usize = 2 * 1024 * 1024;
/// Unit of an erase, in bytes.
pub const SECTOR_SIZE: u32 = 4096;
/// Bytes of the second-stage boot loader, at the start of flash; the last four are its checksum.
const BOOT2_SIZE: usize = 256;

/// Why a file is not a usable image.
#[allow(missing_docs, reason = "the fields are named after what they hold")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// Not a 32-bit little-endian ELF file; the text is the parser's.
    NotElf(String),
    /// An ELF file for another processor (ELF machine numbers).
    WrongMachine { found: u16, expected: u16 },
    /// Nothing in the file goes to flash.
    Empty,
    /// Bytes for an address outside the 2 MB of flash.
    OutsideFlash { address: u32, length: usize },
    /// A UF2 file is a whole number of 512-byte blocks.
    Uf2Length { found: usize },
    /// A magic number is wrong.
    Uf2Magic {
        block: usize,
        found: u32,
        expected: u32,
    },
    /// Blocks are for another chip.
    Uf2Family {
        block: usize,
        found: Option<u32>,
        expected: u32,
    },
    /// Blocks are missing, doubled or out of order.
    Uf2BlockNumber { found: u32, expected: u32 },
    /// The number of blocks a block claims is not the number in the file.
    Uf2BlockCount {
        block: usize,
        found: u32,
        expected: u32,
    },
    /// The boot loader takes 256 bytes a block, at a multiple of 256.
    Uf2Payload {
        block: usize,
        address: u32,
        length: u32,
    },
    /// The boot ROM would not run this second stage.
    BootChecksum { found: u32, expected: u32 },
    /// The ELF file lacks a symbol that says where a part belongs.
    NoSymbol { name: &'static str },
    /// A part does not fit its region of flash.
    TooLong {
        part: &'static str,
        found: usize,
        room: usize,
    },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageError::NotElf(reason) => {
                write!(
                    f,
                    "neither a UF2 file nor a 32-bit little-endian ELF file: {reason}"
                )
            }
            ImageError::WrongMachine { found, expected } => {
                write!(f, "ELF file for machine {found}, expected {expected} (ARM)")
            }
            ImageError::Empty => write!(f, "the file has nothing for flash"),
            ImageError::OutsideFlash { address, length } => {
                write!(
                    f,
                    "{length} bytes at {address:#010x} are outside the 2 MB of flash"
                )
            }
            ImageError::Uf2Length { found } => {
                write!(
                    f,
                    "UF2 file of {found} bytes, expected a multiple of 512 that is not zero"
                )
            }
            ImageError::Uf2Magic {
                block,
                found,
                expected,
            } => {
                write!(
                    f,
                    "UF2 block {block}: magic {found:#010x}, expected {expected:#010x}"
                )
            }
            ImageError::Uf2Family {
                block,
                found: Some(found),
                expected,
            } => {
                write!(
                    f,
                    "UF2 block {block}: family {found:#010x}, expected {expected:#010x} (RP2040)"
                )
            }
            ImageError::Uf2Family {
                block,
                found: None,
                expected,
            } => {
                write!(
                    f,
                    "UF2 block {block}: no family, expected {expected:#010x} (RP2040)"
                )
            }
            ImageError::Uf2BlockNumber { found, expected } => {
                write!(f, "UF2 block number {found}, expected {expected}")
            }
            ImageError::Uf2BlockCount {
                block,
                found,
                expected,
            } => {
                write!(
                    f,
                    "UF2 block {block} speaks of {found} blocks, the file has {expected}"
                )
            }
            ImageError::Uf2Payload {
                block,
                address,
                length,
            } => {
                write!(
                    f,
                    "UF2 block {block}: {length} bytes at {address:#010x}, expected 256 aligned"
                )
            }
            ImageError::BootChecksum { found, expected } => {
                write!(
                    f,
                    "checksum of the second-stage boot loader is {found:#010x}, expected {expected:#010x}"
                )
            }
            ImageError::NoSymbol { name } => write!(f, "the ELF file has no symbol `{name}`"),
            ImageError::TooLong { part, found, room } => {
                write!(f, "{part}: {found} bytes, the flash keeps {room} for it")
            }
        }
    }
}

impl std::error::Error for ImageError {}

/// Contents of the flash chip, with the symbols of its ELF file if known.
#[derive(Clone)]
pub struct Image {
    flash: Vec<u8>,
    elf: Option<Arc<Elf>>,
}

/// The ELF file that an image was made of.
struct Elf {
    bytes: Vec<u8>,
    symbols: BTreeMap<String, u32>,
}

impl Image {
    /// A blank chip.
    pub fn blank() -> Self {
        Image {
            flash: vec![0xFF; FLASH_SIZE],
            elf: None,
        }
    }

    /// Loads the segments of an ELF file at their physical addresses.
    pub fn from_elf(file: &[u8]) -> Result<Self, ImageError> {
        let elf = parse_elf(file)?;
        let mut image = Image::blank();
        let mut loaded = 0;
        for segment in elf.elf_program_headers() {
            let data = segment
                .data(LittleEndian, file)
                .map_err(|()| ImageError::NotElf("segment beyond the end of the file".into()))?;
            if segment.p_type(LittleEndian) != object::elf::PT_LOAD || data.is_empty() {
                continue;
            }
            image.patch(segment.p_paddr(LittleEndian), data)?;
            loaded += data.len();
        }
        if loaded == 0 {
            return Err(ImageError::Empty);
        }
        image.with_symbols_of(file)
    }

    /// Loads a UF2 file into a blank chip. It has no symbols: see [`Self::with_symbols_of`].
    pub fn from_uf2(file: &[u8]) -> Result<Self, ImageError> {
        let mut image = Image::blank();
        image.apply_uf2(file)?;
        Ok(image)
    }

    /// Loads an ELF or UF2 file, whichever it is.
    pub fn from_file(file: &[u8]) -> Result<Self, ImageError> {
        if uf2::is_uf2(file) {
            Image::from_uf2(file)
        } else {
            Image::from_elf(file)
        }
    }

    /// Drops a further UF2 file onto the chip, as a user would: each sector it touches is erased
    /// first. The image is unchanged if the file is bad.
    pub fn apply_uf2(&mut self, file: &[u8]) -> Result<(), ImageError> {
        let blocks = uf2::blocks(file)?;
        let mut erased = Vec::new();
        for (offset, data) in blocks {
            let sector = offset & !(SECTOR_SIZE as usize - 1);
            if !erased.contains(&sector) {
                self.flash[sector..sector + SECTOR_SIZE as usize].fill(0xFF);
                erased.push(sector);
            }
            self.flash[offset..offset + data.len()].copy_from_slice(data);
        }
        Ok(())
    }

    /// Takes names from the ELF file this image was made of.
    pub fn with_symbols_of(mut self, elf: &[u8]) -> Result<Self, ImageError> {
        let parsed = parse_elf(elf)?;
        let mut symbols = BTreeMap::new();
        for symbol in parsed.symbols() {
            if let Ok(name) = symbol.name()
                && !name.is_empty()
                && !symbol.is_undefined()
            {
                symbols.insert(name.to_owned(), symbol.address() as u32);
            }
        }
        self.elf = Some(Arc::new(Elf {
            bytes: elf.to_vec(),
            symbols,
        }));
        Ok(self)
    }

    /// Overwrites bytes at an address (0x1000_0000 and up).
    pub fn patch(&mut self, address: u32, data: &[u8]) -> Result<(), ImageError> {
        let offset = flash_offset(address, data.len())?;
        self.flash[offset..offset + data.len()].copy_from_slice(data);
        Ok(())
    }

    /// All 2 MB of flash.
    pub fn flash(&self) -> &[u8] {
        &self.flash
    }

    /// Address of a named function or static.
    pub fn symbol(&self, name: &str) -> Option<u32> {
        self.elf.as_ref()?.symbols.get(name).copied()
    }

    /// The ELF file that the names come from.
    pub fn elf(&self) -> Option<&[u8]> {
        self.elf.as_ref().map(|elf| &elf.bytes[..])
    }

    /// Checks the checksum of the second stage, as the boot ROM does before it runs anything.
    pub fn check_boot2(&self) -> Result<(), ImageError> {
        check_boot2(&self.flash)
    }
}

/// Checks the second stage at the start of flash, as the boot ROM does.
pub fn check_boot2(flash: &[u8]) -> Result<(), ImageError> {
    let Some((code, checksum)) = flash
        .get(..BOOT2_SIZE)
        .and_then(|stage| stage.split_last_chunk::<4>())
    else {
        return Err(ImageError::Empty);
    };
    let (found, expected) = (u32::from_le_bytes(*checksum), crc32_mpeg(code));
    if found == expected {
        Ok(())
    } else {
        Err(ImageError::BootChecksum { found, expected })
    }
}

/// CRC-32 of the boot ROM: polynomial 0x04C11DB7, most significant bit first, no final XOR.
fn crc32_mpeg(data: &[u8]) -> u32 {
    data.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte) << 24, |crc, _| {
            if crc >> 31 != 0 {
                crc << 1 ^ 0x04C1_1DB7
            } else {
                crc << 1
            }
        })
    })
}

fn parse_elf(file: &[u8]) -> Result<ElfFile32<'_, LittleEndian>, ImageError> {
    let elf = ElfFile32::parse(file).map_err(|error| ImageError::NotElf(error.to_string()))?;
    let found = elf.elf_header().e_machine(LittleEndian);
    let expected = object::elf::EM_ARM;
    if found == expected {
        Ok(elf)
    } else {
        Err(ImageError::WrongMachine { found, expected })
    }
}

/// Offset of an address in flash, if `length` bytes from there lie within flash.
pub fn flash_offset(address: u32, length: usize) -> Result<usize, ImageError> {
    let offset = address.wrapping_sub(FLASH_BASE) as usize;
    match offset.checked_add(length) {
        Some(end) if end <= FLASH_SIZE => Ok(offset),
        _ => Err(ImageError::OutsideFlash { address, length }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(file: &[u8]) -> ImageError {
        Image::from_file(file).err().expect("the file is bad")
    }

    #[test]
    fn rubbish_is_no_elf() {
        assert!(matches!(error(b""), ImageError::NotElf(_)));
        assert!(matches!(error(&[0x7F; 4096]), ImageError::NotElf(_)));
    }

    #[test]
    fn the_second_stage_is_checked_as_the_boot_rom_does() {
        assert_eq!(crc32_mpeg(b"123456789"), 0x0376_E6E7);
        let mut image = Image::blank();
        assert!(matches!(
            image.check_boot2(),
            Err(ImageError::BootChecksum {
                found: u32::MAX,
                ..
            })
        ));
        let checksum = crc32_mpeg(&image.flash()[..252]);
        image
            .patch(FLASH_BASE + 252, &checksum.to_le_bytes())
            .expect("inside flash");
        assert_eq!(image.check_boot2(), Ok(()));
    }

    #[test]
    fn patches_stay_inside_flash() {
        let mut image = Image::blank();
        assert!(image.patch(0x101F_FFFF, &[1]).is_ok());
        assert!(image.patch(0x101F_FFFF, &[1, 2]).is_err());
        assert!(image.patch(0x0FFF_FFFF, &[1]).is_err());
    }
}

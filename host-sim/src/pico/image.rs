//! Firmware images: ELF files with their symbols, and UF2 files.

use super::flash::{FLASH_SIZE, SECTOR_SIZE};
use super::uf2;
use defmt_decoder::Table;
use object::read::elf::{ElfFile32, FileHeader, ProgramHeader};
use object::{LittleEndian, Object, ObjectSymbol};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Where flash appears in the address space.
pub const FLASH_BASE: u32 = 0x1000_0000;

/// Why a file is not a usable image.
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
    Uf2Magic { block: usize, found: u32, expected: u32 },
    /// Blocks are for another chip.
    Uf2Family { block: usize, found: Option<u32>, expected: u32 },
    /// Blocks are missing, doubled or out of order.
    Uf2BlockNumber { found: u32, expected: u32 },
    /// The number of blocks a block claims is not the number in the file.
    Uf2BlockCount { block: usize, found: u32, expected: u32 },
    /// The boot loader takes 256 bytes a block, at a multiple of 256.
    Uf2Payload { block: usize, address: u32, length: u32 },
}

impl fmt::Display for ImageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImageError::NotElf(reason) => {
                write!(f, "not a 32-bit little-endian ELF file: {reason}")
            }
            ImageError::WrongMachine { found, expected } => {
                write!(f, "ELF file for machine {found}, expected {expected} (ARM)")
            }
            ImageError::Empty => write!(f, "the file has nothing for flash"),
            ImageError::OutsideFlash { address, length } => {
                write!(f, "{length} bytes at {address:#010x} are outside the 2 MB of flash")
            }
            ImageError::Uf2Length { found } => {
                write!(f, "UF2 file of {found} bytes, expected a multiple of 512 that is not zero")
            }
            ImageError::Uf2Magic { block, found, expected } => {
                write!(f, "UF2 block {block}: magic {found:#010x}, expected {expected:#010x}")
            }
            ImageError::Uf2Family { block, found: Some(found), expected } => {
                write!(f, "UF2 block {block}: family {found:#010x}, expected {expected:#010x} (RP2040)")
            }
            ImageError::Uf2Family { block, found: None, expected } => {
                write!(f, "UF2 block {block}: no family, expected {expected:#010x} (RP2040)")
            }
            ImageError::Uf2BlockNumber { found, expected } => {
                write!(f, "UF2 block number {found}, expected {expected}")
            }
            ImageError::Uf2BlockCount { block, found, expected } => {
                write!(f, "UF2 block {block} speaks of {found} blocks, the file has {expected}")
            }
            ImageError::Uf2Payload { block, address, length } => {
                write!(f, "UF2 block {block}: {length} bytes at {address:#010x}, expected 256 aligned")
            }
        }
    }
}

impl std::error::Error for ImageError {}

/// Names and log formats of an ELF file.
#[derive(Default)]
pub(super) struct DebugInfo {
    pub(super) symbols: BTreeMap<String, u32>,
    pub(super) defmt: Option<Table>,
}

/// Contents of the flash chip, and the names of things in it if known.
#[derive(Clone)]
pub struct Image {
    pub(super) flash: Vec<u8>,
    pub(super) debug: Arc<DebugInfo>,
}

impl Image {
    /// A blank chip.
    pub fn blank() -> Self {
        Image { flash: vec![0xFF; FLASH_SIZE], debug: Arc::default() }
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
        if uf2::is_uf2(file) { Image::from_uf2(file) } else { Image::from_elf(file) }
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

    /// Takes names and log formats from the ELF file this image was made of.
    pub fn with_symbols_of(mut self, elf: &[u8]) -> Result<Self, ImageError> {
        let parsed = parse_elf(elf)?;
        let mut symbols = BTreeMap::new();
        for symbol in parsed.symbols() {
            if let Ok(name) = symbol.name()
                && !name.is_empty()
                && symbol.section_index().is_some()
            {
                symbols.insert(name.to_owned(), symbol.address() as u32);
            }
        }
        // A log table of an unknown version is as good as none: the machine runs, the log is empty.
        let defmt = Table::parse(elf).ok().flatten();
        self.debug = Arc::new(DebugInfo { symbols, defmt });
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
        self.debug.symbols.get(name).copied()
    }
}

fn parse_elf(file: &[u8]) -> Result<ElfFile32<'_, LittleEndian>, ImageError> {
    let elf = ElfFile32::parse(file).map_err(|error| ImageError::NotElf(error.to_string()))?;
    let found = elf.elf_header().e_machine(LittleEndian);
    let expected = object::elf::EM_ARM;
    if found == expected { Ok(elf) } else { Err(ImageError::WrongMachine { found, expected }) }
}

pub(super) fn flash_offset(address: u32, length: usize) -> Result<usize, ImageError> {
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
    fn patches_stay_inside_flash() {
        let mut image = Image::blank();
        assert!(image.patch(0x101F_FFFF, &[1]).is_ok());
        assert!(image.patch(0x101F_FFFF, &[1, 2]).is_err());
        assert!(image.patch(0x0FFF_FFFF, &[1]).is_err());
    }
}

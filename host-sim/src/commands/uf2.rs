//! `dojo uf2`: firmware and models as one file for the Pico.

use std::path::PathBuf;

use dojo_core::bank::Bank;

use crate::bank::refused;
use crate::failure::{Done, Failure};
use crate::pico::{FLASH_BASE, Image, Pico};
use crate::{files, output, uf2};

/// The arguments.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The firmware, an ELF
    firmware: PathBuf,
    /// The models
    #[arg(long, value_name = "FILE")]
    bank: PathBuf,
    /// The UF2 to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace a file that exists
    #[arg(long)]
    force: bool,
}

/// Writes the file.
pub fn run(args: Args) -> Done {
    files::may_write(&args.out, args.force)?;
    let elf = files::read(&args.firmware)?;
    let bank = files::read(&args.bank)?;
    Bank::new(&bank).map_err(|error| refused(&args.bank, &error))?;
    let file = compose(&elf, &bank).map_err(|what| Failure::Check(format!("{}: {what}", args.firmware.display())))?;
    files::write(&args.out, &file, args.force)?;
    output::print(&format!("{}: {} bytes for the drive RPI-RP2\n", args.out.display(), file.len()))
}

/// Firmware and bank as one UF2, after making sure that the chip would boot it.
pub fn compose(elf: &[u8], bank: &[u8]) -> Result<Vec<u8>, String> {
    let image = Image::from_elf(elf).map_err(|error| error.to_string())?;
    if let Some(off) = Pico::new(&image).off() {
        return Err(off.to_string());
    }
    let (code, rest) = image.flash().split_at((uf2::BANK_ADDRESS - FLASH_BASE) as usize);
    if rest.iter().any(|&byte| byte != 0xFF) || bank.len() > uf2::BANK_SIZE {
        return Err("code or models do not fit their places in flash".into());
    }
    let used = code.iter().rposition(|&byte| byte != 0xFF).map_or(0, |last| last + 1);
    Ok(uf2::write_parts(&[(FLASH_BASE, &code[..used]), (uf2::BANK_ADDRESS, bank)]))
}

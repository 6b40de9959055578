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

/// Writes the file, after making sure that the chip would boot it.
pub fn run(args: Args) -> Done {
    files::may_write(&args.out, args.force)?;
    let fault = |what: &dyn std::fmt::Display| Failure::Check(format!("{}: {what}", args.firmware.display()));
    let image = Image::from_elf(&files::read(&args.firmware)?).map_err(|error| fault(&error))?;
    if let Some(off) = Pico::new(&image).off() {
        return Err(fault(off));
    }
    let file = files::read(&args.bank)?;
    let bank = Bank::new(&file).map_err(|error| refused(&args.bank, &error))?;
    let code_room = (uf2::BANK_ADDRESS - FLASH_BASE) as usize;
    let (code, rest) = image.flash().split_at(code_room);
    if rest.iter().any(|&byte| byte != 0xFF) || bank.bytes().len() > uf2::BANK_SIZE {
        return Err(Failure::check("the parts do not fit their places in flash"));
    }
    let used = code.iter().rposition(|&byte| byte != 0xFF).map_or(0, |last| last + 1);
    let parts = [(FLASH_BASE, &code[..used]), (uf2::BANK_ADDRESS, bank.bytes())];
    files::write(&args.out, &uf2::write_parts(&parts), args.force)?;
    output::print(&format!(
        "{}: {used} bytes of code at {FLASH_BASE:#x}, {} bytes of models at {:#x}\n",
        args.out.display(),
        bank.bytes().len(),
        uf2::BANK_ADDRESS
    ))
}

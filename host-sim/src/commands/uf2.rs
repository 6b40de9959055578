//! `dojo uf2`: firmware and models as one file for the Pico.

use std::path::PathBuf;

use dojo_core::bank::Bank;

use dojo_lab::bank::{read, refused};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::{files, output};
use pico_image::uf2::firmware_with_bank;

/// Firmware, bank and output file.
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
    files::not_an_input(&args.out, [args.firmware.as_path(), &args.bank])?;
    let elf = files::read(&args.firmware)?;
    let bank = read(&args.bank)?;
    Bank::new(&bank).map_err(|error| refused(&args.bank, &error))?;
    let file = firmware_with_bank(&elf, &bank)
        .map_err(|what| Failure::Check(format!("{}: {what}", args.firmware.display())))?;
    files::write(&args.out, &file, args.force)?;
    output::print(&format!(
        "{}: {} bytes for the drive RPI-RP2\n",
        args.out.display(),
        file.len()
    ))
}

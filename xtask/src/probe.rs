//! The runner of `cargo run` for the firmware: writes bank and firmware with a debug probe and
//! prints the log.

use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

use pico_image::Image;

use crate::{Outcome, root};

const PROBE_RS: &str = "probe-rs";
const CHIP: [&str; 2] = ["--chip", "RP2040"];
const BANK: &str = "models/dojo.bank";

/// Writes the bank where this image looks for it, then the image, and prints its log until Ctrl+C.
pub(crate) fn run(elf: &Path) -> Outcome {
    let fault = |error: &dyn std::fmt::Display| format!("{}: {error}", elf.display());
    let bytes = std::fs::read(elf).map_err(|error| fault(&error))?;
    let image = Image::from_elf(&bytes).map_err(|error| fault(&error))?;
    let place = image
        .symbol("_bank_start")
        .ok_or_else(|| fault(&"no symbol _bank_start: not the firmware of Pocket Dojo"))?;
    let place = format!("{place:#x}");
    // A bank that is already in flash is not written again.
    let options = [
        "--preverify",
        "--binary-format",
        "bin",
        "--base-address",
        &place,
    ];
    let bank = root().join(BANK);
    let download = ["download"].iter().chain(&CHIP).chain(&options);
    probe_rs(download.map(OsStr::new).chain([bank.as_os_str()]))?;
    let run = ["run"].iter().chain(&CHIP);
    probe_rs(run.map(OsStr::new).chain([elf.as_os_str()]))
}

fn probe_rs<'a>(arguments: impl Iterator<Item = &'a OsStr>) -> Outcome {
    match Command::new(PROBE_RS).args(arguments).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{PROBE_RS}: {status}")),
        Err(error) if error.kind() == ErrorKind::NotFound => Err(format!(
            "{PROBE_RS} is not installed: `cargo install probe-rs-tools --locked`; \
             without a probe, `cargo xtask uf2` makes a file for the USB drive"
        )),
        Err(error) => Err(format!("{PROBE_RS}: {error}")),
    }
}

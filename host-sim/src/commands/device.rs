//! `dojo device`: a firmware image, run in the emulator.

use std::io::{IsTerminal, stdin, stdout};
use std::path::PathBuf;

use crate::device::{Device, Wiring, event_log, script, terminal};
use crate::source_tree;
use dojo_lab::bank::{SHIPPED, read};
use dojo_lab::failure::{Done, Failure};
use dojo_lab::{files, flash, output};
use pico_emulator::Image;

/// Image, hardware board and script.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The firmware: ELF or UF2; without it, in the source tree, the current firmware with the
    /// shipped bank
    image: Option<PathBuf>,
    /// The board, and the display that is connected to it; without it the LCD, or the OLED in a
    /// window where the LCD cannot be read
    #[arg(long, value_enum)]
    board: Option<Wiring>,
    /// Put this bank into the flash first
    #[arg(long, value_name = "FILE")]
    bank: Option<PathBuf>,
    /// Play a script instead of reading keys: `wait MS`, `press A`, `hold B MS`, `shot FILE` on
    /// lines of their own
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Save the last screen as a PNG
    #[arg(long, value_name = "FILE")]
    shot: Option<PathBuf>,
    /// Print the firmware's log afterwards; it needs an ELF
    #[arg(long)]
    log: bool,
    /// Replace pictures that exist
    #[arg(long)]
    force: bool,
}

/// Runs the image.
pub fn run(args: Args) -> Done {
    // What the arguments name is looked at before the firmware is built, which takes a minute.
    let bank = match &args.bank {
        Some(bank) => Some(read(bank)?),
        None => args.image.is_none().then(|| SHIPPED.to_vec()),
    };
    let steps = args.script.as_deref().map(|file| {
        let named = |failure| Failure::Usage(format!("{}: {failure}", file.display()));
        script::parse(&files::read_text(file)?).map_err(named)
    });
    let steps = steps.transpose()?;
    if let Some(shot) = &args.shot {
        files::may_write(shot, args.force)?;
    }
    let path = match &args.image {
        Some(path) => path.clone(),
        None => source_tree::firmware(args.board.unwrap_or(Wiring::Lcd).build())?,
    };
    let fault =
        |what: &dyn std::fmt::Display| Failure::Check(format!("{}: {what}", path.display()));
    let mut image = Image::from_file(&files::read(&path)?).map_err(|error| fault(&error))?;
    if let Some(bank) = bank {
        image
            .patch(flash::BANK_ADDRESS, &bank)
            .map_err(|error| fault(&error))?;
    }
    let inputs = [Some(&path), args.bank.as_ref(), args.script.as_ref()];
    let shots = steps.iter().flatten().filter_map(|step| match step {
        script::Step::Shot(file) => Some(file),
        _ => None,
    });
    for out in args.shot.iter().chain(shots) {
        files::not_an_input(out, inputs.into_iter().flatten().map(PathBuf::as_path))?;
    }
    let mut device = Device::new(&image, args.board.unwrap_or(Wiring::Lcd));
    if let Some(off) = device.pico.off() {
        return Err(fault(off));
    }
    let is_live = steps.is_none() && args.shot.is_none() && !args.log;
    if is_live && stdin().is_terminal() && stdout().is_terminal() {
        return terminal::run(&image, args.board);
    }
    if is_live {
        return Err(Failure::usage(
            "there is no terminal: use --script, --shot or --log",
        ));
    }
    match steps {
        Some(steps) => script::play(&mut device, &steps, args.force)?,
        // Long enough to see the title.
        None => device.wait(500).map_err(Failure::check)?,
    }
    if let Some(file) = &args.shot {
        script::shot(&device, file, args.force)?;
    }
    if args.log {
        for line in device.pico.log() {
            output::print(&format!(
                "{} {:5} {}\n",
                line.timestamp,
                line.level.unwrap_or(""),
                event_log::readable(&line.text)
            ))?;
        }
    }
    Ok(())
}

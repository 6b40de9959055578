//! `dojo screenshot`: buttons in, a picture out.

use std::path::PathBuf;

use dojo_handheld::Screen;

use crate::handheld::{Pace, Runner, picture, script};
use dojo_lab::bank;
use dojo_lab::failure::Done;
use dojo_lab::files;
use dojo_lab::output;

/// The two displays, by name.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardName {
    /// 128×64 mono
    Oled,
    /// 240×240 with 16 colours
    Lcd,
}

impl From<BoardName> for Screen {
    fn from(name: BoardName) -> Screen {
        match name {
            BoardName::Oled => Screen::Oled,
            BoardName::Lcd => Screen::Lcd,
        }
    }
}

/// The arguments.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Which display
    #[arg(long, value_enum)]
    board: BoardName,
    /// Buttons: up down left right a b x y, hold (B held), wait, wait:MS, end (until the
    /// game is over)
    #[arg(long, default_value = "")]
    keys: String,
    /// The picture to write
    #[arg(long)]
    out: PathBuf,
    /// Pixels for each pixel
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=16))]
    scale: u32,
    /// Replace the picture if it exists
    #[arg(long)]
    force: bool,
    /// All chance comes from this number
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Replays the buttons and saves the screen.
pub fn run(args: Args) -> Done {
    let steps = script::parse(&args.keys)?;
    files::may_write(&args.out, args.force)?;
    let mut runner = Runner::new(
        args.board.into(),
        args.seed,
        bank::SHIPPED,
        Pace::AtOnce,
        None,
    );
    script::play(&mut runner, &steps, 0)?;
    files::write(
        &args.out,
        &picture::png(runner.picture(), args.scale)?,
        args.force,
    )?;
    output::print(&format!(
        "{}: the screen `{}`\n",
        args.out.display(),
        runner.console().screen_name()
    ))
}

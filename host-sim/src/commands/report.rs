//! `dojo report [DIR] --out FILE`: one page with the results of all experiments.

use std::path::PathBuf;

use dojo_lab::experiment;
use dojo_lab::failure::Done;
use dojo_lab::{files, output};

/// Arguments of `dojo report`.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The folder that `dojo experiment --out` wrote to
    #[arg(default_value = "experiments")]
    folder: PathBuf,
    /// The page
    #[arg(long, value_name = "FILE.html")]
    out: PathBuf,
    /// Replace an earlier page
    #[arg(long)]
    force: bool,
}

/// Writes the page.
pub fn run(args: Args) -> Done {
    files::may_write(&args.out, args.force)?;
    let page = experiment::page(&args.folder)?;
    files::write(&args.out, page.as_bytes(), args.force)?;
    output::print(&format!("{} has the results\n", args.out.display()))
}

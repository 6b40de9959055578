//! `dojo completions SHELL`: a script that completes commands and options.

use clap_complete::Shell;

use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;

/// The shell.
#[derive(clap::Args, Debug)]
pub struct Args {
    /// The shell
    shell: Shell,
}

/// Prints the script for `dojo`, the whole command line.
pub fn run(args: Args, mut dojo: clap::Command) -> Done {
    let mut script = vec![];
    clap_complete::generate(args.shell, &mut dojo, "dojo", &mut script);
    output::print(&String::from_utf8(script).map_err(Failure::check)?)
}

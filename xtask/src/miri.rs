//! The unsafe code that can run on a PC, under Miri, which sees every wrong access to memory.

use std::process::Command;

use crate::checks::Verdict;
use crate::{Outcome, finish, root};

const MISSING: &str =
    "no Miri on this machine (`rustup toolchain install nightly --component miri,rust-src`)";

/// The check of `full`.
pub(crate) fn check() -> Result<Verdict, String> {
    if !is_installed() {
        return Ok(Verdict::Skipped(MISSING));
    }
    run()?;
    Ok(Verdict::Passed)
}

/// `cargo xtask miri`.
pub(crate) fn run() -> Outcome {
    if !is_installed() {
        return Err(MISSING.into());
    }
    let arguments = [
        "miri",
        "test",
        "--quiet",
        "--package",
        "dojo-cores",
        "--lib",
    ];
    finish(&mut nightly(&arguments), &arguments)
}

fn is_installed() -> bool {
    nightly(&["miri", "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Cargo of the nightly toolchain. Variables of the outer cargo would lead back to its toolchain.
fn nightly(arguments: &[&str]) -> Command {
    let mut command = Command::new("rustup");
    command
        .args(["run", "nightly", "cargo"])
        .args(arguments)
        .current_dir(root());
    for variable in ["CARGO", "RUSTC", "RUSTDOC", "RUSTUP_TOOLCHAIN"] {
        command.env_remove(variable);
    }
    command
}

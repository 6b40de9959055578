//! Licences, versions and sources of all dependencies, as `deny.toml` allows them.

use crate::{Outcome, cargo, command};

/// Runs `cargo deny`, or says loudly that this machine does not have it. It needs no network: the database of advisories is
/// not asked.
pub(crate) fn check() -> Outcome {
    if !is_installed() {
        println!(
            "== NOTE: no cargo-deny on this machine. Licences, versions and sources of dependencies are NOT checked."
        );
        println!("   `cargo install cargo-deny --locked` installs it.");
        return Ok(());
    }
    cargo(&["deny", "--locked", "--log-level", "error", "check", "licenses", "bans", "sources"])
}

/// Whether [`check`] will check anything.
pub(crate) fn is_installed() -> bool {
    command(&["deny", "--version"]).output().is_ok_and(|output| output.status.success())
}

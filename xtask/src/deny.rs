//! Licences, versions and sources of all dependencies, as `deny.toml` allows them.

use crate::checks::{Verdict, passed};
use crate::{cargo, command};

const MISSING: Verdict =
    Verdict::Skipped("no cargo-deny on this machine (`cargo install cargo-deny --locked`)");

/// Runs `cargo deny` where it is installed, with checks that need no network.
pub(crate) fn check() -> Result<Verdict, String> {
    if !runs(&["deny", "--version"]) {
        return Ok(MISSING);
    }
    passed(cargo(&[
        "deny",
        "--locked",
        "--log-level",
        "error",
        "check",
        "licenses",
        "bans",
        "sources",
    ]))
}

/// Looks up known faults of the dependencies where the database of advisories can be reached.
pub(crate) fn advisories() -> Result<Verdict, String> {
    if !runs(&["deny", "--version"]) {
        return Ok(MISSING);
    }
    if !runs(&["deny", "--locked", "fetch", "db"]) {
        return Ok(Verdict::Skipped(
            "the database of advisories cannot be reached",
        ));
    }
    passed(cargo(&["deny", "--locked", "check", "advisories"]))
}

fn runs(arguments: &[&str]) -> bool {
    command(arguments)
        .output()
        .is_ok_and(|output| output.status.success())
}

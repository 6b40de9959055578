//! Licences, versions and sources of all dependencies, as `deny.toml` allows them.

use crate::checks::{Verdict, passed};
use crate::{cargo, command};

/// Runs `cargo deny` where it is installed. It needs no network: the advisory database is not
/// consulted.
pub(crate) fn check() -> Result<Verdict, String> {
    if !command(&["deny", "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
    {
        return Ok(Verdict::Skipped(
            "no cargo-deny on this machine (`cargo install cargo-deny --locked`)",
        ));
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

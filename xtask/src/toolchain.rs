//! Targets and components of the toolchain: installed by rustup when a task needs them, with one
//! line of output.
//!
//! `rust-toolchain.toml` names none, so that playing needs only the host target.

use std::path::PathBuf;
use std::process::Command;

use crate::{Outcome, root};

/// A part of the toolchain beyond the minimal profile.
#[derive(Clone, Copy)]
pub(crate) enum Part {
    /// Target of the firmware.
    Thumb,
    /// Target of the browser page.
    Wasm,
    Clippy,
    Rustfmt,
}

impl Part {
    /// The arguments of `rustup` that install it.
    const fn install(self) -> [&'static str; 3] {
        match self {
            Part::Thumb => ["target", "add", "thumbv6m-none-eabi"],
            Part::Wasm => ["target", "add", "wasm32-unknown-unknown"],
            Part::Clippy => ["component", "add", "clippy"],
            Part::Rustfmt => ["component", "add", "rustfmt"],
        }
    }

    /// A file or folder below the toolchain's own folder that is there if the part is.
    fn trace(self) -> PathBuf {
        let program = |name: &str| {
            PathBuf::from("bin").join(format!("{name}{}", std::env::consts::EXE_SUFFIX))
        };
        match self {
            Part::Thumb | Part::Wasm => PathBuf::from("lib/rustlib")
                .join(self.install()[2])
                .join("lib"),
            Part::Clippy => program("cargo-clippy"),
            Part::Rustfmt => program("rustfmt"),
        }
    }
}

/// Asks rustup for those parts that are missing.
pub(crate) fn need(parts: &[Part]) -> Outcome {
    let sysroot = sysroot()?;
    for part in parts {
        if !sysroot.join(part.trace()).exists() {
            install("rustup", part.install())?;
        }
    }
    Ok(())
}

/// The folder of the toolchain in use.
fn sysroot() -> Result<PathBuf, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let output = Command::new(rustc)
        .args(["--print", "sysroot"])
        .current_dir(root())
        .output();
    let output = output.map_err(|error| format!("`rustc --print sysroot`: {error}"))?;
    Ok(PathBuf::from(
        String::from_utf8_lossy(&output.stdout).trim(),
    ))
}

fn install(rustup: &str, [kind, add, name]: [&str; 3]) -> Outcome {
    eprintln!(
        "The toolchain has no {kind} {name} yet: installing it with `rustup {kind} {add} {name}`"
    );
    let output = Command::new(rustup)
        .args([kind, add, name])
        .current_dir(root())
        .output();
    let reason = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().map(str::trim).rfind(|line| !line.is_empty());
            format!("rustup says: {}", last.unwrap_or("nothing"))
        }
        Err(error) => format!("rustup could not be started: {error}"),
    };
    Err(format!(
        "the {kind} {name} is missing and could not be installed; with a connection, type `rustup {kind} {add} {name}` ({reason})"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_rustup_the_message_says_what_to_type() {
        let message = install("no-such-program", Part::Wasm.install()).unwrap_err();
        assert!(
            message.contains("type `rustup target add wasm32-unknown-unknown`"),
            "{message}"
        );
        assert!(message.contains("rustup could not be started"), "{message}");
    }

    #[test]
    fn a_refusal_is_passed_on() {
        // Any program that fails stands for a rustup without a connection.
        let message = install("cargo", ["target", "add", "no-such-target"]).unwrap_err();
        assert!(message.contains("rustup says: "), "{message}");
    }

    #[test]
    fn the_toolchain_that_runs_this_is_found() {
        assert!(sysroot().unwrap().join("lib/rustlib").is_dir());
    }
}

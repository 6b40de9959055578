//! `cargo xtask fuzz TARGET`: libFuzzer over one reader of files.

use std::fs;
use std::process::{Command, Stdio};

use crate::{Outcome, root};

const USAGE: &str = "usage: cargo xtask fuzz TARGET [--minutes N]";

/// Fuzzes a target for some minutes, five unless told otherwise. New inputs go to
/// `fuzz/corpus/TARGET`, a crash to `fuzz/artifacts/TARGET`; one that was mended belongs into
/// `fuzz/regressions/TARGET`.
pub(crate) fn run(options: &[&str]) -> Outcome {
    let targets = targets()?;
    let (target, minutes) = match *options {
        [] => {
            println!("{}", targets.join("\n"));
            return Ok(());
        }
        [target] => (target, "5"),
        [target, "--minutes", minutes] => (target, minutes),
        _ => return Err(USAGE.into()),
    };
    if !targets.iter().any(|known| known == target) {
        return Err(format!("no target {target}: {}", targets.join(", ")));
    }
    let seconds = minutes
        .parse::<f64>()
        .ok()
        .filter(|minutes| *minutes > 0.0)
        .map(|minutes| (minutes * 60.0).ceil() as u64)
        .ok_or_else(|| format!("--minutes {minutes}: expected a number above 0"))?;
    check_tools()?;
    let limit = format!("-max_total_time={seconds}");
    let arguments = [
        "+nightly",
        "fuzz",
        "run",
        target,
        "--",
        &limit,
        "-max_len=16384",
        "-timeout=20",
    ];
    let status = cargo(&arguments)
        .current_dir(root())
        .status()
        .map_err(|error| format!("cargo fuzz: {error}"))?;
    match status.success() {
        true => Ok(()),
        false => Err(format!(
            "{target}: {status}; the input is in fuzz/artifacts/{target}, \
             `cargo +nightly fuzz run {target} FILE` repeats it"
        )),
    }
}

/// Cargo through rustup, so that `+nightly` is understood: inside a task the variable `CARGO` and
/// the chosen toolchain name the stable one.
fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new("cargo");
    command
        .args(arguments)
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO");
    command
}

fn targets() -> Result<Vec<String>, String> {
    let folder = root().join("fuzz/fuzz_targets");
    let files = fs::read_dir(&folder).map_err(|error| format!("fuzz/fuzz_targets: {error}"))?;
    let mut names: Vec<String> = files
        .filter_map(|file| Some(file.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// Says which parts are missing.
fn check_tools() -> Outcome {
    let works = |arguments: &[&str]| {
        cargo(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    let mut missing = vec![];
    if !works(&["+nightly", "--version"]) {
        missing.push("`rustup toolchain install nightly --profile minimal`");
    }
    if !works(&["fuzz", "--version"]) {
        missing.push("`cargo install cargo-fuzz` (it needs a C++ compiler)");
    }
    match missing[..] {
        [] => Ok(()),
        _ => Err(format!("to be installed first: {}", missing.join(", "))),
    }
}

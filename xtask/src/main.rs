//! All checks and builds: `cargo xtask TASK`.
//!
//! Everything here calls `cargo` or plain Rust; [`toolchain`] installs missing parts of the
//! toolchain. A new check is a new line in [`checks`].

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use progress::Steps;
use sha2::{Digest, Sha256};

mod book;
mod browser;
mod checks;
mod deny;
mod dist;
mod firmware;
mod fuzz;
mod generations;
mod licences;
mod links;
mod miri;
mod modules;
mod oracle;
mod page;
mod pictures;
mod probe;
mod progress;
mod toolchain;

const USAGE: &str = "usage: cargo xtask TASK
  quick     format, lints and unit tests: after a small change, under two minutes
  test      all checks of CI: before a commit
  full      the same, long tests and two release builds: before a release
  firmware  build the firmware of all boards (or of `pico`, `picosystem`) and compare its size with the accepted one
  uf2       pack firmware and models into target/pocket-dojo.uf2 and target/pocket-dojo-picosystem.uf2
  probe ELF write bank and firmware with a debug probe and print the log: what `cargo run` does for the firmware
  web       build the browser page in target/page
  book      check the book's links and make a website of it in target/book, where mdBook is installed
  dist      build a release in target/dist: UF2s, page, bank, checksums
  bless     accept screens, terminal texts, the size of the firmware and its measurements as they are; take pictures and recordings anew
  pictures  take the pictures and recordings of the documentation anew, and nothing else
  speed     what Go costs on the device, in cycles of the emulator
  models    train and certify the shipped models again, bit for bit
  generations  play and learn the policies of Go again, age after age (`models/go/generations.txt`), and report on them
  generations report  report on them as they are: prediction, matches, ratings (`models/go/generations.md`)
  miri      run the tests of the unsafe code under Miri (nightly toolchain)
  oracle [GAMES]  play random games against other programs' rules (OpenSpiel, GNU Go; 30,000 if no number is given)
  licences  write THIRD-PARTY.md, the crates inside what ships
  fuzz TARGET [--minutes N]  fuzz a reader of files with cargo-fuzz and the nightly toolchain; without TARGET a list
  monkey [--events N] [--seed S]  random events, power cuts and failing writes at the console
  belts     measure all belts again and write the tables of docs/belts.md";

type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["quick"] => checks::run(&[checks::QUICK]),
        ["test"] => checks::run(&[checks::TEST]),
        ["full"] => checks::run(&[checks::TEST, checks::LONG]),
        ["bless"] => bless(),
        ["pictures"] => pictures::take(),
        ["firmware"] => firmware::check(None),
        ["firmware", "--quiet"] => firmware::build(None),
        ["firmware", board] => firmware::check(Some(board)),
        ["firmware", board, "--quiet"] => firmware::build(Some(board)),
        ["uf2"] => firmware::uf2(),
        ["probe", elf] => probe::run(Path::new(elf)),
        ["web"] => page::build(),
        ["book"] => book::build(),
        ["dist"] => dist::build(),
        ["speed"] => firmware::speed(),
        ["models"] => models(),
        ["generations"] => generations::run(),
        ["generations", "report"] => generations::report(),
        ["miri"] => miri::run(),
        ["oracle"] => oracle::run("30000"),
        ["oracle", games] => oracle::run(games),
        ["licences"] => licences::write(),
        ["fuzz", ref options @ ..] => fuzz::run(options),
        ["monkey", ref options @ ..] => monkey(options),
        ["belts"] => cargo_with(
            BLESS,
            "1",
            &[
                "test",
                "--release",
                "--package",
                "dojo-lab",
                "--test",
                "belts",
                "--",
                "the_manual",
            ],
        ),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("xtask: {what}");
            ExitCode::FAILURE
        }
    }
}

/// Environment variable that makes tests write the files that they otherwise compare with.
const BLESS: &str = "DOJO_BLESS";

fn bless() -> Outcome {
    cargo_with(
        BLESS,
        "1",
        &["test", "--package", "dojo-handheld", "--test", "golden"],
    )?;
    firmware::bless()?;
    cargo_with(
        BLESS,
        "1",
        &["test", "--package", "dojo", "--test", "device", "measured"],
    )?;
    pictures::take()?;
    cargo_with(
        BLESS,
        "1",
        &["test", "--package", "dojo", "--test", "terminal"],
    )?;
    // The browser's own pictures.
    cargo_with(
        BLESS,
        "1",
        &["test", "--package", "dojo", "--test", "browser"],
    )
}

/// Plays random events at the console; the test reads the options from its environment.
fn monkey(options: &[&str]) -> Outcome {
    let arguments = [
        "test",
        "--package",
        "dojo-handheld",
        "--test",
        "monkey",
        "--",
        "--nocapture",
        "a_monkey",
    ];
    let mut command = command(&arguments);
    for pair in options.chunks(2) {
        match pair {
            ["--events", number] => command.env("DOJO_MONKEY_EVENTS", number),
            ["--seed", number] => command.env("DOJO_MONKEY_SEED", number),
            _ => return Err("usage: cargo xtask monkey [--events N] [--seed S]".into()),
        };
    }
    finish(&mut command, &arguments)
}

fn dojo(arguments: &[&str]) -> Outcome {
    cargo(&[&["run", "--quiet", "--package", "dojo", "--"], arguments].concat())
}

/// What a command of `dojo` prints.
fn dojo_output(arguments: &[&str]) -> Result<String, String> {
    let arguments = [&["run", "--quiet", "--package", "dojo", "--"], arguments].concat();
    let mut command = command(&arguments);
    command.stderr(std::process::Stdio::inherit());
    let output = command.output().map_err(|error| error.to_string())?;
    if !output.status.success() {
        return Err(format!(
            "`cargo {}`: {}",
            arguments.join(" "),
            output.status
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Trains, certifies and packs what `models/runs.txt` lists.
fn models() -> Outcome {
    let list = root().join("models/runs.txt");
    let list =
        std::fs::read_to_string(&list).map_err(|error| format!("models/runs.txt: {error}"))?;
    let lines: Vec<&str> = list.lines().filter(|line| !line.starts_with('#')).collect();
    let trained = lines.iter().filter(|line| line.contains(' '));
    let names = trained.map(|line| format!("Training {line}"));
    let build = std::iter::once("Building the lab".to_owned());
    let ends = ["Packing the bank", "Verifying the bank"].map(String::from);
    let mut steps = Steps::new(build.chain(names).chain(ends));
    steps.next(true, || cargo(&["build", "--quiet", "--package", "dojo"]))?;
    let mut pack = vec!["bank", "pack"];
    for line in lines {
        match line.split_whitespace().collect::<Vec<_>>()[..] {
            ["patterns", folder, ref flags @ ..] => {
                let file = format!("{folder}/rules.tsv");
                let induce = ["patterns", "induce", "--out", &file, "--force"];
                steps.next(false, || dojo(&[&induce[..], flags].concat()))?;
                pack.push(folder);
            }
            [game, preset, folder] => {
                let train = [
                    "train", game, "--preset", preset, "--out", folder, "--force",
                ];
                steps.next(false, || dojo(&train))?;
                pack.push(folder);
            }
            [manifest] => pack.push(manifest),
            _ => return Err(format!("models/runs.txt: `{line}`")),
        }
    }
    let pack = [&pack[..], &["--out", "models/dojo.bank", "--force"]].concat();
    steps.next(false, || dojo(&pack))?;
    steps.next(false, || dojo(&["bank", "verify", "models/dojo.bank"]))
}

fn cargo(arguments: &[&str]) -> Outcome {
    finish(&mut command(arguments), arguments)
}

fn cargo_with(key: &str, value: &str, arguments: &[&str]) -> Outcome {
    finish(command(arguments).env(key, value), arguments)
}

fn command(arguments: &[&str]) -> Command {
    // Cargo tells its children which cargo it is.
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

fn finish(command: &mut Command, arguments: &[&str]) -> Outcome {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`cargo {}`: {status}", arguments.join(" "))),
        Err(error) => Err(format!("`cargo {}`: {error}", arguments.join(" "))),
    }
}

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The setting of cargo that keeps local paths out of builds for `target`: the same source gives
/// the same bytes in every folder.
fn remap(target: &str) -> Result<String, String> {
    let home = std::env::var("CARGO_HOME")
        .or_else(|_| std::env::var("HOME").map(|home| format!("{home}/.cargo")));
    let flags = [
        format!("--remap-path-prefix={}=cargo", home.unwrap_or_default()),
        format!(
            "--remap-path-prefix={}=.",
            root()
                .canonicalize()
                .map_err(|error| error.to_string())?
                .display()
        ),
    ];
    Ok(format!("target.{target}.rustflags={flags:?}"))
}

/// SHA-256 in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

//! One door to all checks and builds: `cargo xtask TASK`.
//!
//! Everything here calls `cargo` or plain Rust; nothing else needs to be installed. A new check is a new line in
//! [`CI`].

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

mod deny;
mod firmware;
mod links;

const USAGE: &str = "usage: cargo xtask TASK
  test      all checks, in the order of CI
  firmware  build the firmware and compare its size with the accepted one
  uf2       pack firmware and models into target/pocket-dojo.uf2
  bless     accept screens, the size of the firmware and its measurements as they are; take the pictures anew
  speed     what Go costs on the device, in cycles of the emulator
  models    train and certify the shipped models again, bit for bit
  belts     measure all belts again and write the tables of docs/belts.md";

type Outcome = Result<(), String>;

/// A check of CI: its heading and what it does.
struct Step {
    name: &'static str,
    run: fn() -> Outcome,
}

/// All of CI, quick checks first.
const CI: &[Step] = &[
    Step { name: "Format", run: || cargo(&["fmt", "--all", "--check"]) },
    Step {
        name: "Lints",
        run: || cargo(&["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"]),
    },
    Step { name: "Links of the documentation", run: || links::check(&root()) },
    Step { name: "Firmware", run: firmware::uf2 },
    Step { name: "Lints of the firmware", run: firmware::lint },
    Step { name: "Tests", run: || cargo(&["test", "--workspace", "--all-targets", "--quiet"]) },
    Step { name: "Examples in the documentation", run: || cargo(&["test", "--workspace", "--doc", "--quiet"]) },
    Step {
        name: "Reference documentation",
        run: || cargo_with("RUSTDOCFLAGS", "-D warnings", &["doc", "--workspace", "--no-deps", "--quiet"]),
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["test"] => test(),
        ["bless"] => bless(),
        ["firmware"] => firmware::check(),
        ["firmware", "--quiet"] => firmware::build(),
        ["uf2"] => firmware::uf2(),
        ["speed"] => firmware::speed(),
        ["models"] => models(),
        ["belts"] => {
            cargo_with(BLESS, "1", &["test", "--release", "--package", "dojo", "--test", "belts", "--", "the_manual"])
        }
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

/// Set while tests write what they otherwise compare with.
const BLESS: &str = "DOJO_BLESS";

fn test() -> Outcome {
    let begun = Instant::now();
    if !has_browser() {
        println!("== NOTE: no Chromium on this machine. The browser page will NOT be tested.");
    }
    for (number, step) in CI.iter().enumerate() {
        let started = Instant::now();
        println!("\n== {}/{} {}", number + 1, CI.len(), step.name);
        (step.run)().map_err(|what| format!("{} failed: {what}", step.name))?;
        println!("   {:.1} s", started.elapsed().as_secs_f64());
    }
    println!("\nAll {} checks passed in {:.0} s", CI.len(), begun.elapsed().as_secs_f64());
    Ok(())
}

/// Whether the test of the page will find a browser; it looks in the same places.
fn has_browser() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::var_os("CHROMIUM").is_some()
        || std::env::split_paths(&path).any(|folder| names.iter().any(|name| folder.join(name).is_file()))
}

/// Pictures of the documentation: name, display, scale and buttons.
const PICTURES: &[(&str, &str, &str, &str)] = &[
    ("title-lcd", "lcd", "1", ""),
    ("menu-lcd", "lcd", "1", "a"),
    ("menu-oled", "oled", "3", "a"),
    ("sticks-lcd", "lcd", "1", "a a left left a wait up left left"),
    ("sticks-oled", "oled", "3", "a a left left a wait up left left"),
    ("tictactoe-lcd", "lcd", "1", "a down a down a a a wait up"),
    ("mind-sticks-lcd", "lcd", "1", "a a b down down down down right right right b b up up a left left left"),
    ("mind-dots-lcd", "lcd", "1", "a down a down down a a b up up a up a wait wait"),
    ("mind-dots-oled", "oled", "2", "a down a down down a a b up up a up a wait wait"),
    ("lesson-lcd", "lcd", "1", "a down down a a wait wait wait a"),
    ("lesson-oled", "oled", "2", "a down down a down a wait wait wait"),
    ("belts-lcd", "lcd", "1", "a down a down down a down down a down down"),
    ("tictactoe-oled", "oled", "3", "a down a down a a a wait up"),
    ("go-lcd", "lcd", "1", GO),
    ("go-oled", "oled", "3", GO),
    ("iwoki-hand-lcd", "lcd", "1", IWOKI_HAND),
    ("iwoki-hand-oled", "oled", "3", IWOKI_HAND),
    ("iwoki-gap-lcd", "lcd", "1", IWOKI_GAP),
    ("iwoki-turn-lcd", "lcd", "1", IWOKI_TURN),
    ("iwoki-turn-oled", "oled", "3", IWOKI_TURN),
];

/// A game of Go after four moves of each.
const GO: &str = "a down a up a a a wait up up left a wait left left a wait down down down a wait right right";

/// A game of iwoki after four moves: the next tile is chosen, taken to a gap, or turned.
const IWOKI_HAND: &str = "a down a down down down a a a a a wait a a a wait a a a wait a a a wait right";
const IWOKI_GAP: &str = "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a";
const IWOKI_TURN: &str = "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a a right";

fn bless() -> Outcome {
    cargo_with(BLESS, "1", &["test", "--package", "dojo-handheld", "--test", "golden"])?;
    firmware::bless()?;
    cargo_with(BLESS, "1", &["test", "--package", "dojo", "--test", "device", "measured"])?;
    for (name, board, scale, keys) in PICTURES {
        let out = format!("docs/pictures/{name}.png");
        dojo(&["screenshot", "--force", "--board", board, "--scale", scale, "--keys", keys, "--out", &out])?;
    }
    // The browser's own pictures.
    cargo_with(BLESS, "1", &["test", "--package", "dojo", "--test", "browser"])
}

fn dojo(arguments: &[&str]) -> Outcome {
    cargo(&[&["run", "--quiet", "--package", "dojo", "--"], arguments].concat())
}

/// Training runs of Go whose folders are part of the repository: preset and folder.
const GO_RUNS: [(&str, &str); 4] = [
    ("published-perceptron", "models/go/perceptron"),
    ("published-mlp", "models/go/mlp"),
    ("better", "models/go/better"),
    ("eyes", "models/go/eyes"),
];

fn models() -> Outcome {
    // Networks take minutes: their runs are kept, so that the test of the bank need not repeat them.
    let runs = [
        ("sticks", "shipped", "target/models/sticks"),
        ("dots", "shipped", "target/models/dots"),
        ("dots", "converging", "target/models/dots-published"),
        ("iwoki", "shipped", "models/iwoki"),
        ("dots", "network", "models/dots-network"),
    ];
    let folders = runs.map(|(_, _, folder)| folder);
    for ((game, preset, _), folder) in runs.iter().zip(&folders) {
        dojo(&["train", game, "--preset", preset, "--out", folder, "--force"])?;
    }
    // The networks of Go take minutes: their runs are kept, and the tests pack them without training.
    for (preset, folder) in GO_RUNS {
        dojo(&["train", "go", "--preset", preset, "--out", folder, "--force"])?;
    }
    let [sticks, dots, published, iwoki, network] = folders;
    let mut pack = vec!["bank", "pack", sticks, dots, published, "models/solved.txt", iwoki, network];
    pack.extend(GO_RUNS.map(|(_, folder)| folder));
    dojo(&[&pack[..], &["--out", "models/dojo.bank", "--force"]].concat())?;
    dojo(&["bank", "verify", "models/dojo.bank"])
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

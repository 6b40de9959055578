//! Pictures of the documentation: of the console itself, of whole games, of the page in a browser
//! and of terminals.

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use crate::progress::Steps;
use crate::{BLESS, Outcome, cargo_with, dojo, root};

/// Name, display, scale and buttons.
const PICTURES: &[(&str, &str, &str, &str)] = &[
    ("title-lcd", "lcd", "1", ""),
    ("menu-lcd", "lcd", "1", "a"),
    ("menu-oled", "oled", "3", "a"),
    ("games-lcd", "lcd", "1", "a down a"),
    ("first-steps-lcd", "lcd", "1", "a up a a wait"),
    ("puzzle-lcd", "lcd", "1", "a down down down a a wait a wait"),
    ("card-lcd", "lcd", "1", "a down a a down down a down down x"),
    ("result-lcd", "lcd", "1", SHORT_GAME),
    ("review-lcd", "lcd", "1", REVIEW),
    (
        "sticks-lcd",
        "lcd",
        "1",
        "a a left left a wait up left left",
    ),
    (
        "sticks-oled",
        "oled",
        "3",
        "a a left left a wait up left left",
    ),
    ("tictactoe-lcd", "lcd", "1", "a down a down a a a wait up"),
    (
        "mind-sticks-lcd",
        "lcd",
        "1",
        "a a b down down down down right right right b b up up a left left left",
    ),
    (
        "mind-dots-lcd",
        "lcd",
        "1",
        "a down a down down a a b up up a up a wait wait",
    ),
    (
        "mind-dots-oled",
        "oled",
        "2",
        "a down a down down a a b up up a up a wait wait",
    ),
    ("lesson-lcd", "lcd", "1", "a down down a a wait wait wait a"),
    (
        "lesson-oled",
        "oled",
        "2",
        "a down down a down a wait wait wait",
    ),
    (
        "belts-lcd",
        "lcd",
        "1",
        "a down a down down a down down a down down",
    ),
    ("tictactoe-oled", "oled", "3", "a down a down a a a wait up"),
    ("dots-lcd", "lcd", "1", DOTS),
    ("dots-oled", "oled", "3", DOTS),
    ("connect4-lcd", "lcd", "1", CONNECT4),
    ("connect4-oled", "oled", "3", CONNECT4),
    ("go-lcd", "lcd", "1", GO),
    ("go-oled", "oled", "3", GO),
    ("iwoki-hand-lcd", "lcd", "1", IWOKI_HAND),
    ("iwoki-hand-oled", "oled", "3", IWOKI_HAND),
    ("iwoki-gap-lcd", "lcd", "1", IWOKI_GAP),
    ("iwoki-turn-lcd", "lcd", "1", IWOKI_TURN),
    ("iwoki-turn-oled", "oled", "3", IWOKI_TURN),
];

/// A game of sticks that is soon lost, and a look back at it.
const SHORT_GAME: &str = "a a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait wait wait";
const REVIEW: &str = "a a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait a wait wait wait right right a wait wait wait wait left left left";

/// A game of dots in which both players own boxes.
const DOTS: &str = "a down a down down a a a wait down a wait right a wait down a wait wait";

/// A few stones of Connect Four.
const CONNECT4: &str =
    "a down a down down down down down a a a wait right a wait left left a wait right a wait";

/// A game of Go after four moves of each.
const GO: &str = "a down a down down down down a a a wait up up left a wait left left a wait down down down a wait right right";

/// A game of iwoki after four moves: the next tile is chosen, taken to a gap, or turned.
const IWOKI_HAND: &str =
    "a down a down down down a a a a a wait a a a wait a a a wait a a a wait right";
const IWOKI_GAP: &str = "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a";
const IWOKI_TURN: &str =
    "a down a down down down a a a a a wait a a a wait a a a wait a a a wait a a right";

/// Name of the recording and what `dojo record` plays for it.
const RECORDINGS: &[(&str, &[&str])] = &[
    ("sticks", &["sticks", "--belts", "yellow,black"]),
    ("go", &["go", "--size", "5", "--belts", "green,brown"]),
];

/// Takes all pictures anew. Those that need a program which is missing stay as they are, and it is
/// said which.
pub(crate) fn take() -> Outcome {
    let names = ["screens", "games", "page", "terminals"].map(|what| format!("Pictures of {what}"));
    let mut steps = Steps::new(names);
    steps.next(true, screens)?;
    steps.next(true, games)?;
    // The test of the page takes them; without a browser it says so.
    steps.next(false, || {
        let test = [
            "test",
            "--quiet",
            "--package",
            "dojo",
            "--test",
            "browser",
            "looks_right_everywhere",
            "--",
            "--nocapture",
        ];
        cargo_with(BLESS, "1", &test)
    })?;
    steps.next(true, terminals)
}

fn screens() -> Outcome {
    for (name, board, scale, keys) in PICTURES {
        let out = format!("docs/pictures/{name}.png");
        dojo(&[
            "screenshot",
            "--force",
            "--board",
            board,
            "--scale",
            scale,
            "--keys",
            keys,
            "--out",
            &out,
        ])?;
    }
    Ok(())
}

fn games() -> Outcome {
    for (name, game) in RECORDINGS {
        let out = format!("docs/pictures/{name}.gif");
        dojo(&[&["record", "--force", "--out", &out], *game].concat())?;
    }
    Ok(())
}

/// Name, options of xterm, and arguments of `dojo play`.
const TERMINALS: &[(&str, &[&str], &[&str])] = &[
    (
        "terminal-sixel",
        &["-ti", "vt340"],
        &["iwoki", "--belt", "green", "--second", "--seed", "5"],
    ),
    (
        "terminal-blocks",
        &[],
        &[
            "go",
            "--belt",
            "green",
            "--handicap",
            "4",
            "--seed",
            "5",
            "--colours",
            "true",
        ],
    ),
];

/// Programs that pictures of terminals need.
const NEEDED: [&str; 3] = ["Xvfb", "xterm", "gm"];

/// The longest that the machine thinks about its first move.
const FIRST_MOVE: Duration = Duration::from_secs(10);

/// A program that runs until this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays in xterm on a display that nobody sees, and photographs its window.
fn terminals() -> Outcome {
    let path = env::var_os("PATH").unwrap_or_default();
    let has = |name: &str| env::split_paths(&path).any(|folder| folder.join(name).is_file());
    let missing: Vec<_> = NEEDED.into_iter().filter(|name| !has(name)).collect();
    if !missing.is_empty() {
        eprintln!(
            "SKIPPED: {} not found, docs/pictures/terminal-*.png stay as they are",
            missing.join(", ")
        );
        return Ok(());
    }
    let failed = |program: &str| {
        let program = program.to_owned();
        move |error: std::io::Error| format!("{program}: {error}")
    };
    let mut display = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1280x1024x24"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map(Running)
        .map_err(failed("Xvfb"))?;
    let mut number = String::new();
    if let Some(said) = display.0.stdout.take() {
        let read = BufReader::new(said).read_line(&mut number);
        read.map_err(failed("Xvfb"))?;
    }
    let number = format!(":{}", number.trim());
    for (name, options, game) in TERMINALS {
        let _terminal = Command::new("xterm")
            .args(["-geometry", "80x24+0+0", "-title", name])
            .args(["-fa", "DejaVu Sans Mono", "-fs", "11"])
            .args(["-bg", "#111111", "-fg", "#dddddd"])
            .args(*options)
            .arg("-e")
            .arg(root().join("target/debug/dojo"))
            .args(["play", "--no-save"])
            .args(*game)
            .env("DISPLAY", &number)
            .spawn()
            .map(Running)
            .map_err(failed("xterm"))?;
        thread::sleep(FIRST_MOVE);
        let out = root().join(format!("docs/pictures/{name}.png"));
        let shot = Command::new("gm")
            .args(["import", "-window", name])
            .arg(&out)
            .env("DISPLAY", &number)
            .status()
            .map_err(failed("gm"))?;
        if !shot.success() {
            return Err(format!("gm import: {shot}"));
        }
    }
    Ok(())
}

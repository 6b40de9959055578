//! `dojo doctor`: the programs around this one, what each is for, and how to get it.

use std::io::{IsTerminal, stdin, stdout};
use std::process::{Command, Stdio};

use crate::terminal::ability::Ability;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::output;

/// No arguments.
#[derive(clap::Args, Debug)]
pub struct Args {}

/// A program that something needs.
struct Tool {
    name: &'static str,
    /// Programs that will do, with arguments that make them print their version.
    programs: &'static [&'static [&'static str]],
    purpose: &'static str,
    advice: &'static str,
}

const TOOLS: [Tool; 11] = [
    Tool {
        name: "cargo",
        programs: &[&["cargo", "--version"]],
        purpose: "builds everything",
        advice: "https://rustup.rs",
    },
    Tool {
        name: "rustup",
        programs: &[&["rustup", "--version"]],
        purpose: "gets the targets of firmware and page",
        advice: "https://rustup.rs",
    },
    Tool {
        name: "GNU Go",
        programs: &[&["gnugo", "--version"], &["/usr/games/gnugo", "--version"]],
        purpose: "an opponent in `arena` and `experiment`",
        advice: "Debian: apt install gnugo",
    },
    Tool {
        name: "Chromium",
        programs: &[
            &["chromium", "--version"],
            &["chromium-browser", "--version"],
            &["google-chrome", "--version"],
        ],
        purpose: "tests of the browser page",
        advice: "Debian: apt install chromium",
    },
    Tool {
        name: "probe-rs",
        programs: &[&["probe-rs", "--version"]],
        purpose: "flashes and logs with a debug probe",
        advice: "https://probe.rs",
    },
    Tool {
        name: "picotool",
        programs: &[&["picotool", "version"]],
        purpose: "reads kept brains back from a Pico",
        advice: "https://github.com/raspberrypi/picotool",
    },
    Tool {
        name: "npm",
        programs: &[&["npm", "--version"]],
        purpose: "fetches axe-core for tests of the page",
        advice: "Debian: apt install npm",
    },
    Tool {
        name: "mdBook",
        programs: &[&["mdbook", "--version"]],
        purpose: "makes a website of the book",
        advice: "cargo install mdbook",
    },
    Tool {
        name: "sound",
        programs: &[
            &["pw-play", "--version"],
            &["paplay", "--version"],
            &["aplay", "--version"],
            &["afplay", "-h"],
            &["play", "--version"],
            &["ffplay", "-version"],
        ],
        purpose: "tunes of `play --sound`",
        advice: "Debian: apt install alsa-utils",
    },
    Tool {
        name: "xterm",
        programs: &[&["xterm", "-version"]],
        purpose: "pictures of terminals, in Xvfb",
        advice: "Debian: apt install xterm xvfb",
    },
    Tool {
        name: "GraphicsMagick",
        programs: &[&["gm", "version"]],
        purpose: "pictures of terminals",
        advice: "Debian: apt install graphicsmagick",
    },
];

/// Targets of the toolchain, and what they are for.
const TARGETS: [(&str, &str); 2] = [
    ("thumbv6m-none-eabi", "the firmware"),
    ("wasm32-unknown-unknown", "the browser page"),
];

/// Prints what is there. Playing needs none of it.
pub fn run(_: Args) -> Done {
    let mut text = String::from("Playing, training and measuring need nothing else.\n\n");
    for tool in &TOOLS {
        let found = tool.programs.iter().find_map(|program| first_line(program));
        text += &line(tool.name, tool.purpose, found.as_deref(), tool.advice);
    }
    let installed = text_of(&["rustup", "target", "list", "--installed"]).unwrap_or_default();
    for (target, purpose) in TARGETS {
        let found = installed.lines().any(|name| name == target);
        let advice = format!("rustup target add {target}; xtask does so by itself");
        text += &line(target, purpose, found.then_some("installed"), &advice);
    }
    let terminal = match stdin().is_terminal() && stdout().is_terminal() {
        true => ask_terminal()?.words(),
        false => "none here".into(),
    };
    output::print(&format!("{text}\nThis terminal: {terminal}\n"))
}

fn line(name: &str, purpose: &str, found: Option<&str>, advice: &str) -> String {
    match found {
        Some(version) => format!("  {name:23} {purpose:41} {version}\n"),
        None => format!("  {name:23} {purpose:41} not found ({advice})\n"),
    }
}

/// Answers come while the terminal is raw only.
fn ask_terminal() -> Result<Ability, Failure> {
    let broken = crate::terminal::broken;
    crossterm::terminal::enable_raw_mode().map_err(broken)?;
    let (ability, _) = Ability::ask();
    crossterm::terminal::disable_raw_mode().map_err(broken)?;
    Ok(ability)
}

fn first_line(program: &[&str]) -> Option<String> {
    let text = text_of(program)?;
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    Some(output::clean(line.trim()))
}

/// What a program prints; `None` if it is not there or fails.
fn text_of(program: &[&str]) -> Option<String> {
    let (name, arguments) = program.split_first()?;
    let output = Command::new(name)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let is_fine = output.status.success();
    is_fine.then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_programs_come_with_advice() {
        assert_eq!(first_line(&["no-such-program", "--version"]), None);
        let missing = line("GNU Go", "an opponent", None, "apt install gnugo");
        assert!(missing.contains("not found (apt install gnugo)"));
        assert!(line("cargo", "builds", Some("cargo 1.95"), "").ends_with("cargo 1.95\n"));
    }
}

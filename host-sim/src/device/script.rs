//! Scripts for the device, a line for each thing to do:
//!
//! ```text
//! # comments and empty lines are skipped
//! wait 500        let 500 ms pass
//! press A         a short press: up down left right A B X Y
//! hold B 700      press for 700 ms
//! shot menu.png   save the screen
//! ```

use std::path::{Path, PathBuf};

use dojo_handheld::Button;

use crate::device::Device;
use crate::handheld::picture;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;

/// The longest wait or hold: ten minutes show everything that time can change.
const LONGEST_MS: u64 = 600_000;

/// One line of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Let this many milliseconds pass.
    Wait(u64),
    /// A short press.
    Press(Button),
    /// Press for this many milliseconds.
    Hold(Button, u64),
    /// Save the screen.
    Shot(PathBuf),
}

/// Reads a script; a message names the line that is wrong.
pub fn parse(text: &str) -> Result<Vec<Step>, Failure> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.split('#').next().unwrap_or("").trim()));
    lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(number, line)| {
            parse_line(line).map_err(|what| Failure::Usage(format!("line {number}: {what}")))
        })
        .collect()
}

fn parse_line(line: &str) -> Result<Step, String> {
    let button = |name| Button::from_name(name).ok_or_else(|| format!("`{name}` is no button"));
    let millis = |text: &str| match text.parse() {
        Ok(millis @ 0..=LONGEST_MS) => Ok(millis),
        _ => Err(format!(
            "`{text}` is not a number of milliseconds up to {LONGEST_MS}"
        )),
    };
    match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["wait", time] => Ok(Step::Wait(millis(time)?)),
        ["press", name] => Ok(Step::Press(button(name)?)),
        ["hold", name, time] => Ok(Step::Hold(button(name)?, millis(time)?)),
        ["shot", file] => Ok(Step::Shot(file.into())),
        _ => Err(format!(
            "`{line}`: expected wait MS, press BUTTON, hold BUTTON MS or shot FILE"
        )),
    }
}

/// Plays a script.
pub fn play(device: &mut Device, steps: &[Step], force: bool) -> Done {
    for step in steps {
        match step {
            Step::Wait(millis) => device.wait(*millis).map_err(Failure::check)?,
            Step::Press(button) => device.tap(*button).map_err(Failure::check)?,
            Step::Hold(button, millis) => device.hold(*button, *millis).map_err(Failure::check)?,
            Step::Shot(file) => shot(device, file, force)?,
        }
    }
    Ok(())
}

/// Saves the screen.
pub fn shot(device: &Device, file: &Path, force: bool) -> Done {
    files::write(file, &picture::png(&device.frame(), 1)?, force)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_read_as_written() {
        let steps = parse("# start\nwait 500\n\n press a # go\nhold B 700\nshot x.png\n").unwrap();
        assert_eq!(
            steps,
            [
                Step::Wait(500),
                Step::Press(Button::A),
                Step::Hold(Button::B, 700),
                Step::Shot("x.png".into())
            ]
        );
    }

    #[test]
    fn faults_name_their_line() {
        for (text, line) in [
            ("wait", 1),
            ("wait 1\nwait x", 2),
            ("press Q", 1),
            ("\n\nhold B", 3),
            ("wait 600001", 1),
        ] {
            let message = parse(text).unwrap_err().to_string();
            assert!(message.starts_with(&format!("line {line}: ")), "{message}");
        }
    }
}

//! Buttons as text: `up down left right a b x y`, `hold` (B is held), `wait`,
//! `wait:MILLISECONDS`, or `end` (until the game is over).

use dojo_handheld::{Button, Event, Press};

use crate::handheld::Runner;
use dojo_lab::failure::{Done, Failure};

/// What `wait` alone means: long enough for the machine to move.
const WAIT_MS: u32 = 1000;
/// How often the console is told the time.
pub const TICK_MS: u32 = 50;
/// The longest wait: an hour shows everything that time can change.
const LONGEST_MS: u32 = 3_600_000;
/// All waits of a script together: a day. The clock of the console counts 49 days.
const LONGEST_SCRIPT_MS: u64 = 24 * 3_600_000;

/// One thing that a script does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A button.
    Press(Press),
    /// Let time pass.
    Wait(u32),
    /// Let time pass until the game is over.
    End,
}

/// Reads a script; the message names the word that is wrong.
pub fn parse(text: &str) -> Result<Vec<Step>, Failure> {
    let steps: Vec<Step> = text
        .split_whitespace()
        .map(parse_word)
        .collect::<Result<_, _>>()?;
    let waits = steps.iter().map(|step| match step {
        Step::Wait(millis) => u64::from(*millis),
        Step::End => u64::from(LONGEST_MS),
        Step::Press(_) => 0,
    });
    if waits.sum::<u64>() > LONGEST_SCRIPT_MS {
        return Err(Failure::Usage(format!(
            "the waits of the script are more than {LONGEST_SCRIPT_MS} ms in all"
        )));
    }
    Ok(steps)
}

fn parse_word(word: &str) -> Result<Step, Failure> {
    if let Some(button) = Button::from_name(word) {
        return Ok(Step::Press(Press::Down(button)));
    }
    match word.split_once(':') {
        None if word == "hold" => Ok(Step::Press(Press::Held(Button::B))),
        None if word == "wait" => Ok(Step::Wait(WAIT_MS)),
        None if word == "end" => Ok(Step::End),
        Some(("wait", millis)) => match millis.parse() {
            Ok(millis @ 0..=LONGEST_MS) => Ok(Step::Wait(millis)),
            _ => Err(Failure::Usage(format!(
                "key `{word}`: expected wait:MS with at most {LONGEST_MS}"
            ))),
        },
        _ => Err(Failure::Usage(format!(
            "key `{word}`: expected up, down, left, right, a, b, x, y, hold, wait or end"
        ))),
    }
}

/// Plays a script on a handheld whose clock stands at `now`; returns the time after it.
pub fn play(runner: &mut Runner, steps: &[Step], now: u32) -> Result<u32, Failure> {
    watch(runner, steps, now, &mut |_, _| Ok(()))
}

/// The same; `look` sees the handheld and the time after every step and every tick.
pub fn watch(
    runner: &mut Runner,
    steps: &[Step],
    mut now: u32,
    look: &mut dyn FnMut(&mut Runner, u32) -> Done,
) -> Result<u32, Failure> {
    for step in steps {
        let end = match *step {
            Step::Press(press) => {
                runner.press(press)?;
                look(runner, now)?;
                continue;
            }
            Step::Wait(millis) => now + millis,
            Step::End => now + LONGEST_MS,
        };
        while now < end && !(*step == Step::End && is_over(runner)?) {
            now = (now + TICK_MS).min(end);
            runner.handle(Event::Tick(now))?;
            look(runner, now)?;
        }
    }
    Ok(now)
}

/// Whether the game is over and its result is on the screen.
fn is_over(runner: &Runner) -> Result<bool, Failure> {
    match runner.console().session() {
        Some(_) => Ok(runner.console().screen_name() == "result"),
        None => Err(Failure::usage("key `end`: no game is running")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_waits_together_are_bounded() {
        let days = |hours: usize| parse(&"wait:3600000 ".repeat(hours));
        assert!(days(24).is_ok());
        let refusal = days(25).unwrap_err().to_string();
        assert!(refusal.contains("86400000 ms in all"), "{refusal}");
    }

    #[test]
    fn scripts_read_as_written() {
        use Step::{End, Press as P, Wait};
        let steps = parse("A down  hold wait wait:70 end").unwrap();
        let [a, down] = [Button::A, Button::Down].map(|button| P(Press::Down(button)));
        assert_eq!(
            steps,
            [
                a,
                down,
                P(Press::Held(Button::B)),
                Wait(1000),
                Wait(70),
                End
            ]
        );
        for bad in ["q", "wait:", "wait:x", "wait:99999999", "hold:3", "a,b"] {
            assert!(parse(bad).unwrap_err().to_string().contains(bad), "{bad}");
        }
    }
}

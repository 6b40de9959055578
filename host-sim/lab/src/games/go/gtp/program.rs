//! Another Go program, spoken to over its standard input and output.

use std::fmt;
use std::io::{BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use super::protocol::{Answer, read_answer};

/// Faults of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// It does not start.
    Start(String),
    /// It has ended or closed its output.
    Gone(String),
    /// It did not answer in time.
    Late(String),
    /// It refused a command, or its answer is malformed.
    Answer(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Start(what) => write!(f, "does not start: {what}"),
            Trouble::Gone(command) => write!(f, "has gone away at `{command}`"),
            Trouble::Late(command) => write!(f, "no answer to `{command}` in time"),
            Trouble::Answer(what) => write!(f, "{what}"),
        }
    }
}

/// A running program. Dropping it ends the program.
#[derive(Debug)]
pub struct Program {
    child: Child,
    input: ChildStdin,
    answers: Receiver<Answer>,
    patience: Duration,
}

impl Program {
    /// Starts a program; every command is given `patience` to be answered.
    pub fn start(command: &str, patience: Duration) -> Result<Program, Trouble> {
        let mut words = split(command).into_iter();
        let name = words
            .next()
            .ok_or_else(|| Trouble::Start("no command".into()))?;
        let start = |error| Trouble::Start(format!("{name}: {error}"));
        let mut child = Command::new(&name)
            .args(words)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(start)?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Trouble::Start(format!("{name}: no pipes")));
        };
        // A thread of its own reads, so that waiting for a silent program can time out.
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            let mut output = BufReader::new(output);
            while let Ok(Some(answer)) = read_answer(&mut output) {
                if sender.send(answer).is_err() {
                    break;
                }
            }
        });
        Ok(Program {
            child,
            input,
            answers,
            patience,
        })
    }

    /// Sends a command and waits for the answer; a refusal is an answer.
    pub fn ask(&mut self, command: &str) -> Result<Answer, Trouble> {
        let gone = |_| Trouble::Gone(command.into());
        writeln!(self.input, "{command}")
            .and_then(|()| self.input.flush())
            .map_err(gone)?;
        self.answers
            .recv_timeout(self.patience)
            .map_err(|error| match error {
                RecvTimeoutError::Timeout => Trouble::Late(command.into()),
                RecvTimeoutError::Disconnected => Trouble::Gone(command.into()),
            })
    }

    /// Sends a command that must not be refused.
    pub fn tell(&mut self, command: &str) -> Result<String, Trouble> {
        self.ask(command)?
            .map_err(|fault| Trouble::Answer(format!("`{command}` was refused: {fault}")))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // `quit` first; a program that does not end is killed.
        let _ = writeln!(self.input, "quit").and_then(|()| self.input.flush());
        let _ = self.answers.recv_timeout(Duration::from_millis(500));
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A command line's words; double quotes keep blanks together.
fn split(command: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted, mut begun) = (vec![], String::new(), false, false);
    for c in command.chars() {
        match c {
            '"' => (quoted, begun) = (!quoted, true),
            c if c.is_whitespace() && !quoted => {
                if std::mem::take(&mut begun) {
                    words.push(std::mem::take(&mut word));
                }
            }
            c => {
                word.push(c);
                begun = true;
            }
        }
    }
    if begun {
        words.push(word);
    }
    words
}

/// The path of GNU Go: `$GNUGO`, on the search path, or the folder of Debian's games.
pub fn gnugo() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("GNUGO") {
        return Some(named.into()).filter(|path: &PathBuf| path.is_file());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    folders
        .map(|folder| folder.join("gnugo"))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_split_at_blanks_outside_quotes() {
        assert_eq!(split("  gnugo --mode gtp "), ["gnugo", "--mode", "gtp"]);
        assert_eq!(
            split("\"my program\" a\"b c\"d \"\""),
            ["my program", "ab cd", ""]
        );
        assert!(split(" ").is_empty());
    }

    #[test]
    fn a_program_that_is_none_is_trouble_not_a_hang() {
        let patience = Duration::from_millis(200);
        assert!(matches!(
            Program::start("", patience),
            Err(Trouble::Start(_))
        ));
        assert!(matches!(
            Program::start("/no/such/program", patience),
            Err(Trouble::Start(_))
        ));
        // `cat` echoes the request, which is no answer.
        if let Ok(mut cat) = Program::start("cat", patience) {
            assert_eq!(cat.ask("name"), Err(Trouble::Late("name".into())));
        }
        if let Ok(mut nothing) = Program::start("true", patience) {
            assert!(matches!(nothing.ask("name"), Err(Trouble::Gone(_))));
        }
    }
}

//! How a command fails: one line for people, one exit code for scripts.

use std::fmt;
use std::path::Path;

/// Why a command did not succeed. The message is a single line that names the fault and where it
/// is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A check failed (exit code 1).
    Check(String),
    /// The command was used wrongly (exit code 2).
    Usage(String),
    /// The reader of stdout has closed the pipe; no failure (`dojo … | head`).
    ClosedPipe,
}

/// The result of a command.
pub type Done = Result<(), Failure>;

impl Failure {
    /// A check that failed.
    pub fn check(what: impl fmt::Display) -> Failure {
        Failure::Check(what.to_string())
    }

    /// A wrong use.
    pub fn usage(what: impl fmt::Display) -> Failure {
        Failure::Usage(what.to_string())
    }

    /// A file that cannot be read or written.
    pub fn file(path: &Path, error: &std::io::Error) -> Failure {
        Failure::Usage(format!("{}: {error}", path.display()))
    }

    /// The exit code: 1 for a failed check, 2 for wrong use.
    pub fn code(&self) -> u8 {
        match self {
            Failure::ClosedPipe => 0,
            Failure::Check(_) => 1,
            Failure::Usage(_) => 2,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::ClosedPipe => Ok(()),
            // Texts from files and programs may have line ends; a message stays on one line.
            Failure::Check(text) | Failure::Usage(text) => text.chars().try_for_each(|c| {
                if c.is_control() {
                    f.write_str(" ")
                } else {
                    write!(f, "{c}")
                }
            }),
        }
    }
}

impl std::error::Error for Failure {}

//! Results on stdout, progress on stderr.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::{Done, Failure};

/// The flag of every command that prints figures.
#[derive(clap::Args, Clone, Copy, Debug, Default)]
pub struct Format {
    /// Print one JSON object on one line instead of text
    #[arg(long)]
    pub json: bool,
}

impl Format {
    /// Prints a result: as JSON if that was asked for, else as the text that `text` makes.
    pub fn print<T: Serialize>(self, result: &T, text: impl FnOnce() -> String) -> Done {
        let line = if self.json {
            serde_json::to_string(result).map_err(Failure::check)? + "\n"
        } else {
            text()
        };
        print(&line)
    }
}

/// Writes to stdout. A reader that has gone away is not an error.
pub fn print(text: &str) -> Done {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(|error| match error.kind() {
            std::io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Usage(format!("stdout: {error}")),
        })
}

/// Writes one line to stderr: a warning or an error. A failure to write is ignored.
pub fn warn(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "dojo: {}", clean(text));
}

/// A text without control characters: what another program printed must not reach the terminal as
/// escape sequences.
pub fn clean(text: &str) -> String {
    let printable = |c: char| if c.is_control() { ' ' } else { c };
    text.chars().map(printable).collect()
}

/// Time before the first plain progress line, and between two of them.
const QUIET: Duration = Duration::from_secs(5);

/// Progress of long work: a bar on a terminal, a line every few seconds elsewhere.
#[derive(Debug)]
pub struct Progress {
    what: &'static str,
    total: u64,
    done: AtomicU64,
    bar: Option<ProgressBar>,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// Work of `total` steps, called `what` (a plural: games, positions).
    pub fn new(what: &'static str, total: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}  {eta} left");
            ProgressBar::new(total)
                .with_message(what)
                .with_style(style.unwrap_or(ProgressStyle::default_bar()))
        });
        Progress {
            what,
            total,
            done: AtomicU64::new(0),
            bar,
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// Counts one step.
    pub fn tick(&self) {
        self.advance(1);
    }

    /// Counts several steps.
    pub fn advance(&self, steps: u64) {
        let done = self.done.fetch_add(steps, Ordering::Relaxed) + steps;
        if let Some(bar) = &self.bar {
            bar.inc(steps);
            return;
        }
        // If another thread holds the lock, it prints the line.
        if let Ok(mut last) = self.last_line.try_lock()
            && last.elapsed() >= QUIET
        {
            *last = Instant::now();
            let _ = writeln!(
                std::io::stderr().lock(),
                "{done}/{} {}",
                self.total,
                self.what
            );
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

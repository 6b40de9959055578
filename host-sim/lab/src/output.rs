//! Results on stdout, progress on stderr.

use std::fmt;
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressState, ProgressStyle};
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
    /// Steps in all; 0 if nobody knows.
    total: u64,
    done: AtomicU64,
    begun: Instant,
    bar: Option<ProgressBar>,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// Work of `total` steps, called `what` (a plural: games, positions).
    pub fn new(what: &'static str, total: u64) -> Progress {
        let bar = std::io::stderr().is_terminal().then(|| {
            let template = match total {
                0 => "{spinner} {pos} {msg}, {elapsed}",
                _ => "{bar:40} {pos}/{len} {msg}, {elapsed}{left}",
            };
            let style = ProgressStyle::with_template(template);
            let time_left = |state: &ProgressState, out: &mut dyn fmt::Write| {
                let all = state.len().unwrap_or_default();
                let _ = write!(out, "{}", left(state.pos(), all, state.elapsed()));
            };
            let bar = ProgressBar::new(total).with_message(what).with_style(
                style
                    .unwrap_or(ProgressStyle::default_bar())
                    .with_key("left", time_left),
            );
            // The first step may take long: the time runs all the same.
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress {
            what,
            total,
            done: AtomicU64::new(0),
            begun: Instant::now(),
            bar,
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// Work of nobody knows how many steps.
    pub fn counting(what: &'static str) -> Progress {
        Progress::new(what, 0)
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
            let line = line(done, self.total, self.what, self.begun.elapsed());
            let _ = writeln!(std::io::stderr().lock(), "{line}");
        }
    }
}

/// What is done, as a line of text.
fn line(done: u64, total: u64, what: &str, elapsed: Duration) -> String {
    match total {
        0 => format!("{done} {what}"),
        _ => format!("{done}/{total} {what}{}", left(done, total, elapsed)),
    }
}

/// The time that is left if the rest goes on at this pace, in words; nothing before the first step.
fn left(done: u64, total: u64, elapsed: Duration) -> String {
    if done == 0 || done >= total {
        return String::new();
    }
    let rest = elapsed.mul_f64((total - done) as f64 / done as f64);
    match rest.as_secs() {
        seconds @ 0..120 => format!(", {} s left", seconds.max(1)),
        seconds @ 120..7200 => format!(", {} min left", seconds.div_ceil(60)),
        seconds => format!(", {:.1} h left", seconds as f64 / 3600.0),
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_what_is_left_once_there_is_a_pace() {
        let at = |done, total, seconds| line(done, total, "games", Duration::from_secs(seconds));
        assert_eq!(at(0, 10, 60), "0/10 games");
        assert_eq!(at(5, 10, 60), "5/10 games, 60 s left");
        assert_eq!(at(1, 10, 60), "1/10 games, 9 min left");
        assert_eq!(at(1, 200, 60), "1/200 games, 3.3 h left");
        assert_eq!(at(999, 1000, 60), "999/1000 games, 1 s left");
        assert_eq!(at(10, 10, 60), "10/10 games");
        assert_eq!(at(11, 10, 60), "11/10 games", "more than was declared");
        assert_eq!(at(7, 0, 60), "7 games");
    }
}

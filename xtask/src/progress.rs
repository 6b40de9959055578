//! Progress of the steps that builds consist of: what is done, for how long, and how much longer it
//! will take if it takes as long as the last time.
//!
//! Cargo says how many crates are left, not how much time, and nothing at all with `--quiet`. The
//! time of every step is kept in `target/step-times.txt`.

use std::collections::BTreeMap;
use std::fs;
use std::io::{IsTerminal, Write, stderr};
use std::path::PathBuf;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::{Outcome, root};

/// The steps of a task, of which some may be left.
pub(crate) struct Steps {
    names: Vec<String>,
    done: usize,
    times: Times,
}

impl Steps {
    /// A task with these steps, in order.
    pub(crate) fn new(names: impl IntoIterator<Item = String>) -> Steps {
        Steps {
            names: names.into_iter().collect(),
            done: 0,
            times: Times::read(),
        }
    }

    /// Does the next step. `is_quiet` work prints nothing itself, so that its time can run on the
    /// last line of a terminal.
    pub(crate) fn next(&mut self, is_quiet: bool, work: impl FnOnce() -> Outcome) -> Outcome {
        let name = self.names.get(self.done).cloned().unwrap_or_default();
        let (this, later) = self.last_times();
        let number = match self.names.len() {
            0 | 1 => String::new(),
            all => format!("[{}/{all}] ", self.done + 1),
        };
        eprintln!("{number}{name}{}", left(Duration::ZERO, this, later));
        let begun = Instant::now();
        let outcome = match is_quiet && stderr().is_terminal() {
            true => with_clock(begun, this, later, work),
            false => work(),
        };
        self.done(begun.elapsed(), outcome.is_ok());
        outcome
    }

    /// How long the next step and all behind it took the last time.
    fn last_times(&self) -> (Option<Duration>, Option<Duration>) {
        let of = |name: &String| self.times.of(name);
        let later = self.names.get(self.done + 1..).unwrap_or_default();
        let this = self.names.get(self.done).and_then(of);
        (this, later.iter().map(of).sum())
    }

    /// What is left before the next step, in words.
    pub(crate) fn left(&self) -> String {
        let (this, later) = self.last_times();
        left(Duration::ZERO, this, later)
    }

    /// Counts a step that was done in some time; that of one that failed says nothing.
    pub(crate) fn done(&mut self, time: Duration, is_ok: bool) {
        if let Some(name) = self.names.get(self.done).filter(|_| is_ok) {
            self.times.keep(name, time);
        }
        self.done += 1;
    }
}

/// A task of one step, which prints nothing itself.
pub(crate) fn step(name: impl Into<String>, work: impl FnOnce() -> Outcome) -> Outcome {
    Steps::new([name.into()]).next(true, work)
}

/// What is left, in words: nothing if it was never measured, or if that is not worth a word.
fn left(elapsed: Duration, this: Option<Duration>, later: Option<Duration>) -> String {
    match (this, later) {
        (Some(this), _) if elapsed > this => ", longer than the last time".into(),
        (Some(this), Some(later)) if this + later >= Duration::from_secs(2) => {
            format!(", about {} left", words(this + later - elapsed))
        }
        _ => String::new(),
    }
}

/// A length of time in words.
fn words(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..120 => format!("{} s", seconds.max(1)),
        seconds @ 120..7200 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}

/// Works while a line on stderr shows the time.
fn with_clock(
    begun: Instant,
    this: Option<Duration>,
    later: Option<Duration>,
    work: impl FnOnce() -> Outcome,
) -> Outcome {
    let (ended, end) = channel::<()>();
    thread::scope(|scope| {
        scope.spawn(move || {
            let second = Duration::from_secs(1);
            while end.recv_timeout(second) == Err(RecvTimeoutError::Timeout) {
                let elapsed = begun.elapsed();
                let _ = write!(
                    stderr().lock(),
                    "\r\x1b[K  {}{}",
                    words(elapsed),
                    left(elapsed, this, later)
                );
            }
            let _ = write!(stderr().lock(), "\r\x1b[K");
        });
        let outcome = work();
        drop(ended);
        outcome
    })
}

/// How long each step took the last time, in seconds.
struct Times(BTreeMap<String, u64>);

impl Times {
    fn file() -> PathBuf {
        root().join("target/step-times.txt")
    }

    fn read() -> Times {
        Times::parse(&fs::read_to_string(Times::file()).unwrap_or_default())
    }

    fn parse(text: &str) -> Times {
        let line = |line: &str| {
            let (seconds, name) = line.split_once(' ')?;
            Some((name.to_owned(), seconds.parse().ok()?))
        };
        Times(text.lines().filter_map(line).collect())
    }

    fn of(&self, name: &str) -> Option<Duration> {
        self.0.get(name).copied().map(Duration::from_secs)
    }

    /// A time that cannot be kept is no fault of the task. Steps inside others have kept theirs
    /// meanwhile.
    fn keep(&mut self, name: &str, time: Duration) {
        *self = Times::read();
        self.0.insert(name.into(), time.as_secs());
        let lines = self.0.iter().map(|(name, time)| format!("{time} {name}\n"));
        let file = Times::file();
        let _ = file.parent().map(fs::create_dir_all);
        let _ = fs::write(file, lines.collect::<String>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_the_last_time() {
        let some = |seconds| Some(Duration::from_secs(seconds));
        let at = |elapsed, this, later| left(Duration::from_secs(elapsed), this, later);
        assert_eq!(at(0, some(40), some(50)), ", about 90 s left");
        assert_eq!(at(30, some(40), some(0)), ", about 10 s left");
        assert_eq!(at(41, some(40), some(50)), ", longer than the last time");
        assert_eq!(at(0, some(600), some(600)), ", about 20 min left");
        assert_eq!(at(0, some(9000), some(0)), ", about 2.5 h left");
        assert_eq!(at(0, some(1), some(0)), "", "not worth a word");
        assert_eq!(at(0, None, some(9)), "", "never measured");
        assert_eq!(at(0, some(9), None), "", "the rest was never measured");
    }

    #[test]
    fn times_come_back_from_their_file() {
        let times = Times::parse("12 Building the page\nnonsense\n7 b\n");
        assert_eq!(times.of("Building the page"), Some(Duration::from_secs(12)));
        assert_eq!(times.of("c"), None);
        assert_eq!(times.0.len(), 2);
    }
}

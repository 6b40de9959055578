//! Training runs: from nothing to a folder with settings, learning curve, checkpoints and what a bank is packed from.
//!
//! A run is a [`Course`] (a learner with its figures) driven along a [`Schedule`]. It can stop at any checkpoint and go on
//! later: the file `paused.json` holds every bit of it, so the result is the same as if it had not stopped. Learners use
//! only additions and multiplications, which give the same bits on every machine, whatever the number of threads.

use std::path::Path;

use dojo_core::learn::Progress;
use serde::{Deserialize, Serialize};

use crate::failure::{Done, Failure};
use crate::files;

/// Something that learns.
pub trait Course {
    /// Games so far.
    fn games(&self) -> u32;
    /// Plays this many games.
    fn play(&mut self, games: u32);
    /// All values that it has learned.
    fn values(&self) -> Vec<f64>;
    /// What besides the values is needed to go on.
    fn progress(&self) -> Progress;
    /// The figures of a line in the log.
    fn figures(&self) -> Vec<f64>;
}

/// When what happens.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Length of the run.
    pub games: u32,
    /// Games between two lines of the log.
    pub log_every: u32,
    /// What is kept at which age; the last one at the end.
    pub ages: Vec<(String, u32)>,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Games so far.
    pub games: u32,
    /// The course's figures.
    pub figures: Vec<f64>,
}

/// Values kept at some age.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// A belt's name, or what else it is called.
    pub name: String,
    /// Games trained.
    pub age: u32,
    /// The values.
    pub values: Vec<f64>,
}

/// What a run leaves behind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    /// The learning curve.
    pub log: Vec<Line>,
    /// The values at each age.
    pub kept: Vec<Kept>,
}

impl Run {
    /// Goes on with a course to the end of its schedule, or to `stop` games. `tick` is told how many games were played;
    /// `pause` is called at every line of the log.
    pub fn go_on(
        &mut self,
        course: &mut dyn Course,
        schedule: &Schedule,
        stop: u32,
        tick: impl Fn(u32),
        mut pause: impl FnMut(&Run, &dyn Course) -> Done,
    ) -> Done {
        let step = schedule.log_every.max(1);
        while course.games() < schedule.games.min(stop) {
            let games = course.games();
            let line = (games / step + 1) * step;
            let age = schedule
                .ages
                .iter()
                .map(|&(_, age)| age)
                .filter(|&age| age > games)
                .min();
            let next = line
                .min(age.unwrap_or(u32::MAX))
                .min(schedule.games)
                .min(stop);
            course.play(next - games);
            tick(next - games);
            for (name, _) in schedule.ages.iter().filter(|&&(_, age)| age == next) {
                self.kept.push(Kept {
                    name: name.clone(),
                    age: next,
                    values: course.values(),
                });
            }
            if age == Some(next) || line == next {
                self.log.push(Line {
                    games: next,
                    figures: course.figures(),
                });
            }
            if line == next || next == stop {
                pause(self, course)?;
            }
        }
        Ok(())
    }

    /// The log as a table.
    pub fn csv(&self, columns: &[&str]) -> String {
        let head = format!("games,{}\n", columns.join(","));
        let line = |line: &Line| {
            let figures: Vec<_> = line
                .figures
                .iter()
                .map(|figure| format!("{figure:.2}"))
                .collect();
            format!("{},{}\n", line.games, figures.join(","))
        };
        head + &self.log.iter().map(line).collect::<String>()
    }
}

/// A run that waits, with every bit of its numbers.
#[derive(Serialize, Deserialize)]
struct Paused {
    settings: String,
    progress: Progress,
    values: Vec<u64>,
    log: Vec<(u32, Vec<u64>)>,
    kept: Vec<(String, u32, Vec<u64>)>,
}

/// The file of a run that waits.
const PAUSED: &str = "paused.json";

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn numbers(bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| f64::from_bits(bits)).collect()
}

/// Writes where a run stands.
pub fn pause(folder: &Path, settings: &str, run: &Run, course: &dyn Course) -> Done {
    let paused = Paused {
        settings: settings.into(),
        progress: course.progress(),
        values: bits(&course.values()),
        log: run
            .log
            .iter()
            .map(|line| (line.games, bits(&line.figures)))
            .collect(),
        kept: run
            .kept
            .iter()
            .map(|kept| (kept.name.clone(), kept.age, bits(&kept.values)))
            .collect(),
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let text = serde_json::to_string(&paused).map_err(Failure::check)?;
    files::write(&folder.join(PAUSED), text.as_bytes(), true)
}

/// Reads where a run stood: its values and progress, and what it had left behind. The settings must be the same.
pub fn resume(folder: &Path, settings: &str) -> Result<(Vec<f64>, Progress, Run), Failure> {
    let path = folder.join(PAUSED);
    let paused: Paused = serde_json::from_str(&files::read_text(&path)?)
        .map_err(|error| Failure::Check(format!("{}: {error}", path.display())))?;
    if paused.settings != settings {
        let differs = paused
            .settings
            .lines()
            .zip(settings.lines())
            .find(|(then, now)| then != now);
        let (then, now) = differs.unwrap_or_default();
        return Err(Failure::Usage(format!(
            "{}: begun with `{then}`, now `{now}`",
            path.display()
        )));
    }
    let log = paused
        .log
        .iter()
        .map(|(games, figures)| Line {
            games: *games,
            figures: numbers(figures),
        })
        .collect();
    let kept = paused
        .kept
        .into_iter()
        .map(|(name, age, values)| Kept {
            name,
            age,
            values: numbers(&values),
        })
        .collect();
    Ok((numbers(&paused.values), paused.progress, Run { log, kept }))
}

/// Whether a run waits in this folder.
pub fn is_paused(folder: &Path) -> bool {
    folder.join(PAUSED).exists()
}

/// The run is whole: nothing waits any more.
fn finish(folder: &Path) -> Done {
    match std::fs::remove_file(folder.join(PAUSED)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::file(folder, &error))
        }
        _ => Ok(()),
    }
}

/// The weights of a network as the shortest text that reads back to the same bits.
pub(crate) fn weights_text(Kept { age, values, .. }: &Kept) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("{value}\n")).collect();
    let head = format!(
        "# weights after {age} games, for inputs divided by their scales: units, then the last layer\n"
    );
    head + &values.concat()
}

/// The files of a finished run.
pub(crate) struct Folder<'a> {
    pub(crate) settings: &'a str,
    pub(crate) log: String,
    /// Names and texts of the checkpoints.
    pub(crate) checkpoints: Vec<(String, String)>,
    pub(crate) manifest: String,
    pub(crate) report: String,
}

impl Folder<'_> {
    pub(crate) fn write(&self, folder: &Path, force: bool) -> Done {
        if !is_paused(folder) {
            files::may_write(folder, force)?;
        }
        let checkpoints = folder.join("checkpoints");
        std::fs::create_dir_all(&checkpoints)
            .map_err(|error| Failure::file(&checkpoints, &error))?;
        let put = |name: &str, text: &str| {
            files::write(
                &folder.join(name),
                text.as_bytes(),
                force || is_paused(folder),
            )
        };
        put("settings.txt", self.settings)?;
        put("log.csv", &self.log)?;
        for (name, text) in &self.checkpoints {
            put(&format!("checkpoints/{name}.txt"), text)?;
        }
        put(crate::bank::pack::MANIFEST, &self.manifest)?;
        put("report.md", &self.report)?;
        finish(folder)
    }
}

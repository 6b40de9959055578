//! Training runs: from nothing to a folder with settings, learning curve, checkpoints and a
//! manifest for `dojo bank pack`.
//!
//! A game lists its [`Preset`]s. A preset makes a [`Curriculum`]: everything that decides how a run
//! goes. [`Run::advance`] drives the curriculum's [`Learner`] along the [`Schedule`], and
//! [`write()`] leaves the folder. A run can stop after any game and go on later: `paused.json`
//! holds every bit of its state, so the result is the same as without a stop.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::{Dots, GameId};
use dojo_core::learn::Progress;
use dojo_core::with_game;
use serde::{Deserialize, Serialize};

use crate::bank::manifest::{ModelKind, date};
use crate::bank::pack::MANIFEST;
use crate::choice::Choice;
use crate::experiment::{Curve, svg};
use crate::failure::{Done, Failure};
use crate::files;
use crate::games::{LabGame, dots::train::opponent};
use crate::nearest;
use crate::rules::Options;

pub mod shipped;

/// The day that models carry if no other is given.
const DATE: u32 = 20_261_116;

/// Settings of `dojo train` that replace those of a preset.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct Overrides {
    /// All chance comes from this number
    #[arg(long)]
    pub seed: Option<u64>,
    /// Games to learn from
    #[arg(long, allow_negative_numbers = true)]
    pub games: Option<u32>,
    /// Dots, iwoki: learning rate at the start
    #[arg(long, allow_negative_numbers = true)]
    pub rate: Option<f64>,
    /// Iwoki: percent of random actions. Dots: percent of random edges (shipped), or the
    /// exploration constant C (published)
    #[arg(long, allow_negative_numbers = true)]
    pub explore: Option<u32>,
    /// Dots: discount of the published learner
    #[arg(long, allow_negative_numbers = true)]
    pub discount: Option<f64>,
    /// Dots: who it learns against: itself, random, simple, smart, slipping
    #[arg(long, value_parser = opponent)]
    pub opponent: Option<Opponent>,
    /// Dots, network: the only board to learn on, as rows x columns [default: 4x4 and 5x5]
    #[arg(long, value_name = "4x4")]
    pub size: Option<String>,
    /// Dots, network: what equal boxes mean on that board
    #[arg(long, value_name = "starter-loses|draw")]
    pub ties: Option<String>,
    /// The day that the models will carry, as yyyymmdd [default: that of the shipped models]
    #[arg(long, value_parser = |text: &str| date(text).ok_or("expected a day as yyyymmdd, such as 20260131"))]
    pub date: Option<u32>,
}

impl Overrides {
    /// The day that the models will carry.
    pub fn date(&self) -> u32 {
        self.date.unwrap_or(DATE)
    }

    /// The settings that every run has, a preset's own where none are given.
    pub(crate) fn run(&self, preset: &'static str, seed: u64, games: u32) -> RunSettings {
        RunSettings {
            preset,
            seed: self.seed.unwrap_or(seed),
            games: self.games.unwrap_or(games),
            date: self.date(),
        }
    }

    /// Refuses flags that a preset has no use for.
    pub(crate) fn refuse(&self, game: &str, flags: &[&str], why: &str) -> Done {
        let given = [
            ("--rate", self.rate.is_some()),
            ("--explore", self.explore.is_some()),
            ("--discount", self.discount.is_some()),
            ("--opponent", self.opponent.is_some()),
            ("--size", self.size.is_some()),
            ("--ties", self.ties.is_some()),
        ];
        let refused = given
            .into_iter()
            .find(|(flag, given)| *given && flags.contains(flag));
        match refused {
            Some((flag, _)) => Err(Failure::Usage(format!("{flag} does not fit {game}: {why}"))),
            None => Ok(()),
        }
    }

    /// Refuses every flag that belongs to single games.
    pub fn refuse_all(&self, game: &str) -> Done {
        let all = [
            "--rate",
            "--explore",
            "--discount",
            "--opponent",
            "--size",
            "--ties",
        ];
        self.refuse(game, &all, "its presets set it")
    }

    /// The board that was asked for, if any.
    pub(crate) fn board(&self) -> Result<Option<<Dots as Game>::Rules>, Failure> {
        if self.size.is_none() && self.ties.is_none() {
            return Ok(None);
        }
        let options = Options {
            size: self.size.clone().or(Some("5x5".into())),
            ties: self.ties.clone(),
            ..Options::default()
        };
        options.rules::<Dots>().map(Some)
    }
}

/// A named choice of settings for the training of a game.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it trains, in a few words.
    pub about: &'static str,
    /// Makes the curriculum, or refuses settings that make no sense.
    pub curriculum: fn(&Overrides) -> Result<Box<dyn Curriculum>, Failure>,
}

/// The presets of a game; the first one is its `shipped`.
pub fn presets(game: GameId) -> &'static [Preset] {
    with_game!(game, G => <G as LabGame>::PRESETS)
}

/// A game that has a learner, by its name.
pub const TRAINED: Choice<GameId> = Choice::new(trained_game, trained);

/// The names of the games that have learners.
fn trained() -> Vec<&'static str> {
    let trained = GameId::ALL
        .into_iter()
        .filter(|&game| !presets(game).is_empty());
    trained.map(GameId::name).collect()
}

/// Reads the name of a game that has a learner.
fn trained_game(name: &str) -> Result<GameId, String> {
    let found = GameId::from_name(name).filter(|&game| !presets(game).is_empty());
    found.ok_or_else(|| {
        let all = format!("{} have learners", trained_games());
        match GameId::from_name(name) {
            Some(_) => format!("it has no learner: {all}"),
            None => format!("unknown game{}", nearest::hint(name, trained(), &all)),
        }
    })
}

/// The names of the games that have learners, as a sentence lists them.
pub fn trained_games() -> String {
    let names = trained();
    let (last, others) = names.split_last().unwrap_or((&"none", &[]));
    format!("{} and {last}", others.join(", "))
}

/// The curriculum of a game's preset.
pub fn curriculum(
    game: GameId,
    preset: &str,
    overrides: &Overrides,
) -> Result<Box<dyn Curriculum>, Failure> {
    let presets = presets(game);
    let found = presets.iter().find(|known| known.name == preset);
    let found = found.or(presets.first().filter(|_| preset == "shipped"));
    let found = found.ok_or_else(|| match presets {
        [] => Failure::Usage(format!(
            "{} has no learner; {} have one",
            game.name(),
            trained_games()
        )),
        presets => {
            let known: Vec<_> = presets.iter().map(|preset| preset.name).collect();
            let all = format!("there are {}", known.join(", "));
            let hint = nearest::hint(preset, known, &all);
            Failure::Usage(format!("--preset {preset}: unknown{hint}"))
        }
    })?;
    (found.curriculum)(overrides)
}

/// The settings that every run has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSettings {
    /// The preset's name.
    pub preset: &'static str,
    /// All chance comes from this number.
    pub seed: u64,
    /// Games to learn from.
    pub games: u32,
    /// The day that the models will carry, as yyyymmdd.
    pub date: u32,
}

impl RunSettings {
    /// Checkpoints at these ages for the lower belts, and at the end for black.
    pub(crate) fn belts(&self, ages: [u32; 4]) -> Vec<(String, u32)> {
        let ages = ages.into_iter().chain([self.games]);
        Belt::ALL
            .into_iter()
            .zip(ages)
            .map(|(belt, age)| (belt.name().into(), age))
            .collect()
    }

    /// Refuses a run that ends before the fourth belt does.
    pub(crate) fn check_belts(&self, ages: [u32; 4]) -> Done {
        if self.games > ages[3] {
            return Ok(());
        }
        Err(Failure::Usage(format!(
            "--games {}: belts stop at {ages:?} games, black later",
            self.games
        )))
    }
}

/// Refuses a learning rate that is no share and more than 100 percent of random moves.
pub(crate) fn check_rates(rate: f64, explore: u32) -> Done {
    if rate > 0.0 && rate <= 1.0 && explore <= 100 {
        return Ok(());
    }
    Err(Failure::usage(
        "--rate is above 0 and at most 1, --explore at most 100 percent",
    ))
}

/// The training of a game under a preset: everything that decides how a run goes, and how its
/// results are written down.
pub trait Curriculum {
    /// The game's name on the command line.
    fn game(&self) -> &'static str;
    /// The settings that every run has.
    fn run(&self) -> &RunSettings;
    /// Settings of this game alone as flags that repeat them, each with a space before it.
    fn flags(&self) -> String {
        String::new()
    }
    /// The text of the settings before and after the lines that every run has; both end with a new
    /// line.
    fn describe(&self) -> [String; 2];
    /// Names and ages in games of the checkpoints; the last one is at the end.
    fn checkpoints(&self) -> Vec<(String, u32)>;
    /// Games between two lines of the log.
    fn log_every(&self) -> u32;
    /// An untrained learner.
    fn learner(&self) -> Option<Box<dyn Learner>>;
    /// A learner that goes on with these values; `None` if they do not fit the settings.
    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>>;
    /// The columns of the log, one for each of [`Learner::figures`].
    fn columns(&self) -> Vec<String>;
    /// A checkpoint as text: values are the last words of its lines, comments begin with `#`.
    fn checkpoint(&self, checkpoint: &Checkpoint) -> String;
    /// The kind of a checkpoint's model, and its name in a bank without that of the game; `None` if
    /// it is not packed.
    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)>;
    /// The title of the report and what stands under its command.
    fn report(&self, run: &Run) -> [String; 2];
    /// The result in figures for `--json`, and in words.
    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String);
}

impl dyn Curriculum + '_ {
    /// Schedule of logs and checkpoints.
    pub fn schedule(&self) -> Schedule {
        Schedule {
            games: self.run().games,
            log_every: self.log_every(),
            checkpoints: self.checkpoints(),
        }
    }

    /// All settings as text; the checksum of this text stands in the bank.
    pub fn settings(&self) -> String {
        let RunSettings {
            preset,
            seed,
            games,
            date,
        } = self.run();
        let [before, after] = self.describe();
        format!("{before}preset {preset}\nseed {seed}\ngames {games}\n{after}date {date}\n")
    }

    /// The command that repeats this run.
    pub fn command(&self) -> String {
        let RunSettings {
            preset,
            seed,
            games,
            date,
        } = self.run();
        format!(
            "dojo train {} --preset {preset} --seed {seed} --games {games}{} --date {date}",
            self.game(),
            self.flags()
        )
    }

    /// Whether `cargo xtask models` makes this very run.
    fn is_shipped(&self) -> bool {
        let listed = shipped::runs()
            .find(|run| run.game.name() == self.game() && run.preset == self.run().preset);
        listed.is_some_and(|run| {
            let usual = curriculum(run.game, run.preset, &Overrides::default());
            usual.is_ok_and(|usual| usual.settings() == self.settings())
        })
    }

    /// The manifest that `dojo bank pack` reads.
    fn manifest(&self, run: &Run) -> String {
        let again = if self.is_shipped() {
            "cargo xtask models".into()
        } else {
            self.command() + ", then dojo bank pack"
        };
        let (game, RunSettings { seed, date, .. }) = (self.game(), self.run());
        let mut text = format!(
            "# dojo bank pack reads this\nregenerate {again}\ngame {game}\nseed {seed}\ndate {date}\nsettings settings.txt\n"
        );
        for checkpoint in &run.checkpoints {
            let Some((kind, model)) = self.model(checkpoint) else {
                continue;
            };
            let _ = write!(text, "\nmodel {game}-{model}\nkind {kind}\n");
            if let Some(belt) = Belt::from_name(&checkpoint.name) {
                let _ = writeln!(text, "belt {}", belt.name());
            }
            let Checkpoint { name, age, .. } = checkpoint;
            let _ = write!(text, "games {age}\nvalues checkpoints/{name}.txt\n");
        }
        text
    }
}

/// Trains from beginning to end without writing anything; `tick` is told how many games were
/// played.
pub fn train(curriculum: &dyn Curriculum, tick: impl Fn(u32)) -> Option<Run> {
    let mut run = Run::default();
    let schedule = curriculum.schedule();
    let mut learner = curriculum.learner()?;
    run.advance(&mut *learner, &schedule, u32::MAX, tick, |_, _| Ok(()))
        .ok()?;
    Some(run)
}

/// Writes the folder of a finished run: settings, log with its pictures, checkpoints, manifest for
/// `dojo bank pack`, report.
pub fn write(folder: &Path, curriculum: &dyn Curriculum, run: &Run, force: bool) -> Done {
    if !is_paused(folder) {
        files::may_fill(folder, force)?;
    }
    let checkpoints = folder.join("checkpoints");
    std::fs::create_dir_all(&checkpoints).map_err(|error| Failure::file(&checkpoints, &error))?;
    let force = force || is_paused(folder);
    let put = |name: &str, text: &str| files::write(&folder.join(name), text.as_bytes(), force);
    put("settings.txt", &curriculum.settings())?;
    let log = run.csv(&curriculum.columns());
    put("log.csv", &log)?;
    for (name, picture) in pictures(curriculum.game(), &log) {
        put(&name, &picture)?;
    }
    for checkpoint in &run.checkpoints {
        let text = curriculum.checkpoint(checkpoint);
        put(&format!("checkpoints/{}.txt", checkpoint.name), &text)?;
    }
    put(MANIFEST, &curriculum.manifest(run))?;
    let ([title, text], command) = (curriculum.report(run), curriculum.command());
    let report = format!("# Training run: {title}\n\n    {command}\n\n{text}");
    put("report.md", &report)?;
    match std::fs::remove_file(folder.join(PAUSED)) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::file(folder, &error))
        }
        _ => Ok(()),
    }
}

/// Names and contents of the pictures of a log: one with all columns that are percentages, one for
/// each other column, since their scales differ. They are drawn from the rounded figures of the
/// table, so that a kept table is enough to draw them again.
pub fn pictures(game: &str, log: &str) -> Vec<(String, String)> {
    const PERCENT: &str = "_percent";
    let mut lines = log.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let columns = lines.next().unwrap_or_default();
    let table: Vec<Vec<f64>> = lines
        .map(|line| line.iter().filter_map(|cell| cell.parse().ok()).collect())
        .collect();
    let curve = |column: usize| {
        let name = columns[column].trim_end_matches(PERCENT).replace('_', " ");
        let points = table
            .iter()
            .filter_map(|line| Some((*line.first()?, *line.get(column)?)));
        Curve::new(name, points.collect())
    };
    let (percent, others): (Vec<_>, Vec<_>) =
        (1..columns.len()).partition(|&column| columns[column].ends_with(PERCENT));
    let draw = |y: &str, columns: &[usize]| {
        let curves: Vec<_> = columns.iter().map(|&column| curve(column)).collect();
        svg::draw(&format!("{game}: learning curve"), "games", y, &curves)
    };
    let mut pictures = vec![];
    if !percent.is_empty() {
        pictures.push(("curve.svg".into(), draw("percent", &percent)));
    }
    for column in others {
        let name = columns[column];
        let picture = draw(&name.replace('_', " "), &[column]);
        pictures.push((format!("curve-{name}.svg"), picture));
    }
    pictures
}

/// A learner with its figures.
pub trait Learner {
    /// Plays this many games.
    fn play(&mut self, games: u32);
    /// All values that it has learned.
    fn values(&self) -> Vec<f64>;
    /// The state that is needed to go on, besides the values.
    fn progress(&self) -> Progress;
    /// The figures of a line in the log.
    fn figures(&self) -> Vec<f64>;
    /// Games so far.
    fn games(&self) -> u32 {
        self.progress().games
    }
}

/// Schedule of logs and checkpoints.
#[derive(Clone, Debug, PartialEq)]
pub struct Schedule {
    /// Length of the run.
    pub games: u32,
    /// Games between two lines of the log.
    pub log_every: u32,
    /// Names and ages of the checkpoints.
    pub checkpoints: Vec<(String, u32)>,
}

/// A line of the log.
#[derive(Clone, Debug, PartialEq)]
pub struct LogLine {
    /// Games so far.
    pub games: u32,
    /// The learner's figures.
    pub figures: Vec<f64>,
}

/// Values at some age of the learner.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// A belt's name, or another one of the curriculum.
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
    pub log: Vec<LogLine>,
    /// The values at each age.
    pub checkpoints: Vec<Checkpoint>,
}

impl Run {
    /// Drives a learner to the end of its schedule, or to `stop` games. `tick` is told how many
    /// games were played; `pause` is called at every line of the log.
    pub fn advance(
        &mut self,
        learner: &mut dyn Learner,
        schedule: &Schedule,
        stop: u32,
        tick: impl Fn(u32),
        mut pause: impl FnMut(&Run, &dyn Learner) -> Done,
    ) -> Done {
        let step = schedule.log_every.max(1);
        while learner.games() < schedule.games.min(stop) {
            let games = learner.games();
            // The last line may lie beyond the largest number.
            let line = (games / step + 1).saturating_mul(step);
            let age = schedule
                .checkpoints
                .iter()
                .map(|&(_, age)| age)
                .filter(|&age| age > games)
                .min();
            let next = line
                .min(age.unwrap_or(u32::MAX))
                .min(schedule.games)
                .min(stop);
            learner.play(next - games);
            tick(next - games);
            let due = schedule.checkpoints.iter().filter(|&&(_, age)| age == next);
            for (name, age) in due {
                self.checkpoints.push(Checkpoint {
                    name: name.clone(),
                    age: *age,
                    values: learner.values(),
                });
            }
            if age == Some(next) || line == next {
                self.log.push(LogLine {
                    games: next,
                    figures: learner.figures(),
                });
            }
            if line == next || next == stop {
                pause(self, learner)?;
            }
        }
        Ok(())
    }

    /// The log as a table.
    pub fn csv(&self, columns: &[String]) -> String {
        let head = format!("games,{}\n", columns.join(","));
        let line = |line: &LogLine| {
            let figures: Vec<_> = line
                .figures
                .iter()
                .map(|figure| format!("{figure:.2}"))
                .collect();
            format!("{},{}\n", line.games, figures.join(","))
        };
        head + &self.log.iter().map(line).collect::<String>()
    }

    /// A figure of the last line of the log, 0 if there is none.
    pub(crate) fn last(&self, column: usize) -> f64 {
        let line = self.log.last();
        line.and_then(|line| line.figures.get(column).copied())
            .unwrap_or(0.0)
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

impl Paused {
    /// Refuses a state that no run of this schedule can have: the file may have been edited.
    fn check(&self, schedule: &Schedule, columns: usize) -> Result<(), String> {
        let games = self.progress.games;
        if games > schedule.games {
            return Err(format!("{games} games of {}", schedule.games));
        }
        let values = self
            .values
            .iter()
            .chain(self.kept.iter().flat_map(|kept| &kept.2));
        if numbers(&values.copied().collect::<Vec<_>>())
            .iter()
            .any(|value| !value.is_finite())
        {
            return Err("a value is not a finite number".into());
        }
        for (at, figures) in &self.log {
            if figures.len() != columns {
                return Err(format!(
                    "the log after {at} games has {} figures, expected {columns}",
                    figures.len()
                ));
            }
        }
        let due = schedule.checkpoints.iter().filter(|(_, age)| *age <= games);
        let found = self.kept.iter().map(|(name, age, _)| (name, age));
        if !found.eq(due.map(|(name, age)| (name, age))) {
            return Err(format!(
                "checkpoints {:?} do not belong to {games} games",
                self.kept.iter().map(|kept| &kept.0).collect::<Vec<_>>()
            ));
        }
        Ok(())
    }
}

/// The file of a run that waits.
const PAUSED: &str = "paused.json";

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| value.to_bits()).collect()
}

fn numbers(bits: &[u64]) -> Vec<f64> {
    bits.iter().map(|&bits| f64::from_bits(bits)).collect()
}

/// Writes the state of a run.
pub fn pause(folder: &Path, settings: &str, run: &Run, learner: &dyn Learner) -> Done {
    let log = run.log.iter();
    let kept = run.checkpoints.iter();
    let paused = Paused {
        settings: settings.into(),
        progress: learner.progress(),
        values: bits(&learner.values()),
        log: log.map(|line| (line.games, bits(&line.figures))).collect(),
        kept: kept
            .map(|kept| (kept.name.clone(), kept.age, bits(&kept.values)))
            .collect(),
    };
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let text = serde_json::to_string(&paused).map_err(Failure::check)?;
    files::write(&folder.join(PAUSED), text.as_bytes(), true)
}

/// Reads the state of a paused run: the learner, and the log and checkpoints so far. The settings
/// must be the same.
pub fn resume(
    folder: &Path,
    curriculum: &dyn Curriculum,
) -> Result<(Box<dyn Learner>, Run), Failure> {
    let path = folder.join(PAUSED);
    let paused: Paused = serde_json::from_str(&files::read_text(&path)?)
        .map_err(|error| Failure::Check(format!("{}: {error}", path.display())))?;
    let settings = curriculum.settings();
    if paused.settings != settings {
        let mut pairs = paused.settings.lines().zip(settings.lines());
        let (then, now) = pairs.find(|(then, now)| then != now).unwrap_or_default();
        return Err(Failure::Usage(format!(
            "{}: begun with `{then}`, now `{now}`",
            path.display()
        )));
    }
    let schedule = curriculum.schedule();
    paused
        .check(&schedule, curriculum.columns().len())
        .map_err(|fault| Failure::Check(format!("{}: {fault}", path.display())))?;
    let log = paused.log.iter().map(|(games, figures)| LogLine {
        games: *games,
        figures: numbers(figures),
    });
    let kept = paused.kept.into_iter();
    let run = Run {
        log: log.collect(),
        checkpoints: kept
            .map(|(name, age, values)| Checkpoint {
                name,
                age,
                values: numbers(&values),
            })
            .collect(),
    };
    let learner = curriculum
        .resume(&numbers(&paused.values), paused.progress)
        .ok_or_else(|| {
            Failure::Check(format!(
                "{}: the values do not fit these settings",
                folder.display()
            ))
        })?;
    Ok((learner, run))
}

/// Whether a run waits in this folder.
pub fn is_paused(folder: &Path) -> bool {
    folder.join(PAUSED).exists()
}

/// The weights of a network as the shortest text that reads back to the same bits.
pub(crate) fn weights_text(Checkpoint { age, values, .. }: &Checkpoint) -> String {
    let values: Vec<_> = values.iter().map(|value| format!("{value}\n")).collect();
    let head = format!(
        "# weights after {age} games, for inputs divided by their scales: units, then the last layer\n"
    );
    head + &values.concat()
}

/// Stops and resumes a run: checks that nothing differs from a run without a stop.
#[cfg(test)]
pub(crate) fn check_resumption(curriculum: &dyn Curriculum, stop: u32) {
    let name = format!("dojo-{}-{}", curriculum.run().preset, std::process::id());
    let folder = std::env::temp_dir().join(name);
    let (settings, schedule) = (curriculum.settings(), curriculum.schedule());
    let keep = |run: &Run, learner: &dyn Learner| pause(&folder, &settings, run, learner);
    let mut begun = Run::default();
    let mut learner = curriculum.learner().unwrap();
    begun
        .advance(&mut *learner, &schedule, stop, |_| {}, keep)
        .unwrap();
    let (mut learner, mut run) = resume(&folder, curriculum).unwrap();
    assert_eq!(learner.games(), stop);
    run.advance(&mut *learner, &schedule, u32::MAX, |_| {}, keep)
        .unwrap();
    assert!(run == train(curriculum, |_| {}).unwrap());
    check_damaged(&folder, curriculum);
    let values = learner.values();
    let odd = curriculum.resume(&values[1..], learner.progress());
    assert!(odd.is_none(), "values of another learner");
    std::fs::remove_dir_all(folder).unwrap();
}

/// Edits the state of a paused run by hand: each edit is refused with the name of the file.
#[cfg(test)]
fn check_damaged(folder: &Path, curriculum: &dyn Curriculum) {
    let path = folder.join(PAUSED);
    let text = files::read_text(&path).unwrap();
    let edit = |change: &dyn Fn(&mut Paused)| {
        let mut paused: Paused = serde_json::from_str(&text).unwrap();
        change(&mut paused);
        std::fs::write(&path, serde_json::to_string(&paused).unwrap()).unwrap();
        let refusal = resume(folder, curriculum)
            .err()
            .map(|fault| fault.to_string());
        std::fs::write(&path, &text).unwrap();
        refusal.unwrap_or_default()
    };
    let refused = |change: &dyn Fn(&mut Paused), words: &str| {
        let refusal = edit(change);
        assert!(
            refusal.contains(PAUSED) && refusal.contains(words),
            "{words}: {refusal}"
        );
    };
    refused(&|paused| paused.progress.games = u32::MAX, "games of");
    refused(&|paused| paused.values[0] = f64::NAN.to_bits(), "finite");
    refused(&|paused| paused.log.push((1, vec![])), "figures, expected");
    refused(
        &|paused| paused.kept.push(("../outside".into(), 1, vec![])),
        "../outside",
    );
    assert_eq!(edit(&|_| ()), "");
}

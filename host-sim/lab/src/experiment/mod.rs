//! Published tables and figures, reproduced: CSV, SVG and a report with the published numbers
//! beside ours.
//!
//! An experiment is a function from a [`Scale`] to [`Findings`]. It declares its work in groups of
//! units ([`Scale::each`]), each with a seed and a generator of its own, so neither the number of
//! threads nor the split over machines changes anything.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::games::GameId;
use dojo_core::with_game;
use serde::Serialize;

use crate::failure::Done;
use crate::files;
use crate::games::LabGame;

mod svg;
mod units;

pub use units::{Shard, Unfinished, Units};

/// The size of an experiment.
#[derive(Debug, Default)]
pub struct Scale {
    /// The first seed.
    pub seed: u64,
    /// A tenth of the games or less and fewer seeds: a smoke test, not a measurement.
    pub quick: bool,
    runner: units::Runner,
}

impl Scale {
    /// An experiment of this size, with its units done where `units` says.
    pub fn new(seed: u64, quick: bool, units: Units) -> Scale {
        Scale {
            seed,
            quick,
            runner: units::Runner::new(units),
        }
    }

    /// Does a group of units, one for each seed, on all cores. Groups of an experiment have different
    /// names. Where only a share of the units is computed there is no result; an experiment with
    /// several groups therefore declares all of them before it looks at the first result.
    pub(crate) fn each<T>(
        &self,
        group: &str,
        seeds: &[u64],
        work: impl Fn(u64) -> T + Sync,
    ) -> Result<Vec<T>, Unfinished>
    where
        T: Serialize + serde::de::DeserializeOwned + Send,
    {
        self.runner.each(group, seeds, work)
    }

    /// A number of games, fewer if it has to be quick.
    pub(crate) fn games(&self, games: u32) -> u32 {
        if self.quick {
            (games / 20).max(1)
        } else {
            games
        }
    }

    /// The seeds of so many runs.
    pub(crate) fn seeds(&self, count: u64) -> Vec<u64> {
        let count = if self.quick { count.min(2) } else { count };
        (0..count).map(|number| self.seed + number).collect()
    }
}

/// A measured number, with the published one beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExperimentRow {
    /// The setting.
    pub setting: String,
    /// The quantity measured.
    pub metric: &'static str,
    /// The published number, if any.
    pub published: Option<f64>,
    /// The mean over our runs.
    pub ours: f64,
    /// The standard deviation between runs.
    pub spread: f64,
}

/// A curve of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
    /// The standard deviation between runs at each point; empty for a single run.
    pub spread: Vec<f64>,
    /// A published curve, drawn beside ours.
    pub published: bool,
}

impl Curve {
    /// A curve of a single run.
    pub fn new(name: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve {
            name: name.into(),
            points,
            ..Curve::default()
        }
    }

    /// A published curve.
    pub fn published(name: impl Into<String>, points: Vec<(f64, f64)>) -> Curve {
        Curve {
            published: true,
            ..Curve::new(name, points)
        }
    }
}

/// A picture with curves.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The name of its file.
    pub name: &'static str,
    /// The title.
    pub title: String,
    /// The label of the x axis.
    pub x: &'static str,
    /// The label of the y axis.
    pub y: &'static str,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// The results of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// The figures.
    pub rows: Vec<ExperimentRow>,
    /// The pictures.
    pub figures: Vec<Figure>,
    /// Other files by name: records of games, drawings of boards.
    pub files: Vec<(&'static str, String)>,
    /// Reasons for differences to the published work, a sentence each.
    pub remarks: Vec<&'static str>,
}

impl Findings {
    /// Adds a row: the mean and the standard deviation of several runs.
    pub(crate) fn row(
        &mut self,
        setting: impl Into<String>,
        metric: &'static str,
        published: Option<f64>,
        runs: &[f64],
    ) {
        let (ours, spread) = mean_and_spread(runs);
        self.rows.push(ExperimentRow {
            setting: setting.into(),
            metric,
            published,
            ours,
            spread,
        });
    }
}

/// Mean and standard deviation.
pub(crate) fn mean_and_spread(runs: &[f64]) -> (f64, f64) {
    let count = runs.len().max(1) as f64;
    let mean = runs.iter().sum::<f64>() / count;
    (
        mean,
        (runs.iter().map(|run| (run - mean).powi(2)).sum::<f64>() / count).sqrt(),
    )
}

/// The mean of several curves over the same points, with the spread between them.
pub(crate) fn mean_curve(name: impl Into<String>, runs: &[Vec<(f64, f64)>]) -> Curve {
    let points = runs.first().map_or(0, Vec::len);
    let (points, spread) = (0..points)
        .map(|place| {
            let values: Vec<f64> = runs.iter().map(|run| run[place].1).collect();
            let (mean, spread) = mean_and_spread(&values);
            ((runs[0][place].0, mean), spread)
        })
        .unzip();
    Curve {
        spread,
        ..Curve::new(name, points)
    }
}

/// An experiment by its name.
#[derive(Clone, Copy, Debug)]
pub struct Experiment {
    /// Its name.
    pub name: &'static str,
    /// The question, as the title of its report.
    pub title: &'static str,
    pub(crate) run: fn(&Scale) -> Result<Findings, Unfinished>,
}

/// All experiments, in the order of the games.
pub fn all() -> impl Iterator<Item = &'static Experiment> {
    GameId::ALL
        .into_iter()
        .flat_map(|id| with_game!(id, G => <G as LabGame>::EXPERIMENTS))
}

impl Experiment {
    /// The experiment of this name.
    pub fn find(name: &str) -> Option<Experiment> {
        all().copied().find(|experiment| experiment.name == name)
    }

    /// Runs the experiment.
    pub fn run(&self, scale: &Scale) -> Result<Findings, Unfinished> {
        (self.run)(scale)
    }

    /// Writes CSV, SVG and report into a folder of its own.
    pub fn write(&self, folder: &Path, scale: &Scale, findings: &Findings, force: bool) -> Done {
        let folder = folder.join(self.name);
        files::may_fill(&folder, force)?;
        let put = |name: &str, text: &str| files::write(&folder.join(name), text.as_bytes(), force);
        put("rows.csv", &csv(&findings.rows))?;
        for figure in &findings.figures {
            put(&format!("{}.svg", figure.name), &svg::draw(figure))?;
            put(&format!("{}.csv", figure.name), &curves_csv(figure))?;
        }
        for (name, text) in &findings.files {
            put(name, text)?;
        }
        put("report.md", &self.report(scale, findings))
    }

    pub(crate) fn report(&self, scale: &Scale, findings: &Findings) -> String {
        let quick = if scale.quick { " --quick" } else { "" };
        let mut text = format!(
            "# {}\n\n    dojo experiment {} --seed {}{quick}\n\n",
            self.title, self.name, scale.seed
        );
        text += "| setting | measured | published | ours | spread between runs |\n|---|---|---:|---:|---:|\n";
        for ExperimentRow {
            setting,
            metric,
            published,
            ours,
            spread,
        } in &findings.rows
        {
            let published = published.map_or("–".into(), |value| format!("{value:.2}"));
            let _ = writeln!(
                text,
                "| {setting} | {metric} | {published} | {ours:.2} | {spread:.2} |"
            );
        }
        for Figure { name, title, .. } in &findings.figures {
            let _ = writeln!(text, "\n![{title}]({name}.svg)");
        }
        for remark in &findings.remarks {
            let _ = writeln!(text, "\n- {remark}");
        }
        text
    }
}

fn csv(rows: &[ExperimentRow]) -> String {
    let mut text = String::from("setting,metric,published,ours,spread\n");
    for ExperimentRow {
        setting,
        metric,
        published,
        ours,
        spread,
    } in rows
    {
        let published = published.map_or(String::new(), |value| value.to_string());
        let _ = writeln!(
            text,
            "\"{setting}\",\"{metric}\",{published},{ours:.4},{spread:.4}"
        );
    }
    text
}

fn curves_csv(figure: &Figure) -> String {
    let mut text = String::from("curve,x,y\n");
    for Curve { name, points, .. } in &figure.curves {
        for (x, y) in points {
            let _ = writeln!(text, "\"{name}\",{x},{y:.4}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_found() {
        for (number, experiment) in all().enumerate() {
            assert!(
                all()
                    .take(number)
                    .all(|other| other.name != experiment.name)
            );
            assert_eq!(
                Experiment::find(experiment.name).map(|found| found.title),
                Some(experiment.title)
            );
        }
    }

    #[test]
    fn an_experiment_repeats_on_any_number_of_threads() {
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let scale = Scale::new(3, true, Units::Memory);
                Experiment::find("sticks-alpha").unwrap().run(&scale)
            })
        };
        assert_eq!(run(1), run(3));
    }
}

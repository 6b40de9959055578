//! Published tables and figures, reproduced: CSV, SVG, JSON and a report with the published numbers
//! beside ours; [`page`] collects the results of all experiments.
//!
//! An experiment is a function from a [`Scale`] to [`Findings`]. It declares its work in groups of
//! units (`Scale::each`), each with a seed and a generator of its own, so neither the number of
//! threads nor the split over machines changes anything.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dojo_core::games::GameId;
use dojo_core::with_game;
use serde::{Deserialize, Serialize};

use crate::failure::{Done, Failure};
use crate::files;
use crate::games::LabGame;
use crate::output::Progress;

mod fingerprint;
mod html;
mod results;
pub(crate) mod svg;
mod units;

pub use html::page;
pub use results::{Origin, Results, units_folder};
pub use units::{Header, Shard, Tally, Unfinished, UnitFolder, Units};

/// The size of an experiment.
#[derive(Debug, Default)]
pub struct Scale {
    /// The first seed.
    pub seed: u64,
    /// A tenth of the games or less and fewer seeds: a smoke test, not a measurement.
    pub quick: bool,
    /// At most so many seeds of a setting, instead of all that the experiment declares.
    pub most_seeds: Option<u64>,
    /// Whether a setting has declared more.
    is_cut: AtomicBool,
    runner: units::Runner,
}

impl Scale {
    /// An experiment of this size, with its units done where `units` says.
    pub fn new(seed: u64, quick: bool, units: Units) -> Scale {
        Scale {
            seed,
            quick,
            runner: units::Runner::new(units),
            ..Scale::default()
        }
    }

    /// The same; `progress` counts the units of this run's share.
    pub fn with_progress(mut self, progress: &Arc<Progress>) -> Scale {
        self.runner.progress = Some(Arc::clone(progress));
        self
    }

    /// The same with at most so many seeds of a setting.
    pub fn with_seeds(self, most_seeds: Option<u64>) -> Scale {
        Scale { most_seeds, ..self }
    }

    /// The number of seeds of a setting, if it is lower than declared.
    fn fewer_seeds(&self) -> Option<u64> {
        self.most_seeds
            .filter(|_| self.is_cut.load(Ordering::Relaxed))
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

    /// What became of the units so far.
    pub fn tally(&self) -> Tally {
        self.runner.tally()
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
        let declared = if self.quick { count.min(2) } else { count };
        let count = self.most_seeds.map_or(declared, |most| most.min(declared));
        if count < declared {
            self.is_cut.store(true, Ordering::Relaxed);
        }
        (0..count).map(|number| self.seed + number).collect()
    }
}

/// A measured number, with the published one beside it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExperimentRow {
    /// The setting.
    pub setting: String,
    /// The quantity measured.
    pub metric: String,
    /// The published number, if any.
    pub published: Option<f64>,
    /// The mean over our runs.
    pub ours: f64,
    /// The standard deviation between runs.
    pub spread: f64,
    /// Whether a quick run gives the same figure, so that the published one still belongs to it.
    #[serde(skip)]
    is_exact: bool,
}

/// A curve of a figure.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

    /// The curve without points that are no finite numbers.
    fn finite(&self) -> Curve {
        let is_finite = |place: &usize| {
            let (x, y) = self.points[*place];
            let spread = self.spread.get(*place).copied().unwrap_or(0.0);
            x.is_finite() && y.is_finite() && spread.is_finite()
        };
        let kept: Vec<usize> = (0..self.points.len()).filter(is_finite).collect();
        let spread = kept.iter().filter_map(|&place| self.spread.get(place));
        Curve {
            name: self.name.clone(),
            points: kept.iter().map(|&place| self.points[place]).collect(),
            spread: spread.copied().collect(),
            published: self.published,
        }
    }

    /// The band of one standard deviation around the curve: x, low and high of each point.
    fn band(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let points = self.points.iter().zip(&self.spread);
        points.map(|(&(x, y), spread)| (x, y - spread, y + spread))
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
        metric: &str,
        published: Option<f64>,
        runs: &[f64],
    ) {
        let (ours, spread) = mean_and_spread(runs);
        self.rows.push(ExperimentRow {
            setting: setting.into(),
            metric: metric.into(),
            published,
            ours,
            spread,
            is_exact: false,
        });
    }

    /// Adds the same and, where a figure is published, its lowest and highest run: a published figure
    /// of a single run belongs between them.
    pub(crate) fn row_with_range(
        &mut self,
        setting: &str,
        metric: &str,
        published: Option<f64>,
        runs: &[f64],
    ) {
        self.row(setting, metric, published, runs);
        if published.is_some() {
            let end = |fold: fn(f64, f64) -> f64| runs.iter().copied().reduce(fold);
            for (name, end) in [("lowest", end(f64::min)), ("highest", end(f64::max))] {
                let end: Vec<f64> = end.into_iter().collect();
                self.row(setting, &format!("{metric}, {name} run"), None, &end);
            }
        }
    }

    /// Adds a figure that is computed, not sampled, and has the same size in a quick run: a count,
    /// an exact limit.
    pub(crate) fn exact_row(
        &mut self,
        setting: impl Into<String>,
        metric: &str,
        published: Option<f64>,
        ours: f64,
    ) {
        self.rows.push(ExperimentRow {
            setting: setting.into(),
            metric: metric.into(),
            published,
            ours,
            spread: 0.0,
            is_exact: true,
        });
    }

    /// Takes away published figures and curves: a quick run has other settings.
    fn without_published(&mut self) {
        for row in self.rows.iter_mut().filter(|row| !row.is_exact) {
            row.published = None;
        }
        for figure in &mut self.figures {
            figure.curves.retain(|curve| !curve.published);
        }
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

    /// The game whose experiment it is.
    pub fn game(&self) -> Option<GameId> {
        GameId::ALL.into_iter().find(|&id| {
            let list = with_game!(id, G => <G as LabGame>::EXPERIMENTS);
            list.iter().any(|listed| listed.name == self.name)
        })
    }

    /// Runs the experiment.
    pub fn run(&self, scale: &Scale) -> Result<Findings, Unfinished> {
        let mut findings = (self.run)(scale)?;
        if scale.quick {
            findings.without_published();
        }
        Ok(findings)
    }

    /// Writes CSV, SVG, JSON and report into a folder of its own.
    pub fn write(&self, folder: &Path, scale: &Scale, findings: &Findings, force: bool) -> Done {
        let folder = folder.join(self.name);
        files::may_fill(&folder, force)?;
        let put = |name: &str, text: &str| files::write(&folder.join(name), text.as_bytes(), force);
        put("rows.csv", &csv(&findings.rows))?;
        for figure in &findings.figures {
            let Figure {
                name,
                title,
                x,
                y,
                curves,
            } = figure;
            put(&format!("{name}.svg"), &svg::draw(title, x, y, curves))?;
            put(&format!("{name}.csv"), &curves_csv(curves))?;
        }
        for (name, text) in &findings.files {
            put(name, text)?;
        }
        put("report.md", &self.report(scale, findings))?;
        let results = Results::new(self, scale, findings);
        let json = serde_json::to_string(&results).map_err(Failure::check)?;
        put(results::FINDINGS, &(json + "\n"))
    }

    pub(crate) fn report(&self, scale: &Scale, findings: &Findings) -> String {
        let results = Results::new(self, scale, &Findings::default());
        let mut text = format!("# {}\n\n    {}\n\n", self.title, results.command());
        if let Some(why) = results.left_out() {
            let _ = writeln!(text, "Partial: {why}.\n");
        }
        if scale.quick {
            text += "A quick run: a smoke test. Published figures belong to full runs and are left out, except beside \
                     exact ones; remarks are about full runs.\n\n";
        }
        text += "| setting | measured | published | ours | spread between runs |\n|---|---|---:|---:|---:|\n";
        for ExperimentRow {
            setting,
            metric,
            published,
            ours,
            spread,
            ..
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
        ..
    } in rows
    {
        let published = published.map_or(String::new(), |value| value.to_string());
        let _ = writeln!(
            text,
            "{},{},{published},{ours:.4},{spread:.4}",
            quoted(setting),
            quoted(metric)
        );
    }
    text
}

fn curves_csv(curves: &[Curve]) -> String {
    let mut text = String::from("curve,published,x,y,spread\n");
    for curve in curves {
        let (name, origin) = (
            quoted(&curve.name),
            if curve.published { "yes" } else { "no" },
        );
        for (place, (x, y)) in curve.points.iter().enumerate() {
            let spread = curve.spread.get(place);
            let spread = spread.map_or(String::new(), |spread| format!("{spread:.4}"));
            let _ = writeln!(text, "{name},{origin},{x},{y:.4},{spread}");
        }
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
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

    fn figure(curves: Vec<Curve>) -> Figure {
        Figure {
            name: "f",
            title: "t".into(),
            x: "x",
            y: "y",
            curves,
        }
    }

    /// Two rows with published figures, one of them exact, and a published curve.
    fn sampled(_: &Scale) -> Result<Findings, Unfinished> {
        let mut findings = Findings::default();
        findings.row("a \"setting\"", "wins %", Some(50.0), &[40.0, 60.0]);
        findings.exact_row("2×2", "states", Some(4096.0), 4096.0);
        let curve = Curve {
            spread: vec![0.25, f64::NAN],
            ..Curve::new("ours", vec![(0.0, 1.0), (1.0, f64::NAN)])
        };
        let published = Curve::published("theirs", vec![(0.0, 2.0)]);
        findings.figures = vec![figure(vec![curve, published])];
        findings.remarks = vec!["why"];
        Ok(findings)
    }

    const SAMPLED: Experiment = Experiment {
        name: "sampled",
        title: "A title",
        run: sampled,
    };

    #[test]
    fn a_quick_run_has_published_figures_only_where_they_belong_to_it() {
        let run = |quick| SAMPLED.run(&Scale::new(1, quick, Units::Memory)).unwrap();
        let published = |findings: &Findings| -> Vec<_> {
            findings.rows.iter().map(|row| row.published).collect()
        };
        assert_eq!(published(&run(false)), [Some(50.0), Some(4096.0)]);
        assert_eq!(published(&run(true)), [None, Some(4096.0)]);
        assert_eq!(run(false).figures[0].curves.len(), 2);
        assert_eq!(run(true).figures[0].curves.len(), 1);
        let scale = Scale::new(1, true, Units::Memory);
        let report = SAMPLED.report(&scale, &run(true));
        assert!(
            report.contains("quick run") && !report.contains("50.00 | 50.00"),
            "{report}"
        );
    }

    #[test]
    fn counts_keep_their_published_figures_in_a_quick_run() {
        let scale = Scale::new(1, true, Units::Memory);
        let states = Experiment::find("dots-states").unwrap();
        let rows = states.run(&scale).unwrap().rows;
        let published: Vec<_> = rows.iter().filter_map(|row| row.published).collect();
        assert_eq!(published, [393e3, 3.2e9, 352e12]);
    }

    #[test]
    fn a_published_figure_has_the_range_of_runs_beside_it() {
        let mut findings = Findings::default();
        findings.row_with_range("s", "wins %", Some(50.0), &[40.0, 30.0, 80.0]);
        findings.row_with_range("s", "turns", None, &[1.0, 2.0]);
        let rows: Vec<_> = findings
            .rows
            .iter()
            .map(|row| (&row.metric[..], row.published, row.ours))
            .collect();
        assert_eq!(
            rows,
            [
                ("wins %", Some(50.0), 50.0),
                ("wins %, lowest run", None, 30.0),
                ("wins %, highest run", None, 80.0),
                ("turns", None, 1.5),
            ]
        );
    }

    #[test]
    fn fewer_seeds_than_declared_are_told() {
        let results = |most| {
            let scale = Scale::new(3, false, Units::Memory).with_seeds(most);
            let seeds = scale.seeds(5);
            let results = Results::new(&SAMPLED, &scale, &Findings::default());
            (seeds.len(), results)
        };
        for (most, count) in [(None, 5), (Some(5), 5), (Some(9), 5)] {
            let (seeds, whole) = results(most);
            assert_eq!((seeds, whole.left_out()), (count, None));
            assert!(!whole.command().contains("--seeds"));
        }
        let (seeds, fewer) = results(Some(2));
        assert_eq!(seeds, 2);
        assert!(fewer.left_out().unwrap().contains("at most 2 seeds"));
        assert!(fewer.command().ends_with(" --seed 3 --seeds 2"));
    }

    #[test]
    fn results_are_read_as_they_were_written() {
        let out = std::env::temp_dir().join(format!("dojo-results-{}", std::process::id()));
        let scale = Scale::new(3, false, Units::Memory);
        let findings = SAMPLED.run(&scale).unwrap();
        assert_eq!(Results::read(&out, "sampled"), Ok(None));
        SAMPLED.write(&out, &scale, &findings, false).unwrap();
        let results = Results::read(&out, "sampled").unwrap().unwrap();
        assert_eq!(results, Results::new(&SAMPLED, &scale, &findings));
        assert_eq!(results.origin.seed, 3);
        assert_eq!(results.figures[0].curves[0].points, [(0.0, 1.0)]);
        assert!(results.stale().unwrap().contains("no such experiment"));
        let read = |name: &str| std::fs::read_to_string(out.join("sampled").join(name)).unwrap();
        assert!(read("rows.csv").contains("\"a \"\"setting\"\"\",\"wins %\",50,50.0000,10.0000"));
        assert!(read("f.csv").contains("\"ours\",no,0,1.0000,0.2500\n"));
        assert!(read("f.csv").contains("\"theirs\",yes,0,2.0000,\n"));
        std::fs::write(out.join("sampled/findings.json"), "{").unwrap();
        let refusal = Results::read(&out, "sampled").unwrap_err().to_string();
        assert!(refusal.contains("findings.json"), "{refusal}");
        std::fs::remove_dir_all(out).unwrap();
    }

    #[test]
    fn results_of_other_sources_are_stale() {
        let experiment = Experiment::find("sticks-alpha").unwrap();
        let results = |quick| {
            let scale = Scale::new(1, quick, Units::Memory);
            Results::new(&experiment, &scale, &Findings::default())
        };
        assert_eq!(results(false).stale(), None);
        assert!(results(true).stale().unwrap().contains("quick"));
        assert_eq!(results(false).origin.sources.len(), 16);
        let mut other = results(false);
        other.origin.sources = "0".into();
        assert!(other.stale().unwrap().contains("sources"));
        other.origin.version = "0.0.0".into();
        assert!(other.stale().unwrap().contains("version 0.0.0"));
        let games = ["sticks-alpha", "dots-mu", "iwoki-luck", "go-weak"];
        let sources = games.map(|name| {
            let experiment = Experiment::find(name).unwrap();
            Origin::new(&experiment, 1, false).sources
        });
        let different: std::collections::HashSet<_> = sources.iter().collect();
        assert_eq!(
            different.len(),
            games.len(),
            "each game has sources of its own"
        );
    }
}

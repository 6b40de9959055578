//! Results of an experiment as a file: the findings, and which program and run they come from.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize};

use super::{Curve, Experiment, Findings, Header, Scale, UnitFolder};
use crate::failure::Failure;
use crate::files;

/// The file of results in the folder of an experiment.
pub(super) const FINDINGS: &str = "findings.json";

/// Which run of which program made something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The name of the experiment.
    pub experiment: String,
    /// The first seed.
    pub seed: u64,
    /// Whether it was a smoke test.
    pub quick: bool,
    /// The version of the program.
    pub version: String,
    /// A hash of the sources that decide the results (`build.rs`).
    pub sources: String,
}

impl Origin {
    /// A run of this program.
    pub fn new(experiment: &Experiment, seed: u64, quick: bool) -> Origin {
        let game = experiment.game().map_or("", |game| game.name());
        let words = env!("DOJO_SOURCES").split(' ');
        let mut pairs = words.filter_map(|word| word.split_once('='));
        Origin {
            experiment: experiment.name.into(),
            seed,
            quick,
            version: env!("CARGO_PKG_VERSION").into(),
            sources: pairs
                .find(|(name, _)| *name == game)
                .map_or(String::new(), |(_, hash)| hash.into()),
        }
    }

    /// The command that repeats the run.
    pub fn command(&self) -> String {
        let quick = if self.quick { " --quick" } else { "" };
        format!(
            "dojo experiment {} --seed {}{quick}",
            self.experiment, self.seed
        )
    }

    /// The folder of its units under the folder of results, made if it does not exist.
    pub fn units(&self, out: &Path) -> Result<UnitFolder, Failure> {
        match serde_json::to_value(self) {
            Ok(serde_json::Value::Object(header)) => {
                UnitFolder::open(&units_folder(out).join(&self.experiment), header)
            }
            _ => Err(Failure::check("a header of units is an object")),
        }
    }

    /// The run that units belong to.
    pub fn of_units(folder: &Path) -> Result<Origin, Failure> {
        let header: Header = UnitFolder::header(folder)?;
        serde_json::from_value(header.into())
            .map_err(|error| Failure::Check(format!("{}: {error}", folder.display())))
    }
}

/// The units of all experiments under a folder of results.
pub fn units_folder(out: &Path) -> PathBuf {
    out.join("units")
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The setting.
    pub setting: String,
    /// The quantity measured.
    pub metric: String,
    /// The published number, if any.
    pub published: Option<f64>,
    /// The mean over our runs.
    #[serde(deserialize_with = "number")]
    pub ours: f64,
    /// The standard deviation between runs.
    #[serde(deserialize_with = "number")]
    pub spread: f64,
}

/// JSON has no infinite numbers and no NaN: they are written as `null`.
fn number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}

/// A figure.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// The name of its file.
    pub name: String,
    /// The title.
    pub title: String,
    /// The label of the x axis.
    pub x: String,
    /// The label of the y axis.
    pub y: String,
    /// The curves.
    pub curves: Vec<Curve>,
}

/// Findings with their origin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// The run.
    pub origin: Origin,
    /// The number of seeds of a setting, if it is lower than the experiment declares.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fewer_seeds: Option<u64>,
    /// The title of the report.
    pub title: String,
    /// The table.
    pub rows: Vec<Row>,
    /// The pictures.
    pub figures: Vec<Plot>,
    /// Reasons for differences to the published work.
    pub remarks: Vec<String>,
}

impl Results {
    /// Results of a run that has just ended. Points of curves that are no finite numbers are left
    /// out.
    pub(super) fn new(experiment: &Experiment, scale: &Scale, findings: &Findings) -> Results {
        let rows = findings.rows.iter().map(|row| Row {
            setting: row.setting.clone(),
            metric: row.metric.clone(),
            published: row.published,
            ours: row.ours,
            spread: row.spread,
        });
        let figures = findings.figures.iter().map(|figure| Plot {
            name: figure.name.into(),
            title: figure.title.clone(),
            x: figure.x.into(),
            y: figure.y.into(),
            curves: figure.curves.iter().map(Curve::finite).collect(),
        });
        Results {
            origin: Origin::new(experiment, scale.seed, scale.quick),
            fewer_seeds: scale.fewer_seeds(),
            title: experiment.title.into(),
            rows: rows.collect(),
            figures: figures.collect(),
            remarks: findings.remarks.iter().map(|&text| text.into()).collect(),
        }
    }

    /// The results in a folder of results, if the experiment has been run; a folder that holds
    /// anything else is refused.
    pub fn read(out: &Path, name: &str) -> Result<Option<Results>, Failure> {
        let folder = out.join(name);
        let is_empty = |folder: &Path| {
            std::fs::read_dir(folder).map_or(true, |mut files| files.next().is_none())
        };
        if !folder.exists() || is_empty(&folder) {
            return Ok(None);
        }
        let path = folder.join(FINDINGS);
        if !path.is_file() {
            return Err(Failure::Check(format!(
                "{}: missing, as after an interrupted run or in results of an older version; \
                 `dojo experiment {name} --force` replaces them",
                path.display()
            )));
        }
        let results: Results =
            serde_json::from_str(&files::read_text(&path)?).map_err(|error| {
                Failure::Check(format!(
                    "{}: {error}; `dojo experiment {name} --force` replaces it",
                    path.display()
                ))
            })?;
        if results.origin.experiment == name {
            return Ok(Some(results));
        }
        let found = &results.origin.experiment;
        Err(Failure::Check(format!(
            "{}: results of {found}, expected {name}",
            path.display()
        )))
    }

    /// The command that repeats the run.
    pub fn command(&self) -> String {
        let seeds = self.fewer_seeds.map(|seeds| format!(" --seeds {seeds}"));
        self.origin.command() + &seeds.unwrap_or_default()
    }

    /// What the run has left out of a full one, apart from games.
    pub(super) fn left_out(&self) -> Option<String> {
        let seeds = self.fewer_seeds?;
        Some(format!(
            "at most {seeds} seeds of a setting, fewer than declared"
        ))
    }

    /// Why the results are not those of this program at full size; `None` if they are.
    pub fn stale(&self) -> Option<String> {
        let Some(experiment) = Experiment::find(&self.origin.experiment) else {
            return Some("stale: this program has no such experiment".into());
        };
        let now = Origin::new(&experiment, self.origin.seed, self.origin.quick);
        let Origin {
            version, sources, ..
        } = &self.origin;
        if *version != now.version {
            Some(format!(
                "stale: made by version {version}, this is {}",
                now.version
            ))
        } else if *sources != now.sources {
            Some("stale: the sources have changed since".into())
        } else if self.origin.quick {
            Some("a quick run: a smoke test, not a measurement".into())
        } else {
            self.left_out()
        }
    }
}

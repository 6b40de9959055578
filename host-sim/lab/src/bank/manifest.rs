//! Manifests: which models go into a bank, as a small text beside the trained values.
//!
//! ```text
//! # Keys before the first model hold for all models.
//! date 20261116
//! seed 357
//! settings settings.txt
//! regenerate cargo xtask models
//!
//! model sticks-white
//! game sticks
//! kind value-table
//! belt white
//! games 10
//! values checkpoints/white.txt
//! ```
//!
//! The kind of a network has its inputs and hidden units: `perceptron 8`, `mlp 19 12`. A model that
//! is solved and not trained has `solve opening` instead of `kind` and `values`. The values of
//! `patterns` are a rule file of Go, those of `puzzles` and of a `lesson` a file of `data/`.

use std::fmt;

use dojo_core::bank::Kind;
use dojo_core::belt::Belt;
use dojo_core::games::GameId;

use crate::rules::game_id;

/// A manifest without contradictions; its files have not been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The models, in their order in the bank.
    pub models: Vec<ManifestModel>,
    /// The command that makes this bank again, for its sidecar.
    pub regenerate: Option<String>,
}

/// What a model's values are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelKind {
    /// A value for each state.
    ValueTable,
    /// A value for each move in each state.
    QTable,
    /// Weights of a perceptron (no hidden units) or of a network with one hidden layer.
    Network {
        /// Inputs.
        inputs: u16,
        /// Hidden units.
        hidden: u16,
    },
    /// Weights of Go's convolutional network.
    Convolution,
    /// Weights of Go's policy.
    Policy,
    /// A rule file of Go instead of values.
    Patterns,
    /// A file of puzzles instead of values.
    Puzzles,
    /// A file of a lesson instead of values.
    Lesson,
}

impl ModelKind {
    /// Kind and dimensions as a bank has them for networks over features.
    pub fn network(inputs: u16, hidden: u16) -> (Kind, [u16; 4]) {
        match hidden {
            0 => (Kind::Perceptron, [inputs, 0, 0, 0]),
            hidden => (Kind::Mlp, [inputs + 1, hidden, 0, 0]),
        }
    }

    /// Parses the text that [`fmt::Display`] prints.
    pub fn parse(text: &str) -> Option<ModelKind> {
        let mut words = text.split_whitespace();
        let kind = words.next()?;
        let numbers: Vec<u16> = words.map(|word| word.parse().ok()).collect::<Option<_>>()?;
        match (kind, &numbers[..]) {
            ("value-table", []) => Some(ModelKind::ValueTable),
            ("q-table", []) => Some(ModelKind::QTable),
            ("perceptron", &[inputs]) => Some(ModelKind::Network { inputs, hidden: 0 }),
            ("mlp", &[inputs, hidden]) if hidden > 0 => Some(ModelKind::Network { inputs, hidden }),
            ("convolution", []) => Some(ModelKind::Convolution),
            ("policy", []) => Some(ModelKind::Policy),
            ("patterns", []) => Some(ModelKind::Patterns),
            ("puzzles", []) => Some(ModelKind::Puzzles),
            ("lesson", []) => Some(ModelKind::Lesson),
            _ => None,
        }
    }
}

impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ModelKind::ValueTable => f.write_str("value-table"),
            ModelKind::QTable => f.write_str("q-table"),
            ModelKind::Network { inputs, hidden: 0 } => write!(f, "perceptron {inputs}"),
            ModelKind::Network { inputs, hidden } => write!(f, "mlp {inputs} {hidden}"),
            ModelKind::Convolution => f.write_str("convolution"),
            ModelKind::Policy => f.write_str("policy"),
            ModelKind::Patterns => f.write_str("patterns"),
            ModelKind::Puzzles => f.write_str("puzzles"),
            ModelKind::Lesson => f.write_str("lesson"),
        }
    }
}

/// Models that need no training.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Solve {
    /// The opening of 3×3 dots and boxes.
    Opening,
}

/// One model of a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManifestModel {
    /// Its name in the bank.
    pub name: String,
    /// Its game; every complete manifest names it.
    pub game: Option<GameId>,
    /// What its values are; every trained model names it.
    pub kind: Option<ModelKind>,
    /// The belt it serves.
    pub belt: Option<Belt>,
    /// The text file of its values, beside the manifest.
    pub values: String,
    /// What is solved instead of trained.
    pub solve: Option<Solve>,
    /// The text file of its training settings, beside the manifest; empty if there is none.
    pub settings: String,
    /// Games it has trained.
    pub games: u64,
    /// The seed of its training.
    pub seed: u64,
    /// Day it was made, as yyyymmdd.
    pub date: u32,
}

/// Parses a manifest; a fault comes with the number of its line.
pub fn parse(text: &str) -> Result<Manifest, (usize, String)> {
    let mut manifest = Manifest::default();
    let mut common = ManifestModel::default();
    let mut last = 1;
    for (number, line) in text
        .lines()
        .enumerate()
        .map(|(i, line)| (i + 1, line.trim()))
    {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        last = number;
        let (key, value) = line
            .split_once(' ')
            .map_or((line, ""), |(key, value)| (key, value.trim()));
        let fail = |what: String| Err((number, what));
        if value.is_empty() {
            return fail(format!("`{key}` needs a value"));
        }
        let item = manifest.models.last_mut().unwrap_or(&mut common);
        match key {
            "model" => manifest.models.push(ManifestModel {
                name: value.into(),
                ..common.clone()
            }),
            "regenerate" => manifest.regenerate = Some(value.into()),
            "game" => {
                item.game =
                    Some(game_id(value).map_err(|error| (number, format!("`{value}`: {error}")))?)
            }
            "kind" => match ModelKind::parse(value) {
                Some(kind) => item.kind = Some(kind),
                None => {
                    return fail(format!(
                        "kind `{value}`: expected value-table, q-table, perceptron INPUTS, mlp INPUTS HIDDEN, convolution, policy, patterns, puzzles or lesson"
                    ));
                }
            },
            "belt" => match Belt::from_name(value) {
                Some(belt) => item.belt = Some(belt),
                None => return fail(format!("unknown belt `{value}`")),
            },
            "values" => item.values = value.into(),
            "solve" if value == "opening" => item.solve = Some(Solve::Opening),
            "solve" => return fail(format!("solve `{value}`: expected opening")),
            "settings" => item.settings = value.into(),
            "games" => item.games = count(key, value, number)?,
            "seed" => item.seed = count(key, value, number)?,
            "date" => match date(value) {
                Some(date) => item.date = date,
                None => return fail(format!("date `{value}`: expected yyyymmdd")),
            },
            _ => return fail(format!("unknown key `{key}`")),
        }
    }
    if manifest.models.is_empty() {
        return Err((last, "no `model` in this manifest".into()));
    }
    for (i, item) in manifest.models.iter().enumerate() {
        let missing = [
            ("game", item.game.is_none()),
            ("values", item.values.is_empty() && item.solve.is_none()),
            ("kind", item.kind.is_none() && item.solve.is_none()),
        ];
        if let Some((key, _)) = missing.into_iter().find(|&(_, missing)| missing) {
            return Err((last, format!("model `{}` has no `{key}`", item.name)));
        }
        if manifest.models[..i]
            .iter()
            .any(|other| other.name == item.name)
        {
            return Err((last, format!("two models are called `{}`", item.name)));
        }
    }
    Ok(manifest)
}

fn count(key: &str, value: &str, line: usize) -> Result<u64, (usize, String)> {
    value
        .parse()
        .map_err(|_| (line, format!("{key} `{value}`: expected a whole number")))
}

/// A day as yyyymmdd.
pub fn date(text: &str) -> Option<u32> {
    let date: u32 = text.parse().ok()?;
    let (year, month, day) = (date / 10_000, date / 100 % 100, date % 100);
    ((2000..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day))
        .then_some(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_keys_hold_for_all_models_and_own_keys_win() {
        let text = "seed 7\ndate 20261116\ngame sticks\nkind mlp 3 2\n\nmodel a\nvalues x\n# note\nmodel b\nvalues y\nseed 8\nbelt black";
        let manifest = parse(text).unwrap();
        assert_eq!(manifest.models.len(), 2);
        assert_eq!((manifest.models[0].seed, manifest.models[1].seed), (7, 8));
        assert_eq!(
            (manifest.models[0].belt, manifest.models[1].belt),
            (None, Some(Belt::Black))
        );
        assert!(
            manifest
                .models
                .iter()
                .all(|item| item.date == 20_261_116 && item.game == Some(GameId::Sticks))
        );
        let kind = ModelKind::Network {
            inputs: 3,
            hidden: 2,
        };
        assert!(manifest.models.iter().all(|item| item.kind == Some(kind)));
        for text in [
            "value-table",
            "q-table",
            "perceptron 8",
            "mlp 19 12",
            "convolution",
            "policy",
            "patterns",
            "puzzles",
            "lesson",
        ] {
            assert_eq!(ModelKind::parse(text).unwrap().to_string(), text);
        }
        assert!(
            ["mlp 3", "mlp 3 0", "perceptron", "value-table 9", "mlp 3 x"]
                .iter()
                .all(|odd| ModelKind::parse(odd).is_none())
        );
    }

    #[test]
    fn faults_come_with_their_line() {
        for (text, line, what) in [
            ("", 1, "no `model`"),
            ("model a\nvalues x", 2, "has no `game`"),
            ("model a\ngame sticks", 2, "has no `values`"),
            ("model a\ngame sticks\nvalues x", 3, "has no `kind`"),
            ("kind mlp", 1, "expected value-table"),
            ("game chess", 1, "unknown game"),
            ("\nbelt red", 2, "unknown belt"),
            ("seed -1", 1, "expected a whole number"),
            ("date 2026", 1, "yyyymmdd"),
            ("colour red", 1, "unknown key"),
            ("solve chess", 1, "expected opening"),
            ("model", 1, "needs a value"),
            (
                "game sticks\nkind q-table\nvalues x\nmodel a\nmodel a",
                5,
                "two models",
            ),
        ] {
            let (found, message) = parse(text).unwrap_err();
            assert!(
                found == line && message.contains(what),
                "{text}: {found} {message}"
            );
        }
    }
}

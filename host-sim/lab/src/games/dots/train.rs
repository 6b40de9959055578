//! Training 2×2 dots and boxes: the learner that ships, and the published one.

use std::fmt::Write as _;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::dots::learner::{
    LEAVE_VALUES, LeaveLearner, LeaveSettings, Q_VALUES, QLearner, QSettings, best_leave, greedy,
};
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::{Dots, DotsRules};
use dojo_core::learn::Progress;

use super::certify::{DotsCertificate, DotsTable, certify_table};
use super::response::{State, score};
use super::train_network;
use crate::bank::manifest::ModelKind;
use crate::failure::{Done, Failure};
use crate::train::{Checkpoint, Curriculum, Learner, Overrides, Preset, Run, RunSettings};

/// The presets of this game.
pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "shipped",
        about: "sees the score, learns against the rule-based player that errs with every fifth edge",
        // Seeds 1, 2 and 4 were tried: 1 and 4 end exact, and with 4 rounding to bytes loses no
        // test game either.
        curriculum: |overrides| {
            let opponent = Opponent::Smart { slips: SLIPS };
            DotsTraining::new(
                overrides,
                TableMethod::Leave,
                overrides.run("shipped", 4, 3_000_000),
                (0.125, 50, opponent),
            )
        },
    },
    Preset {
        name: "published",
        about: "the published learner: sees only the edges, learns against itself",
        curriculum: |overrides| published(overrides, "published"),
    },
    // The shipped bank has the checksum of this name's settings.
    Preset {
        name: "converging",
        about: "the same as published, under the name that its model has in the shipped bank",
        curriculum: |overrides| published(overrides, "converging"),
    },
    train_network::PRESET,
];

fn published(overrides: &Overrides, preset: &'static str) -> Result<Box<dyn Curriculum>, Failure> {
    let run = overrides.run(preset, 1, 1_000_000);
    let settings = (0.1, 300_000, Opponent::Itself);
    DotsTraining::new(overrides, TableMethod::Q, run, settings)
}

/// Games after which the lower belts stop learning.
const AGES: [u32; 4] = [400, 2_000, 8_000, 40_000];
/// Lines of the log, about.
const LOG_LINES: u32 = 30;
/// How often the rule-based player errs while it is learned against, in 1/2³².
const SLIPS: u32 = u32::MAX / 5;

/// Which of the two learners.
#[derive(Clone, Copy, Debug, PartialEq)]
enum TableMethod {
    /// Values of positions left to the opponent.
    Leave,
    /// The published Q-learner.
    Q,
}

struct DotsTraining {
    run: RunSettings,
    method: TableMethod,
    /// Learning rate at the start.
    rate: f64,
    /// Exploration: the constant C of the published learner, else the chance of a random edge in
    /// percent.
    explore: u32,
    /// Discount γ of the published learner.
    discount: f64,
    /// Who it learns against.
    opponent: Opponent,
}

impl DotsTraining {
    #[expect(clippy::new_ret_no_self, reason = "presets make curricula of any game")]
    fn new(
        overrides: &Overrides,
        method: TableMethod,
        run: RunSettings,
        (rate, explore, opponent): (f64, u32, Opponent),
    ) -> Result<Box<dyn Curriculum>, Failure> {
        overrides.refuse(
            Dots::NAME,
            &["--size", "--ties"],
            "its tables are for 2x2, only the preset network is for other boards",
        )?;
        let training = DotsTraining {
            run,
            method,
            rate: overrides.rate.unwrap_or(rate),
            explore: overrides.explore.unwrap_or(explore),
            discount: overrides.discount.unwrap_or(1.0),
            opponent: overrides.opponent.unwrap_or(opponent),
        };
        training.check()?;
        Ok(Box::new(training))
    }

    /// Validates the settings.
    fn check(&self) -> Done {
        let fail = |what: String| Err(Failure::Usage(what));
        if self.method == TableMethod::Leave {
            self.run.check_belts(AGES)?;
        }
        if !(self.rate > 0.0 && self.rate < 1.0) {
            return fail(format!(
                "--rate {}: expected a number between 0 and 1",
                self.rate
            ));
        }
        if !(0.0..=1.0).contains(&self.discount) {
            return fail(format!(
                "--discount {}: expected a number from 0 to 1",
                self.discount
            ));
        }
        if self.method == TableMethod::Leave && self.explore > 100 {
            return fail(format!(
                "--explore {}: expected percent, 0 to 100",
                self.explore
            ));
        }
        Ok(())
    }

    fn q_settings(&self) -> QSettings {
        QSettings {
            rate: fraction(self.rate),
            discount: (self.discount * 65_536.0).round() as u32,
            opponent: self.opponent,
            ..QSettings::new(self.explore)
        }
    }

    fn leave_settings(&self) -> LeaveSettings {
        LeaveSettings {
            rate: fraction(self.rate),
            explore: (f64::from(self.explore) / 100.0 * f64::from(u32::MAX)).round() as u32,
            opponent: self.opponent,
            ..LeaveSettings::new(self.run.games)
        }
    }

    /// The kind of its table.
    fn table(&self) -> DotsTable {
        match self.method {
            TableMethod::Leave => DotsTable::ValueTable,
            TableMethod::Q => DotsTable::QTable,
        }
    }

    /// Values as a bank keeps them: fractions from 0 to 1. Published ones go from −1 to 1.
    fn fractions(&self, values: &[f64]) -> Vec<f64> {
        if self.method == TableMethod::Leave {
            return values.to_vec();
        }
        values.iter().map(|value| (value + 1.0) / 2.0).collect()
    }

    /// What can be proved about a checkpoint as it will be stored.
    fn certificate(&self, checkpoint: &Checkpoint) -> Result<DotsCertificate, String> {
        let (values, belt) = (
            self.fractions(&checkpoint.values),
            Belt::from_name(&checkpoint.name),
        );
        certify_table(self.table(), &values, belt).map(|(_, proof)| proof)
    }
}

fn fraction(value: f64) -> u16 {
    (value * 65_536.0).round() as u16
}

/// The name of an opponent on the command line.
pub fn opponent_name(opponent: Opponent) -> &'static str {
    match opponent {
        Opponent::Itself => "itself",
        Opponent::Random => "random",
        Opponent::Simple => "simple",
        Opponent::Smart { slips: 0 } => "smart",
        Opponent::Smart { .. } => "slipping",
    }
}

/// The opponent of this name.
pub fn opponent(name: &str) -> Result<Opponent, String> {
    let known = [
        Opponent::Itself,
        Opponent::Random,
        Opponent::Simple,
        Opponent::Smart { slips: 0 },
        Opponent::Smart { slips: SLIPS },
    ];
    known
        .into_iter()
        .find(|&opponent| opponent_name(opponent) == name)
        .ok_or_else(|| {
            "expected itself, random, simple, smart or slipping (smart with every fifth edge at random)"
                .into()
        })
}

impl Curriculum for DotsTraining {
    fn game(&self) -> &'static str {
        Dots::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn flags(&self) -> String {
        let DotsTraining {
            rate,
            explore,
            discount,
            opponent,
            ..
        } = self;
        let opponent = opponent_name(*opponent);
        format!(" --rate {rate} --explore {explore} --discount {discount} --opponent {opponent}")
    }

    fn describe(&self) -> [String; 2] {
        let DotsTraining {
            rate,
            explore,
            discount,
            ..
        } = self;
        let learner = match self.method {
            TableMethod::Leave => format!(
                "values of positions left to the opponent (edges, own boxes, who started), 64-bit fractions\n\
                 rate {rate} falling to {}/65536\nexplore {explore} percent\nend towards the result",
                self.leave_settings().last_rate
            ),
            TableMethod::Q => format!(
                "values of edges in sets of edges, 32-bit, small random ones at first\nrate {rate}\n\
                 explore C = {explore}\ndiscount {discount}\nend towards the reward"
            ),
        };
        let ages: Vec<_> = self
            .checkpoints()
            .iter()
            .map(|(name, age)| format!("{name} {age}"))
            .collect();
        [
            format!(
                "game {} {}\nlearner {learner}\n",
                Dots::NAME,
                DotsRules::default()
            ),
            format!(
                "learns against {}\nkept {}\nstored one byte a value, 255 is 1\n",
                opponent_name(self.opponent),
                ages.join(", ")
            ),
        ]
    }

    fn checkpoints(&self) -> Vec<(String, u32)> {
        match self.method {
            TableMethod::Leave => self.run.belts(AGES),
            TableMethod::Q => vec![(self.run.preset.into(), self.run.games)],
        }
    }

    fn log_every(&self) -> u32 {
        (self.run.games / LOG_LINES).max(1)
    }

    fn learner(&self) -> Option<Box<dyn Learner>> {
        Some(Box::new(match self.method {
            TableMethod::Leave => {
                let (mut table, settings) =
                    (boxed(vec![0.0; LEAVE_VALUES])?, self.leave_settings());
                let learner = LeaveLearner::new(&mut table, settings, self.run.seed);
                let progress = learner.progress().clone();
                DotsLearner::Leave(table, settings, progress)
            }
            TableMethod::Q => {
                let (mut table, settings) = (boxed(vec![0.0; Q_VALUES])?, self.q_settings());
                let learner = QLearner::new(&mut table, settings, self.run.seed);
                let progress = learner.progress().clone();
                DotsLearner::Q(table, settings, progress)
            }
        }))
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        Some(Box::new(match self.method {
            TableMethod::Leave => {
                DotsLearner::Leave(boxed(values.to_vec())?, self.leave_settings(), progress)
            }
            TableMethod::Q => {
                let values = values.iter().map(|&value| value as f32).collect();
                DotsLearner::Q(boxed(values)?, self.q_settings(), progress)
            }
        }))
    }

    /// The exact scores against the random and the rule-based player, both sides alike, in percent.
    fn columns(&self) -> Vec<String> {
        ["random_percent", "smart_percent"].map(Into::into).into()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        let mut text = format!(
            "# values from 0 to 1 in the order of the bank, after {} games\n",
            checkpoint.age
        );
        for value in self.fractions(&checkpoint.values) {
            let _ = writeln!(text, "{value}");
        }
        text
    }

    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        let kind = match self.method {
            TableMethod::Leave => ModelKind::ValueTable,
            TableMethod::Q => ModelKind::QTable,
        };
        Some((kind, &checkpoint.name))
    }

    fn report(&self, run: &Run) -> [String; 2] {
        let mut text = String::from(
            "| kept | games | wins kept | against random | against smart | share of the best possible |\n\
             |---|---:|---:|---:|---:|---:|\n",
        );
        for checkpoint in &run.checkpoints {
            let Checkpoint { name, age, .. } = checkpoint;
            let _ = match self.certificate(checkpoint) {
                Ok(proof) => {
                    let mean = |[first, second]: [f64; 2]| (first + second) / 2.0;
                    writeln!(
                        text,
                        "| {name} | {age} | {} of {} | {:.4} | {:.4} | {:.4} |",
                        proof.kept_wins,
                        proof.won_states,
                        mean(proof.random),
                        mean(proof.smart),
                        proof.share_of_best
                    )
                }
                Err(why) => writeln!(
                    text,
                    "| {name} | {age} | no bank can be made of it: {why} | | | |"
                ),
            };
        }
        text += "\nScores are exact, both sides alike. `log.csv` has the curve.\n";
        ["2×2 dots and boxes".into(), text]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let last = run.checkpoints.last().map(|last| self.certificate(last));
        let exact =
            last.is_some_and(|last| last.is_ok_and(|proof| proof.kept_wins == proof.won_states));
        let (random, smart) = (run.last(0), run.last(1));
        let verdict = if exact {
            "it gives no win away"
        } else {
            "it gives wins away"
        };
        let figures = vec![
            ("random", (random / 100.0).into()),
            ("smart", (smart / 100.0).into()),
            ("exact", exact.into()),
        ];
        let text = format!("{random:.1} % against random, {smart:.1} % against smart; {verdict}");
        (figures, text)
    }
}

/// A table, its settings and its progress: the learners of core borrow their tables.
enum DotsLearner {
    Leave(Box<[f64; LEAVE_VALUES]>, LeaveSettings, Progress),
    Q(Box<[f32; Q_VALUES]>, QSettings, Progress),
}

/// A large array that is never on the stack; `None` if the number of values is another.
fn boxed<V, const N: usize>(values: Vec<V>) -> Option<Box<[V; N]>> {
    values.into_boxed_slice().try_into().ok()
}

impl Learner for DotsLearner {
    fn play(&mut self, games: u32) {
        match self {
            DotsLearner::Leave(table, settings, progress) => {
                let mut learner = LeaveLearner::resume(table, *settings, progress.clone());
                learner.step(games);
                *progress = learner.progress().clone();
            }
            DotsLearner::Q(table, settings, progress) => {
                let mut learner = QLearner::resume(table, *settings, progress.clone());
                learner.step(games);
                *progress = learner.progress().clone();
            }
        }
    }

    fn values(&self) -> Vec<f64> {
        match self {
            DotsLearner::Leave(table, ..) => table.to_vec(),
            DotsLearner::Q(table, ..) => table.iter().map(|&value| f64::from(value)).collect(),
        }
    }

    fn progress(&self) -> Progress {
        match self {
            DotsLearner::Leave(.., progress) | DotsLearner::Q(.., progress) => progress.clone(),
        }
    }

    fn figures(&self) -> Vec<f64> {
        let edge = |State {
                        edges,
                        boxes,
                        started,
                    }| match self {
            DotsLearner::Leave(table, settings, _) => {
                best_leave(&table[..], &settings.rules, edges, boxes, started).0
            }
            DotsLearner::Q(table, ..) => greedy(table, edges).0,
        };
        let opponents = [Opponent::Random, Opponent::Smart { slips: 0 }];
        opponents
            .map(|opponent| 100.0 * score(DotsRules::default(), opponent, 0, edge).average())
            .to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{check_resumption, curriculum, train};
    use dojo_core::games::GameId;

    #[test]
    fn the_shipped_run_ends_exact() {
        let shipped = curriculum(GameId::Dots, "shipped", &Overrides::default()).unwrap();
        let run = train(&*shipped, |_| {}).unwrap();
        let proofs: Vec<_> = run
            .checkpoints
            .iter()
            .map(|kept| {
                let belt = Belt::from_name(&kept.name);
                certify_table(DotsTable::ValueTable, &kept.values, belt)
                    .unwrap()
                    .1
            })
            .collect();
        let black = proofs[4];
        assert_eq!(black.kept_wins, black.won_states);
        assert!(
            black.share_of_best >= 0.995 && black.smart[0] > 0.999 && black.smart[1] > 0.999,
            "{black:?}"
        );
        for pair in proofs.windows(2) {
            assert!(
                pair[0].smart[0] + pair[0].smart[1] < pair[1].smart[0] + pair[1].smart[1],
                "{pair:?}"
            );
        }
    }

    #[test]
    fn stopping_changes_nothing() {
        for preset in ["shipped", "published"] {
            let overrides = Overrides {
                games: Some(50_000),
                ..Overrides::default()
            };
            check_resumption(
                &*curriculum(GameId::Dots, preset, &overrides).unwrap(),
                12_345,
            );
        }
    }
}

//! Training a network for dots and boxes on boards that no table is large enough for.

use std::fmt::Write as _;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::dots::FEATURES;
use dojo_core::games::dots::learned::{HIDDEN, WEIGHT_SCALE};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::learn::Progress;

use super::certify_network::{against_smart, certify_dots_network, stored};
use super::learner::{LAMBDA, play_game, td_settings};
use crate::bank::manifest::ModelKind;
use crate::failure::Failure;
use crate::network::{TdLearner, TdSettings};
use crate::train::{
    Checkpoint, Curriculum, Learner, Overrides, Preset, Run, RunSettings, check_rates, weights_text,
};

/// The preset.
pub(crate) const PRESET: Preset = Preset {
    name: "network",
    about: "for large boards",
    curriculum: |overrides| {
        overrides.refuse(
            Dots::NAME,
            &["--discount", "--opponent"],
            "its network learns from itself",
        )?;
        let training = DotsNetworkTraining::new(overrides)?;
        Ok(Box::new(training))
    },
};

/// A checkpoint for the test that repeats the beginning of the run that ships.
const YOUNG: (&str, u32) = ("young", 60);
/// Lines of the log, about.
const LOG_LINES: u32 = 12;
/// Games of a figure in the log.
const LOG_GAMES: u32 = 100;
/// The square boards that it learns on by default.
pub const BOARDS: [u8; 2] = [4, 5];

/// The training of a network.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DotsNetworkTraining {
    run: RunSettings,
    /// The only board that it learns on; `None` for 4×4 and 5×5, one after the other.
    board: Option<DotsRules>,
    /// Learning rate at the start.
    rate: f64,
    /// Percent of random edges.
    explore: u32,
}

impl DotsNetworkTraining {
    fn new(overrides: &Overrides) -> Result<DotsNetworkTraining, Failure> {
        let training = DotsNetworkTraining {
            run: overrides.run(PRESET.name, 1, 6_000),
            board: overrides.board()?,
            rate: overrides.rate.unwrap_or(0.003),
            explore: overrides.explore.unwrap_or(10),
        };
        let too_small = |board: &DotsRules| board.misere || board.all_edges().count_ones() <= 24;
        if let Some(board) = training.board.filter(too_small) {
            return Err(Failure::Usage(format!(
                "the network is for boards of more than 24 edges that are not misère, not for {board}"
            )));
        }
        if training.run.games <= YOUNG.1 {
            return Err(Failure::Usage(format!(
                "--games {}: expected more than {}",
                training.run.games, YOUNG.1
            )));
        }
        check_rates(training.rate, training.explore)?;
        Ok(training)
    }

    /// The usual training on one board alone, for so many games.
    pub(crate) fn on(board: DotsRules, seed: u64, games: u32) -> DotsNetworkTraining {
        let usual = Overrides {
            seed: Some(seed),
            games: Some(games),
            ..Overrides::default()
        };
        DotsNetworkTraining {
            run: usual.run(PRESET.name, seed, games),
            board: Some(board),
            rate: 0.003,
            explore: 10,
        }
    }

    fn boards(&self) -> Vec<DotsRules> {
        match self.board {
            Some(board) => vec![board],
            None => BOARDS
                .into_iter()
                .flat_map(|side| DotsRules::new(side, side))
                .collect(),
        }
    }

    fn td(&self) -> TdSettings {
        let explore = f64::from(self.explore) / 100.0;
        td_settings(HIDDEN, self.rate, explore, self.run.games)
    }

    /// An untrained learner.
    pub(crate) fn untrained(&self) -> Option<DotsNetworkLearner> {
        Some(DotsNetworkLearner {
            learner: TdLearner::new(self.td(), self.run.seed)?,
            boards: self.boards(),
        })
    }
}

fn size(board: &DotsRules) -> String {
    format!("{}x{}", board.rows(), board.cols())
}

impl Curriculum for DotsNetworkTraining {
    fn game(&self) -> &'static str {
        Dots::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn flags(&self) -> String {
        let board = self.board.map(|board| board.to_string());
        let words = board.iter().flat_map(|text| text.split(' ').take(2));
        let board: String = words
            .filter_map(|word| word.split_once('='))
            .map(|(key, value)| format!(" --{key} {value}"))
            .collect();
        format!("{board} --rate {} --explore {}", self.rate, self.explore)
    }

    fn describe(&self) -> [String; 2] {
        let boards: String = self
            .boards()
            .iter()
            .map(|board| format!("boards {board}\n"))
            .collect();
        [
            format!(
                "game {}\n{boards}learner network of {FEATURES} inputs and {HIDDEN} hidden units, 64-bit, TD({LAMBDA}) on \
                 results, one edge ahead, until the rules of chains show the end\n",
                Dots::NAME,
            ),
            format!(
                "rate {} falling to a tenth\nexplore {} percent\nstored two bytes a weight, {WEIGHT_SCALE} is 1\n",
                self.rate, self.explore
            ),
        ]
    }

    fn checkpoints(&self) -> Vec<(String, u32)> {
        let black = (Belt::Black.name().into(), self.run.games);
        vec![(YOUNG.0.into(), YOUNG.1), black]
    }

    fn log_every(&self) -> u32 {
        (self.run.games / LOG_LINES).max(1)
    }

    fn learner(&self) -> Option<Box<dyn Learner>> {
        Some(Box::new(self.untrained()?))
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        Some(Box::new(DotsNetworkLearner {
            learner: TdLearner::resume(self.td(), values, progress)?,
            boards: self.boards(),
        }))
    }

    /// The score against smart on each board.
    fn columns(&self) -> Vec<String> {
        let boards = self.boards();
        let columns = boards
            .iter()
            .map(|board| format!("smart_{}_percent", size(board)));
        columns.collect()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        weights_text(checkpoint)
    }

    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        let kind = ModelKind::Network {
            inputs: FEATURES as u16,
            hidden: HIDDEN as u16,
        };
        (checkpoint.name == Belt::Black.name()).then_some((kind, PRESET.name))
    }

    fn report(&self, run: &Run) -> [String; 2] {
        let mut text = String::from(
            "| kept | games | against random | against smart | largest error | moves changed by rounding |\n\
             |---|---:|---:|---:|---:|---:|\n",
        );
        for Checkpoint { name, age, values } in &run.checkpoints {
            let Ok((_, proof)) = certify_dots_network(values) else {
                continue;
            };
            let _ = writeln!(
                text,
                "| {name} | {age} | {:.3} | {:.3} | {:.5} | {} of {} |",
                proof.score("random"),
                proof.score("smart"),
                proof.largest_error,
                proof.changed_moves,
                proof.choices
            );
        }
        text +=
            "\nScores are those of the network alone, one edge ahead. `log.csv` has the curve.\n";
        ["dots and boxes on large boards".into(), text]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let boards: Vec<_> = self.boards().iter().map(size).collect();
        let scores: Vec<_> = (0..boards.len()).map(|column| run.last(column)).collect();
        let text: Vec<_> = boards
            .iter()
            .zip(&scores)
            .map(|(board, score)| format!("{score:.1} % on {board}"))
            .collect();
        let shares: Vec<_> = scores.iter().map(|percent| percent / 100.0).collect();
        let figures = vec![("boards", boards.into()), ("smart", shares.into())];
        (figures, text.join(", ") + " against smart, one edge ahead")
    }
}

/// The learner and its figures: the score against smart on each board, one edge ahead.
pub(crate) struct DotsNetworkLearner {
    learner: TdLearner,
    boards: Vec<DotsRules>,
}

impl DotsNetworkLearner {
    /// The weights as a bank stores them.
    pub(crate) fn payload(&self) -> Vec<u8> {
        stored(self.learner.network().weights()).map_or(vec![], |(_, payload)| payload)
    }
}

impl Learner for DotsNetworkLearner {
    fn play(&mut self, games: u32) {
        for _ in 0..games {
            // One board after the other.
            let turn = self.games() as usize % self.boards.len().max(1);
            let Some(&board) = self.boards.get(turn) else {
                return;
            };
            play_game(&mut self.learner, board);
        }
    }

    fn values(&self) -> Vec<f64> {
        self.learner.network().weights().to_vec()
    }

    fn progress(&self) -> Progress {
        self.learner.progress().clone()
    }

    fn figures(&self) -> Vec<f64> {
        let payload = self.payload();
        self.boards
            .iter()
            .map(|&board| 100.0 * against_smart(&payload, board, LOG_GAMES))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_make_no_sense_are_refused() {
        let usual = Overrides::default();
        DotsNetworkTraining::new(&usual).unwrap();
        for odd in [
            Overrides {
                size: Some("3x3".into()),
                ..usual.clone()
            },
            Overrides {
                games: Some(YOUNG.1),
                ..usual.clone()
            },
            Overrides {
                rate: Some(f64::NAN),
                ..usual.clone()
            },
            Overrides {
                explore: Some(101),
                ..usual.clone()
            },
        ] {
            assert!(DotsNetworkTraining::new(&odd).is_err(), "{odd:?}");
        }
    }

    #[test]
    fn stopping_changes_nothing() {
        let board = DotsRules::new(3, 4).unwrap();
        let training = DotsNetworkTraining::on(board, 1, YOUNG.1 + 2);
        crate::train::check_resumption(&training, 7);
    }
}

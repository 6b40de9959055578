//! Training iwoki: a network learns by self-play, with checkpoints at five ages.

use std::fmt::Write as _;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::FEATURES;
use dojo_core::games::iwoki::players::{MOST_HIDDEN, WEIGHT_SCALE};
use dojo_core::learn::Progress;

use super::certify::{against_greedy, certify_iwoki, stored};
use super::learner::{LAMBDA, play_game, td_settings};
use crate::bank::manifest::ModelKind;
use crate::failure::Failure;
use crate::network::{TdLearner, TdSettings};
use crate::train::{
    Checkpoint, Curriculum, Learner, Overrides, Preset, Run, RunSettings, check_rates, weights_text,
};

/// The presets of this game.
pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "shipped",
        about: "a network with one hidden layer",
        curriculum: |overrides| IwokiTraining::new("shipped", MOST_HIDDEN, overrides),
    },
    Preset {
        name: "perceptron",
        about: "one layer: quicker to learn and to ask, and weaker",
        curriculum: |overrides| IwokiTraining::new("perceptron", 0, overrides),
    },
];

/// Games after which the lower belts stop learning.
const AGES: [u32; 4] = [10, 50, 100, 1_000];
/// Lines of the log, about.
const LOG_LINES: u32 = 30;
/// Games of a line of the log.
const LOG_GAMES: u32 = 40;

struct IwokiTraining {
    run: RunSettings,
    hidden: usize,
    /// Learning rate at the start.
    rate: f64,
    /// Percent of random actions.
    explore: u32,
}

impl IwokiTraining {
    #[expect(clippy::new_ret_no_self, reason = "presets make curricula of any game")]
    fn new(
        preset: &'static str,
        hidden: usize,
        overrides: &Overrides,
    ) -> Result<Box<dyn Curriculum>, Failure> {
        overrides.refuse(
            Iwoki::NAME,
            &["--discount", "--opponent", "--size", "--ties"],
            "it learns from itself, on one board",
        )?;
        let training = IwokiTraining {
            run: overrides.run(preset, 1, 30_000),
            hidden,
            rate: overrides.rate.unwrap_or(0.02),
            explore: overrides.explore.unwrap_or(10),
        };
        training.run.check_belts(AGES)?;
        check_rates(training.rate, training.explore)?;
        Ok(Box::new(training))
    }

    fn td(&self) -> TdSettings {
        let explore = f64::from(self.explore) / 100.0;
        td_settings(self.hidden, self.rate, explore, self.run.games)
    }
}

impl Curriculum for IwokiTraining {
    fn game(&self) -> &'static str {
        Iwoki::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn flags(&self) -> String {
        format!(" --rate {} --explore {}", self.rate, self.explore)
    }

    fn describe(&self) -> [String; 2] {
        let ages: Vec<_> = self
            .checkpoints()
            .iter()
            .map(|(name, age)| format!("{name} {age}"))
            .collect();
        [
            format!(
                "game {} normal form, a new deal every game\nlearner network of {FEATURES} inputs and {} hidden units, \
                 64-bit, TD({LAMBDA}) on results, one turn ahead\n",
                Iwoki::NAME,
                self.hidden
            ),
            format!(
                "rate {} falling to a tenth\nexplore {} percent\nkept {}\n\
                 stored two bytes a weight, {WEIGHT_SCALE} is 1\n",
                self.rate,
                self.explore,
                ages.join(", ")
            ),
        ]
    }

    fn checkpoints(&self) -> Vec<(String, u32)> {
        self.run.belts(AGES)
    }

    fn log_every(&self) -> u32 {
        (self.run.games / LOG_LINES).max(1)
    }

    fn learner(&self) -> Option<Box<dyn Learner>> {
        let learner = TdLearner::new(self.td(), self.run.seed)?;
        Some(Box::new(IwokiLearner(learner)))
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        let learner = TdLearner::resume(self.td(), values, progress)?;
        Some(Box::new(IwokiLearner(learner)))
    }

    fn columns(&self) -> Vec<String> {
        ["greedy_percent", "greedy_margin"].map(Into::into).into()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        weights_text(checkpoint)
    }

    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        let kind = ModelKind::Network {
            inputs: FEATURES as u16,
            hidden: self.hidden as u16,
        };
        Some((kind, &checkpoint.name))
    }

    fn report(&self, run: &Run) -> [String; 2] {
        let mut text = String::from(
            "| belt | games | score against greedy | largest error | moves changed by rounding |\n\
             |---|---:|---:|---:|---:|\n",
        );
        for Checkpoint { name, age, values } in &run.checkpoints {
            let Ok((_, proof)) = certify_iwoki(values, self.hidden, Belt::from_name(name)) else {
                continue;
            };
            let _ = writeln!(
                text,
                "| {name} | {age} | {:.3} | {:.5} | {} of {} |",
                proof.score("greedy"),
                proof.largest_error,
                proof.changed_moves,
                proof.choices
            );
        }
        text += "\n`log.csv` has the curve.\n";
        ["iwoki".into(), text]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let (score, margin) = (run.last(0), run.last(1));
        let figures = vec![
            ("greedy", (score / 100.0).into()),
            ("margin", margin.into()),
        ];
        let text = format!("{score:.1} % against greedy, {margin:+.2} points");
        (figures, text)
    }
}

/// The learner and its figures: the score against the greedy player and its mean margin, over a few
/// games.
struct IwokiLearner(TdLearner);

impl Learner for IwokiLearner {
    fn play(&mut self, games: u32) {
        (0..games).for_each(|_| play_game(&mut self.0));
    }

    fn values(&self) -> Vec<f64> {
        self.0.network().weights().to_vec()
    }

    fn progress(&self) -> Progress {
        self.0.progress().clone()
    }

    fn figures(&self) -> Vec<f64> {
        let hidden = self.0.network().hidden();
        let (score, margin) = stored(self.0.network().weights(), hidden)
            .map_or((0.0, 0.0), |(_, bytes)| {
                against_greedy(hidden, &bytes, LOG_GAMES)
            });
        vec![100.0 * score, margin]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_keeps_all_belts_and_can_be_certified() {
        let curriculum = |games, rate| {
            let overrides = Overrides {
                games: Some(games),
                rate,
                ..Overrides::default()
            };
            IwokiTraining::new("perceptron", 0, &overrides)
        };
        assert!(curriculum(1_000, None).is_err());
        assert!(curriculum(1_001, Some(f64::NAN)).is_err());
        let curriculum = curriculum(1_001, None).unwrap();
        // A few games are enough to see that a learner goes on; the whole run takes minutes.
        let mut learner = curriculum.learner().unwrap();
        learner.play(20);
        let again = curriculum
            .resume(&learner.values(), learner.progress())
            .unwrap();
        assert_eq!((again.games(), again.values()), (20, learner.values()));
        let (_, proof) = certify_iwoki(&learner.values(), 0, Some(Belt::White)).unwrap();
        assert!(proof.largest_error < 0.02, "{proof:?}");
    }
}

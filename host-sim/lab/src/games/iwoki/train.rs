//! Training iwoki: a network learns by self-play, with checkpoints at five ages.

use std::fmt::Write as _;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::players::{MOST_HIDDEN, WEIGHT_SCALE};
use dojo_core::games::iwoki::{Action, FEATURES};
use dojo_core::learn::Progress;
use dojo_core::players::{Agent, Random};
use dojo_core::rng::Rng;

use super::certify::{against_greedy, certify_iwoki, stored};
use super::learner::{LAMBDA, play_game, td_settings};
use super::table::{Manner, QLearner, table_text};
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
    Preset {
        name: "table",
        about: "the published Q-table, a new deal every game; not for a bank",
        curriculum: |overrides| TableTraining::new("table", false, overrides),
    },
    Preset {
        name: "table-same-deal",
        about: "the published Q-table, the same deal every game; not for a bank",
        curriculum: |overrides| TableTraining::new("table-same-deal", true, overrides),
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

/// The published Q-table: 100,000 games against the random player.
struct TableTraining {
    run: RunSettings,
    same_deal: bool,
}

/// The name of its only checkpoint.
const TABLE: &str = "table";
/// Lines of its log: few, because the table is large and is written at each of them.
const TABLE_LOG_LINES: u32 = 10;

impl TableTraining {
    #[expect(clippy::new_ret_no_self, reason = "presets make curricula of any game")]
    fn new(
        preset: &'static str,
        same_deal: bool,
        overrides: &Overrides,
    ) -> Result<Box<dyn Curriculum>, Failure> {
        overrides.refuse_all(Iwoki::NAME)?;
        let run = overrides.run(preset, 1, 100_000);
        if run.games == 0 {
            return Err(Failure::usage("--games 0: a table needs a game"));
        }
        Ok(Box::new(TableTraining { run, same_deal }))
    }

    fn start(&self, table: QLearner, progress: Progress) -> Box<dyn Learner> {
        let manner = Manner {
            explore: true,
            published: true,
            deal: self.same_deal.then_some(self.run.seed),
        };
        Box::new(TableLearner {
            table,
            manner,
            progress,
        })
    }
}

/// Keys and values of a table as numbers: both halves of a key, then the value.
fn flat(entries: &[(u64, f32)]) -> Vec<f64> {
    let numbers = |&(key, value): &(u64, f32)| {
        [(key >> 32) as u32, key as u32]
            .map(f64::from)
            .into_iter()
            .chain([f64::from(value)])
    };
    entries.iter().flat_map(numbers).collect()
}

/// The table of [`flat`] numbers; `None` if they are none.
fn entries(numbers: &[f64]) -> Option<Vec<(u64, f32)>> {
    let half = |number: f64| (f64::from(number as u32) == number).then_some(number as u32);
    let entry = |numbers: &[f64]| match *numbers {
        [high, low, value] => {
            let key = u64::from(half(high)?) << 32 | u64::from(half(low)?);
            Some((key, value as f32))
        }
        _ => None,
    };
    numbers.chunks(3).map(entry).collect()
}

impl Curriculum for TableTraining {
    fn game(&self) -> &'static str {
        Iwoki::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn describe(&self) -> [String; 2] {
        let deals = match self.same_deal {
            true => "the deal of the seed every game",
            false => "a new deal every game",
        };
        [
            format!(
                "game {} normal form, {deals}, against random\n\
                 learner the published Q-table: softmax, turn lost after a draw, leftovers subtracted twice\n",
                Iwoki::NAME
            ),
            String::new(),
        ]
    }

    fn checkpoints(&self) -> Vec<(String, u32)> {
        vec![(TABLE.into(), self.run.games)]
    }

    fn log_every(&self) -> u32 {
        (self.run.games / TABLE_LOG_LINES).max(1)
    }

    fn learner(&self) -> Option<Box<dyn Learner>> {
        let progress = Progress {
            games: 0,
            explore: 0,
            rng: Rng::new(self.run.seed),
        };
        Some(self.start(QLearner::default(), progress))
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        Some(self.start(QLearner::of(entries(values)?), progress))
    }

    fn columns(&self) -> Vec<String> {
        ["random_percent", "random_margin", "thousand_values"]
            .map(Into::into)
            .into()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        table_text(entries(&checkpoint.values).unwrap_or_default())
    }

    fn model<'a>(&self, _: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        None
    }

    fn report(&self, run: &Run) -> [String; 2] {
        let text = format!(
            "{} values. `checkpoints/{TABLE}.txt` is a player: `dojo arena iwoki \
             table:checkpoints/{TABLE}.txt random`. `log.csv` has the curve: games won against random and the \
             mean difference, {LOG_GAMES} games a line.\n",
            1000.0 * run.last(2)
        );
        ["iwoki, the published table".into(), text]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let (score, values) = (run.last(0), 1000.0 * run.last(2));
        let figures = vec![
            ("random", (score / 100.0).into()),
            ("values", values.into()),
        ];
        let text = format!("{values} values, {score:.1} % of games won against random");
        (figures, text)
    }
}

struct TableLearner {
    table: QLearner,
    manner: Manner,
    progress: Progress,
}

fn random(game: &Iwoki, rng: &mut Rng) -> Option<Action> {
    Random.choose(game, rng)
}

impl Learner for TableLearner {
    fn play(&mut self, games: u32) {
        for _ in 0..games {
            self.table.play(self.manner, random, &mut self.progress.rng);
        }
        self.progress.games += games;
    }

    fn values(&self) -> Vec<f64> {
        flat(&self.table.entries())
    }

    fn progress(&self) -> Progress {
        self.progress.clone()
    }

    /// A copy plays, so that the run does not depend on its log.
    fn figures(&self) -> Vec<f64> {
        let (mut table, mut rng) = (self.table.clone(), Rng::new(1));
        let manner = Manner {
            explore: false,
            ..self.manner
        };
        let (mut wins, mut margin) = (0, 0.0);
        for _ in 0..LOG_GAMES {
            let played = table.play(manner, random, &mut rng);
            wins += u32::from(played.margin > 0);
            margin += f64::from(played.margin);
        }
        let games = f64::from(LOG_GAMES);
        vec![
            100.0 * f64::from(wins) / games,
            margin / games,
            self.table.len() as f64 / 1000.0,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_goes_on_to_the_same_bits_and_its_file_is_a_table() {
        let overrides = Overrides {
            games: Some(40),
            ..Overrides::default()
        };
        for same_deal in [true, false] {
            let curriculum = TableTraining::new("table", same_deal, &overrides).unwrap();
            crate::train::check_resumption(&*curriculum, 17);
            let run = crate::train::train(&*curriculum, |_| {}).unwrap();
            let text = curriculum.checkpoint(&run.checkpoints[0]);
            let table = QLearner::parse(&text).unwrap();
            assert_eq!(flat(&table.entries()), run.checkpoints[0].values);
            assert!(table.len() > 100, "{}", table.len());
        }
    }

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

//! Training iwoki: a network learns by self-play, with checkpoints at five ages.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::players::{MOST_HIDDEN, WEIGHT_SCALE};
use dojo_core::learn::Progress;

use crate::certify::{IwokiCertificate, certify_iwoki, quantise_weights};
use crate::failure::{Done, Failure};
use crate::games::iwoki::learner::{SCALES, play_game};
use crate::network::{Float, Learner, Settings};
use crate::train::{Course, Folder, Kept, Run, Schedule, weights_text};

/// A named choice of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Preset {
    /// What ships: a network with one hidden layer
    Shipped,
    /// One layer: quicker to learn and to ask, and weaker
    Perceptron,
}

impl Preset {
    fn name(self) -> &'static str {
        match self {
            Preset::Shipped => "shipped",
            Preset::Perceptron => "perceptron",
        }
    }

    fn hidden(self) -> usize {
        match self {
            Preset::Shipped => MOST_HIDDEN,
            Preset::Perceptron => 0,
        }
    }
}

/// Everything that decides how a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Where the settings come from.
    pub preset: Preset,
    /// All chance comes from this number.
    pub seed: u64,
    /// Games of self-play; black is what comes out at the end.
    pub games: u32,
    /// Learning rate at the start.
    pub rate: f64,
    /// Percent of random actions.
    pub explore: u32,
    /// The day that the models will carry, as yyyymmdd.
    pub date: u32,
}

/// What ships.
pub const SHIPPED: Plan = Plan {
    preset: Preset::Shipped,
    seed: 1,
    games: 30_000,
    rate: 0.02,
    explore: 10,
    date: 20_261_116,
};

/// Games after which the lower belts stop learning.
const AGES: [u32; 4] = [10, 50, 100, 1_000];

/// How much of the target is what came later in the game.
const LAMBDA: f64 = 0.8;
/// Lines of the log, about.
const LOG_LINES: u32 = 30;

impl Plan {
    /// Refuses a run that ends before the fourth belt does, and rates that make no sense.
    pub fn check(&self) -> Done {
        if self.games <= AGES[3] {
            return Err(Failure::Usage(format!(
                "--games {}: belts stop at {AGES:?} games, black later",
                self.games
            )));
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) || self.explore > 100 {
            return Err(Failure::Usage(
                "--rate is above 0 and at most 1, --explore at most 100 percent".into(),
            ));
        }
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings {
            hidden: self.preset.hidden(),
            rate: self.rate,
            lambda: LAMBDA,
            explore: f64::from(self.explore) / 100.0,
            games: self.games,
        }
    }

    /// When what happens.
    pub fn schedule(&self) -> Schedule {
        let ages = AGES.into_iter().chain([self.games]);
        let ages = Belt::ALL
            .into_iter()
            .zip(ages)
            .map(|(belt, age)| (belt.name().into(), age))
            .collect();
        Schedule {
            games: self.games,
            log_every: (self.games / LOG_LINES).max(1),
            ages,
        }
    }

    /// All settings as text; the checksum of this text stands in the bank.
    pub fn text(&self) -> String {
        let Plan {
            preset,
            seed,
            games,
            rate,
            explore,
            date,
        } = self;
        let ages: Vec<_> = self
            .schedule()
            .ages
            .iter()
            .map(|(name, age)| format!("{name} {age}"))
            .collect();
        format!(
            "game {} normal form, a new deal every game\nlearner network of {} inputs and {} hidden units, 64-bit, \
             TD({LAMBDA}) on results, one turn ahead\npreset {}\nseed {seed}\ngames {games}\n\
             rate {rate} falling to a tenth\nexplore {explore} percent\nkept {}\n\
             stored two bytes a weight, {WEIGHT_SCALE} is 1\ndate {date}\n",
            Iwoki::NAME,
            SCALES.len(),
            preset.hidden(),
            preset.name(),
            ages.join(", "),
        )
    }

    /// The command that repeats this run.
    fn command(&self) -> String {
        let Plan {
            preset,
            seed,
            games,
            rate,
            explore,
            date,
        } = self;
        let (name, preset) = (Iwoki::NAME, preset.name());
        format!(
            "dojo train {name} --preset {preset} --seed {seed} --games {games} --rate {rate} --explore {explore} \
             --date {date}"
        )
    }
}

/// The learner and its figures: the score against the greedy player and its mean margin, over a few games.
pub struct IwokiCourse(Learner);

/// The columns of the log.
pub const COLUMNS: [&str; 2] = ["greedy_percent", "greedy_margin"];

/// Games of a line of the log.
const LOG_GAMES: u32 = 40;

impl IwokiCourse {
    /// A course at its beginning.
    pub fn new(plan: &Plan) -> Option<IwokiCourse> {
        Learner::new(SCALES.len(), plan.settings(), plan.seed).map(IwokiCourse)
    }

    /// A course that goes on.
    pub fn resume(plan: &Plan, values: &[f64], progress: Progress) -> Option<IwokiCourse> {
        Learner::resume(SCALES.len(), plan.settings(), values, progress).map(IwokiCourse)
    }
}

impl Course for IwokiCourse {
    fn games(&self) -> u32 {
        self.0.progress().games
    }

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
        let network = device(self.0.network());
        let (score, margin) = crate::certify::against_greedy(
            network.hidden(),
            &quantise_weights(network.weights(), WEIGHT_SCALE),
            LOG_GAMES,
        );
        vec![100.0 * score, margin]
    }
}

/// The network as the device has it: for features that are not divided by their scales.
fn device(network: &Float) -> Float {
    network.unscaled(&SCALES)
}

/// The network that checkpointed values stand for, as the device has it.
pub fn network(values: &[f64]) -> Option<Float> {
    let hidden = if values.len() == SCALES.len() {
        0
    } else {
        values.len() / (SCALES.len() + 1)
    };
    Some(device(&Float::new(SCALES.len(), hidden, values.to_vec())?))
}

/// What is measured about values as they will be stored.
pub fn certificate(values: &[f64], belt: Option<Belt>) -> Result<IwokiCertificate, String> {
    let network = network(values).ok_or("no network has so many weights")?;
    certify_iwoki(
        &network,
        &quantise_weights(network.weights(), WEIGHT_SCALE),
        belt,
    )
}

/// Writes the folder of a run: settings, log, checkpoints, manifest for `dojo bank pack`, report.
pub fn write(folder: &Path, plan: &Plan, run: &Run, force: bool) -> Done {
    let checkpoints = run
        .kept
        .iter()
        .map(|kept| (kept.name.clone(), weights_text(kept)))
        .collect();
    let (manifest, report) = (manifest(plan, run), report(plan, run));
    Folder {
        settings: &plan.text(),
        log: run.csv(&COLUMNS),
        checkpoints,
        manifest,
        report,
    }
    .write(folder, force)
}

fn manifest(plan: &Plan, run: &Run) -> String {
    let again = if *plan == SHIPPED {
        "cargo xtask models".into()
    } else {
        plan.command() + ", then dojo bank pack"
    };
    let name = Iwoki::NAME;
    let mut text = format!(
        "# dojo bank pack reads this\nregenerate {again}\ngame {name}\nseed {}\ndate {}\nsettings settings.txt\n",
        plan.seed, plan.date
    );
    for Kept {
        name: belt, age, ..
    } in &run.kept
    {
        let _ = write!(
            text,
            "\nmodel {name}-{belt}\nbelt {belt}\ngames {age}\nvalues checkpoints/{belt}.txt\n"
        );
    }
    text
}

fn report(plan: &Plan, run: &Run) -> String {
    let mut text = format!("# Training run: iwoki\n\n    {}\n\n", plan.command());
    let _ = writeln!(
        text,
        "| belt | games | score against greedy | largest error | moves changed by rounding |"
    );
    let _ = writeln!(text, "|---|---:|---:|---:|---:|");
    for Kept { name, age, values } in &run.kept {
        let Ok(proof) = certificate(values, Belt::from_name(name)) else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {name} | {age} | {:.3} | {:.5} | {} of {} |",
            proof.score_greedy, proof.largest_error, proof.changed_moves, proof.positions
        );
    }
    let _ = writeln!(text, "\n`log.csv` has the curve.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_run_keeps_all_belts_and_can_be_certified() {
        let plan = Plan {
            preset: Preset::Perceptron,
            games: 1_001,
            ..SHIPPED
        };
        plan.check().unwrap();
        assert!(
            Plan {
                games: 1_000,
                ..plan
            }
            .check()
            .is_err()
        );
        assert!(
            Plan {
                rate: f64::NAN,
                ..plan
            }
            .check()
            .is_err()
        );
        // A few games are enough to see that a course goes on; the whole run takes minutes.
        let mut course = IwokiCourse::new(&plan).unwrap();
        course.play(20);
        let again = IwokiCourse::resume(&plan, &course.values(), course.progress()).unwrap();
        assert_eq!((again.games(), again.values()), (20, course.values()));
        let proof = certificate(&course.values(), Some(Belt::White)).unwrap();
        assert!(proof.largest_error < 0.02, "{proof:?}");
    }
}

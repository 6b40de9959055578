//! Training a network for dots and boxes on boards that no table is large enough for.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::dots::FEATURES;
use dojo_core::games::dots::learned::{HIDDEN, WEIGHT_SCALE};
use dojo_core::games::{Dots, DotsRules};
use dojo_core::learn::Progress;

use crate::certify::{NetworkCertificate, against_smart, certify_dots_network, quantise_weights};
use crate::failure::{Done, Failure};
use crate::games::dots::learner::{SCALES, play_game};
use crate::network::{Float, Learner, Settings};
use crate::train::{Course, Folder, Run, Schedule, weights_text};

/// Everything that decides how a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The only board that it learns on; `None` for 4×4 and 5×5, one after the other.
    pub board: Option<DotsRules>,
    /// All chance comes from this number.
    pub seed: u64,
    /// Games of self-play.
    pub games: u32,
    /// Learning rate at the start.
    pub rate: f64,
    /// Percent of random edges.
    pub explore: u32,
    /// The day that the model will carry, as yyyymmdd.
    pub date: u32,
}

/// The name of the preset.
pub const PRESET: &str = "network";

/// What ships.
pub const SHIPPED: Plan = Plan {
    board: None,
    seed: 1,
    games: 6_000,
    rate: 0.003,
    explore: 10,
    date: 20_261_116,
};

/// A checkpoint for the test that repeats the beginning of the run that ships.
const YOUNG: (&str, u32) = ("young", 60);
/// How much of the target is what came later in the game.
const LAMBDA: f64 = 0.8;
/// Lines of the log, about.
const LOG_LINES: u32 = 12;
/// Games of a figure in the log.
const LOG_GAMES: u32 = 100;

impl Plan {
    /// Refuses boards for which there are tables, runs without games, and rates that make no sense.
    pub fn check(&self) -> Done {
        let fail = |what: String| Err(Failure::Usage(what));
        if let Some(board) = self
            .board
            .filter(|board| board.misere || board.all_edges().count_ones() <= 24)
        {
            return fail(format!(
                "the network is for boards of more than 24 edges that are not misère, not for {board}"
            ));
        }
        if self.games <= YOUNG.1 {
            return fail(format!(
                "--games {}: expected more than {}",
                self.games, YOUNG.1
            ));
        }
        if !(self.rate > 0.0 && self.rate <= 1.0) || self.explore > 100 {
            return fail("--rate is above 0 and at most 1, --explore at most 100 percent".into());
        }
        Ok(())
    }

    /// The boards that it learns on.
    pub fn boards(&self) -> Vec<DotsRules> {
        match self.board {
            Some(board) => vec![board],
            None => BOARDS
                .into_iter()
                .flat_map(|side| DotsRules::new(side, side))
                .collect(),
        }
    }

    /// How it learns.
    pub fn settings(&self) -> Settings {
        Settings {
            hidden: HIDDEN,
            rate: self.rate,
            lambda: LAMBDA,
            explore: f64::from(self.explore) / 100.0,
            games: self.games,
        }
    }

    /// When what happens.
    pub fn schedule(&self) -> Schedule {
        let ages = [
            (YOUNG.0.into(), YOUNG.1),
            (Belt::Black.name().into(), self.games),
        ]
        .into();
        Schedule {
            games: self.games,
            log_every: (self.games / LOG_LINES).max(1),
            ages,
        }
    }

    /// All settings as text; the checksum of this text stands in the bank.
    pub fn text(&self) -> String {
        let Plan {
            seed,
            games,
            rate,
            explore,
            date,
            ..
        } = self;
        let boards: Vec<_> = self
            .boards()
            .iter()
            .map(|board| format!("boards {board}\n"))
            .collect();
        format!(
            "game {}\n{}learner network of {FEATURES} inputs and {HIDDEN} hidden units, 64-bit, TD({LAMBDA}) on results, one \
             edge ahead, until the rules of chains show the end\npreset {PRESET}\nseed {seed}\ngames {games}\n\
             rate {rate} falling to a tenth\nexplore {explore} percent\n\
             stored two bytes a weight, {WEIGHT_SCALE} is 1\ndate {date}\n",
            Dots::NAME,
            boards.concat(),
        )
    }

    /// The command that repeats this run.
    fn command(&self) -> String {
        let Plan {
            board,
            seed,
            games,
            rate,
            explore,
            date,
        } = self;
        let size = board.map_or(String::new(), |board| {
            let ties = board.to_string();
            let words: Vec<_> = ties
                .split(' ')
                .take(2)
                .filter_map(|word| word.split_once('='))
                .collect();
            words
                .iter()
                .map(|(key, value)| format!(" --{key} {value}"))
                .collect()
        });
        format!(
            "dojo train dots --preset {PRESET}{size} --seed {seed} --games {games} --rate {rate} --explore {explore} \
             --date {date}"
        )
    }

    /// The columns of the log: the score against smart on each board.
    pub fn columns(&self) -> Vec<String> {
        self.boards()
            .iter()
            .map(|board| format!("smart_{}x{}_percent", board.rows(), board.cols()))
            .collect()
    }
}

/// The square boards that it learns on if it is not told otherwise.
pub const BOARDS: [u8; 2] = [4, 5];

/// The learner and its figures: the score against smart on each board, one edge ahead.
pub struct NetworkCourse {
    learner: Learner,
    boards: Vec<DotsRules>,
}

impl NetworkCourse {
    /// A course at its beginning.
    pub fn new(plan: &Plan) -> Option<NetworkCourse> {
        Some(NetworkCourse {
            learner: Learner::new(FEATURES, plan.settings(), plan.seed)?,
            boards: plan.boards(),
        })
    }

    /// A course that goes on.
    pub fn resume(plan: &Plan, values: &[f64], progress: Progress) -> Option<NetworkCourse> {
        let learner = Learner::resume(FEATURES, plan.settings(), values, progress)?;
        Some(NetworkCourse {
            learner,
            boards: plan.boards(),
        })
    }

    /// The weights as a bank keeps them.
    pub fn payload(&self) -> Vec<u8> {
        quantise_weights(device(self.learner.network()).weights(), WEIGHT_SCALE)
    }
}

impl Course for NetworkCourse {
    fn games(&self) -> u32 {
        self.learner.progress().games
    }

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

/// The network as the device has it: for features that are not divided by their scales.
fn device(network: &Float) -> Float {
    network.unscaled(&SCALES)
}

/// The network that checkpointed values stand for, as the device has it.
pub fn network(values: &[f64]) -> Option<Float> {
    Some(device(&Float::new(FEATURES, HIDDEN, values.to_vec())?))
}

/// What is measured about values as they will be stored.
pub fn certificate(values: &[f64]) -> Result<NetworkCertificate, String> {
    let network = network(values).ok_or("no network has so many weights")?;
    certify_dots_network(&network, &quantise_weights(network.weights(), WEIGHT_SCALE))
}

/// Writes the folder of a run: settings, log, checkpoints, manifest for `dojo bank pack`, report.
pub fn write(folder: &Path, plan: &Plan, run: &Run, force: bool) -> Done {
    let checkpoints = run
        .kept
        .iter()
        .map(|kept| (kept.name.clone(), weights_text(kept)))
        .collect();
    let columns = plan.columns();
    let columns: Vec<_> = columns.iter().map(String::as_str).collect();
    let (manifest, report) = (manifest(plan), report(plan, run));
    Folder {
        settings: &plan.text(),
        log: run.csv(&columns),
        checkpoints,
        manifest,
        report,
    }
    .write(folder, force)
}

fn manifest(plan: &Plan) -> String {
    let again = if *plan == SHIPPED {
        "cargo xtask models".into()
    } else {
        plan.command() + ", then dojo bank pack"
    };
    let (name, black) = (Dots::NAME, Belt::Black.name());
    format!(
        "# dojo bank pack reads this\nregenerate {again}\ngame {name}\nseed {}\ndate {}\nsettings settings.txt\n\n\
         model {name}-network\nbelt {black}\ngames {}\nvalues checkpoints/{black}.txt\n",
        plan.seed, plan.date, plan.games
    )
}

fn report(plan: &Plan, run: &Run) -> String {
    let mut text = format!(
        "# Training run: dots and boxes on large boards\n\n    {}\n\n",
        plan.command()
    );
    let _ = writeln!(
        text,
        "| kept | games | against random | against smart | largest error | moves changed by rounding |"
    );
    let _ = writeln!(text, "|---|---:|---:|---:|---:|---:|");
    for kept in &run.kept {
        let Ok(proof) = certificate(&kept.values) else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {} | {} | {:.3} | {:.3} | {:.5} | {} of {} |",
            kept.name,
            kept.age,
            proof.score_random,
            proof.score_smart,
            proof.largest_error,
            proof.changed_moves,
            proof.choices
        );
    }
    let _ = writeln!(
        text,
        "\nScores are those of the network alone, one edge ahead. `log.csv` has the curve."
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plans_that_make_no_sense_are_refused() {
        SHIPPED.check().unwrap();
        for odd in [
            Plan {
                board: DotsRules::new(3, 3),
                ..SHIPPED
            },
            Plan {
                games: YOUNG.1,
                ..SHIPPED
            },
            Plan {
                rate: f64::NAN,
                ..SHIPPED
            },
            Plan {
                explore: 101,
                ..SHIPPED
            },
        ] {
            assert!(odd.check().is_err(), "{odd:?}");
        }
    }

    #[test]
    fn stopping_changes_nothing() {
        let folder = std::env::temp_dir().join(format!("dojo-network-{}", std::process::id()));
        let plan = Plan {
            games: YOUNG.1 + 2,
            board: DotsRules::new(3, 4),
            ..SHIPPED
        };
        let (settings, schedule) = (plan.text(), plan.schedule());
        let keep =
            |run: &Run, course: &dyn Course| crate::train::pause(&folder, &settings, run, course);
        let whole = |stop| {
            let mut run = Run::default();
            run.go_on(
                &mut NetworkCourse::new(&plan).unwrap(),
                &schedule,
                stop,
                |_| {},
                keep,
            )
            .unwrap();
            run
        };
        let unbroken = whole(u32::MAX);
        whole(7);
        let (values, progress, mut run) = crate::train::resume(&folder, &settings).unwrap();
        assert_eq!(progress.games, 7);
        let mut course = NetworkCourse::resume(&plan, &values, progress).unwrap();
        run.go_on(&mut course, &schedule, u32::MAX, |_| {}, keep)
            .unwrap();
        assert!(run == unbroken);
        assert!(NetworkCourse::resume(&plan, &values[1..], course.progress()).is_none());
        std::fs::remove_dir_all(folder).unwrap();
    }
}

//! Training 15 sticks: self-play from nothing, with `dojo_core::learn::ValueLearner`, checkpoints
//! at five ages.

use std::fmt::Write as _;

use dojo_core::belt::Belt;
use dojo_core::game::Game;
use dojo_core::games::Sticks;
use dojo_core::learn::{Progress, ValueLearner, ValueSettings};

use super::certify::{SticksCertificate, certify_sticks};
use crate::bank::manifest::ModelKind;
use crate::certify::quantise;
use crate::train::{Checkpoint, Curriculum, Learner, Preset, Run, RunSettings};

/// States of the classic game, the empty board among them.
pub const STATES: usize = 192;

/// The presets of this game.
pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "shipped",
        about: "exploration fades out, so that the values settle",
        curriculum: |overrides| {
            overrides.refuse_all(Sticks::NAME)?;
            // 357 is no lucky find: of the seeds 1 to 357, all but eight end in an exact table (see
            // `docs/belts.md`).
            SticksTraining::new(overrides.run("shipped", 357, 30_000), FADE)
        },
    },
    Preset {
        name: "constant",
        about: "exploration stays at 15 %: the values keep moving, few states become sure",
        curriculum: |overrides| {
            overrides.refuse_all(Sticks::NAME)?;
            SticksTraining::new(overrides.run("constant", 357, 30_000), 0.0)
        },
    },
];

/// Games after which the lower belts stop learning.
const AGES: [u32; 4] = [10, 100, 600, 2_500];
/// Learning rate α.
const RATE: f64 = 0.05;
/// Chance ε of a random move in the first game.
const EXPLORE: f64 = 0.15;
/// Over a run ε falls to e⁻⁶ of its first value.
const FADE: f64 = 6.0;
/// Lines of the log, about.
const LOG_LINES: u32 = 60;

struct SticksTraining {
    run: RunSettings,
    /// Over the run ε falls to e to the minus this.
    fade: f64,
}

impl SticksTraining {
    #[expect(clippy::new_ret_no_self, reason = "presets make curricula of any game")]
    fn new(run: RunSettings, fade: f64) -> Result<Box<dyn Curriculum>, crate::failure::Failure> {
        run.check_belts(AGES)?;
        Ok(Box::new(SticksTraining { run, fade }))
    }

    fn settings(&self) -> ValueSettings {
        ValueSettings {
            rate: (RATE * 65_536.0).round() as u16,
            explore: (EXPLORE * 4_294_967_296.0).round() as u32,
            decay: (self.fade / f64::from(self.run.games) * 4_294_967_296.0).round() as u32,
            scatter: 0,
        }
    }
}

impl Curriculum for SticksTraining {
    fn game(&self) -> &'static str {
        Sticks::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn describe(&self) -> [String; 2] {
        let ValueSettings {
            rate,
            explore,
            decay,
            scatter,
        } = self.settings();
        let ages: Vec<_> = self
            .checkpoints()
            .iter()
            .map(|(_, age)| age.to_string())
            .collect();
        [
            format!(
                "game {} {}\nlearner value table of 64-bit fractions, temporal differences, one table for both sides\n",
                Sticks::NAME,
                Sticks::new(Default::default()).rules()
            ),
            format!(
                "rate {rate}/65536 ({RATE})\nexplore {explore}/4294967296 ({EXPLORE})\n\
                 decay {decay}/4294967296 a game (fades by e^-{})\nscatter {scatter}/4294967296\n\
                 belts after {} games\nstored one byte a state, 255 is 1\n",
                self.fade,
                ages.join(" ")
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
        Some(Box::new(ValueLearner::<f64, STATES>::new(
            self.settings(),
            self.run.seed,
        )))
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        let table: [f64; STATES] = values.try_into().ok()?;
        Some(Box::new(ValueLearner::resume(
            self.settings(),
            [table],
            progress,
        )))
    }

    /// The share of the states that can be left whose value is at most 0.1 or at least 0.9, and the
    /// share of the won states from which the table, rounded to bytes, wins against every reply; in
    /// percent.
    fn columns(&self) -> Vec<String> {
        ["sure_percent", "correct_percent"].map(Into::into).into()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        self::checkpoint(checkpoint)
    }

    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        Some((ModelKind::ValueTable, &checkpoint.name))
    }

    fn report(&self, run: &Run) -> [String; 2] {
        ["15 sticks".into(), report(run)]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let black = run.checkpoints.last();
        let exact =
            black.is_some_and(|black| certificate(&black.values, Some(Belt::Black)).is_ok());
        let (sure, correct) = (run.last(0), run.last(1));
        let verdict = if exact {
            "it gives no win away"
        } else {
            "it gives wins away"
        };
        let figures = vec![
            ("sure", (sure / 100.0).into()),
            ("correct", (correct / 100.0).into()),
            ("exact", exact.into()),
        ];
        let text = format!(
            "{sure:.1} % of the states are sure, {correct:.1} % of the won states are won; {verdict}"
        );
        (figures, text)
    }
}

impl Learner for ValueLearner<f64, STATES> {
    fn play(&mut self, games: u32) {
        let start = Sticks::new(Default::default());
        for _ in 0..games {
            self.play_game(start, |game, _| *game);
        }
    }

    fn values(&self) -> Vec<f64> {
        self.table().to_vec()
    }

    fn progress(&self) -> Progress {
        ValueLearner::progress(self).clone()
    }

    fn figures(&self) -> Vec<f64> {
        let table = self.table();
        // The first position is never left to an opponent, so its value has no meaning.
        let left = &table[..STATES - 1];
        let sure = left
            .iter()
            .filter(|&&value| !(0.1..=0.9).contains(&value) || value == 0.1 || value == 0.9)
            .count();
        let correct = certificate(table, None).map_or(0.0, |proof| {
            proof.kept_wins as f64 / proof.won_states as f64
        });
        vec![100.0 * sure as f64 / left.len() as f64, 100.0 * correct]
    }
}

/// The certificate of values as they will be stored.
pub fn certificate(values: &[f64], belt: Option<Belt>) -> Result<SticksCertificate, String> {
    let bytes = quantise(values).ok_or("a value is not between 0 and 1")?;
    certify_sticks(values, &bytes, belt)
}

/// Values as the shortest text that reads back to the same bits.
fn checkpoint(Checkpoint { age, values, .. }: &Checkpoint) -> String {
    let mut text =
        format!("# how good it is to leave each state, after {age} games: row counts, value\n");
    let start = Sticks::new(Default::default());
    let [_, b, c] = start.rules().rows().map(|row| usize::from(row) + 1);
    for (state, value) in values.iter().enumerate() {
        let _ = writeln!(
            text,
            "{}-{}-{} {value}",
            state / (b * c),
            state / c % b,
            state % c
        );
    }
    text
}

fn report(run: &Run) -> String {
    let mut text = String::from(
        "| belt | games | wins kept, of 167 | score against random | moves changed by rounding |\n\
         |---|---:|---:|---:|---:|\n",
    );
    for Checkpoint { name, age, values } in &run.checkpoints {
        let belt = Belt::from_name(name);
        // Without a belt nothing is refused: the report shows the numbers of a refused black, too.
        let Ok(proof) = certificate(values, None) else {
            continue;
        };
        // The score includes the belt's slips.
        let score =
            certificate(values, belt).map_or(proof.score_random, |proof| proof.score_random);
        let _ = writeln!(
            text,
            "| {name} | {age} | {} | {score:.3} | {} |",
            proof.kept_wins, proof.changed_moves
        );
    }
    if let Some(last) = run.log.last() {
        let _ = writeln!(
            text,
            "\nAt the end {:.1} % of the states are sure. `log.csv` has the curve.",
            last.figures[0]
        );
    }
    let verdict = match run
        .checkpoints
        .last()
        .map(|kept| certificate(&kept.values, Belt::from_name(&kept.name)))
    {
        Some(Ok(_)) => "Black is exact: it wins from every won state against every reply.".into(),
        Some(Err(why)) => format!("No bank can be made of this run: {why}."),
        None => "No belt was reached.".into(),
    };
    let _ = writeln!(text, "\n{verdict}");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{Overrides, curriculum, train};
    use dojo_core::games::GameId;

    fn run(preset: &str, seed: Option<u64>, games: Option<u32>) -> Run {
        let overrides = Overrides {
            seed,
            games,
            ..Overrides::default()
        };
        train(
            &*curriculum(GameId::Sticks, preset, &overrides).unwrap(),
            |_| {},
        )
        .unwrap()
    }

    #[test]
    fn the_shipped_run_ends_sure_and_exact() {
        let run = run("shipped", None, None);
        let belts = run
            .checkpoints
            .iter()
            .map(|kept| Belt::from_name(&kept.name).unwrap());
        assert_eq!(belts.collect::<Vec<_>>(), Belt::ALL);
        let last = run.log.last().unwrap();
        assert_eq!((last.games, last.figures[1]), (30_000, 100.0));
        assert!(last.figures[0] > 80.0, "{last:?}");
        assert!(certificate(&run.checkpoints[4].values, Some(Belt::Black)).is_ok());
    }

    #[test]
    fn a_short_run_is_not_certified() {
        let run = run("shipped", None, Some(3_000));
        assert!(certificate(&run.checkpoints[4].values, Some(Belt::Black)).is_err());
        assert!(report(&run).contains("No bank can be made"));
    }

    #[test]
    fn without_fading_few_states_become_sure() {
        let run = run("constant", None, None);
        let last = run.log.last().unwrap();
        assert!(last.figures[0] < 50.0, "{last:?}");
    }

    #[test]
    fn another_seed_is_another_run() {
        let short = |seed| run("shipped", Some(seed), Some(2_501));
        assert_eq!(short(357), short(357));
        assert_ne!(short(357).checkpoints, short(1).checkpoints);
        let refused = Overrides {
            games: Some(2_500),
            ..Overrides::default()
        };
        assert!(curriculum(GameId::Sticks, "shipped", &refused).is_err());
    }
}

//! Training Go: temporal differences over the eight features as published, and a network that looks at the board, which is better.

use std::fmt::Write as _;
use std::path::Path;

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::CapturePlayer;
use dojo_core::games::go::vision::{CHANNELS, HIDDEN, LAYERS, PLANES};
use dojo_core::games::go::{FEATURE_NAMES, FEATURES, GoMove, RICH};
use dojo_core::learn::Progress;
use dojo_core::players::Agent;
use dojo_core::rng::Rng;

use crate::failure::{Done, Failure};
use crate::games::go::learner::{Learner, Reward, Settings, greedy, judged};
use crate::games::go::network::Network;
use crate::games::go::watcher::{self, Watcher};
use crate::train::{Course, Folder, Kept, Run, Schedule};

/// A named choice of settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Preset {
    /// The published perceptron: 8 weights from zero, TD(0), the published rates
    PublishedPerceptron,
    /// The published network with four hidden units: TD(0), rates from 0.1 down
    PublishedMlp,
    /// More inputs, normalised; margins as rewards, TD(λ)
    Better,
    /// A network that looks at the board, taught by the strong player's judgements
    Eyes,
}

/// How a preset learns.
#[derive(Clone, Debug, PartialEq)]
pub enum Method {
    /// Temporal differences, by playing against itself.
    Differences(Settings),
    /// Judgements, by watching.
    Watching(watcher::Settings),
}

impl Preset {
    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Preset::PublishedPerceptron => "published-perceptron",
            Preset::PublishedMlp => "published-mlp",
            Preset::Better => "better",
            Preset::Eyes => "eyes",
        }
    }

    /// The name of its model in a bank, without `go-`.
    pub fn model(self) -> &'static str {
        match self {
            Preset::PublishedPerceptron => "perceptron",
            Preset::PublishedMlp => "mlp",
            Preset::Better => "better",
            Preset::Eyes => "eyes",
        }
    }

    /// How it learns.
    pub fn method(self) -> Method {
        match self {
            Preset::PublishedPerceptron => Method::Differences(published_perceptron()),
            Preset::PublishedMlp => Method::Differences(published_mlp()),
            Preset::Better => Method::Differences(better()),
            Preset::Eyes => Method::Watching(watcher::Settings {
                games: WATCHED,
                playouts: 50,
                judged: [256, 40],
                opening: 7,
                slips: [0, 4, 8, 16],
                rounds: 10,
                rate: 0.004,
            }),
        }
    }
}

/// The published training of the perceptron.
pub fn published_perceptron() -> Settings {
    Settings {
        hidden: 0,
        rates: PERCEPTRON_RATES.to_vec(),
        inputs: FEATURES,
        scales: [1.0; RICH],
        reward: Reward::Result,
        lambda: 0.0,
        leaf: false,
        sampled: 0.5,
        temperature: 0.5,
        refresh: 200,
    }
}

/// The published training of the network with four hidden units.
pub fn published_mlp() -> Settings {
    Settings {
        hidden: 4,
        rates: MLP_RATES.to_vec(),
        ..published_perceptron()
    }
}

/// More inputs and everything that was thought to help: strong against weak players, weak against strong ones.
pub fn better() -> Settings {
    Settings {
        hidden: 12,
        inputs: RICH,
        rates: BETTER_RATES.to_vec(),
        scales: SCALES,
        reward: Reward::Margin(20.0),
        lambda: 0.7,
        sampled: 0.2,
        temperature: 0.1,
        ..published_perceptron()
    }
}

/// The published rates of the perceptron.
const PERCEPTRON_RATES: [(u32, f64); 5] = [
    (0, 0.001),
    (2_000, 0.0007),
    (4_000, 0.000_47),
    (5_000, 0.0003),
    (6_000, 0.0001),
];
/// "From 0.1 down" is all that is published. With the slope 1/10 of the output left out of the gradient that is 0.01; it falls as
/// the perceptron's do.
const MLP_RATES: [(u32, f64); 5] = [
    (0, 0.01),
    (2_000, 0.01 * 0.7),
    (4_000, 0.0047),
    (5_000, 0.003),
    (6_000, 0.001),
];
/// Ours.
const BETTER_RATES: [(u32, f64); 5] = [
    (0, 0.01),
    (1_000, 0.01 * 0.7),
    (2_000, 0.0047),
    (2_500, 0.003),
    (3_000, 0.001),
];
/// What each feature is divided by: about its spread in games, over ten, since activations divide by ten.
const SCALES: [f64; RICH] = [
    3.0, 3.0, 3.0, 0.6, 1.0, 3.0, 1.0, 0.8, 0.5, 0.5, 0.6, 0.6, 0.8, 0.8, 0.3, 0.3, 1.1, 8.1, 0.8,
];

/// Everything that decides how a run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// Where the settings come from.
    pub preset: Preset,
    /// All chance comes from this number.
    pub seed: u64,
    /// Games of self-play.
    pub games: u32,
    /// The day that the model will carry, as yyyymmdd.
    pub date: u32,
}

/// The published length of training.
const GAMES: u32 = 8_000;
/// Games that are watched.
const WATCHED: u32 = 7_000;
/// Games between two lines of the log, as published.
pub const LOG_EVERY: u32 = 200;
/// Games of each measurement.
const TEST_GAMES: u32 = 50;

impl Plan {
    /// The usual run of a preset.
    pub fn new(preset: Preset) -> Plan {
        let games = match preset {
            Preset::Better => GAMES / 2,
            Preset::Eyes => WATCHED,
            _ => GAMES,
        };
        Plan {
            preset,
            seed: 1,
            games,
            date: 20_261_116,
        }
    }

    /// Refuses what cannot be.
    pub fn check(&self) -> Done {
        if self.games == 0 {
            return Err(Failure::usage("--games 0: nothing to learn from"));
        }
        Ok(())
    }

    /// When what happens. Who only watches has nothing to show before the end.
    pub fn schedule(&self) -> Schedule {
        let log_every = if self.preset == Preset::Eyes {
            self.games
        } else {
            LOG_EVERY
        };
        Schedule {
            games: self.games,
            log_every,
            ages: vec![(self.preset.model().into(), self.games)],
        }
    }

    /// How it learns, with as many games.
    fn method(&self) -> Method {
        match self.preset.method() {
            Method::Watching(settings) => Method::Watching(watcher::Settings {
                games: self.games,
                ..settings
            }),
            method => method,
        }
    }

    /// All settings as text; the checksum of this text stands in the bank.
    pub fn text(&self) -> String {
        let Plan {
            preset,
            seed,
            games,
            date,
        } = self;
        let [learner, details] = self.method().texts();
        format!(
            "game {} {}\nlearner {learner}\npreset {}\nseed {seed}\ngames {games}\n{details}\ndate {date}\n",
            Go::NAME,
            Go::new(Default::default()).rules(),
            preset.name(),
        )
    }

    /// The command that repeats this run.
    fn command(&self) -> String {
        let Plan {
            preset,
            seed,
            games,
            date,
        } = self;
        format!(
            "dojo train {} --preset {} --seed {seed} --games {games} --date {date}",
            Go::NAME,
            preset.name()
        )
    }
}

impl Method {
    /// What learns, and how.
    fn texts(&self) -> [String; 2] {
        let listed = |rates: &[(u32, f64)]| {
            rates
                .iter()
                .map(|(from, rate)| format!("{rate} from {from}"))
                .collect::<Vec<_>>()
                .join(", ")
        };
        match self {
            Method::Differences(settings) => {
                let Settings {
                    hidden,
                    rates,
                    inputs,
                    scales,
                    reward,
                    lambda,
                    leaf,
                    sampled,
                    temperature,
                    refresh,
                } = settings;
                let leaf = if *leaf { " of leaves" } else { "" };
                let scales: Vec<_> = (0..*inputs)
                    .map(|n| format!("{}/{}", input_name(n), scales[n]))
                    .collect();
                let reward = match reward {
                    Reward::Result => "1 or -1".to_string(),
                    Reward::Margin(points) => format!("tanh of the margin over {points} points"),
                };
                [
                    format!(
                        "{inputs} inputs, {hidden} hidden units, tanh(x/10) without its slope 1/10 in the gradient, no bias"
                    ),
                    format!(
                        "rates {}\ninputs {}\nreward {reward}\nlambda {lambda}{leaf}\n\
                         sampled {sampled} of the moves at temperature {temperature}, the others greedy one move ahead\n\
                         opponent itself, refreshed every {refresh} games",
                        listed(rates),
                        scales.join(" "),
                    ),
                ]
            }
            Method::Watching(watcher::Settings {
                games: _,
                playouts,
                judged,
                opening,
                slips,
                rounds,
                rate,
            }) => [
                format!(
                    "{LAYERS} layers of {CHANNELS} channels over {PLANES} planes, each 3x3, their sums, {HIDDEN} hidden units"
                ),
                format!(
                    "rate {rate}, falling evenly to a fiftieth, Adam in steps of 32 positions, all of them {rounds} times\n\
                     target how sure {} playouts of Monte Carlo win, and whose each point is after {}\n\
                     positions up to three odd moves beside games of {playouts} playouts a move; at random are fewer than \
                     {opening} moves first, then odd {slips:?} of a hundred",
                    judged[0], judged[1],
                ),
            ],
        }
    }
}

/// The learner and its figures: wins in percent and mean score against the quick player.
pub enum GoCourse {
    /// Temporal differences.
    Differences(Box<Learner>),
    /// Watching.
    Watching(Watcher),
}

/// The columns of the log.
pub const COLUMNS: [&str; 2] = ["wins_percent", "mean_score"];

impl GoCourse {
    /// A course at its beginning.
    pub fn new(plan: &Plan) -> GoCourse {
        match plan.method() {
            Method::Differences(settings) => {
                GoCourse::Differences(Learner::new(settings, plan.seed).into())
            }
            Method::Watching(settings) => GoCourse::Watching(Watcher::new(settings, plan.seed)),
        }
    }

    /// A course that goes on.
    pub fn resume(plan: &Plan, values: &[f64], progress: Progress) -> Option<GoCourse> {
        Some(match plan.method() {
            Method::Differences(settings) => {
                GoCourse::Differences(Learner::resume(settings, values, progress)?.into())
            }
            Method::Watching(settings) => GoCourse::Watching(Watcher::resume(
                settings,
                plan.seed,
                values,
                progress.games,
            )?),
        })
    }
}

impl Course for GoCourse {
    fn games(&self) -> u32 {
        match self {
            GoCourse::Differences(learner) => learner.progress().games,
            GoCourse::Watching(watcher) => watcher.games(),
        }
    }

    fn play(&mut self, games: u32) {
        match self {
            GoCourse::Differences(learner) => (0..games).for_each(|_| learner.play_game()),
            GoCourse::Watching(watcher) => watcher.watch(games),
        }
    }

    fn values(&self) -> Vec<f64> {
        match self {
            GoCourse::Differences(learner) => learner.weights(),
            GoCourse::Watching(watcher) => watcher.values(),
        }
    }

    fn progress(&self) -> Progress {
        match self {
            GoCourse::Differences(learner) => learner.progress().clone(),
            // Every game has chance of its own, by its number.
            GoCourse::Watching(watcher) => Progress {
                games: watcher.games(),
                explore: 0,
                rng: Rng::new(0),
            },
        }
    }

    fn figures(&self) -> Vec<f64> {
        let (wins, score) = match self {
            GoCourse::Differences(learner) => against_taker(
                network_mover(learner.network(), &learner.settings().scales),
                TEST_GAMES,
            ),
            GoCourse::Watching(watcher) => against_taker(watcher.mover(), TEST_GAMES),
        };
        vec![wins, score]
    }
}

/// Moves of a network, one move ahead.
pub fn network_mover<'a>(
    network: &'a Network,
    scales: &'a [f64; RICH],
) -> impl Fn(&Go) -> GoMove + use<'a> {
    |game| greedy(&judged(network, game, scales))
}

/// Wins in percent and mean score of a player against the quick one; half of the games with each colour, always the same
/// seeds.
pub fn against_taker(choose: impl Fn(&Go) -> GoMove, games: u32) -> (f64, f64) {
    let (mut wins, mut points) = (0, 0.0);
    for number in 0..games {
        let mut rng = Rng::new(1_000 + u64::from(number));
        let me = Player::BOTH[number as usize % 2];
        let mut game = Go::new(Default::default());
        while !game.is_over() {
            let mv = if game.turn() == me {
                Some(choose(&game))
            } else {
                CapturePlayer.choose(&game, &mut rng)
            };
            let Some(mv) = mv else { break };
            game.play_unchecked(mv);
        }
        wins += u32::from(game.margin(me) > 0);
        points += f64::from(game.margin(me)) / 2.0;
    }
    (
        100.0 * f64::from(wins) / f64::from(games.max(1)),
        points / f64::from(games.max(1)),
    )
}

/// The weights for features as they are, without scales: what a bank stores.
pub fn plain_weights(settings: &Settings, weights: &[f64]) -> Vec<f64> {
    let own = &weights[..Network::size(settings.inputs, settings.hidden).min(weights.len())];
    let inputs = settings.inputs * settings.hidden.max(1);
    own.iter()
        .enumerate()
        .map(|(n, weight)| {
            if n < inputs {
                weight / settings.scales[n % settings.inputs]
            } else {
                *weight
            }
        })
        .collect()
}

/// Writes the folder of a finished run.
pub fn write(folder: &Path, plan: &Plan, run: &Run, force: bool) -> Done {
    let method = plan.method();
    let checkpoints = run
        .kept
        .iter()
        .map(|kept| (kept.name.clone(), checkpoint(&method, kept)))
        .collect();
    let model = plan.preset.model();
    let manifest = format!(
        "# dojo bank pack reads this\nregenerate cargo xtask models\ngame {}\nseed {}\ndate {}\nsettings settings.txt\n\n\
         model {}-{model}\ngames {}\nvalues checkpoints/{model}.txt\n",
        Go::NAME,
        plan.seed,
        plan.date,
        Go::NAME,
        plan.games,
    );
    let settings = plan.text();
    Folder {
        settings: &settings,
        log: run.csv(&COLUMNS),
        checkpoints,
        manifest,
        report: report(plan, run),
    }
    .write(folder, force)
}

/// A weight a line, for the features as they are.
fn checkpoint(method: &Method, kept: &Kept) -> String {
    let mut text = format!("# weights after {} games: from, to, weight\n", kept.age);
    match method {
        Method::Differences(settings) => {
            let inputs = settings.inputs * settings.hidden.max(1);
            for (n, weight) in plain_weights(settings, &kept.values).iter().enumerate() {
                let _ = match (n < inputs, settings.hidden) {
                    (true, 0) => writeln!(text, "{} value {weight}", input_name(n)),
                    (true, _) => {
                        writeln!(
                            text,
                            "{} unit-{} {weight}",
                            input_name(n % settings.inputs),
                            n / settings.inputs + 1
                        )
                    }
                    (false, _) => writeln!(text, "unit-{} value {weight}", n - inputs + 1),
                };
            }
        }
        Method::Watching(_) => {
            for (n, weight) in kept.values.iter().enumerate() {
                let _ = writeln!(text, "{n} - {weight}");
            }
        }
    }
    text
}

/// What an input is called.
fn input_name(n: usize) -> &'static str {
    const MORE: [&str; RICH - FEATURES] = [
        "own-1-liberty",
        "other-1-liberty",
        "own-2-liberties",
        "other-2-liberties",
        "own-3-liberties",
        "other-3-liberties",
        "own-eyes",
        "other-eyes",
        "komi",
        "empty",
        "bias",
    ];
    FEATURE_NAMES
        .iter()
        .chain(&MORE)
        .nth(n)
        .copied()
        .unwrap_or_default()
}

fn report(plan: &Plan, run: &Run) -> String {
    let mut text = format!(
        "# Training run: Go on 9×9, {}\n\n    {}\n\n",
        plan.preset.name(),
        plan.command()
    );
    let _ = writeln!(
        text,
        "One move ahead against the quick player that takes and saves stones, {TEST_GAMES} games each.\n"
    );
    let _ = writeln!(text, "| games | wins % | mean score |\n|---:|---:|---:|");
    for line in run
        .log
        .iter()
        .filter(|line| line.games % 1_000 == 0 || line.games == plan.games)
    {
        let _ = writeln!(
            text,
            "| {} | {:.0} | {:+.1} |",
            line.games, line.figures[0], line.figures[1]
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_are_taken_out_of_the_weights() {
        let settings = better();
        let learner = Learner::new(settings.clone(), 2);
        let plain = plain_weights(&settings, &learner.weights());
        let network = Network::new(settings.inputs, settings.hidden, plain).unwrap();
        let features: [f64; RICH] = std::array::from_fn(|n| n as f64 - 7.0);
        let scaled: [f64; RICH] = std::array::from_fn(|n| features[n] / settings.scales[n]);
        assert!((network.value(&features) - learner.network().value(&scaled)).abs() < 1e-12);
    }

    #[test]
    fn a_short_run_learns_to_beat_chance() {
        let plan = Plan {
            games: 200,
            ..Plan::new(Preset::PublishedPerceptron)
        };
        let mut run = Run::default();
        let mut course = GoCourse::new(&plan);
        run.go_on(
            &mut course,
            &plan.schedule(),
            u32::MAX,
            |_| {},
            |_, _| Ok(()),
        )
        .unwrap();
        assert_eq!((run.log.len(), run.kept.len()), (1, 1));
        let zeros = Network::new(FEATURES, 0, vec![0.0; 8]).unwrap();
        let (untrained, _) = against_taker(network_mover(&zeros, &[1.0; RICH]), 20);
        assert!(
            run.log[0].figures[0] > untrained,
            "{:?} {untrained}",
            run.log
        );
        assert_eq!(checkpoint(&plan.method(), &run.kept[0]).lines().count(), 9);
    }
}

//! Training Go: temporal differences over the eight features as published, and the distillation of
//! the strong player into a convolutional network, which is better.

use std::fmt::Write as _;

use dojo_core::game::{Game, Player};
use dojo_core::games::Go;
use dojo_core::games::go::players::CapturePlayer;
use dojo_core::games::go::vision::{CHANNELS, HIDDEN, LAYERS, PLANES};
use dojo_core::games::go::{FEATURE_NAMES, FEATURES, GoMove, RICH};
use dojo_core::learn::Progress;
use dojo_core::players::Agent;
use dojo_core::rng::Rng;

use super::distillation::{Distillation, DistillationSettings};
use super::self_play::{Credit, Reward, SelfPlay, SelfPlaySettings, greedy, judged};
use crate::bank::manifest::ModelKind;
use crate::failure::Failure;
use crate::network::{Activation, FloatNetwork, Rates, TdSettings};
use crate::train::{Checkpoint, Curriculum, Learner, Overrides, Preset, Run, RunSettings};

/// The presets of this game.
pub(crate) const PRESETS: &[Preset] = &[
    Preset {
        name: "eyes",
        about: "a convolutional network, taught by the strong player's judgements",
        curriculum: |overrides| {
            let run = overrides.run("eyes", 1, 7_000);
            let settings = DistillationSettings {
                games: run.games,
                playouts: 50,
                judged: [256, 40],
                opening: 7,
                slips: [0, 4, 8, 16],
                rounds: 10,
                rate: 0.004,
            };
            GoTraining::new(overrides, run, "eyes", GoMethod::Distillation(settings))
        },
    },
    Preset {
        name: "published-perceptron",
        about: "the published perceptron: 8 weights from zero, TD(0), the published rates",
        curriculum: |overrides| {
            let run = overrides.run("published-perceptron", 1, GAMES);
            let method = GoMethod::SelfPlay(published_perceptron().into());
            GoTraining::new(overrides, run, "perceptron", method)
        },
    },
    Preset {
        name: "published-mlp",
        about: "the published network with four hidden units: TD(0), rates from 0.1 down",
        curriculum: |overrides| {
            let run = overrides.run("published-mlp", 1, GAMES);
            GoTraining::new(
                overrides,
                run,
                "mlp",
                GoMethod::SelfPlay(published_mlp().into()),
            )
        },
    },
    Preset {
        name: "better",
        about: "more inputs, normalised; margins as rewards, TD(λ)",
        curriculum: |overrides| {
            let run = overrides.run("better", 1, GAMES / 2);
            GoTraining::new(
                overrides,
                run,
                "better",
                GoMethod::SelfPlay(better().into()),
            )
        },
    },
];

/// The published length of training.
const GAMES: u32 = 8_000;
/// Games between two lines of the log, as published.
pub const LOG_EVERY: u32 = 200;
/// Games of each measurement.
const TEST_GAMES: u32 = 50;

/// How a preset learns.
enum GoMethod {
    /// Temporal differences, by self-play.
    SelfPlay(Box<SelfPlaySettings>),
    /// From the strong player's judgements.
    Distillation(DistillationSettings),
}

/// The published training of the perceptron.
pub fn published_perceptron() -> SelfPlaySettings {
    SelfPlaySettings {
        td: TdSettings {
            inputs: FEATURES,
            hidden: 0,
            activation: Activation::TenthTanh,
            spread: 0.2,
            rates: Rates::Steps(PERCEPTRON_RATES.to_vec()),
            lambda: 0.0,
            explore: 0.5,
        },
        scales: [1.0; RICH],
        reward: Reward::Result,
        credit: Credit::Played,
        depth: 1,
        temperature: 0.5,
        refresh: 200,
    }
}

/// The published training of the network with four hidden units.
pub fn published_mlp() -> SelfPlaySettings {
    let perceptron = published_perceptron();
    SelfPlaySettings {
        td: TdSettings {
            hidden: 4,
            rates: Rates::Steps(MLP_RATES.to_vec()),
            ..perceptron.td
        },
        ..perceptron
    }
}

/// More inputs and every change that was expected to help: strong against weak players, weak
/// against strong ones.
pub fn better() -> SelfPlaySettings {
    let perceptron = published_perceptron();
    SelfPlaySettings {
        td: TdSettings {
            inputs: RICH,
            hidden: 12,
            rates: Rates::Steps(BETTER_RATES.to_vec()),
            lambda: 0.7,
            explore: 0.2,
            ..perceptron.td
        },
        scales: SCALES,
        reward: Reward::Margin(20.0),
        temperature: 0.1,
        ..perceptron
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
/// "From 0.1 down" is all that is published. With the slope 1/10 of the output left out of the
/// gradient that is 0.01; it falls as the perceptron's do.
pub(super) const MLP_RATES: [(u32, f64); 5] = [
    (0, 0.01),
    (2_000, 0.01 * 0.7),
    (4_000, 0.0047),
    (5_000, 0.003),
    (6_000, 0.001),
];
/// Those of `better`.
const BETTER_RATES: [(u32, f64); 5] = [
    (0, 0.01),
    (1_000, 0.01 * 0.7),
    (2_000, 0.0047),
    (2_500, 0.003),
    (3_000, 0.001),
];
/// What each feature is divided by: about its spread in games, over ten, since activations divide
/// by ten.
const SCALES: [f64; RICH] = [
    3.0, 3.0, 3.0, 0.6, 1.0, 3.0, 1.0, 0.8, 0.5, 0.5, 0.6, 0.6, 0.8, 0.8, 0.3, 0.3, 1.1, 8.1, 0.8,
];

struct GoTraining {
    run: RunSettings,
    /// The name of its model in a bank, without `go-`.
    model: &'static str,
    method: GoMethod,
}

impl GoTraining {
    #[expect(clippy::new_ret_no_self, reason = "presets make curricula of any game")]
    fn new(
        overrides: &Overrides,
        run: RunSettings,
        model: &'static str,
        method: GoMethod,
    ) -> Result<Box<dyn Curriculum>, Failure> {
        overrides.refuse_all(Go::NAME)?;
        if run.games == 0 {
            return Err(Failure::usage("--games 0: nothing to learn from"));
        }
        Ok(Box::new(GoTraining { run, model, method }))
    }
}

impl Curriculum for GoTraining {
    fn game(&self) -> &'static str {
        Go::NAME
    }

    fn run(&self) -> &RunSettings {
        &self.run
    }

    fn describe(&self) -> [String; 2] {
        let [learner, details] = match &self.method {
            GoMethod::SelfPlay(settings) => describe_self_play(settings),
            GoMethod::Distillation(settings) => describe_distillation(settings),
        };
        let rules = Go::new(Default::default());
        [
            format!("game {} {}\nlearner {learner}\n", Go::NAME, rules.rules()),
            details + "\n",
        ]
    }

    fn checkpoints(&self) -> Vec<(String, u32)> {
        vec![(self.model.into(), self.run.games)]
    }

    /// Distillation has nothing to show before its end.
    fn log_every(&self) -> u32 {
        match self.method {
            GoMethod::SelfPlay(_) => LOG_EVERY,
            GoMethod::Distillation(_) => self.run.games,
        }
    }

    fn learner(&self) -> Option<Box<dyn Learner>> {
        let seed = self.run.seed;
        Some(match &self.method {
            GoMethod::SelfPlay(settings) => Box::new(SelfPlay::new(*settings.clone(), seed)?),
            GoMethod::Distillation(settings) => Box::new(Distillation::new(*settings, seed)),
        })
    }

    fn resume(&self, values: &[f64], progress: Progress) -> Option<Box<dyn Learner>> {
        Some(match &self.method {
            GoMethod::SelfPlay(settings) => {
                Box::new(SelfPlay::resume(*settings.clone(), values, progress)?)
            }
            GoMethod::Distillation(settings) => {
                let seed = self.run.seed;
                Box::new(Distillation::resume(
                    *settings,
                    seed,
                    values,
                    progress.games,
                )?)
            }
        })
    }

    /// Wins in percent and mean score against the quick player.
    fn columns(&self) -> Vec<String> {
        ["wins_percent", "mean_score"].map(Into::into).into()
    }

    fn checkpoint(&self, checkpoint: &Checkpoint) -> String {
        let mut text = format!(
            "# weights after {} games: from, to, weight\n",
            checkpoint.age
        );
        match &self.method {
            GoMethod::SelfPlay(settings) => {
                text += &self_play_weights(settings, &checkpoint.values);
            }
            GoMethod::Distillation(_) => {
                for (n, weight) in checkpoint.values.iter().enumerate() {
                    let _ = writeln!(text, "{n} - {weight}");
                }
            }
        }
        text
    }

    fn model<'a>(&self, checkpoint: &'a Checkpoint) -> Option<(ModelKind, &'a str)> {
        let kind = match &self.method {
            GoMethod::SelfPlay(settings) => ModelKind::Network {
                inputs: settings.td.inputs as u16,
                hidden: settings.td.hidden as u16,
            },
            GoMethod::Distillation(_) => ModelKind::Convolution,
        };
        Some((kind, &checkpoint.name))
    }

    fn report(&self, run: &Run) -> [String; 2] {
        let mut text = format!(
            "One move ahead against the quick player that takes and saves stones, {TEST_GAMES} games each.\n\n\
             | games | wins % | mean score |\n|---:|---:|---:|\n"
        );
        let lines = run.log.iter();
        for line in lines.filter(|line| line.games % 1_000 == 0 || line.games == self.run.games) {
            let _ = writeln!(
                text,
                "| {} | {:.0} | {:+.1} |",
                line.games, line.figures[0], line.figures[1]
            );
        }
        [format!("Go on 9×9, {}", self.run.preset), text]
    }

    fn summary(&self, run: &Run) -> (Vec<(&'static str, serde_json::Value)>, String) {
        let (wins, score) = (run.last(0), run.last(1));
        let figures = vec![
            ("smart", (wins / 100.0).into()),
            ("mean_score", score.into()),
        ];
        let text = format!("{wins:.0} % against smart, {score:+.1} points a game");
        (figures, text)
    }
}

fn describe_self_play(settings: &SelfPlaySettings) -> [String; 2] {
    let SelfPlaySettings {
        td,
        scales,
        reward,
        credit,
        depth,
        temperature,
        refresh,
    } = settings;
    let TdSettings {
        inputs,
        hidden,
        rates,
        lambda,
        explore,
        ..
    } = td;
    let rates: Vec<_> = match rates {
        Rates::Steps(steps) => steps
            .iter()
            .map(|(from, rate)| format!("{rate} from {from}"))
            .collect(),
        Rates::Falling(rate, games) => vec![format!("{rate} falling to a tenth over {games}")],
    };
    let credit = match credit {
        Credit::Played => String::new(),
        Credit::Leaf => " of leaves".into(),
        Credit::Mu(share) => format!(", {share} of what bad moves lose"),
    };
    let ahead = match depth {
        1 => "one move".into(),
        depth => format!("{depth} moves"),
    };
    let slope = match td.activation {
        Activation::TenthTanh => "tanh(x/10) without its slope 1/10 in the gradient",
        Activation::TenthTanhTrue => "tanh(x/10)",
        Activation::Tanh => "tanh",
    };
    let scales: Vec<_> = (0..*inputs)
        .map(|n| format!("{}/{}", input_name(n), scales[n]))
        .collect();
    let reward = match reward {
        Reward::Result => "1 or -1".to_string(),
        Reward::Margin(points) => format!("tanh of the margin over {points} points"),
    };
    [
        format!("{inputs} inputs, {hidden} hidden units, {slope}, no bias"),
        format!(
            "rates {}\ninputs {}\nreward {reward}\nlambda {lambda}{credit}\n\
             sampled {explore} of the moves at temperature {temperature}, the others greedy {ahead} ahead\n\
             opponent itself, refreshed every {refresh} games",
            rates.join(", "),
            scales.join(" "),
        ),
    ]
}

fn describe_distillation(settings: &DistillationSettings) -> [String; 2] {
    let DistillationSettings {
        games: _,
        playouts,
        judged,
        opening,
        slips,
        rounds,
        rate,
    } = settings;
    [
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
    ]
}

/// A weight a line, for features that are not divided by their scales. The younger network's
/// weights are left out.
fn self_play_weights(settings: &SelfPlaySettings, values: &[f64]) -> String {
    let TdSettings { inputs, hidden, .. } = settings.td;
    let own = dojo_core::nn::weights(inputs, hidden).min(values.len());
    let network = FloatNetwork::new(
        inputs,
        hidden,
        settings.td.activation,
        values[..own].to_vec(),
    );
    let mut text = String::new();
    let first = inputs * hidden.max(1);
    let weights = network.map(|network| network.unscaled(&settings.scales));
    for (n, weight) in weights
        .iter()
        .flat_map(|network| network.weights())
        .enumerate()
    {
        let _ = match (n < first, hidden) {
            (true, 0) => writeln!(text, "{} value {weight}", input_name(n)),
            (true, _) => {
                let unit = n / inputs + 1;
                writeln!(text, "{} unit-{unit} {weight}", input_name(n % inputs))
            }
            (false, _) => writeln!(text, "unit-{} value {weight}", n - first + 1),
        };
    }
    text
}

impl Learner for SelfPlay {
    fn play(&mut self, games: u32) {
        (0..games).for_each(|_| self.play_game());
    }

    fn values(&self) -> Vec<f64> {
        self.weights()
    }

    fn progress(&self) -> Progress {
        SelfPlay::progress(self).clone()
    }

    fn figures(&self) -> Vec<f64> {
        let mover = network_mover(self.network(), &self.settings().scales);
        let (wins, score) = against_smart(mover, TEST_GAMES);
        vec![wins, score]
    }
}

impl Learner for Distillation {
    fn play(&mut self, games: u32) {
        Distillation::play(self, games);
    }

    fn values(&self) -> Vec<f64> {
        Distillation::values(self)
    }

    /// Every game has a generator of its own, by its number.
    fn progress(&self) -> Progress {
        Progress {
            games: Distillation::games(self),
            explore: 0,
            rng: Rng::new(0),
        }
    }

    fn figures(&self) -> Vec<f64> {
        let (wins, score) = against_smart(self.mover(), TEST_GAMES);
        vec![wins, score]
    }
}

/// Moves of a network, one move ahead.
pub fn network_mover<'a>(
    network: &'a FloatNetwork,
    scales: &'a [f64; RICH],
) -> impl Fn(&Go) -> GoMove + use<'a> {
    |game| greedy(&judged(network, game, scales))
}

/// Wins in percent and mean score of a player against the quick one; half of the games with each
/// colour, always the same seeds.
pub fn against_smart(choose: impl Fn(&Go) -> GoMove, games: u32) -> (f64, f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::{curriculum, train};
    use dojo_core::games::GameId;

    #[test]
    fn scales_are_taken_out_of_the_weights() {
        let settings = better();
        let learner = SelfPlay::new(settings.clone(), 2).unwrap();
        let plain: Vec<f64> = self_play_weights(&settings, &learner.weights())
            .lines()
            .map(|line| line.rsplit_once(' ').unwrap().1.parse().unwrap())
            .collect();
        let (inputs, hidden) = (settings.td.inputs, settings.td.hidden);
        let network = FloatNetwork::new(inputs, hidden, Activation::TenthTanh, plain).unwrap();
        let features: [f64; RICH] = std::array::from_fn(|n| n as f64 - 7.0);
        let scaled: [f64; RICH] = std::array::from_fn(|n| features[n] / settings.scales[n]);
        assert!((network.value(&features) - learner.network().value(&scaled)).abs() < 1e-12);
    }

    #[test]
    fn a_short_run_learns_to_beat_chance() {
        let overrides = Overrides {
            games: Some(200),
            ..Overrides::default()
        };
        let curriculum = curriculum(GameId::Go, "published-perceptron", &overrides).unwrap();
        let run = train(&*curriculum, |_| {}).unwrap();
        assert_eq!((run.log.len(), run.checkpoints.len()), (1, 1));
        let zeros = FloatNetwork::new(FEATURES, 0, Activation::TenthTanh, vec![0.0; 8]).unwrap();
        let (untrained, _) = against_smart(network_mover(&zeros, &[1.0; RICH]), 20);
        assert!(
            run.log[0].figures[0] > untrained,
            "{:?} {untrained}",
            run.log
        );
        let checkpoint = curriculum.checkpoint(&run.checkpoints[0]);
        assert_eq!(checkpoint.lines().count(), 9);
    }
}

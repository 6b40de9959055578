//! Learning a policy from games of self-play: softmax regression on the visits of the search.
//!
//! The chance of a move is proportional to the exponential of the sum of its weights. The likelihood
//! of the visits is concave in the weights; Adam over mini-batches in a fixed order climbs it. Shapes
//! that are images of each other under a symmetry share a weight. Only the four basic operations and
//! the project's own exponential are used: every machine computes the same bits.

use std::path::Path;

use dojo_core::belt::Belt;
use dojo_core::games::Go;
use dojo_core::games::go::players::sensible_points;
use dojo_core::games::go::policy::{NAT, Policy, SHAPES, WEIGHTS, candidate, shape_number};
use dojo_core::games::go::{Board, GoMove, Point, Points};
use dojo_core::rng::Rng;
use rayon::prelude::*;

use super::patterns::check::{Prediction, predict};
use super::patterns::examples::{Corpus, RECORDS, RecordedStone};
use super::shards::{SearchedPosition, SelfPlayGames};
use crate::bank::pack::{MANIFEST, read_values};
use crate::failure::{Done, Failure};
use crate::files;
use crate::network::exp;

/// Passes over all positions.
const ROUNDS: u32 = 12;
/// Positions of a step.
const BATCH: usize = 64;
/// The step at the beginning; it falls to a twentieth in equal parts.
const STEP: f64 = 0.03;
/// Penalty on squared weights, for each step.
const PENALTY: f64 = 2e-5;

/// A position to learn from: the weights of each candidate, and its share of the visits.
struct Choice {
    candidates: Vec<(Vec<u16>, f64)>,
}

/// The number of the weight that each stored weight shares: the least among its images.
fn classes() -> Vec<u16> {
    let mut class: Vec<u16> = (0..WEIGHTS as u16).collect();
    // The places of the eight colours of a code, and of the four two steps away, as displacements.
    const PLACES: [(i8, i8); 8] = [
        (0, -1),
        (0, 1),
        (-1, 0),
        (1, 0),
        (-1, -1),
        (1, 1),
        (1, -1),
        (-1, 1),
    ];
    let image = |symmetry: usize, (x, y): (i8, i8)| {
        let (x, y) = if symmetry & 1 != 0 { (-x, y) } else { (x, y) };
        let (x, y) = if symmetry & 2 != 0 { (x, -y) } else { (x, y) };
        if symmetry & 4 != 0 { (y, x) } else { (x, y) }
    };
    let turned = |code: u16, symmetry: usize| {
        PLACES.iter().enumerate().fold(0, |turned, (from, &place)| {
            let to = PLACES
                .iter()
                .position(|&other| other == image(symmetry, place))
                .unwrap_or(from);
            turned | (code >> (2 * from) & 3) << (2 * to)
        })
    };
    for code in 0..=u16::MAX {
        if !is_possible(code) {
            continue;
        }
        let least = (0..8)
            .map(|symmetry| shape_number(turned(code, symmetry)))
            .min();
        class[shape_number(code)] = least.unwrap_or(0) as u16;
    }
    for code in 0..256 {
        let least = (0..8).map(|symmetry| turned(code, symmetry) & 255).min();
        class[SHAPES + usize::from(code)] = SHAPES as u16 + least.unwrap_or(code);
    }
    class
}

/// Whether points off the board are those of an edge or a corner.
fn is_possible(code: u16) -> bool {
    let off = |place: u16| code >> (2 * place) & 3 == 3;
    let [down, up, left, right] = [0, 1, 2, 3].map(off);
    !(down && up || left && right)
        && [off(4), off(5), off(6), off(7)]
            == [down || left, up || right, down || right, up || left]
}

/// Weights while they are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct PolicyLearner {
    class: Vec<u16>,
    weights: Vec<f64>,
}

impl Default for PolicyLearner {
    fn default() -> Self {
        PolicyLearner {
            class: classes(),
            weights: vec![0.0; WEIGHTS],
        }
    }
}

impl PolicyLearner {
    /// Learns from all positions of these games.
    pub fn learn(&mut self, games: &SelfPlayGames, seed: u64) {
        let choices: Vec<Choice> = games
            .games
            .par_iter()
            .flat_map_iter(|(rules, game)| game.positions(*rules).unwrap_or_default())
            .filter_map(|position| self.choice(&position))
            .collect();
        let steps = (ROUNDS as usize * choices.len().div_ceil(BATCH)).max(1);
        let mut order: Vec<usize> = (0..choices.len()).collect();
        let (mut mean, mut square) = (vec![0.0; WEIGHTS], vec![0.0; WEIGHTS]);
        let mut slopes = vec![0.0; WEIGHTS];
        let (mean_decay, square_decay) = (0.9, 0.999);
        let (mut mean_left, mut square_left) = (1.0, 1.0);
        let mut done = 0;
        let mut rng = Rng::new(seed);
        for _ in 0..ROUNDS {
            for place in (1..order.len()).rev() {
                order.swap(place, rng.below(place as u32 + 1) as usize);
            }
            for batch in order.chunks(BATCH) {
                slopes.fill(0.0);
                for &number in batch {
                    self.add_slope(&choices[number], &mut slopes);
                }
                let step = STEP * (1.0 - 0.95 * done as f64 / steps as f64);
                mean_left *= mean_decay;
                square_left *= square_decay;
                for (number, slope) in slopes.iter().enumerate() {
                    let slope = slope / batch.len() as f64 - PENALTY * self.weights[number];
                    mean[number] = mean_decay * mean[number] + (1.0 - mean_decay) * slope;
                    square[number] =
                        square_decay * square[number] + (1.0 - square_decay) * slope * slope;
                    let size: f64 = square[number] / (1.0 - square_left);
                    self.weights[number] +=
                        step * (mean[number] / (1.0 - mean_left)) / (size.sqrt() + 1e-6);
                }
                done += 1;
            }
        }
    }

    fn choice(&self, position: &SearchedPosition) -> Option<Choice> {
        let board = Board::new(&position.game);
        let sum: u32 = position.visits.iter().map(|(_, visits)| visits).sum();
        let share = |point: Point| {
            let mv = GoMove::Stone(point);
            let found = position.visits.iter().find(|(known, _)| *known == mv);
            f64::from(found.map_or(0, |(_, visits)| *visits)) / f64::from(sum.max(1))
        };
        let weights = |point| {
            let active = candidate(&board, point);
            active
                .iter()
                .map(|&number| self.class[usize::from(number)])
                .collect()
        };
        let points: Vec<Point> = sensible_points(&position.game).collect();
        let candidates: Vec<_> = points
            .into_iter()
            .map(|point| (weights(point), share(point)))
            .collect();
        let kept: f64 = candidates.iter().map(|(_, share)| share).sum();
        // Positions in which the search passed have nothing to learn.
        (candidates.len() > 1 && kept > 0.5).then_some(Choice { candidates })
    }

    fn add_slope(&self, choice: &Choice, slopes: &mut [f64]) {
        let sum = |list: &[u16]| {
            list.iter()
                .map(|&n| self.weights[usize::from(n)])
                .sum::<f64>()
        };
        let logits: Vec<f64> = choice
            .candidates
            .iter()
            .map(|(list, _)| sum(list))
            .collect();
        let most = logits
            .iter()
            .fold(f64::NEG_INFINITY, |most, &logit| most.max(logit));
        let powers: Vec<f64> = logits.iter().map(|logit| exp(logit - most)).collect();
        let all: f64 = powers.iter().sum();
        let kept: f64 = choice.candidates.iter().map(|(_, share)| share).sum();
        for ((list, share), power) in choice.candidates.iter().zip(powers) {
            let slope = share / kept - power / all;
            for &number in list {
                slopes[usize::from(number)] += slope;
            }
        }
    }

    /// The value of every stored weight.
    pub fn values(&self) -> Vec<f64> {
        let value = |&class: &u16| self.weights[usize::from(class)];
        self.class.iter().map(value).collect()
    }
}

/// Rounds weights to bytes as a bank has them.
pub fn quantise(values: &[f64]) -> Vec<u8> {
    let byte = |value: &f64| (value * f64::from(NAT)).round().clamp(-128.0, 127.0) as i8 as u8;
    values.iter().map(byte).collect()
}

/// Reads a checkpoint of a policy into the bytes of a bank.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let values = read_values(path)?;
    if values.len() != WEIGHTS {
        return Err(Failure::Check(format!(
            "{}: {} weights, a policy has {WEIGHTS}",
            path.display(),
            values.len()
        )));
    }
    Ok(quantise(&values))
}

/// The legal points by a policy, the likeliest with the highest score; own eyes come last.
pub fn scored(policy: Policy<'_>, game: &Go, points: Points) -> Vec<(Point, i64)> {
    let board = Board::new(game);
    let sensible = sensible_points(game);
    points
        .map(|point| {
            let logit = policy.score(&board, point).into();
            (
                point,
                if sensible.contains(point) {
                    logit
                } else {
                    logit - 10_000
                },
            )
        })
        .collect()
}

/// How well a policy predicts recorded stones.
pub fn prediction(bytes: &[u8], stones: &[RecordedStone]) -> Prediction {
    predict(stones, |game, points| {
        Policy::from_bytes(bytes).map_or(vec![], |policy| scored(policy, game, points))
    })
}

/// A policy trained from shards, ready to be written.
#[derive(Clone, Debug)]
pub struct PolicyRun {
    /// The weights.
    pub values: Vec<f64>,
    /// Games learned from.
    pub games: usize,
    /// Share of the moves of unseen games at first place and among the best twenty.
    pub predicted: [f64; 2],
    /// Positions of the unseen games.
    pub unseen: usize,
    settings: String,
    command: String,
    seed: u64,
}

/// Learns from the games of some folders.
pub fn train(games: &SelfPlayGames, seed: u64) -> Result<PolicyRun, Failure> {
    if games.games.is_empty() {
        return Err(Failure::check("no whole game to learn from"));
    }
    let mut learner = PolicyLearner::default();
    learner.learn(games, seed);
    let values = learner.values();
    let test = Corpus::new(RECORDS).map_err(Failure::check)?.test;
    let prediction = prediction(&quantise(&values), &test);
    let mut settings = format!(
        "game go\nlearner policy, softmax regression on visits\nseed {seed}\nrounds {ROUNDS}\n\
         batch {BATCH}\nstep {STEP}\npenalty {PENALTY}\n"
    );
    for (run, count) in &games.runs {
        settings += &format!("from {count} games of {run}\n");
    }
    Ok(PolicyRun {
        values,
        games: games.games.len(),
        predicted: [prediction.within(1), prediction.within(20)],
        unseen: prediction.positions,
        settings,
        command: format!("dojo train go --from DIR… --seed {seed}"),
        seed,
    })
}

impl PolicyRun {
    /// Writes the folder of the run, whose model serves a belt or none; its bytes depend on the
    /// games, the seed and the belt alone.
    pub fn write(&self, folder: &Path, belt: Option<Belt>, date: u32, force: bool) -> Done {
        files::may_fill(folder, force)?;
        let checkpoints = folder.join("checkpoints");
        std::fs::create_dir_all(&checkpoints)
            .map_err(|error| Failure::file(&checkpoints, &error))?;
        let put = |name: &str, text: &str| files::write(&folder.join(name), text.as_bytes(), force);
        put("settings.txt", &self.settings)?;
        // Four decimals are far below a step of the stored bytes.
        let lines: String = self
            .values
            .iter()
            .map(|value| format!("{value:.4}\n"))
            .collect();
        put("checkpoints/policy.txt", &lines)?;
        let PolicyRun { seed, games, .. } = self;
        let (name, line, flag) = match belt {
            Some(belt) => {
                let name = belt.name();
                (name, format!("belt {name}\n"), format!(" --belt {name}"))
            }
            None => ("policy", String::new(), String::new()),
        };
        let command = format!("{}{flag}", self.command);
        put(
            MANIFEST,
            &format!(
                "# dojo bank pack reads this\nregenerate cargo xtask models\ngame go\nseed {seed}\n\
                 date {date}\nsettings settings.txt\n\nmodel go-{name}\nkind policy\n{line}\
                 games {games}\nvalues checkpoints/policy.txt\n"
            ),
        )?;
        let [first, twenty] = self.predicted.map(|share| 100.0 * share);
        put(
            "report.md",
            &format!(
                "# Training run: a policy of Go\n\n    {command}\n\n{games} games of self-play. Of {} moves \
                 in unseen games of another program, {first:.1} % are the likeliest move of the policy and \
                 {twenty:.1} % among the likeliest twenty.\n\n```text\n{}```\n",
                self.unseen, self.settings
            ),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::shards::SelfPlayRun;

    #[test]
    fn images_of_a_shape_share_a_weight() {
        let class = classes();
        let distinct = |range: std::ops::Range<usize>| {
            let set: std::collections::HashSet<u16> = class[range].iter().copied().collect();
            set.len()
        };
        // By Burnside: 954 arrangements of three colours around a point up to symmetry, 135 at an
        // edge, 18 in a corner.
        assert_eq!(distinct(0..SHAPES), 954 + 135 + 18);
        assert_eq!(distinct(SHAPES..SHAPES + 256), 55);
        assert!(class.iter().all(|&c| class[usize::from(c)] == c));
    }

    #[test]
    fn shards_in_any_order_give_the_same_weights_and_chance_is_beaten() {
        let base = std::env::temp_dir().join(format!("dojo-policy-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&base);
        let folders: Vec<_> = [1, 2, 3].map(|seed| base.join(seed.to_string())).into();
        for (folder, seed) in folders.iter().zip([1, 2, 3]) {
            let run = SelfPlayRun {
                size: 9,
                playouts: 30,
                seed,
                policy: None,
            };
            run.play(10, "1/1".parse().unwrap(), folder, || {}).unwrap();
        }
        let mut reversed = folders.clone();
        reversed.reverse();
        // The same folder twice counts once.
        reversed.push(folders[0].clone());
        let [a, b] = [&folders, &reversed]
            .map(|folders| train(&SelfPlayGames::read(folders).unwrap(), 1).unwrap());
        assert!(a.values == b.values && a.settings == b.settings);
        // To the byte, file by file.
        let files = [(&a, "a"), (&b, "b")].map(|(run, name)| {
            let out = base.join(name);
            run.write(&out, Some(Belt::Green), 20260101, false).unwrap();
            [
                "bank.txt",
                "settings.txt",
                "report.md",
                "checkpoints/policy.txt",
            ]
            .map(|file| std::fs::read(out.join(file)).unwrap())
        });
        assert_eq!(files[0], files[1]);
        assert!(a.predicted[0] > 0.1, "{:?}", a.predicted);
        std::fs::remove_dir_all(base).unwrap();
    }
}

//! Weights of rules learned from recorded games, instead of P − N: softmax regression (a conditional logit model).
//!
//! The chance of a move is proportional to the exponential of the summed weights of the rules that cover it. The
//! likelihood of the recorded moves is concave in the weights, so gradient ascent with a step of its own for each weight
//! (Adam, whole batch) finds the best ones; a small quadratic penalty keeps weights of rare rules bounded.

use dojo_core::games::go::clauses::{ClauseView, Reading};
use rayon::prelude::*;

use super::Rule;
use super::examples::RecordedStone;

/// A weight of this size in a rule file multiplies the odds of a move by e.
pub const UNIT: f64 = 256.0;
const ITERATIONS: i32 = 150;
const STEP: f64 = 0.05;
/// Penalty on squared weights, in positions.
const PENALTY: f64 = 2.0;
/// Positions summed by one task: sums are added in this order on every machine.
const CHUNK: usize = 256;

/// The legal moves of a position by the rules that cover them; the recorded move is `chosen`.
struct RecordedChoice {
    covering: Vec<Vec<u16>>,
    chosen: usize,
}

/// Gives every rule the weight that makes the recorded moves most likely.
pub fn learn(rules: &mut [Rule], reading: Reading, positions: &[RecordedStone]) {
    let choices: Vec<RecordedChoice> = positions
        .par_iter()
        .filter_map(|recorded| choice(rules, reading, recorded))
        .collect();
    let mut weights = vec![0.0; rules.len()];
    let (mut mean, mut square) = (weights.clone(), weights.clone());
    for iteration in 1..=ITERATIONS {
        let gradient = gradient(&choices, &weights);
        let (mean_decay, square_decay): (f64, f64) = (0.9, 0.99);
        for (number, slope) in gradient.into_iter().enumerate() {
            let slope = (slope - PENALTY * weights[number]) / choices.len().max(1) as f64;
            mean[number] = mean_decay * mean[number] + (1.0 - mean_decay) * slope;
            square[number] = square_decay * square[number] + (1.0 - square_decay) * slope * slope;
            let unbiased_mean = mean[number] / (1.0 - mean_decay.powi(iteration));
            let unbiased_square = square[number] / (1.0 - square_decay.powi(iteration));
            weights[number] += STEP * unbiased_mean / (unbiased_square.sqrt() + 1e-9);
        }
    }
    for (rule, weight) in rules.iter_mut().zip(weights) {
        rule.weight = (UNIT * weight).round() as i16;
    }
}

fn choice(rules: &[Rule], reading: Reading, recorded: &RecordedStone) -> Option<RecordedChoice> {
    let points: Vec<_> = recorded.game.legal_points().collect();
    let chosen = points.iter().position(|&point| point == recorded.point)?;
    let view = ClauseView::new(&recorded.game);
    let mut covering = vec![vec![]; points.len()];
    for (number, rule) in rules.iter().enumerate() {
        let covered = rule.clause.points(&view, reading);
        for (list, &point) in covering.iter_mut().zip(&points) {
            if covered.contains(point) {
                list.push(number as u16);
            }
        }
    }
    Some(RecordedChoice { covering, chosen })
}

/// The slope of the log-likelihood: how often each rule covered the recorded move, less how often it was expected to.
fn gradient(choices: &[RecordedChoice], weights: &[f64]) -> Vec<f64> {
    let partial: Vec<Vec<f64>> = choices
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut sums = vec![0.0; weights.len()];
            for choice in chunk {
                let odds: Vec<f64> = choice
                    .covering
                    .iter()
                    .map(|list| {
                        list.iter()
                            .map(|&i| weights[usize::from(i)])
                            .sum::<f64>()
                            .exp()
                    })
                    .collect();
                let all: f64 = odds.iter().sum();
                for (list, odds) in choice.covering.iter().zip(&odds) {
                    list.iter()
                        .for_each(|&i| sums[usize::from(i)] -= odds / all);
                }
                for &i in &choice.covering[choice.chosen] {
                    sums[usize::from(i)] += 1.0;
                }
            }
            sums
        })
        .collect();
    let mut sums = vec![0.0; weights.len()];
    for part in partial {
        sums.iter_mut()
            .zip(part)
            .for_each(|(sum, part)| *sum += part);
    }
    sums
}

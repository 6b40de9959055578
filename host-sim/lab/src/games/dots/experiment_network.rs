//! The experiment on large boards of dots and boxes: the learning curve of the network, and the
//! strength of network, search and chain rules, alone and together.

use dojo_core::bank::Bank;
use dojo_core::belt::Belt;
use dojo_core::games::dots::Model;
use dojo_core::games::dots::learned::evaluation;
use dojo_core::games::{Dots, DotsRules};
use dojo_core::players::belts::BeltPlayer;
use rayon::prelude::*;

use crate::arena;
use crate::bank::SHIPPED as BANK;
use crate::experiment::{Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::dots::certify_network::against_smart;
use crate::games::dots::train_network::{BOARDS, DotsNetworkTraining};
use crate::players::{ArenaPlayer, Spec};
use crate::train::Learner;

/// Games after which the network is measured.
const AGES: [u32; 6] = [0, 50, 100, 200, 500, 1_000];
/// Games of each point of the curve.
const TEST_GAMES: u32 = 200;
/// Games of each match of the whole player.
const MATCH_GAMES: u32 = 100;

/// A run on one board: the score in percent against smart at each age, one edge ahead, and the
/// network at the end.
fn run(board: DotsRules, seed: u64, scale: &Scale) -> (Vec<(f64, f64)>, Vec<u8>) {
    let ages = AGES.map(|age| if age == 0 { 0 } else { scale.games(age) });
    let training = DotsNetworkTraining::on(board, seed, ages[ages.len() - 1]);
    let Some(mut learner) = training.untrained() else {
        return (vec![], vec![]);
    };
    let mut curve = vec![];
    for age in ages {
        learner.play(age.saturating_sub(learner.games()));
        curve.push((
            f64::from(age),
            100.0 * against_smart(&learner.payload(), board, scale.games(TEST_GAMES)),
        ));
    }
    (curve, learner.payload())
}

pub(crate) fn network(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let mut curves = vec![];
    let Ok(bank) = Bank::new(BANK) else {
        return Ok(findings);
    };
    for board in BOARDS
        .into_iter()
        .flat_map(|side| DotsRules::new(side, side))
    {
        let name = format!("{}×{}", board.rows(), board.cols());
        let runs: Vec<_> = scale
            .seeds(3)
            .par_iter()
            .map(|&seed| (seed, run(board, seed, scale)))
            .collect();
        for (place, age) in AGES.iter().enumerate() {
            let scores: Vec<_> = runs.iter().map(|(_, (curve, _))| curve[place].1).collect();
            findings.row(
                format!("{name}, network alone after {age} games"),
                "wins against smart %",
                None,
                &scores,
            );
        }
        let smart = ArenaPlayer::<Dots>::new(&Spec::Smart, board, &bank);
        let rules = ArenaPlayer::<Dots>::Belt(BeltPlayer::new(Belt::Black, board, None));
        let contest = |a: &ArenaPlayer<'_, Dots>, b: &ArenaPlayer<'_, Dots>, seed| {
            100.0
                * arena::play::<Dots>(board, a, b, scale.games(MATCH_GAMES), seed, || {})
                    .total()
                    .score_a()
        };
        let whole = |opponent: &ArenaPlayer<'_, Dots>| -> Vec<f64> {
            let score = |(seed, (_, payload)): &(u64, (_, Vec<u8>))| {
                let player = BeltPlayer {
                    belt: Belt::Black,
                    model: evaluation(payload).map(Model::Network),
                    may_resign: false,
                };
                contest(&ArenaPlayer::Belt(player), opponent, *seed)
            };
            runs.iter().map(score).collect()
        };
        if let Ok(smart) = smart {
            let seeds = scale.seeds(3);
            let without: Vec<_> = seeds
                .iter()
                .map(|&seed| contest(&rules, &smart, seed))
                .collect();
            findings.row(
                format!("{name}, rules of chains alone"),
                "wins against smart %",
                None,
                &without,
            );
            findings.row(
                format!("{name}, network, search and rules"),
                "wins against smart %",
                None,
                &whole(&smart),
            );
        }
        findings.row(
            format!("{name}, network, search and rules"),
            "wins against the rules of chains alone %",
            None,
            &whole(&rules),
        );
        let points: Vec<_> = runs.into_iter().map(|(_, (curve, _))| curve).collect();
        curves.push(mean_curve(name, &points));
    }
    findings.figures.push(Figure {
        name: "learning",
        title: "Dots and boxes on large boards: the network alone, one edge ahead, against smart"
            .into(),
        x: "games trained",
        y: "wins %",
        curves,
    });
    findings.remarks = vec![
        "The published work tried a network on large boards and reports no figures: a fault in its program was in the way.",
        "The features do much of it: an untrained network is already shown how imagined games end, it has to learn what that \
         is worth.",
    ];
    Ok(findings)
}

//! The experiment on large boards of dots and boxes: the learning curve of the network, and the
//! strength of network, search and chain rules, alone and together.

use dojo_core::belt::Belt;
use dojo_core::games::dots::Model;
use dojo_core::games::dots::learned::evaluation;
use dojo_core::games::{Dots, DotsRules};
use dojo_core::players::belts::BeltPlayer;

use crate::arena;
use crate::experiment::{Figure, Findings, Scale, Unfinished, mean_curve};
use crate::games::dots::certify_network::against_smart;
use crate::games::dots::train_network::{BOARDS, DotsNetworkTraining};
use crate::players::{ArenaGame as _, ArenaPlayer, Spec};
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

/// The score of `a` against `b` in percent.
fn contest(
    board: DotsRules,
    a: ArenaPlayer<'_, Dots>,
    b: ArenaPlayer<'_, Dots>,
    seed: u64,
    scale: &Scale,
) -> f64 {
    let games = scale.games(MATCH_GAMES);
    let result = arena::play::<Dots>(board, &a, &b, games, seed, || {});
    100.0 * result.total().score_a()
}

fn smart(board: DotsRules) -> ArenaPlayer<'static, Dots> {
    Dots::game_player(&Spec::Smart, board).map_or(ArenaPlayer::Random, ArenaPlayer::OfGame)
}

/// Search by the rules of chains, without a network.
fn rules(board: DotsRules) -> ArenaPlayer<'static, Dots> {
    ArenaPlayer::Belt(BeltPlayer::new(Belt::Black, board, None))
}

pub(crate) fn network(scale: &Scale) -> Result<Findings, Unfinished> {
    let mut findings = Findings::default();
    let mut curves = vec![];
    let seeds = scale.seeds(5);
    let declared: Vec<_> = BOARDS
        .into_iter()
        .flat_map(|side| DotsRules::new(side, side))
        .map(|board| {
            let name = format!("{}×{}", board.rows(), board.cols());
            let runs = scale.each(&name, &seeds, |seed| {
                let (curve, payload) = run(board, seed, scale);
                let network = || {
                    ArenaPlayer::Belt(BeltPlayer {
                        belt: Belt::Black,
                        model: evaluation(&payload).map(Model::Network),
                        may_resign: false,
                    })
                };
                let smart = contest(board, network(), smart(board), seed, scale);
                let rules = contest(board, network(), rules(board), seed, scale);
                (curve, smart, rules)
            });
            let without = scale.each(&format!("{name}, rules"), &seeds, |seed| {
                contest(board, rules(board), smart(board), seed, scale)
            });
            (name, runs, without)
        })
        .collect();
    for (name, runs, without) in declared {
        let (runs, without) = (runs?, without?);
        for place in 0..AGES.len() {
            let age = runs.first().map_or(0.0, |(curve, ..)| curve[place].0);
            let scores: Vec<_> = runs.iter().map(|(curve, ..)| curve[place].1).collect();
            findings.row(
                format!("{name}, network alone after {age} games"),
                "wins against smart %",
                None,
                &scores,
            );
        }
        findings.row(
            format!("{name}, rules of chains alone"),
            "wins against smart %",
            None,
            &without,
        );
        let whole = format!("{name}, network, search and rules");
        findings.row(
            &whole,
            "wins against smart %",
            None,
            &runs.iter().map(|run| run.1).collect::<Vec<_>>(),
        );
        findings.row(
            &whole,
            "wins against the rules of chains alone %",
            None,
            &runs.iter().map(|run| run.2).collect::<Vec<_>>(),
        );
        let points: Vec<_> = runs.into_iter().map(|(curve, ..)| curve).collect();
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

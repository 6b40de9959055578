//! Determinizations that use the opponent's last draw, against uniform ones.

use dojo_core::game::{Game, Player, Rules};
use dojo_core::games::iwoki::Action;
use dojo_core::games::iwoki::players::Greedy;
use dojo_core::games::{Iwoki, IwokiRules};
use dojo_core::players::Agent;
use dojo_core::rng::Rng;
use serde::{Deserialize, Serialize};

use super::{Results, rows};
use crate::experiment::{Findings, Scale, Unfinished};
use crate::games::iwoki::guess::{LastDraw, decide};
use crate::games::iwoki::minimax::{Minimax, Variant};

/// Results of A, and the draws of B.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Guessed {
    results: Results,
    draws: u32,
    /// Draws of a player without a small tile that fitted.
    forced: u32,
}

/// Two turns ahead in twelve guesses.
const SEARCH: Minimax = Minimax {
    depth: 2,
    nodes: u64::MAX,
    variant: Variant::TURNS,
};
const SAMPLES: u32 = 12;

/// Games in the normal form between A, who guesses with or without draws, and B, who guesses without
/// or is greedy.
fn games(seed: u64, games: u32, uses_draws: bool, greedy: bool) -> Guessed {
    let mut found = Guessed::default();
    for number in 0..games {
        let deal = seed.wrapping_mul(1_000_003) + u64::from(number / 2);
        let mut game = Iwoki::new(IwokiRules::default().dealt(deal));
        let me = Player::BOTH[number as usize % 2];
        let rng = &mut Rng::new(deal.wrapping_mul(2) + u64::from(number % 2));
        let mut last = LastDraw::default();
        while !game.is_over() {
            let turn = game.turn();
            let action = if turn == me {
                decide(&game, &SEARCH, SAMPLES, uses_draws.then_some(&last), rng)
            } else if greedy {
                Greedy.choose(&game, rng)
            } else {
                decide(&game, &SEARCH, SAMPLES, None, rng)
            };
            let Some(action) = action else { break };
            if turn != me {
                last.observe(&game, action);
                if action == Action::DRAW {
                    let fitting = game.fitting_kinds();
                    let mut held = game.hand(turn).kinds();
                    found.draws += 1;
                    found.forced += u32::from(!held.any(|kind| fitting >> kind & 1 == 1));
                }
            }
            game.play_unchecked(action);
            found.results.turns += u64::from(game.turn() != turn);
        }
        found.results.add(game.margin(me));
    }
    found
}

pub(super) fn guesses(scale: &Scale) -> Result<Findings, Unfinished> {
    let (seeds, number) = (scale.seeds(5), scale.games(200));
    let matches = [
        ("using draws against uniform guesses", true, false),
        ("using draws against greedy", true, true),
        ("uniform guesses against greedy", false, true),
    ];
    let runs = matches.map(|(name, uses_draws, greedy)| {
        scale.each(name, &seeds, |seed| games(seed, number, uses_draws, greedy))
    });
    let mut findings = Findings::default();
    for ((name, ..), runs) in matches.into_iter().zip(runs) {
        let runs = runs?;
        let results: Vec<Results> = runs.iter().map(|run| run.results).collect();
        rows(&mut findings, name, &results, [None; 4]);
        let forced = |run: &Guessed| 100.0 * f64::from(run.forced) / f64::from(run.draws.max(1));
        let forced: Vec<f64> = runs.iter().map(forced).collect();
        findings.row(
            name,
            "draws of the opponent without a small tile that fits %",
            None,
            &forced,
        );
    }
    findings.remarks.push(
        "Two turns ahead in twelve guesses, for the eight actions that are best one turn ahead. A guess in which the opponent could have laid a small tile instead of drawing is \
         kept in proportion to its likelihood, with one draw in fifty saying nothing.",
    );
    Ok(findings)
}

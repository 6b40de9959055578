//! Exhaustive proof: a player against every reply, to find won positions that it gives away.

use std::collections::BTreeMap;

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::Edge;
use dojo_core::games::{Dots, DotsRules};
use rayon::prelude::*;
use serde::Serialize;

use super::exact::Exact;

/// The result of a proof.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Proof {
    /// Positions in which the player had to choose.
    pub decisions: u64,
    /// Won positions among them.
    pub won: u64,
    /// Won positions that the player gave away.
    pub lost: u64,
    /// The first position that was given away.
    pub example: Option<String>,
}

/// Plays `choose` on one side against all replies of the other. Equivalent positions are visited
/// once; `tick` is told the number of edges drawn.
pub fn against_every_reply(
    rules: DotsRules,
    exact: &Exact,
    me: Player,
    choose: impl Fn(&Dots) -> Option<Edge> + Sync,
    tick: impl Fn(u32),
) -> Proof {
    let edges = rules.all_edges().count_ones();
    let mut proof = Proof::default();
    let start = Dots::new(rules);
    let mut level = BTreeMap::from([((start.turn() == me, start.key()), start)]);
    for drawn in 0..edges {
        tick(drawn);
        let (mine, theirs): (Vec<Dots>, Vec<Dots>) =
            level.into_values().partition(|game| game.turn() == me);
        let chosen: Vec<(Dots, Option<Edge>)> = mine
            .into_par_iter()
            .map(|game| (game, choose(&game)))
            .collect();
        level = BTreeMap::new();
        let mut add = |next: Dots| {
            // Keys tell positions apart as their movers see them.
            level.entry((next.turn() == me, next.key())).or_insert(next);
        };
        for (game, edge) in chosen {
            let is_won = exact.result(&game) == 1;
            proof.decisions += 1;
            proof.won += u64::from(is_won);
            if is_won && edge.is_none_or(|edge| exact.result_after(&game, edge) != 1) {
                proof.lost += 1;
                proof.example.get_or_insert_with(|| game.to_string());
            }
            if let Some(edge) = edge {
                add(game.after(edge));
            }
        }
        for game in theirs {
            game.legal_moves().for_each(|edge| add(game.after(edge)));
        }
    }
    proof
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn perfect_play_passes_and_the_first_free_edge_does_not() {
        let rules = DotsRules::new(2, 3).unwrap();
        let exact = Exact::new(rules).unwrap();
        for me in Player::BOTH {
            let proof = against_every_reply(rules, &exact, me, |game| exact.choose(game), |_| {});
            assert_eq!((proof.lost, proof.example), (0, None));
            assert!(proof.won > 0 && proof.decisions >= proof.won);
            let careless =
                against_every_reply(rules, &exact, me, |game| game.legal_moves().next(), |_| {});
            assert!(careless.lost > 0 && careless.example.is_some());
        }
    }
}

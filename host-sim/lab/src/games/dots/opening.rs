//! The opening book of 3×3 dots and boxes: solved backwards from the last edge, written, and
//! verified by reading it back.

use dojo_core::game::{Game, Player};
use dojo_core::games::dots::players::Oracle;
use dojo_core::games::dots::{EdgeSet, Opening};
use dojo_core::games::{Dots, DotsRules};
use serde::Serialize;

use crate::games::dots::exact::Exact;
use crate::games::dots::proof::{Proof, against_every_reply};

/// The certificate of the opening book.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OpeningCertificate {
    /// Sets of up to seven edges, each with its exact value.
    pub sets: usize,
    /// Positions in which the player had to choose, against every reply to it on both sides.
    pub decisions: u64,
    /// Won positions among them.
    pub won: u64,
}

impl OpeningCertificate {
    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        vec![
            (
                "values",
                format!(
                    "{} sets of edges, each compared with the solution of all 2^24",
                    self.sets
                ),
            ),
            (
                "wins kept",
                format!(
                    "{} of {} won decisions: EXACT, every reply tried",
                    self.won, self.won
                ),
            ),
            (
                "decisions",
                format!("{} against every reply, both sides", self.decisions),
            ),
        ]
    }
}

/// Computes the payload and proves it, or says what is wrong with it.
pub fn solve_opening() -> Result<(Vec<u8>, OpeningCertificate), String> {
    let rules = DotsRules::new(3, 3).ok_or("no such board")?;
    let exact = Exact::new(rules).ok_or("the board is too large")?;
    let mut payload = vec![0; Opening::BYTES];
    for edges in sets() {
        let place = Opening::place(edges).ok_or("a set has no place")?;
        payload[place / 2] |=
            Opening::encode(exact.value_of_position(&position(rules, edges))) << (place % 2 * 4);
    }
    let opening = Opening::new(&payload).ok_or("the payload has the wrong length")?;
    let mut seen = 0;
    for edges in sets() {
        let game = position(rules, edges);
        let (found, expected) = (opening.value(&game), exact.value_of_position(&game));
        if found != Some(expected) {
            return Err(format!("{game}: {found:?} instead of {expected}"));
        }
        seen += 1;
    }
    // Positions after the opening are solved on the spot, as on the device.
    let choose = |game: &Dots| opening.best(game).or_else(|| exact.choose(game));
    let proofs = Player::BOTH.map(|me| against_every_reply(rules, &exact, me, choose, |_| {}));
    match &proofs {
        [Proof { lost: 0, .. }, Proof { lost: 0, .. }] => {}
        [a, b] => {
            let example = a.example.as_ref().or(b.example.as_ref());
            return Err(format!(
                "lets the win of {} go",
                example.map_or("", String::as_str)
            ));
        }
    }
    let sum = |part: fn(&Proof) -> u64| proofs.iter().map(part).sum();
    Ok((
        payload,
        OpeningCertificate {
            sets: seen,
            decisions: sum(|proof| proof.decisions),
            won: sum(|proof| proof.won),
        },
    ))
}

/// All sets of up to seven of the 24 edges.
fn sets() -> impl Iterator<Item = u64> {
    (0..1u64 << 24).filter(|edges| edges.count_ones() <= 7)
}

/// A position with these edges; who drew them does not matter.
fn position(rules: DotsRules, edges: u64) -> Dots {
    EdgeSet(edges).fold(Dots::new(rules), |game, edge| game.after(edge))
}

//! The certificate of a table for 2×2 dots and boxes: every reachable state is visited, and the
//! scores against the two test opponents are computed exactly. Fractions and bytes also play the
//! same matches.

use dojo_core::bank::Kind;
use dojo_core::belt::Belt;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::DotsRules;
use dojo_core::games::dots::learner::{LEAVE_VALUES, Q_VALUES, best_leave, greedy};
use dojo_core::games::dots::two_by_two;
use dojo_core::games::dots::two_by_two::{EDGES, FULL, Opponent};
use dojo_core::rng::Rng;
use serde::Serialize;

use crate::certify::SCALE;
use crate::games::dots::exact::Exact;
use crate::games::dots::response::{Chances, State, reachable, score};

/// The two kinds of table for 2×2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum DotsTable {
    /// A value for each position that can be left to the opponent.
    ValueTable,
    /// A value for each edge in each set of edges.
    QTable,
}

impl DotsTable {
    /// How many values such a table has.
    fn values(self) -> usize {
        match self {
            DotsTable::ValueTable => LEAVE_VALUES,
            DotsTable::QTable => Q_VALUES,
        }
    }

    /// The table of a model's kind.
    pub fn of(kind: Kind) -> Option<DotsTable> {
        match kind {
            Kind::ValueTable => Some(DotsTable::ValueTable),
            Kind::QTable => Some(DotsTable::QTable),
            _ => None,
        }
    }

    /// The edge that a table draws.
    pub fn edge<V: dojo_core::fraction::Fraction>(
        self,
        table: &[V],
        State {
            edges,
            boxes,
            started,
        }: State,
    ) -> u8 {
        match self {
            DotsTable::ValueTable => {
                best_leave(table, &DotsRules::default(), edges, boxes, started).0
            }
            DotsTable::QTable => table.try_into().map_or(0, |table| greedy(table, edges).0),
        }
    }
}

/// The certificate of a table.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct DotsCertificate {
    /// Its kind.
    pub shape: DotsTable,
    /// Largest difference between a byte and the fraction it stands for.
    pub largest_error: f64,
    /// Reachable states in which rounding changes the move.
    pub changed_moves: usize,
    /// Reachable states.
    pub states: usize,
    /// States that the player to move can win.
    pub won_states: usize,
    /// Won states in which the table keeps the win.
    pub kept_wins: usize,
    /// Score against a random player, moving first and second, with the belt's slips.
    pub random: [f64; 2],
    /// Score against the rule-based player, moving first and second, with the belt's slips.
    pub smart: [f64; 2],
    /// The smaller of the two shares of the best possible average score.
    pub share_of_best: f64,
    /// Games of 10,000 won against random and smart: by the fractions, then by the bytes, with the
    /// same seeds.
    pub matches: [[u32; 2]; 2],
}

/// Black must reach this share of the best possible score against both opponents.
const BLACK_SHARE: f64 = 0.995;
/// Games of each match.
const GAMES: u32 = 10_000;

impl DotsCertificate {
    pub(crate) fn strength(&self) -> u16 {
        ((self.random[0] + self.random[1]) * 500.0) as u16
    }

    pub(crate) fn lines(&self) -> Vec<(&'static str, String)> {
        let exact = if self.kept_wins == self.won_states {
            ": EXACT, no reply makes it lose one"
        } else {
            ""
        };
        let side = |[first, second]: [f64; 2]| {
            format!("{first:.6} moving first, {second:.6} second; exact")
        };
        let [[random, smart], [random_bytes, smart_bytes]] = self.matches;
        vec![
            (
                "largest error",
                format!("{:.6} of 1 (a byte a value)", self.largest_error),
            ),
            (
                "changed moves",
                format!(
                    "{} of {} states, bytes against fractions",
                    self.changed_moves, self.states
                ),
            ),
            (
                "wins kept",
                format!(
                    "{} of {} won states{exact}",
                    self.kept_wins, self.won_states
                ),
            ),
            ("against random", side(self.random)),
            ("against smart", side(self.smart)),
            (
                "share of best",
                format!(
                    "{:.6} of the best possible score, the worse of both opponents",
                    self.share_of_best
                ),
            ),
            (
                "10,000 games",
                format!(
                    "random {random} by fractions, {random_bytes} by bytes; smart {smart}, {smart_bytes}"
                ),
            ),
        ]
    }
}

/// Rounds a Q-table (as fractions) to bytes so that the best edge of every state stays the best:
/// where rounding makes another edge equal or better, the best edge's byte is raised by 1, or the
/// others are lowered by 1.
pub fn keep_best(values: &[f64]) -> Option<Vec<u8>> {
    let mut bytes = crate::certify::quantise(values)?;
    let table: &[f64; Q_VALUES] = values.try_into().ok()?;
    for edges in 0..FULL {
        let (best, _) = greedy(table, edges);
        let row = &mut bytes[usize::from(edges) * EDGES..][..EDGES];
        let free = |edge: usize| edges >> edge & 1 == 0;
        let top = (0..EDGES)
            .filter(|&edge| free(edge) && edge != usize::from(best))
            .map(|edge| row[edge])
            .max();
        let Some(top) = top.filter(|&top| top >= row[usize::from(best)]) else {
            continue;
        };
        if top < u8::MAX {
            row[usize::from(best)] = top + 1;
        } else {
            row[usize::from(best)] = u8::MAX;
            for edge in (0..EDGES).filter(|&edge| edge != usize::from(best)) {
                row[edge] = row[edge].min(u8::MAX - 1);
            }
        }
    }
    Some(bytes)
}

/// Rounds a table to bytes and certifies them, or says why they must not be shipped.
pub fn certify_table(
    shape: DotsTable,
    values: &[f64],
    belt: Option<Belt>,
) -> Result<(Vec<u8>, DotsCertificate), String> {
    let bytes = match shape {
        DotsTable::QTable => keep_best(values),
        DotsTable::ValueTable => crate::certify::quantise(values),
    };
    let bytes = bytes.ok_or("a value is not between 0 and 1")?;
    let proof = certify_dots(shape, values, &bytes, belt)?;
    Ok((bytes, proof))
}

fn certify_dots(
    shape: DotsTable,
    values: &[f64],
    bytes: &[u8],
    belt: Option<Belt>,
) -> Result<DotsCertificate, String> {
    let expected = shape.values();
    if values.len() != expected || bytes.len() != expected {
        return Err(format!(
            "{} values and {} bytes, expected {expected} of both",
            values.len(),
            bytes.len()
        ));
    }
    let errors = values
        .iter()
        .zip(bytes)
        .map(|(value, &byte)| (value - f64::from(byte) / f64::from(SCALE)).abs());
    let largest_error = errors.fold(0.0, f64::max);
    // `keep_best` may move the best edge of a state by two from the nearest byte.
    let bound = if shape == DotsTable::QTable { 2.5 } else { 0.5 } / f64::from(SCALE) + 1e-9;
    if largest_error > bound {
        return Err(format!(
            "rounding error {largest_error:.6}, at most {bound:.6} is allowed"
        ));
    }
    let rules = DotsRules::default();
    let states = reachable();
    let changed_moves = states
        .iter()
        .filter(|&&state| shape.edge(values, state) != shape.edge(bytes, state))
        .count();
    let (won_states, lost) = wins(shape, bytes, &states);
    let slips = belt.map_or(0, Belt::slips);
    let opponents = [Opponent::Random, Opponent::Smart { slips: 0 }];
    let scores =
        opponents.map(|opponent| score(rules, opponent, slips, |state| shape.edge(bytes, state)));
    let shares =
        [0, 1].map(|i| scores[i].average() / Chances::<f64>::best(rules, opponents[i]).average());
    let won = |choose: &dyn Fn(State) -> u8| opponents.map(|opponent| matches(opponent, choose));
    let certificate = DotsCertificate {
        shape,
        largest_error,
        changed_moves,
        states: states.len(),
        won_states,
        kept_wins: won_states - lost.len(),
        random: [scores[0].first(), scores[0].second()],
        smart: [scores[1].first(), scores[1].second()],
        share_of_best: shares[0].min(shares[1]),
        matches: [
            won(&|state| shape.edge(values, state)),
            won(&|state| shape.edge(bytes, state)),
        ],
    };
    let lower = belt.is_some_and(|belt| belt != Belt::Black);
    for (opponent, by_bytes) in opponents.into_iter().zip(&scores) {
        let [fractions, bytes] = [
            score(rules, opponent, slips, |state| shape.edge(values, state)).average(),
            by_bytes.average(),
        ];
        if !lower && bytes < fractions - 1e-9 {
            return Err(format!(
                "rounding costs score: {fractions:.6} by fractions, {bytes:.6} by bytes"
            ));
        }
    }
    match lost.first() {
        _ if belt != Some(Belt::Black) => Ok(certificate),
        Some(state) => Err(format!("black gives away the win of {}", state.game(rules))),
        None if certificate.share_of_best < BLACK_SHARE => Err(format!(
            "black reaches {:.4} of the best score, {BLACK_SHARE} is asked",
            certificate.share_of_best
        )),
        None => Ok(certificate),
    }
}

/// The number of won states, and the states in which the table gives the win away.
fn wins(shape: DotsTable, bytes: &[u8], states: &[State]) -> (usize, Vec<State>) {
    let rules = DotsRules::default();
    let Some(exact) = Exact::new(rules) else {
        return (0, vec![]);
    };
    let won: Vec<_> = states
        .iter()
        .copied()
        .filter(|state| exact.result(&state.game(rules)) == 1)
        .collect();
    let keeps = |state: &State| {
        let game = state.game(rules);
        let edge = game
            .legal_moves()
            .find(|edge| edge.index() == u16::from(shape.edge(bytes, *state)));
        edge.is_some_and(|edge| exact.result_after(&game, edge) == 1)
    };
    (
        won.len(),
        won.into_iter().filter(|state| !keeps(state)).collect(),
    )
}

/// The first won state in which a table gives the win away, in words; `None` if there is none.
pub fn lost_win_of_dots(shape: DotsTable, bytes: &[u8]) -> Option<String> {
    let (_, lost) = wins(shape, bytes, &reachable());
    lost.first()
        .map(|state| state.game(DotsRules::default()).to_string())
}

/// Games won in a match, moving first in every other game. The game has no draws.
fn matches(opponent: Opponent, choose: &dyn Fn(State) -> u8) -> u32 {
    let rules = DotsRules::default();
    let mut wins = 0;
    for number in 0..GAMES {
        let mut rng = Rng::new(number.into());
        let (mut edges, mut boxes, mut mine) = (0u16, [0; 2], number % 2 == 0);
        let started = mine;
        while edges != FULL {
            let edge = match mine {
                true => choose(State {
                    edges,
                    boxes: boxes[0],
                    started,
                }),
                false => opponent.choose(edges, &mut rng).unwrap_or_default(),
            };
            let before = two_by_two::complete(edges);
            edges |= 1 << edge;
            let gained = two_by_two::complete(edges) - before;
            boxes[usize::from(!mine)] += gained;
            mine ^= gained == 0;
        }
        wins += u32::from(two_by_two::result(&rules, boxes[0], started) == 1);
    }
    wins
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_keeps_the_best_edge_best() {
        let mut rng = Rng::new(3);
        let near = (0..Q_VALUES)
            .map(|_| 0.999 + f64::from(rng.below(1000)) / 1_000_000.0)
            .collect::<Vec<_>>();
        let bytes = keep_best(&near).unwrap();
        let table: &[f64; Q_VALUES] = near[..].try_into().unwrap();
        for edges in 0..FULL {
            assert_eq!(
                greedy(bytes[..].try_into().unwrap(), edges).0,
                greedy(table, edges).0
            );
        }
    }

    #[test]
    fn ignorance_is_not_certified_as_black() {
        let values = vec![0.5; LEAVE_VALUES];
        let table = DotsTable::ValueTable;
        assert!(certify_table(table, &values, Some(Belt::White)).is_ok());
        let refusal = certify_table(table, &values, Some(Belt::Black)).unwrap_err();
        assert!(refusal.contains("gives away the win of"), "{refusal}");
        assert!(certify_table(DotsTable::QTable, &values, None).is_err());
    }
}

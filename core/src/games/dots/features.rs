//! Inputs of the learned evaluation: small integers from the point of view of the player to move.
//!
//! The game is decided by who has to open the first long chain, and that depends on chains that do
//! not exist yet. So the board is also filled up in eight fixed orders: safe edges until none is
//! left; the chains that result are then valued by [`ChainCounts::control`].

use super::geometry::{BOX_EDGES, BOXES_OF};
use super::{Dots, MAX_EDGES, SIDE, Ties};
use crate::game::{Game, Player};

/// Number of features.
pub const FEATURES: usize = 22;

/// The features, by index:
///
/// | index | feature |
/// |---|---|
/// | 0 | always 1 |
/// | 1 | lead in boxes |
/// | 2 | incomplete boxes |
/// | 3 | a tie: 1 for a win, −1 for a loss, 0 for a draw or where no tie is possible |
/// | 4, 5 | safe edges; 1 if their number is odd, else −1 |
/// | 6 to 9 | boxes that lack four, three, two edges and one |
/// | 10 | short chains |
/// | 11, 12 | long chains; boxes in them |
/// | 13, 14 | loops; boxes in them |
/// | 15, 16 | margin of captures and chains if all safe edges are drawn first; its result |
/// | 17 | wins minus losses over the eight fill orders |
/// | 18 to 20 | sum of their margins; the smallest; the largest |
/// | 21 | fill orders with an odd number of safe edges minus those with an even number |
pub type Features = [i16; FEATURES];

/// Sentinel: no box.
const NONE: usize = SIDE * SIDE;
/// Sentinel for boxes outside the board: more than any box lacks.
const OUTSIDE: u8 = 9;
/// Length from which a chain is long: its last two boxes can be declined.
const LONG: u8 = 3;

/// Fill orders: the edge to start from, and whether indices rise.
const ORDERS: [(u32, bool); 8] = [
    (0, true),
    (0, false),
    (15, true),
    (15, false),
    (30, true),
    (30, false),
    (45, true),
    (45, false),
];

/// Features of an unfinished position. They say little while boxes can be captured: a search plays
/// captures first.
pub fn features(game: &Dots) -> Features {
    let board = FreeSides::new(game);
    let lead = game.lead(game.turn());
    let safe = board.safe.count_ones() as i16;
    let chains = board.chains();
    let odd = |count: i16| if count % 2 == 1 { 1 } else { -1 };
    // Whoever draws the last safe edge makes the opponent open the first chain.
    let worth = |chains: &ChainCounts, safe: i16| odd(safe) * chains.control();
    let takes = board.lacking(1);
    let now = worth(&chains, safe) + takes;

    let (mut results, mut margins, mut parity) = (0, 0, 0);
    let (mut least, mut most) = (i16::MAX, i16::MIN);
    for (from, up) in ORDERS {
        let mut filled = board;
        let drawn = filled.fill(from, up);
        let more = worth(&filled.chains(), drawn) + takes;
        results += i16::from(game.result_with(more));
        margins += lead + more;
        parity += odd(drawn);
        (least, most) = (least.min(lead + more), most.max(lead + more));
    }
    [
        1,
        lead,
        i16::from(game.rules.boxes()) - game.taken.count_ones() as i16,
        match game.rules.ties {
            Ties::StarterLoses if !game.rules.boxes().is_multiple_of(2) => 0,
            Ties::StarterLoses if game.turn == Player::First => -1,
            Ties::StarterLoses => 1,
            Ties::Draw => 0,
        },
        safe,
        odd(safe),
        board.lacking(4),
        board.lacking(3),
        board.lacking(2),
        takes,
        chains.count(1, LONG - 1, false),
        chains.count(LONG, NONE as u8, false),
        chains.boxes(LONG, NONE as u8, false),
        chains.count(0, NONE as u8, true),
        chains.boxes(0, NONE as u8, true),
        now,
        game.result_with(now).into(),
        results,
        margins,
        least,
        most,
        parity,
    ]
}

/// The free edges, and how many of them each box lacks.
#[derive(Clone, Copy)]
struct FreeSides {
    free: u64,
    /// Free edges of no box that lacks one or two: drawing one gives nothing away.
    safe: u64,
    lacks: [u8; NONE + 1],
}

impl FreeSides {
    fn new(game: &Dots) -> FreeSides {
        let free = game.free().0;
        let all = game.rules.all_edges();
        let mut board = FreeSides {
            free,
            safe: free,
            lacks: [OUTSIDE; NONE + 1],
        };
        for (lacks, edges) in board.lacks.iter_mut().zip(BOX_EDGES).take(NONE) {
            if edges & !all == 0 {
                *lacks = (edges & free).count_ones() as u8;
                board.safe &= if *lacks <= 2 { !edges } else { u64::MAX };
            }
        }
        board
    }

    /// Number of boxes that lack `edges` edges.
    fn lacking(&self, edges: u8) -> i16 {
        self.lacks.iter().filter(|&&lacks| lacks == edges).count() as i16
    }

    /// Draws safe edges in this order until none is left, and returns their number.
    fn fill(&mut self, from: u32, up: bool) -> i16 {
        let mut drawn = 0;
        while self.safe != 0 {
            let turned = self.safe.rotate_right(from);
            let place = if up {
                turned.trailing_zeros()
            } else {
                63 - turned.leading_zeros()
            };
            let edge = (place + from) % 64;
            self.safe &= !(1 << edge);
            self.free &= !(1 << edge);
            for number in BOXES_OF[edge as usize % MAX_EDGES].map(usize::from) {
                let lacks = &mut self.lacks[number];
                *lacks -= u8::from(*lacks != OUTSIDE);
                if *lacks == 2 {
                    self.safe &= !BOX_EDGES[number];
                }
            }
            drawn += 1;
        }
        drawn
    }

    /// The chains and loops of boxes that lack two edges.
    fn chains(&self) -> ChainCounts {
        let mut chains = ChainCounts {
            open: [0; NONE + 1],
            closed: [0; NONE + 1],
        };
        let mut seen = 0u32;
        for (first, edges) in BOX_EDGES.into_iter().enumerate() {
            if self.lacks[first] != 2 || seen >> first & 1 == 1 {
                continue;
            }
            let links = edges & self.free;
            let one = links & links.wrapping_neg();
            let (mut length, mut closed) = (1, false);
            seen |= 1 << first;
            for start in [one, links & !one] {
                let (mut at, mut link) = (first, start);
                while !closed {
                    let [a, b] =
                        BOXES_OF[link.trailing_zeros() as usize % MAX_EDGES].map(usize::from);
                    at = if a == at { b } else { a };
                    if self.lacks[at] != 2 {
                        break;
                    }
                    closed = at == first;
                    if !closed {
                        seen |= 1 << at;
                        length += 1;
                        link = BOX_EDGES[at] & self.free & !link;
                    }
                }
            }
            let kind = if closed {
                &mut chains.closed
            } else {
                &mut chains.open
            };
            kind[length] += 1;
        }
        chains
    }
}

/// Number of chains (`open`) and loops (`closed`) of each length.
struct ChainCounts {
    open: [u8; NONE + 1],
    closed: [u8; NONE + 1],
}

impl ChainCounts {
    fn lengths(&self, from: u8, to: u8, closed: bool) -> impl Iterator<Item = (i16, i16)> {
        let kind = if closed { &self.closed } else { &self.open };
        (from..=to).map(|length| (length.into(), kind[usize::from(length)].into()))
    }

    fn count(&self, from: u8, to: u8, closed: bool) -> i16 {
        self.lengths(from, to, closed).map(|(_, count)| count).sum()
    }

    fn boxes(&self, from: u8, to: u8, closed: bool) -> i16 {
        self.lengths(from, to, closed)
            .map(|(length, count)| length * count)
            .sum()
    }

    /// Margin of the player in control, who need not open a chain. Short chains are opened before
    /// long ones, and loops all before the long chains or all after them, whichever is better for
    /// the player who opens.
    fn control(&self) -> i16 {
        let loops = |rest| self.opened(4, true, rest);
        let long = |rest| self.opened(LONG, false, rest);
        let worth = loops(long(0)).min(long(loops(0)));
        // Short chains cannot be declined: whoever captures one has to open the next.
        (1..LONG).rev().fold(worth, |rest, length| {
            (0..self.open[usize::from(length)]).fold(rest, |rest, _| i16::from(length) - rest)
        })
    }

    /// Margin of the player who captures these chains or loops, with `rest` to follow. For each,
    /// the player either captures all of it and opens the next one, or declines its last boxes and
    /// keeps control.
    fn opened(&self, from: u8, closed: bool, rest: i16) -> i16 {
        let declined = if closed { 4 } else { 2 };
        let kind = if closed { &self.closed } else { &self.open };
        (from..=NONE as u8).rev().fold(rest, |rest, length| {
            (0..kind[usize::from(length)]).fold(rest, |rest, _| {
                i16::from(length) - declined + (rest - declined).abs()
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::DotsRules;
    use crate::games::dots::Edge;
    use crate::games::dots::Endgame;
    use crate::rng::Rng;

    /// Free sides of a box, by its row and column.
    fn free_sides(game: &Dots, row: u8, col: u8) -> usize {
        let sides = [
            Edge::horizontal(row, col),
            Edge::horizontal(row + 1, col),
            Edge::vertical(row, col),
            Edge::vertical(row, col + 1),
        ];
        sides
            .into_iter()
            .flatten()
            .filter(|&edge| !game.has(edge))
            .count()
    }

    /// The counts, recomputed from the rules box by box and edge by edge.
    #[test]
    fn counts_are_those_of_a_slow_look() {
        let mut rng = Rng::new(3);
        for (rows, cols) in [(4, 4), (5, 5), (3, 4), (2, 5)] {
            let rules = DotsRules::new(rows, cols).unwrap();
            for _ in 0..20 {
                let mut game = Dots::new(rules);
                while !game.is_over() {
                    let seen = features(&game);
                    let boxes = || (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col)));
                    let lacking = |n| {
                        boxes()
                            .filter(|&(row, col)| free_sides(&game, row, col) == n)
                            .count() as i16
                    };
                    let safe = { game.free() }
                        .filter(|&edge| game.completes(edge) == 0 && !game.gives_away(edge));
                    // The last free edge of a box is not safe, although drawing it gives nothing
                    // away.
                    let safe = safe.count() as i16;
                    assert_eq!((seen[0], seen[1]), (1, game.lead(game.turn())));
                    assert_eq!(seen[2], boxes().count() as i16 - lacking(0));
                    let tie = game.with_score(game.turn(), 0);
                    let tie = Dots {
                        taken: 0,
                        firsts: 0,
                        ..tie
                    }
                    .result_with(0);
                    assert_eq!(seen[3], if rows * cols % 2 == 0 { tie.into() } else { 0 });
                    assert_eq!(seen[4], safe, "{game}");
                    assert_eq!(seen[5], if safe % 2 == 1 { 1 } else { -1 });
                    assert_eq!(
                        seen[6..10],
                        [lacking(4), lacking(3), lacking(2), lacking(1)]
                    );
                    // Chains and loops partition the boxes that lack two edges.
                    assert!(seen[12] + seen[14] <= lacking(2));
                    let in_short = lacking(2) - seen[12] - seen[14];
                    assert!((seen[10]..=2 * seen[10]).contains(&in_short), "{game}");
                    assert!(seen[12] >= 3 * seen[11] && seen[14] >= 4 * seen[13]);
                    assert!(seen[19] <= seen[20] && seen[17].abs() <= 8 && seen[21].abs() <= 8);
                    assert!((8 * seen[19]..=8 * seen[20]).contains(&seen[18]));
                    // With at most one safe edge all orders are the same.
                    assert!(safe != 0 || seen[21] == -8, "{game}");
                    assert!(safe != 1 || seen[21] == 8, "{game}");
                    // If even the smallest margin is positive, all orders win; if even the largest
                    // is negative, all lose.
                    assert!(seen[19] <= 0 || seen[17] == 8, "{game}");
                    assert!(seen[20] >= 0 || seen[17] == -8, "{game}");
                    assert!(seen.iter().all(|number| number.abs() <= crate::nn::INPUT));
                    game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
                }
            }
        }
    }

    /// Without safe edges and branching boxes, the chain rule is exact in at least 95 % of the
    /// positions. The exact values are those of the endgame table.
    #[test]
    fn the_rule_of_chains_finds_the_exact_value() {
        let mut rng = Rng::new(9);
        let (mut exact, mut looked) = (0, 0);
        while looked < 200 {
            let mut game = Dots::new(DotsRules::new(3, 4).unwrap());
            while let Some(edge) = rng.pick({ game.free() }.filter(|&edge| !game.gives_away(edge)))
            {
                game.play_unchecked(edge);
            }
            let seen = features(&game);
            let forks = seen[6] + seen[7] > 0;
            if forks || game.free().count() > 14 {
                continue;
            }
            let mut memory = [0; 1 << 14];
            let value = Endgame::new(&game, &mut memory).unwrap().value(&game);
            looked += 1;
            exact += usize::from(i16::from(value) == seen[15]);
            assert_eq!(
                seen[18],
                8 * (seen[1] + seen[15]),
                "nothing is left to fill"
            );
        }
        assert!(exact >= 190, "{exact} of {looked}");
    }

    /// The reference tries every order of opening the chains and loops.
    #[test]
    fn control_is_no_worse_than_a_fixed_order_and_no_better_than_the_best() {
        fn best(lengths: &[(i16, bool)]) -> i16 {
            let opened = |n: usize| {
                let (length, closed) = lengths[n];
                let rest: heapless::Vec<_, 8> = lengths
                    .iter()
                    .enumerate()
                    .filter(|(other, _)| *other != n)
                    .map(|(_, part)| *part)
                    .collect();
                let rest = best(&rest);
                match (closed, length) {
                    (false, ..3) => length - rest,
                    (false, _) => (length - rest).max(length - 4 + rest),
                    (true, _) => (length - rest).max(length - 8 + rest),
                }
            };
            (0..lengths.len()).map(opened).min().unwrap_or(0)
        }
        let mut rng = Rng::new(1);
        let (mut same, rounds) = (0, 300);
        for _ in 0..rounds {
            let mut parts = heapless::Vec::<(i16, bool), 8>::new();
            for _ in 0..1 + rng.below(5) {
                let closed = rng.below(4) == 0;
                let length = if closed {
                    4 + 2 * rng.below(3)
                } else {
                    1 + rng.below(6)
                };
                parts.push((length as i16, closed)).unwrap();
            }
            let mut chains = ChainCounts {
                open: [0; NONE + 1],
                closed: [0; NONE + 1],
            };
            for &(length, closed) in &parts {
                let kind = if closed {
                    &mut chains.closed
                } else {
                    &mut chains.open
                };
                kind[length as usize] += 1;
            }
            let (found, exact) = (chains.control(), best(&parts));
            same += usize::from(found == exact);
            assert!((found - exact).abs() <= 4, "{parts:?}: {found} {exact}");
        }
        assert!(same * 10 >= rounds * 8, "{same} of {rounds}");
    }
}

//! Perfect play, from a table of all sets of edges.

use dojo_core::game::Game;
use dojo_core::games::dots::players::Oracle;
use dojo_core::games::dots::{Edge, Endgame};
use dojo_core::games::{Dots, DotsRules};

/// Most edges of a board that is solved from its first move: 2²⁴ bytes.
pub const MOST_EDGES: u32 = 24;

/// All values of a board.
#[derive(Debug)]
pub struct Exact {
    endgame: Endgame<'static>,
    rules: DotsRules,
}

impl Exact {
    /// Solves a board; `None` if it is too large. The table is never freed: a run solves one board
    /// or two.
    pub fn new(rules: DotsRules) -> Option<Exact> {
        let edges = rules.all_edges().count_ones();
        if edges > MOST_EDGES {
            return None;
        }
        let memory = Box::leak(vec![0; 1 << edges].into_boxed_slice());
        Some(Exact {
            endgame: Endgame::new(&Dots::new(rules), memory)?,
            rules,
        })
    }

    /// By how many boxes the player who starts wins.
    pub fn value(&self) -> i8 {
        self.value_of_position(&Dots::new(self.rules))
    }

    /// Boxes that the mover of a position will still win, less the opponent's, if both play their
    /// best.
    pub fn value_of_position(&self, game: &Dots) -> i8 {
        self.endgame.value(game)
    }

    /// 1 if the mover wins with best play from here, 0 for a draw, −1 for a loss.
    pub fn result(&self, game: &Dots) -> i8 {
        self.endgame.result(game)
    }

    /// The result for the mover once this edge is drawn.
    pub fn result_after(&self, game: &Dots, edge: Edge) -> i8 {
        self.endgame.result_of(game, edge)
    }

    /// A move that keeps the result; see [`Oracle::best`].
    pub fn choose(&self, game: &Dots) -> Option<Edge> {
        self.endgame.best(game)
    }
}

/// Sets of edges up to the symmetries of the board.
pub fn classes(rules: DotsRules) -> u64 {
    // Burnside's lemma: the mean number of sets that a symmetry leaves unchanged, two to the number
    // of its cycles.
    let game = Dots::new(rules);
    let own = (0..Dots::SYMMETRIES).filter(|&symmetry| game.transformed(symmetry).rules() == rules);
    let fixed = |symmetry| {
        let mut seen = 0;
        let mut cycles = 0;
        for start in rules.edges() {
            let mut edge = start;
            cycles += u32::from(seen & start.bit() == 0);
            while seen & edge.bit() == 0 {
                seen |= edge.bit();
                edge = game.transformed_move(edge, symmetry);
            }
        }
        1u64 << cycles
    };
    let (sum, count) = own.fold((0, 0), |(sum, count), symmetry| {
        (sum + fixed(symmetry), count + 1)
    });
    sum / count
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn classes_are_counted_as_by_listing_them() {
        for (rows, cols) in [(1, 1), (1, 2), (2, 2)] {
            let rules = DotsRules::new(rows, cols).unwrap();
            let game = Dots::new(rules);
            let edges: Vec<_> = rules.edges().collect();
            let image = |set: u64, symmetry| {
                let members = edges.iter().filter(|edge| set & edge.bit() != 0);
                members.fold(0, |image, &edge| {
                    image | game.transformed_move(edge, symmetry).bit()
                })
            };
            let own: Vec<_> = (0..8)
                .filter(|&symmetry| game.transformed(symmetry).rules() == rules)
                .collect();
            let all = rules.all_edges();
            let sets = (0..=all).filter(|set| set & !all == 0);
            let listed: HashSet<_> = sets
                .map(|set| own.iter().map(|&s| image(set, s)).min())
                .collect();
            assert_eq!(classes(rules), listed.len() as u64, "{rules}");
        }
    }

    #[test]
    fn small_boards_have_their_known_values() {
        for (rows, cols, value) in [(1, 1, -1), (2, 2, 2)] {
            assert_eq!(
                Exact::new(DotsRules::new(rows, cols).unwrap())
                    .unwrap()
                    .value(),
                value
            );
        }
        assert!(Exact::new(DotsRules::new(4, 4).unwrap()).is_none());
    }
}

//! Belts of tic-tac-toe: look-ahead at every strength.

use core::convert::Infallible;

use crate::bank::Meta;
use crate::belt::Belt;
use crate::games::TicTacToe;
use crate::games::tictactoe::OpenLines;
use crate::memory::Workspace;
use crate::players::belts::{Ancestor, Belted, Resources, Thoughts, look_ahead, solved_thoughts};
use crate::players::{Agent, Lookahead, Searchable, Solvable};
use crate::rng::Rng;
use crate::search::{Control, MAX_PLY, Soonest, value as search_value};

impl Searchable for TicTacToe {
    type Knowledge = OpenLines;
}

impl Solvable for TicTacToe {
    /// Nothing is stored: each value is found by a search to the end of the game.
    type Solution = ();

    fn solve(_: Self::Rules) {}

    fn value(&self, _: &()) -> i16 {
        search_value(self, Soonest, MAX_PLY)
    }
}

/// No models: look-ahead reaches the end of the game.
impl Belted for TicTacToe {
    type Model<'b> = Infallible;

    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn model(_: &Meta, _: &[u8]) -> Option<Infallible> {
        None
    }

    fn by_model<W, C>(
        &self,
        _: Belt,
        model: &Infallible,
        _: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        match *model {}
    }

    fn by_rules<W, C>(
        &self,
        belt: Belt,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        look_ahead(self, belt, rng)
    }

    const ANCESTORS: &'static [Ancestor] = &[Ancestor {
        name: "Marks",
        origin: "From a lecture: two moves deep, then counts marks.",
    }];

    fn by_ancestor<W: Workspace, C: Control>(
        &self,
        number: usize,
        _: Option<&Infallible>,
        rng: &mut Rng,
        _: &mut Resources<'_, W, C>,
    ) -> Option<Self::Move> {
        // All positions of one ply have the same number of marks: what is left of its evaluation
        // are the games that end on the way.
        let found = Lookahead { plies: 2 }.choose(self, rng);
        found.filter(|_| number == 0)
    }

    fn thoughts<W, C>(
        &self,
        _: Belt,
        _: Option<&Infallible>,
        _: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        solved_thoughts(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::tictactoe::Marks;
    use crate::memory::Heap;
    use alloc::string::ToString;

    #[test]
    fn the_lectures_player_sees_two_moves_ahead_and_all_marks_alike() {
        let mut rng = Rng::new(1);
        let mut choose = |text: &str| {
            let game = TicTacToe::parse_position(Default::default(), text).unwrap();
            let mut resources = Resources {
                memory: &mut Heap::default(),
                control: &mut (),
                helper: None,
            };
            game.by_ancestor(0, None, &mut rng, &mut resources)
                .unwrap()
                .to_string()
        };
        for _ in 0..20 {
            assert_eq!(choose("xx./oo./..."), "c3", "it takes a win");
            assert_eq!(choose("xx./o../..."), "c3", "it stops one");
        }
        // It rates moves as a search by that evaluation does.
        let mut game = TicTacToe::new(Default::default());
        while !game.is_over() {
            let by = |mv, plies| -search_value(&game.after(mv), Marks, plies);
            let top = game.legal_moves().map(|mv| by(mv, 1)).max();
            let chosen = game.parse_move(&choose(&game.to_string())).unwrap();
            assert_eq!(Some(by(chosen, 1)), top, "{game}");
            game.play(game.legal_moves().next().unwrap()).unwrap();
        }
        // Elsewhere every square is as good as any other.
        let mut seen: alloc::vec::Vec<_> = (0..300).map(|_| choose(".../.../...")).collect();
        seen.sort();
        seen.dedup();
        assert_eq!(seen.len(), 9, "{seen:?}");
    }
}

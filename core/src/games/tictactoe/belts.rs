//! Belts of tic-tac-toe: look-ahead at every strength.

use core::convert::Infallible;

use crate::bank::Meta;
use crate::belt::Belt;
use crate::games::TicTacToe;
use crate::games::tictactoe::OpenLines;
use crate::players::belts::{Belted, Resources, Thoughts, look_ahead, solved_thoughts};
use crate::players::{Searchable, Solvable};
use crate::rng::Rng;
use crate::search::{MAX_PLY, Soonest, value as search_value};

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

    fn thoughts<W, C>(
        &self,
        _: Belt,
        _: Option<&Infallible>,
        _: &mut Resources<'_, W, C>,
    ) -> Thoughts {
        solved_thoughts(self)
    }
}

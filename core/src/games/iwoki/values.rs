//! A plain evaluation of iwoki for search.

use super::{Action, Iwoki};
use crate::game::{Game, Outcome};
use crate::search::{Knowledge, Value};

/// The difference of the final counts, as if the game ended now.
#[derive(Clone, Copy, Debug, Default)]
pub struct FinalCounts;

impl Knowledge<Iwoki> for FinalCounts {
    const ORDERS: bool = true;
    const EXTENSIONS: bool = true;

    #[inline]
    fn horizon(&self, game: &Iwoki) -> Value {
        game.lead(game.turn())
    }

    #[inline]
    fn end(&self, game: &Iwoki, _: Outcome, _: u8) -> Value {
        game.lead(game.turn())
    }

    /// A player who drew still has to lay a tile: the turn is evaluated only after that.
    #[inline]
    fn extends(&self, next: &Iwoki) -> bool {
        next.has_drawn()
    }

    /// Actions with more points first.
    #[inline]
    fn promise(&self, game: &Iwoki, action: Action) -> i16 {
        10 * i16::from(game.points_of(action))
    }
}

//! What a search is told about iwoki.

use super::{Action, Iwoki};
use crate::game::{Game, Outcome};
use crate::search::{Knowledge, Value};

/// A position is worth the difference of the final counts, as if it were the last.
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

    /// Who has drawn has still to lay a tile: only then the turn can be judged.
    #[inline]
    fn extends(&self, next: &Iwoki) -> bool {
        next.has_drawn()
    }

    /// Points first.
    #[inline]
    fn promise(&self, game: &Iwoki, action: Action) -> i16 {
        10 * i16::from(game.points_of(action))
    }
}

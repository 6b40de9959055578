//! What a search is told about dots and boxes.

use crate::game::{Game, Outcome};
use crate::games::Dots;
use crate::search::{Knowledge, Value};

/// Winning counts most, then by how many boxes; an unfinished game is worth the lead so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Lead;

/// More than any lead.
const WON: Value = 100;

impl Knowledge<Dots> for Lead {
    const ORDERS: bool = true;

    fn horizon(&self, game: &Dots) -> Value {
        game.lead(game.turn())
    }

    fn end(&self, game: &Dots, outcome: Outcome, _: u8) -> Value {
        Value::from(outcome.value_for(game.turn())) * WON + game.lead(game.turn())
    }

    /// Boxes first, gifts last.
    fn promise(&self, game: &Dots, edge: <Dots as Game>::Move) -> i16 {
        let gift = i16::from(game.gives_away(edge));
        let gain = i16::from(game.completes(edge)) - gift;
        100 * if game.rules().misere { -gain } else { gain }
    }
}

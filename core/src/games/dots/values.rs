//! A plain evaluation of dots and boxes for search.

use crate::game::{Game, Outcome};
use crate::games::Dots;
use crate::search::{Knowledge, Value};

/// The lead in boxes; in a finished game the result counts more than any lead.
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

    /// Captures first, edges that give boxes away last; in misère the other way round.
    fn promise(&self, game: &Dots, edge: <Dots as Game>::Move) -> i16 {
        let gift = i16::from(game.gives_away(edge));
        let gain = i16::from(game.completes(edge)) - gift;
        100 * if game.rules().misere { -gain } else { gain }
    }
}

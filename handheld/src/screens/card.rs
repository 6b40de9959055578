//! The brain card: where a model comes from and what is certified about it.

use core::fmt::Write;

use dojo_core::games::GameId;
use dojo_core::games::thinking::ancestor_of;

use crate::app::AppState;
use crate::pen::Pen;
use crate::store::Seat;

#[derive(Clone, Copy)]
pub(crate) struct Card {
    seat: Seat,
    game: GameId,
}

impl Card {
    pub(super) fn new(seat: Seat, game: GameId) -> Card {
        Card { seat, game }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(self.seat.title(self.game));
        let mut text = heapless::String::<160>::new();
        let ancestor = match self.seat {
            Seat::Ancestor(number) => ancestor_of(self.game, number),
            _ => None,
        };
        match (&app.card, ancestor) {
            (_, Some(ancestor)) => {
                let _ = write!(text, "{}\nAn ancestor of the belts.", ancestor.origin);
            }
            (Some(card), None) => {
                let _ = writeln!(text, "{}", card.name());
                let _ = writeln!(text, "{} games", card.games);
                let _ = writeln!(text, "Seed {}", card.seed);
                let _ = writeln!(text, "Check {:08x}", card.crc);
                let _ = match card.date {
                    0 => write!(text, "{}% against random", card.strength / 10),
                    date => write!(text, "{date}, {}% v random", card.strength / 10),
                };
            }
            (None, None) => {
                let _ = text.write_str("No model: it plays by rules and by looking ahead.");
            }
        }
        pen.page(place, &text);
        pen.footer("B back");
    }
}

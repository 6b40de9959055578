//! The brain card: where a model comes from and what is certified about it.

use core::fmt::Write;

use crate::app::AppState;
use crate::pen::Pen;
use crate::store::Seat;

#[derive(Clone, Copy)]
pub(crate) struct Card {
    seat: Seat,
}

impl Card {
    pub(super) fn new(seat: Seat) -> Card {
        Card { seat }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(self.seat.title());
        let mut text = heapless::String::<160>::new();
        match &app.card {
            Some(card) => {
                let _ = writeln!(text, "{}", card.name());
                let _ = writeln!(text, "{} games", card.games);
                let _ = writeln!(text, "Seed {}", card.seed);
                let _ = writeln!(text, "Check {:08x}", card.crc);
                let _ = match card.date {
                    0 => write!(text, "{}% against random", card.strength / 10),
                    date => write!(text, "{date}, {}% v random", card.strength / 10),
                };
            }
            None => {
                let _ = text.write_str("No model: it plays by rules and by looking ahead.");
            }
        }
        pen.page(place, &text);
        pen.footer("B back");
    }
}

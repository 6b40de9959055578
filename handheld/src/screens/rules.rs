//! The rules of a game, a few short pages.

use core::fmt::Write;

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::boards::{Words, rules_pages};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side};
use crate::screens::{Cursor, Nav};

#[derive(Clone, Copy)]
pub(crate) struct RulesPage {
    id: GameId,
    page: Cursor,
}

impl RulesPage {
    pub(super) fn new(id: GameId) -> RulesPage {
        RulesPage {
            id,
            page: Cursor(0),
        }
    }

    pub(super) fn press(&mut self, button: Button) -> Nav {
        let turn = match button {
            Button::Left | Button::Up => Button::Up,
            Button::Right | Button::Down | Button::A => Button::Down,
            _ => return Nav::Back,
        };
        self.page.step(turn, rules_pages(self.id).len());
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let place = pen.header(self.id.title());
        let pages = rules_pages(self.id);
        let mut number = Words::new();
        let _ = write!(number, "{}/{}", self.page.0 + 1, pages.len());
        let margin = pen.look.margin;
        let (font, ink) = (
            pen.look.small,
            if pen.look.roomy {
                Ink::Mist
            } else {
                Ink::Night
            },
        );
        let y =
            (pen.look.header - font.character_size.height as i32) / 2 - i32::from(!pen.look.roomy);
        pen.text(
            Point::new(pen.width() - margin, y),
            Side::Right,
            font,
            ink,
            &number,
        );
        let text = pages.get(self.page.0).copied().unwrap_or_default();
        pen.page(place, text);
        pen.footer("A next   B back");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pen::wrap;

    #[test]
    fn every_page_fits_the_smallest_display() {
        for id in GameId::ALL {
            for page in rules_pages(id) {
                let lines = wrap(page, 24).count();
                assert!(lines <= 5, "{}: {lines} lines: {page}", id.title());
            }
        }
    }
}

//! The rules of a game, a few short pages.

use core::fmt::Write;

use dojo_core::games::GameId;

use crate::boards::{Words, rules_pages};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
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
        let ink = if pen.look.roomy {
            Ink::Mist
        } else {
            Ink::Night
        };
        let bar = area(0, 0, pen.width() - margin, pen.look.header - 1);
        pen.text_in(bar, Side::Right, pen.look.body, ink, &number);
        let text = pages.get(self.page.0).copied().unwrap_or_default();
        pen.page(place, text);
        pen.footer("A next   B back");
    }
}

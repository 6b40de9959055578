//! The rules of a game, a few short pages.

use core::fmt::Write;

use dojo_core::games::GameId;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{AnyBoard, Words, example, rules_pages};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::{Cursor, Nav};
use crate::words;

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
        self.page.step(turn, rules_pages(self.id).len() + 1);
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let place = pen.below_header();
        if self.page.0 == EXAMPLE {
            // Before the header: a board may draw beyond its place.
            draw_example(self.id, place, pen);
        }
        pen.header(self.id.title());
        let pages = rules_pages(self.id);
        let mut number = Words::new();
        let _ = write!(number, "{}/{}", self.page.0 + 1, pages.len() + 1);
        let margin = pen.look.margin;
        let ink = if pen.look.roomy {
            Ink::Mist
        } else {
            Ink::Night
        };
        let bar = area(0, 0, pen.width() - margin, pen.look.header - 1);
        pen.text_in(bar, Side::Right, pen.look.body, ink, &number);
        if self.page.0 != EXAMPLE {
            let at = self.page.0 - usize::from(self.page.0 > EXAMPLE);
            pen.page(place, pages.get(at).copied().unwrap_or_default());
        }
        pen.footer(words::keys::NEXT);
    }
}

/// The drawn page is the second.
const EXAMPLE: usize = 1;

/// A position and a text: below it where there is room, else beside it.
fn draw_example(id: GameId, place: Rectangle, pen: &mut Pen<'_>) {
    let Some((game, marks, text)) = example(id) else {
        return;
    };
    let board = AnyBoard::new(&game);
    let (corner, size) = (place.top_left, place.size);
    let (width, height) = (size.width as i32, size.height as i32);
    let [picture, words] = if pen.look.roomy {
        let words = 36;
        [
            area(16, corner.y, width - 32, height - words),
            area(0, corner.y + height - words, width, words),
        ]
    } else {
        [
            area(0, corner.y, width / 2, height),
            area(width / 2, corner.y, width / 2, height),
        ]
    };
    board.draw(&game, marks, picture, pen);
    pen.fill(area(0, 0, pen.width(), corner.y), Ink::Night);
    pen.page(words, text);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_drawn_page() {
        for id in GameId::ALL {
            let (game, marks, _) = example(id).unwrap();
            assert!(game.outcome().is_none() && marks.last.is_some());
            let hint = marks.hint;
            assert!(hint.is_none_or(|mv| game.is_legal(mv)), "{}", id.title());
        }
    }
}

//! The list of games.

use dojo_core::games::GameId;

use crate::desk::Desk;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Go, Page, setup};

#[derive(Clone, Copy)]
pub(crate) struct Games {
    cursor: Cursor,
}

impl Games {
    pub(super) fn new(desk: &Desk) -> Games {
        Games {
            cursor: Cursor(
                GameId::ALL
                    .iter()
                    .position(|&id| id == desk.settings.last)
                    .unwrap_or(0),
            ),
        }
    }

    pub(super) fn press(&mut self, button: Button, desk: &mut Desk) -> Go {
        match button {
            Button::A => Go::Push(Page::Setup(setup::SetupPage::new(
                desk.setup(GameId::ALL[self.cursor.0]),
            ))),
            Button::B => Go::Back,
            _ => {
                self.cursor.step(button, GameId::ALL.len());
                Go::Stay
            }
        }
    }

    pub(super) fn draw(&self, _: &Desk, pen: &mut Pen<'_>) {
        let area = pen.header("Games");
        pen.list(
            area,
            &GameId::ALL.map(|id| Row::item(id.title())),
            self.cursor.0,
        );
        pen.footer("A choose   B back");
    }
}

//! The list of games.

use dojo_core::games::GameId;

use crate::app::AppState;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page, setup};

#[derive(Clone, Copy)]
pub(crate) struct Games {
    cursor: Cursor,
}

impl Games {
    pub(super) fn new(app: &AppState) -> Games {
        Games {
            cursor: Cursor(
                GameId::ALL
                    .iter()
                    .position(|&id| id == app.settings.last)
                    .unwrap_or(0),
            ),
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match button {
            Button::A => Nav::Push(Page::Setup(setup::SetupPage::new(
                app.setup(GameId::ALL[self.cursor.0]),
            ))),
            Button::B => Nav::Back,
            _ => {
                self.cursor.step(button, GameId::ALL.len());
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header("Games");
        let rows = GameId::ALL.map(|id| Row {
            label: id.title(),
            value: app.running(id).map_or("", |_| "on"),
            ..Row::default()
        });
        pen.list(area, &rows, self.cursor.0);
        pen.footer("A choose   B back");
    }
}

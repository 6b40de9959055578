//! The list of games.

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area, inset};
use crate::screens::{Cursor, Nav, Page, setup};
use crate::touch::Target;
use crate::words;

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
        let place = pen.header(words::GAMES);
        let (look, count) = (pen.look, GameId::ALL.len());
        if !look.roomy {
            let side = 30;
            let (Point { x, y }, Size { width, height }) = (place.top_left, place.size);
            let rows = GameId::ALL.map(|id| Row::item(id.title()));
            let list = area(x, y, width as i32 - side - 10, height as i32);
            pen.list(list, &rows, self.cursor.0);
            let left = x + width as i32 - side - 4;
            if let Some(&id) = GameId::ALL.get(self.cursor.0) {
                boards::icon(id, area(left, y + 4, side, side), pen);
                if app.running(id).is_some() {
                    let at = area(left - 4, y + 38, side + 8, 12);
                    pen.text_in(
                        at,
                        Side::Centre,
                        look.body,
                        Ink::Paper,
                        words::RUNNING_SHORT,
                    );
                }
            }
            return;
        }
        let tall = 46;
        let rows = pen.scroll(place, tall, count, self.cursor.0);
        for (row, number) in rows.enumerate() {
            let Some(&id) = GameId::ALL.get(number) else {
                continue;
            };
            let y = place.top_left.y + row as i32 * tall;
            let tile = area(4, y, pen.width() - 14, tall);
            let chosen = number == self.cursor.0;
            pen.touchable(tile, Target::Row(number as i8 - self.cursor.0 as i8));
            let mark = if chosen { "> " } else { "" };
            let running = app.running(id).is_some();
            let state = if running { words::RUNNING } else { "" };
            pen.tell(format_args!(
                "{mark}{}. {}. {state}",
                id.title(),
                boards::goal(id)
            ));
            if chosen {
                pen.panel(inset(tile, 1), Ink::Shade);
                pen.panel(area(4, y + 5, 4, tall - 10), Ink::Gold);
            }
            boards::icon(id, area(16, y + 5, tall - 10, tall - 10), pen);
            let (left, width) = (62, pen.width() - 14 - 64);
            let ink = if chosen { Ink::Gold } else { Ink::Paper };
            let line = area(left, y + 3, width, 22);
            pen.letters_in(line, Side::Left, look.title, ink, &[id.title()]);
            let line = area(left, y + 25, width, 17);
            let text = if running {
                words::RUNNING
            } else {
                boards::goal(id)
            };
            pen.letters_in(line, Side::Left, look.body, Ink::Mist, &[text]);
        }
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

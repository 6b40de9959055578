//! Watch it learn: which game, and which of the kept brains to take back.

use dojo_core::games::GameId;
use dojo_core::games::pupil::LESSONS;

use crate::app::AppState;
use crate::boards::Words;
use crate::event::{Command, Order};
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page, lesson};
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct Learn {
    cursor: Cursor,
}

/// The game's title with its board: only the smallest one is trained.
pub(super) fn title(game: GameId) -> &'static str {
    match game {
        GameId::Dots => words::SMALL_DOTS,
        other => other.title(),
    }
}

impl Learn {
    pub(super) fn new() -> Learn {
        Learn { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let rows = LESSONS.len() + usize::from(app.brains.last.is_some());
        match button {
            Button::B => Nav::Back,
            Button::A => match LESSONS.get(self.cursor.0) {
                Some(&game) => {
                    app.begin_lesson(game);
                    Nav::Push(Page::Lesson(lesson::LessonPage::new()))
                }
                None => {
                    app.command(Command::Learn(Order::Discard));
                    self.cursor = Cursor(0);
                    Nav::Stay
                }
            },
            _ => {
                self.cursor.step(button, rows);
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header(words::WATCH_IT_LEARN);
        let mut discard = Words::new();
        let mut rows: heapless::Vec<Row<'_>, 3> = heapless::Vec::new();
        for game in LESSONS {
            let value = if app.brains.card(game).is_some() {
                words::KEPT
            } else {
                ""
            };
            let _ = rows.push(Row {
                label: title(game),
                value,
                ..Row::default()
            });
        }
        if let Some(game) = app.brains.last {
            let _ = words::discard(&mut discard, title(game));
            let _ = rows.push(Row::item(&discard));
        }
        pen.list(area, &rows, self.cursor.0);
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

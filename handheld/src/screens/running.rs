//! The running games, one of each kind: which one to continue.

use core::fmt::Write;

use dojo_core::games::GameId;

use crate::app::AppState;
use crate::boards::Words;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Nav, Page};
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct RunningPage {
    cursor: Cursor,
}

impl RunningPage {
    /// Continues the only running game, or lists them.
    pub(super) fn open(app: &mut AppState) -> Nav {
        let mut games = app.running_games();
        match (games.next(), games.next()) {
            (Some(_), Some(_)) => Nav::Push(Page::Running(RunningPage { cursor: Cursor(0) })),
            (Some(only), None) => {
                drop(games);
                resume(only, app)
            }
            (None, _) => Nav::Stay,
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let count = app.running_games().count();
        let chosen = app.running_games().nth(self.cursor.0);
        match (button, chosen) {
            (Button::B, _) => Nav::Back,
            (Button::A, Some(id)) => resume(id, app),
            _ => {
                self.cursor.step(button, count);
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header(words::CONTINUE);
        let roomy = pen.look.roomy;
        let values: heapless::Vec<Words, { GameId::ALL.len() }> = app
            .running_games()
            .map(|id| {
                let plies = app.running(id).map_or(0, |game| game.plies);
                let mut words = Words::new();
                let _ = match (roomy, plies) {
                    (false, _) => write!(words, "{plies}"),
                    (true, _) => words::moves(&mut words, plies.into()),
                };
                words
            })
            .collect();
        let rows: heapless::Vec<Row<'_>, { GameId::ALL.len() }> = app
            .running_games()
            .zip(&values)
            .map(|(id, value)| Row {
                label: id.title(),
                value,
                belt: app
                    .running(id)
                    .and_then(|game| game.machine)
                    .and_then(|seat| seat.belt()),
                ..Row::default()
            })
            .collect();
        pen.list(area, &rows, self.cursor.0);
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

/// Back to a running game: at once if it is in memory, else when storage has told it.
pub(super) fn resume(id: GameId, app: &mut AppState) -> Nav {
    if app.is_in_memory(id) {
        return Nav::Board;
    }
    if app.running(id).is_some() {
        app.load(id);
    }
    Nav::Stay
}

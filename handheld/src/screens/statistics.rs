//! Results against each belt, a page a game.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::Words;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::{Cursor, Nav};
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct StatisticsPage {
    game: Cursor,
}

impl StatisticsPage {
    pub(super) fn new(game: Cursor) -> StatisticsPage {
        StatisticsPage { game }
    }

    pub(super) fn press(&mut self, button: Button) -> Nav {
        let turn = match button {
            Button::Left | Button::Up => Button::Up,
            Button::Right | Button::Down | Button::A => Button::Down,
            _ => return Nav::Back,
        };
        self.game.step(turn, GameId::ALL.len());
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        if let Some(&id) = GameId::ALL.get(self.game.0) {
            draw_game(id, app, pen);
        }
    }
}

/// Won, drawn and lost against each belt.
fn draw_game(id: GameId, app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header_of(id.title(), Some(id));
    let (roomy, look) = (pen.look.roomy, pen.look);
    // The first column has the belts, then won, drawn and lost, each aligned to the right.
    let columns: [i32; 3] = if roomy {
        [132, 180, 226]
    } else {
        [66, 97, 125]
    };
    let step = if roomy { 30 } else { 8 };
    let wide = if roomy { 46 } else { 29 };
    let column = |right: i32, y: i32, height: i32| area(right - wide, y, wide, height);
    let mut y = place.top_left.y;
    let head = if roomy { 26 } else { 10 };
    for (title, x) in words::TALLY.into_iter().zip(columns) {
        let at = column(x, y, head);
        pen.letters_in(at, Side::Right, look.body, Ink::Mist, &[title]);
    }
    y += head;
    for belt in Belt::ALL {
        let tally = app.statistics.tally(id, belt);
        let all = [tally.won, tally.drawn, tally.lost];
        let [won, drawn, lost] = all;
        let name = words::belt(belt);
        pen.tell(format_args!(
            "{name}: {won} won, {drawn} drawn, {lost} lost"
        ));
        if roomy {
            let top = y + (step - 12) / 2;
            pen.belt(Point::new(look.margin, top), belt, false);
        } else {
            let at = area(3, y, 46, step + 1);
            pen.letters_in(at, Side::Left, look.body, Ink::Paper, &[belt.title()]);
        }
        for (number, x) in all.into_iter().zip(columns) {
            let mut digits = Words::new();
            let _ = write!(digits, "{number}");
            let ink = if number > 0 { Ink::Paper } else { Ink::Mist };
            let face = if roomy { look.title } else { look.body };
            pen.letters_in(column(x, y, step), Side::Right, face, ink, &[&digits]);
        }
        y += step;
    }
    pen.footer(words::keys::GAME);
}

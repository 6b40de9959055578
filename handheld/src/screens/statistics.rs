//! Results against each belt, a page a game.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::Words;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side};
use crate::screens::{Cursor, Nav};

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
        let id = GameId::ALL[self.game.0];
        let place = pen.header(id.title());
        let roomy = pen.look.roomy;
        let (font, margin) = (pen.look.body, pen.look.margin);
        // The first column has the belts, then won, drawn and lost, each aligned to the right.
        let columns: [i32; 3] = if roomy {
            [132, 178, 224]
        } else {
            [70, 96, 122]
        };
        let step = if roomy { 28 } else { 8 };
        let mut y = place.top_left.y + if roomy { 8 } else { 0 };
        for (title, x) in ["won", "drawn", "lost"].into_iter().zip(columns) {
            pen.text(Point::new(x, y), Side::Right, font, Ink::Mist, title);
        }
        y += if roomy { 24 } else { 9 };
        for belt in Belt::ALL {
            let tally = app.statistics.tally(id, belt);
            if roomy {
                pen.belt(Point::new(margin, y + 1), belt, false);
            }
            let x = if roomy { margin + 34 } else { margin };
            pen.text(Point::new(x, y), Side::Left, font, Ink::Paper, belt.title());
            for (number, x) in [tally.won, tally.drawn, tally.lost]
                .into_iter()
                .zip(columns)
            {
                let mut digits = Words::new();
                let _ = write!(digits, "{number}");
                let ink = if number > 0 { Ink::Paper } else { Ink::Mist };
                pen.text(Point::new(x, y), Side::Right, font, ink, &digits);
            }
            y += step;
        }
        pen.footer("<> game   B back");
    }
}

//! The final count of a game, line by line.

use core::fmt::Write;

use dojo_core::game::Player;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::Nav;
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct CountPage {
    /// The first line that is seen.
    top: usize,
}

impl CountPage {
    pub(super) fn new() -> CountPage {
        CountPage { top: 0 }
    }

    pub(super) fn press(&mut self, button: Button, app: &AppState) -> Nav {
        let lines = app.session.as_ref().map_or(0, |session| {
            (0..)
                .map_while(|line| boards::count(session.game(), line))
                .count()
        });
        match button {
            Button::Up => self.top = self.top.saturating_sub(1),
            // The last line can come up to the top, no further.
            Button::Down => self.top = (self.top + 1).min(lines.saturating_sub(1)),
            _ => return Nav::Back,
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(session) = &app.session else { return };
        let place = pen.header(words::FINAL_COUNT);
        let look = pen.look;
        let (step, column) = if look.roomy { (20, 68) } else { (8, 34) };
        let (left, right) = (look.margin, pen.width() - look.margin);
        let column_of = |side: Player| right - if side == Player::First { column } else { 0 };
        for side in Player::BOTH {
            let name = app.name(side);
            let short = session.seat(side).belt().map_or(name, |belt| belt.title());
            let width = column - 3;
            let (x, height) = (
                column_of(side) - width,
                2 * look.body.height() - look.body.cap(),
            );
            let head = area(x, place.top_left.y - 2, width, height);
            pen.words_in(head, Side::Right, look.body, Ink::Mist, &[name, short]);
        }
        let mut y = place.top_left.y + if look.roomy { 20 } else { 9 };
        let bottom = place.top_left.y + place.size.height as i32;
        for count in (self.top..).map_while(|line| boards::count(session.game(), line)) {
            if y + step > bottom + 1 {
                break;
            }
            let ink = if count.is_total {
                Ink::Gold
            } else {
                Ink::Paper
            };
            if count.is_total {
                let gap = if look.roomy { 0 } else { 1 };
                pen.fill(area(left, y + gap, right - left, 1), Ink::Line);
                y += if look.roomy { 4 } else { 3 };
            }
            pen.text(
                Point::new(left, y),
                Side::Left,
                look.body,
                ink,
                &count.label,
            );
            for player in Player::BOTH {
                let mut value = Words::new();
                let _ = write!(value, "{}", count.values[player.index()]);
                pen.text(
                    Point::new(column_of(session.side_of(player)), y),
                    Side::Right,
                    look.body,
                    ink,
                    &value,
                );
            }
            y += step;
        }
        pen.footer(words::keys::BACK);
    }
}

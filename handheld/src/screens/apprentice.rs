//! The apprentice's card: how much it has learned from you, your score, and its curve.

use core::fmt::Write;

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::apprentice::{POINTS, Rivalry};
use crate::boards::Words;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::device::{Action, Confirm};
use crate::screens::naming::Naming;
use crate::screens::{Nav, Page};
use crate::store::Seat;
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct ApprenticePage {
    game: GameId,
}

impl ApprenticePage {
    pub(super) fn new(game: GameId) -> ApprenticePage {
        ApprenticePage { game }
    }

    pub(super) fn press(&self, button: Button, app: &AppState) -> Nav {
        match button {
            Button::A => Nav::Push(Page::Naming(Naming::new(self.game, app))),
            Button::X => Nav::Push(Page::Confirm(Confirm::new(Action::Apprentice(self.game)))),
            _ => Nav::Back,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let name = app.title(Seat::Apprentice, self.game);
        let place = pen.header(name);
        let Some(rivalry) = app.rivalry(self.game) else {
            return;
        };
        let (margin, body) = (pen.look.margin, pen.look.body);
        let (mut age, mut score) = (Words::new(), Words::new());
        let tally = rivalry.tally();
        let _ = words::learned_from(&mut age, rivalry.age());
        let _ = words::rivalry(&mut score, tally.won.into(), tally.lost.into(), name);
        let (left, width) = (margin, pen.width() - 2 * margin);
        let step = body.line();
        // Capitals stand in the middle of a line, descenders below them.
        let tall = 2 * body.height() - body.cap();
        let mut y = place.top_left.y + margin / 2;
        for words in [&age, &score] {
            let line = area(left, y, width, tall);
            pen.text_in(line, Side::Left, body, Ink::Paper, words);
            y += step;
        }
        let mut label = Words::new();
        if rivalry.games() > 0 {
            let won = rivalry.curve().last().unwrap_or(0) / 10;
            let _ = words::its_wins(&mut label, won);
        } else {
            let _ = label.write_str(words::NO_GAME_YET);
        }
        if pen.look.roomy {
            let line = area(left, y + 4, width, tall);
            pen.text_in(line, Side::Left, body, Ink::Mist, &label);
            y += step + 8;
        } else {
            pen.tell(format_args!("{label}"));
        }
        let bottom = place.top_left.y + place.size.height as i32 - margin;
        draw_curve(rivalry, area(left, y, width, bottom - y), pen);
        pen.footer(words::keys::APPRENTICE);
    }
}

/// Its share of won games over all games; a line at a half.
fn draw_curve(rivalry: &Rivalry, place: Rectangle, pen: &mut Pen<'_>) {
    let (left, top) = (place.top_left.x, place.top_left.y);
    let (width, height) = (place.size.width as i32, place.size.height as i32);
    pen.fill(area(left, top, 1, height), Ink::Line);
    pen.fill(area(left, top + height - 1, width, 1), Ink::Line);
    for x in (left..left + width).step_by(4) {
        pen.fill(area(x, top + height / 2, 1, 1), Ink::Line);
    }
    let points: heapless::Vec<u16, POINTS> = rivalry.curve().collect();
    let spread = (points.len() as i32 - 1).max(1);
    let stroke = if pen.look.roomy { 2 } else { 1 };
    let mut before = None;
    for (number, &won) in points.iter().enumerate() {
        let x = left + 2 + (width - 4) * number as i32 / spread;
        let y = top + height - 2 - (height - 3) * i32::from(won) / 1000;
        let end = Point::new(x, y);
        pen.line(before.unwrap_or(end), end, Ink::Sky, stroke);
        before = Some(end);
    }
}

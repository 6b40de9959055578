//! Two people at a game with secrets: the device changes hands before the next one sees the board.

use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side};
use crate::screens::{Nav, Page};
use crate::sound::Cue;
use crate::words;

pub(super) fn press(button: Button, app: &mut AppState) -> Nav {
    match button {
        Button::A => {
            app.holder = app.next_holder().or(app.holder);
            Nav::Back
        }
        Button::B => Nav::Push(Page::pause()),
        // The player who has just moved may still undo the move.
        Button::Y => {
            app.undo();
            Nav::Back
        }
        _ => {
            app.sound(Cue::Refused);
            Nav::Stay
        }
    }
}

pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let (Some(session), Some(side)) = (&app.session, app.next_holder()) else {
        return;
    };
    let place = pen.header(words::PASS_IT_ON);
    let (middle, look) = (place.center().x, pen.look);
    let mut words = Words::new();
    let _ = words::for_player(&mut words, app.name(side));
    let line = look.title.line() + if look.roomy { 10 } else { 1 };
    let top = place.top_left.y + if look.roomy { 44 } else { 4 };
    if look.roomy {
        boards::badge(
            session.game().id(),
            session.side_of(side),
            Point::new(middle, top - 18),
            pen,
        );
    }
    pen.text(
        Point::new(middle, top),
        Side::Centre,
        look.title,
        Ink::Gold,
        &words,
    );
    for (row, text) in words::HIDDEN.into_iter().enumerate() {
        let at = Point::new(
            middle,
            top + line + row as i32 * (look.row - if look.roomy { 0 } else { -2 }),
        );
        pen.text(at, Side::Centre, look.body, Ink::Paper, text);
    }
    pen.footer(words::keys::HANDOVER);
}

//! Two people at a game with secrets: the device changes hands before the next one sees the board.

use core::fmt::Write;

use embedded_graphics::prelude::*;

use crate::boards::{self, Words};
use crate::desk::{Desk, tone};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side};
use crate::screens::{Go, Page};

pub(super) fn press(button: Button, desk: &mut Desk) -> Go {
    match button {
        Button::A => {
            desk.holder = desk.next_holder().or(desk.holder);
            Go::Back
        }
        Button::B => Go::Push(Page::pause()),
        // The one who has just moved may still take that back.
        Button::Y => {
            desk.undo();
            Go::Back
        }
        _ => {
            desk.beep(tone::REFUSED);
            Go::Stay
        }
    }
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let (Some(bout), Some(side)) = (&desk.bout, desk.next_holder()) else {
        return;
    };
    let place = pen.header("Pass it on");
    let (middle, look) = (place.center().x, pen.look);
    let mut words = Words::new();
    let _ = write!(words, "For {}", desk.name(side));
    let line = look.strong.character_size.height as i32 + if look.roomy { 14 } else { 3 };
    let top = place.top_left.y + if look.roomy { 44 } else { 4 };
    if look.roomy {
        boards::badge(
            bout.game().id(),
            bout.side_of(side),
            Point::new(middle, top - 18),
            pen,
        );
    }
    pen.text(
        Point::new(middle, top),
        Side::Centre,
        look.strong,
        Ink::Gold,
        &words,
    );
    for (row, text) in ["Tiles are hidden.", "A: I have it"]
        .into_iter()
        .enumerate()
    {
        let at = Point::new(
            middle,
            top + line + row as i32 * (look.row - if look.roomy { 0 } else { -2 }),
        );
        pen.text(at, Side::Centre, look.body, Ink::Paper, text);
    }
    pen.footer("A show my tiles   Y undo");
}

//! A message that something went wrong, shown once.

use embedded_graphics::prelude::*;

use crate::desk::Desk;
use crate::frame::Ink;
use crate::pen::{Pen, Side, area};
use crate::screens::Go;

pub(super) fn press(desk: &mut Desk) -> Go {
    desk.trouble.clear();
    Go::Back
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let place = pen.header("Please note");
    let margin = pen.look.margin;
    let at = place.top_left + Point::new(margin, if pen.look.roomy { margin } else { 1 });
    let place = area(at.x, at.y, pen.width() - 2 * margin, place.size.height as i32 - margin);
    pen.paragraph(place, Side::Left, pen.look.body, Ink::Paper, &desk.trouble);
    pen.footer("any button goes on");
}

//! What is inside: version, trained models, seed.

use core::fmt::Write;

use embedded_graphics::prelude::*;

use crate::desk::Desk;
use crate::frame::Ink;
use crate::pen::{Pen, Side, area};

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let place = pen.header("About");
    let mut text = heapless::String::<160>::new();
    let _ = writeln!(text, "Version {}", env!("CARGO_PKG_VERSION"));
    let _ = match &desk.bank {
        Some(Ok(bank)) => writeln!(text, "Bank {:08x}\n{} trained players", bank.crc, bank.entries),
        Some(Err(error)) => writeln!(text, "No bank: {error}"),
        None => writeln!(text, "No bank"),
    };
    let _ = write!(text, "Seed {}", desk.seed);
    let margin = pen.look.margin;
    let at = place.top_left + Point::new(margin, if pen.look.roomy { margin } else { 1 });
    let place = area(at.x, at.y, pen.width() - 2 * margin, place.size.height as i32 - margin);
    pen.paragraph(place, Side::Left, pen.look.body, Ink::Paper, &text);
    pen.footer("B back");
}

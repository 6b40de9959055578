//! What is inside: version, trained models, seed.

use core::fmt::Write;

use crate::desk::Desk;
use crate::pen::Pen;

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
    pen.page(place, &text);
    pen.footer("B back");
}

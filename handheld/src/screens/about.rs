//! What is inside: version, trained models, seed, and how fast it thinks.

use core::fmt::Write;

use crate::desk::{Desk, SpeedTest};
use crate::input::Button;
use crate::pen::Pen;
use crate::screens::Go;

pub(super) fn press(button: Button, desk: &mut Desk) -> Go {
    if button != Button::A {
        return Go::Back;
    }
    desk.measure();
    Go::Stay
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let place = pen.header("About");
    let mut text = heapless::String::<160>::new();
    let _ = writeln!(text, "Version {}", env!("CARGO_PKG_VERSION"));
    let _ = match &desk.bank {
        Some(Ok(bank)) => writeln!(text, "Bank {:08x}, {} models", bank.crc, bank.entries),
        Some(Err(error)) => writeln!(text, "No bank: {error}"),
        None => writeln!(text, "No bank"),
    };
    let _ = writeln!(text, "Seed {}", desk.seed);
    let _ = match desk.speed {
        SpeedTest::Unknown => write!(text, "A measures the speed"),
        SpeedTest::Running => write!(text, "measuring..."),
        SpeedTest::Known { search, playouts } => {
            write!(
                text,
                "{} nodes/s\n{} games/s",
                search.per_second(),
                playouts.per_second()
            )
        }
    };
    pen.page(place, &text);
    pen.footer("A speed   B back");
}

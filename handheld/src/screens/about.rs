//! About: version, bank, seed, and speed of the thinking side.

use core::fmt::Write;

use crate::app::{AppState, SpeedTest};
use crate::input::Button;
use crate::pen::Pen;
use crate::screens::Nav;

pub(super) fn press(button: Button, app: &mut AppState) -> Nav {
    if button != Button::A {
        return Nav::Back;
    }
    app.measure();
    Nav::Stay
}

pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header("About");
    let mut text = heapless::String::<160>::new();
    let _ = writeln!(text, "Version {}", env!("CARGO_PKG_VERSION"));
    let _ = match &app.bank {
        Some(Ok(bank)) => writeln!(text, "Bank {:08x}, {} models", bank.crc, bank.entries),
        Some(Err(error)) => writeln!(text, "No bank: {error}"),
        None => writeln!(text, "No bank"),
    };
    let _ = writeln!(text, "Seed {}", app.seed);
    let _ = match app.speed {
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

//! About: version, bank, seed and speed of the thinking side, and the licences.

use core::fmt::Write;

use crate::app::{AppState, SpeedTest};
use crate::input::Button;
use crate::pen::Pen;
use crate::screens::{Cursor, Nav};
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct AboutPage {
    page: Cursor,
}

/// What it is, what it is made of, and under which licences.
const PAGES: usize = 3;

impl AboutPage {
    pub(super) fn new() -> AboutPage {
        AboutPage { page: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match button {
            Button::A => app.measure(),
            Button::B => return Nav::Back,
            Button::X | Button::Y => {}
            _ => drop(self.page.walk(button, PAGES)),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(words::ABOUT);
        match self.page.0 {
            0 => pen.page(place, &versions(app)),
            1 => pen.page(place, words::MADE_OF),
            _ => pen.page(place, words::LICENCES),
        }
        pen.footer(words::keys::ABOUT);
    }
}

fn versions(app: &AppState) -> heapless::String<160> {
    let mut text = heapless::String::new();
    let _ = words::version(&mut text, env!("CARGO_PKG_VERSION"));
    let _ = match &app.bank {
        Some(Ok(bank)) => words::bank(&mut text, bank.crc, bank.entries.into()),
        Some(Err(error)) => words::no_bank(&mut text, Some(error)),
        None => words::no_bank(&mut text, None),
    };
    let _ = writeln!(text, "{} {}", words::CARD_SEED, app.seed);
    let _ = match app.speed {
        SpeedTest::Unknown => text.write_str(words::SPEED_UNKNOWN),
        SpeedTest::Running => text.write_str(words::SPEED_RUNS),
        SpeedTest::Known { search, playouts } => {
            words::speed(&mut text, search.per_second(), playouts.per_second())
        }
    };
    text
}

//! A message that something went wrong, shown once.

use crate::app::AppState;
use crate::pen::Pen;
use crate::screens::Nav;
use crate::words;

pub(super) fn press(app: &mut AppState) -> Nav {
    app.trouble.clear();
    Nav::Back
}

pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header(words::PLEASE_NOTE);
    pen.page(place, &app.trouble);
    pen.footer(words::keys::GO_ON);
}

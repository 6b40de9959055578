//! A message that something went wrong, shown once.

use crate::app::AppState;
use crate::pen::Pen;
use crate::screens::Nav;

pub(super) fn press(app: &mut AppState) -> Nav {
    app.trouble.clear();
    Nav::Back
}

pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header("Please note");
    pen.page(place, &app.trouble);
    pen.footer("A go on");
}

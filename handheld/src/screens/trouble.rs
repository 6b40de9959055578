//! A message that something went wrong, shown once.

use crate::desk::Desk;
use crate::pen::Pen;
use crate::screens::Go;

pub(super) fn press(desk: &mut Desk) -> Go {
    desk.trouble.clear();
    Go::Back
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let place = pen.header("Please note");
    pen.page(place, &desk.trouble);
    pen.footer("any button goes on");
}

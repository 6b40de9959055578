//! The title: a gate before the rising sun.

use embedded_graphics::prelude::*;

use crate::frame::Ink;
use crate::pen::{Pen, Side, area};

pub(super) fn draw(pen: &mut Pen<'_>) {
    let (width, height) = (pen.width(), pen.height());
    if pen.look.roomy {
        let sun = Point::new(width / 2, 92);
        pen.disc(sun, 136, Ink::Sun);
        gate(sun + Point::new(0, 14), 150, pen);
        pen.text(
            Point::new(width / 2, 172),
            Side::Centre,
            pen.look.title,
            Ink::Paper,
            "POCKET DOJO",
        );
        let small = pen.look.body;
        pen.text(
            Point::new(width / 2, 196),
            Side::Centre,
            small,
            Ink::Mist,
            "they learned by playing",
        );
        pen.text(
            Point::new(width / 2, 218),
            Side::Centre,
            small,
            Ink::Gold,
            "press any button",
        );
    } else {
        let sun = Point::new(31, height / 2);
        pen.disc(sun, 58, Ink::Sun);
        gate(sun + Point::new(0, 5), 64, pen);
        let x = 96;
        pen.text(
            Point::new(x, 12),
            Side::Centre,
            pen.look.title,
            Ink::Paper,
            "Pocket",
        );
        pen.text(
            Point::new(x, 27),
            Side::Centre,
            pen.look.title,
            Ink::Paper,
            "Dojo",
        );
        let small = pen.look.body;
        pen.text(
            Point::new(x, 52),
            Side::Centre,
            small,
            Ink::Mist,
            "press a button",
        );
    }
}

/// A torii of this width, dark against the sun.
pub(super) fn gate(centre: Point, width: i32, pen: &mut Pen<'_>) {
    let unit = width / 16;
    let beam = |pen: &mut Pen<'_>, y: i32, half: i32, thick: i32| {
        pen.fill(
            area(centre.x - half, centre.y + y, 2 * half, thick),
            Ink::Night,
        );
    };
    // The upper beam with its raised ends, the lower one, the strut between them, and two posts.
    beam(pen, -5 * unit, 7 * unit, unit + unit / 2);
    for side in [-1, 1] {
        let tip = Point::new(centre.x + side * 8 * unit, centre.y - 6 * unit);
        let root = Point::new(centre.x + side * 5 * unit, centre.y - 5 * unit);
        pen.triangle(
            [
                tip,
                root,
                Point::new(centre.x + side * 7 * unit, centre.y - 4 * unit),
            ],
            Ink::Night,
        );
        pen.fill(
            area(
                centre.x + side * 4 * unit - unit / 2,
                centre.y - 4 * unit,
                unit + unit / 4,
                12 * unit,
            ),
            Ink::Night,
        );
    }
    beam(pen, -2 * unit, 6 * unit, unit);
    pen.fill(
        area(centre.x - unit / 2, centre.y - 4 * unit, unit, 2 * unit),
        Ink::Night,
    );
}

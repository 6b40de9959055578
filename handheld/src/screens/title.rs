//! The title: a gate before the rising sun.

use embedded_graphics::prelude::*;

use crate::frame::Ink;
use crate::pen::{Pen, Side, area};
use crate::words;

pub(super) fn draw(pen: &mut Pen<'_>) {
    let (width, height, look) = (pen.width(), pen.height(), pen.look);
    if !look.roomy {
        let sun = Point::new(31, height / 2);
        pen.disc(sun, 58, Ink::Sun);
        gate(sun + Point::new(0, 5), 64, pen);
        let line = |y: i32, tall: i32| area(62, y, width - 62, tall);
        let mut words = words::PRODUCT.split(' ');
        pen.tell(format_args!("{}", words::PRODUCT));
        for y in [12, 24] {
            let word = words.next().unwrap_or_default();
            pen.letters_in(line(y, 11), Side::Centre, look.title, Ink::Paper, &[word]);
        }
        let press = &words::PRESS_ANY;
        return pen.words_in(line(50, 12), Side::Centre, look.body, Ink::Paper, press);
    }
    // The sun rises out of the sea; what is below the horizon is its light on the water.
    let (sun, horizon) = (Point::new(width / 2, 84), 132);
    pen.disc(sun, 136, Ink::Sun);
    pen.fill(area(0, horizon, width, 24), Ink::Night);
    for (number, half) in [54, 44, 34, 22].into_iter().enumerate() {
        let y = horizon + 3 + 5 * number as i32;
        pen.fill(area(sun.x - half, y, 2 * half, 2), Ink::Sun);
    }
    pen.fill(area(16, horizon, width - 32, 1), Ink::Line);
    gate(sun + Point::new(0, 12), 150, pen);
    let line = |y: i32, tall: i32| area(12, y, width - 24, tall);
    let (face, body) = (look.title, look.body);
    pen.text_in(
        line(158, 22),
        Side::Centre,
        face,
        Ink::Paper,
        words::PRODUCT,
    );
    pen.text_in(line(181, 18), Side::Centre, body, Ink::Mist, words::TAGLINE);
    let press = &words::PRESS_ANY;
    pen.words_in(line(212, 20), Side::Centre, body, Ink::Gold, press);
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
        let end = centre.x + side * 7 * unit;
        let (tip, top) = (
            Point::new(end + side * unit, centre.y - 6 * unit),
            centre.y - 5 * unit,
        );
        let (root, foot) = (Point::new(end - side * unit, top), top + unit + unit / 2);
        pen.triangle([tip, root, Point::new(end, foot)], Ink::Night);
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

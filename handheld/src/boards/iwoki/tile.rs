//! Drawing of the tiles of iwoki, on the board and in the hand.

use dojo_core::games::iwoki::tiles::{HexShape, SmallShape, WILD};
use embedded_graphics::prelude::*;

use crate::boards::iwoki::place::{VERTICES, pixels};
use crate::faces::{FACES, Face, TINY_DIGITS};
use crate::frame::Ink;
use crate::pen::{Pen, area};

/// Inks and border of a tile or gap.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct TileStyle {
    pub(super) edge: Ink,
    pub(super) fill: Ink,
    pub(super) digits: Ink,
    /// Width of the border.
    pub(super) stroke: i32,
}

/// The face of the digits on a tile.
#[derive(Clone, Copy)]
pub(super) struct Digits(Face);

const TINY: Digits = Digits(TINY_DIGITS);
const MEDIUM: Digits = Digits(FACES[2]);
const LARGE: Digits = Digits(FACES[3]);

impl Digits {
    /// The largest digits that fit a hexagon of this size; `None` if none do.
    pub(super) fn of_hex(size: i32) -> Option<Digits> {
        match size {
            ..22 => None,
            22..34 => Some(TINY),
            34..54 => Some(MEDIUM),
            _ => Some(LARGE),
        }
    }

    /// The largest digits of which three fit the triangle between hexagons of this size. The tiny
    /// font is unreadable where pixels are small.
    fn of_small(size: i32, roomy: bool) -> Option<Digits> {
        match size {
            ..40 => None,
            40..60 if roomy => None,
            40..60 => Some(TINY),
            _ => Some(MEDIUM),
        }
    }

    /// Draws a digit centred at a point.
    pub(super) fn draw(&self, at: Point, ink: Ink, value: u8, pen: &mut Pen<'_>) {
        const DIGITS: [&str; 8] = ["0", "1", "2", "3", "4", "5", "6", "*"];
        let digit = DIGITS[usize::from(value) % DIGITS.len()];
        pen.stamp(at, self.0, ink, digit);
    }

    /// Where the value of a vertex is drawn, relative to the centre of the hexagon.
    pub(super) fn at_vertex(&self, vertex: usize, size: i32) -> Point {
        let radius = size * 443 / 1024 - self.0.cap() / 2 - if size < 42 { 2 } else { 3 };
        let steps = VERTICES[vertex];
        // All vertices are equally far from the centre; 1774/4096 is √3/4.
        Point::new(steps.x * radius * 1774 / 4096, steps.y * radius / 4)
    }
}

/// A filled hexagon with corners to the left and to the right, `inset` pixels short of its
/// neighbours.
pub(super) fn hexagon(centre: Point, size: i32, inset: i32, ink: Ink, pen: &mut Pen<'_>) {
    let (wide, high) = (size / 2 - inset, size * 443 / 1024 - inset);
    for y in -high..=high {
        let half = wide - wide * y.abs() / (2 * high.max(1));
        pen.fill(area(centre.x - half, centre.y + y, 2 * half + 1, 1), ink);
    }
}

/// A filled triangle between hexagons of this size, pointing up (`stands`) or down.
pub(super) fn triangle(
    centre: Point,
    size: i32,
    inset: i32,
    stands: bool,
    ink: Ink,
    pen: &mut Pen<'_>,
) {
    let (tip, high) = (size * 296 / 1024 - 2 * inset, size * 443 / 1024 - 3 * inset);
    for row in 0..=high {
        let half = row * size / 4 / (size * 443 / 1024).max(1);
        let y = if stands { row - tip } else { tip - row };
        pen.fill(area(centre.x - half, centre.y + y, 2 * half + 1, 1), ink);
    }
}

/// A hexagonal tile.
pub(super) fn hex(centre: Point, size: i32, shape: HexShape, style: TileStyle, pen: &mut Pen<'_>) {
    let gap = i32::from(pen.look.roomy);
    hexagon(centre, size, gap, style.edge, pen);
    hexagon(centre, size, gap + style.stroke, style.fill, pen);
    let Some(digits) = Digits::of_hex(size) else {
        return;
    };
    for (vertex, &value) in shape.values().iter().enumerate() {
        let ink = if value == WILD && style.fill == Ink::Shade {
            Ink::Gold
        } else {
            style.digits
        };
        digits.draw(centre + digits.at_vertex(vertex, size), ink, value, pen);
    }
}

/// A small tile with three numbers, each at its grid steps from the centre.
pub(super) fn small(
    centre: Point,
    size: i32,
    numbers: [(Point, u8); 3],
    minus: Option<bool>,
    style: TileStyle,
    pen: &mut Pen<'_>,
) {
    // One of the three corners is straight above or below the centre.
    let stands = numbers.iter().any(|(steps, _)| steps.y < -1);
    let gap = i32::from(pen.look.roomy);
    triangle(centre, size, gap, stands, style.edge, pen);
    triangle(centre, size, gap + style.stroke, stands, style.fill, pen);
    let digits = Digits::of_small(size, pen.look.roomy);
    if let Some(minus) = minus.filter(|_| size >= 20) {
        // The sign is larger where it need not leave room for numbers.
        let arm = if digits.is_some() {
            size / 30
        } else {
            size / 16
        }
        .max(1);
        let stroke = if pen.look.roomy { 2 } else { 1 };
        let (long, half) = (2 * arm + stroke, stroke / 2);
        pen.fill(
            area(centre.x - arm - half, centre.y - half, long, stroke),
            style.digits,
        );
        if !minus {
            pen.fill(
                area(centre.x - half, centre.y - arm - half, stroke, long),
                style.digits,
            );
        }
    }
    let Some(digits) = digits else { return };
    for (steps, value) in numbers {
        let corner = pixels(steps, size);
        digits.draw(
            centre + Point::new(corner.x * 15 / 32, corner.y * 15 / 32),
            style.digits,
            value,
            pen,
        );
    }
}

/// Numbers of a small tile in the hand, pointing up or down, with their grid steps.
pub(super) fn in_hand(shape: SmallShape, stands: bool) -> [(Point, u8); 3] {
    let [x0, x1, x2] = shape.order();
    if stands {
        [
            (Point::new(-1, 1), x0),
            (Point::new(0, -2), x1),
            (Point::new(1, 1), x2),
        ]
    } else {
        [
            (Point::new(1, -1), x0),
            (Point::new(0, 2), x1),
            (Point::new(-1, -1), x2),
        ]
    }
}

//! A belt was earned: it is tied. After the last black belt of all games, the master's gate.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::Words;
use crate::frame::Ink;
use crate::pen::{Pen, Side, area, belt_ink, inset};
use crate::screens::{Nav, title};
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct Ceremony {
    /// What was earned; `None` shows the gate.
    belt: Option<(GameId, Belt)>,
}

impl Ceremony {
    pub(super) fn new(id: GameId, belt: Belt) -> Ceremony {
        Ceremony {
            belt: Some((id, belt)),
        }
    }

    pub(super) const GATE: Ceremony = Ceremony { belt: None };

    pub(super) fn press(&mut self, app: &AppState) -> Nav {
        let is_last = matches!(self.belt, Some((_, Belt::Black))) && app.statistics.is_master();
        if is_last {
            *self = Ceremony::GATE;
            return Nav::Stay;
        }
        Nav::Back
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        match self.belt {
            Some((id, belt)) => draw_belt(id, belt, pen),
            None => draw_gate(pen),
        }
        pen.footer(words::keys::ON);
    }
}

fn draw_belt(id: GameId, belt: Belt, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let middle = pen.width() / 2;
    let (unit, knot) = if roomy { (8, 64) } else { (3, 10) };
    tied(Point::new(middle, knot), unit, belt, pen);
    let mut words = Words::new();
    let _ = write!(words, "{}!", words::belt(belt));
    let top = knot + 6 * unit;
    pen.text(
        Point::new(middle, top),
        Side::Centre,
        pen.look.title,
        Ink::Paper,
        &words,
    );
    let mut why = heapless::String::<80>::new();
    let _ = words::earned(&mut why, id.title(), roomy);
    let left = pen.look.margin;
    let place = area(left, top + 3 * unit + 8, pen.width() - 2 * left, 6 * unit);
    pen.paragraph(place, Side::Centre, pen.look.body, Ink::Paper, &why);
}

/// A belt around the waist, its knot in the middle, two ends hanging down. On a mono display stripes
/// tell its grade, as in lists.
fn tied(knot: Point, unit: i32, belt: Belt, pen: &mut Pen<'_>) {
    let (edge, ink) = match (pen.look.roomy, belt) {
        (true, Belt::White | Belt::Yellow) => (Ink::Line, belt_ink(belt)),
        (true, _) => (Ink::Paper, belt_ink(belt)),
        (false, Belt::Black) => (Ink::Night, Ink::Paper),
        (false, _) => (Ink::Paper, Ink::Night),
    };
    let mut strip = |left: i32, top: i32, width: i32, height: i32| {
        let place = area(knot.x + left, knot.y + top, width, height);
        pen.fill(place, edge);
        pen.fill(inset(place, 1), ink);
    };
    strip(-10 * unit, -unit, 20 * unit, 2 * unit);
    strip(-3 * unit, unit, 2 * unit, 4 * unit);
    strip(unit, unit, 2 * unit, 4 * unit);
    strip(-2 * unit, -3 * unit / 2, 4 * unit, 3 * unit);
    if !pen.look.roomy && belt != Belt::Black {
        for stripe in 1..=belt as i32 {
            let offset = (2 * stripe + 1) * unit;
            for left in [-offset - 1, offset - 1] {
                let place = area(knot.x + left, knot.y - unit, 2, 2 * unit);
                pen.fill(place, Ink::Paper);
            }
        }
    }
}

fn draw_gate(pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let middle = pen.width() / 2;
    let (sun, gate) = if roomy { (128, 140) } else { (34, 36) };
    let top = if roomy { 16 } else { 0 };
    let centre = Point::new(middle, top + sun as i32 / 2);
    pen.disc(centre, sun, Ink::Sun);
    title::gate(centre + Point::new(0, gate / 10), gate, pen);
    let below = top + sun as i32 + if roomy { 12 } else { 5 };
    pen.text(
        Point::new(middle, below),
        Side::Centre,
        pen.look.title,
        Ink::Paper,
        words::MASTER,
    );
    let place = area(0, below + if roomy { 26 } else { 15 }, pen.width(), 24);
    pen.paragraph(
        place,
        Side::Centre,
        pen.look.body,
        Ink::Paper,
        words::MASTERED,
    );
}

//! The brain card: where a model comes from and what is certified about it, as a card to collect.

use core::fmt::Write;

use dojo_core::games::GameId;
use dojo_core::games::thinking::ancestor_of;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::crest::{CELLS, crest};
use crate::event::BrainCard;
use crate::frame::Ink;
use crate::pen::{Pen, Side, area, belt_ink, inset};
use crate::store::Seat;
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct Card {
    seat: Seat,
    game: GameId,
}

/// Lines of a card: what is told, and its value.
type Lines = heapless::Vec<(&'static str, Words), 4>;

fn lines(card: &BrainCard) -> Lines {
    let mut lines = Lines::new();
    let mut add = |label, write: &dyn Fn(&mut Words) -> core::fmt::Result| {
        let mut value = Words::new();
        let _ = write(&mut value);
        // Four lines fit.
        let _ = lines.push((label, value));
    };
    add(words::CARD_GAMES, &|out| words::thousands(out, card.games));
    if card.date > 0 {
        add(words::CARD_BORN, &|out| words::date(out, card.date));
    }
    add(words::CARD_SEED, &|out| write!(out, "{}", card.seed));
    add(words::CARD_CREST, &|out| write!(out, "{:08x}", card.crc));
    lines
}

impl Card {
    pub(super) fn new(seat: Seat, game: GameId) -> Card {
        Card { seat, game }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let title = self.seat.title(self.game);
        let place = pen.header_of(title, Some(self.game));
        let card = app.card.as_ref();
        let look = pen.look;
        let portrait = if look.roomy {
            let (width, height) = (place.size.width as i32, place.size.height as i32);
            let frame = area(16, place.top_left.y + 4, width - 32, height - 12);
            let ink = self.seat.belt().map_or(Ink::Sky, belt_ink);
            pen.panel(frame, Ink::Mist);
            pen.panel(inset(frame, 1), ink);
            pen.panel(inset(frame, 4), Ink::Mist);
            pen.panel(inset(frame, 5), Ink::Night);
            let Point { x, y } = frame.top_left;
            area(x + 13, y + 13, 70, 70)
        } else {
            area(1, place.top_left.y + 3, 44, 44)
        };
        let ink = if look.roomy { Ink::Gold } else { Ink::Paper };
        match card {
            Some(card) => draw_crest(card.crc, portrait, ink, pen),
            None => boards::icon(
                self.game,
                inset(portrait, if look.roomy { 8 } else { 4 }),
                pen,
            ),
        }
        let Point { x, y } = portrait.top_left;
        let (side, right) = (portrait.size.width as i32, pen.width());
        let beside = if look.roomy {
            area(x + side + 10, y, right - 16 - 12 - x - side - 10, side)
        } else {
            area(
                x + side + 5,
                y - 2,
                right - x - side - 5,
                pen.height() - y + 2,
            )
        };
        let ancestor = match self.seat {
            Seat::Ancestor(number) => ancestor_of(self.game, number),
            _ => None,
        };
        let Some(card) = card else {
            let text = ancestor.map_or(words::NO_MODEL, |ancestor| ancestor.origin);
            pen.paragraph(beside, Side::Left, look.body, Ink::Paper, text);
            if ancestor.is_some() && look.roomy {
                let below = area(x, y + side + 14, right - 2 * x, 18);
                pen.text_in(below, Side::Left, look.body, Ink::Mist, words::AN_ANCESTOR);
            } else if ancestor.is_some() {
                pen.tell(format_args!("{}", words::AN_ANCESTOR));
            }
            return pen.footer(words::keys::BACK);
        };
        let lines = lines(card);
        if look.roomy {
            let mut strong = Words::new();
            let _ = words::scores(&mut strong, card.strength);
            pen.paragraph(beside, Side::Left, look.body, Ink::Paper, card.name());
            let told = area(
                beside.top_left.x,
                y + side - 34,
                beside.size.width as i32,
                34,
            );
            pen.paragraph(told, Side::Left, look.body, Ink::Mist, &strong);
            for (number, (label, value)) in lines.iter().enumerate() {
                let top = y + side + 6 + 20 * number as i32;
                draw_line(label, value, area(x, top, right - 2 * x, 20), pen);
            }
        } else {
            for (number, (label, value)) in lines.iter().enumerate() {
                let top = beside.top_left.y + 12 * number as i32;
                let line = area(beside.top_left.x, top, beside.size.width as i32, 12);
                draw_line(label, value, line, pen);
            }
        }
        pen.footer(words::keys::BACK);
    }
}

fn draw_line(label: &str, value: &str, place: Rectangle, pen: &mut Pen<'_>) {
    pen.tell(format_args!("{label} {value}"));
    let body = pen.look.body;
    if pen.look.roomy {
        pen.letters_in(place, Side::Left, body, Ink::Mist, &[label]);
    }
    let side = if pen.look.roomy {
        Side::Right
    } else {
        Side::Left
    };
    pen.letters_in(place, side, body, Ink::Paper, &[value]);
}

fn draw_crest(crc: u32, place: Rectangle, ink: Ink, pen: &mut Pen<'_>) {
    let side = place.size.width as i32;
    let centre = place.center();
    let half = CELLS as i32 / 2;
    let cell = side / (2 * half + 2);
    pen.disc(centre, side as u32, Ink::Shade);
    pen.ring(centre, side as u32, ink, if pen.look.roomy { 2 } else { 1 });
    for (y, cells) in (-half..).zip(crest(crc)) {
        for (x, bit) in (-half..half).zip(0..) {
            if cells >> bit & 1 == 1 {
                let corner = centre + Point::new(x, y) * cell;
                pen.fill(area(corner.x, corner.y, cell, cell), ink);
            }
        }
    }
}

//! Choosing an opponent: the belts with their measured strength.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::AnyRules;
use dojo_core::games::thinking::ancestor_of;

use crate::app::AppState;
use crate::event::Command;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area};
use crate::screens::{Cursor, Nav, Page, apprentice, card};
use crate::store::Seat;
use crate::strength::strength;

/// All seats that may be chosen.
pub(crate) type Choices = heapless::Vec<Seat, { Seat::MOST }>;

/// Two lines of small letters on either display.
type Detail = heapless::String<68>;

#[derive(Clone, Copy)]
pub(crate) struct Belts {
    rules: AnyRules,
    /// Whether a person may be chosen, too.
    people: bool,
    cursor: Cursor,
}

impl Belts {
    pub(super) fn new(seat: Seat, rules: AnyRules, people: bool, app: &AppState) -> Belts {
        let mut page = Belts {
            rules,
            people,
            cursor: Cursor(0),
        };
        page.cursor.0 = page
            .choices(app)
            .iter()
            .position(|&choice| choice == seat)
            .unwrap_or(0);
        page
    }

    fn choices(&self, app: &AppState) -> Choices {
        app.choices(&self.rules)
            .filter(|&seat| self.people || seat != Seat::Person)
            .collect()
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let choices = self.choices(app);
        let Some(&seat) = choices.get(self.cursor.0.min(choices.len().saturating_sub(1))) else {
            return Nav::Back;
        };
        match (button, seat) {
            (Button::B, _) => Nav::Back,
            (Button::A, _) => Nav::Chosen(seat),
            (Button::Right | Button::X, Seat::Pupil) => {
                app.card = app.brains.card(self.rules.id());
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            (Button::Right | Button::X, Seat::Ancestor(_)) => {
                app.card = None;
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            (Button::Right | Button::X, Seat::Apprentice) => Nav::Push(Page::Apprentice(
                apprentice::ApprenticePage::new(self.rules.id()),
            )),
            (Button::Right | Button::X, Seat::Machine(belt)) => {
                app.card = None;
                app.command(Command::FindCard {
                    rules: self.rules,
                    belt,
                });
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            _ => {
                self.cursor.step(button, choices.len());
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header("Opponent");
        let choices = self.choices(app);
        let scores: heapless::Vec<heapless::String<4>, { Seat::MOST }> =
            choices.iter().map(|seat| self.score(*seat)).collect();
        let rows: heapless::Vec<Row<'_>, { Seat::MOST }> = choices
            .iter()
            .zip(&scores)
            .map(|(seat, value)| Row {
                label: seat.title(self.rules.id()),
                value,
                belt: seat.belt(),
                steps: false,
            })
            .collect();
        let (step, lines) = if pen.look.roomy { (21, 36) } else { (10, 20) };
        pen.look.row = step;
        let (top, height) = (place.top_left.y, place.size.height as i32 - lines);
        pen.list(area(0, top, pen.width(), height), &rows, self.cursor.0);
        if let Some(seat) = choices.get(self.cursor.0) {
            let (margin, font) = (pen.look.margin / 2, pen.look.body);
            let place = area(margin, top + height + 1, pen.width() - margin, lines);
            pen.paragraph(place, Side::Left, font, Ink::Mist, &self.detail(*seat));
        }
        pen.footer("A choose   > brain card");
    }

    /// Points against a random player.
    fn score(&self, seat: Seat) -> heapless::String<4> {
        let mut text = heapless::String::new();
        if let Some(measured) = seat.belt().and_then(|belt| strength(&self.rules, belt)) {
            let _ = write!(text, "{}%", measured.random / 10);
        }
        text
    }

    fn detail(&self, seat: Seat) -> Detail {
        let mut text = Detail::new();
        let _ = match seat {
            Seat::Person => text.write_str("A person on this handheld."),
            Seat::Pupil => text.write_str("The brain that you trained and kept."),
            Seat::Ancestor(number) => {
                let ancestor = ancestor_of(self.rules.id(), number);
                text.write_str(ancestor.map_or("", |ancestor| ancestor.origin))
            }
            Seat::Apprentice => text.write_str("It learns from its games against you."),
            Seat::Machine(belt) => self.measured(belt, &mut text),
        };
        text
    }

    /// Percent, rounded down; a draw is half a point.
    fn measured(&self, belt: Belt, text: &mut Detail) -> core::fmt::Result {
        let Some(measured) = strength(&self.rules, belt) else {
            return text.write_str("Not measured under these rules.");
        };
        write!(text, "{}% against random", measured.random / 10)?;
        if let (Some(points), Some(below)) = (
            measured.below,
            Belt::from_code((belt as u8).wrapping_sub(1)),
        ) {
            write!(text, ", {}% {}", points / 10, below.title())?;
        }
        measured.other.map_or(Ok(()), |(points, name)| {
            write!(text, ", {}% {name}", points / 10)
        })
    }
}

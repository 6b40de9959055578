//! Choosing an opponent: everybody stands at the wall, and the chosen one is told about.

use dojo_core::games::AnyRules;
use dojo_core::games::thinking::ancestor_of;

use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::Words;
use crate::event::Command;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area, inset};
use crate::screens::{Cursor, Nav, Page, apprentice, card};
use crate::store::Seat;
use crate::strength::strength;
use crate::touch::Target;
use crate::words;

/// All seats that may be chosen.
pub(crate) type Choices = heapless::Vec<Seat, { Seat::MOST }>;

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
            (Button::X, Seat::Pupil) => {
                app.card = app.brains.card(self.rules.id());
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            (Button::X, Seat::Ancestor(_)) => {
                app.card = None;
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            (Button::X, Seat::Apprentice) => Nav::Push(Page::Apprentice(
                apprentice::ApprenticePage::new(self.rules.id()),
            )),
            (Button::X, Seat::Machine(belt)) => {
                app.card = None;
                app.command(Command::FindCard {
                    rules: self.rules,
                    belt,
                });
                Nav::Push(Page::Card(card::Card::new(seat, self.rules.id())))
            }
            _ => {
                self.cursor.walk(button, choices.len());
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header_of(words::CHOOSE_OPPONENT, Some(self.rules.id()));
        let choices = self.choices(app);
        let cursor = self.cursor.0.min(choices.len().saturating_sub(1));
        let (roomy, count) = (pen.look.roomy, choices.len().max(1) as i32);
        let (left, top) = (place.top_left.x, place.top_left.y);
        let width = place.size.width as i32;
        let (tall, lift) = if roomy { (76, 6) } else { (26, 1) };
        let step = width / count.max(5);
        let start = left + (width - step * count) / 2;
        for (number, &seat) in choices.iter().enumerate() {
            let column = area(start + number as i32 * step, top, step, tall + 2 * lift);
            pen.touchable(column, Target::Row(number as i8 - cursor as i8));
            let chosen = number == cursor;
            pen.tell(format_args!(
                "{}{}",
                if chosen { "> " } else { "" },
                app.title(seat, self.rules.id())
            ));
            if chosen && roomy {
                pen.panel(inset(column, 1), Ink::Shade);
            }
            let raised = if chosen { lift } else { 0 };
            let foot = area(column.top_left.x, top + lift - raised, step, tall - 2);
            pen.figure(foot, seat);
            if chosen {
                let thick = if roomy { 3 } else { 1 };
                let y = top + tall + 2 * lift - thick - i32::from(roomy);
                pen.fill(area(column.top_left.x + 3, y, step - 6, thick), Ink::Gold);
            }
        }
        if let Some(&seat) = choices.get(cursor) {
            let y = top + tall + 2 * lift + if roomy { 6 } else { 1 };
            let margin = pen.look.margin;
            let below = area(
                margin,
                y,
                width - 2 * margin,
                place.size.height as i32 - y + top,
            );
            self.draw_chosen(seat, app, below, pen);
        }
        pen.footer(words::keys::BELTS);
    }

    /// Name, belt and strength of the chosen one, and how it went so far.
    fn draw_chosen(&self, seat: Seat, app: &AppState, place: Rectangle, pen: &mut Pen<'_>) {
        let (roomy, look) = (pen.look.roomy, pen.look);
        let (x, mut y, width) = (place.top_left.x, place.top_left.y, place.size.width as i32);
        let (title, line) = if roomy { (24, 18) } else { (12, 10) };
        let what = match seat {
            Seat::Person => words::PERSON_PLAYS,
            Seat::Pupil => words::PUPIL_PLAYS,
            Seat::Ancestor(number) => {
                ancestor_of(self.rules.id(), number).map_or("", |ancestor| ancestor.origin)
            }
            Seat::Apprentice => words::APPRENTICE_PLAYS,
            Seat::Machine(belt) => words::strength(strength(&self.rules, belt)),
        };
        let belt = pen.belt_size();
        let named = seat.belt().map_or(0, |_| belt.width as i32 + 8);
        let name = look
            .title
            .width(app.title(seat, self.rules.id()))
            .min(width - named);
        let left = x + (width - name - named) / 2;
        // The row of the wall has told the name.
        let at = area(left, y, width - named, title);
        pen.letters_in(
            at,
            Side::Left,
            look.title,
            Ink::Paper,
            &[app.title(seat, self.rules.id())],
        );
        if let Some(grade) = seat.belt() {
            let top = y + (title - belt.height as i32) / 2;
            pen.belt(Point::new(left + name + 8, top), grade, false);
        }
        y += title;
        let wordings = [what, words::AN_ANCESTOR];
        let line_at = area(x, y, width, line);
        pen.words_in(line_at, Side::Centre, look.body, Ink::Paper, &wordings);
        y += line;
        if let Some(belt) = seat.belt().filter(|_| self.people) {
            let tally = app.statistics.tally(self.rules.id(), belt);
            let mut record = Words::new();
            let _ = words::record(&mut record, tally.won, tally.drawn, tally.lost);
            let at = area(x, y, width, line);
            pen.text_in(at, Side::Centre, look.body, Ink::Mist, &record);
        }
    }
}

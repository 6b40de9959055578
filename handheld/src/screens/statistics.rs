//! Results: a wall of the belts that were beaten in each game, and behind it a page a game.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area, inset};
use crate::screens::{Cursor, Nav};
use crate::touch::Target;
use crate::words;

#[derive(Clone, Copy)]
pub(crate) struct StatisticsPage {
    game: Cursor,
    /// Whether the page of the game is open.
    is_open: bool,
}

impl StatisticsPage {
    pub(super) fn new(app: &AppState) -> StatisticsPage {
        let last = GameId::ALL.iter().position(|&id| id == app.settings.last);
        StatisticsPage {
            game: Cursor(last.unwrap_or(0)),
            is_open: false,
        }
    }

    pub(super) fn press(&mut self, button: Button) -> Nav {
        match button {
            Button::A => self.is_open = !self.is_open,
            Button::B if self.is_open => self.is_open = false,
            Button::X | Button::Y => {}
            Button::B => return Nav::Back,
            _ => drop(self.game.walk(button, GameId::ALL.len())),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        match GameId::ALL.get(self.game.0) {
            Some(&id) if self.is_open => draw_game(id, app, pen),
            _ => self.draw_wall(app, pen),
        }
    }

    /// A row a game, with a belt for each that was beaten.
    fn draw_wall(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(words::RESULTS);
        let roomy = pen.look.roomy;
        if let Some(id) = GameId::ALL.get(self.game.0).filter(|_| roomy) {
            let bar = area(100, 0, pen.width() - 112, pen.look.header - 1);
            pen.letters_in(bar, Side::Right, pen.look.body, Ink::Mist, &[id.title()]);
        }
        let tall = if roomy { 30 } else { 13 };
        let rows = pen.scroll(place, tall, GameId::ALL.len(), self.game.0);
        for (row, number) in rows.enumerate() {
            let Some(&id) = GameId::ALL.get(number) else {
                continue;
            };
            let y = place.top_left.y + row as i32 * tall;
            let width = pen.width() - if roomy { 0 } else { 5 };
            let line = area(0, y, width, tall);
            let chosen = number == self.game.0;
            pen.touchable(line, Target::Row(number as i8 - self.game.0 as i8));
            let won = |belt: Belt| app.statistics.tally(id, belt).won;
            let beaten = Belt::ALL.into_iter().filter(|&belt| won(belt) > 0).count();
            let mark = if chosen { "> " } else { "" };
            pen.tell(format_args!(
                "{mark}{}: {beaten} of 5 belts beaten",
                id.title()
            ));
            if chosen && roomy {
                pen.panel(inset(area(4, y, width - 8, tall), 1), Ink::Shade);
                pen.panel(area(4, y + 5, 4, tall - 10), Ink::Gold);
            } else if chosen {
                pen.corners(line, 4, Ink::Paper, 1);
            }
            let (left, icon) = if roomy { (18, 21) } else { (3, 11) };
            let top = y + (tall - icon) / 2;
            boards::icon(id, area(left, top, icon, icon), pen);
            let belt = pen.belt_size();
            let (first, step) = if roomy { (54, 36) } else { (26, 18) };
            for grade in Belt::ALL {
                let x = first + step * grade as i32;
                let at = Point::new(x, y + (tall - belt.height as i32) / 2);
                if won(grade) > 0 {
                    pen.belt(at, grade, false);
                } else {
                    let dot = if roomy { 5 } else { 2 };
                    let middle = Rectangle::new(at, belt).center();
                    pen.fill(
                        area(middle.x - dot / 2, middle.y - dot / 2, dot, dot),
                        Ink::Line,
                    );
                }
            }
        }
        pen.footer("A open   ^v game   B back");
    }
}

/// Won, drawn and lost against each belt.
fn draw_game(id: GameId, app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header_of(id.title(), Some(id));
    let (roomy, look) = (pen.look.roomy, pen.look);
    // The first column has the belts, then won, drawn and lost, each aligned to the right.
    let columns: [i32; 3] = if roomy {
        [132, 180, 226]
    } else {
        [76, 100, 125]
    };
    let step = if roomy { 30 } else { 8 };
    let wide = if roomy { 46 } else { 25 };
    let column = |right: i32, y: i32, height: i32| area(right - wide, y, wide, height);
    let mut y = place.top_left.y;
    let head = if roomy { 26 } else { 10 };
    for (title, x) in words::TALLY.into_iter().zip(columns) {
        let at = column(x, y, head);
        pen.letters_in(at, Side::Right, look.body, Ink::Mist, &[title]);
    }
    y += head;
    for belt in Belt::ALL {
        let tally = app.statistics.tally(id, belt);
        let all = [tally.won, tally.drawn, tally.lost];
        let [won, drawn, lost] = all;
        let name = words::belt(belt);
        pen.tell(format_args!(
            "{name}: {won} won, {drawn} drawn, {lost} lost"
        ));
        if roomy {
            let top = y + (step - 12) / 2;
            pen.belt(Point::new(look.margin, top), belt, false);
        } else {
            let at = area(3, y, 46, step + 1);
            pen.letters_in(at, Side::Left, look.body, Ink::Paper, &[belt.title()]);
        }
        for (number, x) in all.into_iter().zip(columns) {
            let mut digits = Words::new();
            let _ = write!(digits, "{number}");
            let ink = if number > 0 { Ink::Paper } else { Ink::Mist };
            let face = if roomy { look.title } else { look.body };
            pen.letters_in(column(x, y, step), Side::Right, face, ink, &[&digits]);
        }
        y += step;
    }
    pen.footer("^v game   A wall   B back");
}

//! The wall: the highest belt of each game, and the last game for review; of one game all five belts,
//! and what is still needed.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area, inset};
use crate::screens::device::{Action, Confirm};
use crate::screens::statistics::StatisticsPage;
use crate::screens::{Cursor, Nav, Page, ceremony};
use crate::touch::Target;
use crate::words;

const GAMES: usize = GameId::ALL.len();

#[derive(Clone, Copy)]
pub(crate) struct Wall {
    cursor: Cursor,
}

impl Wall {
    pub(super) fn new(app: &AppState) -> Wall {
        let last = GameId::ALL.iter().position(|&id| id == app.settings.last);
        Wall {
            cursor: Cursor(last.unwrap_or(0)),
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match button {
            Button::B => Nav::Back,
            Button::X => Nav::Push(Page::Confirm(Confirm::new(Action::Results))),
            Button::A if self.cursor.0 < GAMES => Nav::Push(Page::GameWall(GameWall {
                game: self.cursor,
                cursor: Cursor(0),
            })),
            Button::A if self.cursor.0 == GAMES => {
                app.load_finished();
                Nav::Stay
            }
            Button::A => Nav::Push(Page::Ceremony(ceremony::Ceremony::GATE)),
            _ => {
                let gate = usize::from(app.statistics.is_master());
                self.cursor.step(button, GAMES + 1 + gate);
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let roomy = pen.look.roomy;
        // The name of the chosen game stands beside the shorter one.
        let place = pen.header(if roomy { words::RESULTS } else { words::WALL });
        if let Some(id) = GameId::ALL.get(self.cursor.0).filter(|_| roomy) {
            let bar = area(100, 0, pen.width() - 112, pen.look.header - 1);
            pen.letters_in(bar, Side::Right, pen.look.body, Ink::Mist, &[id.title()]);
        }
        let tall = if roomy { 30 } else { 13 };
        let is_master = app.statistics.is_master();
        let count = GAMES + 1 + usize::from(is_master);
        let rows = pen.scroll(place, tall, count, self.cursor.0);
        for (row, number) in rows.enumerate() {
            let y = place.top_left.y + row as i32 * tall;
            let width = pen.width() - if roomy { 0 } else { 5 };
            let line = area(0, y, width, tall);
            let chosen = number == self.cursor.0;
            pen.touchable(line, Target::Row(number as i8 - self.cursor.0 as i8));
            let Some(&id) = GameId::ALL.get(number) else {
                let line = inset(line, if roomy { 4 } else { 1 });
                let is_last = number == GAMES;
                let name = if is_last {
                    words::LAST_GAME
                } else {
                    words::GATE
                };
                pen.row(line, &Row::item(name), chosen);
                continue;
            };
            let won = |belt: Belt| app.statistics.challenge(id, belt).earned().is_some();
            let earned = Belt::ALL.into_iter().filter(|&belt| won(belt)).count();
            let mark = if chosen { "> " } else { "" };
            pen.tell(format_args!("{mark}{}: {earned} of 5 belts", id.title()));
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
                if won(grade) {
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
        pen.footer(words::keys::WALL);
    }
}

#[derive(Clone, Copy)]
pub(crate) struct GameWall {
    game: Cursor,
    cursor: Cursor,
}

impl GameWall {
    pub(super) fn press(&mut self, button: Button) -> Nav {
        match button {
            Button::A => Nav::Push(Page::Statistics(StatisticsPage::new(self.game))),
            Button::Left => self.turn(Button::Up),
            Button::Right => self.turn(Button::Down),
            Button::Up | Button::Down => {
                self.cursor.step(button, Belt::ALL.len());
                Nav::Stay
            }
            _ => Nav::Back,
        }
    }

    /// To the game before or behind.
    fn turn(&mut self, button: Button) -> Nav {
        self.game.step(button, GAMES);
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let id = GameId::ALL[self.game.0 % GAMES];
        let place = pen.header_of(id.title(), Some(id));
        let values = Belt::ALL.map(|belt| state(app, id, belt, pen.look.roomy));
        let labels = Belt::ALL.map(|belt| {
            let mut words = Words::new();
            let _ = words.write_str(words::belt(belt));
            words
        });
        let mut rows: heapless::Vec<Row<'_>, { Belt::ALL.len() }> = heapless::Vec::new();
        for ((belt, label), value) in Belt::ALL.into_iter().zip(&labels).zip(&values) {
            let is_earned = app.statistics.challenge(id, belt).earned().is_some();
            let _ = rows.push(Row {
                label,
                value,
                belt: Some(belt).filter(|_| is_earned),
                ..Row::default()
            });
        }
        pen.list(place, &rows, self.cursor.0);
        pen.footer(words::keys::GAME_WALL);
    }
}

/// Since which game a belt is yours, or how many wins without help earn it.
fn state(app: &AppState, id: GameId, belt: Belt, roomy: bool) -> Words {
    let mut words = Words::new();
    let challenge = app.statistics.challenge(id, belt);
    let _ = match (challenge.earned(), challenge.wins_to_go()) {
        (Some(games), _) if roomy => words::since_game(&mut words, games.into()),
        (Some(_), _) => words.write_str(words::YOURS),
        (None, wins) => words::wins(&mut words, wins.into()),
    };
    words
}

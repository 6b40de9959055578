//! The wall: the highest belt of each game, and the last game for review; of one game all five belts,
//! and what is still needed.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::games::GameId;

use crate::app::AppState;
use crate::boards::Words;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::device::{Action, Confirm};
use crate::screens::statistics::StatisticsPage;
use crate::screens::{Cursor, Nav, Page, ceremony};

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
        let place = pen.header("Results and belts");
        let roomy = pen.look.roomy;
        let mut rows: heapless::Vec<Row<'_>, { GAMES + 2 }> = GameId::ALL
            .iter()
            .map(|&id| {
                let belt = app.statistics.best_belt(id);
                Row {
                    label: id.title(),
                    value: belt.filter(|_| roomy).map_or("", Belt::title),
                    belt,
                    ..Row::default()
                }
            })
            .collect();
        let _ = rows.push(Row::item("The last game"));
        if app.statistics.is_master() {
            let _ = rows.push(Row::item("The master's gate"));
        }
        pen.list(place, &rows, self.cursor.0);
        pen.footer("A belts   X reset");
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
        let place = pen.header(id.title());
        let values = Belt::ALL.map(|belt| state(app, id, belt, pen.look.roomy));
        let labels = Belt::ALL.map(|belt| {
            let mut words = Words::new();
            let _ = write!(words, "{} belt", belt.title());
            words
        });
        let mut rows: heapless::Vec<Row<'_>, { Belt::ALL.len() }> = heapless::Vec::new();
        for ((belt, label), value) in Belt::ALL.into_iter().zip(&labels).zip(&values) {
            let is_earned = app.statistics.challenge(id, belt).earned().is_some();
            let _ = rows.push(Row {
                label,
                value,
                belt: Some(belt).filter(|_| is_earned),
                steps: false,
            });
        }
        pen.list(place, &rows, self.cursor.0);
        pen.footer("<> game   A results");
    }
}

/// Since which game a belt is yours, or how many wins without help earn it.
fn state(app: &AppState, id: GameId, belt: Belt, roomy: bool) -> Words {
    let mut words = Words::new();
    let challenge = app.statistics.challenge(id, belt);
    let _ = match (challenge.earned(), challenge.wins_to_go()) {
        (Some(games), _) if roomy => write!(words, "since game {games}"),
        (Some(_), _) => words.write_str("yours"),
        (None, 1) => words.write_str("1 win"),
        (None, wins) => write!(words, "{wins} wins"),
    };
    words
}

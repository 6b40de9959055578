//! Setting up a game: who plays, who starts, and the game's options.

use crate::app::AppState;
use crate::boards;
use crate::exercise::ExerciseKind;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::belts::{Belts, Choices};
use crate::screens::exercise::ExercisePage;
use crate::screens::{Cursor, Nav, Page, rules};
use crate::store::{Seat, Setup, Starter};
use crate::words;

/// Rows before the game's own options.
const START: usize = 0;
const SEATS: usize = 1;
const STARTER: usize = 3;
const OPTIONS: usize = 4;

#[derive(Clone, Copy)]
pub(crate) struct SetupPage {
    setup: Setup,
    cursor: Cursor,
}

impl SetupPage {
    pub(super) fn new(setup: Setup) -> SetupPage {
        SetupPage {
            setup,
            cursor: Cursor(START),
        }
    }

    fn options(&self) -> usize {
        (0..)
            .take_while(|&number| boards::option(&self.setup.rules, number).is_some())
            .count()
    }

    /// This row shows the rules, and the last one, if the bank has a lesson, begins it.
    fn rules_row(&self) -> usize {
        OPTIONS + self.options()
    }

    fn has_lesson(&self, app: &AppState) -> bool {
        let lessons = app.games_with(ExerciseKind::Lesson);
        lessons.contains(self.setup.rules.id())
    }

    /// Sets the seat of the side under the cursor.
    pub(super) fn choose(&mut self, seat: Seat) {
        if let SEATS..STARTER = self.cursor.0 {
            self.setup.seats[self.cursor.0 - SEATS] = seat;
        }
    }

    fn step(&mut self, forward: bool, app: &AppState) {
        match self.cursor.0 {
            row @ SEATS..STARTER => {
                let seat = &mut self.setup.seats[row - SEATS];
                *seat = seat.stepped(
                    forward,
                    &app.choices(&self.setup.rules).collect::<Choices>(),
                );
            }
            STARTER => self.setup.starter = self.setup.starter.stepped(forward),
            row if row >= OPTIONS => {
                boards::step_option(&mut self.setup.rules, row - OPTIONS, forward)
            }
            _ => {}
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let rules_row = self.rules_row();
        match button {
            Button::B => return Nav::Back,
            Button::A if self.cursor.0 == START => {
                return Page::begin(self.setup, app);
            }
            Button::A if self.cursor.0 == rules_row => {
                return Nav::Push(Page::Rules(rules::RulesPage::new(self.setup.rules.id())));
            }
            Button::A if self.cursor.0 > rules_row => {
                let id = self.setup.rules.id();
                return Nav::Push(ExercisePage::lesson(id, false, app));
            }
            Button::A if let row @ SEATS..STARTER = self.cursor.0 => {
                return Nav::Push(Page::Belts(Belts::new(
                    self.setup.seats[row - SEATS],
                    self.setup.rules,
                    true,
                    app,
                )));
            }
            Button::Left | Button::Right | Button::A if self.cursor.0 < rules_row => {
                self.step(button != Button::Left, app);
            }
            _ => {
                let rows = rules_row + 1 + usize::from(self.has_lesson(app));
                self.cursor.step(button, rows);
            }
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let id = self.setup.rules.id();
        let area = pen.header_of(id.title(), Some(id));
        pen.look.row = if pen.look.roomy { 26 } else { 10 };
        let mut rows: heapless::Vec<Row<'_>, 12> = heapless::Vec::new();
        // Twelve rows hold any game's options; one more would not be shown.
        let mut add = |row| {
            let _ = rows.push(row);
        };
        add(Row::item(words::START));
        for (label, seat) in words::PLAYER_IS.into_iter().zip(self.setup.seats) {
            add(Row {
                label,
                value: app.title(seat, self.setup.rules.id()),
                belt: seat.belt(),
                steps: true,
                ..Row::default()
            });
        }
        let value = match self.setup.starter {
            Starter::One => words::PLAYERS[0],
            Starter::Two => words::PLAYERS[1],
            Starter::Turns => words::IN_TURN,
        };
        add(Row {
            label: words::GOES_FIRST,
            value,
            steps: true,
            ..Row::default()
        });
        for choice in (0..).map_while(|number| boards::option(&self.setup.rules, number)) {
            add(Row {
                label: choice.label,
                value: choice.value,
                steps: true,
                ..Row::default()
            });
        }
        add(Row::item(words::RULES));
        if self.has_lesson(app) {
            add(Row::item(words::LESSON));
        }
        pen.list(area, &rows, self.cursor.0);
        pen.footer(match self.cursor.0 {
            START => words::keys::START,
            SEATS..STARTER => words::keys::CHANGE_CHOOSE,
            _ => words::keys::CHANGE,
        });
    }
}

//! The device itself: self-test, battery, version, update mode and factory reset.

use core::fmt::Write;

use dojo_core::games::GameId;

use crate::app::AppState;
use crate::boards::Words;
use crate::event::{Battery, Command};
use crate::input::Button;
use crate::pen::{Pen, Row, area};
use crate::screens::{Cursor, Nav, Page, self_test};
use crate::words;

#[derive(Clone, Copy)]
enum Item {
    SelfTest,
    Battery,
    Version,
    Update,
    Reset,
}

/// A terminal and a browser page have no boot loader and no flash: these rows are absent there.
fn items(app: &AppState) -> impl Iterator<Item = Item> + use<> {
    let update = app.abilities.boot_loader.then_some(Item::Update);
    let reset = app.abilities.flash.then_some(Item::Reset);
    [Item::SelfTest, Item::Battery, Item::Version]
        .into_iter()
        .chain(update)
        .chain(reset)
}

#[derive(Clone, Copy)]
pub(crate) struct DevicePage {
    cursor: Cursor,
}

impl DevicePage {
    pub(super) fn new() -> DevicePage {
        DevicePage { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &AppState) -> Nav {
        if self.cursor.step(button, items(app).count()) {
            return Nav::Stay;
        }
        match (button, items(app).nth(self.cursor.0)) {
            (Button::B, _) => Nav::Back,
            (Button::A, Some(item)) => Nav::Push(match item {
                Item::SelfTest => Page::SelfTest(self_test::SelfTest::new()),
                Item::Battery => Page::Battery,
                Item::Version => Page::about(),
                Item::Update => Page::Confirm(Confirm::new(Action::Update)),
                Item::Reset => Page::Confirm(Confirm::new(Action::Reset)),
            }),
            _ => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(words::GROUP_DEVICE);
        let mut level = Words::new();
        let _ = match app.battery {
            None => level.write_str(words::NO_GAUGE),
            Some(battery) => write_level(&mut level, battery),
        };
        let rows: heapless::Vec<Row<'_>, 5> = items(app)
            .map(|item| match item {
                Item::SelfTest => Row::item(words::SELF_TEST),
                Item::Battery => Row {
                    label: words::BATTERY,
                    value: &level,
                    ..Row::default()
                },
                Item::Version => Row::item(words::VERSION_AND_BANK),
                Item::Update => Row::item(words::UPDATE),
                Item::Reset => Row::item(words::RESET),
            })
            .collect();
        pen.list(place, &rows, self.cursor.0);
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

fn write_level(out: &mut impl Write, battery: Battery) -> core::fmt::Result {
    words::battery(out, battery.percent().into(), battery.charging)
}

pub(super) fn draw_battery(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header(words::BATTERY);
    let mut text = heapless::String::<80>::new();
    let _ = match app.battery {
        None => text.write_str(words::NO_BATTERY),
        Some(battery) => {
            let (volts, rest) = (battery.millivolts / 1000, battery.millivolts % 1000 / 10);
            write!(text, "{volts}.{rest:02} V, ")
                .and_then(|()| write_level(&mut text, battery))
                .and_then(|()| text.write_str(words::ESTIMATED))
        }
    };
    pen.page(place, &text);
    pen.footer(words::keys::BACK);
}

/// Actions that need a confirmation.
#[derive(Clone, Copy)]
pub(super) enum Action {
    Update,
    Reset,
    /// Results and belts alone.
    Results,
    /// The apprentice of a game.
    Apprentice(GameId),
    /// The pupil that has just learned.
    Pupil,
}

/// The confirmation; its default is no.
#[derive(Clone, Copy)]
pub(crate) struct Confirm {
    action: Action,
    cursor: Cursor,
    is_confirmed: bool,
}

const YES: usize = 1;

impl Confirm {
    pub(super) fn new(action: Action) -> Confirm {
        Confirm {
            action,
            cursor: Cursor(0),
            is_confirmed: false,
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match button {
            _ if self.is_confirmed => return Nav::Back,
            Button::B => return Nav::Back,
            Button::A if self.cursor.0 != YES => return Nav::Back,
            Button::A => {
                match self.action {
                    Action::Update => app.command(Command::BootLoader),
                    Action::Reset => app.command(Command::FactoryReset),
                    Action::Results => {
                        app.reset_statistics();
                        return Nav::Back;
                    }
                    Action::Apprentice(game) => {
                        app.reset_apprentice(game);
                        return Nav::Back;
                    }
                    // The page of its lesson is left with it.
                    Action::Pupil => {
                        app.end_lesson();
                        return Nav::Back;
                    }
                }
                self.is_confirmed = true;
            }
            _ => drop(self.cursor.step(button, words::ANSWERS.len())),
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let (title, text) = match (self.action, self.is_confirmed) {
            (Action::Update, false) => (words::UPDATE, words::UPDATE_ASKED),
            // An OLED goes on showing this while the boot loader waits.
            (Action::Update, true) => (words::UPDATING[0], words::UPDATING[1]),
            (Action::Reset, false) => (words::RESET_ASKED[0], words::RESET_ASKED[1]),
            (Action::Reset, true) => (words::RESET, words::RESTARTING),
            (Action::Apprentice(_), _) => {
                (words::FORGET_APPRENTICE[0], words::FORGET_APPRENTICE[1])
            }
            (Action::Pupil, _) => (words::LEAVE_PUPIL[0], words::LEAVE_PUPIL[1]),
            (Action::Results, _) => (words::FORGET_RESULTS[0], words::FORGET_RESULTS[1]),
        };
        let place = pen.header(title);
        if self.is_confirmed {
            pen.page(place, text);
            return;
        }
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let (top, rows) = (place.top_left.y, words::ANSWERS.len() as i32 * pen.look.row);
        pen.page(area(0, top, width, height - rows), text);
        pen.list(
            area(0, top + height - rows, width, rows),
            &words::ANSWERS.map(Row::item),
            self.cursor.0,
        );
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

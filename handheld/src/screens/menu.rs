//! The menu.

use core::fmt::Write;

use crate::boards::Words;
use crate::desk::Desk;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::{Cursor, Go, Page, games, learn, settings, statistics};

#[derive(Clone, Copy)]
enum Item {
    Continue,
    Play,
    Games,
    Learn,
    Statistics,
    Settings,
    About,
}

/// The first item continues the running game, or plays the last one again.
fn items(desk: &Desk) -> impl Iterator<Item = Item> + use<> {
    let running = desk.has_running_bout().then_some(Item::Continue);
    let rest = [
        Item::Play,
        Item::Games,
        Item::Learn,
        Item::Statistics,
        Item::Settings,
        Item::About,
    ];
    running.into_iter().chain(rest)
}

#[derive(Clone, Copy)]
pub(crate) struct Menu {
    cursor: Cursor,
}

impl Menu {
    pub(super) fn new() -> Menu {
        Menu { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, desk: &mut Desk) -> Go {
        if self.cursor.step(button, items(desk).count()) || button != Button::A {
            return Go::Stay;
        }
        match items(desk).nth(self.cursor.0) {
            Some(Item::Continue) => Go::Board,
            Some(Item::Play) => {
                desk.start(desk.setup(desk.settings.last));
                Go::Board
            }
            Some(Item::Games) => Go::Push(Page::Games(games::Games::new(desk))),
            Some(Item::Learn) => Go::Push(Page::Learn(learn::Learn::new())),
            Some(Item::Statistics) => {
                Go::Push(Page::Statistics(statistics::StatisticsPage::new(desk)))
            }
            Some(Item::Settings) => Go::Push(Page::Settings(settings::SettingsPage::new())),
            Some(Item::About) => Go::Push(Page::About),
            None => Go::Stay,
        }
    }

    pub(super) fn draw(&self, desk: &Desk, pen: &mut Pen<'_>) {
        let area = pen.header("Pocket Dojo");
        let setup = desk.setup(desk.settings.last);
        let mut play = Words::new();
        let _ = write!(play, "Play {}", setup.rules.id().title());
        let belt = setup.seats.iter().find_map(|seat| seat.belt());
        let rows: heapless::Vec<Row<'_>, 7> = items(desk)
            .map(|item| match item {
                Item::Continue => Row::item("Continue"),
                Item::Play => Row {
                    label: &play,
                    belt,
                    ..Row::default()
                },
                Item::Games => Row::item("All games"),
                Item::Learn => Row::item("Watch it learn"),
                Item::Statistics => Row::item("Results"),
                Item::Settings => Row::item("Settings"),
                Item::About => Row::item("About"),
            })
            .collect();
        pen.list(area, &rows, self.cursor.0);
        pen.footer("A choose");
    }
}

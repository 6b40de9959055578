//! The menu.

use core::fmt::Write;

use dojo_core::games::GameId;

use crate::app::AppState;
use crate::boards::Words;
use crate::exercise::ExerciseKind;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::exercise::ExercisePage;
use crate::screens::{Cursor, Nav, Page, games, learn, puzzles, running, settings, wall};

#[derive(Clone, Copy)]
enum Item {
    Welcome,
    Continue,
    Play,
    Games,
    Learn,
    Puzzles,
    Statistics,
    Settings,
    About,
}

/// The first item continues a running game, or plays the last one again; above it, somebody new
/// is offered a lesson.
fn items(app: &AppState) -> impl Iterator<Item = Item> + use<> {
    let welcome = is_welcome(app).then_some(Item::Welcome);
    let running = app.running_games().next().map(|_| Item::Continue);
    let puzzles = app.games_with(ExerciseKind::Puzzle).iter().next();
    welcome
        .into_iter()
        .chain(running)
        .chain([Item::Play, Item::Games, Item::Learn])
        .chain(puzzles.map(|_| Item::Puzzles))
        .chain([Item::Statistics, Item::Settings, Item::About])
}

/// Whether the first lesson is offered.
fn is_welcome(app: &AppState) -> bool {
    app.is_new && app.games_with(ExerciseKind::Lesson).contains(FIRST)
}

/// The game of the first lesson.
const FIRST: GameId = GameId::Sticks;

#[derive(Clone, Copy)]
pub(crate) struct Menu {
    /// `None` until it is moved.
    cursor: Option<Cursor>,
}

impl Menu {
    pub(super) fn new() -> Menu {
        Menu { cursor: None }
    }

    /// The chosen item: at first the one that plays, below the lesson for somebody new.
    fn place(&self, app: &AppState) -> Cursor {
        self.cursor.unwrap_or(Cursor(is_welcome(app).into()))
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let mut place = self.place(app);
        if place.step(button, items(app).count()) || button != Button::A {
            self.cursor = Some(place);
            return Nav::Stay;
        }
        match items(app).nth(place.0) {
            Some(Item::Continue) => running::RunningPage::open(app),
            Some(Item::Play) => Page::begin(app.setup(app.settings.last), app),
            Some(Item::Games) => Nav::Push(Page::Games(games::Games::new(app))),
            Some(Item::Welcome) => Nav::Push(ExercisePage::lesson(FIRST, true, app)),
            Some(Item::Puzzles) => Nav::Push(Page::Puzzles(puzzles::Puzzles::new(app))),
            Some(Item::Learn) => Nav::Push(Page::Learn(learn::Learn::new())),
            Some(Item::Statistics) => Nav::Push(Page::Wall(wall::Wall::new(app))),
            Some(Item::Settings) => Nav::Push(Page::Settings(settings::SettingsPage::new())),
            Some(Item::About) => Nav::Push(Page::About),
            None => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header("Pocket Dojo");
        let setup = app.setup(app.settings.last);
        let mut play = Words::new();
        let _ = write!(play, "Play {}", setup.rules.id().title());
        let belt = setup.seats.iter().find_map(|seat| seat.belt());
        let rows: heapless::Vec<Row<'_>, 9> = items(app)
            .map(|item| match item {
                Item::Welcome => Row::item("New here?"),
                Item::Puzzles => Row::item("Puzzles"),
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
        pen.list(area, &rows, self.place(app).0);
        pen.footer("A choose");
    }
}

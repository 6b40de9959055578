//! The menu.

use core::fmt::Write;

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::{self, Words};
use crate::exercise::ExerciseKind;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area};
use crate::screens::exercise::ExercisePage;
use crate::screens::{Cursor, Nav, Page, games, learn, puzzles, running, settings, wall};
use crate::store::Seat;
use crate::touch::Target;
use crate::words;

/// The most items there are.
const ITEMS: usize = 9;

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
            Some(Item::About) => Nav::Push(Page::about()),
            None => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let cursor = self.place(app).0;
        let place = pen.header(words::PRODUCT);
        let items: heapless::Vec<Item, ITEMS> = items(app).collect();
        let (first, id) = match items.first() {
            Some(Item::Welcome) => (words::WELCOME, FIRST),
            Some(Item::Continue) => (
                words::CONTINUE,
                app.running_games().next().unwrap_or(app.settings.last),
            ),
            _ => ("", app.settings.last),
        };
        let mut play = Words::new();
        let _ = write!(play, "{} {}", words::PLAY, app.settings.last.title());
        let first = if first.is_empty() { &play } else { first };
        let rows: heapless::Vec<Row<'_>, ITEMS> = items
            .iter()
            .map(|item| match item {
                Item::Welcome => Row::item(words::WELCOME),
                Item::Continue => Row::item(words::CONTINUE),
                Item::Play => Row::item(&play),
                Item::Games => Row::item(words::ALL_GAMES),
                Item::Learn => Row::item(words::WATCH_IT_LEARN),
                Item::Puzzles => Row::item(words::PUZZLES),
                Item::Statistics => Row::item(words::RESULTS),
                Item::Settings => Row::item(words::SETTINGS),
                Item::About => Row::item(words::ABOUT),
            })
            .collect();
        let (Point { x, y }, Size { width, height }) = (place.top_left, place.size);
        let (width, height) = (width as i32, height as i32);
        if !pen.look.roomy {
            let side = 24;
            pen.list(area(x, y, width - side - 5, height), &rows, cursor);
            boards::icon(id, area(x + width - side - 1, y + 12, side, side), pen);
            return;
        }
        // The first row is a card with the picture of its game.
        let tall = 60;
        let card = area(4, y, width - 8, tall);
        let chosen = cursor == 0;
        pen.touchable(card, Target::Row(-(cursor as i8)));
        pen.panel(card, Ink::Shade);
        if chosen {
            pen.border(card, Ink::Gold, 2);
        }
        boards::icon(id, area(12, y + 9, tall - 18, tall - 18), pen);
        let mut detail = Words::new();
        let _ = self.detail(app, items.first().copied(), &mut detail);
        let mark = if chosen { "> " } else { "" };
        pen.tell(format_args!("{mark}{first}: {detail}"));
        let ink = if chosen { Ink::Gold } else { Ink::Paper };
        let (left, room) = (62, width - 62 - 8);
        let title = area(left, y + 8, room, 22);
        pen.letters_in(title, Side::Left, pen.look.title, ink, &[first]);
        let line = area(left, y + 33, room, 18);
        pen.letters_in(line, Side::Left, pen.look.body, Ink::Mist, &[&detail]);
        pen.look.row = 24;
        let list = area(x, y + tall + 2, width, height - tall - 2);
        // No row is chosen while the card is.
        let below = cursor.wrapping_sub(1);
        pen.list(list, rows.get(1..).unwrap_or_default(), below);
        pen.footer(words::keys::CHOOSE);
    }

    /// What the first row is about.
    fn detail(&self, app: &AppState, first: Option<Item>, out: &mut Words) -> core::fmt::Result {
        let mut running = app.running_games();
        match (first, running.next(), running.next()) {
            (Some(Item::Welcome), ..) => out.write_str(words::FIRST_LESSON),
            (Some(Item::Continue), Some(id), None) => out.write_str(id.title()),
            (Some(Item::Continue), Some(_), Some(_)) => {
                let count = 2 + running.count();
                write!(out, "{count} {}", words::GAMES_ON)
            }
            _ => {
                let setup = app.setup(app.settings.last);
                let machine = setup.seats.iter().find(|&&seat| seat != Seat::Person);
                match machine {
                    Some(seat) => {
                        write!(
                            out,
                            "{} {}",
                            words::AGAINST,
                            app.title(*seat, setup.rules.id())
                        )
                    }
                    None => out.write_str(words::TWO_PEOPLE),
                }
            }
        }
    }
}

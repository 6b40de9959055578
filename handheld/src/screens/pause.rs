//! The pause menu.

use crate::app::AppState;
use crate::boards;
use crate::exercise::ExerciseKind;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::belts::{Belts, Choices};
use crate::screens::exercise::ExercisePage;
use crate::screens::{Cursor, Nav, Page, rules};
use crate::session::Session;
use crate::store::Seat;
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Resume,
    Hint,
    Undo,
    Pass(u16),
    Resign,
    New,
    Belt(Seat),
    Sides,
    Rules,
    Lesson,
    Overlay(&'static str),
    Mind,
    Share,
    Quit,
}

fn items(app: &AppState) -> impl Iterator<Item = Item> + use<> {
    let (session, id) = (app.session.as_ref(), app.game_id());
    let belt = session
        .and_then(Session::only_machine)
        .map(|(_, seat)| Item::Belt(seat));
    let persons_turn =
        session.is_some_and(|session| session.is_on() && session.mover() == Seat::Person);
    let pass = boards::pass(id).filter(|_| persons_turn).map(Item::Pass);
    let can_resign = boards::can_resign(id)
        && session.is_some_and(|session| session.is_on() && session.has_person());
    let resign = can_resign.then_some(Item::Resign);
    let has_lesson = app.games_with(ExerciseKind::Lesson).contains(id);
    let lesson = has_lesson.then_some(());
    let has_moves = session.is_some_and(|session| !session.moves().is_empty());
    [Item::Resume, Item::Hint, Item::Undo]
        .into_iter()
        .chain(pass)
        .chain(resign)
        .chain([Item::New])
        .chain(belt)
        .chain([Item::Sides])
        .chain(has_moves.then_some(Item::Share))
        .chain([Item::Rules])
        .chain(lesson.map(|()| Item::Lesson))
        .chain(boards::overlay(id).map(Item::Overlay))
        .chain([Item::Mind, Item::Quit])
}

#[derive(Clone, Copy)]
pub(crate) struct Pause {
    cursor: Cursor,
}

impl Pause {
    pub(super) fn new() -> Pause {
        Pause { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        if self.cursor.step(button, items(app).count()) {
            return Nav::Stay;
        }
        let item = items(app).nth(self.cursor.0).unwrap_or(Item::Resume);
        match (button, item) {
            (Button::B, _) | (Button::A, Item::Resume) => Nav::Board,
            (Button::X, _) | (Button::A, Item::Hint) => {
                app.ask_hint();
                Nav::Board
            }
            (Button::Y, _) | (Button::A, Item::Undo) => {
                app.undo();
                Nav::Board
            }
            (Button::A, Item::Pass(mv)) => {
                app.play(mv);
                Nav::Board
            }
            (Button::A, Item::Resign) => {
                app.resign();
                Nav::Board
            }
            (Button::A, Item::New) => match app.session.as_ref().map(Session::setup) {
                Some(setup) => Page::begin(setup, app),
                None => Nav::Menu,
            },
            (Button::Left | Button::Right, Item::Belt(seat)) => {
                step_machine(app, seat, button == Button::Right);
                Nav::Stay
            }
            (Button::A, Item::Belt(seat)) => {
                match app.session.as_ref().map(|session| session.setup().rules) {
                    Some(rules) => Nav::Push(Page::Belts(Belts::new(seat, rules, false, app))),
                    None => Nav::Stay,
                }
            }
            (Button::A, Item::Sides) => {
                app.swap_sides();
                Nav::Board
            }
            (Button::A, Item::Rules) => {
                Nav::Push(Page::Rules(rules::RulesPage::new(app.game_id())))
            }
            (Button::A, Item::Lesson) => Nav::Push(ExercisePage::lesson(app.game_id(), false, app)),
            (Button::A, Item::Overlay(_)) => {
                app.overlay = !app.overlay;
                Nav::Board
            }
            (Button::Left | Button::Right, Item::Overlay(_)) => {
                app.overlay = !app.overlay;
                Nav::Stay
            }
            (Button::A, Item::Mind) => {
                app.mind.toggle();
                Nav::Board
            }
            (Button::Left | Button::Right, Item::Mind) => {
                app.mind.toggle();
                Nav::Stay
            }
            (Button::A, Item::Share) => Nav::Push(Page::Share),
            (Button::A, Item::Quit) => Nav::Menu,
            _ => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let area = pen.header(words::PAUSE);
        let rows: heapless::Vec<Row<'_>, 14> = items(app)
            .map(|item| match item {
                Item::Resume => Row::item(words::RESUME),
                Item::Hint => Row::item(words::A_HINT),
                Item::Undo => Row::item(words::UNDO),
                Item::Pass(_) => Row::item(words::PASS),
                Item::Resign => Row::item(words::RESIGN),
                Item::New => Row::item(words::NEW_GAME),
                Item::Belt(seat) => Row {
                    label: words::BELT,
                    value: app.title(seat, app.game_id()),
                    belt: seat.belt(),
                    steps: true,
                    ..Row::default()
                },
                Item::Sides => Row::item(words::SWAP[0]),
                Item::Rules => Row::item(words::RULES),
                Item::Lesson => Row::item(words::LESSON),
                Item::Overlay(label) => switch(label, app.overlay),
                Item::Mind => switch(words::MIND, app.mind.is_on()),
                Item::Share => Row::item(words::SHARE),
                Item::Quit => Row::item(words::QUIT),
            })
            .collect();
        pen.list(area, &rows, self.cursor.0);
        pen.footer(words::keys::PAUSE);
    }
}

/// A row that is on or off.
fn switch(label: &'static str, is_on: bool) -> Row<'static> {
    Row {
        label,
        value: if is_on { words::ON } else { words::OFF },
        steps: true,
        ..Row::default()
    }
}

/// The next machine; wraps around. It plays from the next move on.
fn step_machine(app: &mut AppState, seat: Seat, forward: bool) {
    let Some(rules) = app.session.as_ref().map(|session| session.setup().rules) else {
        return;
    };
    let machines: Choices = app
        .choices(&rules)
        .filter(|&seat| seat != Seat::Person)
        .collect();
    app.change_machine(seat.stepped(forward, &machines));
}

//! The pause menu.

use crate::boards;
use crate::bout::Bout;
use crate::desk::Desk;
use crate::input::Button;
use crate::pen::{Pen, Row};
use crate::screens::belts::{Belts, Choices};
use crate::screens::{Cursor, Go, Page, rules};
use crate::store::Seat;

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
    Overlay(&'static str),
    Mind,
    Quit,
}

fn items(desk: &Desk) -> impl Iterator<Item = Item> + use<> {
    let (bout, id) = (desk.bout.as_ref(), desk.game_id());
    let belt = bout
        .and_then(Bout::only_machine)
        .map(|(_, seat)| Item::Belt(seat));
    let persons_turn = bout.is_some_and(|bout| bout.is_on() && bout.mover() == Seat::Person);
    let pass = boards::pass(id).filter(|_| persons_turn).map(Item::Pass);
    let can_resign =
        boards::can_resign(id) && bout.is_some_and(|bout| bout.is_on() && bout.has_person());
    let resign = can_resign.then_some(Item::Resign);
    [Item::Resume, Item::Hint, Item::Undo]
        .into_iter()
        .chain(pass)
        .chain(resign)
        .chain([Item::New])
        .chain(belt)
        .chain([Item::Sides, Item::Rules])
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

    pub(super) fn press(&mut self, button: Button, desk: &mut Desk) -> Go {
        if self.cursor.step(button, items(desk).count()) {
            return Go::Stay;
        }
        let item = items(desk).nth(self.cursor.0).unwrap_or(Item::Resume);
        match (button, item) {
            (Button::B, _) | (Button::A, Item::Resume) => Go::Board,
            (Button::X, _) | (Button::A, Item::Hint) => {
                desk.ask_hint();
                Go::Board
            }
            (Button::Y, _) | (Button::A, Item::Undo) => {
                desk.undo();
                Go::Board
            }
            (Button::A, Item::Pass(mv)) => {
                desk.play(mv);
                Go::Board
            }
            (Button::A, Item::Resign) => {
                desk.resign();
                Go::Board
            }
            (Button::A, Item::New) => {
                if let Some(setup) = desk.bout.as_ref().map(|bout| bout.setup()) {
                    desk.start(setup);
                }
                Go::Board
            }
            (Button::Left | Button::Right, Item::Belt(seat)) => {
                step_machine(desk, seat, button == Button::Right);
                Go::Stay
            }
            (Button::A, Item::Belt(seat)) => {
                match desk.bout.as_ref().map(|bout| bout.setup().rules) {
                    Some(rules) => Go::Push(Page::Belts(Belts::new(seat, rules, false, desk))),
                    None => Go::Stay,
                }
            }
            (Button::A, Item::Sides) => {
                desk.swap_sides();
                Go::Board
            }
            (Button::A, Item::Rules) => {
                Go::Push(Page::Rules(rules::RulesPage::new(desk.game_id())))
            }
            (Button::A, Item::Overlay(_)) => {
                desk.overlay = !desk.overlay;
                Go::Board
            }
            (Button::Left | Button::Right, Item::Overlay(_)) => {
                desk.overlay = !desk.overlay;
                Go::Stay
            }
            (Button::A, Item::Mind) => {
                desk.mind.toggle();
                Go::Board
            }
            (Button::Left | Button::Right, Item::Mind) => {
                desk.mind.toggle();
                Go::Stay
            }
            (Button::A, Item::Quit) => Go::Menu,
            _ => Go::Stay,
        }
    }

    pub(super) fn draw(&self, desk: &Desk, pen: &mut Pen<'_>) {
        let area = pen.header("Pause");
        let rows: heapless::Vec<Row<'_>, 12> = items(desk)
            .map(|item| match item {
                Item::Resume => Row::item("Resume"),
                Item::Hint => Row::item("Hint"),
                Item::Undo => Row::item("Undo"),
                Item::Pass(_) => Row::item("Pass"),
                Item::Resign => Row::item("Resign"),
                Item::New => Row::item("New game"),
                Item::Belt(seat) => Row {
                    label: "Belt",
                    value: seat.title(),
                    belt: seat.belt(),
                    steps: true,
                },
                Item::Sides => Row::item("Swap sides"),
                Item::Rules => Row::item("Rules"),
                Item::Overlay(label) => switch(label, desk.overlay),
                Item::Mind => switch("Mind", desk.mind.is_on()),
                Item::Quit => Row::item("Save and quit"),
            })
            .collect();
        pen.list(area, &rows, self.cursor.0);
        pen.footer("A choose   B resume");
    }
}

/// A row that is on or off.
fn switch(label: &'static str, is_on: bool) -> Row<'static> {
    Row {
        label,
        value: if is_on { "on" } else { "off" },
        steps: true,
        ..Row::default()
    }
}

/// The next machine, round and round, from the next move on.
fn step_machine(desk: &mut Desk, seat: Seat, forward: bool) {
    let Some(rules) = desk.bout.as_ref().map(|bout| bout.setup().rules) else {
        return;
    };
    let machines: Choices = desk
        .choices(&rules)
        .filter(|&seat| seat != Seat::Person)
        .collect();
    desk.change_machine(seat.stepped(forward, &machines));
}

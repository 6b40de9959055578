//! The result of a game: who won and why, and what to do next.

use core::fmt::Write;

use dojo_core::game::Outcome;

use crate::app::AppState;
use crate::boards::{self, Marks, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area};
use crate::screens::{Cursor, Nav, Page, ceremony, count, review};
use crate::session::Session;
use crate::sound::Cue;
use crate::store::Seat;
use crate::strength::strength;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    Rematch,
    Swap,
    Count,
    Review,
    Menu,
}

/// What can be done next; the count only in games that have one.
fn items(app: &AppState) -> impl Iterator<Item = Item> + use<> {
    let has_count = app
        .session
        .as_ref()
        .is_some_and(|session| boards::count(session.game(), 0).is_some());
    let all = [
        Item::Rematch,
        Item::Swap,
        Item::Count,
        Item::Review,
        Item::Menu,
    ];
    all.into_iter()
        .filter(move |&item| item != Item::Count || has_count)
}

#[derive(Clone, Copy)]
pub(crate) struct ResultPage {
    cursor: Cursor,
}

impl ResultPage {
    pub(super) fn new() -> ResultPage {
        ResultPage { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        // First the belt, then what comes next.
        if let Some((id, belt)) = app.earned.take() {
            app.sound(Cue::BeltEarned);
            return Nav::Push(Page::Ceremony(ceremony::Ceremony::new(id, belt)));
        }
        let Some(session) = &app.session else {
            return Nav::Menu;
        };
        let mut setup = session.setup();
        let plies = session.moves().len();
        let item = items(app).nth(self.cursor.0).unwrap_or(Item::Rematch);
        match (button, item) {
            (Button::Up | Button::Down, _) => {
                self.cursor.step(button, items(app).count());
                Nav::Stay
            }
            (Button::Y, _) => {
                app.undo();
                Nav::Board
            }
            (Button::A, Item::Rematch) => Page::begin(setup, app),
            (Button::A, Item::Swap) => {
                setup.seats.swap(0, 1);
                Page::begin(setup, app)
            }
            (Button::A, Item::Count) => Nav::Push(Page::Count(count::CountPage::new())),
            (Button::A, Item::Review) | (Button::Left, _) => {
                Nav::Push(Page::Review(review::Review::new(plies)))
            }
            (Button::A, Item::Menu) | (Button::B, _) => {
                app.drop_session();
                Nav::Menu
            }
            _ => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let (Some(session), Some(board)) = (&app.session, &app.board) else {
            return;
        };
        let Some(outcome) = session.outcome() else {
            return;
        };
        let scoring = session.scoring;
        let marks = Marks {
            last: session.moves().last().copied(),
            marked: scoring.agreed.then_some(scoring.marked),
            overview: true,
            ..Marks::default()
        };
        let headline = headline(app, outcome);
        let why = boards::why(session, outcome);
        let belt = challenge(app);
        let (width, height) = (pen.width(), pen.height());
        let label = |item| match item {
            Item::Rematch => "Rematch",
            Item::Swap if pen.look.roomy => "Swap sides",
            Item::Swap => "Swap",
            Item::Count => "Count",
            Item::Review => "Review",
            Item::Menu => "Menu",
        };
        let rows: heapless::Vec<Row<'_>, 5> =
            items(app).map(|item| Row::item(label(item))).collect();
        if pen.look.roomy {
            board.draw(session.game(), marks, area(60, 4, 120, 76), pen);
            let (margin, face) = (pen.look.margin, pen.look.title);
            let line = area(margin, 82, width - 2 * margin, 20);
            pen.text_in(line, Side::Centre, face, Ink::Paper, &headline);
            let lines = area(margin, 104, width - 2 * margin, 32);
            let body = pen.look.body;
            pen.paragraph(lines, Side::Centre, body, Ink::Mist, &with_help(app, &why));
            let line = area(margin, 137, width - 2 * margin, 14);
            pen.text_in(line, Side::Centre, body, Ink::Paper, &belt);
            // Two columns would hide the order: all fit with tight rows.
            pen.look.row = if rows.len() > 4 { 17 } else { 20 };
            pen.list(area(40, 152, width - 80, 86), &rows, self.cursor.0);
        } else {
            board.draw(session.game(), marks, area(0, 0, height, height), pen);
            let (left, body) = (height + 2, pen.look.body);
            let line = area(left, 0, width - left, 9);
            pen.text_in(line, Side::Left, body, Ink::Paper, &headline);
            pen.look.row = 9;
            let lines = area(left, 10, width - left, 19);
            pen.paragraph(lines, Side::Left, body, Ink::Mist, &why);
            if !belt.is_empty() {
                pen.tell(format_args!("{belt}"));
            }
            pen.list(area(left, 28, width - left, 36), &rows, self.cursor.0);
        }
    }
}

fn headline(app: &AppState, outcome: Outcome) -> Words {
    let mut words = Words::new();
    let _ = match (outcome, &app.session) {
        (Outcome::Win(winner), Some(session)) => {
            let name = app.name(session.side_of(winner));
            write!(
                words,
                "{name} {}",
                if name == "You" { "win!" } else { "wins" }
            )
        }
        _ => words.write_str("Draw"),
    };
    words
}

/// The belt that was earned, or how many wins are still needed; nothing where none can be.
fn challenge(app: &AppState) -> heapless::String<40> {
    let mut words = heapless::String::new();
    let setup = app.session.as_ref().map(Session::setup);
    let machine = app.session.as_ref().and_then(Session::only_machine);
    if let (Some(setup), Some((_, Seat::Machine(belt)))) = (setup, machine)
        && strength(&setup.rules, belt).is_some()
    {
        let id = setup.rules.id();
        let _ = match app.statistics.challenge(id, belt).wins_to_go() {
            _ if app.earned == Some((id, belt)) => {
                write!(words, "The {} belt is yours!", belt.title())
            }
            0 => Ok(()),
            1 => write!(words, "1 win to the {} belt", belt.title()),
            wins => write!(words, "{wins} wins to the {} belt", belt.title()),
        };
    }
    words
}

/// The reason for the result, and the hints and undos that were used.
fn with_help(app: &AppState, why: &str) -> heapless::String<64> {
    let mut words = heapless::String::new();
    let _ = words.write_str(why);
    if let Some(session) = &app.session {
        let plural = |count: u16| if count == 1 { "" } else { "s" };
        if session.hints > 0 {
            let _ = write!(words, ", {} hint{}", session.hints, plural(session.hints));
        }
        if session.undos > 0 {
            let _ = write!(words, ", {} undo{}", session.undos, plural(session.undos));
        }
    }
    words
}

//! The result of a game: who won and why, and what to do next.

use core::fmt::Write;

use dojo_core::game::Outcome;

use embedded_graphics::prelude::Point;

use crate::app::AppState;
use crate::boards::{self, Marks, Words};
use crate::faces::wrap;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area};
use crate::screens::board::draw_players;
use crate::screens::{Cursor, Nav, Page, ceremony, count, review};
use crate::session::Session;
use crate::sound::Cue;
use crate::store::Seat;
use crate::strength::strength;
use crate::touch::Target;
use crate::words;

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
    /// Whether the panel lets the board be seen.
    is_aside: bool,
}

impl ResultPage {
    pub(super) fn new() -> ResultPage {
        ResultPage {
            cursor: Cursor(0),
            is_aside: false,
        }
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
            (Button::Up | Button::Down | Button::Left | Button::Right, _) => {
                self.cursor.walk(button, items(app).count());
                Nav::Stay
            }
            (Button::X, _) => {
                self.is_aside = !self.is_aside;
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
            (Button::A, Item::Review) => Nav::Push(Page::Review(review::Review::new(plies))),
            (Button::A, Item::Menu) | (Button::B, _) => {
                app.drop_session();
                Nav::Menu
            }
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
        if !pen.look.roomy {
            board.draw(session.game(), marks, area(0, 0, 64, 64), pen);
            pen.frame.set_offset(Point::new(0, pen.rise));
            self.draw_column(app, outcome, pen);
            return pen.frame.set_offset(Point::zero());
        }
        let places = board.places(session.game(), pen);
        let marks = Marks {
            overview: false,
            ..marks
        };
        board.draw(session.game(), marks, places.board, pen);
        board.draw_hand(session.game(), marks, places.hand, pen);
        draw_players(app, session, session.game(), &places, pen);
        if self.is_aside {
            return pen.footer(words::keys::RESULT_ASIDE);
        }
        pen.frame.set_offset(Point::new(0, pen.rise));
        self.draw_panel(app, outcome, pen);
        pen.frame.set_offset(Point::zero());
        let bottom = pen.height() - pen.look.footer;
        pen.fill(area(0, bottom, pen.width(), pen.look.footer), Ink::Night);
        pen.footer(words::keys::RESULT);
    }

    /// The panel over the lower part of the board.
    fn draw_panel(&self, app: &AppState, outcome: Outcome, pen: &mut Pen<'_>) {
        let Some(session) = &app.session else { return };
        let (look, width) = (pen.look, pen.width());
        let bottom = pen.height() - look.footer;
        let is_helped = session.hints > 0 || session.undos > 0;
        let belt = challenge(app);
        let mut chips = 48;
        // Two more lines, if there is something to say in them.
        let lines = [is_helped, !belt.is_empty()];
        chips += 16 * lines.into_iter().filter(|&is_there| is_there).count() as i32;
        let top = bottom - chips - 28;
        pen.fill(area(0, top - 2, width, 2), Ink::Night);
        pen.panel(area(2, top, width - 4, bottom - top - 2), Ink::Shade);
        let room = width - 2 * look.margin;
        let line = |y: i32, height: i32| area(look.margin, top + y, room, height);
        let headline = headline(app, outcome);
        pen.text_in(line(4, 22), Side::Centre, look.title, Ink::Paper, &headline);
        let why = boards::why(session, outcome);
        pen.text_in(line(27, 16), Side::Centre, look.body, Ink::Mist, &why);
        if is_helped {
            let mut help = Words::new();
            let _ = words::helped(&mut help, session.hints, session.undos);
            pen.text_in(line(43, 16), Side::Centre, look.body, Ink::Mist, &help);
        }
        if !belt.is_empty() {
            let at = line(if is_helped { 59 } else { 43 }, 16);
            pen.text_in(at, Side::Centre, look.body, Ink::Paper, &belt);
        }
        let items: heapless::Vec<Item, 5> = items(app).collect();
        // Chips as wide as their words, with the rest shared out between them.
        let words = |item: Item| item.label()[1];
        let total: i32 = items.iter().map(|&item| look.body.width(words(item))).sum();
        let count = items.len().max(1) as i32;
        let pad = ((width - 12 - total) / count).min(20);
        let mut x = (width - total - pad * count) / 2;
        for (number, &item) in items.iter().enumerate() {
            let wide = look.body.width(words(item)) + pad;
            let chip = area(x + 2, top + chips, wide - 4, 22);
            let chosen = number == self.cursor.0;
            pen.touchable(chip, Target::Row(number as i8 - self.cursor.0 as i8));
            let ink = if chosen { Ink::Night } else { Ink::Paper };
            pen.panel(chip, if chosen { Ink::Gold } else { Ink::Night });
            pen.tell(format_args!(
                "{}{}",
                if chosen { "> " } else { "" },
                item.label()[0]
            ));
            pen.letters_in(chip, Side::Centre, look.body, ink, &[words(item)]);
            x += wide;
        }
    }

    /// The column beside the board of a wide display.
    fn draw_column(&self, app: &AppState, outcome: Outcome, pen: &mut Pen<'_>) {
        let Some(session) = &app.session else { return };
        let (look, left) = (pen.look, 66);
        let width = pen.width() - left;
        let mut y = 0;
        let headline = headline(app, outcome);
        let head = area(left, y, width, 20);
        // In the face of titles, if that takes no second line.
        if look.title.width(&headline) <= width {
            let line = area(left, y, width, look.title.height());
            pen.text_in(line, Side::Left, look.title, Ink::Paper, &headline);
            y += look.title.line();
        } else {
            y += pen.paragraph(head, Side::Left, look.body, Ink::Paper, &headline);
        }
        if session.hints > 0 || session.undos > 0 {
            let mut help = Words::new();
            let _ = words::helped(&mut help, session.hints, session.undos);
            let mut short = Words::new();
            let _ = words::helped_short(&mut short, session.hints, session.undos);
            let line = area(left, y, width, 9);
            pen.words_in(line, Side::Left, look.body, Ink::Paper, &[&help, &short]);
            y += 10;
        }
        let why = boards::why(session, outcome);
        if wrap(&why, look.body, width).count() <= 2 {
            let lines = area(left, y, width, 19);
            y += pen.paragraph(lines, Side::Left, look.body, Ink::Paper, &why);
        } else {
            pen.tell(format_args!("{why}"));
        }
        let belt = challenge(app);
        if !belt.is_empty() {
            pen.tell(format_args!("{belt}"));
        }
        pen.look.row = 10;
        let rows: heapless::Vec<Row<'_>, 5> =
            items(app).map(|item| Row::item(item.label()[0])).collect();
        let list = area(left, y + 1, width, pen.height() - y - 1);
        pen.list(list, &rows, self.cursor.0);
    }
}

impl Item {
    /// Its wordings, the fuller one first.
    const fn label(self) -> [&'static str; 2] {
        match self {
            Item::Rematch => words::REMATCH,
            Item::Swap => words::SWAP,
            Item::Count => [words::COUNT; 2],
            Item::Review => [words::REVIEW; 2],
            Item::Menu => [words::MENU; 2],
        }
    }
}

fn headline(app: &AppState, outcome: Outcome) -> Words {
    let mut words = Words::new();
    let Some(session) = &app.session else {
        return words;
    };
    let margin = boards::margin(session);
    let margin = margin.as_deref();
    let _ = match outcome {
        Outcome::Draw => words.write_str(words::DRAW),
        Outcome::Win(_) if app.value_for_person(outcome) < 0 => words::lost(&mut words, margin),
        Outcome::Win(winner) => {
            let name = app.name(session.side_of(winner));
            words::won(&mut words, name, margin)
        }
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
            _ if app.earned == Some((id, belt)) => words::is_yours(&mut words, belt),
            0 => Ok(()),
            wins => words::wins_to_go(&mut words, wins.into(), belt),
        };
    }
    words
}

//! A pupil at work: its learning curve, its figures, and what to do with it.

use core::fmt::Write;

use dojo_core::belt::Belt;
use dojo_core::game::GameMove;
use dojo_core::games::GameId;
use dojo_core::games::dots::Edge;
use dojo_core::games::pupil::Duel;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::Words;
use crate::event::{Order, Tempo};
use crate::frame::Ink;
use crate::input::Button;
use crate::lesson::{Lesson, LessonState};
use crate::pen::{Pen, Row, Side, area, belt_ink, inset};
use crate::screens::device::{Action, Confirm};
use crate::screens::{Cursor, Nav, Page, learn};
use crate::words;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Item {
    GoOn,
    Play,
    Keep,
    Discard,
}

impl Item {
    fn label(self, lesson: &Lesson) -> &'static str {
        match self {
            Item::GoOn => words::GO_ON,
            Item::Play => words::PLAY_IT,
            Item::Keep => words::KEEP,
            Item::Discard if lesson.kept => words::LEAVE,
            Item::Discard => words::DISCARD,
        }
    }
}

/// What can be done with a pupil that does not learn now.
fn items(lesson: &Lesson) -> heapless::Vec<Item, 4> {
    let all = [Item::GoOn, Item::Play, Item::Keep, Item::Discard];
    all.into_iter()
        .filter(|item| {
            !matches!(
                (item, lesson),
                (Item::GoOn, Lesson { done: true, .. }) | (Item::Keep, Lesson { kept: true, .. })
            )
        })
        .collect()
}

#[derive(Clone, Copy)]
pub(crate) struct LessonPage {
    cursor: Cursor,
}

impl LessonPage {
    pub(super) fn new() -> LessonPage {
        LessonPage { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let Some(lesson) = &app.lesson else {
            return Nav::Back;
        };
        match (lesson.state, button) {
            (LessonState::Keeping { .. }, _) => {}
            (LessonState::Learning, Button::A | Button::B) => {
                self.cursor = Cursor(0);
                app.order_lesson(Order::Stop, LessonState::Stopped);
            }
            (LessonState::Learning, Button::Left | Button::Right) => {
                app.change_tempo(button == Button::Right);
            }
            (LessonState::Learning, _) => {}
            (LessonState::Stopped, Button::B) => return leave(app),
            (LessonState::Stopped, Button::A) => match items(lesson).get(self.cursor.0) {
                Some(Item::GoOn) => app.order_lesson(Order::GoOn, LessonState::Learning),
                // A pupil that is kept already can be played at once.
                Some(Item::Play) if lesson.kept => app.play_pupil(),
                Some(Item::Play) => {
                    app.order_lesson(Order::Keep, LessonState::Keeping { play: true })
                }
                Some(Item::Keep) => {
                    app.order_lesson(Order::Keep, LessonState::Keeping { play: false })
                }
                Some(Item::Discard) | None => return leave(app),
            },
            (LessonState::Stopped, _) => {
                self.cursor.step(button, items(lesson).len());
            }
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(lesson) = &app.lesson else { return };
        pen.header(learn::title(lesson.game));
        match lesson.state {
            LessonState::Learning => pen.tell(format_args!("{}", words::A_STOPS)),
            LessonState::Keeping { .. } | LessonState::Stopped => {}
        }
        if pen.look.roomy {
            self.draw_roomy(lesson, app, pen);
        } else {
            self.draw_compact(lesson, app, pen);
        }
    }

    /// From the top: boards while it learns, the curve with its axes, what the curves are, the belts;
    /// below that the menu once it stands still.
    fn draw_roomy(&self, lesson: &Lesson, app: &AppState, pen: &mut Pen<'_>) {
        let (body, width) = (pen.look.body, pen.width());
        let learns = lesson.state == LessonState::Learning;
        draw_speed(lesson, app, pen);
        let mut y = 36;
        if learns {
            for (number, &board) in lesson.figures.boards.iter().enumerate() {
                let place = area(14 + 36 * number as i32, y, 32, 28);
                draw_board(lesson.game, board, place, pen);
            }
            y += 38;
        }
        let gutter = 42;
        let plot = area(gutter, y, width - gutter - 10, if learns { 82 } else { 50 });
        draw_curve(lesson, plot, pen);
        let (height, tall) = (plot.size.height as i32, 14);
        for (label, at) in [("100%", y), ("50%", y + height / 2), ("0", y + height)] {
            let line = area(0, at - tall / 2, gutter - 5, tall);
            pen.letters_in(line, Side::Right, body, Ink::Mist, &[label]);
        }
        y += height + 5;
        let mut games = Words::new();
        let _ = words::games(&mut games, lesson.figures.games);
        let line = area(gutter, y, width - gutter - 10, 16);
        pen.text_in(line, Side::Right, body, Ink::Paper, &games);
        y += 17;
        for number in 0..2 {
            let ink = SHARE_INKS[number];
            let line = area(12 + 110 * number as i32, y, 108 + 8 * number as i32, 16);
            share_in(lesson, number, ink, line, pen);
        }
        y += 19;
        let step = 22;
        for belt in Belt::ALL {
            let place = area(12 + step * belt as i32, y + 2, step - 4, 12);
            pen.fill(place, Ink::Line);
            let ink = match lesson.has_passed(belt) {
                true => belt_ink(belt),
                false => Ink::Night,
            };
            pen.fill(inset(place, 1), ink);
        }
        let left = 12 + 5 * step + 4;
        draw_duel(lesson, area(left, y, width - left - 4, 16), pen);
        match lesson.state {
            LessonState::Learning => pen.footer(words::keys::STOP),
            LessonState::Keeping { .. } => {
                let line = area(40, y + 22, width - 80, 18);
                pen.text_in(line, Side::Left, body, Ink::Paper, words::KEEPING);
            }
            LessonState::Stopped => {
                pen.look.row = 18;
                let top = y + 20;
                self.draw_menu(lesson, area(40, top, width - 80, 4 * 18), pen);
            }
        }
    }

    /// The curve on the left, figures and boards or the menu on the right.
    fn draw_compact(&self, lesson: &Lesson, app: &AppState, pen: &mut Pen<'_>) {
        let body = pen.look.body;
        let gutter = 17;
        let plot = area(gutter, 14, 68 - gutter, 38);
        draw_curve(lesson, plot, pen);
        for (label, at) in [("100", 14), ("0", 44)] {
            let line = area(0, at - 1, gutter - 2, 10);
            pen.letters_in(line, Side::Right, body, Ink::Paper, &[label]);
        }
        let mut games = Words::new();
        let _ = write!(games, "{}", lesson.figures.games);
        pen.tell(format_args!("{games} games"));
        let line = area(gutter, 54, 68 - gutter, 10);
        pen.letters_in(line, Side::Right, body, Ink::Paper, &[&games]);
        let line = |row: i32| area(72, 13 + 10 * row, 56, 10);
        match lesson.state {
            LessonState::Learning => {
                draw_speed(lesson, app, pen);
                share_in(lesson, 0, Ink::Paper, line(1), pen);
                share_in(lesson, 1, Ink::Paper, line(2), pen);
                draw_duel(lesson, line(3), pen);
                for (number, &board) in lesson.figures.boards.iter().take(3).enumerate() {
                    let place = area(72 + 19 * number as i32, 54, 14, 9);
                    draw_board(lesson.game, board, place, pen);
                }
            }
            LessonState::Keeping { .. } => {
                pen.text_in(line(1), Side::Left, body, Ink::Paper, words::KEEPING);
            }
            LessonState::Stopped => {
                draw_duel(lesson, line(0), pen);
                pen.look.row = 10;
                self.draw_menu(lesson, area(72, 23, pen.width() - 72, 41), pen);
            }
        }
    }

    fn draw_menu(&self, lesson: &Lesson, place: Rectangle, pen: &mut Pen<'_>) {
        let rows: heapless::Vec<Row<'_>, 4> = items(lesson)
            .iter()
            .map(|item| Row::item(item.label(lesson)))
            .collect();
        pen.list(place, &rows, self.cursor.0.min(rows.len() - 1));
    }
}

/// Leaves the lesson; what is not kept is lost, so that is asked about.
fn leave(app: &mut AppState) -> Nav {
    let is_lost = { app.lesson.as_ref() }.is_some_and(|lesson| !lesson.kept);
    if is_lost {
        return Nav::Push(Page::Confirm(Confirm::new(Action::Pupil)));
    }
    app.end_lesson();
    Nav::Back
}

/// The inks of the two shares: a line, and dots.
const SHARE_INKS: [Ink; 2] = [Ink::Gold, Ink::Sky];

/// How many games a second, at the right end of the header or in the first line beside the curve.
fn draw_speed(lesson: &Lesson, app: &AppState, pen: &mut Pen<'_>) {
    let slow = lesson.tempo.games();
    let slow = slow.map(|games| games * (1000 / Tempo::MILLIS));
    let speed = lesson.speed(app.now);
    let Some(games) = slow
        .or(speed)
        .filter(|_| lesson.state == LessonState::Learning)
    else {
        return;
    };
    let (mut full, mut short) = (Words::new(), Words::new());
    let _ = words::a_second(&mut full, games);
    let _ = words::a_second_short(&mut short, games);
    let body = pen.look.body;
    if pen.look.roomy {
        let bar = area(110, 0, pen.width() - 122, pen.look.header - 1);
        pen.words_in(bar, Side::Right, body, Ink::Mist, &[&full, &short]);
    } else {
        let line = area(72, 13, 56, 10);
        pen.words_in(line, Side::Left, body, Ink::Paper, &[&full, &short]);
    }
}

/// One of the two shares with its name.
fn share_in(lesson: &Lesson, number: usize, ink: Ink, line: Rectangle, pen: &mut Pen<'_>) {
    let wordings = words::figures(lesson.game)[number].map(|name| {
        let mut text = Words::new();
        let _ = write!(text, "{name} {}%", lesson.shares()[number] / 10);
        text
    });
    let [full, short] = &wordings;
    pen.words_in(line, Side::Left, pen.look.body, ink, &[full, short]);
}

/// Its last match against a belt.
fn draw_duel(lesson: &Lesson, line: Rectangle, pen: &mut Pen<'_>) {
    let Some(Duel { belt, won, passed }) = lesson.figures.duel else {
        return;
    };
    let (games, name) = (Duel::GAMES, belt.name());
    let mut told = heapless::String::<64>::new();
    let _ = words::duel_told(&mut told, name, passed, won, games);
    pen.tell(format_args!("{told}"));
    let (mut full, mut short) = (Words::new(), Words::new());
    let _ = words::duel(&mut full, name, won, games);
    let _ = write!(short, "{name} {won}");
    let ink = if pen.look.roomy && !passed {
        Ink::Mist
    } else {
        Ink::Paper
    };
    pen.letters_in(line, Side::Left, pen.look.body, ink, &[&full, &short]);
}

/// A small board of its play.
fn draw_board(game: GameId, board: u16, place: Rectangle, pen: &mut Pen<'_>) {
    let (left, top) = (place.top_left.x, place.top_left.y);
    let (width, height) = (place.size.width as i32, place.size.height as i32);
    if game == GameId::Sticks {
        let (step, tall) = (width / 7, (height + 1) / 3);
        let thick = (step / 2).max(1);
        for row in 0..3 {
            let count = i32::from(board >> (6 - 3 * row) & 7);
            let start = left + (7 - (3 + 2 * row)) * step / 2;
            for stick in 0..count {
                let at = area(start + stick * step, top + row * tall, thick, tall - 1);
                pen.fill(
                    at,
                    if pen.look.roomy {
                        Ink::Wood
                    } else {
                        Ink::Paper
                    },
                );
            }
        }
        return;
    }
    let cell = (height - 1) / 2;
    let start = left + (width - 2 * cell - 1) / 2;
    let edges = (0..).map_while(Edge::from_index).take(12);
    let drawn = |edge: &Edge| u64::from(board) & edge.bit() != 0;
    for number in 0..4 {
        let (row, column) = (number / 2, number % 2);
        let around = { edges.clone() }.filter(|edge| {
            let (x, y) = (i32::from(edge.col()), i32::from(edge.row()));
            match edge.is_vertical() {
                true => y == row && (x == column || x == column + 1),
                false => x == column && (y == row || y == row + 1),
            }
        });
        if { around }.all(|edge| drawn(&edge)) {
            let at = area(
                start + column * cell + 1,
                top + row * cell + 1,
                cell - 1,
                cell - 1,
            );
            pen.fill(at, if pen.look.roomy { Ink::Sun } else { Ink::Paper });
        }
    }
    let thick = if pen.look.roomy { 2 } else { 1 };
    for edge in edges.filter(drawn) {
        let (x, y) = (i32::from(edge.col()), i32::from(edge.row()));
        let at = Point::new(start + x * cell, top + y * cell);
        let size = match edge.is_vertical() {
            true => area(at.x, at.y, thick, cell + thick),
            false => area(at.x, at.y, cell + thick, thick),
        };
        pen.fill(size, Ink::Paper);
    }
    for dot in 0..9 {
        let at = area(start + dot % 3 * cell, top + dot / 3 * cell, thick, thick);
        pen.fill(at, Ink::Mist);
    }
}

/// Both shares over the games so far: the first as a line, the second in dots, so that they differ
/// without colour.
fn draw_curve(lesson: &Lesson, place: Rectangle, pen: &mut Pen<'_>) {
    let (left, top) = (place.top_left.x, place.top_left.y);
    let (width, height) = (place.size.width as i32 - 1, place.size.height as i32 - 1);
    let roomy = pen.look.roomy;
    pen.fill(area(left, top, 1, height), Ink::Line);
    pen.fill(area(left, top + height, width, 1), Ink::Line);
    for quarter in 1..4 {
        let y = top + height * quarter / 4;
        for x in (left..left + width).step_by(if roomy { 6 } else { 12 }) {
            pen.fill(area(x, y, 1, 1), Ink::Line);
        }
    }
    let last = lesson.figures.games.max(1);
    let at = |games: u32, share: u16| {
        let x = i64::from(width) * i64::from(games) / i64::from(last);
        Point::new(
            left + x as i32,
            top + height - height * i32::from(share) / 1000,
        )
    };
    let mut before = None;
    for point in lesson.curve() {
        let dot = at(point.games, point.shares[1]);
        let size = if roomy { 3 } else { 1 };
        pen.fill(
            area(dot.x - size / 2, dot.y - size / 2, size, size),
            SHARE_INKS[1],
        );
        let end = at(point.games, point.shares[0]);
        pen.line(
            before.unwrap_or(end),
            end,
            SHARE_INKS[0],
            if roomy { 2 } else { 1 },
        );
        before = Some(end);
    }
}

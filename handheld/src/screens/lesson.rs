//! A pupil at work: its learning curve, its figures, and what to do with it.

use core::fmt::Write;

use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::Words;
use crate::event::Order;
use crate::frame::Ink;
use crate::input::Button;
use crate::lesson::{Lesson, LessonState};
use crate::pen::{Pen, Row, Side, area};
use crate::screens::{Cursor, Nav, learn};
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
        let (width, height) = (pen.width(), pen.height());
        let roomy = pen.look.roomy;
        let curve = if roomy {
            area(8, 44, width - 16, 84)
        } else {
            area(0, 14, 70, height - 15)
        };
        draw_curve(lesson, curve, pen);
        draw_figures(lesson, app, pen);
        let place = if roomy {
            area(40, 168, width - 80, 70)
        } else {
            area(72, 23, width - 72, 41)
        };
        match lesson.state {
            LessonState::Learning => {
                pen.tell(format_args!("{}", words::A_STOPS));
                pen.footer(words::keys::STOP);
            }
            LessonState::Keeping { .. } => {
                let at = place.top_left + Point::new(4, 2);
                pen.text(at, Side::Left, pen.look.body, Ink::Paper, words::KEEPING);
            }
            LessonState::Stopped => {
                pen.look.row = if roomy { 18 } else { 10 };
                let rows: heapless::Vec<Row<'_>, 4> = items(lesson)
                    .iter()
                    .map(|item| Row::item(item.label(lesson)))
                    .collect();
                pen.list(place, &rows, self.cursor.0.min(rows.len() - 1));
            }
        }
    }
}

/// Leaves the lesson; a pupil that is not kept is lost.
fn leave(app: &mut AppState) -> Nav {
    app.end_lesson();
    Nav::Back
}

fn draw_figures(lesson: &Lesson, app: &AppState, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let mut games = Words::new();
    let _ = words::games(&mut games, lesson.figures.games);
    let mut speed = Words::new();
    if let Some(a_second) = lesson.speed(app.now) {
        let _ = words::a_second(&mut speed, a_second);
    }
    let shares = lesson.shares();
    let share = |number: usize| {
        let mut text = Words::new();
        let name = words::figures(lesson.game)[number][usize::from(!roomy)];
        let _ = write!(text, "{name} {}%", shares[number] / 10);
        text
    };
    if roomy {
        let font = pen.look.body;
        pen.text(Point::new(8, 132), Side::Left, font, Ink::Paper, &games);
        pen.text(
            Point::new(pen.width() - 8, 132),
            Side::Right,
            font,
            Ink::Paper,
            &speed,
        );
        pen.text(Point::new(8, 148), Side::Left, font, Ink::Paper, &share(0));
        pen.text(
            Point::new(pen.width() - 8, 148),
            Side::Right,
            font,
            Ink::Sky,
            &share(1),
        );
    } else {
        let line = |row: i32| area(72, 13 + 10 * row, 56, 10);
        let body = pen.look.body;
        let told = if lesson.state == LessonState::Learning {
            let mut short = Words::new();
            let _ = write!(short, "{}", lesson.figures.games);
            pen.words_in(line(0), Side::Left, body, Ink::Paper, &[&games, &short]);
            &[
                speed,
                share(0),
                share(1),
                Words::try_from(words::A_STOPS).unwrap_or_default(),
            ][..]
        } else {
            pen.tell(format_args!("{games}"));
            &[share(0)][..]
        };
        let first = i32::from(lesson.state == LessonState::Learning);
        for (row, text) in told.iter().enumerate() {
            pen.text_in(line(first + row as i32), Side::Left, body, Ink::Paper, text);
        }
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
            Ink::Sky,
        );
        let end = at(point.games, point.shares[0]);
        pen.line(
            before.unwrap_or(end),
            end,
            Ink::Gold,
            if roomy { 2 } else { 1 },
        );
        before = Some(end);
    }
}

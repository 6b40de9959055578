//! The puzzle book: its games, and the puzzles of one with their stars.

use core::fmt::Write;

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::Words;
use crate::exercise::{ExerciseKind, PUZZLES, STARS};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area, inset};
use crate::screens::exercise::ExercisePage;
use crate::screens::{Cursor, Nav, Page};
use crate::touch::{Target, Touch};
use crate::words;

/// The games of the book.
#[derive(Clone, Copy)]
pub(crate) struct Puzzles {
    cursor: Cursor,
}

impl Puzzles {
    pub(super) fn new(app: &AppState) -> Puzzles {
        let mut games = app.games_with(ExerciseKind::Puzzle).iter();
        let last = games.position(|game| game == app.settings.last);
        Puzzles {
            cursor: Cursor(last.unwrap_or(0)),
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let games = app.games_with(ExerciseKind::Puzzle);
        match button {
            Button::B => Nav::Back,
            Button::A => match games.iter().nth(self.cursor.0) {
                Some(game) => {
                    let number = app.next_puzzle(game);
                    app.open_exercise(game, ExerciseKind::Puzzle, number);
                    Nav::Push(Page::PuzzleGrid(PuzzleGrid { game }))
                }
                None => Nav::Stay,
            },
            _ => {
                self.cursor.step(button, games.iter().count());
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(words::PUZZLES);
        let games = app.games_with(ExerciseKind::Puzzle);
        let solved = GameId::ALL.map(|game| {
            let mut words = Words::new();
            match app.puzzle_stars.solved(game) {
                0 => {}
                // Two digits fit.
                solved => drop(words::solved(&mut words, solved.into())),
            }
            words
        });
        let rows: heapless::Vec<Row<'_>, { GameId::ALL.len() }> = GameId::ALL
            .iter()
            .zip(&solved)
            .filter(|(game, _)| games.contains(**game))
            .map(|(game, solved)| Row {
                label: game.title(),
                value: solved,
                ..Row::default()
            })
            .collect();
        pen.list(place, &rows, self.cursor.0);
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

const COLUMNS: u16 = 8;

/// The puzzles of a game. The cursor is the number of the exercise in the app state, so that it
/// follows the puzzles that are turned over.
#[derive(Clone, Copy)]
pub(crate) struct PuzzleGrid {
    game: GameId,
}

impl PuzzleGrid {
    /// The cursor and the number of puzzles.
    fn place(app: &AppState) -> (u16, u16) {
        let exercise = app.exercise.as_ref();
        let (number, count) = exercise.map_or((0, 0), |now| (now.number, now.count));
        let count = count.min(PUZZLES as u16);
        (number.min(count.saturating_sub(1)), count)
    }

    fn point_to(number: u16, app: &mut AppState) {
        if let Some(exercise) = &mut app.exercise {
            exercise.number = number;
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let (now, count) = PuzzleGrid::place(app);
        let count = count.max(1);
        let next = match button {
            Button::Left => (now + count - 1) % count,
            Button::Right => (now + 1) % count,
            Button::Up if now >= COLUMNS => now - COLUMNS,
            Button::Down if now + COLUMNS < count => now + COLUMNS,
            Button::A => return Nav::Push(ExercisePage::puzzle(self.game, now, app)),
            Button::B => return Nav::Back,
            _ => now,
        };
        PuzzleGrid::point_to(next, app);
        Nav::Stay
    }

    pub(crate) fn touch_item(&mut self, item: u8, touch: Touch, app: &mut AppState) -> Nav {
        let (_, count) = PuzzleGrid::place(app);
        if u16::from(item) >= count {
            return Nav::Stay;
        }
        PuzzleGrid::point_to(item.into(), app);
        match touch {
            Touch::Point => Nav::Stay,
            Touch::Tap => self.press(Button::A, app),
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(self.game.title());
        let ((now, count), roomy) = (PuzzleGrid::place(app), pen.look.roomy);
        let width = (place.size.width as i32 - if roomy { 16 } else { 0 }) / i32::from(COLUMNS);
        let height = if roomy { 34 } else { 10 };
        let rows = (place.size.height as i32 / height).max(1) as u16;
        let all = count.div_ceil(COLUMNS);
        let first = (now / COLUMNS)
            .saturating_sub(rows / 2)
            .min(all.saturating_sub(rows));
        let left = place.top_left.x + if roomy { 8 } else { 0 };
        for number in first * COLUMNS..count.min((first + rows) * COLUMNS) {
            let (column, row) = (number % COLUMNS, number / COLUMNS - first);
            let cell = area(
                left + i32::from(column) * width,
                place.top_left.y + i32::from(row) * height,
                width,
                height,
            );
            pen.touchable(cell, Target::Item(number as u8));
            let stars = app.puzzle_stars.get(self.game, number);
            draw_cell(number, stars, number == now, cell, pen);
        }
        pen.footer(words::keys::SOLVE);
    }
}

fn draw_cell(
    number: u16,
    stars: u8,
    chosen: bool,
    cell: embedded_graphics::primitives::Rectangle,
    pen: &mut Pen<'_>,
) {
    let roomy = pen.look.roomy;
    pen.tell(format_args!(
        "{}Puzzle {}{}",
        if chosen { "> " } else { "" },
        number + 1,
        ["", ": 1 star", ": 2 stars", ": 3 stars"][usize::from(stars.min(STARS))]
    ));
    let ink = match (chosen, roomy) {
        (true, true) => {
            pen.panel(inset(cell, 1), Ink::Shade);
            Ink::Gold
        }
        (true, false) => {
            pen.fill(inset(cell, 0), Ink::Paper);
            Ink::Night
        }
        (false, true) if stars > 0 => Ink::Paper,
        (false, true) => Ink::Mist,
        (false, false) => Ink::Paper,
    };
    let mut digits = Words::new();
    // Two digits fit.
    let _ = write!(digits, "{}", number + 1);
    let middle = cell.center();
    let below = if roomy { 10 } else { 2 };
    let (width, height) = (cell.size.width as i32, cell.size.height as i32);
    let line = area(cell.top_left.x, cell.top_left.y, width, height - below);
    pen.letters_in(line, Side::Centre, pen.look.body, ink, &[&digits]);
    let (size, step, below) = if roomy { (5, 8, 7) } else { (1, 3, 1) };
    let y = cell.top_left.y + cell.size.height as i32 - below;
    for star in 0..i32::from(stars) {
        let x = middle.x + star * step - i32::from(stars - 1) * step / 2;
        if roomy {
            pen.disc(Point::new(x, y), size, Ink::Paper);
        } else {
            pen.fill(area(x, y - 1, 2, 1), ink);
        }
    }
}

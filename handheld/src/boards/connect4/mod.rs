//! Board of Connect Four.

use core::fmt::Write;

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::Connect4;
use dojo_core::games::connect4::{COLUMNS, Column, ROWS};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Example, HasBoard, Marks, Reply, Words, words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, area, inset};
use crate::scoring::Marked;
use crate::touch::Target;
use crate::words::connect4;

mod strength;

/// The cursor: a column.
#[derive(Clone, Copy)]
pub(crate) struct Connect4Board {
    column: u8,
}

impl HasBoard for Connect4 {
    type Board = Connect4Board;
}

impl Board for Connect4Board {
    type Game = Connect4;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const GOAL: &'static str = connect4::GOAL;
    const EXAMPLE: Example = Example {
        rules: "",
        moves: "4 4 3 3 5 5",
        hint: "6",
        text: connect4::EXAMPLE,
    };
    const RULES: &'static [&'static str] = connect4::RULES;

    fn why(_: &Connect4, outcome: Outcome, _: Marked) -> Words {
        words(match outcome {
            Outcome::Win(_) => connect4::GOAL,
            Outcome::Draw => connect4::FULL,
        })
    }

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let side = place.size.height as i32;
        pen.panel(place, Ink::Shade);
        let (cell, size) = (side / 4, (side / 4 - 1).max(3) as u32);
        for number in 0..16 {
            let (column, row) = (number % 4, number / 4);
            let centre = place.top_left
                + Point::new(column * cell + cell / 2, row * cell + cell / 2)
                + Point::new_equal((side - 4 * cell) / 2);
            match number {
                3 | 6 | 9 | 12 => draw_stone(Player::First, centre, size, Ink::Sun, pen),
                8 | 11 | 13 | 14 | 15 => {
                    draw_stone(Player::Second, centre, size, Ink::Sky, pen);
                }
                _ => pen.disc(centre, if size > 5 { size } else { 1 }, Ink::Night),
            }
        }
    }

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        let size = if pen.look.roomy { 15 } else { 7 };
        draw_stone(player, centre, size, ink_of(player), pen);
    }

    fn new(_: &Connect4) -> Connect4Board {
        Connect4Board {
            column: COLUMNS / 2,
        }
    }

    fn press(&mut self, game: &Connect4, button: Button) -> Reply {
        match button {
            Button::Left => self.column = (self.column + COLUMNS - 1) % COLUMNS,
            Button::Right => self.column = (self.column + 1) % COLUMNS,
            Button::A | Button::Down => {
                return match Column::new(self.column) {
                    Some(column) if game.is_legal(column) => Reply::Play(column.index()),
                    _ => Reply::Refused,
                };
            }
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    fn point_to(&mut self, _: &Connect4, mv: Option<u16>) {
        if let Some(column) = mv.and_then(Column::from_index) {
            self.column = column.number();
        }
    }

    fn spot(&self, _: &Connect4, place: Rectangle, _: bool) -> Option<Point> {
        Some(CellGrid::new(place).centre(self.column, ROWS))
    }

    fn draw(&self, game: &Connect4, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        self.tell(game, marks, pen);
        let grid = CellGrid::new(place);
        let roomy = pen.look.roomy;
        let frame = grid.frame();
        if roomy {
            pen.panel(frame, Ink::Shade);
        } else {
            pen.border(frame, Ink::Line, 1);
        }
        for column in (0..COLUMNS).filter_map(Column::new) {
            // From above, so that a stone falls in front of the holes.
            for row in (0..ROWS).rev() {
                draw_cell(game, column, row, &grid, marks, pen);
            }
            if marks.cursor {
                let top = grid.place(column.number(), ROWS).top_left;
                let place = area(top.x, top.y, grid.cell, grid.cell * i32::from(ROWS + 1));
                pen.touchable(place, Target::Place(column.index()));
            }
            let landing = grid.centre(column.number(), game.height(column).min(ROWS - 1));
            if let Some(verdict) = marks.verdict(column.index()) {
                verdict.draw(landing, roomy, pen);
            } else if marks.hint == Some(column.index()) {
                pen.diamond(landing, grid.cell / 3, Ink::Leaf);
                pen.diamond(
                    landing,
                    grid.cell / 3 - if roomy { 3 } else { 2 },
                    Ink::Night,
                );
            }
        }
        if marks.cursor {
            let top = grid.centre(self.column, ROWS);
            draw_stone(game.turn(), top + marks.drift, grid.stone(), Ink::Gold, pen);
        }
    }

    fn describe(&self, _: &Connect4, mv: u16) -> Option<Words> {
        let mut words = Words::new();
        connect4::drop_into(&mut words, Column::from_index(mv)?).ok()?;
        Some(words)
    }

    fn verb(&self, _: &Connect4) -> &'static str {
        connect4::VERB
    }

    fn prompt(&self, _: &Connect4) -> Option<Words> {
        None
    }
}

/// Geometry of the cells: the rows of the board, and one above them for the stone in hand.
struct CellGrid {
    corner: Point,
    cell: i32,
}

impl CellGrid {
    fn new(place: Rectangle) -> CellGrid {
        let (columns, rows) = (i32::from(COLUMNS), i32::from(ROWS) + 1);
        let cell =
            ((place.size.width as i32 - 1) / columns).min((place.size.height as i32 - 1) / rows);
        let corner = place.center() - Point::new(columns * cell / 2, rows * cell / 2);
        CellGrid { corner, cell }
    }

    fn frame(&self) -> Rectangle {
        area(
            self.corner.x - 1,
            self.corner.y + self.cell - 1,
            i32::from(COLUMNS) * self.cell + 2,
            i32::from(ROWS) * self.cell + 2,
        )
    }

    fn place(&self, column: u8, row: u8) -> Rectangle {
        area(
            self.corner.x + i32::from(column) * self.cell,
            self.corner.y + i32::from(ROWS - row) * self.cell,
            self.cell,
            self.cell,
        )
    }

    /// Centre of a cell; row [`ROWS`] is the one above the board.
    fn centre(&self, column: u8, row: u8) -> Point {
        self.place(column, row).center()
    }

    fn stone(&self) -> u32 {
        // Odd, so that it has a centre pixel.
        (self.cell as u32 * 3 / 4) | 1
    }
}

fn ink_of(player: Player) -> Ink {
    match player {
        Player::First => Ink::Sun,
        Player::Second => Ink::Sky,
    }
}

/// A disc for the first player, a ring for the second: distinct without colours.
fn draw_stone(player: Player, centre: Point, size: u32, ink: Ink, pen: &mut Pen<'_>) {
    match player {
        Player::First => pen.disc(centre, size, ink),
        Player::Second => pen.ring(centre, size, ink, (size / 5).max(1)),
    }
}

fn draw_cell(
    game: &Connect4,
    column: Column,
    row: u8,
    grid: &CellGrid,
    marks: Marks<'_>,
    pen: &mut Pen<'_>,
) {
    let roomy = pen.look.roomy;
    let centre = grid.centre(column.number(), row);
    let Some(player) = game.stone(column, row) else {
        let hole = if roomy { grid.stone() } else { 1 };
        let ink = if roomy { Ink::Night } else { Ink::Line };
        return pen.disc(centre, hole, ink);
    };
    let mut ink = ink_of(player);
    let is_last = marks.last == Some(column.index()) && row + 1 == game.height(column);
    if is_last && marks.landing > 0 {
        // It falls from above the board.
        let way = i32::from(ROWS - row) * grid.cell;
        let hole = if roomy { grid.stone() } else { 1 };
        let empty = if roomy { Ink::Night } else { Ink::Line };
        pen.disc(centre, hole, empty);
        let at = centre - Point::new(0, way * marks.landing / 1000);
        return draw_stone(player, at, grid.stone(), ink, pen);
    }
    // A light ground marks the winning line without colours.
    if game.wins(column, row) {
        pen.fill(
            inset(grid.place(column.number(), row), i32::from(roomy)),
            Ink::Paper,
        );
        if !roomy {
            ink = Ink::Night;
        }
    } else if roomy {
        pen.disc(centre, grid.stone(), Ink::Night);
    }
    draw_stone(player, centre, grid.stone(), ink, pen);
    if is_last && !game.wins(column, row) {
        let (size, ink) = match (roomy, player) {
            (true, Player::First) => (5, Ink::Paper),
            (true, Player::Second) => (5, Ink::Sky),
            (false, Player::First) => (3, Ink::Night),
            (false, Player::Second) => (1, Ink::Sky),
        };
        pen.disc(centre, size, ink);
    }
}

impl Connect4Board {
    /// Tells a screen reader the stones, column by column from the bottom, and the marks.
    fn tell(&self, game: &Connect4, marks: Marks<'_>, pen: &mut Pen<'_>) {
        for column in (0..COLUMNS).filter_map(Column::new) {
            // Six stones of five letters fit.
            let mut stones = heapless::String::<48>::new();
            for row in 0..game.height(column) {
                let name = match game.stone(column, row) {
                    Some(Player::First) => " full",
                    _ => " ring",
                };
                let _ = stones.write_str(name);
            }
            let stones = if stones.is_empty() { " empty" } else { &stones };
            pen.tell(format_args!("Column {column}:{stones}"));
        }
        if let Some(last) = marks.last.and_then(Column::from_index) {
            pen.tell(format_args!("Last move {last}"));
        }
        if let Some(column) = Column::new(self.column).filter(|_| marks.cursor) {
            pen.tell(format_args!("Cursor on {column}"));
        }
    }
}

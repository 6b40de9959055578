//! Board of tic-tac-toe.

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::TicTacToe;
use dojo_core::games::tictactoe::Square;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Example, HasBoard, Marks, Reply, Words, words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, area, inset};
use crate::scoring::Marked;
use crate::touch::Target;
use crate::words::tictactoe;

mod strength;

fn ink_of(player: Player) -> Ink {
    match player {
        Player::First => Ink::Sun,
        Player::Second => Ink::Sky,
    }
}

fn draw_mark(player: Player, centre: Point, size: i32, stroke: u32, ink: Ink, pen: &mut Pen<'_>) {
    match player {
        Player::First => {
            let (a, b) = (
                Point::new(size / 2, size / 2),
                Point::new(size / 2, -(size / 2)),
            );
            pen.line(centre - a, centre + a, ink, stroke);
            pen.line(centre - b, centre + b, ink, stroke);
        }
        Player::Second => pen.ring(centre, size as u32 + 1, ink, stroke),
    }
}

/// The cursor: a square.
#[derive(Clone, Copy)]
pub(crate) struct TicTacToeBoard {
    row: u8,
    column: u8,
}

impl HasBoard for TicTacToe {
    type Board = TicTacToeBoard;
}

impl Board for TicTacToeBoard {
    type Game = TicTacToe;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const GOAL: &'static str = tictactoe::GOAL;
    const EXAMPLE: Example = Example {
        rules: "",
        moves: "a1 a2 b2 b3",
        hint: "c3",
        text: tictactoe::EXAMPLE,
    };
    const RULES: &'static [&'static str] = tictactoe::RULES;

    fn why(_: &TicTacToe, outcome: Outcome, _: Marked) -> Words {
        words(match outcome {
            Outcome::Win(_) => tictactoe::GOAL,
            Outcome::Draw => tictactoe::FULL,
        })
    }

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let side = place.size.height as i32;
        let (cell, thick) = (side / 3, if side > 30 { 3 } else { 1 });
        let corner = place.center() - Point::new(cell * 3 / 2, cell * 3 / 2);
        for i in [1, 2] {
            let at = i * cell - thick / 2;
            pen.fill(area(corner.x, corner.y + at, 3 * cell, thick), Ink::Line);
            pen.fill(area(corner.x + at, corner.y, thick, 3 * cell), Ink::Line);
        }
        let size = (cell * 5 / 8).max(4);
        let stroke = (size as u32 / 5).max(1);
        let centre = |column: i32, row: i32| {
            corner + Point::new(column * cell + cell / 2, row * cell + cell / 2)
        };
        for (player, column, row) in [
            (Player::First, 1, 1),
            (Player::Second, 2, 0),
            (Player::First, 0, 2),
        ] {
            let at = centre(column, row);
            draw_mark(player, at, size, stroke, ink_of(player), pen);
        }
    }

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        let size = if pen.look.roomy { 14 } else { 7 };
        let stroke = if pen.look.roomy { 3 } else { 1 };
        draw_mark(player, centre, size, stroke, ink_of(player), pen);
    }

    fn new(_: &TicTacToe) -> TicTacToeBoard {
        TicTacToeBoard { row: 1, column: 1 }
    }

    fn press(&mut self, game: &TicTacToe, button: Button) -> Reply {
        match button {
            Button::Up => self.row = (self.row + 1) % 3,
            Button::Down => self.row = (self.row + 2) % 3,
            Button::Left => self.column = (self.column + 2) % 3,
            Button::Right => self.column = (self.column + 1) % 3,
            Button::A => {
                return match Square::new(self.row, self.column) {
                    Some(square) if game.is_legal(square) => Reply::Play(square.index()),
                    _ => Reply::Refused,
                };
            }
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    fn point_to(&mut self, _: &TicTacToe, mv: Option<u16>) {
        if let Some(square) = mv.and_then(Square::from_index) {
            (self.row, self.column) = (square.row(), square.column());
        }
    }

    fn spot(&self, _: &TicTacToe, place: Rectangle, _: bool) -> Option<Point> {
        let cell = (place.size.width.min(place.size.height) as i32) / 3;
        let (column, row) = (i32::from(self.column), i32::from(self.row));
        Some(place.center() + Point::new(column - 1, 1 - row) * cell)
    }

    fn draw(&self, game: &TicTacToe, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        self.tell(game, marks, pen);
        let cell = (place.size.width.min(place.size.height) as i32) / 3;
        let corner = place.center() - Point::new(cell * 3 / 2, cell * 3 / 2);
        let thick = if pen.look.roomy { 3 } else { 1 };
        let gap = if pen.look.roomy { 1 } else { 0 };
        for i in [1, 2] {
            let middle = i * cell - thick / 2;
            pen.panel(
                area(corner.x + gap, corner.y + middle, cell * 3 - 2 * gap, thick),
                Ink::Line,
            );
            pen.panel(
                area(corner.x + middle, corner.y + gap, thick, cell * 3 - 2 * gap),
                Ink::Line,
            );
        }
        for square in (0..9).filter_map(Square::from_index) {
            let (row, column) = (square.row(), square.column());
            let box_ = area(
                corner.x + i32::from(column) * cell,
                corner.y + i32::from(2 - row) * cell,
                cell,
                cell,
            );
            if marks.cursor {
                pen.touchable(box_, Target::Place(square.index()));
            }
            let wins = game.winning_squares().any(|winning| winning == square);
            draw_square(game, square, box_, wins, marks, pen);
            if marks.cursor && (row, column) == (self.row, self.column) {
                let (by, stroke) = if pen.look.roomy { (5, 3) } else { (2, 1) };
                pen.corners(
                    inset(box_, by).translate(marks.drift),
                    cell / 4,
                    Ink::Gold,
                    stroke,
                );
            }
        }
    }

    fn describe(&self, _: &TicTacToe, mv: u16) -> Option<Words> {
        let square = Square::from_index(mv)?;
        let row = tictactoe::SQUARES.get(usize::from(square.row()))?;
        let mut words = Words::new();
        tictactoe::mark(&mut words, row.get(usize::from(square.column()))?).ok()?;
        Some(words)
    }

    fn verb(&self, _: &TicTacToe) -> &'static str {
        tictactoe::VERB
    }

    fn prompt(&self, _: &TicTacToe) -> Option<Words> {
        None
    }
}

impl TicTacToeBoard {
    fn tell(&self, game: &TicTacToe, marks: Marks<'_>, pen: &mut Pen<'_>) {
        for (row, name) in [(2, "Top"), (1, "Middle"), (0, "Bottom")] {
            let [a, b, c] = [0, 1, 2].map(|column| {
                match Square::new(row, column).and_then(|square| game.mark(square)) {
                    Some(Player::First) => "X",
                    Some(Player::Second) => "O",
                    None => "empty",
                }
            });
            pen.tell(format_args!("{name} row: {a}, {b}, {c}"));
        }
        if let Some(last) = marks.last.and_then(Square::from_index) {
            pen.tell(format_args!("Last move {last}"));
        }
        if let Some(square) = Square::new(self.row, self.column).filter(|_| marks.cursor) {
            pen.tell(format_args!("Cursor on {square}"));
        }
    }
}

fn draw_square(
    game: &TicTacToe,
    square: Square,
    place: Rectangle,
    wins: bool,
    marks: Marks<'_>,
    pen: &mut Pen<'_>,
) {
    let roomy = pen.look.roomy;
    let centre = place.center();
    let cell = place.size.width as i32;
    let index = Some(square.index());
    if let Some(player) = game.mark(square) {
        // A light ground marks the winning line without colours.
        let ink = match (wins, roomy) {
            (true, true) => {
                pen.panel(inset(place, 4), Ink::Paper);
                ink_of(player)
            }
            (true, false) => {
                pen.fill(inset(place, 2), Ink::Paper);
                Ink::Night
            }
            (false, _) => ink_of(player),
        };
        let (mut size, stroke) = if roomy { (cell / 2, 6) } else { (cell / 2, 2) };
        if marks.last == index {
            // The last mark grows.
            size -= size * marks.landing / 1300;
        }
        draw_mark(player, centre, size, stroke, ink, pen);
        if marks.last == index && !wins {
            let length = cell / 2;
            let y = place.top_left.y + cell - if roomy { 9 } else { 3 };
            pen.fill(
                area(centre.x - length / 2, y, length, if roomy { 3 } else { 1 }),
                Ink::Mist,
            );
        }
    } else if marks.hint == index {
        pen.diamond(centre, cell / 4, Ink::Leaf);
        pen.diamond(centre, cell / 4 - if roomy { 4 } else { 2 }, Ink::Night);
    }
    if let Some(verdict) = marks.verdict(square.index()) {
        verdict.draw(centre, true, pen);
    }
}

//! The end of a game of Go: which stones are dead, and what that comes to.

use core::fmt::Write;

use dojo_core::game::{Game, Outcome, Player};
use dojo_core::games::{self, GameId};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::go::{GoBoard, HalfPoints};
use crate::boards::{self, Board, Marks, Words};
use crate::desk::Desk;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::board::draw_beside;
use crate::screens::{Cursor, Go, Page};

const ITEMS: [&str; 2] = ["Done", "Play on"];
const DONE: usize = 0;

#[derive(Clone, Copy)]
pub(crate) struct Scoring {
    board: GoBoard,
    /// The chosen item while the cursor is beside the board.
    item: Cursor,
}

impl Scoring {
    pub(super) fn new(game: &games::Go) -> Scoring {
        // Most counts are right as the machine proposes them.
        Scoring { board: GoBoard::left(game), item: Cursor(DONE) }
    }

    pub(super) fn press(&mut self, button: Button, desk: &mut Desk) -> Go {
        let Some(game) = desk.bout.as_ref().and_then(|bout| bout.to_count()) else { return Go::Board };
        match (button, self.board.point()) {
            (Button::B, _) => return Go::Push(Page::pause()),
            (Button::Y, _) => desk.undo(),
            (Button::A, Some(point)) => desk.toggle_dead(point),
            (Button::A, None) if self.item.0 == DONE => desk.agree(),
            (Button::A, None) => desk.play_on(),
            _ => {
                if !self.board.walk(game, button) {
                    self.item.step(button, ITEMS.len());
                }
            }
        }
        Go::Stay
    }

    pub(super) fn draw(&self, desk: &Desk, pen: &mut Pen<'_>) {
        let Some(bout) = &desk.bout else { return };
        let Some(game) = bout.to_count() else { return };
        let dead = bout.settlement.dead;
        let roomy = pen.look.roomy;
        let (width, height) = (pen.width(), pen.height());
        let (board, column) = if roomy {
            pen.header("Dead stones?");
            (area(2, 42, 168, 168), area(176, 46, width - 182, 164))
        } else {
            (area(0, 0, height, height), area(height + 3, 0, width - height - 3, height))
        };
        let marks = Marks { cursor: true, dead: Some(dead), ..Marks::default() };
        self.board.draw(game, marks, board, pen);
        let step = if roomy { 25 } else { 10 };
        let mut line = column;
        line.size.height = step;
        let [black, white] = game.areas_without(dead).map(|area| 2 * area.len() as i16);
        let mut next = |label: Label, halves: i16, pen: &mut Pen<'_>| {
            draw_line(label, halves, line, pen);
            line.top_left.y += step as i32;
        };
        next(Label::Player(Player::First), black, pen);
        next(Label::Player(Player::Second), white, pen);
        next(Label::Komi, game.rules().komi(), pen);
        let rule = if roomy { 2 } else { 1 };
        let y = line.top_left.y;
        pen.fill(area(column.top_left.x, y, column.size.width as i32, rule), Ink::Line);
        line.top_left.y += 2 * rule;
        if desk.mind.is_asked() && !bout.settlement.judged {
            let font = pen.look.small;
            pen.text(line.top_left + Point::new(0, 3), Side::Left, font, Ink::Gold, "judging");
        } else {
            let lead = game.score_without(dead).abs();
            match game.outcome_without(dead) {
                Outcome::Win(winner) => draw_line(Label::Winner(winner), lead, line, pen),
                Outcome::Draw => draw_line(Label::Draw, 0, line, pen),
            }
        }
        draw_items(self.board.beside.then_some(self.item.0), column, pen);
        pen.footer(if self.board.beside { "A choose   <> stones" } else { "A dead or alive" });
    }
}

/// What a number in the count is.
#[derive(Clone, Copy)]
enum Label {
    Player(Player),
    Komi,
    Winner(Player),
    Draw,
}

fn draw_line(label: Label, halves: i16, place: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let font = if roomy { pen.look.small } else { pen.look.body };
    let (left, middle) = (place.top_left.x, place.center().y);
    let y = middle - font.character_size.height as i32 / 2 + i32::from(!roomy);
    let name = |player: Player| ["Black", "White"][player.index()];
    let (sign, words) = match label {
        Label::Player(player) => (Some(player), ""),
        Label::Komi => (None, "Komi"),
        Label::Winner(player) => (Some(player), ""),
        Label::Draw => (None, "Draw"),
    };
    match label {
        Label::Player(player) => pen.tell(format_args!("{} area {}", name(player), HalfPoints(halves))),
        Label::Komi => pen.tell(format_args!("Komi for white {}", HalfPoints(halves))),
        Label::Winner(player) => pen.tell(format_args!("{} wins by {}", name(player), HalfPoints(halves))),
        Label::Draw => pen.tell(format_args!("Draw")),
    }
    if let Some(player) = sign {
        let centre = Point::new(left + if roomy { 9 } else { 4 }, middle);
        boards::badge(GameId::Go, player, centre, pen);
    }
    pen.letters(Point::new(left, y), Side::Left, font, Ink::Mist, words);
    let mut number = Words::new();
    let (plus, ink) = if matches!(label, Label::Winner(_)) { ("+", Ink::Gold) } else { ("", Ink::Paper) };
    if !matches!(label, Label::Draw) {
        let _ = write!(number, "{plus}{}", HalfPoints(halves));
    }
    pen.letters(Point::new(left + place.size.width as i32, y), Side::Right, font, ink, &number);
}

fn draw_items(chosen: Option<usize>, column: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let height = if roomy { 24 } else { 10 };
    let bottom = column.top_left.y + column.size.height as i32;
    for (number, words) in ITEMS.into_iter().enumerate() {
        let y = bottom - height * (ITEMS.len() - number) as i32;
        let place = area(column.top_left.x, y, column.size.width as i32, height);
        draw_beside(words, Some(number) == chosen, place, pen);
    }
}

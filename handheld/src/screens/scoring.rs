//! The end of a game of Go: which stones are dead, and what that comes to.

use core::fmt::{Arguments, Write};

use dojo_core::game::{Game, Outcome, Player};
use dojo_core::games::go::Points;
use dojo_core::games::{self, GameId};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::go::{GoBoard, HalfPoints};
use crate::boards::{self, Board, Marks, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::{Cursor, Nav, Page};

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
        Scoring {
            board: GoBoard::left(game),
            item: Cursor(DONE),
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let Some(game) = app.session.as_ref().and_then(|session| session.to_count()) else {
            return Nav::Board;
        };
        match (button, self.board.point()) {
            (Button::B, _) => return Nav::Push(Page::pause()),
            (Button::Y, _) => app.undo(),
            (Button::A, Some(point)) => app.toggle_dead(point),
            (Button::A, None) if self.item.0 == DONE => app.agree(),
            (Button::A, None) => app.play_on(),
            _ => {
                if !self.board.walk(game, button) {
                    self.item.step(button, ITEMS.len());
                }
            }
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(session) = &app.session else { return };
        let Some(game) = session.to_count() else {
            return;
        };
        let dead = session.settlement.dead;
        let roomy = pen.look.roomy;
        let (width, height) = (pen.width(), pen.height());
        let (board, column) = if roomy {
            pen.header("Dead stones?");
            (area(2, 42, 168, 168), area(176, 46, width - 182, 164))
        } else {
            (
                area(0, 0, height, height),
                area(height + 3, 0, width - height - 3, height),
            )
        };
        let marks = Marks {
            cursor: true,
            dead: Some(dead),
            ..Marks::default()
        };
        self.board.draw(game, marks, board, pen);
        let judging = app.mind.is_asked() && !session.settlement.judged;
        let (step, rule) = if roomy { (25, 2) } else { (10, 1) };
        let left = column.top_left.x;
        let mut y = column.top_left.y;
        for (number, line) in lines(game, dead, judging).into_iter().enumerate() {
            if number == TOTAL {
                pen.fill(area(left, y, column.size.width as i32, rule), Ink::Line);
                y += 2 * rule;
            }
            line.draw(area(left, y, column.size.width as i32, step), pen);
            y += step;
        }
        draw_items(self.board.beside.then_some(self.item.0), column, pen);
        pen.footer(if self.board.beside {
            "A choose   <> stones"
        } else {
            "A dead or alive"
        });
    }
}

/// A line of the count: a player's sign or a word, and a number.
struct Line {
    sign: Option<Player>,
    label: &'static str,
    number: Words,
    ink: Ink,
    /// How it is said.
    said: Words,
}

/// The line below the rule.
const TOTAL: usize = 3;

/// Black's area, white's, komi, and what it comes to.
fn lines(game: &games::Go, dead: Points, judging: bool) -> [Line; TOTAL + 1] {
    let colour = |player: Player| ["Black", "White"][player.index()];
    let line = |sign, label, ink, number: Arguments<'_>, said: Arguments<'_>| {
        let mut line = Line {
            sign,
            label,
            number: Words::new(),
            ink,
            said: Words::new(),
        };
        // A few words and a number fit.
        let _ = line
            .number
            .write_fmt(number)
            .and_then(|()| line.said.write_fmt(said));
        line
    };
    let areas = game.areas_without(dead).map(|area| area.len());
    let area = |player: Player| {
        let points = areas[player.index()];
        line(
            Some(player),
            "",
            Ink::Paper,
            format_args!("{points}"),
            format_args!("{} area {points}", colour(player)),
        )
    };
    let (komi, lead) = (
        HalfPoints(game.rules().komi()),
        HalfPoints(game.score_without(dead).abs()),
    );
    let total = match game.outcome_without(dead) {
        _ if judging => line(
            None,
            "judging",
            Ink::Gold,
            format_args!(""),
            format_args!("judging"),
        ),
        Outcome::Win(winner) => {
            let said = format_args!("{} wins by {lead}", colour(winner));
            line(Some(winner), "", Ink::Gold, format_args!("+{lead}"), said)
        }
        Outcome::Draw => line(
            None,
            "Draw",
            Ink::Gold,
            format_args!(""),
            format_args!("Draw"),
        ),
    };
    let komi = line(
        None,
        "Komi",
        Ink::Paper,
        format_args!("{komi}"),
        format_args!("Komi for white {komi}"),
    );
    [area(Player::First), area(Player::Second), komi, total]
}

impl Line {
    fn draw(&self, place: Rectangle, pen: &mut Pen<'_>) {
        pen.tell(format_args!("{}", self.said));
        let roomy = pen.look.roomy;
        let font = if roomy { pen.look.small } else { pen.look.body };
        let (left, middle) = (place.top_left.x, place.center().y);
        let y = middle - font.character_size.height as i32 / 2 + i32::from(!roomy);
        if let Some(player) = self.sign {
            boards::badge(
                GameId::Go,
                player,
                Point::new(left + if roomy { 9 } else { 4 }, middle),
                pen,
            );
        }
        let quiet = if self.ink == Ink::Gold {
            Ink::Gold
        } else {
            Ink::Mist
        };
        pen.letters(Point::new(left, y), Side::Left, font, quiet, self.label);
        pen.letters(
            Point::new(left + place.size.width as i32, y),
            Side::Right,
            font,
            self.ink,
            &self.number,
        );
    }
}

fn draw_items(chosen: Option<usize>, column: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let height = if roomy { 24 } else { 10 };
    let bottom = column.top_left.y + column.size.height as i32;
    for (number, words) in ITEMS.into_iter().enumerate() {
        let y = bottom - height * (ITEMS.len() - number) as i32;
        let place = area(column.top_left.x, y, column.size.width as i32, height);
        pen.button(place, words, Some(number) == chosen);
    }
}

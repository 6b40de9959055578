//! The board of Go.

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::go::{self, GoMove, Ko};
use dojo_core::games::{Go, GoRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Choice, Marks, Reply, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, area};

pub(super) const RULES: &[&str] = &[
    "Take turns to put a stone on a point. Stones without a free point next to their group are taken.",
    "No position may come back. Two passes end the game. Stones and surrounded points count.",
    "White gets komi for moving second.",
    "D-pad: move, down from the last row: pass. A: play. X: hint. Y: take back. B: menu.",
];

pub(super) fn why(game: &Go) -> &'static str {
    if game.score() == 0 { "Equal area" } else { "More area" }
}

pub(super) fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
    draw_stone(player, centre, if pen.look.roomy { 16 } else { 7 }, pen);
}

/// Black is a ring on the dark ground, white a full disc.
fn draw_stone(player: Player, centre: Point, size: u32, pen: &mut Pen<'_>) {
    match player {
        Player::First => pen.ring(centre, size, Ink::Paper, if pen.look.roomy { 2 } else { 1 }),
        Player::Second => pen.disc(centre, size, Ink::Paper),
    }
}

pub(super) fn option(rules: &GoRules, number: usize) -> Option<Choice> {
    match number {
        0 => Some(Choice {
            label: "Size",
            value: match rules.size() {
                5 => "5x5",
                7 => "7x7",
                _ => "9x9",
            },
        }),
        1 => Some(Choice { label: "Komi", value: if rules.komi() == 15 { "7.5" } else { "5.5" } }),
        2 => {
            const COUNTS: [&str; 10] = ["none", "1", "2", "3", "4", "5", "6", "7", "8", "9"];
            Some(Choice { label: "Handicap", value: COUNTS[usize::from(rules.handicap()) % COUNTS.len()] })
        }
        3 => Some(Choice { label: "Ko", value: if rules.ko == Ko::Simple { "simple" } else { "superko" } }),
        _ => None,
    }
}

pub(super) fn step_option(rules: &mut GoRules, number: usize, forward: bool) {
    fn step<const N: usize>(all: [u8; N], at: u8, forward: bool) -> u8 {
        let place = all.iter().position(|&one| one == at).unwrap_or(0);
        all[(place + if forward { 1 } else { N - 1 }) % N]
    }
    let size = if number == 0 { step(GoRules::SIZES, rules.size(), forward) } else { rules.size() };
    let handicap = if number == 2 { step(GoRules::HANDICAPS, rules.handicap(), forward) } else { rules.handicap() };
    let komi = match (number, rules.komi()) {
        (1, 15) => 11,
        (1, _) => 15,
        (_, komi) => komi,
    };
    let ko = match (number, rules.ko) {
        (3, Ko::Positional) => Ko::Simple,
        (3, Ko::Simple) => Ko::Positional,
        (_, ko) => ko,
    };
    let changed = GoRules::new(size).and_then(|rules| rules.with_komi(komi)?.with_handicap(handicap));
    *rules = changed.map_or(*rules, |rules| rules.with_ko(ko));
}

/// The point under the cursor, or the pass below the board.
#[derive(Clone, Copy)]
pub(crate) struct GoBoard {
    col: u8,
    row: u8,
    passing: bool,
}

impl GoBoard {
    fn mv(&self) -> Option<GoMove> {
        if self.passing { Some(GoMove::Pass) } else { go::Point::new(self.col, self.row).map(GoMove::Stone) }
    }
}

impl Board for GoBoard {
    type Game = Go;

    fn new(game: &Go) -> GoBoard {
        let middle = game.rules().size() / 2;
        GoBoard { col: middle, row: middle, passing: false }
    }

    fn press(&mut self, game: &Go, button: Button) -> Reply {
        let size = game.rules().size();
        match button {
            Button::Up if self.passing => self.passing = false,
            Button::Down if self.passing => (self.passing, self.row) = (false, size - 1),
            Button::Up => self.row = (self.row + 1) % size,
            Button::Down if self.row == 0 => self.passing = true,
            Button::Down => self.row -= 1,
            Button::Left => self.col = (self.col + size - 1) % size,
            Button::Right => self.col = (self.col + 1) % size,
            Button::A => {
                return match self.mv() {
                    Some(mv) if game.is_legal(mv) => Reply::Play(mv.index()),
                    _ => Reply::Refused,
                };
            }
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    fn point_to(&mut self, _: &Go, mv: Option<u16>) {
        self.passing = false;
        if let Some(point) = mv.and_then(GoMove::from_index).and_then(GoMove::point) {
            (self.col, self.row) = (point.col(), point.row());
        }
    }

    fn draw(&self, game: &Go, marks: Marks, place: Rectangle, pen: &mut Pen<'_>) {
        self.tell(game, marks, pen);
        let size = i32::from(game.rules().size());
        let cell = place.size.width.min(place.size.height) as i32 / size;
        let corner = place.center() - Point::new(cell * size / 2, cell * size / 2);
        let at = |point: go::Point| {
            let (col, row) = (i32::from(point.col()), size - 1 - i32::from(point.row()));
            corner + Point::new(col * cell + cell / 2, row * cell + cell / 2)
        };
        for i in 0..size {
            let (near, far) = (cell / 2, cell * size - cell / 2);
            let along = i * cell + cell / 2;
            pen.line(corner + Point::new(near, along), corner + Point::new(far, along), Ink::Line, 1);
            pen.line(corner + Point::new(along, near), corner + Point::new(along, far), Ink::Line, 1);
        }
        for point in game.board() {
            let index = Some(GoMove::Stone(point).index());
            if let Some(player) = game.stones().at(point) {
                pen.disc(at(point), cell as u32 - 1, Ink::Night);
                draw_stone(player, at(point), cell as u32 - 1, pen);
            }
            if marks.last == index || marks.hint == index {
                pen.disc(at(point), (cell / 3).max(1) as u32, Ink::Leaf);
            }
        }
        if let Some(point) = go::Point::new(self.col, self.row).filter(|_| marks.cursor && !self.passing) {
            let centre = at(point);
            let half = cell / 2;
            pen.corners(area(centre.x - half, centre.y - half, cell, cell), (cell / 3).max(1), Ink::Gold, 1);
        }
    }

    fn prompt(&self, _: &Go) -> Option<Words> {
        self.passing.then(|| Words::try_from("Pass").unwrap_or_default())
    }
}

impl GoBoard {
    fn tell(&self, game: &Go, marks: Marks, pen: &mut Pen<'_>) {
        for (player, name) in [(Player::First, "Black"), (Player::Second, "White")] {
            let stones = game.stones().of(player).len();
            pen.tell(format_args!("{name}: {stones} stones, {} taken", game.prisoners(player)));
        }
        if let Some(last) = marks.last.and_then(GoMove::from_index) {
            pen.tell(format_args!("Last move {last}"));
        }
        if let Some(mv) = self.mv().filter(|_| marks.cursor) {
            pen.tell(format_args!("Cursor on {mv}"));
        }
    }
}

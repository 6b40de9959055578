//! The board of iwoki: for now the actions one by one, with their points.

use core::fmt::Write as _;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::iwoki::{Action, Form};
use dojo_core::games::{Iwoki, IwokiRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Choice, Marks, Reply, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::Pen;

pub(super) const RULES: &[&str] = &[
    "Lay tiles so that numbers agree; they are your points. Small tiles show sums or differences.",
    "No small tiles left: one last turn for the other. Tiles still held cost points.",
    "D-pad: choose. A: play. X: hint. Y: take back. B: menu.",
];

pub(super) fn why(_: &Iwoki) -> &'static str {
    "Points less tiles held"
}

pub(super) fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
    let (size, ink) = (if pen.look.roomy { 7 } else { 3 }, if player == Player::First { Ink::Sun } else { Ink::Sky });
    pen.diamond(centre, size, ink);
}

pub(super) fn option(rules: &IwokiRules, number: usize) -> Option<Choice> {
    let value = match rules.form {
        Form::Normal => "hidden",
        Form::Open => "open",
    };
    (number == 0).then_some(Choice { label: "Hands", value })
}

pub(super) fn step_option(rules: &mut IwokiRules, _: usize, _: bool) {
    rules.form = match rules.form {
        Form::Normal => Form::Open,
        Form::Open => Form::Normal,
    };
}

/// The action under the cursor, by its place in the list.
#[derive(Clone, Copy)]
pub(crate) struct IwokiBoard {
    place: usize,
}

impl IwokiBoard {
    fn action(&self, game: &Iwoki) -> Option<Action> {
        game.legal_moves().nth(self.place)
    }
}

impl Board for IwokiBoard {
    type Game = Iwoki;

    fn new(_: &Iwoki) -> IwokiBoard {
        IwokiBoard { place: 0 }
    }

    fn press(&mut self, game: &Iwoki, button: Button) -> Reply {
        let count = game.legal_moves().count().max(1);
        match button {
            Button::Left => self.place = (self.place + count - 1) % count,
            Button::Right => self.place = (self.place + 1) % count,
            Button::A => return self.action(game).map_or(Reply::Refused, |action| Reply::Play(action.index())),
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    fn point_to(&mut self, game: &Iwoki, mv: Option<u16>) {
        self.place = game.legal_moves().position(|action| Some(action.index()) == mv).unwrap_or(0);
    }

    fn draw(&self, game: &Iwoki, _: Marks, place: Rectangle, pen: &mut Pen<'_>) {
        let mut words = Words::new();
        let [a, b] = Player::BOTH.map(|player| game.hand(player).points());
        let _ = write!(words, "{a} : {b}");
        pen.tell(format_args!("Points {a} to {b}"));
        pen.page(place, &words);
    }

    fn prompt(&self, game: &Iwoki) -> Option<Words> {
        let action = self.action(game)?;
        let mut words = Words::new();
        write!(words, "{action} +{}", game.points_of(action)).ok()?;
        Some(words)
    }
}

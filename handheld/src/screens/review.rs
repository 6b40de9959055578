//! Stepping through a finished game; playing on from any point of it.

use core::fmt::Write;

use crate::app::AppState;
use crate::boards::{Marks, Words};
use crate::input::Button;
use crate::pen::{Pen, area};
use crate::screens::Nav;
use crate::screens::board::{draw_players, draw_status};
use crate::screens::replace::{Replace, Wish};
use crate::touch::Target;

#[derive(Clone, Copy)]
pub(crate) struct Review {
    plies: usize,
}

impl Review {
    pub(super) fn new(plies: usize) -> Review {
        Review { plies }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let last = app
            .session
            .as_ref()
            .map_or(0, |session| session.moves().len());
        match button {
            Button::Left => self.plies = self.plies.saturating_sub(1),
            Button::Right => self.plies = (self.plies + 1).min(last),
            Button::Up => self.plies = 0,
            Button::Down => self.plies = last,
            Button::A if self.plies < last => {
                return Replace::begin(Wish::Branch(self.plies), app);
            }
            Button::B => return Nav::Back,
            _ => {}
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let (Some(session), Some(board)) = (&app.session, &app.board) else {
            return;
        };
        let game = session.game_at(self.plies);
        let last = self
            .plies
            .checked_sub(1)
            .and_then(|at| session.moves().get(at))
            .copied();
        let places = board.places(&game, pen);
        let marks = Marks {
            last,
            overlay: app.overlay,
            ..Marks::default()
        };
        let (half, height) = (pen.width() / 2, pen.height());
        for (left, button) in [(0, Button::Left), (half, Button::Right)] {
            pen.touchable(area(left, 0, half, height), Target::Button(button));
        }
        board.draw(&game, marks, places.board, pen);
        board.draw_hand(&game, marks, places.hand, pen);
        draw_players(app, session, &game, &places, pen);
        let mut words = Words::new();
        let _ = write!(words, "Move {}/{}", self.plies, session.moves().len());
        let mut help = words.clone();
        if self.plies < session.moves().len() && !pen.look.roomy {
            let _ = help.write_str("\nA plays on");
        }
        draw_status(&[&help, &words], &places, pen);
        pen.footer("<> step   A play on   B back");
    }
}

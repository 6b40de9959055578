//! Stepping through a finished game; playing on from any point of it.

use core::fmt::Write;

use crate::boards::{Marks, Words};
use crate::desk::Desk;
use crate::input::Button;
use crate::pen::Pen;
use crate::screens::Go;
use crate::screens::board::{draw_players, draw_status};

#[derive(Clone, Copy)]
pub(crate) struct Review {
    plies: usize,
}

impl Review {
    pub(super) fn new(plies: usize) -> Review {
        Review { plies }
    }

    pub(super) fn press(&mut self, button: Button, desk: &mut Desk) -> Go {
        let last = desk.bout.as_ref().map_or(0, |bout| bout.moves().len());
        match button {
            Button::Left => self.plies = self.plies.saturating_sub(1),
            Button::Right => self.plies = (self.plies + 1).min(last),
            Button::Up => self.plies = 0,
            Button::Down => self.plies = last,
            Button::A if self.plies < last => {
                desk.branch(self.plies);
                return Go::Board;
            }
            Button::B => return Go::Back,
            _ => {}
        }
        Go::Stay
    }

    pub(super) fn draw(&self, desk: &Desk, pen: &mut Pen<'_>) {
        let (Some(bout), Some(board)) = (&desk.bout, &desk.board) else {
            return;
        };
        let game = bout.game_at(self.plies);
        let last = self
            .plies
            .checked_sub(1)
            .and_then(|at| bout.moves().get(at))
            .copied();
        let places = board.places(&game, pen);
        let marks = Marks {
            last,
            overlay: desk.overlay,
            ..Marks::default()
        };
        board.draw(&game, marks, places.board, pen);
        board.draw_hand(&game, marks, places.hand, pen);
        draw_players(desk, bout, &game, &places, pen);
        let mut words = Words::new();
        let _ = write!(words, "Move {}/{}", self.plies, bout.moves().len());
        if self.plies < bout.moves().len() {
            let _ = words.write_str(if pen.look.roomy {
                "   A: play on"
            } else {
                "\nA plays on"
            });
        }
        draw_status(&words, &places, pen);
    }
}

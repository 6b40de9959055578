//! Asks before a game takes the place of the running one of its kind.

use crate::app::AppState;
use crate::input::Button;
use crate::pen::{Pen, Row, area};
use crate::screens::{Cursor, Nav, Page, running};
use crate::store::Setup;
use crate::words;

/// What would replace the running game.
#[derive(Clone, Copy)]
pub(crate) enum Wish {
    /// A new game.
    Start(Setup),
    /// The reviewed game, from the position after this many moves.
    Branch(usize),
}

#[derive(Clone, Copy)]
pub(crate) struct Replace {
    wish: Wish,
    cursor: Cursor,
}

impl Replace {
    /// Carries out a wish at once if no running game with a move in it is lost, else asks.
    pub(super) fn begin(wish: Wish, app: &mut AppState) -> Nav {
        let page = Replace {
            wish,
            cursor: Cursor(0),
        };
        let lost = page
            .game(app)
            .and_then(|id| app.running(id))
            .is_some_and(|game| game.plies > 0);
        if lost {
            return Nav::Push(Page::Replace(page));
        }
        page.carry_out(app)
    }

    /// The kind of both games.
    fn game(&self, app: &AppState) -> Option<dojo_core::games::GameId> {
        match self.wish {
            Wish::Start(setup) => Some(setup.rules.id()),
            Wish::Branch(_) => app.session.as_ref().map(|session| session.game().id()),
        }
    }

    fn carry_out(&self, app: &mut AppState) -> Nav {
        match self.wish {
            Wish::Start(setup) => app.start(setup),
            Wish::Branch(plies) => app.branch(plies),
        }
        Nav::Board
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        match (button, self.game(app)) {
            (Button::B, _) | (_, None) => Nav::Back,
            (Button::A, Some(id)) if self.cursor.0 == 0 => running::resume(id, app),
            (Button::A, Some(_)) => self.carry_out(app),
            _ => {
                self.cursor.step(button, words::REPLACE_ANSWERS.len());
                Nav::Stay
            }
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(id) = self.game(app) else { return };
        let place = pen.header(id.title());
        let mut text = heapless::String::<80>::new();
        let plies = app.running(id).map_or(0, |game| game.plies);
        let _ = words::replace(&mut text, plies.into());
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let (top, rows) = (
            place.top_left.y,
            words::REPLACE_ANSWERS.len() as i32 * pen.look.row,
        );
        pen.page(area(0, top, width, height - rows), &text);
        pen.list(
            area(0, top + height - rows, width, rows),
            &words::REPLACE_ANSWERS.map(Row::item),
            self.cursor.0,
        );
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

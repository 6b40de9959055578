//! Stepping through a finished game, with the curve of the expected result and its costliest moves;
//! trying again from any point of it.

use core::fmt::Write;

use dojo_core::game::Player;
use dojo_core::games::AnyGame;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::appraisal::{Flag, end_value};
use crate::boards::{AnyBoard, Marks, Places, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, area};
use crate::screens::board::{draw_players, draw_status};
use crate::screens::replace::{Replace, Wish};
use crate::screens::{Nav, Page};
use crate::session::Session;
use crate::touch::Target;
use crate::words;

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
            // To the next costly move, before it is made; behind the last one to the first.
            Button::X => {
                let mut flags = app.appraisal.flags().iter().map(|flag| flag.ply.into());
                let next = { flags.clone() }.find(|&ply| ply > self.plies);
                self.plies = next.or(flags.next()).unwrap_or(self.plies);
            }
            Button::A if self.plies < last => {
                return Replace::begin(Wish::Branch(self.plies), app);
            }
            Button::Y => return Nav::Push(Page::Share),
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
        let mut places = board.places(&game, pen);
        let flags = app.appraisal.flags().iter();
        let flag = { flags }.find(|flag| usize::from(flag.ply) == self.plies);
        let marks = Marks {
            last,
            hint: flag.map(|flag| flag.better),
            overlay: app.overlay,
            ..Marks::default()
        };
        let curve = take_curve(&mut places, pen);
        let (half, height) = (pen.width() / 2, pen.height());
        for (left, button) in [(0, Button::Left), (half, Button::Right)] {
            pen.touchable(area(left, 0, half, height), Target::Button(button));
        }
        board.draw(&game, marks, places.board, pen);
        board.draw_hand(&game, marks, places.hand, pen);
        draw_players(app, session, &game, &places, pen);
        let words = self.words(app, session, board, flag, pen);
        let mut short = Words::new();
        let _ = write!(short, "{}/{}", self.plies, session.moves().len());
        let better = flag.and_then(|flag| self.better(app, session, board, flag));
        let better = better.as_deref().unwrap_or(&words);
        draw_status(&[better, &words, &short], &places, pen);
        self.draw_curve(app, session, curve, pen);
        pen.footer(if app.appraisal.flags().is_empty() {
            words::keys::REVIEW
        } else {
            words::keys::REVIEW_FLAGS
        });
    }

    /// What would have been better than the next move, and why.
    fn better(
        &self,
        app: &AppState,
        session: &Session,
        board: &AnyBoard,
        flag: &Flag,
    ) -> Option<heapless::String<64>> {
        let game = session.game_at(self.plies);
        let played = *session.moves().get(self.plies)?;
        let value = app.appraisal.value(self.plies)?;
        let value = match game.turn() {
            Player::First => value,
            Player::Second => 100 - value.min(100),
        };
        let mut words = heapless::String::new();
        write!(
            words,
            "{}/{}  {}",
            self.plies,
            session.moves().len(),
            words::BETTER
        )
        .ok()?;
        let why = { !board.has_reasons() }.then(|| why(&game, flag.better, played, value));
        match why.flatten() {
            Some(why) => {
                let name = name_of(board, &game, flag.better);
                write!(words, "{name}, {why}").ok()?;
            }
            // Its words have the reason.
            None => words.push_str(&board.describe(&game, flag.better)?).ok()?,
        }
        Some(words)
    }

    /// Who made which move, or what would have been better than the next one.
    fn words(
        &self,
        app: &AppState,
        session: &Session,
        board: &AnyBoard,
        flag: Option<&Flag>,
        pen: &Pen<'_>,
    ) -> Words {
        let mut words = Words::new();
        let gap = if pen.look.roomy { "  " } else { "\n" };
        let all = session.moves().len();
        let _ = write!(words, "{}/{all}{gap}", self.plies);
        if let Some(flag) = flag {
            let _ = words.write_str(if pen.look.roomy { words::BETTER } else { "" });
            let game = session.game_at(self.plies);
            let _ = words.write_str(&name_of(board, &game, flag.better));
            let _ = write!(words, " +{} %", flag.cost);
        } else if let Some(before) = self.plies.checked_sub(1)
            && let Some(&mv) = session.moves().get(before)
        {
            let game = session.game_at(before);
            let name = app.name(session.side_of(game.turn()));
            let _ = write!(words, "{name}: {}", name_of(board, &game, mv));
            let cost = { app.appraisal.flags().iter() }
                .find(|flag| usize::from(flag.ply) == before)
                .map(|flag| flag.cost);
            if let Some(cost) = cost {
                let _ = write!(words, " -{cost} %");
            }
        }
        words
    }

    /// The chance of the person, or of the first player, over the moves; a line at one half, one at
    /// the present move, and flags at the costliest ones.
    fn draw_curve(&self, app: &AppState, session: &Session, place: Rectangle, pen: &mut Pen<'_>) {
        let (left, top) = (place.top_left.x, place.top_left.y);
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let all = session.moves().len();
        let x = |ply: usize| left + (width - 1) * ply as i32 / all.max(1) as i32;
        // `side_of` is its own inverse.
        let viewer = session
            .only_machine()
            .map_or(Player::First, |(side, _)| session.side_of(!side));
        let seen = |value: u8| match viewer {
            Player::First => value,
            Player::Second => 100 - value.min(100),
        };
        let value = |ply: usize| match session.outcome() {
            Some(outcome) if ply == all => Some(seen(end_value(outcome))),
            _ => app.appraisal.value(ply).map(seen),
        };
        for dot in (left..left + width).step_by(4) {
            pen.fill(area(dot, top + height / 2, 1, 1), Ink::Line);
        }
        pen.fill(area(x(self.plies), top, 1, height), Ink::Mist);
        let mut before: Option<Point> = None;
        for ply in 0..=all {
            let Some(percent) = value(ply) else {
                before = None;
                continue;
            };
            let y = top + (height - 1) * i32::from(100 - percent.min(100)) / 100;
            let end = Point::new(x(ply), y);
            pen.line(before.unwrap_or(end), end, Ink::Sky, 1);
            before = Some(end);
        }
        for flag in app.appraisal.flags() {
            let middle = x(flag.ply.into());
            pen.fill(area(middle - 1, top + height - 4, 3, 4), Ink::Sun);
            pen.tell(format_args!("Move {} cost {} %", flag.ply + 1, flag.cost));
        }
        if let Some(percent) = value(self.plies) {
            let name = app.name(session.side_of(viewer));
            pen.tell(format_args!("{name}: {percent} %"));
        }
    }
}

/// Why a move is better than the one that was played, from what the two lead to; `None` if no such
/// reason is found. `value` is that of the better one, in
/// percent of a win.
fn why(game: &AnyGame, better: u16, played: u16, value: u8) -> Option<&'static str> {
    // Moves of these games have small numbers.
    const MOVES: u16 = 60;
    let me = game.turn();
    let after = |game: &AnyGame, mv| {
        let mut next = *game;
        next.play(mv).ok().map(|()| next)
    };
    let won = |game: &AnyGame, player| {
        { game.outcome() }.is_some_and(|outcome| outcome.value_for(player) > 0)
    };
    // Whether some reply wins at once, or takes something and goes on.
    let replies = |game: &AnyGame, meets: &dyn Fn(&AnyGame) -> bool| {
        let next = (0..MOVES).filter_map(|mv| after(game, mv));
        game.turn() != me && { next }.any(|next| meets(&next))
    };
    let (good, bad) = (after(game, better)?, after(game, played)?);
    let is_lost = |game: &AnyGame| replies(game, &|next| won(next, !me));
    let gives =
        |game: &AnyGame| replies(game, &|next| next.turn() != me && next.outcome().is_none());
    let goes_on = |game: &AnyGame| game.turn() == me;
    Some(match value {
        _ if won(&good, me) => words::why::WINS,
        _ if is_lost(&bad) && !is_lost(&good) => words::why::STOPS,
        _ if goes_on(&good) && !goes_on(&bad) => words::why::TAKES_BOX,
        _ if gives(&bad) && !gives(&good) => words::why::GIVES_NO_BOX,
        99.. => words::why::KEEPS_WIN,
        50 => words::why::KEEPS_DRAW,
        _ => return None,
    })
}

/// A move in notation, or where that is not meant for players in their words.
fn name_of(board: &AnyBoard, game: &AnyGame, mv: u16) -> Words {
    let mut notation = heapless::String::<6>::new();
    match game.write_move(mv, &mut notation) {
        Ok(()) => Words::try_from(&*notation).unwrap_or_default(),
        Err(_) => board.describe(game, mv).unwrap_or_default(),
    }
}

/// Takes room for the curve: between board and status, or at the lower end of the status beside the
/// board.
fn take_curve(places: &mut Places, pen: &Pen<'_>) -> Rectangle {
    let from = if pen.look.roomy {
        &mut places.board
    } else {
        &mut places.status
    };
    if pen.look.roomy {
        // All of the width, whatever stands beside the board in a game.
        (from.top_left.x, from.size.width) = (8, pen.width() as u32 - 16);
    }
    let (at, size) = (from.top_left, from.size);
    let (width, height) = (size.width as i32, size.height as i32);
    let curve = if pen.look.roomy { 22 } else { 13 };
    from.size.height = (height - curve - 1) as u32;
    area(at.x, at.y + height - curve, width - 1, curve)
}

//! A game in progress: the board, who plays, and whose turn it is.

use core::fmt::Write;

use dojo_core::game::Player;
use dojo_core::games::AnyGame;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::{self, AnyBoard, Marks, Places, Reply, Words};
use crate::brush;
use crate::faces::wrap;
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area, belt_ink};
use crate::screens::{Nav, Page};
use crate::session::Session;
use crate::sound::Cue;
use crate::store::Seat;
use crate::touch::Touch;
use crate::words;

pub(super) fn press(button: Button, app: &mut AppState) -> Nav {
    let is_thinking = app.is_thinking();
    match button {
        Button::X => app.ask_hint(),
        Button::Y => app.undo(),
        // The pause menu stops the search.
        Button::B if is_thinking => return Nav::Push(Page::pause()),
        _ => {
            let (Some(session), Some(board)) = (&app.session, &mut app.board) else {
                return Nav::Menu;
            };
            let before = *board;
            let reply = match session.mover() {
                Seat::Person => board.press(session.game(), button),
                _ if button == Button::B => Reply::Ignored,
                _ => Reply::Refused,
            };
            // A board that does not use B leaves it to the pause menu.
            if reply == Reply::Ignored && button == Button::B {
                return Nav::Push(Page::pause());
            }
            carry_out(reply, before, app);
        }
    }
    Nav::Stay
}

/// Does what the board has answered; its cursor was where it is on `before`.
fn carry_out(reply: Reply, before: AnyBoard, app: &mut AppState) {
    match reply {
        Reply::Play(mv) => {
            // A hint that is still being thought about would come too late.
            app.stop_thinking_before(mv);
            app.play(mv);
        }
        Reply::Moved if app.has_motion() => app.glide(before),
        Reply::Refused => app.sound(Cue::Refused),
        Reply::Moved | Reply::Ignored => {}
    }
}

impl Page {
    /// A touch of a place of the board.
    pub(crate) fn touch_board(place: u16, touch: Touch, app: &mut AppState) -> Nav {
        if let (Some(session), Some(board)) = (&app.session, &mut app.board) {
            let before = *board;
            let reply = match session.mover() {
                Seat::Person => board.touch(session.game(), touch, place),
                _ => Reply::Refused,
            };
            // A finger that slides over the board does not beep at every occupied place.
            if touch == Touch::Tap || reply != Reply::Refused {
                carry_out(reply, before, app);
            }
        }
        Nav::Stay
    }
}

pub(super) fn draw(app: &AppState, pen: &mut Pen<'_>) {
    let (Some(session), Some(board)) = (&app.session, &app.board) else {
        return;
    };
    let outcome = session.outcome();
    let person_moves = session.mover() == Seat::Person && outcome.is_none();
    let marks = Marks {
        last: session.moves().last().copied(),
        hint: app.hint,
        cursor: person_moves || app.is_travelling(),
        overlay: app.overlay,
        thoughts: app.mind.shown(),
        left: 1000 - app.progress().unwrap_or(1000),
        viewer: session.viewer(),
        coordinates: pen.comfort.coordinates,
        ..Marks::default()
    };
    for thought in marks.thoughts {
        let mut name = Words::new();
        let _ = session.game().write_move(thought.index, &mut name);
        pen.tell(format_args!("{name} wins {} %", thought.value / 10));
    }
    let mut places = board.places(session.game(), pen);
    let marks = app.moving(marks, session.game(), board, places.board, pen.look.roomy);
    pen.is_watched = !person_moves;
    board.draw(session.game(), marks, places.board, pen);
    board.draw_hand(session.game(), marks, places.hand, pen);
    pen.is_watched = false;
    draw_players(app, session, session.game(), &places, pen);
    let with_mind = app.mind.is_visible();
    let words = status(app, session, person_moves, with_mind, pen.look.roomy);
    if let Some(share) = app.progress() {
        draw_progress(share, with_mind || !words.is_empty(), &mut places, pen);
    }
    if with_mind {
        let mut expects = Words::new();
        let _ = expectation(app, session, &places, pen, &mut expects);
        let gap = if words.is_empty() { "" } else { "\n" };
        let mut both = heapless::String::<64>::new();
        let _ = write!(both, "{words}{gap}{expects}");
        // Without room for both, what it expects is told.
        draw_status(&[&both, &expects], &places, pen);
    } else {
        let hinted = app.hint.filter(|_| !board.is_touched(session.game()));
        let expected = hinted
            .and(app.grounds.expected)
            .map(|share| share.min(1000) / 10);
        let mut full = heapless::String::<64>::new();
        let _ = full.push_str(&words);
        match expected {
            Some(percent) if pen.look.roomy => drop(write!(full, ", {percent} %")),
            // The column beside the board has no room for it.
            Some(percent) => pen.tell(format_args!("expected: {percent} %")),
            None => {}
        }
        draw_status(&[&full, &words], &places, pen);
        if hinted.is_some() {
            board.draw_grounds(session.game(), &app.grounds, pen);
        }
    }
    let mut help = heapless::String::<48>::new();
    if person_moves {
        let verb = board.verb(session.game());
        let _ = write!(help, "A {verb}   {}", words::keys::BOARD);
    } else if outcome.is_some() {
        let _ = help.write_str(words::keys::ON);
    } else {
        let _ = help.write_str(words::keys::MENU);
    }
    pen.footer(&help);
}

/// Draws the brush stroke of a search: beside the words of the status, which get less room by it, or
/// below them on a small display.
fn draw_progress(share: u16, has_words: bool, places: &mut Places, pen: &mut Pen<'_>) {
    pen.tell(format_args!("thinking: {} %", share / 10));
    let place = places.status;
    let (left, width) = (place.top_left.x, place.size.width as i32);
    if pen.look.roomy {
        let words = if has_words { width * 5 / 8 } else { 0 };
        let rest = width - words;
        let stroke = area(left + words + 16, place.center().y - 4, rest - 32, 9);
        brush::draw(share, stroke, pen);
        places.status.size.width = words as u32;
    } else {
        let height = 5;
        let top = place.top_left.y + place.size.height as i32 - height;
        brush::draw(share, area(left + 1, top, width - 2, height), pen);
        places.status.size.height -= height as u32;
    }
}

/// The status line. In the mind view on a small display it leaves out whose turn it is: the frame
/// around the name shows that.
fn status(
    app: &AppState,
    session: &Session,
    person_moves: bool,
    with_mind: bool,
    roomy: bool,
) -> Words {
    let mut words = Words::new();
    let Some(board) = &app.board else {
        return words;
    };
    // The last move stays for a moment, with the reason of the result.
    if let Some(outcome) = session.outcome() {
        return boards::why(session, outcome);
    }
    let (game, touched) = (session.game(), board.is_touched(session.game()));
    let prompt = || {
        let remark = if touched || with_mind {
            None
        } else {
            remark(app, session, board, roomy)
        };
        remark.or(board.prompt(game))
    };
    let _ = match app.hint {
        // The brush stroke says so.
        _ if app.is_thinking() && (roomy || with_mind) => Ok(()),
        _ if app.is_thinking() => words.write_str(words::THINKING),
        _ if app.may_peek() => words.write_str(words::PEEK),
        Some(hint) if !touched => match board.explain(game, hint, &app.grounds) {
            Some(described) => words.write_str(&described),
            None => words
                .write_str(words::HINT)
                .and_then(|()| game.write_move(hint, &mut words)),
        },
        _ if !person_moves => Ok(()),
        _ => match prompt() {
            Some(prompt) => words.write_str(&prompt),
            None if with_mind && !roomy => Ok(()),
            None if session.only_machine().is_some() => words.write_str(words::YOUR_TURN),
            None => words::turn_of(&mut words, app.name(session.side_of(game.turn()))),
        },
    };
    words
}

/// The board's remark about the last move, with the name of its player.
fn remark(app: &AppState, session: &Session, board: &AnyBoard, roomy: bool) -> Option<Words> {
    let last = *session.moves().last()?;
    let remark = board.remark(session.game(), last)?;
    let mover = session.game_at(session.moves().len() - 1).turn();
    let mut words = Words::new();
    // Who moves twice is told so.
    if board.moves_again() && session.game().turn() == mover {
        words.write_str(words::AGAIN).ok()?;
    }
    let side = session.side_of(mover);
    let name = if roomy {
        app.name(side)
    } else {
        short_name(app, session, side)
    };
    write!(words, "{name}{remark}").ok()?;
    Some(words)
}

/// Whose values the mind view shows, and the value it expects for itself.
fn expectation(
    app: &AppState,
    session: &Session,
    places: &Places,
    pen: &Pen<'_>,
    words: &mut Words,
) -> core::fmt::Result {
    let title = app.title(app.thinker(), app.game_id());
    match app.mind.expected() {
        Some(value) => {
            // Between two people the value is that of the player to move.
            let is_opponent = session.mover() == Seat::Person && session.only_machine().is_some();
            let mut expects = Words::new();
            let percent = if is_opponent { 1000 - value } else { value } / 10;
            words::expects(&mut expects, percent)?;
            // Without room for the name, the belt at the top identifies the player.
            let width = places.status.size.width as i32 - 8;
            let face = pen.look.body;
            let line = face.width(title) + face.width(&expects) + 4;
            let has_room = match pen.look.roomy {
                true => line <= width,
                false => width > 50,
            };
            if has_room {
                write!(words, "{title} ")?;
            }
            words.write_str(&expects)
        }
        None if app.mind.is_done() => words::no_values(words, title),
        None => Ok(()),
    }
}

/// Both sides with their signs; the one to move is framed.
pub(super) fn draw_players(
    app: &AppState,
    session: &Session,
    game: &AnyGame,
    places: &Places,
    pen: &mut Pen<'_>,
) {
    let Some(board) = &app.board else { return };
    let to_move = game
        .outcome()
        .is_none()
        .then(|| session.side_of(game.turn()));
    let roomy = pen.look.roomy;
    for side in Player::BOTH {
        let place = places.players[side.index()];
        let is_next = to_move == Some(side);
        if roomy {
            pen.panel(place, Ink::Shade);
            if is_next {
                pen.border(place, Ink::Gold, 2);
            }
        } else if is_next {
            pen.border(place, Ink::Paper, 1);
        }
        // `side_of` is its own inverse.
        let player = session.side_of(side);
        let ink = if is_next { Ink::Paper } else { Ink::Mist };
        let tally = board.draw_tally(game, player, place, pen);
        let middle = place.center().y;
        let left = place.top_left.x + if roomy { 34 } else { 12 };
        let room = place.size.width as i32 - if roomy { 34 } else { 12 } - tally.width;
        if roomy || !tally.is_more {
            boards::badge(
                game.id(),
                player,
                Point::new(left - if roomy { 16 } else { 7 }, middle),
                pen,
            );
            let (top, height) = (place.top_left.y, place.size.height as i32);
            let belt = session.seat(side).belt().filter(|_| roomy);
            // Tallies of two lines leave the upper one for the name.
            let height = if tally.is_more { 18 } else { height };
            let under = belt.is_some() && !tally.is_more;
            let line = area(left, top, room - 2, height - if under { 6 } else { 0 });
            let name = app.name(side);
            let names = [name, short_name(app, session, side)];
            pen.words_in(line, Side::Left, pen.look.body, ink, &names);
            // A machine wears its belt under its name.
            if let Some(belt) = belt.filter(|_| !tally.is_more) {
                let width = pen.look.body.width(name).min(room - 2);
                pen.fill(area(left, top + height - 10, width, 4), belt_ink(belt));
            }
        } else {
            draw_short_name(app, session, side, place, pen);
        }
    }
}

/// The name where there is little room; a belt is drawn beside it.
fn short_name<'a>(app: &'a AppState, session: &Session, side: Player) -> &'a str {
    match (session.seat(side), app.name(side)) {
        (Seat::Machine(belt), _) => belt.title(),
        (Seat::Pupil, _) => words::PUPIL_SHORT,
        (Seat::Ancestor(_) | Seat::Apprentice, name) => name,
        (Seat::Person, words::YOU) => words::YOU,
        (Seat::Person, _) => words::PLAYERS_SHORT[side.index()],
    }
}

/// A player in little room: a belt, or a few letters.
fn draw_short_name(
    app: &AppState,
    session: &Session,
    side: Player,
    place: Rectangle,
    pen: &mut Pen<'_>,
) {
    let name = app.name(side);
    pen.tell(format_args!("{name}"));
    if let Some(belt) = session.seat(side).belt() {
        return pen.belt(place.top_left + Point::new(2, 2), belt, false);
    }
    let short = short_name(app, session, side);
    let line = area(
        place.top_left.x + 2,
        place.top_left.y,
        26,
        place.size.height as i32,
    );
    pen.letters_in(line, Side::Left, pen.look.body, Ink::Paper, &[short]);
}

/// Draws the first wording of the status that fits, the fullest first: in one line below the
/// board, or wrapped in the column beside it. A line feed parts what stands in two lines there.
pub(super) fn draw_status(wordings: &[&str], places: &Places, pen: &mut Pen<'_>) {
    let (face, roomy) = (pen.look.body, pen.look.roomy);
    let edge = if roomy { 4 } else { 1 };
    let (Point { x, y }, Size { width, height }) = (places.status.top_left, places.status.size);
    let (width, height) = (width as i32, height as i32);
    if roomy {
        let place = area(x + edge, y, width - 2 * edge, height);
        let lines = wordings.iter().map(|words| one_line(words));
        let lines: heapless::Vec<heapless::String<64>, 3> = lines.take(3).collect();
        let lines: heapless::Vec<&str, 3> = lines.iter().map(|line| line.as_str()).collect();
        return pen.words_in(place, Side::Centre, face, Ink::Paper, &lines);
    }
    let place = area(x + edge, y + 1, width - edge, height - 1);
    let width = place.size.width as i32;
    let fits = |words: &str| {
        let lines = wrap(words, face, width).count() as i32;
        let is_whole = |word: &str| face.width(word) <= width;
        face.height() + (lines - 1) * face.line() < height && words.split([' ', '\n']).all(is_whole)
    };
    let last = wordings.last().copied().unwrap_or_default();
    let words = wordings.iter().copied().find(|words| fits(words));
    pen.paragraph(place, Side::Left, face, Ink::Paper, words.unwrap_or(last));
}

/// The same with its lines beside each other.
fn one_line(words: &str) -> heapless::String<64> {
    let mut line = heapless::String::new();
    // What does not fit is left out.
    let _ = words.split('\n').enumerate().try_for_each(|(part, text)| {
        line.push_str(if part > 0 { "   " } else { "" })?;
        line.push_str(text)
    });
    line
}

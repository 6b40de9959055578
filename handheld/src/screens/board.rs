//! A game in progress: the board, who plays, and whose turn it is.

use core::fmt::Write;

use dojo_core::game::Player;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{self, Marks, Reply, Words};
use crate::bout::Bout;
use crate::desk::{Desk, tone};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area, belt_ink, inset};
use crate::screens::{Go, Page};
use crate::store::Seat;

pub(super) fn press(button: Button, desk: &mut Desk) -> Go {
    match button {
        Button::B => return Go::Push(Page::pause()),
        Button::X => desk.ask_hint(),
        Button::Y => desk.undo(),
        _ => {
            let (Some(bout), Some(board)) = (&desk.bout, &mut desk.board) else { return Go::Menu };
            if bout.mover() != Seat::Person {
                desk.beep(tone::REFUSED);
                return Go::Stay;
            }
            match board.press(bout.game(), button) {
                Reply::Play(mv) => {
                    // A hint that is still being thought about would come too late.
                    desk.stop_thinking();
                    desk.play(mv);
                }
                Reply::Refused => desk.beep(tone::REFUSED),
                Reply::Moved | Reply::Ignored => {}
            }
        }
    }
    Go::Stay
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let (Some(bout), Some(board)) = (&desk.bout, &desk.board) else { return };
    let person_moves = bout.mover() == Seat::Person;
    let marks = Marks {
        last: bout.moves().last().copied(),
        hint: desk.hint,
        cursor: person_moves,
        thoughts: desk.mind.thoughts(),
    };
    for thought in marks.thoughts {
        let mut name = Words::new();
        let _ = bout.game().write_move(thought.index, &mut name);
        pen.tell(format_args!("{name} wins {} %", thought.value / 10));
    }
    let places = Places::of(pen);
    board.draw(bout.game(), marks, places.board, pen);
    draw_players(desk, bout, Some(bout.side_of(bout.game().turn())), &places, pen);
    let mut words = status(desk, bout, person_moves, desk.mind.is_on() && !pen.look.roomy);
    if desk.mind.is_on() {
        let gap = match (words.is_empty(), pen.look.roomy) {
            (true, _) => "",
            (false, true) => "  ",
            (false, false) => "\n",
        };
        let _ = words.write_str(gap).and_then(|()| expectation(desk, bout, &mut words));
    }
    draw_status(&words, &places, pen);
}

/// What to say about the turn. In brief, whose turn it is need not be said: the frame around the name shows it.
fn status(desk: &Desk, bout: &Bout, person_moves: bool, brief: bool) -> Words {
    let mut words = Words::new();
    let _ = match desk.hint {
        _ if desk.is_thinking() => {
            let dots = ["", ".", "..", "..."][desk.now as usize / 300 % 4];
            write!(words, "thinking{dots}")
        }
        Some(hint) => words.write_str("Hint: ").and_then(|()| bout.game().write_move(hint, &mut words)),
        None if !person_moves => Ok(()),
        None => match desk.board.as_ref().and_then(|board| board.prompt(bout.game())) {
            Some(prompt) => words.write_str(&prompt),
            None if brief => Ok(()),
            None if bout.only_machine().is_some() => words.write_str("Your turn"),
            None => write!(words, "{}'s turn", desk.name(bout.side_of(bout.game().turn()))),
        },
    };
    words
}

/// Whose mind is shown, and what it expects for itself.
fn expectation(desk: &Desk, bout: &Bout, words: &mut Words) -> core::fmt::Result {
    let title = desk.thinker().title();
    match desk.mind.expected() {
        Some(value) => {
            // With no machine on a side, it speaks for the player to move.
            let is_opponent = bout.mover() == Seat::Person && bout.only_machine().is_some();
            write!(words, "{title} expects {}%", if is_opponent { 1000 - value } else { value } / 10)
        }
        None if desk.mind.is_done() => write!(words, "{title}: no values"),
        None => Ok(()),
    }
}

/// Where things stand around a board: beside it on a wide display, above and below it on a square one.
pub(super) struct Places {
    pub(super) board: Rectangle,
    pub(super) players: [Rectangle; 2],
    pub(super) status: Rectangle,
}

impl Places {
    pub(super) fn of(pen: &Pen<'_>) -> Places {
        let (width, height) = (pen.width(), pen.height());
        if pen.look.roomy {
            let (top, bottom) = (40, 30);
            let half = width / 2;
            Places {
                board: area(8, top + 4, width - 16, height - top - bottom - 8),
                players: [area(4, 4, half - 6, top - 6), area(half + 2, 4, half - 6, top - 6)],
                status: area(0, height - bottom, width, bottom),
            }
        } else {
            let left = height + 2;
            Places {
                board: area(0, 0, height, height),
                players: [area(left, 1, width - left, 11), area(left, 14, width - left, 11)],
                status: area(left, 30, width - left, height - 30),
            }
        }
    }
}

/// Both sides with their signs; the one to move is framed.
pub(super) fn draw_players(desk: &Desk, bout: &Bout, to_move: Option<Player>, places: &Places, pen: &mut Pen<'_>) {
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
        let middle = place.center().y;
        let sign = Point::new(place.top_left.x + if roomy { 18 } else { 5 }, middle);
        boards::badge(bout.game().id(), bout.side_of(side), sign, pen);
        let font = pen.look.body;
        let at = Point::new(
            place.top_left.x + if roomy { 34 } else { 12 },
            middle - font.character_size.height as i32 / 2 + i32::from(!roomy),
        );
        let ink = if is_next { Ink::Paper } else { Ink::Mist };
        let name = desk.name(side);
        let belt = bout.seat(side).belt().filter(|_| roomy);
        // A machine wears its belt under its name.
        let at = if belt.is_some() { at - Point::new(0, 3) } else { at };
        pen.text(at, Side::Left, font, ink, name);
        if let Some(belt) = belt {
            let width = name.len() as i32 * font.character_size.width as i32;
            pen.fill(area(at.x, at.y + 16, width, 4), belt_ink(belt));
        }
    }
}

pub(super) fn draw_status(words: &str, places: &Places, pen: &mut Pen<'_>) {
    let place = places.status;
    let font = pen.look.body;
    if pen.look.roomy {
        let fits = words.len() as u32 * font.character_size.width <= place.size.width;
        let font = if fits { font } else { pen.look.small };
        let y = place.center().y - font.character_size.height as i32 / 2;
        pen.text(Point::new(place.center().x, y), Side::Centre, font, Ink::Gold, words);
    } else {
        pen.paragraph(inset(place, 1), Side::Left, font, Ink::Paper, words);
    }
}

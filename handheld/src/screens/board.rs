//! A game in progress: the board, who plays, and whose turn it is.

use core::fmt::Write;

use dojo_core::game::Player;
use dojo_core::games::AnyGame;
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{self, AnyBoard, Marks, Places, Reply, Words};
use crate::bout::Bout;
use crate::desk::{Desk, tone};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area, belt_ink, wrap};
use crate::screens::{Go, Page};
use crate::store::Seat;

pub(super) fn press(button: Button, desk: &mut Desk) -> Go {
    let is_thinking = desk.is_thinking();
    match button {
        Button::X => desk.ask_hint(),
        Button::Y => desk.undo(),
        // Whoever thinks is interrupted at once.
        Button::B if is_thinking => return Go::Push(Page::pause()),
        _ => {
            let (Some(bout), Some(board)) = (&desk.bout, &mut desk.board) else {
                return Go::Menu;
            };
            let reply = match bout.mover() {
                Seat::Person => board.press(bout.game(), button),
                _ if button == Button::B => Reply::Ignored,
                _ => Reply::Refused,
            };
            match reply {
                Reply::Play(mv) => {
                    // A hint that is still being thought about would come too late.
                    desk.stop_thinking();
                    desk.play(mv);
                }
                Reply::Refused => desk.beep(tone::REFUSED),
                // A board that has nothing to step back from leaves B to the console.
                Reply::Ignored if button == Button::B => return Go::Push(Page::pause()),
                Reply::Moved | Reply::Ignored => {}
            }
        }
    }
    Go::Stay
}

pub(super) fn draw(desk: &Desk, pen: &mut Pen<'_>) {
    let (Some(bout), Some(board)) = (&desk.bout, &desk.board) else {
        return;
    };
    let person_moves = bout.mover() == Seat::Person;
    let marks = Marks {
        last: bout.moves().last().copied(),
        hint: desk.hint,
        cursor: person_moves,
        overlay: desk.overlay,
        dead: None,
        thoughts: desk.mind.thoughts(),
        viewer: bout.viewer(),
        overview: false,
    };
    for thought in marks.thoughts {
        let mut name = Words::new();
        let _ = bout.game().write_move(thought.index, &mut name);
        pen.tell(format_args!("{name} wins {} %", thought.value / 10));
    }
    let places = board.places(bout.game(), pen);
    board.draw(bout.game(), marks, places.board, pen);
    board.draw_hand(bout.game(), marks, places.hand, pen);
    draw_players(desk, bout, bout.game(), &places, pen);
    let mut words = status(desk, bout, person_moves, desk.mind.is_on(), pen.look.roomy);
    if desk.mind.is_on() {
        let gap = match (words.is_empty(), pen.look.roomy) {
            (true, _) => "",
            (false, true) => "  ",
            (false, false) => "\n",
        };
        let _ = words
            .write_str(gap)
            .and_then(|()| expectation(desk, bout, &places, pen, &mut words));
    }
    draw_status(&words, &places, pen);
}

/// What to say about the turn. Beside the mind on a small display, whose turn it is need not be said: the frame around the
/// name shows it.
fn status(desk: &Desk, bout: &Bout, person_moves: bool, with_mind: bool, roomy: bool) -> Words {
    let mut words = Words::new();
    let Some(board) = &desk.board else {
        return words;
    };
    let (game, touched) = (bout.game(), board.is_touched(bout.game()));
    let prompt = || {
        let remark = if touched || with_mind {
            None
        } else {
            remark(desk, bout, board)
        };
        remark.or(board.prompt(game))
    };
    let _ = match desk.hint {
        _ if desk.is_thinking() => {
            let dots = ["", ".", "..", "..."][desk.now as usize / 300 % 4];
            write!(words, "thinking{dots}")
        }
        Some(hint) if !touched => {
            words
                .write_str("Hint: ")
                .and_then(|()| match board.describe(game, hint) {
                    Some(described) => words.write_str(&described),
                    None => game.write_move(hint, &mut words),
                })
        }
        _ if !person_moves => Ok(()),
        _ => match prompt() {
            Some(prompt) => words.write_str(&prompt),
            None if with_mind && !roomy => Ok(()),
            None if bout.only_machine().is_some() => words.write_str("Your turn"),
            None => write!(words, "{}'s turn", desk.name(bout.side_of(game.turn()))),
        },
    };
    words
}

/// Who made the last move and what it was, if the board finds that worth saying.
fn remark(desk: &Desk, bout: &Bout, board: &AnyBoard) -> Option<Words> {
    let last = *bout.moves().last()?;
    let remark = board.remark(bout.game(), last)?;
    let mover = bout.game_at(bout.moves().len() - 1).turn();
    let mut words = Words::new();
    write!(words, "{}{remark}", desk.name(bout.side_of(mover))).ok()?;
    Some(words)
}

/// Whose mind is shown, and what it expects for itself.
fn expectation(
    desk: &Desk,
    bout: &Bout,
    places: &Places,
    pen: &Pen<'_>,
    words: &mut Words,
) -> core::fmt::Result {
    let title = desk.thinker().title();
    match desk.mind.expected() {
        Some(value) => {
            // With no machine on a side, it speaks for the player to move.
            let is_opponent = bout.mover() == Seat::Person && bout.only_machine().is_some();
            let mut expects = Words::new();
            write!(
                expects,
                "expects {}%",
                if is_opponent { 1000 - value } else { value } / 10
            )?;
            // Where the name would not fit any more, the belt at the top has to do.
            let width = places.status.size.width;
            // A blank behind the name, and one letter of air; a line feed becomes three blanks.
            let line =
                words.len() + 2 * words.matches('\n').count() + title.len() + expects.len() + 2;
            let has_room = match pen.look.roomy {
                true => line as u32 * pen.look.small.character_size.width <= width,
                false => width > 50,
            };
            if has_room {
                write!(words, "{title} ")?;
            }
            words.write_str(&expects)
        }
        None if desk.mind.is_done() => write!(words, "{title}: no values"),
        None => Ok(()),
    }
}

/// Both sides with their signs; the one to move is framed.
pub(super) fn draw_players(
    desk: &Desk,
    bout: &Bout,
    game: &AnyGame,
    places: &Places,
    pen: &mut Pen<'_>,
) {
    let Some(board) = &desk.board else { return };
    let to_move = game.outcome().is_none().then(|| bout.side_of(game.turn()));
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
        // The player of a side is the side of that player, whoever starts.
        let player = bout.side_of(side);
        let ink = if is_next { Ink::Paper } else { Ink::Mist };
        let tally = board.draw_tally(game, player, place, pen);
        let middle = place.center().y;
        let left = place.top_left.x + if roomy { 34 } else { 12 };
        let room = place.size.width as i32 - if roomy { 34 } else { 12 } - tally.width;
        let fits = |font: &MonoFont<'_>| {
            desk.name(side).len() as i32 * font.character_size.width as i32 <= room
        };
        let font = if tally.width == 0 || fits(pen.look.body) {
            pen.look.body
        } else {
            pen.look.small
        };
        if roomy || !tally.is_more {
            boards::badge(
                game.id(),
                player,
                Point::new(left - if roomy { 16 } else { 7 }, middle),
                pen,
            );
            let top = middle - font.character_size.height as i32 / 2 + i32::from(!roomy);
            // A machine wears its belt under its name.
            let top = top
                - if roomy && bout.seat(side).belt().is_some() {
                    3
                } else {
                    0
                };
            let top = if tally.is_more {
                place.top_left.y + 2
            } else {
                top
            };
            draw_name(desk, bout, side, Point::new(left, top), (font, ink), pen);
        } else {
            draw_short_name(desk, bout, side, place, pen);
        }
    }
}

fn draw_name(
    desk: &Desk,
    bout: &Bout,
    side: Player,
    at: Point,
    (font, ink): (&'static MonoFont<'static>, Ink),
    pen: &mut Pen<'_>,
) {
    let name = desk.name(side);
    pen.text(at, Side::Left, font, ink, name);
    if let Some(belt) = bout.seat(side).belt().filter(|_| pen.look.roomy) {
        let width = name.len() as i32 * font.character_size.width as i32;
        pen.fill(
            area(at.x, at.y + font.character_size.height as i32 + 1, width, 4),
            belt_ink(belt),
        );
    }
}

/// Who it is where there is hardly any room: a belt, or a few letters.
fn draw_short_name(desk: &Desk, bout: &Bout, side: Player, place: Rectangle, pen: &mut Pen<'_>) {
    let name = desk.name(side);
    pen.tell(format_args!("{name}"));
    let at = place.top_left + Point::new(2, 2);
    if let Some(belt) = bout.seat(side).belt() {
        return pen.belt(at, belt, false);
    }
    let short = match name {
        "Player 1" => "P1",
        "Player 2" => "P2",
        name => name,
    };
    pen.letters(
        at + Point::new(0, 1),
        Side::Left,
        pen.look.small,
        Ink::Paper,
        short,
    );
}

/// What there is to say: in one line where there is one below the board, else in as many as the column has room for.
pub(super) fn draw_status(words: &str, places: &Places, pen: &mut Pen<'_>) {
    let place = places.status;
    let font = pen.look.body;
    if pen.look.roomy {
        let mut line = heapless::String::<64>::new();
        // What does not fit the line would not fit the display.
        let _ = words.split('\n').enumerate().try_for_each(|(part, text)| {
            line.push_str(if part > 0 { "   " } else { "" })?;
            line.push_str(text)
        });
        let fits =
            |font: &MonoFont<'_>| line.len() as u32 * font.character_size.width <= place.size.width;
        let font = [font, pen.look.small]
            .into_iter()
            .find(|font| fits(font))
            .unwrap_or(&FONT_6X10);
        let y = place.center().y - font.character_size.height as i32 / 2;
        pen.text(
            Point::new(place.center().x, y),
            Side::Centre,
            font,
            Ink::Gold,
            &line,
        );
    } else {
        let place = area(
            place.top_left.x + 1,
            place.top_left.y + 1,
            place.size.width as i32 - 2,
            place.size.height as i32 - 1,
        );
        let letters = (place.size.width / font.character_size.width) as usize;
        let lines = wrap(words, letters).count() as i32;
        let fits = lines * (font.character_size.height as i32 + 1) <= place.size.height as i32 + 1
            && words.split([' ', '\n']).all(|word| word.len() <= letters);
        pen.paragraph(
            place,
            Side::Left,
            if fits { font } else { pen.look.small },
            Ink::Paper,
            words,
        );
    }
}

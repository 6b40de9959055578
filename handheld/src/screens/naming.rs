//! A name for the apprentice, letter by letter.

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::apprentice::{NAME, name_of};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::Nav;
use crate::words;

/// What a place may hold, in the order of the buttons; places at the end that are empty are not part
/// of the name.
const LETTERS: &[u8; 27] = b" ABCDEFGHIJKLMNOPQRSTUVWXYZ";

#[derive(Clone, Copy)]
pub(crate) struct Naming {
    game: GameId,
    letters: [u8; NAME],
    at: usize,
}

impl Naming {
    pub(super) fn new(game: GameId, app: &AppState) -> Naming {
        let name = app.rivalry(game).map_or("", |rivalry| rivalry.name());
        let mut letters = [b' '; NAME];
        for (place, letter) in letters.iter_mut().zip(name.bytes()) {
            *place = letter;
        }
        Naming {
            game,
            letters,
            at: 0,
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let count = LETTERS.len();
        let letter = &mut self.letters[self.at % NAME];
        let now = LETTERS.iter().position(|known| known == letter);
        let now = now.unwrap_or(0);
        match button {
            Button::Up => *letter = LETTERS[(now + 1) % count],
            Button::Down => *letter = LETTERS[(now + count - 1) % count],
            Button::Left => self.at = (self.at + NAME - 1) % NAME,
            Button::Right => self.at = (self.at + 1) % NAME,
            Button::X => (self.letters, self.at) = ([b' '; NAME], 0),
            Button::A => {
                app.name_apprentice(self.game, self.letters);
                return Nav::Back;
            }
            Button::B => return Nav::Back,
            Button::Y => {}
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let place = pen.header(words::ITS_NAME);
        let name = name_of(&self.letters);
        pen.tell(format_args!("{}: {name}", words::ITS_NAME));
        let letter = |at: usize| core::str::from_utf8(&self.letters[at..=at]).unwrap_or("");
        pen.tell(format_args!("Letter {}: {}", self.at + 1, letter(self.at)));
        let roomy = pen.look.roomy;
        let (step, tall) = if roomy { (27, 40) } else { (15, 18) };
        let left = (pen.width() - step * NAME as i32) / 2;
        let top = place.center().y - tall / 2;
        for at in 0..NAME {
            let (x, chosen) = (left + step * at as i32, at == self.at);
            let cell = area(x + 1, top, step - 2, tall);
            if roomy {
                pen.panel(cell, Ink::Shade);
            }
            let line = area(x + 3, top + tall - 2, step - 6, if roomy { 2 } else { 1 });
            pen.fill(line, if chosen { Ink::Gold } else { Ink::Line });
            let ink = if chosen { Ink::Gold } else { Ink::Paper };
            pen.letters_in(cell, Side::Centre, pen.look.title, ink, &[letter(at)]);
            if chosen {
                let middle = x + step / 2;
                let size = pen.look.body.cap() / 2 + 4;
                pen.arrow(Point::new(middle, top - size), Button::Up, Ink::Gold);
                let below = top + tall + size - 1;
                pen.arrow(Point::new(middle, below), Button::Down, Ink::Gold);
            }
        }
        pen.footer(words::keys::NAMING);
    }
}

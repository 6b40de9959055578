//! Touching the picture: from a pixel to the thing that is drawn there.
//!
//! Whatever can be touched says so while it is drawn ([`Pen::touchable`]), so that nothing has to
//! know the layout of another. [`Console::find`] draws the picture once more with a finger on it
//! and returns the thing under the finger, which [`Event::Point`] and [`Event::Tap`] tell the
//! console. These events carry no pixels: a recorded game replays on any display.
//!
//! [`Console::find`]: crate::Console::find
//! [`Event::Point`]: crate::Event::Point
//! [`Event::Tap`]: crate::Event::Tap

use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;
use serde::{Deserialize, Serialize};

use crate::app::AppState;
use crate::input::Button;
use crate::pen::Pen;
use crate::screens::{Nav, Page};

/// A thing on the picture that can be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Target {
    /// A row of a list, counted from the chosen row downwards.
    Row(i8),
    /// A place of the board, a tile of the hand or a button of the game; the board numbers them.
    Place(u16),
    /// A button beside the board that belongs to the screen.
    Item(u8),
    /// Stands for a button of the handheld.
    Button(Button),
}

/// How a thing is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Touch {
    /// The finger is on it: the cursor goes there.
    Point,
    /// The finger was lifted from it: the cursor goes there and confirms.
    Tap,
}

/// Takes the areas of a picture that can be touched, and the thing in each.
pub(crate) type Feeler<'a> = dyn FnMut(Rectangle, Target) + 'a;

/// A finger on the picture, and the best thing under it so far.
pub(crate) struct Finger {
    at: Point,
    found: Option<(Target, i32)>,
    /// Whether anything but buttons of the handheld can be touched on this picture.
    has_choice: bool,
}

impl Finger {
    pub(crate) fn new(at: Point) -> Finger {
        Finger {
            at,
            found: None,
            has_choice: false,
        }
    }

    /// Takes an area. Where areas overlap, the one whose centre is nearest counts.
    pub(crate) fn feel(&mut self, area: Rectangle, target: Target) {
        self.has_choice |= !matches!(target, Target::Button(_));
        let off = area.center() - self.at;
        let distance = off.x * off.x + off.y * off.y;
        if area.contains(self.at) && self.found.is_none_or(|(_, best)| distance < best) {
            self.found = Some((target, distance));
        }
    }

    /// The thing under the finger. A picture without choices goes on by A wherever it is touched.
    pub(crate) fn target(&self) -> Option<Target> {
        let anywhere = (!self.has_choice).then_some(Target::Button(Button::A));
        self.found.map(|(target, _)| target).or(anywhere)
    }
}

impl Pen<'_> {
    /// Says that touching this area of the picture means this thing.
    pub(crate) fn touchable(&mut self, area: Rectangle, target: Target) {
        if let Some(feel) = self.feeler.as_mut().filter(|_| !self.is_watched) {
            feel(self.frame.on_display(area), target);
        }
    }
}

impl Page {
    /// Handles a touch.
    pub(crate) fn touch(&mut self, touch: Touch, target: Target, app: &mut AppState) -> Nav {
        match (target, &mut *self) {
            (Target::Place(place), Page::Board) => Page::touch_board(place, touch, app),
            (Target::Place(place), Page::Scoring(page)) => page.touch_place(place, touch, app),
            (Target::Place(place), Page::Exercise(page)) => page.touch_place(place, touch, app),
            (Target::Item(item), Page::PuzzleGrid(page)) => page.touch_item(item, touch, app),
            (Target::Item(item), Page::Scoring(page)) => page.touch_item(item, touch, app),
            // Lists scroll with their cursor: a row must not move away under the finger.
            (Target::Row(rows), page) if touch == Touch::Tap && !page.is_game() => {
                let button = if rows < 0 { Button::Up } else { Button::Down };
                for _ in 0..rows.unsigned_abs() {
                    page.press(button, app);
                }
                page.press(Button::A, app)
            }
            (Target::Button(button), page) if touch == Touch::Tap => page.press(button, app),
            _ => Nav::Stay,
        }
    }
}

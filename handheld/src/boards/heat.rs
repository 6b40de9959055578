//! Heat map of the mind view: the value of each move on its place of the board.

use core::fmt::Write;

use dojo_core::players::belts::Thought;
use embedded_graphics::prelude::*;

use crate::boards::Marks;
use crate::faces::FACES;
use crate::frame::Ink;
use crate::pen::{Pen, Side, area};

/// The machine's value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Verdict {
    /// Winning chance in thousandths.
    value: u16,
    /// Whether no move is better and at least one is worse.
    best: bool,
    /// Diameter of its circle in 255ths of the largest one; `None` without visits.
    circle: Option<u8>,
}

impl Marks<'_> {
    /// The machine's value of a move; `None` if the mind view is off or has none.
    pub(crate) fn verdict(&self, index: u16) -> Option<Verdict> {
        let Thought { value, visits, .. } = *self
            .thoughts
            .iter()
            .find(|thought| thought.index == index)?;
        let is_worse = |than: u16| {
            self.thoughts
                .iter()
                .any(|&Thought { value, .. }| value < than)
        };
        let best = self.thoughts.iter().all(|thought| thought.value <= value) && is_worse(value);
        // The area stands for the visits; all circles grow while the search goes on.
        let area = 255 * u32::from(visits) * (1000 - u32::from(self.left.min(1000))) / 1000;
        Some(Verdict {
            value,
            best,
            circle: (visits > 0).then_some(area.isqrt() as u8),
        })
    }
}

/// A winning chance in at most two letters: W and L if it is certain, else 1 to 99 percent.
fn percent(thousandths: u16) -> heapless::String<2> {
    let mut text = heapless::String::new();
    // All of these fit two letters.
    let _ = match thousandths {
        0 => text.write_str("L"),
        1000.. => text.write_str("W"),
        value => write!(text, "{}", ((value + 5) / 10).clamp(1, 99)),
    };
    text
}

impl Verdict {
    /// Draws the value where places are so close that a plate would cover its neighbours: as a
    /// circle by its visits, without visits as small letters, or, where even these do not fit, as a
    /// mark that grows with the value.
    pub(crate) fn draw_small(&self, centre: Point, cell: i32, pen: &mut Pen<'_>) {
        let face = FACES[2];
        let width = face.width("00");
        if cell < width + 4 {
            let level = match self.circle {
                Some(circle) => u16::from(circle) * 4,
                None => self.value,
            };
            match level {
                _ if self.best => pen.diamond(centre, cell / 2, Ink::Leaf),
                0..350 => pen.fill(around(centre, Size::new_equal(1)), Ink::Paper),
                350..650 => pen.fill(around(centre, Size::new(3, 1)), Ink::Paper),
                _ => pen.fill(around(centre, Size::new_equal(3)), Ink::Paper),
            }
            return;
        }
        if let Some(circle) = self.circle {
            let most = cell - 6;
            let diameter = (most * i32::from(circle) / 255).max(3) as u32;
            // A rim, so that gold and paper stand out from wood.
            pen.disc(centre, diameter + 2, Ink::Black);
            pen.disc(centre, diameter, self.warmth());
            if self.best {
                pen.ring(centre, diameter + 6, Ink::Paper, 2);
            }
            return;
        }
        let plate = around(centre, Size::new(width as u32 + 4, face.cap() as u32 + 4));
        pen.fill(plate, if self.best { Ink::Paper } else { Ink::Night });
        let ink = if self.best { Ink::Night } else { self.warmth() };
        pen.letters_in(plate, Side::Centre, face, ink, &[&percent(self.value)]);
    }

    /// Whether its number has two digits.
    pub(crate) fn is_wide(&self) -> bool {
        percent(self.value).len() > 1
    }

    fn warmth(&self) -> Ink {
        match self.value {
            0..350 => Ink::Sky,
            350..650 => Ink::Paper,
            _ => Ink::Gold,
        }
    }

    /// Draws the value around a point, as a plate or, without room for letters, as a disc or a
    /// square that grows with the value.
    pub(crate) fn draw(&self, centre: Point, has_room: bool, pen: &mut Pen<'_>) {
        let warm = self.warmth();
        if !has_room {
            let level = i32::from(self.value / 350);
            let size = if pen.look.roomy {
                5 + 4 * level
            } else {
                1 + 2 * level
            };
            if pen.look.roomy {
                pen.disc(centre, size as u32, warm);
            } else {
                pen.fill(around(centre, Size::new_equal(size as u32)), warm);
            }
            if self.best {
                pen.diamond(centre, size / 2 + 2, warm);
            }
            return;
        }
        let text = percent(self.value);
        let (plate, font, ink) = if pen.look.roomy {
            (Size::new(21, 15), pen.look.body, Ink::Night)
        } else {
            (
                Size::new(11, 9),
                pen.look.body,
                if self.best { Ink::Night } else { Ink::Paper },
            )
        };
        let place = around(centre, plate);
        if pen.look.roomy {
            // The best move has a frame, so that it is found without colours.
            if self.best {
                pen.panel(around(centre, plate + Size::new_equal(6)), Ink::Paper);
                pen.panel(around(centre, plate + Size::new_equal(2)), Ink::Night);
            }
            pen.fill(place, warm);
        } else {
            pen.fill(place, if self.best { Ink::Paper } else { Ink::Night });
        }
        pen.letters_in(place, Side::Centre, font, ink, &[&text]);
    }
}

fn around(centre: Point, size: Size) -> embedded_graphics::primitives::Rectangle {
    let (width, height) = (size.width as i32, size.height as i32);
    area(centre.x - width / 2, centre.y - height / 2, width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_certain_is_called_so() {
        let words = [0, 1, 4, 5, 499, 500, 994, 995, 999, 1000].map(percent);
        assert_eq!(
            words.each_ref().map(|word| word.as_str()),
            ["L", "1", "1", "1", "50", "50", "99", "99", "99", "W"]
        );
    }

    #[test]
    fn the_best_is_marked_only_where_something_is_worse() {
        let thoughts = [(3, 500), (5, 900), (6, 900)].map(|(index, value)| Thought {
            index,
            value,
            visits: 0,
        });
        let marks = Marks {
            thoughts: &thoughts,
            ..Marks::default()
        };
        assert_eq!(
            marks.verdict(3),
            Some(Verdict {
                value: 500,
                best: false,
                circle: None,
            })
        );
        assert_eq!(
            marks.verdict(6),
            Some(Verdict {
                value: 900,
                best: true,
                circle: None,
            })
        );
        assert_eq!(marks.verdict(4), None);
        let marks = Marks {
            thoughts: &thoughts[1..],
            ..Marks::default()
        };
        assert_eq!(
            marks.verdict(5),
            Some(Verdict {
                value: 900,
                best: false,
                circle: None,
            })
        );
    }

    #[test]
    fn circles_stand_for_visits_and_grow_with_the_search() {
        let thoughts = [(1, 255), (2, 64), (3, 0)].map(|(index, visits)| Thought {
            index,
            value: 500,
            visits,
        });
        let circles = |left| {
            let marks = Marks {
                thoughts: &thoughts,
                left,
                ..Marks::default()
            };
            [1, 2, 3].map(|index| marks.verdict(index).unwrap().circle)
        };
        assert_eq!(circles(0), [Some(255), Some(127), None]);
        assert_eq!(circles(750), [Some(127), Some(63), None]);
    }
}

//! Where picture and words go in a window, and how the picture is made there.

use dojo_handheld::Screen;
use ratatui::layout::Rect;

use crate::terminal::ability::{Ability, Colours};
use crate::terminal::blocks::Glyphs;
use crate::terminal::graphics::Protocol;

/// How the picture is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// A real picture, with this many pixels of the terminal for two of the frame where the terminal
    /// does not scale it. Letters have lines of two pixels, so half steps keep them even.
    Picture(Protocol, u32),
    /// Characters in colour.
    Blocks(Glyphs),
    /// Characters by brightness, without colour.
    Shades,
    /// Lit pixels as blocks, without colour.
    Mono(Glyphs),
    /// Lit pixels as braille dots, without colour.
    Braille,
}

/// A window's division.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The display that is shown.
    pub screen: Screen,
    /// How.
    pub mode: Mode,
    /// Where.
    pub picture: Rect,
    /// Where the words of the screen stand, if the picture is too coarse to read.
    pub words: Option<Rect>,
    /// The line of key help.
    pub help: Rect,
}

/// As large as the frame, in half pixels.
pub const WHOLE: u32 = 2;
/// Fewest lines of a picture beside words.
const COARSEST: u16 = 10;
/// Fewest lines of a real picture.
const SMALLEST_PICTURE: u16 = 12;
/// Narrowest column of words, and the gap before it.
const NARROWEST: u16 = 28;
const GAP: u16 = 2;

/// The best division of a window; `None` if it is too small. With words, coarse pictures are
/// possible.
pub fn layout(
    room: Rect,
    ability: Ability,
    wanted: Option<Screen>,
    has_words: bool,
) -> Option<Layout> {
    choices(ability, wanted, has_words).find_map(|(screen, mode, words)| match words {
        true => beside_words(room, ability, screen, mode),
        false => alone(room, ability, screen, mode),
    })
}

/// The smallest window in which something is shown.
pub fn smallest(ability: Ability, wanted: Option<Screen>, has_words: bool) -> (u16, u16) {
    let sizes = (1..=240u16).flat_map(|lines| [(lines * 2 + 30, lines), (lines * 4, lines)]);
    sizes
        .filter(|&(wide, high)| {
            layout(Rect::new(0, 0, wide, high), ability, wanted, has_words).is_some()
        })
        .min_by_key(|&(wide, high)| u32::from(wide) * u32::from(high))
        .unwrap_or((240, 121))
}

/// Ways to show a frame, the best first: display, mode, and whether words stand beside it.
fn choices(
    ability: Ability,
    wanted: Option<Screen>,
    has_words: bool,
) -> impl Iterator<Item = (Screen, Mode, bool)> {
    let mono = |glyphs| (Screen::Oled, Mode::Mono(glyphs), false);
    let blocks = Mode::Blocks(ability.glyphs);
    let halves = Mode::Blocks(Glyphs::Halves);
    let braille = (Screen::Oled, Mode::Braille, false);
    let mut ways = vec![];
    match (ability.colours, ability.glyphs) {
        (Colours::None, Glyphs::Ascii) => ways.extend([
            (Screen::Lcd, Mode::Shades, true),
            (Screen::Oled, Mode::Shades, true),
        ]),
        (Colours::None, Glyphs::Halves) => {
            ways.extend([mono(Glyphs::Halves), (Screen::Lcd, Mode::Shades, true)]);
        }
        (Colours::None, _) => ways.extend([
            mono(Glyphs::Halves),
            mono(Glyphs::Quadrants),
            braille,
            (Screen::Lcd, Mode::Shades, true),
        ]),
        (_, glyphs) => {
            if let Some(protocol) = ability.pictures {
                ways.push((Screen::Lcd, Mode::Picture(protocol, WHOLE), false));
                ways.push((Screen::Oled, Mode::Picture(protocol, WHOLE), false));
            }
            if glyphs != Glyphs::Ascii {
                ways.push((Screen::Lcd, halves, false));
            }
            if has_words {
                ways.push((Screen::Lcd, blocks, true));
            }
            if glyphs != Glyphs::Ascii {
                ways.push((Screen::Oled, halves, false));
            }
            match glyphs {
                Glyphs::Quadrants | Glyphs::Sextants => ways.push(braille),
                Glyphs::Ascii | Glyphs::Halves => ways.push((Screen::Oled, blocks, true)),
            }
            // Too coarse to read, and yet what was asked for.
            if wanted == Some(Screen::Lcd) && !has_words {
                ways.push((Screen::Lcd, blocks, true));
            }
        }
    }
    ways.into_iter()
        .filter(move |(screen, ..)| wanted.is_none_or(|wanted| wanted == *screen))
}

/// The picture alone, in the middle, with the key help below it.
fn alone(room: Rect, ability: Ability, screen: Screen, mode: Mode) -> Option<Layout> {
    let (columns, lines, mode) = match mode {
        Mode::Picture(protocol, _) => in_pixels(room, ability, screen, protocol)?,
        _ => {
            let (across, down) = match mode {
                Mode::Blocks(glyphs) | Mode::Mono(glyphs) => glyphs.shape(),
                Mode::Shades => (1, 1),
                Mode::Braille | Mode::Picture(..) => (2, 4),
            };
            let size = screen.size();
            let cells = (size.width.div_ceil(across), size.height.div_ceil(down));
            (cells.0 as u16, cells.1 as u16, mode)
        }
    };
    if columns > room.width || lines >= room.height {
        return None;
    }
    let (left, top) = ((room.width - columns) / 2, (room.height - 1 - lines) / 2);
    Some(Layout {
        screen,
        mode,
        picture: Rect::new(room.x + left, room.y + top, columns, lines),
        words: None,
        help: Rect::new(room.x, room.y + top + lines, room.width, 1),
    })
}

/// The size of a real picture: as large as the window, or as large as half pixels allow where the
/// terminal does not scale.
fn in_pixels(
    room: Rect,
    ability: Ability,
    screen: Screen,
    protocol: Protocol,
) -> Option<(u16, u16, Mode)> {
    let (size, (wide, high)) = (screen.size(), ability.cell);
    let (wide, high) = (u32::from(wide), u32::from(high));
    let width = u32::from(room.width) * wide;
    let height = u32::from(room.height.checked_sub(1)?) * high;
    if protocol == Protocol::Sixel {
        let scale = (WHOLE * width / size.width).min(WHOLE * height / size.height);
        let columns = (size.width * scale / WHOLE).div_ceil(wide) as u16;
        let lines = (size.height * scale / WHOLE).div_ceil(high) as u16;
        return (scale >= WHOLE).then_some((columns, lines, Mode::Picture(protocol, scale)));
    }
    // The largest whole number of lines in which the picture keeps its proportions.
    let lines = u32::from(room.height - 1).min(width * size.height / size.width / high);
    let columns = (lines * high * size.width).div_ceil(size.height * wide);
    let is_enough = lines >= u32::from(SMALLEST_PICTURE);
    is_enough.then_some((columns as u16, lines as u16, Mode::Picture(protocol, WHOLE)))
}

/// The picture at the left, as large as the column of words at the right allows.
fn beside_words(room: Rect, ability: Ability, screen: Screen, mode: Mode) -> Option<Layout> {
    let (size, (wide, high)) = (screen.size(), ability.cell);
    // Columns of a picture with this many lines.
    let columns = |lines: u16| {
        let pixels = u32::from(lines) * u32::from(high) * size.width;
        (pixels / (size.height * u32::from(wide))) as u16
    };
    let fits = |&lines: &u16| columns(lines) + GAP + NARROWEST <= room.width;
    let lines = (COARSEST..room.height).rev().find(fits)?;
    let picture = Rect::new(room.x, room.y, columns(lines), lines);
    let left = picture.right() + GAP;
    Some(Layout {
        screen,
        mode,
        picture,
        words: Some(Rect::new(
            left,
            room.y,
            room.right() - left,
            room.height - 1,
        )),
        help: Rect::new(room.x, room.bottom() - 1, room.width, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLOUR: Ability = Ability {
        pictures: None,
        colours: Colours::True,
        glyphs: Glyphs::Quadrants,
        cell: (8, 16),
    };

    fn mode(ability: Ability, size: (u16, u16), wanted: Option<Screen>) -> Option<(Screen, Mode)> {
        let room = Rect::new(0, 0, size.0, size.1);
        layout(room, ability, wanted, true).map(|layout| {
            let all = [Some(layout.picture), layout.words, Some(layout.help)];
            for part in all.into_iter().flatten() {
                assert_eq!(part.intersection(room), part, "{size:?}");
            }
            assert!(!layout.picture.intersects(layout.help), "{size:?}");
            (layout.screen, layout.mode)
        })
    }

    #[test]
    fn an_ordinary_window_shows_the_colour_display() {
        let lcd = |mode| Some((Screen::Lcd, mode));
        let blocks = Mode::Blocks(Glyphs::Quadrants);
        assert_eq!(mode(COLOUR, (80, 24), None), lcd(blocks));
        assert_eq!(mode(COLOUR, (140, 40), None), lcd(blocks));
        let exact = Mode::Blocks(Glyphs::Halves);
        assert_eq!(mode(COLOUR, (240, 121), None), lcd(exact));
        let kitty = Ability {
            pictures: Some(Protocol::Kitty),
            ..COLOUR
        };
        let picture = Mode::Picture(Protocol::Kitty, WHOLE);
        assert_eq!(mode(kitty, (80, 24), None), lcd(picture));
        assert_eq!(
            mode(kitty, (60, 11), None),
            lcd(blocks),
            "too small for a picture"
        );
    }

    #[test]
    fn sixel_pictures_have_half_steps_and_fit() {
        let sixel = |cell| Ability {
            pictures: Some(Protocol::Sixel),
            cell,
            ..COLOUR
        };
        let at = |cell, size| mode(sixel(cell), size, Some(Screen::Lcd)).map(|(_, mode)| mode);
        let scaled = |scale| Some(Mode::Picture(Protocol::Sixel, scale));
        assert_eq!(at((8, 16), (80, 24)), scaled(3));
        assert_eq!(at((8, 16), (80, 31)), scaled(4));
        assert_eq!(at((6, 13), (80, 24)), scaled(2));
        assert_eq!(
            at((5, 9), (80, 24)),
            Some(Mode::Blocks(Glyphs::Quadrants)),
            "207 pixels of height"
        );
    }

    #[test]
    fn less_able_terminals_get_less() {
        let none = Ability {
            colours: Colours::None,
            ..COLOUR
        };
        let letters = Ability {
            glyphs: Glyphs::Ascii,
            ..none
        };
        assert_eq!(
            mode(none, (80, 24), None),
            Some((Screen::Oled, Mode::Braille))
        );
        assert_eq!(
            mode(none, (128, 33), None),
            Some((Screen::Oled, Mode::Mono(Glyphs::Halves)))
        );
        assert_eq!(
            mode(letters, (80, 24), None),
            Some((Screen::Lcd, Mode::Shades))
        );
        assert_eq!(
            mode(COLOUR, (80, 24), Some(Screen::Oled)).map(|way| way.1),
            Some(Mode::Braille)
        );
        assert_eq!(mode(COLOUR, (40, 10), None), None);
    }

    #[test]
    fn the_smallest_window_is_told_and_is_enough() {
        for ability in [
            COLOUR,
            Ability {
                colours: Colours::None,
                ..COLOUR
            },
        ] {
            for wanted in [None, Some(Screen::Lcd), Some(Screen::Oled)] {
                for has_words in [true, false] {
                    let (wide, high) = smallest(ability, wanted, has_words);
                    let room = Rect::new(0, 0, wide, high);
                    assert!(
                        layout(room, ability, wanted, has_words).is_some(),
                        "{ability:?} {wanted:?} {wide}×{high}"
                    );
                }
            }
        }
        assert_eq!(smallest(COLOUR, None, true), (52, 11));
    }
}

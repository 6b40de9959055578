//! The handheld in terminals of all kinds: picture protocols are decoded again by the small decoders
//! below and have to give the very frame; blocks and letters are compared with texts in
//! `golden/`, which `cat` shows in a terminal. `DOJO_BLESS=1` writes them anew.

use std::fmt::Write as _;
use std::path::Path;

use dojo::handheld::{Pace, Runner, script};
use dojo::terminal::ability::{Ability, Colours};
use dojo::terminal::blocks::Glyphs;
use dojo::terminal::graphics::{self, Protocol};
use dojo::terminal::layout::{Layout, Mode, layout};
use dojo::terminal::raster::{Raster, Rgb};
use dojo::terminal::{Scene, paint, paint_raster};
use dojo_handheld::{Frame, Screen};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

mod decoders;
#[cfg(target_os = "linux")]
mod live;

/// Frames of real screens: title, menu, boards.
fn frames() -> Vec<Frame> {
    let mut frames = vec![];
    for screen in Screen::ALL {
        for keys in ["", "a", "a a", "a a a wait wait", "a down a down down a a"] {
            let mut runner = Runner::new(screen, 1, dojo_lab::bank::SHIPPED, Pace::AtOnce, None);
            script::play(&mut runner, &script::parse(keys).unwrap(), 0).unwrap();
            let (frame, _) = runner.picture_and_words();
            let mut copy = Frame::new(screen);
            let size = screen.size();
            for y in 0..size.height {
                for x in 0..size.width {
                    use embedded_graphics::prelude::*;
                    let point = Point::new(x as i32, y as i32);
                    Pixel(point, frame.pixel(x, y)).draw(&mut copy).unwrap();
                }
            }
            frames.push(copy);
        }
    }
    frames
}

/// The colours of a frame, with `scale` pixels for two.
fn colours(frame: &Frame, scale: u32) -> Vec<Rgb> {
    let size = frame.screen().size();
    let [width, height] = [size.width, size.height].map(|side| side * scale / 2);
    (0..height)
        .flat_map(|y| (0..width).map(move |x| (2 * x / scale, 2 * y / scale)))
        .map(|(x, y)| frame.rgb(x, y))
        .collect()
}

#[test]
fn kitty_and_iterm_get_the_very_frame() {
    for frame in frames() {
        let (raster, size) = (Raster::of(&frame), frame.screen().size());
        let stream = graphics::show(Protocol::Kitty, &raster, (46, 23)).unwrap();
        let (keys, png) = decoders::kitty(&stream);
        for key in ["a=T", "f=100", "q=2", "c=46", "r=23"] {
            assert!(keys.contains(&key.to_owned()), "{keys:?}");
        }
        let expected = (size.width, size.height, colours(&frame, 2));
        assert_eq!(decoders::png(&png), expected);
        let stream = graphics::show(Protocol::Iterm, &raster, (46, 23)).unwrap();
        let (keys, png) = decoders::iterm(&stream);
        assert!(keys.contains(&format!("size={}", png.len())), "{keys:?}");
        assert_eq!(decoders::png(&png), expected);
    }
}

#[test]
fn sixel_gets_the_very_frame() {
    for frame in frames() {
        let size = frame.screen().size();
        for scale in [2, 3, 4, 5, 6] {
            let raster = Raster::of(&frame).in_halves(scale);
            let stream = graphics::show(Protocol::Sixel, &raster, (0, 0)).unwrap();
            let (width, height, pixels) = decoders::sixel(&stream);
            let expected = [size.width, size.height].map(|side| side * scale / 2);
            assert_eq!([width, height], expected);
            // Channels are in percent.
            let percent = |rgb: Rgb| rgb.map(|channel| (u32::from(channel) * 100 + 127) / 255);
            let expected: Vec<_> = colours(&frame, scale).into_iter().map(percent).collect();
            assert!(pixels == expected, "scale {scale}");
        }
    }
}

/// A picture that no change of a screen or of the palette changes: a small board of Go on wood in
/// front of a dark ground, and a red disc.
fn board() -> Raster {
    let palette = vec![
        [20, 18, 28],
        [217, 168, 108],
        [91, 87, 117],
        [8, 7, 12],
        [255, 255, 255],
        [238, 90, 74],
    ];
    let inside = |x: i32, y: i32, (cx, cy): (i32, i32), radius: i32| {
        (x - cx).pow(2) + (y - cy).pow(2) <= radius.pow(2)
    };
    let pixel = |x: i32, y: i32| -> u8 {
        let stones = [
            ((75, 85), 3),
            ((120, 85), 4),
            ((120, 130), 3),
            ((165, 175), 4),
        ];
        if let Some((_, ink)) = stones.iter().find(|(at, _)| inside(x, y, *at, 20)) {
            return *ink;
        }
        match () {
            _ if inside(x, y, (22, 22), 14) => 5,
            _ if !(40..=200).contains(&x) || !(50..=210).contains(&y) => 0,
            _ if (x - 75) % 45 == 0 || (y - 85) % 45 == 0 => 2,
            _ => 1,
        }
    };
    let pixels = (0..240).flat_map(|y| (0..240).map(move |x| (x, y)));
    Raster {
        width: 240,
        height: 240,
        pixels: pixels.map(|(x, y)| pixel(x, y)).collect(),
        palette,
    }
}

/// A window as text with the sequences of its colours.
fn text(buffer: &Buffer) -> String {
    let colour = |colour: Color, base: u8| match colour {
        Color::Rgb(r, g, b) => format!(";{};2;{r};{g};{b}", base + 8),
        Color::Indexed(number) => format!(";{};5;{number}", base + 8),
        _ => String::new(),
    };
    let mut out = String::new();
    for y in 0..buffer.area.height {
        let mut last = "0".to_owned();
        for x in 0..buffer.area.width {
            let cell = &buffer[(x, y)];
            let bold = if cell.modifier.contains(Modifier::BOLD) {
                ";1"
            } else {
                ""
            };
            let style = format!("0{bold}{}{}", colour(cell.fg, 30), colour(cell.bg, 40));
            if style != last {
                let _ = write!(out, "\x1b[{style}m");
                last = style;
            }
            out.push_str(cell.symbol());
        }
        out.truncate(out.trim_end_matches(' ').len());
        if last != "0" {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
    out
}

const PLAIN: Ability = Ability {
    pictures: None,
    colours: Colours::True,
    glyphs: Glyphs::Quadrants,
    cell: (8, 16),
};

#[test]
fn blocks_and_letters_are_as_golden() {
    let words = "You\nYellow belt\n4 stones, nobody has taken any\nLast move D2\n> Cursor on C4, white\nPlay here with A, or hold B for the menu: it has hint, undo and pass";
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/terminal/golden");
    let few = |colours| Ability { colours, ..PLAIN };
    let blocks = |glyphs| Ability { glyphs, ..PLAIN };
    let letters = |colours| Ability {
        glyphs: Glyphs::Ascii,
        ..few(colours)
    };
    let ways = [
        ("sextants", blocks(Glyphs::Sextants)),
        ("quadrants", PLAIN),
        ("halves", blocks(Glyphs::Halves)),
        ("256", few(Colours::Cube)),
        ("16", few(Colours::Sixteen)),
        ("16-ascii", letters(Colours::Sixteen)),
        ("ascii", letters(Colours::None)),
    ];
    let sizes = [(80, 24), (140, 40)];
    let all = ways
        .into_iter()
        .flat_map(|way| sizes.map(|size| (way, size)));
    for ((way, ability), size) in all {
        let name = format!("{way}-{}x{}", size.0, size.1);
        let room = Rect::new(0, 0, size.0, size.1);
        let place = layout(room, ability, None, true).unwrap();
        let mut buffer = Buffer::empty(room);
        let scene = Scene {
            frame: None,
            words,
            help: "arrows move   Q quit",
        };
        // The gold of chosen words follows the palette of the handheld; the golden texts must not.
        let text_colours = match ability.colours {
            Colours::True | Colours::Cube => Colours::None,
            few => few,
        };
        paint(&mut buffer, &place, text_colours, &scene);
        paint_raster(&mut buffer, &place, ability.colours, &board());
        let shown = text(&buffer);
        let file = golden.join(format!("{name}.txt"));
        if std::env::var_os("DOJO_BLESS").is_some() {
            std::fs::create_dir_all(&golden).unwrap();
            std::fs::write(&file, &shown).unwrap();
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        assert!(
            shown == expected,
            "{name} differs from {}:\n{shown}",
            file.display()
        );
        if ability.glyphs == Glyphs::Ascii {
            assert!(shown.is_ascii(), "{name}");
        }
        if ability.colours == Colours::None {
            assert!(
                !shown.contains("[38") && !shown.contains(";3"),
                "{name}: {shown}"
            );
        }
    }
}

/// The handheld as it is, in windows of all sizes.
fn window(ability: Ability, size: (u16, u16), keys: &str) -> (Layout, String) {
    let room = Rect::new(0, 0, size.0, size.1);
    let place = layout(room, ability, None, true).unwrap();
    let mut runner = Runner::new(place.screen, 1, dojo_lab::bank::SHIPPED, Pace::AtOnce, None);
    script::play(&mut runner, &script::parse(keys).unwrap(), 0).unwrap();
    let (frame, words) = runner.picture_and_words();
    let mut buffer = Buffer::empty(room);
    let scene = Scene {
        frame: Some(frame),
        words: &words,
        help: "arrows move",
    };
    paint(&mut buffer, &place, ability.colours, &scene);
    (place, text(&buffer))
}

#[test]
fn words_can_be_read_and_the_board_has_colours_in_an_ordinary_window() {
    for size in [(80, 24), (140, 40), (50, 11)] {
        let (place, shown) = window(PLAIN, size, "a");
        assert_eq!(place.screen, Screen::Lcd);
        assert!(place.words.is_some());
        assert!(shown.contains("> "), "{shown}");
        assert!(shown.contains(";48;2;"), "{shown}");
        assert!(shown.contains("arrows move"), "{shown}");
    }
    let none = Ability {
        colours: Colours::None,
        ..PLAIN
    };
    let (place, shown) = window(none, (80, 24), "a");
    assert_eq!((place.screen, place.mode), (Screen::Oled, Mode::Braille));
    assert!(!shown.contains("\x1b["), "{shown}");
    assert!(shown.contains('⣿'), "{shown}");
    let letters = Ability {
        glyphs: Glyphs::Ascii,
        ..none
    };
    let (_, shown) = window(letters, (80, 24), "a a");
    assert!(shown.replace("\x1b[0;1m", "").is_ascii(), "{shown}");
    assert!(shown.contains('@') || shown.contains('#'), "{shown}");
}

#[test]
fn painting_leaves_no_window_however_small_or_large() {
    for wide in [1, 20, 49, 50, 64, 80, 129, 241, 500] {
        for high in [1, 2, 10, 11, 17, 24, 33, 121, 200] {
            for colours in [Colours::None, Colours::Sixteen, Colours::True] {
                for glyphs in [Glyphs::Ascii, Glyphs::Halves, Glyphs::Sextants] {
                    for pictures in [None, Some(Protocol::Kitty), Some(Protocol::Sixel)] {
                        let ability = Ability {
                            pictures,
                            colours,
                            glyphs,
                            ..PLAIN
                        };
                        let room = Rect::new(0, 0, wide, high);
                        for wanted in [None, Some(Screen::Lcd), Some(Screen::Oled)] {
                            let Some(place) = layout(room, ability, wanted, true) else {
                                continue;
                            };
                            for part in [place.picture, place.help].into_iter().chain(place.words) {
                                assert_eq!(part.intersection(room), part, "{room} {ability:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

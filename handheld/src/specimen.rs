//! Pictures of the look for the book: type, inks, pictures, and motion as strips of frames.
//!
//! `docs/look.md` shows them. They are compared as the golden pictures are, and `cargo xtask bless`
//! draws them anew.

use std::fs::File;
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::vec::Vec;
use std::{format, vec};

use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::{AnyRules, GameId, GoRules};
use embedded_graphics::prelude::*;

use crate::boards;
use crate::event::{Abilities, Event};
use crate::faces::FACES;
use crate::frame::{Frame, Ink, Screen};
use crate::input::{Button, Press};
use crate::motion::BoardMotion;
use crate::pen::{Pen, Side, area};
use crate::store::{Comfort, Seat, Setup, Theme};
use crate::touch::Target;
use crate::{Console, words};

/// Frames side by side, in rows of so many, with a gap of so many pixels.
const GAP: usize = 4;
/// The colour between them, behind all inks of all themes.
const BETWEEN: u8 = 48;
const GREY: [u8; 3] = [0x80, 0x80, 0x88];

struct Sheet {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Sheet {
    fn of(frames: &[Frame], columns: usize, scale: usize) -> Sheet {
        let size = frames[0].screen().size() * scale as u32;
        let (wide, high) = (size.width as usize + GAP, size.height as usize + GAP);
        let (width, height) = (
            columns * wide + GAP,
            frames.len().div_ceil(columns) * high + GAP,
        );
        let mut pixels = vec![BETWEEN; width * height];
        for (number, frame) in frames.iter().enumerate() {
            let (left, top) = (GAP + number % columns * wide, GAP + number / columns * high);
            let theme = frame.theme() as u8 * 16;
            for y in 0..size.height as usize {
                for x in 0..size.width as usize {
                    let ink = frame.pixel((x / scale) as u32, (y / scale) as u32);
                    pixels[(top + y) * width + left + x] = theme + ink as u8;
                }
            }
        }
        Sheet {
            width,
            height,
            pixels,
        }
    }

    fn write(&self, file: &Path) {
        let file = BufWriter::new(File::create(file).expect("a file"));
        let mut encoder = png::Encoder::new(file, self.width as u32, self.height as u32);
        encoder.set_color(png::ColorType::Indexed);
        encoder.set_depth(png::BitDepth::Eight);
        let inks = Theme::ALL
            .into_iter()
            .flat_map(|theme| Ink::ALL.map(|ink| theme.rgb(ink)));
        encoder.set_palette(inks.chain([GREY]).flatten().collect::<Vec<u8>>());
        let mut writer = encoder.write_header().expect("a header");
        writer.write_image_data(&self.pixels).expect("written");
    }

    /// Writes it while pictures are blessed, else compares it.
    fn check(&self, name: &str) {
        let pictures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
        let file = pictures.join(format!("{name}.png"));
        if std::env::var_os("DOJO_BLESS").is_some() {
            return self.write(&file);
        }
        let accepted = read(&file);
        if accepted.as_deref() != Some(&self.pixels[..]) {
            let actual = std::env::temp_dir().join(format!("{name}.png"));
            self.write(&actual);
            panic!(
                "{} is not what is drawn, see {}; `cargo xtask bless` accepts it",
                file.display(),
                actual.display()
            );
        }
    }
}

fn read(file: &Path) -> Option<Vec<u8>> {
    let mut decoder = png::Decoder::new(BufReader::new(File::open(file).ok()?));
    decoder.set_transformations(png::Transformations::IDENTITY);
    let mut reader = decoder.read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    reader.next_frame(&mut pixels).ok()?;
    Some(pixels)
}

/// A frame that was drawn by hand.
fn drawn(screen: Screen, draw: impl Fn(&mut Pen<'_>)) -> Frame {
    let mut frame = Frame::new(screen);
    let mut pen = Pen::new(&mut frame, Comfort::default());
    pen.clear();
    draw(&mut pen);
    frame
}

/// What a face has, in lines that it fills.
const LETTERS: [&str; 6] = [
    "ABCDEFGHIJKLM",
    "NOPQRSTUVWXYZ",
    "abcdefghijklm",
    "nopqrstuvwxyz",
    "0123456789 +-",
    "To We AV .,:!?",
];

#[test]
fn type_is_pictured() {
    for screen in Screen::ALL {
        let frames = [0, 1].map(|role| {
            drawn(screen, |pen| {
                let roomy = pen.look.roomy;
                let face = if role == 0 {
                    pen.look.title
                } else {
                    pen.look.body
                };
                let (left, top) = (pen.look.margin, if roomy { 16 } else { 2 });
                let step = if roomy { 36 } else { 10 };
                for (line, letters) in LETTERS.into_iter().enumerate() {
                    let at = Point::new(left, top + step * line as i32);
                    pen.text(at, Side::Left, face, Ink::Paper, letters);
                }
            })
        });
        let (name, scale) = match screen {
            Screen::Lcd => ("look-type-lcd", 1),
            Screen::Oled => ("look-type-oled", 3),
        };
        Sheet::of(&frames, 2, scale).check(name);
    }
}

#[test]
fn inks_are_pictured() {
    let frames = Theme::ALL.map(|theme| {
        let mut frame = drawn(Screen::Lcd, |pen| {
            pen.header(theme.title());
            for (number, ink) in Ink::ALL.into_iter().enumerate() {
                let (row, column) = (number as i32 / 2, number as i32 % 2);
                let (x, y) = (12 + 112 * column, 36 + 25 * row);
                pen.panel(area(x, y, 32, 20), Ink::Line);
                pen.panel(area(x + 1, y + 1, 30, 18), ink);
                let name = format!("{ink:?}");
                let at = Point::new(x + 40, y + 4);
                pen.text(at, Side::Left, pen.look.body, Ink::Paper, &name);
            }
        });
        frame.set_theme(theme);
        frame
    });
    Sheet::of(&frames, 3, 1).check("look-inks");
}

#[test]
fn pictures_are_pictured() {
    let frames = [
        // The icons of the games, large and small.
        drawn(Screen::Lcd, |pen| {
            for (number, id) in GameId::ALL.into_iter().enumerate() {
                let (row, column) = (number as i32 / 3, number as i32 % 3);
                boards::icon(id, area(16 + 74 * column, 16 + 80 * row, 60, 60), pen);
                boards::icon(id, area(12 + 37 * number as i32, 188, 22, 22), pen);
            }
        }),
        // Keys, belts and players' signs.
        drawn(Screen::Lcd, |pen| {
            for (number, belt) in Belt::ALL.into_iter().enumerate() {
                let y = 14 + 26 * number as i32;
                pen.belt(Point::new(12, y), belt, false);
                let at = Point::new(52, y);
                pen.text(at, Side::Left, pen.look.body, Ink::Paper, words::belt(belt));
            }
            for (number, id) in GameId::ALL.into_iter().enumerate() {
                for player in Player::BOTH {
                    let at = Point::new(24 + 38 * number as i32, 160 + 24 * player.index() as i32);
                    boards::badge(id, player, at, pen);
                }
            }
            pen.footer("A A   B B   X X   Y Y   <> step");
        }),
        // Everybody who plays.
        drawn(Screen::Lcd, |pen| {
            let seats = Belt::ALL.map(Seat::Machine);
            let all = [Seat::Person].into_iter().chain(seats).chain([Seat::Pupil]);
            for (number, seat) in all.enumerate() {
                let (row, column) = (number as i32 / 4, number as i32 % 4);
                pen.figure(area(8 + 56 * column, 20 + 104 * row, 56, 92), seat);
            }
        }),
    ];
    Sheet::of(&frames, 3, 1).check("look-pictures");
}

/// A console whose screens move, and its clock.
struct Film {
    console: Console,
    now: u32,
    screen: Screen,
}

impl Film {
    fn new(screen: Screen) -> Film {
        let mut console = Console::new(1);
        console.handle(Event::Abilities(Abilities {
            motion: true,
            ..Abilities::default()
        }));
        console.handle(Event::Ready);
        Film {
            console,
            now: 0,
            screen,
        }
    }

    /// Two people at a game.
    fn of(screen: Screen, rules: AnyRules) -> Film {
        let mut film = Film::new(screen);
        film.console.start(Setup {
            rules,
            seats: [Seat::Person; 2],
            starter: crate::store::Starter::One,
        });
        film.rest();
        film
    }

    fn tick(&mut self) {
        self.now += self.console.step();
        self.console.handle(Event::Tick(self.now));
    }

    fn rest(&mut self) {
        for _ in 0..80 {
            self.tick();
        }
    }

    fn frame(&mut self) -> Frame {
        let mut frame = Frame::new(self.screen);
        self.console.draw(&mut frame);
        frame
    }

    /// Taps on the place of a move.
    fn tap(&mut self, name: &str) {
        let session = self.console.session().expect("a game");
        let place = session.game().parse_move(name).expect("a move");
        self.console.handle(Event::Tap(Target::Place(place)));
    }

    /// Plays moves, each with time to land.
    fn play(&mut self, moves: &str) {
        for name in moves.split(' ') {
            self.tap(name);
            self.rest();
        }
    }

    fn press(&mut self, button: Button) {
        self.console.handle(Event::Press(Press::Down(button)));
    }

    /// The picture before an event, and every new one in the two seconds after it.
    fn strip(&mut self, event: impl FnOnce(&mut Film)) -> Vec<Frame> {
        let mut strip = vec![self.frame()];
        event(self);
        let end = self.now + 2000;
        while self.now < end {
            if self.console.needs_draw() {
                strip.push(self.frame());
            }
            self.tick();
        }
        strip
    }
}

/// Frames in a strip.
const FRAMES: usize = 5;

/// Strips of frames: a screen slides in, a stone takes two others, a result rises over the board.
fn strips(screen: Screen) -> [Vec<Frame>; 3] {
    let mut film = Film::new(screen);
    film.press(Button::A);
    film.rest();
    film.press(Button::Down);
    film.rest();
    let slide = film.strip(|film| film.press(Button::A));
    let mut film = Film::of(screen, AnyRules::Go(GoRules::new(5).expect("a size")));
    film.play("B3 C3 D3 C2 B2 A5 D2 E5 C4 E4");
    let capture = film.strip(|film| film.tap("C1"));
    let mut film = Film::of(screen, AnyRules::new(GameId::TicTacToe));
    film.play("b2 a1 c2 a3");
    let mut result = film.strip(|film| film.tap("a2"));
    // The last mark grows first.
    result.drain(1..result.len() - 4);
    [slide, capture, result]
}

#[test]
fn motion_is_pictured() {
    for (screen, name, scale) in [
        (Screen::Lcd, "look-motion-lcd", 1),
        (Screen::Oled, "look-motion-oled", 2),
    ] {
        let mut frames = vec![];
        for mut strip in strips(screen) {
            assert!(strip.len() >= 5, "{} frames", strip.len());
            // The first ones and the last, or dark frames behind it.
            while strip.len() > FRAMES {
                strip.remove(FRAMES - 1);
            }
            strip.resize_with(FRAMES, || Frame::new(screen));
            frames.extend(strip);
        }
        Sheet::of(&frames, FRAMES, scale).check(name);
    }
}

/// The bytes of the parts of the look, for the book.
#[test]
fn what_the_look_takes() {
    let texts = include_str!("words/english.rs");
    let code = texts.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let texts: usize = lines
        .map(|line| {
            line.split('"')
                .skip(1)
                .step_by(2)
                .map(str::len)
                .sum::<usize>()
        })
        .sum();
    let faces = FACES.map(|face| face.bytes());
    let colours = Theme::ALL.len() * 256 * 4;
    let frame = size_of::<Frame>();
    let motion = size_of::<BoardMotion>();
    std::println!(
        "| what | bytes |\n|---|---:|\n\
        | faces in flash: `lcd_body`, `lcd_display`, `oled_body`, `oled_title` | {} = {} |\n\
        | texts in flash, at most (equal ones are there once) | {texts} |\n\
        | colours of two pixels for each byte of a frame, three themes, in flash | {colours} |\n\
        | a frame in RAM, with the checksums of its bands | {frame} |\n\
        | what moves on a board, in RAM | {motion} |",
        faces.map(|bytes| format!("{bytes}")).join(" + "),
        faces.iter().sum::<usize>(),
    );
    assert!(faces.iter().sum::<usize>() < 16_384 && texts < 16_384 && frame < 30_000);
}

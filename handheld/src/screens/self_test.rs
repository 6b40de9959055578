//! Self-test: buttons, pixels, sound and flash.

use core::fmt::Write;

use embedded_graphics::prelude::*;

use crate::app::{AppState, FlashState, SCALE};
use crate::event::{BankTest, FlashTest};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Row, Side, area, inset};
use crate::screens::{Cursor, Nav, Page};
use crate::sound::Cue;
use crate::words;

#[derive(Clone, Copy)]
enum Item {
    Buttons,
    Pixels,
    Sound,
    Flash,
}

fn items(app: &AppState) -> impl Iterator<Item = Item> + use<> {
    let sound = app.abilities.sound.then_some(Item::Sound);
    let flash = app.abilities.flash.then_some(Item::Flash);
    [Item::Buttons, Item::Pixels]
        .into_iter()
        .chain(sound)
        .chain(flash)
}

#[derive(Clone, Copy)]
pub(crate) struct SelfTest {
    cursor: Cursor,
}

impl SelfTest {
    pub(super) fn new() -> SelfTest {
        SelfTest { cursor: Cursor(0) }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        if self.cursor.step(button, items(app).count()) {
            return Nav::Stay;
        }
        match (button, items(app).nth(self.cursor.0)) {
            (Button::B, _) => Nav::Back,
            (Button::A, Some(Item::Buttons)) => Nav::Push(Page::ButtonTest(ButtonTest::default())),
            (Button::A, Some(Item::Pixels)) => Nav::Push(Page::PixelTest(PixelTest::default())),
            (Button::A, Some(Item::Sound)) => {
                app.play_scale();
                Nav::Push(Page::SoundTest)
            }
            (Button::A, Some(Item::Flash)) => {
                app.test_flash();
                Nav::Push(Page::FlashTest)
            }
            _ => Nav::Stay,
        }
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let place = pen.header(words::SELF_TEST);
        let rows: heapless::Vec<Row<'_>, 4> = items(app)
            .map(|item| {
                Row::item(match item {
                    Item::Buttons => words::BUTTONS,
                    Item::Pixels => words::PIXELS,
                    Item::Sound => words::GROUP_SOUND,
                    Item::Flash => words::FLASH,
                })
            })
            .collect();
        pen.list(place, &rows, self.cursor.0);
        pen.footer(words::keys::CHOOSE_BACK);
    }
}

/// Every button lights its own field, B too: holding B leaves.
#[derive(Clone, Copy, Default)]
pub(crate) struct ButtonTest {
    /// A bit for each button that was pressed.
    pressed: u8,
}

impl ButtonTest {
    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        self.pressed |= 1 << button as u8;
        app.sound(Cue::Click);
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let place = pen.header(words::BUTTONS);
        let line = pen.look.body.height() + pen.look.margin;
        let room = place.size.height as i32 - line;
        // Two crosses, each three fields wide.
        let field = (room / 3).min(pen.width() / 7);
        let middle = place.top_left.y + room / 2;
        for button in Button::ALL {
            let (x, y) = button.step();
            let column = if !button.is_direction() {
                pen.width() * 3 / 4
            } else {
                pen.width() / 4
            };
            let is_lit = self.pressed >> button as u8 & 1 == 1;
            let state = if is_lit { "pressed" } else { "not yet" };
            pen.tell(format_args!("{}: {state}", button.name()));
            let centre = Point::new(column + x * field, middle + y * field);
            let corner = centre - Point::new(field / 2, field / 2);
            let key = inset(area(corner.x, corner.y, field, field), 1);
            let ink = match (is_lit, pen.look.roomy) {
                (true, roomy) => {
                    pen.panel(key, if roomy { Ink::Gold } else { Ink::Paper });
                    Ink::Night
                }
                (false, _) => {
                    pen.border(key, Ink::Line, 1);
                    Ink::Paper
                }
            };
            let centre = key.center();
            if let Some(letter) = button.letter() {
                let look = pen.look;
                let face = if look.roomy { look.title } else { look.body };
                pen.letters_in(key, Side::Centre, face, ink, &[letter]);
            } else {
                let size = field / 4;
                let (along, across) = (Point::new(x, y) * size, Point::new(y, x) * size);
                pen.triangle(
                    [
                        centre + along,
                        centre - along + across,
                        centre - along - across,
                    ],
                    ink,
                );
            }
        }
        let mut text = heapless::String::<32>::new();
        let _ = words::pressed(&mut text, self.pressed.count_ones(), pen.look.roomy);
        let at = Point::new(
            pen.width() / 2,
            place.top_left.y + room + pen.look.margin / 2,
        );
        pen.text(at, Side::Centre, pen.look.body, Ink::Paper, &text);
        pen.footer(words::keys::BUTTON_TEST);
    }
}

/// A pattern of the pixel test.
#[derive(Clone, Copy)]
enum Pattern {
    Full(Ink),
    /// Every other pixel; `true` for those that were dark.
    Chequered(bool),
    /// All inks in stripes.
    Inks,
}

/// The first four show both colours of every pixel; a mono display has no others.
const PATTERNS: [(Pattern, &str); 8] = [
    (Pattern::Full(Ink::White), "All pixels lit"),
    (Pattern::Full(Ink::Black), "All pixels dark"),
    (Pattern::Chequered(false), "Every other pixel lit"),
    (Pattern::Chequered(true), "The other pixels lit"),
    (Pattern::Full(Ink::Sun), "All pixels red"),
    (Pattern::Full(Ink::Leaf), "All pixels green"),
    (Pattern::Full(Ink::Sky), "All pixels blue"),
    (Pattern::Inks, "All sixteen colours"),
];
const MONO: usize = 4;

/// The pixel test: a page of instructions, then patterns without text.
#[derive(Clone, Copy, Default)]
pub(crate) struct PixelTest {
    step: u8,
}

impl PixelTest {
    pub(super) fn press(&mut self, button: Button) -> Nav {
        match button {
            Button::A | Button::Right | Button::Down if usize::from(self.step) < PATTERNS.len() => {
                self.step += 1;
            }
            Button::Left | Button::Up => self.step = self.step.saturating_sub(1),
            _ => return Nav::Back,
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, pen: &mut Pen<'_>) {
        let Some(step) = usize::from(self.step).checked_sub(1) else {
            let place = pen.header(words::PIXELS);
            pen.page(place, words::PIXELS_TASK);
            pen.footer(words::keys::NEXT);
            return;
        };
        let step = if pen.look.roomy { step } else { step % MONO };
        let Some((pattern, words)) = PATTERNS.get(step) else {
            return;
        };
        pen.tell(format_args!("{words}"));
        let (width, height) = (pen.width(), pen.height());
        match *pattern {
            Pattern::Full(ink) => pen.fill(area(0, 0, width, height), ink),
            Pattern::Chequered(odd) => pen.chequer(odd),
            Pattern::Inks => {
                let stripe = height / Ink::ALL.len() as i32;
                for (i, ink) in Ink::ALL.into_iter().enumerate() {
                    pen.fill(area(0, i as i32 * stripe, width, stripe), ink);
                }
            }
        }
    }
}

pub(super) fn press_sound(button: Button, app: &mut AppState) -> Nav {
    if button == Button::A {
        app.play_scale();
        return Nav::Stay;
    }
    app.stop_scale();
    Nav::Back
}

/// The scale as stairs; the tone that sounds is marked.
pub(super) fn draw_sound(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header(words::GROUP_SOUND);
    let line = pen.look.body.height() + pen.look.margin;
    let (margin, room) = (pen.look.margin, place.size.height as i32 - line);
    let tread = (pen.width() - 2 * margin) / SCALE.len() as i32;
    let rise = room / (SCALE.len() as i32 + 1);
    let bottom = place.top_left.y + room;
    let now = app.note();
    for i in 0..SCALE.len() {
        let (x, height) = (margin + i as i32 * tread, (i as i32 + 2) * rise);
        let stair = area(x + 1, bottom - height, tread - 2, height);
        match (now == Some(i), pen.look.roomy) {
            (true, true) => pen.panel(stair, Ink::Gold),
            (true, false) => pen.panel(stair, Ink::Paper),
            (false, _) => pen.border(stair, Ink::Line, 1),
        }
    }
    let mut text = heapless::String::<32>::new();
    let _ = match now.and_then(|note| SCALE.get(note)) {
        Some((name, note)) => write!(text, "{name}, {} Hz", note.hertz),
        None => text.write_str(words::AGAIN_OR_BACK),
    };
    let at = Point::new(pen.width() / 2, bottom + margin / 2);
    pen.text(at, Side::Centre, pen.look.body, Ink::Paper, &text);
    pen.footer(words::keys::AGAIN);
}

pub(super) fn press_flash(button: Button, app: &mut AppState) -> Nav {
    if button != Button::A {
        return Nav::Back;
    }
    app.test_flash();
    Nav::Stay
}

pub(super) fn draw_flash(app: &AppState, pen: &mut Pen<'_>) {
    let place = pen.header(words::FLASH);
    let mut text = heapless::String::<200>::new();
    let _ = match app.flash {
        FlashState::Unknown | FlashState::Running => text.write_str(words::TESTING),
        FlashState::Known(FlashTest { bank, saves }) => {
            let _ = match (bank, app.bank) {
                (BankTest::Whole(models), _) => words::bank_good(&mut text, models.into()),
                (BankTest::Damaged(entry), _) => words::bank_damaged(&mut text, entry.into()),
                (BankTest::Refused, Some(Err(error))) => words::bank_refused(&mut text, &error),
                (BankTest::Refused, _) => text.write_str(words::BANK_MISSING),
            };
            text.write_str(if saves {
                words::SAVES_TESTED[0]
            } else {
                words::SAVES_TESTED[1]
            })
        }
    };
    pen.page(place, &text);
    pen.footer(words::keys::AGAIN);
}

//! The device as a whole: a firmware image in an emulated Pico, with a display, and buttons on their pins.
//!
//! [`Device`] presses buttons and reads the display; [`script`] does so from a text; [`terminal`] lets a person. [`mod@bench`]
//! measures how it learns, [`thoughts`] how long it thinks about a position that [`saves`] puts into its flash.

use dojo_handheld::{Button, Frame, Ink, Screen};
use embedded_graphics::prelude::*;

use pico_emulator::{Display, Fault, Image, Pico, Picture};

pub mod bench;
pub mod saves;
pub mod script;
pub mod terminal;
pub mod thoughts;

/// How long a tap on a button is.
pub const TAP_MS: u64 = 60;

/// What is connected to the Pico.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// Waveshare Pico-LCD-1.3: ST7789 with 240×240 pixels
    Lcd,
    /// SSD1306 with 128×64 pixels
    Oled,
    /// SH1106, which looks like an SSD1306 but shows the picture two columns further
    Sh1106,
    /// No display at all
    None,
}

impl Wiring {
    /// Everything that can be connected.
    pub const ALL: [Wiring; 4] = [Wiring::Lcd, Wiring::Oled, Wiring::Sh1106, Wiring::None];

    /// The display, switched off.
    fn display(self) -> Option<Display> {
        match self {
            Wiring::Lcd => Some(Display::pico_lcd_1_3()),
            Wiring::Oled => Some(Display::ssd1306()),
            Wiring::Sh1106 => Some(Display::sh1106()),
            Wiring::None => None,
        }
    }

    /// The layout that the firmware chooses for it: without an OLED it is the one of the LCD.
    pub fn screen(self) -> Screen {
        match self {
            Wiring::Oled | Wiring::Sh1106 => Screen::Oled,
            Wiring::Lcd | Wiring::None => Screen::Lcd,
        }
    }
}

/// The pin of a button, as in `firmware/src/boards/pico.rs`.
pub const fn pin(button: Button) -> u8 {
    match button {
        Button::Up => 2,
        Button::Down => 18,
        Button::Left => 16,
        Button::Right => 20,
        Button::A => 15,
        Button::B => 17,
        Button::X => 19,
        Button::Y => 21,
    }
}

/// A handheld that runs a firmware image.
#[derive(Clone)]
pub struct Device {
    /// The machine inside.
    pub pico: Pico,
    wiring: Wiring,
}

impl Device {
    /// Switches it on; nothing has run yet.
    pub fn new(image: &Image, wiring: Wiring) -> Device {
        let mut pico = Pico::new(image);
        if let Some(display) = wiring.display() {
            pico.attach(display);
        }
        Device { pico, wiring }
    }

    /// Lets time pass.
    pub fn wait(&mut self, millis: u64) -> Result<(), Fault> {
        self.pico.run_for(millis * 1000)
    }

    /// Presses a button and lets go of it after a while.
    pub fn hold(&mut self, button: Button, millis: u64) -> Result<(), Fault> {
        self.pico.set_pin(pin(button), false);
        let outcome = self.wait(millis);
        self.pico.release_pin(pin(button));
        outcome
    }

    /// A short press, and a pause as long.
    pub fn tap(&mut self, button: Button) -> Result<(), Fault> {
        self.hold(button, TAP_MS)?;
        self.wait(TAP_MS)
    }

    /// What the display shows, in the inks of the console.
    pub fn frame(&self) -> Frame {
        let (picture, screen) = (self.pico.pixels(), self.wiring.screen());
        let mut frame = Frame::new(screen);
        let points = frame.bounding_box().points();
        let Ok(()) = frame.draw_iter(points.map(|at| Pixel(at, ink(&picture, screen, at))));
        frame
    }
}

/// The ink that a display shows as this colour; what is no ink at all shows as the sun.
fn ink(picture: &Picture, screen: Screen, at: Point) -> Ink {
    let [r, g, b] = picture.at(at.x as usize, at.y as usize);
    match screen {
        Screen::Oled if [r, g, b] == [0; 3] => Ink::Night,
        Screen::Oled => Ink::Paper,
        Screen::Lcd => {
            let colour = u16::from(r >> 3) << 11 | u16::from(g >> 2) << 5 | u16::from(b >> 3);
            Ink::ALL
                .into_iter()
                .find(|ink| ink.rgb565() == colour)
                .unwrap_or(Ink::Sun)
        }
    }
}

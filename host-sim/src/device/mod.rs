//! The device as a whole: a firmware image in an emulated Pico, with a display, and buttons on
//! their pins.
//!
//! [`Device`] presses buttons and reads the display; [`script`] does so from a text, [`terminal`]
//! for a person. [`boards`] has the wiring, [`event_log`] reads the events in the log, and
//! [`thoughts`] measures the time of a move in a position that [`saves`] puts into the flash.

use dojo_handheld::{Button, Frame, Ink, Screen, Theme};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use pico_emulator::{Display, Fault, Image, OledController, Pico, Picture};

pub mod boards;
pub mod event_log;
pub mod saves;
pub mod script;
pub mod terminal;
pub mod thoughts;

use boards::BoardSpec;

/// How long a tap on a button is.
pub const TAP_MS: u64 = 60;

/// Voltage of the emulated battery at the start.
const NEW_BATTERY_VOLTS: f64 = 3.8;
/// The pin of the ADC's first input.
const FIRST_ADC_PIN: u8 = 26;
/// Where an OLED answers.
const OLED_ADDRESS: u8 = 0x3C;

/// A board with a display.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wiring {
    /// Pico with a Waveshare Pico-LCD-1.3: ST7789 with 240×240 pixels
    Lcd,
    /// Pico with an SSD1306 of 128×64 pixels
    Oled,
    /// Pico with an SH1106, which looks like an SSD1306 but shows the picture two columns further
    Sh1106,
    /// Pico without a display
    None,
    /// Pimoroni PicoSystem: ST7789 with 240×240 pixels
    #[value(name = "picosystem")]
    PicoSystem,
}

impl Wiring {
    /// Every board with every display.
    pub const ALL: [Wiring; 5] = [
        Wiring::Lcd,
        Wiring::Oled,
        Wiring::Sh1106,
        Wiring::None,
        Wiring::PicoSystem,
    ];

    /// The board.
    pub const fn board(self) -> &'static BoardSpec {
        match self {
            Wiring::PicoSystem => &boards::PICOSYSTEM,
            Wiring::Lcd | Wiring::Oled | Wiring::Sh1106 | Wiring::None => &boards::PICO,
        }
    }

    /// The name of the firmware's build for this board, as `cargo xtask firmware` has it.
    pub const fn build(self) -> &'static str {
        match self {
            Wiring::PicoSystem => "picosystem",
            Wiring::Lcd | Wiring::Oled | Wiring::Sh1106 | Wiring::None => "pico",
        }
    }

    /// The display, switched off.
    fn display(self) -> Option<Display> {
        let board = self.board();
        match self {
            Wiring::Lcd | Wiring::PicoSystem => Some(board.lcd()),
            Wiring::Oled => board.oled(OledController::Ssd1306, OLED_ADDRESS),
            Wiring::Sh1106 => board.oled(OledController::Sh1106, OLED_ADDRESS),
            Wiring::None => None,
        }
    }

    /// The layout that the firmware chooses for it: without an OLED it is the one of the LCD.
    pub fn screen(self) -> Screen {
        match self {
            Wiring::Oled | Wiring::Sh1106 => Screen::Oled,
            Wiring::Lcd | Wiring::None | Wiring::PicoSystem => Screen::Lcd,
        }
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
        let mut device = Device { pico, wiring };
        if let Some(battery) = device.board().battery {
            device.set_battery(NEW_BATTERY_VOLTS);
            // Nothing is plugged in.
            device.pico.set_pin(battery.usb, false);
        }
        device
    }

    /// The board inside.
    pub fn board(&self) -> &'static BoardSpec {
        self.wiring.board()
    }

    /// The voltage of the battery, where there is one.
    pub fn set_battery(&mut self, volts: f64) {
        if let Some(battery) = self.board().battery {
            let input = usize::from(battery.sense.saturating_sub(FIRST_ADC_PIN));
            self.pico.set_adc(input, volts / f64::from(battery.divider));
        }
    }

    /// Presses a button, until it is [released](Device::release).
    pub fn press(&mut self, button: Button) {
        self.pico.set_pin(self.board().pin(button), false);
    }

    /// Lets go of a button.
    pub fn release(&mut self, button: Button) {
        self.pico.release_pin(self.board().pin(button));
    }

    /// Lets time pass.
    pub fn wait(&mut self, millis: u64) -> Result<(), Fault> {
        self.pico.run_for(millis * 1000)
    }

    /// Presses a button and lets go of it after a while.
    pub fn hold(&mut self, button: Button, millis: u64) -> Result<(), Fault> {
        self.press(button);
        let outcome = self.wait(millis);
        self.release(button);
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
        let theme = theme(&picture, screen);
        frame.set_theme(theme);
        let ink = |at| ink(&picture, screen, theme, at).unwrap_or(Ink::Sun);
        let Ok(()) = frame.draw_iter(points.map(|at| Pixel(at, ink(at))));
        frame
    }
}

/// The theme that has all colours of the picture.
fn theme(picture: &Picture, screen: Screen) -> Theme {
    let points = || Rectangle::new(Point::zero(), screen.size()).points();
    let has_all = |theme: &Theme| points().all(|at| ink(picture, screen, *theme, at).is_some());
    Theme::ALL.into_iter().find(has_all).unwrap_or_default()
}

/// The ink of a pixel by its colour; a colour that is no ink becomes [`Ink::Sun`] in the frame,
/// which a comparison notices.
fn ink(picture: &Picture, screen: Screen, theme: Theme, at: Point) -> Option<Ink> {
    let [r, g, b] = picture.at(at.x as usize, at.y as usize);
    match screen {
        Screen::Oled if [r, g, b] == [0; 3] => Some(Ink::Night),
        Screen::Oled => Some(Ink::Paper),
        Screen::Lcd => {
            let colour = u16::from(r >> 3) << 11 | u16::from(g >> 2) << 5 | u16::from(b >> 3);
            let mut inks = Ink::ALL.into_iter();
            inks.find(|&ink| theme.rgb565(ink) == colour)
        }
    }
}

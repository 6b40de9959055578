//! The device in a terminal: its screen, and its buttons on the keyboard.

use std::time::{Duration, Instant};

use crossterm::event::{self, KeyEventKind};
use dojo_handheld::input::HOLD_MS;
use dojo_handheld::{Button, Frame, Press, Screen};
use pico_emulator::Image;

use crate::device::{Device, TAP_MS, Wiring};
use crate::play::{self, Key};
use crate::terminal::layout::Layout;
use crate::terminal::{self, Scene, Stage};
use dojo_lab::failure::{Done, Failure};

/// Emulated time between two looks at the keyboard.
const STEP_MS: u64 = 20;

/// How long the key for the mind view holds X.
const PEEK_MS: u64 = 4_000;

/// Help on a display that was not asked for.
const COARSE: &str = "the OLED fits here; --board lcd shows colours";

/// Runs the device until the person quits. Without a board it gets the display that can be read in
/// this window.
pub fn run(image: &Image, wiring: Option<Wiring>) -> Done {
    terminal::on_stage(
        |_| {},
        |stage| {
            let fits = |screen| stage.layout(Some(screen), false).is_some();
            let (wiring, note) = match wiring {
                Some(wiring) => (wiring, ""),
                None if is_readable(stage.layout(Some(Screen::Lcd), false)) => (Wiring::Lcd, ""),
                None if fits(Screen::Oled) => (Wiring::Oled, COARSE),
                None => (Wiring::Lcd, ""),
            };
            live(stage, &mut Device::new(image, wiring), note)
        },
    )
}

/// Whether letters in the picture can be read.
fn is_readable(layout: Option<Layout>) -> bool {
    layout.is_some_and(|layout| layout.words.is_none())
}

fn live(stage: &mut Stage, device: &mut Device, note: &str) -> Done {
    // The button that is down, and for how much longer: a terminal does not tell when a key is let
    // go.
    let mut down: Option<(Button, u64)> = None;
    let mut shown = None;
    while !stage.is_over() {
        let started = Instant::now();
        device.wait(STEP_MS).map_err(Failure::check)?;
        let changed = device
            .pico
            .display()
            .and_then(|display| display.counters().last_change);
        if shown != Some(changed) {
            shown = Some(changed);
            show(stage, &device.frame(), note)?;
        }
        down = match down {
            Some((button, left)) if left <= STEP_MS => {
                device.release(button);
                None
            }
            Some((button, left)) => Some((button, left - STEP_MS)),
            None => None,
        };
        // As fast as the real device if this machine is fast enough.
        let spare = Duration::from_millis(STEP_MS).saturating_sub(started.elapsed());
        if down.is_some() {
            std::thread::sleep(spare);
            continue;
        }
        // One key at a time: the others wait until it is let go.
        let mut patience = spare;
        while let Some(event) = stage.next_event(patience)? {
            patience = Duration::ZERO;
            match event {
                event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                    down = match play::meaning(key) {
                        Key::Quit => return Ok(()),
                        Key::Press(Press::Down(button)) => Some((button, TAP_MS)),
                        Key::Press(Press::Held(button)) => {
                            Some((button, u64::from(HOLD_MS) + TAP_MS))
                        }
                        Key::Hold => Some((Button::X, PEEK_MS)),
                        Key::Press(Press::Up(_)) | Key::None => None,
                    };
                }
                event::Event::Resize(..) => {
                    stage.resize()?;
                    shown = None;
                }
                _ => {}
            }
            if let Some((button, _)) = down {
                device.press(button);
                break;
            }
        }
    }
    Ok(())
}

fn show(stage: &mut Stage, frame: &Frame, note: &str) -> Done {
    let screen = Some(frame.screen());
    let Some(layout) = stage.layout(screen, false) else {
        return stage.show_too_small(screen, false);
    };
    let help = match note {
        "" => play::HELP.to_owned(),
        note => format!("{note}   Q quit"),
    };
    let scene = Scene {
        frame: Some(frame),
        words: "",
        help: &help,
    };
    stage.show(&layout, &scene)
}

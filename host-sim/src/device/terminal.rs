//! The device in a terminal: its screen, and its buttons on the keyboard.

use std::time::{Duration, Instant};

use crossterm::event::{self, KeyEventKind};
use dojo_handheld::input::HOLD_MS;
use dojo_handheld::{Button, Press};

use crate::device::{Device, TAP_MS};
use crate::play::{self, Key, Signals};
use dojo_lab::failure::{Done, Failure};

/// Emulated time between two looks at the keyboard.
const STEP_MS: u64 = 20;

/// Runs the device until the person quits.
pub fn run(mut device: Device) -> Done {
    play::in_terminal(|terminal, signals| live(terminal, &mut device, signals))
}

fn live(terminal: &mut ratatui::DefaultTerminal, device: &mut Device, signals: &Signals) -> Done {
    // The button that is down, and for how much longer: a terminal does not tell when a key is let
    // go.
    let mut down: Option<(Button, u64)> = None;
    let mut shown = None;
    while signals.caught().is_none() {
        let started = Instant::now();
        device.wait(STEP_MS).map_err(Failure::check)?;
        let changed = device
            .pico
            .display()
            .and_then(|display| display.counters().last_change);
        if shown != Some(changed) {
            shown = Some(changed);
            let frame = device.frame();
            terminal
                .draw(|canvas| play::show(canvas, &frame))
                .map_err(broken)?;
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
        if down.is_none() && event::poll(spare).map_err(broken)? {
            match event::read().map_err(broken)? {
                event::Event::Key(key) if key.kind != KeyEventKind::Release => {
                    match play::meaning(key) {
                        Key::Quit => return Ok(()),
                        Key::Press(Press::Down(button)) => down = Some((button, TAP_MS)),
                        Key::Press(Press::Held(button)) => {
                            down = Some((button, u64::from(HOLD_MS) + TAP_MS))
                        }
                        Key::None => {}
                    }
                }
                event::Event::Resize(..) => shown = None,
                _ => {}
            }
            if let Some((button, _)) = down {
                device.press(button);
            }
        } else if down.is_some() {
            std::thread::sleep(spare);
        }
    }
    Ok(())
}

fn broken(error: std::io::Error) -> Failure {
    Failure::Usage(format!("terminal: {error}"))
}

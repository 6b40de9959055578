//! Buttons: edges of pins become presses in a queue.

use dojo_handheld::input::Keys;
use dojo_handheld::{Button, Press};
use embassy_futures::select::select_array;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_time::{Duration, Instant, with_timeout};

use crate::boards::Buttons;

/// Presses that the console has not seen yet. A person does not get ahead by this many.
pub(crate) static PRESSES: Channel<CriticalSectionRawMutex, Press, 16> = Channel::new();

/// While a button is down its level is looked at this often, for repeating, holding and letting go.
const BUSY: Duration = Duration::from_millis(5);
/// Otherwise edges wake the task, and this is for an edge that fell between two waits.
const IDLE: Duration = Duration::from_millis(20);

/// Turns the pins into presses, for ever.
#[embassy_executor::task]
pub(crate) async fn watch(mut pins: Buttons) {
    let mut keys = Keys::new();
    // What is down at the start chose how to start and is no press.
    for button in Button::ALL {
        let _ = keys.update(
            button,
            is_down(&pins, button),
            Instant::now().as_millis() as u32,
        );
    }
    loop {
        let patience = if keys.any_down() { BUSY } else { IDLE };
        let edges = select_array(pins.each_mut().map(|(_, pin)| pin.wait_for_falling_edge()));
        let edge = with_timeout(patience, edges).await.ok();
        let now = Instant::now().as_millis() as u32;
        let mut report = |button, is_down| {
            if let Some(press) = keys.update(button, is_down, now) {
                // A full queue means that nobody reads it; the watchdog will see to that.
                let _ = PRESSES.try_send(press);
            }
        };
        // The edge itself counts: a short press may be over by the time the flash lets the program go on.
        if let Some(((), index)) = edge {
            report(pins[index].0, true);
        }
        for button in Button::ALL {
            report(button, is_down(&pins, button));
        }
    }
}

/// Whether any of a button's pins is connected to ground.
pub(crate) fn is_down(pins: &Buttons, button: Button) -> bool {
    pins.iter().any(|(of, pin)| *of == button && pin.is_low())
}

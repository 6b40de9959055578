//! Buttons: waits for edges at the pins and queues presses.

use dojo_handheld::input::Keys;
use dojo_handheld::{Button, Press};
use embassy_futures::select::select_array;
use embassy_rp::gpio::DormantWakeConfig;
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::channel::Channel;
use embassy_sync::signal::Signal;
use embassy_time::{Duration, Instant, with_timeout};

use crate::boards::Buttons;
use crate::power;

/// Presses that the console has not handled yet: more than a person makes during a frame.
pub(crate) static PRESSES: Channel<CriticalSectionRawMutex, Press, 16> = Channel::new();

/// Polling interval while a button is down, for repeats, holding and release.
const BUSY: Duration = Duration::from_millis(5);
/// Polling interval otherwise, for an edge between two waits; other edges wake the task.
const IDLE: Duration = Duration::from_millis(20);

/// Request to switch off, and the end of that.
static SLEEP: Signal<CriticalSectionRawMutex, ()> = Signal::new();
static AWAKE: Signal<CriticalSectionRawMutex, ()> = Signal::new();

/// A level, not an edge: an edge of long ago would count.
const WAKE: DormantWakeConfig = DormantWakeConfig {
    edge_high: false,
    edge_low: false,
    level_high: false,
    level_low: true,
};

/// Switches off until a button is pressed; its press follows. Returns at once if a button is down
/// or was just pressed.
pub(crate) async fn sleep() {
    AWAKE.reset();
    SLEEP.signal(());
    AWAKE.wait().await;
}

/// Queues presses, for ever.
#[embassy_executor::task]
pub(crate) async fn watch(mut pins: Buttons) {
    let mut keys = Keys::new();
    // A button that is down at the start chooses the start mode and is no press.
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
                // A full queue means that the main loop hangs; the watchdog restarts it.
                let _ = PRESSES.try_send(press);
            }
        };
        // The edge itself counts: a short press may be over by the time the flash lets the program
        // go on.
        if let Some(((), index)) = edge {
            report(pins[index].0, true);
        }
        for button in Button::ALL {
            report(button, is_down(&pins, button));
        }
        if SLEEP.try_take().is_some() {
            if !keys.any_down() && PRESSES.is_empty() {
                let woken = sleep_on(&mut pins);
                let now = Instant::now().as_millis() as u32;
                if let Some(press) = keys.update(woken, true, now) {
                    let _ = PRESSES.try_send(press);
                }
            }
            AWAKE.signal(());
        }
    }
}

/// Sleeps until one of the pins is low, and says which button that is. A short press may be over
/// before the crystal is up again: then it passes for an A, which does nothing but wake the console
/// either.
fn sleep_on(pins: &mut Buttons) -> Button {
    let enabled = pins.each_mut().map(|(_, pin)| pin.dormant_wake(WAKE));
    power::sleep();
    drop(enabled);
    let down = Button::ALL
        .into_iter()
        .find(|&button| is_down(pins, button));
    down.unwrap_or(Button::A)
}

/// Whether any of a button's pins is connected to ground.
pub(crate) fn is_down(pins: &Buttons, button: Button) -> bool {
    pins.iter().any(|(of, pin)| *of == button && pin.is_low())
}

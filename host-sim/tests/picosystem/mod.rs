//! The image for the PicoSystem on its own board, beside the tests that run on every board.

use super::*;
use pico_emulator::{St7789, St7789Pins};

const BOARD: &boards::BoardSpec = Wiring::PicoSystem.board();

fn torn(twin: &Twin) -> u64 {
    let display = twin.device.pico.display().expect("a panel");
    display.counters().torn
}

#[test]
fn random_presses_leave_the_picosystem_alive_and_tear_no_picture() {
    let mut twin = booted(Wiring::PicoSystem);
    stays_alive(&mut twin, 200, 6);
    assert_eq!(torn(&twin), 0);
    assert_eq!(twin.device.pico.refusals(), []);
}

#[test]
fn a_press_is_seen_in_time_although_pictures_wait_for_the_panel() {
    let mut twin = booted(Wiring::PicoSystem);
    assert!(twin.device.pico.now_us() < 500_000);
    twin.wait(100);
    let full = twin.slowest(&["A", "B"], 12);
    let mut twin = booted(Wiring::PicoSystem);
    twin.presses("A down A down A A");
    assert_eq!(twin.screen(), "board");
    let cursor = twin.slowest(&["right", "down"], 12);
    println!(
        "picosystem: press to the first changed pixel {} µs, cursor {} µs; to the last one {} and {} µs",
        full.first_us, cursor.first_us, full.whole_us, cursor.whole_us
    );
    assert!(full.first_us <= 50_000 && cursor.first_us <= 50_000);
    assert!(full.whole_us <= 70_000 && cursor.whole_us <= 50_000);
}

/// The line may be broken, or the panel slow to begin.
#[test]
fn a_panel_without_its_tearing_signal_works_all_the_same() {
    let mut twin = Twin::new(
        &image_of(Wiring::PicoSystem, bank::SHIPPED),
        Wiring::PicoSystem,
    );
    let silent = St7789::new(St7789Pins {
        tearing: None,
        ..BOARD.lcd
    });
    twin.device
        .pico
        .attach(Display::St7789(silent.mounted_for(BOARD.madctl)));
    twin.until_frame();
    twin.wait(100);
    twin.presses("A A");
    assert_eq!(twin.screen(), "board");
    let worst = twin.slowest(&["right", "left"], 8);
    assert!(worst.first_us <= 50_000, "{} µs", worst.first_us);
}

/// The last voltage and charging that the console was told.
fn told(twin: &Twin) -> Option<(u16, bool)> {
    let mut lines = twin.device.pico.log().iter().rev();
    let battery = |event: Event<'_>| match event {
        Event::Battery(battery) => Some((battery.millivolts, battery.charging)),
        _ => None,
    };
    lines.find_map(|line| event_log::event(&line.text, battery).flatten())
}

/// Colours that shine at some moment of the next eleven seconds: red, green, blue.
fn flashes(twin: &mut Twin) -> [u32; 3] {
    let pins = BOARD.led.expect("an LED");
    let mut lit = [0; 3];
    let end = twin.device.pico.now_us() + 11_000_000;
    while twin.device.pico.now_us() < end {
        twin.wait(10);
        for (count, pin) in lit.iter_mut().zip(pins) {
            *count += u32::from(twin.device.pico.pin(pin));
        }
    }
    lit
}

#[test]
fn the_battery_is_told_at_the_start_and_followed() {
    let battery = BOARD.battery.expect("a battery");
    let mut twin = booted(Wiring::PicoSystem);
    let (millivolts, charging) = told(&twin).expect("it is told before the title");
    assert!(
        (3790..=3810).contains(&millivolts) && !charging,
        "{millivolts}"
    );
    assert_eq!(flashes(&mut twin), [0; 3], "nothing to say");
    // It follows slowly: a dip under load is no empty battery.
    twin.device.set_battery(3.3);
    twin.wait(10_100);
    let first = told(&twin).expect("news").0;
    assert!((3600..3790).contains(&first), "{first}");
    twin.device.wait(180_000).expect("no fault");
    twin.follow();
    let last = told(&twin).expect("news").0;
    assert!((3290..=3320).contains(&last), "{last}");
    let [red, green, blue] = flashes(&mut twin);
    assert!(
        (1..=20).contains(&red) && green == 0 && blue == 0,
        "{red} {green} {blue}"
    );
    // The charger's pin means nothing without USB.
    twin.device.pico.set_pin(battery.charging_low, false);
    twin.wait(200);
    assert_eq!(told(&twin).map(|told| told.1), Some(false));
    twin.device.pico.set_pin(battery.usb, true);
    twin.wait(200);
    assert_eq!(told(&twin).map(|told| told.1), Some(true));
    let [red, green, blue] = flashes(&mut twin);
    assert!(
        red == 0 && (1..=20).contains(&green) && blue == 0,
        "{red} {green} {blue}"
    );
    // A rest of the charger is not its end.
    twin.device.pico.release_pin(battery.charging_low);
    twin.wait(2000);
    assert_eq!(told(&twin).map(|told| told.1), Some(true));
    twin.wait(1500);
    assert_eq!(told(&twin).map(|told| told.1), Some(false));
    twin.device.pico.set_pin(battery.charging_low, false);
    twin.wait(200);
    twin.device.pico.set_pin(battery.usb, false);
    twin.wait(200);
    assert_eq!(told(&twin).map(|told| told.1), Some(false), "pulled out");
}

#[test]
fn a_pico_has_no_gauge() {
    let mut twin = booted(Wiring::Lcd);
    twin.wait(11_000);
    assert_eq!(told(&twin), None);
}

#[test]
fn a_fault_is_told_and_b_at_the_start_is_safe_mode_on_the_picosystem() {
    let mut twin = booted(Wiring::PicoSystem);
    twin.presses("A A A");
    twin.wait(1000);
    restart_by(&mut twin, &[0x00, 0xDE, 0x00, 0xDE]);
    assert_eq!(twin.screen(), "trouble");
    assert!(twin.logged("event Trouble(\"It had to restart: fault at 0x10"));
    twin.press(Button::A);
    assert_eq!((twin.screen(), twin.moves()), ("board", 2));
    twin.device.pico.power_cycle();
    twin.device.press(Button::B);
    twin.until_frame();
    assert!(twin.logged("event Trouble(\"Safe mode") && twin.console.session().is_none());
    twin.device.release(Button::B);
    twin.device.pico.power_cycle();
    twin.device.press(Button::B);
    twin.device.press(Button::Y);
    assert!(matches!(twin.device.wait(1000), Err(Fault::UsbBoot)));
}

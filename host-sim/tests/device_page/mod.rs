//! Settings, Device on the image: self-test, update mode and factory reset.

use super::*;
use dojo_core::bank::kept::SECTOR;

/// From the title to the page Device. Without a bank the menu has fewer rows.
fn to_device(twin: &mut Twin) {
    twin.press(Button::A);
    while !told(twin).contains("> Settings") {
        twin.press(Button::Down);
    }
    twin.presses("A up A");
}

/// Of the flash: where the brains start, and behind them the saves up to the end.
const USER: usize = flash_map::USER.offset() as usize;

/// What is heard of the screen. The device shows the same: the twin compares every picture.
fn told(twin: &mut Twin) -> String {
    let mut words = String::new();
    let mut frame = Frame::new(twin.wiring.screen());
    twin.console.draw_and_tell(&mut frame, &mut words);
    words.replace('\n', " ")
}

#[test]
fn the_test_of_buttons_sees_every_pin() {
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        let mut twin = booted(wiring);
        to_device(&mut twin);
        twin.presses("A A");
        assert_eq!(twin.screen(), "button test");
        for (number, button) in Button::ALL.into_iter().enumerate() {
            twin.press(button);
            assert!(told(&mut twin).contains(&format!("{} of 8", number + 1)));
        }
        twin.hold(Button::B, 800);
        twin.wait(100);
        assert_eq!(twin.screen(), "self-test");
        // Every pattern of the pixels is compared on the panel itself.
        twin.presses("down A A A A A A A A A A");
        assert_eq!(twin.screen(), "self-test");
    }
}

#[test]
fn the_battery_is_shown_where_there_is_a_gauge() {
    let mut twin = booted(Wiring::PicoSystem);
    to_device(&mut twin);
    twin.presses("down A");
    assert!(told(&mut twin).contains("3.79 V"), "{}", told(&mut twin));
    // It is followed while the page is open, and drawn anew.
    let frames = twin.frames;
    twin.device.set_battery(4.1);
    twin.wait(10_100);
    assert!(told(&mut twin).contains("3.8"), "{}", told(&mut twin));
    assert!(twin.frames > frames);
    let usb = twin.wiring.board().battery.expect("a battery");
    twin.device.pico.set_pin(usb.usb, true);
    twin.device.pico.set_pin(usb.charging_low, false);
    twin.wait(300);
    assert!(told(&mut twin).contains("charging"), "{}", told(&mut twin));
    let mut twin = booted(Wiring::Lcd);
    to_device(&mut twin);
    twin.presses("down A");
    assert!(
        told(&mut twin).contains("no battery gauge"),
        "{}",
        told(&mut twin)
    );
}

#[test]
fn the_scale_is_heard() {
    let mut twin = booted(Wiring::Oled);
    to_device(&mut twin);
    twin.presses("A down down A");
    let mut heard = vec![];
    let end = twin.device.pico.now_us() + 3_000_000;
    while twin.device.pico.now_us() < end {
        twin.wait(5);
        let output = twin.device.pico.pwm(twin.wiring.board().sound);
        let pitch = output.filter(|output| output.duty > 0.1);
        let hertz = pitch.map(|output| output.frequency_hz.round() as u32);
        if hertz.is_some() && heard.last() != hertz.as_ref() {
            heard.extend(hertz);
        }
    }
    let scale = [587, 659, 698, 784, 880, 988, 1047];
    let heard = &heard[heard.len() - scale.len()..];
    assert!(
        heard.iter().zip(scale).all(|(a, b)| a.abs_diff(b) <= 1),
        "{heard:?}"
    );
}

/// The test of the flash on a device with this bank, as it is told.
fn flash_test(bank: &'static [u8]) -> String {
    let mut twin = Twin::boot(&image(bank), Wiring::Oled);
    if twin.screen() == "trouble" {
        twin.press(Button::B);
    }
    to_device(&mut twin);
    twin.presses("A up A");
    twin.until("the test ends", |twin| twin.logged("event FlashTested"));
    twin.wait(100);
    assert_eq!(twin.screen(), "flash test");
    told(&mut twin)
}

#[test]
fn the_test_of_the_flash_finds_a_damaged_bank() {
    let good = flash_test(bank::SHIPPED);
    let entries = Bank::new(bank::SHIPPED).unwrap().entries().count();
    assert!(
        good.contains(&format!("Bank good: {entries} models")) && good.contains("Saves good"),
        "{good}"
    );
    let damaged = |at: usize| {
        let mut bytes = bank::SHIPPED.to_vec();
        bytes[at] ^= 0x40;
        flash_test(bytes.leak())
    };
    // A byte of the last payload, and one of the table.
    let last = Bank::new(bank::SHIPPED).unwrap().entries().last().unwrap();
    let inside = last.bytes().as_ptr() as usize - bank::SHIPPED.as_ptr() as usize + 5;
    let told = damaged(inside);
    let words = format!("Bank damaged in entry {}", entries - 1);
    assert!(
        told.contains(&words) && told.contains("Saves good"),
        "{told}"
    );
    let told = damaged(40);
    assert!(told.contains("damaged header"), "{told}");
    let told = flash_test(&[0xFF; 4096]);
    assert!(told.contains("the flash is blank"), "{told}");
}

#[test]
fn power_cuts_while_the_flash_is_tested_lose_nothing() {
    let mut device = with_everything_kept();
    press(&mut device, "B up A up up A up A A up A");
    device.wait(1500).expect("no fault");
    let kept = kept_after_power_on(&device);
    assert!(is_everything(&kept), "{kept:?}");
    let again = |device: &mut Device| {
        device.tap(Button::A)?;
        device.wait(1500)
    };
    let operations = cut_everywhere(&device, again);
    assert!(!operations.is_empty());
    again(&mut device).expect("no fault");
    assert_eq!(kept_after_power_on(&device), kept);
}

#[test]
fn restart_to_update_ends_in_the_boot_loader() {
    for wiring in [Wiring::Lcd, Wiring::Oled] {
        let mut twin = booted(wiring);
        to_device(&mut twin);
        // The second core is at work while the first one leaves.
        twin.presses("down down A A B");
        twin.presses("down A");
        assert_eq!(twin.screen(), "confirm");
        twin.press(Button::Down);
        let before = twin.device.pico.flash().bytes().to_vec();
        let tapped = twin.device.tap(Button::A);
        let outcome = tapped.and_then(|()| twin.device.wait(500));
        assert!(matches!(outcome, Err(Fault::UsbBoot)), "{outcome:?}");
        assert!(matches!(twin.device.pico.off(), Some(Fault::UsbBoot)));
        assert!(twin.device.pico.flash().bytes() == before);
        // Power off and on: nothing to complain about.
        twin.device.pico.power_cycle();
        twin.until("the title", |twin| twin.screen() == "title");
        assert!(!twin.logged("trouble"));
    }
}

fn press(device: &mut Device, names: &str) {
    names
        .split(' ')
        .try_for_each(|name| device.tap(button(name)))
        .expect("no fault");
}

/// The slots of [`with_everything_kept`].
const EVERYTHING: [Slot; 3] = [Slot::Settings, Slot::Statistics, Slot::Game(GameId::Sticks)];

/// Whether all of them are there, and a brain.
fn is_everything(kept: &Kept) -> bool {
    EVERYTHING.iter().all(|slot| kept[slot.index()].is_some()) && kept[SLOTS].is_some()
}

/// A device with a brain, settings, results and a running game, on its board.
fn with_everything_kept() -> Device {
    let mut twin = booted(Wiring::Oled);
    // What counts here is what is erased, not how long it takes.
    twin.device.pico.flash_mut().timing = FlashTiming {
        sector_erase_us: 2_000,
        block_erase_us: 4_000,
        page_program_us: 200,
    };
    twin.presses(TO_STICKS);
    twin.presses("A down down A");
    twin.wait(500);
    twin.presses("B B up up A");
    assert_eq!(twin.screen(), "board");
    twin.play_to_the_end();
    assert_eq!(twin.screen(), "result");
    twin.presses("A");
    twin.wait(700);
    assert_eq!(twin.screen(), "board");
    twin.presses("A");
    twin.wait(1200);
    twin.device
}

/// From the board to the question, with the answer yes chosen.
const TO_RESET: &str = "B up A up up A up A up A down";

#[test]
fn a_factory_reset_erases_what_it_says_and_nothing_else() {
    let mut device = with_everything_kept();
    let before = device.pico.flash().bytes().to_vec();
    press(&mut device, TO_RESET);
    let from = device.pico.log().len();
    let resets = device.pico.stats().resets;
    device.tap(Button::A).expect("no fault");
    device
        .pico
        .run_until_log("event Ready", 10_000_000)
        .expect("it starts again");
    device.wait(500).expect("no fault");
    assert_eq!(device.pico.stats().resets, resets + 1);
    let log: Vec<String> = device.pico.log()[from..]
        .iter()
        .map(|line| event_log::readable(&line.text))
        .collect();
    let troubles: Vec<_> = log
        .iter()
        .filter(|line| line.starts_with("event Trouble"))
        .collect();
    assert!(
        matches!(troubles[..], [only] if only.contains("Factory reset")),
        "{troubles:?}"
    );
    assert!(
        !log.iter()
            .any(|line| line.starts_with("event Restore") || line.contains("Some(BrainCard")),
        "as at the first start"
    );
    let after = device.pico.flash().bytes();
    assert!(after[USER..].iter().all(|&byte| byte == 0xFF));
    assert!(after[..USER] == before[..USER], "firmware and bank stay");
}

#[test]
fn a_factory_reset_is_no_failure_and_shows_as_the_console_draws_it() {
    let mut twin = booted(Wiring::Lcd);
    // One more failure in a row would be safe mode.
    for _ in 0..2 {
        restart_by(&mut twin, &[0x00, 0xDE, 0x00, 0xDE]);
        twin.press(Button::B);
    }
    twin.presses("A down down down down down A A up A up A down");
    assert_eq!(
        (twin.screen(), twin.console.settings().sound),
        ("confirm", false)
    );
    twin.press(Button::A);
    twin.until("the start", |twin| twin.logged("event Trouble(\"Factory"));
    twin.until_frame();
    assert_eq!(twin.screen(), "trouble");
    twin.until("ready", |twin| {
        twin.device
            .pico
            .log()
            .iter()
            .filter(|line| line.text.starts_with("event Ready"))
            .count()
            == 4
    });
    twin.wait(200);
    twin.press(Button::A);
    assert_eq!(twin.screen(), "title");
    assert!(twin.console.settings().sound, "the usual settings");
    // What is kept from now on is kept as ever.
    twin.presses("A A A");
    twin.wait(1000);
    let moves = twin.moves();
    twin.device.pico.power_cycle();
    twin.until_frame();
    assert_eq!((twin.screen(), twin.moves()), ("board", moves));
    assert!(!twin.logged("Safe mode"));
}

#[test]
fn power_cuts_in_a_factory_reset_keep_everything_or_end_in_the_reset() {
    let mut start = with_everything_kept();
    let old = kept_after_power_on(&start);
    assert!(is_everything(&old), "{old:?}");
    press(&mut start, TO_RESET);
    let first = start.pico.flash().log().len();
    let reset = |device: &mut Device| -> Result<(), Fault> {
        device.tap(Button::A)?;
        device
            .pico
            .run_until_log("event Ready", 10_000_000)
            .map(drop)
    };
    let mut whole = start.clone();
    reset(&mut whole).expect("no fault");
    let operations = whole.pico.flash().log().len() - first;
    assert!(
        operations >= (0x20_0000 - USER) / SECTOR + 3,
        "{operations}"
    );
    for number in 0..operations {
        for moment in [
            CutMoment::Before,
            CutMoment::Middle,
            CutMoment::MiddleTorn,
            CutMoment::After,
        ] {
            let mut device = start.clone();
            device.pico.flash_mut().cut_power_at(first + number, moment);
            let cut = reset(&mut device);
            assert!(
                matches!(cut, Err(Fault::PowerCut { .. })),
                "{number}: {cut:?}"
            );
            device.pico.flash_mut().cancel_power_cut();
            device.pico.power_cycle();
            let from = device.pico.log().len();
            device
                .pico
                .run_until_log("event Ready", 10_000_000)
                .expect("it starts");
            let log: Vec<String> = device.pico.log()[from..]
                .iter()
                .map(|line| event_log::readable(&line.text))
                .collect();
            let has = |part: &str| log.iter().any(|line| line.contains(part));
            let complaint = log
                .iter()
                .find(|line| line.starts_with("event Trouble") && !line.contains("Factory reset"));
            assert!(complaint.is_none(), "{number} {moment:?}: {complaint:?}");
            let is_old = EVERYTHING
                .iter()
                .all(|slot| has(&format!("event Restore({slot:?},")))
                && has("Some(BrainCard");
            let is_new = !has("event Restore")
                && !has("Some(BrainCard")
                && device.pico.flash().bytes()[USER..]
                    .iter()
                    .all(|&byte| byte == 0xFF);
            assert!(is_old || is_new, "{number} {moment:?}");
            if is_old {
                assert_eq!(kept_after_power_on(&device), old, "{number} {moment:?}");
            }
            // Saving goes on as ever: the message, the title, the menu, a game and a move.
            if number % 8 == 0 && moment == CutMoment::MiddleTorn {
                press(&mut device, if is_old { "A" } else { "A A A A" });
                device.wait(1200).expect("no fault");
                let kept = kept_after_power_on(&device);
                assert!(
                    kept[EVERYTHING[2].index()].is_some() && (is_old || kept[SLOTS].is_none()),
                    "{kept:?}"
                );
            }
        }
    }
}

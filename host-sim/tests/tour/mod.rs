//! A tour of the screens on all three boards. Every frame is compared, and every rule of the
//! emulator holds.

use super::*;
use dojo_core::games::GoRules;

const BOARDS: [Wiring; 3] = [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem];

fn all_is_well(twin: &Twin) {
    let pico = &twin.device.pico;
    assert_eq!((pico.refusals(), pico.stats().resets), (&[][..], 0));
    let display = pico.display().expect("one");
    assert_eq!(display.counters().torn, 0, "{:?}", twin.wiring);
    if let Display::St7789(panel) = display {
        assert_eq!(panel.complaints(), []);
    }
}

#[test]
fn every_menu_is_walked_on_three_boards() {
    for wiring in BOARDS {
        let mut twin = booted(wiring);
        twin.press(Button::A);
        for screen in ["games", "learn", "puzzles", "wall", "settings", "about"] {
            twin.presses("down A");
            assert_eq!(twin.screen(), screen, "{wiring:?}");
            twin.presses("down down up B");
            assert_eq!(twin.screen(), "menu", "{wiring:?}");
        }
        for (number, id) in GameId::ALL.into_iter().enumerate() {
            let mut twin = booted(wiring);
            twin.presses("A down A");
            for _ in 0..number {
                twin.press(Button::Down);
            }
            twin.presses("A A");
            assert_eq!(twin.screen(), "board", "{wiring:?} {id:?}");
            assert_eq!(
                twin.console.session().map(|session| session.game().id()),
                Some(id)
            );
            twin.presses("right down left up");
            twin.hold(Button::B, 700);
            twin.wait(TAP_MS);
            assert_eq!(twin.screen(), "pause", "{wiring:?} {id:?}");
            twin.presses("down down up B B up A");
            assert_eq!(twin.screen(), "menu", "{wiring:?} {id:?}");
            all_is_well(&twin);
        }
        all_is_well(&twin);
    }
}

/// The machine plays itself at white belt, with a chip whose flash is as slow as it may be and
/// whose noise is constant.
fn play_a_game_of_each_kind(wiring: Wiring) {
    for id in GameId::ALL {
        let rules = match AnyRules::new(id) {
            AnyRules::Go(_) => AnyRules::Go(GoRules::new(5).expect("a board of 5×5")),
            rules => rules,
        };
        let setup = Setup {
            rules,
            seats: [Seat::Machine(Belt::White); 2],
            starter: Starter::One,
        };
        let mut image = image_of(wiring, bank::SHIPPED);
        let saved = with_game(&Session::new(setup, Player::First)).expect("a short game");
        image.patch(SAVES_ADDRESS, &saved).expect("the saves fit");
        let mut twin = Twin::new(&image, wiring);
        twin.device.pico.bias_random(0);
        twin.device.pico.flash_mut().timing = FlashTiming::MAXIMUM;
        twin.until_frame();
        let end = twin.device.pico.now_us() + 300_000_000;
        while matches!(twin.screen(), "board" | "scoring") {
            assert!(twin.device.pico.now_us() < end, "{wiring:?} {id:?}");
            twin.wait(100);
            // The last word on dead stones is a person's.
            if twin.screen() == "scoring" {
                twin.press(Button::A);
            }
        }
        assert_eq!(twin.screen(), "result", "{wiring:?} {id:?}");
        let session = twin.console.session().expect("a game");
        assert!(session.game().outcome().is_some(), "{wiring:?} {id:?}");
        println!(
            "{wiring:?} {id:?}: {} moves, {} frames",
            twin.moves(),
            twin.frames
        );
        all_is_well(&twin);
    }
}

#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn a_game_of_each_kind_on_the_lcd() {
    play_a_game_of_each_kind(Wiring::Lcd);
}

#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn a_game_of_each_kind_on_the_oled() {
    play_a_game_of_each_kind(Wiring::Oled);
}

#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn a_game_of_each_kind_on_the_picosystem() {
    play_a_game_of_each_kind(Wiring::PicoSystem);
}

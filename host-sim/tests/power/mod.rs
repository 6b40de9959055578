//! Clocks that fall, displays that sleep, and the device switched off and woken by a button.

use super::*;

const FAST_HZ: u64 = 200_000_000;
/// The crystal.
const SLOW_HZ: u64 = 12_000_000;

/// Press to the lit picture: of a display that has been dark for a while, of a device that was off,
/// and of an LCD in the first 120 ms of its sleep, which it has to sleep out.
const WAKE_US: u64 = 50_000;
const OFF_WAKE_US: u64 = 60_000;
const FALLING_ASLEEP_US: u64 = 180_000;

impl Twin {
    /// Lets time pass in which nothing is drawn.
    fn idle(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.device.wait(1000).expect("no fault");
            self.follow();
        }
    }

    fn clock_hz(&self) -> u64 {
        self.device.pico.clock_hz()
    }

    /// Whether somebody can see the picture.
    fn shines(&self) -> bool {
        match self.wiring {
            Wiring::Lcd | Wiring::PicoSystem => {
                let light = self.device.pico.pwm(self.wiring.board().light);
                self.is_lit() && light.is_some_and(|pwm| pwm.duty > 0.7)
            }
            _ => self.is_lit(),
        }
    }

    /// Presses and waits for the light; the picture must be the right one at once. Answers how long
    /// it took.
    fn wake_by(&mut self, pin: u8) -> u64 {
        let start = self.device.pico.now_us();
        self.device.pico.set_pin(pin, false);
        self.until("the light", Twin::shines);
        let took = self.device.pico.now_us() - start;
        assert!(
            self.device.frame().bytes() == self.expected().bytes(),
            "the picture is there before the light"
        );
        self.wait(TAP_MS);
        self.device.pico.release_pin(pin);
        self.wait(TAP_MS);
        took
    }
}

/// In the middle of a game of 15 sticks, after a move of each side.
fn playing(wiring: Wiring) -> Twin {
    let mut twin = booted(wiring);
    twin.presses("A A A");
    twin.until("a reply", |twin| twin.moves() == 2);
    // Until its stick has flown away.
    twin.wait(400);
    twin
}

/// The same, four minutes and 59 seconds later; the display is dimmed.
fn dimmed(wiring: Wiring) -> Twin {
    static DIMMED: [OnceLock<Twin>; 5] = [const { OnceLock::new() }; 5];
    DIMMED[wiring as usize]
        .get_or_init(|| {
            let mut twin = playing(wiring);
            twin.idle(298);
            assert!(twin.is_lit());
            twin
        })
        .clone()
}

#[test]
fn the_clock_falls_while_nobody_does_anything() {
    let mut twin = booted(Wiring::Lcd);
    let light = |twin: &Twin| {
        twin.device
            .pico
            .pwm(Wiring::Lcd.board().light)
            .expect("a light")
            .frequency_hz
            .round()
    };
    twin.press(Button::A);
    assert_eq!((twin.clock_hz(), light(&twin)), (FAST_HZ, 20_000.0));
    twin.wait(1000);
    assert_eq!((twin.clock_hz(), light(&twin)), (SLOW_HZ, 20_000.0));
    // Tidying up, after three seconds, is work.
    twin.until("a look at the stacks", |twin| twin.logged("stack free"));
    twin.wait(100);
    assert_eq!(twin.clock_hz(), SLOW_HZ);
    let before = twin.device.pico.stats();
    twin.idle(10);
    let after = twin.device.pico.stats();
    let awake = |core: usize| {
        let idle = after.idle_cycles[core] - before.idle_cycles[core];
        1000 - idle * 1000 / (after.cycles - before.cycles)
    };
    println!("at rest: awake {} and {} of 1000", awake(0), awake(1));
    assert!(awake(0) < 100 && awake(1) < 10, "both cores sleep");
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        let mut worst = 0;
        for press in 0..6 {
            let mut twin = booted(wiring);
            twin.wait(1000 + press * 9);
            assert_eq!(twin.clock_hz(), SLOW_HZ);
            worst = worst.max(worst_latency(&mut twin, &["A"], 1));
            assert_eq!(twin.screen(), "menu");
        }
        println!("{wiring:?}: press to the last changed pixel, at rest: {worst} us");
        assert!(worst <= 50_000, "{wiring:?}: {worst} us");
    }
}

#[test]
fn a_machine_that_thinks_or_learns_keeps_its_clock() {
    // A pupil, and a hint at Go, which is thought about for seconds.
    let setup = Setup {
        seats: [Seat::Person; 2],
        ..Setup::new(GameId::Go)
    };
    let mut image = image(bank::SHIPPED);
    let session = Session::new(setup, Player::First);
    image
        .patch(SAVES_ADDRESS, &with_game(&session).expect("a short game"))
        .expect("the saves fit");
    let mut go = Twin::boot(&image, Wiring::Oled);
    go.press(Button::X);
    go.until("a thought", |twin| twin.logged("think 1"));
    let mut lesson = booted(Wiring::Oled);
    lesson.presses(TO_DOTS);
    for mut twin in [go, lesson] {
        for _ in 0..60 {
            twin.wait(20);
            assert_eq!(twin.clock_hz(), FAST_HZ);
        }
        assert!(!twin.logged("event Answer { id: 1,"));
        twin.press(Button::B);
        twin.wait(1000);
        assert_eq!(twin.clock_hz(), SLOW_HZ, "{} stops it", twin.screen());
    }
}

#[test]
fn a_dark_display_sleeps_and_wakes_with_its_picture() {
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        let pin = |button| wiring.board().pin(button);
        let mut twin = dimmed(wiring);
        twin.until("the dark", |twin| !twin.is_lit());
        let moves = twin.console.session().expect("a game").moves().to_vec();
        let mut hasty = twin.clone();
        let took = hasty.wake_by(pin(Button::A));
        println!("{wiring:?}: press just after the light went out: {took} us");
        assert!(took <= FALLING_ASLEEP_US, "{took} us");
        twin.idle(2);
        assert_eq!(twin.clock_hz(), SLOW_HZ);
        assert_eq!(twin.device.pico.pixels().lit_pixels(), 0);
        let took = twin.wake_by(pin(Button::A));
        println!("{wiring:?}: press to the lit picture, dark: {took} us");
        assert!(took <= WAKE_US, "{took} us");
        for twin in [hasty, twin] {
            assert_eq!(twin.screen(), "board");
            assert_eq!(twin.console.session().expect("a game").moves(), moves);
            assert_eq!(twin.device.pico.refusals(), []);
        }
    }
}

#[test]
fn every_button_wakes_the_device_that_has_switched_itself_off() {
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        let pin = |button| wiring.board().pin(button);
        let mut twin = dimmed(wiring);
        twin.idle(298);
        assert!(!twin.device.pico.is_dormant());
        twin.until("its sleep", |twin| twin.device.pico.is_dormant());
        assert!(!twin.device.pico.ring_oscillator_is_on());
        let cycles = twin.device.pico.stats();
        // For a day; the watchdog does not mind.
        twin.device.wait(86_400_000).expect("no fault");
        assert!(twin.device.pico.is_dormant() && !twin.is_lit());
        assert_eq!(
            twin.device.pico.stats().instructions,
            cycles.instructions,
            "nothing ran"
        );
        let mut worst = 0;
        for &(_, pin) in wiring.board().buttons {
            let mut twin = twin.clone();
            worst = worst.max(twin.wake_by(pin));
            assert_eq!((twin.screen(), twin.moves()), ("board", 2), "GP{pin}");
            assert!(twin.device.pico.ring_oscillator_is_on());
            assert_eq!(twin.device.pico.stats().resets, 0);
            assert_eq!(twin.device.pico.refusals(), []);
        }
        println!("{wiring:?}: press to the lit picture, off: {worst} us");
        assert!(worst <= OFF_WAKE_US, "{worst} us");
        // A press that is over before the crystal is up.
        let mut short = twin.clone();
        short.device.pico.set_pin(pin(Button::B), false);
        short.wait(2);
        short.device.pico.release_pin(pin(Button::B));
        short.until("the light", Twin::shines);
        assert_eq!((short.screen(), short.moves()), ("board", 2));
        // It is as it was: the game goes on, the clock is fast when it has to be, and a hang is
        // noticed.
        twin.wake_by(pin(Button::Right));
        assert_eq!(twin.clock_hz(), FAST_HZ);
        let mut hangs = twin.clone();
        let took = restart_by(&mut hangs, &[0xFE, 0xE7, 0xFE, 0xE7]);
        assert!((1_900_000..2_200_000).contains(&took), "{took} us");
        assert_eq!((hangs.screen(), hangs.moves()), ("trouble", 2));
        assert_eq!(hangs.device.pico.stats().resets, 1);
        twin.play_to_the_end();
        assert_eq!(twin.screen(), "result");
    }
}

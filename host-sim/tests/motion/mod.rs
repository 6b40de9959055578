//! Motion on the image: no press waits for it, and how many pictures a second it has.

use super::*;
use std::collections::BTreeSet;

const BOARDS: [Wiring; 3] = [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem];

/// Buttons that cross every kind of screen, from the title on; `to:Label` goes down to a row.
const WAYS: &[&str] = &[
    "A A Left Left A X A B Down Down B Y Left A",
    "A to:All_games A Down A A Up A Right A B Up B",
    "A to:All_games A A to:Player_2 A Left X B B to:Rules A Right B B B",
    "A to:All_games A to:Iwoki A A Right A A A Up Right A B B B",
    "A to:All_games A to:Go A A Right Down A Left Right B Down B",
    "A to:All_games A to:Dots A A Up A Down Right A B B",
    "A to:Watch A A A Down A B B",
    "A to:Puzzles A A Right A Left A X B B B B",
    "A to:Results A A A Right B B B",
    "A to:Settings A Right Left Down Right Left to:This_device A A A Left Up A B",
    "A to:About A Right Right B",
];

/// A press may come while anything moves: this long after the last one was let go.
const GAPS_US: [u64; 6] = [20_000, 41_000, 27_000, 66_000, 33_000, 110_000];
const HOLD_MS: u64 = 30;

/// Time from an edge at a button's pin.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Seen {
    /// To the first pixel of the panel that changes by what the press did.
    pub(super) first_us: u64,
    /// To the end of the picture that shows it.
    pub(super) whole_us: u64,
}

impl Twin {
    fn has_logged_since(&self, from: usize, start: &str) -> bool {
        let log = &self.device.pico.log()[from..];
        log.iter().any(|line| line.text.starts_with(start))
    }

    /// Presses a button, and lets go of it.
    fn seen_after(&mut self, button: Button) -> Seen {
        let start = self.device.pico.now_us();
        let from = self.device.pico.log().len();
        self.device.press(button);
        self.until("the press to be told", |twin| {
            twin.has_logged_since(from, "event Press")
        });
        let told = self.device.pico.log().len() - 1;
        let cycle = self.device.pico.stats().cycles;
        let has_changed = |twin: &Twin| {
            let display = twin.device.pico.display().expect("a display");
            display
                .counters()
                .last_change
                .is_some_and(|change| change > cycle)
        };
        self.until("the first pixel", |twin| {
            has_changed(twin) || twin.has_logged_since(told, "frame")
        });
        let first_us = self.device.pico.now_us() - start;
        self.until("the picture", |twin| twin.has_logged_since(told, "frame"));
        let whole_us = self.device.pico.now_us() - start;
        self.wait(HOLD_MS);
        self.device.release(button);
        Seen { first_us, whole_us }
    }

    /// The slowest answers to presses at many moments between two ticks.
    pub(super) fn slowest(&mut self, names: &[&str], presses: u64) -> Seen {
        let mut slowest = Seen::default();
        for press in 0..presses {
            self.wait_us(press * 4_300 % 50_000);
            let seen = self.seen_after(button(names[press as usize % names.len()]));
            slowest.first_us = slowest.first_us.max(seen.first_us);
            slowest.whole_us = slowest.whole_us.max(seen.whole_us);
            self.wait(TAP_MS);
        }
        slowest
    }

    fn is_on(&mut self, label: &str) -> bool {
        let (mut words, mut frame) = (String::new(), Frame::new(self.wiring.screen()));
        self.console.draw_and_tell(&mut frame, &mut words);
        words.contains(&format!("> {}", label.replace('_', " ")))
    }

    fn erases(&self) -> usize {
        let operations = self.device.pico.flash().log().iter();
        let erases = operations.filter(|done| done.kind == FlashOperationKind::EraseSector);
        erases.count()
    }

    /// Microseconds at the end of each picture that was sent since a line of the log.
    fn pictures_since(&self, from: usize) -> Vec<u64> {
        let log = self.device.pico.log()[from..].iter();
        log.filter(|line| line.text.starts_with("frame "))
            .map(|line| micros(&line.timestamp))
            .collect()
    }
}

/// Pictures a second, from the first to the last.
fn a_second(pictures: &[u64]) -> u64 {
    let [first, .., last] = pictures[..] else {
        panic!("{} pictures", pictures.len())
    };
    (pictures.len() as u64 - 1) * 1_000_000 / (last - first)
}

/// The slowest answers to presses in the middle of movements on every kind of screen, and on which
/// screen each was; without presses during which the flash was erased.
pub(super) fn slowest_answers(wiring: Wiring) -> [(u64, &'static str); 2] {
    let mut worst = [(0, ""); 2];
    let mut seen = BTreeSet::new();
    let mut number = 0;
    for way in WAYS {
        let mut twin = booted(wiring);
        twin.wait(100);
        let mut presses = |twin: &mut Twin, button| {
            let erases = twin.erases();
            twin.wait_us(GAPS_US[number % GAPS_US.len()] + 700 * (number as u64 % 48));
            number += 1;
            let answer = twin.seen_after(button);
            if twin.erases() == erases {
                worst[0] = worst[0].max((answer.first_us, twin.screen()));
                worst[1] = worst[1].max((answer.whole_us, twin.screen()));
            }
            seen.insert(twin.screen());
        };
        for word in way.split(' ') {
            match word.strip_prefix("to:") {
                None => presses(&mut twin, button(word)),
                Some(label) => {
                    for _ in 0..30 {
                        if !twin.is_on(label) {
                            presses(&mut twin, Button::Down);
                        }
                    }
                    assert!(twin.is_on(label), "{way}: no {label}");
                }
            }
        }
    }
    println!("{wiring:?}: {number} presses on {seen:?}");
    for screen in [
        "about", "belts", "board", "card", "device", "games", "learn", "lesson", "menu", "pause",
        "puzzles", "rules", "settings", "setup", "wall",
    ] {
        assert!(seen.contains(screen), "{screen} was not seen");
    }
    worst
}

/// Pictures a second while screens slide, the fewest.
pub(super) fn slides_a_second(wiring: Wiring) -> u64 {
    let mut twin = booted(wiring);
    twin.wait(100);
    let mut fewest = u64::MAX;
    for name in "A Down A B A Down A B B B".split(' ') {
        let (from, before) = (twin.device.pico.log().len(), twin.screen());
        twin.press(button(name));
        twin.wait(500);
        if twin.screen() != before {
            fewest = fewest.min(a_second(&twin.pictures_since(from)));
        }
    }
    fewest
}

/// Pictures a second while the cursor glides over a board of Go and both cores search for a hint.
pub(super) fn glides_a_second(wiring: Wiring) -> u64 {
    let mut twin = booted(wiring);
    twin.presses("A down A up up A A");
    assert_eq!(twin.screen(), "board");
    twin.press(Button::X);
    twin.until("a thought", |twin| twin.logged("think 1"));
    let from = twin.device.pico.log().len();
    for name in ["Left", "Up", "Right", "Down", "Left", "Up"] {
        twin.press(button(name));
    }
    assert!(!twin.logged("event Answer { id: 1,"), "both cores think");
    a_second(&twin.pictures_since(from))
}

#[test]
fn a_press_in_the_middle_of_a_movement_is_seen_at_once() {
    for wiring in BOARDS {
        let [(first, screen), (whole, other)] = slowest_answers(wiring);
        println!(
            "{wiring:?}: first pixel after {first} µs ({screen}), whole picture after {whole} µs ({other})"
        );
        assert!(first <= 50_000, "{wiring:?}: {first} µs, {screen}");
    }
}

#[test]
#[ignore = "nothing moves on the device yet"]
fn movements_have_enough_pictures() {
    for wiring in BOARDS {
        let (slides, glides) = (slides_a_second(wiring), glides_a_second(wiring));
        println!(
            "{wiring:?}: {slides} pictures a second of a slide, {glides} of a glide while both cores think"
        );
        assert!(
            slides >= 20 && glides >= 20,
            "{wiring:?}: {slides} and {glides}"
        );
    }
}

/// A press makes the rest of a picture superfluous; what is shown afterwards is right all the same.
#[test]
fn pictures_are_cut_short_by_presses_and_the_next_is_whole() {
    for wiring in BOARDS {
        let mut twin = booted(wiring);
        twin.press(Button::A);
        let from = twin.device.pico.log().len();
        for number in 0..40 {
            let name = ["Down", "A", "B", "Up"][number % 4];
            twin.hold(button(name), 12);
            twin.wait_us(9_000 + 1_700 * (number as u64 % 7));
        }
        let cuts: Vec<bool> = twin.device.pico.log()[from..]
            .iter()
            .filter(|line| line.text.starts_with("cut ") || line.text.starts_with("frame "))
            .map(|line| line.text.starts_with("cut "))
            .collect();
        assert!(cuts.contains(&true), "{wiring:?}");
        assert!(
            cuts.windows(2).all(|pair| pair != [true, true]),
            "{wiring:?}: never two in a row"
        );
        twin.wait(500);
        assert!(
            twin.device.frame().bytes() == twin.expected().bytes(),
            "{wiring:?}"
        );
    }
}

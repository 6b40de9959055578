//! How fast pupils learn on the device, measured on its own image in the emulator while a screen is
//! watched and buttons are pressed.

use dojo_core::bank::kept::{Kept, REGION};
use dojo_core::flash_map::USER;
use dojo_core::game::GameMove;
use dojo_core::games::dots::learner::leave_move;
use dojo_core::games::dots::two_by_two::Opponent;
use dojo_core::games::pupil::Figures;
use dojo_core::games::{DotsRules, GameId};
use dojo_handheld::{Button, Event};

use super::Entry;
use crate::device::{Device, TAP_MS, Wiring, event_log};
use dojo_lab::failure::Failure;
use dojo_lab::games::dots::response::score;
use dojo_lab::output::Progress;
use pico_emulator::Image;

/// Device time within which sticks have to be learned.
const STICKS_S: f64 = 5.0;
/// Device time that dots may take.
const DOTS_S: f64 = 120.0;
/// Dots stop when this many reports in a row are above the goal with something to spare.
const REPORTS: usize = 4;

/// Runs the lessons and returns the figures. Long: a second of the device takes about ten of a PC.
pub(super) fn run(image: &Image) -> Result<Vec<Entry>, Failure> {
    let progress = Progress::new(
        "milliseconds of device time",
        ((STICKS_S + DOTS_S) * 1000.0) as u64,
    );
    let mut entries = sticks(image, &progress)?;
    entries.extend(dots(image, &progress)?);
    for (wiring, name) in [
        (
            Wiring::Lcd,
            "lcd: press to the last changed pixel while dots are learned",
        ),
        (
            Wiring::Oled,
            "oled: press to the last changed pixel while dots are learned",
        ),
    ] {
        entries.push(entry(
            name,
            latency(image, wiring)?,
            "ms",
            "50 at most",
            50.0,
        ));
    }
    Ok(entries)
}

fn entry(
    name: &'static str,
    value: f64,
    unit: &'static str,
    reference: &'static str,
    target: f64,
) -> Entry {
    Entry {
        name: name.into(),
        value,
        unit,
        reference,
        ratio: value / target,
    }
}

fn sticks(image: &Image, progress: &Progress) -> Result<Vec<Entry>, Failure> {
    let mut lesson = Lesson::begin(image, Wiring::Oled, GameId::Sticks)?;
    while !lesson.last().is_some_and(|(_, done)| done) && lesson.seconds() < 4.0 * STICKS_S {
        lesson.wait(50, progress)?;
    }
    let Some((figures, _)) = lesson.last() else {
        return Err(Failure::check("no pupil learns on this image"));
    };
    let seconds = lesson.learned_s();
    let percent = |thousandths: u16| f64::from(thousandths) / 10.0;
    Ok(vec![
        entry(
            "sticks: device time to learn",
            seconds,
            "s",
            "5 at most",
            STICKS_S,
        ),
        entry(
            "sticks: learning",
            f64::from(figures.games) / seconds,
            "games/s",
            "6000",
            6000.0,
        ),
        entry(
            "sticks: sure states",
            percent(figures.sure),
            "%",
            "90 at least",
            90.0,
        ),
        entry(
            "sticks: sure states that are wrong",
            figures.wrong.into(),
            "states",
            "0",
            1.0,
        ),
        entry(
            "sticks: won states in which the win is kept",
            percent(figures.strength),
            "%",
            "100",
            100.0,
        ),
    ])
}

fn dots(image: &Image, progress: &Progress) -> Result<Vec<Entry>, Failure> {
    let mut lesson = Lesson::begin(image, Wiring::Oled, GameId::Dots)?;
    let good = |lesson: &Lesson| {
        let last = lesson.reports().rev().take(REPORTS);
        last.filter(|(figures, _)| figures.strength >= 900).count() == REPORTS
    };
    while !good(&lesson) && lesson.seconds() < DOTS_S {
        lesson.wait(200, progress)?;
    }
    let seconds = lesson.seconds();
    // Stop, and keep what it knows: the score is of the very bytes in flash.
    for button in [Button::A, Button::Down, Button::Down, Button::A] {
        lesson.device.tap(button).map_err(Failure::check)?;
    }
    lesson.wait(3000, progress)?;
    let kept =
        Kept::in_region(&lesson.device.pico.flash().bytes()[USER.offset() as usize..][..REGION]);
    let entry_of = kept
        .iter()
        .flat_map(|kept| kept.bank.entries())
        .find(|entry| entry.meta.game == GameId::Dots);
    let Some(brain) = entry_of else {
        return Err(Failure::check("the brain was not kept"));
    };
    let rules = DotsRules::default();
    let choose = |game| leave_move(brain.bytes(), &game).map_or(0, |edge| edge.index() as u8);
    let against =
        |opponent| 100.0 * score(rules, opponent, 0, |state| choose(state.game(rules))).average();
    let smart = against(Opponent::Smart { slips: 0 });
    let games = brain.meta.games as f64;
    Ok(vec![
        entry(
            "dots: device time learned",
            seconds,
            "s",
            "120 at most",
            DOTS_S,
        ),
        entry("dots: games learned", games, "games", "20000", 20_000.0),
        entry("dots: learning", games / seconds, "games/s", "1000", 1000.0),
        entry(
            "dots: score against smart, exact",
            smart,
            "%",
            "80 at least",
            80.0,
        ),
        entry(
            "dots: score against random, exact",
            against(Opponent::Random),
            "%",
            "80 at least",
            80.0,
        ),
    ])
}

/// The longest time from an edge at a pin to the end of the picture that shows what it did, in
/// milliseconds: a pupil is stopped and goes on again and again.
fn latency(image: &Image, wiring: Wiring) -> Result<f64, Failure> {
    let mut device = Lesson::begin(image, wiring, GameId::Dots)?.device;
    let mut worst = 0;
    for press in 0..12 {
        device
            .pico
            .run_for(100_000 + press * 4_300 % 50_000)
            .map_err(Failure::check)?;
        let start = device.pico.now_us();
        device.press(Button::A);
        for line in ["event Press", "frame"] {
            device
                .pico
                .run_until_log(line, 1_000_000)
                .map_err(Failure::check)?;
        }
        worst = worst.max(device.pico.now_us() - start);
        device.wait(TAP_MS).map_err(Failure::check)?;
        device.release(Button::A);
    }
    Ok(worst as f64 / 1000.0)
}

/// A device with a pupil in training.
struct Lesson {
    device: Device,
    begun_us: u64,
}

impl Lesson {
    fn begin(image: &Image, wiring: Wiring, game: GameId) -> Result<Lesson, Failure> {
        let mut device = Device::new(image, wiring);
        device.wait(500).map_err(Failure::check)?;
        // The title, the menu, watch it learn, the game.
        let mut way = vec![Button::A, Button::Down, Button::Down, Button::A];
        way.extend((game == GameId::Dots).then_some(Button::Down));
        for button in way.into_iter().chain([Button::A]) {
            device.tap(button).map_err(Failure::check)?;
        }
        let begun_us = match device
            .pico
            .log()
            .iter()
            .find(|line| line.text.starts_with("learn "))
        {
            Some(line) => micros(&line.timestamp),
            None => {
                return Err(Failure::check(
                    "no lesson begins on this image; its log needs an ELF",
                ));
            }
        };
        Ok(Lesson { device, begun_us })
    }

    fn wait(&mut self, millis: u64, progress: &Progress) -> Result<(), Failure> {
        self.device.wait(millis).map_err(Failure::check)?;
        progress.advance(millis);
        Ok(())
    }

    /// Device time since the beginning.
    fn seconds(&self) -> f64 {
        (self.device.pico.now_us() - self.begun_us) as f64 / 1e6
    }

    /// Device time from the beginning to the last report.
    fn learned_s(&self) -> f64 {
        let line = self
            .device
            .pico
            .log()
            .iter()
            .rev()
            .find(|line| line.text.starts_with("event Learned"));
        line.map_or(0.0, |line| {
            (micros(&line.timestamp) - self.begun_us) as f64 / 1e6
        })
    }

    fn last(&self) -> Option<(Figures, bool)> {
        self.reports().next_back()
    }

    /// All reports of the pupil, each with whether training was done.
    fn reports(&self) -> impl DoubleEndedIterator<Item = (Figures, bool)> {
        self.device.pico.log().iter().filter_map(|line| {
            event_log::event(&line.text, |event| match event {
                Event::Learned { figures, done, .. } => Some((figures, done)),
                _ => None,
            })
            .flatten()
        })
    }
}

fn micros(timestamp: &str) -> u64 {
    (timestamp.parse().unwrap_or(0.0) * 1e6) as u64
}

//! Time of a move on the device.

use dojo_core::game::Player;
use dojo_core::games::AnyRules;
use dojo_core::players::belts::Source;
use dojo_handheld::{Event, Seat, Session, Setup, Starter};

use super::saves::{SAVES_ADDRESS, with_game};
use super::{Device, Wiring, event_log};
use dojo_lab::failure::Failure;
use pico_emulator::Image;

/// An answer of the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timed {
    /// The index of the move.
    pub index: u16,
    /// Whether a model of the bank chose it.
    pub by_model: bool,
    /// From the question to the answer, as the first core sees it.
    pub micros: u64,
}

/// Time limit of a move.
const PATIENCE_US: u64 = 60_000_000;

/// Switches a device on in the middle of a game in which a machine is to move, and waits for its
/// move.
pub fn think(image: &Image, rules: AnyRules, seat: Seat, moves: &[u16]) -> Result<Timed, Failure> {
    let setup = Setup {
        rules,
        seats: [seat; 2],
        starter: Starter::One,
    };
    let mut session = Session::new(setup, Player::First);
    for &mv in moves {
        session.play(mv).map_err(Failure::check)?;
    }
    let mut image = image.clone();
    let region =
        with_game(&session).ok_or_else(|| Failure::check("the game is too long to be kept"))?;
    image
        .patch(SAVES_ADDRESS, &region)
        .map_err(Failure::check)?;
    let mut device = Device::new(&image, Wiring::Oled);
    device
        .pico
        .run_until_log("event Answer", PATIENCE_US)
        .map_err(Failure::check)?;
    let line = |start: &str| {
        device
            .pico
            .log()
            .iter()
            .rev()
            .find(|line| line.text.starts_with(start))
    };
    let (Some(asked), Some(answer)) = (line("think "), line("event Answer ")) else {
        return Err(Failure::check("the device was not asked for a move"));
    };
    let micros = |timestamp: &str| {
        timestamp
            .parse::<f64>()
            .map_or(0, |seconds| (seconds * 1e6).round() as u64)
    };
    let micros = micros(&answer.timestamp) - micros(&asked.timestamp);
    event_log::event(&answer.text, |event| match event {
        Event::Answer {
            answer: Some(answer),
            ..
        } => Some(Timed {
            index: answer.index()?,
            by_model: answer.source == Source::Brain,
            micros,
        }),
        _ => None,
    })
    .flatten()
    .ok_or_else(|| Failure::check("no move"))
}

//! The handheld as a pure state machine: events in, a picture and commands out.
//!
//! There is no clock, no storage and no chance in here: time, kept bytes and the machine's answers
//! come in as [`Event`]s, and what the outside is asked to do goes out as [`Command`]s. The same
//! events give the same frames on the device, in a terminal and in a browser.
//!
//! ```
//! use dojo_handheld::{Button, Console, Event, Frame, Press, Screen};
//!
//! let mut console = Console::new(1);
//! console.handle(Event::Ready);
//! console.handle(Event::Press(Press::Down(Button::A)));
//! assert_eq!(console.screen_name(), "menu");
//!
//! let mut frame = Frame::new(Screen::Oled);
//! console.draw(&mut frame);
//! ```
//!
//! # Map
//! - [`Console`]: takes events, keeps the stack of screens; `app`: the state that all screens share
//! - `screens`: one small module a screen; `boards`: one a game
//! - [`Session`]: a running game; `scoring`: the optional phase after its last move; `mind`: the
//!   values that the machine gives to its moves; `lesson`: a pupil that learns; `exercise`: puzzles
//!   and steps of lessons; `store`: what is kept over a restart; `earned`: when a belt is yours;
//!   `apprentice`: what it has learned from you; `appraisal`: the story of a
//!   finished game
//! - [`save_file`]: the same as one file; [`wire`]: events and questions as bytes
//! - [`thinking`]: the side that answers questions, the same on every runner
//! - [`Frame`], `faces` and `pen`: the picture, its letters, and drawing on it; [`input`]: pins to
//!   presses; `touch`:
//!   pixels to the things drawn there
//! - `motion`: what moves, and how far; [`sound`]: the cues; [`crest`]: the picture of a model

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // no panic is reachable from outside

#[cfg(feature = "alloc")]
extern crate alloc;
#[cfg(test)]
extern crate std;

mod app;
mod appraisal;
mod apprentice;
mod boards;
mod brush;
mod console;
pub mod crest;
mod earned;
mod event;
mod exercise;
mod faces;
mod frame;
pub mod input;
mod lesson;
mod mind;
mod motion;
mod pen;
pub mod save_file;
mod scoring;
mod screens;
mod session;
#[cfg(feature = "alloc")]
mod shared;
pub mod sound;
#[cfg(test)]
mod specimen;
mod store;
mod strength;
pub mod thinking;
mod touch;
#[cfg(feature = "alloc")]
pub mod trainer;
pub mod wire;
mod words;

pub use apprentice::{Rivalry, parts_of, rivalries_in, values_in};
pub use console::Console;
pub use earned::Challenge;
pub use event::{
    Abilities, BankCard, BankTest, Battery, BrainCard, Brains, Command, Event, FlashTest, Order,
    Purpose, Slot, Tempo,
};
pub use exercise::{ExerciseKind, Games, PUZZLES, PuzzleStars, STARS};
pub use frame::{Frame, Ink, Screen};
pub use input::{Button, Press};
pub use pen::Finding;
pub use session::Session;
pub use store::{
    Comfort, MAX_BYTES, PowerOff, Seat, Settings, Setup, Shift, Starter, Statistics, Tally, Theme,
    VOLUMES,
};
pub use strength::{Strength, strength};
pub use touch::Target;

//! The games of Pocket Dojo and the players that learned them.
//!
//! ```
//! use dojo_core::{game::{Game, Outcome, Player}, games::TicTacToe, players::{Agent, Perfect}, rng::Rng};
//!
//! let mut game = TicTacToe::new(Default::default());
//! assert_eq!(game.legal_moves().count(), 9);
//!
//! // Checked play refuses what the rules forbid and leaves the position as it was.
//! let corner = game.parse_move("a1").unwrap();
//! game.play(corner).unwrap();
//! assert!(game.play(corner).is_err());
//!
//! // Two perfect players always draw.
//! let mut rng = Rng::new(1);
//! while !game.is_over() {
//!     let mv = Perfect.choose(&game, &mut rng).unwrap();
//!     game.play(mv).unwrap();
//! }
//! assert_eq!(game.outcome(), Some(Outcome::Draw));
//! ```
//!
//! # Map
//! - [`game`]: the contract between a game and everything else
//! - [`game_id`]: the one list of games
//! - [`games`]: the games, and [`games::AnyGame`] for code that does not care which
//! - [`record`]: games as text, replayed and checked
//! - [`search`]: looking ahead
//! - [`players`]: players of any game, from random to perfect; [`belt`]: the five levels of strength
//! - [`learn`]: learners that run on the device as well as on a PC
//! - [`memory`]: what players borrow while they think
//! - [`nn`]: learned evaluations in whole numbers
//! - [`bank`]: trained models, read in place from flash; [`flash_map`]: the regions of the flash
//! - [`rng`]: the one random generator
//!
//! The crate needs no allocator, no clock and no floating point; all memory is of fixed size.

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // no panic is reachable from outside

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

pub mod bank;
pub mod belt;
pub mod flash_map;
pub mod game;
pub mod game_id;
pub mod games;
pub mod learn;
pub mod memory;
pub mod nn;
pub mod players;
pub mod record;
pub mod rng;
pub mod search;

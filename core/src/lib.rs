//! The games of Pocket Dojo, their players, and the engines behind them: what the device runs.
//!
//! ```
//! use dojo_core::{game::{Game, Outcome, Player}, games::TicTacToe, players::{Agent, Perfect}, rng::Rng};
//!
//! let mut game = TicTacToe::new(Default::default());
//! assert_eq!(game.legal_moves().count(), 9);
//!
//! // Checked play refuses illegal moves and leaves the position unchanged.
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
//! From the bottom up; a module uses only modules above it in this list (`cargo xtask test` checks
//! that there are no cycles):
//! - [`rng`]: the random generator; [`memory`]: memory that players borrow; [`belt`]: the five
//!   levels of strength; [`fraction`]: numbers between 0 and 1
//! - [`game`]: the contract between a game and everything else; [`game_id`]: the list of games
//! - [`record`]: game records, replayed and checked
//! - [`search`]: alpha-beta search for every game
//! - [`bank`]: trained models, read in place from flash; [`nn`]: neural networks in fixed point
//! - [`players`]: players that know no game, and the contract of the belts
//! - [`learn`]: learners that run on the device as well as on a PC
//! - [`games`]: one folder a game, and [`games::AnyGame`] for code that works with all of them
//! - [`flash_map`]: the regions of the flash, as `memory.x` has them
//!
//! The crate needs no allocator, no clock and no floating point; all memory is of fixed size. Code
//! that only a PC runs is in `dojo_lab`.

#![no_std]
#![forbid(unsafe_code)]
#![warn(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // no panic is reachable from outside

#[cfg(any(test, feature = "alloc"))]
extern crate alloc;

pub mod bank;
pub mod belt;
pub mod flash_map;
pub mod fraction;
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

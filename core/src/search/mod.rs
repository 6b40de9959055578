//! Looking ahead: one engine for every game, in memory that the caller gives, on the device and on a PC.
//!
//! ```
//! use dojo_core::{game::Game, games::TicTacToe, search::{Engine, Plan, Ranked, Slot, Soonest}};
//!
//! let (mut slots, mut moves) = ([Slot::default(); 1024], [Ranked::default(); 81]);
//! let mut engine = Engine::new(&mut slots, &mut moves);
//! let game = TicTacToe::parse_position(Default::default(), "xx./oo./...").unwrap();
//! let found = engine.think(&game, &Plan::new(Soonest), &mut ());
//! assert_eq!(found.mv, game.parse_move("c3").ok());
//! ```
//!
//! # Reading directions
//! Start with [`minimax`], which looks at everything. `alphabeta.rs` leaves out what cannot matter; the same function,
//! with its windows chosen differently, is Scout and NegaScout. [`memory_test`] turns it into SSS* and MTD(f) by asking
//! many small questions. `deepening.rs` looks one move ahead, then two, and so on, until the budget is used up. [`mcts`]
//! does without values and plays games to their end instead.
//!
//! - [`Knowledge`]: what a game tells the search: values, hints, and which risky shortcuts it allows
//! - [`Settings`]: which accelerators are on; [`Stats`]: what each of them did
//! - [`Limits`] and [`Control`]: how long it may take, who may stop it, who is told
//! - `table.rs` and `order.rs`: transposition table and move order
//! - [`tree`]: a game made of nothing but its tree, for tests and lessons

mod alphabeta;
mod budget;
mod deepening;
mod knowledge;
pub mod mcts;
pub mod memory_test;
mod minimax;
mod order;
mod sampled;
mod selective;
mod settings;
mod stats;
mod table;
pub mod tree;

pub use alphabeta::{Engine, value};
pub(crate) use budget::Meter;
pub use budget::{Control, Deadline, Limits, Observer, Report, Stopped, Wanted};
pub use knowledge::{Knowledge, Margins, NEVER, Results, Soonest};
pub use minimax::{minimax, negamax};
pub use order::Ranked;
pub use sampled::{Look, Sum};
pub use settings::{NullMove, Plan, Scheme, Settings};
pub use stats::Stats;
pub use table::{Bound, Slot, Table};

/// How good a position is for the player to move.
pub type Value = i16;

/// A game that is won at once; each move until then takes one off, so that quick wins and slow losses are preferred.
pub const WIN: Value = 10_000;

/// From here on a value means a forced win (and below its negative a forced loss), not an estimate.
pub const PROVEN: Value = WIN - 256;

/// More than any value.
pub const INFINITE: Value = 32_000;

/// No line is longer than this, whatever depth is asked for: the recursion, and so the stack, is bounded.
pub const MAX_PLY: u8 = 64;

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The move to play; `None` if the game is over.
    pub mv: Option<M>,
    /// What it is worth for the player to move.
    pub value: Value,
    /// The depth that was finished; 0 if not even one move ahead was.
    pub depth: u8,
    /// Every line was followed to the end of the game: looking deeper changes nothing.
    pub complete: bool,
    /// The limits or the control ended the search.
    pub stopped: bool,
    /// What it took.
    pub stats: Stats,
}

impl<M> Found<M> {
    pub(crate) fn nothing() -> Found<M> {
        Found {
            mv: None,
            value: 0,
            depth: 0,
            complete: false,
            stopped: false,
            stats: Stats::default(),
        }
    }
}

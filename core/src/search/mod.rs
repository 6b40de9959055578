//! Game-tree search: one alpha-beta engine for every game, in memory borrowed from the caller.
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
//! Start with `alphabeta.rs`: the recursion, which by its choice of windows is alpha-beta, Scout or
//! NegaScout. `deepening.rs` repeats it one ply deeper each time until the budget is used up
//! (iterative deepening), `sampled.rs` runs it over determinizations of hidden information.
//! Minimax, SSS*, MTD(f) and general Monte Carlo search, which no device runs, are in
//! `dojo_lab::search`.
//!
//! - [`Knowledge`]: what a game tells the search: evaluation, move hints, permitted unsound pruning
//! - [`Settings`]: which accelerators are on; [`Stats`]: what each of them did
//! - [`Limits`], [`Control`] and [`Meter`]: node budget, stopping, progress reports
//! - `table.rs` and `order.rs`: transposition table and move ordering
//! - `selective.rs`: quiescence, extensions, futility pruning, null move

mod alphabeta;
mod budget;
mod deepening;
mod knowledge;
mod order;
mod sampled;
mod selective;
mod settings;
mod stats;
mod table;
mod thoughts;

pub use alphabeta::{Engine, Search, value};
pub use budget::{
    Control, Deadline, Limits, Meter, Observer, Part, Report, Stopped, Stopper, Wanted, share,
};
pub use knowledge::{Knowledge, Margins, NEVER, Results, Soonest};
pub use order::Ranked;
pub use sampled::{Look, Sum};
pub use settings::{NullMove, Plan, Scheme, Settings};
pub use stats::Stats;
pub use table::{Bound, Slot, Table};
pub use thoughts::{MAX_THOUGHTS, Thought, Thoughts};

/// How good a position is for the player to move.
pub type Value = i16;

/// The value of a game that is already won. Each ply until the win takes one off, so that quick
/// wins and slow losses are preferred.
pub const WIN: Value = 10_000;

/// Values from here up are forced wins (from its negative down, forced losses), not estimates.
pub const PROVEN: Value = WIN - 256;

/// Above every value.
pub const INFINITE: Value = 32_000;

/// Longest line, whatever depth is asked for: it bounds the recursion and so the stack.
pub const MAX_PLY: u8 = 64;

/// The answer of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<M> {
    /// The move to play; `None` if the game is over.
    pub mv: Option<M>,
    /// Its value for the player to move.
    pub value: Value,
    /// The deepest completed depth; 0 if not even depth 1 was completed.
    pub depth: u8,
    /// Every line ended with the game: a deeper search would change nothing.
    pub complete: bool,
    /// The limits or the control ended the search.
    pub stopped: bool,
    /// Counters of the search.
    pub stats: Stats,
}

impl<M> Found<M> {
    /// No move, value 0, all counters 0: what a search starts from.
    pub fn nothing() -> Found<M> {
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

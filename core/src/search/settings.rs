//! Which parts of the engine are switched on.

use crate::search::{Limits, Value};

/// How windows are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Every move is searched with the whole window.
    AlphaBeta,
    /// The first move is searched, the others are only tested for being better; one that is gets a search of its own
    /// with an open window.
    Scout,
    /// The same, but the second search starts from what the test proved and stays inside the window. Also known as
    /// principal variation search.
    #[default]
    NegaScout,
}

/// Null move: if doing nothing is already too good for the opponent to allow, a real move is as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMove {
    /// How much shallower the search after the null move is.
    pub reduction: u8,
    /// Whether a shallower search with real moves must confirm the result.
    pub verified: bool,
}

/// The switches. The sound ones never change the value of a search; the unsound ones work only where the game's
/// [`Knowledge`](crate::search::Knowledge) allows them too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How windows are chosen. Sound.
    pub scheme: Scheme,
    /// Use the transposition table for values. Sound.
    pub table: bool,
    /// Try the table's move first. Sound.
    pub hash_move: bool,
    /// Try moves first that cut at the same ply before. Sound.
    pub killers: bool,
    /// Try moves first that cut often anywhere. Sound.
    pub history: bool,
    /// Try moves first that the game finds promising. Sound.
    pub promise: bool,
    /// Iterative deepening starts from the last value ± this much; 0 for an open window. Sound.
    pub aspiration: Value,
    /// Play the book's move where there is one.
    pub book: bool,
    /// Moves to follow beyond the horizon while the position is noisy. Refines the evaluation.
    pub quiescence: u8,
    /// Moves by which a line may be searched deeper than asked. Refines the evaluation.
    pub extensions: u8,
    /// Skip moves near the horizon that cannot come up to the window. Unsound.
    pub futility: bool,
    /// Null move. Unsound.
    pub null_move: Option<NullMove>,
    /// Look only at so many of the most promising moves; 0 for all. Unsound.
    pub narrow: u16,
    /// After choosing, look at the chosen move so much deeper, and at the second choice if it disappoints; 0 for off.
    pub verify: u8,
}

impl Settings {
    /// Nothing but alpha-beta in natural order.
    pub const PLAIN: Settings = Settings {
        scheme: Scheme::AlphaBeta,
        table: false,
        hash_move: false,
        killers: false,
        history: false,
        promise: false,
        aspiration: 0,
        book: false,
        quiescence: 0,
        extensions: 0,
        futility: false,
        null_move: None,
        narrow: 0,
        verify: 0,
    };

    /// Everything that is sound.
    pub const SOUND: Settings = Settings {
        scheme: Scheme::NegaScout,
        table: true,
        hash_move: true,
        killers: true,
        history: true,
        promise: true,
        ..Settings::PLAIN
    };
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::SOUND
    }
}

/// All that a search is told before it starts.
#[derive(Clone, Copy, Debug)]
pub struct Plan<K> {
    /// What it knows about the game.
    pub knowledge: K,
    /// How it searches.
    pub settings: Settings,
    /// How far.
    pub limits: Limits,
}

impl<K> Plan<K> {
    /// Sound settings, no limits.
    pub const fn new(knowledge: K) -> Plan<K> {
        Plan {
            knowledge,
            settings: Settings::SOUND,
            limits: Limits::NONE,
        }
    }
}

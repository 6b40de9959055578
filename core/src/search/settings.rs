//! Settings of a search: which algorithms and accelerators are on.

use crate::search::{Limits, Value};

/// How the windows of later moves are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scheme {
    /// Every move is searched with the full window.
    AlphaBeta,
    /// Moves after the first are tested with a null window; one that is better is searched again
    /// with an open window.
    Scout,
    /// Scout whose second search starts from the proved bound and stays inside the window. Also
    /// known as principal variation search.
    #[default]
    NegaScout,
}

/// Null-move pruning: if even passing reaches `beta`, a real move is assumed to do so, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NullMove {
    /// Plies by which the search after the null move is shallower.
    pub reduction: u8,
    /// Whether a shallower search with real moves must confirm the result.
    pub verified: bool,
}

/// The switches. Sound ones never change the value of a search; unsound ones work only where the
/// game's [`Knowledge`](crate::search::Knowledge) permits them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Choice of windows. Sound.
    pub scheme: Scheme,
    /// Use the transposition table for values. Sound.
    pub table: bool,
    /// Try the transposition table's move first. Sound.
    pub hash_move: bool,
    /// Killer heuristic: try moves first that caused a cut-off at the same ply. Sound.
    pub killers: bool,
    /// History heuristic: try moves first that often caused cut-offs anywhere. Sound.
    pub history: bool,
    /// Order moves by [`Knowledge::promise`](crate::search::Knowledge::promise). Sound.
    pub promise: bool,
    /// Half width of the aspiration window around the last depth's value; 0 for an open window.
    /// Sound.
    pub aspiration: Value,
    /// Play the opening book's move where there is one.
    pub book: bool,
    /// Depth of the quiescence search. Refines the evaluation.
    pub quiescence: u8,
    /// Plies by which extensions may deepen a line. Refines the evaluation.
    pub extensions: u8,
    /// Futility pruning: skip moves near the horizon that cannot reach `alpha`. Unsound.
    pub futility: bool,
    /// Null-move pruning. Unsound.
    pub null_move: Option<NullMove>,
    /// Search only this many of the most promising moves; 0 for all. Unsound.
    pub narrow: u16,
    /// Secondary search: extra plies for the chosen move, and for the second best if its value
    /// drops; 0 for off.
    pub verify: u8,
}

impl Settings {
    /// Alpha-beta in natural move order.
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

    /// All sound accelerators except aspiration windows.
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

/// Everything that defines a search except the position.
#[derive(Clone, Copy, Debug)]
pub struct Plan<K> {
    /// Evaluation and hints.
    pub knowledge: K,
    /// Algorithm.
    pub settings: Settings,
    /// Budget.
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

//! What a search is told about a game beyond its rules.

use crate::game::{Game, Outcome};
use crate::search::{Value, WIN};

/// The promise of a move that makes no sense.
pub const NEVER: i16 = -1000;

/// Values at the ends of lines, and hints that make the search faster or bolder.
///
/// Only [`Knowledge::horizon`] is required. Each constant switches a feature on for good or off for good: what is off
/// is not compiled into the program, whatever the settings say.
pub trait Knowledge<G: Game> {
    /// Whether [`Knowledge::promise`] says anything.
    const ORDERS: bool = false;
    /// Whether [`Knowledge::is_noisy`] says anything.
    const QUIESCENCE: bool = false;
    /// Whether [`Knowledge::extends`] says anything.
    const EXTENSIONS: bool = false;
    /// Whether moves near the horizon may be skipped as hopeless. Unsound.
    const FUTILITY: bool = false;
    /// Whether [`Knowledge::pass`] says anything. Unsound where passing can be the best move.
    const NULL_MOVE: bool = false;
    /// Whether only the most promising moves may be looked at. Unsound.
    const NARROWING: bool = false;

    /// The value of an unfinished position for the player to move, where the search looks no further. It stays well
    /// below [`WIN`] on both sides.
    fn horizon(&self, game: &G) -> Value;

    /// The value of a finished game for the player who would be to move, `ply` moves after the root. Usually: quick
    /// wins and slow losses are better.
    #[inline]
    fn end(&self, game: &G, outcome: Outcome, ply: u8) -> Value {
        Value::from(outcome.value_for(game.turn())) * (WIN - Value::from(ply))
    }

    /// The key under which the table keeps a position: equal keys, equal values.
    #[inline]
    fn key(&self, game: &G) -> u64 {
        game.key()
    }

    /// How promising a move looks; higher is tried sooner. Between −1,000 and 1,000; a move that promises [`NEVER`] is
    /// not looked at where moves are narrowed, so not all may.
    fn promise(&self, _game: &G, _mv: G::Move) -> i16 {
        0
    }

    /// Whether a position should not be judged before this move has been tried.
    fn is_noisy(&self, _game: &G, _mv: G::Move) -> bool {
        false
    }

    /// Whether the position after a move deserves a look one move deeper.
    fn extends(&self, _next: &G) -> bool {
        false
    }

    /// The most that a quiet move can be hoped to gain with `depth` moves to go.
    fn hope(&self, depth: u8) -> Value {
        Value::from(depth) * 100
    }

    /// The position if the player to move did nothing, where that can be assumed to be no advantage.
    fn pass(&self, _game: &G) -> Option<G> {
        None
    }

    /// The prepared move of a known position.
    fn book(&self, _game: &G) -> Option<G::Move> {
        None
    }
}

/// Won 1, drawn 0, lost −1, unfinished 0: for solving.
#[derive(Clone, Copy, Debug, Default)]
pub struct Results;

impl<G: Game> Knowledge<G> for Results {
    #[inline]
    fn horizon(&self, _: &G) -> Value {
        0
    }

    #[inline]
    fn end(&self, game: &G, outcome: Outcome, _: u8) -> Value {
        outcome.value_for(game.turn()).into()
    }
}

/// Won or lost, and how soon; unfinished 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Soonest;

impl<G: Game> Knowledge<G> for Soonest {
    #[inline]
    fn horizon(&self, _: &G) -> Value {
        0
    }
}

/// By how much: boxes, points or area; unfinished 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margins;

impl<G: Game> Knowledge<G> for Margins {
    #[inline]
    fn horizon(&self, _: &G) -> Value {
        0
    }

    #[inline]
    fn end(&self, game: &G, _: Outcome, _: u8) -> Value {
        game.margin(game.turn())
    }
}

//! Knowledge about a game beyond its rules: evaluation, move hints, permitted pruning.

use crate::game::{Game, Outcome};
use crate::search::{Value, WIN};

/// The promise of a senseless move.
pub const NEVER: i16 = -1000;

/// Evaluation of leaves, and hints that make the search faster.
///
/// Only [`Knowledge::horizon`] is required. Each constant permits a feature: without it the feature
/// is not compiled into the program, whatever the settings say.
pub trait Knowledge<G: Game> {
    /// Whether [`Knowledge::promise`] is implemented.
    const ORDERS: bool = false;
    /// Whether [`Knowledge::is_noisy`] is implemented.
    const QUIESCENCE: bool = false;
    /// Whether [`Knowledge::extends`] is implemented.
    const EXTENSIONS: bool = false;
    /// Permits futility pruning. Unsound.
    const FUTILITY: bool = false;
    /// Permits null-move pruning by [`Knowledge::pass`]. Unsound where passing can be the best
    /// move.
    const NULL_MOVE: bool = false;
    /// Permits searching only the most promising moves. Unsound.
    const NARROWING: bool = false;

    /// Static evaluation of an unfinished position for the player to move. Its absolute value stays
    /// well below [`WIN`].
    fn horizon(&self, game: &G) -> Value;

    /// The value of a finished game for the player who would be to move, `ply` moves after the
    /// root. The default prefers quick wins and slow losses.
    #[inline]
    fn end(&self, game: &G, outcome: Outcome, ply: u8) -> Value {
        Value::from(outcome.value_for(game.turn())) * (WIN - Value::from(ply))
    }

    /// The key of a position in the transposition table. Positions with equal keys must have equal
    /// values.
    #[inline]
    fn key(&self, game: &G) -> u64 {
        game.key()
    }

    /// Static move ordering: moves with a higher promise, between −1,000 and 1,000, are tried
    /// sooner. Narrowing skips moves that promise [`NEVER`], so at least one move must not.
    fn promise(&self, _game: &G, _mv: G::Move) -> i16 {
        0
    }

    /// Whether the quiescence search has to try this move before the position is evaluated.
    fn is_noisy(&self, _game: &G, _mv: G::Move) -> bool {
        false
    }

    /// Whether the position after a move is searched one ply deeper.
    fn extends(&self, _next: &G) -> bool {
        false
    }

    /// Futility margin: the most that a quiet move can gain with `depth` plies to go.
    fn hope(&self, depth: u8) -> Value {
        Value::from(depth) * 100
    }

    /// The position after a null move, where passing can be assumed to be no advantage.
    fn pass(&self, _game: &G) -> Option<G> {
        None
    }

    /// The opening book's move.
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

/// The final margin in boxes, points or area; unfinished 0.
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

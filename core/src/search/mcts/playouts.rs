//! How games are played on from the edge of the tree, and what their ends are worth.

use crate::game::{Game, Player};
use crate::rng::Rng;

/// What an end is worth, from 0 (lost) to [`ONE`] (won).
pub type Reward = u16;

/// A won game.
pub const ONE: Reward = 256;

/// Moves and values for Monte Carlo search. Everything has a default that knows only the rules.
pub trait Policy<G: Game> {
    /// The next move of a playout; `None` only at the end of the game.
    fn choose(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let moves = game.legal_moves();
        let count = moves.clone().count() as u32;
        { moves }.nth(rng.below(count) as usize)
    }

    /// What the end of a playout is worth for a player. Both players' rewards add up to [`ONE`].
    fn reward(&self, end: &G, player: Player) -> Reward {
        (i16::from(end.outcome().map_or(0, |outcome| outcome.value_for(player))) * 128 + 128)
            as Reward
    }

    /// What is thought of a move before it was ever tried: so many playouts of this average reward.
    fn prior(&self, _game: &G, _mv: G::Move) -> (u16, Reward) {
        (0, 0)
    }
}

/// Random moves, no opinions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {}

//! Default policy: how playouts are played, and what their ends are worth.

use dojo_core::game::{Game, Player};
use dojo_core::rng::Rng;

/// The result of a playout, from 0 (lost) to [`ONE`] (won).
pub type Reward = u16;

/// A won game.
pub const ONE: Reward = 256;

/// A game's knowledge for playouts. The defaults use nothing but the rules.
pub trait Policy<G: Game> {
    /// The next move of a playout; `None` only at the end of the game.
    fn choose(&self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let moves = game.legal_moves();
        let count = moves.clone().count() as u32;
        { moves }.nth(rng.below(count) as usize)
    }

    /// The reward of a finished playout for a player. Both players' rewards add up to [`ONE`].
    fn reward(&self, end: &G, player: Player) -> Reward {
        (i16::from(end.outcome().map_or(0, |outcome| outcome.value_for(player))) * 128 + 128)
            as Reward
    }

    /// The prior of an untried move: a number of virtual playouts and their mean reward.
    fn prior(&self, _game: &G, _mv: G::Move) -> (u16, Reward) {
        (0, 0)
    }
}

/// Uniformly random moves and no priors.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Policy<G> for Uniform {}

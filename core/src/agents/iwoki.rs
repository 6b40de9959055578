//! Players of iwoki that need no training.

use crate::agents::belt::{Belt, Belted, Means, Thoughts, each_move};
use crate::agents::{Agent, Random};
use crate::bank::Meta;
use crate::game::Game;
use crate::games::Iwoki;
use crate::games::iwoki::{Action, What};
use crate::rng::Rng;

/// The published rule: most points at once; of equal ones a small tile on its − face, then one on its + face, then a
/// hexagonal tile, then drawing.
#[derive(Clone, Copy, Debug)]
pub struct Greedy;

impl Greedy {
    /// What it prefers, higher first.
    #[inline]
    pub fn rating(game: &Iwoki, action: Action) -> u16 {
        let class = match action.what() {
            What::Small { shape, .. } if shape.is_minus() => 3,
            What::Small { .. } => 2,
            What::Hex { .. } => 1,
            What::Draw | What::Pass => 0,
        };
        u16::from(game.points_of(action)) << 2 | class
    }
}

impl Agent<Iwoki> for Greedy {
    /// Of equal actions the one with the lowest index.
    fn choose(&mut self, game: &Iwoki, _: &mut Rng) -> Option<Action> {
        let rated = game.legal_moves().map(|action| (Greedy::rating(game, action), action));
        rated.reduce(|best, next| if next.0 > best.0 { next } else { best }).map(|(_, action)| action)
    }
}

/// Belts without a model: the greedy player, with slips on the lower ones.
impl Belted for Iwoki {
    fn fits(_: Self::Rules, _: &Meta) -> bool {
        false
    }

    fn by_model<W, C>(&self, _: Belt, _: &[u8], _: &mut Rng, _: &mut Means<'_, W, C>) -> Option<Action> {
        None
    }

    fn by_rules<W, C>(&self, belt: Belt, rng: &mut Rng, _: &mut Means<'_, W, C>) -> Option<Action> {
        let slips = (4 - belt as u32) << 29;
        if rng.chance(slips) { Random.choose(self, rng) } else { Greedy.choose(self, rng) }
    }

    fn thoughts<W, C>(&self, _: Belt, _: Option<&[u8]>, _: &mut Means<'_, W, C>) -> Thoughts {
        each_move(self, |action| Some(500 + 10 * u16::from(self.points_of(action))))
    }
}

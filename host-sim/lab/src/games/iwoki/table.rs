//! The published learner: a table of action values for each information set, updated backwards
//! after every game.
//!
//! The experiment shows that the game has far too many positions for a table.

use std::collections::HashMap;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::{Action, board};
use dojo_core::rng::Rng;

use crate::network::exp;

/// The published settings.
const RATE: f32 = 0.4;
const DISCOUNT: f32 = 0.8;
/// The value of an unknown action.
const UNKNOWN: f32 = 0.5;

/// The table. States and actions are identified by a 64-bit hash: no collision is expected among
/// ten million of them.
#[derive(Clone, Debug, Default)]
pub struct QLearner {
    values: HashMap<u64, f32>,
    /// The actions of this game.
    trail: Vec<u64>,
}

impl QLearner {
    /// Number of values.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it has no values.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Approximate size in bytes: a key, a value and a control byte for each slot.
    pub fn bytes(&self) -> usize {
        self.values.capacity() * (size_of::<(u64, f32)>() + 1)
    }

    /// Its action: drawn by softmax over the values while it explores, else the highest, at random
    /// among equals.
    pub fn choose(&mut self, game: &Iwoki, explore: bool, rng: &mut Rng) -> Option<Action> {
        let seen = seen(game);
        let value = |action: Action| {
            let key = mix(seen, action.index().into());
            (key, self.values.get(&key).copied().unwrap_or(UNKNOWN))
        };
        let rated: Vec<_> = game
            .all_actions()
            .map(|action| (action, value(action)))
            .collect();
        let top = rated
            .iter()
            .map(|&(_, (_, value))| value)
            .fold(f32::MIN, f32::max);
        let weight = |value: f32| match explore {
            true => (exp(f64::from(value - top)) * f64::from(1 << 20)) as u32,
            false => u32::from(value == top),
        };
        let (key, action) = rng.pick_weighted(
            rated
                .iter()
                .map(|&(action, (key, value))| (weight(value), (key, action))),
        )?;
        self.trail.push(key);
        Some(action)
    }

    /// Propagates the reward from the last action to the first; it is added at every step, as
    /// published.
    pub fn learn(&mut self, reward: f32) {
        let mut next = 0.0;
        for key in self.trail.drain(..).rev() {
            let value = self.values.entry(key).or_insert(UNKNOWN);
            *value = (1.0 - RATE) * *value + RATE * (reward + DISCOUNT * next);
            next = *value;
        }
    }
}

fn mix(hash: u64, number: u64) -> u64 {
    (hash ^ number)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .rotate_left(27)
}

/// The information set of the player to move: the open gaps of both kinds with their surroundings,
/// the public part of the opponent's tiles and tokens, and all of its own.
fn seen(game: &Iwoki) -> u64 {
    let mut hash = 1;
    for gap in (0..board::SMALL_GAPS).filter(|&gap| game.small_on(gap).is_none()) {
        let around = board::corners(gap).map(|corner| {
            let shape = game.hex_on(corner.hex.into());
            shape.map_or(15, |shape| {
                u64::from(shape.values()[usize::from(corner.vertex)])
            })
        });
        if around != [15; 3] {
            hash = around.into_iter().fold(mix(hash, gap as u64), mix);
        }
    }
    for gap in (0..board::HEX_GAPS).filter(|&gap| game.hex_on(gap).is_none()) {
        let around: [u64; 6] = std::array::from_fn(|vertex| {
            let small = board::small_gap_at(gap, vertex)
                .and_then(|small| Some((small, game.small_on(small)?)));
            small.map_or(15, |(small, shape)| {
                let place = board::corners(small)
                    .iter()
                    .position(|corner| usize::from(corner.hex) == gap);
                u64::from(shape.results()[place.unwrap_or(0)])
            })
        });
        if around != [15; 6] {
            hash = around.into_iter().fold(mix(hash, 100 + gap as u64), mix);
        }
    }
    let (me, other) = (game.hand(game.turn()), game.hand(!game.turn()));
    let hexes = |player: Player| {
        game.hand(player)
            .hex_tiles()
            .fold(0, |set, tile| set | 1 << tile)
    };
    let own = (0..12).fold(0, |all, kind| all << 3 | u64::from(me.count(kind)));
    let public = [
        other.held(),
        other.tokens(),
        me.tokens(),
        u8::from(game.has_drawn()),
    ]
    .map(u64::from);
    [own, hexes(game.turn()), hexes(!game.turn())]
        .into_iter()
        .chain(public)
        .fold(hash, mix)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::games::IwokiRules;

    #[test]
    fn rewards_are_folded_back_as_published() {
        let mut learner = QLearner::default();
        let mut game = Iwoki::new(IwokiRules::default());
        let mut rng = Rng::new(1);
        for _ in 0..2 {
            let action = learner.choose(&game, true, &mut rng).unwrap();
            game.play(action).unwrap();
        }
        let [first, last] = learner.trail[..] else {
            panic!()
        };
        learner.learn(10.0);
        let after = 0.6 * 0.5 + 0.4 * 10.0;
        assert!((learner.values[&last] - after).abs() < 1e-5);
        assert!((learner.values[&first] - (0.6 * 0.5 + 0.4 * (10.0 + 0.8 * after))).abs() < 1e-5);
        assert!(learner.len() == 2 && learner.bytes() > 0 && !learner.is_empty());
    }

    #[test]
    fn what_is_hidden_changes_nothing_that_is_seen() {
        use dojo_core::game::Hidden;
        let mut rng = Rng::new(5);
        let mut game = Iwoki::new(IwokiRules::default());
        while let Some(action) = rng.pick(game.legal_moves()) {
            assert_eq!(seen(&game), seen(&game.determinized(game.turn(), &mut rng)));
            let before = seen(&game);
            game.play(action).unwrap();
            assert_ne!(before, seen(&game));
        }
    }
}

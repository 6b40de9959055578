//! Guesses of the hidden hand that use what a draw says: a player who drew perhaps had no small tile
//! that fitted.

use dojo_core::game::{Game, Hidden, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::{Action, What};
use dojo_core::rng::Rng;

use super::minimax::Minimax;

/// Chance that a draw says nothing about the hand.
const DOUBT: f64 = 0.02;
/// Guesses that are thrown away at most for one that is kept.
const TRIES: u32 = 100;

/// The last draw of a player, as the opponent has seen it.
#[derive(Clone, Copy, Debug, Default)]
pub struct LastDraw {
    /// Kinds that fitted somewhere when the player drew, as a bit each.
    fitting: u16,
    /// Small tiles drawn then that the player may still hold.
    drawn: u8,
}

impl LastDraw {
    /// Sees an action of the player in this position.
    pub fn observe(&mut self, before: &Iwoki, action: Action) {
        match action.what() {
            What::Draw => {
                *self = LastDraw {
                    fitting: before.fitting_kinds(),
                    drawn: 1,
                }
            }
            // A tile that could have been laid instead of drawing is probably the one drawn.
            What::Small { shape, .. } if self.fitting >> shape.kind() & 1 == 1 => self.drawn = 0,
            _ => {}
        }
    }

    /// The probability of the hand in `world` if only a player without a fitting small tile draws,
    /// relative to hands without one: all fitting tiles must be among those drawn.
    fn likelihood(&self, world: &Iwoki, player: Player) -> f64 {
        let hand = world.hand(player);
        let fitting = hand.smalls().filter(|kind| self.fitting >> kind & 1 == 1);
        (0u8..)
            .zip(fitting)
            .map(|(place, _)| {
                let left = f64::from(self.drawn.saturating_sub(place));
                left / f64::from(hand.held() - place)
            })
            .product()
    }

    /// A determinization, by rejection sampling.
    pub fn guess(&self, game: &Iwoki, rng: &mut Rng) -> Iwoki {
        let (me, other) = (game.turn(), !game.turn());
        let mut world = game.determinized(me, rng);
        for _ in 0..TRIES {
            let keep = DOUBT + (1.0 - DOUBT) * self.likelihood(&world, other);
            if rng.chance((keep * f64::from(u32::MAX)) as u32) {
                break;
            }
            world = game.determinized(me, rng);
        }
        world
    }
}

/// Actions that are compared in all guesses.
const CANDIDATES: usize = 8;

/// The action with the best mean value over so many guesses, of those that are best one turn ahead.
/// Without a `draw` all hands are equally likely.
pub fn decide(
    game: &Iwoki,
    search: &Minimax,
    samples: u32,
    draw: Option<&LastDraw>,
    rng: &mut Rng,
) -> Option<Action> {
    let guess = |rng: &mut Rng| match draw {
        Some(draw) => draw.guess(game, rng),
        None => game.determinized(game.turn(), rng),
    };
    let first = Minimax {
        depth: 1,
        ..*search
    };
    let world = guess(rng);
    let mut sums: Vec<(i32, Action)> = game
        .legal_moves()
        .map(|action| (first.value(&world, action).into(), action))
        .collect();
    sums.sort_by_key(|&(value, _)| -value);
    sums.truncate(CANDIDATES);
    sums.iter_mut().for_each(|sum| sum.0 = 0);
    for _ in 0..samples {
        let world = guess(rng);
        for (sum, action) in &mut sums {
            *sum += i32::from(search.value(&world, *action));
        }
    }
    let best = sums
        .into_iter()
        .reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, action)| action)
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::game::Rules;
    use dojo_core::games::IwokiRules;
    use dojo_core::games::iwoki::players::Greedy;
    use dojo_core::players::Agent;

    #[test]
    fn guesses_after_a_draw_are_nearer_to_the_true_hand() {
        // Small tiles that fitted when greedy drew, in the true hand and in guesses.
        let (mut rng, mut draws) = (Rng::new(6), 0);
        let [mut truth, mut uniform, mut by_draw] = [0.0; 3];
        for deal in 0..200 {
            let mut game = Iwoki::new(IwokiRules::default().dealt(deal));
            let mut last = LastDraw::default();
            while let Some(action) = Greedy.choose(&game, &mut rng) {
                let before = game;
                game.play(action).unwrap();
                if action == Action::DRAW {
                    last = LastDraw::default();
                    last.observe(&before, action);
                    continue;
                }
                let after_draw = before.has_drawn() && !game.is_over();
                if after_draw && last.drawn > 0 {
                    last.observe(&before, action);
                    let other = !game.turn();
                    let fitting = |world: &Iwoki| {
                        let hand = world.hand(other).smalls();
                        hand.filter(|kind| last.fitting >> kind & 1 == 1).count() as f64
                    };
                    draws += 1;
                    truth += fitting(&game);
                    uniform += fitting(&game.determinized(game.turn(), &mut rng));
                    by_draw += fitting(&last.guess(&game, &mut rng));
                }
            }
        }
        assert!(draws > 50, "{draws}");
        assert!(
            by_draw - truth < (uniform - truth) / 2.0,
            "{truth} {by_draw} {uniform}"
        );
    }
}

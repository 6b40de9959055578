//! Looking ahead.

use crate::game::{Game, Outcome};

/// Value of a game that is won at once; each move until then takes one off, so that quick wins and slow losses are
/// preferred.
pub const WIN: i16 = 1000;

/// The value of a position for the player to move, looking `plies` moves ahead: above 0 a forced win, below 0 a
/// forced loss, 0 neither within the horizon. The distance to the end counts from this position.
///
/// Alpha-beta, fail-soft: exact between `alpha` and `beta`, a bound outside.
pub fn alpha_beta<G: Game>(game: &G, plies: usize, mut alpha: i16, beta: i16) -> i16 {
    if let Some(outcome) = game.outcome() {
        return value_of(outcome, game);
    }
    if plies == 0 {
        return 0;
    }
    let mut best = -WIN;
    for mv in game.legal_moves() {
        let next = game.after(mv);
        let value = if next.turn() == game.turn() {
            one_later(alpha_beta(&next, plies - 1, one_sooner(alpha), one_sooner(beta)))
        } else {
            -one_later(alpha_beta(&next, plies - 1, -one_sooner(beta), -one_sooner(alpha)))
        };
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

fn value_of<G: Game>(outcome: Outcome, game: &G) -> i16 {
    i16::from(outcome.value_for(game.turn())) * WIN
}

/// A value seen one move earlier: wins and losses are one move farther away.
fn one_later(value: i16) -> i16 {
    value - value.signum()
}

/// The inverse, for the bounds of the window.
fn one_sooner(value: i16) -> i16 {
    value + value.signum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{Sticks, SticksRules, TicTacToe, sticks::Solution};

    #[test]
    fn tic_tac_toe_is_a_draw() {
        assert_eq!(alpha_beta(&TicTacToe::new(Default::default()), 9, -WIN, WIN), 0);
    }

    #[test]
    fn quick_wins_are_worth_more() {
        let can_win = TicTacToe::parse_position(Default::default(), "xx./oo./...").unwrap();
        assert_eq!(alpha_beta(&can_win, 1, -WIN, WIN), WIN - 1);
        let must_lose = TicTacToe::parse_position(Default::default(), "x.x/oo./x..").unwrap();
        assert_eq!(alpha_beta(&must_lose, 1, -WIN, WIN), WIN - 1);
    }

    #[test]
    fn small_sticks_agree_with_the_exact_solution() {
        for misere in [true, false] {
            let solution = Solution::new(misere);
            let rules = SticksRules::new([2, 3, 3], misere).unwrap();
            for a in 0..=2 {
                for b in 0..=3 {
                    for c in 0..=3 {
                        let game = Sticks::new(rules).with_sticks([a, b, c]);
                        let value = alpha_beta(&game, 8, -WIN, WIN);
                        assert_eq!(value > 0, solution.is_won(game.triple()), "{game}");
                    }
                }
            }
        }
    }
}

//! Players that know no game. The players of single games are in their games' folders.
//!
//! Start with [`Agent`], the interface of every player. [`Random`], [`Lookahead`], [`Perfect`] and
//! [`ValueTable`] implement it for any game. Then [`belts`]: the contract by which a game provides
//! its five opponents, with models or without; [`games::thinking`](crate::games::thinking) calls it
//! for all games. [`helper`] lets a second core share the work of a search.

use crate::game::{Game, GameMove, Player};
use crate::rng::Rng;
use crate::search::{Knowledge, MAX_PLY, Soonest, value as search_value};

pub mod belts;
pub mod helper;
mod table;

pub use table::{Tabular, ValueTable};

/// Picks moves in one game.
pub trait Agent<G: Game> {
    /// A legal move, or `None` if the game is over. All chance comes from `rng`.
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move>;
}

/// A game that says how to search it.
pub trait Searchable: Game {
    /// The evaluation and hints of players that search.
    type Knowledge: Knowledge<Self> + Copy + Default;
}

/// Uniform over the game's own move list (a merged move counts [`Game::weight`] times).
#[derive(Clone, Copy, Debug)]
pub struct Random;

impl<G: Game> Agent<G> for Random {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        rng.pick_weighted(game.legal_moves().map(|mv| (game.weight(mv), mv)))
    }
}

/// Searches `plies` moves deep, its own included: takes forced wins and avoids forced losses within
/// that depth, and picks randomly among equal moves.
#[derive(Clone, Copy, Debug)]
pub struct Lookahead {
    /// Depth in plies, 1 or more.
    pub plies: usize,
}

impl<G: Game> Agent<G> for Lookahead {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let plies = self.plies.saturating_sub(1).min(MAX_PLY.into()) as u8;
        let value = |mv| {
            let next = game.after(mv);
            let value = search_value(&next, Soonest, plies);
            if next.turn() == game.turn() {
                value
            } else {
                -value
            }
        };
        best(game.legal_moves().map(|mv| (value(mv), mv)), rng)
    }
}

/// A game small enough to know the value of every position.
pub trait Solvable: Game {
    /// The solution of the game under given rules.
    type Solution;

    /// Solves the game.
    fn solve(rules: Self::Rules) -> Self::Solution;

    /// The value for the player to move: above 0 won, 0 drawn, below 0 lost. A larger value is a
    /// quicker win or a slower loss where the solution knows.
    fn value(&self, solution: &Self::Solution) -> i16;
}

/// Perfect play; among equal moves it prefers those with the most losing replies.
#[derive(Clone, Copy, Debug)]
pub struct Perfect;

impl<G: Solvable> Agent<G> for Perfect {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        let solution = G::solve(game.rules());
        let me = game.turn();
        let rate = |mv| {
            let next = game.after(mv);
            (value_for(&next, me, &solution), trap(&next, me, &solution))
        };
        best(game.legal_moves().map(|mv| (rate(mv), mv)), rng)
    }
}

fn value_for<G: Solvable>(game: &G, player: Player, solution: &G::Solution) -> i16 {
    let value = game.value(solution);
    if game.turn() == player { value } else { -value }
}

/// Mean result for `player` over all replies, in thousandths: the expectation against a random
/// reply.
fn trap<G: Solvable>(game: &G, player: Player, solution: &G::Solution) -> i32 {
    let (sum, count) = game.legal_moves().fold((0, 0), |(sum, count), reply| {
        (
            sum + i32::from(value_for(&game.after(reply), player, solution).signum()),
            count + 1,
        )
    });
    if count == 0 { 0 } else { sum * 1000 / count }
}

/// The move with the highest rating; ties are broken randomly.
pub(crate) fn best<R: Ord + Copy, M: GameMove>(
    rated: impl Iterator<Item = (R, M)>,
    rng: &mut Rng,
) -> Option<M> {
    let mut best: Option<(R, M)> = None;
    let mut ties = 0;
    for (rating, mv) in rated {
        match best {
            Some((top, _)) if rating < top => continue,
            Some((top, _)) if rating == top => ties += 1,
            _ => ties = 1,
        }
        if ties == 1 || rng.below(ties) == 0 {
            best = Some((rating, mv));
        }
    }
    best.map(|(_, mv)| mv)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;
    use crate::games::{Sticks, TicTacToe};

    fn play<G: Game>(rules: G::Rules, agents: [&mut dyn Agent<G>; 2], rng: &mut Rng) -> Outcome {
        let mut game = G::new(rules);
        loop {
            if let Some(outcome) = game.outcome() {
                return outcome;
            }
            let mv = agents[game.turn().index()].choose(&game, rng).unwrap();
            game.play(mv).unwrap();
        }
    }

    #[test]
    fn perfect_never_loses_tic_tac_toe_and_wins_sticks_when_it_starts() {
        let mut rng = Rng::new(5);
        for _ in 0..300 {
            for (seat, agents) in [
                (Player::First, [true, false]),
                (Player::Second, [false, true]),
            ] {
                let (mut a, mut b) = (Perfect, Random);
                let agents: [&mut dyn Agent<TicTacToe>; 2] = if agents[0] {
                    [&mut a, &mut b]
                } else {
                    [&mut b, &mut a]
                };
                assert_ne!(
                    play(Default::default(), agents, &mut rng).value_for(seat),
                    -1
                );
            }
            let outcome = play::<Sticks>(Default::default(), [&mut Perfect, &mut Random], &mut rng);
            assert_eq!(outcome, Outcome::Win(Player::First));
        }
    }

    #[test]
    fn lookahead_takes_a_win_and_blocks_one() {
        let mut rng = Rng::new(1);
        let choose = |text: &str, plies, rng: &mut Rng| {
            let game = TicTacToe::parse_position(Default::default(), text).unwrap();
            Lookahead { plies }.choose(&game, rng).unwrap().index()
        };
        for _ in 0..20 {
            assert_eq!(choose("xx./oo./...", 1, &mut rng), 8);
            assert_eq!(choose("xx./o../...", 2, &mut rng), 8);
        }
    }

    #[test]
    fn ties_are_broken_by_chance_alone() {
        let mut rng = Rng::new(2);
        let mut seen = [0; 9];
        for _ in 0..900 {
            let game = TicTacToe::new(Default::default());
            seen[usize::from(
                Lookahead { plies: 1 }
                    .choose(&game, &mut rng)
                    .unwrap()
                    .index(),
            )] += 1;
        }
        assert!(seen.iter().all(|&n| n > 60), "{seen:?}");
    }
}

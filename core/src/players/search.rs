//! Players that search under a budget, in memory that they are given.

use crate::game::Game;
use crate::players::Agent;
use crate::rng::Rng;
use crate::search::mcts::{Mcts, Policy, Worlds};
use crate::search::{Engine, Knowledge, Limits, Plan};

/// A game that says how to search it.
pub trait Searchable: Game {
    /// What a player that searches knows about the game.
    type Knowledge: Knowledge<Self> + Copy + Default;
}

/// Looks ahead, deeper and deeper. Without limits it plays small games perfectly. The lowest index wins ties.
#[derive(Debug)]
pub struct Searcher<'a, G: Game, K> {
    /// The memory; it is kept from move to move.
    pub engine: Engine<'a, G>,
    /// What it knows, how and how long it searches.
    pub plan: Plan<K>,
}

impl<G: Game, K: Knowledge<G>> Agent<G> for Searcher<'_, G, K> {
    fn choose(&mut self, game: &G, _: &mut Rng) -> Option<G::Move> {
        self.engine.think(game, &self.plan, &mut ()).mv
    }
}

/// Plays games to their end and picks the move that was tried most.
#[derive(Debug)]
pub struct MonteCarlo<'a, P, W> {
    /// The tree.
    pub mcts: Mcts<'a, P>,
    /// What is hidden from it.
    pub worlds: W,
    /// How many games (`nodes`).
    pub limits: Limits,
}

impl<G: Game, P: Policy<G>, W: Worlds<G>> Agent<G> for MonteCarlo<'_, P, W> {
    fn choose(&mut self, game: &G, rng: &mut Rng) -> Option<G::Move> {
        self.mcts
            .think(game, &self.worlds, &self.limits, rng, &mut ())
            .mv
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Player};
    use crate::games::sticks::Solution;
    use crate::games::{Sticks, TicTacToe};
    use crate::players::Random;
    use crate::search::{Ranked, Slot, Soonest};

    #[test]
    fn search_is_perfect_at_tic_tac_toe() {
        fn no_reply_wins(
            game: TicTacToe,
            me: Player,
            agent: &mut Searcher<'_, TicTacToe, Soonest>,
        ) {
            if let Some(outcome) = game.outcome() {
                assert_ne!(outcome, Outcome::Win(!me), "{game}");
            } else if game.turn() == me {
                let mv = agent.choose(&game, &mut Rng::new(1)).unwrap();
                no_reply_wins(game.after(mv), me, agent);
            } else {
                game.legal_moves()
                    .for_each(|mv| no_reply_wins(game.after(mv), me, agent));
            }
        }
        let (mut slots, mut moves) = ([Slot::default(); 512], [Ranked::default(); 81]);
        let mut agent = Searcher {
            engine: Engine::new(&mut slots, &mut moves),
            plan: Plan::new(Soonest),
        };
        Player::BOTH
            .into_iter()
            .for_each(|me| no_reply_wins(TicTacToe::new(Default::default()), me, &mut agent));
    }

    #[test]
    fn search_never_gives_a_win_away_at_sticks() {
        let solution = Solution::new(true);
        let (mut slots, mut moves) = ([Slot::default(); 2048], [Ranked::default(); 441]);
        let mut agent = Searcher {
            engine: Engine::new(&mut slots, &mut moves),
            plan: Plan::new(Soonest),
        };
        let mut rng = Rng::new(9);
        for _ in 0..50 {
            let mut game = Sticks::new(Default::default());
            while !game.is_over() {
                let mv = agent.choose(&game, &mut rng).unwrap();
                let won = solution.is_won(game.triple());
                game.play(mv).unwrap();
                assert!(!won || !solution.is_won(game.triple()), "{game} after {mv}");
                if let Some(reply) = Random.choose(&game, &mut rng) {
                    game.play(reply).unwrap();
                }
            }
        }
        assert_eq!(
            agent.choose(
                &Sticks::new(Default::default()).with_sticks([0; 3]),
                &mut rng
            ),
            None
        );
    }
}

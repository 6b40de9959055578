//! Iterative deepening: a search to depth 1, then 2, and so on, until the budget is used up.
//!
//! The last depth takes most of the time, so the earlier ones cost little. In return there is
//! always an answer, and each depth starts with the best move of the one before.

use crate::game::{Game, GameMove};
use crate::search::alphabeta::{Engine, HORIZON, Search};
use crate::search::table::NO_MOVE;
use crate::search::{
    Control, Found, INFINITE, Knowledge, MAX_PLY, PROVEN, Plan, Report, Stopped, Value,
};

/// Most moves of a reported line.
const LINE: usize = 12;

impl<G: Game> Engine<'_, G> {
    /// Iterative deepening within the limits. The answer is the best move of the last completed
    /// depth, or a better one that the unfinished depth has already proved.
    pub fn think<K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        control: &mut impl Control,
    ) -> Found<G::Move> {
        let mut found = Found {
            mv: game.legal_moves().next(),
            ..Found::nothing()
        };
        if plan.settings.book
            && let Some(mv) = plan.knowledge.book(game)
            && game.is_legal(mv)
        {
            found.mv = Some(mv);
            found.stats.book_moves = 1;
            return found;
        }
        let mut search = Search::new(self, plan, control);
        for depth in 1..=plan.limits.depth.min(MAX_PLY) {
            let finished = search.deepen(game, depth, &found);
            if let Some((mv, value)) = search.root {
                (found.mv, found.value) = (Some(mv), value);
            }
            if finished.is_err() {
                found.stopped = true;
                break;
            }
            found.depth = depth;
            found.complete = search.reach != HORIZON;
            search.report(game, &found);
            if found.complete || found.value.abs() >= PROVEN {
                break;
            }
        }
        if plan.settings.verify > 0
            && !found.stopped
            && !found.complete
            && found.value.abs() < PROVEN
        {
            found.stopped = search.verify(game, &mut found).is_err();
        }
        found.stats = search.stats();
        found
    }

    /// One search to the depth of the limits with an open window: for solving and for comparisons.
    pub fn look<K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        control: &mut impl Control,
    ) -> Found<G::Move> {
        let depth = plan.limits.depth.min(MAX_PLY);
        let mut search = Search::new(self, plan, control);
        let value = search.pass(game, depth, -INFINITE, INFINITE);
        search.found(game, search.best(), value, depth)
    }

    /// The principal variation, as far as it is still in the table.
    fn line<K: Knowledge<G>>(
        &self,
        game: &G,
        first: G::Move,
        knowledge: &K,
    ) -> heapless::Vec<u16, LINE> {
        let mut line = heapless::Vec::new();
        let mut game = game.clone();
        let mut next = Some(first);
        while let Some(mv) = next
            && line.push(mv.index()).is_ok()
        {
            game.play_unchecked(mv);
            let known = self.table.probe(knowledge.key(&game), 0);
            next = known
                .and_then(|entry| G::Move::from_index(entry.mv))
                .filter(|&mv| game.is_legal(mv));
        }
        line
    }
}

impl<G: Game, K: Knowledge<G>, C: Control> Search<'_, '_, G, K, C> {
    /// One search from the root with this window. [`Search::best`] holds the best move so far, also
    /// if the pass was stopped.
    pub fn pass(
        &mut self,
        game: &G,
        depth: u8,
        alpha: Value,
        beta: Value,
    ) -> Result<Value, Stopped> {
        self.reach = 0;
        self.root = None;
        self.ply_limit = depth
            .saturating_add(self.plan.settings.extensions)
            .min(MAX_PLY);
        self.node(game, depth, alpha, beta, 0)
    }

    /// Searches the next depth, with the last depth's move first and within an aspiration window.
    fn deepen(&mut self, game: &G, depth: u8, last: &Found<G::Move>) -> Result<Value, Stopped> {
        if let Some(mv) = last.mv
            && last.depth > 0
        {
            self.root_first = mv.index();
        }
        let around = self.plan.settings.aspiration;
        if around > 0 && last.depth > 0 && last.value.abs() < PROVEN {
            let (low, high) = (last.value - around, last.value + around);
            let value = self.pass(game, depth, low, high)?;
            if low < value && value < high {
                return Ok(value);
            }
            self.stats.researches += 1;
            if let Some((mv, _)) = self.root {
                self.root_first = mv.index();
            }
        }
        self.pass(game, depth, -INFINITE, INFINITE)
    }

    /// Secondary search: searches the chosen move alone, deeper. If its value drops, the second
    /// best move is searched as deep and may replace it.
    fn verify(&mut self, game: &G, found: &mut Found<G::Move>) -> Result<(), Stopped> {
        let Some(chosen) = found.mv else {
            return Ok(());
        };
        let deeper = found
            .depth
            .saturating_add(self.plan.settings.verify)
            .min(MAX_PLY)
            - 1;
        let value = self.child(
            game.turn(),
            &game.after(chosen),
            deeper,
            -INFINITE,
            INFINITE,
            0,
        )?;
        if value < found.value {
            self.root_banned = chosen.index();
            self.root_first = NO_MOVE;
            self.pass(game, found.depth, -INFINITE, INFINITE)?;
            if let Some((second, _)) = self.root {
                let other =
                    self.child(game.turn(), &game.after(second), deeper, value, INFINITE, 0)?;
                if other > value {
                    self.stats.overturned += 1;
                    (found.mv, found.value) = (Some(second), other);
                    return Ok(());
                }
            }
        }
        found.value = value;
        Ok(())
    }

    /// The answer of a search to a fixed depth with its best move; without one, the first legal
    /// move.
    pub fn found(
        &self,
        game: &G,
        best: Option<(G::Move, Value)>,
        value: Result<Value, Stopped>,
        depth: u8,
    ) -> Found<G::Move> {
        let so_far = best.map_or(0, |(_, value)| value);
        Found {
            mv: best.map_or_else(|| game.legal_moves().next(), |(mv, _)| Some(mv)),
            value: value.unwrap_or(so_far),
            depth: if value.is_ok() { depth } else { 0 },
            complete: value.is_ok() && self.reach != HORIZON,
            stopped: value.is_err(),
            stats: self.stats(),
        }
    }

    fn report(&mut self, game: &G, found: &Found<G::Move>) {
        let Some(mv) = found.mv else { return };
        let line = self.engine.line(game, mv, &self.plan.knowledge);
        let report = Report {
            depth: found.depth,
            nodes: self.meter.nodes(),
            value: found.value,
            line: &line,
        };
        self.meter.control.report(&report);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Player};
    use crate::games::sticks::Solution;
    use crate::games::{Sticks, TicTacToe};
    use crate::players::{Agent, Random};
    use crate::rng::Rng;
    use crate::search::{Ranked, Slot, Soonest};

    #[test]
    fn search_is_perfect_at_tic_tac_toe() {
        fn no_reply_wins(game: TicTacToe, me: Player, engine: &mut Engine<'_, TicTacToe>) {
            if let Some(outcome) = game.outcome() {
                assert_ne!(outcome, Outcome::Win(!me), "{game}");
            } else if game.turn() == me {
                let found = engine.think(&game, &Plan::new(Soonest), &mut ());
                no_reply_wins(game.after(found.mv.unwrap()), me, engine);
            } else {
                game.legal_moves()
                    .for_each(|mv| no_reply_wins(game.after(mv), me, engine));
            }
        }
        let (mut slots, mut moves) = ([Slot::default(); 512], [Ranked::default(); 81]);
        let mut engine = Engine::new(&mut slots, &mut moves);
        Player::BOTH
            .into_iter()
            .for_each(|me| no_reply_wins(TicTacToe::new(Default::default()), me, &mut engine));
    }

    #[test]
    fn search_never_gives_a_win_away_at_sticks() {
        let solution = Solution::new(true);
        let (mut slots, mut moves) = ([Slot::default(); 2048], [Ranked::default(); 441]);
        let mut engine = Engine::new(&mut slots, &mut moves);
        let (plan, mut rng) = (Plan::new(Soonest), Rng::new(9));
        for _ in 0..50 {
            let mut game = Sticks::new(Default::default());
            while !game.is_over() {
                let mv = engine.think(&game, &plan, &mut ()).mv.unwrap();
                let won = solution.is_won(game.triple());
                game.play(mv).unwrap();
                assert!(!won || !solution.is_won(game.triple()), "{game} after {mv}");
                if let Some(reply) = Random.choose(&game, &mut rng) {
                    game.play(reply).unwrap();
                }
            }
        }
        let end = Sticks::new(Default::default()).with_sticks([0; 3]);
        assert_eq!(engine.think(&end, &plan, &mut ()).mv, None);
    }
}

//! Looking at everything: minimax, and negamax, which is the same with one rule instead of two.
//!
//! Both visit every line to the depth limit. They are the yardstick: every other exact algorithm must come to the same
//! value, and is worth its code if it visits less.

use crate::game::{Game, Player};
use crate::search::{Control, Found, INFINITE, Knowledge, Limits, MAX_PLY, Meter, Stats, Stopped, Value};

/// Minimax as it is taught: the player who thinks takes the highest of the values, the opponent the lowest.
///
/// To the depth of the limits, from a position that is not the end of a game.
pub fn minimax<G: Game, K: Knowledge<G>>(
    game: &G,
    knowledge: &K,
    limits: &Limits,
    control: &mut impl Control,
) -> Found<G::Move> {
    let me = game.turn();
    Walk::new(knowledge, limits, control).root(game, |walk, next, depth| walk.minimax(next, depth, 1, me))
}

/// Negamax: every player takes the highest value, because a value changes its sign when the turn changes.
pub fn negamax<G: Game, K: Knowledge<G>>(
    game: &G,
    knowledge: &K,
    limits: &Limits,
    control: &mut impl Control,
) -> Found<G::Move> {
    let me = game.turn();
    Walk::new(knowledge, limits, control).root(game, |walk, next, depth| {
        let value = walk.negamax(next, depth, 1)?;
        Ok(if next.turn() == me { value } else { -value })
    })
}

struct Walk<'w, K, C> {
    knowledge: &'w K,
    meter: Meter<'w, C>,
    leaves: u32,
    /// Whether a line was cut by the horizon.
    cut: bool,
    depth: u8,
}

impl<'w, K, C: Control> Walk<'w, K, C> {
    fn new(knowledge: &'w K, limits: &Limits, control: &'w mut C) -> Self {
        let depth = limits.depth.min(MAX_PLY);
        Walk { knowledge, meter: Meter::new(control, *limits), leaves: 0, cut: false, depth }
    }

    /// Searches all moves of the root with `child`; the first of the best is chosen.
    fn root<G: Game>(
        mut self,
        game: &G,
        child: impl Fn(&mut Self, &G, u8) -> Result<Value, Stopped>,
    ) -> Found<G::Move> {
        let mut found = Found { mv: game.legal_moves().next(), ..Found::nothing() };
        found.stopped = self.best(game, child, &mut found).is_err();
        found.complete = !found.stopped && !self.cut;
        found.stats = Stats { nodes: self.meter.nodes(), leaves: self.leaves, ..Stats::default() };
        found
    }

    fn best<G: Game>(
        &mut self,
        game: &G,
        child: impl Fn(&mut Self, &G, u8) -> Result<Value, Stopped>,
        found: &mut Found<G::Move>,
    ) -> Result<(), Stopped> {
        self.meter.count()?;
        let Some(depth) = self.depth.checked_sub(1) else { return Err(Stopped) };
        let mut best = -INFINITE;
        for mv in game.legal_moves() {
            let value = child(self, &game.after(mv), depth)?;
            if value > best {
                best = value;
                (found.mv, found.value) = (Some(mv), value);
            }
        }
        found.depth = self.depth;
        Ok(())
    }

    fn minimax<G: Game>(&mut self, game: &G, depth: u8, ply: u8, me: Player) -> Result<Value, Stopped>
    where
        K: Knowledge<G>,
    {
        self.meter.count()?;
        let mine = game.turn() == me;
        if let Some(outcome) = game.outcome() {
            self.leaves += 1;
            let value = self.knowledge.end(game, outcome, ply);
            return Ok(if mine { value } else { -value });
        }
        if depth == 0 {
            self.leaves += 1;
            self.cut = true;
            let value = self.knowledge.horizon(game);
            return Ok(if mine { value } else { -value });
        }
        let mut best = if mine { -INFINITE } else { INFINITE };
        for mv in game.legal_moves() {
            let value = self.minimax(&game.after(mv), depth - 1, ply + 1, me)?;
            best = if mine { best.max(value) } else { best.min(value) };
        }
        Ok(best)
    }

    fn negamax<G: Game>(&mut self, game: &G, depth: u8, ply: u8) -> Result<Value, Stopped>
    where
        K: Knowledge<G>,
    {
        self.meter.count()?;
        if let Some(outcome) = game.outcome() {
            self.leaves += 1;
            return Ok(self.knowledge.end(game, outcome, ply));
        }
        if depth == 0 {
            self.leaves += 1;
            self.cut = true;
            return Ok(self.knowledge.horizon(game));
        }
        let mut best = -INFINITE;
        for mv in game.legal_moves() {
            let next = game.after(mv);
            let value = self.negamax(&next, depth - 1, ply + 1)?;
            best = best.max(if next.turn() == game.turn() { value } else { -value });
        }
        Ok(best)
    }
}

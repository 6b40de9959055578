//! Where to look further and where not: quiescence, extensions, futility and null move.
//!
//! Each is compiled in only if the game's [`Knowledge`] has its constant set, and works only if the settings ask for it.

use crate::game::Game;
use crate::search::alphabeta::{HORIZON, Search};
use crate::search::{Control, INFINITE, Knowledge, MAX_PLY, PROVEN, Stopped, Value};

/// Futility looks at nodes with at most this many moves to go.
const FUTILE_DEPTH: u8 = 2;

impl<G: Game, K: Knowledge<G>, C: Control> Search<'_, '_, G, K, C> {
    /// The value where the depth is used up.
    pub(crate) fn horizon(
        &mut self,
        game: &G,
        alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<Value, Stopped> {
        if K::QUIESCENCE && self.plan.settings.quiescence > 0 {
            return self.rest(game, alpha, beta, ply, self.plan.settings.quiescence);
        }
        self.leaf(ply);
        self.reach = HORIZON;
        Ok(self.plan.knowledge.horizon(game))
    }

    /// Waits for rest: follows noisy moves only. The player to move may also leave it at the value of the position.
    fn rest(
        &mut self,
        game: &G,
        mut alpha: Value,
        beta: Value,
        ply: u8,
        left: u8,
    ) -> Result<Value, Stopped> {
        self.leaf(ply);
        self.reach = HORIZON;
        let mut best = self.plan.knowledge.horizon(game);
        if best >= beta || left == 0 || ply >= MAX_PLY {
            return Ok(best);
        }
        alpha = alpha.max(best);
        for mv in game
            .legal_moves()
            .filter(|&mv| self.plan.knowledge.is_noisy(game, mv))
        {
            self.meter.count()?;
            self.stats.quiet_nodes += 1;
            let next = game.after(mv);
            let value = match next.outcome() {
                Some(outcome) => {
                    self.leaf(ply + 1);
                    let value = self.plan.knowledge.end(&next, outcome, ply + 1);
                    if next.turn() == game.turn() {
                        value
                    } else {
                        -value
                    }
                }
                None if next.turn() == game.turn() => {
                    self.rest(&next, alpha, beta, ply + 1, left - 1)?
                }
                None => -self.rest(&next, -beta, -alpha, ply + 1, left - 1)?,
            };
            best = best.max(value);
            alpha = alpha.max(value);
            if value >= beta {
                self.stats.cutoffs += 1;
                break;
            }
        }
        Ok(best)
    }

    /// By how much the position after a move is searched deeper than usual.
    pub(crate) fn extension(&mut self, next: &G, depth: u8, ply: u8) -> u8 {
        if !K::EXTENSIONS || self.plan.settings.extensions == 0 {
            return 0;
        }
        // The end of the line if nothing more is extended stays below the limit: depth cannot grow for ever.
        let extends = ply + depth < self.ply_limit && self.plan.knowledge.extends(next);
        self.stats.extensions += u32::from(extends);
        u8::from(extends)
    }

    /// The most that a quiet move can come to, if that is not enough for the window.
    pub(crate) fn hopeless(&self, game: &G, depth: u8, alpha: Value) -> Option<Value> {
        if !K::FUTILITY || !self.plan.settings.futility || depth > FUTILE_DEPTH || alpha <= -PROVEN
        {
            return None;
        }
        let most = self.plan.knowledge.horizon(game) + self.plan.knowledge.hope(depth);
        (most <= alpha).then_some(most)
    }

    /// Whether a move is too lively to be skipped.
    pub(crate) fn is_noisy(&self, game: &G, mv: G::Move) -> bool {
        K::QUIESCENCE && self.plan.knowledge.is_noisy(game, mv)
    }

    /// If the player to move could even pass and still reach `beta`, the node is worth that much.
    pub(crate) fn null_move(
        &mut self,
        game: &G,
        depth: u8,
        beta: Value,
        ply: u8,
    ) -> Result<Option<Value>, Stopped> {
        if !K::NULL_MOVE || !self.null_allowed || ply == 0 || beta >= INFINITE {
            return Ok(None);
        }
        let Some(setting) = self.plan.settings.null_move else {
            return Ok(None);
        };
        let Some(passed) = self.plan.knowledge.pass(game) else {
            return Ok(None);
        };
        let Some(shallow) = depth.checked_sub(1 + setting.reduction) else {
            return Ok(None);
        };
        self.stats.null_moves += 1;
        self.null_allowed = false;
        let mut value = self.child(game.turn(), &passed, shallow, beta - 1, beta, ply)?;
        if setting.verified && value >= beta {
            // Where having to move is a burden, doing nothing looks too good: make sure with real moves.
            value = self.node(game, shallow.max(1), beta - 1, beta, ply)?;
            self.stats.null_refuted += u32::from(value < beta);
        }
        self.null_allowed = true;
        if value < beta {
            return Ok(None);
        }
        self.stats.null_cutoffs += 1;
        self.reach = HORIZON;
        Ok(Some(value))
    }
}

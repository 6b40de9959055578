//! Selective search: quiescence, extensions, futility pruning and null-move pruning.
//!
//! Each is compiled in only if the game's [`Knowledge`] permits it, and runs only if the settings
//! ask for it.

use crate::game::Game;
use crate::search::alphabeta::{HORIZON, Search};
use crate::search::{Control, INFINITE, Knowledge, MAX_PLY, PROVEN, Stopped, Value};

/// Futility pruning applies to nodes with at most this many plies to go.
const FUTILE_DEPTH: u8 = 2;

impl<G: Game, K: Knowledge<G>, C: Control> Search<'_, '_, G, K, C> {
    /// The value of a node at the depth limit.
    pub(crate) fn horizon(
        &mut self,
        game: &G,
        alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<Value, Stopped> {
        if K::QUIESCENCE && self.plan.settings.quiescence > 0 {
            return self.quiescence(game, alpha, beta, ply, self.plan.settings.quiescence);
        }
        self.leaf(ply);
        self.reach = HORIZON;
        Ok(self.plan.knowledge.horizon(game))
    }

    /// Quiescence search: follows noisy moves only. The player to move may also stand pat on the
    /// static evaluation.
    fn quiescence(
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
                    self.quiescence(&next, alpha, beta, ply + 1, left - 1)?
                }
                None => -self.quiescence(&next, -beta, -alpha, ply + 1, left - 1)?,
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

    /// Plies by which the position after a move is searched deeper than usual.
    pub(crate) fn extension(&mut self, next: &G, depth: u8, ply: u8) -> u8 {
        if !K::EXTENSIONS || self.plan.settings.extensions == 0 {
            return 0;
        }
        // The line, if nothing more is extended, ends below the limit: depth cannot grow for ever.
        let extends = ply + depth < self.ply_limit && self.plan.knowledge.extends(next);
        self.stats.extensions += u32::from(extends);
        u8::from(extends)
    }

    /// Futility: the upper bound of a quiet move's value, if it does not reach `alpha`.
    pub(crate) fn hopeless(&self, game: &G, depth: u8, alpha: Value) -> Option<Value> {
        if !K::FUTILITY || !self.plan.settings.futility || depth > FUTILE_DEPTH || alpha <= -PROVEN
        {
            return None;
        }
        let most = self.plan.knowledge.horizon(game) + self.plan.knowledge.hope(depth);
        (most <= alpha).then_some(most)
    }

    /// Whether a move is noisy and so never skipped.
    pub(crate) fn is_noisy(&self, game: &G, mv: G::Move) -> bool {
        K::QUIESCENCE && self.plan.knowledge.is_noisy(game, mv)
    }

    /// Null-move pruning: the value of the node if the player to move could even pass and still
    /// reach `beta`.
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
            // In zugzwang passing looks too good: confirm with real moves.
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

//! Alpha-beta, fail-soft, with everything that can be hung onto it.
//!
//! `alpha` is what the player to move has for sure elsewhere, `beta` what the opponent has. A node worth `beta` or more
//! will not be allowed by the opponent, so the rest of its moves need no look: a cut-off. Fail-soft means that the
//! value of a node outside the window is still a bound, not just "outside".
//!
//! A value changes its sign only when the turn really changes: a player may move several times in a row.

use crate::game::{Game, GameMove, Player};
use crate::search::order::{Moves, Order};
use crate::search::table::{Bound, Entry, NO_MOVE, Table};
use crate::search::{
    Control, INFINITE, Knowledge, Limits, MAX_PLY, Meter, Plan, Ranked, Scheme, Settings, Slot,
    Stats, Stopped, Value,
};

/// The memory of a search: it outlives single searches, so that the next one starts wiser.
#[derive(Debug)]
pub struct Engine<'a, G: Game> {
    pub(crate) table: Table<'a>,
    pub(crate) order: Order<'a, G::Move>,
}

impl<'a, G: Game> Engine<'a, G> {
    /// An engine in this memory. Any amount will do, even none: `slots` are the transposition table, `moves` the room
    /// for ordering (the product of [`Game::MAX_MOVES`] and the depth is enough for all; nodes without room keep the
    /// natural order).
    pub fn new(slots: &'a mut [Slot], moves: &'a mut [Ranked<G::Move>]) -> Self {
        Engine {
            table: Table::new(slots),
            order: Order::new(moves),
        }
    }

    /// Forgets everything: for another evaluation.
    pub fn clear(&mut self) {
        self.table.clear();
        self.order.clear();
    }
}

/// The value of a position for the player to move, `depth` moves ahead: plain alpha-beta, without any memory.
pub fn value<G: Game, K: Knowledge<G>>(game: &G, knowledge: K, depth: u8) -> Value {
    let plan = Plan {
        knowledge,
        settings: Settings::PLAIN,
        limits: Limits::depth(depth),
    };
    let mut engine = Engine::new(&mut [], &mut []);
    // Without a limit on nodes and with nobody to stop it, a search finishes.
    Search::new(&mut engine, &plan, &mut ())
        .node(game, depth.min(MAX_PLY), -INFINITE, INFINITE, 0)
        .unwrap_or_default()
}

/// A line was cut by the horizon.
pub(crate) const HORIZON: u8 = u8::MAX;

/// One search while it runs.
pub(crate) struct Search<'s, 'a, G: Game, K, C> {
    pub(crate) engine: &'s mut Engine<'a, G>,
    pub(crate) plan: &'s Plan<K>,
    pub(crate) meter: Meter<'s, C>,
    pub(crate) stats: Stats,
    /// The last ply of the longest line of the node at work, [`HORIZON`] if one was cut.
    pub(crate) reach: u8,
    /// The best move at the root and its value, as far as the present pass has come.
    pub(crate) root: Option<(G::Move, Value)>,
    /// The move to try first at the root.
    pub(crate) root_first: u16,
    /// A move that the root must not play.
    pub(crate) root_banned: u16,
    /// Lines may be extended up to this ply.
    pub(crate) ply_limit: u8,
    /// No second null move below one, nor while verifying one.
    pub(crate) null_allowed: bool,
}

impl<'s, 'a, G: Game, K: Knowledge<G>, C: Control> Search<'s, 'a, G, K, C> {
    pub(crate) fn new(
        engine: &'s mut Engine<'a, G>,
        plan: &'s Plan<K>,
        control: &'s mut C,
    ) -> Self {
        engine.order.release(0);
        Search {
            engine,
            plan,
            meter: Meter::new(control, plan.limits),
            stats: Stats::default(),
            reach: 0,
            root: None,
            root_first: NO_MOVE,
            root_banned: NO_MOVE,
            ply_limit: MAX_PLY,
            null_allowed: true,
        }
    }

    /// The counters, once the search is over.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            nodes: self.meter.nodes(),
            ..self.stats
        }
    }

    /// The value of a node for its mover: exact between `alpha` and `beta`, a bound outside.
    pub(crate) fn node(
        &mut self,
        game: &G,
        depth: u8,
        alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<Value, Stopped> {
        self.meter.count()?;
        if let Some(outcome) = game.outcome() {
            self.leaf(ply);
            return Ok(self.plan.knowledge.end(game, outcome, ply));
        }
        if depth == 0 || ply >= MAX_PLY {
            return self.horizon(game, alpha, beta, ply);
        }
        let (key, mut first) = (self.key(game), NO_MOVE);
        if let Some(entry) = self.probe(key, ply) {
            if self.plan.settings.hash_move {
                first = entry.mv;
            }
            if self.plan.settings.table
                && ply > 0
                && entry.serves(depth)
                && decides(&entry, alpha, beta)
            {
                self.stats.table_cutoffs += 1;
                self.reach = self.reach.max(if entry.complete {
                    ply + entry.depth
                } else {
                    HORIZON
                });
                return Ok(entry.value);
            }
        }
        if ply == 0 && self.root_first != NO_MOVE {
            first = self.root_first;
        }
        if let Some(value) = self.null_move(game, depth, beta, ply)? {
            return Ok(value);
        }

        let reach = core::mem::replace(&mut self.reach, ply);
        let room = self.engine.order.used();
        let moves = self
            .engine
            .order
            .moves(game, self.plan, first, ply, &mut self.stats);
        let (best, mv) = self.best(game, moves, depth, alpha, beta, ply)?;
        self.engine.order.release(room);
        if self.uses_table() {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            let complete = self.reach != HORIZON;
            let depth = if complete { self.reach - ply } else { depth };
            self.engine.table.store(
                key,
                ply,
                Entry {
                    value: best,
                    bound,
                    mv,
                    depth,
                    complete,
                },
            );
        }
        self.reach = self.reach.max(reach);
        Ok(best)
    }

    /// Tries the moves of a node until one is too good. The index of the best move comes with its value.
    fn best(
        &mut self,
        game: &G,
        mut moves: Moves<G>,
        depth: u8,
        mut alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<(Value, u16), Stopped> {
        let (mut best, mut best_move) = (-INFINITE, NO_MOVE);
        let hopeless = self.hopeless(game, depth, alpha);
        let turn = game.turn();
        let mut tried = 0u32;
        while let Some(mv) = self.engine.order.next(&mut moves) {
            if ply == 0 && mv.index() == self.root_banned {
                continue;
            }
            if let Some(most) = hopeless
                && tried > 0
                && !self.is_noisy(game, mv)
            {
                self.stats.futile += 1;
                self.reach = HORIZON;
                best = best.max(most);
                continue;
            }
            let next = game.after(mv);
            let deeper = depth - 1 + self.extension(&next, depth, ply);
            let value = if tried == 0
                || self.plan.settings.scheme == Scheme::AlphaBeta
                || alpha + 1 >= beta
            {
                self.child(turn, &next, deeper, alpha, beta, ply)?
            } else {
                self.scout(turn, &next, deeper, alpha, beta, ply)?
            };
            tried += 1;
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = mv.index();
                    if ply == 0 {
                        self.root = Some((mv, value));
                    }
                }
                if value >= beta {
                    self.stats.cutoffs += 1;
                    self.stats.first_cutoffs += u32::from(tried == 1);
                    self.engine.order.learn(
                        &self.plan.settings,
                        best_move,
                        depth,
                        ply,
                        &mut self.stats,
                    );
                    break;
                }
            }
        }
        Ok((best, best_move))
    }

    /// A child's value as its parent's mover sees it.
    #[inline]
    pub(crate) fn child(
        &mut self,
        turn: Player,
        next: &G,
        depth: u8,
        alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<Value, Stopped> {
        if next.turn() == turn {
            self.node(next, depth, alpha, beta, ply + 1)
        } else {
            Ok(-self.node(next, depth, -beta, -alpha, ply + 1)?)
        }
    }

    /// Asks of a later move only whether it is better than the best so far. It usually is not, and that is cheap to see.
    fn scout(
        &mut self,
        turn: Player,
        next: &G,
        depth: u8,
        alpha: Value,
        beta: Value,
        ply: u8,
    ) -> Result<Value, Stopped> {
        let value = self.child(turn, next, depth, alpha, alpha + 1, ply)?;
        if value <= alpha || value >= beta {
            return Ok(value);
        }
        self.stats.researches += 1;
        let (low, high) = match self.plan.settings.scheme {
            Scheme::Scout => (-INFINITE, INFINITE),
            // The test proved `value` or more: if the second search finds no more than that, it is just that.
            _ => (value, beta),
        };
        self.child(turn, next, depth, low, high, ply)
    }

    fn uses_table(&self) -> bool {
        (self.plan.settings.table || self.plan.settings.hash_move) && !self.engine.table.is_empty()
    }

    fn key(&self, game: &G) -> u64 {
        if self.uses_table() {
            self.plan.knowledge.key(game)
        } else {
            0
        }
    }

    fn probe(&mut self, key: u64, ply: u8) -> Option<Entry> {
        if !self.uses_table() {
            return None;
        }
        self.stats.probes += 1;
        let entry = self.engine.table.probe(key, ply);
        self.stats.hits += u32::from(entry.is_some());
        entry
    }

    /// Counts the end of a line that the game ended.
    pub(crate) fn leaf(&mut self, ply: u8) {
        self.stats.leaves += 1;
        self.reach = self.reach.max(ply);
        self.stats.deepest = self.stats.deepest.max(ply);
    }
}

/// Whether a stored bound says enough about the present window.
fn decides(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
        Bound::None => false,
    }
}

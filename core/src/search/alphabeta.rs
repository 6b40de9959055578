//! Alpha-beta in negamax form, fail-soft, with transposition table, move ordering and selective
//! search.
//!
//! `alpha` is the value that the player to move is already sure of elsewhere, `beta` the one that
//! the opponent is sure of. The opponent will avoid a node worth `beta` or more, so its remaining
//! moves are skipped: a cut-off. Fail-soft means that a value outside the window is still a bound
//! on the node.
//!
//! A value changes its sign only when the turn changes: in some games a player moves several times
//! in a row.

use crate::game::{Game, GameMove, Player};
use crate::search::order::{Moves, Order};
use crate::search::table::{Bound, NO_MOVE, Table, TableEntry};
use crate::search::{
    Control, INFINITE, Knowledge, Limits, MAX_PLY, Meter, Plan, Ranked, Scheme, Settings, Slot,
    Stats, Stopped, Value,
};

/// Transposition table and move-ordering statistics, kept from one search to the next.
#[derive(Debug)]
pub struct Engine<'a, G: Game> {
    pub(crate) table: Table<'a>,
    pub(crate) order: Order<'a, G::Move>,
}

impl<'a, G: Game> Engine<'a, G> {
    /// An engine in borrowed memory, which may be empty. `slots` is the transposition table,
    /// `moves` the move lists of the current line ([`Game::MAX_MOVES`] times the depth is always
    /// enough; nodes without room keep the natural order).
    pub fn new(slots: &'a mut [Slot], moves: &'a mut [Ranked<G::Move>]) -> Self {
        Engine {
            table: Table::new(slots),
            order: Order::new(moves),
        }
    }

    /// Forgets everything, as required before another evaluation is used.
    pub fn clear(&mut self) {
        self.table.clear();
        self.order.clear();
    }
}

/// The value of a position for the player to move by plain alpha-beta to `depth`, without any
/// memory.
pub fn value<G: Game, K: Knowledge<G>>(game: &G, knowledge: K, depth: u8) -> Value {
    let plan = Plan {
        knowledge,
        settings: Settings::PLAIN,
        limits: Limits::depth(depth),
    };
    let mut engine = Engine::new(&mut [], &mut []);
    // Without a node limit and a control, a search cannot stop early.
    Search::new(&mut engine, &plan, &mut ())
        .node(game, depth.min(MAX_PLY), -INFINITE, INFINITE, 0)
        .unwrap_or_default()
}

/// Value of `reach` if the depth limit ended a line before the game did.
pub(crate) const HORIZON: u8 = u8::MAX;

/// A running search, for callers that choose depths and windows themselves. [`Engine::think`] and
/// [`Engine::look`] are the usual ways to search.
pub struct Search<'s, 'a, G: Game, K, C> {
    pub(crate) engine: &'s mut Engine<'a, G>,
    pub(crate) plan: &'s Plan<K>,
    pub(crate) meter: Meter<'s, C>,
    pub(crate) stats: Stats,
    /// The last ply of the longest line below the current node; [`HORIZON`] if the depth limit
    /// ended one.
    pub(crate) reach: u8,
    /// The best root move of the current pass so far, with its value.
    pub(crate) root: Option<(G::Move, Value)>,
    /// Root move to try first.
    pub(crate) root_first: u16,
    /// Root move to skip.
    pub(crate) root_banned: u16,
    /// Extensions stop at this ply.
    pub(crate) ply_limit: u8,
    /// `false` below a null move and while one is verified.
    pub(crate) null_allowed: bool,
}

impl<'s, 'a, G: Game, K: Knowledge<G>, C: Control> Search<'s, 'a, G, K, C> {
    /// Starts a search: table entries of earlier ones may now be replaced first.
    pub fn new(engine: &'s mut Engine<'a, G>, plan: &'s Plan<K>, control: &'s mut C) -> Self {
        engine.table.grow_older();
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

    /// The best root move of the last pass and its value. After a pass that failed low it is
    /// `None`.
    pub fn best(&self) -> Option<(G::Move, Value)> {
        self.root
    }

    /// The counters so far.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            nodes: self.meter.nodes(),
            ..self.stats
        }
    }

    /// The value of a node for the player to move: exact between `alpha` and `beta`, a bound
    /// outside.
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
        let (best, mv) = self.best_of(game, moves, depth, alpha, beta, ply)?;
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
                TableEntry {
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

    /// Searches the moves of a node until a cut-off. Returns the best value and the index of its
    /// move.
    fn best_of(
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

    /// A child's value for the player to move at its parent.
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

    /// Tests a later move with a null window; only one that is better gets a second, wider search.
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
            // The test proved that the move is worth at least `value`.
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

    fn probe(&mut self, key: u64, ply: u8) -> Option<TableEntry> {
        if !self.uses_table() {
            return None;
        }
        self.stats.probes += 1;
        let entry = self.engine.table.probe(key, ply);
        self.stats.hits += u32::from(entry.is_some());
        entry
    }

    /// Counts a leaf.
    pub(crate) fn leaf(&mut self, ply: u8) {
        self.stats.leaves += 1;
        self.reach = self.reach.max(ply);
        self.stats.deepest = self.stats.deepest.max(ply);
    }
}

/// Whether a stored bound settles the node within the current window.
fn decides(entry: &TableEntry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
        Bound::None => false,
    }
}

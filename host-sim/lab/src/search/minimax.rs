//! Exhaustive search: minimax, and negamax, its form with one rule for both players.
//!
//! Both visit every line to the depth limit. They are the reference: every other exact algorithm
//! must find the same value, and is worth its code if it visits fewer nodes.

use dojo_core::game::{Game, Player};
use dojo_core::search::{
    Control, Found, INFINITE, Knowledge, Limits, MAX_PLY, Meter, Stats, Value,
};

/// Minimax as in textbooks: the player at the root maximises, the opponent minimises.
///
/// Searches to the depth of the limits, from an unfinished position.
pub fn minimax<G: Game, K: Knowledge<G>>(
    game: &G,
    knowledge: &K,
    limits: &Limits,
    control: &mut impl Control,
) -> Found<G::Move> {
    let me = game.turn();
    Walk::new(knowledge, limits, control).root(game, |walk, next, depth, leaves| {
        walk.either(next, depth, me, false, leaves)
    })
}

/// Negamax: both players maximise, because a value changes its sign when the turn changes.
pub fn negamax<G: Game, K: Knowledge<G>>(
    game: &G,
    knowledge: &K,
    limits: &Limits,
    control: &mut impl Control,
) -> Found<G::Move> {
    let me = game.turn();
    Walk::new(knowledge, limits, control).root(game, |walk, next, depth, leaves| {
        walk.child(me, next, depth, leaves)
    })
}

struct Walk<'w, K, C> {
    knowledge: &'w K,
    meter: Meter<'w, C>,
    leaves: u32,
    /// Whether the depth limit ended a line before the game did.
    cut: bool,
    /// Once set, every node returns at once with a value that is thrown away. Cheaper than a
    /// `Result` after every move.
    stopped: bool,
    depth: u8,
}

impl<'w, K, C: Control> Walk<'w, K, C> {
    fn new(knowledge: &'w K, limits: &Limits, control: &'w mut C) -> Self {
        let depth = limits.depth.min(MAX_PLY);
        Walk {
            knowledge,
            meter: Meter::new(control, *limits),
            leaves: 0,
            cut: false,
            stopped: false,
            depth,
        }
    }

    /// Searches all moves of the root with `child`; the lowest index wins ties.
    fn root<G: Game>(
        mut self,
        game: &G,
        child: impl Fn(&mut Self, G, u8, &mut u32) -> Value,
    ) -> Found<G::Move> {
        let mut found = Found {
            mv: game.legal_moves().next(),
            ..Found::nothing()
        };
        let (mut best, mut leaves) = (-INFINITE, 0);
        self.stopped = self.depth == 0 || self.meter.count().is_err();
        for mv in game.legal_moves() {
            if self.stopped {
                break;
            }
            let deeper = self.depth - 1;
            let value = child(&mut self, game.after(mv), deeper, &mut leaves);
            if !self.stopped && value > best {
                best = value;
                (found.mv, found.value) = (Some(mv), value);
            }
        }
        if leaves > 0 && !self.stopped {
            self.leaves += leaves;
            self.stopped = self.meter.count_all(leaves).is_err();
        }
        found.depth = if self.stopped { 0 } else { self.depth };
        found.complete = !self.stopped && !self.cut;
        found.stopped = self.stopped;
        found.stats = Stats {
            nodes: self.meter.nodes(),
            leaves: self.leaves,
            ..Stats::default()
        };
        found
    }

    /// `Ok` with the moves of an inner node, `Err` with the value of a leaf for the player to move.
    #[inline(always)]
    fn enter<G: Game>(&mut self, game: &G, depth: u8) -> Result<G::Moves, Value>
    where
        K: Knowledge<G>,
    {
        if let Some(outcome) = game.outcome() {
            return Err(self.knowledge.end(game, outcome, self.depth - depth));
        }
        if depth == 0 {
            self.cut = true;
            return Err(self.knowledge.horizon(game));
        }
        Ok(game.legal_moves())
    }

    // About half of the nodes are leaves. They are evaluated inside the loop over their parent's
    // moves, without a call, and counted together when the parent is done: this makes the search as
    // fast as one written for a single game. The `inline` attributes keep it so.

    /// Counts a finished inner node and the leaves right below it.
    #[inline(always)]
    fn leave(&mut self, leaves: u32) {
        self.leaves += leaves;
        if self.meter.count_all(leaves + 1).is_err() {
            self.stopped = true;
        }
    }

    /// The player at the root is to move.
    #[inline(never)]
    fn max<G: Game>(&mut self, game: G, moves: G::Moves, depth: u8, me: Player) -> Value
    where
        K: Knowledge<G>,
    {
        let (mut best, mut leaves) = (-INFINITE, 0);
        if !self.stopped {
            moves.for_each(|mv| {
                best = best.max(self.either(game.after(mv), depth - 1, me, false, &mut leaves))
            });
            self.leave(leaves);
        }
        best
    }

    /// The opponent is to move.
    #[inline]
    fn min<G: Game>(&mut self, game: G, moves: G::Moves, depth: u8, me: Player) -> Value
    where
        K: Knowledge<G>,
    {
        let (mut best, mut leaves) = (INFINITE, 0);
        if !self.stopped {
            moves.for_each(|mv| {
                best = best.min(self.either(game.after(mv), depth - 1, me, true, &mut leaves))
            });
            self.leave(leaves);
        }
        best
    }

    /// A position's value for the player at the root. `mine` says whether that player is to move,
    /// in games with alternating turns.
    #[inline(always)]
    fn either<G: Game>(
        &mut self,
        game: G,
        depth: u8,
        me: Player,
        mine: bool,
        leaves: &mut u32,
    ) -> Value
    where
        K: Knowledge<G>,
    {
        let mine = if G::ALTERNATES {
            mine
        } else {
            game.turn() == me
        };
        match self.enter(&game, depth) {
            Ok(moves) if mine => self.max(game, moves, depth, me),
            Ok(moves) => self.min(game, moves, depth, me),
            Err(value) => {
                *leaves += 1;
                if mine { value } else { -value }
            }
        }
    }

    #[inline(never)]
    fn negamax<G: Game>(&mut self, game: G, moves: G::Moves, depth: u8) -> Value
    where
        K: Knowledge<G>,
    {
        let (mut best, mut leaves) = (-INFINITE, 0);
        if !self.stopped {
            let turn = game.turn();
            moves.for_each(|mv| {
                best = best.max(self.child(turn, game.after(mv), depth - 1, &mut leaves))
            });
            self.leave(leaves);
        }
        best
    }

    /// A position's value for the player who made the move that leads to it.
    #[inline(always)]
    fn child<G: Game>(&mut self, turn: Player, next: G, depth: u8, leaves: &mut u32) -> Value
    where
        K: Knowledge<G>,
    {
        let again = !G::ALTERNATES && next.turn() == turn;
        let value = match self.enter(&next, depth) {
            Ok(moves) => self.negamax(next, moves, depth),
            Err(value) => {
                *leaves += 1;
                value
            }
        };
        if again { value } else { -value }
    }
}

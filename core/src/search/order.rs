//! Move ordering: the better the order, the more alpha-beta prunes.

use crate::game::{Game, GameMove};
use crate::search::knowledge::NEVER;
use crate::search::table::NO_MOVE;
use crate::search::{Knowledge, MAX_PLY, Plan, Settings, Stats};

/// A move and its rank; higher ranks are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ranked<M> {
    mv: M,
    rank: i16,
}

impl<M: GameMove> Default for Ranked<M> {
    /// Fills the memory that a caller provides.
    #[expect(
        clippy::expect_used,
        reason = "`GameMove` promises a move 0, and the conformance suite checks every game"
    )]
    fn default() -> Ranked<M> {
        Ranked {
            mv: M::from_index(0).expect("every game numbers its moves from 0"),
            rank: 0,
        }
    }
}

const KILLERS: usize = 2;
const HISTORY: usize = 256;

const KILLER_RANK: i16 = 8_000;
const HISTORY_MOST: i16 = 5_000;

/// Move lists of all nodes of the current line, each behind its parent's, with killer and history
/// statistics.
#[derive(Debug)]
pub(crate) struct Order<'a, M> {
    room: &'a mut [Ranked<M>],
    used: usize,
    /// For each ply the last moves that caused a cut-off: they often do so again in sibling
    /// branches.
    killers: [[u16; KILLERS]; MAX_PLY as usize],
    /// Cut-offs of each move anywhere, weighted by depth squared. Indexed modulo [`HISTORY`].
    history: [i16; HISTORY],
}

/// The moves of one node, in the order in which they are tried.
pub(crate) enum Moves<G: Game> {
    /// The game's own order, after one move that is tried first.
    Natural {
        first: Option<G::Move>,
        rest: G::Moves,
        skip: u16,
    },
    /// A range of the shared room.
    Listed { next: usize, end: usize },
}

impl<'a, M: GameMove> Order<'a, M> {
    pub(crate) fn new(room: &'a mut [Ranked<M>]) -> Self {
        Order {
            room,
            used: 0,
            killers: [[NO_MOVE; KILLERS]; MAX_PLY as usize],
            history: [0; HISTORY],
        }
    }

    /// Forgets killers and history.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        self.killers = [[NO_MOVE; KILLERS]; MAX_PLY as usize];
        self.history = [0; HISTORY];
    }

    /// Records that a move caused a cut-off.
    pub(crate) fn learn(
        &mut self,
        settings: &Settings,
        index: u16,
        depth: u8,
        ply: u8,
        stats: &mut Stats,
    ) {
        if settings.killers
            && let Some(killers) = self.killers.get_mut(usize::from(ply))
        {
            if killers.contains(&index) {
                stats.killer_cutoffs += 1;
            } else {
                killers.rotate_right(1);
                killers[0] = index;
            }
        }
        if settings.history {
            let weight = i16::from(depth.min(MAX_PLY));
            let entry = &mut self.history[usize::from(index) % HISTORY];
            *entry += weight * weight;
            if *entry > HISTORY_MOST {
                self.history.iter_mut().for_each(|entry| *entry /= 2);
            }
        }
    }

    fn rank(&self, settings: &Settings, ply: u8, index: u16) -> i16 {
        let is_killer = settings.killers
            && self
                .killers
                .get(usize::from(ply))
                .is_some_and(|k| k.contains(&index));
        let history = if settings.history {
            self.history[usize::from(index) % HISTORY]
        } else {
            0
        };
        history + if is_killer { KILLER_RANK } else { 0 }
    }

    /// Moves of a node: `first` (from the table), then by killers, history and the game's
    /// knowledge. Where nothing ranks them, or the room is used up, they stay in their natural
    /// order.
    pub(crate) fn moves<G: Game<Move = M>, K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        first: u16,
        ply: u8,
        stats: &mut Stats,
    ) -> Moves<G> {
        let settings = &plan.settings;
        let narrow = if K::NARROWING {
            usize::from(settings.narrow)
        } else {
            0
        };
        let promise = K::ORDERS && settings.promise;
        let ranks = settings.killers || settings.history || promise || narrow > 0;
        if ranks && let Some(end) = self.list(game, plan, first, ply) {
            let start = self.used;
            let moves = &mut self.room[start..end];
            sort(moves);
            let kept = if narrow > 0 {
                narrow.min(moves.len())
            } else {
                moves.len()
            };
            stats.narrowed += (moves.len() - kept) as u32;
            self.used = start + kept;
            return Moves::Listed {
                next: start,
                end: start + kept,
            };
        }
        let first = if first == NO_MOVE {
            None
        } else {
            game.legal_moves().find(|mv| mv.index() == first)
        };
        Moves::Natural {
            first,
            rest: game.legal_moves(),
            skip: first.map_or(NO_MOVE, GameMove::index),
        }
    }

    /// Ranks all moves into the free part of the room and returns where they end; `None` if they do
    /// not fit.
    fn list<G: Game<Move = M>, K: Knowledge<G>>(
        &mut self,
        game: &G,
        plan: &Plan<K>,
        first: u16,
        ply: u8,
    ) -> Option<usize> {
        let mut end = self.used;
        for mv in game.legal_moves() {
            let index = mv.index();
            let mut rank = i16::MAX;
            if index != first {
                rank = self.rank(&plan.settings, ply, index);
                if K::ORDERS && plan.settings.promise {
                    let promise = plan.knowledge.promise(game, mv);
                    if K::NARROWING && plan.settings.narrow > 0 && promise == NEVER {
                        continue;
                    }
                    rank += promise;
                }
            }
            *self.room.get_mut(end)? = Ranked { mv, rank };
            end += 1;
        }
        Some(end)
    }

    /// The next move to try.
    #[inline]
    pub(crate) fn next<G: Game<Move = M>>(&self, moves: &mut Moves<G>) -> Option<M> {
        match moves {
            Moves::Natural { first, rest, skip } => first
                .take()
                .or_else(|| rest.find(|mv| *skip == NO_MOVE || mv.index() != *skip)),
            Moves::Listed { next, end } => {
                let listed = (*next < *end).then(|| self.room.get(*next)).flatten()?;
                *next += 1;
                Some(listed.mv)
            }
        }
    }

    /// The used part of the room.
    pub(crate) fn used(&self) -> usize {
        self.used
    }

    /// Frees the room of a node, and of nodes below it that a stopped search left behind.
    pub(crate) fn release(&mut self, used: usize) {
        self.used = used;
    }
}

/// Stable insertion sort, highest rank first. Most moves have rank 0 and stay where they are; the
/// standard library's sort would take 12 KB of flash.
fn sort<M: Copy>(moves: &mut [Ranked<M>]) {
    for end in 1..moves.len() {
        let ranked = moves[end];
        let mut place = end;
        while place > 0 && moves[place - 1].rank < ranked.rank {
            moves[place] = moves[place - 1];
            place -= 1;
        }
        moves[place] = ranked;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::TicTacToe;
    use crate::search::Soonest;

    fn tried(
        settings: Settings,
        teach: impl Fn(&mut Order<'_, crate::games::tictactoe::Square>),
        first: u16,
        room: usize,
    ) -> heapless::Vec<u16, 9> {
        let mut space = [Ranked::default(); 32];
        let mut order = Order::new(&mut space[..room]);
        teach(&mut order);
        let game = TicTacToe::new(Default::default());
        let plan = Plan {
            settings,
            ..Plan::new(Soonest)
        };
        let mut moves = order.moves(&game, &plan, first, 0, &mut Stats::default());
        core::iter::from_fn(|| order.next(&mut moves))
            .map(GameMove::index)
            .collect()
    }

    #[test]
    fn every_move_comes_once_and_the_best_known_first() {
        let plain = Settings::PLAIN;
        let ranked = Settings {
            killers: true,
            history: true,
            ..plain
        };
        let tried = |settings, first, room| {
            let teach = |order: &mut Order<'_, _>| {
                order.learn(&ranked, 7, 1, 0, &mut Stats::default());
                order.learn(
                    &Settings {
                        history: true,
                        ..plain
                    },
                    5,
                    3,
                    0,
                    &mut Stats::default(),
                );
            };
            tried(settings, teach, first, room)
        };
        assert_eq!(tried(plain, NO_MOVE, 32), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(tried(plain, 4, 32), [4, 0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(
            tried(ranked, NO_MOVE, 32),
            [7, 5, 0, 1, 2, 3, 4, 6, 8],
            "killer, history, the rest"
        );
        assert_eq!(tried(ranked, 2, 32), [2, 7, 5, 0, 1, 3, 4, 6, 8]);
        assert_eq!(
            tried(ranked, 2, 8),
            [2, 0, 1, 3, 4, 5, 6, 7, 8],
            "no room: natural order"
        );
        assert_eq!(tried(ranked, 99, 32).len(), 9, "a foreign move is no move");
    }

    #[test]
    fn history_stays_in_range() {
        let settings = Settings {
            history: true,
            ..Settings::PLAIN
        };
        let mut order = Order::<crate::games::tictactoe::Square>::new(&mut []);
        for _ in 0..1000 {
            order.learn(&settings, 3, u8::MAX, 0, &mut Stats::default());
        }
        assert!(
            (1..=HISTORY_MOST).contains(&order.history[3]),
            "{}",
            order.history[3]
        );
    }
}

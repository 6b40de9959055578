//! What a search did, in numbers: each accelerator can be seen at work.

/// Counters of one search. Those of switched-off features stay 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited, the root and finished games among them.
    pub nodes: u32,
    /// Finished games and evaluated positions at the horizon.
    pub leaves: u32,
    /// Nodes left before all their moves were looked at.
    pub cutoffs: u32,
    /// Those of them where the very first move was enough: the closer to all of them, the better the move order.
    pub first_cutoffs: u32,
    /// Questions to the transposition table.
    pub probes: u32,
    /// Positions that it knew.
    pub hits: u32,
    /// Those of them that needed no further search.
    pub table_cutoffs: u32,
    /// Cut-offs by a killer move.
    pub killer_cutoffs: u32,
    /// Second searches after a scouting search found a better move, after a window was missed, or for another guess.
    pub researches: u32,
    /// Nodes beyond the horizon, visited to wait for rest.
    pub quiet_nodes: u32,
    /// Moves searched deeper than usual.
    pub extensions: u32,
    /// Moves skipped as hopeless.
    pub futile: u32,
    /// Null moves tried.
    pub null_moves: u32,
    /// Those of them that ended the search of their node.
    pub null_cutoffs: u32,
    /// Null-move results that the verifying search refuted.
    pub null_refuted: u32,
    /// Moves dropped by narrowing.
    pub narrowed: u32,
    /// Moves taken from the book.
    pub book_moves: u32,
    /// Chosen moves that the secondary search replaced.
    pub overturned: u32,
    /// Longest line looked at, in moves.
    pub deepest: u8,
}

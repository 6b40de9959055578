//! Counters that show each accelerator at work.

/// Counters of one search. Those of switched-off features stay 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Positions visited, including the root and finished games.
    pub nodes: u32,
    /// Finished games and evaluated positions at the horizon.
    pub leaves: u32,
    /// Nodes with a cut-off.
    pub cutoffs: u32,
    /// Cut-offs by the first move: the closer to all cut-offs, the better the move ordering.
    pub first_cutoffs: u32,
    /// Look-ups in the transposition table.
    pub probes: u32,
    /// Look-ups that found an entry.
    pub hits: u32,
    /// Entries that settled their node without a search.
    pub table_cutoffs: u32,
    /// Cut-offs by a killer move.
    pub killer_cutoffs: u32,
    /// Second searches: after a null-window test found a better move, after an aspiration window
    /// failed, or for another test of MTD(f).
    pub researches: u32,
    /// Nodes of the quiescence search.
    pub quiet_nodes: u32,
    /// Extended moves.
    pub extensions: u32,
    /// Moves skipped by futility pruning.
    pub futile: u32,
    /// Null moves tried.
    pub null_moves: u32,
    /// Null moves that ended the search of their node.
    pub null_cutoffs: u32,
    /// Null-move results that the verifying search refuted.
    pub null_refuted: u32,
    /// Moves dropped by narrowing.
    pub narrowed: u32,
    /// Moves taken from the book.
    pub book_moves: u32,
    /// Chosen moves that the secondary search replaced.
    pub overturned: u32,
    /// Longest line, in plies.
    pub deepest: u8,
}

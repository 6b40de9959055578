//! SSS* and MTD(f): the value by a series of yes-or-no questions.
//!
//! Alpha-beta with a window of width nothing only says whether a value is reached. Asked often enough, with a table
//! that remembers all answers, that finds the value with fewer new leaves than a wide window. The two algorithms
//! differ in the first question alone: SSS* starts above every value and comes down, MTD(f) starts at a guess.
//!
//! Both need the transposition table to be switched on and want it large. With a small one they stay correct and
//! become slow.

use crate::game::Game;
use crate::search::alphabeta::{Engine, Search};
use crate::search::{Control, Found, INFINITE, Knowledge, MAX_PLY, Plan, Stopped, Value};

/// SSS*, best-first search as a sequence of memory-enhanced tests, to the depth of the limits.
pub fn sss<G: Game, K: Knowledge<G>>(
    engine: &mut Engine<'_, G>,
    game: &G,
    plan: &Plan<K>,
    control: &mut impl Control,
) -> Found<G::Move> {
    mtdf(engine, game, plan, INFINITE, control)
}

/// MTD(f): the same from a first guess. The better the guess, the fewer questions.
pub fn mtdf<G: Game, K: Knowledge<G>>(
    engine: &mut Engine<'_, G>,
    game: &G,
    plan: &Plan<K>,
    guess: Value,
    control: &mut impl Control,
) -> Found<G::Move> {
    engine.table.grow_older();
    let depth = plan.limits.depth.min(MAX_PLY);
    let mut search = Search::new(engine, plan, control);
    let mut chosen = None;
    let value = converge(&mut search, game, depth, guess, &mut chosen);
    search.root = chosen;
    search.found(game, value, depth)
}

fn converge<G: Game, K: Knowledge<G>, C: Control>(
    search: &mut Search<'_, '_, G, K, C>,
    game: &G,
    depth: u8,
    guess: Value,
    chosen: &mut Option<(G::Move, Value)>,
) -> Result<Value, Stopped> {
    let (mut low, mut high) = (-INFINITE, INFINITE);
    let mut value = guess;
    while low < high {
        let beta = if value <= low { low + 1 } else { value };
        value = search.pass(game, depth, beta - 1, beta)?;
        if value < beta {
            high = value;
        } else {
            // Only a question that was answered with yes names the move that did it.
            low = value;
            *chosen = search.root;
        }
        search.stats.researches += u32::from(low < high);
    }
    Ok(value)
}

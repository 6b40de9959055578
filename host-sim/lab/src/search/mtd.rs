//! SSS* and MTD(f) as sequences of memory-enhanced tests (MT).
//!
//! A test is alpha-beta with a null window: it only says whether a value is reached. Repeated with
//! a transposition table that remembers all answers, tests find the value with fewer new leaves
//! than a wide window. The two algorithms differ only in the first test: SSS* starts above every
//! value and comes down, MTD(f) starts at a guess.
//!
//! Both need the transposition table to be switched on and want it large. With a small one they
//! stay correct and become slow.

use dojo_core::game::Game;
use dojo_core::search::{
    Control, Engine, Found, INFINITE, Knowledge, MAX_PLY, Plan, Search, Stopped, Value,
};

/// SSS*, a best-first search, to the depth of the limits.
pub fn sss<G: Game, K: Knowledge<G>>(
    engine: &mut Engine<'_, G>,
    game: &G,
    plan: &Plan<K>,
    control: &mut impl Control,
) -> Found<G::Move> {
    mtdf(engine, game, plan, INFINITE, control)
}

/// MTD(f), from a first guess. The better the guess, the fewer tests.
pub fn mtdf<G: Game, K: Knowledge<G>>(
    engine: &mut Engine<'_, G>,
    game: &G,
    plan: &Plan<K>,
    guess: Value,
    control: &mut impl Control,
) -> Found<G::Move> {
    let depth = plan.limits.depth.min(MAX_PLY);
    let mut search = Search::new(engine, plan, control);
    let mut proved = None;
    let mut tests = 0;
    let value = converge(&mut search, game, depth, guess, &mut proved, &mut tests);
    let mut found = search.found(game, proved, value, depth);
    found.stats.researches += tests;
    found
}

/// Tests until both bounds meet. `proved` is the move of the last test that was reached,
/// `researches` counts the tests after the first.
fn converge<G: Game, K: Knowledge<G>, C: Control>(
    search: &mut Search<'_, '_, G, K, C>,
    game: &G,
    depth: u8,
    guess: Value,
    proved: &mut Option<(G::Move, Value)>,
    researches: &mut u32,
) -> Result<Value, Stopped> {
    let (mut low, mut high) = (-INFINITE, INFINITE);
    let mut value = guess;
    while low < high {
        let beta = if value <= low { low + 1 } else { value };
        value = search.pass(game, depth, beta - 1, beta)?;
        if value < beta {
            high = value;
        } else {
            // Only a test that succeeds names the move that reaches the value.
            low = value;
            *proved = search.best();
        }
        *researches += u32::from(low < high);
    }
    Ok(value)
}

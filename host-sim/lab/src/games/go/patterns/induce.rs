//! Induction of clauses from examples, as the published learner (ALEPH, after CProgol) does it.
//!
//! For an uncovered positive example, the *seed*, [`Bottom`] lists every literal that holds of it: its most specific
//! clause. [`best_clause`] searches the subsets of that list breadth-first from the most general one, one literal more at a
//! time, and keeps the clause with the largest P − N among those that cover at most `noise` negatives and obey the
//! published constraints. [`induce`] repeats this until every positive is covered or has been a seed.
//!
//! Coverage is exact and cheap: each condition is evaluated once over all examples and symmetries into bit sets
//! ([`Coverage`]), and a clause is an intersection and a count.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use dojo_core::games::go::clauses::{
    BlockTest, Bounds, Clause, Colour, Place, REACH, SYMMETRIES, Stage,
};

use super::Rule;
use super::examples::{Example, Reading};

/// Settings of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Most negatives that a clause may cover.
    pub noise: u32,
    /// Most clauses that the search for one rule looks at.
    pub nodes: usize,
    /// Fewest literals of a clause, the head not counted.
    pub min_literals: usize,
    /// Most literals.
    pub max_literals: usize,
    /// Whether captures, atari and connections are among the predicates (the published experiment B).
    pub richer: bool,
    /// How symmetries are read.
    pub reading: Reading,
    /// Most rules.
    pub max_rules: usize,
}

impl Settings {
    /// As published, with this noise.
    pub fn published(noise: u32) -> Settings {
        Settings {
            noise,
            nodes: 5_000,
            min_literals: 3,
            max_literals: 15,
            richer: true,
            reading: Reading::default(),
            max_rules: usize::MAX,
        }
    }
}

/// Examples of moves to make and of moves to avoid.
#[derive(Clone, Debug, Default)]
pub struct Examples {
    /// Made by strong players.
    pub positive: Vec<Example>,
    /// Made by a random player, or forbidden.
    pub negative: Vec<Example>,
}

/// A literal of a bottom clause. Blocks are numbered in the seed's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Literal {
    PosGen,
    Stage(Stage),
    Vertical(i8),
    Horizontal(i8),
    Opposite,
    Place(usize, Place),
    Colour(usize),
    Liberties(usize, u8),
    Stones(usize, u8),
}

impl Literal {
    fn block(self) -> Option<usize> {
        match self {
            Literal::Place(block, _)
            | Literal::Colour(block)
            | Literal::Liberties(block, _)
            | Literal::Stones(block, _) => Some(block),
            _ => None,
        }
    }

    /// Literals of the published language that it stands for: adjacency is two, the point's own block and its liberty.
    fn length(self) -> usize {
        match self {
            Literal::Place(_, Place::Adjacent) => 2,
            _ => 1,
        }
    }
}

/// The most specific clause of an example.
struct Bottom {
    literals: Vec<Literal>,
    /// Whether each block of the seed's position belongs to the mover.
    mine: Vec<bool>,
}

impl Bottom {
    fn new(seed: &Example, settings: &Settings) -> Bottom {
        let (vertical, horizontal) = seed.edges(0, settings.reading);
        let mut literals = vec![
            Literal::PosGen,
            Literal::Stage(seed.stage()),
            Literal::Vertical(vertical),
            Literal::Horizontal(horizontal),
            Literal::Opposite,
        ];
        let mut places = vec![vec![]; seed.blocks().len()];
        for dy in -REACH..=REACH {
            for dx in -REACH..=REACH {
                if let Some(block) = seed.block_at((dx, dy), 0, settings.reading) {
                    places[block].push(Place::At(dx, dy));
                }
            }
        }
        let relations = if settings.richer {
            &Place::RELATIONS[..]
        } else {
            &[Place::Adjacent]
        };
        for (block, places) in places.iter_mut().enumerate() {
            let stands = |place: &&Place| seed.stands(block, **place, 0, settings.reading);
            places.extend(relations.iter().filter(stands));
        }
        for (block, places) in places.iter().enumerate().filter(|(_, p)| !p.is_empty()) {
            let facts = seed.blocks()[block];
            literals.extend(places.iter().map(|&place| Literal::Place(block, place)));
            literals.extend([
                Literal::Colour(block),
                Literal::Liberties(block, facts.liberty_count),
                Literal::Stones(block, facts.stone_count),
            ]);
        }
        Bottom {
            literals,
            mine: seed.blocks().iter().map(|block| block.mine).collect(),
        }
    }

    /// Whether every variable that a literal takes in is bound by the literals before it.
    fn is_bound(&self, chosen: &[u16], literal: Literal) -> bool {
        let has = |wanted: Literal| {
            chosen
                .iter()
                .any(|&i| self.literals[usize::from(i)] == wanted)
        };
        match literal {
            Literal::PosGen | Literal::Stage(_) | Literal::Opposite => true,
            Literal::Vertical(_) | Literal::Horizontal(_) => has(Literal::PosGen),
            Literal::Place(_, Place::At(..)) => has(Literal::PosGen),
            Literal::Place(..) => true,
            Literal::Colour(block) | Literal::Liberties(block, _) | Literal::Stones(block, _) => {
                chosen.iter().any(|&i| {
                    matches!(self.literals[usize::from(i)], Literal::Place(other, _) if other == block)
                })
            }
        }
    }

    /// The clause of a choice of literals; `None` if it has more block variables or places than a clause can hold.
    fn clause(&self, chosen: &[u16]) -> Option<Clause> {
        let literals = || chosen.iter().map(|&i| self.literals[usize::from(i)]);
        let opposite = literals().any(|literal| literal == Literal::Opposite);
        let mut clause = Clause::default();
        let mut last = None;
        for literal in literals() {
            match literal {
                Literal::PosGen | Literal::Opposite => {}
                Literal::Stage(stage) => clause.stage = Some(stage),
                Literal::Vertical(d) => clause.vertical = Some(d),
                Literal::Horizontal(d) => clause.horizontal = Some(d),
                _ => {
                    let block = literal.block()?;
                    if last != Some(block) {
                        last = Some(block);
                        let test = BlockTest {
                            places: Default::default(),
                            colour: Colour::Shared,
                            liberties: Bounds::ANY,
                            stones: Bounds::ANY,
                        };
                        clause.blocks.push(test).ok()?;
                    }
                    let test = clause.blocks.last_mut()?;
                    match literal {
                        Literal::Place(_, place) => test.places.push(place).ok()?,
                        Literal::Colour(block) => {
                            test.colour = match (self.mine[block], opposite) {
                                (true, _) => Colour::Me,
                                (false, true) => Colour::Foe,
                                (false, false) => Colour::Shared,
                            };
                        }
                        Literal::Liberties(_, count) => test.liberties = Bounds::exactly(count),
                        Literal::Stones(_, count) => test.stones = Bounds::exactly(count),
                        _ => {}
                    }
                }
            }
        }
        Some(clause)
    }

    /// Whether a clause obeys the published constraints.
    fn is_acceptable(&self, chosen: &[u16], settings: &Settings) -> bool {
        let literals: Vec<_> = chosen
            .iter()
            .map(|&i| self.literals[usize::from(i)])
            .collect();
        let length: usize = literals.iter().map(|literal| literal.length()).sum();
        if !(settings.min_literals..=settings.max_literals).contains(&length) {
            return false;
        }
        let has = |wanted: Literal| literals.contains(&wanted);
        let positional = literals.iter().any(|literal| {
            matches!(
                literal,
                Literal::Vertical(_) | Literal::Horizontal(_) | Literal::Place(_, Place::At(..))
            )
        });
        let places = |wanted: fn(&Place) -> bool| {
            literals
                .iter()
                .any(|literal| matches!(literal, Literal::Place(_, place) if wanted(place)))
        };
        // The symmetry is used, or not generated.
        let symmetry = has(Literal::PosGen) == positional;
        // Every block comes with its colour, which is also its second use.
        let coloured = literals.iter().all(|literal| match literal {
            Literal::Place(block, _) => has(Literal::Colour(*block)),
            _ => true,
        });
        // The second colour variable occurs at least twice.
        let foes = literals
            .iter()
            .filter(|literal| matches!(literal, Literal::Colour(block) if !self.mine[*block]))
            .count();
        let colours = match (has(Literal::Opposite), foes) {
            (true, 0) | (false, 1) => false,
            _ => true,
        };
        let late = has(Literal::Stage(Stage::Mid)) || has(Literal::Stage(Stage::End));
        let grounded = !late
            || places(|place| matches!(place, Place::At(..)))
            || places(|place| !matches!(place, Place::At(..) | Place::Adjacent));
        symmetry && coloured && colours && grounded
    }
}

/// A condition that is evaluated over all examples at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Atom {
    Block(BlockTest),
    Vertical(i8),
    Horizontal(i8),
    Stage(Stage),
}

/// One bit an example, for each symmetry.
type Bits = [Box<[u64]>; SYMMETRIES];

/// Conditions evaluated over all examples, kept for the next question.
pub struct Coverage<'e> {
    examples: &'e Examples,
    reading: Reading,
    known: HashMap<Atom, Arc<Bits>>,
    words: usize,
    /// First word of the negatives.
    negatives: usize,
}

impl<'e> Coverage<'e> {
    /// Nothing is evaluated yet.
    pub fn new(examples: &'e Examples, reading: Reading) -> Coverage<'e> {
        let negatives = examples.positive.len().div_ceil(64);
        Coverage {
            examples,
            reading,
            known: HashMap::new(),
            words: negatives + examples.negative.len().div_ceil(64),
            negatives,
        }
    }

    fn holds(&self, atom: &Atom, example: &Example, symmetry: usize) -> bool {
        match atom {
            Atom::Block(test) => example.passes(test, symmetry, self.reading, Colour::Me),
            Atom::Vertical(d) => example.edges(symmetry, self.reading).0 == *d,
            Atom::Horizontal(d) => example.edges(symmetry, self.reading).1 == *d,
            Atom::Stage(stage) => example.stage() == *stage,
        }
    }

    fn bits(&mut self, atom: Atom) -> Arc<Bits> {
        if let Some(known) = self.known.get(&atom) {
            return Arc::clone(known);
        }
        let positives = self.examples.positive.chunks(64);
        let chunks: Vec<&[Example]> = positives.chain(self.examples.negative.chunks(64)).collect();
        debug_assert_eq!(chunks.len(), self.words);
        let bits: Vec<Box<[u64]>> = (0..SYMMETRIES)
            .map(|symmetry| {
                chunks
                    .iter()
                    .map(|chunk| {
                        chunk.iter().enumerate().fold(0, |word, (bit, example)| {
                            word | u64::from(self.holds(&atom, example, symmetry)) << bit
                        })
                    })
                    .collect()
            })
            .collect();
        let bits: Arc<Bits> = Arc::new(bits.try_into().unwrap_or_else(|_| unreachable!()));
        match self.known.entry(atom) {
            Entry::Occupied(known) => Arc::clone(known.get()),
            Entry::Vacant(free) => Arc::clone(free.insert(bits)),
        }
    }

    /// The examples that a clause covers: one bit each, positives first.
    pub fn covered(&mut self, clause: &Clause) -> Vec<u64> {
        let shared = clause
            .blocks
            .iter()
            .any(|test| test.colour == Colour::Shared);
        let colours = if shared {
            &[Colour::Me, Colour::Foe][..]
        } else {
            &[Colour::Me]
        };
        let mut all = vec![0; self.words];
        for &colour in colours {
            let mut atoms = vec![];
            for test in &clause.blocks {
                let mut test = test.clone();
                if test.colour == Colour::Shared {
                    test.colour = colour;
                }
                atoms.push(self.bits(Atom::Block(test)));
            }
            atoms.extend(clause.vertical.map(|d| self.bits(Atom::Vertical(d))));
            atoms.extend(clause.horizontal.map(|d| self.bits(Atom::Horizontal(d))));
            atoms.extend(clause.stage.map(|stage| self.bits(Atom::Stage(stage))));
            for symmetry in 0..SYMMETRIES {
                for (number, word) in all.iter_mut().enumerate() {
                    *word |= atoms
                        .iter()
                        .fold(u64::MAX, |bits, atom| bits & atom[symmetry][number]);
                }
            }
        }
        // A clause without conditions covers the padding, too.
        self.mask(&mut all);
        all
    }

    fn mask(&self, bits: &mut [u64]) {
        let (positive, negative) = bits.split_at_mut(self.negatives);
        for (part, len) in [
            (positive, self.examples.positive.len()),
            (negative, self.examples.negative.len()),
        ] {
            if let Some(last) = part.last_mut().filter(|_| !len.is_multiple_of(64)) {
                *last &= (1 << (len % 64)) - 1;
            }
        }
    }

    /// Positives and negatives among covered examples.
    pub fn counts(&self, covered: &[u64]) -> (u32, u32) {
        let (positive, negative) = covered.split_at(self.negatives);
        let count = |part: &[u64]| part.iter().map(|word| word.count_ones()).sum();
        (count(positive), count(negative))
    }
}

/// The best acceptable clause of a seed, with the positives and negatives that it covers.
fn best_clause(
    seed: &Example,
    coverage: &mut Coverage<'_>,
    settings: &Settings,
) -> Option<(Clause, u32, u32)> {
    let bottom = Bottom::new(seed, settings);
    let mut best: Option<(Clause, u32, u32)> = None;
    let score = |best: &Option<(Clause, u32, u32)>| {
        best.as_ref().map_or(0, |(_, positives, negatives)| {
            i64::from(*positives) - i64::from(*negatives)
        })
    };
    let mut level: Vec<Vec<u16>> = vec![vec![]];
    let mut nodes = 0;
    while !level.is_empty() && nodes < settings.nodes {
        let mut next = vec![];
        'level: for parent in &level {
            let from = parent.last().map_or(0, |&last| last + 1);
            for index in from..bottom.literals.len() as u16 {
                if nodes >= settings.nodes {
                    break 'level;
                }
                if !bottom.is_bound(parent, bottom.literals[usize::from(index)]) {
                    continue;
                }
                let mut child = parent.clone();
                child.push(index);
                let Some(clause) = bottom.clause(&child) else {
                    continue;
                };
                nodes += 1;
                let covered = coverage.covered(&clause);
                let (positives, negatives) = coverage.counts(&covered);
                // No refinement can gain positives.
                if i64::from(positives) <= score(&best) {
                    continue;
                }
                if negatives <= settings.noise
                    && i64::from(positives) - i64::from(negatives) > score(&best)
                    && bottom.is_acceptable(&child, settings)
                {
                    best = Some((clause, positives, negatives));
                }
                let length: usize = child
                    .iter()
                    .map(|&i| bottom.literals[usize::from(i)].length())
                    .sum();
                if length < settings.max_literals {
                    next.push(child);
                }
            }
        }
        level = next;
    }
    best
}

/// Rules that cover the positives, best of each seed first found first. `tick` is told how many positives are done.
pub fn induce(examples: &Examples, settings: &Settings, mut tick: impl FnMut(usize)) -> Vec<Rule> {
    let mut coverage = Coverage::new(examples, settings.reading);
    let mut done = vec![0u64; coverage.words];
    let mut rules: Vec<Rule> = vec![];
    for (number, seed) in examples.positive.iter().enumerate() {
        if done[number / 64] >> (number % 64) & 1 == 1 {
            continue;
        }
        if rules.len() >= settings.max_rules {
            break;
        }
        if let Some((clause, positives, negatives)) = best_clause(seed, &mut coverage, settings) {
            let covered = coverage.covered(&clause);
            done.iter_mut()
                .zip(&covered)
                .for_each(|(done, now)| *done |= now);
            rules.push(Rule::new(clause, positives, negatives));
        }
        done[number / 64] |= 1 << (number % 64);
        tick(coverage.counts(&done).0 as usize);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::check::{predict, scored};
    use crate::games::go::patterns::examples::{RECORDS, is_test_game, recorded, sample};
    use crate::games::go::patterns::negatives;
    use crate::games::go::patterns::text::RuleFile;
    use dojo_core::rng::Rng;

    #[test]
    #[ignore = "trial"]
    fn trial() {
        let env = |name: &str, default: usize| {
            std::env::var(name)
                .ok()
                .and_then(|v| v.parse().ok())
                .unwrap_or(default)
        };
        let games = recorded(RECORDS).unwrap();
        let (mut train, mut test) = (vec![], vec![]);
        for (number, game) in games.into_iter().enumerate() {
            if is_test_game(number) {
                test.extend(game);
            } else {
                train.push(game);
            }
        }
        let random = negatives::random_stones(negatives::RANDOM_GAMES).unwrap();
        for seed in 1..=env("SEEDS", 2) as u64 {
            let mut rng = Rng::new(seed);
            let train: Vec<_> = train.iter().flatten().copied().collect();
            let positive = sample(&train, env("P", 1500), &mut rng);
            let negative = sample(&random, env("N", 140), &mut rng);
            let make = |r: &[crate::games::go::patterns::examples::Recorded]| -> Vec<Example> {
                r.iter().map(|r| Example::new(&r.game, r.point)).collect()
            };
            let examples = Examples {
                positive: make(&positive),
                negative: make(&negative),
            };
            let mut settings = Settings::published(env("NOISE", 20) as u32);
            settings.richer = env("RICH", 1) == 1;
            settings.nodes = env("NODES", 5000);
            let start = std::time::Instant::now();
            let mut rules = induce(&examples, &settings, |_| {});
            let took = start.elapsed();
            if env("LEARN", 0) == 1 {
                let start = std::time::Instant::now();
                crate::games::go::patterns::weights::learn(&mut rules, &train);
                println!("weights in {:?}", start.elapsed());
            }
            let found = predict(&test, |game, points| {
                scored(&rules, settings.reading, game, points)
            });
            println!(
                "seed {seed}: {} rules in {took:?}; within 1/5/20: {:.4} {:.4} {:.4} of {}",
                rules.len(),
                found.within(1),
                found.within(5),
                found.within(20),
                found.positions
            );
            if seed == 1 {
                println!(
                    "{}",
                    RuleFile {
                        reading: settings.reading,
                        rules
                    }
                );
            }
        }
    }

    #[test]
    #[ignore = "makes data"]
    fn make_negatives() {
        std::fs::write(
            concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/../../data/go-patterns/random-against-gnugo.sgf"
            ),
            negatives::make(60, 1).unwrap(),
        )
        .unwrap();
    }
}

//! Induction of clauses from examples, as the published learner (ALEPH, after CProgol) does it.
//!
//! For an uncovered positive example, the *seed*, the bottom clause lists every literal that holds
//! of it: its most specific clause. The breadth-first search looks at the subsets of that list from
//! the most general one, one literal more at a time, and keeps the clause with the largest P − N
//! among those that cover at most `noise` negatives and obey the published constraints. [`induce`]
//! repeats this until every positive is covered or has been a seed.
//!
//! Coverage is exact and cheap: each condition is evaluated once over all examples and symmetries
//! into bit sets ([`Coverage`]), and a clause is an intersection and a count.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use dojo_core::games::go::clauses::{
    BlockPlace, BlockTest, Clause, Colour, CountRange, REACH, SYMMETRIES, Stage,
};

use dojo_core::rng::Rng;

use super::Rule;
use super::examples::{Example, Reading, RecordedStone};

/// InductionSettings of the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InductionSettings {
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
    /// How the clauses of a seed are searched.
    pub search: ClauseSearch,
}

/// Order in which the generalisations of a bottom clause are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum ClauseSearch {
    /// Breadth-first from the most general clause, as published.
    #[default]
    BreadthFirst,
    /// An evolutionary search: a population of subsets of the bottom clause, mutated and crossed.
    Evolution,
}

impl InductionSettings {
    /// As published, with this noise.
    pub fn published(noise: u32) -> InductionSettings {
        InductionSettings {
            noise,
            nodes: 5_000,
            min_literals: 3,
            max_literals: 15,
            richer: true,
            reading: Reading::default(),
            search: ClauseSearch::default(),
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

impl Examples {
    /// RecordedStone stones as examples.
    pub fn new(positive: &[RecordedStone], negative: &[RecordedStone]) -> Examples {
        Examples {
            positive: positive.iter().map(Example::from).collect(),
            negative: negative.iter().map(Example::from).collect(),
        }
    }
}

/// A literal of a bottom clause. Blocks are numbered in the seed's position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Literal {
    PosGen,
    Stage(Stage),
    Vertical(i8),
    Horizontal(i8),
    Opposite,
    Place(usize, BlockPlace),
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
            Literal::Place(_, BlockPlace::Adjacent) => 2,
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
    fn new(seed: &Example, settings: &InductionSettings) -> Bottom {
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
                    places[block].push(BlockPlace::At(dx, dy));
                }
            }
        }
        let relations = if settings.richer {
            &BlockPlace::RELATIONS[..]
        } else {
            &[BlockPlace::Adjacent]
        };
        for (block, places) in places.iter_mut().enumerate() {
            let stands = |place: &&BlockPlace| seed.stands(block, **place, 0, settings.reading);
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
            Literal::Place(_, BlockPlace::At(..)) => has(Literal::PosGen),
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
                            liberties: CountRange::ANY,
                            stones: CountRange::ANY,
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
                        Literal::Liberties(_, count) => test.liberties = CountRange::exactly(count),
                        Literal::Stones(_, count) => test.stones = CountRange::exactly(count),
                        _ => {}
                    }
                }
            }
        }
        Some(clause)
    }

    /// Literals of the published language in a choice.
    fn length(&self, chosen: &[u16]) -> usize {
        let lengths = chosen
            .iter()
            .map(|&i| self.literals[usize::from(i)].length());
        lengths.sum()
    }

    /// Adds or drops one to three literals, then drops literals whose inputs are not bound.
    fn mutate(&self, chosen: &mut Vec<u16>, rng: &mut Rng) {
        for _ in 0..=rng.below(3) {
            let index = rng.below(self.literals.len() as u32) as u16;
            match chosen.binary_search(&index) {
                Ok(place) => {
                    chosen.remove(place);
                }
                Err(place) => {
                    chosen.insert(place, index);
                    self.bind(chosen, index);
                }
            }
        }
        let mut bound: Vec<u16> = vec![];
        for &index in chosen.iter() {
            if self.is_bound(&bound, self.literals[usize::from(index)]) {
                bound.push(index);
            }
        }
        *chosen = bound;
    }

    /// Adds what a new literal needs: the symmetry, and the colour of its block.
    fn bind(&self, chosen: &mut Vec<u16>, index: u16) {
        let wanted = |literal: &Literal| match self.literals[usize::from(index)] {
            Literal::Vertical(_) | Literal::Horizontal(_) => *literal == Literal::PosGen,
            Literal::Place(block, BlockPlace::At(..)) => {
                *literal == Literal::PosGen
                    || *literal == Literal::Colour(block)
                    || !self.mine[block] && *literal == Literal::Opposite
            }
            Literal::Place(block, _) => {
                *literal == Literal::Colour(block)
                    || !self.mine[block] && *literal == Literal::Opposite
            }
            _ => false,
        };
        let needed = self.literals.iter().enumerate();
        let needed = needed.filter(|(_, literal)| wanted(literal));
        chosen.extend(needed.map(|(index, _)| index as u16));
        chosen.sort_unstable();
        chosen.dedup();
    }

    /// Whether a clause obeys the published constraints.
    fn is_acceptable(&self, chosen: &[u16], settings: &InductionSettings) -> bool {
        let literals: Vec<_> = chosen
            .iter()
            .map(|&i| self.literals[usize::from(i)])
            .collect();
        let length = self.length(chosen);
        if !(settings.min_literals..=settings.max_literals).contains(&length) {
            return false;
        }
        let has = |wanted: Literal| literals.contains(&wanted);
        let positional = literals.iter().any(|literal| {
            matches!(
                literal,
                Literal::Vertical(_)
                    | Literal::Horizontal(_)
                    | Literal::Place(_, BlockPlace::At(..))
            )
        });
        let places = |wanted: fn(&BlockPlace) -> bool| {
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
        let colours = !matches!((has(Literal::Opposite), foes), (true, 0) | (false, 1));
        let late = has(Literal::Stage(Stage::Mid)) || has(Literal::Stage(Stage::End));
        let grounded = !late
            || places(|place| matches!(place, BlockPlace::At(..)))
            || places(|place| !matches!(place, BlockPlace::At(..) | BlockPlace::Adjacent));
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

    /// Positives and negatives that a clause covers.
    pub fn counts(&mut self, clause: &Clause) -> (u32, u32) {
        let covered = self.covered(clause);
        self.count(&covered)
    }

    /// Positives and negatives among covered examples.
    pub fn count(&self, covered: &[u64]) -> (u32, u32) {
        let (positive, negative) = covered.split_at(self.negatives);
        let count = |part: &[u64]| part.iter().map(|word| word.count_ones()).sum();
        (count(positive), count(negative))
    }
}

/// A clause with the positives and negatives that it covers.
type FoundClause = (Clause, u32, u32);

/// The best acceptable clause so far.
#[derive(Default)]
struct BestClause(Option<FoundClause>);

impl BestClause {
    /// Positives minus negatives; 0 without a clause.
    fn score(&self) -> i64 {
        self.0.as_ref().map_or(0, |(_, positives, negatives)| {
            i64::from(*positives) - i64::from(*negatives)
        })
    }

    /// Keeps a clause that is acceptable and better.
    fn offer(
        &mut self,
        bottom: &Bottom,
        chosen: &[u16],
        found: FoundClause,
        settings: &InductionSettings,
    ) {
        let (_, positives, negatives) = found;
        if negatives <= settings.noise
            && i64::from(positives) - i64::from(negatives) > self.score()
            && bottom.is_acceptable(chosen, settings)
        {
            self.0 = Some(found);
        }
    }
}

/// Looks at the generalisations of a bottom clause from the most general one, one literal more at a time.
fn breadth_first(
    bottom: &Bottom,
    coverage: &mut Coverage<'_>,
    settings: &InductionSettings,
) -> Option<FoundClause> {
    let mut best = BestClause::default();
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
                let (positives, negatives) = coverage.counts(&clause);
                // No refinement can gain positives.
                if i64::from(positives) <= best.score() {
                    continue;
                }
                best.offer(bottom, &child, (clause, positives, negatives), settings);
                if bottom.length(&child) < settings.max_literals {
                    next.push(child);
                }
            }
        }
        level = next;
    }
    best.0
}

/// Size of the population of the evolutionary search.
const POPULATION: usize = 60;

/// Evolves subsets of a bottom clause; looks at as many clauses as the search breadth-first may.
fn evolution(
    bottom: &Bottom,
    coverage: &mut Coverage<'_>,
    settings: &InductionSettings,
    seed: u64,
) -> Option<FoundClause> {
    let mut rng = Rng::new(seed);
    let mut best = BestClause::default();
    let mut population: Vec<(i64, Vec<u16>)> = vec![];
    for node in 0..settings.nodes {
        let mut child = if node < POPULATION {
            vec![]
        } else {
            // Two tournaments of two choose the parents; a child takes each of their literals with even chance.
            let mut parent = || {
                let [a, b] = [(); 2].map(|()| rng.below(POPULATION as u32) as usize);
                population[if population[a].0 >= population[b].0 {
                    a
                } else {
                    b
                }]
                .1
                .clone()
            };
            let (mother, father) = (parent(), parent());
            let mut child: Vec<u16> = mother.iter().chain(&father).copied().collect();
            child.sort_unstable();
            child.dedup();
            child.retain(|literal| {
                mother.contains(literal) && father.contains(literal) || rng.below(2) == 0
            });
            child
        };
        bottom.mutate(&mut child, &mut rng);
        let Some(clause) = bottom.clause(&child) else {
            continue;
        };
        let (positives, negatives) = coverage.counts(&clause);
        // Negatives beyond the noise and broken constraints cost, so that the way to good clauses stays open.
        let excess = i64::from(negatives.saturating_sub(settings.noise));
        let mut fitness = i64::from(positives) - i64::from(negatives) - 20 * excess;
        if !bottom.is_acceptable(&child, settings) {
            fitness = fitness / 2 - 1;
        }
        best.offer(bottom, &child, (clause, positives, negatives), settings);
        if population.len() < POPULATION {
            population.push((fitness, child));
        } else if population.iter().all(|(_, other)| *other != child) {
            // The child takes the place of the loser of a tournament.
            let [a, b] = [(); 2].map(|()| rng.below(POPULATION as u32) as usize);
            let loser = if population[a].0 < population[b].0 {
                a
            } else {
                b
            };
            if fitness >= population[loser].0 {
                population[loser] = (fitness, child);
            }
        }
    }
    best.0
}

/// Rules that cover the positives, best of each seed first found first. `tick` is told how many positives are done.
pub fn induce(
    examples: &Examples,
    settings: &InductionSettings,
    mut tick: impl FnMut(usize),
) -> Vec<Rule> {
    let mut coverage = Coverage::new(examples, settings.reading);
    let mut done = vec![0u64; coverage.words];
    let mut rules: Vec<Rule> = vec![];
    for (number, seed) in examples.positive.iter().enumerate() {
        if done[number / 64] >> (number % 64) & 1 == 1 {
            continue;
        }
        let bottom = Bottom::new(seed, settings);
        let best = match settings.search {
            ClauseSearch::BreadthFirst => breadth_first(&bottom, &mut coverage, settings),
            ClauseSearch::Evolution => evolution(&bottom, &mut coverage, settings, number as u64),
        };
        if let Some((clause, positives, negatives)) = best {
            let covered = coverage.covered(&clause);
            done.iter_mut()
                .zip(&covered)
                .for_each(|(done, now)| *done |= now);
            let number = rules.len() as u32 + 1;
            rules.push(Rule::new(number, clause, positives, negatives));
        }
        done[number / 64] |= 1 << (number % 64);
        tick(coverage.count(&done).0 as usize);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::go::patterns::examples::{Corpus, RECORDS, sample};
    use crate::games::go::patterns::negatives;

    fn examples(positives: usize, negatives: usize) -> Examples {
        let mut rng = Rng::new(1);
        let corpus = Corpus::new(RECORDS).unwrap();
        let random = negatives::random_stones(negatives::RANDOM_GAMES).unwrap();
        Examples::new(
            &sample(&corpus.training_stones(), positives, &mut rng),
            &sample(&random, negatives, &mut rng),
        )
    }

    /// Counts by bit sets agree with a question to every example, and the constraints hold of every rule.
    #[test]
    fn rules_count_right_and_obey_the_constraints() {
        let examples = examples(150, 40);
        for search in [ClauseSearch::BreadthFirst, ClauseSearch::Evolution] {
            let settings = InductionSettings {
                nodes: 1_500,
                search,
                ..InductionSettings::published(5)
            };
            let rules = induce(&examples, &settings, |_| {});
            assert!(rules.len() > 3, "{search:?}: {} rules", rules.len());
            for rule in &rules {
                let count = |examples: &[Example]| {
                    let covered =
                        |example: &&Example| example.is_covered(&rule.clause, settings.reading);
                    examples.iter().filter(covered).count() as u32
                };
                assert_eq!(count(&examples.positive), rule.positives, "{rule:?}");
                assert_eq!(count(&examples.negative), rule.negatives, "{rule:?}");
                assert!(rule.negatives <= 5 && rule.positives > rule.negatives);
                let shared = rule.clause.blocks.iter();
                let shared = shared.filter(|test| test.colour == Colour::Shared).count();
                assert_ne!(shared, 1, "a colour that nothing else shares: {rule:?}");
                let late = matches!(rule.clause.stage, Some(Stage::Mid | Stage::End));
                assert!(!late || !rule.clause.blocks.is_empty(), "{rule:?}");
            }
        }
    }

    /// Without negatives the most general clauses that the constraints allow win.
    #[test]
    fn every_positive_is_covered() {
        let examples = examples(60, 0);
        let settings = InductionSettings {
            nodes: 2_000,
            ..InductionSettings::published(0)
        };
        let rules = induce(&examples, &settings, |_| {});
        for example in &examples.positive {
            let covers = |rule: &Rule| example.is_covered(&rule.clause, settings.reading);
            assert!(rules.iter().any(covers), "{example:?}");
        }
    }
}

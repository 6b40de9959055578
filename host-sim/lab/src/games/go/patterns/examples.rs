//! Examples for the learner: a position, a candidate move, and whether a strong player made it.

use dojo_core::game::Game;
use dojo_core::games::Go;
pub use dojo_core::games::go::clauses::Reading;
use dojo_core::games::go::clauses::{
    BlockFacts, BlockPlace, BlockTest, Clause, ClauseView, Colour, SYMMETRIES, Stage,
    edge_distance, turned,
};
use dojo_core::games::go::{GoMove, Point, Points};
use dojo_core::rng::Rng;

use crate::games::go::record;
use crate::games::go::sgf::{self, MainLine, SgfError};

/// A candidate move in a position, prepared for many questions about it.
#[derive(Clone, Debug)]
pub struct Example {
    point: Point,
    stage: Stage,
    size: u8,
    blocks: Vec<BlockFacts>,
    /// The block on each point, by [`Point::number`]; [`NONE`] if empty.
    block_at: [u8; 90],
}

const NONE: u8 = u8::MAX;

impl From<&RecordedStone> for Example {
    fn from(recorded: &RecordedStone) -> Example {
        Example::new(&recorded.game, recorded.point)
    }
}

impl Example {
    /// A stone on `point` as the next move.
    pub fn new(game: &Go, point: Point) -> Example {
        let view = ClauseView::new(game);
        let mut block_at = [NONE; 90];
        for (number, block) in view.blocks().iter().enumerate() {
            { block.stones }.for_each(|stone| block_at[stone.number()] = number as u8);
        }
        Example {
            point,
            stage: view.stage,
            size: view.size,
            blocks: view.blocks().to_vec(),
            block_at,
        }
    }

    /// The same position with another candidate.
    pub fn at(&self, point: Point) -> Example {
        Example {
            point,
            ..self.clone()
        }
    }

    /// The candidate.
    pub fn point(&self) -> Point {
        self.point
    }

    /// The phase of the game.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// The blocks of the position.
    pub fn blocks(&self) -> &[BlockFacts] {
        &self.blocks
    }

    /// Signed distances to the nearer vertical and horizontal edge.
    pub fn edges(&self, symmetry: usize, reading: Reading) -> (i8, i8) {
        let (col, row) = match reading {
            Reading::AboutThePoint => image(self.size, self.point, symmetry),
            Reading::AsListed => (self.point.col(), self.point.row()),
        };
        (edge_distance(self.size, col), edge_distance(self.size, row))
    }

    /// The number of the block at a displacement.
    pub fn block_at(&self, (dx, dy): (i8, i8), symmetry: usize, reading: Reading) -> Option<usize> {
        let displaced = |(dx, dy): (i8, i8)| {
            let col = self.point.col().checked_add_signed(dx)?;
            let row = self.point.row().checked_add_signed(dy)?;
            Point::new(col, row).filter(|_| col < self.size && row < self.size)
        };
        let point = match reading {
            Reading::AboutThePoint => displaced(turned(symmetry, (dx, dy)))?,
            Reading::AsListed => {
                let (col, row) = image(self.size, displaced((dx, dy))?, symmetry);
                Point::new(col, row)?
            }
        };
        let block = self.block_at[point.number()];
        (block != NONE).then_some(block.into())
    }

    /// Whether a block stands at a place.
    pub fn stands(
        &self,
        number: usize,
        place: BlockPlace,
        symmetry: usize,
        reading: Reading,
    ) -> bool {
        let block = &self.blocks[number];
        let is_liberty = block.liberties.contains(self.point);
        match place {
            BlockPlace::At(dx, dy) => self.block_at((dx, dy), symmetry, reading) == Some(number),
            BlockPlace::Adjacent => is_liberty,
            BlockPlace::Captures => is_liberty && !block.mine && block.liberty_count == 1,
            BlockPlace::Atari => is_liberty && !block.mine && block.liberty_count == 2,
            BlockPlace::Direct => is_liberty && block.mine,
            BlockPlace::Indirect => {
                let near = Points::of(self.point).around() & block.liberties;
                block.mine && near.len() >= 2
            }
        }
    }

    /// Whether some block satisfies a test; `shared` is the value of [`Colour::Shared`].
    pub fn passes(
        &self,
        test: &BlockTest,
        symmetry: usize,
        reading: Reading,
        shared: Colour,
    ) -> bool {
        let fits = |number: usize| {
            test.admits(&self.blocks[number], shared)
                && test
                    .places
                    .iter()
                    .all(|&place| self.stands(number, place, symmetry, reading))
        };
        match test.places.first() {
            Some(&BlockPlace::At(dx, dy)) => {
                self.block_at((dx, dy), symmetry, reading).is_some_and(fits)
            }
            _ => (0..self.blocks.len()).any(fits),
        }
    }

    /// Whether a clause covers it, in any symmetry.
    pub fn is_covered(&self, clause: &Clause, reading: Reading) -> bool {
        if clause.stage.is_some_and(|stage| stage != self.stage) {
            return false;
        }
        (0..SYMMETRIES).any(|symmetry| {
            let (vertical, horizontal) = self.edges(symmetry, reading);
            let on_lines = clause.vertical.is_none_or(|d| d == vertical)
                && clause.horizontal.is_none_or(|d| d == horizontal);
            on_lines
                && [Colour::Me, Colour::Foe].into_iter().any(|shared| {
                    clause
                        .blocks
                        .iter()
                        .all(|test| self.passes(test, symmetry, reading, shared))
                })
        })
    }
}

/// Column and row of a point as a symmetry shows them.
fn image(size: u8, point: Point, symmetry: usize) -> (u8, u8) {
    let (mut col, mut row) = (point.col(), point.row());
    if symmetry & 1 != 0 {
        row = size - 1 - row;
    }
    if symmetry & 2 != 0 {
        col = size - 1 - col;
    }
    if symmetry & 4 != 0 {
        (col, row) = (row, col);
    }
    (col, row)
}

/// A recorded stone and the position before it.
#[derive(Clone, Copy, Debug)]
pub struct RecordedStone {
    /// The position.
    pub game: Go,
    /// Where the stone went.
    pub point: Point,
}

/// The recorded games of the project.
pub const RECORDS: &[u8] = include_bytes!("../../../../../../data/go9x9/pachi.sgf");

/// The stones of each game of an SGF collection, without the random opening moves that a game's comment names.
pub fn recorded(bytes: &[u8]) -> Result<Vec<Vec<RecordedStone>>, SgfError> {
    sgf::parse(bytes)?.iter().map(stones).collect()
}

fn stones(line: &MainLine) -> Result<Vec<RecordedStone>, SgfError> {
    let mut skipped = random_moves(line);
    let mut stones = vec![];
    record::replay(line, usize::MAX, |game, mv| {
        if skipped > 0 {
            skipped -= 1;
        } else if let GoMove::Stone(point) = mv {
            stones.push(RecordedStone { game: *game, point });
        }
    })?;
    Ok(stones)
}

/// How many of the first moves were drawn at random, by the comment of the first node.
fn random_moves(line: &MainLine) -> usize {
    let comment = line.nodes.first().and_then(|root| root.get("C"));
    comment
        .and_then(|comment| comment.values.first()?.split_once(" random opening moves"))
        .and_then(|(count, _)| count.parse().ok())
        .unwrap_or(0)
}

/// Whether a game of the collection, by its number from 0, is kept for tests: every sixth.
pub fn is_test_game(number: usize) -> bool {
    number % 6 == 5
}

/// RecordedStone games in two parts.
#[derive(Clone, Debug)]
pub struct Corpus {
    /// Games to learn from.
    pub training: Vec<Vec<RecordedStone>>,
    /// Stones of the games kept for tests.
    pub test: Vec<RecordedStone>,
}

impl Corpus {
    /// Splits an SGF collection by game.
    pub fn new(bytes: &[u8]) -> Result<Corpus, SgfError> {
        let (test, training): (Vec<_>, Vec<_>) = recorded(bytes)?
            .into_iter()
            .enumerate()
            .partition(|(number, _)| is_test_game(*number));
        Ok(Corpus {
            training: training.into_iter().map(|(_, stones)| stones).collect(),
            test: test.into_iter().flat_map(|(_, stones)| stones).collect(),
        })
    }

    /// All stones of the games to learn from.
    pub fn training_stones(&self) -> Vec<RecordedStone> {
        self.training.iter().flatten().copied().collect()
    }
}

/// Points on which the player to move would have a block without liberties: suicide, which the rules forbid.
pub fn suicides(game: &Go) -> Points {
    let board = game.board();
    { game.empty() }
        .filter(|&point| {
            let mut next = *game.stones();
            let taken = next.place(game.turn(), point, board);
            taken.is_empty() && next.liberties(next.block(point), board).is_empty()
        })
        .fold(Points::EMPTY, |set, point| set | Points::of(point))
}

/// `count` of the items, drawn without repetition and kept in their order.
pub fn sample<T: Clone>(items: &[T], count: usize, rng: &mut Rng) -> Vec<T> {
    let mut left = count.min(items.len());
    let mut drawn = Vec::with_capacity(left);
    for (number, item) in items.iter().enumerate() {
        let remaining = (items.len() - number) as u32;
        if (rng.below(remaining) as usize) < left {
            drawn.push(item.clone());
            left -= 1;
        }
    }
    drawn
}

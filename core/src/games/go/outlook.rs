//! Who will own what, by three small networks that look at blocks and points one by one.
//!
//! The first judges each block by itself: will it live? The second judges it again, and sees what the first one thinks of
//! its neighbours. The third judges the empty points by the stones around them, each counted for as much as it is expected to
//! live. The sum over all points is the expected score.
//!
//! That a network learns the owner of every point, and not just who wins, is the idea of Schraudolph, Dayan and Sejnowski
//! ("Temporal difference learning of position evaluation in the game of Go", 1994).

use super::network::{Layer, SURE};
use super::points::{Point, Points};
use super::territory::territory;
use super::{Fate, Go, Stones};
use crate::game::{Game, Player};

/// Inputs of each of the three networks; what one does not need is 0.
pub const OUTLOOK: usize = ALONE + AMONG;
/// How many networks there are.
pub const STAGES: usize = 3;
/// What a block looks like by itself.
const ALONE: usize = 30;
/// What its neighbours look like.
const AMONG: usize = 8;

/// No input is farther from 0 than this.
pub const OUTLOOK_MOST: i16 = 64;

/// Most blocks that are judged one by one; more have been seen only in positions that nobody would play.
const MOST_BLOCKS: usize = 48;

/// A yes among the inputs.
const YES: i16 = 8;

type Inputs = [i16; OUTLOOK];

/// A block.
#[derive(Clone, Copy, Debug)]
struct Block {
    stones: Points,
    liberties: Points,
    owner: Player,
    fate: Fate,
}

/// Something that was judged.
#[derive(Clone, Copy, Debug)]
pub struct Judged {
    /// A block, or a single empty point.
    pub points: Points,
    /// Whose it is if the judgement is above 0: the block's owner, or the player to move.
    pub owner: Player,
    /// Which network judged.
    pub stage: usize,
    /// What that network saw.
    pub inputs: [i16; OUTLOOK],
    /// From −[`SURE`] to [`SURE`].
    pub value: i16,
}

/// Judges all blocks, twice, and all empty points of a position, and shows each judgement.
pub fn outlook(game: &Go, layers: &[Layer<'_>; STAGES], mut show: impl FnMut(&Judged)) {
    let view = View::new(game);
    let mut blocks = heapless::Vec::<Block, MOST_BLOCKS>::new();
    for (owner, stones) in game.stones().blocks() {
        let (liberties, fate) =
            (view.stones.liberties(stones, view.board), view.stones.fate(owner, stones, view.board));
        // Without room for it a block counts for nothing.
        let _ = blocks.push(Block { stones, liberties, owner, fate });
    }
    let mut seen = [[0; OUTLOOK]; MOST_BLOCKS];
    let mut lives = [0; MOST_BLOCKS];
    for (n, block) in blocks.iter().enumerate() {
        seen[n] = view.alone(block, &blocks);
        lives[n] = layers[0].judge(&seen[n]);
        show(&Judged { points: block.stones, owner: block.owner, stage: 0, inputs: seen[n], value: lives[n] });
    }
    let alone = lives;
    for (n, block) in blocks.iter().enumerate() {
        seen[n][ALONE..].copy_from_slice(&view.among(n, &blocks, &alone));
        lives[n] = layers[1].judge(&seen[n]);
        show(&Judged { points: block.stones, owner: block.owner, stage: 1, inputs: seen[n], value: lives[n] });
    }
    let field = Field::new(&view, &blocks, &lives);
    for point in view.empty {
        let inputs = field.around(point);
        let value = layers[2].judge(&inputs);
        show(&Judged { points: Points::of(point), owner: view.turn, stage: 2, inputs, value });
    }
}

/// The score that the player to move can expect, komi included, in points times [`SURE`].
pub fn expected_score(game: &Go, layers: &[Layer<'_>; STAGES]) -> i32 {
    let mut sum = 0;
    outlook(game, layers, |judged| {
        // What the first network thinks of a block is corrected by the second.
        if judged.stage > 0 {
            let value = i32::from(judged.value) * judged.points.len() as i32;
            sum += if judged.owner == game.turn() { value } else { -value };
        }
    });
    let komi = i32::from(game.rules().komi()) * i32::from(SURE) / 2;
    if game.turn() == Player::First { sum - komi } else { sum + komi }
}

/// What is needed of the whole position.
struct View<'a> {
    stones: &'a Stones,
    board: Points,
    /// All points but those at the edge.
    inner: Points,
    size: u8,
    turn: Player,
    empty: Points,
    eyes: [Points; 2],
    /// Empty regions that only one player touches.
    rooms: [Points; 2],
    /// Bouzy's map.
    owned: [Points; 2],
}

/// All points that have four neighbours.
fn inner(board: Points) -> Points {
    const UP: u32 = super::points::UP as u32;
    let set = board.bits();
    Points::from_bits(set & set << 1 & set >> 1 & set << UP & set >> UP)
}

/// At most so much, as an input.
fn most(count: u32, most: u32) -> i16 {
    count.min(most) as i16
}

impl<'a> View<'a> {
    fn new(game: &'a Go) -> View<'a> {
        let (stones, board) = (game.stones(), game.board());
        View {
            stones,
            board,
            inner: inner(board),
            size: game.rules().size(),
            turn: game.turn(),
            empty: game.empty(),
            eyes: Player::BOTH.map(|player| stones.eyes(player, board)),
            rooms: Player::BOTH.map(|player| stones.area(player, board).without(stones.of(player))),
            owned: territory(stones, board),
        }
    }

    /// What a block looks like by itself.
    fn alone(&self, block: &Block, blocks: &[Block]) -> Inputs {
        let mut inputs = [0; OUTLOOK];
        inputs[..ALONE].copy_from_slice(&self.counts(block, blocks));
        inputs
    }

    fn counts(&self, block: &Block, blocks: &[Block]) -> [i16; ALONE] {
        let &Block { stones, liberties, owner, fate } = block;
        let (own, enemy) = (self.stones.of(owner), self.stones.of(!owner));
        let first = owner == self.turn;
        let yes = |is: bool| if is { YES } else { 0 };
        let near = stones.around() & self.board;
        let order_2 = (liberties.around() & self.empty).without(liberties);
        let order_3 = (order_2.around() & self.empty).without(liberties | order_2);
        let wide = ((near | near.around()) & self.board).without(stones);
        let wider = wide | (wide.around() & self.board).without(stones);
        let rooms = liberties & self.rooms[owner.index()];
        let mut regions = 0;
        let (mut left, mut room) = (rooms, Points::EMPTY);
        while let Some(point) = left.first() {
            let region = Points::of(point).flooded(self.empty);
            left = left.without(region);
            room |= region;
            regions += 1;
        }
        let (mut least, mut weakest_size, mut caught, mut catchable) = (8, 0, false, false);
        for other in blocks.iter().filter(|other| other.owner != owner && other.stones.meets(near)) {
            let count = other.liberties.len();
            let size = other.stones.len();
            if count < least || count == least && size > weakest_size {
                (least, weakest_size) = (count, size);
            }
            catchable |= other.fate.in_danger;
            caught |= if first { other.fate.in_danger } else { other.fate.lost };
        }
        let count = liberties.len();
        [
            YES,
            if first { YES } else { -YES },
            yes(count == 1),
            yes(count == 2),
            yes(count == 3),
            yes(count == 4),
            most(count, 10),
            most(stones.len(), 12),
            most(order_2.len(), 14),
            most(order_3.len(), 16),
            YES * most((liberties & self.eyes[owner.index()]).len(), 2),
            YES * most(regions, 2),
            2 * most(room.len(), 8),
            yes(fate.in_danger),
            yes(fate.lost),
            yes(if first { fate.lost } else { fate.in_danger }),
            yes(catchable),
            yes(caught),
            if caught { most(weakest_size, 10) } else { 0 },
            2 * least as i16,
            2 * (count.min(8) as i16 - least as i16),
            most((wide & own).len(), 10),
            most((wide & enemy).len(), 12),
            most((wide & self.owned[owner.index()]).len(), 16),
            most((wide & self.owned[(!owner).index()]).len(), 16),
            most((wider & own).len(), 16),
            most((wider & enemy).len(), 16),
            self.empty.len() as i16 / 5,
            most(stones.without(self.inner).len(), 8),
            most((liberties & self.inner).len(), 8),
        ]
    }

    /// What is thought of the blocks around one.
    fn among(&self, number: usize, blocks: &[Block], lives: &[i16]) -> [i16; AMONG] {
        let block = &blocks[number];
        let near = block.stones.around();
        // The most that is thought of a friend: joined to this one, linked by one point, or beside it.
        let (mut joined, mut linked, mut beside) = (-SURE, -SURE, -SURE);
        let (mut worst, mut best, mut sum, mut count) = (SURE, -SURE, 0, 0);
        for (other, &life) in blocks.iter().zip(lives) {
            if other.owner != block.owner {
                if other.stones.meets(near) {
                    let size = most(other.stones.len(), 20);
                    (worst, best) = (worst.min(life), best.max(life));
                    (sum, count) = (sum + life * size, count + size);
                }
            } else if other.stones != block.stones {
                let shared = other.liberties & block.liberties;
                let is_safe = |point| !Points::of(point).around().meets(self.empty | self.stones.of(!block.owner));
                match shared.len() {
                    0 if other.stones.meets(block.liberties.around()) => beside = beside.max(life),
                    0 => {}
                    // Where the enemy cannot move, one point joins as well as two.
                    1 if !shared.only().is_some_and(is_safe) => linked = linked.max(life),
                    _ => joined = joined.max(life),
                }
            }
        }
        let mean = if count > 0 { sum / count } else { 0 };
        let [life, joined, linked, beside, worst, best, mean] =
            [lives[number], joined, linked, beside, worst, best, mean].map(|life| life / 8);
        [life, joined, linked, beside, worst, best, mean, if count > 0 { YES } else { 0 }]
    }
}

/// A block that is worth less is treated as if it had been taken.
const GIVEN_UP: i16 = -SURE / 4;
/// Side of the padded field: nine points and four of border on both sides.
const WIDE: usize = 17;

/// The stones as the empty points feel them.
struct Field {
    /// How far each stone counts for the player to move, on a board with a border.
    lives: [i8; WIDE * WIDE],
    size: u8,
    turn: Player,
    /// Bouzy's map without the stones that are given up.
    owned: [Points; 2],
    /// The points at one, two, three and four steps from a living stone, by player.
    reach: [[Points; 4]; 2],
    /// Empty points next to a stone.
    liberties: [Points; 2],
    spaces: i16,
}

fn place(point: Point) -> usize {
    (usize::from(point.row()) + 4) * WIDE + usize::from(point.col()) + 4
}

impl Field {
    fn new(view: &View<'_>, blocks: &[Block], values: &[i16]) -> Field {
        let mut lives = [0; WIDE * WIDE];
        let mut dead = Points::EMPTY;
        for (block, &value) in blocks.iter().zip(values) {
            let life = if block.owner == view.turn { value } else { -value };
            { block.stones }.for_each(|point| lives[place(point)] = life as i8);
            if value < GIVEN_UP {
                dead |= block.stones;
            }
        }
        let living = view.stones.without(dead);
        let open = view.empty | dead;
        let reach = Player::BOTH.map(|player| {
            let mut reached = living.of(player);
            [(); 4].map(|()| {
                reached |= reached.around() & open;
                reached
            })
        });
        Field {
            lives,
            size: view.size,
            turn: view.turn,
            owned: territory(&living, view.board),
            reach,
            liberties: Player::BOTH.map(|player| view.stones.of(player).around() & view.empty),
            spaces: view.empty.len() as i16,
        }
    }

    /// What an empty point looks like.
    fn around(&self, point: Point) -> Inputs {
        let [me, other] = [self.turn, !self.turn].map(Player::index);
        let here = place(point);
        let mut rings = [0; 4];
        for (ring, offsets) in rings.iter_mut().zip(&RINGS) {
            for &by in offsets.iter().take_while(|&&by| by != 0) {
                *ring += i16::from(self.lives[here.wrapping_add_signed(by.into())]);
            }
        }
        let distance = |player: usize| self.reach[player].iter().filter(|reach| !reach.contains(point)).count() as i16;
        let sign =
            |sets: &[Points; 2]| YES * (i16::from(sets[me].contains(point)) - i16::from(sets[other].contains(point)));
        let edge = |at: u8| at.min(self.size.wrapping_sub(1).wrapping_sub(at));
        let (low, high) = {
            let (a, b) = (edge(point.col()), edge(point.row()));
            (a.min(b), a.max(b))
        };
        let mut inputs = [0; OUTLOOK];
        let (near, far) = (distance(me), distance(other));
        let values = [
            YES,
            rings[0] / 16,
            rings[1] / 16,
            rings[2] / 32,
            rings[3] / 32,
            sign(&self.owned),
            3 * near,
            3 * far,
            4 * (far - near),
            if near < far { YES } else { 0 },
            if far < near { YES } else { 0 },
            YES * i16::from(self.liberties[me].contains(point)),
            YES * i16::from(self.liberties[other].contains(point)),
            if low == 0 { YES } else { 0 },
            if low == 1 { YES } else { 0 },
            if low == 2 { YES } else { 0 },
            3 * i16::from(high),
            self.spaces / 5,
        ];
        inputs[..values.len()].copy_from_slice(&values);
        inputs
    }
}

/// Steps to the cells at distance 1 to 4 along the lines; 0 ends a shorter list.
static RINGS: [[i8; 16]; 4] = {
    let mut rings = [[0; 16]; 4];
    let mut filled = [0; 4];
    let mut up = -4i8;
    while up <= 4 {
        let mut right = -4i8;
        while right <= 4 {
            let distance = (up.unsigned_abs() + right.unsigned_abs()) as usize;
            if distance >= 1 && distance <= 4 {
                rings[distance - 1][filled[distance - 1]] = up * WIDE as i8 + right;
                filled[distance - 1] += 1;
            }
            right += 1;
        }
        up += 1;
    }
    rings
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::{Agent, Random};
    use crate::games::GoRules;
    use crate::rng::Rng;

    /// Three networks of two units with any weights.
    fn weights() -> heapless::Vec<u8, { 2 * STAGES * 2 * (OUTLOOK + 1) }> {
        let mut rng = Rng::new(5);
        (0..STAGES * 2 * (OUTLOOK + 1)).flat_map(|_| (rng.below(2001) as i16 - 1000).to_le_bytes()).collect()
    }

    fn layers(weights: &[u8]) -> [Layer<'_>; STAGES] {
        let mut parts = weights.chunks_exact(weights.len() / STAGES);
        [(); STAGES].map(|()| Layer::new(parts.next().unwrap(), OUTLOOK, 10))
    }

    /// Positions of random games without passes.
    fn positions(mut look: impl FnMut(&Go)) {
        let mut rng = Rng::new(8);
        for size in [5, 7, 9] {
            let mut game = Go::new(GoRules::new(size).unwrap());
            for _ in 0..70 {
                look(&game);
                let Some(mv) = Random.choose(&game, &mut rng).filter(|mv| mv.point().is_some()) else { break };
                game.play(mv).unwrap();
            }
        }
    }

    /// A reader that runs out of patience looks at moves in another order on a turned board, so that its answer may differ.
    #[test]
    fn turned_boards_are_nearly_always_worth_the_same() {
        let weights = weights();
        let layers = layers(&weights);
        let (mut same, mut all) = (0, 0);
        positions(|game| {
            let value = expected_score(game, &layers);
            same += (1..8).filter(|&symmetry| expected_score(&game.transformed(symmetry), &layers) == value).count();
            all += 7;
        });
        assert!(10 * same > 9 * all, "{same} of {all}");
    }

    #[test]
    fn swapped_colours_are_worth_the_same() {
        let weights = weights();
        let layers = layers(&weights);
        positions(|game| {
            let rules = game.rules().with_komi(0).unwrap();
            let (black, white) = (game.stones().of(Player::First), game.stones().of(Player::Second));
            let here = Go::with_stones(rules, black, white, Player::First).unwrap();
            let there = Go::with_stones(rules, white, black, Player::Second).unwrap();
            assert_eq!(expected_score(&here, &layers), expected_score(&there, &layers), "{game}");
        });
    }

    #[test]
    fn every_point_is_judged_and_every_input_is_small() {
        let weights = weights();
        let layers = layers(&weights);
        positions(|game| {
            let mut judged = [Points::EMPTY; STAGES];
            outlook(game, &layers, |found| {
                assert!(!judged[found.stage].meets(found.points));
                judged[found.stage] |= found.points;
                assert!(found.inputs.iter().all(|input| input.abs() <= OUTLOOK_MOST), "{found:?}");
                assert!(found.value.abs() <= SURE);
            });
            assert_eq!(judged, [game.stones().all(), game.stones().all(), game.empty()]);
        });
    }
}

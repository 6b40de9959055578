//! The stones on the board without history: blocks, liberties, captures, area.

use super::points::{Point, Points};
use crate::game::Player;

/// The stones of both players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Stones {
    /// By [`Player::index`].
    of: [Points; 2],
}

impl Stones {
    /// The two sets must be disjoint.
    pub fn new(black: Points, white: Points) -> Stones {
        Stones {
            of: [black, white.without(black)],
        }
    }

    /// The stones of a player.
    #[inline]
    pub fn of(&self, player: Player) -> Points {
        self.of[player.index()]
    }

    /// All stones.
    #[inline]
    pub fn all(&self) -> Points {
        self.of[0] | self.of[1]
    }

    /// The owner of the stone on a point.
    pub fn at(&self, point: Point) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|&player| self.of(player).contains(point))
    }

    /// The block that a stone belongs to; empty if there is no stone.
    pub fn block(&self, point: Point) -> Points {
        self.at(point).map_or(Points::EMPTY, |player| {
            Points::of(point).flooded(self.of(player))
        })
    }

    /// The liberties of a block.
    #[inline]
    pub fn liberties(&self, block: Points, board: Points) -> Points {
        (block.around() & board).without(self.all())
    }

    /// All blocks, in order of their lowest point.
    pub fn blocks(&self) -> impl Iterator<Item = (Player, Points)> + use<> {
        let stones = *self;
        let mut left = self.all();
        core::iter::from_fn(move || {
            let block = stones.block(left.first()?);
            left = left.without(block);
            Some((stones.at(block.first()?)?, block))
        })
    }

    /// All stones of blocks with a single liberty.
    pub fn in_atari(&self, board: Points) -> Points {
        let caught = self
            .blocks()
            .filter(|&(_, block)| self.liberties(block, board).only().is_some());
        caught.fold(Points::EMPTY, |set, (_, block)| set | block)
    }

    /// Whether every block has a liberty.
    pub fn all_breathe(&self, board: Points) -> bool {
        self.blocks()
            .all(|(_, block)| !self.liberties(block, board).is_empty())
    }

    /// The stones that `player` would capture by a stone on an empty point.
    pub fn captures(&self, player: Player, point: Point, board: Points) -> Points {
        let theirs = self.of(!player);
        let free = board.without(self.all() | Points::of(point));
        let mut taken = Points::EMPTY;
        for neighbour in Points::of(point).around() & theirs {
            if !taken.contains(neighbour) {
                let block = Points::of(neighbour).flooded(theirs);
                if !block.around().meets(free) {
                    taken |= block;
                }
            }
        }
        taken
    }

    /// Places a stone on an empty point and removes the captured stones, which it returns.
    pub fn place(&mut self, player: Player, point: Point, board: Points) -> Points {
        let taken = self.captures(player, point, board);
        self.of[player.index()].insert(point);
        self.of[(!player).index()] &= !taken;
        taken
    }

    /// The points on which `player` would capture: the last liberties of the opponent's blocks.
    pub fn capturing(&self, player: Player, board: Points) -> Points {
        let mut left = self.of(!player);
        let mut last = Points::EMPTY;
        while let Some(point) = left.first() {
            let block = Points::of(point).flooded(left);
            left = left.without(block);
            last |= self
                .liberties(block, board)
                .only()
                .map_or(Points::EMPTY, Points::of);
        }
        last
    }

    /// The empty points on which a stone of `player` would have a liberty. `capturing` is the
    /// result of [`Stones::capturing`].
    pub(crate) fn breathing(&self, player: Player, capturing: Points, board: Points) -> Points {
        let empty = board.without(self.all());
        let open = empty & empty.around() | capturing;
        empty.without(open).fold(open, |legal, point| {
            let block = Points::of(point).flooded(self.of(player));
            let connects = block.around().meets(empty.without(Points::of(point)));
            if connects {
                legal | Points::of(point)
            } else {
                legal
            }
        })
    }

    /// The area of a player: its stones and the empty regions that touch no other stone.
    pub fn area(&self, player: Player, board: Points) -> Points {
        let empty = board.without(self.all());
        let [mine, theirs] =
            [player, !player].map(|player| (self.of(player).around() & empty).flooded(empty));
        self.of(player) | mine.without(theirs)
    }

    /// Without these stones.
    pub fn without(&self, stones: Points) -> Stones {
        Stones {
            of: self.of.map(|own| own.without(stones)),
        }
    }

    /// The image under a symmetry of a board of this size.
    pub(crate) fn transformed(&self, size: u8, symmetry: usize) -> Stones {
        Stones {
            of: self.of.map(|stones| stones.transformed(size, symmetry)),
        }
    }

    /// A 64-bit hash.
    pub fn hash(&self) -> u64 {
        let words = self.of.into_iter().flat_map(Points::words);
        words.fold(0, |hash, word| {
            let mixed = (hash ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            mixed ^ mixed >> 29
        })
    }

    /// A 16-bit hash, by 32-bit arithmetic only.
    pub(crate) fn short_hash(&self) -> u16 {
        let words = self.of.into_iter().flat_map(Points::words);
        let mixed = words.fold(0u32, |hash, word| {
            let mixed = (hash ^ word).wrapping_mul(0x9E37_79B1);
            mixed ^ mixed >> 15
        });
        (mixed ^ mixed >> 16) as u16
    }
}

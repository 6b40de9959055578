//! A player's hand, the bags, and the deal.

use super::tiles::{COPIES, HEX_TILES, KINDS, SMALL_TILES, highest_corner};
use super::{HEX_BAG, HEX_DEALT, PLAYERS, SMALL_BAG, SMALL_DEALT};
use crate::rng::Rng;

/// A player's tiles, points and tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Hand {
    /// Number of small tiles of each kind, four bits each.
    smalls: u64,
    /// Set of hexagonal tiles, one bit each.
    hexes: u32,
    pub(super) points: i16,
    held: u8,
    /// Sum of the highest corners of the small tiles: their cost at the end.
    leftover: u8,
    pub(super) tokens: u8,
}

// The counts of all kinds fit 64 bits, four bits each.
const _: () = assert!(COPIES < 16 && KINDS * 4 <= 64);

impl Hand {
    /// Points earned so far.
    pub fn points(&self) -> i16 {
        self.points
    }

    /// White tokens, 0 to 2.
    pub fn tokens(&self) -> u8 {
        self.tokens
    }

    /// Number of small tiles.
    #[inline]
    pub fn held(&self) -> u8 {
        self.held
    }

    /// Whether the red token is shown: exactly one small tile is left.
    pub fn red_token(&self) -> bool {
        self.held == 1
    }

    /// What the small tiles held would cost at the end.
    pub fn leftover(&self) -> i16 {
        self.leftover.into()
    }

    /// Points minus the cost of the small tiles held.
    #[inline]
    pub fn final_count(&self) -> i16 {
        self.points - i16::from(self.leftover)
    }

    /// Number of small tiles of this kind.
    #[inline]
    pub fn count(&self, kind: usize) -> u8 {
        (self.smalls >> (4 * kind)) as u8 & 15
    }

    /// The kinds of small tiles held, each once.
    pub fn kinds(&self) -> impl Iterator<Item = usize> {
        let smalls = self.smalls;
        (0..KINDS).filter(move |kind| smalls >> (4 * kind) & 15 != 0)
    }

    /// The kinds of small tiles held, each as often as it is held.
    pub fn smalls(&self) -> impl Iterator<Item = usize> {
        let hand = *self;
        (0..KINDS).flat_map(move |kind| core::iter::repeat_n(kind, hand.count(kind).into()))
    }

    /// Whether a hexagonal tile is held.
    #[inline]
    pub fn has_hex(&self, tile: usize) -> bool {
        self.hexes >> tile & 1 == 1
    }

    /// The hexagonal tiles held.
    pub fn hex_tiles(&self) -> impl Iterator<Item = usize> {
        let hexes = self.hexes;
        (0..HEX_TILES).filter(move |tile| hexes >> tile & 1 == 1)
    }

    /// Number of hexagonal tiles.
    pub fn hex_count(&self) -> u32 {
        self.hexes.count_ones()
    }

    pub(super) fn add_small(&mut self, kind: usize) {
        self.smalls = self.smalls.wrapping_add(1 << (4 * kind));
        self.held = self.held.wrapping_add(1);
        self.leftover = self.leftover.wrapping_add(highest_corner(kind));
    }

    #[inline]
    pub(super) fn remove_small(&mut self, kind: usize) {
        self.smalls = self.smalls.wrapping_sub(1 << (4 * kind));
        self.held = self.held.wrapping_sub(1);
        self.leftover = self.leftover.wrapping_sub(highest_corner(kind));
    }

    pub(super) fn clear_smalls(&mut self) {
        (self.smalls, self.held, self.leftover) = (0, 0, 0);
    }

    pub(super) fn add_hex(&mut self, tile: usize) {
        self.hexes |= 1 << tile;
    }

    #[inline]
    pub(super) fn remove_hex(&mut self, tile: usize) {
        self.hexes &= !(1 << tile);
    }

    /// The hand without its points, as words for hashing.
    pub(super) fn words(&self) -> [u32; 3] {
        [
            self.smalls as u32,
            (self.smalls >> 32) as u32 | u32::from(self.tokens) << 24,
            self.hexes,
        ]
    }
}

/// A bag: tiles in the order in which they will be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Bag<const SIZE: usize> {
    tiles: [u8; SIZE],
    /// Number of tiles drawn.
    out: u8,
}

impl<const SIZE: usize> Bag<SIZE> {
    /// A bag with these tiles, at most `SIZE`.
    pub(super) fn new(tiles: &[u8]) -> Bag<SIZE> {
        let mut bag = Bag {
            tiles: [0; SIZE],
            out: (SIZE - tiles.len().min(SIZE)) as u8,
        };
        bag.replace_rest(tiles);
        bag
    }

    #[inline]
    pub(super) fn left(&self) -> usize {
        SIZE - usize::from(self.out)
    }

    pub(super) fn draw(&mut self) -> Option<u8> {
        let tile = self.tiles.get_mut(usize::from(self.out))?;
        self.out += 1;
        // Drawn places are cleared, so that positions with the same tiles are equal.
        Some(core::mem::take(tile))
    }

    /// The tiles still in the bag, next one first.
    pub(super) fn rest(&self) -> &[u8] {
        &self.tiles[usize::from(self.out)..]
    }

    pub(super) fn rest_mut(&mut self) -> &mut [u8] {
        &mut self.tiles[usize::from(self.out)..]
    }

    /// Replaces the tiles still in the bag; their number stays.
    pub(super) fn replace_rest(&mut self, tiles: &[u8]) {
        self.rest_mut()
            .iter_mut()
            .zip(tiles)
            .for_each(|(place, &tile)| *place = tile);
    }

    /// Moves a tile to the front, if it is in the bag.
    pub(super) fn bring_up(&mut self, tile: u8) -> bool {
        let rest = self.rest_mut();
        let place = rest.iter().position(|&inside| inside == tile);
        place
            .inspect(|&place| rest[..=place].rotate_right(1))
            .is_some()
    }

    /// The bag as words for hashing.
    pub(super) fn words(&self) -> impl Iterator<Item = u32> + '_ {
        let word = |bytes: &[u8]| {
            bytes
                .iter()
                .fold(0, |word, &byte| word << 8 | u32::from(byte))
        };
        self.tiles.chunks(4).map(word).chain([self.out.into()])
    }
}

/// The order in which all tiles are dealt and drawn: each player's hand, then the bag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deal {
    /// Numbers of the small tiles, 0 for sp1.
    pub smalls: [u8; SMALL_TILES],
    /// Numbers of the hexagonal tiles, 0 for hp1.
    pub hexes: [u8; HEX_TILES],
}

impl Deal {
    /// The deal of a seed.
    pub fn new(seed: u64) -> Deal {
        let mut rng = Rng::new(seed);
        let mut deal = Deal {
            smalls: core::array::from_fn(|i| i as u8),
            hexes: core::array::from_fn(|i| i as u8),
        };
        shuffle(&mut deal.smalls, &mut rng);
        shuffle(&mut deal.hexes, &mut rng);
        deal
    }

    /// Small tiles dealt to a player, 0 for the one who starts.
    pub fn smalls_of(&self, player: usize) -> &[u8] {
        &self.smalls[player * SMALL_DEALT..][..SMALL_DEALT]
    }

    /// Hexagonal tiles dealt to a player, 0 for the one who starts.
    pub fn hexes_of(&self, player: usize) -> &[u8] {
        &self.hexes[player * HEX_DEALT..][..HEX_DEALT]
    }

    pub(super) fn shared_out(&self) -> ([Hand; PLAYERS], Bag<SMALL_BAG>, Bag<HEX_BAG>) {
        let kinds = self.smalls.map(|tile| tile % KINDS as u8);
        let hands = core::array::from_fn(|player| {
            let mut hand = Hand::default();
            kinds[player * SMALL_DEALT..][..SMALL_DEALT]
                .iter()
                .for_each(|&kind| hand.add_small(kind.into()));
            self.hexes_of(player)
                .iter()
                .for_each(|&tile| hand.add_hex(tile.into()));
            hand
        });
        (
            hands,
            Bag::new(&kinds[PLAYERS * SMALL_DEALT..]),
            Bag::new(&self.hexes[PLAYERS * HEX_DEALT..]),
        )
    }
}

/// Shuffles tiles uniformly (Fisher–Yates).
pub(super) fn shuffle(tiles: &mut [u8], rng: &mut Rng) {
    for end in (1..tiles.len()).rev() {
        tiles.swap(end, rng.below(end as u32 + 1) as usize);
    }
}

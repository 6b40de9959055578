//! What a player can do: lay a tile, draw, pass. And the list of what may be done now.

use super::bits::Bits;
use super::board::{HEX_GAPS, SMALL_GAPS};
use super::laid::Laid;
use super::tiles::{HEX_SHAPES, HEX_WAYS, HexShape, HexShapes, SmallShape, SmallShapes};
use super::{Hand, Iwoki};
use crate::game::GameMove;

/// An action, as one number: small gap and shape, or hexagonal gap and shape, or drawing, or passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// What an action is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A small tile is laid.
    Small {
        /// Where.
        gap: usize,
        /// Which and how.
        shape: SmallShape,
    },
    /// A hexagonal tile is laid.
    Hex {
        /// Where.
        gap: usize,
        /// Which and how.
        shape: HexShape,
    },
    /// A small tile is drawn.
    Draw,
    /// Nothing can be done.
    Pass,
}

// The numbers need no division to be taken apart: seven bits for a small shape, eight for a hexagonal one.
const SMALL_BITS: u16 = 7;
const HEX: u16 = 0x4000;
const HEX_BITS: u16 = 8;
const DRAW: u16 = 0x8000;
const PASS: u16 = 0x8001;

impl Action {
    /// Drawing a small tile.
    pub const DRAW: Action = Action(DRAW);
    /// Passing.
    pub const PASS: Action = Action(PASS);

    /// A small tile on a gap, below [`SMALL_GAPS`].
    pub fn small(gap: usize, shape: SmallShape) -> Option<Action> {
        (gap < SMALL_GAPS).then_some(Action((gap as u16) << SMALL_BITS | u16::from(shape.0)))
    }

    /// A hexagonal tile on a gap, below [`HEX_GAPS`].
    pub fn hex(gap: usize, shape: HexShape) -> Option<Action> {
        (gap < HEX_GAPS).then_some(Action(HEX | (gap as u16) << HEX_BITS | u16::from(shape.0)))
    }

    /// What it is.
    #[inline]
    pub const fn what(self) -> What {
        match self.0 {
            DRAW => What::Draw,
            PASS => What::Pass,
            small if small < HEX => What::Small {
                gap: (small >> SMALL_BITS) as usize,
                shape: SmallShape((small & 0x7F) as u8),
            },
            hex => What::Hex {
                gap: ((hex - HEX) >> HEX_BITS) as usize,
                shape: HexShape(hex as u8),
            },
        }
    }
}

impl GameMove for Action {
    #[inline]
    fn index(self) -> u16 {
        self.0
    }

    fn from_index(index: u16) -> Option<Action> {
        let action = Action(index);
        let exists = match action.what() {
            What::Small { gap, shape } => {
                gap < SMALL_GAPS && SmallShape::new(shape.kind(), shape.way()).is_some()
            }
            What::Hex { gap, shape } => {
                gap < HEX_GAPS && usize::from(shape.0) < HEX_SHAPES && index < DRAW
            }
            What::Draw | What::Pass => true,
        };
        exists.then_some(action)
    }
}

/// The actions that may be done now, lowest number first: small tiles, hexagonal tiles, then drawing or passing.
///
/// Equal tiles and ways that look alike come once: [`Iwoki::weight`](crate::game::Game::weight) says how many actions
/// of the game's own list an entry stands for.
#[derive(Clone, Debug)]
pub struct Actions {
    laid: Laid,
    smalls: SmallShapes,
    hexes: HexShapes,
    small_gaps: Bits<3>,
    hex_gaps: Bits<2>,
    /// The gap at work, as the number of its first action, and the shapes left for it.
    base: u16,
    left: HexShapes,
    found: bool,
    /// What can be done besides laying tiles.
    rest: Rest,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Draw,
    PassIfNothingFits,
    Nothing,
}

impl Actions {
    pub(super) fn new(game: &Iwoki) -> Actions {
        let rest = match game {
            game if game.over => Rest::Nothing,
            game if game.can_draw() => Rest::Draw,
            _ => Rest::PassIfNothingFits,
        };
        let hand = game.hand(game.turn);
        let (small_gaps, hex_gaps) = if game.over {
            (Bits::EMPTY, Bits::EMPTY)
        } else {
            (game.laid.open_smalls(), game.laid.open_hexes())
        };
        Actions {
            laid: game.laid,
            smalls: hand.small_shapes(game.laid.is_empty()),
            hexes: hand.hex_shapes(game.laid.is_empty()),
            small_gaps,
            hex_gaps,
            base: 0,
            left: Bits::EMPTY,
            found: false,
            rest,
        }
    }

    /// Goes to the next gap.
    fn advance(&mut self) -> Option<()> {
        if let Some(gap) = self.small_gaps.next() {
            self.base = (gap as u16) << SMALL_BITS;
            let mut fits = self.smalls;
            if !self.laid.is_empty() {
                fits = fits.and(&self.laid.small_fits(gap));
            }
            self.left.0[..3].copy_from_slice(&fits.0);
            return Some(());
        }
        let gap = self.hex_gaps.next()?;
        self.base = HEX | (gap as u16) << HEX_BITS;
        self.left = self.hexes;
        if !self.laid.is_empty() {
            self.left = self.left.and(&self.laid.hex_fits(gap));
        }
        Some(())
    }
}

impl Iterator for Actions {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        loop {
            if let Some(shape) = self.left.next() {
                self.found = true;
                return Some(Action(self.base + shape as u16));
            }
            if self.advance().is_none() {
                break;
            }
        }
        match core::mem::replace(&mut self.rest, Rest::Nothing) {
            Rest::Draw => Some(Action::DRAW),
            Rest::PassIfNothingFits if !self.found => Some(Action::PASS),
            _ => None,
        }
    }
}

impl Hand {
    /// The ways in which this hand's small tiles can lie; as an opening only the first of each face.
    pub(super) fn small_shapes(&self, opening: bool) -> SmallShapes {
        let ways: u32 = if opening { 0b00_1001 } else { 0b11_1111 };
        let mut bytes = [0u32; 3];
        for kind in self.kinds() {
            bytes[kind / 4] |= ways << (kind % 4 * 8);
        }
        Bits(bytes)
    }

    /// The ways in which this hand's hexagonal tiles can lie; as an opening only the first.
    pub(super) fn hex_shapes(&self, opening: bool) -> HexShapes {
        let ways = if opening { 1 } else { HEX_WAYS };
        let mut shapes = Bits::EMPTY;
        for tile in self.hex_tiles() {
            (tile * HEX_WAYS..tile * HEX_WAYS + ways).for_each(|shape| shapes.insert(shape));
        }
        shapes
    }
}

//! Actions (lay a tile, draw, pass) and the generator of legal actions.

use super::bits::Bits;
use super::board::{HEX_GAPS, SMALL_GAPS};
use super::laid::Laid;
use super::tiles::{HEX_SHAPES, HEX_WAYS, HexShape, HexShapes, SmallShape, SmallShapes};
use super::{Hand, Iwoki};
use crate::game::GameMove;

/// An action packed into 16 bits: gap and shape of a small or of a hexagonal tile, drawing, or
/// passing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// An [`Action`], unpacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Lays a small tile.
    Small {
        /// Small gap, 0 to 83.
        gap: usize,
        /// Kind, face and rotation of the tile.
        shape: SmallShape,
    },
    /// Lays a hexagonal tile.
    Hex {
        /// Hexagonal gap, 0 to 54.
        gap: usize,
        /// Tile, face and rotation.
        shape: HexShape,
    },
    /// Draws a small tile.
    Draw,
    /// Passes, which is legal only if no tile can be laid and none drawn.
    Pass,
}

// Packed with shifts, so that unpacking needs no division (the Cortex-M0+ has none): seven bits for
// a small shape, eight for a hexagonal one.
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

    /// Lays a small tile; `None` if there is no such gap.
    pub fn small(gap: usize, shape: SmallShape) -> Option<Action> {
        (gap < SMALL_GAPS).then_some(Action((gap as u16) << SMALL_BITS | u16::from(shape.0)))
    }

    /// Lays a hexagonal tile; `None` if there is no such gap.
    pub fn hex(gap: usize, shape: HexShape) -> Option<Action> {
        (gap < HEX_GAPS).then_some(Action(HEX | (gap as u16) << HEX_BITS | u16::from(shape.0)))
    }

    /// The action, unpacked.
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

/// Legal actions, lowest index first: small tiles, hexagonal tiles, then drawing or passing.
///
/// Equal tiles, and ways of a tile that look alike, are merged into one action:
/// [`Iwoki::weight`](crate::game::Game::weight) is the number of actions that it stands for in the
/// game's own list.
#[derive(Clone, Debug)]
pub struct Actions {
    laid: Laid,
    smalls: SmallShapes,
    hexes: HexShapes,
    small_gaps: Bits<3>,
    hex_gaps: Bits<2>,
    /// The current gap, as the index of its first action, and the shapes still to list for it.
    base: u16,
    left: HexShapes,
    found: bool,
    /// Whether drawing or passing follows the tiles.
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

    /// Goes to the next open gap and finds the shapes of the hand that fit there; `None` after the
    /// last.
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
    /// All shapes of this hand's small tiles; for the opening only the first of each face.
    pub(super) fn small_shapes(&self, opening: bool) -> SmallShapes {
        let ways: u32 = if opening { 0b00_1001 } else { 0b11_1111 };
        let mut bytes = [0u32; 3];
        for kind in self.kinds() {
            bytes[kind / 4] |= ways << (kind % 4 * 8);
        }
        Bits(bytes)
    }

    /// All shapes of this hand's hexagonal tiles; for the opening only the first of each tile.
    pub(super) fn hex_shapes(&self, opening: bool) -> HexShapes {
        let ways = if opening { 1 } else { HEX_WAYS };
        let mut shapes = Bits::EMPTY;
        for tile in self.hex_tiles() {
            (tile * HEX_WAYS..tile * HEX_WAYS + ways).for_each(|shape| shapes.insert(shape));
        }
        shapes
    }
}

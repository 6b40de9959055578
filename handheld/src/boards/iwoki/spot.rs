//! Touching the board of iwoki: a tile of the hand, then a gap; there the tile is turned by touching
//! it again, and laid by A or by touching the line that says so.

use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::board::{HEX_GAPS, SMALL_GAPS};

use super::place::Gap;
use super::{HandItem, IwokiBoard, Stage, fits, items};
use crate::boards::Reply;
use crate::input::Button;
use crate::touch::Target;

/// A thing that can be touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spot {
    Item(HandItem),
    Gap(Gap),
    /// The line that says what A does.
    Status,
}

// The numbers of the kinds of spots: the first of each.
const SMALL_ITEM: u16 = 0x000;
const HEX_ITEM: u16 = 0x100;
const REST_ITEM: u16 = 0x200;
const SMALL_GAP: u16 = 0x300;
const HEX_GAP: u16 = 0x400;
const STATUS: u16 = 0x500;

impl Spot {
    pub(super) fn target(self) -> Target {
        Target::Place(match self {
            Spot::Item(HandItem::Small(kind)) => SMALL_ITEM + u16::from(kind),
            Spot::Item(HandItem::Hex(tile)) => HEX_ITEM + u16::from(tile),
            Spot::Item(HandItem::Rest) => REST_ITEM,
            Spot::Gap(Gap::Small(gap)) => SMALL_GAP + gap as u16,
            Spot::Gap(Gap::Hex(gap)) => HEX_GAP + gap as u16,
            Spot::Status => STATUS,
        })
    }

    pub(super) fn from_number(number: u16) -> Option<Spot> {
        let (kind, low) = (number & 0xFF00, (number & 0xFF) as u8);
        Some(match kind {
            SMALL_ITEM => Spot::Item(HandItem::Small(low)),
            HEX_ITEM => Spot::Item(HandItem::Hex(low)),
            REST_ITEM => Spot::Item(HandItem::Rest),
            SMALL_GAP if usize::from(low) < SMALL_GAPS => Spot::Gap(Gap::Small(low.into())),
            HEX_GAP if usize::from(low) < HEX_GAPS => Spot::Gap(Gap::Hex(low.into())),
            STATUS => Spot::Status,
            _ => return None,
        })
    }
}

impl IwokiBoard {
    pub(super) fn tap(&mut self, game: &Iwoki, spot: Spot) -> Reply {
        match (spot, self.stage) {
            (Spot::Item(item), Stage::Hand) if items(game).any(|held| held == item) => {
                // The first touch chooses a tile and shows its gaps, the next one looks closer.
                let again = self.item == item || item == HandItem::Rest;
                self.item = item;
                if again {
                    return self.in_hand(game, Button::A);
                }
            }
            (Spot::Gap(gap), Stage::Gap | Stage::Turn) if gap == self.item.gap(self.gap.into()) => {
                return match self.stage {
                    Stage::Turn => self.turning(game, Button::Right),
                    _ => self.over_gaps(game, Button::A),
                };
            }
            (Spot::Gap(gap), Stage::Hand | Stage::Gap | Stage::Turn) => {
                let fits = fits(game, self.item).gaps >> gap.number() & 1 == 1;
                if !fits || self.item.gap(gap.number()) != gap {
                    return Reply::Refused;
                }
                self.hover(game, gap.number());
                self.stage = if self.ways(game).nth(1).is_some() {
                    Stage::Turn
                } else {
                    Stage::Gap
                };
            }
            (Spot::Gap(Gap::Hex(gap)), Stage::Look) => self.middle = gap as u8,
            (Spot::Status, Stage::Look) => self.stage = Stage::Hand,
            (Spot::Status, Stage::Theirs) => return self.peeking(game, Button::B),
            (Spot::Status, Stage::Hand) => return self.in_hand(game, Button::A),
            (Spot::Status, Stage::Gap) => return self.over_gaps(game, Button::A),
            (Spot::Status, Stage::Turn) => return self.turning(game, Button::A),
            _ => return Reply::Refused,
        }
        Reply::Moved
    }
}

//! The strip with a player's hand, and the tally beside the players' names.

use core::fmt::Write as _;

use dojo_core::game::{Game, Player};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::tiles::{HEX_TILES, HexShape, SMALL_TILES, SmallShape};
use dojo_core::games::iwoki::{Hand, TOKENS};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use super::picture::{numbers, shows_hand};
use super::spot::Spot;
use super::tile::{self, TileStyle};
use super::{HandItem, IwokiBoard, Playable, Stage, rest};
use crate::boards::{Board, Marks, Words};
use crate::frame::Ink;
use crate::pen::{Pen, Side, area};
use crate::words;

/// Sizes of the strip's items, in pixels.
struct Strip {
    /// Drawing sizes of the tiles, as the distance of two hexagonal gaps on a board of that scale.
    hex: i32,
    small: i32,
    /// From one small tile to the next; they point up and down in turn.
    pitch: i32,
    rest: i32,
}

impl Strip {
    fn of(roomy: bool) -> Strip {
        if roomy {
            Strip {
                hex: 46,
                small: 86,
                pitch: 26,
                rest: 48,
            }
        } else {
            Strip {
                hex: 24,
                small: 42,
                pitch: 13,
                rest: 25,
            }
        }
    }

    fn width(&self, item: HandItem) -> i32 {
        match item {
            HandItem::Small(_) => self.pitch,
            HandItem::Hex(_) => self.hex + 1,
            HandItem::Rest => self.rest,
        }
    }
}

/// Draws the viewer's hand, or the opponent's while it is looked at. While a tile is being laid,
/// draws that tile.
pub(super) fn draw(
    of: &IwokiBoard,
    game: &Iwoki,
    marks: Marks<'_>,
    place: Rectangle,
    pen: &mut Pen<'_>,
) {
    pen.fill(place, Ink::Night);
    if !shows_hand(of) {
        if !pen.look.roomy && of.stage != Stage::Look {
            laid_tile(of, place, pen);
        }
        return;
    }
    let owner = marks.viewer.unwrap_or(game.turn());
    let theirs = marks.cursor && of.stage == Stage::Theirs;
    let player = if theirs { !owner } else { owner };
    let is_open =
        !IwokiBoard::has_secrets(game) || marks.viewer.is_none_or(|viewer| viewer == player);
    let choosing = marks.cursor && of.stage == Stage::Hand;
    let held = *game.hand(player);
    // Every tile in one hand and the button fit. Drawing and passing are listed only while one can
    // choose them; the opponent's hexagonal tiles, which are always open, come first.
    let mut items: heapless::Vec<HandItem, { SMALL_TILES + HEX_TILES + 1 }> = heapless::Vec::new();
    items.extend(held.smalls().map(|kind| HandItem::Small(kind as u8)));
    items.extend(held.hex_tiles().map(|tile| HandItem::Hex(tile as u8)));
    items.extend(
        choosing
            .then(|| rest(game))
            .flatten()
            .map(|_| HandItem::Rest),
    );
    if theirs {
        items.rotate_left(held.held().into());
    }
    let cursor = match (choosing, theirs) {
        (true, _) => items.iter().position(|&item| item == of.item),
        (_, true) => {
            Some(of.peek.into()).filter(|&peek| is_open || peek < held.hex_count() as usize)
        }
        _ => None,
    };
    let strip = Strip::of(pen.look.roomy);
    let width = |items: &[HandItem]| items.iter().map(|&item| strip.width(item)).sum::<i32>();
    let (total, room) = (width(&items) + strip.pitch, place.size.width as i32);
    let start =
        match cursor.and_then(|at| Some(width(items.get(..at)?) + strip.width(items[at]) / 2)) {
            _ if total <= room => (room - total) / 2,
            Some(middle) => (room / 2 - middle).clamp(room - total, 0),
            None => 0,
        };
    let playable = Playable::of(game);
    let mut x = place.top_left.x + start + strip.pitch / 2;
    for (number, &item) in items.iter().enumerate() {
        let centre = Point::new(x + strip.width(item) / 2, place.center().y);
        x += strip.width(item);
        let look = ItemState {
            stands: number % 2 == 0,
            chosen: cursor == Some(number),
            playable: !choosing || playable.contains(item),
            is_open,
        };
        if choosing {
            let (wide, high) = (strip.width(item), place.size.height as i32);
            let around = area(centre.x - wide / 2, place.top_left.y, wide, high);
            pen.touchable(around, Spot::Item(item).target());
        }
        draw_item(game, item, centre, &strip, look, pen);
    }
}

/// State of an item of the strip.
#[derive(Clone, Copy)]
struct ItemState {
    stands: bool,
    chosen: bool,
    playable: bool,
    is_open: bool,
}

fn draw_item(
    game: &Iwoki,
    item: HandItem,
    centre: Point,
    strip: &Strip,
    look: ItemState,
    pen: &mut Pen<'_>,
) {
    let ItemState {
        stands,
        chosen,
        playable,
        is_open,
    } = look;
    let roomy = pen.look.roomy;
    let faded = |style: TileStyle| match (roomy, playable, chosen) {
        (true, true, true) => TileStyle {
            edge: Ink::Paper,
            fill: Ink::Gold,
            digits: Ink::Night,
            stroke: 2,
        },
        (true, false, true) => TileStyle {
            edge: Ink::Gold,
            fill: Ink::Night,
            digits: Ink::Mist,
            stroke: 2,
        },
        (true, false, false) => TileStyle {
            edge: Ink::Line,
            fill: Ink::Night,
            digits: Ink::Mist,
            stroke: 1,
        },
        (false, _, true) => TileStyle {
            edge: Ink::Paper,
            fill: Ink::Paper,
            digits: Ink::Night,
            stroke: 1,
        },
        (false, false, _) => TileStyle {
            edge: Ink::Night,
            ..style
        },
        _ => style,
    };
    match item {
        HandItem::Small(kind) => {
            // The centroid of a triangle is not in the middle of its height.
            let shift = strip.small * 74 / 1024;
            let at = centre + Point::new(0, if stands { shift } else { -shift });
            let Some(shape) = SmallShape::new(kind.into(), 0) else {
                return;
            };
            if is_open {
                let style = faded(TileStyle::small(false, roomy));
                tile::small(
                    at,
                    strip.small,
                    tile::in_hand(shape, stands),
                    None,
                    style,
                    pen,
                );
            } else {
                tile::triangle(
                    at,
                    strip.small,
                    1,
                    stands,
                    if roomy { Ink::Line } else { Ink::Paper },
                    pen,
                );
                tile::triangle(
                    at,
                    strip.small,
                    2,
                    stands,
                    if roomy { Ink::Shade } else { Ink::Night },
                    pen,
                );
            }
        }
        HandItem::Hex(number) => {
            if let Some(shape) = HexShape::new(number.into(), 0) {
                tile::hex(centre, strip.hex, shape, faded(TileStyle::hex(roomy)), pen);
            }
        }
        HandItem::Rest => {
            let (width, height) = (strip.rest - 3, if roomy { 26 } else { 13 });
            let place = area(centre.x - width / 2, centre.y - height / 2, width, height);
            let font = pen.look.body;
            let ink = match (roomy, chosen) {
                (true, true) => {
                    pen.panel(place, Ink::Shade);
                    pen.border(place, Ink::Gold, 2);
                    Ink::Gold
                }
                (true, false) => {
                    pen.panel(place, Ink::Shade);
                    Ink::Paper
                }
                (false, true) => {
                    pen.panel(place, Ink::Paper);
                    Ink::Night
                }
                (false, false) => {
                    pen.border(place, Ink::Paper, 1);
                    Ink::Paper
                }
            };
            let word = if game.can_draw() {
                words::iwoki::DRAW
            } else {
                words::PASS
            };
            pen.letters_in(place, Side::Centre, font, ink, &[word]);
        }
    }
}

/// The tile that is being laid, in its way and large enough to read.
fn laid_tile(of: &IwokiBoard, place: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    match of.item {
        HandItem::Small(kind) => {
            let Some(shape) = SmallShape::new(kind.into(), of.way.into()) else {
                return;
            };
            let numbers = numbers(of.gap.into(), shape);
            let stands = numbers.iter().any(|(steps, _)| steps.y < -1);
            let shift = Point::new(0, if stands { 3 } else { -3 });
            tile::small(
                place.center() + shift,
                50,
                numbers,
                Some(shape.is_minus()),
                TileStyle::small(shape.is_minus(), roomy),
                pen,
            );
        }
        HandItem::Hex(tile) => {
            if let Some(shape) = HexShape::new(tile.into(), of.way.into()) {
                tile::hex(place.center(), 25, shape, TileStyle::hex(roomy), pen);
            }
        }
        HandItem::Rest => {}
    }
}

/// Draws points, tokens and numbers of tiles, right-aligned in a player's area. Returns the width.
pub(super) fn tally(game: &Iwoki, player: Player, place: Rectangle, pen: &mut Pen<'_>) -> i32 {
    let hand = *game.hand(player);
    let mut points = Words::new();
    let _ = write!(points, "{}", hand.points());
    let (right, top) = (place.top_left.x + place.size.width as i32, place.top_left.y);
    if pen.look.roomy {
        pen.letters(
            Point::new(right - 5, top + 5),
            Side::Right,
            pen.look.title,
            Ink::Paper,
            &points,
        );
        let y = top + 29;
        for slot in 0..i32::from(TOKENS - 1) {
            let at = Point::new(right - 32 + 11 * slot, y);
            pen.ring(at, 9, Ink::Mist, 1);
            if slot < hand.tokens().into() {
                pen.disc(at, 9, Ink::White);
            }
        }
        let at = Point::new(right - 9, y);
        pen.ring(at, 9, Ink::Line, 1);
        if hand.red_token() {
            pen.disc(at, 9, Ink::Sun);
        }
        tiles_held(&hand, Point::new(place.top_left.x + 34, y), pen);
        return 36;
    }
    // Two dots above each other are the tokens. The number of small tiles is inverted if it is one:
    // the red token.
    let middle = place.center().y;
    let mut count = Words::new();
    let _ = write!(count, "{}", hand.held());
    let width = pen.look.body.width(&count);
    let box_left = right - 4 - width;
    let ink = if hand.red_token() {
        pen.fill(area(box_left - 1, top + 1, width + 2, 9), Ink::Paper);
        Ink::Night
    } else {
        Ink::Paper
    };
    pen.letters(
        Point::new(box_left, top + 2),
        Side::Left,
        pen.look.body,
        ink,
        &count,
    );
    for slot in 0..i32::from(TOKENS - 1) {
        let at = Point::new(right - 16, middle + 2 - 4 * slot);
        if slot < hand.tokens().into() {
            pen.fill(area(at.x, at.y, 3, 3), Ink::Paper);
        } else {
            pen.fill(area(at.x + 1, at.y + 1, 1, 1), Ink::Paper);
        }
    }
    pen.letters(
        Point::new(right - 17, top + 2),
        Side::Right,
        pen.look.body,
        Ink::Paper,
        &points,
    );
    17 + pen.look.body.width(&points)
}

/// Draws the numbers of small and of hexagonal tiles held.
fn tiles_held(hand: &Hand, at: Point, pen: &mut Pen<'_>) {
    let font = pen.look.body;
    let mut x = at.x;
    for (count, is_hex) in [(u32::from(hand.held()), false), (hand.hex_count(), true)] {
        if is_hex {
            tile::hexagon(Point::new(x + 4, at.y), 11, 0, Ink::Mist, pen);
        } else {
            tile::triangle(Point::new(x + 4, at.y + 1), 20, 0, true, Ink::Wood, pen);
        }
        let mut words = Words::new();
        let _ = write!(words, "{count}");
        pen.letters(
            Point::new(x + 11, at.y - 6),
            Side::Left,
            font,
            Ink::Mist,
            &words,
        );
        x += 18 + font.width(&words);
    }
}

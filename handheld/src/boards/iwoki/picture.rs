//! Drawing of the board of iwoki, and its layout.

use dojo_core::game::{Game, GameMove};
use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::Action;
use dojo_core::games::iwoki::board;
use dojo_core::games::iwoki::tiles::SmallShape;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use super::place::{self, BoardView, Gap};
use super::spot::Spot;
use super::tile::{self, Digits, TileStyle};
use super::{Fits, HandItem, IwokiBoard, Stage, fits, words};
use crate::boards::{Marks, Places};
use crate::frame::Ink;
use crate::pen::{Pen, area};

/// Width of the column with players and texts on the small display.
const COLUMN: i32 = 46;

/// The layout. While a tile is chosen the hand needs room; while it is laid the board does.
pub(super) fn places(of: &IwokiBoard, pen: &Pen<'_>) -> Places {
    let (width, height) = (pen.width(), pen.height());
    let in_hand = shows_hand(of);
    if pen.look.roomy {
        let (top, hand) = (42, if in_hand { 46 } else { 0 });
        let (status, bottom) = (20, height - pen.look.footer);
        let half = width / 2;
        Places {
            board: area(0, top, width, bottom - status - hand - top),
            players: [
                area(2, 2, half - 3, top - 4),
                area(half + 1, 2, half - 3, top - 4),
            ],
            status: area(0, bottom - status, width, status),
            hand: area(0, bottom - status - hand, width, hand),
        }
    } else {
        let left = width - COLUMN;
        let strip = 22;
        let row = |y: i32| area(left, y, COLUMN, 10);
        let (board, hand) = if in_hand {
            (
                area(0, 0, left - 3, height - strip),
                area(0, height - strip + 1, width, strip - 1),
            )
        } else {
            (
                area(0, 0, left - 3, height),
                area(left, height - strip, COLUMN, strip),
            )
        };
        let status = area(left - 1, 21, COLUMN + 1, height - 21 - strip);
        Places {
            board,
            players: [row(0), row(11)],
            status,
            hand,
        }
    }
}

/// Whether the strip with the hand is shown. The tile that is laid and the whole board need its
/// room.
pub(super) fn shows_hand(of: &IwokiBoard) -> bool {
    match of.stage {
        Stage::Hand | Stage::Theirs => true,
        Stage::Look => !of.whole,
        Stage::Gap | Stage::Turn => false,
    }
}

impl TileStyle {
    pub(super) fn hex(roomy: bool) -> TileStyle {
        if roomy {
            TileStyle {
                edge: Ink::Line,
                fill: Ink::Shade,
                digits: Ink::Paper,
                stroke: 1,
            }
        } else {
            TileStyle {
                edge: Ink::Paper,
                fill: Ink::Night,
                digits: Ink::Paper,
                stroke: 1,
            }
        }
    }

    pub(super) fn small(minus: bool, roomy: bool) -> TileStyle {
        let (fill, digits) = match (minus, roomy) {
            (false, true) => (Ink::Wood, Ink::Black),
            (true, true) => (Ink::Brown, Ink::White),
            (false, false) => (Ink::Night, Ink::Paper),
            (true, false) => (Ink::Paper, Ink::Night),
        };
        TileStyle {
            edge: if roomy { fill } else { Ink::Paper },
            fill,
            digits,
            stroke: 1,
        }
    }

    /// With a border of this ink, on colour displays.
    fn framed(self, ink: Option<Ink>, roomy: bool) -> TileStyle {
        match ink.filter(|_| roomy) {
            Some(edge) => TileStyle {
                edge,
                stroke: 2,
                ..self
            },
            None => self,
        }
    }
}

pub(super) fn draw(
    of: &IwokiBoard,
    game: &Iwoki,
    marks: Marks<'_>,
    area: Rectangle,
    pen: &mut Pen<'_>,
) {
    words::tell(of, game, marks, pen);
    if marks.cursor {
        pen.touchable(places(of, pen).status, Spot::Status.target());
    }
    let roomy = pen.look.roomy;
    // The chosen tile is drawn as if it had been laid, with the numbers that it puts on the gaps
    // around it.
    let laying = of
        .action(game)
        .filter(|_| marks.cursor && matches!(of.stage, Stage::Gap | Stage::Turn));
    let shown = laying.map_or(*game, |action| game.after(action));
    let gap_of = |index: Option<u16>| {
        index
            .and_then(Action::from_index)
            .and_then(|action| Gap::of(action.what()))
    };
    let (cursor, last, hint) = (
        gap_of(laying.map(Action::index)),
        gap_of(marks.last),
        gap_of(marks.hint),
    );
    let focus = match of.stage {
        Stage::Look if marks.cursor => Some(Gap::Hex(of.middle.into())),
        _ => cursor.or(last),
    };
    let whole = marks.overview || of.whole && of.stage == Stage::Look && marks.cursor;
    let sizes = match (of.stage, roomy) {
        (_, true) if whole => (8, 64),
        (_, false) if whole => (5, 30),
        // Closer while the tile is rotated.
        (Stage::Turn, true) => (72, 84),
        (Stage::Turn, false) => (40, 44),
        (Stage::Gap, true) => (44, 72),
        (_, true) => (38, 64),
        (_, false) => (26, 30),
    };
    let view = BoardView::new(&shown, focus, of.stage != Stage::Look, area, sizes);
    let open = if marks.cursor && !matches!(of.stage, Stage::Look | Stage::Theirs) {
        fits(game, of.item)
    } else {
        Fits::default()
    };
    for gap in Gap::all() {
        let at = view.at(gap);
        if !view.shows(at) {
            continue;
        }
        let frame = match gap {
            gap if cursor == Some(gap) => Some(Ink::Gold),
            gap if last == Some(gap) => Some(Ink::Paper),
            _ => None,
        };
        match gap {
            Gap::Hex(number) => match shown.hex_on(number) {
                Some(shape) => tile::hex(
                    at,
                    view.size,
                    shape,
                    TileStyle::hex(roomy).framed(frame, roomy),
                    pen,
                ),
                None => free_hex(&shown, number, at, view.size, pen),
            },
            Gap::Small(number) => {
                if let Some(shape) = shown.small_on(number) {
                    let numbers = numbers(number, shape);
                    let style = TileStyle::small(shape.is_minus(), roomy).framed(frame, roomy);
                    // Without colours the last tile has a dot in place of its sign.
                    let sign = Some(shape.is_minus()).filter(|_| roomy || last != Some(gap));
                    tile::small(at, view.size, numbers, sign, style, pen);
                }
            }
        }
    }
    // Marks are drawn on top of all tiles.
    for gap in Gap::all() {
        let at = view.at(gap);
        if !view.shows(at) {
            continue;
        }
        let fits = open.gaps >> gap.number() & 1 == 1 && of.item.gap(gap.number()) == gap;
        if last == Some(gap) && !roomy {
            let minus = matches!(gap, Gap::Small(number) if game.small_on(number).is_some_and(SmallShape::is_minus));
            match gap {
                Gap::Hex(_) => pen.ring(at, 5, Ink::Paper, 1),
                Gap::Small(_) => {
                    pen.fill(centred(at, 3), if minus { Ink::Night } else { Ink::Paper })
                }
            }
        }
        if area.contains(at) && marks.cursor {
            let is_open = match of.stage {
                Stage::Hand | Stage::Gap | Stage::Turn => fits || cursor == Some(gap),
                Stage::Look => matches!(gap, Gap::Hex(_)),
                Stage::Theirs => false,
            };
            if is_open {
                pen.touchable(centred(at, view.size * 3 / 4), Spot::Gap(gap).target());
            }
        }
        if cursor == Some(gap) {
            if !roomy {
                // Around a small tile: leaves room for the numbers that it puts on the gaps beside
                // it.
                let half = if let Gap::Hex(_) = gap {
                    view.size / 2
                } else {
                    view.size * 7 / 16
                };
                pen.corners(centred(at, 2 * half + 1), 4, Ink::Gold, 1);
            }
        } else if fits {
            match verdict(of, marks, gap) {
                Some(verdict) => {
                    verdict.draw(at, matches!(gap, Gap::Hex(_)) && view.size >= 22, pen)
                }
                None if roomy => pen.disc(at, (view.size as u32 / 5).max(3), Ink::Gold),
                None => pen.fill(centred(at, if view.size >= 20 { 3 } else { 1 }), Ink::Paper),
            }
        }
        if hint == Some(gap) {
            pen.diamond(at, if roomy { 6 } else { 2 }, Ink::Leaf);
        }
    }
    blank_around(area, pen);
}

/// The machine's value of the chosen tile on a gap, in its best way.
fn verdict(of: &IwokiBoard, marks: Marks<'_>, gap: Gap) -> Option<crate::boards::heat::Verdict> {
    let ours = marks.thoughts.iter().filter(|thought| {
        Action::from_index(thought.index).is_some_and(|action| {
            HandItem::of(action) == of.item && Gap::of(action.what()) == Some(gap)
        })
    });
    marks.verdict(ours.max_by_key(|thought| thought.value)?.index)
}

fn centred(at: Point, size: i32) -> Rectangle {
    area(at.x - size / 2, at.y - size / 2, size, size)
}

pub(super) fn numbers(gap: usize, shape: SmallShape) -> [(Point, u8); 3] {
    let (steps, order) = (place::corner_steps(gap), shape.order());
    [0, 1, 2].map(|corner| (steps[corner], order[corner]))
}

/// A free hexagonal gap, with the numbers that the small tiles around it ask for.
fn free_hex(game: &Iwoki, gap: usize, at: Point, size: i32, pen: &mut Pen<'_>) {
    if pen.look.roomy {
        tile::hexagon(at, size, 1, Ink::Shade, pen);
        tile::hexagon(at, size, 2, Ink::Night, pen);
    }
    let Some(digits) = Digits::of_hex(size) else {
        return;
    };
    for vertex in 0..6 {
        let Some(small) = board::small_gap_at(gap, vertex) else {
            continue;
        };
        let place = board::corners(small)
            .iter()
            .position(|corner| usize::from(corner.hex) == gap);
        if let (Some(shape), Some(place)) = (game.small_on(small), place) {
            let ink = if pen.look.roomy {
                Ink::Mist
            } else {
                Ink::Paper
            };
            digits.draw(
                at + digits.at_vertex(vertex, size),
                ink,
                shape.results()[place],
                pen,
            );
        }
    }
}

/// Erases what was drawn outside an area.
fn blank_around(place: Rectangle, pen: &mut Pen<'_>) {
    let (left, top) = (place.top_left.x, place.top_left.y);
    let (right, bottom) = (
        left + place.size.width as i32,
        top + place.size.height as i32,
    );
    let (width, height) = (pen.width(), pen.height());
    pen.fill(area(0, 0, width, top), Ink::Night);
    pen.fill(area(0, bottom, width, height - bottom), Ink::Night);
    pen.fill(area(0, top, left, bottom - top), Ink::Night);
    pen.fill(area(right, top, width - right, bottom - top), Ink::Night);
}

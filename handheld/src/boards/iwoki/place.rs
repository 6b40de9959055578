//! Geometry of the gaps of iwoki: where they lie on the screen, and how the cursor moves among
//! them.
//!
//! Hexagonal tiles touch at their corners, small tiles fill the triangles between them. All centres
//! lie on a grid: its horizontal step is a quarter of the distance of two hexagonal gaps, its
//! vertical step 1/√48 of it.

use dojo_core::games::Iwoki;
use dojo_core::games::iwoki::What;
use dojo_core::games::iwoki::board::{self, HEX_GAPS, SMALL_GAPS};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::input::Button;

/// A gap of either kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Gap {
    Small(usize),
    Hex(usize),
}

/// Grid steps from the centre of a hexagonal gap to its vertices 1 to 6.
pub(super) const VERTICES: [Point; 6] = [
    Point::new(2, -2),
    Point::new(2, 2),
    Point::new(0, 4),
    Point::new(-2, 2),
    Point::new(-2, -2),
    Point::new(0, -4),
];

/// Half width and half height of a hexagonal gap, in grid steps.
const REACH: Point = Point::new(2, 3);

impl Gap {
    /// The gap that an action lays a tile on.
    pub(super) fn of(what: What) -> Option<Gap> {
        match what {
            What::Small { gap, .. } => Some(Gap::Small(gap)),
            What::Hex { gap, .. } => Some(Gap::Hex(gap)),
            What::Draw | What::Pass => None,
        }
    }

    pub(super) fn all() -> impl Iterator<Item = Gap> {
        (0..HEX_GAPS)
            .map(Gap::Hex)
            .chain((0..SMALL_GAPS).map(Gap::Small))
    }

    pub(super) fn number(self) -> usize {
        match self {
            Gap::Small(gap) | Gap::Hex(gap) => gap,
        }
    }

    /// Its centre on the grid.
    pub(super) fn spot(self) -> Point {
        match self {
            Gap::Hex(gap) => {
                let (q, r) = board::place(gap);
                Point::new(2 * (2 * i32::from(q) + i32::from(r)), 6 * i32::from(r))
            }
            Gap::Small(gap) => {
                let corner = board::corners(gap)[0];
                Gap::Hex(corner.hex.into()).spot() + VERTICES[usize::from(corner.vertex)]
            }
        }
    }

    pub(super) fn has_tile(self, game: &Iwoki) -> bool {
        match self {
            Gap::Small(gap) => game.small_on(gap).is_some(),
            Gap::Hex(gap) => game.hex_on(gap).is_some(),
        }
    }

    /// The row it belongs to. Small gaps between two rows of hexagonal gaps form one row.
    fn row(self) -> i32 {
        self.spot().y.div_euclid(6)
    }
}

/// Grid steps from the centre of a small gap to the corners x0, x1, x2 of its tile. Each lies
/// between two hexagons.
pub(super) fn corner_steps(gap: usize) -> [Point; 3] {
    let hexes = board::corners(gap).map(|corner| Gap::Hex(corner.hex.into()).spot());
    let middle = Gap::Small(gap).spot();
    // The corner is halfway between the centres of its two hexagons.
    [0, 1, 2].map(|place| (hexes[place] + hexes[(place + 1) % 3]) / 2 - middle)
}

/// A set of gaps of one kind, one bit each.
pub(super) type Gaps = u128;

/// The hexagonal gaps of a set that lie in the row of `of`.
pub(super) fn row_of(gaps: Gaps, of: usize) -> Gaps {
    let in_row = |&gap: &usize| Gap::Hex(gap).row() == Gap::Hex(of).row();
    gaps & (0..HEX_GAPS)
        .filter(in_row)
        .fold(0, |row, gap| row | 1 << gap)
}

/// The next gap of a set in the direction of a button. Left and right go through the whole set, row
/// by row; up and down go to the next row with a gap of the set. Both wrap around.
pub(super) fn step(gaps: Gaps, from: Gap, button: Button) -> Gap {
    let gap = |number: usize| match from {
        Gap::Small(_) => Gap::Small(number),
        Gap::Hex(_) => Gap::Hex(number),
    };
    let all = || {
        (0..SMALL_GAPS)
            .filter(|&number| gaps >> number & 1 == 1)
            .map(gap)
    };
    let key = |gap: Gap| (gap.row(), gap.spot().x);
    let here = key(from);
    let found = match button {
        Button::Right => all()
            .filter(|&gap| key(gap) > here)
            .min_by_key(|&gap| key(gap))
            .or(all().min_by_key(|&gap| key(gap))),
        Button::Left => all()
            .filter(|&gap| key(gap) < here)
            .max_by_key(|&gap| key(gap))
            .or(all().max_by_key(|&gap| key(gap))),
        _ => {
            let rows = || all().map(Gap::row);
            let row = match button {
                Button::Down => rows().filter(|&row| row > here.0).min().or(rows().min()),
                _ => rows().filter(|&row| row < here.0).max().or(rows().max()),
            };
            let in_row = all().filter(|&gap| Some(gap.row()) == row);
            in_row.min_by_key(|&gap| (gap.spot().x - here.1).abs())
        }
    };
    found.unwrap_or(from)
}

/// The part of the board that is shown in an area of the screen.
#[derive(Clone, Copy)]
pub(super) struct BoardView {
    pub(super) area: Rectangle,
    /// Distance of two hexagonal gaps, in pixels.
    pub(super) size: i32,
    origin: Point,
}

/// Converts grid steps to pixels.
pub(super) fn pixels(steps: Point, size: i32) -> Point {
    // 148/1024 is 1/√48.
    Point::new(
        (steps.x * size).div_euclid(4),
        (steps.y * size * 148 + 512).div_euclid(1024),
    )
}

impl BoardView {
    /// Shows what is in play, as large as fits within `sizes`. If it does not fit, the focus is
    /// centred; a lazy view scrolls only as far as needed to keep the focus off the rim.
    pub(super) fn new(
        game: &Iwoki,
        focus: Option<Gap>,
        lazy: bool,
        area: Rectangle,
        sizes: (i32, i32),
    ) -> BoardView {
        let (low, high) = in_play(game);
        let extent = high - low;
        let room = Point::new(area.size.width as i32, area.size.height as i32);
        let fits = (room.x * 4 / extent.x).min(room.y * 1024 / (extent.y * 148));
        let size = fits.clamp(sizes.0, sizes.1);
        let (low, high) = (pixels(low, size), pixels(high, size));
        let focus = focus.map_or((low + high) / 2, |gap| pixels(gap.spot(), size));
        let along = |focus: i32, low: i32, high: i32, room: i32| {
            let middle = (low + high) / 2;
            if high - low <= room {
                return middle;
            }
            let free = if lazy {
                (room / 2 - size * 3 / 4).max(0)
            } else {
                0
            };
            middle
                .clamp(focus - free, focus + free)
                .clamp(low + room / 2, high - room / 2)
        };
        let middle = Point::new(
            along(focus.x, low.x, high.x, room.x),
            along(focus.y, low.y, high.y, room.y),
        );
        BoardView {
            area,
            size,
            origin: area.center() - middle,
        }
    }

    /// Screen position of a gap's centre.
    pub(super) fn at(&self, gap: Gap) -> Point {
        self.origin + pixels(gap.spot(), self.size)
    }

    /// Whether a tile centred at a point is at least partly visible.
    pub(super) fn shows(&self, at: Point) -> bool {
        let half = self.size / 2;
        let (from, to) = (
            self.area.top_left - Point::new_equal(half),
            self.area.size + Size::new_equal(self.size as u32),
        );
        Rectangle::new(from, to).contains(at)
    }
}

/// The hexagonal gaps in play, and the one nearest to their centre.
pub(super) fn hexes_in_play(game: &Iwoki) -> (Gaps, usize) {
    let (low, high) = in_play(game);
    let hexes = || (0..HEX_GAPS).map(|gap| (gap, Gap::Hex(gap).spot()));
    let inside = |spot: Point| spot.component_max(low) == spot && spot.component_min(high) == spot;
    let gaps = hexes()
        .filter(|&(_, spot)| inside(spot))
        .fold(0, |gaps, (gap, _)| gaps | 1 << gap);
    let off = |spot: Point| (spot * 2 - low - high).abs();
    let middle = hexes().min_by_key(|&(_, spot)| off(spot).x * 7 / 4 + off(spot).y);
    (gaps, middle.map_or(0, |(gap, _)| gap))
}

/// Bounding box of the tiles on the board and one hexagon around them, in grid steps.
fn in_play(game: &Iwoki) -> (Point, Point) {
    let mut bounds: Option<(Point, Point)> = None;
    for gap in Gap::all().filter(|gap| gap.has_tile(game)) {
        // Includes the gaps around it, where the next tile may be laid.
        let margin = match gap {
            Gap::Hex(_) => Point::new(3, 6),
            Gap::Small(_) => Point::new(4, 7),
        };
        let (low, high) = (gap.spot() - margin, gap.spot() + margin);
        bounds = Some(bounds.map_or((low, high), |(from, to)| {
            (from.component_min(low), to.component_max(high))
        }));
    }
    let start = Gap::Hex(0).spot();
    let (low, high) = bounds.unwrap_or((start - REACH * 2, start + REACH * 2));
    // Limited to the rim of the board.
    let rim = || (0..HEX_GAPS).map(|gap| Gap::Hex(gap).spot());
    let (mut first, mut last) = (start, start);
    rim().for_each(|spot| {
        (first, last) = (
            first.component_min(spot - REACH),
            last.component_max(spot + REACH),
        )
    });
    (low.component_max(first), high.component_min(last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use dojo_core::game::Game;
    use dojo_core::games::iwoki::IwokiRules;
    use dojo_core::rng::Rng;

    #[test]
    fn looking_around_begins_at_the_hexagon_nearest_to_the_middle_of_play() {
        const SIZE: i32 = 1000;
        let mut rng = Rng::new(2);
        for deal in 0..10 {
            let mut game = Iwoki::new(IwokiRules {
                deal,
                ..IwokiRules::default()
            });
            while !game.is_over() {
                let (low, high) = in_play(&game);
                let middle = (pixels(low, SIZE) + pixels(high, SIZE)) / 2;
                // Distance along the d-pad: sideways, then up or down.
                let way = |gap| {
                    let off = (pixels(Gap::Hex(gap).spot(), SIZE) - middle).abs();
                    off.x + off.y
                };
                let (_, found) = hexes_in_play(&game);
                let nearest = (0..HEX_GAPS).map(way).min().unwrap();
                // `hexes_in_play` rounds the grid's proportions: 7/4 instead of √3.
                assert!(way(found) <= nearest + SIZE / 50, "{found} in {game}");
                game.play_unchecked(rng.pick(game.legal_moves()).unwrap());
            }
        }
    }
}

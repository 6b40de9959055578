//! Drawing of the Go board. On a colour display it is wooden. On a mono display every free point is
//! a dot, black stones are rings and white ones discs, so that shapes are distinct at seven pixels
//! per point.

use core::fmt::Write as _;

use dojo_core::game::{Game, GameMove, Player};
use dojo_core::games::Go;
use dojo_core::games::go::{self, GoMove, Points};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use super::{block, points};
use crate::boards::{Marks, Words};
use crate::frame::Ink;
use crate::pen::{Pen, Side, area, inset};
use crate::touch::Target;

/// The room for letters below the board and for numbers beside it.
pub(super) const LABELS: i32 = 16;

/// Geometry of the points.
struct PointGrid {
    /// Centre of the lower left point.
    origin: Point,
    cell: i32,
    size: i32,
    roomy: bool,
}

impl PointGrid {
    fn new(size: i32, place: Rectangle, roomy: bool) -> PointGrid {
        let room = place.size.width.min(place.size.height) as i32;
        let cell = room / size;
        let (middle, reach) = (place.center(), cell * (size - 1) / 2);
        PointGrid {
            origin: middle + Point::new(-reach, reach),
            cell,
            size,
            roomy,
        }
    }

    fn at(&self, col: i32, row: i32) -> Point {
        self.origin + Point::new(col, -row) * self.cell
    }

    fn of(&self, point: go::Point) -> Point {
        self.at(i32::from(point.col()), i32::from(point.row()))
    }

    /// Diameter of a stone: one pixel stays free between two.
    fn stone(&self) -> u32 {
        (self.cell - 1).max(1) as u32
    }

    /// Width of marks on a stone: of the same parity as the stone, so that they are centred.
    fn on_stone(&self) -> u32 {
        let third = self.stone() / 3;
        third + (third + self.stone()) % 2
    }

    /// Width of marks on a free point: odd, so that they are centred.
    fn on_point(&self) -> u32 {
        (self.cell as u32 * 2 / 5) | 1
    }
}

fn square(centre: Point, width: u32) -> Rectangle {
    Rectangle::with_center(centre, Size::new_equal(width))
}

/// A stone. Without colours black is a ring and white a disc.
pub(in crate::boards) fn draw_stone(player: Player, centre: Point, size: u32, pen: &mut Pen<'_>) {
    match (pen.look.roomy, player) {
        (true, Player::First) => {
            pen.disc(centre, size, Ink::Black);
            pen.ring(centre, size, Ink::Line, 1);
        }
        (true, Player::Second) => {
            pen.disc(centre, size, Ink::White);
            pen.ring(centre, size, Ink::Mist, 1);
        }
        (false, Player::First) => {
            pen.disc(centre, size, Ink::Night);
            pen.ring(centre, size, Ink::Paper, 1);
        }
        (false, Player::Second) => pen.disc(centre, size, Ink::Paper),
    }
}

/// Ink of marks on a stone.
fn contrast(player: Player) -> Ink {
    match player {
        Player::First => Ink::Paper,
        Player::Second => Ink::Night,
    }
}

/// Centre of a point on a board in this area.
pub(super) fn centre(game: &Go, point: go::Point, place: Rectangle, roomy: bool) -> Point {
    PointGrid::new(game.rules().size().into(), place, roomy).of(point)
}

pub(super) fn draw(
    game: &Go,
    cursor: Option<go::Point>,
    marks: Marks<'_>,
    place: Rectangle,
    pen: &mut Pen<'_>,
) {
    let grid = PointGrid::new(game.rules().size().into(), place, pen.look.roomy);
    draw_ground(&grid, pen);
    if marks.coordinates && grid.roomy {
        draw_coordinates(&grid, pen);
    }
    let stones = game.stones();
    let (atari, ko) = (stones.in_atari(game.board()), game.ko_points());
    let dead = marks.marked.map(points);
    let target = marks
        .target
        .map_or(Points::EMPTY, |place| block(game, place));
    let owned = match dead {
        Some(dead) => Some(game.areas_without(dead)),
        // Values of the mind view need the room.
        None => (marks.overlay && marks.thoughts.is_empty())
            .then(|| go::territory(stones, game.board())),
    };
    let mut falling = None;
    for point in game.board() {
        let (centre, index) = (grid.of(point), GoMove::Stone(point).index());
        if marks.cursor {
            pen.touchable(square(centre, grid.cell as u32), Target::Place(index));
        }
        let owner = Player::BOTH
            .into_iter()
            .find(|player| owned.is_some_and(|owned| owned[player.index()].contains(point)));
        match stones.at(point) {
            Some(player) if marks.landing > 0 && marks.last == Some(index) => {
                falling = Some((player, centre));
            }
            Some(player) => {
                draw_stone(player, centre, grid.stone(), pen);
                match dead {
                    None => draw_on_stone(
                        &grid,
                        player,
                        centre,
                        marks.last == Some(index),
                        atari.contains(point),
                        pen,
                    ),
                    Some(dead) if dead.contains(point) => {
                        let ink = if grid.roomy {
                            Ink::Sun
                        } else {
                            contrast(player)
                        };
                        draw_cross(square(centre, grid.stone() * 2 / 3), ink, pen);
                    }
                    Some(_) => {}
                }
            }
            None => {
                if let Some(player) = owner {
                    draw_owned(&grid, player, centre, pen);
                }
                if dead.is_none() && ko.contains(point) {
                    draw_cross(square(centre, grid.on_point() + 2), Ink::Sun, pen);
                }
            }
        }
        if target.contains(point) {
            let ink = stones.at(point).map_or(Ink::Sun, contrast);
            let ink = if grid.roomy { Ink::Sun } else { ink };
            pen.disc(centre, (grid.stone() / 3).max(3), ink);
        }
        if let Some(verdict) = marks.verdict(index) {
            verdict.draw_small(centre, grid.cell, pen);
        }
        if marks.hint == Some(index) {
            let radius = grid.cell / 3 + i32::from(!grid.roomy);
            pen.diamond(centre, radius + 1, Ink::Night);
            pen.diamond(centre, radius, Ink::Leaf);
        }
    }
    // Captured stones get smaller, the last one drops.
    let size = grid.stone() as i32;
    for point in points(marks.taken) {
        let left = (size * marks.landing / 1000).max(1) as u32;
        draw_stone(game.turn(), grid.of(point), left, pen);
    }
    if let Some((player, centre)) = falling {
        let up = Point::new(0, grid.cell * marks.landing / 1000);
        draw_stone(player, centre - up, grid.stone(), pen);
    }
    if let Some(point) = cursor {
        draw_cursor(&grid, grid.of(point) + marks.drift, pen);
    }
}

/// The board without stones.
fn draw_ground(grid: &PointGrid, pen: &mut Pen<'_>) {
    let last = grid.size - 1;
    if grid.roomy {
        let edge = grid.cell / 2 + 2;
        let (corner, width) = (grid.at(0, last), last * grid.cell + 2 * edge + 1);
        pen.panel(
            area(corner.x - edge, corner.y - edge, width, width),
            Ink::Wood,
        );
        for i in 0..grid.size {
            pen.line(grid.at(i, 0), grid.at(i, last), Ink::Bark, 1);
            pen.line(grid.at(0, i), grid.at(last, i), Ink::Bark, 1);
        }
    } else {
        for (col, row) in (0..grid.size).flat_map(|col| (0..grid.size).map(move |row| (col, row))) {
            pen.fill(
                Rectangle::new(grid.at(col, row), Size::new(1, 1)),
                Ink::Mist,
            );
        }
    }
    // Star points: the middle and, on 9×9, the corners of the third lines.
    let (low, middle) = (2, last / 2);
    let corners = [
        (low, low),
        (low, last - low),
        (last - low, low),
        (last - low, last - low),
    ];
    for (col, row) in corners
        .into_iter()
        .filter(|_| grid.size > 7)
        .chain([(middle, middle)])
    {
        let centre = grid.at(col, row);
        if grid.roomy {
            pen.disc(centre, 5, Ink::Bark);
        } else {
            pen.fill(area(centre.x - 1, centre.y, 3, 1), Ink::Mist);
            pen.fill(area(centre.x, centre.y - 1, 1, 3), Ink::Mist);
        }
    }
}

/// The letters of the columns below the board, the numbers of the rows to its left.
fn draw_coordinates(grid: &PointGrid, pen: &mut Pen<'_>) {
    let face = pen.look.body;
    let (edge, wide) = (grid.cell / 2 + 3, face.width("0"));
    for line in 0..grid.size as u8 {
        let Some(point) = go::Point::new(line, line) else {
            continue;
        };
        let mut name = Words::new();
        // A letter and a digit.
        let _ = write!(name, "{point}");
        let (letter, number) = name.split_at(1);
        let at = grid.of(point);
        let below = grid.origin.y + edge;
        let column = area(at.x - wide, below, 2 * wide, LABELS - 2);
        pen.letters_in(column, Side::Centre, face, Ink::Mist, &[letter]);
        let left = grid.origin.x - edge - LABELS;
        let row = area(left, at.y - grid.cell / 2, LABELS - 2, grid.cell);
        pen.letters_in(row, Side::Right, face, Ink::Mist, &[number]);
    }
}

/// Marks of the last move and of stones in atari.
fn draw_on_stone(
    grid: &PointGrid,
    player: Player,
    centre: Point,
    is_last: bool,
    in_atari: bool,
    pen: &mut Pen<'_>,
) {
    let (small, ink) = (grid.on_stone(), contrast(player));
    if grid.roomy {
        if in_atari {
            pen.ring(centre, grid.stone(), Ink::Sun, 2);
        }
        if is_last {
            pen.disc(centre, small, ink);
        }
    } else {
        // A thin bar: a larger mark would make a white stone look black.
        if in_atari {
            pen.fill(
                Rectangle::with_center(centre, Size::new(grid.stone() - 2, 1)),
                ink,
            );
        }
        if is_last {
            pen.fill(square(centre, small), ink);
        }
    }
}

/// A free point that belongs to a player: a filled square or a frame, like the player's stones.
fn draw_owned(grid: &PointGrid, player: Player, centre: Point, pen: &mut Pen<'_>) {
    let place = square(centre, grid.on_point());
    match (grid.roomy, player) {
        (true, Player::First) => pen.fill(place, Ink::Black),
        (true, Player::Second) => pen.fill(place, Ink::White),
        (false, _) => {
            pen.fill(place, Ink::Paper);
            if player == Player::First {
                pen.fill(inset(place, 1), Ink::Night);
            }
        }
    }
}

fn draw_cross(place: Rectangle, ink: Ink, pen: &mut Pen<'_>) {
    let stroke = if pen.look.roomy { 2 } else { 1 };
    let (low, high) = (
        place.top_left,
        place.top_left + place.size - Size::new_equal(1),
    );
    pen.line(low, high, ink, stroke);
    pen.line(
        Point::new(low.x, high.y),
        Point::new(high.x, low.y),
        ink,
        stroke,
    );
}

fn draw_cursor(grid: &PointGrid, centre: Point, pen: &mut Pen<'_>) {
    let half = grid.cell / 2 + 1;
    let place = area(centre.x - half, centre.y - half, 2 * half + 1, 2 * half + 1);
    if grid.roomy {
        pen.corners(place, grid.cell / 3 + 1, Ink::Night, 3);
    } else {
        pen.corners(place, 3, Ink::Paper, 1);
    }
}

//! Board of dots and boxes.

use core::fmt::Write;

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::dots::{Edge, SIDE, Ties};
use dojo_core::games::{Dots, DotsRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{
    Board, Example, HasBoard, Marks, Reply, RuleOption, TallyExtent, Words, words,
};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::scoring::Marked;
use crate::touch::Target;
use crate::words::dots;

mod strength;

/// A disc or a ring: owners are distinct without colours.
fn draw_sign(player: Player, centre: Point, size: u32, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    match player {
        Player::First => pen.disc(centre, size, Ink::Sun),
        Player::Second => pen.ring(
            centre,
            size,
            Ink::Sky,
            if roomy { (size / 4).max(2) } else { 1 },
        ),
    }
}

const SIZES: [&str; SIDE] = ["1", "2", "3", "4", "5"];

/// The cursor: an edge. Lines of horizontal and of vertical edges alternate from top to bottom.
#[derive(Clone, Copy)]
pub(crate) struct DotsBoard {
    line: u8,
    place: u8,
}

impl DotsBoard {
    fn edge(&self) -> Option<Edge> {
        let at = if self.line.is_multiple_of(2) {
            Edge::horizontal
        } else {
            Edge::vertical
        };
        at(self.line / 2, self.place)
    }

    /// Number of edges in the cursor's line.
    fn length(&self, rules: DotsRules) -> u8 {
        rules.cols() + self.line % 2
    }
}

impl HasBoard for Dots {
    type Board = DotsBoard;
}

impl Board for DotsBoard {
    type Game = Dots;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const GOAL: &'static str = dots::GOAL;
    const EXAMPLE: Example = Example {
        rules: "",
        moves: "h00 v00 v01",
        hint: "h10",
        text: dots::EXAMPLE,
    };
    const RULES: &'static [&'static str] = dots::RULES;

    fn why(game: &Dots, _: Outcome, _: Marked) -> Words {
        let equal = game.score(Player::First) == game.score(Player::Second);
        words(match (equal, game.rules().ties, game.rules().misere) {
            (true, Ties::StarterLoses, _) => dots::STARTER_LOSES,
            (true, Ties::Draw, _) => dots::EQUAL,
            (false, _, false) => dots::MOST,
            (false, _, true) => dots::FEWEST,
        })
    }

    fn margin(game: &Dots, _: Marked) -> Option<Words> {
        let [first, second] = Player::BOTH.map(|player| game.score(player));
        let mut words = Words::new();
        write!(words, "{}", first.abs_diff(second)).ok()?;
        Some(words).filter(|_| first != second)
    }

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let side = place.size.height as i32;
        let dot = if side > 30 { 5 } else { 3 };
        let cell = (side - dot) / 2;
        let corner = place.center() - Point::new(cell, cell);
        let at = |column: i32, row: i32| corner + Point::new(column * cell, row * cell);
        let first = at(0, 0);
        pen.fill(area(first.x, first.y, cell, cell), Ink::Sun);
        let thick = if side > 30 { 3 } else { 1 };
        let half = thick / 2;
        for (column, row, is_vertical) in [
            (0, 0, false),
            (0, 1, false),
            (0, 0, true),
            (1, 0, true),
            (1, 1, true),
        ] {
            let Point { x, y } = at(column, row);
            pen.fill(
                if is_vertical {
                    area(x - half, y, thick, cell)
                } else {
                    area(x, y - half, cell, thick)
                },
                Ink::Paper,
            );
        }
        for (column, row) in (0..9).map(|i| (i % 3, i / 3)) {
            let Point { x, y } = at(column, row);
            pen.fill(area(x - dot / 2, y - dot / 2, dot, dot), Ink::Paper);
        }
    }

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        draw_sign(player, centre, if pen.look.roomy { 16 } else { 7 }, pen);
    }

    fn option(rules: &DotsRules, number: usize) -> Option<RuleOption> {
        let size = |side: u8| SIZES[usize::from(side) - 1];
        match number {
            0 => Some(RuleOption {
                label: dots::ROWS,
                value: size(rules.rows()),
            }),
            1 => Some(RuleOption {
                label: dots::COLUMNS,
                value: size(rules.cols()),
            }),
            2 => {
                let value = if rules.ties == Ties::Draw {
                    dots::TIES[0]
                } else {
                    dots::TIES[1]
                };
                Some(RuleOption {
                    label: dots::EQUAL,
                    value,
                })
            }
            3 => Some(RuleOption {
                label: dots::TO_WIN,
                value: if rules.misere {
                    dots::CLOSE[0]
                } else {
                    dots::CLOSE[1]
                },
            }),
            _ => None,
        }
    }

    fn step_option(rules: &mut DotsRules, number: usize, forward: bool) {
        let side = SIDE as u8;
        let step = |at: u8| (at - 1 + if forward { 1 } else { side - 1 }) % side + 1;
        let (rows, cols) = (rules.rows(), rules.cols());
        let resized = match number {
            0 => DotsRules::new(step(rows), cols),
            1 => DotsRules::new(rows, step(cols)),
            _ => DotsRules::new(rows, cols),
        };
        let ties = match (number, rules.ties) {
            (2, Ties::Draw) => Ties::StarterLoses,
            (2, Ties::StarterLoses) => Ties::Draw,
            (_, ties) => ties,
        };
        *rules = resized.map_or(*rules, |board| {
            board.judged(ties, rules.misere ^ (number == 3))
        });
    }

    fn new(game: &Dots) -> DotsBoard {
        DotsBoard {
            line: game.rules().rows(),
            place: game.rules().cols() / 2,
        }
    }

    fn press(&mut self, game: &Dots, button: Button) -> Reply {
        let rules = game.rules();
        let (lines, length) = (2 * rules.rows() + 1, self.length(rules));
        match button {
            Button::Up => self.line = (self.line + lines - 1) % lines,
            Button::Down => self.line = (self.line + 1) % lines,
            Button::Left => self.place = (self.place + length - 1) % length,
            Button::Right => self.place = (self.place + 1) % length,
            Button::A => {
                return match self.edge() {
                    Some(edge) if game.is_legal(edge) => Reply::Play(edge.index()),
                    _ => Reply::Refused,
                };
            }
            _ => return Reply::Ignored,
        }
        self.place = self.place.min(self.length(rules) - 1);
        Reply::Moved
    }

    fn point_to(&mut self, game: &Dots, mv: Option<u16>) {
        if let Some(edge) = mv.and_then(Edge::from_index) {
            (self.line, self.place) = (2 * edge.row() + u8::from(edge.is_vertical()), edge.col());
        }
        self.line = self.line.min(2 * game.rules().rows());
        self.place = self.place.min(self.length(game.rules()) - 1);
    }

    fn spot(&self, game: &Dots, place: Rectangle, roomy: bool) -> Option<Point> {
        let grid = DotGrid::new(game.rules(), place, roomy);
        self.edge().map(|edge| grid.bar(edge, 1, 0).center())
    }

    fn taken(game: &Dots, mv: u16) -> Marked {
        let edge = Edge::from_index(mv).filter(|&edge| game.is_legal(edge));
        let takes = edge.is_some_and(|edge| game.completes(edge) > 0);
        takes.then_some(mv).into_iter().collect()
    }

    fn draw(&self, game: &Dots, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        self.tell(game, marks, pen);
        let grid = DotGrid::new(game.rules(), place, pen.look.roomy);
        for row in 0..game.rules().rows() {
            for col in 0..game.rules().cols() {
                if let Some(player) = game.owner(row, col) {
                    draw_sign(player, grid.centre(row, col), grid.cell as u32 / 2, pen);
                }
            }
        }
        for edge in game.rules().edges() {
            if marks.cursor {
                let place = Rectangle::with_center(
                    grid.bar(edge, 1, 0).center(),
                    Size::new_equal(grid.cell as u32),
                );
                pen.touchable(place, Target::Place(edge.index()));
            }
            draw_edge(game, edge, &grid, marks, pen);
        }
        for row in 0..=game.rules().rows() {
            for col in 0..=game.rules().cols() {
                // Marks of the mind view have the size of a dot there.
                let is_small = !pen.look.roomy && !marks.thoughts.is_empty();
                let size = if is_small { 1 } else { grid.dot_size };
                let dot = grid.dot(row, col);
                pen.fill(
                    area(dot.x - size / 2, dot.y - size / 2, size, size),
                    Ink::Paper,
                );
            }
        }
        for edge in game.free() {
            if let Some(verdict) = marks.verdict(edge.index()) {
                // Numbers that touch each other cannot be read.
                let room = if pen.look.roomy { 36 } else { 20 };
                verdict.draw(grid.bar(edge, 1, 0).center(), grid.cell >= room, pen);
            }
        }
        if let Some(edge) = self.edge().filter(|_| marks.cursor) {
            let (thick, gap, stroke) = if pen.look.roomy {
                (13, 4, 2)
            } else {
                (5, 2, 1)
            };
            let bar = grid.bar(edge, thick, gap).translate(marks.drift);
            pen.border(bar, Ink::Gold, stroke);
        }
    }

    const MOVES_AGAIN: bool = true;

    fn describe(&self, _: &Dots, mv: u16) -> Option<Words> {
        let edge = Edge::from_index(mv)?;
        let way = if edge.is_vertical() {
            dots::WAYS[1]
        } else {
            dots::WAYS[0]
        };
        let mut words = Words::new();
        dots::draw(&mut words, way).ok()?;
        Some(words)
    }

    fn remark(&self, game: &Dots, last: u16) -> Option<Words> {
        let edge = Edge::from_index(last)?;
        let (row, col) = (edge.row(), edge.col());
        let before = if edge.is_vertical() {
            (row, col.wrapping_sub(1))
        } else {
            (row.wrapping_sub(1), col)
        };
        let closed = [(row, col), before]
            .into_iter()
            .filter(|&(row, col)| row < game.rules().rows() && col < game.rules().cols())
            .filter(|&(row, col)| game.owner(row, col).is_some())
            .count();
        match closed {
            0 => None,
            1 => Some(words(dots::CLOSED[0])),
            _ => Some(words(dots::CLOSED[1])),
        }
    }

    fn draw_tally(game: &Dots, player: Player, place: Rectangle, pen: &mut Pen<'_>) -> TallyExtent {
        let mut score = Words::new();
        let _ = write!(score, "{}", game.score(player));
        let look = pen.look;
        let face = if look.roomy { look.title } else { look.body };
        let edge = if look.roomy { 6 } else { 3 };
        let wide = face.width(&score);
        let (x, y) = (place.top_left.x, place.top_left.y);
        let right = x + place.size.width as i32 - edge;
        let at = area(right - wide, y, wide, place.size.height as i32);
        pen.letters_in(at, Side::Right, face, Ink::Paper, &[&score]);
        TallyExtent {
            width: wide + edge,
            is_more: false,
        }
    }

    fn verb(&self, _: &Dots) -> &'static str {
        dots::VERB
    }

    fn prompt(&self, _: &Dots) -> Option<Words> {
        None
    }
}

/// Geometry of the dots.
struct DotGrid {
    corner: Point,
    cell: i32,
    dot_size: i32,
}

impl DotGrid {
    fn new(rules: DotsRules, place: Rectangle, roomy: bool) -> DotGrid {
        let (rows, cols) = (i32::from(rules.rows()), i32::from(rules.cols()));
        // The cursor around an outer edge needs room as well.
        let edge = match (roomy, rows.max(cols)) {
            (true, _) => 7,
            // And the numbers of the mind view.
            (false, ..3) => 6,
            (false, _) => 2,
        };
        let (width, height) = (
            place.size.width as i32 - 2 * edge,
            place.size.height as i32 - 2 * edge,
        );
        let cell = (width / cols).min(height / rows);
        let corner = place.center() - Point::new(cols * cell / 2, rows * cell / 2);
        DotGrid {
            corner,
            cell,
            dot_size: if roomy { 7 } else { 3 },
        }
    }

    fn dot(&self, row: u8, col: u8) -> Point {
        self.corner + Point::new(i32::from(col), i32::from(row)) * self.cell
    }

    fn centre(&self, row: u8, col: u8) -> Point {
        self.dot(row, col) + Point::new(self.cell / 2, self.cell / 2)
    }

    /// The rectangle between the two dots of an edge, `thick` pixels wide and `gap` pixels short of
    /// them.
    fn bar(&self, edge: Edge, thick: i32, gap: i32) -> Rectangle {
        let Point { x, y } = self.dot(edge.row(), edge.col());
        let long = (self.cell - 2 * gap).max(1);
        if edge.is_vertical() {
            area(x - thick / 2, y + gap, thick, long)
        } else {
            area(x + gap, y - thick / 2, long, thick)
        }
    }
}

impl DotsBoard {
    fn tell(&self, game: &Dots, marks: Marks<'_>, pen: &mut Pen<'_>) {
        let [first, second] = Player::BOTH.map(|player| game.score(player));
        pen.tell(format_args!("Boxes {first} to {second}"));
        for row in 0..game.rules().rows() {
            for col in 0..game.rules().cols() {
                let around = [
                    Edge::horizontal(row, col),
                    Edge::horizontal(row + 1, col),
                    Edge::vertical(row, col),
                    Edge::vertical(row, col + 1),
                ];
                let sides = around
                    .into_iter()
                    .flatten()
                    .filter(|&edge| game.has(edge))
                    .count();
                let owner = match game.owner(row, col) {
                    Some(Player::First) => ", disc",
                    Some(Player::Second) => ", ring",
                    None => "",
                };
                pen.tell(format_args!(
                    "Box row {row} column {col}: {sides} sides{owner}"
                ));
            }
        }
        if let Some(last) = marks.last.and_then(Edge::from_index) {
            pen.tell(format_args!("Last move {last}"));
        }
        if let Some(edge) = self.edge().filter(|_| marks.cursor) {
            pen.tell(format_args!(
                "Cursor on {edge}, {}",
                if game.has(edge) { "drawn" } else { "free" }
            ));
        }
    }
}

fn draw_edge(game: &Dots, edge: Edge, grid: &DotGrid, marks: Marks<'_>, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let thick = if roomy { 3 } else { 1 };
    if game.has(edge) {
        let last = marks.last == Some(edge.index());
        let (thick, ink) = if last {
            (thick + 2, Ink::Paper)
        } else {
            (thick, Ink::Mist)
        };
        let mut bar = grid.bar(edge, thick, 0);
        if last {
            // The last line is drawn from one end to the other.
            let rest = |length: u32| length - length * marks.landing as u32 / 1000;
            if edge.is_vertical() {
                bar.size.height = rest(bar.size.height);
            } else {
                bar.size.width = rest(bar.size.width);
            }
        }
        pen.fill(bar, ink);
    } else if roomy {
        // Dotted, so that it is not taken for a drawn one.
        let bar = grid.bar(edge, 2, grid.dot_size);
        let (along, long) = if edge.is_vertical() {
            (Point::new(0, 1), bar.size.height as i32)
        } else {
            (Point::new(1, 0), bar.size.width as i32)
        };
        for step in (0..long - 1).step_by(6) {
            let at = bar.top_left + along * step;
            pen.fill(area(at.x, at.y, 2, 2), Ink::Line);
        }
    }
    if marks.hint == Some(edge.index()) {
        pen.diamond(
            grid.bar(edge, thick, 0).center(),
            if roomy { 8 } else { 3 },
            Ink::Leaf,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_reaches_every_edge_and_stays_on_the_board() {
        for (rows, cols) in [(1, 1), (2, 3), (5, 5)] {
            let game = Dots::new(DotsRules::new(rows, cols).unwrap());
            let mut board = DotsBoard::new(&game);
            let mut seen = 0;
            for step in 0..200u16 {
                let edge = board.edge().unwrap();
                assert!(game.is_legal(edge), "{edge}");
                seen |= edge.bit();
                board.press(
                    &game,
                    if step % u16::from(board.length(game.rules())) == 0 {
                        Button::Down
                    } else {
                        Button::Right
                    },
                );
            }
            for edge in game.rules().edges() {
                board.point_to(&game, Some(edge.index()));
                assert_eq!(board.edge(), Some(edge));
            }
            assert!(seen.count_ones() > 3);
        }
    }

    #[test]
    fn options_step_round() {
        let mut rules = DotsRules::new(5, 1).unwrap();
        DotsBoard::step_option(&mut rules, 0, true);
        DotsBoard::step_option(&mut rules, 1, false);
        assert_eq!((rules.rows(), rules.cols()), (1, 5));
        DotsBoard::step_option(&mut rules, 2, true);
        DotsBoard::step_option(&mut rules, 3, true);
        assert_eq!((rules.ties, rules.misere), (Ties::Draw, true));
    }
}

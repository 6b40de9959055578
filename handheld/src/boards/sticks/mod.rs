//! Board of 15 sticks.

use dojo_core::game::{Game, GameMove, Outcome, Player};
use dojo_core::games::sticks::{ROW_MAX, ROWS, Take};
use dojo_core::games::{Sticks, SticksRules};
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::boards::{Board, Example, HasBoard, Marks, Reply, RuleOption, Words, words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::scoring::Marked;
use crate::touch::Target;
use crate::words::sticks;

mod strength;

const ROW_LABELS: [&str; ROWS] = sticks::ROW_LABELS;
const COUNTS: [&str; ROW_MAX as usize + 1] = sticks::COUNTS;

const ROW_NAMES: [&str; ROWS] = sticks::ROW_NAMES;

/// The cursor: the sticks to take.
#[derive(Clone, Copy)]
pub(crate) struct SticksBoard {
    row: u8,
    count: u8,
}

impl SticksBoard {
    /// Goes to the next row in this direction that has sticks.
    fn step_row(&mut self, game: &Sticks, by: u8) {
        for _ in 0..ROWS {
            self.row = (self.row + by) % ROWS as u8;
            if self.left(game) > 0 {
                break;
            }
        }
        self.count = self.count.clamp(1, self.left(game).max(1));
    }

    fn left(&self, game: &Sticks) -> u8 {
        game.sticks()[usize::from(self.row)]
    }
}

impl HasBoard for Sticks {
    type Board = SticksBoard;
}

impl Board for SticksBoard {
    type Game = Sticks;

    const STRENGTH: [[u16; 3]; 5] = strength::MEASURED;
    const GOAL: &'static str = sticks::GOAL;
    const EXAMPLE: Example = Example {
        rules: "",
        moves: "1:1 3:2",
        hint: "2:3",
        text: sticks::EXAMPLE,
    };
    const RULES: &'static [&'static str] = sticks::RULES;

    fn why(game: &Sticks, _: Outcome, _: Marked) -> Words {
        words(if game.rules().misere {
            sticks::LAST_LOSES
        } else {
            sticks::LAST_WINS
        })
    }

    fn icon(place: Rectangle, pen: &mut Pen<'_>) {
        let (Point { x, y }, side) = (place.top_left, place.size.height as i32);
        let stick = Size::new((side as u32 / 6).max(3), side as u32 - 2);
        let gap = (side - 3 * stick.width as i32) / 3;
        for number in 0..3 {
            let left = x + gap / 2 + number * (stick.width as i32 + gap);
            // The last one is about to be taken.
            let lift = if number == 2 { 0 } else { side / 8 };
            let size = Size::new(stick.width, stick.height - side as u32 / 8);
            draw_stick(Point::new(left, y + 1 + lift), size, false, pen);
        }
    }

    fn badge(player: Player, centre: Point, pen: &mut Pen<'_>) {
        let (size, ink) = (
            if pen.look.roomy { 16 } else { 7 },
            [Ink::Sun, Ink::Sky][player.index()],
        );
        let roomy = pen.look.roomy;
        match player {
            Player::First => pen.disc(centre, size, ink),
            Player::Second => pen.ring(centre, size, ink, if roomy { 4 } else { 1 }),
        }
    }

    fn option(rules: &SticksRules, number: usize) -> Option<RuleOption> {
        match number {
            0..ROWS => {
                let count = usize::from(rules.rows()[number]);
                Some(RuleOption {
                    label: ROW_LABELS[number],
                    value: COUNTS[count],
                })
            }
            ROWS => Some(RuleOption {
                label: sticks::LAST_STICK,
                value: sticks::LAST_DOES[usize::from(rules.misere)],
            }),
            _ => None,
        }
    }

    fn step_option(rules: &mut SticksRules, number: usize, forward: bool) {
        if number >= ROWS {
            rules.misere = !rules.misere;
            return;
        }
        let mut rows = rules.rows();
        // Not all rows may be empty: a count that would make them so is skipped.
        for _ in 0..2 {
            rows[number] = (rows[number] + if forward { 1 } else { ROW_MAX }) % (ROW_MAX + 1);
            if let Some(stepped) = SticksRules::new(rows, rules.misere) {
                *rules = stepped;
                return;
            }
        }
    }

    fn new(game: &Sticks) -> SticksBoard {
        let mut board = SticksBoard {
            row: ROWS as u8 - 1,
            count: 1,
        };
        board.point_to(game, None);
        board
    }

    fn press(&mut self, game: &Sticks, button: Button) -> Reply {
        let left = self.left(game).max(1);
        match button {
            Button::Up => self.step_row(game, ROWS as u8 - 1),
            Button::Down => self.step_row(game, 1),
            // Sticks are taken from the right end, so left takes more.
            Button::Left => self.count = self.count % left + 1,
            Button::Right => self.count = if self.count > 1 { self.count - 1 } else { left },
            Button::A => {
                return match Take::new(self.row, self.count) {
                    Some(take) if game.is_legal(take) => Reply::Play(take.index()),
                    _ => Reply::Refused,
                };
            }
            _ => return Reply::Ignored,
        }
        Reply::Moved
    }

    fn point_to(&mut self, game: &Sticks, mv: Option<u16>) {
        if let Some(take) = mv.and_then(Take::from_index) {
            (self.row, self.count) = (take.row(), take.count());
        } else if self.left(game) == 0 {
            self.step_row(game, ROWS as u8 - 1);
        } else {
            self.count = self.count.clamp(1, self.left(game));
        }
    }

    fn draw(&self, game: &Sticks, marks: Marks<'_>, place: Rectangle, pen: &mut Pen<'_>) {
        for (row, sticks) in game.sticks().into_iter().enumerate() {
            let unit = if sticks == 1 { "stick" } else { "sticks" };
            pen.tell(format_args!("Row {}: {sticks} {unit}", row + 1));
        }
        if let Some(last) = marks.last.and_then(Take::from_index) {
            pen.tell(format_args!(
                "Last move took {} from row {}",
                last.count(),
                last.row() + 1
            ));
        }
        if marks.cursor {
            pen.tell(format_args!(
                "Cursor on {} from row {}",
                self.count,
                self.row + 1
            ));
        }
        let roomy = pen.look.roomy;
        let (width, height) = (place.size.width as i32, place.size.height as i32);
        let (step, row_height) = (width / i32::from(ROW_MAX), height / ROWS as i32);
        let lift = if roomy { 8 } else { 3 };
        // The values of the mind view are drawn below the sticks, which make room for them.
        let values = match (marks.thoughts.is_empty(), roomy) {
            (true, _) => 0,
            (false, true) => 22,
            (false, false) => 8,
        };
        let tall = (row_height * 2 / 3).min(row_height - lift - values);
        let stick = Size::new((step as u32 / 3).max(3), tall as u32);
        let last = marks.last.and_then(Take::from_index);
        let hint = marks.hint.and_then(Take::from_index);
        // Beside each other on a small display, numbers of two digits run together.
        let wide = |row, from_end| {
            let take = Take::new(row, from_end);
            take.and_then(|take| marks.verdict(take.index()))
                .is_some_and(|verdict| verdict.is_wide())
        };
        let has_room = roomy
            || !(0..ROWS as u8)
                .any(|row| (1..ROW_MAX).any(|take| wide(row, take) && wide(row, take + 1)));
        for row in 0..ROWS as u8 {
            let (at_start, left) = (
                game.rules().rows()[usize::from(row)],
                game.sticks()[usize::from(row)],
            );
            let x0 = place.top_left.x
                + (width - i32::from(at_start) * step) / 2
                + (step - stick.width as i32) / 2;
            let y = place.top_left.y
                + i32::from(row) * row_height
                + lift
                + (row_height - lift - values - tall) / 2;
            let chosen = |take: Option<Take>| {
                take.filter(|take| take.row() == row)
                    .map_or(0, |take| take.count())
            };
            for i in 0..at_start {
                let at = Point::new(x0 + i32::from(i) * step, y);
                let from_end = left.saturating_sub(i);
                if i >= left {
                    let is_last = i < left + chosen(last);
                    draw_gap(at, stick, is_last && marks.landing == 0, pen);
                    if is_last && marks.landing > 0 {
                        // It flies off upwards.
                        let up = height * (1000 - marks.landing) / 1000;
                        draw_stick(at - Point::new(0, up), stick, false, pen);
                    }
                    continue;
                }
                if let Some(take) = Take::new(row, from_end).filter(|_| marks.cursor) {
                    let place = area(
                        x0 + i32::from(i) * step - step / 3,
                        y - lift,
                        step,
                        row_height,
                    );
                    pen.touchable(place, Target::Place(take.index()));
                }
                let taken = marks.cursor && row == self.row && from_end <= self.count;
                draw_stick(
                    if taken { at - Point::new(0, lift) } else { at },
                    stick,
                    taken,
                    pen,
                );
                // Sticks are taken from the right end, so each has the value of taking it and all
                // to its right.
                if let Some(verdict) =
                    Take::new(row, from_end).and_then(|take| marks.verdict(take.index()))
                {
                    let below = Point::new(stick.width as i32 / 2, tall + values / 2);
                    verdict.draw(at + below, has_room, pen);
                }
                if from_end <= chosen(hint) {
                    let below =
                        at + Point::new(stick.width as i32 / 2, stick.height as i32 + lift / 2);
                    pen.diamond(below, if roomy { 5 } else { 2 }, Ink::Leaf);
                }
            }
        }
    }

    fn describe(&self, _: &Sticks, mv: u16) -> Option<Words> {
        let take = Take::from_index(mv)?;
        let mut words = Words::new();
        let row = ROW_NAMES.get(usize::from(take.row()))?;
        sticks::take(&mut words, take.count().into(), row).ok()?;
        Some(words)
    }

    fn verb(&self, _: &Sticks) -> &'static str {
        sticks::VERB
    }

    fn prompt(&self, _: &Sticks) -> Option<Words> {
        let mut words = Words::new();
        let row = ROW_NAMES.get(usize::from(self.row))?;
        sticks::take(&mut words, self.count.into(), row).ok()?;
        Some(words)
    }
}

fn draw_stick(at: Point, size: Size, taken: bool, pen: &mut Pen<'_>) {
    let place = Rectangle::new(at, size);
    let (width, height) = (size.width as i32, size.height as i32);
    if pen.look.roomy {
        pen.panel(place, if taken { Ink::Gold } else { Ink::Wood });
        if !taken {
            pen.panel(area(at.x + width - 3, at.y + 3, 3, height - 6), Ink::Bark);
        }
        pen.panel(area(at.x, at.y, width, width), Ink::Sun);
    } else if taken {
        pen.border(area(at.x - 1, at.y, width + 2, height), Ink::Paper, 1);
    } else {
        pen.fill(place, Ink::Paper);
    }
}

/// The place of a taken stick; those of the last move are marked.
fn draw_gap(at: Point, size: Size, last: bool, pen: &mut Pen<'_>) {
    let foot = at + Point::new(size.width as i32 / 2, size.height as i32 - 2);
    let roomy = pen.look.roomy;
    if last {
        let font = pen.look.body;
        let up = Point::new(0, font.cap());
        pen.letters(foot - up, Side::Centre, font, Ink::Mist, "×");
    } else {
        let dot = if roomy { 4 } else { 1 };
        pen.fill(
            area(foot.x - dot / 2, foot.y - dot / 2, dot, dot),
            Ink::Line,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_never_points_to_missing_sticks() {
        let mut game = Sticks::new(SticksRules::new([1, 0, 3], true).unwrap());
        let mut board = SticksBoard::new(&game);
        for button in [
            Button::Up,
            Button::Left,
            Button::Left,
            Button::Down,
            Button::Right,
            Button::Down,
        ] {
            board.press(&game, button);
            assert!(board.left(&game) >= board.count && board.count > 0);
        }
        game.play(Take::new(2, 3).unwrap()).unwrap();
        board.point_to(&game, None);
        assert_eq!((board.row, board.count), (0, 1));
    }

    #[test]
    fn options_step_round_without_an_empty_board() {
        let mut rules = SticksRules::new([1, 0, 0], true).unwrap();
        SticksBoard::step_option(&mut rules, 0, false);
        assert_eq!(rules.rows(), [7, 0, 0]);
        SticksBoard::step_option(&mut rules, 0, true);
        assert_eq!(rules.rows(), [1, 0, 0]);
        SticksBoard::step_option(&mut rules, 3, true);
        assert!(!rules.misere);
    }
}

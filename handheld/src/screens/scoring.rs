//! The scoring phase of a game: which pieces count, and the score.

use dojo_core::games::GameId;
use embedded_graphics::prelude::*;
use embedded_graphics::primitives::Rectangle;

use crate::app::AppState;
use crate::boards::{self, AnyBoard, Marks, ScoreLine, Words};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::{Cursor, Nav, Page};
use crate::session::Session;
use crate::touch::{Target, Touch};
use crate::words;

const ITEMS: [&str; 2] = words::SCORED;
const DONE: usize = 0;

#[derive(Clone, Copy)]
pub(crate) struct ScoringPage {
    board: AnyBoard,
    /// The chosen item while the cursor is beside the board.
    item: Cursor,
}

impl ScoringPage {
    pub(super) fn new(session: &Session) -> ScoringPage {
        // Most scores are right as the machine proposes them.
        ScoringPage {
            board: AnyBoard::beside(session.game()),
            item: Cursor(DONE),
        }
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let Some(session) = app.session.as_ref().filter(|session| session.is_scored()) else {
            return Nav::Board;
        };
        match (button, self.board.place()) {
            (Button::B, _) => return Nav::Push(Page::pause()),
            (Button::Y, _) => app.undo(),
            (Button::A, Some(place)) => app.toggle_mark(place),
            (Button::A, None) if self.item.0 == DONE => app.agree(),
            (Button::A, None) => app.play_on(),
            _ => {
                if !self.board.walk(session.game(), button) {
                    self.item.step(button, ITEMS.len());
                }
            }
        }
        Nav::Stay
    }

    /// A touch of a piece marks it.
    pub(crate) fn touch_place(&mut self, place: u16, touch: Touch, app: &mut AppState) -> Nav {
        let session = app.session.as_ref().filter(|session| session.is_scored());
        match (session, touch) {
            (Some(session), Touch::Tap)
                if !boards::marked_together(session.game(), place).is_empty() =>
            {
                self.board.point_to(session.game(), Some(place));
                self.press(Button::A, app)
            }
            _ => Nav::Stay,
        }
    }

    /// A touch of a button beside the board.
    pub(crate) fn touch_item(&mut self, item: u8, touch: Touch, app: &mut AppState) -> Nav {
        let Some(session) = app.session.as_ref().filter(|_| touch == Touch::Tap) else {
            return Nav::Stay;
        };
        self.board = AnyBoard::beside(session.game());
        self.item.0 = usize::from(item).min(ITEMS.len() - 1);
        self.press(Button::A, app)
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(session) = app.session.as_ref().filter(|session| session.is_scored()) else {
            return;
        };
        let (game, id, marked) = (session.game(), session.game().id(), session.scoring.marked);
        let Some(words) = boards::scoring_words(id) else {
            return;
        };
        let roomy = pen.look.roomy;
        let (width, height) = (pen.width(), pen.height());
        let (board, column) = if roomy {
            pen.header(words.title);
            (area(2, 36, 172, 172), area(176, 40, width - 182, 166))
        } else {
            (
                area(0, 0, height, height),
                area(height + 3, 0, width - height - 3, height),
            )
        };
        let marks = Marks {
            cursor: true,
            marked: Some(marked),
            ..Marks::default()
        };
        self.board.draw(game, marks, board, pen);
        let is_judging = app.mind.is_asked() && !session.scoring.judged;
        let (step, rule) = if roomy { (25, 2) } else { (10, 1) };
        let left = column.top_left.x;
        let mut y = column.top_left.y;
        for mut line in (0..).map_while(|number| boards::score_line(game, marked, number)) {
            if line.is_total {
                pen.fill(area(left, y, column.size.width as i32, rule), Ink::Line);
                y += 2 * rule;
                if is_judging {
                    line = judging();
                }
            }
            draw_line(
                &line,
                id,
                area(left, y, column.size.width as i32, step),
                pen,
            );
            y += step;
        }
        let is_beside = self.board.place().is_none();
        draw_items(is_beside.then_some(self.item.0), column, pen);
        pen.footer(if is_beside {
            words.beside
        } else {
            words.on_board
        });
    }
}

/// Stands in the place of the total until the machine has proposed the marks.
fn judging() -> ScoreLine {
    ScoreLine {
        sign: None,
        label: words::JUDGING,
        number: Words::new(),
        said: Words::try_from(words::JUDGING).unwrap_or_default(),
        is_total: true,
    }
}

fn draw_line(line: &ScoreLine, id: GameId, place: Rectangle, pen: &mut Pen<'_>) {
    pen.tell(format_args!("{}", line.said));
    let roomy = pen.look.roomy;
    let face = pen.look.body;
    let (left, middle) = (place.top_left.x, place.center().y);
    if let Some(player) = line.sign {
        let centre = Point::new(left + if roomy { 9 } else { 4 }, middle);
        boards::badge(id, player, centre, pen);
    }
    let (quiet, ink) = if line.is_total {
        (Ink::Paper, Ink::Paper)
    } else {
        (Ink::Mist, Ink::Paper)
    };
    pen.letters_in(place, Side::Left, face, quiet, &[line.label]);
    pen.letters_in(place, Side::Right, face, ink, &[&line.number]);
}

fn draw_items(chosen: Option<usize>, column: Rectangle, pen: &mut Pen<'_>) {
    let roomy = pen.look.roomy;
    let height = if roomy { 24 } else { 10 };
    let bottom = column.top_left.y + column.size.height as i32;
    for (number, words) in ITEMS.into_iter().enumerate() {
        let y = bottom - height * (ITEMS.len() - number) as i32;
        let place = area(column.top_left.x, y, column.size.width as i32, height);
        pen.touchable(place, Target::Item(number as u8));
        pen.button(place, words, Some(number) == chosen);
    }
}

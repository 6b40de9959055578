//! An exercise: a puzzle, or a step of a lesson. The board takes a move, which is judged at once.

use core::fmt::Write;

use dojo_core::bank::exercises::Goal;
use embedded_graphics::prelude::*;

use crate::app::AppState;
use crate::boards::{self, AnyBoard, Marks, Places, Reply, Words};
use crate::exercise::{ExerciseKind, ExerciseState, Phase};
use crate::frame::Ink;
use crate::input::Button;
use crate::pen::{Pen, Side, area};
use crate::screens::board::draw_status;
use crate::screens::{Nav, Page};
use crate::sound::Cue;
use crate::store::{Seat, Setup};
use crate::touch::Touch;
use crate::words;
use dojo_core::belt::Belt;
use dojo_core::games::GameId;

#[derive(Clone, Copy)]
pub(crate) struct ExercisePage {
    /// Whether a game against the white belt follows the last step.
    plays: bool,
}

impl ExercisePage {
    /// Opens a puzzle.
    pub(super) fn puzzle(game: GameId, number: u16, app: &mut AppState) -> Page {
        app.open_exercise(game, ExerciseKind::Puzzle, number);
        Page::Exercise(ExercisePage { plays: false })
    }

    /// Opens the lesson of a game.
    pub(super) fn lesson(game: GameId, plays: bool, app: &mut AppState) -> Page {
        app.open_exercise(game, ExerciseKind::Lesson, 0);
        Page::Exercise(ExercisePage { plays })
    }

    pub(super) fn press(&mut self, button: Button, app: &mut AppState) -> Nav {
        let Some(exercise) = &mut app.exercise else {
            return Nav::Back;
        };
        let is_lesson = exercise.kind == ExerciseKind::Lesson;
        match (exercise.phase, button) {
            (Phase::Asked | Phase::Missing, _) => return Nav::Back,
            (Phase::Task, Button::A) => exercise.retry(),
            (Phase::Task, Button::B) => return Nav::Back,
            (Phase::Task, _) => {}
            (Phase::Move, _) => return press_board(button, app),
            (Phase::Answered { is_right: true, .. }, Button::A) => return self.go_on(app),
            (Phase::Answered { .. }, Button::A) => exercise.retry(),
            (
                Phase::Answered {
                    is_right: false, ..
                },
                Button::B,
            ) if is_lesson => exercise.retry(),
            (Phase::Answered { .. }, Button::B) => return Nav::Back,
            (Phase::Answered { .. }, Button::Left) if !is_lesson => turn_page(false, app),
            (Phase::Answered { .. }, Button::Right) if !is_lesson => turn_page(true, app),
            (Phase::Answered { .. }, _) => {}
        }
        Nav::Stay
    }

    /// Holding B: what a step may ask for, and else a way out.
    pub(crate) fn hold(&mut self, app: &mut AppState) -> Nav {
        let exercise = app.exercise.as_mut();
        match exercise.and_then(|exercise| exercise.answer_held(Button::B)) {
            Some(_) => {
                app.sound(Cue::Won(Belt::White));
                Nav::Stay
            }
            None => Nav::Back,
        }
    }

    /// After a right answer: the next exercise, or what follows the last one.
    fn go_on(&self, app: &mut AppState) -> Nav {
        let Some(exercise) = &app.exercise else {
            return Nav::Back;
        };
        let (game, is_puzzle) = (exercise.game, exercise.kind == ExerciseKind::Puzzle);
        if exercise.has_next() {
            turn_page(true, app);
            Nav::Stay
        } else if self.plays && !is_puzzle {
            let mut setup = Setup::new(game);
            setup.seats = [Seat::Person, Seat::Machine(Belt::White)];
            Page::begin(setup, app)
        } else {
            Nav::Back
        }
    }

    pub(crate) fn touch_place(&mut self, place: u16, touch: Touch, app: &mut AppState) -> Nav {
        let Some(exercise) = app
            .exercise
            .as_mut()
            .filter(|exercise| exercise.phase == Phase::Move)
        else {
            return Nav::Stay;
        };
        if let Some(game) = exercise.position()
            && let Some(board) = exercise.board_mut()
        {
            let reply = board.touch(&game, touch, place);
            if touch == Touch::Tap || reply != Reply::Refused {
                carry_out(reply, app);
            }
        }
        Nav::Stay
    }

    pub(super) fn draw(&self, app: &AppState, pen: &mut Pen<'_>) {
        let Some(exercise) = &app.exercise else {
            return;
        };
        let shown = exercise.shown();
        let (Some((game, last)), Some(board)) = (shown, exercise.board()) else {
            let place = pen.header(exercise.game.title());
            if exercise.phase == Phase::Missing {
                pen.page(place, words::BAD_PAGE);
            }
            return pen.footer(words::keys::BACK);
        };
        let record = exercise.exercise();
        let record = record.as_ref();
        let marks = Marks {
            last,
            hint: exercise.hint,
            cursor: exercise.phase == Phase::Move,
            target: record.and_then(|record| record.place()),
            ..Marks::default()
        };
        match (exercise.kind, exercise.phase) {
            (ExerciseKind::Lesson, Phase::Task) => {
                let task = record.map_or("", |record| record.task());
                let marks = Marks {
                    overview: true,
                    ..marks
                };
                draw_text(
                    exercise,
                    "",
                    task,
                    &|place, pen| {
                        board.draw(&game, marks, place, pen);
                    },
                    pen,
                );
                pen.footer(words::keys::TRY);
            }
            (ExerciseKind::Lesson, Phase::Answered { is_right, number }) => {
                let answer = record.and_then(|record| record.answer(number));
                let text = answer.map_or("", |(case, _)| case.text);
                let marks = Marks {
                    overview: true,
                    ..marks
                };
                let word = if is_right {
                    words::RIGHT
                } else {
                    words::NOT_YET
                };
                // A board of its own: the cursor of the move is gone.
                let fresh = AnyBoard::new(&game);
                draw_text(
                    exercise,
                    word,
                    text,
                    &|place, pen| {
                        fresh.draw(&game, marks, place, pen);
                    },
                    pen,
                );
                pen.footer(match is_right {
                    true if exercise.has_next() => words::keys::NEXT,
                    true if self.plays => words::keys::PLAY,
                    true => words::keys::DONE,
                    false => words::keys::AGAIN,
                });
            }
            _ => {
                let fresh = AnyBoard::new(&game);
                let board = if marks.cursor { board } else { &fresh };
                let places = board.places(&game, pen);
                board.draw(&game, marks, places.board, pen);
                board.draw_hand(&game, marks, places.hand, pen);
                draw_caption(exercise, &places, pen);
                let prompt = board
                    .prompt(&game)
                    .filter(|_| exercise.kind == ExerciseKind::Lesson || board.is_touched(&game));
                let words = status(exercise, prompt, pen.look.roomy);
                draw_status(&[&words], &places, pen);
                let verb = board.verb(&game);
                let mut help = Words::new();
                let _ = match exercise.phase {
                    Phase::Move => write!(help, "A {verb}   {}", words::keys::PUZZLE),
                    Phase::Answered { is_right: true, .. } => help.write_str(words::keys::NEXT),
                    _ => help.write_str(words::keys::AGAIN),
                };
                pen.footer(&help);
            }
        }
    }
}

fn press_board(button: Button, app: &mut AppState) -> Nav {
    let Some(exercise) = &mut app.exercise else {
        return Nav::Back;
    };
    if matches!(button, Button::X | Button::Y) {
        let reply = match exercise.answer_key(button) {
            Some(_) => Cue::Won(Belt::White),
            None if button == Button::X && exercise.show_hint() => Cue::Reply,
            None => Cue::Refused,
        };
        app.sound(reply);
        return Nav::Stay;
    }
    let (is_lesson, position) = (exercise.kind == ExerciseKind::Lesson, exercise.position());
    let reply = match (position, exercise.board_mut()) {
        (Some(game), Some(board)) => board.press(&game, button),
        _ => return Nav::Back,
    };
    if reply == Reply::Ignored && button == Button::B {
        if !is_lesson {
            return Nav::Back;
        }
        exercise.phase = Phase::Task;
        return Nav::Stay;
    }
    carry_out(reply, app);
    Nav::Stay
}

fn carry_out(reply: Reply, app: &mut AppState) {
    match reply {
        Reply::Play(mv) => app.answer_exercise(mv),
        Reply::Refused => app.sound(Cue::Refused),
        Reply::Moved | Reply::Ignored => {}
    }
}

/// Opens the next exercise or the one before; wraps around.
fn turn_page(forward: bool, app: &mut AppState) {
    if let Some(exercise) = &app.exercise {
        let all = exercise.count.max(1);
        let step = if forward { 1 } else { all - 1 };
        let (game, kind) = (exercise.game, exercise.kind);
        let number = (exercise.number % all + step) % all;
        app.open_exercise(game, kind, number);
    }
}

/// A header, the board where there is room for it, and a text.
fn draw_text(
    exercise: &ExerciseState,
    word: &str,
    text: &str,
    draw_board: &dyn Fn(embedded_graphics::primitives::Rectangle, &mut Pen<'_>),
    pen: &mut Pen<'_>,
) {
    let mut title = Words::new();
    let _ = match word {
        "" => words::lesson_step(&mut title, exercise.number + 1, exercise.count),
        word => title.write_str(word),
    };
    let place = pen.below_header();
    if !pen.look.roomy {
        pen.header(&title);
        pen.page(place, text);
        let line = area(0, pen.height() - 10, pen.width() - 2, 10);
        let help = if word.is_empty() {
            words::A_TRIES
        } else {
            words::A_GOES_ON
        };
        return pen.text_in(line, Side::Right, pen.look.body, Ink::Paper, help);
    }
    let (width, height) = (place.size.width as i32, place.size.height as i32);
    let lines = 84;
    let top = place.top_left.y;
    // Before the header: a board may draw beyond its place.
    draw_board(area(16, top, width - 32, height - lines), pen);
    pen.fill(area(0, 0, width, top), Ink::Night);
    pen.header(&title);
    pen.page(area(0, top + height - lines, width, lines), text);
}

/// Which exercise it is, who is to move, and how hard it is.
fn draw_caption(exercise: &ExerciseState, places: &Places, pen: &mut Pen<'_>) {
    let [left, right] = places.players;
    let (roomy, is_puzzle) = (pen.look.roomy, exercise.kind == ExerciseKind::Puzzle);
    let (mut title, mut short) = (Words::new(), Words::new());
    let _ = if is_puzzle {
        let number = exercise.number + 1;
        words::puzzle(&mut title, number).and_then(|()| write!(short, "{number}"))
    } else {
        let (number, count) = (exercise.number + 1, exercise.count);
        words::lesson_step(&mut title, number, count)
            .and_then(|()| write!(short, "{number}/{count}"))
    };
    let middle = left.center().y;
    let indent = if roomy { 34 } else { 12 };
    if let Some(player) = exercise.mover() {
        pen.tell(format_args!("You are the {} player", player.name()));
        let at = Point::new(left.top_left.x + indent / 2, middle);
        boards::badge(exercise.game, player, at, pen);
    }
    let line = area(
        left.top_left.x + indent,
        left.top_left.y,
        left.size.width as i32 - indent,
        left.size.height as i32,
    );
    let wordings = [&title[..], &short];
    pen.words_in(line, Side::Left, pen.look.body, Ink::Paper, &wordings);
    let stars = exercise.exercise().map_or(0, |record| record.stars());
    if !is_puzzle || stars == 0 {
        return;
    }
    pen.tell(format_args!("Difficulty {stars} of 5"));
    let (size, step) = if roomy { (8, 13) } else { (5, 7) };
    let middle = right.center().y;
    let mut x = if roomy {
        right.top_left.x + right.size.width as i32 - 5 * step
    } else {
        right.top_left.x + 12
    };
    for number in 0..5 {
        let centre = Point::new(x, middle);
        if number < stars {
            pen.disc(centre, size, Ink::Paper);
        } else {
            pen.ring(centre, size, Ink::Line, 1);
        }
        x += step;
    }
}

/// The task while a move is expected, then the verdict and what A does.
fn status(exercise: &ExerciseState, prompt: Option<Words>, roomy: bool) -> Words {
    let mut words = Words::new();
    let goal = exercise
        .exercise()
        .map_or(Goal::Task, |record| record.goal());
    let _ = match (exercise.phase, prompt) {
        (Phase::Answered { is_right: true, .. }, _) => words::right(&mut words, exercise.stars()),
        (Phase::Answered { .. }, _) if roomy => words.write_str(words::NOT_THAT[0]),
        (Phase::Answered { .. }, _) => words.write_str(words::NOT_THAT[1]),
        (_, Some(prompt)) => words.write_str(&prompt),
        (_, None) if goal == Goal::Task => words.write_str(words::YOUR_MOVE),
        (_, None) => words.write_str(words::goal(goal)),
    };
    words
}

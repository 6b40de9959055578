//! The handheld by touch alone: whole games on both displays, pixel by pixel as a finger does it.

mod common;

use common::Runner;
use dojo_core::games::GameId;
use dojo_core::rng::Rng;
use dojo_handheld::{Button, Event, Frame, Screen, Target};
use embedded_graphics::prelude::Point;
use embedded_graphics::primitives::Rectangle;

fn touchables(runner: &Runner, screen: Screen) -> Vec<(Rectangle, Target)> {
    let (mut all, mut frame) = (vec![], Frame::new(screen));
    runner
        .console
        .touchables(&mut frame, &mut |area, target| all.push((area, target)));
    all
}

/// Taps a pixel. Returns what was there.
fn tap(runner: &mut Runner, screen: Screen, at: Point) -> Option<Target> {
    let found = runner.console.find(at.x, at.y, &mut Frame::new(screen));
    if let Some(target) = found {
        runner.handle(Event::Point(target));
        runner.handle(Event::Tap(target));
    }
    found
}

/// Taps the row of a list with these words, where it is drawn.
fn tap_row(runner: &mut Runner, screen: Screen, words: &str) {
    let mut told = String::new();
    runner
        .console
        .draw_and_tell(&mut Frame::new(screen), &mut told);
    // Rows are the last lines of a list's screen, in order; the chosen one has a mark.
    let rows = touchables(runner, screen)
        .into_iter()
        .filter(|(_, target)| matches!(target, Target::Row(_)))
        .collect::<Vec<_>>();
    let lines: Vec<&str> = told.lines().collect();
    let chosen = lines
        .iter()
        .position(|line| line.starts_with("> "))
        .unwrap() as i32;
    let wanted = lines
        .iter()
        .position(|line| line.trim_start_matches("> ").starts_with(words));
    let Some(wanted) = wanted else {
        panic!("no row `{words}` in {told}")
    };
    let steps = (wanted as i32 - chosen) as i8;
    let (area, _) = rows
        .iter()
        .find(|(_, target)| *target == Target::Row(steps))
        .expect("the row is drawn");
    tap(runner, screen, area.center());
}

/// Starts a game from the title on, by touch.
fn start(id: GameId, screen: Screen) -> Runner {
    let mut runner = Runner::new(7);
    runner.handle(Event::Ready);
    tap(&mut runner, screen, Point::new(60, 30));
    assert_eq!(runner.console.screen_name(), "menu");
    tap_row(&mut runner, screen, "All games");
    // The list may scroll: go on until the game is in sight.
    while !{
        let mut told = String::new();
        runner
            .console
            .draw_and_tell(&mut Frame::new(screen), &mut told);
        told.contains(id.title())
    } {
        runner.press(Button::Down);
    }
    tap_row(&mut runner, screen, id.title());
    assert_eq!(runner.console.screen_name(), "setup");
    tap_row(&mut runner, screen, "Start");
    assert_eq!(runner.console.screen_name(), "board");
    runner
}

#[test]
fn every_game_is_played_to_its_result_by_touch_alone_on_both_displays() {
    for screen in Screen::ALL {
        for id in GameId::ALL {
            let mut runner = start(id, screen);
            let mut rng = Rng::new(5);
            let mut taps = 0;
            while runner.console.screen_name() != "result" {
                assert!(taps < 4000, "{} does not end", id.title());
                let spots = touchables(&runner, screen);
                let item = spots.iter().find(|(_, target)| *target == Target::Item(0));
                // In the scoring phase one mark, and then Done; Go passes after some moves.
                let last = spots
                    .iter()
                    .rfind(|(_, target)| matches!(target, Target::Place(_)));
                let at = match (item, last) {
                    (Some((area, _)), _) => area.center(),
                    (None, Some((area, _))) if id == GameId::Go && taps > 40 => area.center(),
                    _ if spots.is_empty() => Point::new(3, 3),
                    _ => spots[rng.below(spots.len() as u32) as usize].0.center(),
                };
                tap(&mut runner, screen, at);
                runner.wait(1000);
                taps += 1;
            }
            let moves = runner.console.session().unwrap().moves().len();
            assert!(moves > 2, "{}: {moves} moves", id.title());
            tap_row(&mut runner, screen, "Rematch");
            assert_eq!(runner.console.screen_name(), "board");
        }
    }
}

#[test]
fn things_are_found_where_they_are_drawn() {
    for screen in Screen::ALL {
        let size = screen.size();
        for id in GameId::ALL {
            let runner = start(id, screen);
            let spots = touchables(&runner, screen);
            assert!(spots.len() > 3, "{}", id.title());
            for (area, target) in spots {
                let Point { x, y } = area.center();
                if (0..size.width as i32).contains(&x) && (0..size.height as i32).contains(&y) {
                    let found = runner.console.find(x, y, &mut Frame::new(screen));
                    assert_eq!(found, Some(target), "{} at {x},{y}", id.title());
                }
            }
            let outside = runner.console.find(-50, -50, &mut Frame::new(screen));
            assert_eq!(outside, None);
        }
    }
}

#[test]
fn a_finger_shows_the_move_and_lifting_it_plays() {
    let mut runner = start(GameId::Go, Screen::Lcd);
    let spots = touchables(&runner, Screen::Lcd);
    runner.handle(Event::Point(spots[0].1));
    assert!(runner.told().contains("Cursor on A1, empty"));
    assert!(runner.console.session().unwrap().moves().is_empty());
    runner.handle(Event::Point(spots[40].1));
    assert!(runner.told().contains("Cursor on E5, empty"));
    runner.handle(Event::Tap(spots[40].1));
    assert_eq!(runner.console.session().unwrap().moves().len(), 1);
    // The machine's turn: nothing happens.
    runner.handle(Event::Tap(spots[0].1));
    assert!(runner.console.session().unwrap().moves().len() <= 2);
}

#[test]
fn a_touch_wakes_a_dark_display_and_does_no_more() {
    let mut runner = start(GameId::TicTacToe, Screen::Lcd);
    runner.wait(6 * 60_000);
    let spots = touchables(&runner, Screen::Lcd);
    runner.handle(Event::Tap(spots[0].1));
    assert!(runner.console.session().unwrap().moves().is_empty());
    runner.handle(Event::Tap(spots[0].1));
    assert!(!runner.console.session().unwrap().moves().is_empty());
}

#[test]
fn key_help_can_be_touched_and_a_page_without_choices_goes_on_anywhere() {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a down a");
    assert_eq!(runner.console.screen_name(), "games");
    let back = touchables(&runner, Screen::Lcd)
        .into_iter()
        .find(|(_, target)| *target == Target::Button(Button::B));
    tap(&mut runner, Screen::Lcd, back.expect("B back").0.center());
    assert_eq!(runner.console.screen_name(), "menu");
    // The rules turn their pages wherever they are touched.
    runner.keys("a a up a");
    assert_eq!(runner.console.screen_name(), "rules");
    assert!(runner.told().contains("1/"), "{}", runner.told());
    tap(&mut runner, Screen::Oled, Point::new(5, 20));
    assert!(runner.told().contains("2/"));
}

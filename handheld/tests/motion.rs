//! Motion: at rest every screen is the motionless one, the same events give the same pictures, and
//! no movement delays a press.

mod common;

use common::Runner;
use dojo_core::games::thinking;
use dojo_handheld::{Abilities, Button, Command, Console, Event, Frame, Press, Screen};

/// A runner with or without motion, in the menu after the start.
fn ready(motion: bool) -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Abilities(Abilities {
        motion,
        ..Abilities::default()
    }));
    runner.handle(Event::Ready);
    runner
}

fn frame(console: &mut Console, screen: Screen) -> Frame {
    let mut frame = Frame::new(screen);
    console.draw(&mut frame);
    frame
}

fn differ(a: &mut Console, b: &mut Console) -> bool {
    Screen::ALL
        .into_iter()
        .any(|screen| frame(a, screen).bytes() != frame(b, screen).bytes())
}

/// Tells the time as a runner does, until nothing moves and this much has passed.
fn steps(runner: &mut Runner, millis: u32, mut look: impl FnMut(&mut Runner)) {
    let end = runner.now + millis;
    while runner.now < end {
        runner.now += runner.console.step();
        runner.handle(Event::Tick(runner.now));
        look(runner);
    }
}

/// Keys that cross every kind of screen, and games that are played to their end.
const WAYS: [&str; 5] = [
    "a a left left a a up a x a a a a a a a a a a a a b b down a b b b",
    "a down a down a a a left a down a right a up a left a a b b",
    "a down a down down a a a right a right a a a a a a a",
    "a down a down down down a a left a down a up a a right a a a a",
    "a down a down down down down a a E5 D4 C3 y left a b b b",
];

#[test]
fn at_rest_every_screen_is_the_motionless_one() {
    for way in WAYS {
        let (mut moving, mut still) = (ready(true), ready(false));
        let mut moved = 0;
        for key in way.split(' ') {
            for runner in [&mut moving, &mut still] {
                runner.keys(key);
            }
            moved += u32::from(differ(&mut moving.console, &mut still.console));
            steps(&mut moving, 3000, |_| {});
            steps(&mut still, 3000, |_| {});
            assert_eq!(
                moving.console.screen_name(),
                still.console.screen_name(),
                "{way}: {key}"
            );
            assert!(
                !differ(&mut moving.console, &mut still.console),
                "{way}: {key}"
            );
            assert_eq!(moving.console.step(), 50);
        }
        assert!(moved > 2, "{way}: something moves");
    }
}

#[test]
fn the_same_events_give_the_same_pictures_however_often_they_are_drawn() {
    let mut watched = ready(true);
    let mut other = ready(true);
    for key in WAYS[0].split(' ') {
        watched.keys(key);
        other.keys(key);
        let mut frames = 0;
        steps(&mut watched, 700, |runner| {
            let _ = frame(&mut runner.console, Screen::Lcd);
            frames += 1;
        });
        assert!(frames >= 14);
        steps(&mut other, 700, |_| {});
        assert_eq!(watched.now, other.now);
        assert!(!differ(&mut watched.console, &mut other.console), "{key}");
    }
}

#[test]
fn a_screen_slides_in_and_is_drawn_only_while_it_does() {
    let mut runner = ready(true);
    runner.keys("a");
    steps(&mut runner, 500, |_| {});
    assert!(
        !runner.console.needs_draw() || frame(&mut runner.console, Screen::Lcd).bytes()[0] < 255
    );
    let before = frame(&mut runner.console, Screen::Lcd);
    runner.press(Button::A);
    let first = frame(&mut runner.console, Screen::Lcd);
    assert!(first.bytes() != before.bytes(), "the press is seen at once");
    let mut pictures = vec![first];
    steps(&mut runner, 400, |runner| {
        if runner.console.needs_draw() {
            pictures.push(frame(&mut runner.console, Screen::Lcd));
        }
    });
    assert!((4..=6).contains(&pictures.len()), "{}", pictures.len());
    assert!(
        pictures
            .windows(2)
            .all(|pair| pair[0].bytes() != pair[1].bytes()),
        "every picture differs from the last"
    );
    assert_eq!(runner.console.step(), 50, "at rest");
}

#[test]
fn a_press_finishes_what_moves() {
    let (mut quick, mut still) = (ready(true), ready(false));
    for key in ["a", "down", "a", "down", "a", "b", "b"] {
        quick.keys(key);
        still.keys(key);
    }
    assert_eq!(quick.console.screen_name(), still.console.screen_name());
    steps(&mut quick, 200, |_| {});
    assert!(!differ(&mut quick.console, &mut still.console));
}

/// Takes all sticks until the game ends.
fn ended(motion: bool) -> Runner {
    let mut runner = ready(motion);
    runner.keys("a a");
    for _ in 0..40 {
        if runner.console.session().unwrap().outcome().is_some() {
            return runner;
        }
        runner.keys("a");
        for _ in 0..20 {
            if runner.console.session().unwrap().outcome().is_none() {
                steps(&mut runner, 50, |_| {});
            }
        }
    }
    panic!("the game ends");
}

#[test]
fn the_last_move_stays_before_the_result_and_a_is_not_taken_at_once() {
    let mut runner = ended(true);
    assert_eq!(runner.console.screen_name(), "board");
    steps(&mut runner, 800, |_| {});
    assert_eq!(runner.console.screen_name(), "board");
    steps(&mut runner, 150, |_| {});
    assert_eq!(runner.console.screen_name(), "result");
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "result", "too soon");
    steps(&mut runner, 600, |_| {});
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "board", "a rematch");

    // Who does not want to wait presses anything: the result comes at once, and nothing else.
    let mut runner = ended(true);
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "result");
    runner.keys("a a a");
    assert_eq!(runner.console.screen_name(), "result");
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "menu", "B is always back");

    let mut runner = ended(false);
    assert_eq!(runner.console.screen_name(), "result", "without motion");
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "board");
}

#[test]
fn the_machines_cursor_goes_to_its_move_and_the_persons_comes_back() {
    let mut runner = ready(true);
    // Tic-tac-toe: the person takes a corner, and leaves the cursor there.
    runner.keys("a down a down a a");
    steps(&mut runner, 2000, |_| {});
    runner.keys("left up");
    let cursor = |runner: &mut Runner| {
        let told = runner.told();
        told.lines()
            .find_map(|line| line.strip_prefix("Cursor on ").map(String::from))
    };
    let own = cursor(&mut runner).expect("the person is to move");
    runner.keys("a");
    let plies = |runner: &Runner| runner.console.session().unwrap().moves().len();
    let before = plies(&runner);
    let mut seen = vec![];
    steps(&mut runner, 1000, |runner| {
        if plies(runner) == before {
            seen.extend(cursor(runner));
        }
    });
    assert_eq!(plies(&runner), before + 1);
    assert!(
        seen.len() > 4 && seen.iter().all(|at| *at != own),
        "{seen:?}"
    );
    assert_eq!(cursor(&mut runner), Some(own));
    // A game that is left on the way has the person's cursor, too.
    runner.keys("y");
    steps(&mut runner, 300, |_| {});
}

/// After a long search the cursor goes to the move as well.
#[test]
fn a_late_answer_is_seen_on_its_way_too() {
    let mut runner = ready(true);
    runner.thinks = false;
    runner.keys("a a a");
    steps(&mut runner, 4000, |_| {});
    let id = (1..9).find(|&id| runner.console.question(id).is_some());
    let id = id.expect("the machine is asked");
    let question = runner.console.question(id).expect("it is");
    let answer = thinking::answer(&question, None);
    runner.handle(Event::Answer { id, answer });
    let plies = |runner: &Runner| runner.console.session().unwrap().moves().len();
    let mut pictures = 0;
    steps(&mut runner, 1000, |runner| {
        pictures += u32::from(plies(runner) == 1 && runner.console.needs_draw());
        let _ = frame(&mut runner.console, Screen::Lcd);
    });
    assert_eq!(plies(&runner), 2);
    assert!((6..=8).contains(&pictures), "{pictures}");
}

#[test]
fn x_and_y_together_switch_the_sound_on_every_screen() {
    let mut runner = ready(false);
    for keys in ["", "a", "down a", "b a"] {
        runner.keys(keys);
        for on in [false, true] {
            let plies = runner
                .console
                .session()
                .map(|session| session.moves().len());
            runner.handle(Event::Press(Press::Down(Button::X)));
            runner.handle(Event::Press(Press::Down(Button::Y)));
            runner.handle(Event::Press(Press::Up(Button::X)));
            assert_eq!(runner.console.settings().sound, on);
            let hints = runner.console.session().map(|session| session.hints);
            assert!(matches!(hints, None | Some(0)), "no hint");
            assert_eq!(
                runner
                    .console
                    .session()
                    .map(|session| session.moves().len()),
                plies
            );
            let sound = frame(&mut runner.console, Screen::Oled);
            assert!(
                runner
                    .told()
                    .contains(if on { "Sound on" } else { "Sound off" })
            );
            runner.wait(2000);
            assert!(sound.bytes() != frame(&mut runner.console, Screen::Oled).bytes());
            assert!(!runner.told().contains("Sound o"), "the notice goes");
        }
        assert!(
            runner
                .commands
                .iter()
                .any(|command| matches!(command, Command::Play { .. }))
        );
    }
}

/// A runner may stop sending a picture when a press makes it stale; the next one is whole again.
#[test]
fn a_picture_that_is_cut_short_leaves_nothing_behind() {
    for screen in Screen::ALL {
        let mut runner = ready(true);
        let mut frame = Frame::new(screen);
        let mut shown = vec![vec![]; screen.bands()];
        let keys = ["a", "down", "a", "b", "up", "down", "down", "a", "a", "b"];
        for number in 0..400 {
            runner.keys(keys[number * 7 % 10]);
            if number % 3 == 0 {
                runner.now += runner.console.step();
                runner.handle(Event::Tick(runner.now));
            }
            runner.console.draw(&mut frame);
            // Every other picture is cut somewhere.
            let most = if number % 2 == 0 {
                number * 13 % screen.bands()
            } else {
                usize::MAX
            };
            let (mut from, mut sent) = (0, 0);
            while let Some(band) = frame.next_change(from) {
                if sent == most {
                    frame.unsend(band);
                    break;
                }
                shown[band] = frame.band(band).to_vec();
                (from, sent) = (band + 1, sent + 1);
            }
            if most == usize::MAX {
                assert!(shown.concat() == frame.bytes(), "{screen:?} {number}");
            }
        }
    }
}

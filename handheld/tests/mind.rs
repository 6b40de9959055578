//! The mind view while X is held, and the progress of a search.

mod common;

use common::Runner;
use dojo_core::players::belts::Thought;
use dojo_handheld::{Button, Command, Console, Event, Press};

/// A game of sticks in which the person is to move.
fn game() -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a a wait");
    assert_eq!(runner.console.screen_name(), "board");
    runner
}

fn x(runner: &mut Runner, press: fn(Button) -> Press) {
    runner.handle(Event::Press(press(Button::X)));
}

fn hints(runner: &Runner) -> u16 {
    runner.console.session().unwrap().hints
}

#[test]
fn a_short_press_of_x_is_a_hint_and_a_long_one_shows_the_mind() {
    let mut runner = game();
    let board = runner.told();
    x(&mut runner, Press::Down);
    assert!(
        runner.told().contains("Hold X"),
        "something is seen at once"
    );
    runner.wait(200);
    assert!(!runner.told().contains("wins"), "not yet");
    x(&mut runner, Press::Up);
    assert_eq!(hints(&runner), 1);
    assert!(runner.told().contains("Take "), "{}", runner.told());

    let mut runner = game();
    x(&mut runner, Press::Down);
    runner.wait(300);
    assert!(runner.told().contains("wins"), "{}", runner.told());
    runner.wait(5000);
    assert!(runner.told().contains("wins"));
    x(&mut runner, Press::Up);
    assert_eq!(hints(&runner), 0);
    assert_eq!(runner.told(), board, "all is as it was");
}

#[test]
fn another_screen_ends_the_look() {
    let mut runner = game();
    x(&mut runner, Press::Down);
    runner.wait(300);
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "pause");
    x(&mut runner, Press::Up);
    runner.keys("b");
    assert!(!runner.told().contains("wins"));
    assert_eq!(hints(&runner), 0);
}

fn asked(console: &mut Console) -> Option<u32> {
    std::iter::from_fn(|| console.next_command()).find_map(|command| match command {
        Command::Think { id, .. } => Some(id),
        _ => None,
    })
}

const HALF: [Thought; 1] = [Thought {
    index: 0,
    value: 480,
    visits: 255,
}];

#[test]
fn progress_is_seen_and_with_x_held_the_values_so_far() {
    let mut runner = Runner::new(1);
    runner.thinks = false;
    runner.handle(Event::Ready);
    let console = &mut runner.console;
    // The menu, the game, a move: then it is the machine's turn.
    for button in [Button::A, Button::A, Button::A] {
        console.handle(Event::Press(Press::Down(button)));
    }
    let id = asked(console).expect("a question");
    let told = |console: &mut Console| {
        let mut words = String::new();
        let mut frame = dojo_handheld::Frame::new(dojo_handheld::Screen::Lcd);
        console.draw_and_tell(&mut frame, &mut words);
        words
    };
    let progress = |id, share| Event::Progress {
        id,
        share,
        thoughts: &HALF,
    };
    assert!(told(console).contains("thinking: 0 %"), "{}", told(console));
    console.handle(progress(id, 300));
    assert!(console.needs_draw());
    assert!(told(console).contains("thinking: 30 %"));
    assert!(!told(console).contains("wins 48 %"), "nobody looks");
    console.handle(progress(id, 310));
    assert!(!console.needs_draw(), "the stroke has not grown by a step");
    console.handle(progress(id + 1, 900));
    console.handle(progress(id, 200));
    assert!(
        told(console).contains("thinking: 31 %"),
        "it never goes back"
    );
    console.handle(Event::Press(Press::Down(Button::X)));
    console.handle(Event::Tick(400));
    assert!(told(console).contains("wins 48 %"), "{}", told(console));
    console.handle(progress(id, 315));
    assert!(console.needs_draw(), "the circles have changed");
    console.handle(Event::Press(Press::Up(Button::X)));
    assert!(!told(console).contains("wins 48 %"));
    console.handle(progress(id, u16::MAX));
    assert!(told(console).contains("thinking: 100 %"));
}

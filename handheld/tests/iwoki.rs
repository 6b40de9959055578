//! Iwoki as players meet it: a whole game with the buttons, secrets that stay secret, drawing taken
//! back.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::{AnyGame, GameId, Iwoki};
use dojo_core::rng::Rng;
use dojo_handheld::{Button, Event, Frame, Screen, Slot};

/// The set-up of iwoki, with some buttons pressed in it; the last ones start the game.
fn set_up(keys: &str) -> Runner {
    let mut runner = Runner::new(4);
    runner.handle(Event::Ready);
    runner.keys("a down a down down down a");
    runner.keys(keys);
    runner
}

fn game(runner: &Runner) -> Iwoki {
    match runner.console.session().unwrap().game() {
        AnyGame::Iwoki(game) => *game,
        _ => panic!("not iwoki"),
    }
}

fn words(runner: &mut Runner, screen: Screen) -> String {
    let mut words = String::new();
    runner
        .console
        .draw_and_tell(&mut Frame::new(screen), &mut words);
    words
}

const TWO_PEOPLE: &str = "down down left left up up a";

#[test]
fn a_game_is_played_to_the_end_with_the_buttons() {
    let mut rng = Rng::new(11);
    let mut runner = set_up("a");
    let mut frames = Screen::ALL.map(Frame::new);
    let directions = [Button::Up, Button::Down, Button::Left, Button::Right];
    for _ in 0..5000 {
        if runner.console.screen_name() == "result" {
            break;
        }
        // Wandering about with the d-pad; A as often as it takes to get on, B now and then.
        let button = match rng.below(10) {
            0..6 => directions[rng.below(4) as usize],
            6..9 => Button::A,
            _ => Button::B,
        };
        runner.press(button);
        runner.wait(500);
        frames
            .iter_mut()
            .for_each(|frame| runner.console.draw(frame));
        if runner.console.screen_name() == "pause" {
            runner.keys("b");
        }
    }
    assert_eq!(runner.console.screen_name(), "result");
    assert_eq!(runner.console.session().unwrap().undos, 0);
    let tally = runner
        .console
        .statistics()
        .tally(GameId::Iwoki, Belt::Yellow);
    assert_eq!(tally.won + tally.drawn + tally.lost, 1);
    let [you, yellow] = Player::BOTH.map(|player| *game(&runner).hand(player));
    runner.keys("down down a");
    assert_eq!(runner.console.screen_name(), "count");
    for screen in Screen::ALL {
        let told = words(&mut runner, screen);
        assert!(
            told.contains(&format!("Points\n{}\n{}\n", you.points(), yellow.points())),
            "{told}"
        );
        assert!(
            told.contains(&format!(
                "Count\n{}\n{}\n",
                you.final_count(),
                yellow.final_count()
            )),
            "{told}"
        );
    }
    // Further down there are other lines; the total can come up to the top, no further.
    runner.keys("down");
    assert!(!words(&mut runner, Screen::Oled).contains("Points\n"));
    runner.keys(&"down ".repeat(30));
    assert!(words(&mut runner, Screen::Oled).contains("Count\n"));
    runner.keys(&"up ".repeat(30));
    assert!(words(&mut runner, Screen::Oled).contains("Points\n"));
    assert_eq!(runner.console.screen_name(), "count");
}

#[test]
fn b_steps_back_through_the_stages_and_then_pauses() {
    let mut runner = set_up("a a a");
    assert!(
        game(&runner).is_opening(),
        "a small tile can open with either face"
    );
    let stage = |runner: &mut Runner| words(runner, Screen::Oled);
    assert!(stage(&mut runner).contains("A: lay it"));
    runner.keys("b");
    assert!(stage(&mut runner).contains("A: turn it"));
    runner.keys("b");
    assert!(stage(&mut runner).contains("1 place"));
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "pause");
    runner.keys("b a hold");
    assert_eq!(
        runner.console.screen_name(),
        "pause",
        "held, it does so from any stage"
    );
}

#[test]
fn a_tile_taken_back_into_the_bag_comes_out_again() {
    let mut runner = set_up("a a a a wait");
    let draw = |runner: &mut Runner| {
        for _ in 0..20 {
            if words(runner, Screen::Oled).contains("Cursor on draw\n") {
                return runner.keys("a");
            }
            runner.keys("left");
        }
        panic!("drawing is not among the things to choose from");
    };
    draw(&mut runner);
    let drawn = game(&runner);
    assert!(drawn.has_drawn());
    runner.keys("y");
    assert!(!game(&runner).has_drawn());
    draw(&mut runner);
    assert_eq!(game(&runner), drawn);
}

#[test]
fn the_opponents_small_tiles_are_secret_in_the_normal_form_only() {
    let mut normal = set_up("a a a a wait down");
    let mut open = set_up("up up right down down a a a a wait down");
    for screen in Screen::ALL {
        let secret = words(&mut normal, screen);
        let smalls = |told: &str, name: &str| {
            let lines = told
                .lines()
                .filter_map(|line| line.strip_prefix(name)?.strip_prefix(" holds "));
            lines.filter(|tile| tile.len() == 3).count()
        };
        assert_eq!(
            (smalls(&secret, "First"), smalls(&secret, "Second")),
            (8, 0),
            "{secret}"
        );
        assert!(
            secret.contains("Second: ") && secret.contains("small tiles\nSecond holds *"),
            "{secret}"
        );
        let told = words(&mut open, screen);
        assert!(
            smalls(&told, "First") > 0 && smalls(&told, "Second") > 0,
            "{told}"
        );
    }
    // The pictures as well show backs or numbers.
    for screen in Screen::ALL {
        assert!(normal.picture(screen).bytes() != open.picture(screen).bytes());
    }
}

#[test]
fn between_two_people_the_device_is_passed_on_before_tiles_are_shown() {
    let mut runner = set_up(TWO_PEOPLE);
    for turn in 0..6 {
        assert_eq!(runner.console.screen_name(), "handover", "turn {turn}");
        for screen in Screen::ALL {
            let told = words(&mut runner, screen);
            assert!(!told.contains("holds"), "{told}");
            assert!(
                told.contains(["For Player 1", "For Player 2"][turn % 2]),
                "{told}"
            );
        }
        let before = game(&runner);
        runner.keys("left right up x");
        assert_eq!(
            runner.console.screen_name(),
            "handover",
            "only A takes the device"
        );
        runner.keys("a");
        assert_eq!(
            (runner.console.screen_name(), game(&runner)),
            ("board", before)
        );
        while runner.console.screen_name() == "board" {
            runner.keys("a");
        }
    }
    // Saved and resumed, nobody has the device.
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "board");
    let mut again = Runner::new(6);
    for slot in [Slot::Settings, Slot::Game(GameId::Iwoki)] {
        again.handle(Event::Restore(slot, &runner.kept(slot)));
    }
    again.handle(Event::Ready);
    assert_eq!(again.console.screen_name(), "handover");
    // The one who has moved can take it back; then the device is still in the same hands.
    runner.keys("a");
    while runner.console.screen_name() == "board" {
        runner.keys("a");
    }
    let plies = runner.console.session().unwrap().moves().len();
    runner.keys("y");
    assert_eq!(
        (
            runner.console.screen_name(),
            runner.console.session().unwrap().moves().len()
        ),
        ("board", plies - 1)
    );
}

#[test]
fn in_the_open_form_nothing_is_passed_on() {
    let runner = set_up(&format!("up up right down down {TWO_PEOPLE}"));
    assert_eq!(runner.console.screen_name(), "board");
}

#[test]
fn a_hint_is_told_until_the_player_does_something_else() {
    let mut runner = set_up("a x wait");
    for screen in Screen::ALL {
        let told = words(&mut runner, screen);
        assert!(told.contains("\nLay "), "{told}");
    }
    runner.keys("right");
    for screen in Screen::ALL {
        let told = words(&mut runner, screen);
        assert!(!told.contains("\nLay "), "{told}");
    }
}

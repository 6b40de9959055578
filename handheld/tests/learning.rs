//! Watching a pupil learn, playing it, keeping it; and the mind of the machine: as a player meets
//! them.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use dojo_core::players::belts::{Answer, Decision, Source, Thought};
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{
    Button, Command, Console, Event, Frame, Order, Press, Purpose, Screen, Seat, Slot,
};

fn ready(seed: u64) -> Runner {
    let mut runner = Runner::new(seed);
    runner.handle(Event::Ready);
    runner
}

/// What the screen says, in words.
fn hear(runner: &mut Runner) -> String {
    let mut words = String::new();
    runner
        .console
        .draw_and_tell(&mut Frame::new(Screen::Oled), &mut words);
    words
}

/// From the title to a lesson.
const STICKS: &str = "a down down a a";
const DOTS: &str = "a down down a down a";

#[test]
fn a_pupil_learns_stops_goes_on_and_is_done() {
    let mut runner = ready(1);
    runner.keys(STICKS);
    assert_eq!(runner.console.screen_name(), "lesson");
    runner.keys("wait a");
    let stopped = hear(&mut runner);
    assert!(
        stopped.contains("8000 games\n") && stopped.contains("> Go on\n"),
        "{stopped}"
    );
    runner.keys("wait wait");
    assert!(hear(&mut runner).contains("8000 games\n"), "it waits");
    runner.keys("a wait wait wait wait");
    let done = hear(&mut runner);
    assert!(
        done.contains("30000 games\n") && done.contains("> Play it\n") && !done.contains("Go on"),
        "{done}"
    );
}

#[test]
fn a_pupil_is_played_and_is_there_after_a_restart() {
    let mut runner = ready(1);
    runner.keys(STICKS);
    runner.keys("wait a down a");
    assert_eq!(runner.console.screen_name(), "board");
    assert_eq!(
        runner.console.session().unwrap().setup().seats,
        [Seat::Person, Seat::Pupil]
    );
    runner.keys("a wait");
    assert_eq!(
        runner.console.session().unwrap().moves().len(),
        2,
        "it replies"
    );

    let mut again = Runner::new(2);
    again.trainer = Trainer::new(runner.trainer.region());
    for slot in Slot::ALL {
        let bytes = runner.kept(slot);
        again.handle(Event::Restore(slot, &bytes));
    }
    let brains = again.trainer.brains();
    again.handle(Event::Brains(brains));
    again.handle(Event::Ready);
    assert_eq!(
        again.console.session(),
        runner.console.session(),
        "the game goes on"
    );
    again.keys("a wait");
    assert_eq!(
        again.console.session().unwrap().moves().len(),
        4,
        "against the same pupil"
    );
}

#[test]
fn what_is_kept_can_be_chosen_and_what_is_discarded_cannot() {
    let mut runner = ready(1);
    runner.keys(DOTS);
    runner.keys("wait a down down a");
    let kept = hear(&mut runner);
    assert!(
        kept.contains("Leave\n") && !kept.contains("Keep\n"),
        "{kept}"
    );
    assert_eq!(runner.trainer.brains().last, Some(GameId::Dots));
    // Keep another, then take it back: the first one counts again.
    let first = runner.trainer.brains();
    runner.keys("up up a wait a down down a");
    assert_ne!(runner.trainer.brains(), first);
    runner.keys("b down a");
    assert_eq!(runner.trainer.brains(), first);

    // In the set-up of dots the pupil, the apprentice and two ancestors come before the person.
    runner.keys("b up a down down a down left left left left");
    let setup = hear(&mut runner);
    assert!(setup.contains("> Player 1 is: Your pupil\n"), "{setup}");
    runner.keys("up a");
    assert_eq!(runner.console.session().unwrap().mover(), Seat::Pupil);
    // Without its brain a belt takes its seat in the next game.
    runner.keys("b up a down down down a up a");
    assert_eq!(runner.trainer.brains().last, None);
    runner.keys("b up up a");
    assert_eq!(
        runner.console.session().unwrap().setup().seats[0],
        Seat::Machine(Belt::Yellow)
    );
}

#[test]
fn leaving_a_lesson_ends_it() {
    let mut runner = ready(1);
    runner.keys(STICKS);
    runner.commands.clear();
    runner.keys("wait b b");
    assert!(runner.commands.contains(&Command::Learn(Order::Stop)));
    // What it has learned is not thrown away without a question.
    for answer in ["a", "b"] {
        assert_eq!(runner.console.screen_name(), "confirm");
        runner.keys(answer);
        assert_eq!(runner.console.screen_name(), "lesson");
        assert!(
            hear(&mut runner).contains("8000 games\n"),
            "it is still there"
        );
        runner.keys("b");
    }
    assert!(!runner.commands.contains(&Command::Learn(Order::End)));
    runner.keys("down a");
    assert_eq!(runner.console.screen_name(), "learn");
    assert!(runner.commands.contains(&Command::Learn(Order::End)));
    // Figures that come too late change nothing.
    let before = hear(&mut runner);
    runner.handle(Event::Learned {
        id: 1,
        figures: Default::default(),
        done: true,
    });
    assert_eq!(hear(&mut runner), before);
}

#[test]
fn its_speed_can_be_changed_while_it_learns() {
    let mut runner = ready(1);
    runner.keys(STICKS);
    // Each step slower is a tenth, and the slowest is a game with every tick.
    let games = |runner: &mut Runner| {
        let before = learned(runner);
        runner.keys("wait");
        learned(runner) - before
    };
    assert_eq!(games(&mut runner), 8000);
    for expected in [2000, 200, 20, 20] {
        runner.keys("left");
        assert_eq!(games(&mut runner), expected);
        let told = hear(&mut runner);
        assert!(
            told.contains(&format!("{expected} a second\n")) || expected == 2000,
            "{told}"
        );
    }
    runner.keys("right right right right");
    assert_eq!(games(&mut runner), 8000);
}

/// The games of the pupil so far.
fn learned(runner: &mut Runner) -> u32 {
    let told = hear(runner);
    let number = told.lines().find_map(|line| line.strip_suffix(" games"));
    number
        .and_then(|number| number.parse().ok())
        .expect("a number")
}

#[test]
fn it_shows_its_play_and_meets_the_belts() {
    for (way, belts) in [(STICKS, 5), (DOTS, 2)] {
        let mut runner = Runner::new(1);
        runner.bank = include_bytes!("../../models/dojo.bank");
        runner.handle(Event::Ready);
        runner.keys(way);
        let mut met = std::collections::BTreeSet::new();
        let mut pictures = std::collections::BTreeSet::new();
        for _ in 0..80 {
            runner.wait(50);
            pictures.insert(runner.picture(Screen::Lcd).bytes().to_vec());
            let told = hear(&mut runner);
            let beats = told
                .lines()
                .filter_map(|line| line.strip_prefix("It beats the "));
            met.extend(beats.filter_map(|line| line.split(' ').next().map(String::from)));
        }
        assert!(met.len() >= belts, "{met:?}");
        assert!(pictures.len() > 60, "something moves: {}", pictures.len());
    }
}

#[test]
fn buttons_do_nothing_while_a_brain_is_being_written() {
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    let keys = |console: &mut Console, names: &str| {
        for name in names.split(' ') {
            console.handle(Event::Press(Press::Down(Button::from_name(name).unwrap())));
        }
        std::iter::from_fn(|| console.next_command())
            .filter(|command| matches!(command, Command::Learn(_)))
            .count()
    };
    assert_eq!(keys(&mut console, STICKS), 1);
    assert_eq!(keys(&mut console, "a down down a"), 2, "stop and keep");
    assert_eq!(keys(&mut console, "a b x y up down a b"), 0);
    assert_eq!(console.screen_name(), "lesson");
    // Nothing could be kept: it says so by offering it again.
    console.handle(Event::Brains(Default::default()));
    assert_eq!(keys(&mut console, "a"), 1);
}

/// The last question of a console.
fn question(console: &mut Console) -> Option<(u32, Purpose)> {
    let commands: Vec<Command> = std::iter::from_fn(|| console.next_command()).collect();
    commands.iter().rev().find_map(|command| match command {
        Command::Think { id, purpose, .. } => Some((*id, *purpose)),
        _ => None,
    })
}

#[test]
fn a_mind_is_asked_once_for_each_position_and_late_thoughts_are_ignored() {
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    let press = |console: &mut Console, names: &str| {
        for name in names.split(' ') {
            let press = Press::Down(Button::from_name(name).unwrap());
            let both = [Some(press), press.end()];
            both.into_iter()
                .flatten()
                .for_each(|press| console.handle(Event::Press(press)));
        }
    };
    press(&mut console, "a a b up up a");
    let Some((first, Purpose::Mind)) = question(&mut console) else {
        panic!("the person's own moves are looked at")
    };
    console.handle(Event::Tick(100));
    assert_eq!(question(&mut console), None, "once");
    let hear = |console: &mut Console| {
        let mut words = String::new();
        console.draw_and_tell(&mut Frame::new(Screen::Lcd), &mut words);
        words
    };
    let thoughts = [
        Thought {
            index: 14,
            value: 250,
            visits: 0,
        },
        Thought {
            index: 15,
            value: 100,
            visits: 0,
        },
    ];
    console.handle(Event::Mind {
        id: first,
        thoughts: &thoughts,
        done: true,
    });
    let words = hear(&mut console);
    assert!(
        words.contains("3:1 wins 25 %\n") && words.contains("expects 75%"),
        "{words}"
    );
    // A hint comes in between; then the same position needs no second look.
    press(&mut console, "x");
    let Some((hint, Purpose::Move)) = question(&mut console) else {
        panic!("a hint")
    };
    console.handle(Event::Answer {
        id: hint,
        answer: Some(Answer {
            decision: Decision::Play(14),
            source: Source::Rules,
            grounds: Default::default(),
        }),
    });
    assert_eq!(question(&mut console), None);
    press(&mut console, "a");
    let Some((second, Purpose::Both)) = question(&mut console) else {
        panic!("the machine thinks aloud")
    };
    console.handle(Event::Mind {
        id: first,
        thoughts: &thoughts,
        done: true,
    });
    assert!(
        !hear(&mut console).contains("wins"),
        "that was about another position"
    );
    console.handle(Event::Mind {
        id: second,
        thoughts: &thoughts[..1],
        done: false,
    });
    assert!(
        hear(&mut console).contains("expects 25%"),
        "its own chances, while it still thinks"
    );
    // The pause menu stops it, and it is asked anew.
    press(&mut console, "b a");
    assert!(matches!(question(&mut console), Some((third, Purpose::Both)) if third > second));
}

//! Earned belts: by whom, for what, with which ceremony, and that nothing takes them away.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::{AnyRules, GameId, SticksRules};
use dojo_handheld::{Command, Event, Seat, Session, Setup, Slot};

const STICKS: Slot = Slot::Game(GameId::Sticks);

fn ready() -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a");
    runner
}

fn against(belt: Belt) -> Setup {
    Setup {
        seats: [Seat::Person, Seat::Machine(belt)],
        ..Setup::new(GameId::Sticks)
    }
}

fn take_up(runner: &mut Runner, setup: Setup, moves: &[u16]) {
    take_up_with(runner, setup, moves, |_| {});
}

/// A game of 15 sticks is taken up after these moves.
fn take_up_with(runner: &mut Runner, setup: Setup, moves: &[u16], change: impl Fn(&mut Session)) {
    let mut session = Session::new(setup, Player::First);
    for &mv in moves {
        session.play(mv).unwrap();
    }
    change(&mut session);
    let mut buffer = [0; dojo_handheld::MAX_BYTES];
    let bytes = session.kept(&mut buffer).unwrap().to_vec();
    runner.store(STICKS, bytes);
    runner.handle(Event::Ready);
}

/// The person has left the last stick to the machine.
fn win(runner: &mut Runner, belt: Belt) {
    take_up(runner, against(belt), &[20, 11, 1]);
    runner.keys("wait");
    assert_eq!(runner.console.screen_name(), "result");
}

/// The person has to take the last stick.
fn lose(runner: &mut Runner, belt: Belt) {
    take_up(runner, against(belt), &[20, 11, 0, 0]);
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "result");
}

fn has(runner: &Runner, belt: Belt) -> bool {
    let statistics = runner.console.statistics();
    statistics
        .challenge(GameId::Sticks, belt)
        .earned()
        .is_some()
}

#[test]
fn two_wins_of_three_tie_a_belt_with_a_ceremony_and_losing_keeps_it() {
    let mut runner = ready();
    win(&mut runner, Belt::Yellow);
    assert!(
        runner.told().contains("1 win to the Yellow belt"),
        "{}",
        runner.told()
    );
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "menu", "no ceremony yet");
    lose(&mut runner, Belt::Yellow);
    assert!(!has(&runner, Belt::Yellow));
    win(&mut runner, Belt::Yellow);
    assert!(has(&runner, Belt::Yellow));
    assert!(runner.commands.contains(&Command::Save(Slot::Statistics)));
    // The first press leads to the ceremony, the next one back to the result.
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "ceremony");
    assert!(runner.told().contains("Yellow belt!"), "{}", runner.told());
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "result");
    runner.keys("b");
    for _ in 0..4 {
        lose(&mut runner, Belt::Yellow);
    }
    assert!(has(&runner, Belt::Yellow));
    assert!(!has(&runner, Belt::White), "each belt is earned by itself");
    // A restart finds it.
    let mut again = Runner::new(2);
    again.store(Slot::Statistics, runner.kept(Slot::Statistics));
    assert!(has(&again, Belt::Yellow));
}

#[test]
fn help_and_changes_on_the_way_earn_nothing() {
    let attempts: [fn(&mut Runner); 5] = [
        |runner| take_up_with(runner, against(Belt::White), &[20, 11, 1], |_| {}),
        |runner| {
            take_up_with(runner, against(Belt::White), &[20, 11, 1], |session| {
                session.hints = 1;
            });
        },
        |runner| {
            take_up_with(runner, against(Belt::White), &[20, 11, 1], |session| {
                session.undos = 1;
            });
        },
        // Another opponent, from the pause menu.
        |runner| {
            take_up(runner, against(Belt::Yellow), &[20, 11, 1]);
            runner.keys("hold");
            while !runner.told().contains("> Belt") {
                runner.keys("down");
            }
            runner.keys("left b");
            let session = runner.console.session().unwrap();
            assert_eq!(session.setup().seats[1], Seat::Machine(Belt::White));
        },
        // Rules under which nothing was measured.
        |runner| {
            let rules = SticksRules::new([1, 1, 2], true).unwrap();
            let setup = Setup {
                rules: AnyRules::Sticks(rules),
                ..against(Belt::White)
            };
            take_up(runner, setup, &[0, 7, 14]);
        },
    ];
    for (number, attempt) in attempts.into_iter().enumerate() {
        let mut runner = ready();
        for _ in 0..2 {
            attempt(&mut runner);
            runner.wait(1000);
            assert_eq!(runner.console.screen_name(), "result", "attempt {number}");
        }
        let tally = runner
            .console
            .statistics()
            .tally(GameId::Sticks, Belt::White);
        assert_eq!(tally.won, 2, "attempt {number}");
        // Only the first one is as it should be.
        assert_eq!(has(&runner, Belt::White), number == 0, "attempt {number}");
    }
}

#[test]
fn the_wall_shows_what_is_earned_and_a_question_resets_it() {
    let mut runner = ready();
    win(&mut runner, Belt::White);
    runner.keys("b");
    win(&mut runner, Belt::White);
    runner.keys("a a b");
    win(&mut runner, Belt::Yellow);
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "menu");
    while !runner.told().contains("> Results") {
        runner.keys("down");
    }
    runner.keys("a");
    assert!(
        runner.told().contains("> 15 sticks: 1 of 5 belts\n"),
        "{}",
        runner.told()
    );
    runner.keys("a");
    let told = runner.told();
    assert!(
        told.contains("White belt: since game 2\n")
            && told.contains("Yellow belt: 1 win\n")
            && told.contains("Green belt: 2 wins\n"),
        "{told}"
    );
    runner.keys("b x");
    assert_eq!(runner.console.screen_name(), "confirm");
    runner.keys("a");
    assert!(has(&runner, Belt::White), "No is the usual answer");
    runner.keys("x down a");
    assert_eq!(runner.console.screen_name(), "wall");
    assert!(!has(&runner, Belt::White));
    let tally = runner
        .console
        .statistics()
        .tally(GameId::Sticks, Belt::White);
    assert_eq!(tally.won, 0);
}

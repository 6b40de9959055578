//! The review of a finished game: its curve, its costliest moves, and what it leaves alone.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::game::Player;
use dojo_core::games::GameId;
use dojo_handheld::{Command, Event, Seat, Session, Setup, Slot};

/// A game of 15 sticks that a person lost by two of the moves: the first one, from a won position,
/// and the last.
fn lost() -> Runner {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    let setup = Setup {
        seats: [Seat::Person, Seat::Machine(Belt::White)],
        ..Setup::new(GameId::Sticks)
    };
    let mut session = Session::new(setup, Player::First);
    // All of row 3, all of row 2, one of row 1: two are left, and the machine leaves one.
    for mv in [20, 11, 0, 0] {
        session.play(mv).unwrap();
    }
    let mut buffer = [0; dojo_handheld::MAX_BYTES];
    let bytes = session.kept(&mut buffer).unwrap().to_vec();
    runner.store(Slot::Game(GameId::Sticks), bytes);
    runner.handle(Event::Ready);
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "result");
    runner
}

fn moves(runner: &Runner) -> Vec<u16> {
    let session = runner.console.session();
    session.map_or(vec![], |session| session.moves().to_vec())
}

#[test]
fn the_costliest_moves_are_flagged_with_something_better() {
    let mut runner = lost();
    runner.keys("to:Review a");
    assert_eq!(runner.console.screen_name(), "review");
    let told = runner.told();
    // The person took one of three, and should have taken two.
    assert!(
        told.contains("5/5") && told.contains("Move 3 cost 100 %"),
        "{told}"
    );
    runner.keys("up x");
    while !runner.told().contains("2/5") {
        runner.keys("x");
    }
    let told = runner.told();
    assert!(told.contains("Better: 1:2, keeps the win"), "{told}");
    assert!(told.contains("You: 100 %"), "before the mistake: {told}");
    runner.keys("right");
    let told = runner.told();
    assert!(
        told.contains("3/5  You: 1:1 -100 %") && told.contains("You: 0 %"),
        "{told}"
    );
}

#[test]
fn trying_again_leaves_the_finished_game_to_the_wall() {
    let mut runner = lost();
    let whole = moves(&runner);
    runner.keys("to:Review a up right right a");
    assert_eq!(runner.console.screen_name(), "board");
    assert_eq!(moves(&runner), whole[..2]);
    // The finished game is still there, also after a restart in the middle of the new one.
    let mut again = Runner::new(2);
    for slot in Slot::ALL {
        again.store(slot, runner.kept(slot));
    }
    again.handle(Event::Ready);
    assert_eq!(moves(&again), whole[..2]);
    again.keys("hold up a");
    while !again.told().contains("> Results") {
        again.keys("down");
    }
    again.keys("a");
    while !again.told().contains("> The last game") {
        again.keys("down");
    }
    again.keys("a");
    assert_eq!(again.console.screen_name(), "review");
    assert_eq!(moves(&again), whole);
    // It is only looked at: the new game goes on.
    again.keys("b a");
    assert_eq!(moves(&again), whole[..2]);
}

#[test]
fn without_a_finished_game_it_says_so() {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a");
    while !runner.told().contains("> Results") {
        runner.keys("down");
    }
    runner.keys("a");
    while !runner.told().contains("> The last game") {
        runner.keys("down");
    }
    runner.keys("a");
    assert!(
        runner.told().contains("no finished game"),
        "{}",
        runner.told()
    );
}

#[test]
fn positions_are_asked_one_by_one_and_leaving_stops() {
    let mut runner = lost();
    runner.thinks = false;
    runner.commands.clear();
    runner.keys("to:Review a");
    let thinks = |runner: &Runner| {
        let commands = runner.commands.iter();
        { commands }
            .filter(|command| matches!(command, Command::StopThinking))
            .count()
    };
    assert_eq!(thinks(&runner), 0);
    // Nobody answers: a position is given up after four seconds.
    runner.wait(4100);
    assert_eq!(thinks(&runner), 1);
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "result");
    assert_eq!(thinks(&runner), 2);
    runner.wait(10_000);
    assert_eq!(thinks(&runner), 2, "nothing is asked here");
}

//! The apprentice learns from its games against a person, keeps what it has learned, and can be
//! replaced.

mod common;

use common::Runner;
use dojo_core::games::GameId;
use dojo_handheld::{Command, Event, Rivalry, Seat, Setup, Slot, Tally, Target};

fn setup(id: GameId) -> Setup {
    Setup {
        seats: [Seat::Person, Seat::Apprentice],
        ..Setup::new(id)
    }
}

fn moves(runner: &Runner) -> usize {
    let session = runner.console.session();
    session.map_or(0, |session| session.moves().len())
}

/// The person always touches the first thing on the board that makes a move.
fn play(runner: &mut Runner) {
    for _ in 0..40 {
        runner.wait(500);
        if runner.console.screen_name() != "board" {
            return;
        }
        let before = moves(runner);
        for place in 0..64 {
            runner.handle(Event::Tap(Target::Place(place)));
            if moves(runner) > before {
                break;
            }
        }
    }
    panic!("no result on {}", runner.console.screen_name());
}

fn rivalry(runner: &Runner, id: GameId) -> Rivalry {
    *runner.console.rivalry(id).expect("it learns this game")
}

/// Games against the apprentice; returns how many of the last ten it wins.
fn rival(runner: &mut Runner, id: GameId, games: u32) -> u16 {
    let mut before = 0;
    for game in 0..games {
        if game + 10 == games {
            before = rivalry(runner, id).tally().lost;
        }
        runner.console.start(setup(id));
        play(runner);
    }
    rivalry(runner, id).tally().lost - before
}

fn ready() -> Runner {
    let mut runner = Runner::new(3);
    runner.handle(Event::Ready);
    runner
}

#[test]
fn it_learns_to_beat_a_simple_person_and_a_restart_keeps_it() {
    for id in [GameId::Sticks, GameId::Dots] {
        let mut runner = ready();
        let first = rival(&mut runner, id, 10);
        let last = rival(&mut runner, id, 90);
        assert!(last > first && last >= 9, "{id:?}: {first}, then {last}");
        let before = rivalry(&runner, id);
        assert_eq!(before.age(), 100);
        let curve: Vec<u16> = before.curve().collect();
        assert!(curve[0] < 700 && curve[curve.len() - 2] > 800, "{curve:?}");
        let mut again = Runner::new(9);
        for slot in Slot::ALL {
            again.store(slot, runner.kept(slot));
        }
        again.handle(Event::Ready);
        assert_eq!(rivalry(&again, id), before);
        assert!(rival(&mut again, id, 10) >= 9, "it remembers");
        // Another one in its place knows nothing.
        let slots = Slot::ALL.map(|slot| again.kept(slot));
        let mut reset = Runner::new(9);
        for (slot, bytes) in Slot::ALL.into_iter().zip(slots) {
            reset.store(slot, bytes);
        }
        reset.handle(Event::Ready);
        to_card(&mut reset, id);
        reset.keys("x down a");
        assert_eq!(rivalry(&reset, id).age(), 0);
        assert!(rival(&mut reset, id, 10) < 9, "a new one");
    }
}

/// The page of the apprentice, by the list of opponents.
fn to_card(runner: &mut Runner, id: GameId) {
    runner.console.start(setup(id));
    runner.keys("hold");
    while !runner.told().contains("> Belt") {
        runner.keys("down");
    }
    runner.keys("a x");
    assert_eq!(runner.console.screen_name(), "apprentice");
}

#[test]
fn its_card_tells_age_score_and_curve() {
    let mut runner = ready();
    to_card(&mut runner, GameId::Sticks);
    assert!(runner.told().contains("No game yet"), "{}", runner.told());
    let mut runner = ready();
    rival(&mut runner, GameId::Sticks, 10);
    let tally = rivalry(&runner, GameId::Sticks).tally();
    to_card(&mut runner, GameId::Sticks);
    let told = runner.told();
    let score = format!("You {} : {} apprentice", tally.won, tally.lost);
    assert!(
        told.contains("Learned from 10 games") && told.contains(&score),
        "{told}"
    );
}

#[test]
fn it_has_the_name_that_it_is_given() {
    let mut runner = ready();
    rival(&mut runner, GameId::Sticks, 2);
    to_card(&mut runner, GameId::Sticks);
    // B leaves it as it is.
    runner.keys("a up b");
    assert!(runner.told().contains("Apprentice"), "{}", runner.told());
    runner.keys("a up up right up right down");
    assert!(
        runner.told().contains("Its name: BAZ\n"),
        "{}",
        runner.told()
    );
    runner.keys("a");
    assert!(runner.told().contains("BAZ\n"), "{}", runner.told());
    let mut again = Runner::new(9);
    for slot in Slot::ALL {
        again.store(slot, runner.kept(slot));
    }
    again.handle(Event::Ready);
    assert_eq!(rivalry(&again, GameId::Sticks).name(), "BAZ");
    assert_eq!(rivalry(&again, GameId::Dots).name(), "", "each has its own");
    again.console.start(setup(GameId::Sticks));
    assert!(again.told().contains("BAZ"), "{}", again.told());
    // A new one has none, and X clears what is there.
    to_card(&mut again, GameId::Sticks);
    again.keys("a x");
    assert!(again.told().contains("Its name: \n"), "{}", again.told());
    again.keys("b x down a");
    assert_eq!(rivalry(&again, GameId::Sticks).name(), "");
}

#[test]
fn moves_that_were_taken_back_teach_nothing() {
    let mut runner = ready();
    runner.console.start(setup(GameId::Sticks));
    play(&mut runner);
    assert_eq!(rivalry(&runner, GameId::Sticks).age(), 1);
    runner.keys("y");
    play(&mut runner);
    assert_eq!(rivalry(&runner, GameId::Sticks).age(), 1, "learned once");
    let Tally { won, drawn, lost } = rivalry(&runner, GameId::Sticks).tally();
    assert_eq!(won + drawn + lost, 1, "counted once");
}

#[test]
fn a_game_is_counted_once_wherever_the_power_fails() {
    let mut runner = ready();
    let mut writes: Vec<(Slot, Vec<u8>)> = vec![];
    let games = 3;
    let mut ends = vec![0];
    for _ in 0..games {
        runner.console.start(setup(GameId::Dots));
        play(&mut runner);
        for command in std::mem::take(&mut runner.commands) {
            if let Command::Save(slot) = command {
                writes.push((slot, runner.kept(slot)));
            }
        }
        ends.push(writes.len());
    }
    for cut in 0..=writes.len() {
        let mut again = Runner::new(6);
        for slot in Slot::ALL {
            let newest = writes[..cut].iter().rfind(|(written, _)| *written == slot);
            if let Some((slot, bytes)) = newest {
                again.store(*slot, bytes.clone());
            }
        }
        again.handle(Event::Ready);
        assert_ne!(again.console.screen_name(), "trouble", "cut {cut}");
        let over = ends.iter().filter(|end| **end <= cut).count() - 1;
        let is_resumed = again.console.screen_name() == "board";
        if is_resumed {
            play(&mut again);
        }
        let Tally { won, drawn, lost } = rivalry(&again, GameId::Dots).tally();
        let counted = usize::from(won + drawn + lost);
        assert!(
            counted == over || counted == over + 1,
            "cut {cut}: {counted} games after {over}"
        );
        if is_resumed {
            assert_eq!(counted, over + 1, "cut {cut}");
        }
    }
}

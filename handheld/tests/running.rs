//! One running game of each kind: none is ever lost to another.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::games::GameId;
use dojo_handheld::{Command, Event, Seat, Setup, Slot};

fn ready(seed: u64) -> Runner {
    let mut runner = Runner::new(seed);
    runner.handle(Event::Ready);
    runner
}

/// A game between two people of this kind, with some moves in it, left for the menu.
fn play(runner: &mut Runner, id: GameId, moves: usize) {
    runner.console.start(Setup {
        seats: [Seat::Person; 2],
        ..Setup::new(id)
    });
    runner.wait(50);
    for _ in 0..moves {
        play_move(runner);
    }
    runner.keys("hold up a");
    assert_eq!(runner.console.screen_name(), "menu");
}

/// Some move: the next free place behind the cursor.
fn play_move(runner: &mut Runner) {
    let before = moves(runner);
    for number in 0..100 {
        runner.keys("a");
        if moves(runner) > before {
            return;
        }
        runner.keys(if number % 4 == 3 {
            "right down"
        } else {
            "right"
        });
    }
    panic!("no move on {}", runner.console.screen_name());
}

fn moves(runner: &Runner) -> usize {
    let session = runner.console.session();
    session.map_or(0, |session| session.moves().len())
}

fn kind(runner: &Runner) -> Option<GameId> {
    let session = runner.console.session();
    session.map(|session| session.game().id())
}

/// A new console that finds these values.
fn restarted(find: impl Fn(Slot) -> Option<Vec<u8>>) -> Runner {
    let mut again = Runner::new(6);
    for slot in Slot::ALL {
        if let Some(bytes) = find(slot) {
            again.store(slot, bytes);
        }
    }
    again.handle(Event::Ready);
    again
}

#[test]
fn every_kind_keeps_its_running_game() {
    let mut runner = ready(1);
    play(&mut runner, GameId::Sticks, 3);
    play(&mut runner, GameId::Go, 2);
    play(&mut runner, GameId::TicTacToe, 0);
    let listed = {
        runner.keys("a");
        runner.told()
    };
    assert!(
        listed.contains("> Tic-tac-toe: 0 moves\n15 sticks: 3 moves\nGo: 2 moves\n"),
        "{listed}"
    );
    runner.keys("down a");
    assert_eq!(runner.console.screen_name(), "board");
    assert_eq!((kind(&runner), moves(&runner)), (Some(GameId::Sticks), 3));
    play_move(&mut runner);
    // The one played last is resumed after a restart, the others are listed.
    let mut again = restarted(|slot| Some(runner.kept(slot)));
    assert_eq!(again.console.screen_name(), "board");
    assert_eq!((kind(&again), moves(&again)), (Some(GameId::Sticks), 4));
    again.keys("hold up a a down a");
    assert_eq!((kind(&again), moves(&again)), (Some(GameId::TicTacToe), 0));
    again.keys("hold up a a down down a");
    assert_eq!((kind(&again), moves(&again)), (Some(GameId::Go), 2));
}

#[test]
fn a_running_game_is_replaced_only_after_a_question() {
    let mut runner = ready(1);
    play(&mut runner, GameId::Sticks, 2);
    // Play, with a game of that kind running.
    runner.keys("down a");
    assert_eq!(runner.console.screen_name(), "replace");
    assert!(runner.told().contains("> Continue it\n"), "loses nothing");
    runner.keys("a");
    assert_eq!((runner.console.screen_name(), moves(&runner)), ("board", 2));
    // From the pause menu, with the game in memory, and from the set-up, with another one there.
    runner.keys("hold down down down a");
    assert_eq!(runner.console.screen_name(), "replace");
    runner.keys("b b");
    assert_eq!(moves(&runner), 2);
    runner.keys("hold up a");
    play(&mut runner, GameId::Go, 1);
    runner.keys("down down a up up up up a a");
    assert_eq!(runner.console.screen_name(), "replace");
    runner.keys("a");
    assert_eq!((kind(&runner), moves(&runner)), (Some(GameId::Sticks), 2));
    runner.keys("hold up a down down a a a down a");
    assert_eq!((runner.console.screen_name(), moves(&runner)), ("board", 0));
    let kept = restarted(|slot| Some(runner.kept(slot)));
    assert_eq!((kind(&kept), moves(&kept)), (Some(GameId::Sticks), 0));
}

#[test]
fn a_game_without_a_move_is_replaced_without_a_question() {
    let mut runner = ready(1);
    play(&mut runner, GameId::Sticks, 0);
    runner.keys("down a");
    assert_eq!(runner.console.screen_name(), "board");
}

#[test]
fn no_running_game_is_lost_wherever_the_power_fails() {
    let mut runner = ready(5);
    let mut writes: Vec<(Slot, Vec<u8>)> = vec![];
    // The moves of each game after each write: those before it or those after it must be found.
    let mut steps: Vec<(usize, [usize; 2])> = vec![(0, [0; 2])];
    let mut known = [0; 2];
    let kinds = [GameId::Sticks, GameId::TicTacToe];
    for round in 0..3 {
        for (number, id) in kinds.into_iter().enumerate() {
            if round == 0 {
                play(&mut runner, id, 1);
            } else {
                // The other one was played last.
                runner.keys("a down a");
                play_move(&mut runner);
                runner.keys("hold up a");
            }
            assert_eq!(kind(&runner), Some(id));
            known[number] = moves(&runner);
            for command in std::mem::take(&mut runner.commands) {
                if let Command::Save(slot) = command {
                    writes.push((slot, runner.kept(slot)));
                }
            }
            steps.push((writes.len(), known));
        }
    }
    assert_eq!(known, [3, 3]);
    for cut in 0..=writes.len() {
        let newest = |slot| {
            let found = writes[..cut].iter().rfind(|(written, _)| *written == slot);
            found.map(|(_, bytes)| bytes.clone())
        };
        let after = steps.iter().position(|(end, _)| *end >= cut).unwrap();
        let before = steps[after.saturating_sub(1)].1;
        let found = kinds.map(|id| {
            let mut again = restarted(newest);
            again.keys("hold up a");
            if kind(&again) != Some(id) {
                again.keys("a");
                while again.console.screen_name() == "running"
                    && !again.told().contains(&format!("> {}", id.title()))
                {
                    again.keys("down");
                }
                again.keys("a");
            }
            let is_it = kind(&again) == Some(id) && again.console.screen_name() != "title";
            if is_it { moves(&again) } else { 0 }
        });
        for number in 0..2 {
            let allowed = [before[number], steps[after].1[number]];
            assert!(
                allowed.contains(&found[number]),
                "cut after write {cut}: {found:?}, of {before:?} or {:?}",
                steps[after].1
            );
        }
    }
}

/// The running game of an earlier version, under its number.
fn old_game() -> Vec<u8> {
    let mut runner = ready(1);
    play(&mut runner, GameId::Dots, 3);
    runner.kept(Slot::Game(GameId::Dots))
}

#[test]
fn the_game_of_an_earlier_version_moves_to_its_kind_wherever_the_power_fails() {
    let first = restarted(|slot| (slot == Slot::OldGame).then(old_game));
    assert_eq!(first.console.screen_name(), "board");
    assert_eq!((kind(&first), moves(&first)), (Some(GameId::Dots), 3));
    let saves: Vec<Slot> = first
        .commands
        .iter()
        .filter_map(|command| match command {
            Command::Save(slot) => Some(*slot),
            _ => None,
        })
        .collect();
    assert_eq!(
        saves[..].last(),
        Some(&Slot::OldGame),
        "only when it is moved"
    );
    for cut in 0..=saves.len() {
        let again = restarted(|slot| match saves[..cut].contains(&slot) {
            true => Some(first.kept(slot)),
            false => (slot == Slot::OldGame).then(old_game),
        });
        assert_eq!(
            (kind(&again), moves(&again)),
            (Some(GameId::Dots), 3),
            "{cut}"
        );
    }
}

#[test]
fn the_game_of_an_earlier_version_waits_for_one_of_its_kind() {
    let mut runner = ready(1);
    play(&mut runner, GameId::Dots, 1);
    let again = restarted(|slot| match slot {
        Slot::OldGame => Some(old_game()),
        other => Some(runner.kept(other)),
    });
    assert_eq!(moves(&again), 1);
    assert!(
        !again.commands.contains(&Command::Save(Slot::OldGame)),
        "it stays"
    );
}

#[test]
fn a_guest_leaves_the_running_game_of_its_kind_alone() {
    let mut other = ready(2);
    play(&mut other, GameId::Sticks, 1);
    let guest = other.kept(Slot::Game(GameId::Sticks));
    let mut runner = ready(1);
    play(&mut runner, GameId::Sticks, 4);
    let kept = runner.kept(Slot::Game(GameId::Sticks));
    runner.handle(Event::Show(&guest));
    // Played on from the pause menu, it is still only looked at.
    runner.keys("hold a a");
    assert_eq!(moves(&runner), 2);
    assert_eq!(runner.kept(Slot::Game(GameId::Sticks)), kept);
    runner.handle(Event::Show(&guest));
    runner.keys("left a");
    assert_eq!(runner.console.screen_name(), "replace");
    runner.keys("a");
    assert_eq!((runner.console.screen_name(), moves(&runner)), ("board", 4));
    runner.handle(Event::Show(&guest));
    runner.keys("left a down a");
    assert_eq!((runner.console.screen_name(), moves(&runner)), ("board", 0));
    assert_ne!(runner.kept(Slot::Game(GameId::Sticks)), kept);
}

#[test]
fn a_result_of_another_kind_does_not_look_like_ones_own() {
    let mut runner = ready(1);
    runner.console.start(Setup::new(GameId::Sticks));
    runner.keys("wait");
    play_move(&mut runner);
    runner.keys("wait hold up a");
    let finish = |runner: &mut Runner| {
        for _ in 0..60 {
            if runner.console.screen_name() == "result" {
                return;
            }
            runner.keys("wait");
            if runner.console.screen_name() == "board" {
                play_move(runner);
            }
            runner.keys("wait");
        }
        panic!("no result");
    };
    runner.console.start(Setup::new(GameId::TicTacToe));
    finish(&mut runner);
    runner.keys("b a");
    assert_eq!(kind(&runner), Some(GameId::Sticks));
    finish(&mut runner);
    let count = |id| {
        let tally = runner.console.statistics().tally(id, Belt::Yellow);
        tally.won + tally.drawn + tally.lost
    };
    assert_eq!([GameId::Sticks, GameId::TicTacToe].map(count), [1, 1]);
}

#[test]
fn a_game_that_storage_cannot_tell_is_said_and_play_goes_on() {
    let mut runner = ready(1);
    play(&mut runner, GameId::Sticks, 2);
    play(&mut runner, GameId::Go, 2);
    runner.damage(Slot::Game(GameId::Sticks));
    runner.keys("a down a");
    assert_eq!(runner.console.screen_name(), "trouble");
    runner.keys("a");
    assert!(!runner.told().contains("15 sticks"), "{}", runner.told());
    runner.keys("a");
    assert_eq!((kind(&runner), moves(&runner)), (Some(GameId::Go), 2));
}

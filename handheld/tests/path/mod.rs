//! A person's path on the handheld: the first start, the lesson, the first game, a belt, a look back,
//! a puzzle. The image walks it in `host-sim/tests/path`.

use dojo_core::bank::Bank;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::AnyGame;
use dojo_core::games::sticks::{Solution, Take};
use dojo_handheld::{BankCard, Button, Event};

use crate::common::Runner;

const SHIPPED: &[u8] = include_bytes!("../../../models/dojo.bank");

/// A perfect move of 15 sticks, the first one where there is none.
fn best(game: &AnyGame) -> Take {
    let AnyGame::Sticks(game) = game else {
        panic!("15 sticks are played")
    };
    let solution = Solution::new(true);
    let moves = || game.legal_moves();
    let wins = |take: &Take| !solution.is_won(game.after(*take).triple());
    let found = moves().find(wins).or(moves().next());
    found.expect("the game is on")
}

/// Takes sticks by the cursor, as what is told says.
fn take(runner: &mut Runner, take: Take) {
    let cursor = |runner: &mut Runner| {
        let told = runner.told();
        let line = told
            .lines()
            .find_map(|line| line.strip_prefix("Cursor on "));
        let words: Vec<u8> = { line.expect("a cursor").split(' ') }
            .filter_map(|word| word.parse().ok())
            .collect();
        (words[0], words[1] - 1)
    };
    while cursor(runner).1 != take.row() {
        runner.press(Button::Up);
    }
    while cursor(runner).0 != take.count() {
        runner.press(Button::Left);
    }
    runner.press(Button::A);
}

/// The scenes of the path, in order; each is checked on the way.
pub(crate) fn scenes() -> Vec<(&'static str, Runner)> {
    let names = [
        "path-1-welcome",
        "path-2-lesson",
        "path-3-wrong",
        "path-4-right",
        "path-5-first-game",
        "path-6-first-win",
        "path-7-belt-earned",
        "path-8-ceremony",
        "path-9-review",
        "path-10-puzzle",
        "path-11-solved",
    ];
    // A runner is not copied: the path is walked once for each picture.
    let walk = |(number, name)| (name, self::walk(number));
    names.into_iter().enumerate().map(walk).collect()
}

/// Walks up to this scene.
fn walk(scene: usize) -> Runner {
    let mut left = scene + 1;
    let mut runner = Runner::new(1);
    let mut is_here = || {
        left -= 1;
        left == 0
    };
    runner.bank = SHIPPED;
    let card = BankCard::from(&Bank::new(SHIPPED).expect("the shipped bank"));
    runner.handle(Event::Bank(Ok(card)));
    runner.handle(Event::Ready);
    runner.keys("a up");
    assert!(runner.told().contains("> New here?"), "{}", runner.told());
    if is_here() {
        return runner;
    }
    runner.keys("a");
    assert!(runner.told().contains("Lesson 1/5"), "{}", runner.told());
    if is_here() {
        return runner;
    }
    runner.keys("a");
    take(&mut runner, Take::new(2, 3).expect("a move"));
    assert!(runner.told().contains("that loses"), "{}", runner.told());
    if is_here() {
        return runner;
    }
    runner.keys("a");
    take(&mut runner, Take::new(2, 2).expect("a move"));
    assert!(runner.told().contains("you win"), "{}", runner.told());
    if is_here() {
        return runner;
    }
    runner.keys("a a");
    take(&mut runner, Take::new(0, 2).expect("a move"));
    // The hint, the way back, the menu.
    runner.keys("a a x a a y a a b hold a");
    assert_eq!(runner.console.screen_name(), "board", "{}", runner.told());
    assert!(runner.told().contains("White"), "{}", runner.told());
    for game in 1.. {
        assert!(game <= 6, "white wins too often");
        let mut moves = 0;
        while runner.console.screen_name() == "board" {
            let session = runner.console.session().expect("a game");
            let is_mine = session.mover() == dojo_handheld::Seat::Person;
            if is_mine {
                let best = best(session.game());
                take(&mut runner, best);
                moves += 1;
            } else {
                runner.keys("wait");
            }
            if game == 1 && moves == 1 && !is_mine && is_here() {
                return runner;
            }
        }
        let told = runner.told();
        if game == 1 {
            assert!(
                told.contains("You won!") && told.contains("1 win to the White belt"),
                "{told}"
            );
            if is_here() {
                return runner;
            }
        }
        if told.contains("The White belt is yours!") {
            break;
        }
        runner.keys("a");
    }
    if is_here() {
        return runner;
    }
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "ceremony");
    if is_here() {
        return runner;
    }
    runner.keys("a");
    while !runner.told().contains("> Review") {
        runner.keys("right");
    }
    runner.keys("a wait wait");
    assert_eq!(runner.console.screen_name(), "review");
    assert!(runner.told().contains("You: 100 %"), "{}", runner.told());
    if is_here() {
        return runner;
    }
    runner.keys("b b");
    while !runner.told().contains("> Puzzles") {
        runner.keys("down");
    }
    runner.keys("a a a");
    assert_eq!(runner.console.screen_name(), "exercise");
    if is_here() {
        return runner;
    }
    // The first puzzle: its only winning move, by looking.
    let bank = Bank::new(SHIPPED).expect("the shipped bank");
    let puzzle = dojo_handheld::ExerciseKind::Puzzle
        .find(dojo_core::games::GameId::Sticks, &bank)
        .and_then(|puzzles| puzzles.get(0))
        .expect("a puzzle");
    let solution = (0..u16::MAX).find(|&mv| {
        { puzzle.answer(mv) }.is_some_and(|(case, _)| case.is_right)
            && Take::from_index(mv).is_some()
    });
    take(
        &mut runner,
        solution.and_then(Take::from_index).expect("a solution"),
    );
    assert!(runner.told().contains("Right!"), "{}", runner.told());
    assert!(is_here(), "the last scene");
    // The belt and the stars are there after a restart.
    let mut again = Runner::new(2);
    for slot in dojo_handheld::Slot::ALL {
        again.store(slot, runner.kept(slot));
    }
    again.handle(Event::Ready);
    again.keys("a");
    assert!(!again.told().contains("New here?"));
    while !again.told().contains("> Results") {
        again.keys("down");
    }
    again.keys("a");
    assert!(
        again.told().contains("15 sticks: 1 of 5 belts"),
        "{}",
        again.told()
    );
    runner
}

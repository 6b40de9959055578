//! Puzzles and lessons as a player meets them: every lesson and every puzzle of the shipped bank is
//! played to its end, wrong moves included.

mod common;

use common::Runner;
use dojo_core::bank::Bank;
use dojo_core::bank::exercises::{Exercise, Exercises, KEYS, NONE};
use dojo_core::games::GameId;
use dojo_handheld::{
    BankCard, Button, Command, Event, ExerciseKind, Frame, Press, Screen, Slot, Target,
};

const SHIPPED: &[u8] = include_bytes!("../../models/dojo.bank");

/// A handheld with the shipped bank, at its menu.
fn start() -> Runner {
    let mut runner = Runner::new(1);
    runner.bank = SHIPPED;
    let card = BankCard::from(&Bank::new(SHIPPED).unwrap());
    runner.handle(Event::Bank(Ok(card)));
    runner.handle(Event::Ready);
    runner.keys("a");
    runner
}

fn exercises(game: GameId, kind: ExerciseKind) -> Exercises<'static> {
    let bank = Bank::new(SHIPPED).unwrap();
    let found = kind.find(game, &bank);
    found.unwrap_or_else(|| panic!("{} has none", game.title()))
}

/// Chooses the row of a list that begins with these words.
fn choose(runner: &mut Runner, words: &str) {
    for _ in 0..20 {
        if runner.told().contains(&format!("> {words}")) {
            return runner.press(Button::A);
        }
        runner.press(Button::Down);
    }
    panic!("no row `{words}` in {}", runner.told());
}

/// Plays a move as a finger does: by touching its places until it is made.
fn play(runner: &mut Runner, mv: u16) {
    runner.handle(Event::Tap(Target::Place(mv)));
}

/// Whether an answer is on the screen.
fn answered(runner: &mut Runner) -> Option<bool> {
    let told = runner.told();
    if told.contains("Right!") {
        Some(true)
    } else if told.contains("Not yet") || told.contains("Not that one") {
        Some(false)
    } else {
        None
    }
}

/// A wrong move of an exercise, if there is one.
fn wrong_move(game: GameId, exercise: Exercise<'_>) -> Option<u16> {
    find_move(game, exercise, false)
}

fn find_move(game: GameId, exercise: Exercise<'_>, is_right: bool) -> Option<u16> {
    let mut position = dojo_core::games::AnyRules::parse(game, exercise.rules())?.start();
    for mv in exercise.moves() {
        position.play(mv).ok()?;
    }
    (0..KEYS).find(|&mv| {
        position.is_legal(mv)
            && exercise
                .answer(mv)
                .is_some_and(|(case, _)| case.is_right == is_right)
    })
}

/// A right move of an exercise; `None` if it asks for a button.
fn right_move(game: GameId, exercise: Exercise<'_>) -> Option<u16> {
    let asks = exercise.cases().find(|case| case.is_right)?;
    let (first, _) = asks.pairs().next()?;
    (first < KEYS || first == NONE).then(|| find_move(game, exercise, true))?
}

/// Iwoki's places are not moves: its tiles are laid in stages.
fn has_places(game: GameId) -> bool {
    game != GameId::Iwoki
}

/// Plays the solution: in iwoki the hint lays the tile out, and A confirms its stages.
fn solve(runner: &mut Runner, game: GameId, mv: u16) {
    if has_places(game) {
        return play(runner, mv);
    }
    runner.press(Button::X);
    for _ in 0..3 {
        if answered(runner).is_none() {
            runner.press(Button::A);
        }
    }
}

#[test]
fn every_lesson_is_played_to_its_end() {
    for game in GameId::ALL {
        let lesson = exercises(game, ExerciseKind::Lesson);
        let mut runner = start();
        choose(&mut runner, "All games");
        choose(&mut runner, game.title());
        choose(&mut runner, "Lesson");
        for number in 0..lesson.len() {
            let step = lesson.get(number).unwrap();
            let title = format!("Lesson {}/{}", number + 1, lesson.len());
            assert!(runner.told().contains(&title), "{}", runner.told());
            assert!(
                runner
                    .told()
                    .contains(step.task().split(' ').next().unwrap())
            );
            runner.press(Button::A);
            if let Some(wrong) = wrong_move(game, step).filter(|_| has_places(game)) {
                play(&mut runner, wrong);
                assert_eq!(answered(&mut runner), Some(false), "{}", runner.told());
                runner.press(Button::A);
                assert_eq!(answered(&mut runner), None, "the position is back");
            }
            match right_move(game, step) {
                Some(mv) => solve(&mut runner, game, mv),
                None => press_key(&mut runner, step),
            }
            assert_eq!(answered(&mut runner), Some(true), "{}", runner.told());
            runner.press(Button::A);
        }
        assert_eq!(runner.console.screen_name(), "setup", "{}", game.title());
    }
}

/// Presses the button that a step asks for.
fn press_key(runner: &mut Runner, step: Exercise<'_>) {
    let right = step.cases().find(|case| case.is_right).unwrap();
    let (number, _) = right.pairs().next().unwrap();
    assert!((KEYS..NONE).contains(&number));
    match Button::ALL[usize::from(number - KEYS)] {
        // As keys tell it: it is pressed, then held.
        Button::B => {
            runner.press(Button::B);
            runner.handle(Event::Press(Press::Held(Button::B)));
        }
        button => runner.press(button),
    }
}

#[test]
fn every_puzzle_is_solved_and_its_stars_are_kept() {
    for game in GameId::ALL {
        let puzzles = exercises(game, ExerciseKind::Puzzle);
        assert!(puzzles.len() >= 40, "{}: {}", game.title(), puzzles.len());
        let mut runner = start();
        choose(&mut runner, "Puzzles");
        choose(&mut runner, game.title());
        assert_eq!(runner.console.screen_name(), "puzzle grid");
        runner.press(Button::A);
        for number in 0..puzzles.len() {
            let puzzle = puzzles.get(number).unwrap();
            let title = format!("Puzzle {}", number + 1);
            assert!(runner.told().contains(&title), "{}", runner.told());
            // The second one after a wrong move, the third one by a hint.
            if number == 1 && has_places(game) {
                play(&mut runner, wrong_move(game, puzzle).unwrap());
                assert_eq!(answered(&mut runner), Some(false));
                runner.press(Button::A);
            }
            if number == 2 {
                runner.press(Button::X);
                assert_eq!(answered(&mut runner), None);
            }
            solve(&mut runner, game, puzzle.solution().unwrap());
            assert_eq!(answered(&mut runner), Some(true), "{}", runner.told());
            let has_lost = number == 1 || number == 2 || !has_places(game);
            let stars = if has_lost { 2 } else { 3 };
            assert!(
                runner.told().contains(&format!("{stars} stars")),
                "{}",
                runner.told()
            );
            assert!(runner.commands.contains(&Command::Save(Slot::Puzzles)));
            runner.press(Button::A);
        }
        assert_eq!(runner.console.screen_name(), "puzzle grid");
        assert!(
            runner.told().contains("Puzzle 2: 2 stars"),
            "{}",
            runner.told()
        );
        // A restart finds the stars.
        let kept = runner.kept(Slot::Puzzles);
        let mut again = start();
        again.handle(Event::Restore(Slot::Puzzles, &kept));
        choose(&mut again, "Puzzles");
        for _ in GameId::ALL {
            if !again.told().contains(&format!("> {}", game.title())) {
                again.press(Button::Down);
            }
        }
        let solved = format!("> {}: {} solved", game.title(), puzzles.len());
        assert!(again.told().contains(&solved), "{}", again.told());
    }
}

#[test]
fn somebody_new_is_offered_a_lesson_and_then_a_game() {
    let mut runner = start();
    assert!(runner.told().contains("New here?"));
    assert!(runner.told().contains("> Play"));
    runner.keys("up a");
    let lesson = exercises(GameId::Sticks, ExerciseKind::Lesson);
    for number in 0..lesson.len() {
        let step = lesson.get(number).unwrap();
        runner.press(Button::A);
        match right_move(GameId::Sticks, step) {
            Some(mv) => play(&mut runner, mv),
            None => press_key(&mut runner, step),
        }
        assert_eq!(answered(&mut runner), Some(true), "{}", runner.told());
        runner.press(Button::A);
    }
    assert_eq!(runner.console.screen_name(), "board");
    assert!(runner.told().contains("White"), "{}", runner.told());
    // It is not offered again.
    runner.handle(Event::Press(Press::Held(Button::B)));
    choose(&mut runner, "Save and quit");
    assert!(!runner.told().contains("New here?"), "{}", runner.told());
}

#[test]
fn an_ancestor_is_met_and_has_a_card() {
    let mut runner = start();
    choose(&mut runner, "All games");
    choose(&mut runner, "Dots");
    // The seat of the second player, by its list.
    runner.keys("down down a");
    while !runner.told().contains("> Smart") {
        runner.press(Button::Down);
    }
    assert!(runner.told().contains("takes boxes"), "{}", runner.told());
    runner.keys("x");
    assert_eq!(runner.console.screen_name(), "card");
    assert!(runner.told().contains("ancestor"), "{}", runner.told());
    runner.keys("b a");
    assert!(runner.told().contains("Smart"), "{}", runner.told());
    runner.keys("up up a");
    assert_eq!(runner.console.screen_name(), "board");
    for _ in 0..60 {
        if runner.console.screen_name() != "board" {
            break;
        }
        let free = (0..12).find(|&edge| {
            let session = runner.console.session().unwrap();
            session.game().is_legal(edge)
        });
        play(&mut runner, free.unwrap());
        runner.wait(2000);
    }
    assert!(
        runner.console.session().unwrap().outcome().is_some(),
        "{}",
        runner.told()
    );
}

#[test]
fn without_a_bank_nothing_is_offered() {
    let mut runner = Runner::new(1);
    runner.handle(Event::Ready);
    runner.keys("a");
    assert!(!runner.told().contains("New here?") && !runner.told().contains("Puzzles"));
}

#[test]
fn a_damaged_record_is_said_and_left() {
    let mut runner = start();
    choose(&mut runner, "Puzzles");
    runner.keys("a a");
    for record in [&[][..], &[1; 30]] {
        runner.handle(Event::Exercise { count: 40, record });
        assert!(
            runner.told().contains("cannot be read"),
            "{}",
            runner.told()
        );
    }
    runner.press(Button::A);
    assert_eq!(runner.console.screen_name(), "puzzle grid");
    assert!(runner.console.touchables_count(Screen::Oled) > 0);
}

trait Touchables {
    fn touchables_count(&self, screen: Screen) -> usize;
}

impl Touchables for dojo_handheld::Console {
    fn touchables_count(&self, screen: Screen) -> usize {
        let mut count = 0;
        self.touchables(&mut Frame::new(screen), &mut |_, _| count += 1);
        count
    }
}

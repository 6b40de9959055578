//! A person's path on the image, as `handheld/tests/path` walks it on a PC: the first start, the
//! lesson, the first games, a belt, a look back, a puzzle; and persons who play the apprentice. Every
//! picture is compared.

use super::*;
use dojo_core::bank::exercises::Exercise;
use dojo_core::game::{Game, GameMove};
use dojo_core::games::sticks::{Solution, Take};
use dojo_core::games::{AnyGame, Sticks};
use dojo_core::players::{Agent, Random};
use dojo_handheld::ExerciseKind;

/// What is heard of the screen.
pub(super) fn told(twin: &mut Twin) -> String {
    let mut words = String::new();
    let mut frame = Frame::new(twin.wiring.screen());
    twin.console.draw_and_tell(&mut frame, &mut words);
    words.replace('\n', " ")
}

/// Down the list to the row that begins with these words.
pub(super) fn choose(twin: &mut Twin, words: &str, way: Button) {
    for _ in 0..20 {
        if told(twin).contains(&format!("> {words}")) {
            return twin.press(Button::A);
        }
        twin.press(way);
    }
    panic!("no row `{words}` in {}", told(twin));
}

/// Takes sticks by the cursor.
fn take(twin: &mut Twin, take: Take) {
    let cursor = |twin: &mut Twin| {
        let told = told(twin);
        let (_, after) = told.split_once("Cursor on ").expect("a cursor");
        let words: Vec<u8> = { after.split(' ').take(4) }
            .filter_map(|word| word.parse().ok())
            .collect();
        (words[0], words[1] - 1)
    };
    while cursor(twin).1 != take.row() {
        twin.press(Button::Up);
    }
    while cursor(twin).0 != take.count() {
        twin.press(Button::Left);
    }
    twin.press(Button::A);
}

fn sticks(twin: &Twin) -> Sticks {
    match twin.console.session().map(|session| *session.game()) {
        Some(AnyGame::Sticks(game)) => game,
        other => panic!("15 sticks are played: {other:?}"),
    }
}

/// A perfect move, if there is one.
fn best(game: &Sticks) -> Option<Take> {
    let solution = Solution::new(true);
    game.legal_moves()
        .find(|&take| !solution.is_won(game.after(take).triple()))
}

fn first(game: &Sticks) -> Take {
    game.legal_moves().next().expect("the game is on")
}

/// Plays a game to its end; the person moves as `person` says. Then the result is on the screen.
fn play(twin: &mut Twin, mut person: impl FnMut(&Sticks) -> Take) {
    while twin.screen() == "board" {
        let is_mine = { twin.console.session() }
            .is_some_and(|session| session.is_on() && session.mover() == Seat::Person);
        if is_mine {
            let mv = person(&sticks(twin));
            take(twin, mv);
        }
        twin.wait(50);
    }
    assert_eq!(twin.screen(), "result");
    // It rises over the board, and A is not taken at once.
    twin.wait(1500);
}

#[test]
fn a_person_learns_wins_a_belt_looks_back_and_solves_a_puzzle() {
    for wiring in [Wiring::Lcd, Wiring::Oled] {
        let mut twin = booted(wiring);
        twin.presses("A up");
        assert!(told(&mut twin).contains("> New here?"), "{wiring:?}");
        twin.presses("A A");
        // Wrong at first.
        take(&mut twin, Take::new(2, 3).expect("a move"));
        assert!(told(&mut twin).contains("that loses"), "{wiring:?}");
        twin.press(Button::A);
        take(&mut twin, Take::new(2, 2).expect("a move"));
        assert!(told(&mut twin).contains("you win"), "{wiring:?}");
        twin.presses("A A");
        take(&mut twin, Take::new(0, 2).expect("a move"));
        twin.presses("A A X A A Y A A");
        twin.hold(Button::B, 800);
        twin.wait(TAP_MS);
        twin.press(Button::A);
        assert_eq!(twin.screen(), "board", "{wiring:?}: {}", told(&mut twin));
        let mut games = 0;
        while !told(&mut twin).contains("The White belt is yours!") {
            games += 1;
            assert!(games <= 8, "{wiring:?}: white wins too often");
            if twin.screen() == "result" {
                twin.press(Button::A);
            }
            play(&mut twin, |game| best(game).unwrap_or(first(game)));
        }
        twin.press(Button::A);
        assert_eq!(twin.screen(), "ceremony", "{wiring:?}");
        twin.press(Button::A);
        choose(&mut twin, "Review", Button::Right);
        assert_eq!(twin.screen(), "review", "{wiring:?}");
        twin.until("the curve", |twin| twin.logged("event Mind"));
        twin.wait(2000);
        assert!(told(&mut twin).contains("You: 100 %"), "{wiring:?}");
        // The code of the game: the display shows what another program reads.
        twin.press(Button::Y);
        assert_eq!(twin.screen(), "share");
        if wiring == Wiring::Lcd {
            let text = read_code(&twin.device.frame());
            println!("{text}");
            assert!(text.starts_with("#g="), "{text}");
        }
        twin.presses("B B B");
        choose(&mut twin, "Puzzles", Button::Down);
        twin.presses("A A");
        let shipped = Bank::new(bank::SHIPPED).expect("the shipped bank");
        let puzzle = ExerciseKind::Puzzle
            .find(GameId::Sticks, &shipped)
            .and_then(|puzzles| puzzles.get(0));
        let solution = solution(puzzle.expect("a puzzle"));
        take(&mut twin, solution);
        assert!(told(&mut twin).contains("Right!"), "{}", told(&mut twin));
        // All of it is there after the power was off.
        twin.device.pico.power_cycle();
        twin.until_frame();
        twin.wait(200);
        twin.press(Button::A);
        assert!(!told(&mut twin).contains("New here?"), "{wiring:?}");
        choose(&mut twin, "Results", Button::Down);
        assert!(
            told(&mut twin).contains("15 sticks: 1 of 5 belts"),
            "{wiring:?}: {}",
            told(&mut twin)
        );
    }
}

fn solution(puzzle: Exercise<'_>) -> Take {
    let right = |mv: &u16| { puzzle.answer(*mv) }.is_some_and(|(case, _)| case.is_right);
    let found = (0..100).filter(right).find_map(Take::from_index);
    found.expect("a solution")
}

/// What the code in a picture says, by another program's reader.
fn read_code(frame: &Frame) -> String {
    let grey = |x: usize, y: usize| {
        let [red, green, blue] = frame.rgb(x as u32, y as u32).map(u32::from);
        ((3 * red + 6 * green + blue) / 10) as u8
    };
    let mut picture = rqrr::PreparedImage::prepare_from_greyscale(240, 240, grey);
    let codes = picture.detect_grids();
    assert_eq!(codes.len(), 1);
    codes[0].decode().expect("a code").1
}

/// The largest code is drawn in time, too.
#[test]
fn a_press_is_seen_in_time_while_the_longest_game_becomes_a_code() {
    let rules = AnyRules::new(GameId::Go);
    let setup = Setup {
        rules,
        seats: [Seat::Person; 2],
        starter: Starter::One,
    };
    let mut session = Session::new(setup, Player::First);
    let mut rng = Rng::new(1);
    while session.is_on() && session.moves().len() < 150 {
        let legal: Vec<u16> = (0..130).filter(|&mv| session.game().is_legal(mv)).collect();
        let mv = legal[rng.below(legal.len() as u32) as usize];
        session.play(mv).expect("a legal move");
    }
    let mut image = image(bank::SHIPPED);
    image
        .patch(SAVES_ADDRESS, &with_game(&session).expect("it fits"))
        .expect("the saves fit");
    let mut twin = Twin::boot(&image, Wiring::Lcd);
    twin.wait(500);
    twin.hold(Button::B, 800);
    twin.wait(100);
    while !told(&mut twin).contains("> Share") {
        twin.press(Button::Down);
    }
    let worst = worst_latency(&mut twin, &["A", "B"], 6);
    println!(
        "press to the last changed pixel of a code of {} moves: {worst} µs",
        session.moves().len()
    );
    assert!(worst <= 50_000, "{worst} µs");
}

#[test]
fn the_speed_of_a_lesson_can_be_changed_on_the_device() {
    let mut twin = booted(Wiring::Oled);
    let games = |twin: &Twin| {
        let of = |event: Event<'_>| match event {
            Event::Learned { figures, .. } => figures.games,
            _ => 0,
        };
        let log = twin.device.pico.log().iter().rev();
        { log }
            .find(|line| line.text.starts_with("event Learned"))
            .and_then(|line| event_log::event(&line.text, of))
            .unwrap_or(0)
    };
    twin.presses(TO_STICKS);
    twin.presses("left left left");
    twin.wait(400);
    // 20 games a second, reported five times a second.
    let before = games(&twin);
    twin.wait(3000);
    let slow = games(&twin) - before;
    assert!((50..=65).contains(&slow), "{slow} games in 3 s");
    assert!(
        told(&mut twin).contains("20 a second"),
        "{}",
        told(&mut twin)
    );
    // Its play moves on the screen meanwhile, and it meets belts of the bank.
    assert!(twin.logged("duel: Some(Duel"));
    let frames = twin.frames;
    twin.wait(1000);
    assert!(twin.frames - frames >= 4);
    twin.presses("right right right");
    let before = games(&twin);
    twin.wait(1000);
    assert!(games(&twin) - before > 5000);
}

/// The share of games that the apprentice wins against three persons on the image: one who always
/// takes the first stick that there is, one who takes any, and a good one who errs with every fourth
/// move.
#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn the_apprentice_learns_from_three_persons_on_the_image() {
    const GAMES: u32 = 24;
    for person in ["first", "any", "good"] {
        let setup = Setup {
            seats: [Seat::Person, Seat::Apprentice],
            ..Setup::new(GameId::Sticks)
        };
        let saved = with_game(&Session::new(setup, Player::First)).expect("a short game");
        let mut image = image(bank::SHIPPED);
        image.patch(SAVES_ADDRESS, &saved).expect("the saves fit");
        let mut twin = Twin::boot(&image, Wiring::Oled);
        let mut rng = Rng::new(7);
        let mut lost = vec![];
        for game in 0..GAMES {
            if game > 0 {
                twin.press(Button::A);
            }
            play(&mut twin, |position| {
                let any = Random.choose(position, &mut rng).expect("a move");
                match person {
                    "first" => first(position),
                    "any" => any,
                    _ => best(position).filter(|_| rng.below(4) > 0).unwrap_or(any),
                }
            });
            let rivalry = twin.console.rivalry(GameId::Sticks).expect("it learns");
            lost.push(rivalry.tally().lost);
            // It learns while the result is shown.
            twin.until("it has learned", |twin| {
                { twin.console.rivalry(GameId::Sticks) }.is_some_and(|it| it.age() == game + 1)
            });
        }
        let quarter = |at: usize| lost[at] - if at >= 6 { lost[at - 6] } else { 0 };
        let curve = [5, 11, 17, 23].map(quarter);
        println!("{person}: wins of the apprentice in each 6 of {GAMES} games: {curve:?}");
        if person == "first" {
            assert!(curve[3] >= 5 && curve[3] >= curve[0], "{curve:?}");
        }
        // What it has learned is in flash.
        let region = &twin.device.pico.flash().bytes()[SAVE.offset() as usize..];
        let slots = dojo::device::saves::slots_in(&region[..SAVES_BYTES as usize]);
        let part = slots
            .iter()
            .flatten()
            .find(|(slot, _)| *slot == Slot::Part(0));
        assert!(part.is_some_and(|(_, bytes)| bytes[2..].iter().any(|&byte| byte > 0)));
    }
}

//! The console as a player meets it: flows through screens, saving and resuming, and any button at
//! any time.

mod common;

use common::Runner;
use dojo_core::belt::Belt;
use dojo_core::game::{Outcome, Player};
use dojo_core::games::{GameId, Go};
use dojo_core::players::belts::{Answer, Decision, Source};
use dojo_handheld::sound::Note;
use dojo_handheld::{
    Abilities, BankTest, Battery, Button, Command, Console, Event, FlashTest, Frame, Ink, Press,
    Screen, Seat, Slot,
};

fn ready(seed: u64) -> Runner {
    let mut runner = Runner::new(seed);
    runner.handle(Event::Ready);
    runner
}

fn moves(runner: &Runner) -> Vec<u16> {
    runner
        .console
        .session()
        .map(|session| session.moves().to_vec())
        .unwrap_or_default()
}

#[test]
fn a_game_of_tic_tac_toe_is_played_to_the_end_with_the_buttons() {
    let mut runner = ready(3);
    runner.keys("a down a down a a");
    for step in 0..40 {
        if runner.console.screen_name() == "result" {
            break;
        }
        // Try every square in turn: marked ones are refused.
        runner.keys(["right", "right", "right up"][step % 3]);
        runner.keys("a wait");
    }
    assert_eq!(runner.console.screen_name(), "result");
    let tally = runner
        .console
        .statistics()
        .tally(GameId::TicTacToe, Belt::Yellow);
    assert_eq!(tally.won + tally.drawn + tally.lost, 1);
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "board");
    assert_eq!(
        runner.console.session().unwrap().mover(),
        Seat::Machine(Belt::Yellow),
        "they take turns to start"
    );
}

#[test]
fn results_stand_out_on_their_page() {
    let paper = |runner: &mut Runner| {
        while runner.console.screen_name() != "menu" {
            runner.keys("b");
        }
        runner.keys("to:Results a a a");
        let frame = runner.picture(Screen::Lcd);
        let points = (0..240).flat_map(|y| (0..240).map(move |x| (x, y)));
        points
            .filter(|&(x, y)| frame.pixel(x, y) == Ink::Paper)
            .count()
    };
    let mut runner = ready(3);
    runner.keys("a");
    let before = paper(&mut runner);
    while runner.console.screen_name() != "menu" {
        runner.keys("b");
    }
    while !runner.told().contains("> Play") {
        runner.keys("up");
    }
    runner.keys("a");
    while runner.console.screen_name() == "board" {
        runner.keys("a wait");
    }
    assert_eq!(runner.console.screen_name(), "result");
    assert!(paper(&mut runner) > before);
}

#[test]
fn an_opponent_that_was_chosen_sits_in_the_set_up() {
    let mut runner = ready(3);
    runner.keys("a down a a down down a");
    assert_eq!(runner.console.screen_name(), "belts");
    runner.keys("down a");
    assert_eq!(runner.console.screen_name(), "setup");
    runner.keys("up up a");
    assert_eq!(
        runner.console.session().unwrap().setup().seats,
        [Seat::Person, Seat::Machine(Belt::Green)]
    );
}

#[test]
fn the_machine_waits_until_its_move_can_be_followed() {
    let mut runner = ready(1);
    runner.keys("a a a");
    assert_eq!(moves(&runner).len(), 1);
    runner.wait(400);
    assert_eq!(moves(&runner).len(), 1);
    // At 450 ms, neither before nor after.
    runner.wait(50);
    assert_eq!(moves(&runner).len(), 2);
}

#[test]
fn every_change_of_the_page_clicks_once() {
    let mut runner = ready(1);
    runner.keys("a");
    let clicks = |runner: &Runner| {
        let is_click = |command: &&Command| {
            matches!(
                command,
                Command::Play {
                    notes: [Note { millis: 8, .. }],
                    ..
                }
            )
        };
        runner.commands.iter().filter(is_click).count()
    };
    let before = clicks(&runner);
    // Into the list of games and back; moving in a menu makes no sound.
    runner.keys("down up down a b");
    assert_eq!(clicks(&runner), before + 2);
}

#[test]
fn b_interrupts_a_thinking_machine_and_resuming_asks_again() {
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    let press = |console: &mut Console, button| console.handle(Event::Press(Press::Down(button)));
    for button in [Button::A, Button::A, Button::A] {
        press(&mut console, button);
    }
    let drain =
        |console: &mut Console| std::iter::from_fn(|| console.next_command()).collect::<Vec<_>>();
    let asked = drain(&mut console)
        .into_iter()
        .find_map(|command| match command {
            Command::Think { id, .. } => Some(id),
            _ => None,
        });
    let old = asked.expect("the machine is asked");
    press(&mut console, Button::B);
    assert_eq!(console.screen_name(), "pause");
    assert!(drain(&mut console).contains(&Command::StopThinking));
    press(&mut console, Button::B);
    assert!(
        drain(&mut console)
            .iter()
            .any(|command| matches!(command, Command::Think { id, .. } if *id != old))
    );
    // The answer to the old question comes too late.
    let late = Some(Answer {
        decision: Decision::Play(0),
        source: Source::Rules,
        grounds: Default::default(),
    });
    console.handle(Event::Answer {
        id: old,
        answer: late,
    });
    console.handle(Event::Tick(5000));
    assert_eq!(console.session().unwrap().moves().len(), 1);
}

#[test]
fn a_wrong_answer_changes_nothing() {
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    for _ in 0..3 {
        console.handle(Event::Press(Press::Down(Button::A)));
    }
    let before = console.session().unwrap().moves().to_vec();
    for id in 0..4 {
        console.handle(Event::Answer {
            id,
            answer: Some(Answer {
                decision: Decision::Play(999),
                source: Source::Brain,
                grounds: Default::default(),
            }),
        });
        console.handle(Event::Tick(10_000 * id));
    }
    assert_eq!(console.session().unwrap().moves(), before);
}

#[test]
fn hints_are_counted_and_undo_goes_all_the_way_back() {
    let mut runner = ready(5);
    runner.keys("a a x");
    assert_eq!(runner.console.session().unwrap().hints, 1);
    runner.keys("a wait a wait");
    assert_eq!(moves(&runner).len(), 4);
    runner.keys("y y y y");
    assert_eq!(moves(&runner).len(), 0);
    assert_eq!(
        runner.console.session().unwrap().undos,
        2,
        "there was nothing more to take back"
    );
}

#[test]
fn every_move_is_saved_and_a_restart_resumes_the_game() {
    let mut runner = ready(5);
    runner.keys("a a");
    for _ in 0..2 {
        runner.commands.clear();
        runner.keys("a wait");
        let saved = Command::Save(Slot::Game(GameId::Sticks));
        assert!(runner.commands.contains(&saved));
    }
    let mut again = Runner::new(6);
    for slot in Slot::ALL {
        let bytes = runner.kept(slot);
        again.handle(Event::Restore(slot, &bytes));
    }
    again.handle(Event::Ready);
    assert_eq!(again.console.screen_name(), "board");
    assert_eq!(again.console.session(), runner.console.session());
    for screen in Screen::ALL {
        assert!(
            again.picture(screen).bytes() == runner.picture(screen).bytes(),
            "the same picture"
        );
    }
}

#[test]
fn a_finished_game_is_not_resumed_and_not_counted_twice() {
    let mut runner = ready(5);
    runner.keys("a a");
    while runner.console.screen_name() != "result" {
        runner.keys("a wait");
    }
    let counted = |runner: &Runner| {
        let tally = runner
            .console
            .statistics()
            .tally(GameId::Sticks, Belt::Yellow);
        tally.won + tally.lost
    };
    assert_eq!(counted(&runner), 1);
    let mut again = Runner::new(6);
    let slot = Slot::Game(GameId::Sticks);
    again.handle(Event::Restore(slot, &runner.kept(slot)));
    again.handle(Event::Ready);
    assert_eq!(again.console.screen_name(), "title");
    runner.keys("y");
    assert_eq!(runner.console.screen_name(), "board");
    while runner.console.screen_name() != "result" {
        runner.keys("a wait");
    }
    assert_eq!(counted(&runner), 1);
}

#[test]
fn play_goes_on_from_a_reviewed_position() {
    let mut runner = ready(1);
    // Two people at tic-tac-toe; the first wins with the third mark.
    runner.keys("a down a down a down down left left up up a");
    runner.keys("a right a left up a right a left down down a");
    assert_eq!(runner.console.screen_name(), "result");
    let all = moves(&runner);
    runner.keys("down down a left left a");
    assert_eq!(runner.console.screen_name(), "board");
    assert_eq!(moves(&runner), all[..3]);
    assert!(runner.console.session().unwrap().outcome().is_none());
}

/// Presses A and waits until the result is there; `log` sees the console after every event.
fn play_to_the_end(runner: &mut Runner, log: &mut impl FnMut(&mut Runner)) {
    for _ in 0..100 {
        if runner.console.screen_name() == "result" {
            return;
        }
        runner.keys("a");
        log(runner);
        for _ in 0..20 {
            runner.wait(50);
            log(runner);
        }
    }
    panic!("no result on {}", runner.console.screen_name());
}

#[test]
fn a_result_is_counted_once_wherever_the_power_fails() {
    let mut writes = vec![];
    let mut log = |runner: &mut Runner| {
        for command in std::mem::take(&mut runner.commands) {
            if let Command::Save(slot) = command {
                writes.push((slot, runner.kept(slot)));
            }
        }
    };
    let mut runner = ready(5);
    runner.keys("a a");
    log(&mut runner);
    play_to_the_end(&mut runner, &mut log);
    // Taken back and ended again, twice.
    for _ in 0..2 {
        runner.keys("y");
        log(&mut runner);
        play_to_the_end(&mut runner, &mut log);
    }
    let results = |runner: &Runner| {
        let tally = runner
            .console
            .statistics()
            .tally(GameId::Sticks, Belt::Yellow);
        tally.won + tally.drawn + tally.lost
    };
    let mut resumed = 0;
    for cut in 0..=writes.len() {
        let mut again = Runner::new(6);
        for wanted in Slot::ALL {
            let newest = writes[..cut].iter().rfind(|(slot, _)| *slot == wanted);
            if let Some((slot, bytes)) = newest {
                again.handle(Event::Restore(*slot, bytes));
            }
        }
        again.handle(Event::Ready);
        if again.console.session().is_some() {
            play_to_the_end(&mut again, &mut |_| {});
            assert_eq!(results(&again), 1, "power cut after write {cut}");
            resumed += 1;
        }
    }
    assert!(resumed > 10, "{resumed} of {} writes", writes.len());
    assert_eq!(results(&restarted(&runner)), 1);
}

/// Two people at a board of Go of 5×5.
const GO: &str =
    "a down a down down down down a down down left left down down right up up up up a ";
/// Black holds the left with two eyes, white the right; B1 and E3 cannot live.
const GO_MOVES: &str = "C1 D1 C2 D2 C3 D3 C4 D4 C5 D5 B2 B1 E3 E4 B4 E1 ";

/// The same console after the plug was pulled.
fn restarted(runner: &Runner) -> Runner {
    let mut again = Runner::new(6);
    for slot in Slot::ALL {
        again.handle(Event::Restore(slot, &runner.kept(slot)));
    }
    again.handle(Event::Ready);
    again
}

#[test]
fn a_game_of_go_is_played_passed_counted_and_won() {
    let mut runner = ready(1);
    runner.keys(GO);
    runner.keys(GO_MOVES);
    assert_eq!(moves(&runner).len(), 16);
    runner.keys("pass");
    assert!(
        runner.told().contains("Player 1 passed\n"),
        "{}",
        runner.told()
    );
    runner.keys("pass");
    assert_eq!(
        (
            runner.console.screen_name(),
            runner.console.session().unwrap().outcome()
        ),
        ("scoring", None)
    );
    let told = runner.told();
    assert!(
        told.contains("Dead: B1 E3\n"),
        "the machine proposes: {told}"
    );
    runner.keys("B1 E3");
    assert!(!runner.told().contains("Dead: "));
    runner.keys("B1 E3");
    let told = runner.told();
    assert!(
        told.contains("Dead: B1 E3\n") && told.contains("Black area 15\nWhite area 10\n"),
        "{told}"
    );
    assert!(
        told.contains("Komi for white 5.5\nWhite wins by 0.5\n"),
        "{told}"
    );

    let mut again = restarted(&runner);
    assert_eq!(
        again.console.screen_name(),
        "scoring",
        "counting goes on after a restart"
    );
    assert_eq!(again.console.session(), runner.console.session());
    again.keys("B1");
    assert!(again.told().contains("Dead: E3\n"));
    again.keys("B1 right right right right");
    assert!(again.told().contains("> Done\n"), "{}", again.told());
    again.keys("a");
    assert_eq!(again.console.screen_name(), "result");
    assert_eq!(
        again.console.session().unwrap().outcome(),
        Some(Outcome::Win(Player::Second))
    );
    let told = again.told();
    assert!(
        told.contains("Player 2 wins by 0.5\n") && told.contains("Area 15.5 to 15\n"),
        "{told}"
    );
    assert_eq!(
        restarted(&again).console.screen_name(),
        "title",
        "it is over"
    );
    let mut record = String::new();
    again
        .console
        .session()
        .unwrap()
        .write_record(&mut record)
        .unwrap();
    assert!(
        record.starts_with("# agreed: second, dead: B1 E3\ngame go size=5 "),
        "{record}"
    );
    assert_eq!(
        dojo_core::record::replay::<Go>(&record, |_, _| {})
            .unwrap()
            .moves,
        18
    );

    again.keys("y");
    assert_eq!(
        (again.console.screen_name(), moves(&again).len()),
        ("board", 17),
        "the last pass is taken back"
    );
    assert!(
        !again.told().contains("Dead: "),
        "what was said before is forgotten"
    );
}

#[test]
fn counting_can_be_left_to_play_on() {
    let mut runner = ready(1);
    runner.keys(GO);
    runner.keys("C3 pass pass down a");
    assert_eq!(
        (runner.console.screen_name(), moves(&runner).len()),
        ("board", 2)
    );
    assert_eq!(
        runner.console.session().unwrap().undos,
        0,
        "that is no undo"
    );
    runner.keys("D3");
    assert_eq!(moves(&runner).len(), 3);
    // From the pause menu one comes back to the count.
    runner.keys("pass pass b");
    assert_eq!(runner.console.screen_name(), "pause");
    runner.keys("b");
    assert_eq!(runner.console.screen_name(), "scoring");
    runner.keys("y");
    assert_eq!(
        (runner.console.screen_name(), moves(&runner).len()),
        ("board", 4)
    );
    assert_eq!(runner.console.session().unwrap().undos, 1);
}

#[test]
fn a_machine_that_gives_up_says_so() {
    let mut runner = ready(1);
    runner.thinks = false;
    runner.keys("a down a down down down down a a C3");
    let resigns = Answer {
        decision: Decision::Resign,
        source: Source::Rules,
        grounds: Default::default(),
    };
    runner.handle(Event::Answer {
        id: 1,
        answer: Some(resigns),
    });
    runner.keys("wait");
    assert_eq!(runner.console.screen_name(), "result");
    assert!(
        runner.told().contains("You won!\nBy resignation\n"),
        "{}",
        runner.told()
    );
    assert_eq!(
        runner
            .console
            .statistics()
            .tally(GameId::Go, Belt::Yellow)
            .won,
        1
    );
    let mut record = String::new();
    runner
        .console
        .session()
        .unwrap()
        .write_record(&mut record)
        .unwrap();
    assert!(record.starts_with("# second resigned\n"), "{record}");
    // Undo goes back to the person's move: the machine would only give up again.
    runner.keys("y");
    assert_eq!(
        (runner.console.screen_name(), moves(&runner).len()),
        ("board", 0)
    );
}

#[test]
fn giving_up_loses_and_can_be_taken_back() {
    let mut runner = ready(1);
    // Against the machine, which starts the second game.
    runner.keys("a down a down down down down a a C3 wait b down down down down a");
    assert_eq!(runner.console.screen_name(), "result");
    assert!(
        runner.told().contains("You lost\nBy resignation\n"),
        "{}",
        runner.told()
    );
    assert_eq!(
        runner
            .console
            .statistics()
            .tally(GameId::Go, Belt::Yellow)
            .lost,
        1
    );
    runner.keys("y");
    assert_eq!(
        (runner.console.screen_name(), moves(&runner).len()),
        ("board", 2)
    );
    // It can be done while the machine is to move, too.
    runner.keys("E5 b down down down a");
    assert_eq!(runner.console.screen_name(), "result");
    assert_eq!(
        runner
            .console
            .statistics()
            .tally(GameId::Go, Belt::Yellow)
            .lost,
        1,
        "counted once"
    );
}

#[test]
fn machines_count_by_themselves() {
    let mut runner = ready(4);
    runner.keys("a down a down down down down a down right down down down right up up up up a");
    for _ in 0..400 {
        if runner.console.screen_name() == "result" {
            break;
        }
        runner.wait(1000);
    }
    assert_eq!(runner.console.screen_name(), "result");
}

#[test]
fn damaged_saves_are_told_once_and_play_goes_on() {
    let mut runner = Runner::new(1);
    for slot in Slot::ALL {
        runner.handle(Event::Restore(slot, &[1, 99, 255, 255]));
    }
    runner.handle(Event::Ready);
    assert_eq!(runner.console.screen_name(), "trouble");
    runner.keys("a a a");
    assert_eq!(runner.console.screen_name(), "board");
}

#[test]
fn the_light_goes_down_and_any_button_brings_it_back() {
    let mut runner = ready(1);
    let light = |runner: &mut Runner| {
        let last = runner
            .commands
            .iter()
            .rev()
            .find_map(|command| match command {
                Command::Light(percent) => Some(*percent),
                _ => None,
            });
        runner.commands.clear();
        last
    };
    assert_eq!(light(&mut runner), Some(80));
    runner.wait(59_000);
    assert_eq!(light(&mut runner), None);
    runner.wait(2_000);
    assert_eq!(light(&mut runner), Some(5));
    runner.wait(240_000);
    assert_eq!(light(&mut runner), Some(0));
    runner.keys("a");
    assert_eq!(light(&mut runner), Some(80));
    assert_eq!(
        runner.console.screen_name(),
        "title",
        "the waking press does nothing else"
    );
    runner.keys("a");
    assert_eq!(runner.console.screen_name(), "menu");
}

#[test]
fn it_asks_to_be_switched_off_once_and_the_waking_press_does_nothing_else() {
    let asked = |runner: &mut Runner| {
        let commands = std::mem::take(&mut runner.commands);
        commands
            .iter()
            .filter(|command| **command == Command::PowerOff)
            .count()
    };
    let mut runner = ready(1);
    runner.keys("a a a wait");
    assert_eq!(moves(&runner).len(), 2);
    asked(&mut runner);
    runner.wait(595_000);
    assert_eq!(asked(&mut runner), 0);
    runner.wait(10_000);
    assert_eq!(asked(&mut runner), 1);
    runner.wait(1_200_000);
    assert_eq!(
        asked(&mut runner),
        0,
        "a runner that stays on is asked once"
    );
    runner.keys("a");
    assert_eq!(runner.commands.last(), Some(&Command::Light(80)));
    assert_eq!(
        (runner.console.screen_name(), moves(&runner).len()),
        ("board", 2)
    );
    runner.wait(605_000);
    assert_eq!(asked(&mut runner), 1);
    // The setting counts, and comes back after a restart.
    for (steps, minutes) in [("right", 30), ("right right", 60), ("left", u32::MAX)] {
        let mut runner = ready(1);
        runner.keys("a to:Settings a to:Power_off");
        runner.keys(steps);
        let mut buffer = [0; dojo_handheld::MAX_BYTES];
        let bytes = runner.console.kept(Slot::Settings, &mut buffer).unwrap();
        let mut runner = Runner::new(1);
        runner.handle(Event::Restore(Slot::Settings, bytes));
        runner.handle(Event::Ready);
        let minutes_of = |runner: &Runner| runner.console.settings().power_off.minutes();
        assert_eq!(minutes_of(&runner).unwrap_or(u32::MAX), minutes);
        runner.wait(minutes.min(90) * 60_000 - 1_000);
        assert_eq!(asked(&mut runner), 0);
        runner.wait(2_000);
        assert_eq!(asked(&mut runner), usize::from(minutes < u32::MAX));
    }
}

#[test]
fn a_machine_at_work_keeps_it_awake() {
    // A question that nobody answers: the machine thinks and thinks.
    let mut console = Console::new(1);
    console.handle(Event::Ready);
    for button in [Button::A, Button::A, Button::A] {
        console.handle(Event::Press(Press::Down(button)));
    }
    let drain =
        |console: &mut Console| std::iter::from_fn(|| console.next_command()).collect::<Vec<_>>();
    let asked = drain(&mut console);
    let id = asked.iter().find_map(|command| match command {
        Command::Think { id, .. } => Some(*id),
        _ => None,
    });
    for second in 1..1_000 {
        console.handle(Event::Tick(second * 1_000));
    }
    assert_eq!(drain(&mut console), [], "neither dimmed nor dark nor off");
    console.handle(Event::Answer {
        id: id.expect("it is asked"),
        answer: None,
    });
    // The board asks again at once; the pause menu does not.
    console.handle(Event::Press(Press::Down(Button::B)));
    for second in 1_000..1_700 {
        console.handle(Event::Tick(second * 1_000));
    }
    let commands = drain(&mut console);
    assert!(commands.ends_with(&[Command::Light(5), Command::Light(0), Command::PowerOff]));
}

#[test]
fn the_mute_holds_everywhere() {
    let mut runner = ready(1);
    runner.keys("a down down down down a a b");
    assert!(!runner.console.settings().sound);
    runner.commands.clear();
    runner.keys("up up up up a a x wait a wait b up a");
    assert!(
        !runner
            .commands
            .iter()
            .any(|command| matches!(command, Command::Play { .. }))
    );
}

#[test]
fn sizes() {
    use std::mem::size_of;
    println!("frame   {:>6} bytes", size_of::<Frame>());
    println!("console {:>6} bytes", size_of::<Console>());
    println!("sticks  {:>6} bytes", size_of::<dojo_core::games::Sticks>());
    println!(
        "ttt     {:>6} bytes",
        size_of::<dojo_core::games::TicTacToe>()
    );
    assert!(
        size_of::<Frame>() <= 30 * 1024,
        "the picture takes 28.8 KB and its checksums 1 KB"
    );
    println!("go      {:>6} bytes", size_of::<dojo_core::games::Go>());
    // A position of Go has all its moves with it, and the session has them again.
    // A position of Go has all its moves with it, and the session has them again; three parts of the
    // apprentice's table take 1.2 KB.
    assert!(size_of::<Console>() <= 7424);
    assert!(size_of::<dojo_core::games::AnyGame>() <= 1280);
}

#[test]
fn every_screen_can_be_heard() {
    let mut runner = ready(1);
    let mut frame = Frame::new(Screen::Lcd);
    let mut hear = |runner: &mut Runner, keys: &str| {
        runner.keys(keys);
        let mut words = String::new();
        runner.console.draw_and_tell(&mut frame, &mut words);
        words
    };
    let menu = hear(&mut runner, "a down");
    assert!(
        menu.contains("Pocket Dojo\n")
            && menu.contains("> All games\n")
            && menu.contains("\nSettings\n"),
        "{menu}"
    );
    let setup = hear(&mut runner, "a down a down down");
    assert!(setup.contains("> Player 2 is: Yellow belt\n"), "{setup}");
    let board = hear(&mut runner, "up up a a wait");
    assert!(board.contains("Middle row: empty, X, empty\n"), "{board}");
    assert!(
        board.contains("Last move ")
            && board.contains("Cursor on b2\n")
            && board.contains("Your turn\n"),
        "{board}"
    );
    let sticks = hear(&mut ready(1), "a a");
    assert!(
        sticks.contains("Row 3: 7 sticks\nCursor on 1 from row 3\n"),
        "{sticks}"
    );
}

#[test]
fn a_game_becomes_a_record() {
    let mut runner = ready(5);
    runner.keys("a a a wait");
    let mut text = String::new();
    let session = runner.console.session().unwrap();
    session.write_record(&mut text).unwrap();
    assert!(
        text.starts_with("game sticks rows=3,5,7 misere=yes\n3:1 "),
        "{text}"
    );
    assert_eq!(
        dojo_handheld::Session::from_kept(&runner.kept(Slot::Game(GameId::Sticks))).as_ref(),
        Some(session)
    );
}

const EVERYTHING: Abilities = Abilities {
    sound: true,
    motion: false,
    flash: true,
    boot_loader: true,
};

/// On the page Device of a device that can do everything.
fn at_device() -> Runner {
    let mut runner = ready(1);
    runner.handle(Event::Abilities(EVERYTHING));
    runner.keys("a to:Settings a to:This_device a");
    assert_eq!(runner.console.screen_name(), "device");
    runner.commands.clear();
    runner
}

fn without_clicks(runner: &Runner) -> Vec<Command> {
    let is_click = |command: &Command| {
        matches!(
            command,
            Command::Play {
                notes: [Note { millis: 8, .. }],
                ..
            }
        )
    };
    let commands = runner.commands.iter().copied();
    commands.filter(|command| !is_click(command)).collect()
}

#[test]
fn update_and_reset_are_asked_about_and_no_is_the_usual_answer() {
    for (keys, command) in [
        ("up up a", Command::BootLoader),
        ("up a", Command::FactoryReset),
    ] {
        for refusal in ["a", "b", "down b", "down down a", "left right x y a"] {
            let mut runner = at_device();
            runner.keys(keys);
            assert_eq!(runner.console.screen_name(), "confirm");
            runner.keys(refusal);
            assert_eq!(runner.console.screen_name(), "device", "{refusal}");
            assert_eq!(without_clicks(&runner), [], "{refusal}");
        }
        let mut runner = at_device();
        runner.keys(keys);
        runner.keys("down a");
        assert_eq!(without_clicks(&runner), [command]);
        runner.keys("a");
        assert_eq!(without_clicks(&runner), [command], "once is enough");
    }
    let mut runner = at_device();
    runner.keys("up a");
    let told = runner.told().replace('\n', " ");
    for lost in ["settings", "results", "belts", "games", "brains"] {
        assert!(told.contains(lost), "{told}");
    }
}

#[test]
fn what_the_runner_cannot_do_is_not_offered() {
    let mut runner = ready(1);
    runner.keys("a to:Settings a to:This_device a");
    let told = runner.told();
    assert!(told.contains("Battery: no gauge"), "{told}");
    assert!(
        !told.contains("update") && !told.contains("reset"),
        "{told}"
    );
    runner.keys("a");
    let told = runner.told();
    assert!(!told.contains("Sound") && !told.contains("Flash"), "{told}");
}

#[test]
fn the_test_of_buttons_sees_every_button_and_is_left_by_holding_b() {
    let mut runner = at_device();
    runner.keys("a a");
    for (number, button) in Button::ALL.into_iter().enumerate() {
        let not_yet = format!("{}: not yet\n", button.name());
        assert!(runner.told().contains(&not_yet));
        runner.press(button);
        let told = runner.told();
        assert!(
            told.contains(&format!("{}: pressed\n", button.name())),
            "{told}"
        );
        assert!(told.contains(&format!("{} of 8", number + 1)), "{told}");
        assert_eq!(runner.console.screen_name(), "button test");
    }
    runner.keys("b hold");
    assert_eq!(runner.console.screen_name(), "self-test");
}

#[test]
fn the_test_of_pixels_shows_both_colours_of_every_pixel() {
    for screen in Screen::ALL {
        let size = screen.size();
        let (mut lit, mut dark) = ([[false; 240]; 240], [[false; 240]; 240]);
        let mut runner = at_device();
        runner.keys("a down a");
        for _ in 0..4 {
            runner.keys("a");
            let picture = runner.picture(screen);
            for (x, y) in (0..size.height).flat_map(|y| (0..size.width).map(move |x| (x, y))) {
                let place =
                    |seen: &mut [[bool; 240]; 240], now| seen[y as usize][x as usize] |= now;
                let neighbour = picture.pixel((x + 1) % size.width, y);
                let is_lit = picture.pixel(x, y).is_lit();
                place(&mut lit, is_lit && !neighbour.is_lit());
                place(&mut dark, !is_lit && neighbour.is_lit());
            }
        }
        let all = |seen: &[[bool; 240]; 240]| {
            let rows = seen.iter().take(size.height as usize);
            rows.flat_map(|row| &row[..size.width as usize])
                .all(|&seen| seen)
        };
        assert!(
            all(&lit) && all(&dark),
            "{screen:?}: also beside its opposite"
        );
        runner.keys("a a a a");
        assert_eq!(runner.console.screen_name(), "pixel test");
        runner.keys("a");
        assert_eq!(
            runner.console.screen_name(),
            "self-test",
            "the last one leads back"
        );
    }
}

#[test]
fn the_scale_is_played_in_time_also_where_sound_is_off() {
    let mut runner = ready(1);
    runner.handle(Event::Abilities(Abilities {
        sound: true,
        ..Abilities::default()
    }));
    // Sound off, then Device, self-test, sound.
    runner.keys("a down down down down a a up a a down down");
    runner.commands.clear();
    runner.keys("a");
    let pitches = |runner: &Runner| -> Vec<u16> {
        let tones = runner.commands.iter().filter_map(|command| match command {
            Command::Play { notes, .. } => Some(notes[0].hertz),
            _ => None,
        });
        tones.collect()
    };
    assert_eq!(pitches(&runner), [523]);
    runner.wait(250);
    assert_eq!(pitches(&runner).len(), 1, "one tone at a time");
    runner.wait(2600);
    let scale = [523, 587, 659, 698, 784, 880, 988, 1047];
    assert_eq!(pitches(&runner), scale);
    runner.keys("a b");
    runner.wait(1000);
    assert_eq!(pitches(&runner).len(), 9, "leaving ends it");
}

#[test]
fn the_flash_is_tested_once_at_a_time_and_every_fault_is_told() {
    let mut runner = at_device();
    runner.keys("a up a a a");
    assert_eq!(without_clicks(&runner), [Command::TestFlash]);
    for (bank, saves, words) in [
        (BankTest::Whole(7), true, "Bank good: 7 models"),
        (BankTest::Damaged(3), true, "Bank damaged in entry 3"),
        (BankTest::Refused, true, "No bank"),
        (BankTest::Whole(7), false, "Saves FAILED"),
    ] {
        runner.handle(Event::FlashTested(FlashTest { bank, saves }));
        let told = runner.told().replace('\n', " ");
        assert!(told.contains(words), "{told}");
        assert_eq!(told.contains("Saves good"), saves, "{told}");
    }
    runner.keys("a");
    assert!(runner.told().contains("Testing"));
}

#[test]
fn a_battery_is_told_in_volts_and_percent() {
    let percent = |millivolts| {
        Battery {
            millivolts,
            charging: false,
        }
        .percent()
    };
    assert_eq!(
        [0, 3299, 3300, 4200, u16::MAX].map(percent),
        [0, 0, 0, 100, 100]
    );
    assert!((3300..4200).all(|volts| percent(volts) <= percent(volts + 1)));
    assert_eq!(percent(3800), 40);
    let mut runner = at_device();
    runner.handle(Event::Battery(Battery {
        millivolts: 3805,
        charging: true,
    }));
    assert!(runner.told().contains("Battery: 41 %, charging"));
    runner.keys("down a");
    assert!(runner.told().contains("3.80 V, 41 %, charging"));
    runner.handle(Event::Battery(Battery {
        millivolts: 3700,
        charging: false,
    }));
    assert!(runner.told().contains("3.70 V, 12 %\n"));
}

#[test]
fn a_shown_game_opens_in_review_and_a_damaged_one_is_refused() {
    let mut runner = ready(3);
    runner.keys("a a a wait a wait");
    let bytes = runner.kept(Slot::Game(GameId::Sticks));
    let played = moves(&runner);
    let mut other = ready(9);
    other.handle(Event::Show(&bytes));
    assert_eq!(other.console.screen_name(), "review");
    assert_eq!(moves(&other), played);
    other.wait(1000);
    assert_eq!(moves(&other), played, "nobody moves in a review");
    other.handle(Event::Show(&bytes[..bytes.len() - 1]));
    assert_eq!(other.console.screen_name(), "trouble");
    assert_eq!(moves(&other), played);
}

//! What the firmware does when something fails, or when a part is not as it should be.

use super::*;
use dojo_core::game::GameMove as _;
use dojo_core::games::AnyGame;
use dojo_core::games::go::GoMove;
use dojo_core::games::go::players::sensible_points;
use dojo_core::players::belts::Source;
use pico_emulator::{FlashTiming, OledController};

/// An undefined instruction, twice.
const UNDEFINED: [u8; 4] = [0x00, 0xDE, 0x00, 0xDE];
/// A branch to itself, twice.
const HANG: [u8; 4] = [0xFE, 0xE7, 0xFE, 0xE7];

/// Lets a device run that cannot but restart; returns how it ended and after how many microseconds.
fn run_to_the_end(device: &mut Device, seconds: u64) -> (Result<(), Fault>, u64) {
    device.pico.stop_on_hard_fault(false);
    let start = device.pico.now_us();
    let outcome = device.wait(seconds * 1000);
    (outcome, device.pico.now_us() - start)
}

#[test]
fn the_lcd_gets_its_time_after_a_warm_restart_and_none_too_much_after_power_on() {
    // From the moment that its reset pin is let go to the first command.
    let board = Wiring::Lcd.board();
    let reset = board.lcd.reset.expect("a line");
    let pause = |device: &mut Device| {
        device
            .pico
            .run_until(|pico| pico.pin(reset), 500_000)
            .expect("the pin goes up");
        let start = device.pico.now_us();
        device
            .pico
            .run_until(|pico| pico.spi_frames(board.spi()) > 0, 500_000)
            .expect("a command");
        device.pico.now_us() - start
    };
    let mut cold = Device::new(&image(bank::SHIPPED), Wiring::Lcd);
    let took = pause(&mut cold);
    assert!((5_000..60_000).contains(&took), "{took} us");
    let mut twin = booted(Wiring::Lcd);
    twin.device.pico.stop_on_hard_fault(false);
    let (place, before) = sabotage(&mut twin, &UNDEFINED);
    twin.until("a restart", |twin| twin.device.pico.stats().resets > 0);
    twin.device
        .pico
        .patch_flash(place, &before)
        .expect("it fits");
    let restart = twin.device.pico.now_us();
    let took = pause(&mut twin.device);
    assert!((120_000..180_000).contains(&took), "{took} us");
    twin.until_frame();
    assert!(
        twin.device.pico.now_us() - restart < 500_000,
        "the title is there in time all the same"
    );
}

#[test]
fn a_restart_loop_ends_in_the_boot_loader() {
    for (code, seconds) in [(UNDEFINED, 10), (HANG, 20)] {
        // In the console, and before there is a display.
        for part in ["7console7Console6handle", "8learning6brains"] {
            let mut device = Device::new(&image(bank::SHIPPED), Wiring::Lcd);
            device
                .pico
                .patch_flash(symbol(part).next_multiple_of(4), &code)
                .expect("it fits");
            let (outcome, took) = run_to_the_end(&mut device, seconds);
            assert!(
                matches!(outcome, Err(Fault::UsbBoot)),
                "{part}: {outcome:?} after {took} us"
            );
            assert_eq!(device.pico.stats().resets, 6, "{part}");
            println!("{part}, {code:02x?}: in the boot loader after {took} us");
        }
    }
}

#[test]
fn after_three_restarts_in_a_row_settings_and_game_are_left_out() {
    let mut twin = with_old_saves();
    twin.wait(1000);
    for restart in 1..=4 {
        restart_by(&mut twin, &UNDEFINED);
        assert_eq!(twin.console.session().is_some(), restart < 3);
        assert_eq!(twin.console.settings().brightness == 5, restart < 3);
        assert_eq!(twin.logged("event Trouble(\"Safe mode"), restart >= 3);
    }
    assert_eq!(twin.screen(), "trouble");
    // After ten seconds the run counts as good, and the next restart as the first.
    twin.wait(10_500);
    restart_by(&mut twin, &UNDEFINED);
    assert_eq!(
        twin.console.session().map(|session| session.moves().len()),
        Some(3),
        "the game was not touched"
    );
}

#[test]
fn buttons_that_are_held_at_the_start_choose_safe_mode_and_the_boot_loader() {
    let mut twin = booted(Wiring::Oled);
    twin.presses("A A A");
    twin.wait(1000);
    twin.device.pico.power_cycle();
    twin.device.press(Button::B);
    twin.until_frame();
    assert_eq!(
        (twin.screen(), twin.console.session().is_some()),
        ("trouble", false)
    );
    twin.wait(1000);
    assert_eq!(twin.screen(), "trouble", "holding it is no press");
    twin.device.release(Button::B);
    twin.wait(100);
    twin.press(Button::B);
    assert_eq!(twin.screen(), "title");
    twin.device.pico.power_cycle();
    twin.until_frame();
    assert_eq!(
        (twin.screen(), twin.moves()),
        ("board", 2),
        "nothing was lost"
    );
    twin.device.pico.power_cycle();
    twin.device.press(Button::B);
    twin.device.press(Button::Y);
    assert!(matches!(twin.device.wait(1000), Err(Fault::UsbBoot)));
}

#[test]
fn a_fault_while_a_line_is_logged_is_told_too() {
    let mut twin = booted(Wiring::Lcd);
    twin.device.pico.stop_on_hard_fault(false);
    let write = symbol("_defmt_write").next_multiple_of(4);
    let before = twin.device.pico.peek(write, 4);
    twin.device
        .pico
        .patch_flash(write, &UNDEFINED)
        .expect("it fits");
    twin.device.press(Button::A);
    twin.until("a restart", |twin| twin.device.pico.stats().resets > 0);
    twin.device.release(Button::A);
    assert_eq!(
        twin.device.pico.reset_reason(),
        ResetReason::WatchdogForced,
        "at once"
    );
    twin.device
        .pico
        .patch_flash(write, &before)
        .expect("it fits");
    twin.until_frame();
    assert!(twin.logged("event Trouble(\"It had to restart: fault at 0x10"));
    let record = format!(
        "crash of {} on core 0, registers [0x",
        env!("CARGO_PKG_VERSION")
    );
    assert!(twin.logged(&record));
}

/// The guard at the lower end of a core's stack, of 256 bytes.
fn guard(core: usize) -> u32 {
    [
        symbol("_stack_end").next_multiple_of(256),
        symbol("5stack5CORE1"),
    ][core]
}

/// Half-words of code and a literal behind them, eight bytes after the start or at the next
/// multiple of four.
fn code(halves: &[u16], literal: u32) -> Vec<u8> {
    let mut code: Vec<u8> = halves.iter().flat_map(|half| half.to_le_bytes()).collect();
    code.extend(literal.to_le_bytes());
    code
}

/// Takes 240 bytes of the stack at a time and writes to the last of them: first within the stack,
/// then inside the guard.
fn large_frames(guard: u32) -> Vec<u8> {
    // ldr r0, =start; mov sp, r0; again: sub sp, #240; str r0, [sp]; b again; nop.
    let steps = [0x4802, 0x4685, 0xB0BC, 0x9000, 0xE7FC, 0xBF00];
    code(&steps, guard + 100 + 2 * 240)
}

/// Lets this code run in the place of a function until the device restarts; the guard has to be
/// left alone. The core cannot even put its registers onto a stack that is used up, and locks up.
fn overflows(twin: &mut Twin, core: usize, place: u32, code: &[u8]) {
    twin.device.pico.stop_on_hard_fault(false);
    let forbidden = twin.device.pico.peek(guard(core), 256);
    let before = twin.device.pico.peek(place, code.len());
    twin.device.pico.patch_flash(place, code).expect("it fits");
    if core == 1 {
        twin.device.press(Button::A);
    }
    let resets = twin.device.pico.stats().resets;
    let end = twin.device.pico.now_us() + 6_000_000;
    while twin.device.pico.stats().resets == resets && twin.device.pico.now_us() < end {
        // The lock-up is reported once.
        let _ = twin.step();
    }
    twin.device.release(Button::A);
    assert!(
        twin.device.pico.stats().resets > resets,
        "the watchdog bites"
    );
    assert!(
        twin.device.pico.peek(guard(core), 256) == forbidden,
        "the guard was touched"
    );
    twin.device
        .pico
        .patch_flash(place, &before)
        .expect("it fits");
    twin.until_frame();
}

#[test]
fn a_stack_that_is_used_up_is_told() {
    let console = symbol("7console7Console6handle").next_multiple_of(4);
    // push {r0-r7}, again and again.
    let small_frames = [0xFF, 0xB4, 0xFD, 0xE7].to_vec();
    for code in [small_frames, large_frames(guard(0))] {
        let mut twin = booted(Wiring::Lcd);
        overflows(&mut twin, 0, console, &code);
        assert!(twin.logged("event Trouble(\"It had to restart: the stack of core 0 was used up"));
    }
}

#[test]
fn the_second_core_has_a_guard_as_large() {
    let mut twin = booted(Wiring::Lcd);
    twin.presses("A A");
    let think = symbol("8thinking7Thinker5think").next_multiple_of(4);
    overflows(&mut twin, 1, think, &large_frames(guard(1)));
    assert!(twin.logged("event Trouble(\"It had to restart: the second core hung"));
}

/// Lets the console fault with this stack pointer; the frame of registers fits below it.
fn faults_at(twin: &mut Twin, pointer: u32) {
    // ldr r0, =pointer; mov sp, r0; an undefined instruction.
    restart_by(twin, &code(&[0x4801, 0x4685, 0xDE00, 0xBF00], pointer));
}

#[test]
fn the_handler_of_faults_needs_nothing_of_the_stack_that_failed() {
    let mut twin = booted(Wiring::Lcd);
    let forbidden = twin.device.pico.peek(guard(0), 256);
    faults_at(&mut twin, guard(0) + 256 + 40);
    assert!(twin.logged("event Trouble(\"It had to restart: fault at 0x10"));
    assert!(twin.device.pico.peek(guard(0), 256) == forbidden);
}

#[test]
fn a_fault_far_below_the_stack_is_told_as_an_overflow() {
    let mut twin = booted(Wiring::Lcd);
    faults_at(&mut twin, symbol("8thinking5BLOCK") + 0x1000);
    assert!(twin.logged("event Trouble(\"It had to restart: stack overflow at 0x10"));
}

#[test]
fn a_hang_before_the_stacks_are_painted_is_no_overflow() {
    let mut twin = Twin::new(&image(bank::SHIPPED), Wiring::Lcd);
    let brains = symbol("8learning6brains").next_multiple_of(4);
    let before = twin.device.pico.peek(brains, 4);
    twin.device
        .pico
        .patch_flash(brains, &HANG)
        .expect("it fits");
    twin.until("a restart", |twin| twin.device.pico.stats().resets > 0);
    twin.device
        .pico
        .patch_flash(brains, &before)
        .expect("it fits");
    twin.until_frame();
    assert!(twin.logged("event Trouble(\"It had to restart: it hung."));
}

#[test]
fn the_second_core_waits_in_ram_while_the_flash_is_busy() {
    let handler = symbol("SIO_IRQ_PROC1");
    assert!(handler >= 0x2000_0000, "{handler:#x}");
    // And what it calls, if anything.
    let device = booted(Wiring::Oled).device;
    use object::{Object, ObjectSymbol};
    let file = object::File::parse(elf()).expect("an ELF file");
    let found = file
        .symbols()
        .find(|symbol| symbol.name() == Ok("SIO_IRQ_PROC1"))
        .expect("it is there");
    let code = device.pico.peek(handler, found.size() as usize);
    let halves: Vec<u16> = code
        .chunks_exact(2)
        .map(|half| u16::from_le_bytes([half[0], half[1]]))
        .collect();
    let calls = halves
        .windows(2)
        .filter(|pair| pair[0] >> 11 == 0b11110 && pair[1] >> 14 == 0b11)
        .count();
    assert_eq!(calls, 0);
}

/// `memory.x` lists them by name: a function of another name would silently stay in flash.
#[test]
fn playouts_run_from_ram() {
    use object::{Object, ObjectSymbol, SymbolKind};
    let file = object::File::parse(elf()).expect("an ELF file");
    let names = ["7playout", "Board3put", "Board4join", "Board5merge", "take"];
    for name in names {
        let places: Vec<_> = file
            .symbols()
            .filter(|symbol| symbol.kind() == SymbolKind::Text)
            .filter(|symbol| {
                symbol.name().is_ok_and(|found| {
                    found.starts_with("_ZN9dojo_core5games2go") && found.contains(name)
                })
            })
            .map(|symbol| symbol.address())
            .collect();
        assert!(!places.is_empty(), "{name}");
        assert!(
            places.iter().all(|&place| place >= 0x2000_0000),
            "{name}: {places:#x?}"
        );
    }
}

#[test]
fn a_second_core_that_hangs_restarts_the_device() {
    let mut twin = booted(Wiring::Lcd);
    twin.presses("A A");
    let think = symbol("8thinking7Thinker5think").next_multiple_of(4);
    let before = twin.device.pico.peek(think, 4);
    twin.device.pico.patch_flash(think, &HANG).expect("it fits");
    twin.press(Button::A);
    twin.until("a restart", |twin| twin.device.pico.stats().resets > 0);
    twin.device
        .pico
        .patch_flash(think, &before)
        .expect("it fits");
    twin.until_frame();
    assert!(twin.logged("event Trouble(\"It had to restart: the second core hung"));
}

#[test]
fn games_differ_even_if_the_noise_of_the_chip_does_not() {
    let start = |pause: u64| {
        let mut twin = Twin::new(&image(bank::SHIPPED), Wiring::Oled);
        twin.device.pico.seed_random(0);
        twin.until_frame();
        twin.device.pico.run_for(pause).expect("no fault");
        twin.press(Button::A);
        let line = |start: &str| {
            let line = twin
                .device
                .pico
                .log()
                .iter()
                .find(|line| line.text.starts_with(start))
                .expect("it is logged");
            event_log::readable(&line.text)
        };
        (line("Pocket Dojo"), line("event Seed"))
    };
    let [first, second] = [10_000, 10_321].map(start);
    assert_eq!(first.0, second.0, "the noise is always the same");
    assert_ne!(first.1, second.1);
}

#[test]
fn an_oled_is_found_at_its_other_address_and_when_it_is_late() {
    let oled = |address| {
        let display = boards::PICO.oled(OledController::Ssd1306, address);
        display.expect("it has a place for one")
    };
    let mut twin = Twin::new(&image(bank::SHIPPED), Wiring::Oled);
    twin.device.pico.attach(oled(0x3D));
    twin.until_frame();
    twin.wait(100);
    assert!(twin.is_lit() && twin.device.frame().bytes() == twin.expected().bytes());
    // Nothing answers at first, so that the LCD is taken.
    let mut twin = Twin::new(&image(bank::SHIPPED), Wiring::Oled);
    twin.device.pico.attach(boards::PICO.lcd());
    twin.wiring = Wiring::None;
    twin.until("an LCD", |twin| twin.logged("display lcd"));
    twin.wait(150);
    twin.device.pico.attach(oled(0x3C));
    twin.until("it takes over", |twin| twin.logged("display oled"));
    twin.wiring = Wiring::Oled;
    twin.wait(200);
    assert!(twin.is_lit() && twin.device.frame().bytes() == twin.expected().bytes());
    twin.press(Button::A);
    assert_eq!(twin.screen(), "menu");
}

#[test]
fn slow_flash_with_damaged_saves_is_erased_without_a_restart() {
    let mut device = Device::new(&image(bank::SHIPPED), Wiring::Oled);
    // Every sector looks closed, and none open.
    device
        .pico
        .patch_flash(SAVES_ADDRESS, &[0; SAVES_BYTES as usize])
        .expect("it fits");
    device.pico.flash_mut().timing = FlashTiming::MAXIMUM;
    device
        .pico
        .run_until_log("event Ready", 15_000_000)
        .expect("it starts");
    assert_eq!(device.pico.stats().resets, 0);
    assert!(
        device
            .pico
            .log()
            .iter()
            .any(|line| event_log::readable(&line.text).contains("had to be erased"))
    );
}

/// A device with the saves that the firmware of version 0.1.0 wrote: settings, statistics and a
/// game after three moves.
fn with_old_saves() -> Twin {
    let old = include_bytes!("../data/saves-0.1.0.bin");
    let mut image = image(bank::SHIPPED);
    image.patch(SAVES_ADDRESS, old).expect("it fits");
    Twin::boot(&image, Wiring::Lcd)
}

#[test]
fn saves_of_older_firmware_are_read() {
    let twin = with_old_saves();
    assert_eq!((twin.screen(), twin.moves()), ("board", 3));
    assert!(!twin.logged("event Trouble"));
    let settings = twin.console.settings();
    assert_eq!(
        (settings.sound, settings.brightness, settings.shift),
        (false, 5, Shift::Yes)
    );
    assert_eq!(
        twin.console
            .statistics()
            .tally(GameId::Sticks, Belt::Yellow)
            .won,
        1
    );
}

/// Hints, the machine's replies and its mind view, in the games that need most.
#[test]
fn both_stacks_keep_their_reserve_in_the_worst_games() {
    for (id, think) in [(GameId::Iwoki, 2500), (GameId::Go, 700)] {
        let seats = [Seat::Person, Seat::Machine(Belt::Black)];
        let session = Session::new(
            Setup {
                rules: AnyRules::new(id),
                seats,
                starter: Starter::One,
            },
            Player::First,
        );
        let mut image = image(bank::SHIPPED);
        image
            .patch(SAVES_ADDRESS, &with_game(&session).expect("a short game"))
            .expect("the saves fit");
        let mut twin = Twin::boot(&image, Wiring::Lcd);
        for _ in 0..2 {
            twin.press(Button::X);
            twin.wait(think);
            twin.press(Button::A);
            twin.wait(think);
        }
        twin.hold(Button::B, 700);
        twin.wait(TAP_MS);
        assert_eq!(twin.screen(), "pause");
        twin.presses("up up A");
        twin.wait(think);
        twin.presses("B B");
        twin.wait(4000);
        let [[core0, _], [core1, _]] = stack_free(&twin);
        println!("{id:?}: core 0 has {core0} bytes free, core 1 {core1}");
        assert!(
            core0 >= 20 * 1024 && core1 >= 16 * 1024,
            "{id:?}: {core0} and {core1} bytes"
        );
    }
}

/// A position of 9×9 Go after random stones, with this machine to move.
fn against_ancestor(number: u8, plies: usize) -> Session {
    let seats = [Seat::Person, Seat::Ancestor(number)];
    let setup = Setup {
        rules: AnyRules::new(GameId::Go),
        seats,
        starter: Starter::One,
    };
    let mut session = Session::new(setup, Player::First);
    let mut rng = Rng::new(plies as u64);
    while session.moves().len() < plies {
        let AnyGame::Go(game) = session.game() else {
            unreachable!("a game of Go")
        };
        let point = rng.pick(sensible_points(game)).expect("a point is free");
        let index = GoMove::Stone(point).index();
        session.play(index).expect("it is legal");
    }
    session
}

/// The published players of Go look deeper the fewer moves there are.
#[test]
fn the_ancestors_of_go_play_as_here_within_their_stack() {
    for (number, plies) in [(0, 45), (0, 71), (1, 61)] {
        let session = against_ancestor(number, plies);
        let mut image = image(bank::SHIPPED);
        image
            .patch(SAVES_ADDRESS, &with_game(&session).expect("it fits"))
            .expect("the saves fit");
        let mut twin = Twin::boot(&image, Wiring::Oled);
        twin.until("a question", |twin| twin.logged("think 1"));
        let question = twin.console.question(1).expect("the same question here");
        assert_eq!(question.ancestor, Some(number));
        let bank = Bank::new(bank::SHIPPED).expect("the shipped bank");
        let here = thinking::answer(&question, Some(&bank)).expect("the game is on");
        assert_eq!(here.source, Source::Brain);
        let start = twin.device.pico.now_us();
        twin.until("an answer", |twin| twin.logged("event Answer { id: 1,"));
        let took = twin.device.pico.now_us() - start;
        assert!(
            twin.logged(&format!(
                "event Answer {{ id: 1, answer: Some(Answer {{ decision: {:?}, source: Brain",
                here.decision
            )),
            "after {plies} moves it is {here:?} here"
        );
        twin.wait(4000);
        let [_, [core1, _]] = stack_free(&twin);
        println!("ancestor {number} after {plies} moves: {took} µs, core 1 has {core1} bytes free");
        assert!(core1 >= 16 * 1024, "{core1} bytes");
        assert!(took <= 10_000_000, "{took} µs");
    }
}

//! The firmware's own image, booted and played in the emulator.
//!
//! The image logs every event that it tells the console and every picture that it has sent.
//! [`Twin`] tells the same events to a console on the PC and compares the pictures pixel by pixel.
//! Wherever a test lets time pass, it does so through the twin: no frame goes unseen.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use dojo::device::saves::{RamFlash, SAVES_ADDRESS, SAVES_BYTES, slots_in, with_game};
use dojo::device::{Device, TAP_MS, Wiring, boards, event_log};
use dojo_core::bank::Bank;
use dojo_core::bank::kept::{Kept as KeptBrains, REGION};
use dojo_core::belt::Belt;
use dojo_core::flash_map::{self, BANK, Region, SAVE, USER};
use dojo_core::fraction::Fraction;
use dojo_core::game::Player;
use dojo_core::games::dots::learner::LEAVE_VALUES;
use dojo_core::games::pupil::Pupil;
use dojo_core::games::speed;
use dojo_core::games::thinking;
use dojo_core::games::{AnyRules, GameId};
use dojo_core::rng::Rng;
use dojo_handheld::{Button, Console, Event, Frame, Seat, Session, Setup, Shift, Slot, Starter};
use dojo_lab::bank;
use dojo_lab::flash::BANK_ADDRESS;
use embassy_futures::block_on;
use pico_emulator::{
    CutMoment, Display, Fault, FlashOperationKind, FlashTiming, Image, ResetReason,
};
use sequential_storage::cache::Cache;
use sequential_storage::map::{MapConfig, MapStorage};

mod device_page;
mod keeping;
mod motion;
mod path;
mod picosystem;
mod power;
mod robust;
mod tour;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Where the image of the Pico lies.
const FIRMWARE: &str = "target/firmware/pico.elf";

/// The firmware for a board, built by the one recipe for it.
fn elf_of(wiring: Wiring) -> &'static [u8] {
    static ELFS: [OnceLock<Vec<u8>>; 2] = [const { OnceLock::new() }; 2];
    let board = wiring.build();
    ELFS[usize::from(board == "picosystem")].get_or_init(|| {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        let status = Command::new(cargo)
            .args(["xtask", "firmware", board, "--quiet"])
            .current_dir(root())
            .status();
        assert!(
            status.is_ok_and(|status| status.success()),
            "the firmware must build: `cargo xtask firmware {board}`"
        );
        std::fs::read(root().join(format!("target/firmware/{board}.elf")))
            .expect("the image is there")
    })
}

/// The firmware for a Pico.
fn elf() -> &'static [u8] {
    elf_of(Wiring::Lcd)
}

/// Flash with the firmware for a board, and with these bytes where the bank belongs.
fn image_of(wiring: Wiring, bank: &[u8]) -> Image {
    let mut image = Image::from_elf(elf_of(wiring)).expect("a good image");
    image.patch(BANK_ADDRESS, bank).expect("the bank fits");
    image
}

/// The same for a Pico.
fn image(bank: &[u8]) -> Image {
    image_of(Wiring::Lcd, bank)
}

/// A device with the shipped bank that has just shown its title; each is booted once and copied.
fn booted(wiring: Wiring) -> Twin {
    static BOOTED: [OnceLock<Twin>; 5] = [const { OnceLock::new() }; 5];
    BOOTED[wiring as usize]
        .get_or_init(|| Twin::boot(&image_of(wiring, bank::SHIPPED), wiring))
        .clone()
}

/// A device and a console on the PC that is told the same.
struct Twin {
    device: Device,
    wiring: Wiring,
    console: Console,
    /// What the console was told since it was made, to make it again in a copy.
    told: Vec<String>,
    /// The log up to `read`, with its events in words.
    lines: Vec<String>,
    /// How often the console was told the time, and the last time.
    ticks: u32,
    now: u32,
    read: usize,
    frames: usize,
}

impl Clone for Twin {
    fn clone(&self) -> Twin {
        let mut twin = Twin {
            device: self.device.clone(),
            console: Console::new(0),
            told: vec![],
            lines: self.lines.clone(),
            ticks: 0,
            now: 0,
            ..*self
        };
        for line in &self.told {
            twin.tell(line);
        }
        twin
    }
}

impl Twin {
    fn new(image: &Image, wiring: Wiring) -> Twin {
        let device = Device::new(image, wiring);
        Twin {
            device,
            wiring,
            console: Console::new(0),
            told: vec![],
            lines: vec![],
            ticks: 0,
            now: 0,
            read: 0,
            frames: 0,
        }
    }

    fn boot(image: &Image, wiring: Wiring) -> Twin {
        let mut twin = Twin::new(image, wiring);
        twin.until_frame();
        twin
    }

    /// Takes in what the device has logged; compares the picture at the end of every frame.
    fn follow(&mut self) {
        while let Some(line) = self.device.pico.log().get(self.read) {
            let line = line.text.clone();
            self.read += 1;
            self.lines.push(event_log::readable(&line));
            if line.starts_with("frame ") {
                self.frames += 1;
                self.compare(&line);
            } else {
                self.tell(&line);
            }
        }
    }

    /// Tells the console what a line of the log says, if it is an event.
    fn tell(&mut self, line: &str) {
        if let Some((_, seed)) = line
            .strip_prefix("Pocket Dojo ")
            .and_then(|line| line.split_once("seed "))
        {
            // A new start: of the device, and so of the console.
            self.console = Console::new(seed.parse().expect("a seed"));
            self.told = vec![line.into()];
            (self.ticks, self.now) = (0, 0);
            return;
        }
        let number = |text: &str| text.parse().expect("a number");
        if let Some(count) = line.strip_prefix("ticks ") {
            self.told.push(line.into());
            while self.ticks < number(count) {
                self.ticks += 1;
                self.now += self.console.step();
                self.console.handle(Event::Tick(self.now));
            }
            return;
        }
        let told = event_log::event(line, |event| self.console.handle(event));
        match told {
            Some(()) => self.told.push(line.into()),
            None => assert!(!line.starts_with("event "), "unknown event: {line}"),
        }
    }

    fn expected(&mut self) -> Frame {
        let mut frame = Frame::new(self.wiring.screen());
        self.console.draw(&mut frame);
        frame
    }

    fn compare(&mut self, line: &str) {
        // The setting can make an SH1106 show the picture shifted; its test looks for itself.
        if matches!(self.wiring, Wiring::None | Wiring::Sh1106) || !self.is_lit() {
            return;
        }
        let expected = self.expected();
        let shown = self.device.frame();
        if shown.bytes() != expected.bytes() {
            let picture = |frame, name: &str| {
                let file = std::env::temp_dir().join(name);
                std::fs::write(
                    &file,
                    dojo::handheld::picture::png(frame, 2).expect("a picture"),
                )
                .expect("written");
                file
            };
            let (a, b) = (
                picture(&shown, "device.png"),
                picture(&expected, "console.png"),
            );
            panic!(
                "{line}: the device shows {}, the console draws {}",
                a.display(),
                b.display()
            );
        }
    }

    /// Whether the display shows anything: an OLED is dark until its first picture is whole.
    fn is_lit(&self) -> bool {
        match self.device.pico.display() {
            Some(Display::Oled(oled)) => oled.is_on(),
            Some(Display::St7789(panel)) => panel.is_on(),
            None => false,
        }
    }

    fn step(&mut self) -> Result<(), Fault> {
        // No longer than the shortest time between the end of a frame and the start of the next.
        let outcome = self.device.pico.run_for(100);
        self.follow();
        outcome
    }

    fn wait(&mut self, millis: u64) {
        self.wait_us(millis * 1000);
    }

    fn wait_us(&mut self, micros: u64) {
        let end = self.device.pico.now_us() + micros;
        while self.device.pico.now_us() < end {
            self.step().expect("no fault");
        }
    }

    fn until(&mut self, what: &str, mut done: impl FnMut(&Twin) -> bool) {
        let end = self.device.pico.now_us() + 10_000_000;
        while !done(self) {
            assert!(
                self.device.pico.now_us() < end,
                "{what} did not happen; it shows {}",
                self.console.screen_name()
            );
            self.step().expect("no fault");
        }
    }

    fn until_frame(&mut self) {
        let frames = self.frames;
        self.until("a frame", |twin| twin.frames > frames);
    }

    fn press(&mut self, button: Button) {
        self.hold(button, TAP_MS);
        self.wait(TAP_MS);
    }

    fn hold(&mut self, button: Button, millis: u64) {
        self.device.press(button);
        self.wait(millis);
        self.device.release(button);
    }

    fn presses(&mut self, names: &str) {
        names.split(' ').for_each(|name| self.press(button(name)));
    }

    fn screen(&self) -> &'static str {
        self.console.screen_name()
    }

    /// The log, with its events in words.
    fn log(&self) -> impl Iterator<Item = String> {
        let rest = &self.device.pico.log()[self.read..];
        let rest = rest.iter().map(|line| event_log::readable(&line.text));
        self.lines.iter().cloned().chain(rest)
    }

    fn logged(&self, text: &str) -> bool {
        let rest = &self.device.pico.log()[self.read..];
        self.lines.iter().any(|line| line.contains(text))
            || rest
                .iter()
                .any(|line| event_log::readable(&line.text).contains(text))
    }

    fn moves(&self) -> usize {
        self.console
            .session()
            .map_or(0, |session| session.moves().len())
    }

    /// Plays the running game to its end: takes the hint whenever it is the person's turn.
    fn play_to_the_end(&mut self) {
        while self.screen() == "board" {
            let moves = self.moves();
            self.press(Button::X);
            self.wait(100);
            if self.screen() == "board" && self.moves() == moves {
                self.press(Button::A);
                self.wait(600);
            }
        }
        // A new result does not take A at once.
        self.wait(600);
    }
}

fn button(name: &str) -> Button {
    Button::from_name(name).expect("a button")
}

#[test]
fn boots_to_the_title_and_the_menu_on_every_display() {
    for wiring in Wiring::ALL {
        let mut twin = booted(wiring);
        assert_eq!(twin.screen(), "title", "{wiring:?}");
        assert!(
            twin.device.pico.now_us() < 500_000,
            "{wiring:?}: {} us",
            twin.device.pico.now_us()
        );
        twin.wait(100);
        twin.press(Button::A);
        assert_eq!(twin.screen(), "menu", "{wiring:?}");
        assert!(twin.frames >= 2);
        if let Some(Display::St7789(panel)) = twin.device.pico.display() {
            assert!(panel.complaints().is_empty(), "{:?}", panel.complaints());
        }
    }
}

#[test]
fn the_file_for_each_board_boots_and_leaves_saves_alone() {
    for wiring in [Wiring::Lcd, Wiring::PicoSystem] {
        let file =
            pico_image::uf2::firmware_with_bank(elf_of(wiring), bank::SHIPPED).expect("a file");
        let uf2 = Image::from_uf2(&file)
            .expect("a good file")
            .with_symbols_of(elf_of(wiring))
            .expect("symbols");
        assert!(
            uf2.flash() == image_of(wiring, bank::SHIPPED).flash(),
            "code and bank are at their places"
        );
        let sectors: Vec<u32> = file.chunks(512).map(|block| word(block, 12)).collect();
        assert!(
            sectors.iter().all(|&address| address < USER.address),
            "USER and SAVE are not touched"
        );
        assert_eq!(sectors.len() % 16, 0, "every sector is filled");
        assert_eq!(
            sectors
                .iter()
                .filter(|&&address| address % 4096 == 0)
                .count()
                * 16,
            sectors.len()
        );
        assert_eq!(sectors[0], 0x1000_0000);
        let twin = Twin::boot(&uf2, wiring);
        assert_eq!(twin.screen(), "title");
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

/// `cargo run` for the firmware, with a program in the place of `probe-rs` that notes its
/// arguments.
#[cfg(unix)]
#[test]
fn a_probe_gets_the_bank_and_the_firmware() {
    use std::os::unix::fs::PermissionsExt;
    elf();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("probe");
    let (tool, notes) = (folder.join("probe-rs"), folder.join("notes"));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let run = |path: &std::ffi::OsStr| {
        let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
        Command::new(cargo)
            .args(["xtask", "probe", FIRMWARE])
            .current_dir(root())
            .env("PATH", path)
            .output()
            .expect("cargo runs")
    };
    let without = std::env::join_paths(
        std::env::split_paths(&path).filter(|folder| !folder.join("probe-rs").exists()),
    )
    .expect("a path");
    let missing = run(&without);
    let said = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(
        !missing.status.success() && said.contains("cargo install probe-rs-tools"),
        "{said}"
    );
    let script = format!("#!/bin/sh\necho \"$@\" >> {}\n", notes.display());
    std::fs::write(&tool, script).expect("written");
    std::fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).expect("runnable");
    let with =
        std::env::join_paths(std::iter::once(folder.clone()).chain(std::env::split_paths(&path)));
    let outcome = run(&with.expect("a path"));
    assert!(outcome.status.success(), "{outcome:?}");
    let notes = std::fs::read_to_string(&notes).expect("it was called");
    let [download, run] = notes.lines().collect::<Vec<_>>()[..] else {
        panic!("{notes}")
    };
    let place = format!(
        "download --chip RP2040 --preverify --binary-format bin --base-address {BANK_ADDRESS:#x} "
    );
    assert!(
        download.starts_with(&place) && download.ends_with("models/dojo.bank"),
        "{download}"
    );
    assert_eq!(run, format!("run --chip RP2040 {FIRMWARE}"));
    let config = std::fs::read_to_string(root().join(".cargo/config.toml")).expect("settings");
    assert!(config.contains("runner = \"cargo xtask probe\""));
}

#[test]
fn the_map_is_as_frozen() {
    let map = std::fs::read_to_string(root().join("memory.x")).expect("the map");
    assert!(map.contains("FLASH : ORIGIN = 0x10000100, LENGTH = 512K - 0x100"));
    // Saves and brains that people have on their devices lie there.
    let kib = |region: Region| (region.address, region.length / 1024);
    assert_eq!(kib(BANK), (0x1008_0000, 1344));
    assert_eq!(kib(USER), (0x101D_0000, 128));
    assert_eq!(kib(SAVE), (0x101F_0000, 64));
}

#[test]
fn an_sh1106_says_what_it_is_and_the_setting_has_the_last_word() {
    let is_right = |twin: &mut Twin| twin.device.frame().bytes() == twin.expected().bytes();
    let is_shifted = |twin: &mut Twin| {
        let (shown, expected) = (twin.device.frame(), twin.expected());
        (0..126).all(|x| (0..64).all(|y| shown.pixel(x, y) == expected.pixel(x + 2, y)))
    };
    let mut twin = booted(Wiring::Sh1106);
    twin.wait(100);
    assert!(
        is_right(&mut twin) && !is_shifted(&mut twin),
        "its status byte is read"
    );
    twin.press(Button::A);
    while twin.screen() != "settings" {
        twin.press(Button::Down);
        let mut trial = twin.clone();
        trial.press(Button::A);
        if trial.screen() == "settings" {
            twin = trial;
        }
    }
    twin.presses("up up A");
    assert_eq!(
        twin.console.settings().shift,
        Shift::Yes,
        "the setting was found"
    );
    twin.wait(100);
    assert!(is_right(&mut twin));
    twin.press(Button::A);
    assert_eq!(twin.console.settings().shift, Shift::No);
    twin.wait(100);
    assert!(is_shifted(&mut twin));
    twin.device.pico.power_cycle();
    twin.until_frame();
    twin.wait(100);
    assert!(is_shifted(&mut twin), "it is kept");
}

#[test]
fn random_flash_times_and_a_stuck_or_biased_random_bit_do_no_harm() {
    for (seed, ones) in [(1, 0), (2, 256), (3, 20)] {
        let mut twin = Twin::new(&image(bank::SHIPPED), Wiring::Lcd);
        twin.device.pico.bias_random(ones);
        twin.device.pico.flash_mut().vary_timing(seed);
        twin.until_frame();
        twin.presses("A A A");
        twin.until("a reply", |twin| twin.moves() == 2);
        twin.wait(5000);
        twin.device.pico.power_cycle();
        twin.until_frame();
        assert_eq!(
            (twin.screen(), twin.moves()),
            ("board", 2),
            "{ones} of 256 bits are ones"
        );
        assert_eq!(twin.device.pico.refusals(), []);
    }
}

#[test]
fn whole_games_are_played_by_pressing_buttons() {
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        for (id, way) in [
            (GameId::Sticks, "A A"),
            (GameId::TicTacToe, "A down A down A A"),
        ] {
            let mut twin = booted(wiring);
            twin.presses(way);
            assert_eq!(twin.screen(), "board", "{wiring:?}");
            assert_eq!(
                twin.console.session().map(|session| session.game().id()),
                Some(id)
            );
            twin.play_to_the_end();
            assert_eq!(twin.screen(), "result");
            let session = twin.console.session().expect("a finished game");
            assert!(session.game().outcome().is_some());
            assert!(twin.logged("event Answer"));
            let source = if id == GameId::Sticks {
                "source: Brain"
            } else {
                "source: Rules"
            };
            assert!(twin.logged(source));
            assert!(twin.frames > 15, "{} frames were compared", twin.frames);
        }
    }
}

#[test]
fn the_mind_of_the_machine_is_shown_as_the_pc_shows_it() {
    let mut twin = booted(Wiring::Lcd);
    twin.presses("A A B up up A");
    assert_eq!(twin.screen(), "board");
    twin.until("thoughts", |twin| twin.logged("event Mind"));
    twin.press(Button::A);
    twin.wait(2500);
    assert_eq!(twin.moves(), 2, "it thought aloud, then moved");
    let minds = twin
        .device
        .pico
        .log()
        .iter()
        .filter(|line| line.text.starts_with("event Mind"))
        .count();
    assert_eq!(minds, 3, "before, during and after its move");
}

#[test]
fn holding_b_opens_the_pause_menu_and_the_joystick_confirms() {
    let mut twin = booted(Wiring::Oled);
    twin.presses("A A");
    twin.hold(Button::B, 700);
    assert_eq!(twin.screen(), "pause");
    let mut twin = booted(Wiring::Oled);
    let (_, press) = boards::PICO
        .buttons
        .iter()
        .rfind(|(button, _)| *button == Button::A)
        .expect("the second of A's pins");
    twin.device.pico.set_pin(*press, false);
    twin.wait(TAP_MS);
    twin.device.pico.release_pin(*press);
    assert_eq!(twin.screen(), "menu");
}

#[test]
fn a_game_goes_on_after_the_power_was_off() {
    for wiring in [Wiring::Lcd, Wiring::Oled, Wiring::PicoSystem] {
        let mut twin = booted(wiring);
        twin.presses("A A A");
        twin.wait(1000);
        let moves = twin.console.session().expect("a game").moves().to_vec();
        assert_eq!(moves.len(), 2, "{wiring:?}");
        twin.device.pico.power_cycle();
        twin.until_frame();
        assert_eq!(twin.screen(), "board");
        assert_eq!(twin.console.session().expect("the game").moves(), moves);
        twin.play_to_the_end();
        assert_eq!(twin.screen(), "result");
        twin.wait(100);
        let statistics = twin.console.statistics().clone();
        assert_ne!(statistics, Default::default());
        twin.device.pico.power_cycle();
        twin.until_frame();
        assert_eq!(twin.screen(), "title", "a finished game is not taken up");
        assert_eq!(*twin.console.statistics(), statistics);
    }
}

#[test]
fn a_bank_that_is_missing_or_wrong_is_told_and_rules_stand_in() {
    let mut wrong_version = bank::SHIPPED.to_vec();
    wrong_version[8] += 1;
    let mut corrupt = bank::SHIPPED.to_vec();
    corrupt[40] ^= 1;
    for (bytes, fault) in [
        (vec![], "Blank"),
        (wrong_version, "Format"),
        (corrupt, "HeaderCrc"),
    ] {
        let bytes: &'static [u8] = bytes.leak();
        // What the device sees is the whole region.
        let region: &'static [u8] = image(bytes).flash()
            [BANK.offset() as usize..USER.offset() as usize]
            .to_vec()
            .leak();
        assert!(format!("{:?}", Bank::new(region).expect_err("refused")).starts_with(fault));
        let mut twin = Twin::boot(&image(bytes), Wiring::Lcd);
        assert!(twin.logged("event Bank(Err("));
        assert_eq!(twin.screen(), "trouble");
        twin.presses("A A A");
        assert_eq!(twin.screen(), "board");
        twin.play_to_the_end();
        assert_eq!(twin.screen(), "result");
        assert!(!twin.logged("source: Brain"));
    }
    // A damaged payload is noticed when its brain is first asked.
    let mut payload = bank::SHIPPED.to_vec();
    let last = payload.len() - 1;
    payload[last] ^= 1;
    let payload: &'static [u8] = payload.leak();
    let twin = Twin::boot(&image(payload), Wiring::Lcd);
    assert_eq!(twin.screen(), "title");
}

#[test]
fn random_presses_leave_the_lcd_alive() {
    press_at_random(Wiring::Lcd, 200, 1);
}

#[test]
fn random_presses_leave_the_oled_alive() {
    press_at_random(Wiring::Oled, 800, 2);
}

#[test]
#[ignore = "takes a minute: `cargo xtask full` runs it"]
fn the_slowest_flash_leaves_every_display_alive() {
    for (wiring, seed) in [
        (Wiring::Lcd, 3),
        (Wiring::Oled, 4),
        (Wiring::Sh1106, 5),
        (Wiring::PicoSystem, 6),
    ] {
        let mut twin = booted(wiring);
        twin.device.pico.flash_mut().timing = FlashTiming::MAXIMUM;
        twin.presses("A A");
        twin.play_to_the_end();
        assert_eq!(twin.screen(), "result", "{wiring:?}");
        stays_alive(&mut twin, 600, seed);
        assert_eq!(twin.device.pico.refusals(), [], "{wiring:?}");
    }
}

fn press_at_random(wiring: Wiring, presses: usize, seed: u64) {
    stays_alive(&mut booted(wiring), presses, seed);
}

/// Presses, short and long, in quick succession: nothing restarts, every frame is right, and time
/// goes on.
fn stays_alive(twin: &mut Twin, presses: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    for _ in 0..presses {
        let button = Button::ALL[rng.below(8) as usize];
        let millis = if rng.below(20) == 0 {
            700
        } else {
            5 + u64::from(rng.below(60))
        };
        twin.hold(button, millis);
        twin.wait(u64::from(rng.below(80)));
    }
    assert_eq!(twin.device.pico.stats().resets, 0);
    // The log has the time wherever something happens.
    twin.press(Button::Up);
    let before = twin.now;
    twin.wait(1000 - 2 * TAP_MS);
    twin.press(Button::Up);
    assert!(
        (950..=1050).contains(&(twin.now - before)),
        "{}",
        twin.now - before
    );
}

/// Overwrites the start of the console's code: what runs there next is ours.
fn sabotage(twin: &mut Twin, code: &[u8]) -> (u32, Vec<u8>) {
    let handle = symbol_of(twin.wiring, "7console7Console6handle").next_multiple_of(4);
    let before = twin.device.pico.peek(handle, code.len());
    twin.device.pico.patch_flash(handle, code).expect("it fits");
    (handle, before)
}

/// The address of the one function whose mangled name contains this, in the image of a Pico.
fn symbol(part: &str) -> u32 {
    symbol_of(Wiring::Lcd, part)
}

/// The same in the image of a board.
fn symbol_of(wiring: Wiring, part: &str) -> u32 {
    use object::{Object, ObjectSymbol};
    let file = object::File::parse(elf_of(wiring)).expect("an ELF file");
    let found: Vec<_> = file
        .symbols()
        .filter(|symbol| {
            symbol
                .name()
                .is_ok_and(|name| name.contains(part) && !name.contains("Thunk"))
        })
        .collect();
    assert_eq!(found.len(), 1, "{part}");
    found[0].address() as u32 & !1
}

/// Lets the device run into the sabotage, repairs the flash and waits for the first frame after the
/// restart.
fn restart_by(twin: &mut Twin, code: &[u8]) -> u64 {
    twin.device.pico.stop_on_hard_fault(false);
    let (place, before) = sabotage(twin, code);
    let resets = twin.device.pico.stats().resets;
    let start = twin.device.pico.now_us();
    twin.until("a restart", |twin| twin.device.pico.stats().resets > resets);
    let took = twin.device.pico.now_us() - start;
    twin.device
        .pico
        .patch_flash(place, &before)
        .expect("it fits");
    twin.until_frame();
    took
}

#[test]
fn a_fault_is_told_once_after_the_restart() {
    let mut twin = booted(Wiring::Lcd);
    twin.presses("A A A");
    twin.wait(1000);
    // An undefined instruction.
    restart_by(&mut twin, &[0x00, 0xDE, 0x00, 0xDE]);
    assert_eq!(twin.device.pico.reset_reason(), ResetReason::WatchdogForced);
    assert_eq!(twin.screen(), "trouble");
    assert!(twin.logged("event Trouble(\"It had to restart: fault at 0x10"));
    twin.press(Button::A);
    assert_eq!(twin.screen(), "board", "and the game goes on");
    twin.device.pico.power_cycle();
    twin.until_frame();
    assert_eq!(twin.screen(), "board", "it is told once");
}

#[test]
fn a_panic_is_told_with_its_message_and_place() {
    let mut twin = booted(Wiring::Oled);
    twin.press(Button::A);
    // Calls the panic of an index out of bounds: ldr r0..r3, =constants; bx r3. The location points
    // behind them.
    let handle = symbol("7console7Console6handle").next_multiple_of(4);
    let panic = symbol("9panicking18panic_bounds_check");
    let mut code: Vec<u8> = [
        0x4803u16, 0x4904, 0x4A04, 0x4B05, 0x4718, 0xBF00, 0xBF00, 0xBF00,
    ]
    .into_iter()
    .flat_map(u16::to_le_bytes)
    .collect();
    let location = handle + 32;
    for word in [9, 5, location, panic | 1, handle + 48, 7, 42, 1] {
        code.extend(u32::to_le_bytes(word));
    }
    code.extend(b"test.rs\0");
    restart_by(&mut twin, &code);
    assert_eq!(twin.screen(), "trouble");
    let told = "event Trouble(\"It had to restart: index out of bounds: the len is 5 but the index is 9 (test.rs:42)";
    assert!(twin.logged(told));
}

#[test]
fn the_watchdog_restarts_a_loop_that_hangs() {
    let mut twin = booted(Wiring::Lcd);
    twin.wait(200);
    // A branch to itself.
    let took = restart_by(&mut twin, &[0xFE, 0xE7, 0xFE, 0xE7]);
    assert!((1_900_000..2_200_000).contains(&took), "{took} us");
    assert_eq!(twin.screen(), "trouble");
    assert!(twin.logged("event Trouble(\"It had to restart: it hung."));
}

#[test]
fn light_and_sound_are_on_their_pins() {
    for wiring in [Wiring::Lcd, Wiring::PicoSystem] {
        let (light_pin, sound_pin) = (wiring.board().light, wiring.board().sound);
        let mut twin = booted(wiring);
        twin.wait(50);
        let light = |twin: &Twin| {
            let pwm = twin.device.pico.pwm(light_pin);
            pwm.map(|pwm| (pwm.duty * 100.0).round())
        };
        let tone = |twin: &Twin| {
            let pwm = twin.device.pico.pwm(sound_pin);
            pwm.filter(|pwm| pwm.duty > 0.01)
        };
        assert_eq!(light(&twin), Some(80.0), "{wiring:?}");
        // A click, while the button is still down.
        twin.device.press(Button::A);
        twin.until("a tone", |twin| tone(twin).is_some());
        let hertz = tone(&twin).expect("a tone").frequency_hz;
        assert!((1165.0..1185.0).contains(&hertz), "{wiring:?}: {hertz}");
        twin.device.release(Button::A);
        twin.device.wait(61_000).expect("no fault");
        assert_eq!(light(&twin), Some(5.0), "{wiring:?}: dimmed");
        twin.device.wait(241_000).expect("no fault");
        assert_eq!(light(&twin), Some(0.0), "{wiring:?}: dark");
        twin.device.tap(Button::A).expect("no fault");
        assert_eq!(light(&twin), Some(80.0), "{wiring:?}: awake");
    }
}

/// Figures of the device, measured in emulated time, beside the budgets that they have to keep.
/// With `DOJO_BLESS` set they go into `docs/measurements.md`.
#[test]
fn measured_figures_keep_their_budgets() {
    let mut rows = vec![];
    let mut row = |what: String, value: u64, unit: &str, budget: Option<u64>| {
        let limit = budget.map_or(String::new(), |budget| {
            format!("{} {unit}", thousands(budget))
        });
        rows.push(format!(
            "| {what} | {} {unit} | {limit} |",
            thousands(value)
        ));
        assert!(
            budget.is_none_or(|budget| value <= budget),
            "{what}: {value} {unit}, budget {budget:?}"
        );
    };
    for wiring in [Wiring::Lcd, Wiring::Oled] {
        let name = wiring.screen().name();
        let mut twin = booted(wiring);
        row(
            format!("{name}: power on to the first full frame"),
            twin.device.pico.now_us(),
            "µs",
            Some(500_000),
        );
        let [drawing, sending] = last_frame(&twin);
        row(format!("{name}: drawing the title"), drawing, "µs", None);
        row(format!("{name}: sending a full frame"), sending, "µs", None);
        twin.wait(100);
        let full = worst_latency(&mut twin, &["A", "B"], 12);
        row(
            format!("{name}: press to the last changed pixel, another screen"),
            full,
            "µs",
            Some(50_000),
        );
        let mut twin = booted(wiring);
        twin.presses("A down A down A A");
        assert_eq!(twin.screen(), "board");
        let idle = worst_latency(&mut twin, &["right", "down"], 12);
        row(
            format!("{name}: the same, cursor on a board"),
            idle,
            "µs",
            Some(50_000),
        );
        twin.device.press(Button::X);
        twin.until("a thought", |twin| twin.logged("think 1"));
        twin.device.release(Button::X);
        let busy = worst_latency(&mut twin, &["right"], 1);
        assert!(!twin.logged("event Answer { id: 1,"), "core 1 still thinks");
        row(
            format!("{name}: the same while core 1 thinks"),
            busy,
            "µs",
            Some(50_000),
        );
    }
    for (name, wiring) in [
        ("lcd", Wiring::Lcd),
        ("oled", Wiring::Oled),
        ("picosystem", Wiring::PicoSystem),
    ] {
        let [(first, _), (whole, _)] = motion::slowest_answers(wiring);
        row(
            format!("{name}: press at any moment to the first changed pixel, on all screens"),
            first,
            "µs",
            Some(50_000),
        );
        row(
            format!("{name}: the same to the last changed pixel"),
            whole,
            "µs",
            None,
        );
    }
    for (what, way, id) in [
        ("15 sticks, yellow, with its brain", "A A A", 1),
        ("tic-tac-toe, yellow", "A down A down A A A", 1),
        (
            "tic-tac-toe, black, from the empty board",
            "A down A down A A X",
            1,
        ),
    ] {
        let mut twin = booted(Wiring::Oled);
        twin.presses(way);
        let answer = format!("event Answer {{ id: {id},");
        let end = twin.device.pico.now_us() + 60_000_000;
        while !twin.logged(&answer) {
            assert!(twin.device.pico.now_us() < end, "{what}: no answer");
            twin.wait(10);
        }
        let cycles = (stamp(&twin, &answer) - stamp(&twin, &format!("think {id}")))
            * twin.device.pico.clock_hz()
            / 1_000_000;
        row(format!("{what}: a move"), cycles, "cycles", None);
    }
    let [node, game, stack] = engine_on_the_device();
    row(
        "tic-tac-toe, whole engine with a 32 KB table: a node".into(),
        node,
        "cycles",
        None,
    );
    row(
        "Go 9×9, a playout with knowledge from the empty board".into(),
        game,
        "cycles",
        None,
    );
    row(
        "core 1: stack used by both of these".into(),
        stack,
        "bytes",
        Some(24 * 1024),
    );
    let mut twin = booted(Wiring::Lcd);
    twin.presses("A A");
    twin.play_to_the_end();
    let frame = stamp(&twin, "frame result");
    let saved = twin
        .device
        .pico
        .log()
        .iter()
        .rev()
        .find(|line| line.text.starts_with("saved"))
        .expect("saves");
    row(
        "both cores stopped for saving a result".into(),
        micros(&saved.timestamp) - frame,
        "µs",
        Some(10_000),
    );
    for (flash, timing) in [
        ("", FlashTiming::TYPICAL),
        (", by the slowest flash", FlashTiming::MAXIMUM),
    ] {
        row(
            format!("oled: press to the last changed pixel, while a sector is erased ahead{flash}"),
            latency_while_erasing(timing),
            "µs",
            None,
        );
    }
    twin.wait(4000);
    for (core, [free, all]) in stack_free(&twin).into_iter().enumerate() {
        assert!(free >= 16 * 1024, "core {core}");
        row(
            format!("core {core}: stack used of {} bytes", thousands(all)),
            all - free,
            "bytes",
            Some(all - 16 * 1024),
        );
    }
    let size = std::fs::read_to_string(root().join("firmware/size.txt")).expect("the snapshot");
    for line in size.lines() {
        let (bytes, what) = line.trim().split_once(' ').expect("bytes and a name");
        row(what.into(), bytes.parse().expect("a number"), "bytes", None);
    }
    let table = format!(
        "| what | measured | budget |\n|---|---|---|\n{}\n",
        rows.join("\n")
    );
    println!("{table}");
    let file = root().join("docs/measurements.md");
    let text = std::fs::read_to_string(&file).expect("the page");
    let (before, rest) = text
        .split_once("<!-- device -->\n")
        .expect("the place of the table");
    let (accepted, after) = rest.split_once("<!-- end -->").expect("its end");
    if std::env::var_os("DOJO_BLESS").is_some() {
        std::fs::write(
            &file,
            format!("{before}<!-- device -->\n{table}<!-- end -->{after}"),
        )
        .expect("written");
    } else {
        let stale = stale_rows(accepted, &table);
        assert!(
            stale.is_empty(),
            "docs/measurements.md; `cargo xtask bless` accepts:\n{}",
            stale.join("\n")
        );
    }
}

/// Figures of the manual that differ from measured ones by more than this many percent are stale.
const TOLERANCE: u64 = 2;

/// Rows of a measured table that the accepted one does not have, or not with this figure, and rows
/// it has beyond them.
fn stale_rows(accepted: &str, measured: &str) -> Vec<String> {
    let read = |table: &str| -> Vec<(String, u64)> {
        let cells = |row: &str| {
            row.split('|')
                .map(|cell| cell.trim().to_owned())
                .collect::<Vec<_>>()
        };
        let figure = |cell: &str| {
            cell.split(' ')
                .next()
                .unwrap_or_default()
                .replace(',', "")
                .parse()
                .ok()
        };
        let rows = table.lines().map(cells).filter(|cells| cells.len() == 5);
        rows.filter_map(|cells| Some((cells[1].clone(), figure(&cells[2])?)))
            .collect()
    };
    let (accepted, measured) = (read(accepted), read(measured));
    let find = |rows: &[(String, u64)], name: &str| {
        rows.iter()
            .find(|(other, _)| other == name)
            .map(|row| row.1)
    };
    let mut stale = vec![];
    for (name, now) in &measured {
        match find(&accepted, name) {
            Some(was) if now.abs_diff(was) * 100 <= was * TOLERANCE => {}
            Some(was) => stale.push(format!("{name}: {now} measured, {was} in the table")),
            None => stale.push(format!("{name}: {now} measured, not in the table")),
        }
    }
    let gone = accepted
        .iter()
        .filter(|(name, _)| find(&measured, name).is_none());
    stale.extend(gone.map(|(name, _)| format!("{name}: in the table, not measured")));
    stale
}

#[test]
fn a_stale_figure_of_the_manual_is_found() {
    let row = |name: &str, figure: &str| format!("| {name} | {figure} | 50,000 µs |\n");
    let table = row("a frame", "28,200 µs") + &row("code", "360,428 bytes");
    assert_eq!(stale_rows(&table, &table), Vec::<String>::new());
    let near = row("a frame", "28,700 µs") + &row("code", "360,428 bytes");
    assert_eq!(stale_rows(&near, &table), Vec::<String>::new());
    let stale = row("a frame", "28,200 µs") + &row("code", "165,832 bytes");
    assert_eq!(
        stale_rows(&stale, &table),
        ["code: 360428 measured, 165832 in the table"]
    );
    let [frame, code] = [row("a frame", "28,200 µs"), row("code", "360,428 bytes")];
    assert_eq!(
        stale_rows(&frame, &table),
        ["code: 360428 measured, not in the table"]
    );
    assert_eq!(
        stale_rows(&table, &code),
        ["a frame: in the table, not measured"]
    );
}

/// Bytes of each core's stack that were never used, and of all of it, from the last report in the
/// log.
fn stack_free(twin: &Twin) -> [[u64; 2]; 2] {
    let line = twin
        .device
        .pico
        .log()
        .iter()
        .rev()
        .find(|line| line.text.starts_with("stack free"))
        .expect("a report");
    let numbers: Vec<u64> = line
        .text
        .split([' ', ','])
        .filter_map(|word| word.parse().ok())
        .collect();
    let [0, free0, all0, 1, free1, all1] = numbers[..] else {
        panic!("{}", line.text)
    };
    [[free0, all0], [free1, all1]]
}

/// Runs the speed test of the About screen: the whole engine in its workspace, on the second core.
/// It has to do the same work as on this side, to the node. Returns cycles a node, cycles a game,
/// and bytes of the second stack in use.
fn engine_on_the_device() -> [u64; 3] {
    let mut twin = booted(Wiring::Oled);
    twin.presses("A up up A A");
    let end = twin.device.pico.now_us() + 60_000_000;
    while !twin.logged("event Measured") {
        assert!(twin.device.pico.now_us() < end, "no answer");
        twin.wait(10);
    }
    let line = twin
        .device
        .pico
        .log()
        .iter()
        .rev()
        .find(|line| line.text.starts_with("event Measured"))
        .expect("it is");
    let measured = event_log::event(&line.text, |event| match event {
        Event::Measured { search, playouts } => Some((search, playouts)),
        _ => None,
    });
    let (searched, played) = measured.flatten().expect("two speeds");
    let [nodes, search, games, playouts] =
        [searched.count, searched.micros, played.count, played.micros].map(u64::from);
    let here = speed::search(&mut vec![Default::default(); speed::SLOTS], || 0);
    assert_eq!(nodes, u64::from(here.count), "the same tree on both sides");
    assert_eq!(games, u64::from(speed::playouts(|| 0).count));
    let hertz = twin.device.pico.clock_hz();
    twin.wait(4000);
    let [_, [free, all]] = stack_free(&twin);
    [
        search * hertz / 1_000_000 / nodes,
        playouts * hertz / 1_000_000 / games,
        all - free,
    ]
}

fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn micros(timestamp: &str) -> u64 {
    (timestamp.parse::<f64>().expect("seconds") * 1e6).round() as u64
}

/// The device's own time of the last line of its log that starts like this.
fn stamp(twin: &Twin, start: &str) -> u64 {
    let line = twin
        .device
        .pico
        .log()
        .iter()
        .rev()
        .find(|line| event_log::readable(&line.text).starts_with(start));
    micros(&line.expect("it was logged").timestamp)
}

/// How long the last picture took to draw and to send.
fn last_frame(twin: &Twin) -> [u64; 2] {
    let line = twin
        .device
        .pico
        .log()
        .iter()
        .rev()
        .find(|line| line.text.starts_with("frame"))
        .expect("a frame");
    let numbers: Vec<u64> = line
        .text
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    [numbers[0], numbers[1]]
}

/// The longest time from an edge at a button's pin to the end of the frame that shows what it did,
/// over presses at many moments between two ticks.
fn worst_latency(twin: &mut Twin, buttons: &[&str], presses: u64) -> u64 {
    let mut worst = 0;
    for press in 0..presses {
        let button = button(buttons[press as usize % buttons.len()]);
        twin.wait_us(press * 4_300 % 50_000);
        let start = twin.device.pico.now_us();
        let seen = twin.device.pico.log().len();
        twin.device.press(button);
        twin.until("the press to be shown", |twin| {
            let log = &twin.device.pico.log()[seen..];
            let told = log
                .iter()
                .position(|line| line.text.starts_with("event Press"));
            told.is_some_and(|told| {
                log[told..]
                    .iter()
                    .any(|line| line.text.starts_with("frame"))
            })
        });
        worst = worst.max(twin.device.pico.now_us() - start);
        twin.device.release(button);
        twin.wait(60);
    }
    worst
}

/// What the device finds in each slot when it is switched on, and which brains, as its log says it.
type Kept = [Option<String>; SLOTS + 1];
const SLOTS: usize = Slot::ALL.len();

fn kept_after_power_on(device: &Device) -> Kept {
    let mut device = device.clone();
    device.pico.flash_mut().cancel_power_cut();
    device.pico.power_cycle();
    let from = device.pico.log().len();
    device
        .pico
        .run_until_log("event Ready", 1_000_000)
        .expect("it boots");
    let log = &device.pico.log()[from..];
    assert!(
        !log.iter().any(|line| line.text.contains("event Trouble")),
        "nothing to complain about: {log:?}"
    );
    let found = |start: &str, part: &str| {
        let lines = log.iter().map(|line| event_log::readable(&line.text));
        { lines }.find(|line| line.starts_with(start) && line.contains(part))
    };
    // What is not told at the start lies in flash all the same.
    let region = &device.pico.flash().bytes()[SAVE.offset() as usize..];
    let stored = slots_in(&region[..SAVES_BYTES as usize]).expect("the start has repaired it");
    let lies = |wanted: Slot| {
        let found = stored.iter().find(|(slot, _)| *slot == wanted);
        found.map(|(_, bytes)| format!("{bytes:?}"))
    };
    std::array::from_fn(|place| match Slot::ALL.get(place) {
        Some(&slot) if Slot::at_start().all(|told| told != slot) => lies(slot),
        Some(slot) => found(&format!("event Restore({slot:?},"), ""),
        None => found("event Brains", "Some(BrainCard"),
    })
}

/// Cuts the power before, in the middle of and after every flash operation that `act` causes. The
/// next boot must find in each slot what was there before or what `act` saves, and saving must go
/// on working. What is learned in steps may be found after any whole step. Returns the operations.
fn cut_everywhere(
    start: &Device,
    act: impl Fn(&mut Device) -> Result<(), Fault>,
) -> Vec<FlashOperationKind> {
    let first = start.pico.flash().log().len();
    let mut whole = start.clone();
    act(&mut whole).expect("no fault");
    let operations: Vec<_> = whole.pico.flash().log()[first..]
        .iter()
        .map(|operation| operation.kind)
        .collect();
    let (old, new) = (kept_after_power_on(start), kept_after_power_on(&whole));
    let is_stepwise =
        |slot: usize| matches!(Slot::ALL.get(slot), Some(Slot::Rivalry | Slot::Part(_)));
    let mut steps = vec![old.clone(), new.clone()];
    let learns = (0..old.len()).any(|slot| is_stepwise(slot) && old[slot] != new[slot]);
    if learns {
        for number in 0..operations.len() {
            let mut device = start.clone();
            let at = first + number;
            device.pico.flash_mut().cut_power_at(at, CutMoment::After);
            assert!(act(&mut device).is_err());
            steps.push(kept_after_power_on(&device));
        }
    }
    for (number, kind) in operations.iter().enumerate() {
        for moment in [
            CutMoment::Before,
            CutMoment::Middle,
            CutMoment::MiddleTorn,
            CutMoment::After,
        ] {
            let mut device = start.clone();
            device.pico.flash_mut().cut_power_at(first + number, moment);
            let cut = act(&mut device);
            assert!(
                matches!(cut, Err(Fault::PowerCut { .. })),
                "operation {number}: {cut:?}"
            );
            let found = kept_after_power_on(&device);
            for slot in 0..found.len() {
                let is_step = is_stepwise(slot) && steps.iter().any(|at| at[slot] == found[slot]);
                assert!(
                    found[slot] == old[slot] || found[slot] == new[slot] || is_step,
                    "cut {moment:?} {kind:?} {number}: {:?} is neither {:?} nor {:?}",
                    found[slot],
                    old[slot],
                    new[slot]
                );
            }
            if moment == CutMoment::MiddleTorn && number % 5 == 0 {
                device.pico.flash_mut().cancel_power_cut();
                device.pico.power_cycle();
                device
                    .wait(400)
                    .and_then(|()| act(&mut device))
                    .expect("it goes on working");
                assert!(
                    !device
                        .pico
                        .log()
                        .iter()
                        .any(|line| line.text.starts_with("save of")),
                    "no save fails"
                );
            }
        }
    }
    operations
}

#[test]
fn power_cuts_while_a_game_is_saved_leave_the_old_state_or_the_new() {
    let mut device = booted(Wiring::Oled).device;
    device.tap(Button::A).expect("no fault");
    // The very first saves, then a person's move, then the machine's reply.
    let press = |device: &mut Device| device.tap(Button::A);
    assert!(cut_everywhere(&device, press).len() >= 4);
    press(&mut device).expect("no fault");
    assert!(cut_everywhere(&device, press).len() >= 2);
    press(&mut device).expect("no fault");
    assert!(cut_everywhere(&device, |device| device.wait(700)).len() >= 2);
}

/// On the page of a lesson, from the title.
const TO_STICKS: &str = "A down down A A";
const TO_DOTS: &str = "A down down A down A";

#[test]
fn a_pupil_learns_the_same_on_the_device_and_here() {
    for (game, way) in [(GameId::Sticks, TO_STICKS), (GameId::Dots, TO_DOTS)] {
        let mut twin = booted(Wiring::Oled);
        twin.presses(way);
        assert_eq!(twin.screen(), "lesson");
        twin.until("a thousand games", |twin| {
            let games = |event: Event<'_>| match event {
                Event::Learned { figures, .. } => figures.games,
                _ => 0,
            };
            let last = twin
                .device
                .pico
                .log()
                .iter()
                .rev()
                .find(|line| line.text.starts_with("event Learned"));
            last.and_then(|line| event_log::event(&line.text, games))
                .is_some_and(|games| games >= 1000)
        });
        twin.presses("A down down A");
        twin.until("a brain", |twin| {
            twin.logged(&format!("last: Some({game:?})"))
        });
        let line = twin
            .device
            .pico
            .log()
            .iter()
            .find(|line| line.text.starts_with("learn "))
            .expect("it learns");
        let seed: u64 = line
            .text
            .rsplit(' ')
            .next()
            .and_then(|seed| seed.parse().ok())
            .expect("a seed");
        let region = &twin.device.pico.flash().bytes()[USER.offset() as usize..][..REGION];
        let kept = KeptBrains::in_region(region).expect("a brain is kept");
        let entry = kept.bank.entries().next().expect("one");
        assert_eq!((entry.meta.game, entry.meta.seed), (game, seed));
        let mut memory = vec![0; LEAVE_VALUES];
        let mut pupil = Pupil::new(game, &mut memory, seed).expect("a pupil");
        pupil.step(entry.meta.games as u32);
        assert!(entry.meta.games >= 1000);
        assert!(
            entry
                .bytes()
                .iter()
                .copied()
                .eq(pupil.values().iter().map(|value| value.byte())),
            "{game:?}"
        );
        // It is there after a restart.
        twin.device.pico.power_cycle();
        twin.until_frame();
        twin.wait(100);
        twin.presses("A down down A");
        twin.wait(100);
        assert_eq!(twin.screen(), "learn", "which says that it is kept");
    }
}

#[test]
fn the_pupil_is_played_and_discarded() {
    let mut twin = booted(Wiring::Lcd);
    twin.presses(TO_STICKS);
    twin.wait(500);
    // Stop, play it.
    twin.presses("A down A");
    twin.until("a game", |twin| twin.screen() == "board");
    assert_eq!(
        twin.console
            .session()
            .map(|session| session.setup().seats[1]),
        Some(Seat::Pupil)
    );
    twin.press(Button::A);
    twin.wait(700);
    assert_eq!(twin.moves(), 2, "it replies");
    assert!(twin.logged("source: Brain"), "with its own brain");
    twin.device.pico.power_cycle();
    twin.until_frame();
    assert_eq!(
        (twin.screen(), twin.moves()),
        ("board", 2),
        "the game goes on"
    );
    // Save and quit, watch it learn, discard.
    twin.presses("B up A down down down A up A");
    twin.until("it is gone", |twin| {
        let brains = twin.log().filter(|line| line.starts_with("event Brains"));
        brains
            .last()
            .is_some_and(|line| line.contains("last: None"))
    });
    twin.wait(100);
}

#[test]
fn power_cuts_while_a_brain_is_kept_leave_the_old_one_or_the_new() {
    let mut device = booted(Wiring::Oled).device;
    let press = |device: &mut Device, names: &str| {
        names
            .split(' ')
            .try_for_each(|name| device.tap(button(name)))
            .expect("no fault");
    };
    press(&mut device, TO_STICKS);
    press(&mut device, "A down down");
    let keep = |device: &mut Device| {
        device.tap(Button::A)?;
        device.wait(300)
    };
    let first = cut_everywhere(&device, keep);
    assert_eq!(
        first
            .iter()
            .filter(|kind| **kind == FlashOperationKind::EraseSector)
            .count(),
        2
    );
    keep(&mut device).expect("no fault");
    // Go on, stop, keep again: now an older one is there.
    press(&mut device, "up up A A down down");
    assert_eq!(cut_everywhere(&device, keep).len(), first.len());
    keep(&mut device).expect("no fault");
    press(&mut device, "up up A A down down");
    assert_eq!(
        cut_everywhere(&device, keep).len(),
        first.len(),
        "back in the first slot"
    );
}

#[test]
fn the_screen_answers_while_a_pupil_learns() {
    for wiring in [Wiring::Lcd, Wiring::Oled] {
        let mut twin = booted(wiring);
        twin.presses(TO_DOTS);
        let worst = worst_latency(&mut twin, &["A"], 8);
        assert!(worst <= 50_000, "{wiring:?}: {worst} µs");
    }
}

/// In Go the first core plays playouts, too. That must change neither the answer nor how soon a
/// press is seen.
#[test]
fn both_cores_think_about_go_and_the_screen_answers() {
    let rules = AnyRules::new(GameId::Go);
    let setup = Setup {
        rules,
        seats: [Seat::Person, Seat::Machine(Belt::Green)],
        starter: Starter::One,
    };
    let mut session = Session::new(setup, Player::First);
    session.play(44).expect("the middle is free");
    let mut image = image(bank::SHIPPED);
    image
        .patch(SAVES_ADDRESS, &with_game(&session).expect("a short game"))
        .expect("the saves fit");
    for wiring in [Wiring::Lcd, Wiring::Oled] {
        let mut twin = Twin::boot(&image, wiring);
        twin.until("a question", |twin| twin.logged("think 1"));
        let question = twin.console.question(1).expect("the same question here");
        let bank = Bank::new(bank::SHIPPED).expect("the shipped bank");
        let here = thinking::answer(&question, Some(&bank)).expect("the game is on");
        twin.until("an answer", |twin| twin.logged("event Answer { id: 1,"));
        assert!(
            twin.logged(&format!(
                "event Answer {{ id: 1, answer: Some(Answer {{ decision: {:?},",
                here.decision
            )),
            "{wiring:?}: here it is {here:?}"
        );
        twin.until("its move", |twin| twin.moves() == 2);
        // A hint is thought about as long as black may think.
        twin.press(Button::X);
        let worst = worst_latency(&mut twin, &["right", "down", "left", "up"], 8);
        assert!(
            twin.logged("think 2") && !twin.logged("event Answer { id: 2,"),
            "both cores still think"
        );
        println!("{wiring:?}: press to the last changed pixel while both cores think: {worst} µs");
        assert!(worst <= 50_000, "{wiring:?}: {worst} µs");
    }
}

/// Microseconds from a press to the last changed pixel, if the press comes at the start of an erase
/// ahead of time.
fn latency_while_erasing(timing: FlashTiming) -> u64 {
    let mut device = worn(900);
    device.wait(2300).expect("no fault");
    device.pico.flash_mut().timing = timing;
    device
        .pico
        .run_until_pc(symbol("17write_flash_inner"), 2_000_000)
        .expect("it tidies up");
    let start = device.pico.now_us();
    device.press(Button::Right);
    for line in ["event Press", "frame"] {
        device
            .pico
            .run_until_log(line, 1_000_000)
            .expect("a press and a frame");
    }
    let took = device.pico.now_us() - start;
    let erases = device
        .pico
        .flash()
        .log()
        .iter()
        .filter(|operation| operation.kind == FlashOperationKind::EraseSector)
        .count();
    assert_eq!(erases, 1);
    took
}

/// The key under which the firmware stores what only fills a sector.
const FILLER: u8 = 0;

/// Flash of which every sector has been used, and the current one has at most `room` bytes left.
/// Settings and statistics lie in the sector that has to be erased next and must be moved first.
fn worn(room: usize) -> Device {
    let mut twin = booted(Wiring::Oled);
    twin.presses("A A");
    let mut flash = RamFlash::blank();
    let mut map = MapStorage::<u8, _, _>::new(
        &mut flash,
        MapConfig::new(0..SAVES_BYTES),
        Cache::new_uncached(),
    );
    let mut buffer = [0; 512];
    let mut bytes = [0; dojo_handheld::MAX_BYTES];
    loop {
        for slot in Slot::ALL {
            // What storage alone has is not there yet.
            let Some(value) = twin.console.kept(slot, &mut bytes) else {
                continue;
            };
            // Settings and statistics only at the start of a round.
            if matches!(slot, Slot::Game(_)) || map.flash().left() > 4000 {
                block_on(map.store_item(&mut buffer, &slot.key(), &value)).expect("stored");
            }
        }
        if map.flash().erases >= 3 && map.flash().left() <= room.max(200) {
            break;
        }
    }
    // The rest in small steps, whatever the length of a saved game.
    while map.flash().left() > room {
        block_on(map.store_item(&mut buffer, &FILLER, &&[0u8][..])).expect("stored");
    }
    let mut device = twin.device;
    device
        .pico
        .patch_flash(SAVES_ADDRESS, &flash.bytes)
        .expect("it fits");
    device.pico.power_cycle();
    device.wait(400).expect("it boots");
    device
}

#[test]
fn power_cuts_while_a_sector_is_erased_ahead_lose_nothing() {
    let mut device = worn(900);
    let before = device.pico.flash().log().len();
    device.wait(2300).expect("no fault");
    assert_eq!(
        device.pico.flash().log().len(),
        before,
        "not before it is quiet"
    );
    let operations = cut_everywhere(&device, |device| device.wait(1000));
    assert_eq!(
        operations
            .iter()
            .filter(|kind| **kind == FlashOperationKind::EraseSector)
            .count(),
        1
    );
}

#[test]
fn power_cuts_while_a_move_needs_a_fresh_sector_lose_nothing() {
    let device = worn(24);
    let operations = cut_everywhere(&device, |device| {
        device.tap(Button::A)?;
        device.wait(100)
    });
    assert_eq!(
        operations
            .iter()
            .filter(|kind| **kind == FlashOperationKind::EraseSector)
            .count(),
        1
    );
}

//! The page in a real browser: played by its drawn buttons and by keys, compared with the console
//! on this side.
//!
//! Without a browser the test says so and passes, unless `CI` is set: there one has to be.

mod chromium;
mod page;

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command as Program, Stdio};
use std::sync::OnceLock;

use chromium::{Chromium, from_base64};
use dojo_core::bank::Bank;
use dojo_core::games::speed::Speed;
use dojo_core::players::belts::Thoughts;
use dojo_handheld::input::Keys;
use dojo_handheld::trainer::Trainer;
use dojo_handheld::{
    Abilities, BankCard, BrainCard, Button, Command, Console, Event, Frame, MAX_BYTES, Screen,
    Slot, wire,
};
use dojo_lab::bank::SHIPPED;
use serde_json::Value;

/// The program `dojo web`, on a free port.
struct Site {
    child: Child,
    address: String,
}

impl Site {
    fn start() -> Site {
        Site::start_with(&[])
    }

    fn start_with(more: &[&str]) -> Site {
        let mut child = Program::new(env!("CARGO_BIN_EXE_dojo"))
            .args(["web", "--port", "0", "--page"])
            .arg(page_folder())
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .expect("dojo web starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .split_whitespace()
            .find(|word| word.starts_with("http"))
            .expect("it prints its address");
        Site {
            address: address.into(),
            child,
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The page, built once for all tests: looking for changes takes cargo seconds.
fn page_folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = folder("page");
        let built = Program::new(env!("CARGO_BIN_EXE_dojo"))
            .args(["web", "--force", "--export"])
            .arg(&folder)
            .output();
        let built = built.expect("dojo web starts");
        assert!(built.status.success(), "{built:?}");
        folder
    })
}

/// An empty folder for a browser's profile and the test's files.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("browser")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// A browser with the page open, or `None` with a loud word where there is no browser.
fn open(name: &str, site: &Site, seed: u32) -> Option<(Chromium, PathBuf)> {
    let Some(program) = chromium::find() else {
        assert!(
            std::env::var_os("CI").is_none(),
            "no Chromium on this machine: CI needs one"
        );
        eprintln!("\nSKIPPED: no Chromium on this machine, the browser page is NOT tested\n");
        return None;
    };
    let folder = folder(name);
    let mut browser = Chromium::start(&program, &folder.join("profile"));
    browser.open(&format!("{}?seed={seed}#trace", site.address));
    browser.wait_for("globalThis.dojoPage && document.getElementById('told').textContent.includes('Pocket Dojo')");
    Some((browser, folder))
}

fn told(browser: &mut Chromium) -> String {
    browser
        .value("document.getElementById('told').textContent")
        .as_str()
        .unwrap_or_default()
        .into()
}

fn screen_says(words: &str) -> String {
    format!("document.getElementById('told')?.textContent.includes('{words}')")
}

/// Replays what went into the page's console on a console of our own, and compares every picture.
/// Returns how many.
fn compare_frames(trace: &Value) -> usize {
    let mut console = Console::new(0);
    let mut trainer = Trainer::new(&[]);
    let mut frame = Frame::new(Screen::Lcd);
    let mut keys = Keys::clean();
    let mut levels = [false; 8];
    let mut kept: [Vec<u8>; Slot::ALL.len()] = Default::default();
    let mut frames = 0;
    for (number, step) in trace.as_array().expect("a trace").iter().enumerate() {
        let word = |i: usize| step[i].as_i64().unwrap_or_default();
        let name = step[0].as_str().unwrap();
        match name {
            "start" => {
                console = Console::new((word(3) as u64) << 32 | word(2) as u64);
                console.handle(Event::Abilities(Abilities {
                    sound: true,
                    motion: true,
                    ..Abilities::default()
                }));
                frame.set_screen(Screen::ALL[word(1) as usize]);
                console.handle(Event::Bank(Ok(BankCard::from(
                    &Bank::new(SHIPPED).unwrap(),
                ))));
            }
            "set_screen" => frame.set_screen(Screen::ALL[word(1) as usize]),
            "restore" => {
                let slot = Slot::from_key(word(1) as u8).expect("a slot");
                let bytes = from_base64(step[2].as_str().unwrap());
                console.handle(Event::Restore(slot, &bytes));
                kept[slot.index()] = bytes;
            }
            "restore_brains" => {
                trainer = Trainer::new(&from_base64(step[1].as_str().unwrap()));
                console.handle(Event::Brains(trainer.brains()));
            }
            "ready" => console.handle(Event::Ready),
            "pin" => {
                let button = Button::ALL[word(1) as usize];
                levels[button as usize] = word(2) == 1;
                let press = keys.update(button, word(2) == 1, word(3) as u32);
                press
                    .into_iter()
                    .for_each(|press| console.handle(Event::Press(press)));
            }
            "tick" => {
                for button in Button::ALL {
                    let press = keys.update(button, levels[button as usize], word(1) as u32);
                    press
                        .into_iter()
                        .for_each(|press| console.handle(Event::Press(press)));
                }
                console.handle(Event::Tick(word(1) as u32));
                trainer.tick(Bank::new(SHIPPED).ok().as_ref(), &mut console);
            }
            "touch" => {
                let found = console.find(word(2) as i32, word(3) as i32, &mut frame);
                let target = found.expect("the page found something there");
                console.handle(match word(1) {
                    1 => Event::Point(target),
                    _ => Event::Tap(target),
                });
            }
            "show" => console.handle(Event::Show(&from_base64(step[1].as_str().unwrap()))),
            "event" => {
                let (bytes, mut thoughts) =
                    (from_base64(step[1].as_str().unwrap()), Thoughts::new());
                console.handle(wire::decode(&bytes, &mut thoughts).expect("an event"));
            }
            "measured" => {
                let speed = |i| Speed {
                    count: word(i) as u32,
                    micros: word(i + 1) as u32,
                };
                console.handle(Event::Measured {
                    search: speed(1),
                    playouts: speed(3),
                });
            }
            "frame" => {
                console.draw(&mut frame);
                assert_eq!(
                    word(1) as u32,
                    checksum(&frame),
                    "picture {frames}, step {number}: {}",
                    console.screen_name()
                );
                frames += 1;
            }
            other => panic!("the page did `{other}`"),
        }
        while let Some(command) = console.next_command() {
            if trainer.obey(&command, &mut console) {
                continue;
            }
            match command {
                Command::FindCard { rules, belt } => {
                    let bank = Bank::new(SHIPPED).unwrap();
                    console.handle(Event::Card(BrainCard::find(rules, belt, &bank)));
                }
                Command::FindExercise { game, kind, number } => {
                    let bank = Bank::new(SHIPPED).unwrap();
                    console.handle(Event::exercise(game, kind, number, Some(&bank)));
                }
                Command::Save(slot) => {
                    let mut buffer = [0; MAX_BYTES];
                    if let Some(bytes) = console.kept(slot, &mut buffer) {
                        kept[slot.index()] = bytes.to_vec();
                    }
                }
                Command::Load(slot) => {
                    console.handle(Event::Restore(slot, &kept[slot.index()]));
                }
                _ => {}
            }
        }
    }
    frames
}

/// The checksum that the page makes of its canvas: red, green, blue, opaque.
fn checksum(frame: &Frame) -> u32 {
    let size = frame.screen().size();
    let mut sum = 0x811c_9dc5u32;
    for y in 0..size.height {
        for x in 0..size.width {
            let [r, g, b] = frame.rgb(x, y);
            for byte in [r, g, b, 255] {
                sum = (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
            }
        }
    }
    sum
}

fn trace(browser: &mut Chromium) -> Value {
    browser.value("dojoPage.trace")
}

fn has_no_fault(browser: &Chromium, site: &Site) {
    assert!(browser.errors.is_empty(), "{:?}", browser.errors);
    assert!(!browser.requests.is_empty());
    for request in &browser.requests {
        let own = request.starts_with(&site.address)
            || request.starts_with("data:")
            || request.starts_with("blob:");
        assert!(own, "the page asked for {request}");
    }
}

/// Keeps a picture for the docs if screens are being blessed, else beside the other files of the
/// test.
fn keep_picture(name: &str, bytes: &[u8]) {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let blessed = std::env::var_os("DOJO_BLESS").is_some();
    let folder = if blessed {
        docs
    } else {
        Path::new(env!("CARGO_TARGET_TMPDIR")).to_path_buf()
    };
    fs::write(folder.join(name), bytes).unwrap();
}

#[test]
fn a_game_of_sticks_is_played_by_clicking_the_drawn_buttons() {
    let site = Site::start();
    let Some((mut browser, _)) = open("sticks", &site, 7) else {
        return;
    };
    let first = browser.value("dojoPage.firstFrame").as_f64().unwrap();
    println!("first frame {first:.0} ms after the page was opened");
    let [a, left] = ["[data-button=\"4\"]", "[data-button=\"2\"]"];
    browser.click(a);
    browser.wait_for(&screen_says("Play 15 sticks"));
    browser.click(a);
    let mut moves = 0;
    while !told(&mut browser).contains("Rematch") {
        // While the machine's move is on its way, the cursor is told, too.
        page::wait_for_turn(&mut browser);
        if told(&mut browser).contains("Cursor on") {
            if moves % 2 == 0 {
                browser.click(left);
            }
            let before = serde_json::Value::from(told(&mut browser));
            browser.click(a);
            moves += 1;
            browser.wait_for(&format!(
                "document.getElementById('told').textContent !== {before}"
            ));
        }
    }
    assert!(moves > 1, "a whole game");
    let frames = compare_frames(&trace(&mut browser));
    assert!(frames > 10, "{frames}");
    has_no_fault(&browser, &site);
}

#[test]
fn a_game_of_tic_tac_toe_is_played_by_keys_and_survives_a_reload() {
    let site = Site::start();
    let Some((mut browser, _)) = open("tictactoe", &site, 9) else {
        return;
    };
    browser.key("Enter");
    for code in ["ArrowDown", "KeyZ", "ArrowDown", "KeyZ", "KeyZ"] {
        browser.key(code);
    }
    browser.wait_for(&screen_says("Middle row"));
    browser.key("KeyZ");
    browser.wait_for(&format!(
        "{} && {}",
        screen_says("Last move"),
        screen_says("Your turn")
    ));
    let frames = compare_frames(&trace(&mut browser));
    assert!(frames > 5, "{frames}");
    let before = told(&mut browser);
    assert!(
        board(&before).concat().contains('X') && board(&before).concat().contains('O'),
        "{before}"
    );

    browser.call("Page.reload", serde_json::json!({}));
    browser.wait_for(&format!(
        "globalThis.dojoPage && {}",
        screen_says("Your turn")
    ));
    assert_eq!(
        board(&told(&mut browser)),
        board(&before),
        "the game goes on where it was"
    );

    // A press is drawn in the next frame.
    browser.value(
        "globalThis.drawn = new Promise((done) => addEventListener('keydown', () => requestAnimationFrame(
        () => done(dojoPage.trace.slice(-2).map((step) => step[0]))), { once: true })), 0",
    );
    browser.key("ArrowLeft");
    let last = browser.value("drawn");
    assert!(last.as_array().unwrap().contains(&"frame".into()), "{last}");

    let squares = ["ArrowRight", "ArrowRight", "ArrowUp"];
    for step in 0..60 {
        browser.wait_for(&format!(
            "{} || {}",
            screen_says("Your turn"),
            screen_says("Rematch")
        ));
        if told(&mut browser).contains("Rematch") {
            break;
        }
        browser.key(squares[step % 3]);
        browser.key("KeyZ");
    }
    browser.wait_for(&screen_says("Rematch"));
    compare_frames(&trace(&mut browser));
    has_no_fault(&browser, &site);
}

#[test]
fn a_pupil_learns_in_the_page_and_is_still_there_after_a_reload() {
    let site = Site::start();
    let Some((mut browser, _)) = open("pupil", &site, 5) else {
        return;
    };
    for code in ["KeyZ", "ArrowDown", "ArrowDown", "KeyZ", "KeyZ"] {
        browser.key(code);
    }
    browser.wait_for(&screen_says("A stops"));
    browser.wait_for(&screen_says("30,000 games"));
    browser.key("KeyZ");
    browser.wait_for(&format!(
        "{} && {}",
        screen_says("our pupil"),
        screen_says("Cursor on")
    ));
    browser.key("KeyZ");
    browser.wait_for(&format!(
        "{} && {}",
        screen_says("Last move"),
        screen_says("Cursor on")
    ));
    assert!(compare_frames(&trace(&mut browser)) > 20);

    browser.call("Page.reload", serde_json::json!({}));
    browser.wait_for(&format!(
        "globalThis.dojoPage && {}",
        screen_says("our pupil")
    ));
    browser.key("KeyX");
    browser.wait_for(&screen_says("our pupil"));
    compare_frames(&trace(&mut browser));
    has_no_fault(&browser, &site);
}

/// The lines that say what stands on the board.
fn board(told: &str) -> Vec<&str> {
    told.lines()
        .filter(|line| line.contains(" row: "))
        .collect()
}

#[test]
fn brains_are_swapped_or_refused_with_the_reason() {
    let site = Site::start();
    let Some((mut browser, folder)) = open("brains", &site, 1) else {
        return;
    };
    let (bad, good) = (folder.join("bad.bank"), folder.join("good.bank"));
    let mut corrupt = SHIPPED.to_vec();
    let last = Bank::new(SHIPPED).unwrap().entries().last().unwrap();
    corrupt[last.offset] ^= 0x40;
    fs::write(&bad, corrupt).unwrap();
    fs::write(&good, SHIPPED).unwrap();
    browser.choose_file("#brain-file", &bad);
    browser.wait_for("document.getElementById('message').textContent.includes('damaged payload')");
    browser.choose_file("#brain-file", &good);
    browser.wait_for("document.getElementById('brains').textContent.includes('sticks-black')");
    browser.value("document.querySelector('#brain-card .close').click()");
    browser.wait_for("!document.querySelector('dialog[open]')");
    let save = folder.join("bad.save");
    fs::write(&save, b"DOJOSAVE\x01\x00xxxx").unwrap();
    browser.choose_file("#save-file", &save);
    browser.wait_for("document.getElementById('message').textContent.includes('damaged save')");
    has_no_fault(&browser, &site);
}

/// The whole device, buttons included, is inside the window.
fn fits(browser: &mut Chromium, width: u32, height: u32) -> bool {
    browser.picture(width, height, 1);
    let edges = browser.value(
        "(() => { const r = document.getElementById('device').getBoundingClientRect();
        return [r.left >= -1, r.top >= -1, r.right <= innerWidth + 1, r.bottom <= innerHeight + 1]; })()",
    );
    edges == Value::from(vec![true; 4])
}

#[test]
#[ignore = "takes a minute: `cargo xtask full` runs it"]
fn it_fits_every_window() {
    let site = Site::start();
    let Some((mut browser, _)) = open("windows", &site, 1) else {
        return;
    };
    let mut windows = vec![
        (568, 320),
        (640, 360),
        (740, 360),
        (844, 390),
        (932, 430),
        (1024, 480),
    ];
    for width in [
        320, 360, 390, 414, 540, 600, 768, 820, 1024, 1280, 1440, 1920, 2560,
    ] {
        windows.extend([568, 640, 740, 844, 1024, 1440].map(|height| (width, height)));
    }
    for screen in [240, 128] {
        browser.wait_for(&format!(
            "document.getElementById('screen').width === {screen}"
        ));
        let cut: Vec<_> = windows
            .iter()
            .filter(|(width, height)| !fits(&mut browser, *width, *height))
            .collect();
        assert!(
            cut.is_empty(),
            "the device with {screen} columns is cut off at {cut:?}"
        );
        browser.value("document.getElementById('switch').click()");
    }
}

#[test]
fn it_opens_without_a_connection_and_looks_right_everywhere() {
    let site = Site::start();
    let Some((mut browser, _)) = open("offline", &site, 1) else {
        return;
    };
    browser.value("navigator.serviceWorker.ready.then(() => 0)");
    for code in ["KeyZ", "KeyZ", "ArrowLeft", "ArrowLeft", "KeyZ"] {
        browser.key(code);
    }
    browser.wait_for(&format!(
        "{} && {}",
        screen_says("Last move"),
        screen_says("Cursor on")
    ));
    keep_picture("web-desktop.png", &browser.picture(1280, 800, 1));
    keep_picture("web-phone.png", &browser.picture(390, 844, 2));
    keep_picture("web-phone-sideways.png", &browser.picture(844, 390, 2));
    for (width, height) in [(1280, 800), (390, 844), (844, 390), (360, 640)] {
        assert!(
            fits(&mut browser, width, height),
            "the device is cut off at {width}×{height}"
        );
    }
    browser.value("document.getElementById('switch').click()");
    browser.wait_for("document.getElementById('screen').width === 128");
    browser
        .value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    keep_picture("web-mono.png", &browser.picture(1280, 800, 1));
    compare_frames(&trace(&mut browser));

    drop(site);
    browser.call("Page.reload", serde_json::json!({}));
    browser.wait_for(&format!(
        "globalThis.dojoPage && {}",
        screen_says("Cursor on")
    ));
}

#[test]
fn records_and_saves_go_out_as_files_and_come_back() {
    let site = Site::start();
    let Some((mut browser, folder)) = open("files", &site, 5) else {
        return;
    };
    let behaviour = serde_json::json!({"behavior": "allow", "downloadPath": folder});
    browser.call("Browser.setDownloadBehavior", behaviour);
    browser.click("#more");
    browser.click("#save-record");
    browser.wait_for("document.getElementById('message').textContent.includes('no game')");
    for code in ["KeyZ", "KeyZ", "KeyZ"] {
        browser.key(code);
    }
    // The machine has replied: there is a last move, and a cursor again.
    browser.wait_for(&format!(
        "{} && {}",
        screen_says("Last move"),
        screen_says("Cursor on")
    ));
    let before = told(&mut browser);
    for button in ["#more", "#save-record", "#export"] {
        browser.click(button);
    }
    let (record, save) = (
        wait_for_file(&folder.join("game.txt")),
        wait_for_file(&folder.join("handheld.save")),
    );
    let replay = Program::new(env!("CARGO_BIN_EXE_dojo"))
        .args(["replay", "sticks"])
        .arg(&record)
        .output()
        .unwrap();
    assert!(replay.status.success(), "{replay:?}");

    browser.value("localStorage.clear()");
    browser.call("Page.reload", serde_json::json!({}));
    browser.wait_for(&format!(
        "globalThis.dojoPage && {}",
        screen_says("Pocket Dojo")
    ));
    browser.choose_file("#save-file", &save);
    browser.wait_for(&format!(
        "globalThis.dojoPage && {}",
        screen_says("Cursor on")
    ));
    assert_eq!(told(&mut browser), before);
    has_no_fault(&browser, &site);
}

/// Waits until a download is there, whole: the browser gives it its name last.
fn wait_for_file(path: &Path) -> PathBuf {
    for _ in 0..600 {
        if path.is_file() {
            return path.into();
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("{} was not downloaded", path.display());
}

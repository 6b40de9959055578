//! The program itself in a terminal: a pseudo-terminal, with a terminal emulator at its other end
//! that answers questions, has a size and a mouse.
//!
//! What is to be seen is compared with a handheld on this side that gets the same buttons.

use std::fs::{self, File, OpenOptions};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use dojo::handheld::{Pace, Runner};
use dojo::sound::{Tune, wav};
use dojo::terminal::ability::Ability;
use dojo::terminal::layout::{Layout, layout};
use dojo::terminal::{Scene, paint, pixel};
use dojo_core::games::GameId;
use dojo_handheld::sound::Cue;
use dojo_handheld::{Button, Event, Press, Screen, Seat, Setup};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

use crate::{PLAIN, decoders};

/// How long anything may take; a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);
/// The size of a character of this terminal.
const CELL: (u16, u16) = PLAIN.cell;
/// The last question, which every terminal answers.
const LAST_QUESTION: &[u8] = b"\x1b[c";

/// A terminal in which the program runs.
struct Live {
    child: Child,
    master: File,
    input: Receiver<Vec<u8>>,
    screen: vt100::Parser,
    /// Everything that came, and how much of it was looked at for questions.
    all: Vec<u8>,
    asked: bool,
    answer: String,
}

impl Live {
    /// Starts `dojo` with arguments in a window of 80×24. The terminal takes UTF-8 and has
    /// `more` to say about itself.
    fn start(arguments: &[&str], environment: &[(&str, &str)], more: &str) -> Live {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, vec![]).unwrap();
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .open(name.to_str().unwrap())
            .unwrap();
        let master = File::from(master);
        set_size(&master, (80, 24));
        // The terminal has to be the program's own, for signals about its size.
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", env!("CARGO_BIN_EXE_dojo")])
            .args(arguments)
            .env_remove("NO_COLOR")
            .env_remove("TERM_PROGRAM")
            .env_remove("VTE_VERSION")
            .env("TERM", "xterm-256color")
            .env("COLORTERM", "truecolor")
            .envs(environment.iter().copied())
            .stdin(Stdio::from(slave.try_clone().unwrap()))
            .stdout(Stdio::from(slave.try_clone().unwrap()))
            .stderr(Stdio::from(slave))
            .spawn()
            .expect("setsid of util-linux starts the program");
        let (sender, input) = channel();
        let mut reader = master.try_clone().unwrap();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            // The end of the program is an error here.
            while let Ok(count @ 1..) = reader.read(&mut bytes) {
                let _ = sender.send(bytes[..count].to_vec());
            }
        });
        Live {
            child,
            master,
            input,
            screen: vt100::Parser::new(some(24), some(80), 0),
            all: vec![],
            asked: false,
            answer: format!("\x1b[1;2R{more}\x1b[6;{};{}t\x1b[?62;22c", CELL.1, CELL.0),
        }
    }

    fn type_in(&mut self, text: &str) {
        self.master.write_all(text.as_bytes()).unwrap();
    }

    /// Columns and rows.
    fn size(&self) -> (u16, u16) {
        let (rows, columns) = self.screen.screen().size();
        (columns.get(), rows.get())
    }

    /// The colours of all cells: of their letters and of their ground.
    fn colours(&self) -> Vec<(vt100::Color, vt100::Color)> {
        let (columns, rows) = self.size();
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cell = |(row, column)| self.screen.screen().cell(row, column).unwrap();
        cells
            .map(|at| (cell(at).fgcolor(), cell(at).bgcolor()))
            .collect()
    }

    fn resize(&mut self, size: (u16, u16)) {
        let (columns, rows) = (some(size.0), some(size.1));
        self.screen.screen_mut().set_size(rows, columns);
        set_size(&self.master, size);
    }

    /// Takes what the program has written, and waits for it a moment. False at the end.
    fn look(&mut self) -> bool {
        match self.input.recv_timeout(Duration::from_millis(20)) {
            Ok(bytes) => {
                self.screen.process(&bytes);
                self.all.extend(bytes);
                if !self.asked && has(&self.all, LAST_QUESTION) {
                    self.asked = true;
                    let answer = self.answer.clone();
                    self.type_in(&answer);
                }
                true
            }
            Err(RecvTimeoutError::Timeout) => true,
            Err(RecvTimeoutError::Disconnected) => false,
        }
    }

    /// Looks until something is to be seen; returns how long that took.
    fn wait_for(&mut self, what: &str, is_there: impl Fn(&Live) -> bool) -> Duration {
        let begun = Instant::now();
        while !is_there(self) {
            let goes_on = self.look() && begun.elapsed() < PATIENCE;
            let shown = self.screen.screen().contents();
            assert!(goes_on, "waited for {what}; to be seen is\n{shown}");
        }
        begun.elapsed()
    }

    /// Waits for the words of the handheld on this side.
    fn wait_for_words(&mut self, twin: &mut Runner) -> Duration {
        let place = place(self.size());
        let (rows, area) = (expected(twin, &place), place.words.unwrap());
        let what = rows.join("\n");
        self.wait_for(&what, |live| {
            let shown = live.screen.screen().rows(area.x, area.width);
            let shown = shown.take(area.height.into());
            shown
                .map(|row| row.trim_end().to_owned())
                .eq(rows.iter().cloned())
        })
    }

    /// The end of the program: its exit code, none if a signal ended it.
    fn end(mut self) -> (Option<i32>, Vec<u8>) {
        let begun = Instant::now();
        while self.look() {
            assert!(begun.elapsed() < PATIENCE, "the program does not end");
        }
        (self.child.wait().unwrap().code(), self.all.clone())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn set_size(master: &File, (columns, rows): (u16, u16)) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: columns * CELL.0,
        ws_ypixel: rows * CELL.1,
    };
    tcsetwinsize(master, size).unwrap();
}

fn some(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a window has cells")
}

fn has(all: &[u8], part: &[u8]) -> bool {
    all.windows(part.len()).any(|window| window == part)
}

fn place((width, height): (u16, u16)) -> Layout {
    let room = Rect::new(0, 0, width, height);
    layout(room, Ability { ..PLAIN }, None, true).unwrap()
}

/// The rows of words that belong beside the picture.
fn expected(twin: &mut Runner, place: &Layout) -> Vec<String> {
    let area = place.words.unwrap();
    let (_, words) = twin.picture_and_words();
    let mut buffer = Buffer::empty(area);
    let scene = Scene {
        frame: None,
        words: &words,
        help: "",
    };
    let alone = Layout {
        help: Rect::default(),
        ..*place
    };
    paint(&mut buffer, &alone, PLAIN.colours, &scene);
    let row = |y| (area.left()..area.right()).map(move |x| (x, y));
    (area.top()..area.bottom())
        .map(|y| row(y).map(|at| buffer[at].symbol()).collect::<String>())
        .map(|row| row.trim_end().to_owned())
        .collect()
}

/// Tic-tac-toe for two people, on this side.
fn twin() -> Runner {
    let mut twin = Runner::new(Screen::Lcd, 1, dojo_lab::bank::SHIPPED, Pace::AtOnce, None);
    let mut setup = Setup::new(GameId::TicTacToe);
    setup.seats = [Seat::Person; 2];
    twin.start(setup).unwrap();
    twin
}

const TWO: [&str; 6] = ["play", "tictactoe", "--two", "--no-save", "--seed", "1"];

fn press(twin: &mut Runner, button: Button) {
    twin.handle(Event::Press(Press::Down(button))).unwrap();
}

#[test]
fn keys_clicks_and_sizes_do_what_they_do_on_the_handheld() {
    let mut live = Live::start(&TWO, &[], "");
    let mut twin = twin();
    live.wait_for_words(&mut twin);
    // A move by keys.
    live.type_in("\x1b[Cz");
    press(&mut twin, Button::Right);
    press(&mut twin, Button::A);
    live.wait_for_words(&mut twin);
    // A move by a click in the middle of the picture, where the middle square is.
    let before = twin.picture_and_words().1;
    let area = place((80, 24)).picture;
    let cell = (area.x + area.width / 2, area.y + area.height / 2);
    let at = pixel(&place((80, 24)), cell, CELL).unwrap();
    twin.touch(at, false).unwrap();
    twin.touch(at, true).unwrap();
    assert_ne!(twin.picture_and_words().1, before, "a click moves");
    let (column, row) = (cell.0 + 1, cell.1 + 1);
    live.type_in(&format!("\x1b[<0;{column};{row}M\x1b[<0;{column};{row}m"));
    live.wait_for_words(&mut twin);

    // The picture is in colour, and grows with the window.
    let coloured = |live: &Live| {
        let is_rgb = |colour: &vt100::Color| matches!(colour, vt100::Color::Rgb(..));
        live.colours()
            .iter()
            .filter(|(_, back)| is_rgb(back))
            .count()
    };
    let cells =
        |size| usize::from(place(size).picture.width) * usize::from(place(size).picture.height);
    let (small, large) = (cells((80, 24)), cells((140, 40)));
    live.wait_for("all of the picture", |live| coloured(live) == small);
    live.resize((140, 40));
    live.wait_for_words(&mut twin);
    live.wait_for("a larger picture", |live| coloured(live) == large);
    assert!(large > 2 * small);
    live.resize((30, 8));
    live.wait_for("a note", |live| {
        let shown = live.screen.screen().contents();
        shown.contains("too small") && coloured(live) == 0
    });
    live.resize((80, 24));
    live.wait_for_words(&mut twin);

    live.type_in("q");
    let (code, all) = live.end();
    assert_eq!(code, Some(0));
    for back in ["\x1b[?1049l", "\x1b[?25h", "\x1b[?1000l"] {
        assert!(
            has(&all, back.as_bytes()),
            "{back:?} gives the terminal back"
        );
    }
}

/// Keys that come at once, as when somebody holds one or the line was slow.
#[test]
fn a_burst_of_keys_leaves_no_lag() {
    let mut live = Live::start(&TWO, &[], "");
    let mut twin = twin();
    live.wait_for_words(&mut twin);
    // An odd number of steps up and down and one aside: no part of the burst looks like its end.
    let burst = format!("{}\x1b[C", "\x1b[A\x1b[B".repeat(100));
    for _ in 0..100 {
        press(&mut twin, Button::Up);
        press(&mut twin, Button::Down);
    }
    press(&mut twin, Button::Right);
    live.type_in(&burst);
    let took = live.wait_for_words(&mut twin);
    // One event in each tick of 50 ms would take 10 s.
    assert!(took < Duration::from_secs(9), "{took:?}");
}

#[test]
fn no_color_is_respected() {
    let mut live = Live::start(&TWO, &[("NO_COLOR", "1")], "\x1b_Gi=31;OK\x1b\\");
    live.wait_for("a picture of dots", |live| {
        let shown = live.screen.screen().contents();
        shown.contains(|c| ('\u{2801}'..='\u{28ff}').contains(&c))
    });
    let none = vt100::Color::Default;
    assert!(live.colours().iter().all(|both| *both == (none, none)));
    assert!(!has(&live.all, b"\x1b_Ga=T"), "no picture either");
}

/// The part of a stream from one mark through another.
fn between<'a>(all: &'a [u8], from: &str, to: &str) -> Option<&'a str> {
    let find = |all: &[u8], part: &str| {
        let part = part.as_bytes();
        all.windows(part.len()).position(|window| window == part)
    };
    let start = find(all, from)?;
    let end = start + find(&all[start..], to)? + to.len();
    std::str::from_utf8(&all[start..end]).ok()
}

#[test]
fn a_terminal_that_takes_pictures_gets_them() {
    let mut live = Live::start(&TWO, &[], "\x1bP>|kitty(0.35.2)\x1b\\\x1b_Gi=31;OK\x1b\\");
    // All parts of a picture but the last say that more follow.
    let picture = |live: &Live| {
        let end = between(&live.all, "\x1b_Ga=T", "m=0;").map(str::len)?;
        let stream = between(&live.all, "\x1b_Ga=T", "\x1b8")?;
        (stream.len() > end).then(|| stream.trim_end_matches("\x1b8").to_owned())
    };
    live.wait_for("a picture", |live| picture(live).is_some());
    let (keys, png) = decoders::kitty(&picture(&live).unwrap());
    assert!(keys.contains(&"f=100".to_owned()), "{keys:?}");
    let (width, height, pixels) = decoders::png(&png);
    assert_eq!((width, height), (240, 240));
    assert!(pixels.iter().any(|pixel| *pixel != pixels[0]));
    live.type_in("q");
    let (code, all) = live.end();
    assert_eq!(code, Some(0));
    assert!(has(&all, b"\x1b_Ga=d"), "the picture is taken away");

    let mut live = Live::start(&TWO, &[], "\x1b[?63;1;2;4;22c");
    let picture = |live: &Live| {
        let start = live.all.windows(2).position(|window| window == b"\x1bP")?;
        between(&live.all[start..], "\x1bP", "\x1b\\").map(str::to_owned)
    };
    live.wait_for("a picture", |live| picture(live).is_some());
    let (width, height, _) = decoders::sixel(&picture(&live).unwrap());
    assert_eq!((width, height), (360, 360), "as large as 80×24 allows");
}

/// Programs that play sounds are stood in for by scripts: the first cannot, the second keeps what it
/// gets.
#[test]
fn a_move_is_heard_through_the_first_program_that_can() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sound");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let script = |name: &str, text: &str| {
        let path = folder.join(name);
        fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    };
    script("pw-play", "exit 1");
    // Under its last name a file is whole.
    script(
        "paplay",
        "cd \"${0%/*}\" && cp \"$1\" $$.part && mv $$.part $$.wav",
    );
    let mut path = folder.clone().into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    let environment = [("PATH", path.to_str().unwrap())];
    let mut live = Live::start(&[&TWO[..], &["--sound"]].concat(), &environment, "");
    let mut twin = twin();
    live.wait_for_words(&mut twin);
    live.type_in("\x1b[Cz");
    press(&mut twin, Button::Right);
    press(&mut twin, Button::A);
    live.wait_for_words(&mut twin);
    let heard = || -> Vec<Vec<u8>> {
        let files = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let files = files.filter(|path| path.extension().is_some_and(|name| name == "wav"));
        files.map(|path| fs::read(path).unwrap()).collect()
    };
    let expected = wav(&Tune {
        notes: Cue::Move.notes(),
        volume: twin.console().settings().comfort.volume,
    });
    live.wait_for("the sound of a move", |_| heard().contains(&expected));
    live.type_in("q");
    let (code, all) = live.end();
    assert_eq!(code, Some(0));
    assert!(!all.contains(&0x07), "no bell beside it");

    // Nothing can play it: the bell rings instead.
    script("paplay", "exit 1");
    for other in ["aplay", "afplay", "play", "ffplay"] {
        script(other, "exit 1");
    }
    let mut live = Live::start(&[&TWO[..], &["--sound"]].concat(), &environment, "");
    live.wait_for("a bell", |live| {
        // Each one is a move, until the bell is the way to be heard.
        live.master
            .try_clone()
            .unwrap()
            .write_all(b"z\x1b[C")
            .unwrap();
        live.all.contains(&0x07)
    });
}

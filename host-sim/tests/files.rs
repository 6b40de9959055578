//! Files at the edges: saves, outputs and inputs that share names, links, modes and devices.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use dojo::handheld::save::SaveFile;
use dojo::handheld::{Pace, Runner};
use dojo_core::bank::kept::REGION;
use dojo_handheld::{Button, Event, Press, Screen, Slot};

fn run(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dojo"))
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// One line on stderr that holds `words`, and this exit code.
#[track_caller]
fn says(output: &Output, code: i32, words: &[&str]) {
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{message}");
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    for word in words {
        assert!(message.contains(word), "`{word}` in: {message}");
    }
}

/// A folder of its own for each test, empty.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("files")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path.canonicalize().unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn saves_never_share_a_file_of_brains() {
    let folder = folder("brains");
    let region = |byte| vec![byte; REGION];
    let keep = |name: &str, byte| {
        let mut save = SaveFile::open(folder.join(name)).unwrap();
        save.put(Slot::ALL[0], &[byte]).unwrap();
        save.put_brains(&region(byte)).unwrap();
    };
    let kept = |name: &str| {
        let save = SaveFile::open(folder.join(name)).unwrap();
        save.brains().first().copied()
    };
    for (name, byte) in [("a.save", 1), ("a.old", 2), ("a", 3)] {
        keep(name, byte);
    }
    assert_eq!(
        ["a.save", "a.old", "a", "a.new"].map(kept),
        [Some(1), Some(2), Some(3), None]
    );
    // Earlier versions wrote `b.brains` for `b.save`: it is read, and stays.
    fs::write(folder.join("b.brains"), region(4)).unwrap();
    assert_eq!(kept("b.save"), Some(4));
    keep("b.save", 5);
    assert_eq!(kept("b.save"), Some(5));
    assert_eq!(fs::read(folder.join("b.brains")).unwrap(), region(4));

    for name in ["c.brains", "c.BRAINS"] {
        let save = folder.join(name);
        says(&run(&["--save", text(&save)]), 2, &[name, "another file"]);
        assert!(!save.exists());
    }
}

#[test]
fn an_output_never_replaces_an_input() {
    let folder = folder("inputs");
    let path = |name: &str| text(&folder.join(name)).to_owned();
    let trained = run(&["train", "sticks", "--seed", "1", "--out", &path("run")]);
    assert_eq!(trained.status.code(), Some(0));
    let manifest = fs::read(folder.join("run/bank.txt")).unwrap();
    fs::write(folder.join("run/mine.txt"), &manifest).unwrap();
    // The text beside `mine.bank` is `mine.txt`, the manifest itself.
    for (source, out, input) in [
        ("run/mine.txt", "run/mine.bank", "run/mine.txt"),
        ("run", "run/bank.bank", "run/bank.txt"),
        ("run", "run/../run/bank.bank", "run/bank.txt"),
        ("run", "run/settings.bank", "run/settings.txt"),
        (
            "run",
            "run/checkpoints/white.bank",
            "run/checkpoints/white.txt",
        ),
        ("run", "run/checkpoints/white.txt.bank", ""),
    ] {
        let before = fs::read(folder.join(input)).ok();
        let packed = run(&[
            "bank",
            "pack",
            &path(source),
            "--out",
            &path(out),
            "--force",
        ]);
        match &before {
            Some(_) => says(&packed, 2, &["read by this command", "another output"]),
            None => assert_eq!(packed.status.code(), Some(0)),
        }
        assert_eq!(fs::read(folder.join(input)).ok(), before, "{out}");
        assert_eq!(folder.join(out).exists(), before.is_none(), "{out}");
    }

    let bank = path("own.bank");
    fs::copy(
        concat!(env!("CARGO_MANIFEST_DIR"), "/../models/dojo.bank"),
        &bank,
    )
    .unwrap();
    let before = fs::read(&bank).unwrap();
    for arguments in [
        &["bank", "uf2", &bank, "--out", &bank, "--force"][..],
        &["uf2", "x.elf", "--bank", &bank, "--out", &bank, "--force"],
    ] {
        says(&run(arguments), 2, &["read by this command"]);
        assert_eq!(fs::read(&bank).unwrap(), before);
    }
}

#[cfg(unix)]
#[test]
fn links_modes_and_devices_stay() {
    use std::io::Read;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    let folder = folder("links");
    let at = |name: &str| folder.join(name);
    let put = |name: &str, bytes: &[u8]| dojo_lab::files::write(&at(name), bytes, true);

    // A private save behind two links, one of them relative.
    fs::create_dir(at("far")).unwrap();
    let target = at("far/real.save");
    fs::write(&target, "").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    symlink("far/real.save", at("near.save")).unwrap();
    symlink(at("near.save"), at("link.save")).unwrap();
    put("link.save", b"new").unwrap();
    assert_eq!(fs::read(&target).unwrap(), b"new");
    assert!(at("link.save").is_symlink() && at("near.save").is_symlink());
    let mode = target.metadata().unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    // A link to a file that does not exist yet; a ring of links.
    symlink("far/later", at("dangling")).unwrap();
    put("dangling", b"later").unwrap();
    assert_eq!(fs::read(at("far/later")).unwrap(), b"later");
    assert!(at("dangling").is_symlink());
    symlink("ring", at("ring")).unwrap();
    assert!(put("ring", b"").is_err() && at("ring").is_symlink());

    // A pipe and a device are written to.
    let pipe = at("pipe");
    assert!(
        Command::new("mkfifo")
            .arg(&pipe)
            .status()
            .unwrap()
            .success()
    );
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut bytes = vec![];
            fs::File::open(pipe)
                .unwrap()
                .read_to_end(&mut bytes)
                .unwrap();
            bytes
        }
    });
    put("pipe", b"through").unwrap();
    assert_eq!(reader.join().unwrap(), b"through");
    assert!(pipe.metadata().unwrap().file_type().is_fifo());
    symlink("/dev/null", at("null")).unwrap();
    put("null", b"gone").unwrap();
    assert!(at("null").is_symlink());

    // A folder in place of the file, and a name too long for a rename: nothing is left over.
    assert!(put("far", b"").is_err());
    assert!(put(&"x".repeat(300), b"").is_err());
    let mut left: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .chain(fs::read_dir(at("far")).unwrap())
        .map(|entry| entry.unwrap().file_name())
        .collect();
    left.sort();
    assert_eq!(
        left,
        [
            "dangling",
            "far",
            "later",
            "link.save",
            "near.save",
            "null",
            "pipe",
            "real.save",
            "ring"
        ]
    );
}

#[test]
fn a_save_is_used_by_one_program_at_a_time() {
    let folder = folder("lock");
    let (save, other) = (folder.join("a.save"), folder.join("b.save"));
    let mut first = SaveFile::open(save.clone()).unwrap();
    // Every write replaces the file; the lock outlives that.
    first.put(Slot::ALL[0], &[1]).unwrap();
    let number = format!("process {}", std::process::id());
    let words = ["a.save", "in use", &number, "--save", "--no-save"];
    says(&run(&["--save", text(&save)]), 2, &words);
    #[cfg(unix)]
    {
        let link = folder.join("link.save");
        std::os::unix::fs::symlink("a.save", &link).unwrap();
        says(&run(&["--save", text(&link)]), 2, &["link.save", "in use"]);
    }
    assert_eq!(run(&["--save", text(&other)]).status.code(), Some(0));
    drop(first);
    assert_eq!(run(&["--save", text(&save)]).status.code(), Some(0));
    let lock = folder.join("a.save.lock");
    says(&run(&["--save", text(&lock)]), 2, &["another file"]);
}

#[test]
fn a_save_that_cannot_be_written_costs_the_save_and_not_the_game() {
    let folder = folder("unwritable");
    let (home, save) = (folder.join("home"), folder.join("home/a.save"));
    let opened = SaveFile::open(save.clone()).unwrap();
    // A file in place of the folder: nothing can be written, not even by root.
    fs::remove_dir_all(&home).unwrap();
    fs::write(&home, "").unwrap();
    let bank = dojo_lab::bank::SHIPPED;
    let mut runner = Runner::new(Screen::Oled, 1, bank, Pace::AtOnce, Some(opened));
    let mut notes = 0;
    for now in 0..20 {
        let press = Event::Press(Press::Down(Button::A));
        runner.handle(press).unwrap();
        runner.handle(Event::Tick(now * 1000)).unwrap();
        notes += usize::from(runner.console().screen_name() == "trouble");
    }
    assert_eq!(notes, 1, "told once, and the next button goes on");
    assert!(runner.console().session().is_some());
    let failure = runner.finish().unwrap_err().to_string();
    assert!(
        failure.contains("not saved") && failure.contains("home"),
        "{failure}"
    );

    // Once there is room, everything is written.
    fs::remove_file(&home).unwrap();
    runner.finish().unwrap();
    let moves = runner
        .console()
        .session()
        .map(|session| session.moves().len());
    drop(runner);
    let opened = SaveFile::open(save).unwrap();
    let again = Runner::new(Screen::Oled, 1, bank, Pace::AtOnce, Some(opened));
    let resumed = again
        .console()
        .session()
        .map(|session| session.moves().len());
    assert_eq!(resumed, moves);
}

#[test]
fn inputs_that_are_too_large_are_refused() {
    let folder = folder("large");
    let put = |name: &str, size| {
        let path = folder.join(name);
        fs::File::create(&path).unwrap().set_len(size).unwrap();
        text(&path).to_owned()
    };
    let (save, whole, large) = (put("a.save", 1 << 40), put("b.save", 0), put("c", 1 << 40));
    says(
        &run(&["--save", &save]),
        1,
        &["a.save", "more than", "move it away"],
    );
    fs::remove_file(&whole).unwrap();
    for size in [93, 1 << 40] {
        put("b.save.brains", size);
        let words = ["b.save.brains", "move it away", "--save"];
        says(&run(&["--save", &whole]), 1, &words);
    }
    for arguments in [
        &["bank", "inspect", &large][..],
        &["bank", "pack", &large, "--out", "none"],
        &["arena", "sticks", "random", "random", "--bank", &large],
        &["arena", "sticks", &format!("bank:{large}#x"), "random"],
        &["replay", "go", &large],
        #[cfg(unix)]
        &["replay", "sticks", "/dev/zero"],
    ] {
        says(&run(arguments), 1, &["more than", "bytes, too large"]);
    }
}

#[test]
fn places_for_results_are_tried_before_the_work() {
    let folder = folder("places");
    let (taken, empty) = (folder.join("taken"), folder.join("empty"));
    fs::write(&taken, "").unwrap();
    fs::create_dir(&empty).unwrap();
    let inside = taken.join("run");
    let started = Instant::now();
    for command in [
        &["train", "go", "--games", "200"][..],
        &["experiment", "iwoki-greedy"],
    ] {
        let tried = run(&[command, &["--out", text(&inside), "--force"]].concat());
        says(&tried, 2, &["taken"]);
    }
    assert!(started.elapsed() < Duration::from_secs(10));
    // An empty folder is left by work that failed; it holds nothing to lose.
    let arguments = ["train", "sticks", "--seed", "1", "--out", text(&empty)];
    assert_eq!(run(&arguments).status.code(), Some(0));
    says(&run(&arguments), 2, &["exists already"]);
}

/// In a real terminal (`script` makes one): the program that a signal ends leaves the alternate
/// screen, shows the cursor, and keeps the game; the terminal is no longer raw.
#[cfg(unix)]
#[test]
fn signals_give_the_terminal_back() {
    if Command::new("script").arg("--version").output().is_err() {
        println!("SKIPPED: no program `script` on this machine");
        return;
    }
    for signal in ["TERM", "HUP", "INT", "QUIT"] {
        let folder = folder(&format!("terminal-{signal}"));
        let at = |name: &str| folder.join(name);
        // The shell becomes the program, so that its number is known; stty shows what is left.
        let inside = format!(
            "stty rows 24 cols 80; (echo $BASHPID > {pid}; exec {dojo} play --save {save}); stty -a",
            pid = text(&at("pid")),
            dojo = env!("CARGO_BIN_EXE_dojo"),
            save = text(&at("game.save")),
        );
        let mut terminal = Command::new("script")
            .args(["-q", "-f", "-c", &format!("bash -c '{inside}'")])
            .arg(at("typescript"))
            .env("TERM", "xterm-256color")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let shown = || {
            String::from_utf8_lossy(&fs::read(at("typescript")).unwrap_or_default()).into_owned()
        };
        let wait_for = |what: &str| {
            let begun = Instant::now();
            while !shown().contains(what) {
                assert!(
                    begun.elapsed() < Duration::from_secs(60),
                    "no {what:?} in {:?}",
                    shown()
                );
                std::thread::sleep(Duration::from_millis(50));
            }
        };
        wait_for("\x1b[?1049h");
        // A game begins and is saved.
        std::io::Write::write_all(terminal.stdin.as_mut().unwrap(), b"zzz").unwrap();
        let begun = Instant::now();
        while !at("game.save").exists() {
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "nothing is saved"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
        let pid = fs::read_to_string(at("pid")).unwrap();
        let killed = Command::new("kill")
            .args([&format!("-{signal}"), pid.trim()])
            .status();
        assert!(killed.unwrap().success());
        wait_for("\x1b[?1049l");
        wait_for("\x1b[?25h");
        wait_for(" icanon ");
        drop(terminal.stdin.take());
        terminal.wait().unwrap();
        let shown = shown();
        assert!(
            shown.contains(" icanon ") && !shown.contains(" -icanon "),
            "{shown:?}"
        );
        assert!(SaveFile::open(at("game.save")).is_ok(), "{signal}");
    }
}

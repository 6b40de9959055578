//! Files at the edges: saves, outputs and inputs that share names, links, modes and devices.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use dojo::handheld::save::SaveFile;
use dojo_core::bank::kept::REGION;
use dojo_handheld::Slot;

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

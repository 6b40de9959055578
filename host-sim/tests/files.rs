//! Files at the edges: saves, outputs and inputs that share names, links, modes and devices.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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

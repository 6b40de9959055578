//! Every operation on the files of a save and of a training run fails once: nothing is lost, the
//! message names the file, and the next try succeeds.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use dojo::handheld::save::SaveFile;
use dojo_core::bank::kept::REGION;
use dojo_core::games::GameId;
use dojo_handheld::Slot;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::files::{self, faults};
use dojo_lab::train::{self, Curriculum, Learner, Overrides, Run};

/// A folder of its own for each test, empty; in memory where there is such a place, because the
/// thousands of syncs take minutes on a busy disk.
fn folder(name: &str) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let usual = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let place = if memory.is_dir() { memory } else { usual };
    let path = place.join(format!("dojo-faults-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// All files of a folder and of the folders in it, with their bytes.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() {
            let inner = contents(&path).into_iter();
            all.extend(inner.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            all.insert(name, fs::read(&path).unwrap());
        }
    }
    all
}

/// Calls `attempt`, which lets the operation of this number fail, until it says that it has fewer
/// operations; returns how many it has.
fn for_every_operation(mut attempt: impl FnMut(u32) -> bool) -> u32 {
    (0..)
        .find(|&number| attempt(number))
        .expect("some number is too large")
}

#[track_caller]
fn names_the_fault(failure: &Failure, place: &Path) {
    let message = failure.to_string();
    assert!(message.contains("failed on purpose"), "{message}");
    assert!(message.contains(place.to_str().unwrap()), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn a_save_survives_a_fault_of_every_operation() {
    let folder = folder("save");
    let path = folder.join("a.save");
    let region = |byte| vec![byte; REGION];
    let mut told = 0;
    let operations = for_every_operation(|number| {
        let _ = fs::remove_dir_all(&folder);
        let mut old = SaveFile::open(path.clone()).unwrap();
        old.put(Slot::ALL[2], b"old").unwrap();
        old.put_brains(&region(1)).unwrap();
        drop(old);
        faults::arm(number);
        let mut save = SaveFile::open(path.clone()).expect("a fault of the lock costs the lock");
        let results = [
            save.put(Slot::ALL[2], b"new"),
            save.put(Slot::Settings, b"louder"),
            save.put_brains(&region(2)),
        ];
        for failure in results.iter().filter_map(|result| result.as_ref().err()) {
            names_the_fault(failure, &folder);
            told += 1;
        }
        let waits = faults::disarm();
        // What the program has in memory is whole, and the files are, too.
        assert_eq!(save.get(Slot::ALL[2]), Some(&b"new"[..]));
        let names: Vec<String> = contents(&folder).into_keys().collect();
        assert_eq!(names, ["a.save", "a.save.brains", "a.save.lock"]);
        save.write().unwrap();
        drop(save);
        let again = SaveFile::open(path.clone()).unwrap();
        assert_eq!(again.get(Slot::ALL[2]), Some(&b"new"[..]));
        assert_eq!(again.get(Slot::Settings), Some(&b"louder"[..]));
        assert_eq!(again.brains(), region(2));
        waits
    });
    // The lock, and four operations for each of three files.
    assert_eq!((operations, told), (13, 12));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_save_that_was_not_written_is_the_old_one() {
    let folder = folder("old");
    let path = folder.join("a.save");
    for_every_operation(|number| {
        SaveFile::open(path.clone())
            .and_then(|mut old| old.put(Slot::ALL[2], b"old"))
            .unwrap();
        let mut save = SaveFile::open(path.clone()).unwrap();
        faults::arm(number);
        let result = save.put(Slot::ALL[2], b"new");
        let waits = faults::disarm();
        drop(save);
        let found = SaveFile::open(path.clone()).unwrap();
        let expected: &[u8] = if result.is_ok() { b"new" } else { b"old" };
        assert_eq!(found.get(Slot::ALL[2]), Some(expected));
        waits
    });
    fs::remove_dir_all(folder).unwrap();
}

/// Trains up to `stop` games and writes the run once it is whole, as `dojo train` does.
fn go_on(folder: &Path, curriculum: &dyn Curriculum, stop: u32) -> Done {
    let (mut learner, mut run) = if train::is_paused(folder) {
        train::resume(folder, curriculum)?
    } else {
        files::may_fill(folder, false)?;
        (curriculum.learner().unwrap(), Run::default())
    };
    let (schedule, settings) = (curriculum.schedule(), curriculum.settings());
    let keep = |run: &Run, learner: &dyn Learner| train::pause(folder, &settings, run, learner);
    run.advance(&mut *learner, &schedule, stop, |_| {}, keep)?;
    if learner.games() < schedule.games {
        return Ok(());
    }
    train::write(folder, curriculum, &run, false)
}

#[test]
fn a_training_run_survives_a_fault_of_every_operation() {
    let overrides = Overrides {
        games: Some(6000),
        ..Overrides::default()
    };
    let curriculum = train::curriculum(GameId::Sticks, "shipped", &overrides).unwrap();
    let reference = folder("reference");
    go_on(&reference, &*curriculum, u32::MAX).unwrap();
    let expected = contents(&reference);
    fs::remove_dir_all(reference).unwrap();
    let mut faults_told = 0;
    let operations = for_every_operation(|number| {
        let folder = folder("run");
        faults::arm(number);
        for stop in [3000, u32::MAX] {
            // After a fault the same command once more, with `--resume` where a run waits.
            if let Err(failure) = go_on(&folder, &*curriculum, stop) {
                names_the_fault(&failure, &folder);
                faults_told += 1;
                go_on(&folder, &*curriculum, stop).unwrap();
            }
        }
        assert!(contents(&folder) == expected, "another run");
        fs::remove_dir_all(folder).unwrap();
        faults::disarm()
    });
    assert_eq!(faults_told, operations, "every fault is told");
    assert!(operations > 20, "{operations}");
}

//! The file that stands in for the device's save region; `dojo_handheld::save_file` has its layout.

use std::fmt;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use dojo_core::bank::kept::REGION;
use dojo_handheld::{Slot, save_file};

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;

/// A save file and what is in it. No other program can open the save meanwhile.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    brains_path: PathBuf,
    slots: [Option<Vec<u8>>; Slot::ALL.len()],
    brains: Vec<u8>,
    /// Whether the slots differ from the file, because it could not be written.
    slots_unwritten: bool,
    /// Whether the brains differ from their file.
    brains_unwritten: bool,
    /// The lock, until the file is closed; the system closes it when the program ends, however that
    /// happens.
    _lock: Option<File>,
}

impl SaveFile {
    /// Opens a save; one that does not exist yet is empty. A damaged one is refused and left as it
    /// is, one that is in use is refused.
    pub fn open(path: PathBuf) -> Result<SaveFile, Failure> {
        // Failing here is told by the first write.
        let _ = make_folder(&path);
        // Two names of one save have one lock and one file of brains.
        let real = files::resolve(&path);
        for ending in [BRAINS, LOCK] {
            if has_ending(&path, ending) || has_ending(&real, ending) {
                let what = format!("`.{ending}` is for files beside a save; name another file");
                return Err(Failure::Usage(format!("{}: {what}", path.display())));
            }
        }
        let lock = lock(&path, &real)?;
        let slots = match read(&path, save_file::MAX_FILE)? {
            Some(bytes) => save_file::parse(&bytes)
                .map(|slots| slots.map(|slot| slot.map(<[u8]>::to_vec)))
                .map_err(|fault| damaged(&path, &fault))?,
            None => Default::default(),
        };
        Ok(SaveFile {
            brains: read_brains(&real)?,
            brains_path: beside(&real, BRAINS),
            path,
            slots,
            slots_unwritten: false,
            brains_unwritten: false,
            _lock: lock,
        })
    }

    /// Where saves are kept if no file is named.
    pub fn usual_path() -> Result<PathBuf, Failure> {
        let folder = dirs::data_dir()
            .ok_or_else(|| Failure::usage("no home for the save file: name one with --save"))?;
        Ok(folder.join("pocket-dojo").join("handheld.save"))
    }

    /// What is kept in a slot.
    pub fn get(&self, slot: Slot) -> Option<&[u8]> {
        self.slots[slot.index()].as_deref()
    }

    /// Keeps bytes in a slot: the file is whole before and after.
    pub fn put(&mut self, slot: Slot, bytes: &[u8]) -> Done {
        if self.get(slot) != Some(bytes) {
            self.slots[slot.index()] = Some(bytes.to_vec());
            self.slots_unwritten = true;
        }
        self.write()
    }

    /// Writes everything that the files do not have yet.
    pub fn write(&mut self) -> Done {
        if self.slots_unwritten {
            make_folder(&self.path)?;
            let mut buffer = [0; save_file::MAX_FILE];
            save_file::write(self.slots.each_ref().map(Option::as_deref), &mut buffer)
                .ok_or_else(|| Failure::check("the save is larger than a save can be"))
                .and_then(|bytes| files::write(&self.path, bytes, true))?;
            self.slots_unwritten = false;
        }
        if self.brains_unwritten {
            make_folder(&self.path)?;
            files::write(&self.brains_path, &self.brains, true)?;
            self.brains_unwritten = false;
        }
        Ok(())
    }

    /// The brains that were kept, as the device has them in flash; nothing if there never were any.
    pub fn brains(&self) -> &[u8] {
        &self.brains
    }

    /// Keeps brains in a file of their own beside the save.
    pub fn put_brains(&mut self, region: &[u8]) -> Done {
        self.brains = region.to_vec();
        self.brains_unwritten = true;
        self.write()
    }
}

/// The ending of the file that lies beside a save and holds its brains.
const BRAINS: &str = "brains";

/// The ending of the file that is locked while a save is in use. The save itself cannot be locked:
/// every write replaces it.
const LOCK: &str = "lock";

/// Takes the save for this program alone. The lock file stays afterwards, because removing
/// it would race with the next program.
fn lock(save: &Path, real: &Path) -> Result<Option<File>, Failure> {
    let name = beside(real, LOCK);
    // A link planted in a shared folder would lead to somebody's file.
    if name.is_symlink() {
        return Ok(None);
    }
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .or_else(|_| File::open(&name));
    // Where no lock file can be made, no save can be written.
    let Ok(mut file) = opened else {
        return Ok(None);
    };
    let locked = files::faults::before("lock")
        .map_err(TryLockError::Error)
        .and_then(|()| file.try_lock());
    match locked {
        Ok(()) => {
            // For the message below.
            let _ = file
                .set_len(0)
                .and_then(|()| write!(file, "{}", std::process::id()));
            Ok(Some(file))
        }
        Err(TryLockError::WouldBlock) => {
            let mut owner = String::new();
            let _ = file.take(20).read_to_string(&mut owner);
            let owner = match owner.parse::<u32>() {
                Ok(number) => format!("process {number}"),
                Err(_) => "another program".into(),
            };
            Err(Failure::Usage(format!(
                "{}: in use by {owner}; end it, or play with another --save or with --no-save",
                save.display()
            )))
        }
        // A file system without locks.
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

fn make_folder(save: &Path) -> Done {
    match save
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))
        }
        None => Ok(()),
    }
}

/// Reads a file if there is one.
fn read(path: &Path, limit: usize) -> Result<Option<Vec<u8>>, Failure> {
    match files::load(path, limit) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) => match error.kind() {
            ErrorKind::NotFound => Ok(None),
            ErrorKind::FileTooLarge => Err(damaged(path, &error)),
            _ => Err(Failure::file(path, &error)),
        },
    }
}

fn damaged(path: &Path, fault: &dyn fmt::Display) -> Failure {
    let advice = "move it away or name another save with --save";
    Failure::Check(format!("{}: {fault}; {advice}", path.display()))
}

fn has_ending(path: &Path, ending: &str) -> bool {
    // Some file systems do not tell upper case from lower case.
    path.extension()
        .is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The file beside a save with another ending appended: two saves never share one.
fn beside(save: &Path, ending: &str) -> PathBuf {
    let mut name = save.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

/// The brains of a save. Earlier versions replaced the ending of the save's name; such a file is
/// read, unless it belongs to the save without an ending, and the next pupil is kept under the new
/// name.
fn read_brains(save: &Path) -> Result<Vec<u8>, Failure> {
    let mut names = vec![beside(save, BRAINS)];
    if save.extension().is_some() && !save.with_extension("").exists() {
        names.push(save.with_extension(BRAINS));
    }
    for file in names {
        match read(&file, REGION)? {
            Some(bytes) if bytes.len() < REGION => {
                let found = bytes.len();
                let fault = format!("{found} bytes, the region of kept brains has {REGION}");
                return Err(damaged(&file, &fault));
            }
            Some(bytes) => return Ok(bytes),
            None => {}
        }
    }
    Ok(vec![])
}

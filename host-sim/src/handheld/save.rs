//! The file that stands in for the device's save region; `dojo_handheld::save_file` has its layout.

use std::path::{Path, PathBuf};

use dojo_core::bank::kept::REGION;
use dojo_handheld::{Slot, save_file};

use dojo_lab::failure::{Done, Failure};
use dojo_lab::files;

/// A save file and what is in it.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    slots: [Option<Vec<u8>>; Slot::ALL.len()],
    brains: Vec<u8>,
}

impl SaveFile {
    /// Opens a save; one that does not exist yet is empty. A damaged one is refused and left as it
    /// is.
    pub fn open(path: PathBuf) -> Result<SaveFile, Failure> {
        if has_ending(&path, BRAINS) {
            let what = "files with this ending hold the brains beside a save; name another file";
            return Err(Failure::Usage(format!("{}: {what}", path.display())));
        }
        let slots = match std::fs::read(&path) {
            Ok(bytes) => save_file::parse(&bytes)
                .map(|slots| slots.map(|slot| slot.map(<[u8]>::to_vec)))
                .map_err(|fault| {
                    let advice = "move it away or name another with --save";
                    Failure::Check(format!("{}: {fault}; {advice}", path.display()))
                })?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
            Err(error) => return Err(Failure::file(&path, &error)),
        };
        let brains = read_brains(&path)?;
        Ok(SaveFile {
            path,
            slots,
            brains,
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
        self.slots[index(slot)].as_deref()
    }

    /// Keeps bytes in a slot: the file is whole before and after.
    pub fn put(&mut self, slot: Slot, bytes: &[u8]) -> Done {
        if self.get(slot) == Some(bytes) {
            return Ok(());
        }
        self.slots[index(slot)] = Some(bytes.to_vec());
        self.make_folder()?;
        let mut buffer = [0; save_file::MAX_FILE];
        let bytes = save_file::write(self.slots.each_ref().map(Option::as_deref), &mut buffer);
        let bytes = bytes.ok_or_else(|| Failure::check("the save is larger than a save can be"))?;
        files::write(&self.path, bytes, true)
    }

    /// The brains that were kept, as the device has them in flash; nothing if there never were any.
    pub fn brains(&self) -> &[u8] {
        &self.brains
    }

    /// Keeps brains in a file of their own beside the save.
    pub fn put_brains(&mut self, region: &[u8]) -> Done {
        self.brains = region.to_vec();
        self.make_folder()?;
        files::write(&beside(&self.path, BRAINS), region, true)
    }

    fn make_folder(&self) -> Done {
        match self
            .path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
        {
            Some(folder) => {
                std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))
            }
            None => Ok(()),
        }
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// The ending of the file that lies beside a save and holds its brains.
const BRAINS: &str = "brains";

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
        match std::fs::read(&file) {
            Ok(bytes) if bytes.len() != REGION => {
                let found = bytes.len();
                return Err(Failure::Check(format!(
                    "{}: {found} bytes, the region of kept brains has {REGION}",
                    file.display()
                )));
            }
            Ok(bytes) => return Ok(bytes),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(Failure::file(&file, &error)),
        }
    }
    Ok(vec![])
}

fn index(slot: Slot) -> usize {
    slot as usize - 1
}

//! The file that stands in for the device's save region; `dojo_handheld::save_file` has its layout.

use std::path::{Path, PathBuf};

use dojo_handheld::{Slot, save_file};

use crate::failure::{Done, Failure};
use crate::files;

/// A save file and what is in it.
#[derive(Debug)]
pub struct SaveFile {
    path: PathBuf,
    slots: [Option<Vec<u8>>; Slot::ALL.len()],
}

impl SaveFile {
    /// Opens a save; one that does not exist yet is empty. A damaged one is refused and left as it is.
    pub fn open(path: PathBuf) -> Result<SaveFile, Failure> {
        let slots = match std::fs::read(&path) {
            Ok(bytes) => {
                save_file::parse(&bytes).map(|slots| slots.map(|slot| slot.map(<[u8]>::to_vec))).map_err(|fault| {
                    let advice = "move it away or name another with --save";
                    Failure::Check(format!("{}: {fault}; {advice}", path.display()))
                })?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Default::default(),
            Err(error) => return Err(Failure::file(&path, &error)),
        };
        Ok(SaveFile { path, slots })
    }

    /// Where saves are kept if no file is named.
    pub fn usual_path() -> Result<PathBuf, Failure> {
        let folder =
            dirs::data_dir().ok_or_else(|| Failure::usage("no home for the save file: name one with --save"))?;
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
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        let mut buffer = [0; save_file::MAX_FILE];
        let bytes = save_file::write(self.slots.each_ref().map(Option::as_deref), &mut buffer);
        let bytes = bytes.ok_or_else(|| Failure::check("the save is larger than a save can be"))?;
        files::write(&self.path, bytes, true)
    }

    /// The file's name.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

fn index(slot: Slot) -> usize {
    slot as usize - 1
}

//! Reading and writing files without ever losing one.

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Done, Failure};

/// Reads a file.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::file(path, &error))
}

/// Reads a text.
pub fn read_text(path: &Path) -> Result<String, Failure> {
    String::from_utf8(read(path)?)
        .map_err(|_| Failure::Check(format!("{}: not UTF-8 text", path.display())))
}

/// Refuses an output that exists, unless it may be replaced.
pub fn may_write(path: &Path, force: bool) -> Done {
    if !force && path.symlink_metadata().is_ok() {
        return Err(Failure::Usage(format!(
            "{} exists already; --force replaces it",
            path.display()
        )));
    }
    Ok(())
}

/// Writes a file under another name and moves it into place: a crash leaves the old file or the new
/// one whole.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Done {
    may_write(path, force)?;
    let mut name = path
        .file_name()
        .ok_or_else(|| Failure::Usage(format!("{}: not a file name", path.display())))?
        .to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary: PathBuf = path.with_file_name(name);
    fs::write(&temporary, bytes)
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = fs::remove_file(&temporary);
            Failure::file(path, &error)
        })
}

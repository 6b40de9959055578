//! Reading and writing files without ever losing one.

use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::failure::{Done, Failure};

/// Far more than any input has: a firmware with debug symbols, the state of a training run.
const LIMIT: usize = 256 << 20;

/// More than any game record has, collections included.
pub const RECORD_LIMIT: usize = 16 << 20;

/// Reads a file of an unknown kind.
pub fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    read_at_most(path, LIMIT)
}

/// Reads a file that has at most `limit` bytes.
pub fn read_at_most(path: &Path, limit: usize) -> Result<Vec<u8>, Failure> {
    load(path, limit).map_err(|error| refused(path, &error))
}

/// Reads a stream that ends after at most `limit` bytes; messages call it `name`.
pub fn read_stream(name: &Path, stream: impl Read, limit: usize) -> Result<Vec<u8>, Failure> {
    bounded(stream, limit).map_err(|error| refused(name, &error))
}

/// Reads a file; one with more than `limit` bytes is [`io::ErrorKind::FileTooLarge`], and no more
/// than that is read of it.
pub fn load(path: &Path, limit: usize) -> io::Result<Vec<u8>> {
    bounded(File::open(path)?, limit)
}

fn bounded(stream: impl Read, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = vec![];
    stream.take(limit as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > limit {
        let what = format!("more than {limit} bytes, too large for a file of this kind");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
    }
    Ok(bytes)
}

/// A file that is too large is a bad file, one that cannot be read is a wrong name.
fn refused(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::FileTooLarge => Failure::Check(format!("{}: {error}", path.display())),
        _ => Failure::file(path, error),
    }
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

/// Tries a folder of results before the work: refuses one with files, unless they may be replaced,
/// and one that cannot be made or written to. An empty folder may be left over from work that
/// failed.
pub fn may_fill(folder: &Path, force: bool) -> Done {
    let is_empty = fs::read_dir(folder).is_ok_and(|mut files| files.next().is_none());
    may_write(folder, force || is_empty)?;
    fs::create_dir_all(folder)
        .and_then(|()| create_temporary(folder))
        .and_then(|(path, _)| fs::remove_file(path))
        .map_err(|error| Failure::file(folder, &error))
}

/// Refuses an output that is also an input, by whatever name: `--force` gives up an old result, not
/// the source of the new one.
pub fn not_an_input<'a>(out: &Path, inputs: impl IntoIterator<Item = &'a Path>) -> Done {
    let target = resolve(out);
    for input in inputs {
        if resolve(input) == target {
            return Err(Failure::Usage(format!(
                "{}: is read by this command, so it cannot be written; name another output",
                out.display()
            )));
        }
    }
    Ok(())
}

/// The file that a path stands for: symbolic links are followed, also to a file that does not exist
/// yet, and the folder has its full name.
pub fn resolve(path: &Path) -> PathBuf {
    let mut target = path.to_path_buf();
    // Linux follows as many; a ring of links ends in an error when the file is opened.
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&target) else {
            break;
        };
        target = folder_of(&target).join(link);
    }
    match (folder_of(&target).canonicalize(), target.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => target.canonicalize().unwrap_or(target),
    }
}

/// The folder of a file; `.` for a name alone.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Writes a file under another name and moves it into place: a crash or a power cut leaves the old
/// file or the new one whole. Symbolic links and the mode of an old file stay. A device or a pipe
/// cannot be replaced and is written to.
pub fn write(path: &Path, bytes: &[u8], force: bool) -> Done {
    may_write(path, force)?;
    let target = resolve(path);
    if target.file_name().is_none() {
        return Err(Failure::Usage(format!(
            "{}: not a file name",
            path.display()
        )));
    }
    let written = match fs::metadata(&target) {
        Ok(found) if !found.is_file() => OpenOptions::new()
            .write(true)
            .open(&target)
            .and_then(|mut file| file.write_all(bytes)),
        Ok(found) => replace(&target, bytes, Some(found.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => replace(&target, bytes, None),
        // Such as a ring of links.
        Err(error) => Err(error),
    };
    written.map_err(|error| Failure::file(path, &error))
}

fn replace(target: &Path, bytes: &[u8], mode: Option<fs::Permissions>) -> io::Result<()> {
    let (temporary, mut file) = create_temporary(folder_of(target))?;
    let fill = || {
        // Before the first byte, so that nobody reads a private file meanwhile. Some file systems
        // refuse every change of a mode, also one that changes nothing.
        if let Some(mode) = mode
            && file.metadata()?.permissions() != mode
        {
            file.set_permissions(mode)?;
        }
        faults::before("write")?;
        file.write_all(bytes)?;
        faults::before("sync")?;
        file.sync_all()?;
        faults::before("rename")?;
        fs::rename(&temporary, target)
    };
    if let Err(error) = fill() {
        let _ = fs::remove_file(&temporary);
        return Err(error);
    }
    // The new name is on the disk once the folder is. Not every system can sync a folder.
    if let Ok(folder) = File::open(folder_of(target)) {
        let _ = folder.sync_all();
    }
    Ok(())
}

/// Creates a file with a name that nobody can guess and that did not exist: in a shared folder a
/// planted link is not followed.
fn create_temporary(folder: &Path) -> io::Result<(PathBuf, File)> {
    // The keys of `RandomState` come from the system's random numbers.
    let number = RandomState::new().build_hasher().finish();
    let path = folder.join(format!("dojo-{number:016x}.tmp"));
    faults::before("create")?;
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)?;
    Ok((path, file))
}

/// Faults for tests: one of the operations on files of this thread fails on purpose.
pub mod faults {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        static OPERATIONS_LEFT: Cell<Option<u32>> = const { Cell::new(None) };
    }

    /// Lets the operation after `number` others fail, once.
    pub fn arm(number: u32) {
        OPERATIONS_LEFT.set(Some(number));
    }

    /// Takes the fault back; returns whether no operation has failed.
    pub fn disarm() -> bool {
        OPERATIONS_LEFT.take().is_some()
    }

    /// Stands before an operation; an error if that one is to fail.
    pub fn before(operation: &str) -> io::Result<()> {
        let Some(left) = OPERATIONS_LEFT.get() else {
            return Ok(());
        };
        OPERATIONS_LEFT.set(left.checked_sub(1));
        match left {
            0 => Err(io::Error::other(format!("{operation} failed on purpose"))),
            _ => Ok(()),
        }
    }
}

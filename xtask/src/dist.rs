//! A release: one folder that anybody can use without a toolchain. The same commit gives the same
//! bytes.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, firmware, page, root, sha256};

/// Sums of all other files, as `sha256sum --check` reads them.
const SUMS: &str = "SHA256SUMS";

/// Builds the firmware and the page and puts them with the bank into `target/dist`.
pub(crate) fn build() -> Outcome {
    firmware::uf2()?;
    page::build()?;
    let folder = root().join("target/dist");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    for board in &firmware::BOARDS {
        copy(
            &root().join("target").join(board.uf2),
            &folder.join(board.uf2),
        )?;
    }
    copy(&root().join("models/dojo.bank"), &folder.join("dojo.bank"))?;
    for licence in ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY.md"] {
        copy(&root().join(licence), &folder.join(licence))?;
    }
    for file in files(&page::folder())? {
        copy(
            &page::folder().join(&file),
            &folder.join("page").join(&file),
        )?;
    }
    let manifest = manifest(&folder)?;
    write(&folder.join("MANIFEST.txt"), &manifest)?;
    let mut sums = String::new();
    for file in files(&folder)? {
        let _ = writeln!(
            sums,
            "{}  {}",
            sha256(&read(&folder.join(&file))?),
            slashes(&file)
        );
    }
    write(&folder.join(SUMS), &sums)?;
    print!("{manifest}");
    println!("in {}", folder.canonicalize().unwrap_or(folder).display());
    Ok(())
}

/// Versions of the source, toolchain and files of this release.
fn manifest(folder: &Path) -> Result<String, String> {
    let mut text = format!(
        "Pocket Dojo {}\ncommit    {}\ntoolchain {}\n\n",
        env!("CARGO_PKG_VERSION"),
        commit()?,
        {
            let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
            said(Command::new(rustc).arg("--version"))?
        }
    );
    for file in files(folder)? {
        let _ = writeln!(
            text,
            "{:>9}  {}",
            read(&folder.join(&file))?.len(),
            slashes(&file)
        );
    }
    Ok(text)
}

/// The commit, and whether the files differ from it.
fn commit() -> Result<String, String> {
    let commit = said(Command::new("git").args(["rev-parse", "HEAD"]))?;
    let changes = said(Command::new("git").args(["status", "--porcelain"]))?;
    Ok(if changes.is_empty() {
        commit
    } else {
        format!("{commit}, with changes that are not committed")
    })
}

/// Output of a program.
fn said(program: &mut Command) -> Result<String, String> {
    let output = program
        .current_dir(root())
        .output()
        .map_err(|error| format!("{program:?}: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "{program:?}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().into())
}

/// Builds the last commit in two clones at paths of different lengths and compares all files.
pub(crate) fn compare_two_builds() -> Outcome {
    let folder = root().join("target/two-builds");
    if folder.exists() {
        fs::remove_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut built = vec![];
    for name in ["one", "the/other/one"] {
        let clone = folder.join(name);
        said(
            Command::new("git")
                .args(["clone", "--quiet", "--local", "."])
                .arg(&clone),
        )?;
        println!("   building {}", clone.display());
        // A cargo of its own: the outer one's settings must not reach it.
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo
            .args(["xtask", "dist"])
            .current_dir(&clone)
            .env_remove("CARGO_TARGET_DIR");
        let output = cargo
            .output()
            .map_err(|error| format!("cargo xtask dist: {error}"))?;
        if !output.status.success() {
            return Err(format!(
                "cargo xtask dist in {name}: {}",
                String::from_utf8_lossy(&output.stderr)
            ));
        }
        built.push(clone.join("target/dist"));
    }
    compare(&built[0], &built[1])
}

/// Compares two folders, file by file.
pub(crate) fn compare(one: &Path, other: &Path) -> Outcome {
    let [names, other_names] = [files(one)?, files(other)?];
    if names != other_names {
        return Err(format!(
            "{names:?} in one folder, {other_names:?} in the other"
        ));
    }
    for name in &names {
        let [a, b] = [read(&one.join(name))?, read(&other.join(name))?];
        if let Some(place) = (0..a.len().max(b.len())).find(|&place| a.get(place) != b.get(place)) {
            return Err(format!("{} differs from byte {place} on", name.display()));
        }
    }
    println!("   {} files are the same", names.len());
    Ok(())
}

/// All files below a folder, sorted.
fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = vec![];
    let mut folders = vec![PathBuf::new()];
    while let Some(below) = folders.pop() {
        let here = folder.join(&below);
        for entry in fs::read_dir(&here)
            .map_err(|error| format!("{}: {error}", here.display()))?
            .flatten()
        {
            let path = below.join(entry.file_name());
            if entry.path().is_dir() {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    Ok(found)
}

fn slashes(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "/")
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn write(path: &Path, text: &str) -> Outcome {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    let copied = fs::create_dir_all(to.parent().unwrap_or(to)).and_then(|()| fs::copy(from, to));
    copied
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", from.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_that_differ_are_told_by_file_and_byte() {
        let folder = std::env::temp_dir().join(format!("dojo-dist-{}", std::process::id()));
        let [a, b] = ["a", "b"].map(|name| folder.join(name));
        for (place, text) in [(&a, "same"), (&b, "same")] {
            fs::create_dir_all(place.join("deep")).unwrap();
            write(&place.join("deep/file"), text).unwrap();
        }
        assert_eq!(compare(&a, &b), Ok(()));
        write(&b.join("deep/file"), "samt").unwrap();
        assert!(compare(&a, &b).unwrap_err().contains("from byte 3 on"));
        write(&b.join("deep/file"), "same!").unwrap();
        assert!(compare(&a, &b).unwrap_err().contains("from byte 4 on"));
        write(&b.join("more"), "").unwrap();
        assert!(compare(&a, &b).unwrap_err().contains("more"));
        fs::remove_dir_all(&folder).unwrap();
    }
}

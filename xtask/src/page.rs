//! The browser page: its program built for wasm, and all its files in one folder.

use std::fs;
use std::path::{Path, PathBuf};

use crate::sha256;
use crate::toolchain::{self, Part};
use crate::{Outcome, cargo, progress, remap, root};

const TARGET: &str = "wasm32-unknown-unknown";

/// Where the page is put together.
pub(crate) fn folder() -> PathBuf {
    root().join("target/page")
}

/// Builds the page, for `dojo web` or any web server.
pub(crate) fn build() -> Outcome {
    toolchain::need(&[Part::Wasm])?;
    let config = remap(TARGET)?;
    let package = [
        "build",
        "--quiet",
        "--package",
        "dojo-web",
        "--profile",
        "web",
        "--target",
        TARGET,
    ];
    progress::step("Building the browser page", || {
        cargo(&[&package[..], &["--config", &config]].concat())
    })?;
    let read = |path: &str| fs::read(root().join(path)).map_err(|error| format!("{path}: {error}"));
    let own = |name| read(&format!("host-sim/web/page/{name}"));
    let mut files = vec![
        ("index.html", own("index.html")?),
        ("style.css", own("style.css")?),
        ("dojo.mjs", own("dojo.mjs")?),
        ("worker.mjs", own("worker.mjs")?),
        ("dojo.webmanifest", own("dojo.webmanifest")?),
        ("icon.svg", own("icon.svg")?),
        ("icon.png", own("icon.png")?),
        (
            "dojo.wasm",
            read("target/wasm32-unknown-unknown/web/dojo_web.wasm")?,
        ),
        ("dojo.bank", read("models/dojo.bank")?),
    ];
    let worker = String::from_utf8(own("sw.js")?).map_err(|error| format!("sw.js: {error}"))?;
    files.push(("sw.js", service_worker(&worker, &files)?.into_bytes()));
    write(&folder(), &files).map_err(|error| format!("{}: {error}", folder().display()))
}

/// Fills in the service worker's version, which changes with any file, and its list of all files,
/// without which the page would not open offline.
fn service_worker(text: &str, files: &[(&str, Vec<u8>)]) -> Result<String, String> {
    let unknown = files
        .iter()
        .find(|(name, _)| *name != "index.html" && !text.contains(&format!("\"{name}\"")));
    if let Some((name, _)) = unknown {
        return Err(format!(
            "sw.js does not know {name}: it would be missing offline"
        ));
    }
    if text.matches("VERSION\"").count() != 1 {
        return Err("sw.js has no place for its version".into());
    }
    let all: Vec<u8> = files
        .iter()
        .flat_map(|(_, bytes)| bytes.iter().copied())
        .collect();
    Ok(text.replace("VERSION\"", &format!("{}\"", &sha256(&all)[..8])))
}

/// Makes a folder hold these files and nothing else. Each is replaced as a whole: a program that
/// serves the folder, or a second build at the same time, never sees half a file.
fn write(folder: &Path, files: &[(&str, Vec<u8>)]) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    for (name, bytes) in files {
        let half = folder.join(format!(".{name}.{}", std::process::id()));
        fs::write(&half, bytes)?;
        fs::rename(&half, folder.join(name))?;
    }
    for entry in fs::read_dir(folder)?.flatten() {
        let name = entry.file_name();
        let is_known = files.iter().any(|(known, _)| name == *known);
        if !is_known && !name.to_string_lossy().starts_with('.') {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_holds_the_page_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("dojo-xtask-page-{}", std::process::id()));
        write(&folder, &[("a", vec![1]), ("b", vec![2])]).unwrap();
        write(&folder, &[("a", vec![3])]).unwrap();
        let names: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
            .collect();
        assert_eq!(names, ["a"]);
        assert_eq!(fs::read(folder.join("a")).unwrap(), [3]);
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_service_worker_knows_every_file_and_its_version() {
        let text = include_str!("../../host-sim/web/page/sw.js");
        let mut files = vec![("index.html", vec![1]), ("dojo.wasm", vec![2])];
        let first = service_worker(text, &files).unwrap();
        assert!(!first.contains("VERSION\""), "{first}");
        files[1].1 = vec![3];
        assert_ne!(
            first,
            service_worker(text, &files).unwrap(),
            "other files, other version"
        );
        files.push(("new.css", vec![]));
        assert!(
            service_worker(text, &files)
                .unwrap_err()
                .contains("new.css")
        );
    }
}

//! Finds the browser that tests the page.

use std::path::PathBuf;

use crate::checks::Verdict;
use crate::root;

/// The browser that the tests of the page use: the one that `CHROMIUM` names, or the first on the
/// path.
fn find() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut all =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    named.or_else(|| all.find(|file| file.is_file()))
}

/// Without a browser the tests of the page pass without testing it: reports that as a skipped
/// check.
pub(crate) fn was_tested() -> Result<Verdict, String> {
    Ok(match find() {
        Some(program) => {
            println!("   tested in {}", program.display());
            match has_axe() {
                true => Verdict::Passed,
                false => Verdict::Noted("npm or its registry is missing: axe did NOT check it"),
            }
        }
        None => Verdict::Skipped("no Chromium on this machine, so the page was NOT tested"),
    })
}

/// Whether the tests have fetched axe-core.
fn has_axe() -> bool {
    let versions = std::fs::read_dir(root().join("target/tmp/axe-core"));
    let script =
        |version: std::fs::DirEntry| version.path().join("node_modules/axe-core/axe.min.js");
    versions.is_ok_and(|versions| versions.flatten().any(|version| script(version).is_file()))
}

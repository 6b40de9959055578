//! Finds the browser that tests the page.

use std::path::PathBuf;

use crate::checks::Verdict;

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
            Verdict::Passed
        }
        None => Verdict::Skipped("no Chromium on this machine, so the page was NOT tested"),
    })
}

//! The book as a website, where mdBook is installed; the pages read as well as they are.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Outcome, links, root};

/// Checks the links of all pages, and makes `target/book` if mdBook is there.
pub(crate) fn build() -> Outcome {
    links::check(&root())?;
    let made = Command::new("mdbook")
        .args(["build", "docs"])
        .current_dir(root())
        .status();
    match made {
        Ok(status) if status.success() => {
            let left = unlink_others(&root().join("target/book"))?;
            println!(
                "The book is in target/book: open index.html. \
                {left} links to files outside of it are plain words there"
            );
            Ok(())
        }
        Ok(status) => Err(format!("mdbook: {status}")),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            println!(
                "mdBook is not installed: read docs/README.md and on from there, \
                or type `cargo install mdbook`"
            );
            Ok(())
        }
        Err(error) => Err(format!("mdbook: {error}")),
    }
}

/// Pages of the book also link to files beside it, which a website does not have: there their words
/// stay, and the links go. Returns how many.
fn unlink_others(book: &Path) -> Result<usize, String> {
    let fault = |path: &Path, error| format!("{}: {error}", path.display());
    let mut count = 0;
    for page in pages(book).map_err(|error| fault(book, error))? {
        let html = fs::read_to_string(&page).map_err(|error| fault(&page, error))?;
        let folder = page.parent().unwrap_or(book);
        let is_there = |target: &str| folder.join(target).exists();
        let (unlinked, links) = without_links(&html, &is_there);
        if links > 0 {
            fs::write(&page, unlinked).map_err(|error| fault(&page, error))?;
        }
        count += links;
    }
    Ok(count)
}

/// All pages of a website.
fn pages(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = vec![];
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|name| name == "html") {
            found.push(path);
        }
    }
    Ok(found)
}

/// A page without its links to files that are not there, and how many they were.
fn without_links(html: &str, is_there: &dyn Fn(&str) -> bool) -> (String, usize) {
    const START: &str = "<a href=\"";
    const END: &str = "</a>";
    let (mut out, mut rest, mut count) = (String::new(), html, 0);
    while let Some((before, link)) = rest.split_once(START) {
        out.push_str(before);
        let parts = link.split_once('"').and_then(|(target, behind)| {
            let (_, behind) = behind.split_once('>')?;
            let (words, behind) = behind.split_once(END)?;
            Some((target, words, behind))
        });
        rest = match parts {
            Some((target, words, behind)) if is_lost(target, is_there) => {
                out.push_str(words);
                count += 1;
                behind
            }
            _ => {
                out.push_str(START);
                link
            }
        };
    }
    out.push_str(rest);
    (out, count)
}

/// Whether a link leads to a file that is not there.
fn is_lost(target: &str, is_there: &dyn Fn(&str) -> bool) -> bool {
    let file = target.split(['#', '?']).next().unwrap_or_default();
    let is_elsewhere = file.contains(':') || file.starts_with('/');
    !file.is_empty() && !is_elsewhere && !is_there(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_to_what_is_not_there_become_words() {
        let is_there = |target: &str| target == "belts.html";
        let unlink = |html: &str| without_links(html, &is_there);
        for kept in [
            "<p>no link</p>",
            "see <a href=\"belts.html#go\" class=\"x\">the <em>belts</em></a>.",
            "<a href=\"https://rustup.rs\">rustup</a>",
            "<a href=\"#top\">up</a>",
            "<a href=\"mailto:a@example.org\">mail</a>",
            "<a href=\"unfinished",
        ] {
            assert_eq!(unlink(kept), (kept.to_owned(), 0));
        }
        assert_eq!(
            unlink(
                "<a href=\"../README.html\">the <em>start</em></a>, <a href=\"belts.html\">b</a>"
            ),
            ("the <em>start</em>, <a href=\"belts.html\">b</a>".into(), 1)
        );
        let two = "<a href=\"a.html\">a</a><a href=\"../b/\">b</a>";
        assert_eq!(unlink(two), ("ab".into(), 2));
    }
}

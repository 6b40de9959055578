//! Checks the documentation: every relative link leads somewhere, every page is in the table of
//! contents.

use std::collections::HashMap;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Checks the Markdown files of the root, `docs/`, `models/` and the emulator, and lists all
/// faults.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut files = vec![];
    find(root, false, &mut files)?;
    find(&root.join("models"), false, &mut files)?;
    find(&root.join("host-sim/emulator"), false, &mut files)?;
    find(&root.join("docs"), true, &mut files)?;
    let mut pages = HashMap::new();
    for path in files {
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let name = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
        pages.insert(name, Page::new(&text));
    }
    let faults = faults(&pages, |path| root.join(path).exists());
    for fault in &faults {
        eprintln!("{fault}");
    }
    let links: usize = pages.values().map(|page| page.links.len()).sum();
    println!("   {} pages, {links} links", pages.len());
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{} faults in the documentation", faults.len()))
    }
}

fn find(folder: &Path, deep: bool, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if deep && path.is_dir() {
            find(&path, deep, files)?;
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

/// Faults, one line each. `exists` answers for files that are not pages.
fn faults(pages: &HashMap<PathBuf, Page>, exists: impl Fn(&Path) -> bool) -> Vec<String> {
    let mut faults = vec![];
    for (path, page) in pages {
        for Link { line, target } in page.links.iter().filter(|link| link.is_relative()) {
            let (file, anchor) = target
                .split_once('#')
                .map_or((&target[..], None), |(f, a)| (f, Some(a)));
            let goal = if file.is_empty() {
                path.clone()
            } else {
                resolve(path, file)
            };
            let found = match (pages.get(&goal), anchor) {
                (Some(page), Some(anchor)) => page.anchors.iter().any(|known| known == anchor),
                (Some(_), None) => true,
                (None, _) => exists(&goal),
            };
            if !found {
                faults.push(format!(
                    "{}:{line}: `{target}` leads nowhere",
                    path.display()
                ));
            }
        }
    }
    let listed = |page: &Path| {
        let contents = pages.get(Path::new(SUMMARY));
        contents.is_some_and(|summary| {
            summary
                .links
                .iter()
                .any(|link| resolve(Path::new(SUMMARY), &link.target) == page)
        })
    };
    for page in pages
        .keys()
        .filter(|page| page.starts_with("docs") && *page != Path::new(SUMMARY))
    {
        if !listed(page) {
            faults.push(format!("{}: not listed in {SUMMARY}", page.display()));
        }
    }
    faults.sort();
    faults
}

/// A path as seen from the page that links to it, without `.` and `..`.
fn resolve(page: &Path, target: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in page.with_file_name(target).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}

#[derive(Debug, PartialEq, Eq)]
struct Link {
    line: usize,
    target: String,
}

impl Link {
    /// Not an address of the web or of mail.
    fn is_relative(&self) -> bool {
        !self.target.contains("://") && !self.target.starts_with("mailto:")
    }
}

/// Links and anchors of a Markdown file.
#[derive(Debug, Default, PartialEq, Eq)]
struct Page {
    links: Vec<Link>,
    anchors: Vec<String>,
}

impl Page {
    fn new(text: &str) -> Page {
        let mut page = Page::default();
        let mut fenced = false;
        for (line, text) in text.lines().enumerate().map(|(i, text)| (i + 1, text)) {
            if text.trim_start().starts_with("```") {
                fenced = !fenced;
            } else if !fenced {
                page.read_line(line, text);
            }
        }
        page
    }

    fn read_line(&mut self, line: usize, text: &str) {
        let level = text.bytes().take_while(|&byte| byte == b'#').count();
        if (1..=6).contains(&level) && text[level..].starts_with(' ') {
            let anchor = slug(&text[level..]);
            // The second heading of the same name gets -1, the third -2.
            let same = |known: &&String| {
                known.strip_prefix(&anchor).is_some_and(|rest| {
                    rest.is_empty()
                        || rest
                            .strip_prefix('-')
                            .is_some_and(|n| n.parse::<u32>().is_ok())
                })
            };
            let count = self.anchors.iter().filter(same).count();
            self.anchors.push(if count == 0 {
                anchor
            } else {
                format!("{anchor}-{count}")
            });
        }
        let text = without_code(text);
        for (start, _) in text.match_indices("](") {
            let rest = &text[start + 2..];
            if let Some(end) = rest.find(')') {
                // A title may follow the target.
                let target = rest[..end].split(" \"").next().unwrap_or_default().trim();
                self.links.push(Link {
                    line,
                    target: target.into(),
                });
            }
        }
        // Definitions: `[name]: target`.
        if let Some((name, target)) = text.split_once("]: ")
            && name.starts_with('[')
            && !name.contains(']')
        {
            self.links.push(Link {
                line,
                target: target.trim().into(),
            });
        }
    }
}

/// The line with everything between backticks taken out.
fn without_code(text: &str) -> String {
    text.split('`').step_by(2).collect::<Vec<_>>().join(" ")
}

/// The anchor of a heading, as GitHub makes it.
fn slug(heading: &str) -> String {
    // A link in a heading counts by its text.
    let mut text = String::new();
    let mut rest = heading.trim();
    while let Some((before, after)) = rest.split_once("](") {
        text += before;
        rest = after.split_once(')').map_or("", |(_, after)| after);
    }
    text += rest;
    text.chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            c if c.is_alphanumeric() => Some(c),
            _ => None,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults_of(files: &[(&str, &str)]) -> Vec<String> {
        let pages = files
            .iter()
            .map(|(name, text)| (PathBuf::from(name), Page::new(text)))
            .collect();
        faults(&pages, |path| path == Path::new("core/src/lib.rs"))
    }

    #[test]
    fn headings_become_anchors() {
        assert_eq!(slug(" What's `in` a bank?"), "whats-in-a-bank");
        assert_eq!(slug(" 9×9 [Go](go.md) now"), "99-go-now");
        let page = Page::new("# One\n## One\n### One\n```\n# not me\n```\n#nor me");
        assert_eq!(page.anchors, ["one", "one-1", "one-2"]);
    }

    #[test]
    fn code_is_no_link() {
        let page =
            Page::new("`[a](b)` [c](d.md \"title\") ![e](f.png)\n```\n[g](h)\n```\n[i]: j.md");
        let targets: Vec<_> = page
            .links
            .iter()
            .map(|link| (link.line, &link.target[..]))
            .collect();
        assert_eq!(targets, [(1, "d.md"), (1, "f.png"), (5, "j.md")]);
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let good = [
            (
                "README.md",
                "# Top\n[a](docs/a.md#part-two) [top](#top) [code](core/src/lib.rs) [web](https://x.y/z)",
            ),
            ("docs/SUMMARY.md", "- [A](a.md)\n- [B](deep/b.md)"),
            ("docs/a.md", "## Part two\n[up](../README.md#top)"),
            ("docs/deep/b.md", "[a](../a.md)"),
        ];
        assert_eq!(faults_of(&good), Vec::<String>::new());
    }

    #[test]
    fn every_fault_is_found_with_its_line() {
        let bad = [
            (
                "README.md",
                "[a](docs/a.md#three)\n[b](nowhere.md)\n[c](#none)",
            ),
            ("docs/SUMMARY.md", "- [A](a.md)"),
            ("docs/a.md", "## Part two"),
            ("docs/hidden.md", ""),
        ];
        assert_eq!(
            faults_of(&bad),
            [
                "README.md:1: `docs/a.md#three` leads nowhere",
                "README.md:2: `nowhere.md` leads nowhere",
                "README.md:3: `#none` leads nowhere",
                "docs/hidden.md: not listed in docs/SUMMARY.md",
            ]
        );
    }
}

//! `THIRD-PARTY.md`: the crates inside the programs that ship, with their licences.

use std::collections::BTreeMap;
use std::fs;

use crate::{Outcome, command, root};

/// Programs that ship: package, the target it is listed for, and its name in the table.
const PROGRAMS: [(&str, &str, &str); 3] = [
    ("dojo", "x86_64-unknown-linux-gnu", "program"),
    ("dojo-firmware", "thumbv6m-none-eabi", "firmware"),
    ("dojo-web", "wasm32-unknown-unknown", "page"),
];

const FILE: &str = "THIRD-PARTY.md";

const HEAD: &str = "# Third-party software

Crates that are linked into the programs that ship, with their licences as the crates state them.
`cargo xtask licences` writes this list (the program as built for Linux), and `cargo xtask test`
compares it.

| crate | version | licence | part of |
|---|---|---|---|
";

/// Writes the list.
pub(crate) fn write() -> Outcome {
    fs::write(root().join(FILE), list()?).map_err(|error| format!("{FILE}: {error}"))
}

/// Compares the list with the dependencies of today.
pub(crate) fn check() -> Outcome {
    let kept = fs::read_to_string(root().join(FILE)).map_err(|error| format!("{FILE}: {error}"))?;
    match difference(&kept, &list()?) {
        None => Ok(()),
        Some(line) => Err(format!(
            "{FILE} is out of date at `{line}`: `cargo xtask licences` writes it again"
        )),
    }
}

/// The first line that only one of two texts has.
fn difference(kept: &str, now: &str) -> Option<String> {
    let only = |a: &str, b: &str| {
        let known: Vec<_> = b.lines().collect();
        let line = a.lines().find(|line| !known.contains(line));
        line.map(str::to_owned)
    };
    only(now, kept).or_else(|| only(kept, now))
}

fn list() -> Result<String, String> {
    let mut crates: BTreeMap<(String, String, String), Vec<&str>> = BTreeMap::new();
    for (package, target, part) in PROGRAMS {
        for line in tree(package, target)?.lines() {
            let Some(key) = third_party(line) else {
                continue;
            };
            let parts = crates.entry(key).or_default();
            if parts.last() != Some(&part) {
                parts.push(part);
            }
        }
    }
    let rows = crates.iter().map(|((name, version, licence), parts)| {
        format!(
            "| {name} | {version} | {licence} | {} |\n",
            parts.join(", ")
        )
    });
    Ok(HEAD.to_owned() + &rows.collect::<String>())
}

/// The crates that are linked into a package, one a line, without those that only run at build time.
fn tree(package: &str, target: &str) -> Result<String, String> {
    let arguments = [
        "tree",
        "--locked",
        "--package",
        package,
        "--target",
        target,
        "--edges",
        "normal,no-proc-macro",
        "--prefix",
        "none",
        "--format",
        "{p}|{l}",
    ];
    let output = command(&arguments)
        .output()
        .map_err(|error| format!("cargo tree: {error}"))?;
    if !output.status.success() {
        return Err(format!(
            "cargo tree for {package}: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| error.to_string())
}

/// Name, version and licence of a line of the tree; `None` for crates of this project, which stand
/// with their folder.
fn third_party(line: &str) -> Option<(String, String, String)> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
    let (name, version) = package.split_once(' ')?;
    let version = version.strip_prefix('v')?;
    (!version.contains('(')).then(|| {
        let licence = licence.trim_end_matches(" (*)").replace('/', " OR ");
        (name.into(), version.into(), licence)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_the_tree_become_rows() {
        let row = |name: &str, version: &str, licence: &str| {
            Some((name.to_owned(), version.to_owned(), licence.to_owned()))
        };
        assert_eq!(
            third_party("az v1.2.1|MIT/Apache-2.0"),
            row("az", "1.2.1", "MIT OR Apache-2.0")
        );
        assert_eq!(
            third_party("crc v3.4.0|MIT OR Apache-2.0 (*)"),
            row("crc", "3.4.0", "MIT OR Apache-2.0")
        );
        assert_eq!(third_party("dojo-core v0.1.0 (here)|MIT"), None);
    }

    #[test]
    fn a_missing_and_a_superfluous_row_are_named() {
        assert_eq!(difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(difference("a\n", "a\nb\n"), Some("b".into()));
        assert_eq!(difference("a\nb\n", "a\n"), Some("b".into()));
    }
}

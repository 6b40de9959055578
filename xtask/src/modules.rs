//! Checks the order of modules and crates: no cycle between the top-level modules of a crate, and
//! no dependency between crates that the architecture does not name.
//!
//! A module depends on another where one of its files names it by `crate::` or by `super::` up to
//! the root. Comments, strings and everything under `#[cfg(test)]` are ignored: tests may look
//! upwards.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose modules have no cycles. Missing are `handheld` (the running game and its stored form
/// know each other), `firmware` (thinking and learning share a core) and `host-sim/lab` (the list of
/// games and what each game trains, certifies and reproduces).
const WITHOUT_CYCLES: [&str; 4] = ["core", "firmware/cores", "host-sim", "host-sim/emulator"];

/// Every crate with the crates of this workspace that it may depend on.
const CRATES: [(&str, &[&str]); 11] = [
    ("core", &[]),
    ("handheld", &["dojo-core"]),
    ("firmware", &["dojo-core", "dojo-cores", "dojo-handheld"]),
    ("firmware/cores", &["dojo-core", "dojo-handheld"]),
    ("host-sim/web", &["dojo-core", "dojo-handheld"]),
    ("host-sim/lab", &["dojo-core", "pico-image"]),
    ("host-sim/image", &[]),
    ("host-sim/emulator", &["pico-image"]),
    (
        "host-sim/fuzz",
        &["dojo-core", "dojo-handheld", "dojo-lab", "pico-image"],
    ),
    (
        "host-sim",
        &[
            "dojo-core",
            "dojo-handheld",
            "dojo-lab",
            "pico-emulator",
            "pico-image",
        ],
    ),
    ("xtask", &["pico-image"]),
];

/// Checks all crates; the first cycle of each is listed.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let mut faults = vec![];
    for (folder, allowed) in CRATES {
        let path = root.join(folder).join("Cargo.toml");
        faults.extend(foreign(&read(&path)?, allowed).map(|name| {
            format!(
                "{folder}/Cargo.toml: {name} is not among {allowed:?}, see docs/architecture.md"
            )
        }));
    }
    for folder in WITHOUT_CYCLES {
        let mut files = vec![];
        find(&root.join(folder).join("src"), &mut files)?;
        let mut edges = Edges::new();
        for path in files {
            let name = path.strip_prefix(root).unwrap_or(&path);
            let inside = name.strip_prefix(Path::new(folder).join("src"));
            let module = module_path(inside.unwrap_or(name));
            add_edges(&mut edges, name, &module, &read(&path)?);
        }
        faults.extend(cycle(&edges).map(|cycle| format!("{folder}: {cycle}")));
    }
    faults.iter().for_each(|fault| eprintln!("{fault}"));
    if faults.is_empty() {
        Ok(())
    } else {
        Err(format!("{} faults in the order of modules", faults.len()))
    }
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// All Rust files of a folder, except tests in files of their own.
fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && path.file_stem().is_some_and(|stem| stem != "tests")
        {
            files.push(path);
        }
    }
    Ok(())
}

/// Crates of this workspace that a manifest names outside dev-dependencies and that are not
/// allowed.
fn foreign(manifest: &str, allowed: &[&str]) -> impl Iterator<Item = String> {
    let mut is_dependency = false;
    let mut names = vec![];
    for line in manifest.lines() {
        if let Some(section) = line.strip_prefix('[') {
            is_dependency = section.ends_with("dependencies]") && !section.starts_with("dev-");
        }
        let name = line.split(['.', ' ', '=']).next().unwrap_or_default();
        let is_own = ["dojo", "pico-", "xtask"]
            .iter()
            .any(|own| name.starts_with(own));
        if is_dependency && is_own && !allowed.contains(&name) {
            names.push(name.to_string());
        }
    }
    names.into_iter()
}

/// The modules of a file below `src`: none for the root of the crate.
fn module_path(file: &Path) -> Vec<String> {
    let path = file.with_extension("");
    let mut names: Vec<String> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    names.pop_if(|name| ["mod", "lib", "main"].contains(&name.as_str()));
    names
}

/// Which top-level module names which other one, and where first.
type Edges = BTreeMap<String, BTreeMap<String, String>>;

/// Adds what one file depends on.
fn add_edges(edges: &mut Edges, file: &Path, module: &[String], text: &str) {
    let Some(from) = module.first() else { return };
    let targets = edges.entry(from.clone()).or_default();
    let code = code_of(text);
    let up_to_root = "super::".repeat(module.len());
    for prefix in ["crate::", &up_to_root] {
        for (at, _) in code.match_indices(prefix) {
            // A longer chain of `super::`, or an identifier that ends with the prefix.
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c == ':' || c == '_' || c.is_alphanumeric()) {
                continue;
            }
            let line = code[..at].matches('\n').count() + 1;
            for to in first_names(&code[at + prefix.len()..]) {
                if to != from && to != "super" {
                    targets
                        .entry(to.to_string())
                        .or_insert_with(|| format!("{}:{line}", file.display()));
                }
            }
        }
    }
}

/// The names with which a path goes on: one, or in braces the first of each part.
fn first_names(rest: &str) -> Vec<&str> {
    let is_name = |c: char| c == '_' || c.is_alphanumeric();
    let name = |text: &'_ str| text.find(|c| !is_name(c)).unwrap_or(text.len());
    let Some(group) = rest.strip_prefix('{') else {
        return vec![&rest[..name(rest)]];
    };
    let (mut names, mut depth, mut starts) = (vec![], 0, true);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => starts = true,
            c if starts && is_name(c) => {
                names.push(&group[at..at + name(&group[at..])]);
                starts = false;
            }
            _ => {}
        }
    }
    names
}

/// The text with comments, strings and test items blanked; lines stay where they are.
fn code_of(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '"' => string_length(rest),
            '\'' if rest[1..].starts_with('"') => 3,
            _ => 0,
        };
        let blanked = &rest[..length];
        code.extend(blanked.chars().map(|c| if c == '\n' { c } else { ' ' }));
        rest = &rest[length..];
        if length == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    while let Some(start) = code.find(TEST) {
        let end = start + item_length(&code[start..]);
        let blank: String = code[start..end]
            .chars()
            .map(|c| if c == '\n' { c } else { ' ' })
            .collect();
        code.replace_range(start..end, &blank);
    }
    code
}

const TEST: &str = "#[cfg(test)]";

/// Bytes of a string literal with its quotes.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Bytes of an item: to its semicolon or to the end of its braces.
fn item_length(text: &str) -> usize {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 1 => return at + 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A shortest cycle, with the place of each of its edges.
fn cycle(edges: &Edges) -> Option<String> {
    let starts = edges.keys();
    let path = starts
        .filter_map(|start| way_back(edges, start))
        .min_by_key(Vec::len)?;
    let mut text = path.join(" → ");
    for pair in path.windows(2) {
        text += &format!("\n  {} → {}: {}", pair[0], pair[1], edges[pair[0]][pair[1]]);
    }
    Some(text)
}

/// A shortest path from a module back to itself.
fn way_back<'a>(edges: &'a Edges, start: &'a str) -> Option<Vec<&'a str>> {
    let mut paths = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = paths.pop_front() {
        // Names that are no modules (items of the root) have no edges.
        for next in path
            .last()
            .and_then(|last| edges.get(*last))
            .into_iter()
            .flatten()
        {
            let longer = [&path[..], &[next.0.as_str()]].concat();
            if next.0 == start {
                return Some(longer);
            }
            if seen.insert(next.0) {
                paths.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edges(files: &[(&str, &str)]) -> Edges {
        let mut edges = Edges::new();
        for (file, text) in files {
            add_edges(
                &mut edges,
                Path::new(file),
                &module_path(Path::new(file)),
                text,
            );
        }
        edges
    }

    #[test]
    fn a_cycle_is_named_with_the_place_of_each_edge() {
        let cyclic = [
            ("lib.rs", "use crate::c::C;"),
            ("a.rs", "//! Text.\n\nuse crate::{b::{B, C}, item};\n"),
            ("b/mod.rs", "use super::d::D;"),
            ("b/deep.rs", "fn f() {\n    super::super::c::run()\n}"),
            ("c.rs", "const A: &str = crate::a::A;"),
            ("d.rs", ""),
        ];
        assert_eq!(
            cycle(&edges(&cyclic)).unwrap(),
            "a → b → c → a\n  a → b: a.rs:3\n  b → c: b/deep.rs:2\n  c → a: c.rs:1"
        );
        assert_eq!(cycle(&edges(&cyclic[..5])), cycle(&edges(&cyclic)));
        assert_eq!(cycle(&edges(&cyclic[..4])), None);
    }

    #[test]
    fn comments_strings_tests_and_inner_modules_are_no_edges() {
        let quiet = "/// See [`crate::b`].\nconst T: &str = \"crate::b \\\" crate::b\"; // crate::b\n\
            const Q: char = '\"';\n\
            #[cfg(test)]\nuse crate::b;\n\
            #[cfg(test)]\nmod tests {\n    use crate::b::B;\n    fn f() { if true { crate::b() } }\n}\n";
        let found = edges(&[
            ("a.rs", quiet),
            ("a/inner.rs", "use super::b; use mycrate::b;"),
        ]);
        assert!(found["a"].is_empty(), "{found:?}");
        let after = format!("{quiet}use crate::b;");
        assert_eq!(edges(&[("a.rs", &after)])["a"]["b"], "a.rs:11");
    }

    #[test]
    fn a_crate_may_depend_only_on_the_named_ones() {
        let manifest = "[package]\nname = \"dojo-x\"\n[dependencies]\nserde = \"1\"\ndojo-core.workspace = true\n\
            dojo-lab = { path = \"..\" }\n[dev-dependencies]\ndojo-web = \"1\"\n\
            [target.'cfg(unix)'.dependencies]\npico-image = \"1\"\n";
        let found: Vec<_> = foreign(manifest, &["dojo-core"]).collect();
        assert_eq!(found, ["dojo-lab", "pico-image"]);
    }
}

//! The pages of the book against the program: every experiment that they name exists, and every
//! experiment is on some page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dojo_lab::experiment::{self, Experiment};
use serde_json::Value;

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// Names and texts of the pages in a folder and below; none if it does not exist.
fn pages(folder: &Path) -> Vec<(String, String)> {
    let mut found = vec![];
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(pages(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            found.push((
                path.display().to_string(),
                fs::read_to_string(&path).unwrap(),
            ));
        }
    }
    found.sort();
    found
}

/// The experiments that a page names in commands, `all`, `merge`, flags and placeholders left out.
fn named(page: &str) -> BTreeSet<String> {
    // Commands in running text are wrapped as words are.
    let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
    let names = page.split("dojo experiment ").skip(1).map(|rest| {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        rest.split(|c| !is_part(c)).next().unwrap_or_default()
    });
    names
        .filter(|name| !matches!(*name, "" | "all" | "merge"))
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .map(Into::into)
        .collect()
}

/// Names of pages and of experiments on them that do not exist.
fn unknown(pages: &[(String, String)]) -> Vec<String> {
    let faults = pages.iter().flat_map(|(page, text)| {
        let unknown = named(text).into_iter();
        let unknown = unknown.filter(|name| Experiment::find(name).is_none());
        unknown.map(move |name| format!("{page}: no experiment {name}"))
    });
    faults.collect()
}

#[test]
fn names_are_found_in_pages() {
    let page = "| `cargo dojo experiment sticks-alpha --seed 2` | (`dojo experiment\ngo-weak`, `x`), dojo experiment all, \
                `dojo experiment NAME`, `dojo experiment --list`, `dojo experiment merge --out D`";
    let names = ["go-weak", "sticks-alpha"].map(String::from);
    assert_eq!(named(page), names.into());
    let wrong = [(
        "p.md".to_string(),
        "dojo experiment sticks-beta".to_string(),
    )];
    assert_eq!(unknown(&wrong), ["p.md: no experiment sticks-beta"]);
}

#[test]
fn experiments_that_the_book_names_exist() {
    let pages = pages(&docs());
    assert!(pages.len() > 20, "{} pages", pages.len());
    let found: usize = pages.iter().map(|(_, text)| named(text).len()).sum();
    assert!(found > 10, "{found} names");
    assert_eq!(unknown(&pages), [""; 0]);
}

/// The table of all experiments has each of them once, and no other.
#[test]
fn the_page_on_experiments_lists_all() {
    let page = fs::read_to_string(docs().join("experiments.md")).unwrap();
    let table = page
        .lines()
        .skip_while(|line| *line != "| game | experiments |");
    let rows = table.take_while(|line| line.starts_with('|'));
    let listed = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let mut listed: Vec<_> = listed.collect();
    let mut all: Vec<_> = experiment::all()
        .map(|experiment| experiment.name)
        .collect();
    listed.sort_unstable();
    all.sort_unstable();
    assert_eq!(listed, all);
}

#[test]
fn every_experiment_is_named_in_the_book() {
    let pages = pages(&docs());
    let is_word = |text: &str, name: &str| {
        text.match_indices(name).any(|(place, _)| {
            let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
            !text[..place].ends_with(is_part) && !text[place + name.len()..].starts_with(is_part)
        })
    };
    let absent: Vec<_> = experiment::all()
        .map(|experiment| experiment.name)
        .filter(|name| !pages.iter().any(|(_, text)| is_word(text, name)))
        .collect();
    assert!(absent.is_empty(), "on no page of docs/: {absent:?}");
}

/// All experiments at a small size, those of the published works among them.
#[test]
#[ignore = "takes minutes: `cargo xtask full` runs it"]
fn every_experiment_leaves_its_report() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("works/all-experiments");
    let _ = fs::remove_dir_all(&out);
    let arguments = ["experiment", "all", "--quick", "--json", "--out"];
    let dojo = || Command::new(env!("CARGO_BIN_EXE_dojo"));
    let output = dojo().args(arguments).arg(&out).output().unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["name"], "all");
    assert!(report["rows"].as_array().unwrap().len() > 80);
    for listed in report["experiments"].as_array().unwrap() {
        let rows = listed["rows"].as_array().unwrap();
        assert!(!rows.is_empty(), "{listed}");
        assert!(rows.iter().all(|row| row["ours"].is_f64()
            && row["setting"].is_string()
            && row["metric"].is_string()));
    }
    let works = pages(&docs().join("works"));
    let of_works = works.iter().flat_map(|(_, text)| named(text));
    let all = experiment::all().map(|experiment| experiment.name.to_string());
    for name in all.chain(of_works) {
        for file in ["report.md", "rows.csv", "findings.json"] {
            assert!(out.join(&name).join(file).is_file(), "{name}: {file}");
        }
    }
    let page = out.join("report.html");
    let output = dojo()
        .arg("report")
        .arg(&out)
        .arg("--out")
        .arg(&page)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(!page.contains("never run"));
}

//! All texts of the screens are in one file, so that another language is one file more.

use std::fs;
use std::path::{Path, PathBuf};

/// Where screens are drawn and texts are made.
const PLACES: [&str; 8] = [
    "screens",
    "boards",
    "app",
    "console.rs",
    "exercise.rs",
    "lesson.rs",
    "pen.rs",
    "store.rs",
];

/// What is no text of a screen: names in records, files, logs and tests.
const NAMES: [&str; 22] = [
    // Records of games, and players of the lab.
    "size=5",
    "C2 C3 B3 E1 D3 A5",
    "C4",
    "a1 a2 b2 b3",
    "h00 v00 v01",
    "form=open deal=1",
    "sp6:133+:H1_H4_H5 hp3:36242*:H5",
    "black",
    "white",
    "Black",
    "White",
    "dead",
    "smart",
    "greedy",
    // The digits of a link, the letters of a name.
    " ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    // Cargo.
    "alloc",
    "CARGO_PKG_VERSION",
    // The name of a screen, where code asks for it.
    "trouble",
    "none",
    // Short for what every maker of tones calls it.
    "{name}, {} Hz",
    "h10",
];

/// What only screen readers are told, beside what is drawn.
const TOLD: [&str; 15] = [
    "pressed",
    "not yet",
    "All pixels lit",
    "All pixels dark",
    "Every other pixel lit",
    "The other pixels lit",
    "All pixels red",
    "All pixels green",
    "All pixels blue",
    "All sixteen colours",
    "{} area {area}",
    "Komi for white {komi}",
    "{} wins by {lead}",
    "stick",
    "sticks",
];

/// The Rust files of a place.
fn files(place: &Path) -> Vec<PathBuf> {
    if place.is_file() {
        return vec![place.to_path_buf()];
    }
    let entries = fs::read_dir(place).expect("a folder");
    entries
        .flat_map(|entry| files(&entry.expect("an entry").path()))
        .filter(|file| file.extension().is_some_and(|kind| kind == "rs"))
        .collect()
}

/// The string literals of a source, with what stands before each in its statement; comments and
/// tests are left out.
fn literals(source: &str) -> Vec<(String, String)> {
    let source = source.split("#[cfg(test)]").next().expect("the first part");
    let mut found = vec![];
    let mut statement = String::new();
    // The end of a function that tells a board to a screen reader.
    let mut end = None;
    for line in source.lines() {
        let code = line.trim_start();
        if code.contains("fn tell(") {
            end = Some(format!("{}}}", &line[..line.len() - code.len()]));
        }
        if end.as_deref() == Some(line) {
            end = None;
        }
        if code.starts_with("//") || end.is_some() {
            continue;
        }
        // Code and literals alternate, up to a comment.
        for (number, part) in code.split('"').enumerate() {
            if number % 2 == 1 {
                found.push((statement.clone(), part.to_string()));
                continue;
            }
            statement.push_str(part);
            if part.contains("//") {
                break;
            }
        }
        if code.ends_with([';', '{', '}']) {
            statement.clear();
        }
    }
    found
}

/// Whether a person reads words in it: two letters beside each other outside of its placeholders.
fn is_text(literal: &str) -> bool {
    let mut depth = 0;
    let outside: String = literal
        .chars()
        .map(|letter| {
            depth += i32::from(letter == '{');
            let shown = if depth > 0 { ' ' } else { letter };
            depth -= i32::from(letter == '}');
            shown
        })
        .collect();
    let letters: Vec<bool> = outside.chars().map(char::is_alphabetic).collect();
    letters.windows(2).any(|pair| pair == [true, true])
}

#[test]
fn every_text_of_a_screen_is_in_the_file_of_its_language() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut astray = vec![];
    let mut seen = 0;
    for file in PLACES.iter().flat_map(|place| files(&source.join(place))) {
        let name = file
            .strip_prefix(&source)
            .expect("inside")
            .display()
            .to_string();
        // A file format, and generated figures.
        if name.ends_with("sgf.rs") || name.ends_with("strength.rs") || name.ends_with("tests.rs") {
            continue;
        }
        for (before, literal) in literals(&fs::read_to_string(&file).expect("a source")) {
            seen += 1;
            // What screen readers are told describes the drawing beside it.
            let is_told = before.contains("tell(") || before.contains("tell!(");
            // Names of screens, for logs and tests.
            let is_name = before.contains("Page::") && before.contains("=>");
            let is_known = [&NAMES[..], &TOLD].concat().contains(&&literal[..]);
            if is_text(&literal) && !is_told && !is_name && !is_known {
                astray.push(format!("{name}: \"{literal}\""));
            }
        }
    }
    assert!(seen > 200, "{seen} literals: is this still where they are?");
    assert!(
        astray.is_empty(),
        "these belong into handheld/src/words/english.rs:\n{}",
        astray.join("\n")
    );
}

#[test]
fn a_text_is_told_from_a_pattern() {
    assert!(is_text("Take {count} from it") && is_text("on") && is_text("×ab"));
    assert!(!is_text("{name}{remark}") && !is_text("+{} %") && !is_text("P") && !is_text(""));
    let source = "let a = \"one\"; // \"two\"\n// \"three\"\npen.tell(format_args!(\n\"four\"\n));\n#[cfg(test)] \"five\"";
    let found = literals(source);
    let words: Vec<&str> = found.iter().map(|(_, word)| word.as_str()).collect();
    assert_eq!(words, ["one", "four"]);
    assert!(found[1].0.contains("tell("));
}

//! Modules that know a game: only those in its folder.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    entries
        .map(|entry| entry.expect("an entry").path())
        .flat_map(|path| {
            if path.is_dir() {
                sources(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// Scoring and playouts came with Go, and are there for every game: only the folder of its board
/// names Go.
#[test]
fn only_its_board_knows_go() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let boards = root.join("boards");
    for path in sources(&root) {
        // The texts of all games are in one file, and the pictures of the book are tests, too.
        let texts = path.starts_with(root.join("words"));
        if texts || path.starts_with(boards.join("go")) || path == root.join("specimen.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a source file");
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        for (number, line) in code.lines().enumerate() {
            // Texts on the screen are between quotes.
            let code = line.split('"').step_by(2).collect::<String>();
            let knows_go = code.split(|c| !is_word(c)).any(|word| {
                let names = word.split("::").collect::<Vec<_>>();
                names.contains(&"Go") || names.contains(&"GoRules") || word.contains("go::")
            });
            // Other games have stones, too.
            let names_stones = !path.starts_with(&boards) && code.contains("stone");
            assert!(
                !knows_go && !names_stones,
                "{}:{}: {line}",
                path.display(),
                number + 1
            );
        }
    }
}

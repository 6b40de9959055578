//! The book as a website, where mdBook is installed; the pages read as well as they are.

use std::io::ErrorKind;
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
            println!("The book is in target/book: open index.html");
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

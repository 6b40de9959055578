//! The source tree around this program, if it runs in one: there, what is missing can be built.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dojo_lab::failure::{Done, Failure};

/// The root of the source tree: `cargo run` names it, otherwise the program lies in its `target` folder.
pub fn root() -> Option<PathBuf> {
    let named = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let program = std::env::current_exe().ok();
    let is_root = |folder: &&Path| {
        folder.join("xtask/Cargo.toml").is_file() && folder.join("host-sim/web").is_dir()
    };
    let around = |path: Option<PathBuf>| path?.ancestors().find(is_root).map(Path::to_path_buf);
    around(named).or_else(|| around(program))
}

/// Builds something by its one recipe, `cargo xtask TASK`, which also installs what the toolchain lacks. What it says
/// goes to stderr.
pub fn build(root: &Path, task: &[&str]) -> Done {
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let name = format!("cargo xtask {}", task.join(" "));
    let status = Command::new(cargo)
        .arg("xtask")
        .args(task)
        .current_dir(root)
        .stdin(Stdio::null())
        .stdout(std::io::stderr())
        .status()
        .map_err(|error| Failure::Usage(format!("`{name}` could not be started: {error}")))?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Check(format!("`{name}` failed: {status}")))
    }
}

/// The firmware's image for a board, built anew if anything in it has changed.
pub fn firmware(board: &str) -> Result<PathBuf, Failure> {
    let root = root().ok_or_else(|| {
        Failure::usage("name a firmware image: outside the source tree none can be built")
    })?;
    build(&root, &["firmware", board, "--quiet"])?;
    Ok(root.join(format!("target/firmware/{board}.elf")))
}

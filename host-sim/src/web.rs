//! `dojo web`: the handheld as a page, served on this machine or written as files for any web
//! server.
//!
//! The page is a folder of files, made by `cargo xtask web`. In the source tree it is built on
//! demand; elsewhere it is the folder given by `--page`, or `page` beside the program.

use std::net::TcpListener;
use std::path::{Path, PathBuf};

use crate::http::{self, File};
use crate::source_tree;
use dojo_lab::failure::{Done, Failure};
use dojo_lab::{files, output};

/// The arguments.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Port on this machine; 0 takes any that is free
    #[arg(long, default_value_t = 8064)]
    port: u16,
    /// The folder with the page's files; in the source tree it is built, elsewhere `page` beside
    /// the program is taken
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
    /// Write the page into this folder instead of serving it
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,
    /// Replace files in that folder
    #[arg(long, requires = "export")]
    force: bool,
}

/// Files without which a folder is not the page.
const NEEDED: [&str; 4] = ["index.html", "dojo.mjs", "dojo.wasm", "dojo.bank"];

/// Serves the page, or writes it.
pub fn run(args: Args) -> Done {
    let page = read(&folder(args.page)?)?;
    match args.export {
        Some(folder) => export(&page, &folder, args.force),
        None => {
            let unusable = |error| Failure::Usage(format!("port {}: {error}", args.port));
            let listener = TcpListener::bind(("127.0.0.1", args.port)).map_err(unusable)?;
            let address = listener.local_addr().map_err(unusable)?;
            output::print(&format!(
                "The handheld is at http://{address}/ (Ctrl-C stops it)\n"
            ))?;
            http::serve(&listener, address.port(), &page)
        }
    }
}

/// Where the page's files are; in the source tree they are built first.
fn folder(given: Option<PathBuf>) -> Result<PathBuf, Failure> {
    if let Some(folder) = given {
        return Ok(folder);
    }
    if let Some(root) = source_tree::root() {
        source_tree::build(&root, &["web"])?;
        return Ok(root.join("target/page"));
    }
    let program = std::env::current_exe().ok();
    let beside = program
        .and_then(|program| Some(program.parent()?.join("page")))
        .filter(|folder| folder.is_dir());
    beside.ok_or_else(|| {
        Failure::usage(
            "there is no folder `page` beside this program: name the page's folder with --page DIR",
        )
    })
}

/// Reads all files of a page's folder.
fn read(folder: &Path) -> Result<Vec<File>, Failure> {
    let mut page = vec![];
    for entry in std::fs::read_dir(folder).map_err(|error| Failure::file(folder, &error))? {
        let path = entry.map_err(|error| Failure::file(folder, &error))?.path();
        if let Some(name) = path
            .file_name()
            .and_then(|name| name.to_str())
            .filter(|name| path.is_file() && !name.starts_with('.'))
        {
            page.push(File {
                name: name.into(),
                bytes: files::read(&path)?,
            });
        }
    }
    if let Some(missing) = NEEDED
        .into_iter()
        .find(|needed| page.iter().all(|file| file.name != *needed))
    {
        return Err(Failure::Usage(format!(
            "{}: no `{missing}`, this is not the page",
            folder.display()
        )));
    }
    page.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(page)
}

fn export(page: &[File], folder: &Path, force: bool) -> Done {
    for file in page {
        files::may_write(&folder.join(&file.name), force)?;
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let mut listing = String::new();
    for file in page {
        files::write(&folder.join(&file.name), &file.bytes, force)?;
        listing += &format!("{:>8} bytes  {}\n", file.bytes.len(), file.name);
    }
    let total: usize = page.iter().map(|file| file.bytes.len()).sum();
    output::print(&format!(
        "{listing}{total:>8} bytes  in {}\n",
        folder.display()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_that_is_not_the_page_is_refused_by_what_it_lacks() {
        let folder = std::env::temp_dir().join(format!("dojo-page-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        assert!(matches!(
            read(&folder.join("nowhere")),
            Err(Failure::Usage(_))
        ));
        for name in ["index.html", "dojo.mjs", "dojo.bank"] {
            std::fs::write(folder.join(name), name).unwrap();
        }
        let refusal = read(&folder).unwrap_err().to_string();
        assert!(refusal.contains("no `dojo.wasm`"), "{refusal}");
        std::fs::write(folder.join("dojo.wasm"), "").unwrap();
        let kinds: Vec<_> = read(&folder).unwrap().iter().map(File::kind).collect();
        let [binary, text] = ["application/octet-stream", "text/javascript; charset=utf-8"];
        assert_eq!(
            kinds,
            [binary, text, "application/wasm", "text/html; charset=utf-8"]
        );
        std::fs::remove_dir_all(&folder).unwrap();
    }
}

//! `dojo web`: the handheld as a page, served on this machine or written as files for any web
//! server.
//!
//! The page is a folder of files, made by `cargo xtask web`. In the source tree it is built on
//! demand; elsewhere it is the folder given by `--page`, or `page` beside the program.

use std::net::{IpAddr, Ipv4Addr, TcpListener, UdpSocket};
use std::path::{Path, PathBuf};

use crate::http::{self, File, Reach};
use crate::qr;
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
    /// Serve everybody in the local network, for a phone beside this machine
    #[arg(long, conflicts_with = "export")]
    lan: bool,
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
    // Before the page is built, which takes a minute.
    if let Some(folder) = &args.export {
        for name in NEEDED {
            files::may_write(&folder.join(name), args.force)?;
        }
    }
    let page = read(&folder(args.page)?)?;
    match args.export {
        Some(folder) => export(&page, &folder, args.force),
        None => {
            let unusable = |error| Failure::Usage(format!("port {}: {error}", args.port));
            let (bound, reach) = match args.lan {
                true => (Ipv4Addr::UNSPECIFIED, Reach::Lan),
                false => (Ipv4Addr::LOCALHOST, Reach::Loopback),
            };
            let listener = TcpListener::bind((bound, args.port)).map_err(unusable)?;
            let port = listener.local_addr().map_err(unusable)?.port();
            output::print(&match reach {
                Reach::Loopback => {
                    format!("The handheld is at http://127.0.0.1:{port}/ (Ctrl-C stops it)\n")
                }
                Reach::Lan => invitation(own_number(), port),
            })?;
            http::serve(&listener, port, reach, &page)
        }
    }
}

/// This machine's number in the local network. Choosing a way to an address sends nothing; this
/// one is reserved for documentation (RFC 5737).
fn own_number() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    let number = socket.local_addr().ok()?.ip();
    Some(number).filter(|number| !number.is_loopback() && !number.is_unspecified())
}

/// What `--lan` prints: the address, its QR code, and what it opens.
fn invitation(number: Option<IpAddr>, port: u16) -> String {
    let Some(number) = number else {
        return format!(
            "No local network was found. The handheld is at http://127.0.0.1:{port}/ (Ctrl-C stops it)\n"
        );
    };
    let address = format!("http://{number}:{port}/");
    format!(
        "The handheld is at {address} (Ctrl-C stops it)\n\n{}\n\
        Everybody in this network can open it while this runs; it serves the page and nothing else.\n\
        Over plain http a phone can play, but not install the page, open it offline or stay lit:\n\
        browsers allow that on localhost and over https.\n",
        qr::lines(&address).unwrap_or_default()
    )
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

    #[test]
    fn the_invitation_has_the_address_its_code_and_a_warning() {
        let text = invitation(Some(IpAddr::from([192, 168, 1, 7])), 8064);
        assert!(text.starts_with("The handheld is at http://192.168.1.7:8064/ "));
        assert!(text.contains("Everybody in this network can open it"));
        assert!(text.contains('\u{2588}'), "{text}");
        assert!(invitation(None, 1).contains("http://127.0.0.1:1/"));
    }
}

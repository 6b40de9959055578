//! `dojo web`: the handheld as a page, served on this machine or written as files for any web server.

use std::io::Cursor;
use std::path::PathBuf;

use dojo_core::bank::CRC;
use tiny_http::{Header, Method, Request, Response, Server};

use crate::bank;
use crate::failure::{Done, Failure};
use crate::files;
use crate::output;

/// The arguments.
#[derive(clap::Args, Clone, Debug)]
pub struct Args {
    /// Port on this machine; 0 takes any that is free
    #[arg(long, default_value_t = 8064)]
    port: u16,
    /// Write the page into this folder instead of serving it
    #[arg(long)]
    export: Option<PathBuf>,
    /// Replace files in that folder
    #[arg(long, requires = "export")]
    force: bool,
}

/// A file of the page.
pub struct File {
    /// Its name; the page itself is `index.html`.
    pub name: &'static str,
    /// What a browser is told about it.
    pub kind: &'static str,
    /// Its contents.
    pub bytes: Vec<u8>,
}

const HTML: &str = "text/html; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files of the page.
pub fn page() -> Vec<File> {
    let file = |name, kind, bytes: &[u8]| File { name, kind, bytes: bytes.to_vec() };
    let mut files = vec![
        file("index.html", HTML, include_bytes!("../web/page/index.html")),
        file("style.css", "text/css; charset=utf-8", include_bytes!("../web/page/style.css")),
        file("dojo.mjs", SCRIPT, include_bytes!("../web/page/dojo.mjs")),
        file("worker.mjs", SCRIPT, include_bytes!("../web/page/worker.mjs")),
        file("dojo.wasm", "application/wasm", include_bytes!(concat!(env!("OUT_DIR"), "/dojo.wasm"))),
        file("dojo.bank", "application/octet-stream", bank::SHIPPED),
    ];
    // The service worker keeps files by version: any change makes another one.
    let all: Vec<u8> = files.iter().flat_map(|file| file.bytes.iter().copied()).collect();
    let version = format!("{:08x}", CRC.checksum(&all));
    let worker = include_str!("../web/page/sw.js").replace("VERSION\"", &format!("{version}\""));
    files.push(file("sw.js", SCRIPT, worker.as_bytes()));
    files
}

/// Serves the page, or writes it.
pub fn run(args: Args) -> Done {
    match args.export {
        Some(folder) => export(&folder, args.force),
        None => {
            let server = Server::http(("127.0.0.1", args.port))
                .map_err(|error| Failure::Usage(format!("port {}: {error}", args.port)))?;
            let address = server.server_addr();
            output::print(&format!("The handheld is at http://{address}/ (Ctrl-C stops it)\n"))?;
            serve(&server)
        }
    }
}

fn export(folder: &std::path::Path, force: bool) -> Done {
    let page = page();
    for file in &page {
        files::may_write(&folder.join(file.name), force)?;
    }
    std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
    let mut listing = String::new();
    for file in &page {
        files::write(&folder.join(file.name), &file.bytes, force)?;
        listing += &format!("{:>8} bytes  {}\n", file.bytes.len(), file.name);
    }
    let total: usize = page.iter().map(|file| file.bytes.len()).sum();
    output::print(&format!("{listing}{total:>8} bytes  in {}\n", folder.display()))
}

fn serve(server: &Server) -> Done {
    let page = page();
    for request in server.incoming_requests() {
        // A browser that goes away in the middle of an answer is no fault.
        let _ = answer(request, &page);
    }
    Ok(())
}

fn answer(request: Request, page: &[File]) -> std::io::Result<()> {
    let path = request.url().split(['?', '#']).next().unwrap_or_default().trim_start_matches('/');
    let name = if path.is_empty() { "index.html" } else { path };
    let found = page.iter().find(|file| file.name == name);
    match (request.method(), found) {
        (Method::Get | Method::Head, Some(file)) => {
            let headers = [("Content-Type", file.kind), ("Cache-Control", "no-cache")];
            let headers = headers.into_iter().filter_map(|(key, value)| Header::from_bytes(key, value).ok()).collect();
            let length = Some(file.bytes.len());
            request.respond(Response::new(200.into(), headers, Cursor::new(&file.bytes[..]), length, None))
        }
        (Method::Get | Method::Head, None) => {
            request.respond(Response::from_string("not here\n").with_status_code(404))
        }
        _ => request.respond(Response::from_string("only GET\n").with_status_code(405)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_worker_knows_every_file_and_its_version() {
        let page = page();
        let worker = std::str::from_utf8(&page.last().unwrap().bytes).unwrap();
        assert!(!worker.contains("VERSION\""), "{worker}");
        for file in &page {
            let known = worker.contains(&format!("\"{}\"", file.name)) || ["index.html", "sw.js"].contains(&file.name);
            assert!(known, "{} would be missing offline", file.name);
        }
    }
}

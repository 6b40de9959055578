//! A small HTTP/1.1 server for a few files in memory, for browsers on this machine.
//!
//! One request a connection, one thread a connection: a client that is slow, silent or does not
//! read holds up nobody else. Every wait has an end, the number of connections and the size of a
//! request have limits, and no error of a connection ends the server.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use dojo_lab::output;

/// Connections at one time; further ones are refused with status 503.
const MAX_CONNECTIONS: usize = 256;
/// Bytes of request line and header. Browsers send the cookies of `localhost` to all its ports, so
/// that other programs on this machine can fill a few kilobytes.
const MAX_HEAD: usize = 16 * 1024;
/// Bytes that are read and dropped after an answer.
const MAX_REST: usize = 1024 * 1024;
/// Stack of a connection's thread: the deepest buffer has 4 KB.
const STACK: usize = 128 * 1024;

/// A request has to arrive within this time,
const REQUEST_TIME: Duration = Duration::from_secs(5);
/// the client has to take the answer within this time,
const ANSWER_TIME: Duration = Duration::from_secs(10);
/// and then to close the connection within this time.
const CLOSE_TIME: Duration = Duration::from_secs(1);
/// Pause after a failed accept: descriptors come back when connections end.
const ACCEPT_PAUSE: Duration = Duration::from_millis(20);

/// Names of this machine in the `Host` field. Any other name comes from a page that has rebound its
/// own name to the loopback address.
const OWN_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Fields of every answer. The policy is the page's own and forbids frames, which a page cannot do
/// by itself.
const COMMON_FIELDS: &str = "Cache-Control: no-cache\r\n\
    Content-Security-Policy: default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self'; connect-src 'self'; worker-src 'self'; \
    manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r\n\
    Cross-Origin-Resource-Policy: same-origin\r\n\
    Referrer-Policy: no-referrer\r\n\
    X-Content-Type-Options: nosniff\r\n\
    Connection: close\r\n";

/// A file that is served under its name; `index.html` also as `/`.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) name: String,
    pub(crate) bytes: Vec<u8>,
}

impl File {
    /// The media type, by the name's ending.
    pub(crate) fn kind(&self) -> &'static str {
        match self.name.rsplit_once('.').map_or("", |(_, ending)| ending) {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "js" | "mjs" => "text/javascript; charset=utf-8",
            "wasm" => "application/wasm",
            "webmanifest" => "application/manifest+json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => "application/octet-stream",
        }
    }
}

/// An error status and the text for a person who sees it in a browser.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refusal(&'static str, &'static str);

const BAD_REQUEST: Refusal = Refusal("400 Bad Request", "not an HTTP request\n");
const NOT_FOUND: Refusal = Refusal("404 Not Found", "not here\n");
const BAD_METHOD: Refusal = Refusal("405 Method Not Allowed", "only GET and HEAD\n");
const TOO_SLOW: Refusal = Refusal("408 Request Timeout", "the request took too long\n");
const LONG_LINE: Refusal = Refusal("414 URI Too Long", "the request line is too long\n");
const BAD_HOST: Refusal = Refusal(
    "421 Misdirected Request",
    "open the address that dojo web printed: it answers to localhost alone\n",
);
const LONG_HEAD: Refusal = Refusal(
    "431 Request Header Fields Too Large",
    "the request's header is too long\n",
);
const BUSY: Refusal = Refusal("503 Service Unavailable", "too many connections\n");
const BAD_VERSION: Refusal = Refusal("505 HTTP Version Not Supported", "only HTTP/1.1\n");

/// An answer before it is sent.
#[derive(Debug)]
struct Answer<'f> {
    status: &'static str,
    kind: &'static str,
    body: &'f [u8],
    /// The body is described and not sent, as `HEAD` asks for.
    head_only: bool,
}

impl From<Refusal> for Answer<'_> {
    fn from(Refusal(status, text): Refusal) -> Self {
        Answer {
            status,
            kind: "text/plain; charset=utf-8",
            body: text.as_bytes(),
            head_only: false,
        }
    }
}

impl Answer<'_> {
    fn head(&self) -> String {
        let Answer { status, kind, .. } = self;
        let allow = if *status == BAD_METHOD.0 {
            "Allow: GET, HEAD\r\n"
        } else {
            ""
        };
        let length = self.body.len();
        format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{allow}{COMMON_FIELDS}\r\n"
        )
    }

    fn send(&self, stream: &TcpStream) -> io::Result<()> {
        let deadline = Instant::now() + ANSWER_TIME;
        write(stream, self.head().as_bytes(), deadline)?;
        let body = if self.head_only { &[] } else { self.body };
        write(stream, body, deadline)
    }
}

/// The parts of a request that matter here.
#[derive(Debug)]
struct Request<'h> {
    method: &'h str,
    path: &'h str,
    host: &'h str,
}

impl<'h> Request<'h> {
    /// Reads request line and fields, without the empty line that ends them.
    fn parse(head: &'h str) -> Result<Request<'h>, Refusal> {
        let mut lines = head
            .split('\n')
            .map(|line| line.strip_suffix('\r').unwrap_or(line));
        let mut words = lines.next().unwrap_or_default().split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(BAD_REQUEST);
        };
        if !is_token(method) || target.is_empty() || target.contains(char::is_control) {
            return Err(BAD_REQUEST);
        }
        match version.strip_prefix("HTTP/") {
            Some("1.0" | "1.1") => {}
            Some(_) => return Err(BAD_VERSION),
            None => return Err(BAD_REQUEST),
        }
        let mut host = None;
        for line in lines {
            let (name, value) = line.split_once(':').ok_or(BAD_REQUEST)?;
            if !is_token(name) || value.contains(|c: char| c.is_control() && c != '\t') {
                return Err(BAD_REQUEST);
            }
            if name.eq_ignore_ascii_case("host") && host.replace(value.trim()).is_some() {
                return Err(BAD_REQUEST);
            }
        }
        // A proxy's form of the target, which every server has to understand.
        let (host, target) = match target.strip_prefix("http://") {
            Some(rest) => {
                let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
                (host, if path.is_empty() { "/" } else { path })
            }
            None => (host.ok_or(BAD_REQUEST)?, target),
        };
        let path = target.split(['?', '#']).next().unwrap_or_default();
        Ok(Request { method, path, host })
    }
}

/// A method or the name of a field.
fn is_token(word: &str) -> bool {
    let marks = b"!#$%&'*+-.^_`|~";
    !word.is_empty()
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || marks.contains(&byte))
}

/// Who is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Browsers on this machine.
    Loopback,
    /// Everybody in the local network, by this machine's number: a page of another site can rebind
    /// its name, but not a number.
    Lan,
}

/// The files, and the port that they are served at.
#[derive(Clone, Copy)]
struct Site<'f> {
    files: &'f [File],
    port: u16,
    reach: Reach,
}

impl<'f> Site<'f> {
    fn answer(&self, head: &[u8]) -> Answer<'f> {
        // Names of files and of this machine are ASCII: what else was in the bytes does not matter.
        match Request::parse(&String::from_utf8_lossy(head)) {
            Ok(request) => Answer {
                head_only: request.method == "HEAD",
                ..self.find(&request).unwrap_or_else(Answer::from)
            },
            Err(refusal) => refusal.into(),
        }
    }

    fn find(&self, request: &Request) -> Result<Answer<'f>, Refusal> {
        if !self.is_own(request.host) {
            return Err(BAD_HOST);
        }
        if !matches!(request.method, "GET" | "HEAD") {
            return Err(BAD_METHOD);
        }
        let name = match request.path.strip_prefix('/').ok_or(BAD_REQUEST)? {
            "" => "index.html",
            name => name,
        };
        let file = self.files.iter().find(|file| file.name == name);
        let file = file.ok_or(NOT_FOUND)?;
        Ok(Answer {
            status: "200 OK",
            kind: file.kind(),
            body: &file.bytes,
            head_only: false,
        })
    }

    /// This machine by one of its names, with the port, which is left out where it is HTTP's own.
    fn is_own(&self, host: &str) -> bool {
        let host = host.to_ascii_lowercase();
        let (number, port) = host.split_once(':').unwrap_or((&host, "80"));
        let is_number = number.parse::<Ipv4Addr>().is_ok() && port == self.port.to_string();
        if self.reach == Reach::Lan && is_number {
            return true;
        }
        let rest = OWN_NAMES.iter().find_map(|name| host.strip_prefix(name));
        rest.is_some_and(|rest| {
            rest == format!(":{}", self.port) || (rest.is_empty() && self.port == 80)
        })
    }

    /// Serves one connection. An error means that the client has gone or does not answer.
    fn talk(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nodelay(true)?;
        match read_head(stream)? {
            Ok(head) => self.answer(&head),
            Err(refusal) => refusal.into(),
        }
        .send(stream)?;
        // Closing with bytes unread resets the connection, and the client may lose the answer.
        stream.shutdown(Shutdown::Write)?;
        let deadline = Instant::now() + CLOSE_TIME;
        let mut rest = MAX_REST;
        let mut chunk = [0; 4096];
        while rest > 0 {
            match read(stream, &mut chunk, deadline)? {
                0 => break,
                length => rest = rest.saturating_sub(length),
            }
        }
        Ok(())
    }
}

/// Serves the files for as long as the program runs.
pub(crate) fn serve(listener: &TcpListener, port: u16, reach: Reach, files: &[File]) -> ! {
    let site = Site { files, port, reach };
    let connections = AtomicUsize::new(0);
    thread::scope(|scope| {
        let mut warned = false;
        loop {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    let client_left = matches!(
                        error.kind(),
                        ErrorKind::ConnectionAborted | ErrorKind::ConnectionReset
                    );
                    if !client_left && !warned {
                        warned = true;
                        output::warn(&format!("a connection has to wait: {error}"));
                    }
                    thread::sleep(ACCEPT_PAUSE);
                    continue;
                }
            };
            let Some(place) = Place::take(&connections) else {
                refuse(&stream);
                continue;
            };
            // Without a thread the connection is closed: the closure owns it.
            let _ = thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, move || {
                    let _place = place;
                    // A browser may close the connection at any time.
                    let _ = site.talk(&stream);
                });
        }
    })
}

/// One of the connections that are allowed at one time.
struct Place<'c>(&'c AtomicUsize);

impl<'c> Place<'c> {
    /// Only the accepting thread takes places, so that no other can come between load and add.
    fn take(connections: &'c AtomicUsize) -> Option<Place<'c>> {
        if connections.load(Ordering::Relaxed) >= MAX_CONNECTIONS {
            return None;
        }
        connections.fetch_add(1, Ordering::Relaxed);
        Some(Place(connections))
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Says that there is no place, without waiting for anything.
fn refuse(mut stream: &TcpStream) {
    let answer = Answer::from(BUSY);
    if stream.set_nonblocking(true).is_ok() {
        let _ = stream.write(&[answer.head().as_bytes(), answer.body].concat());
        let _ = stream.shutdown(Shutdown::Write);
        let _ = stream.read(&mut [0; 4096]);
    }
}

/// Reads request line and fields up to the empty line. A connection that ends or falls silent before
/// its first byte is an error: browsers open some in advance, and nobody waits for an answer.
fn read_head(stream: &TcpStream) -> io::Result<Result<Vec<u8>, Refusal>> {
    let deadline = Instant::now() + REQUEST_TIME;
    let mut head = vec![];
    let mut chunk = [0; 2048];
    loop {
        let length = match read(stream, &mut chunk, deadline) {
            Ok(0) if head.is_empty() => return Err(ErrorKind::UnexpectedEof.into()),
            Ok(0) => return Ok(Err(BAD_REQUEST)),
            Ok(length) => length,
            Err(error) if is_timeout(&error) && !head.is_empty() => return Ok(Err(TOO_SLOW)),
            Err(error) => return Err(error),
        };
        // The empty line may have begun in the bytes before.
        let start = head.len().saturating_sub(2);
        head.extend_from_slice(&chunk[..length]);
        if let Some(end) = find_end(&head[start..]) {
            head.truncate(start + end);
        } else if head.len() <= MAX_HEAD {
            continue;
        }
        return Ok(match head.len() {
            ..=MAX_HEAD => Ok(head),
            _ if head.contains(&b'\n') => Err(LONG_HEAD),
            _ => Err(LONG_LINE),
        });
    }
}

/// Where the last line ends before an empty one; lines may end without a carriage return.
fn find_end(bytes: &[u8]) -> Option<usize> {
    (0..bytes.len()).find(|&at| {
        let rest = &bytes[at..];
        rest.starts_with(b"\n\r\n") || rest.starts_with(b"\n\n")
    })
}

/// Reads some bytes; 0 is the end.
fn read(mut stream: &TcpStream, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
    loop {
        stream.set_read_timeout(Some(time_left(deadline)?))?;
        match stream.read(buffer) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Writes all bytes.
fn write(mut stream: &TcpStream, mut bytes: &[u8], deadline: Instant) -> io::Result<()> {
    while !bytes.is_empty() {
        stream.set_write_timeout(Some(time_left(deadline)?))?;
        match stream.write(bytes) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(length) => bytes = &bytes[length..],
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn time_left(deadline: Instant) -> io::Result<Duration> {
    deadline
        .checked_duration_since(Instant::now())
        .filter(|left| !left.is_zero())
        .ok_or(ErrorKind::TimedOut.into())
}

/// A read that waited too long; the kind depends on the system.
fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(head: &str, port: u16) -> (&'static str, bool, Vec<u8>) {
        let files = ["index.html", "dojo.bank"].map(|name| File {
            name: name.into(),
            bytes: name.into(),
        });
        let site = Site {
            files: &files,
            port,
            reach: Reach::Loopback,
        };
        let answer = site.answer(head.as_bytes());
        (answer.status, answer.head_only, answer.body.to_vec())
    }

    fn status(head: &str) -> &'static str {
        answer(head, 8064).0
    }

    #[test]
    fn a_file_is_found_by_its_exact_name_alone() {
        let get = |target: &str| {
            let head = format!("GET {target} HTTP/1.1\r\nHost: localhost:8064");
            let (status, _, body) = answer(&head, 8064);
            (status, String::from_utf8(body).unwrap())
        };
        let page = ("200 OK", "index.html".to_string());
        for target in [
            "/",
            "/?seed=7",
            "/#trace",
            "/index.html",
            "http://127.0.0.1:8064",
        ] {
            assert_eq!(get(target), page, "{target}");
        }
        assert_eq!(get("/dojo.bank?a/../b").1, "dojo.bank");
        assert_eq!(get("http://localhost:8064/dojo.bank").1, "dojo.bank");
        let targets = [
            "/../dojo.bank",
            "/./dojo.bank",
            "//dojo.bank",
            "/dojo.bank/",
        ];
        for target in targets.into_iter().chain(["/%2e%2e/etc/passwd", "/dojo"]) {
            assert_eq!(get(target).0, NOT_FOUND.0, "{target}");
        }
    }

    #[test]
    fn only_names_of_this_machine_with_the_right_port_are_hosts() {
        let with = |host: &str, port| answer(&format!("GET / HTTP/1.1\r\nhOST:\t{host} "), port).0;
        for name in OWN_NAMES.into_iter().chain(["LocalHost"]) {
            assert_eq!(with(&format!("{name}:8064"), 8064), "200 OK", "{name}");
            assert_eq!(with(name, 80), "200 OK", "{name}");
            for host in [
                name.into(),
                format!("{name}:"),
                format!("{name}:80"),
                format!("{name}:80640"),
            ] {
                assert_eq!(with(&host, 8064), BAD_HOST.0, "{host}");
            }
        }
        for host in [
            "",
            "evil.example:8064",
            "localhost.evil.example:8064",
            "a@localhost:8064",
        ] {
            assert_eq!(with(host, 8064), BAD_HOST.0, "{host}");
        }
        let absolute = "GET http://evil.example:8064/ HTTP/1.1\r\nHost: localhost:8064";
        assert_eq!(status(absolute), BAD_HOST.0);
    }

    #[test]
    fn methods_and_versions() {
        let with = |line: &str| answer(&format!("{line}\nHost: localhost:8064"), 8064);
        let (status, head_only, body) = with("HEAD /dojo.bank HTTP/1.0");
        assert_eq!(
            (status, head_only, &body[..]),
            ("200 OK", true, &b"dojo.bank"[..])
        );
        assert!(!with("GET / HTTP/1.1").1);
        assert_eq!(with("HEAD /none HTTP/1.1").0, NOT_FOUND.0);
        assert!(with("HEAD /none HTTP/1.1").1, "no body follows either");
        for line in [
            "POST / HTTP/1.1",
            "OPTIONS * HTTP/1.1",
            "get / HTTP/1.1",
            "BREW /none HTTP/1.1",
        ] {
            assert_eq!(with(line).0, BAD_METHOD.0, "{line}");
        }
        assert!(
            Answer::from(BAD_METHOD)
                .head()
                .contains("\r\nAllow: GET, HEAD\r\n")
        );
        assert!(!Answer::from(NOT_FOUND).head().contains("Allow"));
        for version in ["HTTP/2.0", "HTTP/1.10", "HTTP/"] {
            assert_eq!(with(&format!("GET / {version}")).0, BAD_VERSION.0);
        }
    }

    #[test]
    fn malformed_requests_are_refused() {
        let host = "Host: localhost:8064";
        assert_eq!(
            status(&format!("GET / HTTP/1.1\r\n{host}\r\nX: \u{fffd}")),
            "200 OK"
        );
        for line in [
            "",
            "GET /",
            "GET  / HTTP/1.1",
            " GET / HTTP/1.1",
            "GET / HTTP/1.1 ",
            "GET /\tHTTP/1.1",
            "GET / TTP/1.1",
            "G(T / HTTP/1.1",
            "GET /\0 HTTP/1.1",
            "GET index.html HTTP/1.1",
        ] {
            assert_eq!(
                status(&format!("{line}\r\n{host}")),
                BAD_REQUEST.0,
                "{line:?}"
            );
        }
        for field in [
            host,
            "X",
            "X : y",
            " folded: y",
            ": y",
            "X: a\rb",
            "X: \0",
            "Ä: y",
        ] {
            let head = format!("GET / HTTP/1.1\r\n{host}\r\n{field}");
            assert_eq!(status(&head), BAD_REQUEST.0, "{field:?}");
        }
        assert_eq!(status("GET / HTTP/1.1"), BAD_REQUEST.0, "no host");
    }

    #[test]
    fn the_end_of_a_head_is_an_empty_line() {
        for (bytes, end) in [
            (&b"a\r\n\r\nrest"[..], Some(2)),
            (b"a\n\n", Some(1)),
            (b"a\nb\r\n\n", Some(4)),
            (b"a\r\n\r", None),
            (b"a\r\nb\r\n", None),
            (b"", None),
        ] {
            assert_eq!(find_end(bytes), end, "{bytes:?}");
        }
    }

    #[test]
    fn the_policy_in_the_header_is_that_of_the_page() {
        let page = include_str!("../web/page/index.html");
        let own = page.split_once("Content-Security-Policy\" content=\"");
        let own = own.and_then(|(_, rest)| rest.split_once('"')).unwrap().0;
        let field = format!("Content-Security-Policy: {own}; frame-ancestors 'none'\r\n");
        assert!(COMMON_FIELDS.contains(&field), "{field}");
    }

    #[test]
    fn the_local_network_reaches_it_by_number_alone_and_only_if_it_may() {
        let is_own = |reach, host| {
            let site = Site {
                files: &[],
                port: 8064,
                reach,
            };
            site.is_own(host)
        };
        for (host, in_lan) in [
            ("192.168.1.7:8064", true),
            ("10.0.0.2:8064", true),
            ("192.168.1.7:80", false),
            ("192.168.1.7", false),
            ("evil.example:8064", false),
            ("192.168.1.7.evil.example:8064", false),
        ] {
            assert_eq!(is_own(Reach::Lan, host), in_lan, "{host}");
            assert!(!is_own(Reach::Loopback, host), "{host}");
        }
        assert!(is_own(Reach::Lan, "localhost:8064"));
        assert!(is_own(Reach::Loopback, "localhost:8064"));
    }
}

//! The server of `dojo web` against clients that are wrong, slow, silent or gone.
//!
//! Every test has a server and a page of its own. `dojo.bank` is larger than all buffers between
//! server and client, so that a client that does not read makes the server wait.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// An honest request is answered within this time under load, whatever others do. Only the long
/// load test, which `cargo xtask full` runs, measures it.
const PROMISE: Duration = Duration::from_secs(2);
/// Sooner than the server gives up on a hostile client: an honest one did not wait for that.
const SOON: Duration = Duration::from_secs(4);
/// How long a client waits at all.
const PATIENCE: Duration = Duration::from_secs(20);

const PAGE: &[u8] = b"<!doctype html><title>page</title>";
const SECRET: &str = "never served";

/// Bytes of a file that differ from place to place.
fn pattern(length: u32) -> Vec<u8> {
    (0..length).map(|i| (i ^ (i >> 8)) as u8).collect()
}

/// The program `dojo web` with a page made for the test; nothing may reach its stderr.
struct Site {
    child: Child,
    address: SocketAddr,
    stderr: PathBuf,
    wasm: Vec<u8>,
}

impl Site {
    fn start(name: &str) -> Site {
        let mut program = Command::new(env!("CARGO_BIN_EXE_dojo"));
        program.arg("web");
        Site::start_as(name, program)
    }

    fn start_as(name: &str, mut program: Command) -> Site {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("web_server")
            .join(name);
        let _ = fs::remove_dir_all(&folder);
        let page = folder.join("page");
        fs::create_dir_all(page.join("inner")).unwrap();
        let wasm = pattern(500_000);
        fs::write(page.join("index.html"), PAGE).unwrap();
        fs::write(page.join("dojo.mjs"), "export {};").unwrap();
        fs::write(page.join("dojo.wasm"), &wasm).unwrap();
        fs::write(page.join("dojo.bank"), pattern(24 << 20)).unwrap();
        for hidden in ["secret.txt", "page/.secret", "page/inner/secret.txt"] {
            fs::write(folder.join(hidden), SECRET).unwrap();
        }
        let stderr = folder.join("stderr");
        let mut child = program
            .args(["--port", "0", "--page"])
            .arg(&page)
            .stdout(Stdio::piped())
            .stderr(File::create(&stderr).unwrap())
            .spawn()
            .expect("dojo web starts");
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .strip_prefix("The handheld is at http://")
            .and_then(|rest| rest.split_once('/'))
            .unwrap_or_else(|| panic!("an address in {line:?}"))
            .0;
        Site {
            address: address.parse().unwrap(),
            child,
            stderr,
            wasm,
        }
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let stream = TcpStream::connect_timeout(&self.address, PATIENCE)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(stream)
    }

    /// A request; unless it is the last one, others follow on the connection.
    fn request(&self, method: &str, target: &str, last: bool) -> String {
        let port = self.address.port();
        let connection = if last { "close" } else { "keep-alive" };
        format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost:{port}\r\nConnection: {connection}\r\n\r\n"
        )
    }

    /// Sends bytes and reads the answer to its end.
    fn send(&self, bytes: impl AsRef<[u8]>) -> io::Result<Reply> {
        let mut stream = self.connect()?;
        stream.write_all(bytes.as_ref())?;
        Reply::read(stream)
    }

    fn ask(&self, method: &str, target: &str) -> Reply {
        self.send(self.request(method, target, true)).unwrap()
    }

    /// An honest request for the page, answered in time.
    fn serves_in_time(&self) {
        let begun = Instant::now();
        let reply = self.ask("GET", "/");
        assert_eq!((reply.status, &reply.body[..]), (200, PAGE));
        assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    }

    /// Still running; returns the lines on stderr.
    fn complaints(mut self) -> Vec<String> {
        assert_eq!(self.child.try_wait().unwrap(), None, "it has ended");
        let text = fs::read_to_string(&self.stderr).unwrap();
        text.lines().map(String::from).collect()
    }

    fn check(self) {
        self.serves_in_time();
        assert_eq!(self.complaints(), [""; 0]);
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[derive(Debug)]
struct Reply {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Reply {
    /// Reads until the server closes.
    fn read(mut stream: TcpStream) -> io::Result<Reply> {
        let mut bytes = vec![];
        stream.read_to_end(&mut bytes)?;
        let malformed = || io::Error::other(format!("{} bytes, no answer", bytes.len()));
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
        let end = end.ok_or_else(malformed)? + 2;
        let head = String::from_utf8(bytes[..end].to_vec()).map_err(|_| malformed())?;
        let status = head
            .strip_prefix("HTTP/1.1 ")
            .and_then(|rest| rest.get(..3));
        Ok(Reply {
            status: status
                .and_then(|code| code.parse().ok())
                .ok_or_else(malformed)?,
            body: bytes.split_off(end + 2),
            head,
        })
    }

    fn field(&self, name: &str) -> &str {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        let value = fields.find(|(key, _)| key.eq_ignore_ascii_case(name));
        value.unwrap_or_else(|| panic!("{name} in {}", self.head)).1
    }
}

#[test]
fn files_have_their_types_and_all_answers_the_security_fields() {
    let site = Site::start("fields");
    let kinds = [
        ("/", "text/html; charset=utf-8"),
        ("/index.html?seed=7", "text/html; charset=utf-8"),
        ("/dojo.mjs", "text/javascript; charset=utf-8"),
        ("/dojo.wasm", "application/wasm"),
        ("/dojo.bank", "application/octet-stream"),
    ];
    let mut replies = vec![];
    for (target, kind) in kinds {
        let [got, head] = ["GET", "HEAD"].map(|method| site.ask(method, target));
        assert_eq!((got.status, got.field("content-type")), (200, kind));
        assert_eq!(got.field("content-length"), got.body.len().to_string());
        assert_eq!((head.head.as_str(), head.body.len()), (&got.head[..], 0));
        replies.push(got);
    }
    assert_eq!(replies[3].body, site.wasm);
    replies.push(site.ask("GET", "/none"));
    replies.push(site.ask("POST", "/"));
    replies.push(site.send("nonsense\r\n\r\n").unwrap());
    replies.push(site.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").unwrap());
    for reply in &replies {
        assert_eq!(reply.field("cache-control"), "no-cache");
        assert_eq!(reply.field("x-content-type-options"), "nosniff");
        assert_eq!(reply.field("cross-origin-resource-policy"), "same-origin");
        assert_eq!(reply.field("referrer-policy"), "no-referrer");
        let policy = reply.field("content-security-policy");
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert!(policy.contains("default-src 'none'"), "{policy}");
    }
    site.check();
}

#[test]
fn nothing_outside_the_page_is_served() {
    let site = Site::start("traversal");
    for target in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/..\\secret.txt",
        "/inner/secret.txt",
        "/inner/../../secret.txt",
        "/inner",
        "/.secret",
        "/./.secret",
        "//secret.txt",
        "/dojo.bank/../../secret.txt",
        "/../../../../../../../../etc/passwd",
        "/%00",
    ] {
        let reply = site.ask("GET", target);
        let text = String::from_utf8_lossy(&reply.body);
        assert_eq!((reply.status, &*text), (404, "not here\n"), "{target}");
    }
    site.check();
}

#[test]
fn other_methods_are_refused_even_with_a_body() {
    let site = Site::start("methods");
    for method in [
        "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "TRACE", "CONNECT", "BREW",
    ] {
        for target in ["/", "/none"] {
            let reply = site.ask(method, target);
            assert_eq!((reply.status, reply.field("allow")), (405, "GET, HEAD"));
        }
    }
    // The whole body is on its way when the answer comes.
    let port = site.address.port();
    let mut bytes =
        format!("POST / HTTP/1.1\r\nHost: localhost:{port}\r\nContent-Length: 500000\r\n\r\n")
            .into_bytes();
    bytes.extend(pattern(500_000));
    assert_eq!(site.send(bytes).unwrap().status, 405);
    site.check();
}

#[test]
fn only_this_machine_is_a_host() {
    let site = Site::start("host");
    let port = site.address.port();
    let with = |host: String| {
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        site.send(request).unwrap().status
    };
    for name in ["localhost", "127.0.0.1", "[::1]", "LOCALHOST"] {
        assert_eq!(with(format!("{name}:{port}")), 200, "{name}");
        assert_eq!(with(name.into()), 421, "{name} without its port");
        assert_eq!(with(format!("{name}:{}", port ^ 1)), 421, "{name}");
    }
    for name in [
        "evil.example",
        "localhost.evil.example",
        "0.0.0.0",
        "a@localhost",
    ] {
        assert_eq!(with(format!("{name}:{port}")), 421, "{name}");
    }
    assert_eq!(site.send("GET / HTTP/1.1\r\n\r\n").unwrap().status, 400);
    site.check();
}

#[test]
fn broken_requests_get_their_status() {
    let site = Site::start("broken");
    let host = format!("Host: localhost:{}\r\n", site.address.port());
    let long = "a".repeat(100_000);
    for (request, status) in [
        ("\r\n\r\n".into(), 400),
        ("\0\x01\x02\n\n".into(), 400),
        (format!("GET / HTTP/1.1\r\n{host}{host}\r\n"), 400),
        (format!("GET / HTTP/1.1\r\n{host} folded: x\r\n\r\n"), 400),
        (format!("GET / HTTP/3.0\r\n{host}\r\n"), 505),
        (format!("GET /{long} HTTP/1.1\r\n{host}\r\n"), 414),
        (format!("GET / HTTP/1.1\r\n{host}X: {long}\r\n\r\n"), 431),
        (
            format!("GET / HTTP/1.1\r\n{host}{}\r\n", "X: y\r\n".repeat(10_000)),
            431,
        ),
        (
            format!("GET / HTTP/1.1\r\n{host}X: {}\r\n\r\n", &long[..8000]),
            200,
        ),
        (format!("GET / HTTP/1.0\n{host}\n"), 200),
    ] {
        let reply = site.send(&request).unwrap();
        assert_eq!(
            reply.status,
            status,
            "{}",
            &request[..request.len().min(80)]
        );
    }
    // The client closes its side in the middle of the request.
    let mut stream = site.connect().unwrap();
    stream.write_all(b"GET / HTT").unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    assert_eq!(Reply::read(stream).unwrap().status, 400);
    site.check();
}

#[test]
fn a_request_has_a_time_limit_however_slowly_it_trickles() {
    let site = Site::start("slow");
    let begun = Instant::now();
    let mut silent = site.connect().unwrap();
    let mut slow = site.connect().unwrap();
    let mut reader = slow.try_clone().unwrap();
    reader
        .set_read_timeout(Some(Duration::from_millis(100)))
        .unwrap();
    let mut answer = vec![];
    slow.write_all(b"GET / HTTP/1.1\r\nX: ").unwrap();
    while reader.read_to_end(&mut answer).is_err() {
        assert!(begun.elapsed() < PATIENCE, "it is never cut off");
        let _ = slow.write_all(b"x");
    }
    assert!(answer.starts_with(b"HTTP/1.1 408 "), "{answer:?}");
    // Who never asked gets no answer.
    assert_eq!(silent.read(&mut [0; 100]).unwrap(), 0);
    assert!(begun.elapsed() < Duration::from_secs(10));
    site.check();
}

#[test]
fn others_are_served_while_clients_do_not_read() {
    let site = Site::start("unread");
    let requests = site.request("GET", "/dojo.bank", false).repeat(21);
    let unread: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = site.connect().unwrap();
            stream.write_all(requests.as_bytes()).unwrap();
            stream
        })
        .collect();
    for _ in 0..20 {
        site.serves_in_time();
        thread::sleep(Duration::from_millis(20));
    }
    drop(unread);
    site.check();
}

#[test]
fn a_hundred_resets_leave_no_trace() {
    let site = Site::start("resets");
    let request = site.request("GET", "/dojo.bank", false);
    for number in 0..100 {
        let mut stream = site.connect().unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        // At once, after the first byte, or behind a second request.
        if number % 3 > 0 {
            stream.peek(&mut [0]).unwrap();
        }
        if number % 3 > 1 {
            let _ = stream.write_all(request.as_bytes());
        }
        rustix::net::sockopt::set_socket_linger(&stream, Some(Duration::ZERO)).unwrap();
        drop(stream);
        if number % 10 == 0 {
            site.serves_in_time();
        }
    }
    site.check();
}

#[test]
fn half_open_connections_are_bounded_and_do_not_disturb() {
    let site = Site::start("half-open");
    let open = |number: usize| {
        let mut stream = site.connect().unwrap();
        if number.is_multiple_of(2) {
            stream.write_all(b"GET / HTTP/1.1\r\n").unwrap();
        }
        stream
    };
    let mut all: Vec<TcpStream> = (0..200).map(open).collect();
    site.serves_in_time();
    // More than it takes: the next one is told so at once.
    all.extend((200..256).map(open));
    let begun = Instant::now();
    let reply = Reply::read(site.connect().unwrap()).unwrap();
    assert_eq!(reply.status, 503);
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    drop(all);
    while site.ask("GET", "/").status != 200 {
        assert!(begun.elapsed() < PATIENCE);
    }
    site.check();
}

#[cfg(unix)]
#[test]
fn it_goes_on_after_it_had_no_descriptors_left() {
    let mut program = Command::new("sh");
    program
        .args(["-c", "ulimit -n 32 && exec \"$0\" \"$@\""])
        .args([env!("CARGO_BIN_EXE_dojo"), "web"]);
    let site = Site::start_as("descriptors", program);
    let held: Vec<TcpStream> = (0..80).map(|_| site.connect().unwrap()).collect();
    // Silent connections are closed, and the next ones have their turn.
    assert_eq!(site.ask("GET", "/").status, 200);
    drop(held);
    site.serves_in_time();
    let complaints = site.complaints();
    assert_eq!(complaints.len(), 1, "{complaints:?}");
    assert!(complaints[0].contains("has to wait"), "{complaints:?}");
}

/// Two of three clients are honest, the others are each wrong in their own way.
const CLIENTS: usize = 200;

#[derive(Default)]
struct Load {
    honest: usize,
    hostile: usize,
    worst: Duration,
    failures: Vec<String>,
}

/// One connection of a hostile client.
fn misbehave(site: &Site, kind: usize, end: Instant) -> io::Result<()> {
    let mut stream = site.connect()?;
    let pause = || thread::sleep(Duration::from_millis(100));
    match kind {
        // A request that never ends.
        0 => {
            stream.write_all(b"GET / HTTP/1.1\r\nX: ")?;
            while Instant::now() < end {
                stream.write_all(b"x")?;
                pause();
            }
        }
        // Asks for everything and does not read.
        1 => {
            stream.write_all(
                site.request("GET", "/dojo.bank", false)
                    .repeat(21)
                    .as_bytes(),
            )?;
            let until = end.min(Instant::now() + Duration::from_secs(4));
            while Instant::now() < until {
                pause();
            }
        }
        // Resets in the middle of an answer.
        2 => {
            stream.write_all(site.request("GET", "/dojo.bank", false).as_bytes())?;
            stream.peek(&mut [0])?;
        }
        // Not HTTP, without an end.
        3 => stream.write_all(&pattern(40_000))?,
        // Leaves in the middle of a request.
        4 => {
            stream.write_all(b"GET /dojo.wasm HT")?;
            stream.shutdown(Shutdown::Both)?;
        }
        // Silent.
        _ => {
            let until = end.min(Instant::now() + Duration::from_secs(7));
            stream.set_read_timeout(Some(until - Instant::now()))?;
            stream.read_exact(&mut [0])?;
        }
    }
    pause();
    Ok(())
}

/// One honest request, from connecting to the last byte.
fn behave(site: &Site, number: usize) -> Result<Duration, String> {
    let (target, body) = match number % 8 {
        0 => ("/dojo.wasm", &site.wasm[..]),
        _ => ("/", PAGE),
    };
    let begun = Instant::now();
    let reply = site.send(site.request("GET", target, true));
    let took = begun.elapsed();
    match reply {
        Ok(reply) if reply.status == 200 && reply.body == body => Ok(took),
        Ok(reply) => Err(format!("{target}: {} after {took:?}", reply.status)),
        Err(error) => Err(format!("{target}: {error} after {took:?}")),
    }
}

fn load(name: &str, time: Duration) -> Load {
    let site = Site::start(name);
    let end = Instant::now() + time;
    let load = Mutex::new(Load::default());
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (site, load) = (&site, &load);
            scope.spawn(move || {
                for number in client.. {
                    if Instant::now() >= end {
                        break;
                    }
                    if client % 3 == 0 {
                        // The server may cut a hostile client off at any point.
                        let _ = misbehave(site, client / 3 % 6, end);
                        load.lock().unwrap().hostile += 1;
                        continue;
                    }
                    let result = behave(site, number);
                    let mut load = load.lock().unwrap();
                    load.honest += 1;
                    match result {
                        Ok(took) => load.worst = load.worst.max(took),
                        Err(failure) => load.failures.push(failure),
                    }
                    drop(load);
                    // Ten requests a second at most from each client.
                    thread::sleep(Duration::from_millis(100));
                }
            });
        }
    });
    let load = load.into_inner().unwrap();
    println!(
        "{CLIENTS} clients for {time:?}: {} honest requests, worst {:?}; {} hostile connections",
        load.honest, load.worst, load.hostile
    );
    assert_eq!(load.failures, [""; 0]);
    assert!(load.honest > CLIENTS, "{} requests", load.honest);
    site.check();
    load
}

#[test]
fn honest_clients_are_served_among_hostile_ones() {
    load("load", Duration::from_secs(3));
}

#[test]
#[ignore = "30 seconds of load; `cargo xtask full` runs it"]
fn honest_clients_are_served_among_hostile_ones_for_long() {
    let load = load("long-load", Duration::from_secs(30));
    assert!(load.worst < PROMISE, "{:?}", load.worst);
}

#[test]
fn the_local_network_is_served_only_when_asked_and_is_told_what_that_opens() {
    let mut program = Command::new(env!("CARGO_BIN_EXE_dojo"));
    program.args(["web", "--lan"]);
    let site = Site::start_as("lan", program);
    let (number, port) = (site.address.ip(), site.address.port());
    let status = |host: String| {
        let head = format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n");
        site.send(head).unwrap().status
    };
    assert_eq!(status(format!("{number}:{port}")), 200);
    assert_eq!(status(format!("localhost:{port}")), 200);
    assert_eq!(status(format!("rebound.example:{port}")), 421);
    site.check();

    // Without --lan the machine's own number is not even listened on.
    let alone = Site::start("no-lan");
    assert!(alone.address.ip().is_loopback());
    if !number.is_loopback() {
        let there = SocketAddr::new(number, alone.address.port());
        assert!(TcpStream::connect_timeout(&there, SOON).is_err());
    }
    alone.check();
}

//! A headless Chromium, driven by its own protocol over two pipes: JSON objects, each ended by a
//! zero byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long anything may take before a test gives up; a busy machine is slow.
const PATIENCE: Duration = Duration::from_secs(60);

/// The browser, if this machine has one. `CHROMIUM` names another.
pub(crate) fn find() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let mut all =
        std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name)));
    named.or_else(|| all.find(|file| file.is_file()))
}

pub(crate) struct Chromium {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    session: String,
    next_id: u64,
    /// What went wrong in the page, and every address it asked for.
    pub(crate) errors: Vec<String>,
    pub(crate) requests: Vec<String>,
}

impl Chromium {
    /// Starts the browser with an empty page and a profile of its own in `folder`.
    pub(crate) fn start(program: &Path, folder: &Path) -> Chromium {
        // The protocol wants descriptors 3 and 4; a shell can lay our pipes there.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>&2"])
            .arg(program)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--no-first-run",
                "--remote-debugging-pipe",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .args([
                "--disable-quic",
                "--mute-audio",
                "--force-color-profile=srgb",
            ])
            .arg(format!("--user-data-dir={}", folder.display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the browser starts");
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let (errors, requests) = (vec![], vec![]);
        let mut browser = Chromium {
            child,
            to,
            from,
            session: String::new(),
            next_id: 0,
            errors,
            requests,
        };
        let page = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.call(
            "Target.attachToTarget",
            json!({"targetId": page["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str().unwrap().into();
        for domain in ["Page", "Runtime", "Network", "Log", "DOM"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// Calls a method of the protocol and waits for its result; what happens meanwhile is noted.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.try_call(method, params)
            .unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same; the error of a call that the browser refuses.
    fn try_call(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.next_id += 1;
        let mut message = json!({"id": self.next_id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = self.session.clone().into();
        }
        self.to
            .write_all(format!("{message}\0").as_bytes())
            .expect("the browser listens");
        loop {
            let mut bytes = vec![];
            self.from
                .read_until(0, &mut bytes)
                .expect("the browser speaks");
            bytes.pop();
            let mut message: Value =
                serde_json::from_slice(&bytes).expect("the browser is still there");
            if message["id"] == self.next_id {
                return match message["error"].take() {
                    Value::Null => Ok(message["result"].take()),
                    error => Err(error),
                };
            }
            self.note(&message);
        }
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests
                    .push(params["request"]["url"].as_str().unwrap_or_default().into());
            }
            Some("Runtime.exceptionThrown") => {
                self.errors.push(params["exceptionDetails"].to_string())
            }
            Some("Runtime.consoleAPICalled") if params["type"] == "error" => {
                self.errors.push(params["args"].to_string())
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.errors.push(params["entry"].to_string())
            }
            _ => {}
        }
    }

    /// The value of an expression in the page; promises are waited for.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.try_value(expression)
            .unwrap_or_else(|error| panic!("{expression}: {error}"))
    }

    /// The same; an error if the page is left or loaded again meanwhile.
    fn try_value(&mut self, expression: &str) -> Result<Value, Value> {
        let params = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let mut result = self.try_call("Runtime.evaluate", params)?;
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        Ok(result["result"]["value"].take())
    }

    /// Waits until an expression is true; a page that is being loaded has no value yet.
    pub(crate) fn wait_for(&mut self, expression: &str) {
        let begun = Instant::now();
        while self.try_value(&format!("Boolean({expression})")) != Ok(json!(true)) {
            if begun.elapsed() > PATIENCE {
                let told = self.value("document.getElementById('told')?.textContent");
                panic!(
                    "waited for {expression}; errors {:?}; the screen says {told}",
                    self.errors
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Opens an address.
    pub(crate) fn open(&mut self, address: &str) {
        self.call("Page.navigate", json!({"url": address}));
    }

    /// Presses and lets go a key, by its place on the keyboard.
    pub(crate) fn key(&mut self, code: &str) {
        for kind in ["rawKeyDown", "keyUp"] {
            self.call(
                "Input.dispatchKeyEvent",
                json!({"type": kind, "code": code, "key": code}),
            );
        }
    }

    /// Clicks the middle of an element.
    pub(crate) fn click(&mut self, selector: &str) {
        let middle = format!(
            "(() => {{ const r = document.querySelector('{selector}').getBoundingClientRect();
                return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let at = self.value(&middle);
        for kind in ["mousePressed", "mouseReleased"] {
            let event =
                json!({"type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
    }

    /// Chooses a file in a file field.
    pub(crate) fn choose_file(&mut self, selector: &str, file: &Path) {
        let root = self.call("DOM.getDocument", json!({}));
        let params = json!({"nodeId": root["root"]["nodeId"], "selector": selector});
        let node = self.call("DOM.querySelector", params);
        self.call(
            "DOM.setFileInputFiles",
            json!({"nodeId": node["nodeId"], "files": [file]}),
        );
    }

    /// A picture of the window at this size, as PNG.
    pub(crate) fn picture(&mut self, width: u32, height: u32, scale: u32) -> Vec<u8> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": scale, "mobile": scale > 1});
        self.call("Emulation.setDeviceMetricsOverride", size);
        // Two frames: one for the new layout, one for the picture in it.
        self.value(
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
        );
        let picture = self.call("Page.captureScreenshot", json!({"format": "png"}));
        from_base64(picture["data"].as_str().unwrap())
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self
            .to
            .write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.from.get_mut().take(1 << 20).read_to_end(&mut vec![]);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Base64 as the browser writes it.
pub(crate) fn from_base64(text: &str) -> Vec<u8> {
    let digit = |byte: u8| match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let mut bytes = vec![];
    for group in text.trim_end_matches('=').as_bytes().chunks(4) {
        let bits = group
            .iter()
            .fold(0u32, |bits, &byte| bits << 6 | u32::from(digit(byte)))
            << (6 * (4 - group.len()));
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    bytes
}

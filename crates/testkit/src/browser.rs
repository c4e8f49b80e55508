//! A real browser that opens a page of a test.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::peers::python_with;
use crate::tools::is_in_path;
use crate::wait::{PATIENCE, until};

/// Returns Debian's name of the browser, or another's; `None`, with a line, where none is installed.
pub fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| is_in_path(name));
    if found.is_none() {
        println!("skipped: no chromium is installed");
    }
    found
}

/// A command of a headless browser with a window of this width and height, which keeps what it wants in `profile`; an address is to follow.
pub(crate) fn headless(name: &str, profile: &Path, (width, height): (u32, u32)) -> Command {
    let mut command = Command::new(name);
    command
        .args(["--headless", "--no-sandbox", "--disable-gpu"])
        .arg(format!("--window-size={width},{height}"))
        .arg(format!("--user-data-dir={}", profile.display()))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// What a script in a page is to tell.
#[derive(Debug)]
pub struct Telling(TcpListener);

impl Telling {
    /// Begins to listen.
    ///
    /// # Panics
    ///
    /// If there is no port.
    #[expect(clippy::new_without_default, reason = "it takes a port")]
    pub fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    /// Returns an element of HTML that runs the body of an async function, and tells what that returns, or how it failed.
    ///
    /// # Panics
    ///
    /// If the port is not known.
    pub fn script(&self, body: &str) -> String {
        let to = self.0.local_addr().unwrap();
        format!(
            "<script>(async () => {{
  let result;
  try {{ result = await (async () => {{ {body} }})(); }}
  catch (error) {{ result = {{ error: String(error.stack ?? error) }}; }}
  fetch('http://{to}/', {{ method: 'POST', mode: 'no-cors', body: JSON.stringify(result) }});
}})();</script>"
        )
    }

    /// Opens the page that has the script, with further options of the browser's, and returns what the script tells.
    ///
    /// # Panics
    ///
    /// If the browser cannot be started, and if the script fails or tells nothing.
    pub fn told(self, name: &str, profile: &Path, address: &str, options: &[&str]) -> Value {
        let _browser = Browser::open(name, profile, address, options);
        let told: Value = serde_json::from_slice(&posted(&self.0)).unwrap();
        assert!(told.get("error").is_none(), "{told}");
        told
    }
}

/// A browser with its helpers, ended when it is dropped.
struct Browser(Child);

impl Browser {
    fn open(name: &str, profile: &Path, address: &str, options: &[&str]) -> Self {
        let child = headless(name, profile, (1200, 800))
            .args(options)
            .arg(address)
            .process_group(0)
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let group = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Option of a browser that shows pages as in dark surroundings.
pub const DARK: &str = "--force-dark-mode";

/// Returns axe-core, the script that looks for what keeps people from using a page. `None`, with a line, where Python has no package with it.
///
/// # Panics
///
/// If the package has no such file.
pub fn axe() -> Option<String> {
    let module = "axe_playwright_python";
    let python = python_with(module)?;
    let place = format!("import {module}; print({module}.__path__[0])");
    let output = Command::new(python)
        .args(["-c", &place])
        .output()
        .expect("Python starts");
    let directory = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Some(fs::read_to_string(directory.join("axe.min.js")).expect("axe-core"))
}

/// Returns the body of the first request that comes; a browser that never asks is given up.
fn posted(listener: &TcpListener) -> Vec<u8> {
    listener.set_nonblocking(true).unwrap();
    let accepted = until("the page answers", || listener.accept().ok());
    let (mut stream, _) = accepted;
    stream.set_nonblocking(false).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut request = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&request).into_owned();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                let (name, value) = line.split_once(':')?;
                let is_length = name.eq_ignore_ascii_case("content-length");
                is_length.then(|| value.trim().parse::<usize>().unwrap())
            });
            let body = &request[head.len() + 4..];
            if body.len() >= length.unwrap_or(0) {
                let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
                return body.to_vec();
            }
        }
        let read = stream.read(&mut buffer).unwrap();
        assert!(read > 0, "the page's answer was cut: {text}");
        request.extend_from_slice(&buffer[..read]);
    }
}

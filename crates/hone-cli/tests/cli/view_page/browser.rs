//! A page opened in a real browser, and scripts run in it.

use crate::common::is_in_path;
use serde_json::Value;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use testkit::{PATIENCE, until};

/// What the tests do in the page, once it is ready.
const HELPERS: &str = r##"
// A headless browser draws no frames of its own accord.
const settle = async () => {
  await new Promise((done) => setTimeout(done, 30));
  for (const flame of [page.flame, page.callers, page.callees]) flame.paint();
};
const key = async (name, more = {}) => {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: name, bubbles: true, cancelable: true, ...more }));
  await settle();
};
const names = (flame) => flame.boxes.filter(({ node }) => node.fn >= 0).map(({ node }) => page.names[node.fn]);
const rows = () => [...document.querySelectorAll("#functions tbody tr")].map((row) => row.textContent);
const point = (flame, name) => {
  const box = flame.boxes.find(({ node }) => node.fn >= 0 && page.names[node.fn] === name);
  const canvas = flame.canvas.getBoundingClientRect();
  return { clientX: canvas.left + (box.left + box.right) / 2, clientY: canvas.top + box.top + 5, bubbles: true };
};
const click = async (flame, name, kind) => {
  const at = point(flame, name);
  if (kind === "dblclick") flame.canvas.dispatchEvent(new MouseEvent("dblclick", at));
  else {
    flame.canvas.setPointerCapture = () => {};
    flame.canvas.dispatchEvent(new PointerEvent("pointerdown", { ...at, buttons: 1 }));
    flame.canvas.dispatchEvent(new PointerEvent("pointerup", at));
  }
  await settle();
};
// In the deepest stack: a sample at the first instruction of a function lacks its caller.
const downs = () => Math.max(...page.flame.boxes.map(({ node }) =>
  page.flame.path(node).filter(({ fn }) => page.names[fn] === "down").length));
const share = (name) => {
  const fn = page.byName.get(name);
  const last = page.byFunction.length - 1;
  return { self: page.byFunction[last].self[fn] / page.whole[last], total: page.byFunction[last].total[fn] / page.whole[last] };
};
"##;

/// Debian's name of the browser, or another's.
pub(super) fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let found = names.into_iter().find(|name| is_in_path(name));
    if found.is_none() {
        println!("skipped: no chromium is installed");
    }
    found
}

/// A browser with its helpers, ended when it is dropped.
struct Browser(Child);

impl Browser {
    fn open(name: &str, profile: &Path, address: &str) -> Self {
        let child = Command::new(name)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--window-size=1200,800",
            ])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(address)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn();
        Self(child.unwrap())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let group = rustix::process::Pid::from_raw(self.0.id() as i32).unwrap();
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        let _ = self.0.wait();
    }
}

/// Opens the page, runs this script in it, and gives what it returns.
pub(super) fn in_browser(
    browser: &str,
    directory: &Path,
    page: &str,
    fragment: &str,
    script: &str,
) -> Value {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let html = fs::read_to_string(directory.join(page)).unwrap();
    let test = format!(
        "<script>(async () => {{
  let result;
  try {{
    while (!document.body.dataset.ready) await new Promise((done) => setTimeout(done, 20));
    {HELPERS}
    await settle();
    result = await (async () => {{ {script} }})();
  }} catch (error) {{ result = {{ error: String(error.stack ?? error) }}; }}
  fetch('http://127.0.0.1:{port}/', {{ method: 'POST', mode: 'no-cors', body: JSON.stringify(result) }});
}})();</script></body>"
    );
    let tested = directory.join(format!("tested-{page}"));
    fs::write(&tested, html.replace("</body>", &test)).unwrap();
    let address = format!("file://{}{fragment}", tested.display());
    let _browser = Browser::open(browser, &directory.join("profile"), &address);
    let result: Value = serde_json::from_slice(&posted(&listener)).unwrap();
    assert!(result.get("error").is_none(), "{result}");
    result
}

/// The body of the first request that comes; a browser that never asks is given up.
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

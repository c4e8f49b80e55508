//! The hub as a process, and requests to it.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Long enough for a machine that is very busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Settings by which a hub chooses its port.
pub(crate) const ANY_PORT: &str = "listen = '127.0.0.1:0'\n";

/// Waits until something is there.
pub(crate) fn until<T>(what: &str, mut is_there: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = is_there() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Runs `hone-hub` with arguments until it ends.
pub(crate) fn run(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hone-hub"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .unwrap()
}

/// What a process says.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    /// It says no more.
    is_over: bool,
}

/// A hub, killed when the test is over, also when that fails.
pub(crate) struct Hub {
    child: Child,
    said: Arc<(Mutex<Said>, Condvar)>,
    pub(crate) address: SocketAddr,
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Hub {
    /// Starts a hub whose folder is in a directory, with these settings.
    pub(crate) fn start(directory: &Path, settings: &str) -> Self {
        let command = Command::new(env!("CARGO_BIN_EXE_hone-hub"));
        Self::start_as(command, directory, settings)
    }

    /// The same by another command, to which the hub's arguments are added.
    pub(crate) fn start_as(mut command: Command, directory: &Path, settings: &str) -> Self {
        fs::write(directory.join("hone-hub.toml"), settings).unwrap();
        let mut child = command
            .args(["--config", "hone-hub.toml"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::<(Mutex<Said>, Condvar)>::default();
        let (heard, stderr) = (Arc::clone(&said), child.stderr.take().unwrap());
        thread::spawn(move || {
            let (said, more) = &*heard;
            for line in BufReader::new(stderr).lines() {
                said.lock().unwrap().lines.push(line.unwrap());
                more.notify_all();
            }
            said.lock().unwrap().is_over = true;
            more.notify_all();
        });
        let mut hub = Self {
            child,
            said,
            address: SocketAddr::from(([0, 0, 0, 0], 0)),
        };
        let rest = hub.hears("listening at http");
        let (_, rest) = rest.split_once("://").unwrap();
        hub.address = rest.split(',').next().unwrap().parse().unwrap();
        hub
    }

    /// Returns what follows this in the first line that has it.
    pub(crate) fn hears(&self, what: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let (said, more) = &*self.said;
        let mut said = said.lock().unwrap();
        loop {
            let mut rests = said.lines.iter().filter_map(|line| line.split_once(what));
            if let Some((_, rest)) = rests.next() {
                return rest.to_owned();
            }
            let left = end.saturating_duration_since(Instant::now());
            let goes_on = !left.is_zero() && !said.is_over;
            assert!(goes_on, "it never said '{what}': {:#?}", said.lines);
            said = more.wait_timeout(said, left).unwrap().0;
        }
    }

    /// Returns all that it has said so far.
    pub(crate) fn said(&self) -> String {
        self.said.0.lock().unwrap().lines.join("\n")
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Returns the processes that check batches.
    pub(crate) fn checkers(&self) -> Vec<u32> {
        self.children("check-batches")
    }

    /// Returns the processes that do this for the hub.
    pub(crate) fn children(&self, command: &str) -> Vec<u32> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid())).unwrap();
        let children = threads.filter_map(|thread| {
            let path = thread.unwrap().path().join("children");
            fs::read_to_string(path).ok()
        });
        let children: Vec<String> = children.collect();
        let ids = children.iter().flat_map(|ids| ids.split_whitespace());
        let ids = ids.map(|id| id.parse().unwrap());
        let does = |id: &u32| {
            let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let mut words = words.split(|byte| *byte == 0);
            words.any(|word| word == command.as_bytes())
        };
        ids.filter(does).collect()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits for the end; returns whether it was a good one.
    pub(crate) fn has_ended_well(&mut self) -> bool {
        self.child.wait().unwrap().success()
    }

    /// Ends the hub without asking.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        request(self.address, "GET", path, "", b"").unwrap()
    }

    pub(crate) fn post(&self, batch: &[u8]) -> Answer {
        request(self.address, "POST", "/v1/batch", "", batch).unwrap()
    }

    /// Uploads a file with symbols. The head's further lines end with CRLF each.
    pub(crate) fn put(&self, head: &str, file: &[u8]) -> Answer {
        request(self.address, "PUT", "/v1/symbols", head, file).unwrap()
    }

    /// Returns a figure of `/metrics`, which must be there.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let figure = self.figure_if_there(name);
        figure.unwrap_or_else(|| panic!("there is no {name}"))
    }

    /// Returns a figure of `/metrics`.
    pub(crate) fn figure_if_there(&self, name: &str) -> Option<u64> {
        let text = self.get("/metrics").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(value.trim().parse().unwrap())
    }
}

/// An answer.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines();
        let mut headers = lines.filter_map(|line| line.split_once(": "));
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The answer is a refusal whose one line says this.
    #[track_caller]
    pub(crate) fn refuses(&self, status: u16, said: &str) {
        let text = self.text();
        let is_a_line = text.ends_with('\n') && text.lines().count() == 1;
        let is_said = self.status == status && is_a_line && text.contains(said);
        assert!(
            is_said,
            "{} instead of {status} {said}: {text}",
            self.status
        );
    }
}

/// Sends a request, and reads the answer. The head's further lines end with CRLF each.
pub(crate) fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &[u8],
) -> Option<Answer> {
    let mut stream = TcpStream::connect(to).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let length = match method {
        "GET" => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\n{length}{head}\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    // A refusal may come before all of it is sent.
    let _ = stream.write_all(body);
    answer_from(&mut stream)
}

/// Reads the answer; `None` if there is no whole one.
pub(crate) fn answer_from(stream: &mut impl Read) -> Option<Answer> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = bytes.split_off(end + 4);
    let answer = Answer { status, head, body };
    let length = answer.header("content-length");
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    (answer.body.len() == length).then_some(answer)
}

//! An agent that runs, what it says, and how it is asked.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

/// Long enough for a machine that is very busy.
const PATIENCE: Duration = Duration::from_secs(120);

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

#[derive(Default)]
struct Said {
    lines: Mutex<Vec<String>>,
    more: Condvar,
}

/// Killed when the test is over, also when that fails.
pub(crate) struct Agent {
    child: Child,
    said: Arc<Said>,
    listener: Option<thread::JoinHandle<()>>,
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Agent {
    /// With this configuration and environment, in a directory, where its file is `agent.toml`.
    pub(crate) fn start(directory: &Path, config: &str, environment: &[(&str, &str)]) -> Self {
        fs::write(directory.join("agent.toml"), config).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_hone-agent"))
            .args(["run", "--config", "agent.toml"])
            .envs(environment.iter().copied())
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::new(Said::default());
        let (heard, stderr) = (Arc::clone(&said), child.stderr.take().unwrap());
        let listener = thread::spawn(move || {
            for line in BufReader::new(stderr).lines() {
                heard.lines.lock().unwrap().push(line.unwrap());
                heard.more.notify_all();
            }
        });
        Self {
            child,
            said,
            listener: Some(listener),
        }
    }

    /// The first line that it says, or has said, with this in it; what follows that.
    pub(crate) fn hears(&self, what: &str) -> String {
        let end = Instant::now() + PATIENCE;
        let mut lines = self.said.lines.lock().unwrap();
        loop {
            let rest = lines
                .iter()
                .find_map(|line| Some(line.split_once(what)?.1.to_owned()));
            if let Some(rest) = rest {
                return rest;
            }
            let left = end.saturating_duration_since(Instant::now());
            assert!(!left.is_zero(), "it never said '{what}': {lines:#?}");
            lines = self.said.more.wait_timeout(lines, left).unwrap().0;
        }
    }

    /// Where it answers HTTP.
    pub(crate) fn http(&self) -> SocketAddr {
        let address = self.hears("answering HTTP at http://");
        address.trim_end_matches('/').parse().unwrap()
    }

    /// Where it listens that was asked to listen at an address whose port the system chose.
    pub(crate) fn listens(&self, asked: &str) -> SocketAddr {
        let rest = self.hears(&format!("listening at {asked} ("));
        rest.split(')').next().unwrap().parse().unwrap()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Asks it to end, and gives all that it has said.
    pub(crate) fn end(mut self) -> String {
        self.signal(Signal::TERM);
        let status = self.child.wait().unwrap();
        self.listener.take().unwrap().join().unwrap();
        let said = self.said.lines.lock().unwrap().join("\n");
        assert!(status.success(), "{status}: {said}");
        said
    }
}

/// Status and body of an answer; none if nobody answers.
pub(crate) fn ask(address: SocketAddr, request: &str) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, body.to_owned()))
}

pub(crate) fn get(address: SocketAddr, path: &str) -> Option<(u16, String)> {
    ask(
        address,
        &format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"),
    )
}

pub(crate) fn post(address: SocketAddr, path: &str) -> (u16, String) {
    let request = format!("POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
    ask(address, &request).expect("an answer")
}

/// A figure of what can be scraped.
pub(crate) fn scraped(address: SocketAddr, series: &str) -> Option<f64> {
    let (status, text) = get(address, "/metrics")?;
    assert_eq!(status, 200);
    let line = text.lines().find_map(|line| line.strip_prefix(series));
    Some(line?.trim().parse().unwrap())
}

/// A figure of the account at the end.
pub(crate) fn figure(said: &str, name: &str) -> f64 {
    let line = said.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("no {name} in {said}"));
    value.trim().parse().unwrap()
}

/// What the figures of the account at the end that begin so add up to.
pub(crate) fn total(said: &str, head: &str) -> f64 {
    let figures = said.lines().filter(|line| line.starts_with(head));
    let values = figures.map(|line| line.rsplit(' ').next().unwrap_or(line));
    values.map(|value| value.parse::<f64>().unwrap()).sum()
}

/// A back end that takes Graphite's lines over as many connections as there come.
pub(crate) struct Graphite {
    pub(crate) address: String,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Graphite {
    pub(crate) fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let lines = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&lines);
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (connection, all) = (connection.unwrap(), Arc::clone(&all));
                thread::spawn(move || {
                    for line in BufReader::new(connection).lines().map_while(Result::ok) {
                        all.lock().unwrap().push(line);
                    }
                });
            }
        });
        Self { address, lines }
    }

    /// What the values of all lines that begin so add up to.
    pub(crate) fn sum(&self, head: &str) -> f64 {
        let lines = self.lines.lock().unwrap();
        let values = lines.iter().filter_map(|line| line.strip_prefix(head));
        let values = values.map(|rest| rest.split(' ').next().unwrap_or(rest));
        values.map(|value| value.parse::<f64>().unwrap()).sum()
    }

    /// Whether any line begins so.
    pub(crate) fn has(&self, head: &str) -> bool {
        let lines = self.lines.lock().unwrap();
        lines.iter().any(|line| line.starts_with(head))
    }
}

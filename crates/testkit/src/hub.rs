//! A real hub: the command `hone-hub` of this workspace, on a port that the system chooses.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;

use crate::http::{Answer, request};
use crate::process::{Process, built};

/// Settings by which a hub chooses its port.
pub const ANY_PORT: &str = "listen = '127.0.0.1:0'\n";

/// A hub, killed when the test is over, also when that fails.
#[derive(Debug)]
pub struct Hub {
    process: Process,
    /// Where it listens.
    pub address: SocketAddr,
}

impl Hub {
    /// Starts a hub whose folder is in a directory, with these settings. `None`, with a line, where it is not built.
    pub fn start_if_built(directory: &Path, settings: &str) -> Option<Self> {
        let program = built("hone-hub")?;
        Some(Self::start_as(Command::new(program), directory, settings))
    }

    /// The same of a command whose tests these are.
    ///
    /// # Panics
    ///
    /// If it is not built.
    pub fn start(directory: &Path, settings: &str) -> Self {
        Self::start_if_built(directory, settings).expect("cargo builds it before its tests")
    }

    /// The same by another command, to which the hub's arguments are added.
    pub fn start_as(mut command: Command, directory: &Path, settings: &str) -> Self {
        fs::write(directory.join("hone-hub.toml"), settings).expect("a file of settings");
        command
            .args(["--config", "hone-hub.toml"])
            .current_dir(directory);
        let process = Process::start(&mut command);
        let rest = process.hears("listening at http");
        let (_, rest) = rest.split_once("://").expect("an address");
        let address = rest.split(',').next().and_then(|told| told.parse().ok());
        Self {
            process,
            address: address.expect("an address"),
        }
    }

    /// Where its API is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// What follows this in the first line that has it.
    #[track_caller]
    pub fn hears(&self, what: &str) -> String {
        self.process.hears(what)
    }

    /// All that it has said so far.
    pub fn said(&self) -> String {
        self.process.said()
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.process.pid()
    }

    /// Returns the processes that check batches.
    pub fn checkers(&self) -> Vec<u32> {
        self.children("check-batches")
    }

    /// Returns the processes that do this for the hub.
    pub fn children(&self, command: &str) -> Vec<u32> {
        let threads = fs::read_dir(format!("/proc/{}/task", self.pid())).expect("it runs");
        let children = threads.filter_map(|thread| {
            let path = thread.ok()?.path().join("children");
            fs::read_to_string(path).ok()
        });
        let children: Vec<String> = children.collect();
        let ids = children.iter().flat_map(|ids| ids.split_whitespace());
        let ids = ids.filter_map(|id| id.parse().ok());
        let does = |id: &u32| {
            let words = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            let mut words = words.split(|byte| *byte == 0);
            words.any(|word| word == command.as_bytes())
        };
        ids.filter(does).collect()
    }

    /// Sends it a signal.
    pub fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    /// Waits for the end; returns whether it was a good one.
    pub fn has_ended_well(&mut self) -> bool {
        self.process.wait().success()
    }

    /// Ends the hub without asking.
    pub fn kill(self) {
        self.process.kill();
    }

    /// What it answers to a path.
    #[track_caller]
    pub fn get(&self, path: &str) -> Answer {
        request(self.address, "GET", path, "", b"").expect("an answer")
    }

    /// What it answers to the bytes of a batch.
    #[track_caller]
    pub fn post(&self, batch: &[u8]) -> Answer {
        request(self.address, "POST", "/v1/batch", "", batch).expect("an answer")
    }

    /// Sends the bytes of a batch, which must be taken.
    #[track_caller]
    pub fn send(&self, batch: &[u8]) {
        let answer = self.post(batch);
        assert_eq!(answer.status, 204, "{}", answer.text());
    }

    /// Uploads a file with symbols. The head's further lines end with CRLF each.
    #[track_caller]
    pub fn put(&self, head: &str, file: &[u8]) -> Answer {
        request(self.address, "PUT", "/v1/symbols", head, file).expect("an answer")
    }

    /// Returns a figure of `/metrics`, which must be there.
    #[track_caller]
    pub fn figure(&self, name: &str) -> u64 {
        let figure = self.figure_if_there(name);
        figure.unwrap_or_else(|| panic!("there is no {name}"))
    }

    /// Returns a figure of `/metrics`.
    #[track_caller]
    pub fn figure_if_there(&self, name: &str) -> Option<u64> {
        let text = self.get("/metrics").text();
        let value = text.lines().find_map(|line| line.strip_prefix(name))?;
        Some(value.trim().parse().expect("a number"))
    }
}

//! The agent as a process, for all tests that start it, beside what they share with the library's tests.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test program uses its own part"
)]

#[path = "../../../hone-agent/tests/common/mod.rs"]
mod shared;

use std::fs;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use rustix::process::{Pid, Signal, kill_process};
pub(crate) use shared::*;

/// What a process says.
#[derive(Default)]
struct Said {
    lines: Vec<String>,
    /// It says no more.
    is_over: bool,
}

/// Killed when the test is over, also when that fails.
pub(crate) struct Agent {
    child: Child,
    said: Arc<(Mutex<Said>, Condvar)>,
    listener: Option<thread::JoinHandle<()>>,
}

impl Drop for Agent {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Agent {
    /// With this configuration, in a directory, where its file is `agent.toml`. It listens.
    pub(crate) fn start(directory: &Path, config: &str) -> Self {
        Self::start_as(Self::program(), directory, config)
    }

    /// The command by which agents are started.
    pub(crate) fn program() -> Command {
        Command::new(env!("CARGO_BIN_EXE_hone-agent"))
    }

    /// The same by another command, to which the agent's arguments are added.
    pub(crate) fn start_as(mut command: Command, directory: &Path, config: &str) -> Self {
        fs::write(directory.join("agent.toml"), config).unwrap();
        let mut child = command
            .args(["run", "--config", "agent.toml"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let said = Arc::<(Mutex<Said>, Condvar)>::default();
        let (heard, stderr) = (Arc::clone(&said), child.stderr.take().unwrap());
        let listener = thread::spawn(move || {
            let (said, more) = &*heard;
            for line in BufReader::new(stderr).lines() {
                said.lock().unwrap().lines.push(line.unwrap());
                more.notify_all();
            }
            said.lock().unwrap().is_over = true;
            more.notify_all();
        });
        let agent = Self {
            child,
            said,
            listener: Some(listener),
        };
        let listeners = config.matches("[[listen]]").count();
        let listening = "listening at ";
        agent.wait(listening, |lines| {
            let said = lines.iter().filter(|line| line.contains(listening));
            (said.count() >= listeners).then_some(())
        });
        agent
    }

    /// The first line that it says, or has said, with this in it; what follows that.
    pub(crate) fn hears(&self, what: &str) -> String {
        self.wait(what, |lines| {
            let mut rests = lines.iter().filter_map(|line| line.split_once(what));
            rests.next().map(|(_, rest)| rest.to_owned())
        })
    }

    /// Waits until something is found in what it has said.
    fn wait<T>(&self, what: &str, find: impl Fn(&[String]) -> Option<T>) -> T {
        let end = Instant::now() + PATIENCE;
        let (said, more) = &*self.said;
        let mut said = said.lock().unwrap();
        loop {
            if let Some(found) = find(&said.lines) {
                return found;
            }
            let left = end.saturating_duration_since(Instant::now());
            let goes_on = !left.is_zero() && !said.is_over;
            assert!(goes_on, "it never said '{what}': {:#?}", said.lines);
            said = more.wait_timeout(said, left).unwrap().0;
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

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Asks it to end, and gives all that it has said.
    pub(crate) fn end(mut self) -> String {
        self.signal(Signal::TERM);
        let status = self.child.wait().unwrap();
        self.listener.take().unwrap().join().unwrap();
        let said = self.said.0.lock().unwrap().lines.join("\n");
        assert!(status.success(), "{status}: {said}");
        said
    }

    /// Ends it without asking.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// A figure of the account at the end.
pub(crate) fn figure(said: &str, name: &str) -> f64 {
    let line = said.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("no {name} in {said}"));
    value.trim().parse().unwrap()
}

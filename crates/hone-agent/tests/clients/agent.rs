//! An agent that runs, and its back end.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

/// Ends when it is dropped, whatever happened.
pub(crate) struct Agent {
    child: Child,
    graphite: Option<JoinHandle<Vec<String>>>,
}

/// What it had said and sent when it ended.
pub(crate) struct Ended {
    account: String,
    lines: Vec<String>,
}

impl Agent {
    /// Listens at `agent.sock` in a directory.
    pub(crate) fn start(directory: &Path) -> Self {
        let backend = TcpListener::bind("127.0.0.1:0").unwrap();
        let config = format!(
            "[aggregate]\ninterval_s = 1\n[[listen]]\naddress = \"unixgram:agent.sock\"\n\
             [[send]]\nformat = \"graphite\"\naddress = \"{}\"\n",
            backend.local_addr().unwrap()
        );
        fs::write(directory.join("agent.toml"), config).unwrap();
        let child = Command::new(env!("CARGO_BIN_EXE_hone-agent"))
            .args(["run", "--config", "agent.toml"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut agent = Self {
            child,
            graphite: Some(thread::spawn(move || received(&backend))),
        };
        let mut stderr = BufReader::new(agent.child.stderr.as_mut().unwrap());
        let mut line = String::new();
        while !line.contains("listening at ") {
            line.clear();
            assert_ne!(stderr.read_line(&mut line).unwrap(), 0, "the agent ended");
        }
        agent
    }

    /// Asks it to end. It handles what waits in its socket before.
    pub(crate) fn end(mut self) -> Ended {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
        let mut account = String::new();
        let stderr = self.child.stderr.as_mut().unwrap();
        stderr.read_to_string(&mut account).unwrap();
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}: {account}");
        let lines = self.graphite.take().unwrap().join().unwrap();
        Ended { account, lines }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // After `end` there is nothing left to end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Graphite's lines of one connection.
fn received(backend: &TcpListener) -> Vec<String> {
    let (connection, _) = backend.accept().unwrap();
    let lines = BufReader::new(connection).lines();
    lines.map(Result::unwrap).collect()
}

impl Ended {
    /// A figure of the account; 0 if it does not stand there.
    pub(crate) fn figure(&self, name: &str) -> u64 {
        let line = self
            .account
            .lines()
            .find_map(|line| line.strip_prefix(name));
        line.map_or(0, |value| value.trim().parse().unwrap())
    }

    /// The values that were sent of a metric with these tags, one each interval. The host's label is passed over.
    pub(crate) fn values(&self, metric: &str, tags: &[&str]) -> Vec<f64> {
        let is_it = |name: &str| {
            let mut parts = name.split(';');
            let is_metric = parts.next() == Some(metric);
            is_metric
                && parts
                    .filter(|tag| !tag.starts_with("host="))
                    .eq(tags.iter().copied())
        };
        let words = self
            .lines
            .iter()
            .map(|line| line.split(' ').collect::<Vec<_>>());
        let of_it = words.filter(|words| is_it(words[0]));
        of_it.map(|words| words[1].parse().unwrap()).collect()
    }

    /// Their sum: of a counter, what it came to.
    pub(crate) fn sum(&self, metric: &str, tags: &[&str]) -> f64 {
        self.values(metric, tags).iter().sum()
    }
}

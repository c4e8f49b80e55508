//! An agent that runs, and its back end.

use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::thread::{self, JoinHandle};

use crate::common;

/// See the module.
pub(crate) struct Agent {
    agent: common::Agent,
    graphite: JoinHandle<Vec<String>>,
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
        Self {
            agent: common::Agent::start(directory, &config),
            graphite: thread::spawn(move || received(&backend)),
        }
    }

    /// Asks it to end. It handles what waits in its socket before.
    pub(crate) fn end(self) -> Ended {
        let account = self.agent.end();
        let lines = self.graphite.join().unwrap();
        Ended { account, lines }
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

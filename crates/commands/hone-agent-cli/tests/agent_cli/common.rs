//! The agent as a process.

use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::Command;

use rustix::process::Signal;
use testkit::Process;

/// Killed when the test is over, also when that fails.
pub(crate) struct Agent(Process);

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
        let command = command.args(["run", "--config", "agent.toml"]);
        let agent = Self(Process::start(command.current_dir(directory)));
        let listeners = config.matches("[[listen]]").count();
        let listening = "listening at ";
        agent.0.wait_for(listening, |lines| {
            let said = lines.iter().filter(|line| line.contains(listening));
            (said.count() >= listeners).then_some(())
        });
        agent
    }

    /// The first line that it says, or has said, with this in it; what follows that.
    #[track_caller]
    pub(crate) fn hears(&self, what: &str) -> String {
        self.0.hears(what)
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
        self.0.pid()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        self.0.signal(signal);
    }

    /// Asks it to end, and gives all that it has said.
    #[track_caller]
    pub(crate) fn end(self) -> String {
        self.0.end()
    }

    /// Ends it without asking.
    pub(crate) fn kill(self) {
        self.0.kill();
    }
}

/// A figure of the account at the end.
#[track_caller]
pub(crate) fn figure(said: &str, name: &str) -> f64 {
    let line = said.lines().find_map(|line| line.strip_prefix(name));
    let value = line.unwrap_or_else(|| panic!("no {name} in {said}"));
    value.trim().parse().unwrap()
}

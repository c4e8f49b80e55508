//! Agents as these tests want them, and clients of them.

use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::Command;

use crate::common::Agent;

/// Starts one, with intervals of a second and a Unix socket `agent.sock`.
pub(crate) fn start(directory: &Path, config: &str) -> Agent {
    start_as(Agent::program(), directory, config)
}

/// The same by another command, to which the agent's arguments are added.
pub(crate) fn start_as(command: Command, directory: &Path, config: &str) -> Agent {
    let config = format!(
        "[aggregate]\ninterval_s = 1\n[labels]\nhost = \"here\"\n\
         [[listen]]\naddress = \"unixgram:agent.sock\"\n{config}"
    );
    Agent::start_as(command, directory, &config)
}

/// Sends packets, and waits where the agent does not take them at once: on Unix datagrams nothing is lost.
pub(crate) struct Client {
    socket: UnixDatagram,
}

impl Client {
    /// Of the agent in that directory.
    pub(crate) fn of(directory: &Path) -> Self {
        let socket = UnixDatagram::unbound().unwrap();
        socket.connect(directory.join("agent.sock")).unwrap();
        Self { socket }
    }

    pub(crate) fn send(&self, packet: impl AsRef<[u8]>) {
        self.socket.send(packet.as_ref()).unwrap();
    }

    /// Whether the agent was there to take it.
    pub(crate) fn offer(&self, packet: &str) -> bool {
        self.socket.send(packet.as_bytes()).is_ok()
    }
}

/// A figure of the account at the end, 0 where it is not named.
pub(crate) fn figure(said: &str, name: &str) -> u64 {
    let values = said.lines().filter_map(|line| line.strip_prefix(name));
    let value = values.filter_map(|rest| rest.strip_prefix(' ')).next();
    value.map_or(0, |value| value.trim().parse().unwrap())
}

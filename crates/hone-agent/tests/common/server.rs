//! A server of Debian's packages, beside the service that its package may start.

use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::{get, until};

/// Killed when the test is over, also when that fails.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Server {
    /// Starts a program with arguments that its address and a directory for its data go into, and waits until it answers on the path
    /// `health`. `None` where it is not installed.
    pub(crate) fn start(
        program: &str,
        arguments: impl FnOnce(SocketAddr, &Path) -> Vec<String>,
        health: &str,
    ) -> Option<Self> {
        let data = tempfile::tempdir().unwrap();
        // The port that the system chooses now is free a moment later, most likely.
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let process = Command::new(program)
            .args(arguments(address, data.path()))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(process) = process else {
            println!("skipped: {program} is not installed");
            return None;
        };
        let server = Self {
            process,
            address,
            _data: data,
        };
        until(&format!("{program} is there"), || server.get(health));
        Some(server)
    }

    /// The body of an answer that is one.
    pub(crate) fn get(&self, path: &str) -> Option<String> {
        get(self.address, path)
    }
}

//! The real VictoriaMetrics of Debian.

use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use super::{get, until};

/// Killed when the test is over, also when that fails.
pub(crate) struct VictoriaMetrics {
    process: Child,
    pub(crate) address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Drop for VictoriaMetrics {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl VictoriaMetrics {
    /// With more arguments. It answers. `None` where it is not installed.
    pub(crate) fn start(arguments: &[&str]) -> Option<Self> {
        let data = tempfile::tempdir().unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let process = Command::new("victoria-metrics")
            .arg(format!("-httpListenAddr={address}"))
            .arg(format!("-storageDataPath={}", data.path().display()))
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(process) = process else {
            println!("skipped: victoria-metrics is not installed");
            return None;
        };
        let server = Self {
            process,
            address,
            _data: data,
        };
        until("victoria-metrics is there", || server.get("/health"));
        Some(server)
    }

    /// The body of an answer that is one.
    pub(crate) fn get(&self, path: &str) -> Option<String> {
        get(self.address, path)
    }
}

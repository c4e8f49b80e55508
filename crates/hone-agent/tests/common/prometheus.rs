//! The real Prometheus of Debian, beside the service that its package starts.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use super::{get, until};

/// Killed when the test is over, also when that fails.
pub(crate) struct Prometheus {
    process: Child,
    pub(crate) address: SocketAddr,
    _data: tempfile::TempDir,
}

impl Drop for Prometheus {
    fn drop(&mut self) {
        self.process.kill().ok();
        self.process.wait().ok();
    }
}

impl Prometheus {
    /// One that takes remote write and scrapes nobody. It answers. `None` where it is not installed.
    pub(crate) fn start() -> Option<Self> {
        let data = tempfile::tempdir().unwrap();
        let file = data.path().join("prometheus.yml");
        fs::write(&file, "global: {}\n").unwrap();
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let process = Command::new("prometheus")
            .arg(format!("--config.file={}", file.display()))
            .arg(format!(
                "--storage.tsdb.path={}",
                data.path().join("tsdb").display()
            ))
            .arg(format!("--web.listen-address={address}"))
            .arg("--web.enable-remote-write-receiver")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(process) = process else {
            println!("skipped: prometheus is not installed");
            return None;
        };
        let server = Self {
            process,
            address,
            _data: data,
        };
        until("prometheus is there", || server.get("/-/ready"));
        Some(server)
    }

    /// The body of an answer that is one.
    pub(crate) fn get(&self, path: &str) -> Option<String> {
        get(self.address, path)
    }
}

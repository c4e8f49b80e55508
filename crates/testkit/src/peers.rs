//! Python with the packages that tests of the hub and of pages hold them against; `scripts/hub-peers` installs them.

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::http::request;

/// Returns a Python that has the module. `None`, with a line, where there is none.
pub fn python_with(module: &str) -> Option<PathBuf> {
    let python = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/hub-peers/bin/python3");
    let found = Command::new(&python)
        .args(["-c", &format!("import {module}")])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if found.is_ok_and(|status| status.success()) {
        return Some(python);
    }
    println!("skipped: Python has no module {module} here; scripts/hub-peers installs it");
    None
}

/// A server on a port of its own choice, which tells the port in its first line.
const SERVER: &str = "
import sys
from moto.server import ThreadedMotoServer
server = ThreadedMotoServer(ip_address='127.0.0.1', port=0, verbose=False)
server.start()
host, port = server.get_host_and_port()
print(port, flush=True)
sys.stdin.read()
";

/// A server with the API of S3: moto's, where Python has it. It has one bucket, and ends with this value.
#[derive(Debug)]
pub struct BucketServer {
    process: Child,
    /// Where it listens.
    pub address: SocketAddr,
}

impl BucketServer {
    /// Name of the bucket.
    pub const BUCKET: &str = "fleet";
    /// Region that the bucket says it is in.
    pub const REGION: &str = "us-east-1";
    /// A key and its secret, as good as any other.
    pub const KEYS: (&str, &str) = ("id", "secret");

    /// Starts it. `None`, with a line, where Python has no moto.
    pub fn start() -> Option<Self> {
        let python = python_with("moto.server")?;
        let mut process = Command::new(python)
            .args(["-c", SERVER])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("a port");
        let port: u16 = line.trim().parse().expect("a port");
        let server = Self {
            process,
            address: SocketAddr::from(([127, 0, 0, 1], port)),
        };
        let path = format!("/{}", Self::BUCKET);
        let made = request(server.address, "PUT", &path, "Connection: close\r\n", b"");
        assert_eq!(made.map(|made| made.status), Some(200));
        Some(server)
    }

    /// Where hubs reach it.
    pub fn endpoint(&self) -> String {
        format!("http://{}", self.address)
    }
}

impl Drop for BucketServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

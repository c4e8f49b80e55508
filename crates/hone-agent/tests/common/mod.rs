//! What tests of the library share, also with those of the command: servers, certificates, and how to wait.

#![allow(dead_code, reason = "each test program uses its own part")]

pub(crate) mod answering;
pub(crate) mod certificate;
pub(crate) mod prometheus;
pub(crate) mod remote_write;
pub(crate) mod server;
pub(crate) mod victoria_metrics;

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

/// Long enough for a machine that is very busy.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Waits until something is there.
pub(crate) fn until<T>(what: &str, mut is_there: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = is_there() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// The body of what a back end answers, if it is a good answer.
pub(crate) fn get(address: SocketAddr, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.contains(" 200 ").then(|| body.to_owned())
}

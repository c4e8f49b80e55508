//! Real servers, started on loopback for one test.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::wait::until;

/// A server, killed when the test is over, also when that fails.
#[derive(Debug)]
pub struct Server {
    process: Child,
    /// Where it listens.
    pub address: SocketAddr,
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
    /// `health`. `None` where it is not installed. A port that another program took meanwhile is replaced.
    pub fn start(
        program: &str,
        arguments: impl Fn(SocketAddr, &Path) -> Vec<String>,
        health: &str,
    ) -> Option<Self> {
        for _ in 0..5 {
            let data = tempfile::tempdir().expect("a temporary directory");
            let free = TcpListener::bind("127.0.0.1:0").expect("a free port");
            let address = free.local_addr().expect("the port's number");
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
            let mut server = Self {
                process,
                address,
                _data: data,
            };
            let answers = until(&format!("{program} answers or ends"), || {
                let has_ended = server.process.try_wait().is_ok_and(|end| end.is_some());
                let answers = !has_ended && server.get(health).is_some();
                (has_ended || answers).then_some(answers)
            });
            if answers {
                return Some(server);
            }
        }
        panic!("{program} ends as soon as it is started");
    }

    /// The body of an answer with status 200.
    pub fn get(&self, path: &str) -> Option<String> {
        get(self.address, path)
    }
}

/// The body of what a server answers, if its status is 200.
pub fn get(address: SocketAddr, path: &str) -> Option<String> {
    let mut stream = TcpStream::connect(address).ok()?;
    let request = format!("GET {path} HTTP/1.0\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    let (head, body) = answer.split_once("\r\n\r\n")?;
    head.contains(" 200 ").then(|| body.to_owned())
}

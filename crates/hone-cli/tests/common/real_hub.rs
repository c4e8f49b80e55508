//! A real hub: `hone-hub` beside `hone`.
#![allow(dead_code, reason = "each test uses a part")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use hone_batch::{Batch, wire};

/// A hub, killed when the test is over.
pub(crate) struct Hub {
    child: Child,
    /// Where it listens: `127.0.0.1:PORT`.
    pub(crate) address: String,
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

impl Hub {
    /// `None`, and why, where `hone-hub` is not built.
    pub(crate) fn start(directory: &Path) -> Option<Self> {
        let program = Path::new(env!("CARGO_BIN_EXE_hone")).with_file_name("hone-hub");
        if !program.exists() {
            println!("skipped: {} is not built", program.display());
            return None;
        }
        let mut child = Command::new(program)
            .args(["--listen", "127.0.0.1:0", "--folder", "hub-data"])
            .current_dir(directory)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = said.find(|line| line.as_ref().unwrap().contains("listening at"));
        let line = line.expect("the hub listens").unwrap();
        let (_, rest) = line.split_once("http://").unwrap();
        let address = rest.split(',').next().unwrap().to_owned();
        // It shall not wait until somebody reads what else it says.
        std::thread::spawn(move || said.for_each(drop));
        Some(Self { child, address })
    }

    /// Returns the body of an answer.
    pub(crate) fn get(&self, path: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.address);
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 200"), "{answer}");
        body.to_owned()
    }

    pub(crate) fn send(&self, batch: &Batch) {
        let bytes = wire::write(batch);
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "POST /v1/batch HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            bytes.len()
        );
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&bytes).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 204"), "{answer}");
    }
}

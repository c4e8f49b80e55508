//! A server that takes batches as a hub does, and a process that never rests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use crate::programs::copy_program;
use crate::wait::PATIENCE;

/// A shell that counts without end, under a name of its own; killed when the test is over.
#[derive(Debug)]
pub struct Spinner(Child);

impl Spinner {
    /// Starts it in a directory, in which its program lies.
    pub fn start(directory: &Path, name: &str) -> Self {
        let program = directory.join(name);
        copy_program(Path::new("/bin/sh"), &program);
        let mut command = Command::new(program);
        let command = command.args(["-c", "while :; do :; done"]);
        Self(command.stdin(Stdio::null()).spawn().expect("a shell"))
    }

    /// Its number.
    pub fn pid(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What a hub got.
#[derive(Debug)]
pub struct Got {
    /// The head of the request in small letters.
    pub head: String,
    /// The bytes of the batch.
    pub batch: Vec<u8>,
}

/// A server that acknowledges batches, or has no room for them until it is opened.
#[derive(Debug)]
pub struct Receiver {
    /// Where it listens.
    pub address: SocketAddr,
    /// True if it has room.
    pub is_open: Arc<AtomicBool>,
    /// What it acknowledged.
    pub got: mpsc::Receiver<Got>,
}

impl Receiver {
    /// Starts one that has room, or has none yet.
    pub fn start(is_open: bool) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        let is_open = Arc::new(AtomicBool::new(is_open));
        let (sender, got) = mpsc::channel();
        let opens = Arc::clone(&is_open);
        thread::spawn(move || serve(&listener, &opens, &sender));
        Self {
            address,
            is_open,
            got,
        }
    }

    /// Returns the next batch.
    ///
    /// # Panics
    ///
    /// If none comes.
    #[track_caller]
    pub fn next(&self) -> Got {
        self.got.recv_timeout(PATIENCE).expect("a batch comes")
    }

    /// Its address as hosts are told it.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }
}

/// Answers until nobody wants the batches any more.
fn serve(listener: &TcpListener, is_open: &AtomicBool, batches: &mpsc::Sender<Got>) {
    for mut stream in listener.incoming().flatten() {
        // A sender that is ended in the middle of its request sends it again later.
        let Some(got) = request(&mut stream) else {
            continue;
        };
        let takes = is_open.load(Ordering::Relaxed);
        let status = if takes {
            "204 No Content"
        } else {
            "503 No Room"
        };
        let answer = format!("HTTP/1.1 {status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
        let _ = stream.write_all(answer.as_bytes());
        if takes && batches.send(got).is_err() {
            return;
        }
    }
}

fn request(stream: &mut impl Read) -> Option<Got> {
    let (mut asked, mut bytes) = (Vec::new(), [0; 1 << 16]);
    loop {
        let read = stream.read(&mut bytes).ok()?;
        if read == 0 {
            return None;
        }
        asked.extend(&bytes[..read]);
        let Some(end) = asked.windows(4).position(|four| four == b"\r\n\r\n") else {
            continue;
        };
        let head = String::from_utf8_lossy(&asked[..end]).to_ascii_lowercase();
        let length = head.split("content-length: ").nth(1)?;
        let length: usize = length.lines().next()?.trim().parse().ok()?;
        if asked.len() >= end + 4 + length {
            let batch = asked.split_off(end + 4);
            return Some(Got { head, batch });
        }
    }
}

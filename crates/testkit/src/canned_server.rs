//! A server over HTTP that has some answers and no others.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Answer to a request.
#[derive(Clone, Debug)]
pub enum Answer {
    /// These bytes, with status 200.
    Bytes(Vec<u8>),
    /// A line of the head and these bytes, with status 200.
    Headed(&'static str, Vec<u8>),
    /// A length, with status 200, and not one byte.
    Length(u64),
    /// Another status, with its reason.
    Said(u16, &'static str),
    /// No answer at all, while the server runs.
    Nothing,
}

/// A server of these paths, which hold the query too; others it does not have.
#[derive(Debug)]
pub struct Canned {
    /// Where it listens: `http://127.0.0.1:PORT`.
    pub address: String,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Canned {
    /// Starts a server, which runs until the process ends.
    ///
    /// # Panics
    ///
    /// If there is no free port.
    pub fn of(answers: &[(String, Answer)]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("the port's number");
        let address = format!("http://{port}");
        let answers: BTreeMap<_, _> = answers.iter().cloned().collect();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&heads);
        thread::spawn(move || {
            // Those that get no answer stay open.
            let mut open = Vec::new();
            for stream in listener.incoming().flatten() {
                let head = head(&stream);
                let Some(path) = path_of(&head) else {
                    continue;
                };
                let own = seen.lock();
                own.unwrap_or_else(PoisonError::into_inner)
                    .push(head.clone());
                match answers.get(path).unwrap_or(&Answer::Said(404, "no")) {
                    Answer::Bytes(bytes) => answer(&stream, "200 Said", bytes.len() as u64, bytes),
                    Answer::Headed(line, bytes) => {
                        let status = format!("200 Said\r\n{line}");
                        answer(&stream, &status, bytes.len() as u64, bytes);
                    }
                    Answer::Length(bytes) => answer(&stream, "200 Said", *bytes, b""),
                    Answer::Said(status, reason) => {
                        let status = format!("{status} Said");
                        answer(&stream, &status, reason.len() as u64, reason.as_bytes());
                    }
                    Answer::Nothing => open.push(stream),
                }
            }
        });
        Self { address, heads }
    }

    /// The paths that were asked for.
    pub fn asked(&self) -> Vec<String> {
        let heads = self.heads();
        let paths = heads.iter().filter_map(|head| path_of(head));
        paths.map(str::to_owned).collect()
    }

    /// The requests as they came.
    pub fn heads(&self) -> Vec<String> {
        let heads = self.heads.lock();
        heads.unwrap_or_else(PoisonError::into_inner).clone()
    }
}

fn head(stream: &TcpStream) -> String {
    let lines = BufReader::new(stream).lines().map_while(Result::ok);
    let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    lines.join("\n")
}

fn path_of(head: &str) -> Option<&str> {
    head.split(' ').nth(1)
}

fn answer(mut stream: &TcpStream, status: &str, length: u64, bytes: &[u8]) {
    let head =
        format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n");
    // A client that wants no more hangs up.
    let _ = stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.write_all(bytes));
}

//! A small HTTP server that answers as it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// A request that came.
#[derive(Clone, Debug)]
pub struct Request {
    /// The first line.
    pub start: String,
    /// Headers by their names in small letters.
    pub headers: BTreeMap<String, String>,
    /// What follows them.
    pub body: Vec<u8>,
}

/// What is answered.
#[derive(Debug)]
pub enum Answer {
    /// A status, headers, and a body.
    Status(u16, &'static [(&'static str, &'static str)], &'static str),
    /// The connection is closed without an answer.
    Cut,
    /// Nothing, until the other side gives up.
    Silence,
}

/// See the module.
#[derive(Debug)]
pub struct Answering {
    /// Where it listens, as `http://127.0.0.1:PORT/api/v1/write`.
    pub address: String,
    seen: Arc<Mutex<Vec<Request>>>,
}

impl Answering {
    /// Answers request number `n`, counted from 0, with `answer(n, request)`.
    pub fn start(answer: impl Fn(usize, &Request) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("the port's number");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (own, answer) = (Arc::clone(&seen), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (seen, answer) = (Arc::clone(&own), Arc::clone(&answer));
                thread::spawn(move || serve(stream, &seen, &*answer));
            }
        });
        let address = format!("http://{address}/api/v1/write");
        Self { address, seen }
    }

    /// All requests so far.
    pub fn seen(&self) -> Vec<Request> {
        self.seen.lock().expect("nobody panics").clone()
    }
}

fn serve(
    mut stream: TcpStream,
    seen: &Mutex<Vec<Request>>,
    answer: &(impl Fn(usize, &Request) -> Answer + ?Sized),
) {
    let Ok(own) = stream.try_clone() else {
        return;
    };
    let mut reader = BufReader::new(own);
    while let Some(request) = read_request(&mut reader) {
        let number = {
            let mut seen = seen.lock().expect("nobody panics");
            seen.push(request.clone());
            seen.len() - 1
        };
        match answer(number, &request) {
            Answer::Status(status, headers, body) => {
                let mut text = format!("HTTP/1.1 {status} X\r\n");
                for (name, value) in headers {
                    text += &format!("{name}: {value}\r\n");
                }
                if status != 204 {
                    text += &format!("Content-Length: {}\r\n", body.len());
                }
                text += &format!("\r\n{body}");
                if stream.write_all(text.as_bytes()).is_err() {
                    return;
                }
            }
            Answer::Cut => return,
            Answer::Silence => {
                reader.read_to_end(&mut Vec::new()).ok();
                return;
            }
        }
    }
}

/// Reads a request that tells the length of its body; `None` where there is no whole one.
pub fn read_request(from: &mut impl BufRead) -> Option<Request> {
    let mut line = || {
        let mut line = String::new();
        from.read_line(&mut line)
            .ok()
            .filter(|length| *length > 0)?;
        Some(line.trim_end().to_owned())
    };
    let start = line()?;
    let mut headers = BTreeMap::new();
    loop {
        let line = line()?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':')?;
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let length: usize = headers.get("content-length")?.parse().ok()?;
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some(Request {
        start,
        headers,
        body,
    })
}

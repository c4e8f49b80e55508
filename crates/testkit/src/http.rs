//! Requests to servers, and their answers.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

use crate::wait::PATIENCE;

/// An answer.
#[derive(Debug)]
pub struct Answer {
    /// Its status.
    pub status: u16,
    head: String,
    /// All that follows the head.
    pub body: Vec<u8>,
}

impl Answer {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<&str> {
        let lines = self.head.lines();
        let mut headers = lines.filter_map(|line| line.split_once(": "));
        let found = headers.find(|(known, _)| known.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value)
    }

    /// The body as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The answer is a refusal whose one line says this.
    ///
    /// # Panics
    ///
    /// If it is not.
    #[track_caller]
    pub fn refuses(&self, status: u16, said: &str) {
        let text = self.text();
        let is_a_line = text.ends_with('\n') && text.lines().count() == 1;
        let is_said = self.status == status && is_a_line && text.contains(said);
        assert!(
            is_said,
            "{} instead of {status} {said}: {text}",
            self.status
        );
    }
}

/// Sends a request, and reads the answer. The head's further lines end with CRLF each.
pub fn request(
    to: SocketAddr,
    method: &str,
    path: &str,
    head: &str,
    body: &[u8],
) -> Option<Answer> {
    let mut stream = TcpStream::connect(to).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    let length = match method {
        "GET" => String::new(),
        _ => format!("Content-Length: {}\r\n", body.len()),
    };
    let request = format!("{method} {path} HTTP/1.1\r\nHost: {to}\r\n{length}{head}\r\n");
    stream.write_all(request.as_bytes()).ok()?;
    // A refusal may come before all of it is sent.
    let _ = stream.write_all(body);
    answer_from(&mut stream)
}

/// Reads the answer; `None` if there is no whole one.
pub fn answer_from(stream: &mut impl Read) -> Option<Answer> {
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = String::from_utf8(bytes[..end].to_vec()).ok()?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    let body = bytes.split_off(end + 4);
    let answer = Answer { status, head, body };
    let length = answer.header("content-length");
    let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
    (answer.body.len() == length).then_some(answer)
}

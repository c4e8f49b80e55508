//! Sends batches to the hub.

use std::time::Duration;

use hone_inputs::http;

/// Path of the hub's endpoint for batches.
const PATH: &str = "/v1/batch";
/// Longest time for a batch to be sent and acknowledged.
const TIME: Duration = Duration::from_secs(30);
/// Bytes of the hub's reason that are read.
const REASON_BYTES_MAX: u64 = 1 << 10;

/// Sender to one hub.
#[derive(Debug)]
pub(crate) struct Sender {
    client: ureq::Agent,
    address: String,
    token: Option<String>,
}

/// Outcome of sending a batch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Sent {
    /// The hub has the batch, and will not lose it.
    Acknowledged,
    /// The hub does not want the batch, and will not later, with its reason.
    Refused(String),
    /// The hub could not be reached, or cannot take batches now, with the reason.
    Later(String),
}

impl Sender {
    /// Creates a sender to the hub at an address such as `http://hub:7007`, with the token that the hub asks for.
    pub(crate) fn to(hub: &str, token: Option<String>) -> Self {
        Self {
            client: http::client().timeout_global(Some(TIME)).build().into(),
            address: format!("{}{PATH}", hub.trim_end_matches('/')),
            token,
        }
    }

    /// Sends one batch.
    pub(crate) fn send(&self, batch: &[u8]) -> Sent {
        let mut request = self
            .client
            .post(&self.address)
            .header("content-type", "application/octet-stream");
        if let Some(token) = &self.token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let mut answer = match request.send(batch) {
            Ok(answer) => answer,
            Err(error) => return Sent::Later(format!("{}: {error}", self.address)),
        };
        let status = answer.status().as_u16();
        if (200..300).contains(&status) {
            return Sent::Acknowledged;
        }
        let body = answer.body_mut().with_config().limit(REASON_BYTES_MAX);
        let reason = body.read_to_string().unwrap_or_default();
        let reason = format!("{}: {status}: {}", self.address, reason.trim());
        match status {
            // The token may be mended while the sender runs.
            401 | 403 | 408 | 429 | 500.. => Sent::Later(reason),
            _ => Sent::Refused(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read, Write};
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    /// Answers one request by these bytes; returns the address, and what was asked.
    fn answering(answer: &'static str) -> (String, thread::JoinHandle<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut asked = Vec::new();
            let mut bytes = [0; 4096];
            while !asked.ends_with(b"the batch") {
                let read = stream.read(&mut bytes).unwrap();
                assert!(read > 0, "{}", String::from_utf8_lossy(&asked));
                asked.extend(&bytes[..read]);
            }
            stream.write_all(answer.as_bytes()).unwrap();
            String::from_utf8(asked).unwrap()
        });
        (address, asked)
    }

    #[test]
    fn a_batch_is_acknowledged_refused_or_kept() {
        let ok = "HTTP/1.1 204 No Content\r\ncontent-length: 0\r\n\r\n";
        let bad = "HTTP/1.1 400 Bad Request\r\ncontent-length: 9\r\n\r\nno batch\n";
        let busy = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";
        for (answer, expected) in [(ok, "Acknowledged"), (bad, "Refused"), (busy, "Later")] {
            let (address, asked) = answering(answer);
            let sent = Sender::to(&address, Some("secret".into())).send(b"the batch");
            assert!(format!("{sent:?}").starts_with(expected), "{sent:?}");
            if let Sent::Refused(reason) = sent {
                assert!(reason.ends_with("/v1/batch: 400: no batch"), "{reason}");
            }
            let asked = asked.join().unwrap();
            assert!(asked.starts_with("POST /v1/batch HTTP/1.1\r\n"), "{asked}");
            assert!(
                asked.contains("authorization: Bearer secret\r\n"),
                "{asked}"
            );
        }
    }

    #[test]
    fn a_hub_that_is_away_is_asked_later() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        let sent = Sender::to(&address, None).send(b"the batch");
        assert!(matches!(sent, Sent::Later(_)), "{sent:?}");
    }
}

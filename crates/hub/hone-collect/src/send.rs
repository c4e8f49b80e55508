//! Sends batches to the hub.

use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail};
use hone_batch::wire::{HOST_TIME, HUB_TIME, ahead_s};
use hone_fetch::http;

use crate::options::{Options, Token};

/// Path of the hub's endpoint for batches.
const PATH: &str = "/v1/batch";
/// Longest time for a batch to be sent and acknowledged.
pub(crate) const TIME: Duration = Duration::from_secs(30);
/// Seconds by which the clocks of host and hub may differ before what was refused for its time is kept until somebody has mended one.
const CLOCKS_APART_S: u64 = 3600;
/// Bytes of the hub's reason that are read.
const REASON_BYTES_MAX: u64 = 1 << 10;

/// Sender to one hub.
#[derive(Debug)]
pub(crate) struct Sender {
    client: ureq::Agent,
    address: String,
    /// The address without user and password.
    shown: String,
    token: Option<Token>,
}

/// What became of a batch, and what the hub told of its clock.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Answered {
    pub(crate) sent: Sent,
    /// Seconds by which this host's clock is ahead of the hub's, if the hub told its time.
    pub(crate) ahead_s: Option<i64>,
}

impl From<Sent> for Answered {
    fn from(sent: Sent) -> Self {
        Self {
            sent,
            ahead_s: None,
        }
    }
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
    /// Creates a sender to the hub of these settings.
    ///
    /// # Errors
    /// The address is none, or the authorities cannot be read.
    pub(crate) fn to(options: &Options) -> Result<Self> {
        let address = format!("{}{PATH}", options.hub.trim_end_matches('/'));
        let shown = http::without_password(&address);
        let uri = address.parse::<ureq::http::Uri>().ok();
        let is_http = |uri: &ureq::http::Uri| {
            matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some()
        };
        if !uri.as_ref().is_some_and(is_http) || options.hub.contains(['?', '#']) {
            bail!("the hub's address is {shown:?}; one such as http://hub:7007 is wanted");
        }
        let client = match &options.authorities {
            None => http::client(),
            Some(pem) => http::client_trusting(pem).context("the hub's authorities")?,
        };
        Ok(Self {
            client: client.build().into(),
            address,
            shown,
            token: options.token.clone(),
        })
    }

    /// Sends one batch within a time.
    pub(crate) fn send(&self, batch: &[u8], time: Duration) -> Answered {
        let mut request = self
            .client
            .post(&self.address)
            .header("content-type", "application/octet-stream")
            .header(HOST_TIME, now_s().to_string());
        if let Some(token) = &self.token {
            let token = match token.read() {
                Ok(token) => token,
                Err(error) => return Sent::Later(format!("{token:?}: {error}")).into(),
            };
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.config().timeout_global(Some(time)).build();
        let mut answer = match request.send(batch) {
            Ok(answer) => answer,
            Err(error) => return Sent::Later(format!("{}: {error}", self.shown)).into(),
        };
        let status = answer.status().as_u16();
        let hub_time = answer.headers().get(HUB_TIME);
        let hub_s: Option<u64> = hub_time.and_then(|time| time.to_str().ok()?.parse().ok());
        let ahead_s = hub_s.map(|hub_s| ahead_s(now_s(), hub_s));
        if (200..300).contains(&status) {
            let sent = Sent::Acknowledged;
            return Answered { sent, ahead_s };
        }
        let body = answer.body_mut().with_config().limit(REASON_BYTES_MAX);
        let reason = body.read_to_string().unwrap_or_default();
        let reason = format!("{}: {status}: {}", self.shown, reason.trim());
        let sent = match status {
            // The batch is from another time than the hub's.
            409 if let Some(ahead_s) = ahead_s => of_another_time(reason, ahead_s),
            // What the hub says of a batch itself; anything else may come from a proxy before it, or of a token that can be mended.
            400 | 413 => Sent::Refused(reason),
            _ => Sent::Later(reason),
        };
        Answered { sent, ahead_s }
    }
}

/// Returns the outcome of a batch whose time the hub refuses: only if the clocks of host and hub agree it is the batch that is too old.
fn of_another_time(reason: String, ahead_s: i64) -> Sent {
    if ahead_s.unsigned_abs() <= CLOCKS_APART_S {
        return Sent::Refused(reason);
    }
    let apart = clock_apart(ahead_s);
    Sent::Later(format!(
        "{reason}; {apart}: set the one that is wrong, batches are kept until then"
    ))
}

/// Says by how much this host's clock differs from the hub's.
pub fn clock_apart(ahead_s: i64) -> String {
    let order = if ahead_s > 0 { "ahead of" } else { "behind" };
    let apart_s = ahead_s.unsigned_abs();
    let apart = match apart_s {
        0..3600 => format!("{} min", apart_s.div_ceil(60)),
        _ => format!("{} h", apart_s.div_ceil(3600)),
    };
    format!("this host's clock is {apart} {order} the hub's")
}

fn now_s() -> u64 {
    let since = SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| since.as_secs())
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
        let other_time =
            "HTTP/1.1 409 Conflict\r\nhone-hub-time: 1000\r\ncontent-length: 0\r\n\r\n";
        let proxy = "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
        let cases = [
            (ok, "Acknowledged"),
            (bad, "Refused"),
            (busy, "Later"),
            (other_time, "Later"),
            (proxy, "Later"),
        ];
        for (answer, expected) in cases {
            let (address, asked) = answering(answer);
            let options = Options {
                token: Some(Token::Text("secret".into())),
                ..Options::new(address, "host", "folder")
            };
            let answered = Sender::to(&options).unwrap().send(b"the batch", TIME);
            let tells_time = answer.contains("hone-hub-time");
            assert_eq!(answered.ahead_s.is_some(), tells_time, "{answered:?}");
            let sent = answered.sent;
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
            assert!(asked.contains("\r\nhone-host-time: "), "{asked}");
        }
    }

    #[test]
    fn a_batch_of_another_time_is_kept_while_the_clocks_of_host_and_hub_differ() {
        let reason = || "too old".to_owned();
        for ahead_s in [-3600, 0, 3600] {
            assert_eq!(of_another_time(reason(), ahead_s), Sent::Refused(reason()));
        }
        for (ahead_s, said) in [
            (2 * 86_400, "this host's clock is 48 h ahead of the hub's"),
            (-8 * 86_400, "this host's clock is 192 h behind the hub's"),
        ] {
            let Sent::Later(why) = of_another_time(reason(), ahead_s) else {
                panic!("{ahead_s}");
            };
            assert!(why.contains(said), "{why}");
        }
    }

    #[test]
    fn a_hub_that_is_away_is_asked_later() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}/", listener.local_addr().unwrap());
        drop(listener);
        let options = Options::new(address, "host", "folder");
        let sent = Sender::to(&options).unwrap().send(b"the batch", TIME);
        assert!(matches!(sent.sent, Sent::Later(_)), "{sent:?}");
        assert_eq!(sent.ahead_s, None);
    }

    #[test]
    fn what_is_no_address_of_a_hub_is_refused_without_its_password() {
        for hub in [
            "",
            "hub:7007",
            "ftp://me:secret@hub",
            "http://",
            "http://hub?x=1",
        ] {
            let refused = Sender::to(&Options::new(hub, "host", "folder")).unwrap_err();
            let said = format!("{refused:#}");
            assert!(
                said.contains("is wanted") && !said.contains("secret"),
                "{said}"
            );
        }
        let options = Options {
            authorities: Some(b"no PEM".to_vec()),
            ..Options::new("https://hub", "host", "folder")
        };
        assert!(Sender::to(&options).is_err());
    }
}

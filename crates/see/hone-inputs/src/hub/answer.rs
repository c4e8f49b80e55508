//! Answers of a hub, each asked for once and read with limits.

use std::collections::HashMap;
use std::io::Read;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Error, Result, anyhow};
use hone_batch::{Batch, Limits, wire};
use hone_fetch::http;
use hone_fetch::hub::Hub;
use hone_files::advice::{Advice, Advise};
use indicatif::HumanBytes;
use ureq::Body;
use ureq::http::Response;

use super::{Query, advised};

/// Path of questions.
const PATH: &str = "/v1/query";
/// Header with what an answer tells less apart than it was asked for, to be small enough.
const LEFT_OUT: &str = "hone-left-out";

/// Time in which a connection must stand.
const CONNECT: Duration = Duration::from_secs(10);
/// Time in which the answer must begin, and each further piece of it come: as long as a hub works on one.
const PATIENCE: Duration = Duration::from_secs(300);
/// Bytes of an answer as it comes, packed.
const ANSWER_BYTES_MAX: u64 = 256 << 20;
/// Limits of an unpacked answer, which is of many hosts.
const LIMITS: Limits = Limits {
    bytes_max: 512 << 20,
    texts_max: 1 << 24,
};
/// Next step if an answer is too large.
const SHORTER: &str = "ask for a shorter time or one build, as in hub:SERVICE@BUILD,-6h..";
/// Bytes of the hub's reason that are read.
const REASON_BYTES_MAX: u64 = 4 << 10;

/// Packed answers by the address that was asked.
static ANSWERS: LazyLock<Mutex<HashMap<String, Arc<Vec<u8>>>>> = LazyLock::new(Mutex::default);
/// The time of all questions of this process, in seconds since 1970: so the same name means the same time.
static NOW_S: LazyLock<u64> = LazyLock::new(|| {
    let since = SystemTime::UNIX_EPOCH.elapsed();
    since.map_or(0, |since| since.as_secs())
});

/// Returns the time of all questions of this process, in seconds since 1970.
pub(super) fn now_s() -> u64 {
    *NOW_S
}

/// Asks the hub that the environment names.
pub(super) fn fetch(query: &Query) -> Result<Batch> {
    let hub = Hub::from_environment();
    let parameters = query.parameters(*NOW_S).map_err(advised)?;
    let address = address(&hub.address, PATH, &parameters);
    let known = || ANSWERS.lock().unwrap_or_else(PoisonError::into_inner);
    let known_answer = known().get(&address).cloned();
    let bytes = match known_answer {
        Some(bytes) => bytes,
        None => {
            let bytes = Arc::new(ask(&hub, &address)?);
            known().insert(address, Arc::clone(&bytes));
            bytes
        }
    };
    wire::read(&bytes, &LIMITS)
        .with_context(|| format!("the answer of {}", hub.shown()))
        .next(match bytes.starts_with(&wire::MAGIC) {
            true => "ask again for a shorter time or one build; if that does not help, hub and hone are of different versions",
            false => "let HONE_HUB name a hub; something else answers there",
        })
}

/// Asks the hub that the environment names for what is no batch.
pub(super) fn get(path: &str, parameters: &[(&str, String)]) -> Result<Vec<u8>> {
    let hub = Hub::from_environment();
    ask(&hub, &address(&hub.address, path, parameters))
}

/// Returns the packed answer.
fn ask(hub: &Hub, address: &str) -> Result<Vec<u8>> {
    let config = http::client_within(CONNECT, PATIENCE).build();
    let mut request = ureq::Agent::from(config).get(address);
    if let Some(token) = &hub.token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let response = request
        .call()
        .map_err(|error| anyhow!("no hub answers at {}: {error}", hub.shown()))
        .next("start it with hone hub, or let HONE_HUB name it, as in HONE_HUB=http://hub:7007")?;
    let status = response.status().as_u16();
    if status != 200 {
        return Err(refusal(hub, status, response));
    }
    if let Some(left_out) = response.headers().get(LEFT_OUT) {
        let left_out = words(left_out.as_bytes());
        eprintln!(
            "note: the hub adds up {left_out}, since its answer would be too large: {SHORTER}"
        );
    }
    let length = response.body().content_length();
    read(response.into_body().into_reader(), length, ANSWER_BYTES_MAX).with_context(|| hub.shown())
}

/// Returns the error for another status, with the hub's own words.
fn refusal(hub: &Hub, status: u16, response: Response<Body>) -> Error {
    let mut reason = Vec::new();
    // The rest says enough if the reason cannot be read.
    let _ = response
        .into_body()
        .into_reader()
        .take(REASON_BYTES_MAX)
        .read_to_end(&mut reason);
    let next = match status {
        401 | 403 => "let HONE_HUB_TOKEN hold a token that may read".to_owned(),
        404 => format!("see what is there: curl {}/v1/services", hub.shown()),
        413 => SHORTER.to_owned(),
        503 => "ask again later".to_owned(),
        _ => "see the hub's own log".to_owned(),
    };
    let fact = match words(&reason).as_str() {
        "" => anyhow!("the hub at {} answers with status {status}", hub.shown()),
        words => anyhow!("the hub at {} answers: {words}", hub.shown()),
    };
    Advice::error(fact, next)
}

/// Returns the line that a hub answers with.
fn words(reason: &[u8]) -> String {
    let text = String::from_utf8_lossy(reason);
    let line = text.trim().lines().next().unwrap_or_default();
    // What the terminal takes for more than text comes from no hub.
    line.chars().filter(|letter| !letter.is_control()).collect()
}

/// Returns the address of a question.
fn address(hub: &str, path: &str, parameters: &[(&str, String)]) -> String {
    let parameters = parameters.iter();
    let parameters = parameters.map(|(key, value)| format!("{key}={}", escaped(value)));
    let parameters: Vec<String> = parameters.collect();
    format!("{hub}{path}?{}", parameters.join("&"))
}

/// Escapes a text for an address (RFC 3986, section 2).
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                escaped.push(char::from(byte));
            }
            other => escaped += &format!("%{other:02X}"),
        }
    }
    escaped
}

/// Reads an answer whose length the hub may have told.
fn read(body: impl Read, length: Option<u64>, bytes_max: u64) -> Result<Vec<u8>> {
    let too_large = || {
        let fact = anyhow!("the answer has more than {}", HumanBytes(bytes_max));
        Advice::error(fact, SHORTER)
    };
    if length.is_some_and(|length| length > bytes_max) {
        return Err(too_large());
    }
    let mut bytes = Vec::new();
    body.take(bytes_max + 1)
        .read_to_end(&mut bytes)
        .context("the answer broke off")
        .next("ask again; the hub may have ended, or the network is slow")?;
    match bytes.len() as u64 > bytes_max {
        true => Err(too_large()),
        false => Ok(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_files::advice::render;

    #[test]
    fn addresses_hold_any_name() {
        let parameters = [("service", "a b/ü&c".to_owned()), ("from", "7".to_owned())];
        assert_eq!(
            address("http://hub:7007", PATH, &parameters),
            "http://hub:7007/v1/query?service=a%20b%2F%C3%BC%26c&from=7"
        );
    }

    #[test]
    fn the_words_of_a_hub_are_one_line_of_text() {
        assert_eq!(
            words(b" no service; there is checkout\nmore"),
            "no service; there is checkout"
        );
        assert_eq!(words(b"\x1b[2Jgone\x07"), "[2Jgone");
        assert_eq!(words(b"\xff"), "\u{fffd}");
        assert_eq!(words(b""), "");
    }

    #[test]
    fn answers_are_read_up_to_their_limit() {
        assert_eq!(read(&b"batch"[..], None, 5).unwrap(), b"batch");
        for (length, body) in [(None, &b"batches"[..]), (Some(6), b"")] {
            let error = render(&read(body, length, 5).unwrap_err());
            assert!(
                error.contains("more than 5 B\nnext: ask for a shorter"),
                "{error}"
            );
        }
    }
}

//! POSTs over HTTP: the part that all endpoints over HTTP share, whatever their bodies hold.

use super::http::HttpError;
use super::retry::retry_after;
use super::{Delivery, Reason};
use crate::tls::Tls;
use std::io::Read;
use std::time::{Duration, SystemTime};
use ureq::http::{HeaderName, HeaderValue, Response, StatusCode, Uri};
use ureq::{Agent, Body};

/// Bytes that are read of an answer's body, which is a message for people.
const ANSWER_BYTES_MAX: u64 = 4 << 10;

/// Client that posts to one address.
pub(super) struct Poster {
    agent: Agent,
    address: String,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl Poster {
    /// Makes a client, which connects with the first POST. No proxy is used, and no redirection followed.
    ///
    /// # Errors
    /// If the address or a header is not valid, a header is reserved, or TLS cannot be set up.
    pub(super) fn new(
        address: &str,
        headers: &[(String, String)],
        reserved: &[&str],
        tls: &Tls,
        timeout: Duration,
    ) -> Result<Self, HttpError> {
        let is_http = |address: &Uri| {
            matches!(address.scheme_str(), Some("http" | "https")) && address.host().is_some()
        };
        if address.parse().ok().filter(is_http).is_none() {
            return Err(HttpError::Address(address.to_owned()));
        }
        let mut valid = Vec::new();
        for (name, value) in headers {
            if reserved.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(HttpError::Reserved(name.clone()));
            }
            let invalid = || HttpError::Header(name.clone());
            let own = HeaderName::try_from(name).map_err(|_| invalid())?;
            valid.push((own, HeaderValue::try_from(value).map_err(|_| invalid())?));
        }
        let config = Agent::config_builder()
            .user_agent(concat!("hone-agent/", env!("CARGO_PKG_VERSION")))
            .tls_config(tls.for_http()?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(timeout))
            .build();
        Ok(Self {
            agent: config.into(),
            address: address.to_owned(),
            headers: valid,
        })
    }

    /// Posts a body, with these headers before the configured ones.
    pub(super) fn post(
        &self,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> Result<Response<Body>, Box<ureq::Error>> {
        let mut request = self.agent.post(&self.address);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.send(body).map_err(Box::new)
    }
}

/// Interprets an answer that is no success: tried again later if that may help, otherwise lost.
pub(super) fn unsuccessful(response: Response<Body>) -> Delivery {
    let status = response.status();
    let asked = response.headers().get("retry-after");
    let asked = asked.and_then(|value| value.to_str().ok());
    let after = asked.and_then(|value| retry_after(value, SystemTime::now()));
    let why = format!("status {status}: {}", message(response));
    match status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        true => Delivery::Later { after, why },
        false => Delivery::Never {
            reason: Reason::Refused,
            why,
        },
    }
}

/// Returns the start of the answer's body, on one line.
fn message(response: Response<Body>) -> String {
    let mut text = Vec::new();
    let body = response.into_body().into_reader();
    // Errors are ignored: the status alone has decided already.
    body.take(ANSWER_BYTES_MAX).read_to_end(&mut text).ok();
    let text = String::from_utf8_lossy(&text);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

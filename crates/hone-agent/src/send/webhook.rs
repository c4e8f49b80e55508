//! A webhook: one POST of JSON for each parcel.
//!
//! | answer | what follows |
//! |---|---|
//! | 2xx | delivered |
//! | 429, 5xx, no answer in time, no connection | tried again, so many times |
//! | anything else | lost |

use super::http::{HttpError, message};
use super::retry::retry_after;
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::tls::Tls;
use std::time::{Duration, SystemTime};
use ureq::http::{HeaderName, HeaderValue, StatusCode, Uri};
use ureq::{Agent, Body};

/// Where to post and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WebhookOptions {
    /// `http://` or `https://`.
    pub address: String,
    /// More headers, as `Authorization`.
    pub headers: Vec<(String, String)>,
    /// How long one attempt may take from connecting to the answer.
    pub timeout: Duration,
    /// How often one parcel is tried.
    pub attempts: u32,
}

/// See the module.
pub struct Webhook {
    agent: Agent,
    address: String,
    headers: Vec<(HeaderName, HeaderValue)>,
    attempts: u32,
    /// Attempts that failed of the parcel at hand.
    failures: u32,
}

impl Webhook {
    /// Connects when the first parcel is sent. No proxy is used, and no redirection followed.
    ///
    /// # Errors
    /// If the address or a header is not valid.
    pub fn new(options: &WebhookOptions) -> Result<Self, HttpError> {
        let is_http = |address: &Uri| {
            matches!(address.scheme_str(), Some("http" | "https")) && address.host().is_some()
        };
        if options.address.parse().ok().filter(is_http).is_none() {
            return Err(HttpError::Address(options.address.clone()));
        }
        let mut headers = Vec::new();
        for (name, value) in &options.headers {
            let invalid = || HttpError::Header(name.clone());
            let own = HeaderName::try_from(name).map_err(|_| invalid())?;
            headers.push((own, HeaderValue::try_from(value).map_err(|_| invalid())?));
        }
        let config = Agent::config_builder()
            .user_agent(concat!("hone-agent/", env!("CARGO_PKG_VERSION")))
            .tls_config(Tls::default().for_http()?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(options.timeout))
            .build();
        Ok(Self {
            agent: config.into(),
            address: options.address.clone(),
            headers,
            attempts: options.attempts,
            failures: 0,
        })
    }

    fn attempt(&self, parcel: &Parcel) -> Delivery {
        let mut request = self.agent.post(&self.address);
        request = request.header("Content-Type", "application/json");
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        match request.send(&parcel.body[..]) {
            Ok(answer) => judge(answer),
            Err(error) => Delivery::later(error),
        }
    }
}

fn judge(answer: ureq::http::Response<Body>) -> Delivery {
    let status = answer.status();
    if status.is_success() {
        return Delivery::Delivered;
    }
    let asked = answer.headers().get("retry-after");
    let asked = asked.and_then(|value| value.to_str().ok());
    let after = asked.and_then(|value| retry_after(value, SystemTime::now()));
    let why = format!("status {status}: {}", message(answer));
    match status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
        true => Delivery::Later { after, why },
        false => Delivery::Never {
            reason: Reason::Refused,
            why,
        },
    }
}

impl Endpoint for Webhook {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let delivery = self.attempt(parcel);
        let Delivery::Later { why, .. } = &delivery else {
            self.failures = 0;
            return delivery;
        };
        self.failures += 1;
        if self.failures < self.attempts {
            return delivery;
        }
        self.failures = 0;
        Delivery::Never {
            reason: Reason::Refused,
            why: format!("given up after {} attempts: {why}", self.attempts),
        }
    }
}

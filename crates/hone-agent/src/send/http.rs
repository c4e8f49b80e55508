//! Remote write over HTTP: its headers, what answers mean, and the dialect that falls back.
//!
//! | answer | what follows |
//! |---|---|
//! | 2xx | delivered |
//! | 2xx to remote write 2.0 without any `X-Prometheus-Remote-Write-*-Written` | lost: a receiver of 1.0 read nothing |
//! | 429, 5xx, no answer in time, no connection | tried again, not before `Retry-After` |
//! | 400 or 415 to VictoriaMetrics' zstd | the same body once more with snappy, and so from then on if that is taken |
//! | anything else | lost: the specification forbids to try again |

use super::retry::retry_after;
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::compress::{CompressError, Compression, Compressor, Decompressed, decompress};
use crate::tls::{Tls, TlsError};
use std::io::Read;
use std::time::{Duration, SystemTime};
use ureq::http::{HeaderName, HeaderValue, Response, StatusCode, Uri};
use ureq::{Agent, Body};

/// How much of an answer's body is read: a message for people.
const ANSWER_BYTES_MAX: u64 = 4 << 10;
/// No body that we made unpacks to more.
const BODY_BYTES_MAX: usize = 1 << 30;
/// What the protocols set themselves.
const RESERVED: [&str; 8] = [
    "content-encoding",
    "content-type",
    "content-length",
    "transfer-encoding",
    "host",
    "user-agent",
    "x-prometheus-remote-write-version",
    "x-victoriametrics-remote-write-version",
];

/// What is spoken. Parcels must be encoded and compressed for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Remote write 1.0, snappy.
    RemoteWrite1,
    /// Remote write 2.0, snappy.
    RemoteWrite2,
    /// VictoriaMetrics': the message of 1.0 with zstd.
    VictoriaMetrics,
}

/// Where to send and how.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpOptions {
    /// `http://` or `https://`.
    pub address: String,
    /// What is spoken there.
    pub dialect: Dialect,
    /// More headers, as `Authorization` or `X-Scope-OrgID`.
    pub headers: Vec<(String, String)>,
    /// Whom to trust with `https`.
    pub tls: Tls,
    /// How long one attempt may take from connecting to the answer.
    pub timeout: Duration,
}

/// Why an endpoint cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HttpError {
    /// No address of HTTP.
    #[error("'{0}' is not an address that starts with http:// or https://")]
    Address(String),
    /// The protocol sets this header itself.
    #[error("the header '{0}' is set by the protocol and cannot be configured")]
    Reserved(String),
    /// No valid name or value.
    #[error("'{0}' is not a valid header")]
    Header(String),
    /// TLS cannot be set up.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// Compression cannot be set up.
    #[error(transparent)]
    Compress(#[from] CompressError),
}

/// A receiver of remote write.
pub struct Http {
    agent: Agent,
    address: String,
    dialect: Dialect,
    headers: Vec<(HeaderName, HeaderValue)>,
    snappy: Compressor,
    /// VictoriaMetrics' dialect was refused, and remote write 1.0 taken.
    fell_back: bool,
}

impl Http {
    /// Connects when the first parcel is sent. No proxy is used, and no redirection followed.
    ///
    /// # Errors
    /// If the address or a header is not valid, or TLS cannot be set up.
    pub fn new(options: &HttpOptions) -> Result<Self, HttpError> {
        let is_http = |address: &Uri| {
            matches!(address.scheme_str(), Some("http" | "https")) && address.host().is_some()
        };
        let address = options.address.parse().ok().filter(is_http);
        if address.is_none() {
            return Err(HttpError::Address(options.address.clone()));
        }
        let mut headers = Vec::new();
        for (name, value) in &options.headers {
            if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
                return Err(HttpError::Reserved(name.clone()));
            }
            let invalid = || HttpError::Header(name.clone());
            let own = HeaderName::try_from(name).map_err(|_| invalid())?;
            let value = HeaderValue::try_from(value).map_err(|_| invalid())?;
            headers.push((own, value));
        }
        let config = Agent::config_builder()
            .user_agent(concat!("hone-agent/", env!("CARGO_PKG_VERSION")))
            .tls_config(options.tls.for_http()?)
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .timeout_global(Some(options.timeout))
            .build();
        Ok(Self {
            agent: config.into(),
            address: options.address.clone(),
            dialect: options.dialect,
            headers,
            snappy: Compressor::new(Compression::Snappy)?,
            fell_back: false,
        })
    }

    fn post(
        &self,
        body: &[u8],
        compression: Compression,
    ) -> Result<Response<Body>, Box<ureq::Error>> {
        let mut request = self.agent.post(&self.address);
        request = match self.dialect {
            Dialect::RemoteWrite2 => request
                .header(
                    "Content-Type",
                    "application/x-protobuf;proto=io.prometheus.write.v2.Request",
                )
                .header("X-Prometheus-Remote-Write-Version", "2.0.0"),
            Dialect::VictoriaMetrics if compression != Compression::Snappy => request
                .header("Content-Type", "application/x-protobuf")
                .header("X-VictoriaMetrics-Remote-Write-Version", "1"),
            Dialect::RemoteWrite1 | Dialect::VictoriaMetrics => request
                .header("Content-Type", "application/x-protobuf")
                .header("X-Prometheus-Remote-Write-Version", "0.1.0"),
        };
        if let Some(encoding) = compression.content_encoding() {
            request = request.header("Content-Encoding", encoding);
        }
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        request.send(body).map_err(Box::new)
    }

    /// One attempt; the status as well where there was an answer.
    fn attempt(&self, body: &[u8], compression: Compression) -> (Delivery, Option<StatusCode>) {
        match self.post(body, compression) {
            Ok(response) => {
                let status = response.status();
                (self.judge(response), Some(status))
            }
            Err(error) => (Delivery::later(error), None),
        }
    }

    fn judge(&self, response: Response<Body>) -> Delivery {
        let status = response.status();
        if status.is_success() {
            let is_blind = self.dialect == Dialect::RemoteWrite2 && !says_what_it_wrote(&response);
            return match is_blind {
                true => Delivery::Never {
                    reason: Reason::NotUnderstood,
                    why: format!(
                        "status {status} without X-Prometheus-Remote-Write-*-Written: the receiver \
                         does not speak remote write 2.0; use 1.0"
                    ),
                },
                false => Delivery::Delivered,
            };
        }
        let asked = response.headers().get("retry-after");
        let asked = asked.and_then(|value| value.to_str().ok());
        let after = asked.and_then(|value| retry_after(value, SystemTime::now()));
        let why = format!("status {status}: {}", message(response));
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Delivery::Later { after, why };
        }
        let reason = match status {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Reason::NotUnderstood,
            _ => Reason::Refused,
        };
        Delivery::Never { reason, why }
    }

    /// The body of VictoriaMetrics' dialect as remote write 1.0 has it.
    fn as_snappy(&mut self, parcel: &Parcel) -> Result<Vec<u8>, String> {
        match decompress(parcel.compression, &parcel.body, BODY_BYTES_MAX) {
            Decompressed::Whole(body) => {
                let packed = self.snappy.compress(&body);
                packed.map_err(|error| error.to_string())
            }
            Decompressed::TooLong | Decompressed::Damaged => {
                Err("the parcel cannot be unpacked".to_owned())
            }
        }
    }

    fn deliver_as_snappy(&mut self, parcel: &Parcel) -> (Delivery, Option<StatusCode>) {
        match self.as_snappy(parcel) {
            Ok(body) => self.attempt(&body, Compression::Snappy),
            Err(why) => {
                let reason = Reason::Compression;
                (Delivery::Never { reason, why }, None)
            }
        }
    }
}

impl Endpoint for Http {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let may_fall_back =
            self.dialect == Dialect::VictoriaMetrics && parcel.compression != Compression::Snappy;
        if may_fall_back && self.fell_back {
            return self.deliver_as_snappy(parcel).0;
        }
        let (delivery, status) = self.attempt(&parcel.body, parcel.compression);
        let is_refused = status.is_some_and(|status| matches!(status.as_u16(), 400 | 415));
        if !may_fall_back || !is_refused {
            return delivery;
        }
        let (delivery, status) = self.deliver_as_snappy(parcel);
        self.fell_back = status.is_some_and(|status| status.is_success());
        delivery
    }
}

fn says_what_it_wrote(response: &Response<Body>) -> bool {
    ["samples", "histograms", "exemplars"].iter().any(|what| {
        let name = format!("x-prometheus-remote-write-{what}-written");
        response.headers().contains_key(name)
    })
}

/// The start of the answer's body, on one line.
fn message(response: Response<Body>) -> String {
    let mut text = Vec::new();
    let body = response.into_body().into_reader();
    // As much as came: the status alone decided already.
    body.take(ANSWER_BYTES_MAX).read_to_end(&mut text).ok();
    let text = String::from_utf8_lossy(&text);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

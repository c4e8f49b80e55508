//! Remote write over HTTP: its headers, what answers mean, and the dialect that falls back.
//!
//! | answer | what follows |
//! |---|---|
//! | 2xx | delivered |
//! | 2xx to remote write 2.0 without any `X-Prometheus-Remote-Write-*-Written` | a receiver of 1.0 read nothing: as 415 |
//! | 429, 5xx, no answer in time, no connection | tried again, not before `Retry-After` |
//! | 400 or 415 to remote write 2.0 or to VictoriaMetrics' zstd | once more as remote write 1.0, and so from then on if that is taken |
//! | anything else | lost: the specification forbids to try again |

use super::retry::retry_after;
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::compress::{CompressError, Compression, Compressor, Decompressed, decompress};
use crate::tls::{Tls, TlsError};
use crate::wire::buckets::BucketSeries;
use crate::wire::remote_write_2::as_1::as_1;
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
    /// Whether remote write 1.0 is spoken where the back end refuses another dialect, and how it gets buckets then.
    pub falls_back: Option<BucketSeries>,
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
    falls_back: Option<BucketSeries>,
    headers: Vec<(HeaderName, HeaderValue)>,
    snappy: Compressor,
    /// The dialect was refused, and remote write 1.0 taken.
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
            falls_back: options.falls_back,
            headers,
            snappy: Compressor::new(Compression::Snappy)?,
            fell_back: false,
        })
    }

    fn post(
        &self,
        dialect: Dialect,
        body: &[u8],
        compression: Compression,
    ) -> Result<Response<Body>, Box<ureq::Error>> {
        let mut request = self.agent.post(&self.address);
        request = match dialect {
            Dialect::RemoteWrite2 => request
                .header(
                    "Content-Type",
                    "application/x-protobuf;proto=io.prometheus.write.v2.Request",
                )
                .header("X-Prometheus-Remote-Write-Version", "2.0.0"),
            Dialect::VictoriaMetrics => request
                .header("Content-Type", "application/x-protobuf")
                .header("X-VictoriaMetrics-Remote-Write-Version", "1"),
            Dialect::RemoteWrite1 => request
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

    fn attempt(&self, dialect: Dialect, body: &[u8], compression: Compression) -> Attempt {
        match self.post(dialect, body, compression) {
            Ok(response) => self.judge(dialect, response),
            Err(error) => Attempt::of(Delivery::later(error)),
        }
    }

    fn judge(&self, dialect: Dialect, response: Response<Body>) -> Attempt {
        let status = response.status();
        if status.is_success() {
            let is_blind = dialect == Dialect::RemoteWrite2 && !says_what_it_wrote(&response);
            if !is_blind {
                return Attempt::of(Delivery::Delivered);
            }
            let reason = Reason::NotUnderstood;
            let why = format!(
                "status {status} without X-Prometheus-Remote-Write-*-Written: the receiver \
                 does not speak remote write 2.0; use 1.0"
            );
            return Attempt {
                delivery: Delivery::Never { reason, why },
                may_be_the_dialect: true,
            };
        }
        let asked = response.headers().get("retry-after");
        let asked = asked.and_then(|value| value.to_str().ok());
        let after = asked.and_then(|value| retry_after(value, SystemTime::now()));
        let why = format!("status {status}: {}", message(response));
        if status == StatusCode::TOO_MANY_REQUESTS || status.is_server_error() {
            return Attempt::of(Delivery::Later { after, why });
        }
        let reason = match status {
            StatusCode::UNSUPPORTED_MEDIA_TYPE => Reason::NotUnderstood,
            _ => Reason::Refused,
        };
        Attempt {
            delivery: Delivery::Never { reason, why },
            may_be_the_dialect: matches!(status.as_u16(), 400 | 415),
        }
    }

    /// The body as remote write 1.0 has it.
    fn as_1(&mut self, parcel: &Parcel, buckets: BucketSeries) -> Result<Vec<u8>, String> {
        let damaged = || "the parcel cannot be unpacked".to_owned();
        let Decompressed::Whole(body) =
            decompress(parcel.compression, &parcel.body, BODY_BYTES_MAX)
        else {
            return Err(damaged());
        };
        let body = match self.dialect {
            Dialect::RemoteWrite2 => as_1(&body, buckets).ok_or_else(damaged)?,
            Dialect::RemoteWrite1 | Dialect::VictoriaMetrics => body,
        };
        let packed = self.snappy.compress(&body);
        packed.map_err(|error| error.to_string())
    }

    fn deliver_as_1(&mut self, parcel: &Parcel, buckets: BucketSeries) -> Delivery {
        match self.as_1(parcel, buckets) {
            Ok(body) => {
                let dialect = Dialect::RemoteWrite1;
                self.attempt(dialect, &body, Compression::Snappy).delivery
            }
            Err(why) => Delivery::Never {
                reason: Reason::Compression,
                why,
            },
        }
    }
}

/// What came of an attempt.
struct Attempt {
    delivery: Delivery,
    /// Whether the back end may take it in another dialect.
    may_be_the_dialect: bool,
}

impl Attempt {
    fn of(delivery: Delivery) -> Self {
        Self {
            delivery,
            may_be_the_dialect: false,
        }
    }
}

impl Endpoint for Http {
    fn deliver(&mut self, parcel: &Parcel) -> Delivery {
        let falls_back = self
            .falls_back
            .filter(|_| self.dialect != Dialect::RemoteWrite1);
        if let Some(buckets) = falls_back.filter(|_| self.fell_back) {
            return self.deliver_as_1(parcel, buckets);
        }
        let attempt = self.attempt(self.dialect, &parcel.body, parcel.compression);
        let Some(buckets) = falls_back.filter(|_| attempt.may_be_the_dialect) else {
            return attempt.delivery;
        };
        let delivery = self.deliver_as_1(parcel, buckets);
        self.fell_back = delivery == Delivery::Delivered;
        delivery
    }

    fn fell_back(&self) -> bool {
        self.fell_back
    }
}

fn says_what_it_wrote(response: &Response<Body>) -> bool {
    ["samples", "histograms", "exemplars"].iter().any(|what| {
        let name = format!("x-prometheus-remote-write-{what}-written");
        response.headers().contains_key(name)
    })
}

/// The start of the answer's body, on one line.
pub(super) fn message(response: Response<Body>) -> String {
    let mut text = Vec::new();
    let body = response.into_body().into_reader();
    // As much as came: the status alone decided already.
    body.take(ANSWER_BYTES_MAX).read_to_end(&mut text).ok();
    let text = String::from_utf8_lossy(&text);
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ")
}

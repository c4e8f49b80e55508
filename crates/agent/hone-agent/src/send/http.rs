//! Remote write over HTTP: headers, the meaning of answers, and the fallback to an older dialect.
//!
//! | answer | what follows |
//! |---|---|
//! | 2xx | delivered |
//! | 2xx to remote write 2.0 without any `X-Prometheus-Remote-Write-*-Written` | a receiver of 1.0 read nothing: as 415 |
//! | 429, 5xx, no answer in time, no connection | tried again, not before `Retry-After` |
//! | 400 or 415 to remote write 2.0 or to VictoriaMetrics' zstd | once more as remote write 1.0, and so from then on if that is taken |
//! | anything else | lost: the specification forbids to try again |

use super::post::{Poster, unsuccessful};
use super::{Delivery, Endpoint, Parcel, Reason};
use crate::compress::{CompressError, Compression, Compressor, Decompressed, decompress};
use crate::tls::{Tls, TlsError};
use crate::wire::buckets::BucketSeries;
use crate::wire::remote_write_2::as_1::as_1;
use std::time::Duration;
use ureq::Body;
use ureq::http::{Response, StatusCode};

/// Upper limit on a body that this agent has made, when it is unpacked.
const BODY_BYTES_MAX: usize = 1 << 30;
/// Headers that the protocols set themselves.
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

/// Protocol of the back end. Parcels must be encoded and compressed for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    /// Remote write 1.0, snappy.
    RemoteWrite1,
    /// Remote write 2.0, snappy.
    RemoteWrite2,
    /// VictoriaMetrics': the message of 1.0 with zstd.
    VictoriaMetrics,
}

/// Options of an endpoint over HTTP.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HttpOptions {
    /// Address, with `http://` or `https://`.
    pub address: String,
    /// Protocol of the back end.
    pub dialect: Dialect,
    /// Fallback to remote write 1.0 if the back end refuses another dialect, with the representation of buckets in it.
    pub falls_back: Option<BucketSeries>,
    /// More headers, such as `Authorization` or `X-Scope-OrgID`.
    pub headers: Vec<(String, String)>,
    /// Trusted authorities and own identity, for `https`.
    pub tls: Tls,
    /// Longest time of one attempt, from connecting to the answer.
    pub timeout: Duration,
}

/// Reasons why an endpoint cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HttpError {
    /// The address is no address of HTTP.
    #[error("'{0}' is not an address that starts with http:// or https://")]
    Address(String),
    /// The protocol sets this header itself.
    #[error("the header '{0}' is set by the protocol and cannot be configured")]
    Reserved(String),
    /// The header has no valid name or value.
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
    poster: Poster,
    dialect: Dialect,
    falls_back: Option<BucketSeries>,
    snappy: Compressor,
    /// True if the back end refused the dialect and accepted remote write 1.0.
    fell_back: bool,
}

impl Http {
    /// Makes an endpoint, which connects when the first parcel is sent. No proxy is used, and no redirection followed.
    ///
    /// # Errors
    /// If the address or a header is not valid, or TLS cannot be set up.
    pub fn new(options: &HttpOptions) -> Result<Self, HttpError> {
        let HttpOptions {
            address,
            headers,
            tls,
            timeout,
            ..
        } = options;
        Ok(Self {
            poster: Poster::new(address, headers, &RESERVED, tls, *timeout)?,
            dialect: options.dialect,
            falls_back: options.falls_back,
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
        const PROTOBUF: &str = "application/x-protobuf";
        let [content_type, version] = match dialect {
            Dialect::RemoteWrite2 => [
                "application/x-protobuf;proto=io.prometheus.write.v2.Request",
                "2.0.0",
            ],
            Dialect::VictoriaMetrics => [PROTOBUF, "1"],
            Dialect::RemoteWrite1 => [PROTOBUF, "0.1.0"],
        };
        let whose = match dialect {
            Dialect::VictoriaMetrics => "X-VictoriaMetrics-Remote-Write-Version",
            Dialect::RemoteWrite1 | Dialect::RemoteWrite2 => "X-Prometheus-Remote-Write-Version",
        };
        let mut headers = vec![("Content-Type", content_type), (whose, version)];
        headers.extend(
            compression
                .content_encoding()
                .map(|encoding| ("Content-Encoding", encoding)),
        );
        self.poster.post(&headers, body)
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
        let delivery = match unsuccessful(response) {
            Delivery::Never { why, .. } if status == StatusCode::UNSUPPORTED_MEDIA_TYPE => {
                let reason = Reason::NotUnderstood;
                Delivery::Never { reason, why }
            }
            delivery => delivery,
        };
        Attempt {
            delivery,
            may_be_the_dialect: matches!(status.as_u16(), 400 | 415),
        }
    }

    /// Converts the body to remote write 1.0.
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

/// Result of an attempt.
struct Attempt {
    delivery: Delivery,
    /// True if the back end may accept the body in another dialect.
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

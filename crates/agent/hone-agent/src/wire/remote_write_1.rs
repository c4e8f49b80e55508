//! Prometheus remote write 1.0: `prometheus.WriteRequest`.
//!
//! Source: the Remote-Write 1.0 specification (prometheus.io/docs/specs/prw/remote_write_spec). Labels are sorted,
//! including `__name__`, and no label is empty or repeated. A series has one sample, and a zero before it where a counter is
//! new. Times are in milliseconds, and a stale marker ends a series.

use super::plain::{self, Flat};
use super::protobuf::{double, int, message, string};
use super::{Encoded, Options, Part};

/// Typical bytes of a series, for the first guess at the buffer's size.
const SERIES_BYTES: usize = 200;

/// Encodes a part as a message, not yet compressed.
pub fn encode(part: Part<'_>, options: &Options) -> Encoded {
    let mut body = Vec::with_capacity(part.points.len() * SERIES_BYTES);
    let mut samples = 0;
    for point in part.points {
        plain::flatten(point, options, |flat| {
            samples += flat.samples();
            message(&mut body, 1, |out| time_series(out, flat, part.end_ms));
        });
    }
    for series in part.ended {
        plain::end(series, options, |flat| {
            samples += flat.samples();
            message(&mut body, 1, |out| time_series(out, flat, part.end_ms));
        });
    }
    Encoded {
        body,
        points: part.points.len() as u64,
        samples,
        ..Encoded::default()
    }
}

fn time_series(out: &mut Vec<u8>, flat: &Flat<'_>, end_ms: i64) {
    for (name, value) in flat.labels() {
        message(out, 1, |out| {
            string(out, 1, name);
            string(out, 2, value);
        });
    }
    if let Some(zero_ms) = flat.zero_ms {
        message(out, 2, |out| int(out, 2, zero_ms));
    }
    message(out, 2, |out| {
        double(out, 1, flat.value);
        int(out, 2, end_ms);
    });
}

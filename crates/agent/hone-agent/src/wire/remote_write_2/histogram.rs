//! `Histogram`: exponential buckets as a native gauge histogram.

use crate::aggregate::{Buckets, Summary};
use crate::wire::buckets::spans;
use crate::wire::plain::never_stale;
use crate::wire::protobuf::{
    double, double_always, int, message, sint, uint, uint_always, varint, zigzag,
};

/// Resolutions that Prometheus knows.
const SCHEMAS: std::ops::RangeInclusive<i8> = -4..=8;
/// Distance from zero below which values count as zero: Prometheus' own default, 2^-128.
const ZERO_THRESHOLD: f64 = 2.938_735_877_055_719e-39;
/// `RESET_HINT_GAUGE` of the message's enumeration.
const RESET_HINT_GAUGE: u64 = 3;
/// Number up to which integers are exact as `f64`.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

pub(super) fn encode(out: &mut Vec<u8>, summary: &Summary, buckets: &Buckets, end_ms: i64) {
    debug_assert!(SCHEMAS.contains(&buckets.scale));
    let sides = buckets.negative.iter().chain(&buckets.positive);
    let weights = || sides.clone().map(|(_, weight)| *weight);
    let in_buckets = weights().sum::<f64>() + buckets.zero;
    let is_whole = |weight: f64| weight.fract() == 0.0 && (0.0..EXACT_MAX).contains(&weight);
    // Receivers refuse an integer histogram whose count is not that of its buckets.
    let whole = is_whole(buckets.zero) && weights().all(is_whole) && in_buckets == summary.count;
    if whole {
        uint_always(out, 1, summary.count as u64);
    } else {
        double_always(out, 2, summary.count);
    }
    double(out, 3, never_stale(summary.sum));
    sint(out, 4, i64::from(buckets.scale));
    double(out, 5, ZERO_THRESHOLD);
    if whole {
        uint_always(out, 6, buckets.zero as u64);
    } else {
        double_always(out, 7, buckets.zero);
    }
    side(out, &buckets.negative, whole, [8, 9, 10]);
    side(out, &buckets.positive, whole, [11, 12, 13]);
    uint(out, 14, RESET_HINT_GAUGE);
    int(out, 15, end_ms);
}

/// Writes spans, and the weights as differences of integers or as floats.
fn side(
    out: &mut Vec<u8>,
    buckets: &[(i32, f64)],
    whole: bool,
    [spans_field, deltas_field, counts_field]: [u32; 3],
) {
    for span in spans(buckets) {
        message(out, spans_field, |out| {
            sint(out, 1, i64::from(span.offset));
            uint(out, 2, u64::from(span.length));
        });
    }
    if buckets.is_empty() {
        return;
    }
    if whole {
        message(out, deltas_field, |out| {
            let mut before = 0;
            for (_, weight) in buckets {
                let weight = *weight as i64;
                varint(out, zigzag(weight - before));
                before = weight;
            }
        });
    } else {
        message(out, counts_field, |out| {
            for (_, weight) in buckets {
                out.extend_from_slice(&weight.to_le_bytes());
            }
        });
    }
}

//! Exponential buckets in other forms: native histograms' spans, `le` series and VictoriaMetrics' `vmrange`.

use crate::aggregate::Buckets;

/// Representation of buckets in formats without histograms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BucketSeries {
    /// `name_bucket{vmrange="1.000e+00...1.044e+00"}`, one series for each bucket that has values:
    /// VictoriaMetrics' `histogram_quantile` reads these series, with the full resolution.
    #[default]
    VmRange,
    /// `name_bucket{le="4"}`: number of values up to the bound, at the powers of 4 from 2^-20 to 2^30 and `+Inf`. The
    /// bounds are always the same, so that sums over hosts and times are right.
    Le,
    /// Count, sum, extremes and quantiles only.
    None,
}

/// The exponents of the bounds of `le`, as powers of 2.
const LE_EXPONENTS: std::ops::RangeInclusive<i32> = -20..=30;
const LE_STEP: usize = 2;

/// Calls `visit` with each series that buckets become in this form: the name and the value of a label, and the weight.
pub(super) fn each_of_series(
    buckets: &Buckets,
    form: BucketSeries,
    mut visit: impl FnMut(&'static str, &str, f64),
) {
    match form {
        BucketSeries::VmRange => {
            ranges(buckets, |range, weight| visit("vmrange", range, weight));
        }
        BucketSeries::Le => cumulative(buckets, |bound, below| visit("le", &le(bound), below)),
        BucketSeries::None => {}
    }
}

/// Returns a bound as the value of `le`.
pub(crate) fn le(bound: f64) -> String {
    match bound.is_finite() {
        true => bound.to_string(),
        false => "+Inf".to_owned(),
    }
}

/// Returns the upper bound of a bucket.
pub fn upper_bound(scale: i8, index: i32) -> f64 {
    ((f64::from(index) + 1.0) * f64::from(-i32::from(scale)).exp2()).exp2()
}

/// Calls `visit` with each bound and the weight of the values up to that bound. The weights are exact: only bounds of
/// `buckets` themselves are used.
pub(crate) fn cumulative(buckets: &Buckets, mut visit: impl FnMut(f64, f64)) {
    let scale = i32::from(buckets.scale);
    let mut below: f64 = buckets.negative.iter().map(|(_, weight)| weight).sum();
    below += buckets.zero;
    let mut positive = buckets.positive.iter().peekable();
    for exponent in LE_EXPONENTS.step_by(LE_STEP) {
        let Some(end) = boundary(exponent, scale) else {
            continue;
        };
        while let Some((_, weight)) = positive.next_if(|(index, _)| i64::from(*index) < end) {
            below += weight;
        }
        visit(f64::from(exponent).exp2(), below);
    }
    below += positive.map(|(_, weight)| weight).sum::<f64>();
    visit(f64::INFINITY, below);
}

/// Returns the index of the first bucket above 2^exponent, if 2^exponent is a bound of a bucket.
fn boundary(exponent: i32, scale: i32) -> Option<i64> {
    if scale >= 0 {
        return Some(i64::from(exponent) << scale);
    }
    let per_bucket = 1 << -scale;
    (exponent % per_bucket == 0).then_some(i64::from(exponent / per_bucket))
}

/// Calls `visit` with the range of each bucket that has values, and its weight.
fn ranges(buckets: &Buckets, mut visit: impl FnMut(&str, f64)) {
    let bound = |index: i32| upper_bound(buckets.scale, index);
    for (index, weight) in buckets.negative.iter().rev() {
        let (far, near) = (bound(*index), bound(index.saturating_sub(1)));
        visit(&format!("-{}...-{}", short(far), short(near)), *weight);
    }
    if buckets.zero > 0.0 {
        visit("0...0", buckets.zero);
    }
    for (index, weight) in &buckets.positive {
        let (near, far) = (bound(index.saturating_sub(1)), bound(*index));
        visit(&format!("{}...{}", short(near), short(far)), *weight);
    }
}

/// Formats a number with three digits after the point, as `%.3e` of C and Go does.
fn short(value: f64) -> String {
    if !value.is_finite() {
        return "Inf".to_owned();
    }
    let text = format!("{value:.3e}");
    let (digits, exponent) = text.split_once('e').expect("the form has an exponent");
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// A run of buckets without a gap: the distance from the end of the run before (or from 0), and the number of buckets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    pub(super) offset: i32,
    pub(super) length: u32,
}

/// Returns the runs of these buckets as native histograms count them, where the agent's bucket `i` is number `i + 1`.
pub(super) fn spans(buckets: &[(i32, f64)]) -> Vec<Span> {
    let mut spans: Vec<Span> = Vec::new();
    let mut next = 0;
    for (index, _) in buckets {
        let native = index.saturating_add(1);
        match spans.last_mut() {
            Some(span) if native == next => span.length += 1,
            _ => spans.push(Span {
                offset: native.saturating_sub(next),
                length: 1,
            }),
        }
        next = native.saturating_add(1);
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buckets(scale: i8, positive: &[(i32, f64)]) -> Buckets {
        Buckets {
            scale,
            zero: 2.0,
            positive: positive.to_vec(),
            negative: vec![(0, 1.0)],
        }
    }

    #[test]
    fn le_counts_what_is_at_most_the_bound() {
        // Scale 1: bucket 3 is (2.83, 4], bucket 4 (4, 5.66], bucket 200 above all bounds.
        let buckets = buckets(1, &[(3, 5.0), (4, 7.0), (200, 11.0)]);
        let mut seen = Vec::new();
        cumulative(&buckets, |le, below| seen.push((le, below)));
        assert_eq!(seen.len(), 27);
        let at = |le: f64| seen.iter().find(|(bound, _)| *bound == le).unwrap().1;
        assert_eq!(at(1.0), 3.0);
        assert_eq!(at(4.0), 8.0);
        assert_eq!(at(16.0), 15.0);
        assert_eq!(at(f64::INFINITY), 26.0);
    }

    #[test]
    fn coarse_buckets_show_only_the_bounds_that_they_have() {
        // Scale -2: each bucket spans 4 powers of 2.
        let buckets = buckets(-2, &[(0, 5.0)]);
        let mut seen = Vec::new();
        cumulative(&buckets, |le, below| seen.push((le, below)));
        assert!(seen.contains(&(1.0, 3.0)) && seen.contains(&(16.0, 8.0)));
        assert!(!seen.iter().any(|(le, _)| *le == 4.0));
    }

    #[test]
    fn ranges_are_written_as_victoria_metrics_does() {
        let buckets = buckets(0, &[(-1, 5.0), (9, 7.0)]);
        let mut seen = Vec::new();
        ranges(&buckets, |range, weight| {
            seen.push((range.to_owned(), weight));
        });
        let expected = [
            ("-2.000e+00...-1.000e+00", 1.0),
            ("0...0", 2.0),
            ("5.000e-01...1.000e+00", 5.0),
            ("5.120e+02...1.024e+03", 7.0),
        ];
        assert_eq!(
            seen,
            expected.map(|(range, weight)| (range.to_owned(), weight))
        );
    }

    #[test]
    fn spans_count_from_the_end_of_the_one_before() {
        let span = |offset, length| Span { offset, length };
        let of = |indexes: &[i32]| {
            let buckets: Vec<_> = indexes.iter().map(|index| (*index, 1.0)).collect();
            spans(&buckets)
        };
        assert_eq!(of(&[]), []);
        assert_eq!(of(&[-1, 0, 3]), [span(0, 2), span(2, 1)]);
        assert_eq!(of(&[-5]), [span(-4, 1)]);
        assert_eq!(of(&[4, 5, 6]), [span(5, 3)]);
    }
}

//! Findings for tests.

use crate::finding::{Cause, Evidence, Finding, Interval, Measure, Unit};

/// Returns a change with an interval of two standard errors to either side.
pub(crate) fn change(value: f64, standard_error: f64) -> Interval {
    Interval {
        value,
        low: value - 2.0 * standard_error,
        high: value + 2.0 * standard_error,
        standard_error,
    }
}

/// Returns a finding over time of a function whose share is this after the change.
pub(crate) fn finding(function: &str, after: f64, change: Interval) -> Finding {
    Finding {
        function: function.into(),
        measure: Measure::Inclusive,
        evidence: Evidence::OverTime { days: 7 },
        cause: Cause::OverTime,
        old_build: None,
        since_s: 0,
        before: after - change.value,
        after,
        change,
        cores: change,
        p: 0.0,
        q: 0.0,
        unit: Unit::Host,
        units: 6,
        parts: Vec::new(),
        callers: Vec::new(),
    }
}

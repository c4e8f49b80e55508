//! Reads the results that a load generator prints.

use std::path::Path;

use anyhow::Result;
use hone_build::config::{Load, Requests};
use regex::{Captures, Regex};

use crate::process::last_lines::last_bytes;

/// Maximum number of bytes that are read of an output, from its end.
const OUTPUT_BYTES: u64 = 16 << 20;

/// Results of a load.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Done {
    pub(super) requests: Option<f64>,
    pub(super) p50_s: Option<f64>,
    pub(super) p99_s: Option<f64>,
    pub(super) p999_s: Option<f64>,
    pub(super) throughput_per_s: Option<f64>,
}

/// The reason why an output gives no result.
#[derive(PartialEq, Debug, thiserror::Error)]
pub(super) enum LoadError {
    /// An expression found nothing, or no number.
    #[error(
        "{key}: '{expression}' finds no number in the load's output{}",
        shown(found)
    )]
    NotFound {
        key: &'static str,
        expression: String,
        found: Option<String>,
    },
    /// The load did no request.
    #[error("the load did no request")]
    Nothing,
    /// Requests failed.
    #[error("{failed} requests failed, and a failing load is not taken for speed")]
    Failed { failed: f64 },
}

fn shown(found: &Option<String>) -> String {
    found
        .as_ref()
        .map_or_else(String::new, |text| format!(" (it matches '{text}')"))
}

/// Reads the output of a load.
pub(super) fn text(log: &Path) -> Result<String> {
    let bytes = last_bytes(log, OUTPUT_BYTES)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Finds the numbers in an output.
pub(super) fn read(load: &Load, text: &str) -> Result<Done, LoadError> {
    if let Some(failed) = &load.failed {
        let all = failed.captures_iter(text);
        let most = all.filter_map(|found| number(found.get(1)?.as_str()));
        let failed = most.fold(0.0, f64::max);
        if failed > 0.0 {
            return Err(LoadError::Failed { failed });
        }
    }
    let requests = match &load.requests {
        None => None,
        Some(Requests::Total(total)) => Some(*total),
        Some(Requests::Printed(expression)) => Some(group("requests", expression, text)?),
    };
    if requests.is_some_and(|requests| requests <= 0.0) {
        return Err(LoadError::Nothing);
    }
    let throughput = load.throughput.as_ref();
    let mut done = Done {
        requests,
        throughput_per_s: throughput
            .map(|expression| group("throughput", expression, text))
            .transpose()?,
        ..Done::default()
    };
    if let Some(expression) = &load.latency {
        let not_found = |found: Option<&str>| LoadError::NotFound {
            key: "latency",
            expression: expression.as_str().into(),
            found: found.map(Into::into),
        };
        let found = expression.captures_iter(text).last();
        let found = found.ok_or_else(|| not_found(None))?;
        let of = |name: &str| match found.name(name) {
            None => Ok(None),
            Some(value) => match seconds(value.as_str(), &found) {
                Some(seconds) => Ok(Some(seconds)),
                None => Err(not_found(Some(value.as_str()))),
            },
        };
        (done.p50_s, done.p99_s, done.p999_s) = (of("p50")?, of("p99")?, of("p999")?);
    }
    Ok(done)
}

fn group(key: &'static str, expression: &Regex, text: &str) -> Result<f64, LoadError> {
    let last = expression.captures_iter(text).last();
    let found = last.and_then(|found| Some(found.get(1)?.as_str().to_string()));
    let value = found.as_deref().and_then(number);
    value.ok_or_else(|| LoadError::NotFound {
        key,
        expression: expression.as_str().into(),
        found,
    })
}

/// Parses a number, perhaps with separators between its thousands.
fn number(text: &str) -> Option<f64> {
    let plain: String = text.trim().chars().filter(|c| *c != ',').collect();
    let value: f64 = plain.parse().ok()?;
    (value.is_finite() && value >= 0.0).then_some(value)
}

/// Parses a latency in seconds. Its unit is its own suffix (`1.20ms`), else the text of the group `unit`, else
/// milliseconds.
fn seconds(text: &str, found: &Captures) -> Option<f64> {
    let text = text.trim();
    let end = text
        .find(|c: char| !(c.is_ascii_digit() || c == '.' || c == ','))
        .unwrap_or(text.len());
    let own = text[end..].trim();
    let unit = match own {
        "" => found.name("unit").map_or("ms", |unit| unit.as_str().trim()),
        own => own,
    };
    let factor = match unit.to_ascii_lowercase().as_str() {
        "ns" | "nsec" => 1e-9,
        "us" | "µs" | "μs" | "usec" => 1e-6,
        "ms" | "msec" => 1e-3,
        "s" | "sec" => 1.0,
        "m" | "min" => 60.0,
        _ => return None,
    };
    Some(number(&text[..end])? * factor)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REDIS: &str = "GET: rps=1.0 (overall: 3.0)\r====== GET ======\n  \
        400000 requests completed in 3.61 seconds\n\nSummary:\n  \
        throughput summary: 110803.32 requests per second\n  latency summary (msec):\n          \
        avg       min       p50       p95       p99       max\n        \
        0.115     0.032     0.111     0.175     0.263     1.359\n";

    const WRK: &str = "Running 2s test @ http://127.0.0.1:1/\n    Latency  1.0ms  2.0ms  9.0ms   90.50%\n  Latency Distribution\n     \
        50%  612.00us\n     75%    0.90ms\n     90%    1.01ms\n     99%    1.23ms\n  \
        123456 requests in 2.00s, 15.00MB read\n  Non-2xx or 3xx responses: 12\n\
        Requests/sec:  61728.00\n";

    fn load(keys: &[(&str, &str)]) -> Load {
        let of = |key: &str| {
            let found = keys.iter().find(|(name, _)| *name == key);
            found.map(|(_, expression)| Regex::new(expression).unwrap())
        };
        Load {
            requests: of("requests").map(Requests::Printed),
            failed: of("failed"),
            latency: of("latency"),
            throughput: of("throughput"),
        }
    }

    #[test]
    fn what_redis_benchmark_says() {
        let load = load(&[
            ("requests", r"(\d+) requests completed"),
            ("throughput", r"throughput summary: (\S+)"),
            (
                "latency",
                r"latency summary \((?P<unit>\w+)\):[^\n]*\n[^\n]*\n\s+\S+\s+\S+\s+(?P<p50>\S+)\s+\S+\s+(?P<p99>\S+)",
            ),
        ]);
        let done = read(&load, REDIS).unwrap();
        assert_eq!(done.requests, Some(400_000.0));
        assert_eq!(done.throughput_per_s, Some(110_803.32));
        assert!((done.p50_s.unwrap() - 0.000_111).abs() < 1e-12);
        assert!((done.p99_s.unwrap() - 0.000_263).abs() < 1e-12);
        assert_eq!(done.p999_s, None);
    }

    #[test]
    fn what_wrk_says_with_a_unit_at_each_number() {
        let latency = r"(?m)^ +50%\s+(?P<p50>\S+)(?s:.*)^ +99%\s+(?P<p99>\S+)";
        let mut load = load(&[
            ("requests", r"(\d+) requests in"),
            ("latency", latency),
            ("failed", r"Non-2xx or 3xx responses: (\d+)"),
        ]);
        assert_eq!(read(&load, WRK), Err(LoadError::Failed { failed: 12.0 }));
        load.failed = None;
        let done = read(&load, WRK).unwrap();
        assert!((done.p50_s.unwrap() - 612e-6).abs() < 1e-12);
        assert!((done.p99_s.unwrap() - 1.23e-3).abs() < 1e-12);
    }

    #[test]
    fn nothing_done_and_nothing_found_are_told_apart() {
        let load = load(&[("requests", r"(\d+) requests completed")]);
        assert_eq!(read(&load, "0 requests completed"), Err(LoadError::Nothing));
        let error = read(&load, "connection refused").unwrap_err().to_string();
        assert!(error.contains("finds no number"), "{error}");
    }
}

//! Durations, shares and sizes as people write them: one form for every option and every key of `hone.toml`.
//!
//! A duration is `30` or `30s`, `500ms`, `5m`, `2h`, `7d`, also `1h30m`; without a unit it is in seconds. A share is
//! `1%` or `0.01`. A size is `512MiB`, `512M` or `512Mi`, in powers of 1024; without a unit it is in bytes.

use std::fmt;

use serde::de::{self, Deserialize, Deserializer, Visitor};

/// Names of each unit, and its length in seconds.
const UNITS: [(&[&str], f64); 6] = [
    (&["ms", "msec", "millisecond", "milliseconds"], 0.001),
    (&["s", "sec", "secs", "second", "seconds"], 1.0),
    (&["m", "min", "mins", "minute", "minutes"], 60.0),
    (&["h", "hr", "hrs", "hour", "hours"], 3_600.0),
    (&["d", "day", "days"], 86_400.0),
    (&["w", "week", "weeks"], 604_800.0),
];

/// Names of each unit of sizes, and the power of two that it stands for.
const SIZES: [(&[&str], u32); 5] = [
    (&["", "b"], 0),
    (&["k", "ki", "kib"], 10),
    (&["m", "mi", "mib"], 20),
    (&["g", "gi", "gib"], 30),
    (&["t", "ti", "tib"], 40),
];

/// Parses a duration and returns it in seconds; it must be more than 0.
///
/// # Errors
/// A sentence that says how durations are written.
pub fn seconds(text: &str) -> Result<f64, String> {
    let wrong =
        || "write a duration such as 30s, 5m, 2h or 7d; a bare number is seconds".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let mut rest = lower.strip_prefix("pt").unwrap_or(&lower);
    let mut sum = 0.0;
    let mut parts = 0;
    while !rest.is_empty() {
        let after = rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let number = &rest[..rest.len() - after.len()];
        let after = after.trim_start();
        let behind = after.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let unit = &after[..after.len() - behind.len()];
        let number: f64 = number.parse().map_err(|_| wrong())?;
        let known = UNITS.iter().find(|(names, _)| names.contains(&unit));
        sum += match known {
            Some((_, seconds)) => number * seconds,
            None if unit.is_empty() && parts == 0 && behind.is_empty() => number,
            None => return Err(wrong()),
        };
        parts += 1;
        rest = behind.trim_start();
    }
    match sum > 0.0 && sum.is_finite() {
        true => Ok(sum),
        false if parts > 0 => Err("a duration is more than 0".to_owned()),
        false => Err(wrong()),
    }
}

/// Parses a share: 0 to 1, or 0% to 100%.
///
/// # Errors
/// A sentence that says how shares are written.
pub fn share(text: &str) -> Result<f64, String> {
    let (number, unit) = match text.trim().strip_suffix('%') {
        Some(number) => (number, 0.01),
        None => (text, 1.0),
    };
    match number.trim().parse::<f64>() {
        Ok(value) if (0.0..=1.0).contains(&(value * unit)) => Ok(value * unit),
        _ => Err("write a share such as 1%, 0.5% or 0.01; at most 100%".to_owned()),
    }
}

/// Parses a size and returns it in bytes; it must be more than 0.
///
/// # Errors
/// A sentence that says how sizes are written.
pub fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || "write a size such as 512MiB or 2GiB; a bare number is bytes".to_owned();
    let lower = text.trim().to_ascii_lowercase();
    let number = lower.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = &lower[number.len()..];
    let power = SIZES.iter().find(|(names, _)| names.contains(&unit));
    let (_, power) = power.ok_or_else(wrong)?;
    let number: f64 = number.trim_end().parse().map_err(|_| wrong())?;
    let bytes = number * 2_f64.powi(*power as i32);
    match (1.0..u64::MAX as f64).contains(&bytes) {
        true => Ok(bytes as u64),
        false => Err(wrong()),
    }
}

/// Seconds in `hone.toml`: a number, or a text as [`seconds`] reads it.
#[derive(Clone, Copy)]
pub(crate) struct Seconds(pub(crate) f64);

/// A share in `hone.toml`: a number, or a text as [`share`] reads it.
#[derive(Clone, Copy)]
pub(crate) struct Share(pub(crate) f64);

/// Bytes in `hone.toml`: a number, or a text as [`bytes`] reads it.
#[derive(Clone, Copy)]
pub(crate) struct Bytes(pub(crate) u64);

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberOrText {
            what: "seconds, or a duration such as \"5m\"",
            of_number: Self,
            of_text: |text| seconds(text).map(Self),
        })
    }
}

impl<'de> Deserialize<'de> for Share {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberOrText {
            what: "a share such as 0.95 or \"95%\"",
            of_number: Self,
            of_text: |text| share(text).map(Self),
        })
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberOrText {
            what: "bytes, or a size such as \"512MiB\"",
            of_number: |number| Self(number as u64),
            of_text: |text| bytes(text).map(Self),
        })
    }
}

/// Reader of a quantity that is a number in its own unit, or a text.
struct NumberOrText<T> {
    what: &'static str,
    of_number: fn(f64) -> T,
    of_text: fn(&str) -> Result<T, String>,
}

impl<T> Visitor<'_> for NumberOrText<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.what)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<T, E> {
        Ok((self.of_number)(value as f64))
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<T, E> {
        Ok((self.of_number)(value))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.of_text)(text).map_err(E::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_one_form() {
        for (text, expected) in [
            ("30", 30.0),
            ("30s", 30.0),
            ("0.5", 0.5),
            ("500ms", 0.5),
            ("5m", 300.0),
            ("1.5h", 5_400.0),
            ("7d", 604_800.0),
            ("2w", 1_209_600.0),
            ("1h30m", 5_400.0),
            ("1h 30m", 5_400.0),
            ("1 hour 30 minutes", 5_400.0),
            ("PT30M", 1_800.0),
        ] {
            assert_eq!(seconds(text), Ok(expected), "{text}");
        }
        for text in [
            "", "x", "5x", "m", "1h30", "-5", "30 40", "1,5s", "inf", "nan", "µs",
        ] {
            let error = seconds(text).unwrap_err();
            assert!(
                error.starts_with("write a duration such as 30s"),
                "{text}: {error}"
            );
        }
        assert_eq!(seconds("0s").unwrap_err(), "a duration is more than 0");
    }

    #[test]
    fn sizes_are_in_powers_of_1024() {
        for (text, expected) in [
            ("512", 512),
            ("512MiB", 512 << 20),
            ("512 MiB", 512 << 20),
            ("512M", 512 << 20),
            ("1.5Gi", 3 << 29),
            ("2g", 2 << 30),
            ("100 b", 100),
        ] {
            assert_eq!(bytes(text), Ok(expected), "{text}");
        }
        for text in [
            "", "MiB", "0", "-5M", "512MB", "nan", "inf", "9e99", "5 moons",
        ] {
            let error = bytes(text).unwrap_err();
            assert!(error.starts_with("write a size such as 512MiB"), "{text}");
        }
    }

    #[test]
    fn shares_have_two_forms_of_one_meaning() {
        for (text, expected) in [
            ("1%", 0.01),
            ("0.01", 0.01),
            ("50 %", 0.5),
            ("100%", 1.0),
            ("0", 0.0),
        ] {
            assert_eq!(share(text), Ok(expected), "{text}");
        }
        for text in ["", "%", "101%", "5", "-1%", "nan", "half"] {
            assert!(share(text).is_err(), "{text}");
        }
    }
}

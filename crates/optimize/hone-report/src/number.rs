//! Formats of numbers, the same in every form of the report.
//!
//! A number that is not finite is written as `n/a`: such a number must never reach a report, and if it does, a reader
//! must see that a figure is missing. A gain is written with as many decimals as its interval needs
//! to differ from 1, since `1.00 to 1.01, kept` would look like a mistake.

use hone_measure::Interval;

/// Text in place of a missing number.
pub const NOT_AVAILABLE: &str = "n/a";

/// Smallest number that is written with an exponent; nobody counts that many digits.
const EXPONENT_FROM: f64 = 1e6;

/// An interval narrower than this many steps of the last decimal gets one more decimal.
const LEAST_STEPS: f64 = 3.0;

/// Maximum number of decimals of a gain.
const MOST_DECIMALS: usize = 4;

/// Returns a number with a fixed count of decimals.
pub fn fixed(value: f64, decimals: usize) -> String {
    if !value.is_finite() {
        return NOT_AVAILABLE.to_owned();
    }
    if value.abs() >= EXPONENT_FROM {
        return format!("{value:.2e}");
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| matches!(c, '0' | '.')) => rest.to_owned(),
        _ => text,
    }
}

/// Returns the number of decimals that the intervals need together, so that each is some steps of the last
/// decimal wide and no end rounds onto 1 by accident.
pub fn decimals<'a>(intervals: impl IntoIterator<Item = &'a Interval> + Clone) -> usize {
    let one = |digits| fixed(1.0, digits);
    let clear = |interval: &Interval, digits: usize| {
        let end_clear = |end: f64| end == 1.0 || fixed(end, digits) != one(digits);
        let Interval { low, high, .. } = *interval;
        let step = 0.1_f64.powi(digits as i32);
        let wide = !(high > low && high - low < LEAST_STEPS * step);
        wide && end_clear(low) && end_clear(high)
    };
    (2..MOST_DECIMALS)
        .find(|&digits| intervals.clone().into_iter().all(|i| clear(i, digits)))
        .unwrap_or(MOST_DECIMALS)
}

/// Returns a gain: `1.42x`.
pub fn gain(ratio: f64, decimals: usize) -> String {
    if ratio.is_finite() {
        fixed(ratio, decimals) + "x"
    } else {
        NOT_AVAILABLE.to_owned()
    }
}

/// Returns an interval: `1.39 to 1.45`.
pub fn span(interval: &Interval, decimals: usize) -> String {
    let (low, high) = (
        fixed(interval.low, decimals),
        fixed(interval.high, decimals),
    );
    format!("{low} to {high}")
}

/// Returns an interval for narrow places: `1.39–1.45`.
pub fn dashed(interval: &Interval, decimals: usize) -> String {
    span(interval, decimals).replace(" to ", "–")
}

/// Returns an interval in brackets: `[1.39, 1.45]`.
pub fn bracket(interval: &Interval, decimals: usize) -> String {
    let (low, high) = (
        fixed(interval.low, decimals),
        fixed(interval.high, decimals),
    );
    format!("[{low}, {high}]")
}

/// Returns `1.42x [1.39, 1.45]`, with the decimals that this interval needs.
pub fn gain_with_interval(interval: &Interval) -> String {
    let digits = decimals([interval]);
    format!(
        "{} {}",
        gain(interval.ratio, digits),
        bracket(interval, digits)
    )
}

/// Returns a gain as a saving: `29.6 % less`, or `3.1 % more` for a loss.
pub fn saved(ratio: f64) -> String {
    if !ratio.is_finite() || ratio <= 0.0 {
        return NOT_AVAILABLE.to_owned();
    }
    let percent = (1.0 - 1.0 / ratio) * 100.0;
    if percent >= 0.0 {
        format!("{} % less", fixed(percent, 1))
    } else {
        format!("{} % more", fixed(-percent, 1))
    }
}

/// Returns the saving at both ends of an interval, as signed per cent: `28.1 to 31.0 %`.
pub fn saved_span(interval: &Interval) -> String {
    let percent = |ratio: f64| {
        if ratio > 0.0 {
            fixed((1.0 - 1.0 / ratio) * 100.0, 1)
        } else {
            NOT_AVAILABLE.to_owned()
        }
    };
    format!("{} to {} %", percent(interval.low), percent(interval.high))
}

/// Returns a share from 0 to 1 as per cent: `7.0 %`.
pub fn share(value: f64) -> String {
    if value.is_finite() {
        fixed(value * 100.0, 1) + " %"
    } else {
        NOT_AVAILABLE.to_owned()
    }
}

/// Returns a confidence level as per cent, without trailing zeros: `95 %`, `99.5 %`.
pub fn confidence(level: f64) -> String {
    if !level.is_finite() {
        return NOT_AVAILABLE.to_owned();
    }
    let text = fixed(level * 100.0, 2);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    format!("{text} %")
}

/// Returns a count with separated thousands: `12,000`.
pub fn count(value: u64) -> String {
    let digits = value.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns a size: `1.86 MiB`.
pub fn bytes(value: u64) -> String {
    const UNITS: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
    if value < 1024 {
        return format!("{value} B");
    }
    let mut scaled = value as f64 / 1024.0;
    let mut unit = 0;
    while scaled >= 1023.995 && unit + 1 < UNITS.len() {
        scaled /= 1024.0;
        unit += 1;
    }
    let digits = if scaled < 9.995 {
        2
    } else if scaled < 99.95 {
        1
    } else {
        0
    };
    format!("{} {}", fixed(scaled, digits), UNITS[unit])
}

/// Returns a length of time: `4.21 µs`, `0.812 s`, `31.2 s`, `4 min 12 s`, `2 h 5 min`.
pub fn seconds(value: f64) -> String {
    if !value.is_finite() {
        return NOT_AVAILABLE.to_owned();
    }
    let size = value.abs();
    if size > 0.0 && size < 1e-3 {
        let (scaled, unit) = if size < 1e-6 {
            (value * 1e9, "ns")
        } else {
            (value * 1e6, "µs")
        };
        let digits = if scaled.abs() < 9.995 { 2 } else { 1 };
        return format!("{} {unit}", fixed(scaled, digits));
    }
    if size < 1.0 {
        return format!("{} s", fixed(value, 3));
    }
    if size < 99.95 {
        return format!("{} s", fixed(value, if size < 9.995 { 2 } else { 1 }));
    }
    if !(0.0..EXPONENT_FROM).contains(&value) {
        return format!("{} s", fixed(value, 0));
    }
    let whole = value.round() as u64;
    if whole < 3600 {
        format!("{} min {} s", whole / 60, whole % 60)
    } else {
        format!("{} h {} min", whole / 3600, whole % 3600 / 60)
    }
}

/// Returns two times to compare, with the same decimals: `1.302 s → 0.999 s`.
pub fn seconds_pair(before: f64, after: f64) -> String {
    let usual = 0.01..100.0;
    if usual.contains(&before) && usual.contains(&after) {
        format!("{} s → {} s", fixed(before, 3), fixed(after, 3))
    } else {
        format!("{} → {}", seconds(before), seconds(after))
    }
}

/// Returns the change of a size: `+12.3 %`, `-3.0 %`, `unchanged`; `None` without a size to start from.
pub fn change(before: u64, after: u64) -> Option<String> {
    if before == 0 {
        return None;
    }
    if before == after {
        return Some("unchanged".to_owned());
    }
    let percent = (after as f64 / before as f64 - 1.0) * 100.0;
    let text = fixed(percent, 1);
    Some(if text == "0.0" {
        "±0.0 %".to_owned()
    } else if percent > 0.0 {
        format!("+{text} %")
    } else {
        format!("{text} %")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(low: f64, ratio: f64, high: f64) -> Interval {
        Interval { ratio, low, high }
    }

    #[test]
    fn an_interval_that_excludes_one_never_looks_as_if_it_held_one() {
        let close = interval(1.003, 1.008, 1.013);
        assert_eq!(decimals([&close]), 3);
        assert_eq!(gain_with_interval(&close), "1.008x [1.003, 1.013]");
        let wide = interval(1.386, 1.42, 1.449);
        assert_eq!(gain_with_interval(&wide), "1.42x [1.39, 1.45]");
        let hair = interval(1.00001, 1.00002, 1.00003);
        assert_eq!(decimals([&hair]), 4);
    }

    #[test]
    fn one_table_uses_the_decimals_of_its_finest_row() {
        let rows = [interval(1.003, 1.008, 1.013), interval(1.386, 1.42, 1.449)];
        assert_eq!(decimals(&rows), 3);
    }

    #[test]
    fn a_gain_reads_as_less_and_a_loss_as_more_cpu() {
        assert_eq!(saved(1.42), "29.6 % less");
        assert_eq!(saved(1.0), "0.0 % less");
        assert_eq!(saved(0.9), "11.1 % more");
        assert_eq!(saved(0.0), NOT_AVAILABLE);
        assert_eq!(saved_span(&interval(0.99, 1.01, 1.03)), "-1.0 to 2.9 %");
    }

    #[test]
    fn what_is_no_number_is_not_shown_as_one() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(fixed(value, 2), NOT_AVAILABLE);
            assert_eq!(gain(value, 2), NOT_AVAILABLE);
            assert_eq!(saved(value), NOT_AVAILABLE);
            assert_eq!(share(value), NOT_AVAILABLE);
            assert_eq!(seconds(value), NOT_AVAILABLE);
            assert_eq!(confidence(value), NOT_AVAILABLE);
        }
    }

    #[test]
    fn extreme_numbers_stay_short() {
        assert_eq!(gain(f64::MAX, 2), "1.80e308x");
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(count(u64::MAX), "18,446,744,073,709,551,615");
        assert!(seconds(f64::MAX).len() < 12);
    }

    #[test]
    fn sizes_and_times_are_written_for_people() {
        assert_eq!(bytes(0), "0 B");
        assert_eq!(bytes(1023), "1023 B");
        assert_eq!(bytes(1024), "1.00 KiB");
        assert_eq!(bytes(1024 * 1024 - 1), "1.00 MiB");
        assert_eq!(bytes(48_321_536), "46.1 MiB");
        assert_eq!(seconds(4.213e-6), "4.21 µs");
        assert_eq!(seconds(0.0), "0.000 s");
        assert_eq!(seconds(0.8124), "0.812 s");
        assert_eq!(seconds(31.24), "31.2 s");
        assert_eq!(seconds(252.0), "4 min 12 s");
        assert_eq!(seconds(7_500.0), "2 h 5 min");
        assert_eq!(count(999), "999");
        assert_eq!(count(12_000), "12,000");
        assert_eq!(confidence(0.95), "95 %");
        assert_eq!(confidence(0.995), "99.5 %");
    }

    #[test]
    fn a_change_of_size_says_its_direction() {
        assert_eq!(change(1000, 1123).as_deref(), Some("+12.3 %"));
        assert_eq!(change(1000, 970).as_deref(), Some("-3.0 %"));
        assert_eq!(change(1000, 1000).as_deref(), Some("unchanged"));
        assert_eq!(change(100_000, 100_001).as_deref(), Some("±0.0 %"));
        assert_eq!(change(0, 1000), None);
    }
}

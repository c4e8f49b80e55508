//! Graphite's plain text with tags: `name;key=value 1.5 1700000000`.
//!
//! Source: Graphite's documentation, "Carbon: feeding data" and "Tag support". A counter sends its growth in the
//! interval, as statsd does, since Graphite's functions and dashboards sum points. Parts of summaries have a suffix at
//! the end of the name: `name.count`, `.sum`, `.min`, `.max`, `.p99`. Buckets cannot be expressed and are left out.

use super::labels;
use super::values::{self, Role};
use super::{Encoded, Options, Part};
use std::borrow::Cow;
use std::io::Write;

/// Suffixes of a summary's names: count, sum and extremes.
pub(super) const SUMMARY: [&str; 4] = [".count", ".sum", ".min", ".max"];

/// Encodes a part as lines.
pub fn encode(part: Part<'_>, options: &Options) -> Encoded {
    let mut encoded = Encoded {
        points: part.points.len() as u64,
        ..Encoded::default()
    };
    let end_s = part.end_ms.div_euclid(1000);
    let mut tags = String::new();
    for point in part.points {
        let name = metric_name(point.series.metric());
        tags.clear();
        for (key, value) in labels::of(&labels::GRAPHITE, &point.series, &options.labels) {
            tags.extend([";", &key, "=", &value]);
        }
        values::each(&point.value, false, &mut |role, value| {
            if !value.is_finite() {
                encoded.left_out += 1;
                return;
            }
            encoded.samples += 1;
            line(&mut encoded.body, &name, role, &tags, value, end_s);
        });
    }
    encoded
}

fn line(out: &mut Vec<u8>, name: &str, role: Role, tags: &str, value: f64, end_s: i64) {
    let suffix: Cow<'_, str> = match role {
        Role::Total | Role::Value => "".into(),
        Role::Count => SUMMARY[0].into(),
        Role::Sum => SUMMARY[1].into(),
        Role::Min => SUMMARY[2].into(),
        Role::Max => SUMMARY[3].into(),
        Role::Quantile(share) => percentile(share).into(),
    };
    writeln!(out, "{name}{suffix}{tags} {value} {end_s}").expect("memory takes every write");
}

/// Returns `.p99` for 0.99 and `.p99_9` for 0.999: a point would begin another level of the name.
fn percentile(share: f64) -> String {
    let percent = (share * 1e8).round() / 1e6;
    format!(".p{percent}")
        .replacen('.', "\0", 1)
        .replace('.', "_")
        .replace('\0', ".")
}

/// Returns the name that `name` is a percentile of, if it could be one.
pub(super) fn percentile_of(name: &str) -> Option<&str> {
    let (of, percent) = name.rsplit_once(".p")?;
    let is_number = |c: char| c.is_ascii_digit() || c == '_';
    (percent.starts_with(|c: char| c.is_ascii_digit()) && percent.chars().all(is_number))
        .then_some(of)
}

/// Returns a metric's name with `_` for blanks and for the characters that separate tags.
pub(super) fn metric_name(name: &str) -> Cow<'_, str> {
    replaced(name, |_, c| {
        matches!(c, ';' | '~' | '!' | '^' | '=') || is_blank(c)
    })
}

/// Returns the key of a tag. The key `name` is Graphite's own and becomes `_name`.
pub(super) fn tag_name(key: &str) -> Cow<'_, str> {
    match key {
        "name" => "_name".into(),
        "" => "_".into(),
        _ => metric_name(key),
    }
}

/// Returns the value of a tag with `_` for blanks, for `;`, and for `~` at the start.
pub(super) fn tag_value(value: &str) -> Cow<'_, str> {
    replaced(value, |at, c| {
        c == ';' || c == '~' && at == 0 || is_blank(c)
    })
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn replaced(text: &str, is_wrong: impl Fn(usize, char) -> bool) -> Cow<'_, str> {
    if !text.char_indices().any(|(at, c)| is_wrong(at, c)) {
        return text.into();
    }
    let plain = |(at, c)| if is_wrong(at, c) { '_' } else { c };
    text.char_indices().map(plain).collect::<String>().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::{Aggregate, Point, Summary};
    use crate::sample::Kind;
    use crate::series::Series;
    use std::sync::Arc;

    fn text(metric: &str, tags: &[(&str, &str)], value: Aggregate) -> String {
        let series = Arc::new(Series::new(Kind::Gauge, metric, tags).unwrap());
        let points = [Point { series, value }];
        let part = Part {
            end_ms: 1_700_000_010_999,
            length_ms: 10_000,
            points: &points,
            ended: &[],
        };
        let options = Options {
            labels: vec![("host".to_owned(), "h 1".to_owned())],
            ..Options::default()
        };
        String::from_utf8(encode(part, &options).body).unwrap()
    }

    #[test]
    fn a_counter_sends_what_it_grew_by() {
        let counter = Aggregate::Counter {
            total: 12.0,
            delta: 3.5,
            since_ms: 0,
            is_new: false,
        };
        assert_eq!(
            text("a.b", &[("k", "v")], counter),
            "a.b;host=h_1;k=v 3.5 1700000010\n"
        );
    }

    #[test]
    fn nothing_in_a_name_breaks_the_line() {
        let tags = [("", "x"), ("a=b", "~c;d\ne"), ("empty", ""), ("name", "n")];
        assert_eq!(
            text("m x;y", &tags, Aggregate::Gauge(-1.0)),
            "m_x_y;_=x;_name=n;a_b=_c_d_e;host=h_1 -1 1700000010\n"
        );
    }

    #[test]
    fn percentiles_stand_at_the_end_of_the_name() {
        let summary = Summary {
            count: 2.0,
            sum: f64::INFINITY,
            min: 1.0,
            max: 2.0,
            quantiles: vec![(0.5, 1.5), (0.999, 2.0)],
        };
        let text = text(
            "t",
            &[],
            Aggregate::Timer(Box::new(summary), Box::default()),
        );
        let names: Vec<_> = text.lines().map(|line| line.split(';').next()).collect();
        let expected = ["t.count", "t.min", "t.max", "t.p50", "t.p99_9"].map(Some);
        assert_eq!(names, expected);
    }
}

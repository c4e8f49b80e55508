//! Graphite's plain text with tags: `name;key=value 1.5 1700000000`.
//!
//! Source: Graphite's documentation, "Carbon: feeding data" and "Tag support". A counter sends what it grew by in the
//! interval, as statsd does, since Graphite's functions and dashboards sum points. Parts of summaries stand at the
//! end of the name: `name.count`, `.sum`, `.min`, `.max`, `.p99`. Buckets have no form here and are left out.

use super::values::{self, Role};
use super::{Encoded, Options, Part};
use std::io::Write;

/// The part as lines.
pub fn encode(part: Part<'_>, options: &Options) -> Encoded {
    let mut encoded = Encoded {
        points: part.points.len() as u64,
        ..Encoded::default()
    };
    let end_s = part.end_ms.div_euclid(1000);
    let (mut name, mut tags) = (String::new(), String::new());
    for point in part.points {
        name.clear();
        tags.clear();
        name_of(&mut name, point.series.metric());
        for (key, value) in point.series.tags() {
            tag(&mut tags, key, value);
        }
        for (key, value) in &options.labels {
            if point.series.tag(key).is_none() {
                tag(&mut tags, key, value);
            }
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
    let suffix = match role {
        Role::Total | Role::Value => "",
        Role::Count => ".count",
        Role::Sum => ".sum",
        Role::Min => ".min",
        Role::Max => ".max",
        Role::Quantile(share) => &percentile(share),
    };
    writeln!(out, "{name}{suffix}{tags} {value} {end_s}").expect("memory takes every write");
}

/// `.p99` of 0.99, `.p99_9` of 0.999: a point would be a level of its own.
fn percentile(share: f64) -> String {
    let percent = (share * 1e8).round() / 1e6;
    format!(".p{percent}")
        .replacen('.', "\0", 1)
        .replace('.', "_")
        .replace('\0', ".")
}

/// Names have no spaces and none of what separates tags.
fn name_of(out: &mut String, name: &str) {
    let plain = |c: char| match c {
        ';' | '~' | '!' | '^' | '=' => '_',
        c if c.is_whitespace() || c.is_control() => '_',
        c => c,
    };
    out.extend(name.chars().map(plain));
    if out.is_empty() {
        out.push('_');
    }
}

/// Tags without a name or value are not allowed, nor are values that start with `~`. The tag `name` is Graphite's own.
fn tag(out: &mut String, key: &str, value: &str) {
    if value.is_empty() {
        return;
    }
    out.push(';');
    if key == "name" {
        out.push('_');
    }
    let mut clean = String::new();
    name_of(&mut clean, key);
    out.push_str(&clean);
    out.push('=');
    let plain = |(at, c): (usize, char)| match c {
        ';' => '_',
        '~' if at == 0 => '_',
        c if c.is_whitespace() || c.is_control() => '_',
        c => c,
    };
    out.extend(value.char_indices().map(plain));
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
        };
        assert_eq!(
            text("a.b", &[("k", "v")], counter),
            "a.b;k=v;host=h_1 3.5 1700000010\n"
        );
    }

    #[test]
    fn nothing_in_a_name_breaks_the_line() {
        let tags = [("", "x"), ("a=b", "~c;d\ne"), ("empty", ""), ("name", "n")];
        assert_eq!(
            text("m x;y", &tags, Aggregate::Gauge(-1.0)),
            "m_x_y;_=x;a_b=_c_d_e;_name=n;host=h_1 -1 1700000010\n"
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

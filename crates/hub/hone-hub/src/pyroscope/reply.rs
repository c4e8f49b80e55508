//! Answers of Pyroscope's query API, as Protocol Buffers or JSON.

use hone_profile::protobuf::Message;
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::flame::Flame;
use super::lines::Line;
use super::{CPU, CPU_NAME};

/// An answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// The types of profiles: that of CPU time, or none.
    ProfileTypes {
        /// True if there is anything.
        is_any: bool,
    },
    /// Names or values of labels.
    Names(Vec<String>),
    /// Sets of labels.
    LabelSets(Vec<Vec<(String, String)>>),
    /// A flame graph; `None` if there is nothing.
    Flame(Option<Flame>),
    /// Lines over time.
    Lines(Vec<Line>),
    /// A profile in pprof's format, not compressed.
    Profile(Vec<u8>),
    /// Whether there is anything, and the first and last time of it in milliseconds since 1970.
    Stats {
        /// The times; `None` if there is nothing.
        span_ms: Option<(i64, i64)>,
    },
}

fn label(name: &str, value: &str) -> Message {
    let mut message = Message::default();
    message.bytes(1, name.as_bytes()).bytes(2, value.as_bytes());
    message
}

fn labels(message: &mut Message, labels: &[(String, String)]) {
    for (name, value) in labels {
        message.message(1, &label(name, value));
    }
}

fn signed(values: &[i64]) -> impl Iterator<Item = u64> + '_ {
    values.iter().map(|value| value.cast_unsigned())
}

fn flame_message(flame: &Flame) -> Message {
    let mut message = Message::default();
    for name in &flame.names {
        message.bytes(1, name.as_bytes());
    }
    for level in &flame.levels {
        let mut inner = Message::default();
        inner.packed(1, signed(level));
        message.message(2, &inner);
    }
    message.signed(3, flame.total).signed(4, flame.max_self);
    message
}

fn line_message(line: &Line) -> Message {
    let mut message = Message::default();
    labels(&mut message, &line.labels);
    for (time_ms, value) in &line.points {
        let mut point = Message::default();
        // A double, which has eight bytes.
        point.put(1 << 3 | 1);
        point.0.extend(value.to_le_bytes());
        point.signed(2, *time_ms);
        message.message(2, &point);
    }
    message
}

fn pairs(labels: &[(String, String)]) -> Vec<Value> {
    let pairs = labels.iter();
    pairs
        .map(|(name, value)| json!({"name": name, "value": value}))
        .collect()
}

/// A number of 64 bits in JSON: a text.
struct Text(i64);

impl Serialize for Text {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Bars and points in JSON. They are written without a tree of values, which takes ten times as much memory as their text.
struct Bars<'b>(&'b [i64]);

impl Serialize for Bars<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|&value| Text(value)))
    }
}

struct Points<'p>(&'p [(i64, f64)]);

impl Serialize for Points<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let point = |&(time_ms, value): &(i64, f64)| JsonPoint {
            timestamp: Text(time_ms),
            value,
        };
        serializer.collect_seq(self.0.iter().map(point))
    }
}

#[derive(Serialize)]
struct JsonPoint {
    timestamp: Text,
    value: f64,
}

#[derive(Serialize)]
struct JsonLine<'l> {
    labels: Vec<Value>,
    points: Points<'l>,
}

#[derive(Serialize)]
struct JsonLines<'l> {
    series: Vec<JsonLine<'l>>,
}

#[derive(Serialize)]
struct JsonLevel<'f> {
    values: Bars<'f>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct JsonFlame<'f> {
    names: &'f [String],
    levels: Vec<JsonLevel<'f>>,
    total: Text,
    max_self: Text,
}

#[derive(Serialize)]
struct JsonFlames<'f> {
    flamegraph: JsonFlame<'f>,
}

fn flame_json(flame: &Flame) -> String {
    let levels = flame.levels.iter();
    json_text(&JsonFlames {
        flamegraph: JsonFlame {
            names: &flame.names,
            levels: levels
                .map(|level| JsonLevel {
                    values: Bars(level),
                })
                .collect(),
            total: Text(flame.total),
            max_self: Text(flame.max_self),
        },
    })
}

fn lines_json(lines: &[Line]) -> String {
    let lines = lines.iter().map(|line| JsonLine {
        labels: pairs(&line.labels),
        points: Points(&line.points),
    });
    json_text(&JsonLines {
        series: lines.collect(),
    })
}

fn json_text(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("memory takes all that is written")
}

impl Reply {
    /// Returns the answer as Protocol Buffers.
    pub fn to_protobuf(&self) -> Vec<u8> {
        let mut message = Message::default();
        match self {
            Self::ProfileTypes { is_any } => {
                if *is_any {
                    let mut own = Message::default();
                    own.bytes(1, CPU.as_bytes()).bytes(2, CPU_NAME.as_bytes());
                    for (field, word) in [
                        (4, "cpu"),
                        (5, "nanoseconds"),
                        (6, "cpu"),
                        (7, "nanoseconds"),
                    ] {
                        own.bytes(field, word.as_bytes());
                    }
                    message.message(1, &own);
                }
            }
            Self::Names(names) => {
                for name in names {
                    message.bytes(1, name.as_bytes());
                }
            }
            Self::LabelSets(sets) => {
                for set in sets {
                    let mut inner = Message::default();
                    labels(&mut inner, set);
                    message.message(2, &inner);
                }
            }
            Self::Flame(flame) => {
                if let Some(flame) = flame {
                    message.message(1, &flame_message(flame));
                }
            }
            Self::Lines(lines) => {
                for line in lines {
                    message.message(1, &line_message(line));
                }
            }
            Self::Profile(bytes) => return bytes.clone(),
            Self::Stats { span_ms } => {
                if let Some((first, last)) = span_ms {
                    message.number(1, 1).signed(2, *first).signed(3, *last);
                }
            }
        }
        message.0
    }

    /// Returns the answer as JSON, with 64-bit numbers as texts; `None` for a profile, which has no such form here.
    pub fn to_json(&self) -> Option<String> {
        let value = match self {
            Self::ProfileTypes { is_any: false } => json!({}),
            Self::ProfileTypes { is_any: true } => json!({"profileTypes": [{
                "ID": CPU, "name": CPU_NAME, "sampleType": "cpu", "sampleUnit": "nanoseconds",
                "periodType": "cpu", "periodUnit": "nanoseconds",
            }]}),
            Self::Names(names) => json!({"names": names}),
            Self::LabelSets(sets) => {
                let sets = sets.iter().map(|set| json!({"labels": pairs(set)}));
                json!({"labelsSet": sets.collect::<Vec<_>>()})
            }
            Self::Flame(None) => json!({}),
            Self::Flame(Some(flame)) => return Some(flame_json(flame)),
            Self::Lines(lines) => return Some(lines_json(lines)),
            Self::Profile(_) => return None,
            Self::Stats { span_ms: None } => json!({}),
            Self::Stats {
                span_ms: Some((first, last)),
            } => json!({
                "dataIngested": true,
                "oldestProfileTime": first.to_string(),
                "newestProfileTime": last.to_string(),
            }),
        };
        Some(value.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_64_bits_are_texts_in_json() {
        let lines = Reply::Lines(vec![Line {
            labels: vec![("host".to_owned(), "web-1".to_owned())],
            points: vec![(1_764_151_200_000, 1.5)],
        }]);
        let value = |reply: &Reply| -> Value {
            let text = reply.to_json().unwrap();
            serde_json::from_str(&text).unwrap()
        };
        let expected = json!({"series": [{
            "labels": [{"name": "host", "value": "web-1"}],
            "points": [{"timestamp": "1764151200000", "value": 1.5}],
        }]});
        assert_eq!(value(&lines), expected);
        let flame = Reply::Flame(Some(Flame {
            names: vec!["total".to_owned()],
            levels: vec![vec![0, i64::MAX, 3, 0]],
            total: i64::MAX,
            max_self: 3,
        }));
        let most = i64::MAX.to_string();
        let expected = json!({"flamegraph": {
            "names": ["total"],
            "levels": [{"values": ["0", most, "3", "0"]}],
            "total": most,
            "maxSelf": "3",
        }});
        assert_eq!(value(&flame), expected);
    }
}

//! Samples by chance, as a driver is told them and as the agent must read them.

use hone_agent::canonical::{NO_VALUE, canonical};
use hone_agent::protocol::sdk;
use hone_agent::sample::{Kind, Values};
use hone_agent::series::Series;
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub(crate) struct Given {
    by_handle: bool,
    letter: char,
    metric: String,
    tags: Vec<(String, String)>,
    value: Value,
}

#[derive(Clone, Debug)]
enum Value {
    Number(f64),
    Nanoseconds(u64),
    Member(String),
}

/// What becomes of a sample.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Fate {
    Carried(Series, Carried),
    BadSeries,
    BadValue,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Carried {
    Number(f64),
    Member(Vec<u8>),
}

fn hexadecimal(text: &str) -> String {
    let digits: String = text.bytes().map(|byte| format!("{byte:02x}")).collect();
    format!(".{digits}.")
}

impl Given {
    /// The line that tells a driver.
    pub(crate) fn line(&self) -> String {
        let how = if self.by_handle { "handle" } else { "adhoc" };
        let value = match &self.value {
            Value::Number(number) => format!("{:016x}", number.to_bits()),
            Value::Nanoseconds(nanoseconds) => nanoseconds.to_string(),
            Value::Member(member) => hexadecimal(member),
        };
        let mut line = format!(
            "{how} {} {} {value}",
            self.letter,
            hexadecimal(&self.metric)
        );
        for (key, value) in &self.tags {
            line += &format!(" {} {}", hexadecimal(key), hexadecimal(value));
        }
        line
    }

    pub(crate) fn fate(&self) -> Fate {
        let Some(series) = self.series() else {
            return Fate::BadSeries;
        };
        let value = match &self.value {
            Value::Number(number) if !number.is_finite() => return Fate::BadValue,
            Value::Number(number) => Carried::Number(*number),
            Value::Nanoseconds(nanoseconds) => Carried::Number(*nanoseconds as f64 / 1e6),
            Value::Member(member) if member.is_empty() => return Fate::BadValue,
            Value::Member(member) => Carried::Member(member.clone().into_bytes()),
        };
        Fate::Carried(series, value)
    }

    /// The series, if the protocol can carry it.
    fn series(&self) -> Option<Series> {
        let clean = |text: &str, separators: &str| {
            !text
                .chars()
                .any(|c| c.is_ascii_control() || separators.contains(c))
        };
        let tags_are_clean = self
            .tags
            .iter()
            .all(|(key, value)| !key.is_empty() && clean(key, " |=") && clean(value, " |"));
        let is_named = (1..=512).contains(&self.metric.len()) && clean(&self.metric, "");
        let bytes: usize = self
            .tags
            .iter()
            .map(|(key, value)| key.len() + value.len() + 2)
            .sum();
        if !is_named || !tags_are_clean || self.tags.len() > 64 || bytes > 4097 {
            return None;
        }
        let mut tags = std::collections::BTreeMap::new();
        tags.extend(
            self.tags
                .iter()
                .map(|(key, value)| (key.as_str(), value.as_str())),
        );
        for value in tags.values_mut().filter(|value| value.is_empty()) {
            *value = NO_VALUE;
        }
        let tags: Vec<(&str, &str)> = tags.into_iter().collect();
        Series::new(self.kind(), &self.metric, &tags)
    }

    fn kind(&self) -> Kind {
        match self.letter {
            'c' => Kind::Counter,
            'r' => Kind::Rate,
            'g' => Kind::Gauge,
            't' | 'n' => Kind::Timer,
            'h' => Kind::Histogram,
            'd' => Kind::Distribution,
            _ => Kind::Set,
        }
    }
}

/// Samples as the agent reads them from packets, without the client's own.
pub(crate) fn read(packets: &[Vec<u8>]) -> Vec<Fate> {
    let mut samples = Vec::new();
    for packet in packets {
        let parsed = sdk::parse(packet, &mut |sample| {
            let series = canonical(&sample.series).expect("what the client sends is taken");
            let value = match sample.values {
                Values::Numbers(&[number]) => Carried::Number(number),
                Values::Member(member) => Carried::Member(member.to_vec()),
                other => panic!("no client sends {other:?}"),
            };
            if !series.metric().starts_with("hone.client.") {
                samples.push(Fate::Carried(series, value));
            }
        });
        assert_eq!((parsed.malformed, parsed.unread_bytes), (0, 0));
    }
    samples
}

/// Numbers of every form: whole, with few places, and any at all.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<i32>().prop_map(f64::from),
        any::<i64>().prop_map(|whole| whole as f64),
        any::<i32>().prop_map(|thousandths| f64::from(thousandths) / 1000.0),
        (any::<i32>(), 0..12).prop_map(|(digits, places)| f64::from(digits) / 10_f64.powi(places)),
        any::<u64>().prop_map(f64::from_bits),
    ]
}

/// Mostly what can be carried.
fn texts() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => "[a-z][a-z0-9._/=-]{0,40}",
        2 => "[a-zäß日🦀]{0,12}",
        1 => "[ -~]{0,8}",
        1 => "\\PC{0,6}",
        1 => "[a|= \n\u{7f}]{0,3}",
        1 => "[a-z]{250,600}",
    ]
}

fn tags() -> impl Strategy<Value = Vec<(String, String)>> {
    let plain = prop::collection::vec(("[a-z]{1,6}".prop_map(String::from), "[a-z=]{0,30}"), 0..8);
    let odd = prop::collection::vec((texts(), texts()), 0..4);
    let many = prop::collection::vec(("[a-z]{1,3}".prop_map(String::from), "[a-z]{0,90}"), 50..70);
    prop_oneof![8 => plain, 2 => odd, 1 => many]
}

pub(crate) fn given() -> impl Strategy<Value = Given> {
    let value = prop_oneof![
        6 => (prop::sample::select(vec!['c', 'r', 'g', 't', 'h', 'd']), numbers()).prop_map(|(letter, number)| (letter, Value::Number(number))),
        1 => any::<u32>().prop_map(|nanoseconds| ('n', Value::Nanoseconds(nanoseconds.into()))),
        2 => texts().prop_map(|member| ('s', Value::Member(member))),
    ];
    (any::<bool>(), value, texts(), tags()).prop_map(
        |(by_handle, (letter, value), metric, tags)| Given {
            by_handle,
            letter,
            metric,
            tags,
            value,
        },
    )
}

//! Requests of Pyroscope's query API, as Protocol Buffers or JSON.

use hone_profile::protobuf::{Fields, Value};
use serde_json::Value as Json;

use super::selector::Selector;
use super::{CPU, flame};

/// What is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The types of profiles that there are.
    ProfileTypes,
    /// The values of a label.
    LabelValues,
    /// The names of labels.
    LabelNames,
    /// The sets of labels.
    Series,
    /// A flame graph.
    SelectMergeStacktraces,
    /// A profile in pprof's format.
    SelectMergeProfile,
    /// CPU time over time.
    SelectSeries,
    /// Whether there is anything at all.
    GetProfileStats,
}

impl Method {
    const ALL: [(&'static str, Self); 8] = [
        ("ProfileTypes", Self::ProfileTypes),
        ("LabelValues", Self::LabelValues),
        ("LabelNames", Self::LabelNames),
        ("Series", Self::Series),
        ("SelectMergeStacktraces", Self::SelectMergeStacktraces),
        ("SelectMergeProfile", Self::SelectMergeProfile),
        ("SelectSeries", Self::SelectSeries),
        ("GetProfileStats", Self::GetProfileStats),
    ];

    /// Returns the method of a name; `None` if it is not answered.
    pub fn named(name: &str) -> Option<Self> {
        let mut all = Self::ALL.into_iter();
        all.find(|(known, _)| *known == name)
            .map(|(_, method)| method)
    }

    /// Returns the fields of the request, by their numbers.
    fn fields(self) -> &'static [(u64, Field)] {
        use Field::{
            Average, End, GroupBy, LabelNames, Limit, MaxNodes, Name, Profiles, Selector, Stacks,
            Start, Step, Type,
        };
        match self {
            Self::ProfileTypes => &[(1, Start), (2, End)],
            Self::LabelValues => &[(1, Name), (2, Selector), (3, Start), (4, End)],
            Self::LabelNames => &[(1, Selector), (2, Start), (3, End)],
            Self::Series => &[(1, Selector), (2, LabelNames), (3, Start), (4, End)],
            Self::SelectMergeStacktraces => &[
                (1, Type),
                (2, Selector),
                (3, Start),
                (4, End),
                (5, MaxNodes),
                (7, Stacks),
                (8, Profiles),
            ],
            Self::SelectMergeProfile => &[
                (1, Type),
                (2, Selector),
                (3, Start),
                (4, End),
                (6, Stacks),
                (7, Profiles),
            ],
            Self::SelectSeries => &[
                (1, Type),
                (2, Selector),
                (3, Start),
                (4, End),
                (5, GroupBy),
                (6, Step),
                (7, Average),
                (8, Stacks),
                (9, Limit),
            ],
            Self::GetProfileStats => &[],
        }
    }
}

/// A field of a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Type,
    Selector,
    Start,
    End,
    Name,
    LabelNames,
    GroupBy,
    Step,
    Average,
    MaxNodes,
    Limit,
    Stacks,
    Profiles,
}

impl Field {
    /// Returns the field of a name in JSON, without underscores and in small letters.
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "profiletypeid" => Self::Type,
            "labelselector" | "matchers" => Self::Selector,
            "start" => Self::Start,
            "end" => Self::End,
            "name" => Self::Name,
            "labelnames" => Self::LabelNames,
            "groupby" => Self::GroupBy,
            "step" => Self::Step,
            "aggregation" => Self::Average,
            "maxnodes" => Self::MaxNodes,
            "limit" => Self::Limit,
            "stacktraceselector" => Self::Stacks,
            "profileidselector" => Self::Profiles,
            _ => return None,
        })
    }
}

/// A request.
#[derive(Clone, Debug)]
pub struct Asked {
    /// What is asked.
    pub method: Method,
    pub(super) selector: Selector,
    pub(super) start_ms: u64,
    pub(super) end_ms: u64,
    pub(super) label: String,
    pub(super) labels: Vec<String>,
    pub(super) step_ms: u64,
    pub(super) is_average: bool,
    pub(super) nodes_max: usize,
    pub(super) lines_max: usize,
}

/// Milliseconds that are asked for where no time is.
const USUAL_MS: u64 = 86_400_000;
/// Names of labels in a request.
const LABELS_MAX: usize = 64;
/// Shortest and longest step of a series in milliseconds; the longest is of some thirty years.
const STEP_MS_MIN: u64 = 1000;
const STEP_MS_MAX: u64 = 1 << 40;
/// Step of a series, unless it is told.
const STEP_S: f64 = 15.0;

/// Reason why a request is not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotAsked {
    /// It cannot be read, or makes no sense.
    Bad(String),
    /// It asks for something that the hub does not have.
    Missing(String),
}

impl Asked {
    /// Reads a request.
    ///
    /// # Errors
    ///
    /// [`NotAsked`] says what is wrong, or what the hub does not have.
    pub fn parse(method: Method, body: &[u8], is_json: bool, now_s: u64) -> Result<Self, NotAsked> {
        let mut asked = Self {
            method,
            selector: Selector::default(),
            start_ms: 0,
            end_ms: 0,
            label: String::new(),
            labels: Vec::new(),
            step_ms: 0,
            is_average: false,
            nodes_max: flame::NODES,
            lines_max: usize::MAX,
        };
        let mut step_s = STEP_S;
        match is_json {
            true => asked.read_json(body, &mut step_s)?,
            false => asked.read_protobuf(body, &mut step_s)?,
        }
        let now_ms = now_s.saturating_mul(1000);
        asked.end_ms = match asked.end_ms {
            0 => now_ms,
            end_ms => end_ms.min(now_ms.saturating_add(USUAL_MS)),
        };
        if asked.start_ms == 0 {
            asked.start_ms = asked.end_ms.saturating_sub(USUAL_MS);
        }
        if asked.start_ms >= asked.end_ms {
            return Err(NotAsked::Bad("start is not before end: swap them".into()));
        }
        if !step_s.is_finite() || step_s < 0.0 {
            return Err(NotAsked::Bad("step is no time: give seconds".into()));
        }
        asked.step_ms = ((step_s * 1000.0) as u64).clamp(STEP_MS_MIN, STEP_MS_MAX);
        Ok(asked)
    }

    fn read_protobuf(&mut self, body: &[u8], step_s: &mut f64) -> Result<(), NotAsked> {
        let fields = self.method.fields();
        for field in Fields(body) {
            let (number, value) =
                field.map_err(|error| NotAsked::Bad(format!("the request: {error}")))?;
            let known = fields.iter().find(|(known, _)| *known == number);
            let Some((_, field)) = known else {
                continue;
            };
            let text = || text(value);
            match field {
                Field::Step => *step_s = f64::from_bits(value.number()),
                Field::Average => self.is_average = value.number() == 1,
                Field::Stacks => self.set_stacks(value.bytes().is_empty())?,
                Field::Start | Field::End | Field::MaxNodes | Field::Limit => {
                    self.set_number(*field, value.signed());
                }
                field => self.set_text(*field, text()?)?,
            }
        }
        Ok(())
    }

    fn read_json(&mut self, body: &[u8], step_s: &mut f64) -> Result<(), NotAsked> {
        let odd = |what: String| NotAsked::Bad(format!("the request: {what}"));
        let fields: serde_json::Map<String, Json> =
            serde_json::from_slice(body).map_err(|error| odd(error.to_string()))?;
        for (name, value) in fields {
            let plain = name.replace('_', "").to_ascii_lowercase();
            let known = Field::named(&plain)
                .filter(|field| self.method.fields().iter().any(|(_, own)| own == field));
            let Some(field) = known else {
                continue;
            };
            let no_number = || odd(format!("{name} is no number"));
            match (field, value) {
                (_, Json::Null) => {}
                (Field::Step, value) => *step_s = value.as_f64().ok_or_else(no_number)?,
                (Field::Average, value) => {
                    self.is_average = value == 1 || value == "TIME_SERIES_AGGREGATION_TYPE_AVERAGE";
                }
                (Field::Stacks, value) => {
                    self.set_stacks(value.as_object().is_some_and(serde_json::Map::is_empty))?;
                }
                (field @ (Field::Start | Field::End | Field::MaxNodes | Field::Limit), value) => {
                    // 64-bit numbers are texts in JSON.
                    let number = match &value {
                        Json::String(text) => text.parse().ok(),
                        value => value.as_i64(),
                    };
                    self.set_number(field, number.ok_or_else(no_number)?);
                }
                (field, Json::Array(values)) => {
                    for value in values {
                        let text = value
                            .as_str()
                            .ok_or_else(|| odd(format!("{name} is no text")))?;
                        self.set_text(field, text.to_owned())?;
                    }
                }
                (field, value) => {
                    let text = value
                        .as_str()
                        .ok_or_else(|| odd(format!("{name} is no text")))?;
                    self.set_text(field, text.to_owned())?;
                }
            }
        }
        Ok(())
    }

    fn set_number(&mut self, field: Field, number: i64) {
        let count = usize::try_from(number).ok().filter(|count| *count > 0);
        match field {
            Field::Start => self.start_ms = number.max(0).unsigned_abs(),
            Field::End => self.end_ms = number.max(0).unsigned_abs(),
            Field::MaxNodes => self.nodes_max = count.unwrap_or(flame::NODES).min(flame::NODES_MAX),
            Field::Limit => self.lines_max = count.unwrap_or(usize::MAX),
            _ => {}
        }
    }

    fn set_text(&mut self, field: Field, text: String) -> Result<(), NotAsked> {
        match field {
            Field::Type if text != CPU => {
                return Err(NotAsked::Missing(format!(
                    "there is no type of profiles {text:?}; there is {CPU}"
                )));
            }
            Field::Selector => self.selector.add(&text).map_err(NotAsked::Bad)?,
            Field::Name => self.label = text,
            Field::LabelNames | Field::GroupBy if self.labels.len() < LABELS_MAX => {
                self.labels.push(text);
            }
            Field::LabelNames | Field::GroupBy => {
                return Err(NotAsked::Bad(format!(
                    "there are more than {LABELS_MAX} labels"
                )));
            }
            Field::Profiles => {
                return Err(NotAsked::Missing(
                    "the hub keeps sums, and no single profiles: ask without their ids".into(),
                ));
            }
            _ => {}
        }
        Ok(())
    }

    fn set_stacks(&self, is_empty: bool) -> Result<(), NotAsked> {
        match is_empty {
            true => Ok(()),
            false => Err(NotAsked::Missing(
                "the hub does not select by stacks: ask without a selector of stacks".into(),
            )),
        }
    }
}

fn text(value: Value<'_>) -> Result<String, NotAsked> {
    let text = std::str::from_utf8(value.bytes());
    text.map(str::to_owned)
        .map_err(|_| NotAsked::Bad("the request has a text that is not UTF-8".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hone_profile::protobuf::Message;

    #[test]
    fn a_request_is_the_same_in_both_forms() {
        let mut message = Message::default();
        message
            .bytes(1, CPU.as_bytes())
            .bytes(2, b"{service_name=\"shop\"}")
            .signed(3, 1_764_151_200_000)
            .signed(4, 1_764_154_800_000)
            .bytes(5, b"host")
            .bytes(5, b"region");
        // A double has eight bytes.
        message.put(6 << 3 | 1);
        message.0.extend(30.5_f64.to_le_bytes());
        message.number(7, 1).number(9, 3);
        let json = format!(
            r#"{{"profileTypeID":"{CPU}","label_selector":"{{service_name=\"shop\"}}","start":"1764151200000",
            "end":1764154800000,"groupBy":["host","region"],"step":30.5,"limit":"3",
            "aggregation":"TIME_SERIES_AGGREGATION_TYPE_AVERAGE","unknown":{{}}}}"#
        );
        for (body, is_json) in [(&message.0[..], false), (json.as_bytes(), true)] {
            let asked = Asked::parse(Method::SelectSeries, body, is_json, 1_764_154_800).unwrap();
            let times = (asked.start_ms, asked.end_ms, asked.step_ms);
            assert_eq!(times, (1_764_151_200_000, 1_764_154_800_000, 30_500));
            assert_eq!(asked.labels, ["host", "region"]);
            assert!(asked.is_average && asked.lines_max == 3);
            assert!(asked.selector.has_service("shop") && !asked.selector.has_service("till"));
        }
    }

    #[test]
    fn without_a_time_the_last_day_is_asked_for() {
        let asked = Asked::parse(Method::ProfileTypes, b"", false, 1_764_151_200).unwrap();
        assert_eq!(asked.end_ms - asked.start_ms, 86_400_000);
        assert_eq!(asked.end_ms, 1_764_151_200_000);
    }

    #[test]
    fn what_the_hub_does_not_have_is_told() {
        let refused =
            |method, json: &str| Asked::parse(method, json.as_bytes(), true, 9).unwrap_err();
        let flame = Method::SelectMergeStacktraces;
        let heap = r#"{"profileTypeID":"memory:inuse_space:bytes:space:bytes"}"#;
        assert!(matches!(refused(flame, heap), NotAsked::Missing(_)));
        let stacks = r#"{"stackTraceSelector":{"callSite":[{"name":"main"}]}}"#;
        assert!(matches!(refused(flame, stacks), NotAsked::Missing(_)));
        assert!(matches!(
            refused(flame, r#"{"profileIdSelector":["x"]}"#),
            NotAsked::Missing(_)
        ));
        for odd in [
            "",
            "[]",
            r#"{"start":"x"}"#,
            r#"{"start":9,"end":3}"#,
            r#"{"labelSelector":7}"#,
        ] {
            assert!(matches!(refused(flame, odd), NotAsked::Bad(_)), "{odd}");
        }
        let step = r#"{"step":-1}"#;
        assert!(matches!(
            refused(Method::SelectSeries, step),
            NotAsked::Bad(_)
        ));
        assert!(Asked::parse(flame, b"\x0a\xff", false, 9).is_err());
    }
}

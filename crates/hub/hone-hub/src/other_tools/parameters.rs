//! Parameters of plain uploads, and of Pyroscope's older push.

use hone_batch::{Group, GroupField};

use super::draft::Recorded;
use super::labels::described;
use super::limits::{PARAMETERS_MAX, RATE_HZ_MAX};
use super::{LeftOut, Refusal, times};
use crate::question::label;

/// What stands in the address of a request.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Parameters {
    pub(super) group: Group,
    /// Time of the recording, if it was told.
    pub(super) recorded: Option<Recorded>,
    /// Name of the format; empty if it was not told.
    pub(super) format: String,
    /// Samples of a second, as it was told.
    sample_rate: Option<String>,
    /// Labels that were left out.
    pub(super) left_out: LeftOut,
}

/// Samples of a second, unless the sender tells others.
const RATE_HZ: u64 = 100;

fn pairs(query: Option<&str>) -> Result<Vec<(String, String)>, Refusal> {
    let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let pairs: Vec<_> = pairs.into_owned().take(PARAMETERS_MAX + 1).collect();
    match pairs.len() > PARAMETERS_MAX {
        true => Err(Refusal::Bad(format!(
            "there are more than {PARAMETERS_MAX} parameters"
        ))),
        false => Ok(pairs),
    }
}

impl Parameters {
    /// Returns the samples of a second, which formats need that do not tell the time of a sample.
    pub(super) fn rate_hz(&self) -> Result<u64, Refusal> {
        self.sample_rate.as_deref().map_or(Ok(RATE_HZ), rate)
    }

    /// Reads the parameters of Pyroscope's `/ingest`; those that say nothing here are passed over, as Pyroscope does.
    pub(super) fn of_ingest(query: Option<&str>) -> Result<Self, Refusal> {
        let mut read = Self::default();
        let (mut from_s, mut until_s, mut name) = (None, None, String::new());
        for (key, value) in pairs(query)? {
            match &*key {
                "name" => name = value,
                "from" => from_s = times::parse_s(&value),
                "until" => until_s = times::parse_s(&value),
                "format" => read.format = value,
                "sampleRate" => read.sample_rate = Some(value),
                _ => {}
            }
        }
        let (service, labels) = named(&name)?;
        read.group.service = service.to_owned();
        read.group = described(&read.group, &labels, &mut read.left_out);
        read.recorded = recorded(from_s, until_s);
        Ok(read)
    }

    /// Reads the parameters of a plain upload.
    pub(super) fn of_upload(query: Option<&str>) -> Result<Self, Refusal> {
        let mut read = Self::default();
        let (mut from_s, mut until_s) = (None, None);
        let mut labels: Vec<(String, String)> = Vec::new();
        let time = |key: &str, value: &str| {
            times::parse_s(value).ok_or_else(|| {
                Refusal::Bad(format!(
                    "{key}={value:?} is no time: give seconds since 1970"
                ))
            })
        };
        for (key, value) in pairs(query)? {
            match &*key {
                "build" => read.group.build = build(&value)?,
                "from" => from_s = Some(time("from", &value)?),
                "until" => until_s = Some(time("until", &value)?),
                "label" => labels.push(label(&value).map_err(Refusal::Bad)?),
                key => {
                    if let Some(field) = GroupField::named(key) {
                        *field.of_mut(&mut read.group) = value;
                        continue;
                    }
                    return Err(Refusal::Bad(format!(
                        "there is no parameter {key:?}; there are service, host, container, thread, build, label, from and until"
                    )));
                }
            }
        }
        if read.group.service.is_empty() {
            return Err(Refusal::Bad(
                "the service is missing: add service=NAME".to_owned(),
            ));
        }
        let labels: Vec<(&str, &str)> = labels
            .iter()
            .map(|(key, value)| (&**key, &**value))
            .collect();
        read.group = described(&read.group, &labels, &mut read.left_out);
        read.recorded = recorded(from_s, until_s);
        Ok(read)
    }
}

fn recorded(from_s: Option<u64>, until_s: Option<u64>) -> Option<Recorded> {
    let start_s = from_s.or(until_s)?;
    Some(Recorded::new(start_s, until_s.unwrap_or(start_s)))
}

fn rate(value: &str) -> Result<u64, Refusal> {
    let rate: Option<u64> = value.parse().ok();
    // Go's agent sends 0 for profiles that are not sampled by time.
    let rate = rate.map(|rate| if rate == 0 { RATE_HZ } else { rate });
    rate.filter(|rate| (1..=RATE_HZ_MAX).contains(rate))
        .ok_or_else(|| {
            Refusal::Bad(format!(
                "sampleRate={value:?} is no rate: give samples of a second, from 1 to {RATE_HZ_MAX}"
            ))
        })
}

fn build(value: &str) -> Result<String, Refusal> {
    let is_id = !value.is_empty() && value.len() <= 128 && value.len().is_multiple_of(2);
    match is_id && value.bytes().all(|c| c.is_ascii_hexdigit()) {
        true => Ok(value.to_ascii_lowercase()),
        false => Err(Refusal::Bad(format!(
            "build={value:?} is no build id: give it in hexadecimal"
        ))),
    }
}

/// A service, with labels.
type Named<'n> = (&'n str, Vec<(&'n str, &'n str)>);

/// Reads `app{key=value,...}`.
fn named(name: &str) -> Result<Named<'_>, Refusal> {
    let missing = || Refusal::Bad("the name of the application is missing: add name=NAME".into());
    let odd = || {
        Refusal::Bad(format!(
            "{name:?} is no name: write NAME or NAME{{KEY=VALUE,...}}"
        ))
    };
    let Some((service, rest)) = name.split_once('{') else {
        let service = name.trim();
        return (!service.is_empty())
            .then_some((service, Vec::new()))
            .ok_or_else(missing);
    };
    let inner = rest.trim_end().strip_suffix('}').ok_or_else(odd)?;
    let labels = inner.split(',').filter(|label| !label.trim().is_empty());
    let labels = labels.map(|label| {
        let (key, value) = label.split_once('=').ok_or_else(odd)?;
        Ok((key.trim(), value.trim().trim_matches('"')))
    });
    let labels = labels.collect::<Result<Vec<_>, Refusal>>()?;
    match service.trim() {
        "" if !labels.iter().any(|(key, _)| *key == "service_name") => Err(missing()),
        service => Ok((service, labels)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_labels() {
        let query = "name=shop%7Bregion%3Deu%2Chostname%3Dweb-1%2C__session_id__%3Dab%7D&from=1764151200000000000\
            &until=1764151215000000000&spyName=gospy&sampleRate=50&units=&aggregationType=";
        let read = Parameters::of_ingest(Some(query)).unwrap();
        assert_eq!((&*read.group.service, &*read.group.host), ("shop", "web-1"));
        assert_eq!(read.group.labels.len(), 1);
        assert_eq!(read.rate_hz().unwrap(), 50);
        assert_eq!(
            read.recorded,
            Some(Recorded::new(1_764_151_200, 1_764_151_215))
        );
    }

    #[test]
    fn a_rate_that_is_none_is_refused_where_a_format_needs_one() {
        for rate in ["1000001", "-7", "-1", "x"] {
            let query = format!("name=shop&sampleRate={rate}");
            let read = Parameters::of_ingest(Some(&query)).unwrap();
            let refused = read.rate_hz().unwrap_err();
            assert!(refused.why().contains("from 1 to"), "{rate}: {refused:?}");
        }
        let without = Parameters::of_ingest(Some("name=shop")).unwrap();
        assert_eq!(without.rate_hz().unwrap(), RATE_HZ);
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_what_to_do() {
        for (query, said) in [
            ("", "add name=NAME"),
            ("name=%7Ba%3Db%7D", "add name=NAME"),
            ("name=shop%7Ba%3Db", "write NAME"),
            ("name=shop%7Ba%7D", "write NAME"),
        ] {
            let refused = Parameters::of_ingest(Some(query)).unwrap_err();
            assert!(refused.why().contains(said), "{query}: {refused:?}");
        }
        for (query, said) in [
            ("", "add service=NAME"),
            ("service=a&from=yesterday", "seconds since 1970"),
            ("service=a&build=xyz", "no build id"),
            ("service=a&label=region", "label=KEY:VALUE"),
            ("service=a&name=b", "no parameter \"name\""),
        ] {
            let refused = Parameters::of_upload(Some(query)).unwrap_err();
            assert!(refused.why().contains(said), "{query}: {refused:?}");
        }
    }
}

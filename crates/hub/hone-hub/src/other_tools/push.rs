//! Pyroscope's push, `push.v1.PusherService/Push`: labels with profiles in pprof's format, as Protocol Buffers or JSON.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hone_batch::{Group, LABELS_MAX, Origin};
use hone_profile::protobuf::{Fields, ProtobufError};
use serde::Deserialize;

use super::draft::Making;
use super::labels::described;
use super::limits::PROFILES_MAX;
use super::unpack::unpacked;
use super::{Refusal, Sent, pprof};

/// Labels of a series that are looked at: what a batch holds, and some of which nothing is kept.
const LABELS_READ_MAX: usize = 4 * LABELS_MAX;

/// Profiles with their labels.
#[derive(Default)]
struct Series {
    labels: Vec<(String, String)>,
    profiles: Vec<Vec<u8>>,
}

/// Makes a batch of a request.
pub(super) fn take(sent: &Sent, body: &[u8], origin: Origin) -> Result<Making, Refusal> {
    let body = unpacked(body)?;
    let all = match sent.content_type.contains("json") {
        true => of_json(&body)?,
        false => of_protobuf(&body)?,
    };
    let profiles: usize = all.iter().map(|series| series.profiles.len()).sum();
    if profiles > PROFILES_MAX {
        return Err(too_many());
    }
    let mut making = Making::new(origin);
    for series in &all {
        let labels: Vec<(&str, &str)> = series
            .labels
            .iter()
            .map(|(key, value)| (&**key, &**value))
            .collect();
        let group = described(&Group::default(), &labels, &mut making.left_out);
        for profile in &series.profiles {
            let known = pprof::Known {
                group: &group,
                recorded: None,
                now_s: sent.now_s,
            };
            pprof::add(&mut making, &unpacked(profile)?, &known)?;
        }
    }
    Ok(making)
}

fn too_many() -> Refusal {
    Refusal::TooLarge(format!("the request has more than {PROFILES_MAX} profiles"))
}

fn of_protobuf(body: &[u8]) -> Result<Vec<Series>, Refusal> {
    let odd = |error: ProtobufError| Refusal::Bad(format!("the request: {error}"));
    let mut all: Vec<Series> = Vec::new();
    for field in Fields(body) {
        let (1, series) = field.map_err(odd)? else {
            continue;
        };
        if all.len() >= PROFILES_MAX {
            return Err(too_many());
        }
        all.push(series_of(series.bytes()).map_err(odd)?);
    }
    Ok(all)
}

fn series_of(bytes: &[u8]) -> Result<Series, ProtobufError> {
    let mut series = Series::default();
    for field in Fields(bytes) {
        match field? {
            (1, label) if series.labels.len() < LABELS_READ_MAX => {
                let mut pair = [String::new(), String::new()];
                for part in Fields(label.bytes()) {
                    let (number, text) = part?;
                    if let Some(own) = pair.get_mut((number as usize).wrapping_sub(1)) {
                        *own = String::from_utf8_lossy(text.bytes()).into_owned();
                    }
                }
                let [key, value] = pair;
                series.labels.push((key, value));
            }
            (2, sample) if series.profiles.len() <= PROFILES_MAX => {
                for part in Fields(sample.bytes()) {
                    if let (1, profile) = part? {
                        series.profiles.push(profile.bytes().to_vec());
                    }
                }
            }
            _ => {}
        }
    }
    Ok(series)
}

/// The request as JSON.
#[derive(Deserialize)]
struct JsonRequest {
    #[serde(default)]
    series: Vec<JsonSeries>,
}

#[derive(Deserialize)]
struct JsonSeries {
    #[serde(default)]
    labels: Vec<JsonLabel>,
    #[serde(default)]
    samples: Vec<JsonSample>,
}

#[derive(Deserialize)]
struct JsonLabel {
    #[serde(default)]
    name: String,
    #[serde(default)]
    value: String,
}

#[derive(Deserialize)]
struct JsonSample {
    #[serde(alias = "rawProfile", default)]
    raw_profile: String,
}

fn of_json(body: &[u8]) -> Result<Vec<Series>, Refusal> {
    let odd = |error: String| Refusal::Bad(format!("the request: {error}"));
    let request: JsonRequest =
        serde_json::from_slice(body).map_err(|error| odd(error.to_string()))?;
    let series = request.series.into_iter().map(|series| {
        let profiles = series.samples.iter().map(|sample| {
            let decoded = BASE64_STANDARD.decode(&sample.raw_profile);
            decoded.map_err(|error| odd(format!("rawProfile: {error}")))
        });
        Ok(Series {
            labels: (series.labels.into_iter().take(LABELS_READ_MAX))
                .map(|label| (label.name, label.value))
                .collect(),
            profiles: profiles.collect::<Result<_, _>>()?,
        })
    });
    series.collect()
}

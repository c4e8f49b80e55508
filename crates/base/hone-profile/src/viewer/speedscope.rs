//! speedscope's file format, <https://www.speedscope.app/file-format-schema.json>.

use super::{Making, Named, ViewerError};
use crate::profile::{LocationId, Profile, Thread};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    shared: Shared,
    profiles: Vec<OneProfile>,
}

#[derive(Deserialize)]
struct Shared {
    frames: Vec<Frame>,
}

#[derive(Deserialize)]
struct Frame {
    name: String,
    #[serde(default)]
    file: Option<String>,
    #[serde(default)]
    line: Option<u32>,
    /// Program or library; Hone alone writes it.
    #[serde(default)]
    binary: Option<String>,
}

#[derive(Deserialize)]
struct OneProfile {
    #[serde(default)]
    name: String,
    #[serde(default)]
    unit: String,
    /// Indices of frames, outermost first; missing if the profile is a list of events.
    samples: Option<Vec<Vec<u32>>>,
    #[serde(default)]
    weights: Vec<f64>,
}

/// Reads speedscope's file.
pub fn read(bytes: &[u8]) -> Result<Profile, ViewerError> {
    let file: File = serde_json::from_slice(bytes).map_err(|error| ViewerError::Form {
        viewer: "speedscope",
        problem: error.to_string(),
    })?;
    if !file.profiles.is_empty() && file.profiles.iter().all(|one| one.samples.is_none()) {
        return Err(ViewerError::NotSampled);
    }
    let is_time = file.profiles.iter().any(|one| ns_of(&one.unit).is_some());
    let mut making = Making::new(if is_time {
        "samples/nanoseconds"
    } else {
        "samples/count"
    });
    let frames = file.shared.frames.iter();
    let places: Vec<LocationId> = frames.map(|frame| making.place(named(frame))).collect();
    for one in &file.profiles {
        let Some(samples) = &one.samples else {
            making.profile.losses.malformed_records += 1;
            continue;
        };
        let thread = thread(&one.name);
        let unit = ns_of(&one.unit).unwrap_or(1.0);
        for (at, stack) in samples.iter().enumerate() {
            let place = |index: &u32| places.get(*index as usize).copied();
            let frames: Option<Vec<LocationId>> = stack.iter().rev().map(place).collect();
            let weight = one.weights.get(at).map_or(1.0, |weight| weight * unit);
            match frames {
                Some(frames) => making.add(thread.clone(), &frames, 1, weight.round() as u64),
                None => making.profile.losses.malformed_records += 1,
            }
        }
    }
    making.finish()
}

/// Returns what a unit of time is in nanoseconds.
fn ns_of(unit: &str) -> Option<f64> {
    match unit {
        "nanoseconds" => Some(1.0),
        "microseconds" => Some(1e3),
        "milliseconds" => Some(1e6),
        "seconds" => Some(1e9),
        _ => None,
    }
}

fn named(frame: &Frame) -> Named<'_> {
    let [binary, file] =
        [&frame.binary, &frame.file].map(|path| path.as_deref().unwrap_or_default());
    Named {
        function: &frame.name,
        binary,
        // Hone writes the program where the source is not known.
        file: if file == binary { "" } else { file },
        line: frame.line.unwrap_or(0),
    }
}

/// Returns the thread of a profile that Hone calls `name (pid/tid)`.
fn thread(name: &str) -> Thread {
    let ids = name
        .strip_suffix(')')
        .and_then(|name| name.rsplit_once(" ("));
    let ids = ids.and_then(|(name, ids)| {
        let (pid, tid) = ids.split_once('/')?;
        Some((name, pid.parse().ok()?, tid.parse().ok()?))
    });
    let (name, pid, tid) = ids.unwrap_or((name, 0, 0));
    Thread {
        pid,
        tid,
        name: name.to_owned(),
        ..Thread::default()
    }
}

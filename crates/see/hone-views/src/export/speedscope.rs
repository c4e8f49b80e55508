//! The file format of speedscope, <https://www.speedscope.app/file-format-schema.json>.

use super::{Thread, threads};
use crate::stacks::{Frame, FrameId, Stacks, is_time};
use crate::timeline::Timeline;
use serde::Serialize;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'s> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    name: &'s str,
    exporter: &'static str,
    active_profile_index: usize,
    shared: Shared<'s>,
    profiles: Vec<Profile>,
}

#[derive(Serialize)]
struct Shared<'s> {
    frames: Vec<SharedFrame<'s>>,
}

#[derive(Serialize)]
struct SharedFrame<'s> {
    name: &'s str,
    /// Source file; the program or library if the source file is unknown.
    file: &'s str,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    /// Program or library, which speedscope itself does not look at.
    binary: &'s str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    #[serde(rename = "type")]
    kind: &'static str,
    name: String,
    unit: &'static str,
    start_value: u64,
    end_value: u64,
    /// Indices of frames, outermost first.
    samples: Vec<Vec<u32>>,
    weights: Vec<u64>,
}

/// Returns the samples as JSON for speedscope: a profile for each thread, the heaviest first, its samples in order of time.
pub fn speedscope(name: &str, stacks: &Stacks, timeline: &Timeline) -> serde_json::Result<String> {
    let unit = if is_time(&stacks.event) {
        "nanoseconds"
    } else {
        "none"
    };
    let frames = (0..stacks.frame_count() as u32).map(|id| shared(stacks.frame(FrameId(id))));
    serde_json::to_string(&File {
        schema: "https://www.speedscope.app/file-format-schema.json",
        name,
        exporter: concat!("hone ", env!("CARGO_PKG_VERSION")),
        active_profile_index: 0,
        shared: Shared {
            frames: frames.collect(),
        },
        profiles: threads(stacks, timeline)
            .iter()
            .map(|thread| profile(thread, unit))
            .collect(),
    })
}

fn shared(frame: &Frame) -> SharedFrame<'_> {
    let file = if frame.file.is_empty() {
        &frame.binary
    } else {
        &frame.file
    };
    SharedFrame {
        name: &frame.function,
        file,
        line: (frame.line > 0).then_some(frame.line),
        binary: &frame.binary,
    }
}

fn profile(thread: &Thread<'_>, unit: &'static str) -> Profile {
    let outermost_first = |frames: &[FrameId]| frames.iter().rev().map(|frame| frame.0).collect();
    let samples = thread.samples.iter();
    Profile {
        kind: "sampled",
        name: format!("{} ({}/{})", thread.name, thread.pid, thread.tid),
        unit,
        start_value: 0,
        end_value: thread.weight,
        samples: samples
            .clone()
            .map(|sample| outermost_first(&sample.stack.frames))
            .collect(),
        weights: samples.map(|sample| sample.weight).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stacks::testing::stacks;
    use serde_json::{Value, json};

    #[test]
    fn samples_stand_in_order_of_time_with_indices_of_frames() {
        let mut stacks = stacks(&[("main;f", 3), ("main", 1)]);
        stacks.event = "cpu-clock".into();
        let moment = |time_ns, stack| crate::timeline::Moment {
            time_ns,
            stack,
            times: 1,
            weight: 10,
        };
        let timeline = Timeline {
            step_ns: 0,
            moments: vec![moment(100, 1), moment(120, 0)],
        };
        let text = speedscope("p", &stacks, &timeline).unwrap();
        let file: Value = serde_json::from_str(&text).unwrap();
        let profile = &file["profiles"][0];
        assert_eq!(profile["unit"], "nanoseconds");
        assert_eq!(profile["endValue"], 20);
        let name =
            |index: &Value| &file["shared"]["frames"][index.as_u64().unwrap() as usize]["name"];
        let samples = profile["samples"].as_array().unwrap();
        let named = samples.iter().map(|frames| {
            let frames = frames.as_array().unwrap().iter();
            frames.map(name).collect::<Vec<_>>()
        });
        assert_eq!(
            json!(named.collect::<Vec<_>>()),
            json!([["main"], ["main", "f"]])
        );
    }
}

//! The Firefox Profiler's processed format, of versions with a table of texts for each thread, and of later ones with one for all.

use super::{Making, Named, ViewerError};
use crate::limits::CALL_CHAIN_MAX;
use crate::profile::{LocationId, Profile, Thread};
use serde::Deserialize;

#[derive(Deserialize)]
struct File {
    meta: Meta,
    threads: Vec<OneThread>,
    #[serde(default)]
    shared: Shared,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(default)]
    categories: Vec<Category>,
}

#[derive(Deserialize)]
struct Category {
    name: String,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Shared {
    string_array: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct OneThread {
    #[serde(default)]
    name: String,
    pid: serde_json::Value,
    tid: serde_json::Value,
    samples: Samples,
    stack_table: StackTable,
    frame_table: FrameTable,
    func_table: FuncTable,
    #[serde(default)]
    string_array: Vec<String>,
}

#[derive(Deserialize)]
struct Samples {
    stack: Vec<Option<u32>>,
    #[serde(default)]
    weight: Option<Vec<f64>>,
    /// Microseconds.
    #[serde(default, rename = "threadCPUDelta")]
    cpu: Option<Vec<Option<f64>>>,
}

#[derive(Deserialize)]
struct StackTable {
    prefix: Vec<Option<u32>>,
    frame: Vec<u32>,
}

#[derive(Deserialize)]
struct FrameTable {
    func: Vec<u32>,
    #[serde(default)]
    category: Vec<Option<u32>>,
}

#[derive(Deserialize)]
struct FuncTable {
    name: Vec<u32>,
}

/// Reads the Firefox Profiler's file.
pub fn read(bytes: &[u8]) -> Result<Profile, ViewerError> {
    let file: File = serde_json::from_slice(bytes).map_err(|error| ViewerError::Form {
        viewer: "the Firefox Profiler",
        problem: error.to_string(),
    })?;
    let has_cpu = |of: &OneThread| of.samples.cpu.iter().flatten().any(|cpu| *cpu > Some(0.0));
    let is_time = file.threads.iter().any(has_cpu);
    let mut making = Making::new(if is_time {
        "cpu/nanoseconds"
    } else {
        "samples/count"
    });
    for of in &file.threads {
        let places = places(&mut making, of, &file);
        let thread = Thread {
            pid: number(&of.pid),
            tid: number(&of.tid),
            name: of.name.clone(),
            ..Thread::default()
        };
        for (at, stack) in of.samples.stack.iter().enumerate() {
            let Some(stack) = *stack else { continue };
            let at_sample = |values: &Option<Vec<f64>>| values.as_ref()?.get(at).copied();
            let times = at_sample(&of.samples.weight).unwrap_or(1.0);
            let cpu = of.samples.cpu.as_ref().and_then(|cpu| *cpu.get(at)?);
            let weight = if is_time {
                cpu.unwrap_or(0.0) * 1e3
            } else {
                times
            };
            let frames = frames(&of.stack_table, &places, stack);
            making.add(thread.clone(), &frames, times as u64, weight.round() as u64);
        }
    }
    making.finish()
}

/// Returns the place of each frame of a thread.
fn places(making: &mut Making, of: &OneThread, file: &File) -> Vec<Option<LocationId>> {
    let texts = match of.string_array.is_empty() {
        true => &file.shared.string_array,
        false => &of.string_array,
    };
    let frames = of.frame_table.func.iter().enumerate();
    let places = frames.map(|(at, func)| {
        let name = *of.func_table.name.get(*func as usize)?;
        let function = texts.get(name as usize)?;
        let category = of.frame_table.category.get(at).copied().flatten();
        let category = category.and_then(|index| file.meta.categories.get(index as usize));
        let is_kernel = category.is_some_and(|category| category.name == "Kernel");
        Some(making.place(Named {
            function,
            binary: if is_kernel { "[kernel]" } else { "" },
            ..Named::default()
        }))
    });
    places.collect()
}

/// Returns the frames of a stack, innermost first, as far as the tables have them.
fn frames(table: &StackTable, places: &[Option<LocationId>], stack: u32) -> Vec<LocationId> {
    let mut frames = Vec::new();
    let mut next = Some(stack);
    // A table may lead in circles.
    while let Some(at) = next.map(|at| at as usize)
        && frames.len() <= CALL_CHAIN_MAX
    {
        let place = table.frame.get(at);
        match place.and_then(|frame| *places.get(*frame as usize)?) {
            Some(place) => frames.push(place),
            None => break,
        }
        next = table.prefix.get(at).copied().flatten();
    }
    frames
}

/// Returns the number of a process or thread, which may be text such as `12.1`.
fn number(id: &serde_json::Value) -> i32 {
    let text = id
        .as_str()
        .map(|text| text.split('.').next().unwrap_or(text));
    let number = text.map_or_else(|| id.as_i64(), |text| text.parse().ok());
    number
        .and_then(|number| i32::try_from(number).ok())
        .unwrap_or(0)
}

//! Stacks and branches of a service, from recordings of it, and how many of the stacks are new.

use std::fs;
use std::path::{Path, PathBuf};

use hone_batch::{Adding, Batch, Group, Host, Limits, Origin, StackLimit, wire};
use hone_host::kernel_symbols::KernelSymbols;
use hone_inputs::recording::Reading;
use hone_profile::{BinaryKind, LocationId, Profile, Thread};
use serde_json::{Value, json};

use crate::Failure;

/// Parts of the recording for which the number of different stacks is told.
const PARTS: [f64; 4] = [0.125, 0.25, 0.5, 1.0];

/// Adds recordings up to a batch whose samples are all of one minute, and writes it.
pub(crate) fn make(service: &str, to: &Path, recordings: &[PathBuf]) -> Result<Value, Failure> {
    let symbols = fs::read_to_string("/proc/kallsyms").unwrap_or_default();
    let mut host = Recorded {
        service,
        symbols: KernelSymbols::parse(&symbols),
    };
    let origin = Origin {
        host: service.to_owned(),
        run: 1,
        number: 0,
    };
    let mut adding = Adding::new(origin, StackLimit::default());
    let mut reading = Reading::of(recordings, None);
    for recording in recordings {
        let counted = reading.next(recording, |profile, sample, branches| {
            adding.add(profile, sample, branches, &mut host);
        });
        counted.map_err(|error| format!("{error:#}"))?;
    }
    let batch = adding.finish().batch;
    fs::write(to, wire::write(&batch))?;
    Ok(told(service, &batch))
}

/// Reads a pool.
pub(crate) fn read(path: &Path) -> Result<Batch, Failure> {
    let batch = wire::read(&fs::read(path)?, &Limits::default())?;
    if batch.samples.is_empty() {
        return Err(format!("{} has no samples: record for longer", path.display()).into());
    }
    Ok(batch)
}

fn told(service: &str, batch: &Batch) -> Value {
    let mut times: Vec<f64> = vec![0.0; batch.frames.len()];
    for row in &batch.samples {
        times[row.stack.index()] += row.times as f64;
    }
    times.retain(|times| *times > 0.0);
    let samples: f64 = times.iter().sum();
    // Expected number of different stacks in a random part of the samples.
    let different = |part: f64| -> f64 {
        times
            .iter()
            .map(|times| 1.0 - (1.0 - part).powf(*times))
            .sum()
    };
    let depth: f64 = batch
        .samples
        .iter()
        .map(|row| depth(batch, row.stack) as f64 * row.times as f64)
        .sum();
    json!({
        "service": service,
        "samples": samples,
        "stacks": times.len(),
        "frames": batch.frames.len(),
        "places": batch.places.len(),
        "mean_depth": depth / samples,
        "seen_once": times.iter().filter(|times| **times == 1.0).count(),
        "stacks_of_parts": PARTS.map(|part| json!({"samples": samples * part, "stacks": different(part)})),
    })
}

fn depth(batch: &Batch, stack: hone_batch::FrameIndex) -> usize {
    let callers = std::iter::successors(Some(stack), |frame| batch.frames[frame.index()].caller);
    callers.count()
}

/// What the recorded machine knows.
struct Recorded<'s> {
    service: &'s str,
    symbols: KernelSymbols<'s>,
}

impl Host for Recorded<'_> {
    fn group(&mut self, thread: &Thread) -> Group {
        Group {
            service: self.service.to_owned(),
            build: "00".repeat(20),
            thread: thread.name.clone(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, _: u64) -> u64 {
        0
    }

    fn name(&mut self, profile: &Profile, at: LocationId, is_return: bool) -> Option<String> {
        let location = profile.location(at);
        if profile.binary(location.binary).kind != BinaryKind::Kernel || self.symbols.are_hidden() {
            return None;
        }
        let address = location.offset.0.saturating_sub(u64::from(is_return));
        self.symbols.at(address).map(str::to_owned)
    }
}

//! Call stacks as folded text, `main;work;inner 12`: what flame graph tools read.
//!
//! Frames of the binary are demangled and include inlined calls; the others carry the name of their file, and
//! several of one file in a row are one frame. Walks are left out, since their pieces do not stand for equal
//! times.

use crate::counts::add;
use crate::recorded::WALK_EVENT;
use hone_profile::{BinaryId, BinaryKind, FileOffset, LocationId, Profile, Sample, StackId};
use hone_symbols::{Binary, DebugInfo, canonical_name, demangle};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The call stacks of a recording, counted sample by sample.
#[derive(Clone, Debug, Default)]
pub struct StackTally {
    by_stack: FxHashMap<Callers, u64>,
    /// Samples counted.
    pub samples: u64,
    /// Of these, samples that hold no call stack, so that only their instruction is known.
    pub without_stack: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Callers {
    Stack(StackId),
    OnlyIp(LocationId),
}

impl StackTally {
    /// Counts one sample.
    pub fn add(&mut self, profile: &Profile, sample: &Sample) {
        let event = profile.events.get(sample.event.index());
        if event.is_some_and(|event| event.name == WALK_EVENT) {
            return;
        }
        let callers = match sample.stack {
            Some(stack) => Callers::Stack(stack),
            None => Callers::OnlyIp(sample.ip),
        };
        self.samples += 1;
        self.without_stack += u64::from(sample.stack.is_none());
        add(self.by_stack.entry(callers).or_default(), sample.weight);
    }

    /// Adds the stacks to `sums`: frames, outermost first and joined by `;`, with the weight of their samples.
    ///
    /// `ids` are the binary's in the profile that was counted.
    pub fn fold(
        &self,
        profile: &Profile,
        ids: &[BinaryId],
        binary: &Binary<'_>,
        debug: &DebugInfo<'_>,
        sums: &mut BTreeMap<String, u64>,
    ) {
        let mut frames = Frames {
            profile,
            ids,
            binary,
            debug,
            known: FxHashMap::default(),
        };
        for (&callers, &weight) in &self.by_stack {
            add(sums.entry(frames.of(callers)).or_default(), weight);
        }
    }
}

/// The folded text.
pub fn write(sums: &BTreeMap<String, u64>) -> String {
    let mut text = String::new();
    for (stack, weight) in sums {
        let _ = writeln!(text, "{stack} {weight}");
    }
    text
}

struct Frames<'f, 'b, 'd> {
    profile: &'f Profile,
    ids: &'f [BinaryId],
    binary: &'f Binary<'b>,
    debug: &'f DebugInfo<'d>,
    /// The text of each place, by location and whether it is where a call returns to.
    known: FxHashMap<(LocationId, bool), String>,
}

impl Frames<'_, '_, '_> {
    fn of(&mut self, callers: Callers) -> String {
        let mut places: Vec<(LocationId, bool)> = match callers {
            Callers::Stack(stack) => {
                let frames = self.profile.frames(stack).enumerate();
                frames.map(|(depth, place)| (place, depth > 0)).collect()
            }
            Callers::OnlyIp(ip) => vec![(ip, false)],
        };
        places.reverse();
        let mut text = String::new();
        let mut before: Option<String> = None;
        for place in places {
            if !self.known.contains_key(&place) {
                let frames = self.text_of(place.0, place.1);
                self.known.insert(place, frames);
            }
            let frames = &self.known[&place];
            let repeats_file = frames.starts_with('[') && before.as_ref() == Some(frames);
            if !repeats_file {
                if !text.is_empty() {
                    text.push(';');
                }
                text.push_str(frames);
            }
            before = Some(frames.clone());
        }
        text
    }

    /// The frames at a place, outermost first. Where a call returns to may already be another line, so the
    /// byte before is looked up.
    fn text_of(&self, place: LocationId, is_return: bool) -> String {
        let location = self.profile.location(place);
        if !self.ids.contains(&location.binary) {
            let file = self.profile.binary(location.binary);
            return match file.kind {
                BinaryKind::Kernel => "[kernel]".into(),
                BinaryKind::Unmapped => "[unmapped]".into(),
                _ => bracketed(&file.path),
            };
        }
        let offset = FileOffset(location.offset.0.saturating_sub(u64::from(is_return)));
        let Some(svma) = self.binary.svma_of(offset) else {
            return "[unmapped]".into();
        };
        let inlined = self.debug.inline_stack(svma);
        let named: Vec<String> = (inlined.iter().rev())
            .filter(|frame| !frame.function.is_empty())
            .map(|frame| frame_name(frame.function))
            .collect();
        if !named.is_empty() {
            return named.join(";");
        }
        match self.binary.function_at(svma) {
            Some(function) => frame_name(function.name),
            None => match self.binary.plt_entry_at(svma).and_then(|stub| stub.symbol) {
                Some(name) => format!("{}@plt", frame_name(name)),
                None => "[unknown]".into(),
            },
        }
    }
}

/// Semicolons separate frames.
fn frame_name(name: &str) -> String {
    demangle(canonical_name(name)).replace(';', ":")
}

fn bracketed(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or(path);
    if name.starts_with('[') {
        return name.replace(';', ":");
    }
    format!("[{}]", name.replace(';', ":"))
}

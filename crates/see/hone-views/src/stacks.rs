//! Stacks of named frames, of which every view is made.

use crate::name_choice::{Origin, chosen};
use crate::names::{NamedFrame, Names, readable};
use crate::tally::{Key, Place, StackTally};
use hone_profile::{BinaryId, BinaryKind, EventId, Interner, Labels, Profile, StackEnd};
use hone_symbols::section_of_made_name;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Frame in place of the callers of a stack that could not be followed to its end.
pub const BROKEN: &str = "[broken stack]";
/// Frame in place of the callers of a stack of which only a part was copied.
pub const TRUNCATED: &str = "[truncated stack]";

/// Binary of the frames in the kernel.
pub const KERNEL: &str = "[kernel]";

/// True if samples of the event mean nanoseconds of CPU time: perf's clocks, and time in a pprof.
pub fn is_time(event: &str) -> bool {
    event.contains("clock") || event.ends_with("/nanoseconds")
}

/// Handle of a frame in [`Stacks`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FrameId(pub u32);

/// A level of a stack.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    /// The function's name for people; for code without a name, the name of its file in brackets.
    pub function: String,
    /// Path of the program or library; [`KERNEL`] for the kernel.
    pub binary: String,
    /// Source file; empty where unknown.
    pub file: String,
    /// Line; 0 where unknown.
    pub line: u32,
    /// True if the function was inlined into its caller.
    pub is_inlined: bool,
}

/// Samples that have thread, labels and frames in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Stack {
    /// The frames, leaf first.
    pub frames: Vec<FrameId>,
    /// Process id.
    pub pid: i32,
    /// Thread id.
    pub tid: i32,
    /// The thread's name.
    pub thread: String,
    /// The thread's labels.
    pub labels: Labels,
    /// Number of samples.
    pub samples: u64,
    /// Weight of the samples; nanoseconds for a clock.
    pub weight: u64,
    /// Sum of the squares of the samples' weights.
    pub squares: f64,
}

/// Weight of the samples whose own instruction has no function, or only a function with a made name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// Weight by path.
    pub by_binary: BTreeMap<String, u64>,
}

impl Unknown {
    /// Subtracts the weight of a stack that is left out.
    fn take_away(&mut self, stack: &Stack, frames: &[Frame]) {
        let leaf = stack.frames.first().map(|id| &frames[id.0 as usize]);
        let nameless = leaf.filter(|leaf| {
            leaf.function == in_brackets(&leaf.binary)
                || section_of_made_name(&leaf.function).is_some()
        });
        if let Some(weight) = nameless.and_then(|leaf| self.by_binary.get_mut(&leaf.binary)) {
            *weight = weight.saturating_sub(stack.weight);
        }
    }
}

/// All stacks of one event.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Stacks {
    /// The event's name.
    pub event: String,
    /// The stacks, heaviest first.
    pub stacks: Vec<Stack>,
    /// Weight of the samples without a name.
    pub unknown: Unknown,
    /// Weight by path of the samples in files whose own name is the recording's, before any filter: symbols did not name them.
    pub own_names: BTreeMap<String, u64>,
    /// Weight of stacks that break off, before any filter: their outermost frame is [`BROKEN`].
    pub broken: u64,
    /// Weight of stacks of which only a part was copied, before any filter: their outermost frame is [`TRUNCATED`].
    pub truncated: u64,
    /// Keys of labels, before any filter.
    pub label_keys: BTreeSet<Arc<str>>,
    /// Build ids of the binaries by path, as far as the recording contains them.
    pub builds: BTreeMap<String, BTreeSet<String>>,
    pub(crate) frames: Vec<Frame>,
    /// Position in `stacks` of each row of the tally.
    positions: FxHashMap<Key, u32>,
}

impl Stacks {
    /// Names the stacks of an event.
    pub fn new(profile: &Profile, tally: &StackTally, event: EventId, names: &Names) -> Self {
        let mut making = Making {
            profile,
            names,
            frames: Interner::default(),
            of_place: FxHashMap::default(),
            functions: FxHashMap::default(),
        };
        let mut unknown = Unknown::default();
        let mut own_names: BTreeMap<String, u64> = BTreeMap::new();
        let (mut broken, mut truncated): (u64, u64) = (0, 0);
        let mut made: Vec<(Stack, Vec<Key>)> = Vec::new();
        let mut known: FxHashMap<(i32, i32, Labels, Vec<FrameId>), usize> = FxHashMap::default();
        for (key, count) in tally.counts(event) {
            let (places, end) = key.places(profile);
            let mut frames: Vec<FrameId> = Vec::with_capacity(places.len() + 1);
            let mut origin = None;
            for place in &places {
                let of_place = making.add(place, &mut frames);
                origin.get_or_insert(of_place);
            }
            if let Some((leaf, origin)) = places.first().zip(origin)
                && let Some(by_binary) = match origin {
                    Origin::Nothing => Some(&mut unknown.by_binary),
                    Origin::Recording if making.is_in_file(leaf) => Some(&mut own_names),
                    Origin::Recording | Origin::Symbols => None,
                }
            {
                *by_binary.entry(making.binary_name(leaf)).or_default() += count.weight;
            }
            match end {
                StackEnd::Root => {}
                StackEnd::Truncated => {
                    truncated = truncated.saturating_add(count.weight);
                    frames.push(making.end(TRUNCATED));
                }
                StackEnd::Broken => {
                    broken = broken.saturating_add(count.weight);
                    frames.push(making.end(BROKEN));
                }
            }
            let thread = &profile.threads[key.thread.index()];
            let next = made.len();
            let at = *known
                .entry((
                    thread.pid,
                    thread.tid,
                    thread.labels.clone(),
                    frames.clone(),
                ))
                .or_insert(next);
            if at == next {
                let stack = Stack {
                    frames,
                    pid: thread.pid,
                    tid: thread.tid,
                    thread: thread.name.clone(),
                    labels: thread.labels.clone(),
                    samples: 0,
                    weight: 0,
                    squares: 0.0,
                };
                made.push((stack, Vec::new()));
            }
            let (stack, keys) = &mut made[at];
            keys.push(*key);
            stack.samples += count.samples;
            stack.weight = stack.weight.saturating_add(count.weight);
            stack.squares += count.squares;
        }
        made.sort_by(|(a, _), (b, _)| {
            let heavier = b.weight.cmp(&a.weight);
            heavier.then_with(|| {
                let threads = (a.pid, a.tid).cmp(&(b.pid, b.tid));
                threads.then_with(|| (&a.labels, &a.frames).cmp(&(&b.labels, &b.frames)))
            })
        });
        let (stacks, keys): (Vec<Stack>, Vec<Vec<Key>>) = made.into_iter().unzip();
        let labels = stacks.iter().flat_map(|stack| stack.labels.iter());
        let label_keys = labels.map(|label| label.key.clone()).collect();
        let keys = keys.into_iter().zip(0_u32..);
        let positions =
            keys.flat_map(|(keys, position)| keys.into_iter().map(move |key| (key, position)));
        let event = profile.events.get(event.index());
        Self {
            event: event.map_or(String::new(), |event| event.name.clone()),
            stacks,
            unknown,
            own_names,
            broken,
            truncated,
            label_keys,
            builds: builds_of(profile),
            frames: making.frames.into_items(),
            positions: positions.collect(),
        }
    }

    /// Returns the position of the stack that a row of the tally became.
    pub(crate) fn position_of(&self, key: &Key) -> Option<u32> {
        self.positions.get(key).copied()
    }

    /// The frame behind a handle.
    pub fn frame(&self, id: FrameId) -> &Frame {
        &self.frames[id.0 as usize]
    }

    /// Number of frames; handles run from 0 up to this number.
    pub fn frame_count(&self) -> usize {
        self.frames.len()
    }

    /// Renames the frames.
    pub(crate) fn rename(&mut self, rename: impl FnMut(&mut Frame)) {
        self.frames.iter_mut().for_each(rename);
    }

    /// Weight of all samples.
    pub fn weight(&self) -> u64 {
        self.stacks.iter().map(|stack| stack.weight).sum()
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.stacks.iter().map(|stack| stack.samples).sum()
    }

    /// Number of samples of equal weight that would be as much evidence (Kish's effective sample size).
    pub fn effective_samples(&self) -> f64 {
        let squares: f64 = self.stacks.iter().map(|stack| stack.squares).sum();
        if squares > 0.0 {
            (self.weight() as f64).powi(2) / squares
        } else {
            0.0
        }
    }

    /// Keeps the stacks with a frame that `focus` accepts and without any frame that `ignore` accepts.
    pub fn filter(
        &mut self,
        focus: Option<&dyn Fn(&Frame) -> bool>,
        ignore: Option<&dyn Fn(&Frame) -> bool>,
    ) {
        let accepted = |filter: Option<&dyn Fn(&Frame) -> bool>| -> Option<Vec<bool>> {
            filter.map(|filter| self.frames.iter().map(filter).collect())
        };
        let (focus, ignore) = (accepted(focus), accepted(ignore));
        let holds = |stack: &Stack, accepted: &[bool]| {
            let mut frames = stack.frames.iter();
            frames.any(|frame| accepted[frame.0 as usize])
        };
        self.retain(|stack| {
            focus.as_ref().is_none_or(|accepted| holds(stack, accepted))
                && !ignore
                    .as_ref()
                    .is_some_and(|accepted| holds(stack, accepted))
        });
    }

    /// Keeps the stacks that a filter accepts.
    pub(crate) fn retain(&mut self, filter: impl Fn(&Stack) -> bool) {
        let mut kept = 0_u32..;
        let mut moved: Vec<Option<u32>> = Vec::new();
        self.stacks.retain(|stack| {
            let is_kept = filter(stack);
            moved.push(if is_kept { kept.next() } else { None });
            if !is_kept {
                self.unknown.take_away(stack, &self.frames);
            }
            is_kept
        });
        self.positions
            .retain(|_, position| match moved[*position as usize] {
                Some(now) => {
                    *position = now;
                    true
                }
                None => false,
            });
    }
}

/// State while [`Stacks`] are made.
struct Making<'m> {
    profile: &'m Profile,
    names: &'m Names,
    frames: Interner<Frame>,
    of_place: FxHashMap<Place, (Vec<FrameId>, Origin)>,
    /// Names for people, kept because demangling takes microseconds.
    functions: FxHashMap<String, String>,
}

impl Making<'_> {
    /// Adds the frames of a place, innermost first, and returns the source of their names.
    fn add(&mut self, place: &Place, frames: &mut Vec<FrameId>) -> Origin {
        if let Some((known, origin)) = self.of_place.get(place) {
            frames.extend_from_slice(known);
            return *origin;
        }
        let binary = self.binary_name(place);
        let (named, mut origin) = chosen(self.profile, self.names, place);
        let mut made: Vec<Frame> = named
            .iter()
            .map(|frame| self.frame(frame, &binary))
            .collect();
        let stand_in = in_brackets(&binary);
        // Names that stood in for missing ones when the recording was written name nothing either.
        if matches!(&made[..], [alone] if alone.function == stand_in) {
            origin = Origin::Nothing;
        }
        if made.is_empty() {
            made.push(Frame {
                function: stand_in,
                binary,
                file: String::new(),
                line: 0,
                is_inlined: false,
            });
        }
        let ids: Vec<FrameId> = made.iter().map(|frame| self.intern(frame)).collect();
        frames.extend_from_slice(&ids);
        self.of_place.insert(*place, (ids, origin));
        origin
    }

    fn is_in_file(&self, place: &Place) -> bool {
        let binary = self.profile.location(place.location).binary;
        self.profile.binary(binary).kind == BinaryKind::File
    }

    fn end(&mut self, name: &str) -> FrameId {
        self.intern(&Frame {
            function: name.to_owned(),
            binary: name.to_owned(),
            file: String::new(),
            line: 0,
            is_inlined: false,
        })
    }

    fn frame(&mut self, named: &NamedFrame, binary: &str) -> Frame {
        let function = match self.functions.get(&named.function) {
            Some(known) => known.clone(),
            None => {
                let readable = readable(&named.function);
                self.functions
                    .insert(named.function.clone(), readable.clone());
                readable
            }
        };
        Frame {
            function,
            binary: binary.to_owned(),
            file: named.file.clone(),
            line: named.line,
            is_inlined: named.is_inlined,
        }
    }

    fn intern(&mut self, frame: &Frame) -> FrameId {
        FrameId(self.frames.intern(frame))
    }

    fn binary_name(&self, place: &Place) -> String {
        let id: BinaryId = self.profile.location(place.location).binary;
        let binary = self.profile.binary(id);
        match binary.kind {
            BinaryKind::Kernel => KERNEL.into(),
            BinaryKind::Unmapped => "[unmapped]".into(),
            _ => binary.path.clone(),
        }
    }
}

fn builds_of(profile: &Profile) -> BTreeMap<String, BTreeSet<String>> {
    let mut builds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for binary in &profile.binaries {
        if let (BinaryKind::File, Some(build)) = (binary.kind, &binary.build_id) {
            let of_path = builds.entry(binary.path.clone()).or_default();
            of_path.insert(build.to_string());
        }
    }
    builds
}

/// True for the name of a function, made names included; false for a name in brackets, which stands for what is no function.
pub fn is_function(name: &str) -> bool {
    !name.starts_with('[') || section_of_made_name(name).is_some()
}

/// Returns the name for code of a file without names.
pub(crate) fn in_brackets(path: &str) -> String {
    if path.starts_with('[') {
        return path.to_owned();
    }
    let file = path.rsplit('/').find(|part| !part.is_empty());
    format!("[{}]", file.unwrap_or(path))
}

#[cfg(test)]
pub(crate) mod testing {
    use super::*;
    use hone_profile::Label;

    /// Makes stacks from text such as `main;f;g`, outermost first, with samples of weight 1.
    pub(crate) fn stacks(folded: &[(&str, u64)]) -> Stacks {
        let mut all = Stacks::default();
        for &(text, samples) in folded {
            let mut frames: Vec<FrameId> =
                text.split(';').map(|name| all.frame_named(name)).collect();
            frames.reverse();
            all.stacks.push(Stack {
                frames,
                pid: 1,
                tid: 1,
                thread: "test".into(),
                labels: Labels::default(),
                samples,
                weight: samples,
                squares: samples as f64,
            });
        }
        all
    }

    /// Gives labels to the stack at a position.
    pub(crate) fn labelled(stacks: &mut Stacks, at: usize, labels: &[(&str, &str)]) {
        let label = |&(key, value): &(&str, &str)| Label {
            key: key.into(),
            value: value.into(),
        };
        stacks.stacks[at].labels = labels.iter().map(label).collect();
    }

    /// Makes stacks of one frame each, given as `binary:function`.
    pub(crate) fn stacks_in(folded: &[(&str, u64)]) -> Stacks {
        let mut all = stacks(folded);
        all.rename(|frame| {
            let name = std::mem::take(&mut frame.function);
            let (binary, function) = name.split_once(':').unwrap();
            (frame.binary, frame.function) = (binary.into(), function.into());
        });
        all
    }

    impl Stacks {
        fn frame_named(&mut self, name: &str) -> FrameId {
            let known = self.frames.iter().position(|frame| frame.function == name);
            let id = known.unwrap_or_else(|| {
                self.frames.push(Frame {
                    function: name.into(),
                    binary: "/p".into(),
                    file: String::new(),
                    line: 0,
                    is_inlined: false,
                });
                self.frames.len() - 1
            });
            FrameId(id as u32)
        }
    }
}

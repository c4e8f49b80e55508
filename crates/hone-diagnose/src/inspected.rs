//! A recording, counted once for all rules: who the frames are, and the share of any group of them.

use crate::facts::{BinaryFacts, is_system_library};
use crate::finding::{Finding, SourcePlace};
use crate::hardware::Hardware;
use crate::name::{class_of, is_one_of, plain};
use crate::share::Share;
use hone_profile::{CpuQuota, Losses, MemoryUse};
use hone_views::{BROKEN, Frame, FrameId, KERNEL, Stack, Stacks, name_and_place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// How many callers of a group are told apart.
const CALLERS_MAX: usize = 4;

/// How much more than a group the code around it must take before it is worth a word.
const TOUCHED_MORE: f64 = 0.01;

/// Where headers and run times that come with compilers lie.
const SYSTEM_SOURCES: [&str; 6] = [
    "/usr/include/",
    "/usr/lib/",
    "/usr/bin/../",
    "/rustc/",
    "/usr/local/go/",
    "./nptl/",
];

/// Namespaces and packages of standard libraries.
const STANDARD: [&str; 10] = [
    "std::",
    "__gnu_cxx::",
    "operator new",
    "operator delete",
    "core::",
    "alloc::",
    "<alloc::",
    "<core::",
    "<std::",
    "runtime.",
];

/// The machine that was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Machine {
    /// What its CPU can do, as in `flags` of /proc/cpuinfo; empty where that is not known.
    pub features: Vec<String>,
    /// The CPU quota under which the program ran, where it did and the recording tells.
    pub cpu_quota: Option<CpuQuota>,
    /// How much memory its Go programs used and might have used, as far as the recording tells.
    pub memory: Vec<MemoryUse>,
}

/// Whose code a frame is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Kernel,
    /// Compiler's, libc's or the language's own.
    Standard,
    /// The program's, or of a library that is none of those.
    Own,
    /// Code without a name.
    Nameless,
}

/// A frame as rules see it.
#[derive(Clone, Copy, Debug)]
pub struct NamedFrame<'i> {
    /// The function's name with types and parameters.
    pub name: &'i str,
    /// Its name without them.
    pub plain: &'i str,
    /// The program or library; `[kernel]`, `[vdso]`.
    pub binary: &'i str,
}

impl NamedFrame<'_> {
    /// Whether the function is one of these, given whole or by their start (`std::_Rb_tree*`).
    pub fn is_one_of(&self, patterns: &[&str]) -> bool {
        is_one_of(self.plain, patterns)
    }

    /// Whether it is libc's, linked as a library.
    pub fn is_libc(&self) -> bool {
        let file_name = self.binary.rsplit('/').next().unwrap_or_default();
        file_name.starts_with("libc.so")
            || file_name.starts_with("libc-")
            || file_name.starts_with("ld-musl")
    }

    /// Whether it is the kernel's.
    pub fn is_kernel(&self) -> bool {
        self.binary == KERNEL
    }
}

/// Which frames of a stack a group is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The function that ran, with those that it was inlined into.
    Running,
    /// Any frame: also what it called.
    Anywhere,
}

/// Samples that have something in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// How much of all.
    pub share: Share,
    /// Weight of its samples.
    pub weight: u64,
    /// The innermost functions that were accepted, heaviest first.
    pub functions: Vec<(String, Share)>,
    /// The program's own functions from which it was called, heaviest first.
    pub callers: Vec<Caller>,
    /// The group with all that runs in the functions which hold or call it and are compiled with it; `None` where that is
    /// not much more than the group.
    pub touched: Option<Share>,
}

/// A function of the program from which a group was called.
#[derive(Clone, PartialEq, Debug)]
pub struct Caller {
    /// The call that is heaviest, with its line.
    pub place: SourcePlace,
    /// How much of all the whole function's calls make.
    pub share: Share,
}

/// A recording and the binaries in it.
#[derive(Debug)]
pub struct Inspected {
    /// The stacks.
    pub stacks: Stacks,
    /// The binaries that could be read.
    pub binaries: Vec<BinaryFacts>,
    /// The machine.
    pub machine: Machine,
    /// What the recording lost.
    pub losses: Losses,
    /// What the CPU counted beside time.
    pub hardware: Hardware,
    frames: Vec<(String, Origin)>,
    samples: u64,
    weight: u64,
    effective_samples: f64,
}

impl Inspected {
    /// Counts what all rules need.
    pub fn new(
        stacks: Stacks,
        binaries: Vec<BinaryFacts>,
        machine: Machine,
        losses: Losses,
    ) -> Self {
        let ids = (0..stacks.frame_count() as u32).map(FrameId);
        let frames = ids.map(|id| {
            let frame = stacks.frame(id);
            let plain = plain_of(frame);
            let origin = origin(frame, &plain);
            (plain, origin)
        });
        Self {
            frames: frames.collect(),
            samples: stacks.samples(),
            weight: stacks.weight(),
            effective_samples: stacks.effective_samples(),
            stacks,
            binaries,
            machine,
            losses,
            hardware: Hardware::new(),
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// How many samples of equal weight would be as much evidence.
    pub fn effective_samples(&self) -> f64 {
        self.effective_samples
    }

    /// Weight of all samples.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// A weight as a share of all.
    pub fn share(&self, weight: u64) -> Share {
        let part = (weight as f64 / self.weight.max(1) as f64).min(1.0);
        let samples = (part * self.samples as f64).round() as u64;
        Share::new(samples, weight, self.weight, self.effective_samples)
    }

    /// The samples with a frame of these names.
    pub fn named(&self, place: Where, patterns: &[&str]) -> Group {
        self.group(place, |frame| frame.is_one_of(patterns))
    }

    /// The samples with a frame of these names and none of those.
    pub fn named_without(&self, place: Where, patterns: &[&str], without: &[&str]) -> Group {
        let accepted = self.accepted(|frame| frame.is_one_of(patterns));
        let left_out = self.accepted(|frame| frame.is_one_of(without));
        self.of_frames(place, &accepted, &left_out)
    }

    /// The samples with a frame that `accepts`.
    pub fn group(&self, place: Where, accepts: impl Fn(&NamedFrame<'_>) -> bool) -> Group {
        self.of_frames(place, &self.accepted(accepts), &[])
    }

    /// The samples with an accepted frame and none that is left out; each list says so of frames by their number.
    fn of_frames(&self, place: Where, accepted: &[bool], left_out: &[bool]) -> Group {
        let is_left_out = |id: &FrameId| left_out.get(id.0 as usize) == Some(&true);
        let mut making = Making::default();
        for stack in &self.stacks.stacks {
            let seen = match place {
                Where::Running => self.running(stack),
                Where::Anywhere => &stack.frames[..],
            };
            let Some(at) = seen.iter().position(|id| accepted[id.0 as usize]) else {
                continue;
            };
            if seen.iter().any(is_left_out) {
                continue;
            }
            making.samples += stack.samples;
            making.weight += stack.weight;
            let function = &self.frames[stack.frames[at].0 as usize].0;
            making.function(function, stack.weight);
            if let Some(caller) = self.caller(&stack.frames[at..], accepted) {
                making.caller(caller, stack.weight);
            }
        }
        let mut group = making.finish(self);
        group.touched = self.touched(place, accepted, &is_left_out, &group);
        group
    }

    /// A group with all that runs in the functions around it.
    fn touched(
        &self,
        place: Where,
        accepted: &[bool],
        is_left_out: &impl Fn(&FrameId) -> bool,
        group: &Group,
    ) -> Option<Share> {
        let found = |stack: &Stack| {
            let seen = match place {
                Where::Running => self.running(stack),
                Where::Anywhere => &stack.frames[..],
            };
            let at = seen.iter().position(|id| accepted[id.0 as usize])?;
            (!seen.iter().any(is_left_out)).then_some(at)
        };
        let stacks = || self.stacks.stacks.iter();
        let around: FxHashSet<(&str, &str)> = stacks()
            .filter_map(|stack| self.around(&stack.frames[found(stack)?..], accepted))
            .collect();
        let is_touched = |stack: &&Stack| {
            let body = self.running(stack).last();
            found(stack).is_some() || body.is_some_and(|id| around.contains(&self.key(*id)))
        };
        let weight = stacks().filter(is_touched).map(|stack| stack.weight).sum();
        let touched = self.share(weight);
        (touched.share > group.share.share + TOUCHED_MORE).then_some(touched)
    }

    /// The function that holds or calls the innermost accepted frame, if it lies in the same binary: a compiler sees both.
    fn around(&self, outwards: &[FrameId], accepted: &[bool]) -> Option<(&str, &str)> {
        let binary = &self.stacks.frame(*outwards.first()?).binary;
        let next = outwards.iter().position(|id| !accepted[id.0 as usize])?;
        let outwards = &outwards[next..];
        let body = outwards
            .iter()
            .find(|id| !self.stacks.frame(**id).is_inlined)?;
        let (_, origin) = self.frames[body.0 as usize];
        let is_compiled_with_it =
            origin == Origin::Own && *binary == self.stacks.frame(*body).binary;
        is_compiled_with_it.then(|| self.key(*body))
    }

    /// What tells a function from others.
    fn key(&self, id: FrameId) -> (&str, &str) {
        let frame = self.stacks.frame(id);
        (&frame.function, &frame.binary)
    }

    /// The weight of the samples with a frame of these names, by process.
    pub fn by_process(&self, patterns: &[&str]) -> FxHashMap<i32, u64> {
        let accepted = self.accepted(|frame| frame.is_one_of(patterns));
        let mut weights = FxHashMap::default();
        for stack in &self.stacks.stacks {
            if stack.frames.iter().any(|id| accepted[id.0 as usize]) {
                *weights.entry(stack.pid).or_default() += stack.weight;
            }
        }
        weights
    }

    /// Of each frame, whether it is accepted.
    fn accepted(&self, accepts: impl Fn(&NamedFrame<'_>) -> bool) -> Vec<bool> {
        let ids = (0..self.frames.len() as u32).map(FrameId);
        ids.map(|id| accepts(&self.frame(id))).collect()
    }

    /// The functions that a finding is about, as the stacks call them.
    pub fn names_of(&self, finding: &Finding) -> Vec<&str> {
        let about: FxHashSet<&str> = finding.functions.iter().map(String::as_str).collect();
        let frames = (0..self.frames.len() as u32).map(|id| self.frame(FrameId(id)));
        let named = frames.filter(|frame| about.contains(frame.plain));
        let names: BTreeSet<&str> = named.map(|frame| frame.name).collect();
        names.into_iter().collect()
    }

    /// The frame of a handle.
    pub fn frame(&self, id: FrameId) -> NamedFrame<'_> {
        let frame = self.stacks.frame(id);
        NamedFrame {
            name: &frame.function,
            plain: &self.frames[id.0 as usize].0,
            binary: &frame.binary,
        }
    }

    /// Of a stack, the function that ran and those that it was inlined into.
    fn running<'s>(&self, stack: &'s Stack) -> &'s [FrameId] {
        let is_body = |id: &FrameId| !self.stacks.frame(*id).is_inlined;
        let end = stack.frames.iter().position(is_body);
        &stack.frames[..end.map_or(stack.frames.len(), |end| end + 1)]
    }

    /// Who called, or holds, the innermost accepted frame: the program's own if there is one.
    fn caller(&self, outwards: &[FrameId], accepted: &[bool]) -> Option<SourcePlace> {
        let others = || outwards.iter().filter(|id| !accepted[id.0 as usize]);
        let is_own = |id: &&FrameId| self.frames[id.0 as usize].1 == Origin::Own;
        let is_named = |id: &&FrameId| {
            let origin = self.frames[id.0 as usize].1;
            !matches!(origin, Origin::Nameless | Origin::Kernel)
        };
        // Where nobody is known to have called it, it is itself the place.
        let first = outwards.first().filter(|id| is_own(id));
        let found = others().find(is_own).or(first);
        let found = found.or_else(|| others().find(is_named))?;
        let frame = self.stacks.frame(*found);
        Some(SourcePlace {
            function: self.frames[found.0 as usize].0.clone(),
            binary: frame.binary.clone(),
            file: frame.file.clone(),
            line: frame.line,
        })
    }
}

/// The frame's name without types and parameters. Where debug information names no class, the header tells it; any other
/// inlined function with a bare name keeps its file, so that a method `free` is not taken for libc's.
fn plain_of(frame: &Frame) -> String {
    let (name, place) = name_and_place(&frame.function);
    let plain = plain(name);
    match class_of(&frame.file, &plain) {
        Some(class) if !plain.contains("::") => format!("{class}::{plain}"),
        _ if frame.is_inlined => plain + place,
        _ => plain,
    }
}

fn origin(frame: &Frame, plain: &str) -> Origin {
    let binary = frame.binary.as_str();
    let file_name = binary.rsplit('/').next().unwrap_or(binary);
    let starts = |text: &str, starts: &[&str]| starts.iter().any(|start| text.starts_with(start));
    if binary == KERNEL {
        Origin::Kernel
    } else if frame.function.starts_with('[') || frame.function == BROKEN || is_start(plain) {
        Origin::Nameless
    } else if is_system_library(file_name)
        || starts(plain, &STANDARD)
        || starts(&frame.file, &SYSTEM_SOURCES)
    {
        Origin::Standard
    } else {
        Origin::Own
    }
}

/// Whether it is what calls `main`: that says of nobody where a call came from.
fn is_start(plain: &str) -> bool {
    plain == "_start" || plain.starts_with("__libc_start_")
}

/// A group in the making.
#[derive(Default)]
struct Making {
    samples: u64,
    weight: u64,
    functions: FxHashMap<String, u64>,
    callers: FxHashMap<(String, String), (u64, FxHashMap<SourcePlace, u64>)>,
}

impl Making {
    fn function(&mut self, name: &str, weight: u64) {
        match self.functions.get_mut(name) {
            Some(known) => *known += weight,
            None => {
                self.functions.insert(name.to_owned(), weight);
            }
        }
    }

    fn caller(&mut self, place: SourcePlace, weight: u64) {
        let key = (place.function.clone(), place.binary.clone());
        let (all, places) = self.callers.entry(key).or_default();
        *all += weight;
        *places.entry(place).or_default() += weight;
    }

    fn finish(self, inspected: &Inspected) -> Group {
        let share = Share::new(
            self.samples,
            self.weight,
            inspected.weight,
            inspected.effective_samples,
        );
        let mut functions: Vec<(String, u64)> = self.functions.into_iter().collect();
        functions.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        let mut callers: Vec<(SourcePlace, u64)> = self
            .callers
            .into_values()
            .filter_map(|(all, places)| {
                let heaviest = places
                    .into_iter()
                    .max_by(|a, b| (a.1, &b.0).cmp(&(b.1, &a.0)))?;
                Some((heaviest.0, all))
            })
            .collect();
        callers.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        callers.truncate(CALLERS_MAX);
        Group {
            share,
            weight: self.weight,
            functions: (functions.into_iter())
                .map(|(name, weight)| (name, inspected.share(weight)))
                .collect(),
            callers: (callers.into_iter())
                .map(|(place, weight)| Caller {
                    place,
                    share: inspected.share(weight),
                })
                .collect(),
            touched: None,
        }
    }
}

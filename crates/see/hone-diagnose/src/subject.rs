//! A recording, counted once for all rules: names and origins of frames, and the share of any group of frames.

use crate::claims::Point;
use crate::facts::{BinaryFacts, is_system_library};
use crate::finding::{Finding, SourcePlace};
use crate::hardware::Hardware;
use crate::name::{class_of, is_one_of, plain};
use crate::rules::MetAt;
use crate::share::Share;
use crate::sums::Sums;
use hone_profile::{CpuQuota, Losses, MemoryUse};
use hone_views::{BROKEN, Frame, FrameId, KERNEL, Stack, Stacks, is_function, name_and_place};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Number of callers kept for a group.
const CALLERS_MAX: usize = 4;

/// Share of all time that the code around a group must add to be reported.
const TOUCHED_MORE: f64 = 0.01;

/// Starts of the paths of headers and run times that come with compilers.
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
    /// Features of the CPU, as in `flags` of /proc/cpuinfo; empty if unknown.
    pub features: Vec<String>,
    /// CPU quota under which the program ran; `None` without a quota, or if the recording does not tell.
    pub cpu_quota: Option<CpuQuota>,
    /// Memory that the Go programs used and might have used, as far as the recording tells.
    pub memory: Vec<MemoryUse>,
}

/// Origin of a frame's code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Origin {
    Kernel,
    /// Code of the compiler, of libc or of the language's standard library.
    Standard,
    /// Code of the program or of any other library.
    Own,
    /// Code without a name.
    Nameless,
}

/// A frame as rules see it.
#[derive(Clone, Copy, Debug)]
pub struct NamedFrame<'i> {
    /// The function's name with types and parameters.
    pub name: &'i str,
    /// The function's name without types and parameters.
    pub plain: &'i str,
    /// Path of the program or library, or `[kernel]`, `[vdso]`.
    pub binary: &'i str,
}

impl NamedFrame<'_> {
    /// True if one of the patterns matches the function: a whole name, or the start of names (`std::_Rb_tree*`). The stub through
    /// which a function is called belongs to the function.
    pub fn is_one_of(&self, patterns: &[&str]) -> bool {
        is_one_of(self.plain.trim_end_matches("@plt"), patterns)
    }

    /// True if the frame is in libc's shared library.
    pub fn is_libc(&self) -> bool {
        let file_name = self.binary.rsplit('/').next().unwrap_or_default();
        file_name.starts_with("libc.so")
            || file_name.starts_with("libc-")
            || file_name.starts_with("ld-musl")
    }

    /// True if the frame is in the kernel.
    pub fn is_kernel(&self) -> bool {
        self.binary == KERNEL
    }
}

/// Frames of a stack that are examined for a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The function that ran, with the functions into which it was inlined.
    Running,
    /// Any frame, so that time in callees counts too.
    Anywhere,
}

/// Samples that have something in common.
#[derive(Clone, PartialEq, Debug)]
pub struct Group {
    /// Share of the group in all samples.
    pub share: Share,
    /// Weight of the group's samples.
    pub weight: u64,
    /// Innermost accepted functions, heaviest first.
    pub functions: Vec<(String, Share)>,
    /// Functions of the program that called the group, heaviest first.
    pub callers: Vec<Caller>,
    /// Positions of the stacks of the samples.
    pub(crate) stacks: FxHashSet<u32>,
    /// Share of the group together with all that runs in the functions that contain or call it and are compiled with
    /// it; `None` if that is hardly more than the group.
    pub touched: Option<Share>,
}

/// A function of the program from which a group was called.
#[derive(Clone, PartialEq, Debug)]
pub struct Caller {
    /// Heaviest call, with its line.
    pub place: SourcePlace,
    /// Share of all samples that the calls from this function make.
    pub share: Share,
}

/// A recording and the binaries in it.
#[derive(Clone, Debug)]
pub struct Inspected {
    /// The stacks.
    pub stacks: Stacks,
    /// The binaries that could be read.
    pub binaries: Vec<BinaryFacts>,
    /// The machine.
    pub machine: Machine,
    /// Losses of the recording.
    pub losses: Losses,
    /// Events that the CPU counted beside time.
    pub hardware: Hardware,
    /// What the stacks are sums of; `None` for a recording.
    pub sums: Option<Sums>,
    /// Samples by stack and instruction, as far as their binaries could be read.
    pub points: Vec<Point>,
    /// What walks met at instructions; `None` if no walk looked.
    pub operands: Option<Vec<MetAt>>,
    pub(crate) frames: Vec<(String, Origin)>,
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
            sums: None,
            points: Vec::new(),
            operands: None,
        }
    }

    /// Number of samples.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Number of samples of equal weight that would be as much evidence.
    pub fn effective_samples(&self) -> f64 {
        self.effective_samples
    }

    /// Weight of all samples.
    pub fn weight(&self) -> u64 {
        self.weight
    }

    /// Returns a weight as a share of the weight of all samples.
    pub fn share(&self, weight: u64) -> Share {
        let part = (weight as f64 / self.weight.max(1) as f64).min(1.0);
        let samples = (part * self.samples as f64).round() as u64;
        Share::new(samples, weight, self.weight, self.effective_samples)
    }

    /// Returns the samples with a frame that matches one of the patterns.
    pub fn named(&self, place: Where, patterns: &[&str]) -> Group {
        self.group(place, |frame| frame.is_one_of(patterns))
    }

    /// Returns the samples with a frame for which `accepts` is true.
    pub fn group(&self, place: Where, accepts: impl Fn(&NamedFrame<'_>) -> bool) -> Group {
        self.group_of(place, accepts, |_| true)
    }

    /// Returns the same of stacks, by their positions, for which `is_in` is true.
    pub(crate) fn group_of(
        &self,
        place: Where,
        accepts: impl Fn(&NamedFrame<'_>) -> bool,
        is_in: impl Fn(u32) -> bool,
    ) -> Group {
        let accepted = &self.accepted(accepts);
        let mut making = Making::default();
        for (position, stack) in (0..).zip(&self.stacks.stacks) {
            let seen = match place {
                Where::Running => self.running(stack),
                Where::Anywhere => &stack.frames[..],
            };
            if stack.weight == 0 || !is_in(position) {
                continue;
            }
            let Some(at) = seen.iter().position(|id| accepted[id.0 as usize]) else {
                continue;
            };
            making.samples += stack.samples;
            making.weight += stack.weight;
            making.stacks.insert(position);
            let function = &self.frames[stack.frames[at].0 as usize].0;
            making.function(function, stack.weight);
            if let Some(caller) = self.caller(&stack.frames[at..], accepted) {
                making.caller(caller, stack.weight);
            }
        }
        let mut group = making.finish(self);
        group.touched = self.touched(place, accepted, &group);
        group
    }

    /// Returns the share of a group together with the functions around it ([`Group::touched`]).
    fn touched(&self, place: Where, accepted: &[bool], group: &Group) -> Option<Share> {
        let found = |stack: &Stack| {
            let seen = match place {
                Where::Running => self.running(stack),
                Where::Anywhere => &stack.frames[..],
            };
            seen.iter().position(|id| accepted[id.0 as usize])
        };
        let stacks = self.stacks.stacks.iter();
        let around: FxHashSet<(&str, &str)> = stacks
            .filter_map(|stack| self.around(&stack.frames[found(stack)?..], accepted))
            .collect();
        let is_found = |_, stack: &Stack| found(stack).is_some();
        self.share_with(is_found, &around, group.share.share)
    }

    /// Returns the share of the stacks that are found and of those in which one of the functions around runs; `None` if that is hardly
    /// more than `share`.
    pub(crate) fn share_with(
        &self,
        is_found: impl Fn(usize, &Stack) -> bool,
        around: &FxHashSet<(&str, &str)>,
        share: f64,
    ) -> Option<Share> {
        let stacks = self.stacks.stacks.iter().enumerate();
        let touched = stacks.filter(|(position, stack)| {
            let body = self.running(stack).last();
            is_found(*position, stack) || body.is_some_and(|id| around.contains(&self.key(*id)))
        });
        let touched = self.share(touched.map(|(_, stack)| stack.weight).sum());
        (touched.share > share + TOUCHED_MORE).then_some(touched)
    }

    /// Returns the function that contains or calls the innermost accepted frame, if it is the program's own and lies in
    /// the same binary, where a compiler sees both.
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

    /// Returns the functions of a stack into which others were inlined, or not: innermost first.
    pub(crate) fn bodies<'s>(&'s self, stack: &'s Stack) -> impl Iterator<Item = FrameId> + 's {
        let ids = stack.frames.iter().copied();
        ids.filter(|id| !self.stacks.frame(*id).is_inlined)
    }

    /// True if the frame is the program's own code, or another library's.
    pub(crate) fn is_own(&self, id: FrameId) -> bool {
        self.frames[id.0 as usize].1 == Origin::Own
    }

    /// Returns the position of a binary of this recording among the binaries.
    pub fn position_of(&self, binary: &BinaryFacts) -> Option<u32> {
        let mut binaries = (0..).zip(&self.binaries);
        binaries.find_map(|(position, one)| std::ptr::eq(one, binary).then_some(position))
    }

    /// Returns the name and the binary, which identify a function.
    pub(crate) fn key(&self, id: FrameId) -> (&str, &str) {
        let frame = self.stacks.frame(id);
        (&frame.function, &frame.binary)
    }

    /// Returns the weight of the samples with a frame that matches one of the patterns, by process.
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

    /// Returns for each frame, by its number, whether it is accepted.
    fn accepted(&self, accepts: impl Fn(&NamedFrame<'_>) -> bool) -> Vec<bool> {
        let ids = (0..self.frames.len() as u32).map(FrameId);
        ids.map(|id| accepts(&self.frame(id))).collect()
    }

    /// Returns the functions that a finding is about, by their names in the stacks.
    pub fn names_of(&self, finding: &Finding) -> Vec<&str> {
        let about: FxHashSet<&str> = finding.functions.iter().map(String::as_str).collect();
        let frames = (0..self.frames.len() as u32).map(|id| self.frame(FrameId(id)));
        let named = frames.filter(|frame| about.contains(frame.plain));
        let names: BTreeSet<&str> = named.map(|frame| frame.name).collect();
        names.into_iter().collect()
    }

    /// Returns the frame of a handle.
    pub fn frame(&self, id: FrameId) -> NamedFrame<'_> {
        let frame = self.stacks.frame(id);
        NamedFrame {
            name: &frame.function,
            plain: &self.frames[id.0 as usize].0,
            binary: &frame.binary,
        }
    }

    /// Returns the frames of the function that ran and of the functions into which it was inlined.
    pub(crate) fn running<'s>(&self, stack: &'s Stack) -> &'s [FrameId] {
        let is_body = |id: &FrameId| !self.stacks.frame(*id).is_inlined;
        let end = stack.frames.iter().position(is_body);
        &stack.frames[..end.map_or(stack.frames.len(), |end| end + 1)]
    }

    /// Returns the place that calls or contains the innermost accepted frame, in the program's own code if possible.
    fn caller(&self, outwards: &[FrameId], accepted: &[bool]) -> Option<SourcePlace> {
        let others = || outwards.iter().filter(|id| !accepted[id.0 as usize]);
        let is_own = |id: &&FrameId| self.frames[id.0 as usize].1 == Origin::Own;
        let is_named = |id: &&FrameId| {
            let origin = self.frames[id.0 as usize].1;
            !matches!(origin, Origin::Nameless | Origin::Kernel)
        };
        // Without a known caller in the program, the accepted frame itself is the place.
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

/// Returns the frame's name without types and parameters. A class that the debug information does not name is taken
/// from the header; any other inlined function with a bare name keeps its file, so that a method `free` is not taken
/// for libc's.
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
    } else if !is_function(&frame.function) || frame.function == BROKEN || is_start(plain) {
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

/// True for the start code that calls `main`, which tells nothing about where a call came from.
fn is_start(plain: &str) -> bool {
    plain == "_start" || plain.starts_with("__libc_start_")
}

/// Sums from which a [`Group`] is made.
#[derive(Default)]
struct Making {
    samples: u64,
    weight: u64,
    stacks: FxHashSet<u32>,
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
            stacks: self.stacks,
            touched: None,
        }
    }
}

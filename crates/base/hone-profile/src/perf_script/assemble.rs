//! Follows the processes line by line, and builds the profile.
//!
//! A sample is one line, or a first line, the frames of its call chain (each after a tab) and a line of branches.
//! So a sample is open until a line says that it is over. A line with a number may come before a sample: the count of the
//! sample in llvm-profgen's aggregated text.
//!
//! A line of no known form costs itself and the sample around it, and no other sample ([`Doubt`]).

use super::branch::{self, Branch, End};
use super::doubt::Doubt;
use super::frame_text::{self, FrameText};
use super::header::{self, Header};
use super::places::{Frame, InFile, Places, is_kernel};
use super::record::{self, Record};
use super::{KnownBinary, ScriptError};
use crate::branch_stacks::BranchStacks;
use crate::limits::{
    BRANCH_STACK_MAX, CALL_CHAIN_MAX, EVENTS_MAX, SAMPLE_TIMES_MAX, STRING_BYTES_MAX,
};
use crate::own_names::OwnName;
use crate::profile::{BranchRecord, Event, EventId, Location, LocationId, Profile, Sample, Thread};
use crate::third_argument::ThirdArgument;
use rustc_hash::FxHashMap;

/// A sample whose lines are not all read.
#[derive(Default)]
struct Open {
    command: String,
    pid: Option<i32>,
    tid: Option<i32>,
    time_ns: u64,
    period: Option<u64>,
    event: Option<String>,
    ip: Option<Frame>,
    frames: Vec<Frame>,
    /// Functions that are inlined into the one of the next frame, innermost first.
    inlined: Vec<String>,
    branches: Vec<Branch<Frame>>,
    /// Count of the sample, if a line before it has one.
    times: Option<u64>,
}

/// Counts of user addresses: all of them, and those in a mapping.
#[derive(Default)]
struct Found {
    all: u64,
    mapped: u64,
}

impl Found {
    fn none(&self) -> bool {
        self.all > 1 && self.mapped == 0
    }
}

#[derive(Default)]
pub(super) struct Assembly {
    profile: Profile,
    places: Places,
    events: FxHashMap<String, EventId>,
    /// Content of the branch stacks of events, from the text's header.
    recorded_with: FxHashMap<String, BranchStacks>,
    open: Option<Open>,
    doubt: Doubt,
    /// True if the next line would be the first line of a sample.
    is_first: bool,
    /// Count of the next sample.
    times: Option<u64>,
    line: u64,
    /// Number of the first line with branches as symbols.
    symbols_in: Option<u64>,
    ips: Found,
    frames: Found,
    ends: Found,
}

impl Assembly {
    pub(super) fn new() -> Self {
        Self {
            is_first: true,
            ..Self::default()
        }
    }

    /// Remembers the binary that the question is about.
    pub(super) fn know(&mut self, own: &KnownBinary) {
        self.places.know(own);
    }

    /// Treats addresses of any process as addresses of a binary.
    pub(super) fn assume(&mut self, fixed: &KnownBinary) {
        self.places.assume(fixed);
    }

    pub(super) fn line(&mut self, line: &str) {
        self.line += 1;
        let is_first = std::mem::replace(&mut self.is_first, false);
        // perf has a blank behind a lone process id, llvm-profgen none behind a count.
        let is_bare = !line.ends_with(' ');
        let line = line.trim_end();
        if line.is_empty() {
            self.is_first = true;
            self.end_of_sample();
        } else if let Some(fact) = line.strip_prefix('#') {
            self.is_first = true;
            self.fact(fact);
        } else if let Some(text) = record::find(line) {
            self.is_first = true;
            self.end_of_sample();
            match record::parse(text) {
                Some(record) => self.record(record),
                None => self.profile.losses.malformed_records += 1,
            }
        } else if self.times.is_none() && is_bare && is_count(line) {
            self.end_of_sample();
            let times = line.parse().ok();
            self.times = times.filter(|times| (1..=SAMPLE_TIMES_MAX).contains(times));
            self.profile.losses.malformed_records += u64::from(self.times.is_none());
        } else {
            self.sample_line(line, is_first);
        }
    }

    pub(super) fn finish(mut self) -> Result<Profile, ScriptError> {
        self.end_of_sample();
        self.profile.losses.malformed_records += u64::from(self.times.is_some());
        if let (true, Some(line)) = (self.profile.branches.is_empty(), self.symbols_in) {
            return Err(ScriptError::BranchSymbols { line });
        }
        if self.profile.samples.is_empty() {
            return Err(ScriptError::NoSamples);
        }
        if self.places.has_mappings() {
            if self.ends.none() && (self.ips.all == 0 || self.ips.mapped > 0) {
                return Err(ScriptError::BranchOffsets {
                    ends: self.ends.all,
                });
            }
            let has_name = |location: &Location| location.name.is_some();
            if self.frames.none() && !self.profile.locations().iter().any(has_name) {
                return Err(ScriptError::FrameOffsets {
                    frames: self.frames.all,
                });
            }
        }
        Ok(self.profile)
    }

    /// Reads a line of the header that `perf script --header` prints.
    fn fact(&mut self, text: &str) {
        let Some((name, value)) = text.split_once(" : ") else {
            return;
        };
        let value = value.trim().to_owned();
        match name.trim() {
            "hostname" => self.profile.meta.host = value,
            "os release" => self.profile.meta.kernel = value,
            "arch" => self.profile.meta.arch = value,
            "cpudesc" => self.profile.meta.cpu = value,
            "cmdline" => {
                self.profile.meta.command = value.split(' ').map(str::to_owned).collect();
            }
            "event" => {
                self.event_fact(&value);
            }
            _ => {}
        }
    }

    /// Reads a line such as `name = cycles:u, , id = { 5 }, ..., branch_sample_type = USER|ANY_CALL`.
    fn event_fact(&mut self, text: &str) -> Option<()> {
        let value_of = |name: &str| text.split_once(name)?.1.split(", ").next();
        let stacks = BranchStacks::named(value_of("branch_sample_type = ")?);
        let name = value_of("name = ")?.to_owned();
        if self.recorded_with.len() < EVENTS_MAX {
            self.recorded_with.insert(name, stacks);
        }
        Some(())
    }

    /// Returns the content of the branch stacks of an event, or all branches if the text does not tell.
    fn stacks_of(&self, event: &str) -> BranchStacks {
        let alone = || match self.recorded_with.len() {
            1 => self.recorded_with.values().next(),
            _ => None,
        };
        let known = self.recorded_with.get(event).or_else(alone);
        known.copied().unwrap_or(BranchStacks::Whole)
    }

    fn record(&mut self, record: Record<'_>) {
        match record {
            Record::Map(map) if map.path.len() <= STRING_BYTES_MAX => self.places.map(&map),
            Record::Map(_) => self.profile.losses.malformed_records += 1,
            Record::Exec { pid } => self.places.exec(pid),
            Record::Fork { parent, child } => self.places.fork(parent, child),
            Record::Lost { samples } => self.profile.losses.lost_samples += samples,
            Record::Other => {}
        }
    }

    fn sample_line(&mut self, line: &str, is_first: bool) {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if let Some(end) = words.first().and_then(|word| branch::lone_end(word))
            && self.is_frame(line, &words)
        {
            if self.doubt.has_more(&mut self.open) {
                let text = line.trim_start().strip_prefix(words[0]);
                self.frame(end, frame_text::parse(text.unwrap_or_default()));
            }
            return;
        }
        let branches = words.iter().filter_map(|word| branch::parse(word));
        let branches = branches.map(|branch| branch.map(|end| self.frame_at(end)));
        let branches: Vec<Branch<Frame>> = branches.collect();
        if branches.is_empty() && words.iter().any(|word| branch::has_symbols(word)) {
            self.symbols_in.get_or_insert(self.line);
            self.bad_line();
            return;
        }
        let starts_with_branch = words
            .first()
            .is_some_and(|word| branch::parse(word).is_some());
        if starts_with_branch {
            if self.doubt.has_last(&mut self.open) {
                self.open.get_or_insert_default().branches = branches;
            }
            self.end_of_sample();
            return;
        }
        if is_source_line(&words) {
            return;
        }
        let is_before = |word: &&&str| !word.starts_with("0x") && branch::parse(word).is_none();
        let before = words.iter().take_while(is_before);
        let before: Vec<&str> = before.copied().collect();
        let header = header::parse(line, &before);
        let Some(header) = header.or_else(|| header::command(&words).filter(|_| is_first)) else {
            self.bad_line();
            return;
        };
        self.end_of_sample();
        let ip = header.ip.map(|ip| self.ip(ip, header.behind_ip));
        let is_whole = ip.is_some() || !branches.is_empty();
        self.open = Some(Open::new(header, ip, branches));
        if is_whole {
            self.end_of_sample();
        }
    }

    /// Returns true if a line that starts with an address is a frame: it stands after a tab, or after the first line of a sample
    /// whose address is still to come.
    fn is_frame(&self, line: &str, words: &[&str]) -> bool {
        let awaited = || self.open.as_ref().is_some_and(|open| open.ip.is_none());
        line.starts_with('\t')
            || self.is_aggregated() && words.len() == 1
            || line.starts_with(' ') && awaited() && header::lone_address(line, words).is_some()
    }

    /// Returns true if the current sample came after a line with a count.
    fn is_aggregated(&self) -> bool {
        self.times.is_some() || self.open.as_ref().is_some_and(|open| open.times.is_some())
    }

    fn bad_line(&mut self) {
        self.profile.losses.malformed_records += 1;
        self.doubt = Doubt::OfOpen;
    }

    fn end_of_sample(&mut self) {
        if self.doubt.ends() {
            self.times = None;
        }
        self.close();
    }

    /// Returns the place of an address without a symbol.
    fn frame_at(&mut self, end: End<'_>) -> Frame {
        let build = end.build.map(|id| InFile::Build(self.places.file_id(id)));
        Frame {
            file: build,
            ..Frame::address(end.address)
        }
    }

    fn frame(&mut self, end: End<'_>, text: FrameText<'_>) {
        let frame = self.frame_at(end);
        let open = self.open.get_or_insert_with(|| Open {
            times: self.times.take(),
            ..Open::default()
        });
        // perf prints an inlined function as a frame of its own, at the address of the frame after it.
        if text.is_inlined {
            if let Some(function) = text.function
                && open.inlined.len() < CALL_CHAIN_MAX
            {
                open.inlined.push(function.to_owned());
            }
            return;
        }
        if open.frames.len() < CALL_CHAIN_MAX {
            let inlined = std::mem::take(&mut open.inlined);
            let functions = inlined.iter().map(String::as_str).chain(text.function);
            let name = functions.rev().fold(None, |outer, function| {
                Some(self.profile.intern_name(OwnName::function(function), outer))
            });
            let file = text.file.filter(|file| file.len() <= STRING_BYTES_MAX);
            let file = file.map(|file| InFile::Named(self.places.file_id(file)));
            open.frames.push(Frame {
                file: frame.file.or(file),
                name,
                ..frame
            });
        }
    }

    /// Returns the place of a sample's own address, which is no offset in the file behind it.
    fn ip(&mut self, number: u64, text: &str) -> Frame {
        let text = frame_text::parse(text);
        let file = text.file.filter(|_| !self.places.has_mappings());
        Frame {
            number,
            file: file.map(|file| InFile::Named(self.places.file_id(file))),
            name: text
                .function
                .map(|function| self.profile.intern_name(OwnName::function(function), None)),
        }
    }

    fn close(&mut self) {
        let Some(open) = self.open.take() else {
            return;
        };
        let times = open.times.or(self.times.take()).unwrap_or(1);
        let newest = open.branches.first().map(|branch| branch.to);
        let newest = newest.filter(|_| open.frames.is_empty());
        let address = open.ip.or(newest);
        let leaf = address.or_else(|| open.frames.first().copied());
        let (Some(leaf), Some(event)) = (leaf, self.event(open.event.as_deref())) else {
            self.profile.losses.malformed_records += 1;
            return;
        };
        let (ip, is_mapped) = self.locate(open.pid, leaf);
        if address.is_some() {
            self.ips.count(leaf.number, is_mapped);
        }
        let branches = self.branches(&open);
        if !branches.is_empty() {
            let stacks = self.stacks_of(open.event.as_deref().unwrap_or_default());
            self.profile.events[event.index()].branches = stacks;
        }
        let mut stack = None;
        let mut has_named_callers = false;
        for &frame in open.frames.iter().rev() {
            let (mut location, is_mapped) = self.locate(open.pid, frame);
            self.frames.count(frame.number, is_mapped);
            has_named_callers |= frame.name.is_some();
            if !is_mapped
                && has_named_callers
                && frame.name.is_none()
                && !self.places.has_mappings()
            {
                location = self.places.between(frame.number, &mut self.profile);
            }
            stack = Some(self.profile.intern_frame(location, stack));
        }
        let thread = self.profile.intern_thread(Thread {
            pid: open.pid.unwrap_or(0),
            tid: open.tid.unwrap_or(0),
            name: open.command,
            ..Thread::default()
        });
        self.profile.samples.push(Sample {
            event,
            thread,
            time_ns: open.time_ns,
            weight: open.period.unwrap_or(1).saturating_mul(times),
            times,
            ip,
            stack,
            branches,
        });
    }

    fn branches(&mut self, open: &Open) -> std::ops::Range<u32> {
        let start = self.profile.branches.len();
        let room = BRANCH_STACK_MAX.min(u32::MAX as usize - start);
        for (index, branch) in open.branches.iter().enumerate() {
            let is_nothing = branch.from.number == 0 && branch.to.number == 0;
            if index >= room || is_nothing || branch.not_taken {
                self.profile.losses.dropped_branches += 1;
                continue;
            }
            let (from, from_is_mapped) = self.locate(open.pid, branch.from);
            let (to, to_is_mapped) = self.locate(open.pid, branch.to);
            self.ends.count(branch.from.number, from_is_mapped);
            self.ends.count(branch.to.number, to_is_mapped);
            self.profile.branches.push(BranchRecord {
                from,
                to,
                mispredicted: branch.mispredicted,
                kind: branch.kind,
                third_argument: ThirdArgument::UNKNOWN,
            });
        }
        start as u32..self.profile.branches.len() as u32
    }

    /// Returns the event with this name; `None` if there are too many events.
    fn event(&mut self, name: Option<&str>) -> Option<EventId> {
        let name = name.unwrap_or("");
        if let Some(&id) = self.events.get(name) {
            return Some(id);
        }
        let events = &mut self.profile.events;
        if events.len() >= EVENTS_MAX {
            return None;
        }
        let id = EventId(events.len() as u32);
        events.push(Event {
            name: name.to_owned(),
            branches: BranchStacks::None,
        });
        self.events.insert(name.to_owned(), id);
        Some(id)
    }

    /// Returns the place of an address, and true if a mapping covers the address.
    fn locate(&mut self, pid: Option<i32>, frame: Frame) -> (LocationId, bool) {
        let found = self.places.locate(pid, frame, &mut self.profile);
        self.profile.losses.unmapped_addresses += u64::from(!found.1);
        found
    }
}

impl Open {
    fn new(header: Header<'_>, ip: Option<Frame>, branches: Vec<Branch<Frame>>) -> Self {
        Self {
            command: header.command,
            pid: header.pid,
            tid: header.tid,
            time_ns: header.time_ns,
            period: header.period,
            event: header.event.map(str::to_owned),
            ip,
            frames: Vec::new(),
            inlined: Vec::new(),
            branches,
            times: None,
        }
    }
}

/// Returns true for `file.c:5`, which the field `srcline` prints after each address.
fn is_source_line(words: &[&str]) -> bool {
    let [word] = words else {
        return false;
    };
    let line = word.rsplit_once(':').map(|(_, line)| line);
    line.is_some_and(|line| !line.is_empty() && is_count(line))
}

/// Returns true if the text has nothing but digits.
fn is_count(line: &str) -> bool {
    line.bytes().all(|byte| byte.is_ascii_digit())
}

impl Found {
    fn count(&mut self, address: u64, is_mapped: bool) {
        if !is_kernel(address) {
            self.all += 1;
            self.mapped += u64::from(is_mapped);
        }
    }
}

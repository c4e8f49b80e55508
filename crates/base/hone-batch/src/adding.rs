//! Samples of a recording, added up to a batch one by one.
//!
//! What of a sample's branch records counts is the rule of [`CountedBranches`], and which frames of a stack are believed that of
//! [`Profile::each_level`]: conversions and views of the batch count what those of the recording count.
//!
//! New stacks are what a batch is large by, so they have a limit. Beyond it the callers of new stacks are lost, but no sample and
//! no instruction. The other tables can have a limit too ([`TableLimit`]): beyond it samples are told less apart, and branches are
//! left out, which is counted.

use std::ops::Range;

use hone_profile::{
    Binary, BinaryKind, BranchRecord, CountedBranches, Event, EventId, Interner, LocationId,
    Profile, Sample, StackEnd, StackId, Thread, ThreadId,
};
use rustc_hash::FxHashMap;

use crate::batch::{
    BUCKET_S, Batch, EventIndex, Frame, FrameIndex, Group, GroupIndex, Origin, PlaceIndex,
};
use crate::group_field::GroupField;
use crate::limits::{DEPTH_MAX, HOST_BYTES_MAX, LABELS_MAX, cut, cut_to};
use crate::rows::SampleKey;
use crate::tables::{Edge, Tables, add};

/// Name of the innermost frame of folded stacks, and of its binary.
pub const FOLDED: &str = "[folded stack]";
/// Name of the place for all places that have no room, and of its binary.
pub const LEFT_OUT: &str = "[left out]";
/// Service of groups that have no room.
pub const OTHERS: &str = "[others]";

/// What the host knows of its samples beyond the recording.
pub trait Host {
    /// Returns what the samples of a thread are told apart by; asked once for each thread of the profile.
    fn group(&mut self, thread: &Thread) -> Group;

    /// Returns seconds since 1970 (UTC) for a time of the recording in nanoseconds.
    fn unix_s(&mut self, time_ns: u64) -> u64;

    /// Returns the name of the function at a place in the kernel or in memory without a file, as far as the host knows. For a
    /// return address (`is_return`) the function is that of the call just before. Asked once for each place.
    fn name(&mut self, profile: &Profile, at: LocationId, is_return: bool) -> Option<String>;
}

/// Limit on new stacks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StackLimit {
    /// Number of distinct frames in the trees of stacks. The marks of folded stacks come on top, at most one for each frame.
    pub frames_max: usize,
    /// Number of outermost frames that folded stacks keep, as far as they are known.
    pub folded_depth: usize,
}

impl Default for StackLimit {
    fn default() -> Self {
        Self {
            frames_max: 1 << 20,
            folded_depth: 8,
        }
    }
}

/// Limit on the other tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableLimit {
    /// Number of distinct places. Beyond it a place is its file alone, or [`LEFT_OUT`] in a file that is new.
    pub places_max: usize,
    /// Number of distinct groups. Beyond it groups lose container, thread and labels; beyond five quarters of it they become the
    /// group of [`OTHERS`].
    pub groups_max: usize,
    /// Number of distinct branches, and of distinct ranges. Beyond it new ones are left out.
    pub edges_max: usize,
}

impl TableLimit {
    /// No limit.
    pub const NONE: Self = Self {
        places_max: usize::MAX,
        groups_max: usize::MAX,
        edges_max: usize::MAX,
    };
}

impl Default for TableLimit {
    fn default() -> Self {
        Self::NONE
    }
}

/// A batch, with what it lost.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Added {
    /// The batch. Its span reaches from the first sample's second to the last one's.
    pub batch: Batch,
    /// Number of samples whose stack was folded.
    pub folded_samples: u64,
    /// Number of samples that are told less apart, since their group had no room.
    pub coarse_samples: u64,
    /// Number of places that had no room, and of branches and ranges that were left out for it. One that comes again is counted
    /// again.
    pub left_out: LeftOut,
}

/// What had no room in a batch.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftOut {
    /// Places of the recording that became their file, or [`LEFT_OUT`].
    pub places: u64,
    /// Times that branches were taken which the batch does not count.
    pub branches: u64,
    /// Times that ranges ran which the batch does not count.
    pub ranges: u64,
}

/// Sums of the samples of one profile.
#[derive(Clone, Debug, Default)]
pub struct Adding {
    origin: Origin,
    limit: StackLimit,
    room: TableLimit,
    tables: Tables,
    samples: FxHashMap<SampleKey, [u64; 2]>,
    known: Known,
    span_s: Option<Range<u64>>,
    folded_samples: u64,
    coarse_samples: u64,
    left_out: LeftOut,
    /// Places of a stack, leaf first: room that is used again.
    levels: Vec<PlaceIndex>,
}

/// Indices for the handles of the profile.
#[derive(Clone, Debug, Default)]
struct Known {
    events: FxHashMap<EventId, EventIndex>,
    groups: FxHashMap<ThreadId, Grouped>,
    /// Places by location: of instructions, and of return addresses.
    places: [Vec<Option<PlaceIndex>>; 2],
    stacks: FxHashMap<StackId, Stacked>,
}

/// Group that a thread's one became.
#[derive(Clone, Copy, Debug)]
struct Grouped {
    group: GroupIndex,
    is_coarse: bool,
}

/// Frame that a stack became.
#[derive(Clone, Copy, Debug)]
struct Stacked {
    frame: FrameIndex,
    is_folded: bool,
}

impl Adding {
    /// Begins a batch.
    pub fn new(mut origin: Origin, limit: StackLimit) -> Self {
        origin.host = cut_to(origin.host, HOST_BYTES_MAX);
        Self {
            origin,
            limit,
            ..Self::default()
        }
    }

    /// Keeps the other tables within a limit too.
    pub fn within(self, room: TableLimit) -> Self {
        Self { room, ..self }
    }

    /// Adds a sample with its branch records, newest first. All samples are of the same profile, which may grow meanwhile.
    pub fn add(
        &mut self,
        profile: &Profile,
        sample: &Sample,
        newest_first: &[BranchRecord],
        host: &mut impl Host,
    ) {
        let event = self.event(profile, sample.event);
        let Grouped { group, is_coarse } = self.group(profile, sample.thread, host);
        self.coarse_samples += if is_coarse { sample.times } else { 0 };
        let ip = self.place(profile, sample.ip, false, host);
        let stacked = match sample.stack {
            Some(stack) => self.stack(profile, stack, host),
            None => self.alone(ip),
        };
        self.folded_samples += if stacked.is_folded { sample.times } else { 0 };
        let innermost = self.tables.frames.items()[stacked.frame.index()].place;
        let time_s = host.unix_s(sample.time_ns);
        self.see(time_s);
        let key = SampleKey {
            event,
            group,
            is_leaf_only: sample.stack.is_none(),
            has_branches: !newest_first.is_empty(),
            stack: stacked.frame,
            ip: (innermost != ip).then_some(ip),
            bucket: time_s / BUCKET_S,
        };
        add(&mut self.samples, key, [sample.times, sample.weight]);
        if !newest_first.is_empty() {
            self.add_records((event, group), profile, sample, newest_first, host);
        }
    }

    /// Returns the batch.
    pub fn finish(self) -> Added {
        let samples = self.samples.into_iter();
        let samples = samples.map(|(key, counts)| key.row(counts));
        let batch = Batch {
            origin: self.origin,
            span_s: self.span_s.unwrap_or_default(),
            ..self.tables.finish(samples.collect())
        };
        Added {
            batch,
            folded_samples: self.folded_samples,
            coarse_samples: self.coarse_samples,
            left_out: self.left_out,
        }
    }

    fn add_records(
        &mut self,
        (event, group): (EventIndex, GroupIndex),
        profile: &Profile,
        sample: &Sample,
        newest_first: &[BranchRecord],
        host: &mut impl Host,
    ) {
        let times = sample.times;
        let Some(counted) =
            CountedBranches::of(profile.events.get(sample.event.index()), newest_first)
        else {
            self.tables.add_records(event, group, [times, 0, 0]);
            return;
        };
        let taken = counted.taken();
        let records = times.saturating_mul(taken.len() as u64);
        let counts = [times, records, counted.repeated() as u64];
        self.tables.add_records(event, group, counts);
        for record in taken {
            let [from, to] =
                [record.from, record.to].map(|end| self.place(profile, end, false, host));
            let mispredicted = times * u64::from(record.mispredicted);
            let edge = (group, from, to);
            match has_room(&self.tables.branches, &edge, self.room.edges_max) {
                true => self.tables.add_branches(edge, times, mispredicted),
                false => self.left_out.branches += times,
            }
        }
        for (first, last) in counted.ranges() {
            let [first, last] = [first, last].map(|end| self.place(profile, end, false, host));
            let edge = (group, first, last);
            match has_room(&self.tables.ranges, &edge, self.room.edges_max) {
                true => self.tables.add_ranges(edge, times),
                false => self.left_out.ranges += times,
            }
        }
    }

    /// Widens the span to a second.
    fn see(&mut self, time_s: u64) {
        let after = time_s.saturating_add(1);
        let span = self.span_s.get_or_insert(time_s..after);
        span.start = span.start.min(time_s);
        span.end = span.end.max(after);
    }

    fn event(&mut self, profile: &Profile, id: EventId) -> EventIndex {
        let tables = &mut self.tables;
        *self.known.events.entry(id).or_insert_with(|| {
            let event = profile.events.get(id.index()).cloned();
            let event = event.unwrap_or(Event {
                name: String::new(),
                branches: hone_profile::BranchStacks::None,
            });
            let name = cut(event.name);
            EventIndex(tables.events.intern(&Event { name, ..event }))
        })
    }

    fn group(&mut self, profile: &Profile, id: ThreadId, host: &mut impl Host) -> Grouped {
        let (groups, groups_max) = (&mut self.tables.groups, self.room.groups_max);
        *self.known.groups.entry(id).or_insert_with(|| {
            let group = within_limits(host.group(&profile.threads[id.index()]));
            let found = |groups: &Interner<Group>, group: &Group, max: usize| {
                groups.number(group).is_some() || groups.items().len() < max
            };
            let is_coarse = !found(groups, &group, groups_max);
            let mut group = group;
            if is_coarse {
                group = Group {
                    service: group.service,
                    build: group.build,
                    ..Group::default()
                };
            }
            if is_coarse && !found(groups, &group, groups_max.saturating_add(groups_max / 4)) {
                group = Group {
                    service: OTHERS.to_owned(),
                    ..Group::default()
                };
            }
            Grouped {
                group: GroupIndex(groups.intern(&group)),
                is_coarse,
            }
        })
    }

    fn place(
        &mut self,
        profile: &Profile,
        at: LocationId,
        is_return: bool,
        host: &mut impl Host,
    ) -> PlaceIndex {
        let known = &mut self.known.places[usize::from(is_return)];
        if let Some(&Some(place)) = known.get(at.index()) {
            return place;
        }
        let location = profile.location(at);
        let recorded = profile.binary(location.binary);
        let is_file = matches!(recorded.kind, BinaryKind::File | BinaryKind::Vdso);
        // A place in a file keeps its address, of which the file's symbols tell more than a name.
        let own = profile.own_names(at).next();
        let own = own.filter(|_| !is_file || !location.has_address());
        let mut name = own.map(|name| name.function.to_owned());
        if matches!(recorded.kind, BinaryKind::Kernel | BinaryKind::Anonymous) {
            name = name.or_else(|| host.name(profile, at, is_return));
        }
        let binary = Binary {
            path: cut(without_directory(recorded).to_owned()),
            ..recorded.clone()
        };
        let name = name.map(cut);
        let offset = if is_file { location.offset.0 } else { 0 };
        let place = match self.tables.known(&binary, name.as_deref(), offset) {
            Some(place) => place,
            None if self.tables.places.items().len() >= self.room.places_max => {
                self.left_out.places += 1;
                self.tables.without_room(&binary)
            }
            None => match name {
                Some(name) => self.tables.named(&binary, &name),
                None => self.tables.code(&binary, offset),
            },
        };
        if known.len() <= at.index() {
            known.resize(at.index() + 1, None);
        }
        known[at.index()] = Some(place);
        place
    }

    /// Returns the stack of a sample without callers.
    fn alone(&mut self, ip: PlaceIndex) -> Stacked {
        self.levels.clear();
        self.levels.push(ip);
        self.stacked()
    }

    fn stack(&mut self, profile: &Profile, stack: StackId, host: &mut impl Host) -> Stacked {
        if let Some(&known) = self.known.stacks.get(&stack) {
            return known;
        }
        let mut levels = std::mem::take(&mut self.levels);
        levels.clear();
        let mut is_cut = false;
        let mut end = profile.each_level(stack, |at, is_return| {
            // One frame is left for the end.
            is_cut |= levels.len() >= DEPTH_MAX - 1;
            if !is_cut {
                levels.push(self.place(profile, at, is_return, host));
            }
        });
        if is_cut {
            end = StackEnd::Truncated;
        }
        levels.extend(end.binary().map(|binary| self.tables.code(&binary, 0)));
        self.levels = levels;
        let stacked = self.stacked();
        self.known.stacks.insert(stack, stacked);
        stacked
    }

    /// Returns the stack of `levels`, folded if it has more new frames than there is room for.
    fn stacked(&mut self) -> Stacked {
        let outermost_first = self.levels.iter().rev();
        let mut known: Vec<FrameIndex> = Vec::new();
        for &place in outermost_first.clone() {
            let caller = known.last().copied();
            match self.tables.frames.number(&Frame { place, caller }) {
                Some(frame) => known.push(FrameIndex(frame)),
                None => break,
            }
        }
        let missing = self.levels.len() - known.len();
        let is_folded = self.tables.frames.items().len() + missing > self.limit.frames_max;
        if missing > 0 && is_folded {
            known.truncate(self.limit.folded_depth);
            let binary = Binary {
                path: FOLDED.to_owned(),
                build_id: None,
                kind: BinaryKind::Anonymous,
            };
            let mark = self.tables.named(&binary, FOLDED);
            return Stacked {
                frame: self.tables.frame(mark, known.last().copied()),
                is_folded,
            };
        }
        let mut caller = known.last().copied();
        for &place in outermost_first.skip(known.len()) {
            caller = Some(self.tables.frame(place, caller));
        }
        Stacked {
            frame: caller.expect("a stack has at least one frame"),
            is_folded: false,
        }
    }
}

/// True if a row is there, or has room.
fn has_room<V>(rows: &FxHashMap<Edge, V>, edge: &Edge, rows_max: usize) -> bool {
    rows.len() < rows_max || rows.contains_key(edge)
}

/// Returns the last part of a path, also of memory that a file names; names that are no paths (`[vdso]`, `//anon`) stay whole.
fn without_directory(binary: &Binary) -> &str {
    let path = binary.path.as_str();
    match path.starts_with('[') || path.starts_with("//") {
        true => path,
        false => path.rsplit('/').next().unwrap_or(path),
    }
}

/// Returns the group with texts and labels cut to what a batch may hold.
fn within_limits(group: Group) -> Group {
    let label = |label: &hone_profile::Label| hone_profile::Label {
        key: cut(label.key.to_string()).into(),
        value: cut(label.value.to_string()).into(),
    };
    let mut within = Group {
        labels: group.labels.iter().take(LABELS_MAX).map(label).collect(),
        ..group
    };
    for field in GroupField::ALL {
        let text = std::mem::take(field.of_mut(&mut within));
        *field.of_mut(&mut within) = match field {
            GroupField::Host => cut_to(text, HOST_BYTES_MAX),
            _ => cut(text),
        };
    }
    within
}

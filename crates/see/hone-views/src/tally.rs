//! The call stacks of a recording, counted sample by sample.

use hone_profile::{
    BinaryId, EventId, FileOffset, LocationId, Profile, Sample, StackEnd, StackId, Svma, ThreadId,
};
use hone_symbols::Binary;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// An instruction in a stack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place {
    /// Location of the instruction.
    pub location: LocationId,
    /// True if the location is a return address: the call itself is just before.
    pub is_return: bool,
}

impl Place {
    /// Returns the address of the instruction, for a return address that of the call's last byte; `None` if no segment of the
    /// binary loads the place.
    pub fn svma_in(self, binary: &Binary<'_>, profile: &Profile) -> Option<Svma> {
        let offset = profile.location(self.location).offset.0;
        binary.svma_of(FileOffset(offset.saturating_sub(u64::from(self.is_return))))
    }
}

/// Thread and stack that the samples of a row of the tally have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Key {
    pub(crate) thread: ThreadId,
    callers: Callers,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Callers {
    Stack(StackId),
    OnlyIp(LocationId),
}

/// Number and weight of samples.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Count {
    pub(crate) samples: u64,
    pub(crate) weight: u64,
    /// Sum of the squares of the samples' weights.
    pub(crate) squares: f64,
}

/// Time of a sample, with its event, key, number and weight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampleTime {
    pub(crate) time_ns: u64,
    pub(crate) event: EventId,
    pub(crate) key: Key,
    pub(crate) times: u64,
    pub(crate) weight: u64,
}

/// Distinct stacks by event and thread, with their samples.
#[derive(Clone, Debug, Default)]
pub struct StackTally {
    by_event: FxHashMap<EventId, FxHashMap<Key, Count>>,
    without_stack: FxHashMap<EventId, u64>,
    /// Times of all samples, if they are wanted.
    times: Option<Vec<SampleTime>>,
}

impl StackTally {
    /// Creates a tally that also keeps the time of each sample: 40 bytes a sample.
    pub fn with_times() -> Self {
        Self {
            times: Some(Vec::new()),
            ..Self::default()
        }
    }

    pub(crate) fn times(&self) -> &[SampleTime] {
        self.times.as_deref().unwrap_or_default()
    }

    /// Counts one sample.
    pub fn add(&mut self, sample: &Sample) {
        let callers = match sample.stack {
            Some(stack) => Callers::Stack(stack),
            None => {
                *self.without_stack.entry(sample.event).or_default() += sample.times;
                Callers::OnlyIp(sample.ip)
            }
        };
        let key = Key {
            thread: sample.thread,
            callers,
        };
        if let Some(times) = &mut self.times {
            times.push(SampleTime {
                time_ns: sample.time_ns,
                event: sample.event,
                key,
                times: sample.times,
                weight: sample.weight,
            });
        }
        let counts = self.by_event.entry(sample.event).or_default();
        let count = counts.entry(key).or_default();
        count.samples += sample.times;
        count.weight = count.weight.saturating_add(sample.weight);
        count.squares += (sample.weight as f64).powi(2) / sample.times.max(1) as f64;
    }

    /// Number of samples of an event.
    pub fn samples(&self, event: EventId) -> u64 {
        self.counts(event).map(|(_, count)| count.samples).sum()
    }

    /// Number of samples of an event of which only the instruction is known.
    pub fn without_stack(&self, event: EventId) -> u64 {
        self.without_stack.get(&event).copied().unwrap_or(0)
    }

    /// Weight of the samples of an event.
    pub fn weight(&self, event: EventId) -> u64 {
        self.counts(event).map(|(_, count)| count.weight).sum()
    }

    pub(crate) fn counts(&self, event: EventId) -> impl Iterator<Item = (&Key, &Count)> {
        self.by_event.get(&event).into_iter().flatten()
    }

    /// Returns all places in the stacks of an event by binary; these places need names. Functions of which only the name is known
    /// are left out.
    pub fn places(&self, profile: &Profile, event: EventId) -> BTreeMap<BinaryId, Vec<Place>> {
        let mut distinct = FxHashSet::default();
        for (key, _) in self.counts(event) {
            distinct.extend(key.places(profile).0);
        }
        let mut by_binary: BTreeMap<BinaryId, Vec<Place>> = BTreeMap::new();
        for place in distinct {
            let location = profile.location(place.location);
            if location.has_address() {
                by_binary.entry(location.binary).or_default().push(place);
            }
        }
        by_binary.values_mut().for_each(|places| places.sort());
        by_binary
    }
}

impl Key {
    /// Returns the location at which the sample was taken.
    pub(crate) fn leaf(&self, profile: &Profile) -> Option<LocationId> {
        match self.callers {
            Callers::Stack(stack) => profile.frames(stack).next(),
            Callers::OnlyIp(location) => Some(location),
        }
    }

    /// Returns the places of the stack, leaf first, as far as they are code, and how the stack ends.
    pub(crate) fn places(&self, profile: &Profile) -> (Vec<Place>, StackEnd) {
        let mut places: Vec<Place> = Vec::new();
        let mut push = |location, is_return| {
            places.push(Place {
                location,
                is_return,
            });
        };
        let end = match self.callers {
            Callers::Stack(stack) => profile.each_level(stack, push),
            Callers::OnlyIp(location) => {
                push(location, false);
                StackEnd::Root
            }
        };
        (places, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{KERNEL, Names, Stacks, Unknown};
    use hone_profile::{Binary, BinaryKind, BranchStacks, Event, FileOffset, Thread};

    fn binary(path: &str, kind: BinaryKind) -> Binary {
        Binary {
            path: path.into(),
            build_id: None,
            kind,
        }
    }

    #[test]
    fn callers_are_looked_up_before_where_they_return_to() {
        let mut profile = Profile::default();
        let kernel = profile.intern_binary(binary("[kernel.kallsyms]", BinaryKind::Kernel));
        let program = profile.intern_binary(binary("/p", BinaryKind::File));
        let mut stack = None;
        for (binary, offset) in [(program, 10), (program, 20), (kernel, 30), (kernel, 40)] {
            let location = profile.intern_location(binary, FileOffset(offset));
            stack = Some(profile.intern_frame(location, stack));
        }
        let key = Key {
            thread: ThreadId(0),
            callers: Callers::Stack(stack.unwrap()),
        };
        let (places, end) = key.places(&profile);
        let returns: Vec<bool> = places.iter().map(|place| place.is_return).collect();
        assert_eq!(returns, [false, true, false, true]);
        assert_eq!(end, StackEnd::Root);
    }

    #[test]
    fn a_stack_ends_where_there_is_no_code() {
        let mut profile = Profile::default();
        let program = profile.intern_binary(binary("/p", BinaryKind::File));
        let mut stack = None;
        for offset in [Some(10), None, Some(20), Some(30)] {
            let location = match offset {
                Some(offset) => profile.intern_location(program, FileOffset(offset)),
                None => profile.intern_unmapped(hone_profile::Avma(1)),
            };
            stack = Some(profile.intern_frame(location, stack));
        }
        let key = Key {
            thread: ThreadId(0),
            callers: Callers::Stack(stack.unwrap()),
        };
        let (places, end) = key.places(&profile);
        assert_eq!((places.len(), end), (2, StackEnd::Broken));
    }

    #[test]
    fn a_stack_says_that_it_was_truncated() {
        let mut profile = Profile::default();
        let program = profile.intern_binary(binary("/p", BinaryKind::File));
        let location = profile.intern_location(program, FileOffset(10));
        let callers = profile.intern_end(StackEnd::Truncated);
        let stack = profile.intern_frame(location, callers);
        let key = Key {
            thread: ThreadId(0),
            callers: Callers::Stack(stack),
        };
        let (places, end) = key.places(&profile);
        assert_eq!((places.len(), end), (1, StackEnd::Truncated));
        assert_eq!(profile.intern_end(StackEnd::Root), None);
    }

    #[test]
    fn functions_that_the_recording_names_need_no_symbols() {
        let mut profile = Profile::default();
        profile.events.push(Event {
            name: "cpu-clock".into(),
            branches: BranchStacks::None,
        });
        let thread = profile.intern_thread(Thread::default());
        let kernel = profile.intern_binary(Binary {
            path: "[kernel.kallsyms]".into(),
            build_id: None,
            kind: BinaryKind::Kernel,
        });
        let ip = profile.intern_named(kernel, "do_syscall_64");
        let sample = Sample {
            event: EventId(0),
            thread,
            time_ns: 0,
            weight: 1,
            times: 1,
            ip,
            stack: None,
            branches: 0..0,
        };
        let mut tally = StackTally::default();
        tally.add(&sample);
        assert!(tally.places(&profile, EventId(0)).is_empty());
        let stacks = Stacks::new(&profile, &tally, EventId(0), &Names::default());
        let frame = stacks.frame(stacks.stacks[0].frames[0]);
        assert_eq!(
            (&*frame.function, &*frame.binary),
            ("do_syscall_64", KERNEL)
        );
        assert_eq!(stacks.unknown, Unknown::default());
    }
}

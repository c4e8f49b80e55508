//! A recording, counted by location: everything that a conversion needs, for any binary.
//!
//! Counting needs memory for distinct branches, ranges and instructions, not for samples; so a recording of any
//! length can be added sample by sample.
//!
//! What of a sample's branch records counts is the rule of [`CountedBranches`]: walks in pieces, and partial stacks.
//!
//! Recordings that are added up already come in counts: [`Tally::add_summed`], [`Tally::add_branch`] and the like.

use crate::counts::{BranchCount, add};
use crate::observations::{Observations, Parts};
use hone_profile::{
    Binary, BinaryKind, BranchRecord, BranchStacks, CountedBranches, Event, EventId, LocationId,
    Profile, Sample,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// A recording: the tables of its profile, and the counts of its samples.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    /// Files, threads, locations and losses; the samples of the profile are not needed any more.
    pub profile: Profile,
    pub(crate) tally: Tally,
    /// Parts of the tally, by which halves of the recording are compared; `None` if its observations are not known.
    pub(crate) parts: Option<Parts>,
}

impl Recorded {
    /// Creates a recording from its profile and the tally of its samples, whose halves are not known.
    pub fn new(profile: Profile, tally: Tally) -> Self {
        Self {
            profile,
            tally,
            parts: None,
        }
    }

    /// Creates a recording from its profile and its observations.
    pub fn observed(profile: Profile, observations: Observations) -> Self {
        let (tally, parts) = observations.finish();
        Self {
            profile,
            tally,
            parts: Some(parts),
        }
    }

    /// Returns the events whose samples have branch stacks, with the kind of the stacks and the number of the samples.
    pub fn events_with_stacks(&self) -> Vec<(&str, BranchStacks, u64)> {
        let events = self.tally.with_stacks.iter();
        let described = events.filter_map(|(event, &samples)| {
            let event = self.profile.events.get(event.index())?;
            Some((event.name.as_str(), event.branches, samples))
        });
        described.collect()
    }

    /// Returns the files that samples fell in, with their samples, most first.
    pub fn files_by_samples(&self) -> Vec<(String, u64)> {
        self.by_samples(|binary| (binary.kind == BinaryKind::File).then_some(binary.path.as_str()))
    }

    /// Returns the files and also the kernel, code made at run time, and unknown addresses, with their samples, most first.
    pub fn places_by_samples(&self) -> Vec<(String, u64)> {
        self.by_samples(|binary| {
            Some(match binary.kind {
                BinaryKind::File => &binary.path,
                BinaryKind::Kernel => "[kernel]",
                BinaryKind::Vdso => "[vdso]",
                BinaryKind::Anonymous => "[memory without a file]",
                BinaryKind::Unmapped => "[nowhere known]",
            })
        })
    }

    fn by_samples<'r>(
        &'r self,
        name: impl Fn(&'r Binary) -> Option<&'r str>,
    ) -> Vec<(String, u64)> {
        let mut by_name: FxHashMap<&str, u64> = FxHashMap::default();
        for (&ip, &count) in &self.tally.samples_at {
            let binary = self.profile.binary(self.profile.location(ip).binary);
            if let Some(name) = name(binary) {
                *by_name.entry(name).or_default() += count;
            }
        }
        let mut seen: Vec<_> = by_name
            .into_iter()
            .map(|(name, n)| (name.to_owned(), n))
            .collect();
        seen.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        seen
    }
}

impl From<Profile> for Recorded {
    fn from(profile: Profile) -> Self {
        let mut observations = Observations::default();
        for sample in &profile.samples {
            observations.add(&profile, sample, profile.branches_of(sample));
        }
        Self::observed(profile, observations)
    }
}

type Pair = (LocationId, LocationId);

/// Counts of samples, branches and ranges by location.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub(crate) branches: FxHashMap<Pair, BranchCount>,
    /// Code that ran from a branch's target through the next branch.
    pub(crate) ranges: FxHashMap<Pair, u64>,
    /// Weight of samples without branch records, or with partial branch stacks, by instruction.
    pub(crate) plain: FxHashMap<LocationId, u64>,
    /// Weight of samples that have branch records and are no walks.
    pub(crate) with_branches: FxHashMap<LocationId, u64>,
    /// Number of samples by instruction, including walks.
    pub(crate) samples_at: FxHashMap<LocationId, u64>,
    pub(crate) samples: u64,
    pub(crate) samples_with_branches: u64,
    /// Number of branch records, without the repeated records of cut walks.
    pub(crate) branch_records: u64,
    pub(crate) repeated_records: u64,
    /// Number of samples with branch stacks, by event.
    with_stacks: BTreeMap<EventId, u64>,
}

impl Tally {
    /// Counts one sample with its branch records, newest first.
    pub fn add(&mut self, profile: &Profile, sample: &Sample, newest_first: &[BranchRecord]) {
        self.add_summed(profile, sample, !newest_first.is_empty());
        let event = profile.events.get(sample.event.index());
        let Some(counted) = CountedBranches::of(event, newest_first) else {
            return;
        };
        let taken = counted.taken();
        self.add_records(
            sample.times.saturating_mul(taken.len() as u64),
            counted.repeated() as u64,
        );
        for record in taken {
            let count = BranchCount {
                taken: sample.times,
                mispredicted: sample.times * u64::from(record.mispredicted),
            };
            self.add_branch(record.from, record.to, count);
        }
        for (first, last) in counted.ranges() {
            self.add_range(first, last, sample.times);
        }
    }

    /// Counts a sample whose branch records, if it has any, are counted apart.
    pub fn add_summed(&mut self, profile: &Profile, sample: &Sample, has_records: bool) {
        add(&mut self.samples, sample.times);
        add(self.samples_at.entry(sample.ip).or_default(), sample.times);
        if has_records {
            let of_event = self.with_stacks.entry(sample.event).or_default();
            add(of_event, sample.times);
        }
        let event = profile.events.get(sample.event.index());
        if !has_records || event.is_some_and(|event| event.branches.are_partial()) {
            add(self.plain.entry(sample.ip).or_default(), sample.weight);
            return;
        }
        add(&mut self.samples_with_branches, sample.times);
        if !event.is_some_and(Event::is_walk) {
            let weight = self.with_branches.entry(sample.ip).or_default();
            add(weight, sample.weight);
        }
    }

    /// Counts how often a branch was taken.
    pub fn add_branch(&mut self, from: LocationId, to: LocationId, count: BranchCount) {
        let sum = self.branches.entry((from, to)).or_default();
        add(&mut sum.taken, count.taken);
        add(&mut sum.mispredicted, count.mispredicted);
    }

    /// Counts how often the code from a branch's target through the next branch ran.
    pub fn add_range(&mut self, first: LocationId, last: LocationId, times: u64) {
        add(self.ranges.entry((first, last)).or_default(), times);
    }

    /// Adds the counts of other samples of the same profile.
    pub(crate) fn take_in(&mut self, other: &Self) {
        for (&(from, to), &count) in &other.branches {
            self.add_branch(from, to, count);
        }
        for (&(first, last), &times) in &other.ranges {
            self.add_range(first, last, times);
        }
        let by_place = [
            (&mut self.plain, &other.plain),
            (&mut self.with_branches, &other.with_branches),
            (&mut self.samples_at, &other.samples_at),
        ];
        for (sums, others) in by_place {
            for (&place, &count) in others {
                add(sums.entry(place).or_default(), count);
            }
        }
        for (&event, &count) in &other.with_stacks {
            add(self.with_stacks.entry(event).or_default(), count);
        }
        add(&mut self.samples, other.samples);
        add(&mut self.samples_with_branches, other.samples_with_branches);
        self.add_records(other.branch_records, other.repeated_records);
    }

    /// Counts branch records, and those which only repeat a record of another sample.
    pub fn add_records(&mut self, branches: u64, repeated: u64) {
        add(&mut self.branch_records, branches);
        add(&mut self.repeated_records, repeated);
    }
}

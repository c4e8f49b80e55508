//! Halves of recordings as counts and as profiles.

use crate::code::Code;
use crate::counts::{Counts, add};
use crate::location_counts::Recorded;
use crate::observations::{GROUPS, PERIODS, Parts};
use crate::sample_profile::SampleProfile;
use hone_profile::BinaryId;
use rustc_hash::FxHashMap;

/// Kind of the observations that a profile is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Walks made in software, each of many branches.
    Walks,
    /// Branch stacks of the hardware.
    BranchStacks,
    /// Samples without branch records.
    Samples,
}

/// Counts of one binary by groups of observations and by halves of the time.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountedParts {
    by_group: Vec<Counts>,
    /// Counts of the first and the second half of each recording; `None` if one has no times.
    by_time: Option<[Counts; 2]>,
    stacks: u64,
    plain: u64,
    has_walks: bool,
}

impl CountedParts {
    /// Adds the parts of a recording, in which the binary has these ids.
    pub(crate) fn and(
        mut self,
        recorded: &Recorded,
        ids: &[BinaryId],
        counted: Vec<[Counts; PERIODS]>,
    ) -> Option<Self> {
        let Parts { early, seen, .. } = recorded.parts.as_ref()?;
        let is_first = self.by_group.is_empty();
        let mut by_time = match is_first {
            true => Some(<[Counts; 2]>::default()),
            false => self.by_time.take(),
        };
        let mut by_group = vec![Counts::default(); counted.len()];
        for (group, periods) in by_group.iter_mut().zip(&counted) {
            for (number, counts) in periods.iter().enumerate() {
                group.add(counts);
                if let (Some(halves), Some(early)) = (&mut by_time, early) {
                    halves[usize::from(number >= *early)].add(counts);
                }
            }
        }
        self.by_time = by_time.filter(|_| early.is_some());
        self.by_group = match is_first {
            true => by_group,
            false => sum(self.by_group, by_group),
        };
        let of_binary = |seen: &FxHashMap<BinaryId, u64>| {
            let counts = ids.iter().filter_map(|id| seen.get(id).copied());
            counts.fold(0, u64::saturating_add)
        };
        add(&mut self.stacks, of_binary(&seen.stacks));
        add(&mut self.plain, of_binary(&seen.plain));
        self.has_walks |= seen.has_walks;
        Some(self)
    }

    /// Returns the ways to make halves of the groups.
    fn ways(&self) -> Vec<[Counts; 2]> {
        let with_first = |other: usize| {
            let mut halves = <[Counts; 2]>::default();
            for (group, counts) in self.by_group.iter().enumerate() {
                halves[usize::from(group != 0 && group != other)].add(counts);
            }
            halves
        };
        match self.by_group.len() {
            GROUPS => (1..GROUPS).map(with_first).collect(),
            _ => vec![with_first(0)],
        }
    }
}

/// Adds the groups of two recordings; two groups are left if one of them has two.
fn sum(mut first: Vec<Counts>, mut second: Vec<Counts>) -> Vec<Counts> {
    let groups = first.len().min(second.len()).max(1);
    for counts in [&mut first, &mut second] {
        let rest = counts.split_off(groups.min(counts.len()));
        for (number, other) in rest.iter().enumerate() {
            counts[number % groups].add(other);
        }
    }
    for (sum, other) in first.iter_mut().zip(&second) {
        sum.add(other);
    }
    first
}

/// Profiles of the halves of recordings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Halves {
    /// Number of independent observations in the files of the profile.
    pub observations: u64,
    /// Kind of these observations.
    pub unit: Unit,
    /// Profiles of halves that chance dealt out, in one way or several.
    pub dealt: Vec<[SampleProfile; 2]>,
    /// Weights of functions in the first and in the second half of the time; `None` if it is not known.
    pub in_time: Option<[FxHashMap<String, u64>; 2]>,
}

impl Halves {
    /// Makes profiles of halves as `profile_of` makes them of counts.
    pub(crate) fn of(
        parts: &CountedParts,
        by_branches: bool,
        code: &Code<'_>,
        profile_of: impl Fn(&Counts) -> SampleProfile,
    ) -> Self {
        let ways = parts.ways();
        let in_time = parts.by_time.as_ref();
        Self {
            observations: match by_branches {
                true => parts.stacks,
                // Walks are no samples of time.
                false if parts.has_walks => parts.plain,
                false => parts.plain.saturating_add(parts.stacks),
            },
            unit: match (by_branches, parts.has_walks) {
                (false, _) => Unit::Samples,
                (true, true) => Unit::Walks,
                (true, false) => Unit::BranchStacks,
            },
            dealt: ways
                .iter()
                .map(|way| way.each_ref().map(&profile_of))
                .collect(),
            in_time: in_time.map(|halves| halves.each_ref().map(|half| by_function(half, code))),
        }
    }

    /// Adds the halves of another file in the same recordings.
    #[must_use]
    pub(crate) fn with(mut self, part: Self) -> Self {
        self.observations = self.observations.max(part.observations);
        for (way, others) in self.dealt.iter_mut().zip(part.dealt) {
            for (half, other) in way.iter_mut().zip(others) {
                half.take_in(other);
            }
        }
        self.in_time = self.in_time.zip(part.in_time).map(|(mut halves, others)| {
            for (half, other) in halves.iter_mut().zip(others) {
                for (name, weight) in other {
                    add(half.entry(name).or_default(), weight);
                }
            }
            halves
        });
        self
    }
}

/// Returns the bytes that ran of each function, or its weight of plain samples.
fn by_function(counts: &Counts, code: &Code<'_>) -> FxHashMap<String, u64> {
    let mut weights: FxHashMap<&str, u64> = FxHashMap::default();
    let ranges = counts.ranges.iter();
    let of_ranges =
        ranges.map(|(&(first, last), &times)| (first, times.saturating_mul(last.0 - first.0 + 1)));
    let ips = counts.ips.iter().filter(|_| !counts.has_branches());
    for (at, weight) in of_ranges.chain(ips.map(|(&at, &weight)| (at, weight))) {
        if let Some(function) = code.binary().function_at(at) {
            add(
                weights.entry(function.canonical_name()).or_default(),
                weight,
            );
        }
    }
    let named = weights.into_iter();
    named
        .map(|(name, weight)| (name.to_owned(), weight))
        .collect()
}

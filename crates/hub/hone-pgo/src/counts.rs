//! Sums of a build as what conversions count by.

use std::collections::BTreeMap;

use hone_batch::{Batch, Restored, restore};
use hone_fdo::{BranchCount, Code, Counts, Recorded, Tally, go_pgo};
use hone_profile::{BinaryKind, LocationId, Profile};

/// Share of the samples whose functions count as hot.
const HOT_SHARE: f64 = 0.9;

/// Sums of a build, counted.
pub(crate) struct Counted {
    pub(crate) recorded: Recorded,
    /// Call chains.
    pub(crate) stacks: go_pgo::Stacks,
    /// Number of samples by instruction.
    samples_at: BTreeMap<LocationId, u64>,
}

impl Counted {
    pub(crate) fn of(batch: &Batch) -> Self {
        let mut tally = Tally::default();
        let mut stacks = go_pgo::Stacks::default();
        let mut samples_at: BTreeMap<LocationId, u64> = BTreeMap::new();
        let take = |profile: &Profile, row: Restored<'_>| match row {
            Restored::Samples {
                sample,
                has_records,
            } => {
                tally.add_summed(profile, sample, has_records);
                stacks.add(profile, sample);
                let sum = samples_at.entry(sample.ip).or_default();
                *sum = sum.saturating_add(sample.times);
            }
            Restored::Branches {
                from,
                to,
                taken,
                mispredicted,
            } => {
                let count = BranchCount {
                    taken,
                    mispredicted,
                };
                tally.add_branch(from, to, count);
            }
            Restored::Ranges { first, last, times } => tally.add_range(first, last, times),
            Restored::Records { branches, repeated } => tally.add_records(branches, repeated),
        };
        let profile = restore(batch, take);
        Self {
            recorded: Recorded::new(profile, tally),
            stacks,
            samples_at,
        }
    }

    /// Returns the share of the samples in the hottest functions that fell in functions with counts of executions: 1 for
    /// plain samples, and where no sample fell in a function.
    pub(crate) fn hot_covered(&self, code: &Code<'_>, counts: &Counts) -> f64 {
        let binary = code.binary();
        let mut hot: BTreeMap<&str, u64> = BTreeMap::new();
        for (&at, &samples) in &self.samples_at {
            let location = self.recorded.profile.location(at);
            let file = self.recorded.profile.binary(location.binary);
            let is_here =
                file.kind == BinaryKind::File && file.build_id.as_ref() == binary.build_id();
            if !is_here || !location.has_address() {
                continue;
            }
            let svma = binary.svma_of(location.offset);
            if let Some(function) = svma.and_then(|svma| binary.function_at(svma)) {
                let sum = hot.entry(function.canonical_name()).or_default();
                *sum = sum.saturating_add(samples);
            }
        }
        let mut hot: Vec<(&str, u64)> = hot.into_iter().collect();
        hot.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(b.0)));
        let all: f64 = hot.iter().map(|&(_, samples)| samples as f64).sum();
        let has_counts = executed(code, counts);
        let (mut seen, mut covered) = (0.0, 0.0);
        for (name, samples) in hot {
            if seen >= HOT_SHARE * all {
                break;
            }
            seen += samples as f64;
            covered += if has_counts.contains(name) {
                samples as f64
            } else {
                0.0
            };
        }
        if seen > 0.0 { covered / seen } else { 1.0 }
    }
}

/// Returns the names of the functions with counts.
fn executed<'c>(code: &'c Code<'_>, counts: &Counts) -> std::collections::BTreeSet<&'c str> {
    let ranges = counts.ranges.keys().map(|(first, _)| *first);
    let ips = counts
        .ips
        .keys()
        .copied()
        .filter(|_| !counts.has_branches());
    let places = ranges.chain(ips);
    let functions = places.filter_map(|svma| code.binary().function_at(svma));
    functions
        .map(|function| function.canonical_name())
        .collect()
}

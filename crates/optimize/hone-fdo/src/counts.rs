//! Counts of branches, ranges and instructions of one binary in a recording.

use crate::overview::RecordingLosses;
use hone_profile::Svma;
use std::collections::BTreeMap;

/// Number of times that one branch was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BranchCount {
    /// Number of times the branch was taken.
    pub taken: u64,
    /// Number of times the CPU had predicted otherwise, if recorded.
    pub mispredicted: u64,
}

/// Counts of one binary, in sorted maps, so that everything made from them is reproducible.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Taken branches with both ends in the binary: (branch instruction, target).
    pub branches: BTreeMap<(Svma, Svma), BranchCount>,
    /// Code that ran from a branch's target through the next branch: (first instruction, last
    /// instruction), both inclusive.
    pub ranges: BTreeMap<(Svma, Svma), u64>,
    /// Ranges in PLT stubs. They are kept apart because no profile is made of them; BOLT even takes them for a
    /// mismatch.
    pub plt_ranges: BTreeMap<(Svma, Svma), u64>,
    /// Branches that came from another binary, by target.
    pub entering: BTreeMap<Svma, u64>,
    /// Branches that went to another binary, by branch instruction.
    pub leaving: BTreeMap<Svma, u64>,
    /// Weight of the samples without branch records, by instruction.
    pub ips: BTreeMap<Svma, u64>,
    /// Numbers of used and unused records.
    pub report: AggregateReport,
}

impl Counts {
    /// Returns true if the counts come from branch records; if not, only `ips` is filled.
    pub fn has_branches(&self) -> bool {
        !self.ranges.is_empty() || !self.branches.is_empty()
    }

    /// Adds the counts of another recording of the same binary.
    pub fn add(&mut self, other: &Self) {
        for (&branch, count) in &other.branches {
            let sum = self.branches.entry(branch).or_default();
            sum.taken += count.taken;
            sum.mispredicted += count.mispredicted;
        }
        add_all(&mut self.ranges, &other.ranges);
        add_all(&mut self.plt_ranges, &other.plt_ranges);
        add_all(&mut self.entering, &other.entering);
        add_all(&mut self.leaving, &other.leaving);
        add_all(&mut self.ips, &other.ips);
        self.report.add(&other.report);
    }
}

/// Adds weights. Weights come from the file and may have any value, so the sum stops at the largest number.
pub(crate) fn add(sum: &mut u64, weight: u64) {
    *sum = sum.saturating_add(weight);
}

fn add_all<K: Ord + Copy>(sum: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (&key, &count) in other {
        add(sum.entry(key).or_default(), count);
    }
}

/// Numbers of records that the aggregation used and could not use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AggregateReport {
    /// Samples in the recording.
    pub samples: u64,
    /// Samples with branch records.
    pub samples_with_branches: u64,
    /// Samples whose instruction lies in the binary.
    pub samples_here: u64,
    /// Weight of all samples without branch records.
    pub ip_weight: u64,
    /// Part of `ip_weight` in the binary.
    pub ip_weight_here: u64,
    /// Part of `ip_weight` in the kernel.
    pub ip_weight_kernel: u64,
    /// Branch records in the recording, without the repeated records of cut walks.
    pub branches: u64,
    /// Branch records with neither end in the binary.
    pub branches_foreign: u64,
    /// Branch records with one end in the binary.
    pub branches_crossing: u64,
    /// Oldest records of walk pieces, which repeat the newest record of the piece before.
    pub branches_repeated: u64,
    /// Pairs of consecutive branch records.
    pub ranges: u64,
    /// Ranges that became counts.
    pub ranges_used: u64,
    /// Ranges outside the binary.
    pub ranges_foreign: u64,
    /// Ranges that end before they start, or in another binary: records in between are missing.
    pub ranges_broken: u64,
    /// Ranges that are longer than any possible run of basic blocks.
    pub ranges_too_long: u64,
    /// Ranges that start in one function and end in another.
    pub ranges_across_functions: u64,
    /// Ranges that would run through an unconditional jump or a return.
    pub ranges_through_jump: u64,
    /// Records whose file offset no segment of the binary loads.
    pub unloaded_offsets: u64,
    /// Losses in the recordings themselves.
    pub losses: RecordingLosses,
}

impl AggregateReport {
    fn add(&mut self, other: &Self) {
        self.samples += other.samples;
        self.samples_with_branches += other.samples_with_branches;
        self.samples_here += other.samples_here;
        add(&mut self.ip_weight, other.ip_weight);
        add(&mut self.ip_weight_here, other.ip_weight_here);
        add(&mut self.ip_weight_kernel, other.ip_weight_kernel);
        self.branches += other.branches;
        self.branches_foreign += other.branches_foreign;
        self.branches_crossing += other.branches_crossing;
        self.branches_repeated += other.branches_repeated;
        self.ranges += other.ranges;
        self.ranges_used += other.ranges_used;
        self.ranges_foreign += other.ranges_foreign;
        self.ranges_broken += other.ranges_broken;
        self.ranges_too_long += other.ranges_too_long;
        self.ranges_across_functions += other.ranges_across_functions;
        self.ranges_through_jump += other.ranges_through_jump;
        self.unloaded_offsets += other.unloaded_offsets;
        self.losses.sum(&other.losses);
    }

    /// Adds the report of another file in the same recordings; numbers about the recordings as a whole stay the same.
    pub(crate) fn take_in(&mut self, part: &Self) {
        self.samples_here += part.samples_here;
        add(&mut self.ip_weight_here, part.ip_weight_here);
        // Records with both ends in the other file, which were foreign here.
        let of_part = part
            .branches
            .saturating_sub(part.branches_foreign + part.branches_crossing);
        self.branches_foreign = self.branches_foreign.saturating_sub(of_part);
        self.ranges_used += part.ranges_used;
        self.ranges_foreign = self
            .ranges_foreign
            .saturating_sub(part.ranges_used + part.ranges_dropped());
        self.ranges_broken += part.ranges_broken;
        self.ranges_too_long += part.ranges_too_long;
        self.ranges_across_functions += part.ranges_across_functions;
        self.ranges_through_jump += part.ranges_through_jump;
        self.unloaded_offsets += part.unloaded_offsets;
    }

    /// Number of the binary's own ranges that had to be dropped.
    pub fn ranges_dropped(&self) -> u64 {
        self.ranges_broken
            + self.ranges_too_long
            + self.ranges_across_functions
            + self.ranges_through_jump
    }

    /// Share of the binary's own ranges that had to be dropped, 0 to 1.
    pub fn broken_ratio(&self) -> f64 {
        let own = self.ranges_dropped() + self.ranges_used;
        if own == 0 {
            0.0
        } else {
            self.ranges_dropped() as f64 / own as f64
        }
    }
}

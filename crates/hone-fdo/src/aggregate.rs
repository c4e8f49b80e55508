//! From samples to counts: branches, and the ranges of code between consecutive branches.
//!
//! A branch stack says that control arrived at the target of one record and left at the branch of the next
//! newer one, so everything between ran once. These ranges, not the sampled instruction, carry the profile:
//! a stack of 32 records is worth hundreds of instructions.
//!
//! Records may be missing (a lost piece, a skipped library, a signal). A range over such a gap would credit
//! code that did not run, so a range counts only if it stays in one function, runs forward, and meets no
//! instruction that control cannot pass; everything else is counted as lost.
//!
//! Convention for Hone's own walks (event [`WALK_EVENT`]): a walk is cut into pieces, and each piece
//! repeats the newest record of the piece before as its oldest entry. That entry opens the first range and is
//! not counted as a branch again. Stacks of hardware overlap by nothing: all their entries count.

use crate::code::{Code, Instructions};
use crate::counts::{AggregateReport, BranchCount, Counts, add};
use crate::error::FdoError;
use hone_profile::{BinaryId, BinaryKind, BranchRecord, LocationId, Profile, Svma};
use hone_symbols::Binary;
use rustc_hash::FxHashMap;

/// The event whose branch stacks are pieces of walks made in software.
pub const WALK_EVENT: &str = "hone-walk";

/// Longest range between two taken branches, in bytes.
pub const RANGE_BYTES_MAX: u64 = 1 << 20;

/// How many files an error lists.
const FILES_LISTED: usize = 5;

/// The binaries of the profile that are this file: those with its build id, or else those of its name.
///
/// `path_hint` is where the caller found the file; without build ids its last component is compared.
pub fn find_binaries(
    profile: &Profile,
    binary: &Binary<'_>,
    path_hint: Option<&str>,
) -> Result<Vec<BinaryId>, FdoError> {
    if profile.samples.is_empty() {
        return Err(FdoError::NoSamples);
    }
    let files = || {
        let all = profile.binaries.iter().enumerate();
        all.filter(|(_, file)| file.kind == BinaryKind::File)
    };
    let ids = |found: Vec<usize>| {
        found
            .into_iter()
            .map(|index| BinaryId(index as u32))
            .collect()
    };
    if let Some(build_id) = binary.build_id() {
        let same = |(index, file): (usize, &hone_profile::Binary)| {
            (file.build_id.as_ref() == Some(build_id)).then_some(index)
        };
        let found: Vec<usize> = files().filter_map(same).collect();
        if !found.is_empty() {
            return Ok(ids(found));
        }
    }
    let mut named: Vec<(usize, &hone_profile::Binary)> = Vec::new();
    if let Some(hint) = path_hint {
        named = files().filter(|(_, file)| file.path == hint).collect();
        if named.is_empty() {
            named = files()
                .filter(|(_, file)| base_name(&file.path) == base_name(hint))
                .collect();
        }
    }
    let unknown =
        |file: &hone_profile::Binary| file.build_id.is_none() || binary.build_id().is_none();
    let found: Vec<usize> = named
        .iter()
        .filter(|(_, file)| unknown(file))
        .map(|(index, _)| *index)
        .collect();
    if !found.is_empty() {
        return Ok(ids(found));
    }
    if let Some((_, file)) = named.first()
        && let (Some(recorded), Some(own)) = (&file.build_id, binary.build_id())
    {
        return Err(FdoError::BuildIdDiffers {
            path: file.path.clone(),
            recorded: recorded.clone(),
            binary: own.clone(),
        });
    }
    Err(no_samples_in_binary(profile))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The files that samples fell in, with their samples, most first.
pub fn files_by_samples(profile: &Profile) -> Vec<(String, u64)> {
    let mut by_binary: FxHashMap<BinaryId, u64> = FxHashMap::default();
    for sample in &profile.samples {
        *by_binary
            .entry(profile.location(sample.ip).binary)
            .or_default() += 1;
    }
    let mut seen: Vec<_> = by_binary
        .into_iter()
        .map(|(id, n)| (profile.binary(id), n))
        .filter(|(binary, _)| binary.kind == BinaryKind::File)
        .map(|(binary, n)| (binary.path.clone(), n))
        .collect();
    seen.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    seen
}

pub(crate) fn no_samples_in_binary(profile: &Profile) -> FdoError {
    let mut seen = files_by_samples(profile);
    seen.truncate(FILES_LISTED);
    FdoError::NoSamplesInBinary {
        samples: profile.samples.len() as u64,
        seen,
    }
}

/// Which of a recording's samples a profile is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evidence {
    /// Branch stacks; plain samples only where the recording has no branch stacks at all.
    #[default]
    Branches,
    /// Plain samples alone: the instruction of each sample that time (or an event) chose. Walks are left out,
    /// since their pieces do not stand for equal times.
    IpSamples,
}

/// Counts what the profile says about one binary, whose ids in the profile are `ids`.
pub fn aggregate(
    profile: &Profile,
    ids: &[BinaryId],
    code: &Code<'_>,
    evidence: Evidence,
) -> Counts {
    let mut tally = Tally {
        profile,
        places: places(profile, ids, code.binary()),
        ..Tally::new(profile)
    };
    for sample in &profile.samples {
        let is_walk = profile
            .events
            .get(sample.event.index())
            .is_some_and(|e| e.name == WALK_EVENT);
        let stack = profile.branches_of(sample);
        tally.report.samples += 1;
        if matches!(tally.place(sample.ip), Place::Here(_)) {
            tally.report.samples_here += 1;
        }
        match evidence {
            Evidence::Branches if !stack.is_empty() => tally.add_stack(stack, is_walk),
            Evidence::IpSamples if is_walk => {}
            _ => tally.add_ip(sample.ip, sample.weight),
        }
    }
    tally.finish(code)
}

/// Where a location lies, seen from the binary.
#[derive(Clone, Copy)]
enum Place {
    Here(Svma),
    Kernel,
    Elsewhere,
    /// In the binary's file, at an offset that is not loaded.
    NotLoaded,
}

fn places(profile: &Profile, ids: &[BinaryId], binary: &Binary<'_>) -> Vec<Place> {
    (0..profile.location_count() as u32)
        .map(|index| {
            let location = profile.location(LocationId(index));
            if ids.contains(&location.binary) {
                return binary
                    .svma_of(location.offset)
                    .map_or(Place::NotLoaded, Place::Here);
            }
            match profile.binary(location.binary).kind {
                BinaryKind::Kernel => Place::Kernel,
                _ => Place::Elsewhere,
            }
        })
        .collect()
}

/// Counts by location, before they are translated: the same pairs come again and again.
struct Tally<'p> {
    profile: &'p Profile,
    places: Vec<Place>,
    branches: FxHashMap<(LocationId, LocationId), BranchCount>,
    ranges: FxHashMap<(LocationId, LocationId), u64>,
    ips: FxHashMap<LocationId, u64>,
    report: AggregateReport,
}

impl<'p> Tally<'p> {
    fn new(profile: &'p Profile) -> Self {
        Self {
            profile,
            places: Vec::new(),
            branches: FxHashMap::default(),
            ranges: FxHashMap::default(),
            ips: FxHashMap::default(),
            report: AggregateReport::default(),
        }
    }

    fn place(&self, id: LocationId) -> Place {
        self.places[id.index()]
    }

    fn add_ip(&mut self, ip: LocationId, weight: u64) {
        add(&mut self.report.ip_weight, weight);
        add(self.ips.entry(ip).or_default(), weight);
    }

    fn add_stack(&mut self, newest_first: &[BranchRecord], is_walk: bool) {
        self.report.samples_with_branches += 1;
        let counted = newest_first.len() - usize::from(is_walk);
        self.report.branches_repeated += u64::from(is_walk);
        self.report.branches += counted as u64;
        for record in &newest_first[..counted] {
            let count = self.branches.entry((record.from, record.to)).or_default();
            count.taken += 1;
            count.mispredicted += u64::from(record.mispredicted);
        }
        for pair in newest_first.windows(2) {
            let (newer, older) = (&pair[0], &pair[1]);
            *self.ranges.entry((older.to, newer.from)).or_default() += 1;
            self.report.ranges += 1;
        }
    }

    fn finish(self, code: &Code<'_>) -> Counts {
        let mut counts = Counts {
            report: self.report.clone(),
            ..Counts::default()
        };
        for (&(from, to), &count) in &self.branches {
            self.finish_branch((from, to), count, &mut counts);
        }
        for (&(first, last), &count) in &self.ranges {
            self.finish_range((first, last), count, code, &mut counts);
        }
        for (&ip, &weight) in &self.ips {
            match self.place(ip) {
                Place::Here(svma) => {
                    add(&mut counts.report.ip_weight_here, weight);
                    add(counts.ips.entry(svma).or_default(), weight);
                }
                Place::Kernel => add(&mut counts.report.ip_weight_kernel, weight),
                Place::Elsewhere => {}
                Place::NotLoaded => counts.report.unloaded_offsets += 1,
            }
        }
        debug_assert!(self.profile.samples.len() as u64 == counts.report.samples);
        counts
    }

    fn finish_branch(
        &self,
        (from, to): (LocationId, LocationId),
        count: BranchCount,
        counts: &mut Counts,
    ) {
        match (self.place(from), self.place(to)) {
            (Place::Here(from), Place::Here(to)) => {
                let sum = counts.branches.entry((from, to)).or_default();
                sum.taken += count.taken;
                sum.mispredicted += count.mispredicted;
            }
            (Place::Here(from), Place::Elsewhere | Place::Kernel) => {
                counts.report.branches_crossing += count.taken;
                *counts.leaving.entry(from).or_default() += count.taken;
            }
            (Place::Elsewhere | Place::Kernel, Place::Here(to)) => {
                counts.report.branches_crossing += count.taken;
                *counts.entering.entry(to).or_default() += count.taken;
            }
            (Place::NotLoaded, _) | (_, Place::NotLoaded) => {
                counts.report.unloaded_offsets += count.taken;
            }
            _ => counts.report.branches_foreign += count.taken,
        }
    }

    fn finish_range(
        &self,
        (first, last): (LocationId, LocationId),
        count: u64,
        code: &Code<'_>,
        counts: &mut Counts,
    ) {
        let report = &mut counts.report;
        let (first, last) = match (self.place(first), self.place(last)) {
            (Place::Here(first), Place::Here(last)) => (first, last),
            (Place::Here(_), _) | (_, Place::Here(_)) => {
                report.ranges_broken += count;
                return;
            }
            _ => {
                report.ranges_foreign += count;
                return;
            }
        };
        match range_fault(first, last, code) {
            None => {
                report.ranges_used += count;
                let in_plt = code.binary().plt().contains(first);
                let ranges = if in_plt {
                    &mut counts.plt_ranges
                } else {
                    &mut counts.ranges
                };
                *ranges.entry((first, last)).or_default() += count;
            }
            Some(RangeFault::Broken) => report.ranges_broken += count,
            Some(RangeFault::TooLong) => report.ranges_too_long += count,
            Some(RangeFault::AcrossFunctions) => report.ranges_across_functions += count,
            Some(RangeFault::ThroughJump) => report.ranges_through_jump += count,
        }
    }
}

enum RangeFault {
    Broken,
    TooLong,
    AcrossFunctions,
    ThroughJump,
}

fn range_fault(first: Svma, last: Svma, code: &Code<'_>) -> Option<RangeFault> {
    if last < first {
        return Some(RangeFault::Broken);
    }
    if last.0 - first.0 > RANGE_BYTES_MAX {
        return Some(RangeFault::TooLong);
    }
    let binary = code.binary();
    let function = binary.function_at(first);
    if function.map(|f| f.start) != binary.function_at(last).map(|f| f.start) {
        return Some(RangeFault::AcrossFunctions);
    }
    let runs_through = |instructions: &Instructions| {
        let span = instructions.span(first, last);
        // Addresses between instructions are left to the attribution, which counts them.
        span.is_some_and(|mut span| {
            span.next_back();
            span.into_iter()
                .any(|index| instructions.flow(index).never_falls_through())
        })
    };
    let through = match function {
        Some(function) => runs_through(&code.of_function(function)),
        None => runs_through(&code.through(first, last)),
    };
    through.then_some(RangeFault::ThroughJump)
}

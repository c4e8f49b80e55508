//! Counts the branches of a recording, and the ranges of code between consecutive branches.
//!
//! A branch stack says that control arrived at the target of one record and left at the branch of the next
//! newer record, so all code in between ran once. The profile is made from these ranges, not from the sampled
//! instruction: a stack of 32 records covers hundreds of instructions.
//!
//! Records may be missing (a lost piece, a skipped library, a signal). A range over such a gap would credit
//! code that did not run, so a range counts only if it stays in one function (and its parts), runs forward, and meets no
//! instruction that control cannot pass; everything else is counted as lost.

use crate::code::{Code, Instructions};
use crate::counts::{AggregateReport, BranchCount, Counts, add};
use crate::error::FdoError;
use crate::location_counts::{Recorded, Tally};
use crate::observations::PERIODS;
use hone_profile::{BinaryId, BinaryKind, LocationId, Profile, Svma};
use hone_symbols::{Binary, Function};
use rustc_hash::FxHashMap;

/// Longest range between two taken branches, in bytes.
pub const RANGE_BYTES_MAX: u64 = 1 << 20;

/// Maximum number of bytes between a part of a function and the next part that it runs on into.
const FILLING_BYTES_MAX: u64 = 64;

/// Maximum number of files that an error lists.
const FILES_LISTED: usize = 5;

/// Finds the binaries of the recording that are this file: by build id, or else by name.
///
/// `path_hint` is the path at which the caller found the file. If no build id matches, the whole path is
/// compared, then its last component.
pub fn find_binaries(
    recorded: &Recorded,
    binary: &Binary<'_>,
    path_hint: Option<&str>,
) -> Result<Vec<BinaryId>, FdoError> {
    if recorded.tally.samples == 0 {
        return Err(no_samples(recorded));
    }
    let profile = &recorded.profile;
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
    Err(no_samples_in_binary(recorded))
}

fn base_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Returns the reason why the recording has no samples.
fn no_samples(recorded: &Recorded) -> FdoError {
    let losses = &recorded.profile.losses;
    match losses.corrupt_at {
        Some(at) => FdoError::Corrupt { at },
        None if losses.unfinished => FdoError::Unfinished,
        None => FdoError::NoSamples,
    }
}

pub(crate) fn no_samples_in_binary(recorded: &Recorded) -> FdoError {
    let mut seen = recorded.places_by_samples();
    seen.truncate(FILES_LISTED);
    FdoError::NoSamplesInBinary {
        samples: recorded.tally.samples,
        seen,
    }
}

/// Kind of samples of a recording that a profile is made from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Evidence {
    /// Branch stacks; plain samples only where the recording has no branch stacks at all.
    #[default]
    Branches,
    /// Plain samples alone: the instruction at which time (or an event) took each sample. Walks are left out
    /// because their pieces do not represent equal times.
    IpSamples,
}

/// Counts the samples of the recording in one binary, whose ids in the profile are `ids`.
pub fn aggregate(
    recorded: &Recorded,
    ids: &[BinaryId],
    code: &Code<'_>,
    evidence: Evidence,
) -> Counts {
    Aggregating::new(recorded, ids, code).whole(evidence)
}

/// Counts of a recording in one binary, as a whole and by its parts.
pub(crate) struct Aggregating<'a, 'b> {
    recorded: &'a Recorded,
    places: Vec<Place>,
    code: &'a Code<'b>,
}

impl<'a, 'b> Aggregating<'a, 'b> {
    pub(crate) fn new(recorded: &'a Recorded, ids: &[BinaryId], code: &'a Code<'b>) -> Self {
        Self {
            recorded,
            places: places(&recorded.profile, ids, code.binary()),
            code,
        }
    }

    pub(crate) fn whole(&self, evidence: Evidence) -> Counts {
        let mut counts = self.counts(&self.recorded.tally, evidence);
        counts.report.losses.add(&self.recorded.profile.losses);
        counts
    }

    /// Returns the counts of each group of observations by period, if they are known.
    pub(crate) fn parts(&self, evidence: Evidence) -> Option<Vec<[Counts; PERIODS]>> {
        let parts = self.recorded.parts.as_ref()?;
        let of_group =
            |group: &[Tally; PERIODS]| group.each_ref().map(|part| self.counts(part, evidence));
        Some(parts.by_group.iter().map(of_group).collect())
    }

    fn counts(&self, tally: &Tally, evidence: Evidence) -> Counts {
        Work {
            tally,
            places: &self.places,
            code: self.code,
        }
        .counts(evidence)
    }
}

/// Position of a location relative to the binary.
#[derive(Clone, Copy)]
enum Place {
    Here(Svma),
    Kernel,
    Elsewhere,
    /// A place in the binary's file, at an offset that is not loaded.
    NotLoaded,
}

fn places(profile: &Profile, ids: &[BinaryId], binary: &Binary<'_>) -> Vec<Place> {
    (0..profile.location_count() as u32)
        .map(|index| {
            let location = profile.location(LocationId(index));
            // A function that is known by its name alone has no address to count at.
            if ids.contains(&location.binary) && location.has_address() {
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

struct Work<'w, 'b> {
    tally: &'w Tally,
    places: &'w [Place],
    code: &'w Code<'b>,
}

impl Work<'_, '_> {
    fn place(&self, id: LocationId) -> Place {
        self.places[id.index()]
    }

    fn counts(&self, evidence: Evidence) -> Counts {
        let tally = self.tally;
        let mut counts = Counts {
            report: AggregateReport {
                samples: tally.samples,
                ..AggregateReport::default()
            },
            ..Counts::default()
        };
        let here = |ip: &LocationId| matches!(self.place(*ip), Place::Here(_));
        let samples_here = tally.samples_at.iter().filter(|(ip, _)| here(ip));
        counts.report.samples_here = samples_here.map(|(_, count)| count).sum();
        self.add_ips(&tally.plain, &mut counts);
        match evidence {
            Evidence::IpSamples => self.add_ips(&tally.with_branches, &mut counts),
            Evidence::Branches => self.add_branches(&mut counts),
        }
        counts
    }

    fn add_ips(&self, ips: &FxHashMap<LocationId, u64>, counts: &mut Counts) {
        for (&ip, &weight) in ips {
            add(&mut counts.report.ip_weight, weight);
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
    }

    fn add_branches(&self, counts: &mut Counts) {
        let tally = self.tally;
        counts.report.samples_with_branches = tally.samples_with_branches;
        counts.report.branches = tally.branch_records;
        counts.report.branches_repeated = tally.repeated_records;
        for (&pair, &count) in &tally.branches {
            self.add_branch(pair, count, counts);
        }
        for (&pair, &count) in &tally.ranges {
            counts.report.ranges += count;
            self.add_range(pair, count, counts);
        }
    }

    fn add_branch(
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

    fn add_range(&self, (first, last): (LocationId, LocationId), count: u64, counts: &mut Counts) {
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
        match pieces(first, last, self.code) {
            Ok(pieces) => {
                report.ranges_used += count;
                let in_plt = self.code.binary().plt().contains(first);
                let ranges = if in_plt {
                    &mut counts.plt_ranges
                } else {
                    &mut counts.ranges
                };
                for piece in pieces {
                    *ranges.entry(piece).or_default() += count;
                }
            }
            Err(RangeFault::Broken) => report.ranges_broken += count,
            Err(RangeFault::TooLong) => report.ranges_too_long += count,
            Err(RangeFault::AcrossFunctions) => report.ranges_across_functions += count,
            Err(RangeFault::ThroughJump) => report.ranges_through_jump += count,
        }
    }
}

enum RangeFault {
    Broken,
    TooLong,
    AcrossFunctions,
    ThroughJump,
}

/// Splits the range where one part of a function runs on into the next, so that each piece lies in one body.
fn pieces(mut first: Svma, last: Svma, code: &Code<'_>) -> Result<Vec<(Svma, Svma)>, RangeFault> {
    if last < first {
        return Err(RangeFault::Broken);
    }
    if last.0 - first.0 > RANGE_BYTES_MAX {
        return Err(RangeFault::TooLong);
    }
    let binary = code.binary();
    let end = binary.function_at(last).map(|function| function.start);
    let mut pieces = Vec::new();
    loop {
        let function = binary.function_at(first);
        if function.map(|function| function.start) == end {
            break;
        }
        let next = function.and_then(|function| next_part(function, binary));
        let (Some(function), Some(next)) = (function, next.filter(|next| next.start <= last))
        else {
            return Err(RangeFault::AcrossFunctions);
        };
        let instructions = code.of_function(function);
        let through = instructions.len().checked_sub(1);
        let through = through.map(|index| instructions.address(index));
        let through = through.filter(|&through| through >= first);
        let through = through.ok_or(RangeFault::AcrossFunctions)?;
        if runs_through_jump(first, through, code) || code.flow_at(through).never_falls_through() {
            return Err(RangeFault::ThroughJump);
        }
        pieces.push((first, through));
        first = next.start;
    }
    if runs_through_jump(first, last, code) {
        return Err(RangeFault::ThroughJump);
    }
    pieces.push((first, last));
    Ok(pieces)
}

/// Returns the part of the same function that lies behind a body, with nothing but filling in between.
fn next_part<'b>(body: &Function<'b>, binary: &'b Binary<'b>) -> Option<&'b Function<'b>> {
    let next = binary.functions().from(body.end)?;
    let is_same = next.canonical_name() == body.canonical_name();
    let is_split = body.is_part() || next.is_part();
    (is_same && is_split && next.start.0 - body.end.0 <= FILLING_BYTES_MAX).then_some(next)
}

/// Returns true if control cannot get from the first instruction to the last without a branch.
fn runs_through_jump(first: Svma, last: Svma, code: &Code<'_>) -> bool {
    let runs_through = |instructions: &Instructions| {
        let span = instructions.span(first, last);
        // Addresses between instructions are left to the attribution, which counts them.
        span.is_some_and(|mut span| {
            span.next_back();
            span.into_iter()
                .any(|index| instructions.flow(index).never_falls_through())
        })
    };
    match code.binary().function_at(first) {
        Some(function) => runs_through(&code.of_function(function)),
        None => runs_through(&code.through(first, last)),
    }
}

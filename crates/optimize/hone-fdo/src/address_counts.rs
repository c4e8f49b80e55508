//! Counts of one binary by address, from recordings: enough for forms that need no debug info.

use crate::aggregate::{Aggregating, Evidence, find_binaries, no_samples_in_binary};
use crate::code::Code;
use crate::convert::Warning;
use crate::counts::Counts;
use crate::error::FdoError;
use crate::halves::CountedParts;
use crate::location_counts::Recorded;
use hone_profile::Svma;
use std::collections::{BTreeMap, BTreeSet};

/// Share of broken ranges above which there is a warning.
const BROKEN_RATIO_MAX: f64 = 0.05;

/// Counts of one binary, and facts that make them worse.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counted {
    /// Branches, ranges and samples by address.
    pub counts: Counts,
    /// Facts that make the counts worse.
    pub warnings: Vec<Warning>,
    /// Parts of the counts, of which halves can be made; `None` if the observations of a recording are not known.
    pub parts: Option<CountedParts>,
}

/// Adds up the counts of the binary in the recordings; `path_hint` is the path at which the caller found the binary. If
/// branches are wanted and all branch stacks hold only a part of them, the result is an error: nothing in a profile
/// would show this.
pub fn count_binary(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    code: &Code<'_>,
) -> Result<Counted, FdoError> {
    let binary = code.binary();
    if binary.functions().is_empty() {
        return Err(FdoError::NoFunctions);
    }
    let mut counts = Counts::default();
    let mut parts = Some(CountedParts::default());
    let mut by_name = None;
    for recorded in recordings {
        let ids = find_binaries(recorded, binary, path_hint)?;
        let aggregating = Aggregating::new(recorded, &ids, code);
        counts.add(&aggregating.whole(evidence));
        parts = parts.and_then(|parts| parts.and(recorded, &ids, aggregating.parts(evidence)?));
        let file = recorded.profile.binary(ids[0]);
        if file.build_id.is_none() || binary.build_id().is_none() {
            by_name = Some(file.path.clone());
        }
    }
    if !counts.has_branches() && counts.ips.is_empty() {
        return Err(recordings
            .first()
            .map_or(FdoError::NoSamples, no_samples_in_binary));
    }
    if !any_named(&counts, code) {
        return Err(FdoError::NoFunctions);
    }
    let mut warnings = warnings_of(&counts, by_name);
    if evidence == Evidence::Branches {
        let of_stacks = on_stacks(recordings);
        if let (false, Some(Warning::PartialBranches { event, stacks, .. })) =
            (counts.has_branches(), of_stacks.first().cloned())
        {
            return Err(FdoError::PartialBranches { event, stacks });
        }
        warnings.extend(of_stacks);
    }
    let mut losses = recordings.iter().map(|recorded| &recorded.profile.losses);
    if losses.any(|losses| losses.unfinished) {
        warnings.push(Warning::Unfinished);
    }
    Ok(Counted {
        counts,
        warnings,
        parts,
    })
}

/// Returns the warnings about the recordings' branch stacks: first the warnings about partial stacks.
fn on_stacks(recordings: &[Recorded]) -> Vec<Warning> {
    let mut partial = BTreeMap::new();
    let mut several = Vec::new();
    for recorded in recordings {
        let (of_some, whole): (Vec<_>, Vec<_>) = recorded
            .events_with_stacks()
            .into_iter()
            .partition(|(_, stacks, _)| stacks.are_partial());
        for (event, stacks, samples) in of_some {
            partial.entry(event).or_insert((stacks, 0)).1 += samples;
        }
        // The cores of a hybrid CPU count the same event by separate units.
        let of_any_core = |event: &str| {
            let core = ["cpu_core/", "cpu_atom/"];
            let bare = core.iter().find_map(|unit| event.strip_prefix(unit));
            bare.unwrap_or(event).to_owned()
        };
        let distinct: BTreeSet<String> =
            whole.iter().map(|(event, ..)| of_any_core(event)).collect();
        if distinct.len() > 1 {
            let named = whole.into_iter().map(|(event, _, n)| (event.to_owned(), n));
            let events = named.collect();
            several.push(Warning::SeveralBranchEvents { events });
        }
    }
    let partial = partial.into_iter().map(|(event, (stacks, samples))| {
        let event = event.to_owned();
        Warning::PartialBranches {
            event,
            stacks,
            samples,
        }
    });
    partial.chain(several).collect()
}

/// Returns true if anything ran in code that a symbol names. Otherwise every profile by names would be empty.
fn any_named(counts: &Counts, code: &Code<'_>) -> bool {
    let binary = code.binary();
    let named = |svma: &Svma| binary.function_at(*svma).is_some();
    let ranges = counts.ranges.keys();
    let branches = counts.branches.keys();
    ranges.map(|(first, _)| first).any(named)
        || branches.flat_map(|(from, to)| [from, to]).any(named)
        || counts.ips.keys().any(named)
}

/// Returns the warnings about the counts; `by_name` is the path in a recording that was matched by name alone.
fn warnings_of(counts: &Counts, by_name: Option<String>) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if let Some(path) = by_name {
        warnings.push(Warning::MatchedByName { path });
    }
    if !counts.has_branches() {
        warnings.push(Warning::NoBranches);
    }
    let report = &counts.report;
    if report.broken_ratio() > BROKEN_RATIO_MAX {
        warnings.push(Warning::BrokenRanges {
            dropped: report.ranges_dropped(),
            used: report.ranges_used,
        });
    }
    warnings
}

//! The whole chain for one binary: find it in the recording, count, attribute.

use crate::aggregate::{Evidence, aggregate, find_binaries, no_samples_in_binary};
use crate::code::Code;
use crate::counts::Counts;
use crate::error::FdoError;
use crate::recorded::Recorded;
use crate::source::{Attribution, attribute};
use hone_symbols::{Binary, DebugInfo, Image, ProbeLosses, canonical_name};
use std::collections::BTreeSet;

/// Something that lowers the worth of a profile without making it wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Warning {
    /// The recording or the binary has no build id, so the match is by name alone.
    MatchedByName {
        /// The path in the recording.
        path: String,
    },
    /// The binary seems to be compiled without `-fdebug-info-for-profiling`: no discriminators, so blocks
    /// on one line cannot be told apart.
    NotBuiltForProfiling,
    /// The recording has no branch records in this binary; plain samples make a poor profile.
    NoBranches,
    /// More than one in twenty ranges of the binary had to be dropped.
    BrokenRanges {
        /// Dropped ranges.
        dropped: u64,
        /// Ranges used.
        used: u64,
    },
    /// Part of the debug info is in `.dwo` files.
    SplitDebugInfo {
        /// Units whose code has no source here.
        units: usize,
    },
    /// The binary has pseudo probes for blocks and none for calls, which clang makes only with debug info.
    NoCallProbes,
    /// Some of the binary's pseudo probes have no place in its code.
    UnusedProbes {
        /// Why.
        losses: ProbeLosses,
        /// Those that have.
        used: u64,
    },
}

/// What came out of a recording for one binary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// Branches, ranges and samples by address, with the account of the aggregation.
    pub counts: Counts,
    /// The profile by source, with the account of the attribution.
    pub attribution: Attribution,
    /// The names of all functions of the binary, for the symbol list.
    pub symbols: Vec<String>,
    /// What lowers its worth.
    pub warnings: Vec<Warning>,
}

/// Share of broken ranges above which there is a warning.
const BROKEN_RATIO_MAX: f64 = 0.05;

/// Converts what the recordings say about this binary; their counts are added up.
///
/// `path_hint` is the path of the binary as the caller knows it; it decides where there are no build ids.
pub fn convert<'a>(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    image: impl Into<Image<'a>>,
) -> Result<Converted, FdoError> {
    let binary = Binary::parse(image)?;
    let debug = DebugInfo::parse(&binary)?;
    if binary.functions().is_empty() {
        return Err(FdoError::NoFunctions);
    }
    if !debug.has_debug_info() {
        return Err(FdoError::NoDebugInfo);
    }
    let code = Code::new(&binary);
    let (counts, by_name) = count(recordings, evidence, path_hint, &code)?;
    let attribution = attribute(&counts, &code, &debug);
    if attribution.report.attributed == 0 {
        if debug.split_units() > 0 {
            return Err(FdoError::SplitDebugInfo {
                units: debug.split_units(),
            });
        }
        return Err(FdoError::NothingAttributed {
            weight: attribution.report.weight,
        });
    }
    let mut warnings = warnings_of(&counts, by_name);
    if !debug.was_built_for_profiling() {
        warnings.push(Warning::NotBuiltForProfiling);
    }
    if debug.split_units() > 0 {
        warnings.push(Warning::SplitDebugInfo {
            units: debug.split_units(),
        });
    }
    Ok(Converted {
        counts,
        attribution,
        symbols: symbol_names(&binary),
        warnings,
    })
}

/// The counts of the binary in all recordings, and the path in a recording that was matched by name alone.
pub(crate) fn count(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    code: &Code<'_>,
) -> Result<(Counts, Option<String>), FdoError> {
    let binary = code.binary();
    let mut counts = Counts::default();
    let mut by_name = None;
    for recorded in recordings {
        let ids = find_binaries(recorded, binary, path_hint)?;
        counts.add(&aggregate(recorded, &ids, code, evidence));
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
    Ok((counts, by_name))
}

/// What lowers the worth of the counts.
pub(crate) fn warnings_of(counts: &Counts, by_name: Option<String>) -> Vec<Warning> {
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

/// All names of all functions, as the compiler knows them.
pub(crate) fn symbol_names(binary: &Binary<'_>) -> Vec<String> {
    let all = binary.functions().iter();
    let names = all.flat_map(|function| std::iter::once(&function.name).chain(&function.aliases));
    let canonical: BTreeSet<&str> = names.map(|name| canonical_name(name)).collect();
    canonical.into_iter().map(str::to_owned).collect()
}

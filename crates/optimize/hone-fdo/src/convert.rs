//! Whole chain for one binary: finds the binary in the recording, counts, and attributes the counts.

use crate::address_counts::{Counted, count_binary};
use crate::aggregate::Evidence;
use crate::code::Code;
use crate::counts::Counts;
use crate::error::FdoError;
use crate::halves::Halves;
use crate::location_counts::Recorded;
use crate::source::{Attribution, attribute};
use hone_profile::BranchStacks;
use hone_symbols::{
    Binary, DebugInfo, Image, ProbeLosses, SplitLosses, SymbolError, UnreadUnits, canonical_name,
};
use std::collections::BTreeSet;

/// A fact that makes a profile worse without making it wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Warning {
    /// The recording or the binary has no build id, so the match is by name alone.
    MatchedByName {
        /// Path in the recording.
        path: String,
    },
    /// The binary seems to be compiled without `-fdebug-info-for-profiling`: no discriminators, so blocks
    /// on one line cannot be told apart.
    NotBuiltForProfiling,
    /// The recording has no branch records in this binary; plain samples make a poor profile.
    NoBranches,
    /// Some of the branch stacks hold only a part of the branches, and their samples count as plain samples.
    PartialBranches {
        /// Event of these branch stacks.
        event: String,
        /// Branches that the stacks hold.
        stacks: BranchStacks,
        /// Number of samples with such stacks.
        samples: u64,
    },
    /// A recording has branch stacks of several events, which were added up.
    SeveralBranchEvents {
        /// Events, with the number of samples of each.
        events: Vec<(String, u64)>,
    },
    /// The recorder did not finish the header of a recording.
    Unfinished,
    /// More than one in twenty ranges of the binary had to be dropped.
    BrokenRanges {
        /// Number of dropped ranges.
        dropped: u64,
        /// Number of used ranges.
        used: u64,
    },
    /// Part of the debug info is in `.dwo` files that could not be read.
    SplitDebugInfo {
        /// Debug info that could not be read.
        losses: SplitLosses,
    },
    /// Part of the debug info in the binary could not be read.
    UnreadUnits {
        /// Units that could not be read.
        unread: UnreadUnits,
    },
    /// The binary has pseudo probes for blocks but none for calls; clang makes probes for calls only with debug info.
    NoCallProbes,
    /// Some of the binary's pseudo probes have no place in its code.
    UnusedProbes {
        /// Reasons, with the number of probes.
        losses: ProbeLosses,
        /// Number of probes that have a place.
        used: u64,
    },
}

/// Result of the conversion of recordings for one binary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Converted {
    /// Branches, ranges and samples by address, with the report of the aggregation.
    pub counts: Counts,
    /// Profile by source, with the report of the attribution.
    pub attribution: Attribution,
    /// Names of all functions of the binary, for the symbol list.
    pub symbols: Vec<String>,
    /// Facts that make the profile worse.
    pub warnings: Vec<Warning>,
    /// Profiles of the halves of the recordings; `None` if the observations of a recording are not known.
    pub halves: Option<Halves>,
}

impl Converted {
    /// Adds the result of the same recordings for another file of the program, such as one of its own libraries. Each
    /// compiler run reads the profile, so the profile may hold the functions of all files.
    ///
    /// The reports then cover all files too; addresses and warnings remain those of the first file. Returns the number
    /// of functions with the same name and another control flow; only the heavier function of each pair is kept.
    pub fn take_in(&mut self, part: Self) -> usize {
        let differ = self.attribution.samples.take_in(part.attribution.samples);
        self.attribution.report.add(&part.attribution.report);
        self.counts.report.take_in(&part.counts.report);
        self.symbols.extend(part.symbols);
        self.symbols.sort_unstable();
        self.symbols.dedup();
        self.halves = match (self.halves.take(), part.halves) {
            (Some(own), Some(part)) => Some(own.with(part)),
            _ => None,
        };
        differ
    }
}

/// Converts the samples of this binary in the recordings; the counts of all recordings are added up.
///
/// `path_hint` is the path of the binary as the caller knows it; it decides if there are no build ids.
pub fn convert<'a>(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    image: impl Into<Image<'a>>,
) -> Result<Converted, FdoError> {
    let binary = Binary::parse(image)?;
    let debug = DebugInfo::parse(&binary)?;
    convert_parsed(recordings, evidence, path_hint, &binary, &debug)
}

/// Converts as [`convert`] does, for a caller that needs the binary and its debug information for more than that.
pub fn convert_parsed(
    recordings: &[Recorded],
    evidence: Evidence,
    path_hint: Option<&str>,
    binary: &Binary<'_>,
    debug: &DebugInfo<'_>,
) -> Result<Converted, FdoError> {
    if binary.functions().is_empty() {
        return Err(FdoError::NoFunctions);
    }
    if !debug.has_debug_info() {
        return Err(no_debug_info(debug));
    }
    let code = Code::new(binary);
    let Counted {
        counts,
        mut warnings,
        parts,
    } = count_binary(recordings, evidence, path_hint, &code)?;
    let attribution = attribute(&counts, &code, debug);
    let losses = debug.split_losses();
    if attribution.report.attributed == 0 {
        if losses.units() > 0 {
            return Err(FdoError::SplitDebugInfo { losses });
        }
        return Err(FdoError::NothingAttributed {
            weight: attribution.report.weight,
        });
    }
    warnings.extend(unread(debug));
    if !debug.was_built_for_profiling() {
        warnings.push(Warning::NotBuiltForProfiling);
    }
    if losses.units() > 0 {
        warnings.push(Warning::SplitDebugInfo { losses });
    }
    let profile_of = |half: &Counts| attribute(half, &code, debug).samples;
    Ok(Converted {
        halves: parts.map(|parts| Halves::of(&parts, counts.has_branches(), &code, profile_of)),
        counts,
        attribution,
        symbols: symbol_names(binary),
        warnings,
    })
}

/// Returns the error for a binary without usable debug info.
pub(crate) fn no_debug_info(debug: &DebugInfo<'_>) -> FdoError {
    match debug.unread_units() {
        unread if unread.units > 0 => {
            SymbolError::MalformedDwarf(format!("no unit can be read; {}", unread.first)).into()
        }
        _ => FdoError::NoDebugInfo,
    }
}

/// Returns a warning if there are units that could not be read.
pub(crate) fn unread(debug: &DebugInfo<'_>) -> Option<Warning> {
    let unread = debug.unread_units();
    (unread.units > 0).then(|| Warning::UnreadUnits {
        unread: unread.clone(),
    })
}

/// Returns all names of all functions, as the compiler knows them.
pub(crate) fn symbol_names(binary: &Binary<'_>) -> Vec<String> {
    let all = binary.functions().iter();
    let names = all.flat_map(|function| std::iter::once(&function.name).chain(&function.aliases));
    let canonical: BTreeSet<&str> = names.map(|name| canonical_name(name)).collect();
    canonical.into_iter().map(str::to_owned).collect()
}

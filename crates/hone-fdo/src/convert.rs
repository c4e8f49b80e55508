//! The whole chain for one binary: find it in the recording, count, attribute.

use crate::aggregate::Evidence;
use crate::code::Code;
use crate::counted::{Counted, count_binary};
use crate::counts::Counts;
use crate::error::FdoError;
use crate::recorded::Recorded;
use crate::source::{Attribution, attribute};
use hone_profile::BranchStacks;
use hone_symbols::{
    Binary, DebugInfo, Image, ProbeLosses, SplitLosses, SymbolError, UnreadUnits, canonical_name,
};
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
    /// Some of the branch stacks hold a part of the branches, and their samples count as plain ones.
    PartialBranches {
        /// Their event.
        event: String,
        /// What they hold.
        stacks: BranchStacks,
        /// How many samples have them.
        samples: u64,
    },
    /// A recording has branch stacks of several events, which were added up.
    SeveralBranchEvents {
        /// The events, with the number of their samples.
        events: Vec<(String, u64)>,
    },
    /// The recorder did not finish the header of a recording.
    Unfinished,
    /// More than one in twenty ranges of the binary had to be dropped.
    BrokenRanges {
        /// Dropped ranges.
        dropped: u64,
        /// Ranges used.
        used: u64,
    },
    /// Part of the debug info is in `.dwo` files that could not be read.
    SplitDebugInfo {
        /// Which.
        losses: SplitLosses,
    },
    /// Part of the debug info in the binary could not be read.
    UnreadUnits {
        /// How much.
        unread: UnreadUnits,
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

impl Converted {
    /// Adds what the same recordings say about another file of the program, such as a library of its own. One compiler
    /// run after the other reads the profile, so it may hold the functions of all files.
    ///
    /// The account is then of all files too; addresses and warnings stay those of the first. Gives how many functions of
    /// the same name and another control flow there were, of which only the heavier one is kept.
    pub fn take_in(&mut self, part: Self) -> usize {
        let differ = self.attribution.samples.take_in(part.attribution.samples);
        self.attribution.report.add(&part.attribution.report);
        self.counts.report.take_in(&part.counts.report);
        self.symbols.extend(part.symbols);
        self.symbols.sort_unstable();
        self.symbols.dedup();
        differ
    }
}

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
        return Err(no_debug_info(&debug));
    }
    let code = Code::new(&binary);
    let Counted {
        counts,
        mut warnings,
    } = count_binary(recordings, evidence, path_hint, &code)?;
    let attribution = attribute(&counts, &code, &debug);
    let losses = debug.split_losses();
    if attribution.report.attributed == 0 {
        if losses.units() > 0 {
            return Err(FdoError::SplitDebugInfo { losses });
        }
        return Err(FdoError::NothingAttributed {
            weight: attribution.report.weight,
        });
    }
    warnings.extend(unread(&debug));
    if !debug.was_built_for_profiling() {
        warnings.push(Warning::NotBuiltForProfiling);
    }
    if losses.units() > 0 {
        warnings.push(Warning::SplitDebugInfo { losses });
    }
    Ok(Converted {
        counts,
        attribution,
        symbols: symbol_names(&binary),
        warnings,
    })
}

/// Why there is no debug info to go by.
pub(crate) fn no_debug_info(debug: &DebugInfo<'_>) -> FdoError {
    match debug.unread_units() {
        unread if unread.units > 0 => {
            SymbolError::MalformedDwarf(format!("no unit can be read; {}", unread.first)).into()
        }
        _ => FdoError::NoDebugInfo,
    }
}

/// The warning of units that could not be read.
pub(crate) fn unread(debug: &DebugInfo<'_>) -> Option<Warning> {
    let unread = debug.unread_units();
    (unread.units > 0).then(|| Warning::UnreadUnits {
        unread: unread.clone(),
    })
}

/// All names of all functions, as the compiler knows them.
pub(crate) fn symbol_names(binary: &Binary<'_>) -> Vec<String> {
    let all = binary.functions().iter();
    let names = all.flat_map(|function| std::iter::once(&function.name).chain(&function.aliases));
    let canonical: BTreeSet<&str> = names.map(|name| canonical_name(name)).collect();
    canonical.into_iter().map(str::to_owned).collect()
}

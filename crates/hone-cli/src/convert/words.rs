//! What `hone convert` says of errors and of profiles that are worth less.

use std::fmt::Write as _;

use anyhow::Context;
use hone_fdo::{FdoError, Warning};

use super::{Args, list};
use crate::advice::Advice;

/// An error of a conversion with its files and its next step.
pub(super) fn explain(error: FdoError, args: &Args) -> anyhow::Error {
    let step = next_step(&error);
    let files = || format!("{} with {}", list(&args.recordings), args.binary.display());
    match Err::<(), _>(Advice::error(error, step)).with_context(files) {
        Err(error) => error,
        Ok(()) => anyhow::Error::msg(files()),
    }
}

/// Warnings as lines.
pub(super) fn notes(warnings: &[Warning]) -> String {
    warnings.iter().fold(String::new(), |mut text, warning| {
        let _ = writeln!(text, "note: {}", sentence(warning));
        text
    })
}

/// What to do about an error.
pub(super) fn next_step(error: &FdoError) -> &'static str {
    match error {
        FdoError::NoSamples => "record for longer, or while the program is at work",
        FdoError::NoSamplesInBinary { .. } => {
            "name the file that the samples fell in with --binary"
        }
        FdoError::BuildIdDiffers { .. } => "name the binary that was recorded, or record this one",
        FdoError::NoFunctions | FdoError::NoDebugInfo => {
            "name its debug file with --debug-file, or build with -gline-tables-only \
             -fdebug-info-for-profiling, unstripped, and record that build"
        }
        FdoError::NoProbes => "build with -g1 -fpseudo-probe-for-profiling, and record that build",
        FdoError::ProbesNeedBranches => "record with --branches auto, or leave out --probes",
        FdoError::SplitDebugInfo { .. } => "build without -gsplit-dwarf, and record that build",
        FdoError::NothingAttributed { .. } => {
            "build all of the program with -gline-tables-only -fdebug-info-for-profiling"
        }
        FdoError::Symbols(_) => "name an ELF program or shared library for x86-64",
    }
}

/// A warning as a sentence with its next step.
pub(crate) fn sentence(warning: &Warning) -> String {
    match warning {
        Warning::MatchedByName { path } => format!(
            "The recorded {path} has no build id to compare, so it was matched by its name; link with \
             -Wl,--build-id."
        ),
        Warning::NotBuiltForProfiling => {
            "The binary was built without -fdebug-info-for-profiling: blocks \
             on one line cannot be told apart, which costs part of the gain."
                .into()
        }
        Warning::NoBranches => {
            "There are no branch records: plain samples make a poor profile. Record with \
             --branches auto."
                .into()
        }
        Warning::BrokenRanges { dropped, used } => format!(
            "{dropped} of {} ranges between branches were impossible and were dropped.",
            dropped + used
        ),
        Warning::SplitDebugInfo { units } => {
            format!(
                "The debug info of {units} compilation units is in .dwo files, which are not read."
            )
        }
        Warning::NoCallProbes => {
            "The binary has pseudo probes for blocks but none for calls, so there are no call targets; \
             build with -g1 too."
                .into()
        }
        Warning::UnusedProbes { losses, used } => format!(
            "{} of {} pseudo probes are not used: {} of names that several functions have (build with \
             -funique-internal-linkage-names), {} without a symbol, {} after the end of their function, {} \
             without a description.",
            losses.sum(),
            losses.sum() + used,
            losses.of_shared_names,
            losses.without_symbol,
            losses.outside,
            losses.without_description,
        ),
    }
}

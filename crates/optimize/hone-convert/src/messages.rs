//! Messages of `hone convert` about errors and about profiles that are worth less.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use hone_fdo::{AggregateReport, FdoError, Warning};
use hone_symbols::{DebugInfo, SplitLosses, SymbolError};
use indicatif::HumanCount;

use super::{Request, list};
use hone_files::advice::Advice;

/// Adds the files and the next step to an error of a conversion.
pub(super) fn explain(error: FdoError, request: &Request) -> anyhow::Error {
    explain_of(error, &request.recordings, &request.program.binary)
}

/// Adds recordings, file and next step to an error of a conversion.
pub(super) fn explain_of(error: FdoError, recordings: &[PathBuf], file: &Path) -> anyhow::Error {
    let step = next_step(&error);
    let files = format!("{} with {}", list(recordings), file.display());
    Advice::error(error, step).context(files)
}

/// Returns an error if a part of split debug information is absent: results that rest on all of it would be wrong.
pub fn must_be_whole(debug: &DebugInfo<'_>) -> anyhow::Result<()> {
    let losses = debug.split_losses();
    if losses.units() == 0 {
        return Ok(());
    }
    let error = FdoError::SplitDebugInfo { losses };
    let step = next_step(&error);
    Err(Advice::error(error, step))
}

/// Describes the split debug information that is absent, the reasons, and the remedy.
fn absent(losses: &SplitLosses) -> String {
    let reasons = [
        (losses.missing, "not found"),
        (losses.other_build, "of another build"),
        (losses.malformed, "damaged"),
    ];
    let reasons = reasons.iter().filter(|(count, _)| *count > 0);
    let reasons: Vec<String> = reasons
        .map(|(count, reason)| format!("{count} {reason}"))
        .collect();
    format!(
        "The debug info of {} compilation units that ran is absent ({}), and their code has no source here: {} and the \
         like, sought there, beside the binary and in BINARY.dwp. Put it there, or name a package with --debug-file \
         FILE.dwp.",
        losses.units(),
        reasons.join(", "),
        losses.file,
    )
}

/// Describes what of the recordings was used.
pub(super) fn evidence_used(report: &AggregateReport) -> String {
    format!(
        "{} samples, {} branch records, {} ranges used",
        HumanCount(report.samples),
        HumanCount(report.branches),
        HumanCount(report.ranges_used),
    )
}

/// Formats warnings as lines.
pub(super) fn notes(warnings: &[Warning]) -> String {
    warnings.iter().fold(String::new(), |mut text, warning| {
        let _ = writeln!(text, "note: {}", sentence(warning));
        text
    })
}

/// Returns the next step after an error.
pub fn next_step(error: &FdoError) -> &'static str {
    match error {
        FdoError::NoSamples => "record for longer, or while the program is at work",
        FdoError::Corrupt { .. } => "copy the recording again, or record again",
        FdoError::Unfinished => {
            "record again, and end the recorder with Ctrl-C or SIGINT, not with SIGKILL"
        }
        FdoError::PartialBranches { .. } => {
            "record all branches, with perf record -j any,u or hone record --branches auto; or use the sampled \
             instructions alone, with --ip-samples"
        }
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
        FdoError::SplitDebugInfo { .. } => {
            "such a file is looked for where it was compiled and beside the binary, and all of them in BINARY.dwp: put it there, or name a package with --debug-file FILE.dwp"
        }
        FdoError::NothingAttributed { .. } => {
            "build all of the program with -gline-tables-only -fdebug-info-for-profiling"
        }
        FdoError::Symbols(SymbolError::MalformedDwarf(_)) => {
            "build it again, or choose a form that needs no debug info, such as bolt-fdata"
        }
        FdoError::Symbols(
            SymbolError::BlockMapVersion { .. } | SymbolError::BlockMapFeatures { .. },
        ) => "build with clang 19, whose maps are understood, and record that build",
        FdoError::Symbols(_) => "name an ELF program or shared library for x86-64",
    }
}

/// Formats events like `cycles:u (12 samples) and branches:u (30 samples)`.
fn of_events(events: &[(String, u64)]) -> String {
    let named = events
        .iter()
        .map(|(event, n)| format!("{event} ({n} samples)"));
    named.collect::<Vec<_>>().join(" and ")
}

/// Formats a warning as a sentence with its next step.
pub fn sentence(warning: &Warning) -> String {
    match warning {
        Warning::MatchedByName { path } => format!(
            "The recording or the binary has no build id to compare, so {path} was matched by its name; link with \
             -Wl,--build-id, and record with hone record or perf record --buildid-mmap."
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
        Warning::PartialBranches {
            event,
            stacks,
            samples,
        } => format!(
            "The branch stacks of {event} ({samples} samples) hold {stacks} and count no branches; record with -j \
             any,u, or leave them out with --event."
        ),
        Warning::SeveralBranchEvents { events } => format!(
            "The branch stacks of {} were added up; choose one with --event.",
            of_events(events)
        ),
        Warning::Unfinished => {
            "The recorder did not finish its header: it was killed, or still runs. What was not written yet is \
             missing, and so are build ids and names of events; end it with Ctrl-C or SIGINT."
                .into()
        }
        Warning::BrokenRanges { dropped, used } => format!(
            "{dropped} of {} ranges between branches were impossible and were dropped.",
            dropped + used
        ),
        Warning::SplitDebugInfo { losses } => absent(losses),
        Warning::UnreadUnits { unread } => format!(
            "{} compilation units or sections of the debug info could not be read, and their code has no source here (the first: \
             {}). Build it again, or record the build before it was rewritten.",
            unread.units, unread.first
        ),
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

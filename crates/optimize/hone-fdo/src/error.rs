//! Errors of the conversion of recordings.

use hone_profile::{BranchStacks, BuildId};
use hone_symbols::{SplitLosses, SymbolError};

/// Reason why a recording could not be converted for a binary.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FdoError {
    /// The recording holds no samples at all.
    #[error("the recording holds no samples")]
    NoSamples,
    /// The recording holds no samples before the place where it is corrupt.
    #[error("the recording is corrupt at byte {at}, and holds no samples before")]
    Corrupt {
        /// Offset in the file, in bytes.
        at: u64,
    },
    /// The recording holds no samples, and its recorder did not finish the recording.
    #[error(
        "the recording holds no samples: its recorder did not finish the header, for it was killed or still runs"
    )]
    Unfinished,
    /// Branch counts were wanted, but the branch stacks hold only a part of the branches.
    #[error(
        "the branch stacks of {event} hold {stacks}, and no counts of branches can be had from them"
    )]
    PartialBranches {
        /// Event of the branch stacks.
        event: String,
        /// Branches that the branch stacks hold.
        stacks: BranchStacks,
    },
    /// The recording has samples, but none in this binary.
    #[error("none of the {samples} samples fell in the binary; they fell in {}", list(.seen))]
    NoSamplesInBinary {
        /// Number of samples in the recording.
        samples: u64,
        /// Files with the most samples, most first, with their samples; the kernel and others are in brackets.
        seen: Vec<(String, u64)>,
    },
    /// The recording names the file, but the recorded file was another build.
    #[error("the recording is of {path} with build id {recorded}, the binary has {binary}")]
    BuildIdDiffers {
        /// Path in the recording.
        path: String,
        /// Build id in the recording.
        recorded: BuildId,
        /// Build id of the given binary.
        binary: BuildId,
    },
    /// The binary has no symbol table, or no symbol for any of the code that ran.
    #[error(
        "the binary has no names for the code that ran: it is stripped, or its symbol table is damaged"
    )]
    NoFunctions,
    /// The binary has no line tables.
    #[error("the binary has no debug info")]
    NoDebugInfo,
    /// The binary's debug info is in `.dwo` files that could not be read.
    #[error(
        "debug info that is needed is in {} .dwo files that cannot be had, such as {}",
        losses.units(),
        losses.file
    )]
    SplitDebugInfo {
        /// Debug info that could not be read.
        losses: SplitLosses,
    },
    /// The binary has no pseudo probes.
    #[error("the binary has no pseudo probes")]
    NoProbes,
    /// A profile keyed by pseudo probes was wanted, but the recording has only plain samples.
    #[error(
        "the recording has no branch records, and pseudo probes cannot be counted without them"
    )]
    ProbesNeedBranches,
    /// Samples fell in the binary, but none on an instruction with a source line.
    #[error("samples fell in the binary, but none on code with debug info (weight {weight})")]
    NothingAttributed {
        /// Weight of the sampled code.
        weight: u64,
    },
    /// The binary cannot be read.
    #[error(transparent)]
    Symbols(#[from] SymbolError),
}

fn list(seen: &[(String, u64)]) -> String {
    if seen.is_empty() {
        return "no file".into();
    }
    let parts: Vec<_> = seen
        .iter()
        .map(|(path, samples)| format!("{path} ({samples})"))
        .collect();
    parts.join(", ")
}

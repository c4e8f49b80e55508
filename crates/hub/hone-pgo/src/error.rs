//! Errors of continuous PGO. What a gate finds wrong is no error, but a part of the answer.

use hone_fdo::merge::MergeError;
use hone_fdo::{FdoError, go_pgo::GoPgoError};

/// Reason why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PgoError {
    /// A setting makes no sense.
    #[error("{problem}")]
    Settings {
        /// Description of the problem.
        problem: &'static str,
    },
    /// The binary of the target build is not at hand.
    #[error("the binary of build {build} is not known")]
    NoBinary {
        /// Build id in hexadecimal.
        build: String,
    },
    /// The file that was handed over as a build is of another build.
    #[error("the file for build {build} has the build id {found}")]
    OtherBinary {
        /// Build id that was asked for, in hexadecimal.
        build: String,
        /// Build id of the file, in hexadecimal; `none` if it has none.
        found: String,
    },
    /// The build cannot be converted.
    #[error("build {build}: {error}")]
    Convert {
        /// Build id in hexadecimal.
        build: String,
        /// Reason.
        error: FdoError,
    },
    /// The build has no profile for Go.
    #[error("build {build}: {error}")]
    Go {
        /// Build id in hexadecimal.
        build: String,
        /// Reason.
        error: GoPgoError,
    },
    /// The builds' profiles cannot be added up.
    #[error("build {build}: {error}")]
    Merge {
        /// Build id in hexadecimal.
        build: String,
        /// Reason.
        error: MergeError,
    },
    /// There are no branch records, and the form holds nothing else.
    #[error("the samples have no branch records, and {form} holds nothing else")]
    NoBranches {
        /// Name of the form.
        form: &'static str,
    },
    /// The profile that was written reads back differently.
    #[error("the profile that was written cannot be read back: {what}")]
    NotReadBack {
        /// Description of the first difference.
        what: String,
    },
}

//! Errors in a `hone.toml`.

use std::path::PathBuf;

use crate::lever::NoBundle;

/// An error in a `hone.toml`. Every message names the key.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Invalid TOML, an unknown key or a value of the wrong type; the message has the line.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// An empty value of a key that needs a value.
    #[error("{key} is empty")]
    Empty {
        /// Name of the key.
        key: String,
    },
    /// A path that leaves the source tree.
    #[error("{key} = {path:?} is absolute or leaves the source tree; Hone builds in a copy of it")]
    OutsideTree {
        /// Name of the key.
        key: String,
        /// The path.
        path: PathBuf,
    },
    /// A name that is no lever, or levers that cannot be one rung.
    #[error("ladder.levers: {0}")]
    NoBundle(#[from] NoBundle),
    /// A lever is named twice.
    #[error("ladder.levers names {name:?} twice")]
    RepeatedLever {
        /// The name in the file.
        name: String,
    },
    /// A file without a workload of a kind.
    #[error("there is no [[{kind}]] table: Hone needs at least one workload to {kind} with")]
    NoWorkload {
        /// `train` or `measure`.
        kind: &'static str,
    },
    /// Two workloads with one name.
    #[error("two [[{kind}]] tables are named {name:?}")]
    RepeatedWorkload {
        /// `train` or `measure`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A measure workload is the same command as a train workload.
    #[error(
        "[[measure]] {measure:?} runs the same command as [[train]] {train:?}: a gain must be shown on a workload that the profile did not come from"
    )]
    SameWorkload {
        /// The measure workload.
        measure: String,
        /// The train workload.
        train: String,
    },
    /// A regular expression that does not compile, or lacks its group.
    #[error("{key} = {pattern:?}: {why}")]
    BadPattern {
        /// Full name of the key, such as `measure.NAME.work`.
        key: String,
        /// The pattern.
        pattern: String,
        /// Reason why the pattern is refused.
        why: String,
    },
    /// Some measure workloads state their work, others do not.
    #[error(
        "some [[measure]] tables have work and some have not: CPU per unit of work and plain CPU cannot \
         be compared"
    )]
    MixedMetrics,
    /// A number out of its range.
    #[error("{key} = {value} is not in {range}")]
    OutOfRange {
        /// Name of the key.
        key: &'static str,
        /// Value of the key.
        value: f64,
        /// Allowed range in words.
        range: &'static str,
    },
    /// A key that does not fit the rest of the file, such as a key for servers without a `[server]` table.
    #[error("{key}: {why}")]
    Misplaced {
        /// Name of the key.
        key: String,
        /// Reason why the key is not allowed, and what to write instead.
        why: &'static str,
    },
    /// Two keys that exclude each other.
    #[error("{one} and {other} exclude each other")]
    Exclusive {
        /// Name of the first key.
        one: String,
        /// Name of the second key.
        other: String,
    },
    /// A value that is not among the allowed values.
    #[error("{key} = {value:?}: {expected}")]
    NotOneOf {
        /// Name of the key.
        key: String,
        /// Value of the key.
        value: String,
        /// Allowed values in words.
        expected: &'static str,
    },
    /// Two dependencies with one name.
    #[error("two [[dependency]] tables are named {name:?}")]
    RepeatedDependency {
        /// The name.
        name: String,
    },
    /// Two backends with one name.
    #[error("two [[backend]] tables are named {name:?}")]
    RepeatedBackend {
        /// The name.
        name: String,
    },
    /// A placeholder for the port of a backend that does not exist.
    #[error("{key} names {{port:{name}}}, and there is no [[backend]] of that name")]
    UnknownBackend {
        /// Name of the key.
        key: String,
        /// The name in the placeholder.
        name: String,
    },
}

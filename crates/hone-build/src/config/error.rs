//! What can be wrong with a `hone.toml`.

use std::path::PathBuf;

use crate::lever::NoBundle;

/// Why a `hone.toml` cannot be used. Every message names the key.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not TOML, an unknown key or a value of the wrong type; the message has the line.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A key that must not be empty is.
    #[error("{key} is empty")]
    Empty {
        /// Its name.
        key: String,
    },
    /// A path that leaves the source tree.
    #[error("{key} = {path:?} is absolute or leaves the source tree; Hone builds in a copy of it")]
    OutsideTree {
        /// The key's name.
        key: String,
        /// The path.
        path: PathBuf,
    },
    /// A name that is no lever, nor levers that can be one rung.
    #[error("ladder.levers: {0}")]
    NoBundle(#[from] NoBundle),
    /// A lever is named twice.
    #[error("ladder.levers names {name:?} twice")]
    RepeatedLever {
        /// The name in the file.
        name: String,
    },
    /// No workload of a kind.
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
        /// The key's name, with that of its workload.
        key: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
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
        /// The key's name.
        key: &'static str,
        /// Its value.
        value: f64,
        /// The range in words.
        range: &'static str,
    },
    /// A key that only servers have, or only programs that are not servers.
    #[error("{key}: {why}")]
    Misplaced {
        /// The key's name.
        key: String,
        /// Why it cannot stand there, and what can.
        why: &'static str,
    },
    /// Two keys that exclude each other.
    #[error("{one} and {other} exclude each other")]
    Exclusive {
        /// The one.
        one: String,
        /// The other.
        other: String,
    },
    /// A value that is none of those that there are.
    #[error("{key} = {value:?}: {expected}")]
    NotOneOf {
        /// The key's name.
        key: String,
        /// Its value.
        value: String,
        /// What it may be.
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
    /// A port of a backend that there is not.
    #[error("{key} names {{port:{name}}}, and there is no [[backend]] of that name")]
    UnknownBackend {
        /// The key's name.
        key: String,
        /// The name in the placeholder.
        name: String,
    },
}

//! The order for the measuring helper, and its answer.

use std::path::PathBuf;

use hone_measure::Observation;
use serde::{Deserialize, Serialize};

use super::cover::Cover;

/// An order for one run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// Program and arguments; at least one.
    pub(super) argv: Vec<String>,
    /// Variables to set or to remove.
    pub(super) env: Vec<(String, Option<String>)>,
    /// Working directory.
    pub(super) cwd: Option<PathBuf>,
    /// File for standard output.
    pub(super) stdout: PathBuf,
    /// File for standard error.
    pub(super) stderr: PathBuf,
    /// Time limit in seconds.
    pub(super) timeout_s: Option<f64>,
    /// CPUs to stay on; all if empty.
    pub(super) cpus: Vec<usize>,
    /// Treatment of processes that outlive the command.
    pub(super) leftovers: Leftovers,
    /// Directory that the command sees at the path of another directory.
    pub(super) cover: Option<Cover>,
    /// Id of the process that ordered the run; the helper ends with this process.
    pub(super) parent: i32,
    /// File in which the helper reports what it has started; for commands that run in the background.
    pub(super) started: Option<PathBuf>,
}

/// A command that runs in the background.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Started {
    /// Process id of the command.
    pub(super) pid: i32,
    /// Time of the start in nanoseconds, by the monotonic clock.
    pub(super) at_ns: i64,
    /// Control group of the command's tree, if one could be made.
    pub(super) cgroup: Option<PathBuf>,
}

/// Treatment of processes that outlive the command that started them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Leftovers {
    /// The processes have some time to end; if any is left then, the run is no measurement.
    #[default]
    Refuse,
    /// The processes are ended, such as the server of a build system.
    End,
    /// The processes count as the command does: a server that goes into the background is followed there.
    Follow,
}

/// Answer of the helper.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// Costs of the run; meaningful if the command ended by itself.
    pub(super) observation: Observation,
    /// End of the run.
    pub(super) ending: Ending,
    /// Exit status of the command itself, if it had ended before the tree was told to.
    pub(super) exit: Option<i32>,
}

/// End of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Ending {
    /// The command ended by itself.
    Ended {
        /// Exit status; 128 + signal if a signal ended the command.
        exit: i32,
    },
    /// The command could not be started.
    NotStarted {
        /// True if there is no such program.
        not_found: bool,
        /// The system's error.
        fact: String,
    },
    /// The time limit passed.
    TimedOut,
    /// Somebody asked the helper to stop.
    Interrupted,
    /// The command ended, but its descendants did not.
    LeftBehind {
        /// Names of the descendants.
        names: Vec<String>,
    },
}

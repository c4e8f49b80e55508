//! What the measuring helper is told, and what it answers.

use std::path::PathBuf;

use hone_measure::Observation;
use serde::{Deserialize, Serialize};

use super::cover::Cover;

/// One run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    /// Program and arguments; at least one.
    pub(super) argv: Vec<String>,
    /// Variables to set or to remove.
    pub(super) env: Vec<(String, Option<String>)>,
    /// Working directory.
    pub(super) cwd: Option<PathBuf>,
    /// Where standard output goes.
    pub(super) stdout: PathBuf,
    /// Where standard error goes.
    pub(super) stderr: PathBuf,
    /// Limit.
    pub(super) timeout_s: Option<f64>,
    /// CPUs to stay on; all where empty.
    pub(super) cpus: Vec<usize>,
    /// What becomes of processes that outlive the command.
    pub(super) leftovers: Leftovers,
    /// A directory that it sees at the path of another.
    pub(super) cover: Option<Cover>,
    /// The process that ordered the run; the helper ends with it.
    pub(super) parent: i32,
    /// Where the helper says what it has started, once it has; for commands that run in the background.
    pub(super) started: Option<PathBuf>,
}

/// A command that runs in the background.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Started {
    /// Its process.
    pub(super) pid: i32,
    /// When it was started, by the monotonic clock.
    pub(super) at_ns: i64,
    /// The control group of its tree, where one could be made.
    pub(super) cgroup: Option<PathBuf>,
}

/// What becomes of processes that outlive the command that started them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Leftovers {
    /// They have some time to end; if any is left then, the run is no measurement.
    #[default]
    Refuse,
    /// They are ended, such as the server of a build system.
    End,
    /// They are as good as the command: a server that goes into the background is followed there.
    Follow,
}

/// The answer.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Outcome {
    /// The costs; meaningful where the command ended by itself.
    pub(super) observation: Observation,
    /// How it ended.
    pub(super) ending: Ending,
    /// Exit status of the command itself, where it had ended before the tree was told to.
    pub(super) exit: Option<i32>,
}

/// How a run ended.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Ending {
    /// By itself.
    Ended {
        /// Exit status; 128 + signal where a signal ended it.
        exit: i32,
    },
    /// The command could not be started.
    NotStarted {
        /// There is no such program.
        not_found: bool,
        /// The system's answer.
        fact: String,
    },
    /// The limit passed.
    TimedOut,
    /// Somebody asked the helper to stop.
    Interrupted,
    /// The command ended, its descendants did not.
    LeftBehind {
        /// Their names.
        names: Vec<String>,
    },
}

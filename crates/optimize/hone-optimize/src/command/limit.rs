//! Time limits of the commands in hone.toml: a command that never ends under a variant is that variant's failure, and the
//! search goes on.

use std::time::Duration;

use anyhow::{Error, Result};
use hone_build::config::Workload;

use crate::run::Run;
use hone_files::advice::Advice;
use hone_run::process::RunError;

/// Limit in seconds of commands without a known time: the first runs on the baseline, and training.
const UNKNOWN_S: f64 = 3600.0;
/// Factor on the baseline's time that a variant may take ...
const TIMES: f64 = 10.0;
/// ... and seconds more, since a short run may have to wait for a busy machine.
const MORE_S: f64 = 30.0;

/// Limit of a command: the value in hone.toml, or else a value that follows from the baseline's own time.
pub(crate) fn of(told_s: Option<f64>, baseline_s: Option<f64>) -> Duration {
    let derived_s = baseline_s.map_or(UNKNOWN_S, |seconds| (TIMES * seconds + MORE_S).ceil());
    Duration::from_secs_f64(told_s.unwrap_or(derived_s))
}

/// The limit of one run of a measured workload.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    /// Maximum time of the run if it has its CPU for itself.
    pub(crate) alone: Duration,
    /// True if the other run of the pair is on the same CPU.
    pub(crate) is_in_duet: bool,
}

impl Limit {
    /// Wall time after which the run is ended.
    pub(crate) fn wall(self) -> Duration {
        match self.is_in_duet {
            true => self.alone * 2,
            false => self.alone,
        }
    }

    /// Does the same as [`explained`], and adds why the time is not the limit in hone.toml.
    pub(crate) fn explained<T>(self, outcome: Result<T>) -> Result<T> {
        let doubled = |error: Error| match error.downcast_ref::<RunError>() {
            Some(RunError::TimedOut { .. }) if self.is_in_duet => {
                let alone_s = self.alone.as_secs_f64();
                error.context(format!(
                    "its limit of {alone_s} s counts double, since the two runs of a pair share a CPU"
                ))
            }
            _ => error,
        };
        explained(outcome.map_err(doubled))
    }
}

/// Limit of a run of a measured workload that has its CPU for itself.
pub(crate) fn of_measure(run: &Run, workload: &Workload) -> Duration {
    let baseline_s = run.workspace.state.workload_s.get(&workload.name);
    of(workload.limit_s, baseline_s.copied())
}

/// Adds the next step to the error of a command that was ended for its time.
pub(crate) fn explained<T>(outcome: Result<T>) -> Result<T> {
    outcome.map_err(
        |error: Error| match error.downcast_ref::<RunError>() {
            Some(RunError::TimedOut { .. }) => Advice::error(
                error,
                "find out where it hangs; if it only needs longer, raise its limit_seconds in hone.toml",
            ),
            _ => error,
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_decides_and_else_the_baseline() {
        let seconds = |told, baseline| of(told, baseline).as_secs_f64();
        assert_eq!(seconds(Some(2.5), Some(100.0)), 2.5);
        assert_eq!(seconds(None, Some(1.23)), 43.0);
        assert_eq!(seconds(None, None), UNKNOWN_S);
    }

    #[test]
    fn who_shares_a_cpu_has_twice_the_time_and_is_told_why() {
        let message = |is_in_duet| {
            let alone = Duration::from_secs(10);
            let limit = Limit { alone, is_in_duet };
            let seconds = limit.wall().as_secs_f64();
            let words = "stuck".into();
            let ended = RunError::TimedOut { seconds, words };
            let error = limit.explained::<()>(Err(ended.into())).unwrap_err();
            hone_files::advice::render(&error)
        };
        let shared = message(true);
        for words in [
            "limit of 10 s counts double",
            "still running after 20 s",
            "limit_seconds",
        ] {
            assert!(shared.contains(words), "{shared}");
        }
        let alone = message(false);
        assert!(alone.contains("still running after 10 s") && !alone.contains("double"));
    }
}

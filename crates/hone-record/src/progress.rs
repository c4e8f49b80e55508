//! Progress of a recording, and the time of its end.

use crate::options::{Options, Target};
use crate::procfs;
use crate::summary::Summary;
use crate::sys::clock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Time between two reports of progress.
const REPORT_EVERY: Duration = Duration::from_millis(250);
/// Longest sleep; a stop may go unnoticed for this long.
const SLEEP_MAX: Duration = Duration::from_millis(100);

/// Reports numbers and decides when to stop.
pub(crate) struct Progress<'a> {
    stop: &'a AtomicBool,
    report: &'a dyn Fn(&Summary),
    began: Instant,
    end: Option<Instant>,
    next_report: Instant,
    processes: Vec<Used>,
}

/// CPU seconds of one process.
struct Used {
    pid: i32,
    before_s: f64,
    /// CPU seconds since the recording began, as of the last look that found the process alive.
    during_s: f64,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(
        options: &Options,
        stop: &'a AtomicBool,
        report: &'a dyn Fn(&Summary),
        pids: &[i32],
    ) -> Self {
        let began = Instant::now();
        let before_s = |pid| match options.target {
            Target::Processes { .. } => procfs::cpu_s(pid).unwrap_or(0.0),
            Target::Command { .. } | Target::System { .. } => 0.0,
        };
        let used = |&pid: &i32| Used {
            pid,
            before_s: before_s(pid),
            during_s: 0.0,
        };
        let end = options
            .duration_s
            .and_then(|s| began.checked_add(Duration::try_from_secs_f64(s).ok()?));
        Self {
            stop,
            report,
            began,
            end,
            next_report: began + REPORT_EVERY,
            processes: pids.iter().map(used).collect(),
        }
    }

    /// Updates and reports the summary if it is time; returns true if the recording goes on.
    pub(crate) fn goes_on(&mut self, summary: &mut Summary) -> bool {
        let now = Instant::now();
        if now >= self.next_report {
            self.update(summary);
            (self.report)(summary);
            self.next_report = now + REPORT_EVERY;
        }
        !self.stop.load(Ordering::Relaxed) && self.end.is_none_or(|end| now < end)
    }

    pub(crate) fn update(&mut self, summary: &mut Summary) {
        summary.wall_s = self.began.elapsed().as_secs_f64();
        summary.recorder_cpu_s = clock::thread_cpu_ns() as f64 / 1e9 + summary.walkers_cpu_s;
        // The CPU time of an ended command is already known, children included.
        if summary.exit_code.is_some() {
            return;
        }
        let mut lives = false;
        for process in &mut self.processes {
            if let Some(cpu_s) = procfs::cpu_s(process.pid) {
                lives = true;
                process.during_s = (cpu_s - process.before_s).max(0.0);
            }
        }
        if lives {
            summary.target_cpu_s = self.processes.iter().map(|process| process.during_s).sum();
        }
    }

    pub(crate) fn sleep(&self) -> Duration {
        let left = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(SLEEP_MAX, |left| left.min(SLEEP_MAX))
    }
}

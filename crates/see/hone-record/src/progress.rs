//! Progress of a recording, and the time of its end.

use crate::cpu_times::CpuTimes;
use crate::inheritance::Threads;
use crate::options::Options;
use crate::summary::Summary;
use crate::sys::clock;
use hone_profile::ThreadTime;
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
    /// CPU time of the recorded processes; `None` for the whole system and for cgroups.
    times: Option<CpuTimes>,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(
        options: &Options,
        stop: &'a AtomicBool,
        report: &'a dyn Fn(&Summary),
        times: Option<CpuTimes>,
    ) -> Self {
        let began = Instant::now();
        let end = options
            .duration_s
            .and_then(|s| began.checked_add(Duration::try_from_secs_f64(s).ok()?));
        Self {
            stop,
            report,
            began,
            end,
            next_report: began + REPORT_EVERY,
            times,
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
        if let Some(times) = &mut self.times {
            summary.target_cpu_s = times.used_s();
        }
    }

    /// Updates the summary a last time, and returns the CPU time of each thread.
    pub(crate) fn close(&mut self, summary: &mut Summary) -> Vec<ThreadTime> {
        let threads = self.times.as_mut().map(CpuTimes::close);
        self.update(summary);
        threads.unwrap_or_default()
    }

    /// Returns the CPU seconds that the target has used so far.
    pub(crate) fn used_s(&mut self, summary: &mut Summary) -> f64 {
        self.update(summary);
        summary.target_cpu_s
    }

    /// Returns births and ends of threads with the switches between threads, as of the latest look.
    pub(crate) fn with_switches(&self, threads: Threads) -> Threads {
        Threads {
            switches: self.times.as_ref().map_or(0, CpuTimes::switches),
            ..threads
        }
    }

    pub(crate) fn sleep(&self) -> Duration {
        let left = self
            .end
            .map(|end| end.saturating_duration_since(Instant::now()));
        left.map_or(SLEEP_MAX, |left| left.min(SLEEP_MAX))
    }
}

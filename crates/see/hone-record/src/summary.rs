//! The numbers of a recording.

use hone_profile::Accounted;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Numbers of a recording, also while it goes on.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Summary {
    /// Branch source that was used in the end: `lbr`, `walk` or `none`.
    pub branch_source: String,
    /// Source of the samples: `cycles:u`, `cpu-clock`, `cpu-clock:u` (user code only, since samples of the kernel
    /// are not allowed) or `ptrace-timer`.
    pub sampler: String,
    /// What the counters of the samples belong to: `threads`; `cpus` for the whole system, a cgroup, and processes with threads
    /// so many and short that counters of threads would cost or miss much; or `none` for the timer.
    pub counters: String,
    /// Process id of the target, the smallest of several; for the whole system or a cgroup the id of the started command, or 0.
    pub pid: i32,
    /// IP samples written.
    pub samples: u64,
    /// IP samples left out because they fell into a walk, where they would show the walker's own work.
    pub samples_in_walks: u64,
    /// Walks begun.
    pub walks: u64,
    /// Number of walks by the reason why they ended; adds up to `walks`.
    pub walk_ends: BTreeMap<String, u64>,
    /// Stops that could not become a walk, by reason, such as that the thread had entered the kernel.
    pub walks_not_begun: BTreeMap<String, u64>,
    /// Walks thrown away, because the code that they went through had just changed.
    pub walks_belied: u64,
    /// Walks for which the thread was stopped; the other walks only kept the thread off its CPU.
    pub walks_stopped: u64,
    /// Walks that did not start where their sample fell, because the thread had run on.
    pub walks_moved: u64,
    /// Instructions stepped or emulated.
    pub steps: u64,
    /// Branch records written; records repeated between the pieces of a walk are counted once.
    pub branch_records: u64,
    /// Largest number of bytes of the stack in a sample; 0 if no stacks were copied.
    pub stack_bytes: u32,
    /// Copied stacks that were unwound.
    pub stacks: u64,
    /// Unwound stacks that were longer than their copy.
    pub stacks_truncated: u64,
    /// Stacks whose callers could not be found, including stacks of code that is not 64-bit.
    pub stacks_broken: u64,
    /// Samples that the kernel lost.
    pub lost: u64,
    /// Bytes of the recording so far.
    pub bytes: u64,
    /// Wall seconds.
    pub wall_s: f64,
    /// Allowed cost of the recording: a share of the target's CPU time; 0 for no limit.
    pub overhead: f64,
    /// Samples per second of CPU time that were asked for, by option or default.
    pub asked_hz: u32,
    /// Sampling rate at the end, lowered so that the recording costs no more than allowed.
    pub rate_hz: u32,
    /// Microseconds that a sample that wakes no walker costs its thread: measured on this machine, including the latest
    /// size of the copies of stacks and the cost of cold caches afterwards. 0 if not measured.
    pub sample_cost_us: f64,
    /// Seconds for which target threads were held up by walks and samples, and to hand counters on to new threads, summed over
    /// threads; for samples of the kernel and new threads estimated from the cost of one.
    pub stopped_s: f64,
    /// CPU seconds that the target used while it was recorded, the cost of stepping included.
    pub target_cpu_s: f64,
    /// Share of `target_cpu_s` for which no sample stands; `None` if it is no more than chance makes, or not known.
    pub unsampled: Option<f64>,
    /// CPU seconds that the recorder used, its walkers included.
    pub recorder_cpu_s: f64,
    /// CPU seconds that the walkers used, a part of `recorder_cpu_s`.
    pub walkers_cpu_s: f64,
    /// Exit status of a started command: code, or 128 + signal. `None` if it was left running.
    pub exit_code: Option<i32>,
    /// Messages that the user should know, in full sentences.
    pub warnings: Vec<String>,
    /// Copies of programs and libraries that were deleted or replaced while processes ran them.
    pub kept_files: Vec<PathBuf>,
}

impl Summary {
    /// Returns the CPU seconds that the recording cost in all: the time for which the target was held up, and the recorder's own.
    /// Walkers hold the target up while they run, so that their time counts once.
    pub fn cost_s(&self) -> f64 {
        let beside_walks_s = (self.recorder_cpu_s - self.walkers_cpu_s).max(0.0);
        self.stopped_s.max(self.walkers_cpu_s) + beside_walks_s
    }

    /// Notes the CPU time that was used beside that for which samples stand.
    pub(crate) fn account(&mut self, accounted: Accounted) {
        self.unsampled = accounted.unsampled();
        if let Some(share) = self.unsampled {
            self.warn(format!(
                "No sample stands for {:.0} % of the {:.2} s of CPU time that the target used; {}.",
                100.0 * share,
                self.target_cpu_s,
                accounted.cure()
            ));
        }
    }

    pub(crate) fn warn(&mut self, sentence: impl Into<String>) {
        let sentence = sentence.into();
        if !self.warnings.contains(&sentence) {
            self.warnings.push(sentence);
        }
    }
}

pub(crate) fn count(map: &mut BTreeMap<String, u64>, reason: &str) {
    *map.entry(reason.to_owned()).or_default() += 1;
}

//! The numbers of a recording.

use std::collections::BTreeMap;

/// Numbers of a recording, also while it goes on.
#[derive(Clone, Debug, Default, serde::Serialize)]
pub struct Summary {
    /// Which branch source was used in the end: `lbr`, `walk` or `none`.
    pub branch_source: String,
    /// What drove the samples: `cycles:u`, `cpu-clock`, `cpu-clock:u` (user code only, since the kernel's
    /// samples are not allowed) or `ptrace-timer`.
    pub sampler: String,
    /// Process id of the target; of several the smallest; of everybody that of the command that was started, or 0.
    pub pid: i32,
    /// IP samples written.
    pub samples: u64,
    /// IP samples left out because they fell into a walk, where they would show the walker's own work.
    pub samples_in_walks: u64,
    /// Walks begun.
    pub walks: u64,
    /// Why walks ended, by reason; adds up to `walks`.
    pub walk_ends: BTreeMap<String, u64>,
    /// Stops that could not become a walk, by reason: the thread had entered the kernel, say.
    pub walks_not_begun: BTreeMap<String, u64>,
    /// Walks thrown away, because the code they went through had just changed.
    pub walks_belied: u64,
    /// Walks for which the thread was stopped; the others only kept it off its CPU.
    pub walks_stopped: u64,
    /// Walks that did not start where their sample fell: the thread had run on.
    pub walks_moved: u64,
    /// Instructions stepped or emulated.
    pub steps: u64,
    /// Branch records written, those repeated between the pieces of a walk counted once.
    pub branch_records: u64,
    /// Bytes of the stack that a sample held at most; 0 where none were copied.
    pub stack_bytes: u32,
    /// Copied stacks that were unwound.
    pub stacks: u64,
    /// Of these, those longer than what was copied.
    pub stacks_truncated: u64,
    /// Of these, and of stacks that are not of 64-bit code, those whose callers could not be found.
    pub stacks_broken: u64,
    /// Samples that the kernel lost.
    pub lost: u64,
    /// Bytes of the recording so far.
    pub bytes: u64,
    /// Wall seconds.
    pub wall_s: f64,
    /// What the recording may cost: a share of the target's CPU time; 0 for whatever it does.
    pub overhead: f64,
    /// Samples per second of CPU time that were asked for, by option or default.
    pub asked_hz: u32,
    /// What was kept to in the end, so that the recording costs no more than it may.
    pub rate_hz: u32,
    /// Microseconds that a sample that wakes no walker costs its thread: measured on this machine, with what was copied
    /// of stacks lately, and with what it leaves cold. 0 where it was not measured.
    pub sample_cost_us: f64,
    /// Seconds that target threads were held up by walks and samples, summed over threads; by samples of the kernel as
    /// estimated from what one costs.
    pub stopped_s: f64,
    /// CPU seconds the target used while it was recorded, the cost of stepping included.
    pub target_cpu_s: f64,
    /// CPU seconds the recorder used, its walkers included.
    pub recorder_cpu_s: f64,
    /// Of these, its walkers.
    pub walkers_cpu_s: f64,
    /// Exit status of a started command: code, or 128 + signal. `None` if it was left running.
    pub exit_code: Option<i32>,
    /// Things the user should know, full sentences.
    pub warnings: Vec<String>,
}

impl Summary {
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

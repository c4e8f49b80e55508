//! What the collector itself takes of the host.

use std::fs;
use std::time::Duration;

use hone_host::key_lines;
use rustix::time::{ClockId, clock_gettime};

/// Resident memory of this process, beyond what it had when the collector began.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    before_bytes: u64,
    peak_bytes: u64,
}

impl Memory {
    /// Starts with the present memory.
    pub(crate) fn now() -> Self {
        let before_bytes = resident_bytes();
        Self {
            before_bytes,
            peak_bytes: 0,
        }
    }

    /// Looks at the memory; to be called where it is large.
    pub(crate) fn look(&mut self) {
        let beyond = resident_bytes().saturating_sub(self.before_bytes);
        self.peak_bytes = self.peak_bytes.max(beyond);
    }

    /// Starts a new peak.
    pub(crate) fn forget_peak(&mut self) {
        self.peak_bytes = 0;
    }

    /// Most bytes that were seen.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }
}

fn resident_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    key_lines::bytes(&status, "VmRSS:").unwrap_or(0)
}

/// Returns the CPU time of the calling thread.
pub(crate) fn thread_cpu() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Number of CPUs that are online, whichever of them this process may use.
pub(crate) fn cpus() -> usize {
    let stat = fs::read_to_string("/proc/stat").unwrap_or_default();
    cpus_of(&stat).max(1)
}

/// Counts the CPUs in the text of `/proc/stat`.
fn cpus_of(stat: &str) -> usize {
    let rests = stat.lines().filter_map(|line| line.strip_prefix("cpu"));
    rests
        .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpus_are_counted_without_their_sum() {
        let stat = "cpu  9 0 0\ncpu0 4 0 0\ncpu11 5 0 0\nintr 7\nctxt 8\n";
        assert_eq!(cpus_of(stat), 2);
        assert!(cpus() >= std::thread::available_parallelism().unwrap().get());
    }

    #[test]
    fn memory_that_is_taken_is_seen() {
        let mut memory = Memory::now();
        let taken = vec![1_u8; 32 << 20];
        memory.look();
        assert!(memory.peak_bytes() >= 16 << 20, "{memory:?}");
        drop(taken);
        memory.forget_peak();
        assert_eq!(memory.peak_bytes(), 0);
    }
}

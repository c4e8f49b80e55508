//! Use of the machine by the agent itself.

use hone_host::key_lines;
use std::fs;

/// CPU time and memory of the agent. A value that the kernel does not report is zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Own {
    /// CPU time of all threads so far, in milliseconds.
    pub cpu_ms: u64,
    /// Memory that is resident now, in bytes.
    pub resident_bytes: u64,
}

impl Own {
    /// Reads the present values.
    pub fn now() -> Self {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let cpu = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
        let (seconds, nanoseconds) = (cpu.tv_sec.unsigned_abs(), cpu.tv_nsec.unsigned_abs());
        Self {
            cpu_ms: seconds * 1000 + nanoseconds / 1_000_000,
            resident_bytes: key_lines::bytes(&status, "VmRSS:").unwrap_or(0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_is_seen() {
        let before = Own::now();
        let taken = vec![1_u8; 64 << 20];
        let sum: u64 = taken.iter().map(|&byte| u64::from(byte)).sum();
        let after = Own::now();
        assert_eq!(sum, 64 << 20);
        assert!(after.resident_bytes > 64 << 20, "{after:?}");
        assert!(after.cpu_ms >= before.cpu_ms && after.cpu_ms > 0);
        drop(taken);
    }
}

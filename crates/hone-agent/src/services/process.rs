//! What `/proc/PID/stat` says of a process.

/// Ticks per second in which the kernel tells CPU time: its interface fixes them to 100 on every architecture that it
/// still builds for but Alpha (`USER_HZ` in `asm/param.h`), whatever the kernel's own timer runs at.
pub(super) const TICKS_PER_S: f64 = 100.0;

/// `PF_KTHREAD` of the kernel's `sched.h`.
const IS_KERNEL_THREAD: u64 = 0x0020_0000;

/// A process as it is now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Process<'a> {
    /// What it calls itself, at most 15 bytes.
    pub(super) name: &'a [u8],
    /// Whether it is a thread of the kernel.
    pub(super) is_kernels: bool,
    /// CPU time in user mode of all its threads, ended ones too.
    pub(super) user_ticks: u64,
    /// The same in the kernel.
    pub(super) system_ticks: u64,
    /// When it started, in ticks since boot: tells it from a later process with the same number.
    pub(super) started_ticks: u64,
}

impl<'a> Process<'a> {
    /// Reads the line. `None` if it is none.
    pub(super) fn parse(line: &'a [u8]) -> Option<Self> {
        // The name may hold anything, brackets and spaces too.
        let open = memchr::memchr(b'(', line)?;
        let close = memchr::memrchr(b')', line)?;
        let name = line.get(open + 1..close)?;
        let rest = std::str::from_utf8(line.get(close + 1..)?).ok()?;
        let mut fields = rest.split_ascii_whitespace();
        // proc_pid_stat(5) counts from 1, and the third is the first behind the name.
        let flags = fields.nth(9 - 3)?.parse::<u64>().ok()?;
        let user_ticks = fields.nth(14 - 10)?.parse().ok()?;
        let system_ticks = fields.next()?.parse().ok()?;
        let started_ticks = fields.nth(22 - 16)?.parse().ok()?;
        Some(Self {
            name,
            is_kernels: flags & IS_KERNEL_THREAD != 0,
            user_ticks,
            system_ticks,
            started_ticks,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_and_spaces_move_no_field() {
        let line = b"9226 (a) R 1 (b) R 9219 9219 6187 0 -1 4194304 101 0 2 0 77 33 5 6 20 0 3 0 1497383 3133440 363\n";
        let process = Process::parse(line).unwrap();
        assert_eq!(process.name, b"a) R 1 (b");
        assert_eq!((process.user_ticks, process.system_ticks), (77, 33));
        assert_eq!(
            (process.started_ticks, process.is_kernels),
            (1_497_383, false)
        );
    }

    #[test]
    fn threads_of_the_kernel_are_known_by_their_flag() {
        let line = b"2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 9 0 0 20 0 1 0 1 0 0";
        assert!(Process::parse(line).unwrap().is_kernels);
    }

    #[test]
    fn what_is_cut_short_is_no_process() {
        for line in [
            &b""[..],
            b"1 (a",
            b"1 (a) S 0 0",
            b") (",
            b"1 (a) S x x x x x x x x x x x x",
        ] {
            assert_eq!(Process::parse(line), None);
        }
    }
}

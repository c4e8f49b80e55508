//! Parser of `/proc/PID/stat` of a process or a thread (proc_pid_stat(5)).

/// Ticks per second in which the kernel reports CPU time: `USER_HZ` in `asm/param.h`, which is 100 on every architecture that
/// the kernel still builds for but Alpha, whatever the kernel's own timer runs at.
pub const TICKS_PER_S: f64 = 100.0;

/// `PF_KTHREAD` of the kernel's `sched.h`.
const IS_KERNEL_THREAD: u64 = 0x0020_0000;

/// State of a process, from one line of `/proc/PID/stat`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Process<'a> {
    /// Command name, at most 15 bytes.
    pub name: &'a [u8],
    /// State: `R` runs or waits for a CPU, `Z` is a zombie.
    pub state: char,
    /// Process id of the parent.
    pub parent: i32,
    /// True for a thread of the kernel.
    pub is_kernels: bool,
    /// CPU time in user mode of all threads of the process, ended threads included.
    pub user_ticks: u64,
    /// CPU time in the kernel of all threads of the process, ended threads included.
    pub system_ticks: u64,
    /// CPU time in user mode of children that have ended and were waited for.
    pub ended_user_ticks: u64,
    /// CPU time in the kernel of children that have ended and were waited for.
    pub ended_system_ticks: u64,
    /// Start in ticks since boot; tells the process from a later process with the same number.
    pub started_ticks: u64,
}

impl<'a> Process<'a> {
    /// Parses a line; `None` if the line is not in the format of `/proc/PID/stat`.
    pub fn parse(line: &'a [u8]) -> Option<Self> {
        let open = memchr::memchr(b'(', line)?;
        let close = memchr::memrchr(b')', line)?;
        let name = line.get(open + 1..close)?;
        let mut fields = behind_name(std::str::from_utf8(&line[close..]).ok()?)?;
        let state = fields.next()?.chars().next()?;
        let parent = fields.next()?.parse().ok()?;
        let flags: u64 = fields.nth(9 - 5)?.parse().ok()?;
        let mut ticks = fields.skip(14 - 10);
        let mut next = || ticks.next()?.parse::<u64>().ok();
        let (user_ticks, system_ticks) = (next()?, next()?);
        // The times of children are signed.
        let mut next = || Some(ticks.next()?.parse::<i64>().ok()?.max(0).unsigned_abs());
        let (ended_user_ticks, ended_system_ticks) = (next()?, next()?);
        let started_ticks = ticks.nth(22 - 18)?.parse().ok()?;
        Some(Self {
            name,
            state,
            parent,
            is_kernels: flags & IS_KERNEL_THREAD != 0,
            user_ticks,
            system_ticks,
            ended_user_ticks,
            ended_system_ticks,
            started_ticks,
        })
    }
}

/// Returns the fields after the name; the first is the state, field 3 of proc_pid_stat(5). The name may hold anything, also brackets
/// and blanks, so fields are counted from the last bracket of the line; the line may be cut to begin at that bracket.
pub fn behind_name(line: &str) -> Option<std::str::SplitAsciiWhitespace<'_>> {
    Some(line[line.rfind(')')? + 1..].split_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_brackets_and_spaces_move_no_field() {
        let line = b"9226 (a) R 1 (b) S 7 9219 6187 0 -1 4194304 101 0 2 0 77 33 5 6 20 0 3 0 1497383 3133440 363\n";
        let process = Process::parse(line).unwrap();
        let expected = Process {
            name: b"a) R 1 (b",
            state: 'S',
            parent: 7,
            is_kernels: false,
            user_ticks: 77,
            system_ticks: 33,
            ended_user_ticks: 5,
            ended_system_ticks: 6,
            started_ticks: 1_497_383,
        };
        assert_eq!(process, expected);
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

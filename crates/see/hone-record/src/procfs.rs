//! Reads facts about processes and threads from `/proc`. Every function returns `None` or nothing for a
//! process that has gone meanwhile.

use hone_host::key_lines::field;
use hone_host::process::{TICKS_PER_S, behind_name};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// State of a thread, and its current or last CPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ThreadState {
    /// True if the thread runs, or waits for nothing but a CPU.
    pub(crate) is_running: bool,
    pub(crate) cpu: u32,
}

/// Reads the state of a thread. `/proc/TID` can be opened for any thread, listed or not.
pub(crate) fn thread_state(tid: i32) -> Option<ThreadState> {
    parse_thread_state(&fs::read_to_string(format!("/proc/{tid}/task/{tid}/stat")).ok()?)
}

/// Parses the content of a `stat` file, or the part of it from the last bracket of the name on.
pub(crate) fn parse_thread_state(stat: &str) -> Option<ThreadState> {
    let fields = behind_name(stat)?;
    let state = fields.clone().next()?;
    // Fields are numbered from 1; the first after the name is the third.
    let cpu = fields.clone().nth(39 - 3)?.parse().ok()?;
    Some(ThreadState {
        is_running: state == "R",
        cpu,
    })
}

/// Account of a thread.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ThreadAccount {
    /// Nanoseconds of CPU time.
    pub(crate) cpu_ns: u64,
    /// Number of times that the thread was put on a CPU; 0 if the kernel does not count them.
    pub(crate) switches: u64,
}

impl ThreadAccount {
    /// Returns what was added since an earlier account.
    pub(crate) fn since(self, before: Self) -> Self {
        Self {
            cpu_ns: self.cpu_ns.saturating_sub(before.cpu_ns),
            switches: self.switches.saturating_sub(before.switches),
        }
    }
}

/// Reads the account of a thread. The scheduler's account is exact to a timer tick; kernels without the account
/// count in hundredths of a second.
pub(crate) fn thread_account(tid: i32) -> Option<ThreadAccount> {
    if let Ok(account) = fs::read_to_string(format!("/proc/{tid}/task/{tid}/schedstat")) {
        let mut fields = account.split_ascii_whitespace();
        let mut field = |skipped: usize| fields.nth(skipped)?.parse::<u64>().ok();
        if let (Some(cpu_ns), Some(switches)) = (field(0), field(1))
            && cpu_ns > 0
        {
            return Some(ThreadAccount { cpu_ns, switches });
        }
    }
    let stat = fs::read_to_string(format!("/proc/{tid}/task/{tid}/stat")).ok()?;
    let ticks: u64 = behind_name(&stat)?
        .skip(14 - 3)
        .take(2)
        .filter_map(|t| t.parse::<u64>().ok())
        .sum();
    Some(ThreadAccount {
        cpu_ns: (ticks as f64 / TICKS_PER_S * 1e9) as u64,
        switches: 0,
    })
}

/// Reads the CPU time of a thread in nanoseconds.
pub(crate) fn thread_cpu_ns(tid: i32) -> Option<u64> {
    thread_account(tid).map(|account| account.cpu_ns)
}

/// Returns the parent of a process.
pub(crate) fn parent_of(pid: i32) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    behind_name(&stat)?.nth(4 - 3)?.parse().ok()
}

/// Returns the CPU seconds of a process and its waited-for children.
pub(crate) fn cpu_s(pid: i32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let ticks: u64 = behind_name(&stat)?
        .skip(14 - 3)
        .take(4)
        .filter_map(|t| t.parse::<u64>().ok())
        .sum();
    Some(ticks as f64 / TICKS_PER_S)
}

/// Lists all processes.
pub(crate) fn processes() -> Vec<i32> {
    let Ok(entries) = fs::read_dir("/proc") else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

/// Returns the seconds in which the CPUs did not idle, summed over all CPUs, since the machine was started.
pub(crate) fn busy_s() -> Option<f64> {
    let stat = fs::read_to_string("/proc/stat").ok()?;
    let fields = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = fields
        .split_ascii_whitespace()
        .filter_map(|ticks| ticks.parse().ok())
        .collect();
    // User, nice and system time, and time in hard and soft interrupts; idle time (3) and I/O wait (4) do not count.
    let busy: u64 = [0, 1, 2, 5, 6].iter().filter_map(|&at| ticks.get(at)).sum();
    Some(busy as f64 / TICKS_PER_S)
}

/// Returns true if the mappings of a process are hidden from us.
pub(crate) fn is_hidden(pid: i32) -> bool {
    let refusal = fs::read(format!("/proc/{pid}/maps")).err();
    refusal.is_some_and(|error| error.kind() == std::io::ErrorKind::PermissionDenied)
}

/// The threads of a process.
pub(crate) fn threads(pid: i32) -> Vec<i32> {
    let Ok(entries) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}

/// The process that a thread belongs to.
pub(crate) fn process_of(tid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{tid}/status")).ok()?;
    field(&status, "Tgid:")?.parse().ok()
}

/// Returns the user of a process, if it is another user than this process's.
pub(crate) fn other_owner(pid: i32) -> Option<u32> {
    let owner = |of: &str| Some(fs::metadata(format!("/proc/{of}")).ok()?.uid());
    let (own, other) = (owner("self")?, owner(&pid.to_string())?);
    (own != other).then_some(other)
}

/// Returns true if a thread is the first of a process, and that process is a child of ours.
pub(crate) fn is_own_child(tid: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{tid}/task/{tid}/status")).unwrap_or_default();
    let number = |name| field(&status, name).and_then(|text| text.parse::<i32>().ok());
    number("Tgid:") == Some(tid) && number("PPid:") == Some(std::process::id() as i32)
}

/// Returns the thread that traces a thread, if there is one.
pub(crate) fn tracer_of(tid: i32) -> Option<i32> {
    let status = fs::read_to_string(format!("/proc/{tid}/task/{tid}/status")).ok()?;
    let tracer = field(&status, "TracerPid:")?.parse().ok()?;
    (tracer != 0).then_some(tracer)
}

/// Returns true if a seccomp filter decides which system calls a thread may make. A call that a stop interrupts
/// goes on as another call (`restart_syscall`), which the filter may punish.
pub(crate) fn is_fenced(tid: i32) -> bool {
    let status = fs::read_to_string(format!("/proc/{tid}/task/{tid}/status")).unwrap_or_default();
    field(&status, "Seccomp:").is_some_and(|mode| mode != "0")
}

/// Returns true if a signal that the thread does not block waits for the thread.
pub(crate) fn has_signal(tid: i32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{tid}/task/{tid}/status")) else {
        return true;
    };
    let mask = |name| {
        field(&status, name)
            .and_then(|text| u64::from_str_radix(text, 16).ok())
            .unwrap_or(0)
    };
    (mask("SigPnd:") | mask("ShdPnd:")) & !mask("SigBlk:") != 0
}

/// Returns true if a process or a thread of this number exists.
pub(crate) fn is_there(pid: i32) -> bool {
    fs::exists(format!("/proc/{pid}")).unwrap_or(false)
}

/// The command name of a thread.
pub(crate) fn comm(tid: i32) -> Option<String> {
    let name = fs::read(format!("/proc/{tid}/task/{tid}/comm")).ok()?;
    Some(
        String::from_utf8_lossy(&name)
            .trim_end_matches('\n')
            .to_owned(),
    )
}

/// A line of `/proc/PID/maps`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Mapping {
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) file_offset: u64,
    pub(crate) protection: u32,
    pub(crate) flags: u32,
    pub(crate) device: (u32, u32, u64),
    /// Path of the file; `//anon` for memory without a name, as perf writes it.
    pub(crate) path: String,
}

impl Mapping {
    pub(crate) fn is_executable(&self) -> bool {
        self.protection & libc::PROT_EXEC as u32 != 0
    }
}

/// The mappings of a process, in the order of their addresses.
pub(crate) fn mappings(pid: i32) -> Vec<Mapping> {
    let maps = fs::read(format!("/proc/{pid}/maps")).unwrap_or_default();
    String::from_utf8_lossy(&maps)
        .lines()
        .filter_map(parse_mapping)
        .collect()
}

/// The executable mappings of a process.
pub(crate) fn executable_mappings(pid: i32) -> Vec<Mapping> {
    let mut mappings = mappings(pid);
    mappings.retain(Mapping::is_executable);
    mappings
}

fn parse_mapping(line: &str) -> Option<Mapping> {
    let mut rest = line;
    let mut field = || {
        let (field, after) = rest.split_once(' ').unwrap_or((rest, ""));
        rest = after.trim_start();
        field
    };
    let (range, bits, offset, device, inode) = (field(), field(), field(), field(), field());
    let hex = |text: &str| u64::from_str_radix(text, 16).ok();
    let (start, end) = range.split_once('-')?;
    let (major, minor) = device.split_once(':')?;
    let has = |letter: char, bit: i32| if bits.contains(letter) { bit as u32 } else { 0 };
    Some(Mapping {
        start: hex(start)?,
        end: hex(end)?,
        file_offset: hex(offset)?,
        protection: has('r', libc::PROT_READ)
            | has('w', libc::PROT_WRITE)
            | has('x', libc::PROT_EXEC),
        flags: if bits.ends_with('s') {
            libc::MAP_SHARED
        } else {
            libc::MAP_PRIVATE
        } as u32,
        device: (hex(major)? as u32, hex(minor)? as u32, inode.parse().ok()?),
        path: if rest.is_empty() {
            "//anon".to_owned()
        } else {
            rest.to_owned()
        },
    })
}

/// Returns a function that tells whether the CPU has a feature, by the feature's name in `/proc/cpuinfo`.
pub(crate) fn cpu_flags() -> impl Fn(&str) -> bool {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = info.lines().find_map(|line| line.strip_prefix("flags"));
    let flags: Vec<String> = line
        .unwrap_or_default()
        .split_ascii_whitespace()
        .map(str::to_owned)
        .collect();
    move |name| flags.iter().any(|flag| flag == name)
}

/// The numbers of the CPUs that are online.
pub(crate) fn online_cpus() -> Vec<i32> {
    let text = fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
    let cpus = parse_cpu_list(text.trim());
    if cpus.is_empty() {
        let count = std::thread::available_parallelism().map_or(1, |count| count.get() as i32);
        return (0..count).collect();
    }
    cpus
}

fn parse_cpu_list(text: &str) -> Vec<i32> {
    text.split(',')
        .filter_map(|part| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.parse::<i32>().ok()?..=last.parse().ok()?)
        })
        .flatten()
        .collect()
}

/// Reads a value from `/proc/sys`.
pub(crate) fn setting<T: std::str::FromStr>(name: &str) -> Option<T> {
    fs::read_to_string(PathBuf::from("/proc/sys").join(name))
        .ok()?
        .trim()
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_brackets_and_blanks_does_not_shift_the_fields() {
        let mut stat = "17 (a) R (b) S".to_owned();
        for field in 4..=38 {
            stat += &format!(" {field}");
        }
        stat += " 5 40 41";
        assert_eq!(
            parse_thread_state(&stat),
            Some(ThreadState {
                is_running: false,
                cpu: 5
            })
        );
        assert_eq!(parse_thread_state("17 (cut) R 1 2"), None);
    }

    #[test]
    fn mappings_are_read_with_and_without_names() {
        let mapping =
            parse_mapping("7f00-7f80 r-xp 00001000 fe:01 42                 /opt/a b (deleted)")
                .unwrap();
        assert_eq!(
            (mapping.start, mapping.end, mapping.file_offset),
            (0x7f00, 0x7f80, 0x1000)
        );
        assert_eq!(mapping.device, (0xfe, 1, 42));
        assert_eq!(mapping.path, "/opt/a b (deleted)");
        assert_eq!(
            mapping.protection,
            (libc::PROT_READ | libc::PROT_EXEC) as u32
        );
        assert_eq!(mapping.flags, libc::MAP_PRIVATE as u32);
        let anonymous = parse_mapping("1000-2000 rwxs 00000000 00:00 0 ").unwrap();
        assert_eq!(
            (anonymous.path.as_str(), anonymous.flags),
            ("//anon", libc::MAP_SHARED as u32)
        );
        assert_eq!(parse_mapping("not a mapping"), None);
    }

    #[test]
    fn cpu_lists_have_ranges_and_gaps() {
        assert_eq!(parse_cpu_list("0-2,5,7-8"), [0, 1, 2, 5, 7, 8]);
        assert_eq!(parse_cpu_list(""), Vec::<i32>::new());
    }

    #[test]
    fn this_process_is_seen() {
        let pid = std::process::id() as i32;
        assert!(threads(pid).contains(&pid));
        assert_eq!(process_of(pid), Some(pid));
        let here = this_process_is_seen as fn() as usize as u64;
        assert!(
            executable_mappings(pid)
                .iter()
                .any(|m| (m.start..m.end).contains(&here))
        );
    }
}

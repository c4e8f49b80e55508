//! Memory of Go programs while they are recorded, and the memory that they may use.
//!
//! Only processes with Go code are read, because Go's collector trades memory for CPU time. From their environment, which may
//! hold secrets, only `GOMEMLIMIT` and `GOGC` are kept. The numbers of a process are gone when it ends, so all processes are
//! read again and again, at intervals that keep the cost small.
//!
//! Memory that is free below a limit is the limit minus the group's working set as kubelet counts it: used memory without pages
//! of files that were not touched lately. If no group has a tighter limit, the machine's free memory is the limit.

use crate::cgroup::{Version, groups_of};
use crate::sys::clock;
use hone_host::key_lines;
use hone_profile::MemoryUse;
use hone_profile::limits::MEMORY_USES_MAX;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Shortest time between two looks.
const LOOK_EVERY_NS: u64 = 100_000_000;
/// Time until the next look, as a multiple of the CPU time of the last: looks take at most a five-hundredth of a CPU.
const REST: u64 = 500;

/// Memory of the recorded processes with Go code.
#[derive(Default)]
pub(crate) struct Memory {
    living: BTreeSet<i32>,
    seen: BTreeMap<i32, MemoryUse>,
    next_look_ns: u64,
}

impl Memory {
    /// Notes a process that has Go code mapped.
    pub(crate) fn note(&mut self, pid: i32) {
        if self.living.len() < MEMORY_USES_MAX {
            self.living.insert(pid);
        }
    }

    /// Reads the processes if it is time.
    pub(crate) fn look_now_and_then(&mut self) {
        let now_ns = clock::monotonic_ns();
        if self.living.is_empty() || now_ns < self.next_look_ns {
            return;
        }
        let began_ns = clock::thread_cpu_ns();
        self.look();
        let took_ns = clock::thread_cpu_ns().saturating_sub(began_ns);
        self.next_look_ns = now_ns + LOOK_EVERY_NS.max(REST * took_ns);
    }

    /// Reads the processes a last time and returns the numbers of all processes seen.
    pub(crate) fn close(&mut self) -> Vec<MemoryUse> {
        self.look();
        std::mem::take(&mut self.seen).into_values().collect()
    }

    fn look(&mut self) {
        let mut limits = Limits::default();
        let seen = &mut self.seen;
        self.living.retain(|&pid| {
            let Some(now) = memory_of(pid, &mut limits) else {
                return false;
            };
            let is_full = seen.len() >= MEMORY_USES_MAX;
            match seen.get_mut(&pid) {
                Some(known) => bring_up_to(known, now),
                None if is_full => return false,
                None => drop(seen.insert(pid, now)),
            }
            true
        });
    }
}

/// Takes a later look: the current numbers of the process, and the limit of the moment when least was left.
fn bring_up_to(known: &mut MemoryUse, now: MemoryUse) {
    let before = std::mem::replace(known, now);
    if before.may_use_bytes < known.may_use_bytes {
        known.may_use_bytes = before.may_use_bytes;
        known.limit_bytes = before.limit_bytes;
        known.limit_group = before.limit_group;
    }
}

/// Reads the memory of a process; `None` if the process is gone or its environment may not be read.
fn memory_of(pid: i32, limits: &mut Limits) -> Option<MemoryUse> {
    let read = |name: &str| fs::read(format!("/proc/{pid}/{name}")).ok();
    let text = |name: &str| Some(String::from_utf8_lossy(&read(name)?).into_owned());
    let sizes = text("status")?;
    let go = GoSettings::of_environment(&read("environ")?);
    let limit = limits.tightest_of(&text("cgroup")?)?;
    Some(MemoryUse {
        pid,
        peak_rss_bytes: key_lines::bytes(&sizes, "VmHWM:")?,
        may_use_bytes: key_lines::bytes(&sizes, "VmRSS:")?.saturating_add(limit.free_bytes),
        limit_bytes: limit.bytes,
        limit_group: limit.group,
        go_limit_bytes: go.limit_bytes,
        go_percent: go.percent,
    })
}

/// Settings of Go's collector in the environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct GoSettings {
    limit_bytes: Option<u64>,
    percent: Option<u64>,
}

impl GoSettings {
    /// Parses `/proc/PID/environ` as Go does: `readGOGC` and `readGOMEMLIMIT` in `runtime/mgcpacer.go`.
    fn of_environment(environment: &[u8]) -> Self {
        let value = |name: &str| {
            let mut variables = environment.split(|&byte| byte == 0);
            let value = variables.find_map(|variable| variable.strip_prefix(name.as_bytes()))?;
            std::str::from_utf8(value).ok()
        };
        Self {
            limit_bytes: value("GOMEMLIMIT=").and_then(byte_count),
            percent: match value("GOGC=") {
                Some("off") => None,
                // A negative number also means off.
                Some(number) => number
                    .parse::<i32>()
                    .map_or(Some(DEFAULT_PERCENT), |number| number.try_into().ok()),
                None => Some(DEFAULT_PERCENT),
            },
        }
    }
}

const DEFAULT_PERCENT: u64 = 100;

/// Parses a number of bytes as Go writes it: `1073741824`, `512MiB`.
fn byte_count(text: &str) -> Option<u64> {
    let shifts = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40), ("B", 0)];
    let with_unit = |(unit, shift)| Some((text.strip_suffix(unit)?, shift));
    let (number, shift) = shifts.into_iter().find_map(with_unit).unwrap_or((text, 0));
    number.parse::<u64>().ok()?.checked_mul(1 << shift)
}

/// A limit, and the number of bytes that are free below it.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Limit {
    bytes: u64,
    free_bytes: u64,
    /// Path of the group; empty for the machine.
    group: String,
}

impl Limit {
    fn of_machine() -> Option<Self> {
        let info = fs::read_to_string("/proc/meminfo").ok()?;
        Some(Self {
            bytes: key_lines::bytes(&info, "MemTotal:")?,
            free_bytes: key_lines::bytes(&info, "MemAvailable:")?,
            group: String::new(),
        })
    }

    /// Reads the limit of a group; `None` for a group without a limit.
    fn of_group(group: &Path, version: Version) -> Option<Self> {
        let read = |name: &str| fs::read_to_string(group.join(name)).ok();
        let number = |name: &str| read(name)?.trim().parse::<u64>().ok();
        let (limit, used, idle_pages) = match version {
            Version::Two => ("memory.max", "memory.current", "inactive_file"),
            Version::One => (
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
                "total_inactive_file",
            ),
        };
        let bytes = number(limit)?;
        let idle_bytes = key_lines::number(&read("memory.stat")?, idle_pages)?;
        let working_set = number(used)?.saturating_sub(idle_bytes);
        Some(Self {
            bytes,
            free_bytes: bytes.saturating_sub(working_set),
            group: group.to_string_lossy().into_owned(),
        })
    }
}

/// Tightest limits at one moment, by the content of `/proc/PID/cgroup`: most processes share their groups.
#[derive(Default)]
struct Limits {
    known: FxHashMap<String, Option<Limit>>,
}

impl Limits {
    fn tightest_of(&mut self, listed: &str) -> Option<Limit> {
        let tightest = || {
            let groups = groups_of(listed, "memory").into_iter();
            let of_groups = groups.filter_map(|(path, version)| Limit::of_group(&path, version));
            of_groups
                .chain(Limit::of_machine())
                .min_by_key(|limit| limit.free_bytes)
        };
        let known = self.known.entry(listed.to_owned()).or_insert_with(tightest);
        known.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{Read, Write};
    use std::process::{Command, Stdio};

    #[test]
    fn the_environment_is_read_as_go_reads_it() {
        let of = |text: &str| {
            let go = GoSettings::of_environment(text.as_bytes());
            (go.limit_bytes, go.percent)
        };
        assert_eq!(of(""), (None, Some(100)));
        assert_eq!(
            of("A=b\0GOGC=50\0GOMEMLIMIT=3MiB\0"),
            (Some(3 << 20), Some(50))
        );
        assert_eq!(of("GOGC=off\0GOMEMLIMIT=off"), (None, None));
        assert_eq!(of("GOGC=-1\0GOMEMLIMIT=1024"), (Some(1024), None));
        assert_eq!(of("GOGC=much\0GOMEMLIMIT=1024B"), (Some(1024), Some(100)));
        assert_eq!(of("NOGOGC=1\0GOMEMLIMIT=99999999TiB"), (None, Some(100)));
    }

    #[test]
    fn what_is_free_below_a_limit_leaves_idle_pages_of_files_out() {
        let directory = tempfile::tempdir().unwrap();
        let group = directory.path();
        let write = |name: &str, text: &str| fs::write(group.join(name), text).unwrap();
        write("memory.max", "max\n");
        write("memory.current", "700\n");
        write("memory.stat", "anon 1\ninactive_file 200\nactive_file 50\n");
        assert_eq!(Limit::of_group(group, Version::Two), None, "no limit");
        write("memory.max", "1000\n");
        let limit = Limit::of_group(group, Version::Two).unwrap();
        assert_eq!((limit.bytes, limit.free_bytes), (1000, 500));
        assert_eq!(limit.group, group.to_string_lossy());
        assert_eq!(Limit::of_group(group, Version::One), None);
        write("memory.limit_in_bytes", "600\n");
        write("memory.usage_in_bytes", "900\n");
        write("memory.stat", "inactive_file 0\ntotal_inactive_file 250\n");
        let limit = Limit::of_group(group, Version::One).unwrap();
        assert_eq!((limit.bytes, limit.free_bytes), (600, 0), "over it");
    }

    #[test]
    fn the_limit_is_kept_of_the_moment_when_least_was_left() {
        let look = |peak, may_use, limit| MemoryUse {
            peak_rss_bytes: peak,
            may_use_bytes: may_use,
            limit_bytes: limit,
            ..MemoryUse::default()
        };
        let mut memory = look(10, 100, 1);
        bring_up_to(&mut memory, look(20, 50, 2));
        bring_up_to(&mut memory, look(30, 70, 3));
        assert_eq!(memory, look(30, 50, 2));
    }

    #[test]
    fn a_process_is_seen_as_long_as_it_lives() {
        let mut child = Command::new("cat")
            .env("GOMEMLIMIT", "64MiB")
            .env("GOGC", "200")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // The child answers, so it has become the program it was started as.
        child.stdin.as_mut().unwrap().write_all(b"!").unwrap();
        child.stdout.as_mut().unwrap().read_exact(&mut [0]).unwrap();
        let pid = child.id() as i32;
        let mut memory = Memory::default();
        memory.note(pid);
        memory.look_now_and_then();
        let _ = child.kill();
        let _ = child.wait();
        let seen = memory.close();
        let machine = Limit::of_machine().unwrap();
        let [of] = &seen[..] else {
            panic!("{seen:?}");
        };
        assert_eq!((of.pid, of.go_limit_bytes), (pid, Some(64 << 20)));
        assert_eq!(of.go_percent, Some(200));
        assert!(of.peak_rss_bytes > 0 && of.may_use_bytes > of.peak_rss_bytes);
        assert!(of.limit_bytes <= machine.bytes, "{of:?}");
        assert!(memory.living.is_empty(), "he is gone");
        assert_eq!(memory.close(), []);
    }
}

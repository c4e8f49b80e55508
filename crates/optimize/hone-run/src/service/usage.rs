//! CPU time and memory that a server's process tree has used.
//!
//! CPU time comes from the tree's control group if the machine lets Hone make one: microseconds, of all
//! processes, including those that have ended. Otherwise it is a sum: of each living process its CPU clock
//! (nanoseconds, all threads), and of ended processes the times that their parents have collected (/proc/PID/stat, in
//! ticks of 10 ms, rounded once per parent and not per child). The ticks then give the shares of user and system. This
//! sum misses processes whose parent ignores SIGCHLD.

use std::path::Path;

use anyhow::{Context, Result};
use hone_host::key_lines;
use hone_host::process::{Process, TICKS_PER_S};
use nix::time::clock_getcpuclockid;

use crate::process::background::Background;
use crate::process::cgroup;

/// Source of the CPU time, and of its division into user and system time if that has another source.
const CGROUP: &str = "cgroup";
const CLOCKS: &str = "clocks";
const CGROUP_AND_SAMPLES: &str = "cgroup, user time by samples";
const CLOCKS_AND_SAMPLES: &str = "clocks, user time by samples";

/// Usage of a tree since its start.
#[derive(Clone, Copy, Debug)]
pub(super) struct Usage {
    pub(super) user_s: f64,
    pub(super) system_s: f64,
    /// Largest peak resident set of any living process, in bytes.
    pub(super) largest_rss_bytes: u64,
    /// Sum of the peak resident sets of the living processes, in bytes.
    pub(super) tree_peak_bytes: u64,
    /// Source of the CPU time.
    pub(super) source: &'static str,
}

impl Usage {
    /// Computes the usage since an earlier look. `sampled_user_s` is the user time of the same interval by samples, if
    /// there are any; the sum of user and system time stays the scheduler's.
    pub(super) fn since(self, earlier: &Self, sampled_user_s: Option<f64>) -> Self {
        let user_s = (self.user_s - earlier.user_s).max(0.0);
        let system_s = (self.system_s - earlier.system_s).max(0.0);
        let Some(sampled) = sampled_user_s else {
            return Self {
                user_s,
                system_s,
                ..self
            };
        };
        let cpu_s = user_s + system_s;
        Self {
            user_s: sampled.min(cpu_s),
            system_s: (cpu_s - sampled).max(0.0),
            source: match self.source {
                CGROUP => CGROUP_AND_SAMPLES,
                _ => CLOCKS_AND_SAMPLES,
            },
            ..self
        }
    }
}

/// Measures the usage of a background command's tree.
pub(super) fn of(process: &Background) -> Result<Usage> {
    let processes = process.processes();
    let pids = processes.iter().map(|one| one.pid.as_raw_nonzero().get());
    let peaks: Vec<u64> = pids.clone().filter_map(peak_rss_bytes).collect();
    let group = process.cgroup().and_then(cgroup::cpu_s);
    let (source, (user_s, system_s)) = match group {
        Some(seconds) => (CGROUP, seconds),
        None => (CLOCKS, by_clocks(process.helper_pid(), pids)?),
    };
    Ok(Usage {
        user_s,
        system_s,
        largest_rss_bytes: peaks.iter().copied().max().unwrap_or(0),
        tree_peak_bytes: peaks.iter().sum(),
        source,
    })
}

/// CPU seconds of one process so far, all of its threads together.
fn clock_s(pid: i32) -> Option<f64> {
    let clock = clock_getcpuclockid(nix::unistd::Pid::from_raw(pid)).ok()?;
    let time = clock.now().ok()?;
    Some(time.tv_sec() as f64 + time.tv_nsec() as f64 * 1e-9)
}

fn by_clocks(helper: i32, pids: impl Iterator<Item = i32>) -> Result<(f64, f64)> {
    // The helper collected the times of processes that left the tree and ended.
    let own = ticks(helper).context("the CPU time of the server")?;
    let (mut user_s, mut system_s) = (own.ended_user_s, own.ended_system_s);
    for pid in pids {
        // A process that ends meanwhile is in its parent's sum at the next look.
        let (Some(ticks), Some(clock_s)) = (ticks(pid), clock_s(pid)) else {
            continue;
        };
        let share = ticks.user_s / (ticks.user_s + ticks.system_s).max(1.0 / TICKS_PER_S);
        user_s += clock_s * share + ticks.ended_user_s;
        system_s += clock_s * (1.0 - share) + ticks.ended_system_s;
    }
    Ok((user_s, system_s))
}

/// CPU times of a process in /proc/PID/stat.
struct Ticks {
    user_s: f64,
    system_s: f64,
    ended_user_s: f64,
    ended_system_s: f64,
}

fn ticks(pid: i32) -> Option<Ticks> {
    let stat = std::fs::read(Path::new("/proc").join(pid.to_string()).join("stat")).ok()?;
    let process = Process::parse(&stat)?;
    let seconds = |ticks: u64| ticks as f64 / TICKS_PER_S;
    Some(Ticks {
        user_s: seconds(process.user_ticks),
        system_s: seconds(process.system_ticks),
        ended_user_s: seconds(process.ended_user_ticks),
        ended_system_s: seconds(process.ended_system_ticks),
    })
}

fn peak_rss_bytes(pid: i32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    key_lines::bytes(&status, "VmHWM:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sampled_user_time_divides_the_sum_and_never_exceeds_it() {
        let usage = |user_s, system_s| Usage {
            user_s,
            system_s,
            largest_rss_bytes: 1,
            tree_peak_bytes: 1,
            source: CGROUP,
        };
        let (before, after) = (usage(1.0, 2.0), usage(2.0, 4.0));
        let divided = |sampled| {
            let used = after.since(&before, sampled);
            (used.user_s, used.system_s, used.source)
        };
        assert_eq!(divided(None), (1.0, 2.0, CGROUP));
        assert_eq!(divided(Some(0.5)), (0.5, 2.5, CGROUP_AND_SAMPLES));
        assert_eq!(divided(Some(4.0)), (3.0, 0.0, CGROUP_AND_SAMPLES));
    }

    #[test]
    fn the_clocks_see_work_and_that_of_ended_children() {
        let spin = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        let line = format!("sh -c '{spin}'; {spin}; echo done; exec sleep 60");
        let mut child = std::process::Command::new("sh")
            .args(["-c", &line])
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let mut word = [0; 4];
        std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut word).unwrap();
        let pid = i32::try_from(child.id()).unwrap();
        let own = clock_s(pid).unwrap();
        let ended = ticks(pid).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        // Twice the same work, one of them by a child that has ended.
        let ratio = (ended.ended_user_s + ended.ended_system_s) / own;
        assert!((0.3..3.0).contains(&ratio), "{ratio} {own}");
    }
}

//! CPU time of the recorded processes and their threads, by the kernel's own accounts.
//!
//! Samples are one account of CPU time, and the kernel keeps another, which misses nothing: the difference is what samples did not
//! see. A process that ends leaves its time to the parent that waits for it; the time of a process for which nobody waits is lost, so
//! that the sum is never too large.

use crate::members::Members;
use crate::procfs::{self, ThreadAccount};
use crate::sys::clock;
use hone_profile::ThreadTime;
use hone_profile::limits::THREAD_TIMES_MAX;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Time until the next look, as a multiple of the CPU time of the last: looks take at most a five-hundredth of a CPU.
const REST: u64 = 500;

/// CPU time of the members of a recording since it began.
pub(crate) struct CpuTimes {
    members: Arc<Members>,
    /// Processes that ran when the recording began.
    running: Vec<Running>,
    /// Accounts of their threads at that time.
    threads_before: FxHashMap<i32, ThreadAccount>,
    /// CPU seconds of all members as of the latest look.
    used_s: f64,
    /// Accounts of threads since then, as of the last look that found the thread alive, by process and thread.
    threads: BTreeMap<(i32, i32), ThreadAccount>,
    next_look_ns: u64,
}

/// A process that ran when the recording began.
struct Running {
    pid: i32,
    /// CPU seconds at that time, those of its ended children included.
    before_s: f64,
    /// CPU seconds since, as of the last look that found the process alive.
    during_s: f64,
    /// True if the process leaves its time to a member when it ends.
    is_waited_for: bool,
}

impl CpuTimes {
    /// Begins with processes that run already. A command that is yet to start has used nothing.
    pub(crate) fn begin(members: Arc<Members>, running: &[i32]) -> Self {
        let tids = running.iter().flat_map(|&pid| procfs::threads(pid));
        let tids = tids.take(THREAD_TIMES_MAX);
        let process = |&pid: &i32| {
            Some(Running {
                pid,
                before_s: procfs::cpu_s(pid)?,
                during_s: 0.0,
                is_waited_for: procfs::parent_of(pid)
                    .is_some_and(|parent| running.contains(&parent)),
            })
        };
        Self {
            running: running.iter().filter_map(process).collect(),
            threads_before: tids
                .filter_map(|tid| Some((tid, procfs::thread_account(tid)?)))
                .collect(),
            members,
            used_s: 0.0,
            threads: BTreeMap::new(),
            next_look_ns: 0,
        }
    }

    /// Returns the CPU seconds of all members, after a look if it is time for one.
    pub(crate) fn used_s(&mut self) -> f64 {
        let now_ns = clock::monotonic_ns();
        if now_ns >= self.next_look_ns {
            let began_ns = clock::thread_cpu_ns();
            self.look();
            let took_ns = clock::thread_cpu_ns().saturating_sub(began_ns);
            self.next_look_ns = now_ns + REST * took_ns;
        }
        self.used_s
    }

    /// Returns how often threads were put on a CPU, as of the latest look.
    pub(crate) fn switches(&self) -> u64 {
        self.threads.values().map(|account| account.switches).sum()
    }

    /// Looks a last time and returns the CPU time of each thread, longest first.
    pub(crate) fn close(&mut self) -> Vec<ThreadTime> {
        self.look();
        self.next_look_ns = u64::MAX;
        let threads = std::mem::take(&mut self.threads).into_iter();
        let mut threads: Vec<ThreadTime> = threads
            .map(|((pid, tid), account)| ThreadTime {
                pid,
                tid,
                cpu_ns: account.cpu_ns,
            })
            .filter(|thread| thread.cpu_ns > 0)
            .collect();
        threads.sort_by_key(|thread| std::cmp::Reverse(thread.cpu_ns));
        threads
    }

    fn look(&mut self) {
        let mut used_s = 0.0;
        let mut lives = false;
        let mut living = self.members.living();
        for process in &mut self.running {
            match procfs::cpu_s(process.pid).filter(|_| living.contains(&process.pid)) {
                Some(cpu_s) => {
                    lives = true;
                    process.during_s = (cpu_s - process.before_s).max(0.0);
                }
                None if process.is_waited_for => process.during_s = 0.0,
                None => {}
            }
            used_s += process.during_s;
        }
        let running: Vec<i32> = self.running.iter().map(|process| process.pid).collect();
        for &pid in &running {
            self.note_threads(pid);
            living.remove(&pid);
        }
        for pid in living {
            let Some(cpu_s) = procfs::cpu_s(pid) else {
                continue;
            };
            lives = true;
            used_s += cpu_s;
            self.note_threads(pid);
        }
        // What the members had used before all of them ended is the best that is known afterwards.
        if lives {
            self.used_s = used_s;
        }
    }

    fn note_threads(&mut self, pid: i32) {
        for tid in procfs::threads(pid).into_iter().take(THREAD_TIMES_MAX) {
            let is_full = self.threads.len() >= THREAD_TIMES_MAX;
            if is_full && !self.threads.contains_key(&(pid, tid)) {
                return;
            }
            let before = self.threads_before.get(&tid).copied().unwrap_or_default();
            if let Some(account) = procfs::thread_account(tid) {
                self.threads.insert((pid, tid), account.since(before));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_time_since_the_beginning_is_counted_by_thread() {
        let own = std::process::id() as i32;
        let members = Arc::new(Members::of(&[own]));
        let mut times = CpuTimes::begin(members, &[own]);
        // Threads of the tests run beside this thread, so the sums are at least its own time.
        let began_ns = clock::thread_cpu_ns();
        while clock::thread_cpu_ns() - began_ns < 50_000_000 {
            std::hint::black_box(began_ns);
        }
        assert!(times.used_s() >= 0.02, "{}", times.used_s);
        std::thread::sleep(std::time::Duration::from_millis(1));
        times.look();
        assert!(times.switches() >= 1, "this thread slept");
        let own_tid = crate::sys::threads::own_tid();
        let threads = times.close();
        let this = threads.iter().find(|thread| thread.tid == own_tid);
        let this = this.expect("this thread lives");
        assert_eq!(this.pid, own);
        assert!(this.cpu_ns >= 40_000_000, "{this:?}");
        assert!(threads.is_sorted_by_key(|thread| std::cmp::Reverse(thread.cpu_ns)));
    }
}

//! CPU time that threads have used since the last look.
//!
//! The choice of the thread to sample or walk depends on used CPU time and not on the state of threads: on a loaded
//! machine a thread that waits for a CPU looks as if it ran.

use crate::procfs;
use crate::random::Random;
use crate::tracer::Running;
use rustc_hash::FxHashMap;

/// A thread that runs (or waits for a CPU only) and has used CPU time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Used {
    pub(crate) thread: Running,
    pub(crate) ns: u64,
}

/// CPU time that has been accounted for, by thread.
#[derive(Default)]
pub(crate) struct Busy {
    accounted: FxHashMap<i32, u64>,
}

impl Busy {
    /// Returns the running threads and the CPU time they have used since they were last returned. The CPU time of a
    /// thread that sleeps now stays on its account until the thread is seen running.
    pub(crate) fn look(&mut self, tasks: &FxHashMap<i32, i32>) -> Vec<Used> {
        self.accounted.retain(|tid, _| tasks.contains_key(tid));
        let mut used = Vec::new();
        for (&tid, &pid) in tasks {
            let Some(cpu_ns) = procfs::thread_cpu_ns(tid) else {
                continue;
            };
            let before = self.accounted.get(&tid).copied().unwrap_or(0);
            // A smaller number belongs to a new thread with a reused id.
            let ns = cpu_ns.checked_sub(before).unwrap_or(cpu_ns);
            if ns == 0 {
                continue;
            }
            if let Some(state) = procfs::thread_state(tid).filter(|state| state.is_running) {
                self.accounted.insert(tid, cpu_ns);
                used.push(Used {
                    thread: Running {
                        pid,
                        tid,
                        cpu: state.cpu,
                    },
                    ns,
                });
            }
        }
        // The table has no order; after the sort, a seed determines the choice.
        used.sort_by_key(|used| used.thread.tid);
        used
    }

    /// Marks all CPU time used until now as accounted for.
    pub(crate) fn skip(&mut self, tasks: &FxHashMap<i32, i32>) {
        let now = |tid| Some((tid, procfs::thread_cpu_ns(tid)?));
        self.accounted = tasks.keys().filter_map(|tid| now(*tid)).collect();
    }
}

/// Chooses one of the threads, in proportion to their used CPU time, or none: over time each thread gets
/// `per_s` choices per second of its CPU time.
pub(crate) fn choose(used: &[Used], per_s: f64, random: &mut Random) -> Option<Running> {
    let all_ns: u64 = used.iter().map(|used| used.ns).sum();
    if !random.happens(chance(all_ns, per_s)) {
        return None;
    }
    let mut left = random.below(all_ns as usize) as u64;
    for used in used {
        match left.checked_sub(used.ns) {
            Some(rest) => left = rest,
            None => return Some(used.thread),
        }
    }
    None
}

/// Returns the chance that an event that happens at random `per_s` times a second happens within `ns`.
pub(crate) fn chance(ns: u64, per_s: f64) -> f64 {
    -(-per_s * ns as f64 / 1e9).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(tid: i32, ns: u64) -> Used {
        Used {
            thread: Running {
                pid: 1,
                tid,
                cpu: 0,
            },
            ns,
        }
    }

    #[test]
    fn threads_are_chosen_in_proportion_to_what_they_used() {
        let mut random = Random::new(3);
        let threads = [used(10, 1_000_000), used(11, 3_000_000)];
        let mut counts = [0.0; 3];
        for _ in 0..100_000 {
            match choose(&threads, 25.0, &mut random).map(|thread| thread.tid) {
                Some(10) => counts[0] += 1.0,
                Some(11) => counts[1] += 1.0,
                _ => counts[2] += 1.0,
            }
        }
        // 4 ms at 25 a second: a tenth, less the second choices.
        let chosen: f64 = counts[0] + counts[1];
        assert!((9_000.0..10_000.0).contains(&chosen), "{counts:?}");
        assert!((2.7..3.3).contains(&(counts[1] / counts[0])), "{counts:?}");
    }

    #[test]
    fn nobody_is_chosen_of_nobody() {
        assert_eq!(choose(&[], 1e9, &mut Random::new(1)), None);
    }

    #[test]
    fn own_time_is_accounted_for_once() {
        let tid = std::process::id() as i32;
        let tasks = FxHashMap::from_iter([(tid, tid), (i32::MAX, 1)]);
        let mut busy = Busy::default();
        busy.skip(&tasks);
        assert!(busy.accounted[&tid] > 0 && busy.accounted.len() == 1);
        let since: u64 = busy.look(&tasks).iter().map(|used| used.ns).sum();
        assert!(since < 1_000_000_000, "{since} ns in no time");
    }
}

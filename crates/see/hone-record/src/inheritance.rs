//! Counters that new threads inherit: what that costs, what it misses, and when counters of the CPUs are better.
//!
//! A counter of a thread sees that thread alone, so it costs other programs nothing. But the kernel gives each new thread a copy of
//! its parent's counters, one for each CPU, and takes it away when the thread ends, which takes as long as a sample or longer. It
//! starts and stops them whenever the thread is put on a CPU and taken off, which takes half a microsecond to two. And
//! each thread's time to its first sample begins anew, so a thread that ends loses the time since its last sample. While a thread
//! switches to its own child, the kernel exchanges their counters in place of stopping and starting them, so that the parent's time
//! is lost with the child too (`perf_event_context_sched_out` in Linux's kernel/events/core.c).
//!
//! Counters of CPUs have none of these faults. They see other programs too, whose samples are left out of the recording ([`crate::members`]).

use crate::cgroup::Group;
use crate::members::Members;
use crate::options::Options;
use crate::output::Output;
use crate::procfs;
use crate::rate::OWN_SHARE_MIN;
use crate::record_bytes as bytes;
use crate::sampler::attr::{Counter, Sampling};
use crate::sampler::cost;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use std::sync::Arc;

/// Share of the budget that births and switches may take.
const COST_MAX: f64 = 0.25;
/// Cost of a switch, as a multiple of the time that a trial measures: the target's caches are displaced too.
const SWITCH_FACTOR: f64 = 1.5;
/// Share of the CPU time of the target that samples may miss.
const MISSED_MAX: f64 = 0.05;
/// Smallest number of births for a look at what they cost, and of ends for a look at what they miss.
const BIRTHS_MIN: u64 = 100;
const ENDS_MIN: u64 = 20;

/// Number of switches that are not worth a measurement.
const SWITCHES_MIN: u64 = 5_000;

/// Births and ends of the target's threads, as the kernel reports them, and how often threads were put on a CPU.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Threads {
    pub(crate) births: u64,
    pub(crate) ends: u64,
    pub(crate) switches: u64,
}

/// Nanoseconds of CPU time that counters of threads cost; measured once there is enough of what costs.
#[derive(Clone, Copy, Default, Debug)]
struct Costs {
    birth_ns: Option<f64>,
    switch_ns: Option<f64>,
}

impl Threads {
    fn has_many_births(self) -> bool {
        self.births >= BIRTHS_MIN || self.ends >= ENDS_MIN
    }

    /// CPU seconds that samples miss: each thread that ends loses half of the time between two samples on average.
    fn missed_s(self, frequency_hz: u32) -> f64 {
        match self.ends < ENDS_MIN {
            true => 0.0,
            false => self.ends as f64 / f64::from(2 * frequency_hz.max(1)),
        }
    }

    /// Counts the record, if it is about a birth or an end.
    pub(crate) fn count(&mut self, record: &[u8]) {
        match bytes::kind(record) {
            bytes::FORK => self.births += 1,
            bytes::EXIT => self.ends += 1,
            _ => {}
        }
    }
}

/// Watch over counters that threads inherit.
pub(crate) struct Inherited {
    members: Arc<Members>,
    counter: Counter,
    sampling: Sampling,
    /// Allowed cost of the recording: a share of the target's CPU time.
    share: f64,
    costs: Costs,
    /// Busy seconds of the machine when the recording began.
    busy_before_s: f64,
    /// Births and switches whose cost was handed out by [`Inherited::take_cost_s`].
    paid: Threads,
    /// True if switches alone cost too much.
    has_dear_switches: bool,
    /// True while the target's threads have counters that can be exchanged for counters of the CPUs.
    is_open: bool,
}

impl Inherited {
    pub(crate) fn new(
        options: &Options,
        counter: Counter,
        sampling: Sampling,
        members: Arc<Members>,
    ) -> Self {
        Self {
            members,
            counter,
            sampling,
            share: options.overhead,
            costs: Costs::default(),
            busy_before_s: procfs::busy_s().unwrap_or(0.0),
            paid: Threads::default(),
            has_dear_switches: false,
            is_open: true,
        }
    }

    /// Returns the seconds that births and switches since the last call have cost; nothing with counters of the CPUs.
    pub(crate) fn take_cost_s(&mut self, threads: Threads) -> f64 {
        if self.sampling.of_cpus {
            return 0.0;
        }
        let births_ns = unpaid_ns(&mut self.paid.births, threads.births, self.costs.birth_ns);
        let switches_ns = unpaid_ns(
            &mut self.paid.switches,
            threads.switches,
            self.costs.switch_ns,
        );
        (births_ns + switches_ns) / 1e9
    }

    /// Returns true if counters of the CPUs would cost less, or see more; `used_s` tells the CPU seconds that the target has used.
    pub(crate) fn is_worse(&mut self, threads: Threads, used_s: &mut dyn FnMut() -> f64) -> bool {
        let has_many_switches = threads.switches >= SWITCHES_MIN;
        if self.sampling.of_cpus || !threads.has_many_births() && !has_many_switches {
            return false;
        }
        let (counter, sampling) = (self.counter, self.sampling);
        let costs = &mut self.costs;
        if threads.has_many_births() {
            let measure = || cost::measure_birth(counter, sampling);
            costs.birth_ns.get_or_insert_with(measure);
        }
        if has_many_switches {
            let measure = || SWITCH_FACTOR * cost::measure_switch(counter, sampling);
            costs.switch_ns.get_or_insert_with(measure);
        }
        let births_ns = threads.births as f64 * costs.birth_ns.unwrap_or(0.0);
        let switches_ns = threads.switches as f64 * costs.switch_ns.unwrap_or(0.0);
        let used_s = used_s();
        let most_ns = COST_MAX * self.share * used_s * 1e9;
        self.has_dear_switches = switches_ns > most_ns;
        let is_dear = births_ns + switches_ns > most_ns;
        let is_blind = threads.missed_s(self.sampling.frequency_hz) > MISSED_MAX * used_s;
        self.is_open && (is_dear || is_blind)
    }

    /// Returns the share of the target in what the machine has done so far.
    fn own_share(&self, used_s: f64) -> f64 {
        let machine_s = procfs::busy_s().unwrap_or(0.0) - self.busy_before_s;
        (used_s / machine_s.max(f64::MIN_POSITIVE)).clamp(OWN_SHARE_MIN, 1.0)
    }

    /// Exchanges the counters for counters of the CPUs, at a rate that leaves other programs their part of the budget; returns the
    /// share of the target in what the machine does. If that is not allowed, everything stays as it is, and the summary says so.
    pub(crate) fn exchange(
        &mut self,
        perf: &mut Perf,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Option<f64> {
        self.is_open = false;
        // Counters of a cgroup cost nobody outside of it, but they too start and stop at switches.
        let group = match self.has_dear_switches {
            true => None,
            false => Group::of_only(&self.members.living()),
        };
        let own_share = match group {
            Some(_) => 1.0,
            None => self.own_share(summary.target_cpu_s),
        };
        // Samples that wake walkers take little of the budget, and others half of it at most.
        let part = match self.sampling.wakes_every {
            0 => own_share,
            1 => 1.0,
            _ => own_share.max(0.5),
        };
        let directory = group.as_ref().map(Group::directory);
        if let Err(error) = perf.change_to_cpus(directory, part, summary) {
            summary.warn(format!(
                "Many short threads, or many switches between threads: what their counters cost and miss stays, as counters of the CPUs were \
                 refused ({error}). As root, with CAP_PERFMON, or with kernel.perf_event_paranoid at 0 or below, Hone changes to them."
            ));
            return None;
        }
        output.keep_members_only();
        "cpus".clone_into(&mut summary.counters);
        self.sampling.of_cpus = true;
        Some(own_share)
    }
}

/// Returns the cost of what has been added since it was last paid. What costs an amount that is not known yet is paid once it is.
fn unpaid_ns(paid: &mut u64, now: u64, each_ns: Option<f64>) -> f64 {
    each_ns.map_or(0.0, |each_ns| {
        let new = now.saturating_sub(*paid);
        *paid = now;
        new as f64 * each_ns
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Target;

    fn watch(frequency_hz: u32) -> Inherited {
        Inherited {
            costs: Costs {
                birth_ns: Some(10_000.0),
                switch_ns: Some(500.0),
            },
            ..Inherited::new(
                &Options::new(Target::Processes { pids: vec![1] }, "unused"),
                Counter::CpuClock,
                Sampling {
                    frequency_hz,
                    ..Sampling::default()
                },
                Arc::new(Members::of(&[1])),
            )
        }
    }

    fn is_worse(watch: &mut Inherited, births: u64, ends: u64, used_s: f64) -> bool {
        let threads = Threads {
            births,
            ends,
            switches: 0,
        };
        watch.is_worse(threads, &mut || used_s)
    }

    #[test]
    fn many_births_cost_too_much_and_many_ends_miss_too_much() {
        let mut at_997 = watch(997);
        at_997.share = 0.01;
        // A pool of threads at the start of a long run.
        assert!(!is_worse(&mut at_997, 200, 0, 10.0));
        // A thousand births a second take 1 % by themselves.
        assert!(is_worse(&mut at_997, 10_000, 0, 10.0));
        assert!(
            !is_worse(&mut at_997, 150, 150, 10.0),
            "15 a second miss less than 1 %"
        );
        assert!(is_worse(&mut at_997, 150, 150, 1.0));
        let with_switches = |switches| Threads {
            switches,
            ..Threads::default()
        };
        assert!(!at_997.is_worse(with_switches(40_000), &mut || 10.0));
        assert!(at_997.is_worse(with_switches(60_000), &mut || 10.0));
        assert!(at_997.has_dear_switches);
        let mut at_20 = watch(20);
        assert!(
            is_worse(&mut at_20, 21, 21, 10.0),
            "two ends a second at 20 samples"
        );
        assert!(!is_worse(&mut at_20, 10, 10, 0.01), "too few to tell");
        at_20.is_open = false;
        assert!(
            !is_worse(&mut at_20, 10_000, 10_000, 1.0),
            "already exchanged, or refused"
        );
    }

    #[test]
    fn births_and_switches_are_paid_once() {
        let mut watch = watch(997);
        let threads = Threads {
            births: 1_000,
            ends: 0,
            switches: 10_000,
        };
        assert!((watch.take_cost_s(threads) - 0.015).abs() < 1e-9);
        assert!(watch.take_cost_s(threads).abs() < 1e-9);
        let more = Threads {
            switches: 12_000,
            ..threads
        };
        assert!((watch.take_cost_s(more) - 0.001).abs() < 1e-9);
        assert!(watch.take_cost_s(threads).abs() < 1e-9);
    }
}

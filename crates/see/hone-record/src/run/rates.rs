//! Sampling rates of a recording: the rate that was asked for, and the rate that the budget pays for.

use super::system;
use crate::copy_size::CopySize;
use crate::members::Members;
use crate::options::{CallGraph, Options, Target};
use crate::output::Output;
use crate::random::Random;
use crate::rate::{Governor, SampleCost, affordable_hz};
use crate::record_bytes as bytes;
use crate::sampler::attr::{Counter, Sampling};
use crate::sampler::cost;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::clock;
use crate::traced_run::timer_rate_hz;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Default number of samples per second.
const RATE_HZ: u32 = 997;
/// Smallest rate with walks: below it a recording would hardly know where to walk.
const RATE_WALKING_MIN_HZ: f64 = 20.0;
/// Cost of a sample that wakes a walker, two switches of threads included, on a VM.
const WAKING_COST: Duration = Duration::from_micros(75);
/// Shortest time between two changes of a rate.
const CHANGE_EVERY: Duration = Duration::from_secs(1);
/// Share of the budget of a walked recording that samples take; walks take the rest.
const SAMPLES_SHARE: f64 = 0.15;
/// The same in a recording so short that samples would be too few.
const SAMPLES_SHARE_SHORT: f64 = 0.3;
/// Samples of a thread that a recording has at least, as far as the budget pays for them: each begins a walk at most.
const SAMPLES_MIN: f64 = 20.0;
/// Largest share of the budget for samples, if a rate of samples was asked for.
const SAMPLES_SHARE_MAX: f64 = 0.5;

/// Rates of samples, decided before anything starts.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(super) struct Rates {
    /// Rate that was asked for, by option or default.
    pub(super) asked_hz: u32,
    /// Rate at the start.
    pub(super) frequency_hz: u32,
    /// Number of samples for each wake-up of a walker; 0 without walkers.
    pub(super) wakes_every: u32,
    /// Cost of a sample that wakes no walker, if measured.
    pub(super) cost: Option<SampleCost>,
    /// CPU time of the recorder that the rate at the start has paid for in part.
    start_ns: u64,
}

impl Rates {
    /// Returns the rates of samples that the timer and ptrace take.
    pub(super) fn of_timer(options: &Options) -> Self {
        let frequency_hz = timer_rate_hz(options);
        Self {
            asked_hz: options.frequency_hz.unwrap_or(frequency_hz),
            frequency_hz,
            ..Self::default()
        }
    }

    /// Returns the rates of samples that wake walkers. Samples beyond those that walkers need wake no walker, and cost less.
    pub(super) fn walking(options: &Options, counter: Counter, sampling: Sampling) -> Self {
        let waking_hz = waking_rate_hz(options);
        let Some(asked_hz) = options.frequency_hz else {
            return Self {
                asked_hz: waking_hz,
                frequency_hz: waking_hz,
                wakes_every: 1,
                ..Self::default()
            };
        };
        let cost = cost::measure(counter, sampling);
        let share = options.overhead * SAMPLES_SHARE_MAX;
        let frequency_hz = asked_hz.min(affordable_hz(share, cost.of_ns(0.0)));
        Self {
            asked_hz,
            frequency_hz,
            wakes_every: frequency_hz.div_ceil(waking_hz),
            cost: Some(cost),
            ..Self::default()
        }
    }

    /// Returns the rates of samples without walks.
    pub(super) fn plain(options: &Options, counter: Counter, sampling: Sampling) -> Self {
        let usual_hz = match options.target {
            Target::System { .. } => system::RATE_HZ,
            _ => RATE_HZ,
        };
        let cost = cost::measure(counter, sampling);
        let mut this = Self {
            asked_hz: options.frequency_hz.unwrap_or(usual_hz),
            cost: Some(cost),
            start_ns: match is_changed(options) {
                true => clock::thread_cpu_ns(),
                false => 0,
            },
            ..Self::default()
        };
        let copies = sampling.copies.map_or(0, |copy| copy.bytes);
        this.frequency_hz = this.governor(options, copies).rate_hz();
        this
    }

    /// Returns the rates of samples beside the stepping walker, which has no budget.
    pub(super) fn beside_steps(options: &Options) -> Self {
        let asked_hz = options.frequency_hz.unwrap_or(RATE_HZ);
        Self {
            asked_hz,
            frequency_hz: asked_hz,
            ..Self::default()
        }
    }

    fn governor(self, options: &Options, copied_bytes_max: u32) -> Governor {
        let share = options.limits_samples.then_some(options.overhead);
        let cost = self.cost.unwrap_or_default();
        Governor::new(self.asked_hz, share, cost, copied_bytes_max, self.start_ns)
    }
}

/// Returns true if a changed rate reaches all counters from the start on: every thread or every CPU has a counter of its own. The
/// threads of a command have inherited theirs.
fn is_changed(options: &Options) -> bool {
    !matches!(options.target, Target::Command { .. })
}

/// Returns the rate at which samples that wake walkers take their share of the budget of a walked recording, varied a
/// little at random so that no repeated work of the target keeps time with the samples.
fn waking_rate_hz(options: &Options) -> u32 {
    let pays_for = |share: f64| share * options.overhead / WAKING_COST.as_secs_f64();
    let varied = pays_for(SAMPLES_SHARE) * (0.95 + 0.1 * Random::new(options.seed).unit());
    let in_time = options
        .duration_s
        .map_or(0.0, |seconds| SAMPLES_MIN / seconds);
    let least = in_time
        .min(pays_for(SAMPLES_SHARE_SHORT))
        .max(RATE_WALKING_MIN_HZ)
        .min(pays_for(SAMPLES_SHARE_MAX))
        .min(RATE_HZ.into());
    (varied.clamp(least, RATE_HZ.into()) as u32).max(1)
}

/// Keeps a recording without walks at its rate while the recording runs.
pub(super) struct Kept {
    governor: Governor,
    copies: bool,
    /// True if the counters are of CPUs.
    is_of_cpus: bool,
    /// True if a new rate reaches all counters.
    is_changed: bool,
    changed: Instant,
    /// CPU time of this thread of which the governor is told.
    own_time: clock::OwnTime,
    members: Option<Arc<Members>>,
    /// Adjustment of copies, for processes whose copies follow the needs of their stacks.
    fitting: Option<Fitting>,
}

/// Copies whose size follows the needs of stacks.
struct Fitting {
    members: Arc<Members>,
    /// Size of copies; known once the counters are open.
    size: Option<CopySize>,
}

impl Kept {
    /// Returns the keeper of a recording that is about `members`, or about all that its counters see.
    pub(super) fn new(
        options: &Options,
        rates: Rates,
        sampling: Sampling,
        members: Option<Arc<Members>>,
    ) -> Self {
        let bytes = sampling.copies.map_or(0, |copy| copy.bytes);
        Self {
            governor: rates.governor(options, bytes),
            copies: matches!(options.call_graph, CallGraph::Dwarf { .. }),
            is_of_cpus: sampling.of_cpus,
            is_changed: is_changed(options),
            changed: Instant::now(),
            fitting: match (&options.target, sampling.copies, &members) {
                (Target::Processes { .. }, Some(copy), Some(members)) if copy.may_shrink => {
                    Some(Fitting {
                        members: Arc::clone(members),
                        size: None,
                    })
                }
                _ => None,
            },
            members,
            own_time: clock::OwnTime::since(rates.start_ns),
        }
    }

    /// Takes a record that goes to the file.
    pub(super) fn record(&mut self, record: &[u8], output: &mut Output, summary: &mut Summary) {
        if bytes::kind(record) == bytes::SAMPLE {
            let copied = match self.copies {
                true => bytes::copied_bytes(record),
                false => 0,
            };
            let others = self.members.as_ref().filter(|_| self.is_of_cpus);
            let is_own = others.is_none_or(|members| members.has(bytes::sample_pid(record)));
            self.governor.sampled(copied, is_own);
        }
        output.kernel_record(record, summary);
    }

    /// Tells that the counters are of CPUs from now on, and take samples of the target for this share of all.
    pub(super) fn counters_are_of_cpus(&mut self, own_share: f64) {
        self.governor.is_shared(own_share);
        self.is_changed = true;
        self.is_of_cpus = true;
    }

    /// Changes rate and size of copies, if the cost and content of samples demand it.
    pub(super) fn look(&mut self, perf: &mut Perf, output: &mut Output, summary: &mut Summary) {
        if let Some(fitting) = &mut self.fitting
            && let Some(copy) = perf.copies()
        {
            let most = || CopySize::new(copy.bytes);
            let size = fitting.size.get_or_insert_with(most);
            if let Some(bytes) = size.look(output.take_needs())
                && !perf.set_copies(bytes, &fitting.members.living(), summary)
            {
                self.fitting = None;
            }
        }
        self.governor.recorder_took(self.own_time.take_ns());
        summary.stopped_s += self.governor.take_spent_s();
        // Each change reaches every thread on every CPU.
        if self.is_changed
            && self.changed.elapsed() >= CHANGE_EVERY
            && let Some(rate_hz) = self.governor.look()
        {
            perf.set_rate(rate_hz);
            self.changed = Instant::now();
        }
        summary.rate_hz = self.governor.rate_hz();
        summary.sample_cost_us = self.governor.cost_ns() / 1e3;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(overhead: f64) -> Options {
        Options {
            overhead,
            ..Options::new(
                Target::Processes {
                    pids: vec![i32::MAX],
                },
                "unused",
            )
        }
    }

    #[test]
    fn samples_that_wake_walkers_leave_most_of_any_budget_to_walks() {
        for overhead in [0.0002, 0.001, 0.01, 0.05, 0.2] {
            let share = f64::from(waking_rate_hz(&options(overhead))) * WAKING_COST.as_secs_f64();
            assert!(share <= SAMPLES_SHARE_MAX * overhead, "{overhead}: {share}");
        }
        assert_eq!(waking_rate_hz(&options(0.01)), 20);
        let during = |duration_s, overhead| {
            let options = Options {
                duration_s: Some(duration_s),
                ..options(overhead)
            };
            waking_rate_hz(&options)
        };
        // A short recording has more of them, as far as it can pay.
        assert_eq!(during(0.5, 0.01), 40);
        assert_eq!(during(0.01, 0.01), 40);
        assert_eq!(during(30.0, 0.01), 20);
        assert!(during(0.5, 0.2) >= 375 && during(0.001, 1.0) <= RATE_HZ);
        assert!((375..425).contains(&waking_rate_hz(&options(0.2))));
    }

    #[test]
    fn a_rate_that_is_asked_for_leaves_half_of_the_budget_to_walks() {
        let sampling = Sampling::default();
        for (asked_hz, overhead) in [(19, 0.01), (997, 0.01), (4_000, 0.01), (997, 0.2)] {
            let options = Options {
                frequency_hz: Some(asked_hz),
                ..options(overhead)
            };
            let rates = Rates::walking(&options, Counter::CpuClock, sampling);
            let cost = rates.cost.expect("measured");
            let kept = f64::from(rates.frequency_hz);
            assert!(
                kept * cost.of_ns(0.0) / 1e9 <= SAMPLES_SHARE_MAX * overhead,
                "{rates:?}"
            );
            assert!(
                rates.frequency_hz <= asked_hz && rates.wakes_every > 0,
                "{rates:?}"
            );
            let waking_hz = kept / f64::from(rates.wakes_every);
            assert!(
                waking_hz <= f64::from(waking_rate_hz(&options)),
                "{rates:?}"
            );
        }
    }

    #[test]
    fn the_library_walks_as_ever_where_nobody_asks_for_a_rate() {
        let rates = Rates::walking(&options(0.2), Counter::CpuClock, Sampling::default());
        assert_eq!(rates.wakes_every, 1);
        assert_eq!(rates.asked_hz, rates.frequency_hz);
    }
}

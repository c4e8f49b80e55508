//! Measurement of the cost of a sample on this machine.
//!
//! A thread of ours samples itself for some milliseconds while it reads the clock without a pause. If a sample falls between two
//! readings, the time between them is the time for which the sample held up the thread: the interrupt's way in and out, in a
//! virtual machine the host's part of the interrupt too, and the copy of the stack. The result is the median of these times, which
//! other events that happen meanwhile do not move.

use super::attr::{Counter, Sampling, StackCopy};
use super::perf::{CpuRing, Ids};
use crate::procfs;
use crate::rate::SampleCost;
use crate::record_bytes as bytes;
use crate::sys::{clock, perf};
use std::hint::black_box;
use std::io;
use std::os::fd::AsFd;
use std::thread;
use std::time::Duration;

/// Number of samples of a trial, and the longest time of a trial.
const SAMPLES: usize = 25;
const TRIAL_MAX: Duration = Duration::from_millis(40);
const RATE_HZ: u32 = 10_000;
/// Smallest number of samples for a result.
const SAMPLES_MIN: usize = 5;
/// Longest step of the clock without an interruption.
const STEP_NS: u64 = 400;
/// Data pages of the ring: 2 MiB, for [`SAMPLES`] copies.
const RING_PAGES: usize = 512;
/// Number of copies for which the ring has room.
const RING_COPIES: usize = 32;
/// Bytes of the stack of the thread that samples itself.
const OWN_STACK: usize = 65_536;
/// Number of threads of a trial of births, number of trials, and the stack of such a thread.
const BIRTHS: usize = 12;
const BIRTH_TRIALS: usize = 5;
const BIRTH_STACK: usize = 65_536;
/// Data pages of a ring in a trial of births: room for the reports on its threads.
const RING_PAGES_OF_TRIALS: usize = 2;
/// Cost of a birth that is assumed if a trial fails, and the smallest cost that is believed.
const BIRTH_GUESS_NS: f64 = 12_000.0;
const BIRTH_LEAST_NS: f64 = 1_000.0;
/// Number of sleeps of a trial of switches, each of some 60 us, and number of trials.
const SWITCHES: usize = 25;
const SWITCH_TRIALS: usize = 12;
/// Cost of a switch that is assumed if a trial fails, and the smallest cost that is believed.
const SWITCH_GUESS_NS: f64 = 500.0;
const SWITCH_LEAST_NS: f64 = 100.0;
/// Cost that is assumed if a trial fails: the cost in a virtual machine.
const GUESS: SampleCost = SampleCost {
    base_ns: 20_000.0,
    ns_per_byte: 0.15,
};

/// Measures the cost of samples of this kind for the thread that is sampled.
pub(crate) fn measure(counter: Counter, sampling: Sampling) -> SampleCost {
    let plain = Sampling {
        copies: None,
        ..sampling
    };
    let Ok(Some((base_ns, _))) = trial(counter, plain) else {
        return GUESS;
    };
    let ns_per_byte = match sampling.copies {
        None => 0.0,
        Some(_) => match trial(counter, sampling) {
            Ok(Some((copy_ns, copied))) if copied > 0.0 => {
                ((copy_ns - base_ns) / copied).max(GUESS.ns_per_byte / 10.0)
            }
            _ => GUESS.ns_per_byte,
        },
    };
    SampleCost {
        base_ns,
        ns_per_byte,
    }
}

/// Measures the nanoseconds of CPU time that it costs to hand counters of this kind, one for each CPU, on to a new thread, and to
/// take them away at its end.
pub(crate) fn measure_birth(counter: Counter, sampling: Sampling) -> f64 {
    let mut differences = Vec::new();
    for _ in 0..BIRTH_TRIALS {
        let Ok((without_ns, with_ns)) = trial_beside(counter, sampling, time_of_births) else {
            return BIRTH_GUESS_NS;
        };
        differences.push(with_ns - without_ns);
    }
    median(differences).max(BIRTH_LEAST_NS)
}

/// Measures the nanoseconds of CPU time that it costs to stop counters of this kind, one for each CPU, when their thread is taken off a
/// CPU, and to start them when it is put on one again. Nearly all of it is setting the CPU's timer, which is dear in virtual machines.
pub(crate) fn measure_switch(counter: Counter, sampling: Sampling) -> f64 {
    let mut differences = Vec::new();
    for _ in 0..SWITCH_TRIALS {
        let Ok((without_ns, with_ns)) = trial_beside(counter, sampling, time_of_switches) else {
            return SWITCH_GUESS_NS;
        };
        differences.push(with_ns - without_ns);
    }
    median(differences).max(SWITCH_LEAST_NS)
}

/// Returns what `time` measures without counters, and with counters of this kind on each CPU: of this thread, inherited by those that it
/// starts.
fn trial_beside(
    counter: Counter,
    sampling: Sampling,
    time: fn() -> io::Result<f64>,
) -> io::Result<(f64, f64)> {
    let without_ns = time()?;
    let mut attr = counter.attr(sampling);
    let mut counters = Vec::new();
    for cpu in procfs::online_cpus() {
        let ring = CpuRing::open(cpu, RING_PAGES_OF_TRIALS)?;
        attr.wakeup_events = ring.bytes() as u32;
        let counter = perf::open(&attr, perf::Who::Thread(0), cpu)?;
        ring.take_from(counter.as_fd())?;
        perf::enable(counter.as_fd())?;
        counters.push((counter, ring));
    }
    Ok((without_ns, time()?))
}

/// Starts threads that end at once, and returns the CPU time of this process in nanoseconds for each.
fn time_of_births() -> io::Result<f64> {
    let before_ns = clock::process_cpu_ns();
    for _ in 0..BIRTHS {
        let thread = thread::Builder::new()
            .stack_size(BIRTH_STACK)
            .spawn(|| ())?;
        // An empty thread cannot panic.
        drop(thread.join());
    }
    Ok((clock::process_cpu_ns() - before_ns) as f64 / BIRTHS as f64)
}

/// Sleeps again and again, and returns the CPU time of this thread in nanoseconds for each sleep.
fn time_of_switches() -> io::Result<f64> {
    let before_ns = clock::thread_cpu_ns();
    for _ in 0..SWITCHES {
        thread::sleep(Duration::from_nanos(1));
    }
    Ok((clock::thread_cpu_ns() - before_ns) as f64 / SWITCHES as f64)
}

/// Returns the median time in nanoseconds for which a sample held up this thread, and the median of the bytes it copied.
fn trial(counter: Counter, sampling: Sampling) -> io::Result<Option<(f64, f64)>> {
    // The array makes the stack deep enough for the largest copy.
    let stack = black_box([0_u8; OWN_STACK]);
    let mut ring = CpuRing::open(-1, RING_PAGES)?;
    let fits = (ring.bytes() / RING_COPIES) as u32 & !7;
    let sampling = Sampling {
        frequency_hz: RATE_HZ,
        copies: sampling.copies.map(|copy| StackCopy {
            bytes: copy.bytes.min(fits),
            ..copy
        }),
        wakes_every: 0,
        of_cpus: false,
        ..sampling
    };
    let mut attr = counter.attr(sampling);
    attr.set_inherit(0);
    attr.wakeup_events = ring.bytes() as u32;
    let counter = perf::open(&attr, perf::Who::Thread(0), -1)?;
    ring.take_from(counter.as_fd())?;
    let mut steps = Vec::with_capacity(4_096);
    perf::enable(counter.as_fd())?;
    let mut before_ns = clock::monotonic_ns();
    let end_ns = before_ns + TRIAL_MAX.as_nanos() as u64;
    let few_ns = before_ns + 1_000_000_000 / u64::from(RATE_HZ) * SAMPLES as u64;
    while before_ns < end_ns && (before_ns < few_ns || steps.len() < SAMPLES) {
        let now_ns = clock::monotonic_ns();
        if now_ns - before_ns > STEP_NS && steps.len() < steps.capacity() {
            steps.push((before_ns, now_ns));
        }
        before_ns = now_ns;
    }
    perf::disable(counter.as_fd())?;
    black_box(&stack);
    let mut held_up = Vec::new();
    let mut copied = Vec::new();
    ring.drain(&Ids::default(), |record| {
        if bytes::kind(record) != bytes::SAMPLE {
            return;
        }
        held_up.extend(step_of(&steps, bytes::time_ns(record)));
        if sampling.copies.is_some() {
            copied.push(bytes::copied_bytes(record) as f64);
        }
    });
    Ok((held_up.len() >= SAMPLES_MIN).then(|| (median(held_up), median(copied))))
}

/// Returns the length of the step in which this moment lies.
fn step_of(steps: &[(u64, u64)], time_ns: u64) -> Option<f64> {
    let at = steps.partition_point(|(_, end)| *end < time_ns);
    let (start, end) = *steps.get(at)?;
    (start <= time_ns).then(|| (end - start) as f64)
}

/// Returns the value in the middle; 0 if there are no values.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_belongs_to_the_step_that_holds_it() {
        let steps = [(100, 400), (1_000, 1_900), (5_000, 5_500)];
        assert_eq!(step_of(&steps, 99), None);
        assert_eq!(step_of(&steps, 100), Some(300.0));
        assert_eq!(step_of(&steps, 700), None);
        assert_eq!(step_of(&steps, 1_900), Some(900.0));
        assert_eq!(step_of(&steps, 5_100), Some(500.0));
        assert_eq!(step_of(&steps, 9_000), None);
        assert_eq!(median(vec![3.0, 1.0, 900.0]), 3.0);
    }

    #[test]
    fn births_and_switches_cost_something() {
        let sampling = Sampling {
            frequency_hz: 100,
            ..Sampling::default()
        };
        assert!(measure_switch(Counter::CpuClock, sampling) >= SWITCH_LEAST_NS);
        assert!(measure_birth(Counter::CpuClock, sampling) >= BIRTH_LEAST_NS);
    }

    #[test]
    fn a_sample_takes_time_and_a_copy_more() {
        let sampling = Sampling {
            frequency_hz: 997,
            call_chains: true,
            wakes_every: 0,
            registers: false,
            copies: Some(StackCopy {
                bytes: 32_768,
                may_shrink: true,
                with_chain: true,
            }),
            of_cpus: false,
        };
        let cost = measure(Counter::CpuClock, sampling);
        assert!(cost.base_ns > STEP_NS as f64 / 2.0, "{cost:?}");
        assert!(cost.of_ns(32_768.0) > cost.base_ns, "{cost:?}");
    }
}

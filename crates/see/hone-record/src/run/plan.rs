//! What a recording does, decided before anything starts.

use super::rates::Rates;
use crate::error::RecordError;
use crate::inheritance::Inherited;
use crate::members::Members;
use crate::options::{
    BranchSource, CallGraph, Engine, Options, STACK_BYTES_KEPT, STACK_BYTES_MAX, Sampler, Snapshot,
    Target,
};
use crate::output::{Copies, Stacks};
use crate::sampler::attr::{self, Counter, Sampling, StackCopy};
use crate::summary::Summary;
use crate::traced_run::timer_rate_hz;
use crate::{permission, procfs, walked};
use hone_profile::perf_data::EventDescription;
use hone_profile::{CpuTime, ThreadTime};
use std::sync::Arc;

/// Plan of a recording, decided before anything starts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Plan {
    /// Counter of the samples; `None` for the timer.
    pub(super) counter: Option<Counter>,
    pub(super) sampling: Sampling,
    pub(super) rates: Rates,
    pub(super) walk: bool,
    /// Engine of the walker, if `walk`.
    pub(super) engine: Engine,
    /// True if copied stacks are unwound on their way to the file.
    pub(super) unwinds: bool,
}

impl Plan {
    /// Returns true if walkers run on every CPU, woken by the kernel's samples.
    pub(super) fn walks_per_cpu(self) -> bool {
        self.sampling.wakes_every > 0
    }

    /// Returns the facts about samples that walkers need.
    pub(super) fn walking(self) -> walked::Samples {
        walked::Samples {
            sampling: self.sampling,
            cost_ns: self.rates.cost.map(|cost| cost.of_ns(0.0) as u64),
        }
    }

    /// Returns the CPU time that samples should add up to; `None` where samples do not count time, or where steps took it.
    pub(super) fn cpu_time(self, threads: Vec<ThreadTime>, summary: &Summary) -> Option<CpuTime> {
        let is_of_clock = self.counter == Some(Counter::CpuClock);
        let is_stepped = self.walk && !self.walks_per_cpu();
        (is_of_clock && !is_stepped).then(|| CpuTime {
            used_ns: (summary.target_cpu_s * 1e9) as u64,
            period_ns: Counter::CpuClock.period(self.rates.frequency_hz),
            are_of_cpus: summary.counters == "cpus",
            threads,
        })
    }

    /// Returns the watch over counters that threads inherit.
    pub(super) fn inherited(self, options: &Options, members: &Arc<Members>) -> Option<Inherited> {
        let counter = self.counter?;
        let members = Arc::clone(members);
        Some(Inherited::new(options, counter, self.sampling, members))
    }

    /// Returns the content of samples in the file.
    pub(super) fn in_file(self) -> Sampling {
        match self.unwinds {
            true => Sampling {
                copies: None,
                ..self.sampling
            },
            false => self.sampling,
        }
    }

    /// Returns the content of samples from the kernel, and the content that the file promises.
    pub(super) fn stacks(self, options: &Options) -> Stacks {
        Stacks {
            depth: options.branch_depth as usize,
            call_chains: self.sampling.call_chains,
            add_branches: self.walk,
            copies: match self.sampling.copies {
                None => Copies::None,
                Some(_) if self.unwinds => Copies::Unwound,
                Some(_) => Copies::Kept,
            },
        }
    }
}

/// Tries the capabilities of the machine and chooses counter and branch source.
pub(super) fn decide(
    options: &Options,
    pids: &[i32],
    summary: &mut Summary,
) -> Result<Plan, RecordError> {
    let process = pids.first().copied();
    let of_cpus = matches!(options.target, Target::System { .. });
    let engine = match options.walker {
        Engine::Auto | Engine::Emulate => Engine::Emulate,
        Engine::Step => Engine::Step,
    };
    if let (Some(pid), BranchSource::Walk, Engine::Step) = (process, options.branches, engine) {
        return Err(RecordError::StepNeedsCommand { pid });
    }
    if let (Some(pid), Sampler::Ptrace) = (process, options.sampler) {
        return Err(RecordError::ProcessNeedsPerf { pid });
    }
    let counter = choose_counter(options, process, summary)?;
    let walk = match (options.branches, counter) {
        (_, Some(Counter::CyclesWithBranches)) | (BranchSource::None | BranchSource::Lbr, _) => {
            false
        }
        _ if of_cpus => false,
        (BranchSource::Auto | BranchSource::Walk, _) => may_walk(pids, engine, options, summary)?,
    };
    counter
        .map_or("ptrace-timer", Counter::name)
        .clone_into(&mut summary.sampler);
    let source = match (counter, walk) {
        (Some(Counter::CyclesWithBranches), _) => "lbr",
        (_, true) => "walk",
        (_, false) => "none",
    };
    source.clone_into(&mut summary.branch_source);
    let per_cpu = walk && engine == Engine::Emulate && counter.is_some();
    let (call_chains, copies) = match options.call_graph {
        CallGraph::Auto => (source == "none", None),
        CallGraph::FramePointers => (true, None),
        CallGraph::Dwarf {
            stack_bytes,
            keeps_copies,
        } => {
            let default = match keeps_copies {
                true => STACK_BYTES_KEPT,
                false => STACK_BYTES_MAX,
            };
            let copy = StackCopy {
                bytes: stack_bytes.unwrap_or(default),
                may_shrink: stack_bytes.is_none() && !keeps_copies,
                with_chain: !keeps_copies,
            };
            (true, Some((copy, keeps_copies)))
        }
        CallGraph::Never => (false, None),
    };
    let sampling = Sampling {
        frequency_hz: 0,
        call_chains,
        wakes_every: 0,
        registers: per_cpu && options.snapshot != Snapshot::Stop,
        copies: copies.map(|(copy, _)| copy),
        of_cpus,
    };
    let rates = match counter {
        None => Rates::of_timer(options),
        Some(counter) if per_cpu => Rates::walking(options, counter, sampling),
        Some(_) if walk => Rates::beside_steps(options),
        Some(counter) => Rates::plain(options, counter, sampling),
    };
    summary.counters = match (counter, of_cpus) {
        (None, _) => "none",
        (_, true) => "cpus",
        (_, false) => "threads",
    }
    .to_owned();
    if per_cpu || options.limits_samples {
        summary.overhead = options.overhead;
    }
    (summary.asked_hz, summary.rate_hz) = (rates.asked_hz, rates.frequency_hz);
    summary.sample_cost_us = rates.cost.map_or(0.0, |cost| cost.of_ns(0.0) / 1e3);
    Ok(Plan {
        counter,
        sampling: Sampling {
            frequency_hz: rates.frequency_hz,
            wakes_every: rates.wakes_every,
            ..sampling
        },
        rates,
        walk,
        engine,
        unwinds: copies.is_some_and(|(_, keeps)| !keeps),
    })
}

/// Returns true if the walker may look into the running processes; an error if not and the user asked for the walker.
fn may_walk(
    pids: &[i32],
    engine: Engine,
    options: &Options,
    summary: &mut Summary,
) -> Result<bool, RecordError> {
    let refusal = pids.iter().try_for_each(|&pid| match engine {
        Engine::Step => Err(RecordError::StepNeedsCommand { pid }),
        _ => permission::to_walk(pid),
    });
    match refusal {
        Ok(()) => Ok(true),
        Err(error) if options.branches == BranchSource::Walk => Err(error),
        Err(error) => {
            summary.warn(format!("No branch records: {error}."));
            Ok(false)
        }
    }
}

fn choose_counter(
    options: &Options,
    process: Option<i32>,
    summary: &mut Summary,
) -> Result<Option<Counter>, RecordError> {
    if let Target::System { .. } = options.target {
        // Opening the counter on the CPUs shows whether that is allowed.
        return Ok(Some(Counter::CpuClock));
    }
    let wants_hardware = matches!(options.branches, BranchSource::Auto | BranchSource::Lbr);
    if wants_hardware && options.sampler != Sampler::Ptrace {
        match Counter::CyclesWithBranches.probe() {
            Ok(()) => return Ok(Some(Counter::CyclesWithBranches)),
            Err(source) if options.branches == BranchSource::Lbr => {
                return Err(RecordError::NoBranchHardware { source });
            }
            Err(_) => {}
        }
    } else if options.branches == BranchSource::Lbr {
        let source = std::io::Error::other("the timer sampler has none");
        return Err(RecordError::NoBranchHardware { source });
    }
    if options.sampler == Sampler::Ptrace {
        return Ok(None);
    }
    let mut refusal = None;
    // The budget of a walked recording is counted in time, and so are its samples.
    let may_walk = matches!(options.branches, BranchSource::Auto | BranchSource::Walk);
    let counters: &[Counter] = match may_walk && options.walker != Engine::Step {
        true => &[Counter::CpuClock, Counter::CpuClockUser],
        false => &[Counter::Cycles, Counter::CpuClock, Counter::CpuClockUser],
    };
    for &counter in counters {
        match counter.probe() {
            Ok(()) => return Ok(Some(counter)),
            Err(error) => refusal = Some(error),
        }
    }
    let source = refusal.unwrap_or_else(|| std::io::ErrorKind::Unsupported.into());
    let refused = || procfs::setting("kernel/perf_event_paranoid");
    let copies = matches!(options.call_graph, CallGraph::Dwarf { .. });
    if options.sampler == Sampler::Perf || process.is_some() || copies {
        return Err(RecordError::PerfRefused {
            source,
            paranoid: refused(),
        });
    }
    summary.warn(format!(
        "The kernel refuses perf events ({source}): sampled by timer and ptrace instead, {} times a \
         second, user code only.",
        timer_rate_hz(options)
    ));
    Ok(None)
}

/// Returns the events of the file.
pub(super) fn events(plan: Plan, ids: Vec<u64>) -> Vec<EventDescription> {
    let first = match plan.counter {
        Some(counter) => counter.description(plan.in_file(), ids, plan.walk),
        None => attr::timer_event("ptrace-timer", plan.sampling, plan.walk),
    };
    let mut events = vec![first];
    events.extend(plan.walk.then(|| attr::walk_event(plan.sampling)));
    events
}

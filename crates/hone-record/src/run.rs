//! A recording from its options to its file.

mod rates;
mod system;
mod told;

use crate::command::{Command, Waiting};
use crate::cpu_times::CpuTimes;
use crate::error::{RecordError, system};
use crate::inherited::Inherited;
use crate::living::Living;
use crate::members::Members;
use crate::options::{
    BranchSource, CallGraph, Engine, Options, STACK_BYTES_KEPT, STACK_BYTES_MAX, Sampler, Snapshot,
    Target,
};
use crate::output::{Copies, Output, Reserved, Stacks};
use crate::progress::Progress;
use crate::quota::Account;
use crate::sampler::attr::{self, Counter, Sampling, StackCopy};
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::{clock, wait};
use crate::traced::{Traced, timer_rate_hz};
use crate::tracer::Tracer;
use crate::walked::{self, Walked};
use crate::{permission, procfs};
use hone_profile::perf_data::EventDescription;
use hone_profile::{CpuTime, ThreadTime};
use rates::{Kept, Rates};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Plan of a recording, decided before anything starts.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Plan {
    /// Counter of the samples; `None` for the timer.
    counter: Option<Counter>,
    sampling: Sampling,
    rates: Rates,
    walk: bool,
    /// Engine of the walker, if `walk`.
    engine: Engine,
    /// True if copied stacks are unwound on their way to the file.
    unwinds: bool,
}

impl Plan {
    /// Returns true if walkers run on every CPU, woken by the kernel's samples.
    fn walks_per_cpu(self) -> bool {
        self.sampling.wakes_every > 0
    }

    /// Returns the facts about samples that walkers need.
    fn walking(self) -> walked::Samples {
        walked::Samples {
            sampling: self.sampling,
            cost_ns: self.rates.cost.map(|cost| cost.of_ns(0.0) as u64),
        }
    }

    /// Returns the CPU time that samples should add up to; `None` where samples do not count time, or where steps took it.
    fn cpu_time(self, threads: Vec<ThreadTime>, summary: &Summary) -> Option<CpuTime> {
        let is_of_clock = self.counter == Some(Counter::CpuClock);
        let is_stepped = self.walk && !self.walks_per_cpu();
        (is_of_clock && !is_stepped).then(|| CpuTime {
            used_ns: (summary.target_cpu_s * 1e9) as u64,
            period_ns: Counter::CpuClock.period(self.rates.frequency_hz),
            threads,
        })
    }

    /// Returns the watch over counters that threads inherit.
    fn inherited(self, options: &Options, members: &Arc<Members>) -> Option<Inherited> {
        let counter = self.counter?;
        let members = Arc::clone(members);
        Some(Inherited::new(options, counter, self.sampling, members))
    }

    /// Returns the content of samples in the file.
    fn in_file(self) -> Sampling {
        match self.unwinds {
            true => Sampling {
                copies: None,
                ..self.sampling
            },
            false => self.sampling,
        }
    }

    /// Returns the content of samples from the kernel, and the content that the file promises.
    fn stacks(self, options: &Options) -> Stacks {
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

/// Makes the recording. Must be called on a thread of its own, whose end releases traced threads.
pub(crate) fn run(
    options: &Options,
    stop: &AtomicBool,
    report: &dyn Fn(&Summary),
) -> Result<Summary, RecordError> {
    options.check()?;
    let mut summary = Summary::default();
    let pids = present(&options.target, &mut summary)?;
    let plan = decide(options, &pids, &mut summary)?;
    let command = Command::prepare(&options.target)?;
    let reserved = Reserved::create(&options.output, options.keeps_former)?;
    match (command, &options.target) {
        (command, Target::System { .. }) => {
            system::record(options, plan, command, reserved, stop, report, &mut summary)?;
        }
        (Some(command), _) => {
            let child = command.start()?;
            record_command(options, plan, child, reserved, stop, report, &mut summary)?;
        }
        (None, Target::Processes { .. }) => {
            record_processes(options, plan, &pids, reserved, stop, report, &mut summary)?;
        }
        (None, Target::Command { .. }) => return Err(RecordError::EmptyCommand),
    }
    told::warn(options, &mut summary);
    Ok(summary)
}

/// Returns the processes to record that exist, each once; an error if none exists. Returns no process for a command.
fn present(target: &Target, summary: &mut Summary) -> Result<Vec<i32>, RecordError> {
    let Target::Processes { pids } = target else {
        return Ok(Vec::new());
    };
    let is_there = |pid: &i32| procfs::process_of(*pid) == Some(*pid);
    let (mut present, gone): (Vec<i32>, Vec<i32>) = pids.iter().copied().partition(is_there);
    present.sort_unstable();
    present.dedup();
    if present.is_empty() {
        let pid = pids.first().copied().unwrap_or(0);
        return Err(RecordError::NoSuchProcess { pid });
    }
    for pid in gone {
        summary.warn(format!(
            "There is no process {pid}; the others were recorded."
        ));
    }
    Ok(present)
}

/// Tries the capabilities of the machine and chooses counter and branch source.
fn decide(options: &Options, pids: &[i32], summary: &mut Summary) -> Result<Plan, RecordError> {
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

fn events(plan: Plan, ids: Vec<u64>) -> Vec<EventDescription> {
    let first = match plan.counter {
        Some(counter) => counter.description(plan.in_file(), ids, plan.walk),
        None => attr::timer_event("ptrace-timer", plan.sampling, plan.walk),
    };
    let mut events = vec![first];
    events.extend(plan.walk.then(|| attr::walk_event(plan.sampling)));
    events
}

fn record_command(
    options: &Options,
    plan: Plan,
    child: Waiting,
    reserved: Reserved,
    stop: &AtomicBool,
    report: &dyn Fn(&Summary),
    summary: &mut Summary,
) -> Result<(), RecordError> {
    summary.pid = child.pid();
    let armed = arm(options, plan, &child, reserved, summary);
    let (perf, tracer, mut output) = match armed {
        Ok(armed) => armed,
        Err(error) => {
            child.abandon();
            return Err(error);
        }
    };
    if plan.counter == Some(Counter::CpuClock) {
        output.kernel();
    }
    let members = Arc::new(Members::of(&[summary.pid]));
    output.is_about(Arc::clone(&members));
    let account = Account::of_processes(&[summary.pid]);
    let times = CpuTimes::begin(Arc::clone(&members), &[]);
    let mut progress = Progress::new(options, stop, report, Some(times));
    child.release()?;
    match (tracer, perf) {
        (None, Some(perf)) if plan.walks_per_cpu() => {
            let living = Living::of_child(summary.pid)?;
            let walked = Walked {
                options,
                samples: plan.walking(),
                inherited: plan.inherited(options, &members),
                members: &members,
                living,
                output: &mut output,
                progress: &mut progress,
                summary,
            };
            walked.run(perf)?;
        }
        (Some(tracer), perf) => {
            let mut traced = Traced::new(options, plan.sampling, tracer, perf, plan.walk);
            traced.run(&mut output, &mut progress, summary)?;
        }
        (None, Some(perf)) => {
            let living = Living::of_child(summary.pid)?;
            let kept = Kept::new(
                options,
                plan.rates,
                plan.sampling,
                Some(Arc::clone(&members)),
            );
            let inherited = plan.inherited(options, &members);
            sample_only(
                perf,
                kept,
                inherited,
                living,
                &mut output,
                &mut progress,
                summary,
            )?;
        }
        (None, None) => {}
    }
    let threads = progress.close(summary);
    output.cpu_time(plan.cpu_time(threads, summary));
    output.quota(account.and_then(Account::close));
    output.finish(summary)
}

type Armed = (Option<Perf>, Option<Tracer>, Output);

/// Prepares everything that must exist before the child becomes the program.
fn arm(
    options: &Options,
    plan: Plan,
    child: &Waiting,
    reserved: Reserved,
    summary: &mut Summary,
) -> Result<Armed, RecordError> {
    let perf = match plan.counter {
        Some(counter) => Some(Perf::of_command(
            counter,
            plan.sampling,
            child.pid(),
            summary,
        )?),
        None => None,
    };
    let ids = perf.as_ref().map(Perf::ids).unwrap_or_default();
    let output = Output::start(reserved, events(plan, ids), plan.stacks(options))?;
    let traced = perf.is_none() || (plan.walk && !plan.walks_per_cpu());
    let tracer = if traced {
        Some(Tracer::seize(child.pid())?)
    } else {
        None
    };
    Ok((perf, tracer, output))
}

fn record_processes(
    options: &Options,
    plan: Plan,
    pids: &[i32],
    reserved: Reserved,
    stop: &AtomicBool,
    report: &dyn Fn(&Summary),
    summary: &mut Summary,
) -> Result<(), RecordError> {
    summary.pid = pids.first().copied().unwrap_or(0);
    let Some(counter) = plan.counter else {
        return Err(RecordError::ProcessNeedsPerf { pid: summary.pid });
    };
    let perf = Perf::of_processes(counter, plan.sampling, pids, summary)?;
    let mut output = Output::start(reserved, events(plan, perf.ids()), plan.stacks(options))?;
    if counter == Counter::CpuClock {
        output.kernel();
    }
    let members = Arc::new(Members::of(pids));
    output.is_about(Arc::clone(&members));
    let account = Account::of_processes(pids);
    let times = CpuTimes::begin(Arc::clone(&members), pids);
    let mut progress = Progress::new(options, stop, report, Some(times));
    perf.enable()?;
    // Mappings are read only after the counters run, so that no mapping is missed in between.
    for &pid in pids {
        for tid in procfs::threads(pid) {
            if let Some(name) = procfs::comm(tid) {
                output.comm(pid, tid, name, false, 0);
            }
        }
        for mapping in procfs::executable_mappings(pid) {
            output.mapping(pid, &mapping, 0);
        }
    }
    let living = Living::of(pids)?;
    match plan.walks_per_cpu() {
        true => {
            let walked = Walked {
                options,
                samples: plan.walking(),
                inherited: plan.inherited(options, &members),
                members: &members,
                living,
                output: &mut output,
                progress: &mut progress,
                summary,
            };
            walked.run(perf)?;
        }
        false => {
            let kept = Kept::new(
                options,
                plan.rates,
                plan.sampling,
                Some(Arc::clone(&members)),
            );
            let inherited = plan.inherited(options, &members);
            sample_only(
                perf,
                kept,
                inherited,
                living,
                &mut output,
                &mut progress,
                summary,
            )?;
        }
    }
    let threads = progress.close(summary);
    output.cpu_time(plan.cpu_time(threads, summary));
    output.quota(account.and_then(Account::close));
    output.finish(summary)
}

/// Runs the loop of a recording that only empties rings.
fn sample_only(
    mut perf: Perf,
    mut kept: Kept,
    mut inherited: Option<Inherited>,
    mut living: Living,
    output: &mut Output,
    progress: &mut Progress<'_>,
    summary: &mut Summary,
) -> Result<(), RecordError> {
    let mut ended = false;
    while !ended && progress.goes_on(summary) {
        ended = perf
            .wait(&mut living, progress.sleep())
            .map_err(system("poll"))?;
        drain(&mut perf, &mut kept, output, summary)?;
        if let Some(inherited) = &mut inherited {
            summary.stopped_s += inherited.take_cost_s(output.threads());
            if inherited.is_worse(output.threads(), &mut || progress.used_s(summary))
                && let Some(own_share) = inherited.exchange(&mut perf, output, summary)
            {
                kept.counters_are_of_cpus(own_share);
            }
        }
    }
    perf.disable();
    drain(&mut perf, &mut kept, output, summary)?;
    if ended && living.is_child {
        let waited = wait::until_change_of(summary.pid).map_err(system("wait4"))?;
        summary.exit_code = waited.change.exit_status();
        summary.target_cpu_s = waited.cpu_s;
    }
    Ok(())
}

fn drain(
    perf: &mut Perf,
    kept: &mut Kept,
    output: &mut Output,
    summary: &mut Summary,
) -> Result<(), RecordError> {
    let began_ns = clock::monotonic_ns();
    perf.drain(|record| kept.record(record, output, summary));
    kept.look(perf, output, summary);
    output.settle(began_ns, summary)
}

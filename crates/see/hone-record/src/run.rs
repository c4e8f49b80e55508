//! A recording from its options to its file.

mod plan;
mod rates;
mod system;
mod warnings;

use crate::command::{Command, Waiting};
use crate::cpu_times::CpuTimes;
use crate::error::{RecordError, system};
use crate::inheritance::Inherited;
use crate::live_processes::Living;
use crate::members::Members;
use crate::options::{Options, Target};
use crate::output::Output;
use crate::procfs;
use crate::progress::Progress;
use crate::quota::Account;
use crate::reserved::Reserved;
use crate::sampler::attr::Counter;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::{clock, wait};
use crate::traced_run::Traced;
use crate::tracer::Tracer;
use crate::walked::Walked;
use plan::{Plan, decide, events};
use rates::Kept;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

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
    warnings::warn(options, &mut summary);
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
        (Some(tracer), perf) => {
            let mut traced = Traced::new(options, plan.sampling, tracer, perf, plan.walk);
            traced.run(&mut output, &mut progress, summary)?;
        }
        (None, Some(perf)) => {
            let followed = Followed {
                options,
                plan,
                members: &members,
                living: Living::of_child(summary.pid)?,
                output: &mut output,
                progress: &mut progress,
                summary,
            };
            followed.record(perf)?;
        }
        (None, None) => {}
    }
    finish(plan, account, progress, output, summary)
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
    let output = Output::start(options, reserved, events(plan, ids), plan.stacks(options))?;
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
    let mut output = Output::start(
        options,
        reserved,
        events(plan, perf.ids()),
        plan.stacks(options),
    )?;
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
    let followed = Followed {
        options,
        plan,
        members: &members,
        living: Living::of(pids)?,
        output: &mut output,
        progress: &mut progress,
        summary,
    };
    followed.record(perf)?;
    finish(plan, account, progress, output, summary)
}

/// A target that runs, recorded by counters.
struct Followed<'r, 'p> {
    options: &'r Options,
    plan: Plan,
    members: &'r Arc<Members>,
    living: Living,
    output: &'r mut Output,
    progress: &'r mut Progress<'p>,
    summary: &'r mut Summary,
}

impl Followed<'_, '_> {
    /// Records until all processes have ended or the progress says that it is time.
    fn record(self, perf: Perf) -> Result<(), RecordError> {
        let Self {
            options,
            plan,
            members,
            living,
            output,
            progress,
            summary,
        } = self;
        let inherited = plan.inherited(options, members);
        if plan.walks_per_cpu() {
            let walked = Walked {
                options,
                samples: plan.walking(),
                inherited,
                members,
                living,
                own_time: clock::OwnTime::default(),
                output,
                progress,
                summary,
            };
            return walked.run(perf);
        }
        let members = Some(Arc::clone(members));
        let kept = Kept::new(options, plan.rates, plan.sampling, members);
        sample_only(perf, kept, inherited, living, output, progress, summary)
    }
}

/// Completes the file of a recording of processes or of a command.
fn finish(
    plan: Plan,
    account: Option<Account>,
    mut progress: Progress<'_>,
    mut output: Output,
    summary: &mut Summary,
) -> Result<(), RecordError> {
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
            let threads = progress.with_switches(output.threads());
            summary.stopped_s += inherited.take_cost_s(threads);
            if inherited.is_worse(threads, &mut || progress.used_s(summary))
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

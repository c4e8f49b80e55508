//! A recording of every process of the machine, or of a cgroup.
//!
//! Each CPU has one counter, whatever runs there. Once the counters run, the kernel reports processes that start,
//! become another program or map a file; processes that ran before are read from `/proc` once. A process that neither
//! source reported, such as a process that was moved into the cgroup, is read when it is first sampled. No process is
//! stopped or attached to.

use super::plan::{Plan, events};
use super::rates::Kept;
use crate::cgroup::Group;
use crate::command::Command;
use crate::error::{RecordError, system};
use crate::live_processes::Living;
use crate::options::{Options, Target};
use crate::output::Output;
use crate::progress::Progress;
use crate::quota::Account;
use crate::reserved::Reserved;
use crate::sampler::attr::Counter;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::{clock, perf::Who, wait};
use crate::{procfs, record_bytes as bytes};
use rustc_hash::FxHashSet;
use std::sync::atomic::AtomicBool;

/// Default number of samples per second and CPU. A prime, so that nothing on the machine keeps time with the samples.
pub(super) const RATE_HZ: u32 = 19;

pub(super) fn record(
    options: &Options,
    plan: Plan,
    command: Option<Command>,
    reserved: Reserved,
    stop: &AtomicBool,
    report: &dyn Fn(&Summary),
    summary: &mut Summary,
) -> Result<(), RecordError> {
    let group = match &options.target {
        Target::System {
            cgroup: Some(path), ..
        } => Some(Group::open(path)?),
        _ => None,
    };
    let who = group
        .as_ref()
        .map_or(Who::All, |group| Who::Group(group.directory()));
    let mut perf = Perf::of_cpus(Counter::CpuClock, plan.sampling, who, summary)?;
    let mut output = Output::start(
        options,
        reserved,
        events(plan, perf.ids()),
        plan.stacks(options),
    )?;
    output.kernel();
    let used_before = used_s(group.as_ref());
    let account = group
        .as_ref()
        .and_then(|group| Account::of_group(group.path()));
    let mut progress = Progress::new(options, stop, report, None);
    perf.enable()?;
    // Processes are read only after the counters run, so that no mapping is missed in between.
    let mut known = Known::default();
    known.read_all(group.as_ref(), &mut output);
    let mut living = Living::of_everybody();
    if let Some(command) = command {
        let child = command.start()?;
        summary.pid = child.pid();
        child.release()?;
        living = Living::of_child(summary.pid)?;
    }
    let mut kept = Kept::new(options, plan.rates, plan.sampling, None);
    let mut ended = false;
    while !ended && progress.goes_on(summary) {
        ended = perf
            .wait(&mut living, progress.sleep())
            .map_err(system("poll"))?;
        known.drain(&mut perf, &mut kept, &mut output, summary)?;
    }
    perf.disable();
    known.drain(&mut perf, &mut kept, &mut output, summary)?;
    if ended {
        let waited = wait::until_change_of(summary.pid).map_err(system("wait4"))?;
        summary.exit_code = waited.change.exit_status();
    }
    progress.update(summary);
    if let (Some(before), Some(after)) = (used_before, used_s(group.as_ref())) {
        summary.target_cpu_s = (after - before).max(0.0);
    }
    output.cpu_time(plan.cpu_time(Vec::new(), summary));
    output.quota(account.and_then(Account::close));
    known.warn_of_hidden(summary);
    output.finish(summary)
}

/// Returns the CPU seconds that the recorded processes have used so far.
fn used_s(group: Option<&Group>) -> Option<f64> {
    match group {
        Some(group) => group.used_s(),
        None => procfs::busy_s(),
    }
}

/// Processes whose names and mappings the recording knows.
#[derive(Default)]
struct Known {
    pids: FxHashSet<i32>,
    /// Number of processes whose mappings we may not read.
    hidden: usize,
}

impl Known {
    fn read_all(&mut self, group: Option<&Group>, output: &mut Output) {
        let pids = group.map_or_else(procfs::processes, Group::processes);
        for pid in pids {
            self.read(pid, 0, output);
        }
    }

    /// Reads names and mappings of a process, which are written with the time `time_ns`.
    fn read(&mut self, pid: i32, time_ns: u64, output: &mut Output) {
        if !self.pids.insert(pid) {
            return;
        }
        for tid in procfs::threads(pid) {
            if let Some(name) = procfs::comm(tid) {
                output.comm(pid, tid, name, false, time_ns);
            }
        }
        let mappings = procfs::executable_mappings(pid);
        self.hidden += usize::from(mappings.is_empty() && procfs::is_hidden(pid));
        for mapping in mappings {
            output.mapping(pid, &mapping, time_ns);
        }
    }

    fn drain(
        &mut self,
        perf: &mut Perf,
        kept: &mut Kept,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let began_ns = clock::monotonic_ns();
        let mut sampled: Vec<(i32, u64)> = Vec::new();
        perf.drain(|record| {
            if bytes::kind(record) == bytes::SAMPLE {
                let pid = bytes::sample_pid(record);
                if pid > 0 && !self.pids.contains(&pid) {
                    sampled.push((pid, bytes::time_ns(record)));
                }
            } else if let Some((_, child)) = bytes::fork(record) {
                self.pids.insert(child);
            } else if bytes::is_exec(record) {
                self.pids.insert(bytes::process(record));
            }
            kept.record(record, output, summary);
        });
        kept.look(perf, output, summary);
        // Processes are read only now, because the ring of another CPU may have reported them.
        for (pid, time_ns) in sampled {
            self.read(pid, time_ns.saturating_sub(1), output);
        }
        output.settle(began_ns, summary)
    }

    fn warn_of_hidden(&self, summary: &mut Summary) {
        if self.hidden > 0 {
            summary.warn(format!(
                "Processes whose mappings may not be read: {}; their code has no names.",
                self.hidden
            ));
        }
    }
}

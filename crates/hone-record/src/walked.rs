//! A recording in which the walkers of the CPUs ([`crate::walker::per_cpu`]) take samples and walk.

use crate::error::{RecordError, system};
use crate::living::Living;
use crate::options::Options;
use crate::output::Output;
use crate::progress::Progress;
use crate::sampler::attr::Sampling;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::sched;
use crate::sys::wait;
use crate::walker::budget::{Budget, SAMPLE};
use crate::walker::emulate::Emulator;
use crate::walker::per_cpu::{self, Found, Inbox, Shared};
use crate::walker::precedence::{self, Turn};
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Time between two looks into the inboxes.
const COLLECT_EVERY: Duration = Duration::from_millis(40);

/// Facts about samples that walkers need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Samples {
    pub(crate) sampling: Sampling,
    /// Cost in nanoseconds of a sample that wakes no walker, if measured.
    pub(crate) cost_ns: Option<u64>,
}

/// Records until all processes have ended or the progress says that it is time.
pub(crate) fn run(
    options: &Options,
    Samples { sampling, cost_ns }: Samples,
    mut perf: Perf,
    mut living: Living,
    output: &mut Output,
    progress: &mut Progress<'_>,
    summary: &mut Summary,
) -> Result<(), RecordError> {
    let (rings, ids) = perf.rings();
    let shared = Shared {
        emulator: Emulator::new(options.walk_branches_max),
        budget: Budget::new(options.overhead),
        snapshot: options.snapshot,
        registers: sampling.registers,
        call_chains: sampling.call_chains,
        all_wake: sampling.wakes_every == 1,
        sample_ns: cost_ns.unwrap_or(SAMPLE.as_nanos() as u64),
        ids,
        stop: AtomicBool::new(false),
        seed: options.seed,
    };
    let inboxes: Vec<Inbox> = rings.iter().map(|_| Inbox::default()).collect();
    sched::limit_precedence();
    let mut collected = Collected::new(inboxes.len());
    let turns: Vec<Turn> = rings.iter().map(|_| Turn::default()).collect();
    let walkers = rings.iter_mut().zip(&inboxes).zip(&turns);
    let shared = &shared;
    let ended = thread::scope(|scope| {
        let overseer = thread::Builder::new()
            .name("hone-oversee".to_owned())
            .spawn_scoped(scope, || precedence::oversee(&turns, &shared.stop))
            .map_err(system("clone"))?;
        let record = || {
            for ((ring, inbox), turn) in walkers {
                thread::Builder::new()
                    .name(format!("hone-walk/{}", ring.cpu))
                    .spawn_scoped(scope, move || per_cpu::run(shared, ring, inbox, turn))
                    .map_err(system("clone"))?;
            }
            let mut ended = false;
            while !ended && progress.goes_on(summary) {
                let sleep = progress.sleep().min(COLLECT_EVERY);
                ended = living.wait(std::iter::empty(), sleep).unwrap_or(false);
                collected.collect(&inboxes, output, summary)?;
            }
            Ok(ended)
        };
        let ended = record();
        shared.stop.store(true, Ordering::Relaxed);
        overseer.thread().unpark();
        ended
    })?;
    collected.collect(&inboxes, output, summary)?;
    perf.disable();
    perf.drain(|record| output.kernel_record(record, summary));
    if living.is_child && ended {
        let waited = wait::until_change_of(summary.pid).map_err(system("wait4"))?;
        summary.exit_code = waited.change.exit_status();
        summary.target_cpu_s = waited.cpu_s;
    }
    Ok(())
}

/// Numbers collected from the inboxes.
struct Collected {
    complete_until_ns: Vec<u64>,
    walkers_cpu_ns: Vec<u64>,
}

impl Collected {
    fn new(walkers: usize) -> Self {
        Self {
            complete_until_ns: vec![0; walkers],
            walkers_cpu_ns: vec![0; walkers],
        }
    }

    fn collect(
        &mut self,
        inboxes: &[Inbox],
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        for (index, inbox) in inboxes.iter().enumerate() {
            let found = {
                let mut inbox = inbox.lock().unwrap_or_else(PoisonError::into_inner);
                let empty = Found {
                    complete_until_ns: inbox.complete_until_ns,
                    ..Found::default()
                };
                std::mem::replace(&mut *inbox, empty)
            };
            self.complete_until_ns[index] = found.complete_until_ns;
            self.walkers_cpu_ns[index] = self.walkers_cpu_ns[index].max(found.cpu_ns);
            for record in &found.records {
                output.kernel_record(record, summary);
            }
            for walk in found.walks {
                output.walk(walk, summary);
            }
            for (reason, number) in found.not_begun {
                *summary.walks_not_begun.entry(reason).or_default() += number;
            }
            found
                .warnings
                .into_iter()
                .for_each(|warning| summary.warn(warning));
            summary.stopped_s += found.stopped_ns as f64 / 1e9;
            summary.walks_stopped += found.stops;
            summary.walks_moved += found.moved;
        }
        summary.walkers_cpu_s = self.walkers_cpu_ns.iter().sum::<u64>() as f64 / 1e9;
        let complete = self.complete_until_ns.iter().copied().min().unwrap_or(0);
        output.settle(complete, summary)
    }
}

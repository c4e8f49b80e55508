//! A recording in which the walkers of the CPUs ([`crate::walker::per_cpu`]) take samples and walk.

use crate::error::{RecordError, system};
use crate::inheritance::Inherited;
use crate::live_processes::Living;
use crate::members::Members;
use crate::options::Options;
use crate::output::Output;
use crate::progress::Progress;
use crate::sampler::attr::Sampling;
use crate::sampler::perf::Perf;
use crate::summary::Summary;
use crate::sys::clock;
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

/// A recording in which walkers take part.
pub(crate) struct Walked<'r, 'p> {
    pub(crate) options: &'r Options,
    pub(crate) samples: Samples,
    pub(crate) inherited: Option<Inherited>,
    pub(crate) members: &'r Members,
    pub(crate) living: Living,
    /// CPU time of this thread that the budget pays for, that of the start too.
    pub(crate) own_time: clock::OwnTime,
    pub(crate) output: &'r mut Output,
    pub(crate) progress: &'r mut Progress<'p>,
    pub(crate) summary: &'r mut Summary,
}

/// What ended a round of walkers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// All processes have ended.
    Target,
    /// The progress says that it is time.
    Time,
    /// Counters of the CPUs would be better.
    Counters,
}

impl Walked<'_, '_> {
    /// Records until all processes have ended or the progress says that it is time.
    pub(crate) fn run(mut self, mut perf: Perf) -> Result<(), RecordError> {
        sched::limit_precedence();
        let budget = Budget::new(self.options.overhead);
        let mut collected = Collected::default();
        let mut of_cpus = false;
        let ended = loop {
            let ended = self.round(&mut perf, of_cpus, &budget, &mut collected)?;
            if ended != Ended::Counters {
                break ended;
            }
            if let Some(inherited) = &mut self.inherited {
                let exchanged = inherited.exchange(&mut perf, self.output, self.summary);
                of_cpus = exchanged.is_some();
            }
        };
        perf.disable();
        perf.drain(|record| self.output.kernel_record(record, self.summary));
        if self.living.is_child && ended == Ended::Target {
            let waited = wait::until_change_of(self.summary.pid).map_err(system("wait4"))?;
            self.summary.exit_code = waited.change.exit_status();
            self.summary.target_cpu_s = waited.cpu_s;
        }
        Ok(())
    }

    /// Lets walkers walk until the recording ends, or the counters should be exchanged.
    fn round(
        &mut self,
        perf: &mut Perf,
        of_cpus: bool,
        budget: &Budget,
        collected: &mut Collected,
    ) -> Result<Ended, RecordError> {
        let Samples { sampling, cost_ns } = self.samples;
        let (rings, ids) = perf.rings();
        let shared = &Shared {
            emulator: Emulator::new(self.options.walk_branches_max),
            budget,
            snapshot: self.options.snapshot,
            registers: sampling.registers,
            call_chains: sampling.call_chains,
            all_wake: sampling.wakes_every == 1,
            sample_ns: cost_ns.unwrap_or(SAMPLE.as_nanos() as u64),
            ids,
            members: of_cpus.then_some(self.members),
            stop: AtomicBool::new(false),
            seed: self.options.seed,
        };
        let inboxes: Vec<Inbox> = rings.iter().map(|_| Inbox::default()).collect();
        collected.begin(inboxes.len());
        let turns: Vec<Turn> = rings.iter().map(|_| Turn::default()).collect();
        let walkers = rings.iter_mut().zip(&inboxes).zip(&turns);
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
                self.collect_until_end(budget, collected, &inboxes)
            };
            let ended = record();
            shared.stop.store(true, Ordering::Relaxed);
            overseer.thread().unpark();
            ended
        })?;
        collected.collect(&inboxes, self.output, self.summary)?;
        Ok(ended)
    }

    fn collect_until_end(
        &mut self,
        budget: &Budget,
        collected: &mut Collected,
        inboxes: &[Inbox],
    ) -> Result<Ended, RecordError> {
        loop {
            if !self.progress.goes_on(self.summary) {
                return Ok(Ended::Time);
            }
            let sleep = self.progress.sleep().min(COLLECT_EVERY);
            let has_ended = self.living.wait(std::iter::empty(), sleep).unwrap_or(false);
            collected.collect(inboxes, self.output, self.summary)?;
            let threads = self.progress.with_switches(self.output.threads());
            let inherited_s = match &mut self.inherited {
                Some(inherited) => inherited.take_cost_s(threads),
                None => 0.0,
            };
            self.summary.stopped_s += inherited_s;
            budget.spend_elsewhere(inherited_s + self.own_time.take_ns() as f64 / 1e9);
            if has_ended {
                return Ok(Ended::Target);
            }
            if let Some(inherited) = &mut self.inherited
                && inherited.is_worse(threads, &mut || self.progress.used_s(self.summary))
            {
                return Ok(Ended::Counters);
            }
        }
    }
}

/// Numbers collected from the inboxes.
#[derive(Default)]
struct Collected {
    complete_until_ns: Vec<u64>,
    walkers_cpu_ns: Vec<u64>,
    /// CPU time of the walkers of earlier rounds.
    earlier_cpu_ns: u64,
}

impl Collected {
    /// Begins a round of so many walkers.
    fn begin(&mut self, walkers: usize) {
        self.earlier_cpu_ns += self.walkers_cpu_ns.iter().sum::<u64>();
        self.complete_until_ns = vec![0; walkers];
        self.walkers_cpu_ns = vec![0; walkers];
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
        let walkers_cpu_ns = self.earlier_cpu_ns + self.walkers_cpu_ns.iter().sum::<u64>();
        summary.walkers_cpu_s = walkers_cpu_ns as f64 / 1e9;
        let complete = self.complete_until_ns.iter().copied().min().unwrap_or(0);
        output.settle(complete, summary)
    }
}

//! A recording in which the command is traced: for walks, for samples by timer, or both.
//!
//! Moments are drawn at random in wall time. At each moment the recorder looks which threads have used CPU time since
//! the last moment ([`crate::busy`]) and chooses among them in proportion to that time. While one thread is walked, no
//! other thread is, and that time is left out for all threads alike.

use crate::busy::{self, Busy, Used};
use crate::error::RecordError;
use crate::options::{BranchSource, Engine, Options};
use crate::output::Output;
use crate::procfs;
use crate::progress::Progress;
use crate::random::Random;
use crate::rate::affordable_hz;
use crate::sampler::attr::Sampling;
use crate::sampler::perf::Perf;
use crate::sampler::timer::{self, Mappings};
use crate::summary::{Summary, count};
use crate::sys::clock;
use crate::sys::xstate::Layout;
use crate::tracer::{Running, Stop, Tracer};
use crate::walker::budget::Budget;
use crate::walker::emulate::Emulator;
use crate::walker::{state, step};
use std::time::{Duration, Instant};

/// Time between two looks into the ring buffers.
const DRAIN_EVERY: Duration = Duration::from_millis(40);
/// Number of looks at the threads for each expected choice of a thread: a look may choose a thread only once.
const LOOKS_PER_CHOICE: f64 = 3.0;
/// Largest number of looks per second.
const LOOKS_MAX_PER_S: f64 = 500.0;
/// Looks take at most one part in this number of the recorder's time.
const LOOKING_SHARE: u32 = 10;

/// Random moments of one kind, and the CPU time that the threads had used at the last moment.
struct Moments {
    mean: Duration,
    /// Next moment; `None` for never.
    next: Option<Instant>,
    busy: Busy,
}

impl Moments {
    /// Returns moments at which about `choices_per_s` choices a second can be made well.
    fn new(choices_per_s: f64) -> Self {
        let looks_per_s = (choices_per_s * LOOKS_PER_CHOICE).min(LOOKS_MAX_PER_S);
        Self {
            mean: Duration::from_secs_f64(1.0 / looks_per_s),
            next: None,
            busy: Busy::default(),
        }
    }

    fn draw(&mut self, looked: Duration, random: &mut Random) {
        let mean = self.mean.max(looked * LOOKING_SHARE);
        self.next = Some(Instant::now() + random.interval(mean));
    }

    fn is_due(&self) -> bool {
        self.next.is_some_and(|next| Instant::now() >= next)
    }
}

/// State of a traced recording.
pub(crate) struct Traced<'a> {
    options: &'a Options,
    tracer: Tracer,
    perf: Option<Perf>,
    mappings: Option<Mappings>,
    random: Random,
    walks: Moments,
    samples: Moments,
    sampling: Sampling,
    /// Emulator of the walker; `None` for single steps.
    emulator: Option<Emulator>,
    budget: Budget,
    layout: Layout,
}

impl<'a> Traced<'a> {
    /// Creates a traced recording. With `perf`, perf events drive the IP samples; without, the timer does.
    pub(crate) fn new(
        options: &'a Options,
        sampling: Sampling,
        tracer: Tracer,
        perf: Option<Perf>,
        walk: bool,
    ) -> Self {
        let cpus = procfs::online_cpus().len() as f64;
        let mut this = Self {
            options,
            tracer,
            mappings: perf.is_none().then(Mappings::default),
            walks: Moments::new(options.walks_per_s * cpus),
            samples: Moments::new(sampling.frequency_hz.into()),
            perf,
            random: Random::new(options.seed),
            sampling,
            emulator: (options.walker != Engine::Step)
                .then(|| Emulator::new(options.walk_branches_max)),
            budget: Budget::new(options.overhead),
            layout: Layout::of_this_cpu(),
        };
        if walk {
            this.walks.draw(Duration::ZERO, &mut this.random);
        }
        if this.perf.is_none() {
            this.samples.draw(Duration::ZERO, &mut this.random);
        }
        this
    }

    /// Records until the command ends or the progress reports that it is time.
    pub(crate) fn run(
        &mut self,
        output: &mut Output,
        progress: &mut Progress<'_>,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let mut next_drain = Instant::now() + DRAIN_EVERY;
        while self.tracer.ended().is_none() && progress.goes_on(summary) {
            let moments = [self.walks.next, self.samples.next].into_iter().flatten();
            let until = moments.fold(next_drain, Instant::min);
            self.tracer.attend(until)?;
            for pid in self.tracer.take_execs() {
                output.became_another(pid);
                if let Some(emulator) = &self.emulator {
                    emulator.forget(pid);
                }
                if let Some(mappings) = &mut self.mappings {
                    mappings.note_exec(pid, output);
                }
            }
            if self.samples.is_due() {
                self.take_samples(output, summary)?;
            }
            if self.walks.is_due() {
                self.take_walk(output, summary)?;
            }
            if Instant::now() >= next_drain {
                self.drain(output, summary)?;
                next_drain = Instant::now() + DRAIN_EVERY;
            }
        }
        if let Some(perf) = &self.perf {
            perf.disable();
        }
        self.drain(output, summary)?;
        if let Some(ended) = self.tracer.ended() {
            summary.exit_code = ended.change.exit_status();
            summary.target_cpu_s = ended.cpu_s;
        }
        Ok(())
    }

    fn drain(&mut self, output: &mut Output, summary: &mut Summary) -> Result<(), RecordError> {
        let began_ns = clock::monotonic_ns();
        if let Some(perf) = &mut self.perf {
            perf.drain(|record| output.kernel_record(record, summary));
        }
        output.settle(began_ns, summary)
    }

    fn take_samples(
        &mut self,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let began = Instant::now();
        let used = self.samples.busy.look(self.tracer.tasks());
        let looked = began.elapsed();
        let per_s = f64::from(self.sampling.frequency_hz);
        for Used { thread, ns } in used {
            let chance = busy::chance(ns, per_s);
            if !self.random.happens(chance) {
                continue;
            }
            // On average a sample then represents the CPU time that was used, however rare the looks are.
            let period_ns = (ns as f64 / chance) as u64;
            self.take_sample(thread, period_ns, output, summary)?;
        }
        self.samples.draw(looked, &mut self.random);
        Ok(())
    }

    fn take_sample(
        &mut self,
        thread: Running,
        period_ns: u64,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let began_ns = clock::monotonic_ns();
        if let Stop::InUserCode(registers) = self.tracer.stop(thread.tid)?
            && let Some(mappings) = &mut self.mappings
        {
            let chains = self.sampling.call_chains;
            let sample = timer::sample(thread, &registers, period_ns, chains, mappings, output);
            self.tracer.go_on(thread.tid);
            output.sample(sample);
            summary.samples += 1;
        }
        let stopped_ns = clock::monotonic_ns() - began_ns;
        if self.options.limits_samples {
            self.budget.spend(stopped_ns, 0);
        }
        summary.stopped_s += stopped_ns as f64 / 1e9;
        Ok(())
    }

    fn take_walk(&mut self, output: &mut Output, summary: &mut Summary) -> Result<(), RecordError> {
        let began = Instant::now();
        let used = self.walks.busy.look(self.tracer.tasks());
        let looked = began.elapsed();
        self.budget.earn(used.iter().map(|used| used.ns).sum());
        if self.emulator.is_some() && !self.budget.has(0) {
            self.walks.draw(looked, &mut self.random);
            return Ok(());
        }
        if let Some(thread) = busy::choose(&used, self.options.walks_per_s, &mut self.random) {
            self.walk(thread, output, summary)?;
            // The steps are not CPU time of the thread's own, and no other thread was looked at meanwhile.
            self.walks.busy.skip(self.tracer.tasks());
            if self.mappings.is_some() {
                self.samples.busy.skip(self.tracer.tasks());
            }
        }
        self.walks.draw(looked, &mut self.random);
        Ok(())
    }

    fn walk(
        &mut self,
        thread: Running,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let began_ns = clock::monotonic_ns();
        match self.tracer.stop(thread.tid)? {
            Stop::Not(reason) => count(&mut summary.walks_not_begun, reason),
            Stop::InUserCode(registers) => {
                let walk = match &self.emulator {
                    Some(emulator) => {
                        let mut prepared = emulator.prepare(thread.pid);
                        let state =
                            state::stopped(thread.tid, &registers, self.layout, &mut Vec::new());
                        let mut walk = emulator.walk(&mut prepared, thread, state, u64::MAX);
                        self.tracer.go_on(thread.tid);
                        walk.met = Some(prepared.met());
                        emulator.done(prepared);
                        walk
                    }
                    None => {
                        let steps_max = self.options.walk_instructions_max;
                        step::walk(&mut self.tracer, thread, registers.rip, steps_max)?
                    }
                };
                summary.walks_stopped += 1;
                output.walked(thread.tid, began_ns, clock::monotonic_ns());
                if let Some(mappings) = &mut self.mappings {
                    for branch in &walk.branches {
                        mappings.note_address(thread, branch.to, branch.time_ns, output);
                    }
                }
                output.walk(walk, summary);
            }
        }
        let stopped_ns = clock::monotonic_ns() - began_ns;
        self.budget.spend(stopped_ns, stopped_ns);
        summary.stopped_s += stopped_ns as f64 / 1e9;
        Ok(())
    }
}

/// Returns the number of samples per second that the timer takes.
pub(crate) fn timer_rate_hz(options: &Options) -> u32 {
    let asked_hz = options.frequency_hz.unwrap_or(timer::RATE_MAX_HZ);
    let pays_for = match options.limits_samples {
        // Walks, if there are any, have the other half.
        true if options.branches != BranchSource::None => {
            affordable_hz(options.overhead / 2.0, timer::COST_NS)
        }
        true => affordable_hz(options.overhead, timer::COST_NS),
        false => timer::RATE_MAX_HZ,
    };
    asked_hz.min(timer::RATE_MAX_HZ).min(pays_for)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timer_keeps_to_a_budget_where_there_is_one() {
        let rate = |limits_samples, branches, overhead| {
            let mut options = Options::command(["program"], "unused");
            (options.limits_samples, options.branches) = (limits_samples, branches);
            (options.overhead, options.frequency_hz) = (overhead, Some(997));
            timer_rate_hz(&options)
        };
        assert_eq!(rate(false, BranchSource::Walk, 0.01), timer::RATE_MAX_HZ);
        assert_eq!(rate(true, BranchSource::None, 0.01), 200);
        assert_eq!(rate(true, BranchSource::Walk, 0.01), 100);
        assert_eq!(rate(true, BranchSource::Walk, 0.2), timer::RATE_MAX_HZ);
    }
}

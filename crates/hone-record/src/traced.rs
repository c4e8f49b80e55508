//! A recording in which the command is traced: for walks, for samples by timer, or both.
//!
//! Moments are drawn at random in wall time, and each looks which threads run just then. So a thread is
//! walked in proportion to the time it runs, whatever else it does, and no clock of any thread is needed.
//! While one thread is walked, nothing else is: that time is lost to all threads alike.

use crate::error::RecordError;
use crate::options::Options;
use crate::output::Output;
use crate::procfs;
use crate::random::Random;
use crate::run::Progress;
use crate::sampler::attr::Sampling;
use crate::sampler::perf::Perf;
use crate::sampler::timer::{self, Mappings};
use crate::summary::{Summary, count};
use crate::sys::clock;
use crate::tracer::{Running, Stop, Tracer};
use crate::walker::{Walk, step};
use rustc_hash::FxHashSet;
use std::time::{Duration, Instant};

/// Between two looks into the ring buffers.
const DRAIN_EVERY: Duration = Duration::from_millis(40);
/// Threads looked at at one moment, at most, for the rate of moments.
const CPUS_MAX: usize = 16;
/// Looking for running threads takes one part in so many of the recorder's time at most.
const LOOKING_SHARE: u32 = 10;

/// Random moments of one kind.
struct Moments {
    mean: Duration,
    next: Instant,
}

impl Moments {
    fn new(per_s: f64, random: &mut Random) -> Self {
        let mean = Duration::from_secs_f64(1.0 / per_s);
        Self {
            mean,
            next: Instant::now() + random.interval(mean),
        }
    }

    fn draw(&mut self, looked: Duration, random: &mut Random) {
        self.next = Instant::now() + random.interval(self.mean.max(looked * LOOKING_SHARE));
    }
}

/// What a traced recording does.
pub(crate) struct Traced<'a> {
    options: &'a Options,
    tracer: Tracer,
    perf: Option<Perf>,
    mappings: Option<Mappings>,
    random: Random,
    walks: Option<Moments>,
    samples: Option<Moments>,
    sampling: Sampling,
    /// Processes whose mappings stand before their first branch stack.
    announced: FxHashSet<i32>,
    /// The CPUs among which a moment chooses one.
    cpus: usize,
}

impl<'a> Traced<'a> {
    /// With `perf`, that drives the IP samples; without, the timer does.
    pub(crate) fn new(
        options: &'a Options,
        sampling: Sampling,
        tracer: Tracer,
        perf: Option<Perf>,
        walk: bool,
    ) -> Self {
        let mut random = Random::new(options.seed);
        let cpus = procfs::online_cpus().len().clamp(1, CPUS_MAX);
        let walks_per_s = options.walks_per_s * cpus as f64;
        let rate_hz = sampling.frequency_hz;
        Self {
            options,
            tracer,
            mappings: perf.is_none().then(Mappings::default),
            walks: walk.then(|| Moments::new(walks_per_s, &mut random)),
            samples: perf
                .is_none()
                .then(|| Moments::new(rate_hz.into(), &mut random)),
            perf,
            random,
            sampling,
            announced: FxHashSet::default(),
            cpus,
        }
    }

    /// Records until the command ends or the progress says that it is time.
    pub(crate) fn run(
        &mut self,
        output: &mut Output,
        progress: &mut Progress<'_>,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let mut next_drain = Instant::now() + DRAIN_EVERY;
        while self.tracer.ended().is_none() && progress.goes_on(summary) {
            let moments = [&self.walks, &self.samples]
                .into_iter()
                .flatten()
                .map(|m| m.next);
            let until = moments.fold(next_drain, Instant::min);
            self.tracer.attend(until)?;
            for pid in self.tracer.take_execs() {
                self.announced.remove(&pid);
                if let Some(mappings) = &mut self.mappings {
                    mappings.note_exec(pid, output);
                }
            }
            let now = Instant::now();
            if self
                .samples
                .as_ref()
                .is_some_and(|moments| now >= moments.next)
            {
                self.take_samples(output, summary)?;
            }
            if self
                .walks
                .as_ref()
                .is_some_and(|moments| now >= moments.next)
            {
                self.take_walk(output, summary)?;
            }
            if now >= next_drain {
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

    fn running(&mut self) -> (Vec<Running>, Duration) {
        let began = Instant::now();
        let random = &mut self.random;
        let running = self.tracer.running(|count| random.below(count));
        (running, began.elapsed())
    }

    fn take_samples(
        &mut self,
        output: &mut Output,
        summary: &mut Summary,
    ) -> Result<(), RecordError> {
        let (running, looked) = self.running();
        for thread in running {
            let began_ns = clock::monotonic_ns();
            if let Stop::InUserCode(registers) = self.tracer.stop(thread.tid)?
                && let Some(mappings) = &mut self.mappings
            {
                let sample = timer::sample(thread, &registers, self.sampling, mappings, output);
                self.tracer.go_on(thread.tid);
                output.sample(sample);
                summary.samples += 1;
            }
            summary.stopped_s += (clock::monotonic_ns() - began_ns) as f64 / 1e9;
        }
        if let Some(moments) = &mut self.samples {
            moments.draw(looked, &mut self.random);
        }
        Ok(())
    }

    fn take_walk(&mut self, output: &mut Output, summary: &mut Summary) -> Result<(), RecordError> {
        let (running, looked) = self.running();
        // With fewer threads running than there are CPUs, a moment may well choose an idle one.
        let chosen = self.random.below(self.cpus.max(running.len()));
        if let Some(thread) = running.get(chosen) {
            self.walk(*thread, output, summary)?;
        }
        if let Some(moments) = &mut self.walks {
            moments.draw(looked, &mut self.random);
        }
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
                let steps_max = self.options.walk_instructions_max;
                let walk = step::walk(&mut self.tracer, thread, registers.rip, steps_max)?;
                output.walked(thread.tid, began_ns, clock::monotonic_ns());
                summary.walks += 1;
                summary.steps += u64::from(walk.steps);
                summary.branch_records += walk.branches.len() as u64;
                count(&mut summary.walk_ends, walk.end.name());
                if let Some(mappings) = &mut self.mappings {
                    for branch in &walk.branches {
                        mappings.note_address(walk.pid, branch.to, output);
                    }
                }
                self.write_walk(&walk, output);
            }
        }
        summary.stopped_s += (clock::monotonic_ns() - began_ns) as f64 / 1e9;
        Ok(())
    }

    /// Writes a walk's pieces, and before the first ones of a process its mappings once more.
    ///
    /// llvm-profgen 19 takes bare addresses right before the first branch stack for a call chain, and the
    /// whole file for another kind. A mapping between them tells it better.
    fn write_walk(&mut self, walk: &Walk, output: &mut Output) {
        let pieces = walk.pieces(1, self.options.branch_depth as usize);
        if let Some(first) = pieces.first()
            && self.announced.insert(walk.pid)
        {
            for mapping in procfs::executable_mappings(walk.pid) {
                output.mapping(walk.pid, &mapping, first.time_ns - 1);
            }
        }
        pieces.into_iter().for_each(|piece| output.sample(piece));
    }
}

/// Samples per second that the timer takes.
pub(crate) fn timer_rate_hz(options: &Options) -> u32 {
    options.frequency_hz.min(timer::RATE_MAX_HZ)
}

//! The collector of profiles beside the metrics: threads of their own, whose failures end nothing else.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, TryRecvError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use hone_agent::account::Other;
use hone_collect::{Event, Figures, Options, collect, run_by_chance};

use crate::config::Profiles;
use crate::log;
use crate::top::figures::ToHub;

/// Time before a collector that ended by a fault begins again.
const PAUSE: Duration = Duration::from_secs(60);
/// Longest time for which a pause does not see that it should end.
const LOOK: Duration = Duration::from_millis(200);

/// The collector, if there is one, and the figures of all that there were.
#[derive(Default)]
pub(super) struct Profiling {
    figures: Option<Arc<Mutex<Figures>>>,
    running: Option<Running>,
    /// Collectors of before a reload that finish their round.
    leaving: Vec<Running>,
}

/// A collector at work.
struct Running {
    stop: Arc<AtomicBool>,
    /// Closed when the collector has ended.
    ended: Receiver<()>,
}

impl Profiling {
    /// Starts the collector that is configured. A failure is said, and ends nothing.
    pub(super) fn start(profiles: Option<&Profiles>) -> Self {
        let mut profiling = Self::default();
        profiling.change(profiles);
        profiling
    }

    /// Replaces the collector; the present one finishes its round beside the new one, which waits for its folder.
    pub(super) fn change(&mut self, profiles: Option<&Profiles>) {
        self.ask_to_end();
        self.leaving.extend(self.running.take());
        let is_there = |running: &Running| running.ended.try_recv() == Err(TryRecvError::Empty);
        self.leaving.retain(is_there);
        let Some(profiles) = profiles else {
            return;
        };
        let figures = Arc::clone(self.figures.get_or_insert_default());
        let stop = Arc::new(AtomicBool::new(false));
        let (ends, ended) = channel();
        let (options, stopped) = (profiles.options.clone(), Arc::clone(&stop));
        let thread = thread::Builder::new().name("profiles".into());
        let spawned = thread.spawn(move || work(options, &stopped, &figures, ends));
        match spawned {
            Ok(_) => self.running = Some(Running { stop, ended }),
            Err(error) => log::say(format!("no profiles: a thread cannot be started: {error}")),
        }
    }

    /// Asks the collector to end with the round that it has.
    pub(super) fn ask_to_end(&self) {
        if let Some(running) = &self.running {
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Waits until all collectors have ended, or so long. What could not be sent waits on disk.
    pub(super) fn end(&mut self, patience: Duration) {
        self.ask_to_end();
        let end = Instant::now() + patience;
        for running in self.leaving.drain(..).chain(self.running.take()) {
            let left = end.saturating_duration_since(Instant::now());
            if running.ended.recv_timeout(left) == Err(RecvTimeoutError::Timeout) {
                log::say("profiles: the last round is left; what was not sent waits on disk");
            }
        }
    }

    /// Returns how profiles get to the hub, for whoever asks who sends what.
    pub(super) fn to_hub(&self) -> Option<ToHub> {
        let figures = self.figures.as_ref()?.lock();
        let figures = figures.unwrap_or_else(PoisonError::into_inner);
        Some(ToHub {
            batches_waiting: figures.batches_waiting,
            waits_for: figures.waits_for.clone(),
            clock_ahead_s: figures.clock_ahead_s,
        })
    }

    /// Returns the figures for the account; none if there never was a collector.
    pub(super) fn figures(&self) -> Vec<Other> {
        let Some(figures) = &self.figures else {
            return Vec::new();
        };
        let figures = figures.lock().unwrap_or_else(PoisonError::into_inner);
        counters(&figures)
            .into_iter()
            .chain(gauges(&figures))
            .collect()
    }
}

/// Collects until `stop`, again after each fault. `ends` is dropped at the end.
fn work(mut options: Options, stop: &AtomicBool, figures: &Mutex<Figures>, ends: Sender<()>) {
    let shown = options.hub.split('@').next_back().unwrap_or_default();
    log::say(format!("profiles of this host go to the hub at {shown}"));
    let tell = |event: Event| {
        figures
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .note(&event);
        say(&event);
    };
    while !stop.load(Ordering::Relaxed) {
        let collected = catch_unwind(AssertUnwindSafe(|| {
            options.run = run_by_chance()?;
            collect(&options, stop, &tell)
        }));
        match collected {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => tell(Event::Failed(format!("{error:#}"))),
            Err(_) => tell(Event::Failed("the collector has panicked".into())),
        }
        let end = Instant::now() + PAUSE;
        while Instant::now() < end && !stop.load(Ordering::Relaxed) {
            thread::sleep(LOOK);
        }
    }
    drop(ends);
}

/// Says what people should know.
fn say(event: &Event) {
    let line = match event {
        Event::Recorded(_)
        | Event::Branches { .. }
        | Event::Waits { .. }
        | Event::Sent { .. }
        | Event::Clock { .. } => return,
        Event::Paced(paced) => paced.to_string(),
        Event::BranchesFailed(why) => format!("no branch records in this round: {why}"),
        Event::Refused(why) => format!("the hub has refused a batch, which is lost: {why}"),
        Event::Waiting(why) => format!("batches wait for the hub: {why}"),
        Event::Dropped(batches) => format!("{batches} batches dropped, as there is no room"),
        Event::Failed(why) => format!("a round failed, the next is tried: {why}"),
    };
    log::say_often("profiles", format!("profiles: {line}"));
}

fn other(can_fall: bool, (metric, help, value): (&'static str, &'static str, f64)) -> Other {
    Other {
        metric,
        help,
        can_fall,
        value,
    }
}

fn counters(figures: &Figures) -> [Other; 16] {
    let of = |value: u64| value as f64;
    [
        (
            "hone.agent.profiles.rounds",
            "Rounds of profiling.",
            of(figures.rounds),
        ),
        (
            "hone.agent.profiles.rounds.failed",
            "Rounds of profiling that failed, and were tried again.",
            of(figures.rounds_failed),
        ),
        (
            "hone.agent.profiles.samples",
            "Samples of the host.",
            of(figures.samples),
        ),
        (
            "hone.agent.profiles.samples.lost",
            "Samples that the kernel lost.",
            of(figures.samples_lost),
        ),
        (
            "hone.agent.profiles.samples.folded",
            "Samples that lost their callers, as a round had too many new stacks.",
            of(figures.samples_folded),
        ),
        (
            "hone.agent.profiles.samples.coarse",
            "Samples without container, thread and labels, as a round had too many groups.",
            of(figures.samples_coarse),
        ),
        (
            "hone.agent.profiles.places.left_out",
            "Places in code that are told as their file alone, as a round had too many.",
            of(figures.places_left_out),
        ),
        (
            "hone.agent.profiles.branches",
            "Branch records.",
            of(figures.branch_records),
        ),
        (
            "hone.agent.profiles.branches.left_out",
            "Branches and ranges of code for which a round had no room.",
            of(figures.branches_left_out),
        ),
        (
            "hone.agent.profiles.branches.rounds",
            "Rounds with branch records of some processes.",
            of(figures.branch_rounds),
        ),
        (
            "hone.agent.profiles.branches.failed",
            "Rounds whose branch records failed.",
            of(figures.branch_rounds_failed),
        ),
        (
            "hone.agent.profiles.batches.sent",
            "Batches that the hub has.",
            of(figures.batches_sent),
        ),
        (
            "hone.agent.profiles.batches.refused",
            "Batches that the hub refused, which are lost.",
            of(figures.batches_refused),
        ),
        (
            "hone.agent.profiles.batches.dropped",
            "Batches that were dropped, as there was no room for them on disk.",
            of(figures.batches_dropped),
        ),
        (
            "hone.agent.profiles.sent.bytes",
            "Bytes of batches that the hub has.",
            of(figures.sent_bytes),
        ),
        (
            "hone.agent.profiles.cpu.seconds",
            "CPU time of profiling, in the agent and in the kernel for it.",
            figures.cpu_s,
        ),
    ]
    .map(|row| other(false, row))
}

fn gauges(figures: &Figures) -> [Other; 7] {
    [
        (
            "hone.agent.profiles.batches.waiting",
            "Batches that wait for the hub.",
            figures.batches_waiting as f64,
        ),
        (
            "hone.agent.profiles.waiting.bytes",
            "Bytes of batches that wait for the hub.",
            figures.waiting_bytes as f64,
        ),
        (
            "hone.agent.profiles.cpu.ratio",
            "Share of the host's CPU time that the last round of profiling took.",
            figures.cpu_share,
        ),
        (
            "hone.agent.profiles.memory.bytes",
            "Memory of the last round of profiling at its peak.",
            figures.memory_bytes as f64,
        ),
        (
            "hone.agent.profiles.thinned",
            "Steps below what was asked for, to keep to the limits of CPU time; 0 if all of it is recorded.",
            figures.steps_down as f64,
        ),
        (
            "hone.agent.profiles.frequency.hertz",
            "Samples a second of each busy CPU.",
            figures.frequency_hz as f64,
        ),
        (
            "hone.agent.profiles.clock.ahead.seconds",
            "Seconds by which this host's clock is ahead of the hub's; below zero it is behind.",
            figures.clock_ahead_s as f64,
        ),
    ]
    .map(|row| other(true, row))
}

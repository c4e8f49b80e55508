//! One round: the whole host recorded for a while, beside it branch records of some processes, and both added up.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, anyhow};
use hone_batch::{Added, Adding, Group, GroupField, Host, Origin};
use hone_host::kernel_symbols::KernelSymbols;
use hone_inputs::recording::Reading;
use hone_profile::{BinaryKind, Label, Labels, LocationId, Profile, Thread};
use hone_record::{BranchSource, CallGraph, Options as RecordOptions, Summary, Target};
use rustix::time::{ClockId, clock_gettime};

use crate::identity::Identities;
use crate::options::Options;
use crate::self_usage::Memory;

/// The kernel's functions.
const SYMBOLS: &str = "/proc/kallsyms";
/// Names of the round's recordings in the collector's folder.
pub(crate) const RECORDING: &str = "round.data";
pub(crate) const BRANCHES: &str = "branches.data";
/// Share of its CPU time for which a program may be held up while its branch records are made.
pub(crate) const HELD_UP_MAX: f64 = 0.01;

/// What the collector knows of the host beside recordings.
pub(crate) struct Surroundings {
    pub(crate) identities: Identities,
    pub(crate) memory: Memory,
    /// Content of `/proc/kallsyms`; empty if it cannot be read.
    symbols: String,
}

impl Surroundings {
    /// Looks at the host for the first time.
    pub(crate) fn of(options: &Options) -> Self {
        let memory = Memory::now();
        let mut identities = Identities::of(Path::new("/"), options.services.clone());
        identities.look();
        Self {
            identities,
            memory,
            symbols: fs::read_to_string(SYMBOLS).unwrap_or_default(),
        }
    }
}

/// What is recorded in a round.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    pub(crate) frequency_hz: u32,
    pub(crate) duration: Duration,
    pub(crate) call_graph: CallGraph,
    pub(crate) branches: Option<BranchRound>,
}

/// Processes whose branch records are made in a round.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct BranchRound {
    pub(crate) pids: Vec<i32>,
    pub(crate) duration: Duration,
}

/// A recording that is over and added up.
pub(crate) struct Part {
    pub(crate) added: Added,
    pub(crate) summary: Summary,
}

impl Part {
    /// CPU seconds that the recording took, from its own threads or from those that it held up.
    pub(crate) fn cpu_s(&self) -> f64 {
        let Summary {
            recorder_cpu_s,
            walkers_cpu_s,
            stopped_s,
            ..
        } = &self.summary;
        recorder_cpu_s + (stopped_s - walkers_cpu_s).max(0.0)
    }
}

/// A round that is over.
pub(crate) struct Round {
    pub(crate) plain: Result<Part>,
    pub(crate) branches: Option<Result<Part>>,
}

/// Records the host for a round, or until `stop`, and adds the samples up. Batches are numbered from `number` on.
pub(crate) fn record(
    options: &Options,
    asked: &Asked,
    number: &mut u64,
    surroundings: &mut Surroundings,
    stop: &AtomicBool,
) -> Round {
    surroundings.identities.look();
    let Surroundings { memory, .. } = &mut *surroundings;
    memory.forget_peak();
    let (seed, is_over) = (*number, &AtomicBool::new(false));
    let (plain, branches) = thread::scope(|scope| {
        let branches = asked.branches.as_ref();
        let branches = branches.map(|branches| {
            scope.spawn(move || record_branches(options, branches, seed, stop, is_over))
        });
        let plain = record_plain(options, asked, seed, memory, stop);
        // Nobody waits for branch records of a round that failed.
        is_over.store(plain.is_err(), Ordering::Relaxed);
        let join = |thread: thread::ScopedJoinHandle<'_, Result<Summary>>| {
            let outcome = thread.join();
            outcome.unwrap_or_else(|_| Err(anyhow!("the recorder of branches has panicked")))
        };
        (plain, branches.map(join))
    });
    surroundings.identities.look();
    let mut add = |name: &str, summary: Summary, of_branches: bool| {
        let added = add(options, *number, surroundings, name, of_branches)?;
        // A batch without samples is not sent, and has no number.
        *number += u64::from(!added.batch.samples.is_empty());
        surroundings.memory.look();
        Ok(Part { added, summary })
    };
    Round {
        plain: plain.and_then(|summary| add(RECORDING, summary, false)),
        branches: branches.map(|summary| add(BRANCHES, summary?, true)),
    }
}

fn record_plain(
    options: &Options,
    asked: &Asked,
    seed: u64,
    memory: &mut Memory,
    stop: &AtomicBool,
) -> Result<Summary> {
    let target = Target::System {
        cgroup: None,
        argv: Vec::new(),
    };
    let recorded = RecordOptions {
        branches: BranchSource::None,
        call_graph: asked.call_graph,
        frequency_hz: Some(asked.frequency_hz),
        overhead: options.cpu_share_max,
        duration_s: Some(asked.duration.as_secs_f64()),
        seed,
        ..RecordOptions::new(target, options.folder.join(RECORDING))
    };
    let outcome = hone_record::record(&recorded, stop, &mut |_| memory.look());
    outcome.context("recording the host")
}

fn record_branches(
    options: &Options,
    asked: &BranchRound,
    seed: u64,
    stop: &AtomicBool,
    is_over: &AtomicBool,
) -> Result<Summary> {
    let target = Target::Processes {
        pids: asked.pids.clone(),
    };
    let recorded = RecordOptions {
        branches: options.branches.source,
        call_graph: CallGraph::Never,
        overhead: HELD_UP_MAX,
        duration_s: Some(asked.duration.as_secs_f64()),
        seed,
        ..RecordOptions::new(target, options.folder.join(BRANCHES))
    };
    let outcome = hone_record::record(&recorded, is_over, &mut |_| {
        if stop.load(Ordering::Relaxed) {
            is_over.store(true, Ordering::Relaxed);
        }
    });
    outcome.context("recording branches")
}

/// Adds a recording up, and removes it. Of branch records alone, plain samples are left out: the other recording has them.
fn add(
    options: &Options,
    number: u64,
    surroundings: &Surroundings,
    name: &str,
    of_branches: bool,
) -> Result<Added> {
    let recording = options.folder.join(name);
    let origin = Origin {
        host: options.host.clone(),
        run: options.run,
        number,
    };
    let mut knowledge = Knowledge {
        labels: options
            .labels
            .iter()
            .filter(|label| !is_known(label))
            .cloned()
            .collect(),
        identities: &surroundings.identities,
        symbols: KernelSymbols::parse(&surroundings.symbols),
        boot_ns: nanoseconds_since_1970() - monotonic_ns(),
    };
    let mut adding = Adding::new(origin, options.stacks).within(options.tables);
    let paths = [recording.clone()];
    let read = Reading::of(&paths, None).next(&recording, |profile, sample, branches| {
        if !of_branches || !branches.is_empty() {
            adding.add(profile, sample, branches, &mut knowledge);
        }
    });
    // What is left is only in the way of the next round, which says so.
    let _ = fs::remove_file(&recording);
    read?;
    Ok(adding.finish())
}

/// What samples are told apart by on this host.
struct Knowledge<'s> {
    /// Labels of the host.
    labels: Labels,
    identities: &'s Identities,
    symbols: KernelSymbols<'s>,
    /// Time since 1970 at which the recording's clock was zero, in nanoseconds.
    boot_ns: i128,
}

impl Host for Knowledge<'_> {
    fn group(&mut self, thread: &Thread) -> Group {
        let identity = self.identities.get(thread.pid);
        let identity = identity.cloned().unwrap_or_default();
        Group {
            service: identity.service,
            container: identity.container,
            build: identity.build,
            thread: thread.name.clone(),
            labels: self
                .labels
                .iter()
                .chain(thread.labels.iter())
                .cloned()
                .collect(),
            ..Group::default()
        }
    }

    fn unix_s(&mut self, time_ns: u64) -> u64 {
        let since_1970 = self.boot_ns + i128::from(time_ns);
        u64::try_from(since_1970 / 1_000_000_000).unwrap_or(0)
    }

    fn name(&mut self, profile: &Profile, at: LocationId, is_return: bool) -> Option<String> {
        let location = profile.location(at);
        if profile.binary(location.binary).kind != BinaryKind::Kernel || self.symbols.are_hidden() {
            return None;
        }
        let address = location.offset.0.saturating_sub(u64::from(is_return));
        self.symbols.at(address).map(str::to_owned)
    }
}

/// Whether the label's key is that of something which the collector finds out for each process.
fn is_known(label: &Label) -> bool {
    GroupField::LABELS
        .iter()
        .any(|field| *label.key == *field.name())
}

fn nanoseconds_since_1970() -> i128 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i128)
}

/// Now, by the clock of recordings.
fn monotonic_ns() -> i128 {
    let now = clock_gettime(ClockId::Monotonic);
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

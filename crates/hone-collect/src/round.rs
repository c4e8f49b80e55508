//! One round: the whole host recorded for a while, and added up.

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::SystemTime;

use anyhow::{Context, Result};
use hone_batch::{Added, Adding, Group, Host, Origin};
use hone_host::kernel_symbols::KernelSymbols;
use hone_inputs::recording::Reading;
use hone_profile::{BinaryKind, LocationId, Profile, Thread};
use hone_record::{BranchSource, CallGraph, Options as RecordOptions, Summary, Target};
use rustix::time::{ClockId, clock_gettime};

use crate::identity::Identities;
use crate::options::Options;

/// The kernel's functions.
const SYMBOLS: &str = "/proc/kallsyms";
/// Name of the round's recording in the collector's folder.
const RECORDING: &str = "round.data";

/// What the collector knows of the host beside recordings.
pub(crate) struct Surroundings {
    pub(crate) identities: Identities,
    /// Content of `/proc/kallsyms`; empty if it cannot be read.
    symbols: String,
}

impl Surroundings {
    /// Looks at the host for the first time.
    pub(crate) fn of(options: &Options) -> Self {
        Self {
            identities: Identities::of(Path::new("/proc"), options.services.clone()),
            symbols: fs::read_to_string(SYMBOLS).unwrap_or_default(),
        }
    }
}

/// A round that is over.
pub(crate) struct Round {
    pub(crate) added: Added,
    pub(crate) summary: Summary,
}

/// Records the host for a round, or until `stop`, and adds the samples up.
///
/// # Errors
/// The host cannot be recorded, or the recording cannot be written or read.
pub(crate) fn record(
    options: &Options,
    number: u64,
    surroundings: &mut Surroundings,
    stop: &AtomicBool,
) -> Result<Round> {
    let recording = options.folder.join(RECORDING);
    let target = Target::System {
        cgroup: None,
        argv: Vec::new(),
    };
    let recorded = RecordOptions {
        branches: BranchSource::None,
        call_graph: CallGraph::Dwarf {
            stack_bytes: None,
            keeps_copies: false,
        },
        frequency_hz: Some(options.frequency_hz),
        overhead: options.overhead,
        duration_s: Some(options.round.as_secs_f64()),
        seed: number,
        ..RecordOptions::new(target, &recording)
    };
    surroundings.identities.look();
    let outcome = hone_record::record(&recorded, stop, &mut |_| {});
    surroundings.identities.look();
    let summary = outcome.context("recording the host")?;
    let added = add(options, number, surroundings, &recording);
    // What is left is only in the way of the next round, which says so.
    let _ = fs::remove_file(&recording);
    Ok(Round {
        added: added?,
        summary,
    })
}

fn add(
    options: &Options,
    number: u64,
    surroundings: &Surroundings,
    recording: &Path,
) -> Result<Added> {
    let origin = Origin {
        host: options.host.clone(),
        run: options.run,
        number,
    };
    let mut knowledge = Knowledge {
        identities: &surroundings.identities,
        symbols: KernelSymbols::parse(&surroundings.symbols),
        boot_ns: nanoseconds_since_1970() - monotonic_ns(),
    };
    let mut adding = Adding::new(origin, options.stacks);
    let paths = [recording.to_owned()];
    Reading::of(&paths, None).next(recording, |profile, sample, branches| {
        adding.add(profile, sample, branches, &mut knowledge);
    })?;
    Ok(adding.finish())
}

/// What samples are told apart by on this host.
struct Knowledge<'s> {
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
            labels: thread.labels.clone(),
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

fn nanoseconds_since_1970() -> i128 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| since.as_nanos() as i128)
}

/// Now, by the clock of recordings.
fn monotonic_ns() -> i128 {
    let now = clock_gettime(ClockId::Monotonic);
    i128::from(now.tv_sec) * 1_000_000_000 + i128::from(now.tv_nsec)
}

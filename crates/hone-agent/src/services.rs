//! What each service of the host, and each build of it, takes: CPU time, throttling, memory.
//!
//! So that a gain that was proven before a build was deployed can be watched where it runs (`hone bench --fleet`).
//!
//! **CPU time is that of processes** (`utime` and `stime` of `/proc/PID/stat`), since a cgroup does not know which of
//! its processes runs which build, while a process runs one. Both together are exact to a tick of 10 ms, of all threads
//! and also of those that ended: the kernel scales the two parts so that their sum is what its scheduler counted. The
//! error is that of two readings, not of each interval: ticks that are not full yet count in the next. (`schedstat` has
//! nanoseconds, but of one thread; a process with a thousand threads would cost a thousand files.)
//!
//! **What processes that ended between two looks took since the last** is in no process any more. The cgroup has it:
//! what it counts beyond its processes is reported as the service's own, of no build ([`UNATTRIBUTED`]).
//!
//! Each look reads one file of each process. Who a process is, is found out when it is new, and again when it has used
//! CPU time, since only then can another program have taken its place unseen.

mod cgroup;
mod entries;
mod identity;
mod name;
mod work;

pub use work::WorkTags;

use crate::aggregate::Point;
use cgroup::{Membership, Trees, Usage};
use entries::Entries;
use hone_host::process::{Process, TICKS_PER_S};
use identity::{Identifier, Identity};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Metrics of each service and build: CPU seconds (also by `mode`, `user` or `system`), and processes.
pub const CPU_SECONDS: &str = "hone.service.cpu.seconds";
/// See [`CPU_SECONDS`].
pub const PROCESSES: &str = "hone.service.processes";
/// Metrics of each service: CPU seconds of its cgroup that are none of a process that was seen.
pub const UNATTRIBUTED: &str = "hone.service.cpu.unattributed_seconds";
/// Seconds that its CPUs waited for quota, added up.
pub const THROTTLED_SECONDS: &str = "hone.service.throttled.seconds";
/// Periods of its quota in which that was so, and all of them.
pub const THROTTLED_PERIODS: &str = "hone.service.throttled.periods";
/// See [`THROTTLED_PERIODS`].
pub const PERIODS: &str = "hone.service.periods";
/// Bytes of memory now, and the most there were.
pub const MEMORY_BYTES: &str = "hone.service.memory.bytes";
/// See [`MEMORY_BYTES`].
pub const MEMORY_PEAK_BYTES: &str = "hone.service.memory.peak_bytes";

/// The name of the service that a process is of, by its `/proc/PID/cgroup`.
pub fn service_of(cgroup: &str) -> String {
    name::service(Membership::parse(cgroup).path()).name
}

/// What a container calls itself, as services call it: with twelve digits of its id.
pub fn container_called(id: &[u8]) -> String {
    let id = String::from_utf8_lossy(id);
    name::shortened(id.strip_prefix("ci-").unwrap_or(&id))
}

/// What to report of services.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Services that are reported one by one, and as many builds; the rest comes together as `others`.
    pub services_max: usize,
    /// Metrics that count work: they get the tags `service` and `build_id` of the process that sent them.
    pub work: Vec<String>,
    /// Where the kernel shows processes.
    pub proc: PathBuf,
    /// Where it shows cgroups.
    pub cgroup: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            services_max: 200,
            work: Vec::new(),
            proc: "/proc".into(),
            cgroup: "/sys/fs/cgroup".into(),
        }
    }
}

/// A process as it was at the last look.
#[derive(Debug)]
struct Seen {
    started_ticks: u64,
    user_ticks: u64,
    system_ticks: u64,
    who: Arc<Identity>,
    look: u64,
}

/// A service's cgroup since it is watched.
#[derive(Debug)]
struct Watched {
    /// What the kernel said at the last look.
    usage: Usage,
    /// CPU seconds beyond those of processes, so far, and how many of these were reported.
    beyond_s: f64,
    reported_s: f64,
    look: u64,
}

/// CPU seconds of an interval.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct Cpu {
    user_s: f64,
    system_s: f64,
}

/// Watches the services of a host.
#[derive(Debug)]
pub struct Services {
    settings: Settings,
    trees: Trees,
    identifier: Identifier,
    processes: HashMap<u32, Seen>,
    watched: HashMap<String, Watched>,
    entries: Entries,
    looks: u64,
    text: Vec<u8>,
}

/// What one look found.
#[derive(Default)]
struct Look {
    /// CPU time and number of processes, by who they are.
    builds: HashMap<Arc<Identity>, (Cpu, u32)>,
}

impl Services {
    /// Takes a first look, from which on CPU time counts.
    pub fn watch(settings: Settings) -> Self {
        let mut services = Self {
            trees: Trees::find(&settings.cgroup),
            identifier: Identifier::new(&settings.proc),
            processes: HashMap::new(),
            watched: HashMap::new(),
            entries: Entries::new(settings.services_max),
            looks: 0,
            text: Vec::new(),
            settings,
        };
        services.look();
        services
    }

    /// What there is to report of the time since the last look. A process that cannot be read counts for nothing.
    pub fn look(&mut self) -> Vec<Point> {
        self.looks += 1;
        let mut look = Look::default();
        for pid in self.pids() {
            self.look_at(pid, &mut look);
        }
        let now = self.looks;
        self.processes.retain(|_, seen| seen.look == now);
        self.look_at_cgroups(&look);
        self.entries.add_builds(&look.builds);
        self.entries.points()
    }

    fn pids(&self) -> Vec<u32> {
        let entries = fs::read_dir(&self.settings.proc)
            .into_iter()
            .flatten()
            .flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.collect()
    }

    /// `None` if there is nothing to count: it is gone, or the kernel's own.
    fn look_at(&mut self, pid: u32, look: &mut Look) -> Option<()> {
        let mut text = std::mem::take(&mut self.text);
        text.clear();
        let path = self.settings.proc.join(pid.to_string()).join("stat");
        let read = File::open(path).and_then(|mut file| file.read_to_end(&mut text));
        let process = read.ok().and_then(|_| Process::parse(&text));
        let found = process.filter(|process| !process.is_kernels);
        let counted = found.and_then(|process| self.count(pid, &process));
        self.text = text;
        let (who, cpu) = counted?;
        let (sum, processes) = look.builds.entry(who).or_default();
        sum.user_s += cpu.user_s;
        sum.system_s += cpu.system_s;
        *processes += 1;
        Some(())
    }

    /// Who a process is, and what it took since the last look: all it ever took if it is new, unless everything is.
    fn count(&mut self, pid: u32, process: &Process<'_>) -> Option<(Arc<Identity>, Cpu)> {
        let is_first = self.looks == 1;
        let before = self.processes.get(&pid);
        let before = before.filter(|seen| seen.started_ticks == process.started_ticks);
        let (user, system) = match before {
            Some(seen) => (seen.user_ticks, seen.system_ticks),
            None if is_first => (process.user_ticks, process.system_ticks),
            None => (0, 0),
        };
        let grown = |now: u64, then: u64| now.saturating_sub(then) as f64 / TICKS_PER_S;
        let cpu = Cpu {
            user_s: grown(process.user_ticks, user),
            system_s: grown(process.system_ticks, system),
        };
        let who = match before {
            Some(seen) if cpu == Cpu::default() => Arc::clone(&seen.who),
            _ => {
                let known = before.map(|seen| Arc::clone(&seen.who));
                match self.identifier.identify(pid, process.name) {
                    Some(who) => known
                        .filter(|known| **known == who)
                        .unwrap_or_else(|| Arc::new(who)),
                    // It ended just now: its CPU time is that of who it was.
                    None => known?,
                }
            }
        };
        let seen = Seen {
            started_ticks: process.started_ticks,
            user_ticks: process.user_ticks,
            system_ticks: process.system_ticks,
            who: Arc::clone(&who),
            look: self.looks,
        };
        self.processes.insert(pid, seen);
        Some((who, cpu))
    }

    /// Reads the cgroup of each service that has processes, the busiest first.
    fn look_at_cgroups(&mut self, look: &Look) {
        let mut of_processes: BTreeMap<&str, (&Identity, f64)> = BTreeMap::new();
        for (who, (cpu, _)) in &look.builds {
            let (_, sum) = of_processes.entry(&who.service_path).or_insert((who, 0.0));
            *sum += cpu.user_s + cpu.system_s;
        }
        let mut busiest: Vec<_> = of_processes.iter().collect();
        busiest.sort_by(|(_, (_, one)), (_, (_, other))| other.total_cmp(one));
        self.entries.begin_services();
        for (path, (who, own_s)) in busiest {
            // Services within this one: what the kernel counts for it is theirs too. '0' comes next to '/'.
            let (from, to) = (format!("{path}/"), format!("{path}0"));
            let within = of_processes.range(from.as_str()..to.as_str());
            let processes_s = own_s + within.map(|(_, (_, sum))| sum).sum::<f64>();
            let usage = self.trees.usage(&who.membership, path);
            let watched = self.watched.entry((*path).to_owned());
            let watched = watched.or_insert_with(|| Watched::from(usage, processes_s));
            let (growth, beyond_s) = watched.grow(usage, processes_s);
            watched.look = self.looks;
            self.entries.add_service(&who.service, &growth, beyond_s);
        }
        let now = self.looks;
        self.watched.retain(|_, watched| watched.look == now);
    }
}

impl Watched {
    /// From this look on: what there was before is nobody's.
    fn from(usage: Usage, processes_s: f64) -> Self {
        Self {
            usage,
            beyond_s: processes_s,
            reported_s: 0.0,
            look: 0,
        }
    }

    /// By how much its counts grew, and by how much the CPU time of no process.
    ///
    /// The ticks of processes lag behind the cgroup's time, so what is beyond them is known of all the time, not of one
    /// look: it is reported as far as it is more than was reported before.
    fn grow(&mut self, usage: Usage, processes_s: f64) -> (Usage, Option<f64>) {
        let mut growth = grown(&usage, &self.usage);
        growth.memory_bytes = usage.memory_bytes;
        growth.memory_peak_bytes = usage.memory_peak_bytes;
        self.usage = usage;
        let beyond_s = growth.cpu_s.map(|cpu_s| {
            self.beyond_s += cpu_s - processes_s;
            let more_s = (self.beyond_s - self.reported_s).max(0.0);
            self.reported_s += more_s;
            more_s
        });
        (growth, beyond_s)
    }
}

/// By how much counts grew. One that fell was made anew.
fn grown(now: &Usage, then: &Usage) -> Usage {
    let grown = |now: Option<f64>, then: Option<f64>| Some((now? - then.unwrap_or(0.0)).max(0.0));
    Usage {
        cpu_s: grown(now.cpu_s, then.cpu_s),
        throttled_s: grown(now.throttled_s, then.throttled_s),
        throttled_periods: grown(now.throttled_periods, then.throttled_periods),
        periods: grown(now.periods, then.periods),
        memory_bytes: None,
        memory_peak_bytes: None,
    }
}

#[cfg(test)]
mod tests;

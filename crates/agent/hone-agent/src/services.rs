//! CPU time, throttling and memory of each service of the host, and CPU time of each build of a service.
//!
//! A gain that was proven before a build was deployed can thus be watched where the build runs (`hone bench --fleet`).
//!
//! **CPU time is counted by process** (`utime` and `stime` of `/proc/PID/stat`), since a cgroup does not know which of
//! its processes runs which build, while a process runs only one build. The sum of `utime` and `stime` is exact to a
//! tick of 10 ms, over all threads including ended ones: the kernel scales the two parts so that their sum is the time
//! that its scheduler counted. The error is that of two readings, not of each interval: a tick that is not full yet
//! counts in the next interval. (`schedstat` has nanoseconds, but for one thread; a process with a thousand threads
//! would cost a thousand files.)
//!
//! **A process that ended between two looks** takes its CPU time since the last look with it. The cgroup has counted
//! that time: CPU time of the cgroup beyond that of its processes is reported as the service's own, of no build
//! ([`UNATTRIBUTED`]).
//!
//! Each look reads one file of each process. A process is identified when it is new, and again when it has used CPU
//! time, since only then can another program have taken its place unseen.

mod cgroup;
mod entries;
mod identity;
mod work;

pub use work::WorkTags;

use crate::aggregate::Point;
use cgroup::{Trees, Usage};
use entries::Entries;
use hone_host::cgroup::Membership;
use hone_host::process::{Process, TICKS_PER_S};
use hone_host::service;
use identity::{Identifier, Identity};
use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// Metric of CPU seconds by service, build and `mode` (`user` or `system`).
pub const CPU_SECONDS: &str = "hone.service.cpu.seconds";
/// Metric of the number of processes, by service and build.
pub const PROCESSES: &str = "hone.service.processes";
/// Metric of CPU seconds that a service's cgroup counted beyond the processes that were seen.
pub const UNATTRIBUTED: &str = "hone.service.cpu.unattributed_seconds";
/// Metric of the seconds that a service's CPUs waited for quota, added up.
pub const THROTTLED_SECONDS: &str = "hone.service.throttled.seconds";
/// Metric of the quota's periods in which a service had to wait.
pub const THROTTLED_PERIODS: &str = "hone.service.throttled.periods";
/// Metric of all periods of a service's quota.
pub const PERIODS: &str = "hone.service.periods";
/// Metric of the bytes of memory that a service has now.
pub const MEMORY_BYTES: &str = "hone.service.memory.bytes";
/// Metric of the most bytes of memory that a service has had.
pub const MEMORY_PEAK_BYTES: &str = "hone.service.memory.peak_bytes";

/// Returns the name of the service that a process belongs to, given its `/proc/PID/cgroup`.
pub fn service_of(cgroup: &str) -> String {
    service::service(Membership::parse(cgroup).path()).name
}

/// Returns the name of a container in the form that services' names have: with twelve digits of its id.
pub fn container_called(id: &[u8]) -> String {
    let id = String::from_utf8_lossy(id);
    service::shortened(id.strip_prefix("ci-").unwrap_or(&id))
}

/// Settings of the report about services.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Limit on services that are reported one by one, and on builds; the rest is added up as `others`.
    pub services_max: usize,
    /// Metrics that count work: their samples get the tags `service` and `build_id` of the sending process.
    pub work: Vec<String>,
    /// Directory in which the kernel shows processes.
    pub proc: PathBuf,
    /// Directory in which the kernel shows cgroups.
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

/// A service's cgroup that is watched.
#[derive(Debug)]
struct Watched {
    /// Counts of the kernel at the last look.
    usage: Usage,
    /// CPU seconds beyond those of processes so far, and the part of them that was reported.
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

/// Watcher of the services of a host.
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

/// Results of one look.
#[derive(Default)]
struct Look {
    /// CPU time and number of processes, by identity.
    builds: HashMap<Arc<Identity>, (Cpu, u32)>,
}

impl Services {
    /// Takes a first look; CPU time counts from then on.
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

    /// Returns the points for the time since the last look. A process that cannot be read is not counted.
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

    /// Adds a process to the look. Returns `None` if there is nothing to count: the process is gone, or the kernel's
    /// own.
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

    /// Identifies a process, and returns its CPU time since the last look: all its CPU time if the process is new, but
    /// none at the first look.
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
                    // The process ended just now: its CPU time belongs to its last known identity.
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
            // The kernel counts CPU time of services within this service here too. '0' is the character after '/'.
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
    /// Begins to watch a cgroup. CPU time from before this look is not reported.
    fn from(usage: Usage, processes_s: f64) -> Self {
        Self {
            usage,
            beyond_s: processes_s,
            reported_s: 0.0,
            look: 0,
        }
    }

    /// Returns the growth of the counts, and the growth of the CPU time that belongs to no process.
    ///
    /// The ticks of processes lag behind the cgroup's time, so the CPU time beyond processes is known only as a sum
    /// over all looks, not for a single look: the sum is reported as far as it exceeds the amount reported before.
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

/// Returns the growth of counts; zero for a count that fell, since its cgroup was made anew.
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

//! Sums since the agent started, of a bounded number of services and builds, as they are reported.
//!
//! A service or build that uses CPU time gets an entry; at each look, the largest users get theirs first. All services
//! or builds without an entry are added up as `others`. An entry is free again when its processes have been gone for a
//! while.

use super::cgroup::Usage;
use super::identity::Identity;
use super::{
    CPU_SECONDS, Cpu, MEMORY_BYTES, MEMORY_PEAK_BYTES, PERIODS, PROCESSES, THROTTLED_PERIODS,
    THROTTLED_SECONDS, UNATTRIBUTED,
};
use crate::aggregate::{Aggregate, Point};
use crate::sample::Kind;
use crate::series::Series;
use std::collections::HashMap;
use std::sync::Arc;

/// Looks without a process after which a service or build is forgotten. Its sums are reported until then.
const SILENCE_MAX: u32 = 30;

/// Name for all services or builds that have no entry of their own.
const OTHERS: &str = "others";

/// A sum and its series.
#[derive(Debug)]
struct Counter {
    series: Option<Arc<Series>>,
    total: f64,
    delta: f64,
}

impl Counter {
    fn new(metric: &str, tags: &[(&str, &str)]) -> Self {
        Self {
            series: Series::new(Kind::Counter, metric, tags).map(Arc::new),
            total: 0.0,
            delta: 0.0,
        }
    }

    fn add(&mut self, grown: f64) {
        self.total += grown;
        self.delta += grown;
    }

    fn point(&mut self) -> Option<Point> {
        let value = Aggregate::Counter {
            total: self.total,
            delta: std::mem::take(&mut self.delta),
            since_ms: 0,
            is_new: false,
        };
        let series = Arc::clone(self.series.as_ref()?);
        Some(Point { series, value })
    }
}

fn gauge(metric: &str, tags: &[(&str, &str)], value: f64) -> Option<Point> {
    let series = Arc::new(Series::new(Kind::Gauge, metric, tags)?);
    let value = Aggregate::Gauge(value);
    Some(Point { series, value })
}

/// Key of a build: service, build id and executable.
type BuildKey = [String; 3];

#[derive(Debug)]
struct Build {
    user: Counter,
    system: Counter,
    processes: u32,
    silent: u32,
}

impl Build {
    fn new([service, build_id, executable]: &BuildKey) -> Self {
        let cpu = |mode| {
            let tags = [
                ("build_id", build_id.as_str()),
                ("executable", executable),
                ("mode", mode),
                ("service", service),
            ];
            Counter::new(CPU_SECONDS, &tags)
        };
        Self {
            user: cpu("user"),
            system: cpu("system"),
            processes: 0,
            silent: 0,
        }
    }
}

/// Counts of a service, as far as the kernel counts them.
#[derive(Debug, Default)]
struct Service {
    counters: HashMap<&'static str, Counter>,
    memory_bytes: Option<f64>,
    memory_peak_bytes: Option<f64>,
    silent: u32,
}

/// Entries of services and builds.
#[derive(Debug)]
pub(super) struct Entries {
    max: usize,
    builds: HashMap<BuildKey, Build>,
    services: HashMap<String, Service>,
}

impl Entries {
    pub(super) fn new(max: usize) -> Self {
        Self {
            max,
            builds: HashMap::new(),
            services: HashMap::new(),
        }
    }

    /// Adds the CPU time of each build's processes, and the number of processes.
    pub(super) fn add_builds(&mut self, builds: &HashMap<Arc<Identity>, (Cpu, u32)>) {
        let mut builds: Vec<_> = builds.iter().collect();
        let cpu_s = |cpu: &Cpu| cpu.user_s + cpu.system_s;
        builds.sort_by(|(_, (one, _)), (_, (other, _))| cpu_s(other).total_cmp(&cpu_s(one)));
        for build in self.builds.values_mut() {
            build.processes = 0;
            build.silent += 1;
        }
        for (who, (cpu, processes)) in builds {
            let names = [&who.service, &*who.build_id, &who.executable];
            let mut key: BuildKey = names.map(str::to_owned);
            if !self.builds.contains_key(&key) {
                if cpu_s(cpu) == 0.0 {
                    continue;
                }
                if self.builds.len() >= self.max {
                    key = [OTHERS; 3].map(str::to_owned);
                }
            }
            let build = match self.builds.get_mut(&key) {
                Some(build) => build,
                None => {
                    let new = Build::new(&key);
                    self.builds.entry(key).or_insert(new)
                }
            };
            build.user.add(cpu.user_s);
            build.system.add(cpu.system_s);
            build.processes += processes;
            build.silent = 0;
        }
        self.builds.retain(|_, build| build.silent < SILENCE_MAX);
    }

    /// Begins to add the counts of cgroups: clears the memory figures of all services, and forgets services that are
    /// gone.
    pub(super) fn begin_services(&mut self) {
        for service in self.services.values_mut() {
            service.silent += 1;
            (service.memory_bytes, service.memory_peak_bytes) = (None, None);
        }
        self.services
            .retain(|_, service| service.silent < SILENCE_MAX);
    }

    /// Adds the growth of a service's counts, its memory, and CPU seconds of no process.
    pub(super) fn add_service(&mut self, name: &str, growth: &Usage, beyond_s: Option<f64>) {
        let is_new = !self.services.contains_key(name);
        let is_idle = growth.cpu_s.is_none_or(|cpu_s| cpu_s == 0.0);
        if is_new && is_idle {
            return;
        }
        let is_full = is_new && self.services.len() >= self.max;
        let name = if is_full { OTHERS } else { name };
        let service = self.services.entry(name.to_owned()).or_default();
        service.silent = 0;
        for (metric, grown) in [
            (UNATTRIBUTED, beyond_s),
            (THROTTLED_SECONDS, growth.throttled_s),
            (THROTTLED_PERIODS, growth.throttled_periods),
            (PERIODS, growth.periods),
        ] {
            let Some(grown) = grown else { continue };
            let counter = service.counters.entry(metric);
            let new = || Counter::new(metric, &[("service", name)]);
            counter.or_insert_with(new).add(grown);
        }
        let add = |sum: &mut Option<f64>, bytes: Option<f64>| {
            if let Some(bytes) = bytes {
                *sum = Some(sum.unwrap_or(0.0) + bytes);
            }
        };
        add(&mut service.memory_bytes, growth.memory_bytes);
        add(&mut service.memory_peak_bytes, growth.memory_peak_bytes);
    }

    /// Returns all points of the last look.
    pub(super) fn points(&mut self) -> Vec<Point> {
        let mut points = Vec::new();
        for ([service, build_id, executable], build) in &mut self.builds {
            let tags = [
                ("build_id", build_id.as_str()),
                ("executable", executable),
                ("service", service),
            ];
            points.extend(build.user.point());
            points.extend(build.system.point());
            points.extend(gauge(PROCESSES, &tags, f64::from(build.processes)));
        }
        for (name, service) in &mut self.services {
            points.extend(service.counters.values_mut().filter_map(Counter::point));
            for (metric, bytes) in [
                (MEMORY_BYTES, service.memory_bytes),
                (MEMORY_PEAK_BYTES, service.memory_peak_bytes),
            ] {
                let tags = [("service", name.as_str())];
                points.extend(bytes.and_then(|bytes| gauge(metric, &tags, bytes)));
            }
        }
        points
    }
}

//! Figures of senders: the agent reports them and `hone-agent top` shows them.

use std::collections::{BTreeMap, HashMap};
use std::fs;

use hone_agent::aggregator::Flushed;
use hone_agent::origins::{Origins, Sent};
use hone_agent::receive::{Origin, Received};
use hone_agent::services::{container_called, service_of};
use hone_agent::store::{Caps, Over};
use serde::{Deserialize, Serialize};

/// Limit on processes that are listed; all others are added up.
const NAMED_MAX: usize = 256;
/// Limit on listed metrics, those with the most series.
const METRICS_MAX: usize = 50;
/// Name of senders whose process is not known, and name of the sum of all senders beyond the limit.
const UNKNOWN: &str = "unknown";
const OTHERS: &str = "others";

/// Senders, listeners and metrics of the last interval. Rates are per second; each list begins with the largest.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Top {
    /// Duration of the interval in seconds.
    pub(crate) interval_s: f64,
    pub(crate) services: Vec<Sender>,
    pub(crate) processes: Vec<Sender>,
    /// Containers that samples named.
    #[serde(default)]
    pub(crate) containers: Vec<Container>,
    pub(crate) listeners: Vec<Listener>,
    pub(crate) metrics: Vec<Metric>,
    /// Number of series held now, and the limit on them.
    pub(crate) series: usize,
    pub(crate) series_max: usize,
    /// Series that a back end sees as one, or gets under another name.
    #[serde(default)]
    pub(crate) shared: Vec<SharedNames>,
    /// How profiles get to the hub, if they are sent.
    #[serde(default)]
    pub(crate) to_hub: Option<ToHub>,
    /// Values without a series of their own, by the limit that was exceeded.
    pub(crate) overflowed_per_s: BTreeMap<String, f64>,
}

/// How profiles get to the hub.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct ToHub {
    pub(crate) batches_waiting: u64,
    /// Reason why they wait, if the hub takes none.
    pub(crate) waits_for: Option<String>,
    /// Seconds by which this host's clock is ahead of the hub's; below zero it is behind.
    pub(crate) clock_ahead_s: i64,
}

/// A process, or all processes of a service.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Sender {
    /// Name of the program, or of the service.
    pub(crate) name: String,
    /// Number of the process, and the service that the process belongs to. A service has no number.
    pub(crate) pid: Option<u32>,
    pub(crate) service: String,
    pub(crate) values_per_s: f64,
    pub(crate) bytes_per_s: f64,
    pub(crate) packets_per_s: f64,
    /// Series that count for the sender.
    pub(crate) series: usize,
}

/// A container, by the name that its clients give.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Container {
    pub(crate) name: String,
    pub(crate) values_per_s: f64,
}

/// A listener: a place that clients send to.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Listener {
    pub(crate) name: String,
    pub(crate) packets_per_s: f64,
    pub(crate) bytes_per_s: f64,
    /// Packets lost at the listener: too long, without room, or dropped by the kernel.
    pub(crate) lost_per_s: f64,
}

/// Series that a back end cannot tell apart.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct SharedNames {
    /// True if the series are added up. Otherwise there is one series, which is sent under another name.
    pub(crate) is_merged: bool,
    pub(crate) sent_as: String,
    /// The first of the series.
    pub(crate) series: Vec<String>,
    /// Number of the series.
    pub(crate) count: usize,
}

/// A metric and the number of its series.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub(crate) struct Metric {
    pub(crate) metric: String,
    pub(crate) series: usize,
}

impl Top {
    /// Computes the figures of an interval. Processes are named now, while they most likely still run.
    pub(crate) fn of(
        flushed: &Flushed,
        length_ms: u32,
        before: &BTreeMap<String, Received>,
        now: &BTreeMap<String, Received>,
    ) -> Self {
        let interval_s = f64::from(length_ms.max(1)) / 1000.0;
        let mut sent: Vec<(Origin, Sent)> = flushed.origins.each().to_vec();
        sent.sort_by_key(|(origin, sent)| (std::cmp::Reverse(sent.values), origin.pid));
        let mut others = flushed.origins.others();
        for (_, sent) in sent.drain(NAMED_MAX.min(sent.len())..) {
            others.add(sent);
        }
        let mut processes: Vec<Sender> = sent
            .iter()
            .map(|(origin, sent)| process(*origin, *sent, interval_s))
            .collect();
        if others != Sent::default() {
            processes.push(sender(OTHERS, OTHERS, others, interval_s));
        }
        let overflowed = &flushed.finished.tally.overflowed;
        Self {
            interval_s,
            services: Vec::new(),
            processes,
            containers: containers(&flushed.origins, interval_s),
            listeners: listeners(before, now, interval_s),
            overflowed_per_s: Over::ALL
                .map(|over| {
                    let values = overflowed.get(&over).copied().unwrap_or(0);
                    (over.word().to_owned(), values as f64 / interval_s)
                })
                .into(),
            ..Self::default()
        }
    }

    /// Adds the numbers of series held now, by process, service and metric.
    pub(crate) fn with_series(&self, caps: &Caps) -> Self {
        let mut top = self.clone();
        for process in &mut top.processes {
            let pid = process.pid.unwrap_or(0);
            process.series = caps.series_of(pid);
        }
        top.services = services(&top.processes);
        top.series = caps.series();
        top.series_max = caps.limits().series_max;
        let largest = caps.largest_metrics(METRICS_MAX).into_iter();
        top.metrics = largest
            .map(|(metric, series)| Metric { metric, series })
            .collect();
        top
    }
}

fn sender(name: &str, service: &str, sent: Sent, interval_s: f64) -> Sender {
    Sender {
        name: name.to_owned(),
        service: service.to_owned(),
        values_per_s: sent.values as f64 / interval_s,
        bytes_per_s: sent.bytes as f64 / interval_s,
        packets_per_s: sent.packets as f64 / interval_s,
        ..Sender::default()
    }
}

fn process(origin: Origin, sent: Sent, interval_s: f64) -> Sender {
    if origin.pid == 0 {
        return sender(UNKNOWN, UNKNOWN, sent, interval_s);
    }
    let read = |file| fs::read_to_string(format!("/proc/{}/{file}", origin.pid)).ok();
    let name = read("comm").map_or_else(|| "(gone)".to_owned(), |name| name.trim().to_owned());
    let service = read("cgroup").map_or_else(|| UNKNOWN.to_owned(), |text| service_of(&text));
    Sender {
        pid: Some(origin.pid),
        ..sender(&name, &service, sent, interval_s)
    }
}

/// Returns values by container, the largest first. Containers with the same name are added up.
fn containers(origins: &Origins, interval_s: f64) -> Vec<Container> {
    let mut values: BTreeMap<String, u64> = BTreeMap::new();
    for (id, counted) in origins.containers() {
        *values.entry(container_called(id)).or_default() += counted;
    }
    if origins.other_containers() > 0 {
        *values.entry(OTHERS.to_owned()).or_default() += origins.other_containers();
    }
    let containers = values.into_iter().map(|(name, values)| Container {
        name,
        values_per_s: values as f64 / interval_s,
    });
    let mut containers: Vec<_> = containers.collect();
    containers.sort_by(|a, b| b.values_per_s.total_cmp(&a.values_per_s));
    containers
}

/// Adds up processes by service; the largest service comes first.
fn services(processes: &[Sender]) -> Vec<Sender> {
    let mut services: HashMap<&str, Sender> = HashMap::new();
    for process in processes {
        let service = services.entry(&process.service).or_insert_with(|| Sender {
            name: process.service.clone(),
            service: process.service.clone(),
            ..Sender::default()
        });
        service.values_per_s += process.values_per_s;
        service.bytes_per_s += process.bytes_per_s;
        service.packets_per_s += process.packets_per_s;
        service.series += process.series;
    }
    let mut services: Vec<Sender> = services.into_values().collect();
    services.sort_by(|a, b| {
        let by_values = b.values_per_s.total_cmp(&a.values_per_s);
        by_values.then_with(|| a.name.cmp(&b.name))
    });
    services
}

fn listeners(
    before: &BTreeMap<String, Received>,
    now: &BTreeMap<String, Received>,
    interval_s: f64,
) -> Vec<Listener> {
    let listeners = now.iter().map(|(name, now)| {
        let before = before.get(name).copied().unwrap_or_default();
        let per_s = |count: fn(&Received) -> u64| {
            count(now).saturating_sub(count(&before)) as f64 / interval_s
        };
        Listener {
            name: name.clone(),
            packets_per_s: per_s(|received| received.packets),
            bytes_per_s: per_s(|received| received.bytes),
            lost_per_s: per_s(|received| {
                received.truncated + received.dropped + received.kernel_drops
            }),
        }
    });
    let mut listeners: Vec<_> = listeners.collect();
    listeners.sort_by(|a, b| b.bytes_per_s.total_cmp(&a.bytes_per_s));
    listeners
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn containers_are_called_as_services_call_them() {
        let id = "2a2de1c219f20988e2fc29509a0a24342a2de1c219f20988e2fc29509a0a2434";
        let mut origins = Origins::default();
        origins.count_container(format!("ci-{id}").as_bytes(), 2);
        origins.count_container(id.as_bytes(), 4);
        origins.count_container(b"in-4026531835\x1b", 20);
        let told = containers(&origins, 2.0);
        let told: Vec<_> = told
            .iter()
            .map(|container| (container.name.as_str(), container.values_per_s))
            .collect();
        assert_eq!(told, [("in-4026531835_", 10.0), ("2a2de1c219f2", 3.0)]);
    }

    #[test]
    fn processes_of_a_service_add_up() {
        let process = |pid, service: &str, values_per_s, series| Sender {
            pid: Some(pid),
            service: service.into(),
            values_per_s,
            series,
            ..Sender::default()
        };
        let all = [
            process(1, "a", 1.0, 10),
            process(2, "b", 5.0, 1),
            process(3, "a", 2.0, 20),
        ];
        let services = services(&all);
        let told: Vec<_> = services
            .iter()
            .map(|service| (service.name.as_str(), service.values_per_s, service.series))
            .collect();
        assert_eq!(told, [("b", 5.0, 1), ("a", 3.0, 30)]);
    }
}

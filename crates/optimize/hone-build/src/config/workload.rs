//! `[[train]]` and `[[measure]]`: the commands that are run, and the way to read their results.
//!
//! For a program that runs to its end, a workload is one run of the program. For a server, a workload is a load
//! generator, whose output says how many requests were done, how many failed and how long they took.

use std::collections::BTreeMap;

use regex::Regex;
use serde::Deserialize;

use super::server::Server;
use super::{ConfigError, filled, in_range, limit};
use crate::quantity::Seconds;

/// Groups that a `latency` expression may have beside `unit`.
const PERCENTILES: [&str; 3] = ["p50", "p99", "p999"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawWorkload {
    name: Option<String>,
    command: String,
    #[serde(default)]
    env: BTreeMap<String, String>,
    work: Option<String>,
    compare_output: Option<bool>,
    compare_pattern: Option<String>,
    limit_seconds: Option<Seconds>,
    warm_up: Option<String>,
    requests: Option<String>,
    requests_total: Option<f64>,
    failed: Option<String>,
    latency: Option<String>,
    throughput: Option<String>,
}

/// One workload: a shell command line in which `{binary}` stands for the variant's program.
#[derive(Clone, Debug)]
pub struct Workload {
    /// Name of the workload in reports: that of the file, or `train1`, `measure1` and so on.
    pub name: String,
    /// The command line, run with `sh -c` in the variant's source tree.
    pub command: String,
    /// Environment variables added for the command.
    pub env: BTreeMap<String, String>,
    /// Pattern whose first group is the work done, for runs of fixed time instead of fixed work.
    pub work: Option<Regex>,
    /// Part of the output that must be the same under every variant.
    pub compare: Compare,
    /// Time limit in seconds of a run, or of the load of a server, if the file sets one.
    pub limit_s: Option<f64>,
    /// Command that runs before the workload on the same server; neither measured nor recorded.
    pub warm_up: Option<String>,
    /// Patterns for the load generator's output; only for servers.
    pub load: Option<Load>,
}

impl Workload {
    /// Returns true if its CPU time is told per unit of work.
    pub fn counts_work(&self) -> bool {
        self.work.is_some() || self.load.is_some()
    }
}

/// Part of a run's standard output that must be the same under every variant.
#[derive(Clone, Debug)]
pub enum Compare {
    /// The whole output.
    Whole,
    /// The captures of an expression, match by match; the whole match if the expression has no group.
    Captures(Regex),
    /// Nothing; always used for loads of servers.
    Nothing,
}

/// Patterns for the output of a load generator, standard output and standard error together. The last match
/// of each expression counts.
#[derive(Clone, Debug)]
pub struct Load {
    /// Number of requests done; always set for measure workloads.
    pub requests: Option<Requests>,
    /// Pattern whose first group is the number of failed requests. No match means none.
    pub failed: Option<Regex>,
    /// Pattern with at least one of the groups `p50`, `p99` and `p999`, and perhaps `unit`.
    pub latency: Option<Regex>,
    /// Pattern whose first group is the number of requests per second.
    pub throughput: Option<Regex>,
}

/// Source of the number of requests done.
#[derive(Clone, Debug)]
pub enum Requests {
    /// Pattern whose first group is the number.
    Printed(Regex),
    /// Fixed number.
    Total(f64),
}

/// Kind of program that workloads run on.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Program,
    Server,
}

impl Kind {
    pub(super) fn of(server: Option<&Server>) -> Self {
        server.map_or(Self::Program, |_| Self::Server)
    }
}

/// Validates the workloads of one table.
pub(super) fn all(
    table: &'static str,
    raw: Vec<RawWorkload>,
    kind: Kind,
) -> Result<Vec<Workload>, ConfigError> {
    if raw.is_empty() {
        return Err(ConfigError::NoWorkload { kind: table });
    }
    let given: Vec<_> = raw.iter().filter_map(|raw| raw.name.clone()).collect();
    let mut numbered = (1..)
        .map(|number| format!("{table}{number}"))
        .filter(|name| !given.contains(name));
    let mut all: Vec<Workload> = Vec::new();
    for mut raw in raw {
        // The names that are made up do not end.
        let name = raw.name.take().or_else(|| numbered.next());
        let name = name.unwrap_or_default();
        filled(&format!("{table}.name"), &name)?;
        filled(&format!("{table}.command"), &raw.command)?;
        if all.iter().any(|known| known.name == name) {
            return Err(ConfigError::RepeatedWorkload { kind: table, name });
        }
        all.push(match kind {
            Kind::Program => of_a_program(table, name, raw)?,
            Kind::Server => of_a_server(table, name, raw)?,
        });
    }
    Ok(all)
}

fn of_a_program(table: &str, name: String, raw: RawWorkload) -> Result<Workload, ConfigError> {
    let key = |key: &str| format!("{table}.{name}.{key}");
    let for_servers = [
        ("warm_up", raw.warm_up.is_some()),
        ("requests", raw.requests.is_some()),
        ("requests_total", raw.requests_total.is_some()),
        ("failed", raw.failed.is_some()),
        ("latency", raw.latency.is_some()),
        ("throughput", raw.throughput.is_some()),
    ];
    if let Some((misplaced, _)) = for_servers.iter().find(|(_, is_there)| *is_there) {
        return Err(ConfigError::Misplaced {
            key: key(misplaced),
            why: "it is for servers, and there is no [server] table",
        });
    }
    let work = raw.work.map(|pattern| with_group(key("work"), pattern));
    let compare = match (raw.compare_output, raw.compare_pattern) {
        (_, Some(_)) if table == "train" => {
            return Err(ConfigError::Misplaced {
                key: key("compare_pattern"),
                why: "what training runs write is not compared; it is for [[measure]] and [check]",
            });
        }
        (Some(_), Some(_)) => {
            return Err(ConfigError::Exclusive {
                one: key("compare_pattern"),
                other: "compare_output".into(),
            });
        }
        (None, Some(pattern)) => Compare::Captures(compiled(&key("compare_pattern"), &pattern)?),
        (Some(false), None) => Compare::Nothing,
        (_, None) => Compare::Whole,
    };
    Ok(Workload {
        work: work.transpose()?,
        compare,
        limit_s: limit(raw.limit_seconds)?,
        name,
        command: raw.command,
        env: raw.env,
        warm_up: None,
        load: None,
    })
}

fn of_a_server(table: &str, name: String, raw: RawWorkload) -> Result<Workload, ConfigError> {
    let key = |key: &str| format!("{table}.{name}.{key}");
    if raw.work.is_some() {
        return Err(ConfigError::Misplaced {
            key: key("work"),
            why: "for a server say requests or requests_total",
        });
    }
    let compares = [
        ("compare_output", raw.compare_output == Some(true)),
        ("compare_pattern", raw.compare_pattern.is_some()),
    ];
    if let Some((misplaced, _)) = compares.iter().find(|(_, is_wanted)| *is_wanted) {
        return Err(ConfigError::Misplaced {
            key: key(misplaced),
            why: "a load generator's output differs from run to run; test the server's answers in [check]",
        });
    }
    if let Some(warm_up) = &raw.warm_up {
        filled(&key("warm_up"), warm_up)?;
    }
    let requests = match (raw.requests, raw.requests_total) {
        (Some(_), Some(_)) => {
            return Err(ConfigError::Exclusive {
                one: key("requests"),
                other: "requests_total".into(),
            });
        }
        (Some(pattern), None) => Some(Requests::Printed(with_group(key("requests"), pattern)?)),
        (None, Some(total)) => {
            in_range("requests_total", total, 1.0, 1e15, "1 to 10^15")?;
            Some(Requests::Total(total))
        }
        (None, None) if table == "measure" => {
            return Err(ConfigError::Misplaced {
                key: format!("measure.{name}"),
                why: "a server's workload needs requests (an expression for the load's output) or \
                      requests_total (a number)",
            });
        }
        (None, None) => None,
    };
    let group = |of: &str, pattern: Option<String>| {
        let found = pattern.map(|pattern| with_group(key(of), pattern));
        found.transpose()
    };
    let load = Load {
        requests,
        failed: group("failed", raw.failed)?,
        throughput: group("throughput", raw.throughput)?,
        latency: raw
            .latency
            .map(|pattern| latency(key("latency"), pattern))
            .transpose()?,
    };
    Ok(Workload {
        name,
        command: raw.command,
        env: raw.env,
        work: None,
        compare: Compare::Nothing,
        limit_s: limit(raw.limit_seconds)?,
        warm_up: raw.warm_up,
        load: Some(load),
    })
}

/// Compiles an expression that must have a group around a number.
fn with_group(key: String, pattern: String) -> Result<Regex, ConfigError> {
    let regex = compiled(&key, &pattern)?;
    if regex.captures_len() < 2 {
        let why = "it has no (group) around the number".into();
        return Err(ConfigError::BadPattern { key, pattern, why });
    }
    Ok(regex)
}

/// Compiles an expression that must have a group for at least one percentile.
fn latency(key: String, pattern: String) -> Result<Regex, ConfigError> {
    let regex = compiled(&key, &pattern)?;
    let mut names = regex.capture_names().flatten();
    if !names.any(|name| PERCENTILES.contains(&name)) {
        let why = "it has no group named p50, p99 or p999, such as (?P<p99>\\S+)".into();
        return Err(ConfigError::BadPattern { key, pattern, why });
    }
    Ok(regex)
}

/// Compiles an expression.
pub(super) fn compiled(key: &str, pattern: &str) -> Result<Regex, ConfigError> {
    Regex::new(pattern).map_err(|error| ConfigError::BadPattern {
        key: key.into(),
        pattern: pattern.into(),
        why: error.to_string(),
    })
}

/// Refuses a measure workload with the command and environment of a train workload.
pub(super) fn differ(train: &[Workload], measure: &[Workload]) -> Result<(), ConfigError> {
    for measured in measure {
        let same = |trained: &&Workload| {
            trained.command == measured.command && trained.env == measured.env
        };
        if let Some(trained) = train.iter().find(same) {
            return Err(ConfigError::SameWorkload {
                measure: measured.name.clone(),
                train: trained.name.clone(),
            });
        }
    }
    Ok(())
}

/// Refuses workloads that cannot be compared by one metric.
pub(super) fn one_metric(measure: &[Workload]) -> Result<(), ConfigError> {
    let with_work = measure.iter().filter(|workload| workload.work.is_some());
    if [0, measure.len()].contains(&with_work.count()) {
        Ok(())
    } else {
        Err(ConfigError::MixedMetrics)
    }
}
